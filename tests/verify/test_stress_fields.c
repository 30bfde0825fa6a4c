/* Stresses and strains as fields of drawn nodes: the numbers of probes at the same nodes, where two
   materials meet one for each, shells on both faces, solids, reduced systems, and what CalculiX
   prints (tests/reference/calculix.py). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "rom/reconstruction.h"
#include "support/random.h"
#include "support/reduced.h"
#include "support/suite.h"
#include "support/verify.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"

/* ---- fields ---------------------------------------------------------------------------------- */

/* all fields of a system at a state */
static double *fields(const gos_system *sys, const gos_state *x) {
    size_t n = 1;
    for (int i = 0; i < gos_system_nfields(sys); i++) {
        gos_field_info f;
        gos_system_field_info(sys, i, &f);
        n += (size_t)f.ncomp * (size_t)sys->nnodes;
    }
    double *all = malloc(n * sizeof *all);
    assert_non_null(all);
    gos_system_fields(sys, x, all);
    return all;
}

/* values of the field of this name */
static const double *field(const gos_system *sys, const double *all, const char *name, int *ncomp) {
    for (int i = 0; i < gos_system_nfields(sys); i++) {
        gos_field_info f;
        gos_system_field_info(sys, i, &f);
        *ncomp = f.ncomp;
        if (strcmp(f.name, name) == 0) {
            return all;
        }
        all += (size_t)f.ncomp * (size_t)sys->nnodes;
    }
    print_error("no field '%s'\n", name);
    fail();
    return NULL;
}

/* a probe's values against the field at the drawn node that is nearest to them; which node, its
 * place at the start in `place` */
static double apart(const verify *v, const double *all, const char *name, const double place[3],
                    const double *y, const double *start) {
    int n = 0;
    const double *f = field(v->sys, all, name, &n);
    double best = HUGE_VAL;
    for (int i = 0; i < v->sys->nnodes; i++) {
        double d = 0, off = 0;
        for (int c = 0; c < 3; c++) {
            d = fmax(d, fabs(start[3 * i + c] - place[c]));
        }
        for (int c = 0; c < n; c++) {
            off = fmax(off, fabs(f[n * i + c] - y[c]));
        }
        best = d < 1e-9 && off < best ? off : best; // not a number: no
    }
    return best;
}

/* ---- against probes -------------------------------------------------------------------------- */

/* Probes P.N with P one of: x (position), and those of `quantity`, at N places, against fields of
   the same numbers, with an ending for the face. The largest difference over the largest number. */
static double against_probes(verify *v, int places, const char *ending, double *start) {
    static const struct {
        const char *probe, *field;
    } all[] = {{"s", "stress"}, {"m", "von_mises"}, {"p", "principal_stress"}, {"e", "strain"}};
    double worst = 0, y[GOS_PROBE_MAX], place[GOS_PROBE_MAX];
    double *values = fields(v->sys, v->state);
    for (int k = 0; k < GOS_COUNT(all); k++) {
        double most = 0, off = 0;
        for (int i = 0; i < places; i++) {
            char probe[20], name[40];
            gos_probe_info info;
            (void)snprintf(probe, sizeof probe, "x%d", i);
            gos_state *first;
            verify_good(v, gos_state_create(v->ctx, v->sys, &first));
            verify_probe(v, first, probe, place);
            gos_state_destroy(first);
            (void)snprintf(probe, sizeof probe, "%s%d%s", all[k].probe, i, ending);
            (void)snprintf(name, sizeof name, "%s%s", all[k].field, ending);
            verify_probe(v, NULL, probe, y);
            gos_system_probe_info(v->sys, verify_find(v, probe), &info);
            off = fmax(off, apart(v, values, name, place, y, start));
            for (int c = 0; c < info.ncomp; c++) {
                most = fmax(most, fabs(y[c]));
            }
        }
        assert_true(most > 0);
        worst = fmax(worst, off / most);
    }
    free(values);
    return worst;
}

static double *start_of(const verify *v) {
    double *x = malloc(3 * sizeof *x * (size_t)v->sys->nnodes);
    gos_state *first;
    assert_non_null(x);
    verify_good(v, gos_state_create(v->ctx, v->sys, &first));
    gos_system_nodes(v->sys, first, x, NULL, NULL, NULL);
    gos_state_destroy(first);
    return x;
}

/* probes of all quantities at one place */
static int probes_at(char *text, size_t size, int i, const char *place, const char *more,
                     const char *ending) {
    return snprintf(text, size,
                    "  x%d%s: {at: %s, quantity: position}\n"
                    "  s%d%s: {at: %s, quantity: stress%s}\n"
                    "  m%d%s: {at: %s, quantity: von_mises%s}\n"
                    "  p%d%s: {at: %s, quantity: principal_stress%s}\n"
                    "  e%d%s: {at: %s, quantity: strain%s}\n",
                    i, ending, place, i, ending, place, more, i, ending, place, more, i, ending,
                    place, more, i, ending, place, more);
}

#define MATERIALS                                                                                  \
    "materials:\n"                                                                                 \
    "  hard: {density: 7800, young: 2e11, poisson: 0.3, expansion: 1.2e-5, conductivity: 43,\n"    \
    "    specific_heat: 465}\n"                                                                    \
    "  soft: {density: 2700, young: 7e10, poisson: 0.33, expansion: 2.4e-5, conductivity: 200,\n"  \
    "    specific_heat: 900}\n"

/* A bar of two materials, one above the other, that turns, is pulled and warms up, whole and
   reduced: at nodes of either, and at those between them with both. */
static void two_materials(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *place, *material;
    } at[] = {{"bar.node(1)", ""},
              {"bar.node(28)", ""},
              {"bar.node(13)", ", material: hard"},
              {"bar.node(13)", ", material: soft"},
              {"bar.node(18)", ", material: hard"},
              {"bar.node(18)", ", material: soft"}};
    char text[6000];
    for (int reduced = 0; reduced < 2; reduced++) {
        verify v = {0};
        int used = snprintf(
            text, sizeof text,
            MATERIALS
            "meshes: {bar: {type: box, size: [0.4, 0.1, 0.06], cells: [4, 1, 2], sets: {\n"
            "  below: {of: cells, box: {from: [-1, -1, -1], to: [1, 1, 0.031]}},\n"
            "  above: {of: cells, box: {from: [-1, -1, 0.029], to: [1, 1, 1]}}}}}\n"
            "bodies: {bar: {type: floating, mesh: bar, reference: clamped, at: left,\n"
            "    position: [1, 2, 3], rotation_vector: [0.2, -0.3, 0.4],\n"
            "    parts: [{cells: below, material: hard}, {cells: above, material: soft}],\n"
            "    reduce: {method: krylov, order: 4, shifts: [100]}},\n"
            "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 2, 3]}}\n"
            "joints: {pin: {type: revolute, between: [ground, hub.centre], axis: [0, 0, 1]},\n"
            "  hold: {type: clamp, between: [hub.centre, bar.frame]}}\n"
            "loads: {F: {type: force, on: bar.right, value: [2e3, 1e3, -500]}}\n"
            "heat: {q: {type: flux, on: bar.top, value: 1e6}}\n"
            "initial: {all: {angular_velocity: [0, 0, 3], about: [1, 2, 3]}}\n"
            "floating_bodies: %s\n"
            "output: {stress: true, strain: true}\n"
            "analysis: {end: 0.02, step: 1e-3}\nprobes:\n",
            reduced ? "reduced" : "whole");
        for (int i = 0; i < GOS_COUNT(at); i++) {
            used += probes_at(text + used, sizeof text - used, i, at[i].place, at[i].material, "");
        }
        assert_true(used < (int)sizeof text);
        verify_text(&v, text, "");
        verify_run(&v);
        double *start = start_of(&v);
        verify_below(reduced ? "reduced" : "whole", against_probes(&v, GOS_COUNT(at), "", start),
                     1e-13);
        // 30 nodes of the skin twice where both materials meet (10), the frame, and the hub without
        // any stress
        int n;
        double *all = fields(v.sys, v.state);
        const double *s = field(v.sys, all, "von_mises", &n);
        int told = 0;
        for (int i = 0; i < v.sys->nnodes; i++) {
            told += isfinite(s[i]);
        }
        assert_int_equal(told, 40);
        assert_true(v.sys->nnodes > told && isnan(s[0]) && isnan(s[v.sys->nnodes - 1]));
        free(all);
        free(start);
        verify_close(&v);
    }
}

/* A shell under bending and heat beside a box, which has no faces: numbers of each face, those of
 * the box in both. */
static void faces(void **state) {
    GOS_UNUSED(state);
    char text[6000];
    verify v = {0};
    int used = snprintf(
        text, sizeof text,
        MATERIALS "meshes: {sheet: {type: rectangle, size: [0.5, 0.2], cells: [5, 2]},\n"
                  "  box: {type: box, size: [0.1, 0.1, 0.1], cells: [2, 1, 1]}}\n"
                  "bodies: {sheet: {type: floating, mesh: sheet, material: hard, element: shell,\n"
                  "    thickness: 0.005, reference: clamped, at: left},\n"
                  "  box: {type: floating, mesh: box, material: soft, reference: clamped,\n"
                  "    at: left, position: [2, 0, 0]}}\n"
                  "joints: {a: {type: clamp, between: [ground, sheet.frame]},\n"
                  "  b: {type: clamp, between: [ground, box.frame]}}\n"
                  "loads: {F: {type: force, on: sheet.right, value: [40, 0, -10]},\n"
                  "  G: {type: force, on: box.right, value: [4e4, 1e3, -1e4]}}\n"
                  "heat: {q: {type: flux, on: sheet.upper, value: 1e4}}\n"
                  "output: {stress: true, strain: true}\n"
                  "analysis: {end: 0.1, step: 0.01}\nprobes:\n");
    static const char *const place[] = {"sheet.node(1)", "sheet.node(8)", "sheet.node(18)",
                                        "box.node(3)"};
    for (int i = 0; i < GOS_COUNT(place); i++) {
        used += probes_at(text + used, sizeof text - used, i, place[i],
                          i < 3 ? ", face: upper" : "", "_upper");
        used += probes_at(text + used, sizeof text - used, i, place[i],
                          i < 3 ? ", face: lower" : "", "_lower");
        used += snprintf(text + used, sizeof text - used, "  x%d: {at: %s}\n", i, place[i]);
    }
    assert_true(used < (int)sizeof text);
    verify_text(&v, text, "");
    assert_int_equal(gos_system_nfields(v.sys), 10);
    verify_run(&v);
    double *start = start_of(&v);
    verify_below("upper faces", against_probes(&v, GOS_COUNT(place), "_upper", start), 1e-13);
    verify_below("lower faces", against_probes(&v, GOS_COUNT(place), "_lower", start), 1e-13);
    free(start);
    verify_close(&v);
}

/* ---- solids ---------------------------------------------------------------------------------- */

#define SOLID                                                                                      \
    MATERIALS                                                                                      \
    "meshes: {bar: {type: box, size: [0.4, 0.1, 0.1], cells: [4, 1, 2]},\n"                        \
    "  beam: {type: box, size: [0.4, 0.05, 0.05], cells: [4, 1, 1]}}\n"                            \
    "bodies: {bar: {type: solid, mesh: bar, material: soft},\n"                                    \
    "  beam: {type: floating, mesh: beam, material: hard, position: [0.4, 0.025, 0.025],\n"        \
    "    temperature: off}}\n"                                                                     \
    "joints: {pin: {type: spherical, between: [bar.right, beam.left]}}\n"                          \
    "heat: {q: {type: flux, on: bar.top, value: 3e6}}\n"                                           \
    "loads: {F: {type: force, on: bar.left, value: [-3e5, 2e5, 1e5]}}\n"                           \
    "output: {stress: true, strain: true}\n"                                                       \
    "analysis: {end: 0.003, step: 1e-4}\n"

/* a solid in motion beside a floating body */
static void of_solids(void **state) {
    GOS_UNUSED(state);
    static const char *const place[] = {"bar.node(1)", "bar.node(13)", "bar.node(30)",
                                        "beam.node(2)"};
    char text[4000];
    verify v = {0};
    int used = snprintf(text, sizeof text, SOLID "probes:\n");
    for (int i = 0; i < GOS_COUNT(place); i++) {
        used += probes_at(text + used, sizeof text - used, i, place[i], "", "");
    }
    verify_text(&v, text, "");
    verify_run(&v);
    double *start = start_of(&v);
    verify_below("solid and floating body", against_probes(&v, GOS_COUNT(place), "", start), 1e-13);
    free(start);
    verify_close(&v);
}

/* reduced by rotation_closed, at any state the fields are those of the full system at the state
 * that it stands for */
static void of_reduced_solids(void **state) {
    GOS_UNUSED(state);
    verify v = {0};
    gos_system *reduced = NULL;
    gos_state *x = NULL;
    gos_reconstruction lift;
    uint64_t seed = 3;
    verify_text(&v, SOLID, "");
    reduce_as(v.sys,
              (gos_reduction_def){
                  .fields = GOS_FIELDS_MODES, .number = 12, .statics = 1, .tolerance = 1e-3});
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    assert_true(reduced->nq < v.sys->nq);
    gos_arena *a = gos__arena_create(v.ctx);
    verify_good(&v, gos__reconstruction_create(v.ctx, a, reduced, &lift));
    verify_good(&v, gos_state_create(v.ctx, reduced, &x));
    for (int i = 0; i < reduced->nq; i++) {
        x->q[i] += 5e-4 * random_uniform(&seed);
    }
    for (int i = 0; i < reduced->nt; i++) {
        x->th[i] = 1.5 * i - 4;
    }
    gos__reconstruct_motion(&lift, true, x->q, v.state->q);
    gos__reconstruct_heat(&lift, x->th, v.state->th);
    double *few = fields(reduced, x), *all = fields(v.sys, v.state);
    const double *at = all, *to = few;
    assert_int_equal(gos_system_nfields(reduced), 5);
    for (int i = 0; i < gos_system_nfields(v.sys); i++) {
        gos_field_info f;
        double worst = 0, most = 0;
        gos_system_field_info(v.sys, i, &f);
        for (int k = 0; k < f.ncomp * v.sys->nnodes; k++, at++, to++) {
            assert_int_equal(isnan(*at), isnan(*to));
            worst = isnan(*at) ? worst : fmax(worst, fabs(*at - *to));
            most = fmax(most, fabs(*at));
        }
        assert_true(most > 0);
        verify_below(f.name, worst / most, 1e-9);
    }
    free(few);
    free(all);
    gos_state_destroy(x);
    gos__arena_destroy(a);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* Two solids in one, strained alike by 1e-3 and without Poisson's ratio: at the nodes between them
   S = E (e + e^2 / 2) of the hard and of the soft one, by hand. */
static void solid_of_two(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {hard: {density: 7800, young: 2e11, poisson: 0},\n"
        "  soft: {density: 2700, young: 7e10, poisson: 0}}\n"
        "meshes: {bar: {type: box, size: [1, 0.2, 0.2], cells: [2, 1, 2], sets: {\n"
        "  below: {of: cells, box: {from: [-1, -1, -1], to: [2, 1, 0.11]}},\n"
        "  above: {of: cells, box: {from: [-1, -1, 0.09], to: [2, 1, 1]}}}}}\n"
        "bodies: {bar: {type: solid, mesh: bar, parts: [{cells: below, material: hard},\n"
        "  {cells: above, material: soft}]}}\n"
        "output: {stress: true}\nanalysis: {end: 1}\n";
    verify v = {0};
    int n, hard = 0, soft = 0, between = 0;
    const double e = 1e-3, green = e + e * e / 2;
    double worst = 0, across = 0;
    verify_text(&v, model, "");
    double *start = start_of(&v);
    for (int i = 0; i < v.sys->nq; i += 3) {
        v.state->q[i] *= 1 + e;
    }
    double *all = fields(v.sys, v.state);
    const double *s = field(v.sys, all, "stress", &n);
    for (int i = 0; i < v.sys->nnodes; i++) {
        if (isnan(s[6 * i])) {
            continue; // inside, or drawn as its twins
        }
        const bool is_hard = s[6 * i] > 1.4e8;
        worst = fmax(worst, fabs(s[6 * i] - (is_hard ? 2e11 : 7e10) * green));
        across = fmax(across, fabs(s[6 * i + 1]));
        hard += is_hard;
        soft += !is_hard;
        between += fabs(start[3 * i + 2] - 0.1) < 1e-9;
        assert_true(start[3 * i + 2] < 0.1 + 1e-9 || !is_hard);
        assert_true(start[3 * i + 2] > 0.1 - 1e-9 || is_hard);
    }
    verify_below("stress of its own material [Pa]", worst, 1);
    verify_below("nothing across [Pa]", across, 1);
    assert_int_equal(between, 12);
    assert_int_equal(hard, 12);
    assert_int_equal(soft, 12);
    free(all);
    free(start);
    verify_close(&v);
}

/* ---- refused, and CalculiX ------------------------------------------------------------------- */

static void refused(void **state) {
    GOS_UNUSED(state);
    static const char model[] = "bodies: {hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                                "output: {stress: true}\nanalysis: {end: 1}\n";
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m;
    gos_system *sys;
    assert_int_equal(gos_model_parse(ctx, model, strlen(model), "test", NULL, &m), GOS_OK);
    assert_int_equal(gos_system_create(ctx, m, &sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "stress: no body has this field"));
    assert_non_null(strstr(gos_ctx_message(ctx), "test:2"));
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

/* all drawn nodes, which are those of the skin: of C3D10 corners alone */
static void calculix(void **state) {
    GOS_UNUSED(state);
    enum { MOST = 2000 };
    static double row[MOST][7], at[MOST][3];
    static const char model[] =
        "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3, conductivity: 43,\n"
        "  specific_heat: 465, expansion: 12e-6}}\n"
        "meshes: {m: {type: deck, file: bracket-stress-hex8.inp, mass_scale: 1}}\n"
        "bodies: {body: {type: floating, mesh: m, reference: clamped, at: FIX}}\n"
        "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
        "heat: {T: {type: temperature, value: 100, on: body.node(1)}}\n"
        "loads: {F: {type: force, on: body.EDGE, value: [3e4, 1e4, 0]}}\n"
        "output: {stress: true}\n"
        "analysis: {type: static}\n";
    char line[300];
    int n = 0, found = 0, width, drawn = 0;
    FILE *f = fopen(FOLDER "/bracket-stress-hex8.csv", "r");
    assert_non_null(f);
    while (n < MOST && fgets(line, sizeof line, f)) {
        char *s = line;
        for (int k = 0; line[0] >= '0' && line[0] <= '9' && k < 7; k++) {
            row[n][k] = strtod(s, &s);
            s += *s == ',';
            n += k == 6;
        }
    }
    assert_int_equal(fclose(f), 0);
    f = fopen(FOLDER "/bracket-stress-hex8.inp", "r");
    assert_non_null(f);
    bool nodes = false;
    for (int i = 0; fgets(line, sizeof line, f);) {
        int tag;
        double x[3];
        nodes = line[0] == '*' ? strncmp(line, "*NODE,", 6) == 0 : nodes;
        if (nodes && sscanf(line, "%d, %lf, %lf, %lf", &tag, &x[0], &x[1], &x[2]) == 4) {
            assert_true(i < n && tag == (int)row[i][0]);
            memcpy(at[i++], x, sizeof x);
        }
    }
    assert_int_equal(fclose(f), 0);
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, model, strlen(model), "test", FOLDER, &v.model));
    verify_compile(&v);
    verify_static(&v);
    double *start = start_of(&v), *all = fields(v.sys, v.state), worst = 0, most = 0;
    const double *s = field(v.sys, all, "stress", &width);
    for (int i = 0; i < v.sys->nnodes; i++) {
        drawn += !isnan(s[6 * i]);
        for (int k = 0; k < n && !isnan(s[6 * i]); k++) {
            double d = 0;
            for (int c = 0; c < 3; c++) {
                d = fmax(d, fabs(start[3 * i + c] - at[k][c]));
            }
            for (int c = 0; c < 6 && d < 1e-9; c++) {
                worst = fmax(worst, fabs(s[6 * i + c] - row[k][1 + c]));
                most = fmax(most, fabs(row[k][1 + c]));
                found += c == 0;
            }
        }
    }
    print_message("    %d drawn nodes of %d\n", drawn, n);
    assert_true(drawn > 100);
    assert_int_equal(found, drawn);
    verify_below("CalculiX's printed stresses", worst / most, 2e-5);
    free(all);
    free(start);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_materials), cmocka_unit_test(faces),
        cmocka_unit_test(of_solids),     cmocka_unit_test(of_reduced_solids),
        cmocka_unit_test(solid_of_two),  cmocka_unit_test(refused),
        cmocka_unit_test(calculix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
