/* Nothing in a model may hang on the directions of the axes or on the units: every example, turned
   by three rotations and in mm, t and s, has the answers of the original, turned and in those
   units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/sanitized.h"
#include "support/suite.h"
#include "support/turn_model.h"

enum { TIMES = 25, PROBES = 20 };

typedef struct answers {
    double y[TIMES][PROBES][GOS_PROBE_MAX];
    gos_probe_info info[PROBES];
    char name[PROBES][64], unit[PROBES][256];
    int n, times;
    long steps;
} answers;

/* quantities that are vectors in space; others stay as they are */
static bool is_vector(const verify *v, const gos_probe_info *p) {
    static const char *const names[] = {"position", "displacement", "velocity", "rotation_vector",
                                        "joint_force"};
    char path[200];
    (void)snprintf(path, sizeof path, "probes.%s.frame", p->name);
    for (int i = 0; i < 5; i++) {
        if (strcmp(p->quantity, names[i]) == 0) {
            return p->ncomp == 3 && !gos__node_find(v->model->root, path);
        }
    }
    return false;
}

/* how many new units make an old one, of a component */
static double unit_of(const gos_probe_info *p, int c, double length, double mass) {
    if (strcmp(p->quantity, "temperature") == 0) {
        return c > 0 ? 1 / length : 1;
    }
    if (strcmp(p->unit, "1/m") == 0) {
        return 1 / length;
    }
    if (strcmp(p->quantity, "section_moment") == 0 && strcmp(p->unit, "N") == 0) { // of a plate
        return mass * length;
    }
    const bool energy = strcmp(p->unit, "J") == 0;
    const bool moment = (strcmp(p->quantity, "hinge") == 0 && c == 1) ||
                        strcmp(p->quantity, "section_moment") == 0 ||
                        strcmp(p->quantity, "joint_moment") == 0;
    const bool joint =
        strcmp(p->quantity, "joint_coordinates") == 0 || strcmp(p->quantity, "joint_rates") == 0;
    if (joint) {
        return 1; // of the examples: angles
    }
    if (strcmp(p->quantity, "joint_force") == 0) {
        return mass * length;
    }
    return energy || moment ? mass * length * length : strncmp(p->unit, "m", 1) == 0 ? length : 1;
}

static void sample(const verify *v, const gos_state *x, answers *a) {
    for (int i = 0; i < a->n; i++) {
        verify_good(v, gos_system_probe(v->ctx, v->sys, x, i, a->y[a->times][i], NULL));
    }
    a->times++;
}

static void solve(verify *v, double end, answers *a) {
    a->times = 0;
    a->n = gos_system_nprobes(v->sys);
    assert_true(a->n <= PROBES);
    for (int i = 0; i < a->n; i++) {
        gos_system_probe_info(v->sys, i, &a->info[i]);
        (void)snprintf(a->name[i], sizeof a->name[i], "%s", a->info[i].name);
        (void)snprintf(a->unit[i], sizeof a->unit[i], "%s", a->info[i].unit);
        a->info[i].name = a->name[i]; // those of the system go with it
        a->info[i].unit = a->unit[i];
    }
    if (v->opt.analysis == GOS_STATIC) {
        verify_static(v);
        sample(v, v->state, a);
    } else {
        end = end > 0 ? end : v->opt.end;
        if (v->opt.start_equilibrium) {
            verify_static(v);
        }
        verify_start(v);
        for (int k = 0; k < TIMES; k++) {
            sample(v, verify_at(v, end * (k + 1) / TIMES), a);
        }
        gos_integrator_statistics(v->run, &v->stats);
    }
    a->steps = v->stats.steps;
}

/* largest difference of b, turned back and in old units, from a, relative to the range of the
   probe */
static double difference(const verify *v, const answers *a, const answers *b, const double R[9],
                         double length, double mass, int i) {
    const gos_probe_info *p = &a->info[i];
    const bool hinge = strcmp(p->quantity, "hinge") == 0; // components of unlike units
    double worst = 0;
    for (int first = 0; first < (hinge ? p->ncomp : 1); first++) {
        const int last = hinge ? first + 1 : p->ncomp;
        double range = 0, most = 0;
        for (int c = first; c < last; c++) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int k = 0; k < a->times; k++) {
                double old[GOS_PROBE_MAX], now = b->y[k][i][c];
                memcpy(old, a->y[k][i], sizeof old);
                if (is_vector(v, p)) {
                    turn_times(R, a->y[k][i], old);
                }
                most = fmax(most, fabs(now / unit_of(p, c, length, mass) - old[c]));
                low = fmin(low, a->y[k][i][c]);
                high = fmax(high, a->y[k][i][c]);
            }
            range = fmax(range, a->times > 1 ? high - low : fabs(high));
        }
        worst = fmax(worst, range > 0 ? most / range : most);
    }
    return worst;
}

/* end 0: the whole run; `bound`: what may differ, relative to the range */
static void check(const char *path, const char *settings, double end, double bound) {
    static const struct {
        const char *what;
        double r[3], length, mass;
    } cases[] = {{"a quarter turn about x", {M_PI / 2, 0, 0}, 1, 1},
                 {"1.1 rad about (2, -1, 2)", {1.1 * 2 / 3, -1.1 / 3, 1.1 * 2 / 3}, 1, 1},
                 {"2.3 rad about (-1, 2, 2)", {-2.3 / 3, 2.3 * 2 / 3, 2.3 * 2 / 3}, 1, 1},
                 {"mm, t, s", {0, 0, 0}, 1000, 1e-3},
                 {"mm, t, s, turned", {-0.4, -0.9, 0.5}, 1000, 1e-3}};
    verify v;
    answers *a = calloc(2, sizeof *a);
    assert_non_null(a);
    verify_open(&v, path, settings);
    bound = fmax(1e-6, bound > 0 ? bound : v.opt.analysis == GOS_STATIC ? 0 : v.opt.tolerance);
    solve(&v, end, &a[0]);
    verify_close(&v);
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t k = SANITIZED ? count - 1 : 0; k < count; k++) {
        if (!suite_long() && (k == 2 || k == 3)) {
            continue; // a third rotation and the other units are both in the last case
        }
        double R[9], worst = 0;
        int at = 0;
        turn_rotation(cases[k].r, R);
        turn_open(&v, path, settings, cases[k].r, cases[k].length, cases[k].mass);
        solve(&v, end, &a[1]);
        for (int i = 0; i < a[0].n; i++) {
            const double d = difference(&v, &a[0], &a[1], R, cases[k].length, cases[k].mass, i);
            at = d > worst ? i : at;
            worst = fmax(worst, d);
        }
        char what[200];
        (void)snprintf(what, sizeof what, "%s: %s (%ld steps, %ld)", cases[k].what, a[0].name[at],
                       a[0].steps, a[1].steps);
        verify_below(what, worst, bound);
        verify_close(&v);
    }
    free(a);
}

static void thermal_pendulum(void **state) {
    GOS_UNUSED(state);
    check("examples/thermal-pendulum/model.yaml", NULL, 0, 0);
}

static void boley_beam(void **state) {
    GOS_UNUSED(state);
    check("examples/boley-beam/model.yaml", "analysis.step=2e-5", 0, 1e-6);
}

/* steps so small that none is cut for Newton's sake, which hangs on rounding */
static void hoop(void **state) {
    GOS_UNUSED(state);
    check("examples/hoop/model.yaml",
          "analysis.end=0.1 analysis.step=2.5e-3 analysis.newton_tolerance=1e-6", 0, 1e-3);
}

static void elastica(void **state) {
    GOS_UNUSED(state);
    check("examples/elastica/model.yaml", NULL, 0, 0);
}

static void heavy_top(void **state) {
    GOS_UNUSED(state);
    check("examples/heavy-top/model.yaml", NULL, 0.1, 0);
}

static void solar_array(void **state) {
    GOS_UNUSED(state);
    check("examples/solar-array/model.yaml", "analysis.step=0.02", 0, 1e-6);
}

/* plates of quadrilaterals; what is left of the moment is a difference of large ones */
static void hexagonal_reflector(void **state) {
    GOS_UNUSED(state);
    check("examples/hexagonal-reflector/model.yaml", NULL, 0, 1e-6);
}

/* with radiation, so that its constant is there too */
static void dumbbell_satellite(void **state) {
    GOS_UNUSED(state);
    check("examples/dumbbell-satellite/model.yaml", "emissivity=0.8 t_end=3 analysis.step=0.01", 0,
          1e-6);
}

/* floating bodies, whole and on bases of their own */
static void four_bar(void **state) {
    GOS_UNUSED(state);
    check("examples/four-bar/model.yaml", NULL, 0.6, 1e-6);
    check("examples/four-bar/model.yaml", "floating_bodies=reduced", 0.6, 1e-6);
}

/* ---- a default normal that the tangent meets ------------------------------------------------- */

/* the pendulum with gravity and sun along -z: its section, given by a height along local y and a
   width along local z, is turned by as much */
#define Z_UP "gravity=[0,0,-g] heat.sun.direction=[0,0,-1] width=0.01 height=0.02 "

static void z_up(void **state) {
    GOS_UNUSED(state);
    check("examples/thermal-pendulum/model.yaml", Z_UP, 0, 0);
}

static int warnings(const verify *v, const char *text) {
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        n += strstr(d->text, text) ? d->count : 0;
    }
    return n;
}

/* the same answers as with gravity along y, without a word; also of a pendulum of twice the
   length */
static void same_as_upright(void **state) {
    GOS_UNUSED(state);
    static const char *const settings[] = {"", "L=2.4 n=32"};
    for (int k = 0; k < 2; k++) {
        char turned[200];
        verify v, z;
        (void)snprintf(turned, sizeof turned, Z_UP "%s", settings[k]);
        verify_example(&v, "thermal-pendulum", settings[k]);
        verify_example(&z, "thermal-pendulum", turned);
        verify_run(&v);
        verify_run(&z);
        verify_near("tip, upwards", verify_value(&z, NULL, "tip.z"),
                    verify_value(&v, NULL, "tip.y"), 5 * v.opt.tolerance * 2.4);
        const double gradient = verify_value(&v, NULL, "tip_temperature.T_y");
        verify_near("temperature gradient of the tip",
                    verify_value(&z, NULL, "tip_temperature.T_z"), gradient, 0.01 * fabs(gradient));
        verify_near("temperature of the tip", verify_value(&z, NULL, "tip_temperature.T"),
                    verify_value(&v, NULL, "tip_temperature.T"), 0.01);
        assert_int_equal(warnings(&z, "nearly singular"), 0);
        assert_int_equal(warnings(&v, "nearly singular"), 0);
        verify_close(&v);
        verify_close(&z);
    }
}

/* one who requires the reference vector is reported, with the time; also in statics */
static void told(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_example(&v, "thermal-pendulum", Z_UP "bodies.rod.frame=reference t_end=0.6");
    verify_run(&v);
    assert_true(warnings(&v, "are nearly singular at t = 0.") > 1);
    verify_close(&v);
    verify_example(&v, "elastica", "bodies.rod.normal=[0,1,0] sections.strip.Iz=2*I P=10*E*I/L^2");
    verify_static(&v);
    assert_true(warnings(&v, "are nearly singular") > 0);
    verify_close(&v);
    // carried by a body that stays where it is while the rod swings up to it
    verify_example(&v, "thermal-pendulum",
                   Z_UP "bodies.base.type=rigid bodies.base.mass=1 bodies.base.inertia=[1,1,1] "
                        "joints.hold.type=clamp joints.hold.between=[ground,base] "
                        "bodies.rod.carried_by=base t_end=0.6");
    verify_run(&v);
    assert_true(warnings(&v, "are nearly singular") > 1);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(z_up),
        cmocka_unit_test(same_as_upright),
        cmocka_unit_test(told),
        cmocka_unit_test(thermal_pendulum),
        cmocka_unit_test(boley_beam),
        cmocka_unit_test(elastica),
        cmocka_unit_test(heavy_top),
        cmocka_unit_test(solar_array),
        cmocka_unit_test(hexagonal_reflector),
        cmocka_unit_test(hoop),
        cmocka_unit_test(dumbbell_satellite),
        cmocka_unit_test(four_bar),
    };
    return cmocka_run_group_tests_name("turned", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
