/* Bodies of meshes from decks against what CalculiX prints of the same decks (tests/reference/calculix.py), seven digits: frequencies,
   and steady temperatures with flux and film on surfaces of the deck. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/verify.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"
#define STEEL                                                                                      \
    "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3, conductivity: 43,\n"           \
    "                    specific_heat: 465, expansion: 12e-6}}\n"
#define HOLD "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"

static void open_model(verify *v, const char *text) {
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", FOLDER, &v->model));
    verify_compile(v);
}

/* rows of `width` numbers of NAME.csv; their number */
static int read_csv(const char *name, int width, int most, double *x) {
    char path[300], line[300];
    int n = 0;
    (void)snprintf(path, sizeof path, FOLDER "/%s.csv", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < most && fgets(line, sizeof line, f)) {
        char *s = line;
        for (int k = 0; line[0] >= '0' && line[0] <= '9' && k < width; k++) {
            x[n * width + k] = strtod(s, &s);
            s += *s == ',';
            n += k + 1 == width;
        }
    }
    assert_int_equal(fclose(f), 0);
    return n;
}

/* Largest relative difference of the n lowest frequencies. */
static double compare_modes(const char *name, const char *element, int n) {
    char text[1000];
    double row[10 * 3], worst = 0;
    gos_mode mode[10];
    int found;
    gos_linear *l;
    verify v;
    (void)snprintf(text, sizeof text,
                   STEEL "meshes: {m: {type: deck, file: %s.inp}}\n"
                         "bodies: {body: {type: floating, mesh: m, material: steel, element: %s, "
                         "reference: clamped,\n"
                         "                at: FIX, temperature: off}}\n" HOLD,
                   name, element);
    assert_int_equal(read_csv(name, 3, 10, row), 10);
    open_model(&v, text);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, n, false, mode, &found));
    assert_int_equal(found, n);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(mode[i].frequency / row[3 * i + 2] - 1));
    }
    gos_linear_destroy(l);
    verify_close(&v);
    return worst;
}

/* Hexahedra with full integration are the same elements. CalculiX takes four points for the mass of tetrahedra of ten nodes, which are too few:
   that shifts frequencies by 1e-4 and less where the mesh resolves the mode. Its C3D8I has other internal functions. */
static void test_modes(void **state) {
    (void)state;
    verify_below("bar, hex20", compare_modes("bar-modes-hex20", "solid", 10), 1e-6);
    verify_below("bar, hex8", compare_modes("bar-modes-hex8", "solid", 10), 1e-6);
    verify_below("bracket, hex20", compare_modes("bracket-modes-hex20", "solid", 10), 1e-6);
    verify_below("bar, tet10, mass of another rule", compare_modes("bar-modes-tet10", "solid", 10),
                 1e-3);
    verify_below("bracket, tet10, mass of another rule",
                 compare_modes("bracket-modes-tet10", "solid", 10), 1e-3);
    verify_below("bar, hex8 with other incompatible modes, two modes",
                 compare_modes("bar-modes-hex8i", "solid_incompatible", 2), 1e-3);
}

static void compare_heat(const char *name, double limit) {
    enum { MOST = 1400, EVERY = 7 }; // one node in seven, on all parts
    static double row[MOST * 3];
    static char text[20000];
    const int n = read_csv(name, 3, MOST, row);
    double worst = 0, most = 0;
    verify v;
    int used =
        snprintf(text, sizeof text,
                 STEEL "meshes: {m: {type: deck, file: %s.inp}}\n"
                       "bodies: {body: {type: floating, mesh: m, material: steel, reference: "
                       "clamped, at: FIX}}\n" HOLD "heat:\n"
                       "  warm: {type: flux, value: 5000, on: body.BASE}\n"
                       "  film: {type: convection, coefficient: 50, ambient: 20, on: body.WALL}\n"
                       "analysis: {type: static}\nprobes:\n",
                 name);
    for (int i = 0; i < n; i += EVERY) {
        used +=
            snprintf(text + used, sizeof text - used,
                     "  T%d: {at: body.node(%d), quantity: temperature}\n", i, (int)row[3 * i + 1]);
    }
    assert_true(n > 0 && used < (int)sizeof text);
    open_model(&v, text);
    verify_static(&v);
    for (int i = 0; i < n; i += EVERY) {
        char probe[20];
        double y[GOS_PROBE_MAX];
        (void)snprintf(probe, sizeof probe, "T%d", i);
        verify_probe(&v, v.state, probe, y);
        worst = fmax(worst, fabs(y[0] - row[3 * i + 2]));
        most = fmax(most, fabs(row[3 * i + 2]));
    }
    verify_below(name, worst / most, limit);
    verify_close(&v);
}

/* On triangles of six nodes CalculiX integrates films with three points, which is of too low a degree. */
static void test_heat(void **state) {
    (void)state;
    compare_heat("bracket-heat-hex20", 1e-6);
    compare_heat("bracket-heat-tet10", 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
