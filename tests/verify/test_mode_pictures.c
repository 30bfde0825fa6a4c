/* Modes, temperature fields and what these deform in files of ParaView: numbers at the nodes of
   bodies whose points are not linear in their coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"

static char *text;

/* write n modes and fields of the initial state, and read the file */
static void write_shapes(const char *model, int n) {
    const char *path = folder_path("shapes.vtu");
    verify v = {0};
    gos_linear *l;
    verify_text(&v, model, "");
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_system_write_vtu(v.ctx, v.sys, v.state, l, n, path));
    gos_linear_destroy(l);
    verify_close(&v);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text = calloc(1, 10000000);
    assert_non_null(text);
    const size_t size = fread(text, 1, 9999999, f);
    assert_true(size > 0);
    (void)fclose(f);
}

/* numbers of the array whose name begins so (width columns): largest of column c, by size */
static double largest(const char *name, int width, int c) {
    char start[100];
    double most = 0;
    (void)snprintf(start, sizeof start, "Name=\"%s", name);
    char *at = strstr(text, start);
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    for (int i = 0; *at != '<'; i++) {
        char *end;
        const double x = strtod(at, &end);
        assert_ptr_not_equal(at, end);
        most = i % width == c && fabs(x) > fabs(most) ? x : most;
        at = end + strspn(end, " \n");
    }
    return most;
}

/* A cantilever of mass m: its first bending mode with X^T M X = 1 moves the tip by 2 / sqrt(m)
   (Euler and Bernoulli). A field of temperature with X^T C X = 1 that is constant is 1 / sqrt(c m);
   under it the bar grows by alpha L / sqrt(c m). */
static void cantilever(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0, expansion: 1.2e-5,\n"
        "  conductivity: 43, specific_heat: 465}}\n"
        "meshes: {beam: {type: rectangle, size: [1, 0.02], cells: [20, 1], order: quadratic}}\n"
        "bodies: {beam: {type: floating, mesh: beam, material: m, element: plane_stress,\n"
        "  thickness: 0.01, reference: clamped, at: left, rotation_vector: [0, 0, pi/2],\n"
        "  position: [3, 0, 0]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n";
    const double m = 7800 * 0.02 * 0.01;
    write_shapes(model, 2);
    // the beam stands along y: it bends along x
    verify_near("tip of the first mode", fabs(largest("mode 1:", 3, 0)), 2 / sqrt(m),
                1e-3 * 2 / sqrt(m));
    verify_near("across the plane", largest("mode 1:", 3, 2), 0, 1e-12);
    const double T = largest("temperature field 1:", 1, 0);
    verify_near("constant temperature field", fabs(T), 1 / sqrt(465 * m), 1e-9);
    verify_near("length by it", largest("deformation by temperature field 1", 3, 1), 1.2e-5 * T,
                1e-4 * 1.2e-5 * fabs(T));
    free(text);
}

/* a body that moves freely has no rest under a field: it is left out */
static void free_body(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0, expansion: 1.2e-5,\n"
        "  conductivity: 43, specific_heat: 465}}\n"
        "meshes: {beam: {type: rectangle, size: [1, 0.1], cells: [4, 1]}}\n"
        "bodies: {beam: {type: floating, mesh: beam, material: m, element: plane_stress,\n"
        "  thickness: 0.01}}\n";
    write_shapes(model, 8);
    assert_non_null(strstr(text, "Name=\"temperature field 2:"));
    assert_null(strstr(text, "deformation by"));
    free(text);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cantilever), cmocka_unit_test(free_body)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
