/* Local linearisation on vectors of a run of the full model: the vectors themselves against states
   made of known ones; runs against the full one over the number of vectors and of clusters; one
   cluster as the global method; temperatures; what is refused and said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rom/pod.h"
#include "support/faults.h"
#include "support/local_runs.h"
#include "support/suite.h"

#define METHOD "reduction=null reduction.method=local_pod "

/* ---- vectors --------------------------------------------------------------------------------- */

#define STATES 40

/* states made of a few functions of the nodes' coordinates with given sizes */
typedef struct made {
    verify v;
    gos_training run;
    gos_local_def def;
    gos_arena *arena;
    gos_pod pod;
} made;

/* sum over the waves of y'th function of time times a vector that is M-orthonormal */
static const double sizes[] = {3, 0.4, 5e-3, 6e-5, 7e-8, 8e-11};
#define WAVES GOS_COUNT(sizes)

/* Gram and Schmidt in the norm of mass, of vectors that are far from dependent */
static void orthonormal(const gos_system *s, int m, double *x) {
    double *Mx = calloc((size_t)s->nq, sizeof *Mx);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m; i++) {
            double *y = x + (size_t)i * (size_t)s->nq;
            for (int j = 0; j <= i; j++) {
                const double *z = x + (size_t)j * (size_t)s->nq;
                double sum = 0;
                gos__rows_apply(&s->mass, 3, y, Mx);
                for (int k = 0; k < s->nq; k++) {
                    sum += Mx[k] * z[k];
                }
                for (int k = 0; k < s->nq; k++) {
                    y[k] = j < i ? y[k] - sum * z[k] : y[k] / sqrt(sum);
                }
            }
        }
    }
    free(Mx);
}

/* STATES places around e0: wave i with sizes[i] sqrt(2) cos(2 pi (i + 1) k / STATES), so that waves
   are orthogonal over the states and have a mean of zero */
static void make(made *m, double *waves) {
    verify_example(&m->v, "thermal-pendulum", "n=6");
    const gos_system *s = m->v.sys;
    m->arena = gos__arena_create(m->v.ctx);
    verify_good(&m->v, gos__training_create(m->v.ctx, s, STATES, &m->run));
    for (int i = 0; i < WAVES * s->nq; i++) {
        waves[i] = sin(1.7 * i + 0.3 * (i / s->nq) * (i % s->nq));
    }
    orthonormal(s, WAVES, waves);
    for (int k = 0; k < STATES; k++) {
        double *q = m->run.q + (size_t)k * (size_t)s->nq;
        memcpy(q, s->e0, (size_t)s->nq * sizeof *q);
        for (int i = 0; i < WAVES; i++) {
            const double a = sizes[i] * sqrt(2) * cos(2 * M_PI * (i + 1) * k / STATES);
            for (int j = 0; j < s->nq; j++) {
                q[j] += a * waves[(size_t)i * (size_t)s->nq + (size_t)j];
            }
        }
        m->run.t[k] = k;
        for (int j = 0; j < s->nt; j++) {
            m->run.th[(size_t)k * (size_t)s->nt + (size_t)j] = j == 3 ? k : 0;
        }
    }
    m->run.n = STATES;
    m->def = (gos_local_def){.clusters = 1, .snapshots = STATES, .kind = GOS_LOCAL_OF_RUN};
}

static void unmake(made *m) {
    gos__training_free(m->v.ctx, &m->run);
    gos__arena_destroy(m->arena);
    verify_close(&m->v);
}

/* the vectors of one cluster are the waves, in the order of their sizes, also those far below the
   square root of rounding; what truncation leaves is the size of what it drops */
static void known_vectors(void **state) {
    (void)state;
    made m;
    static double waves[WAVES * 400];
    make(&m, waves);
    const gos_system *s = m.v.sys;
    const double unit = sqrt(s->mass_total) * s->extent;
    verify_good(&m.v, gos__pod_of(m.v.ctx, m.arena, s, &m.def, &m.run, &m.pod));
    const gos_pod_cluster *c = m.pod.cluster;
    assert_int_equal(m.pod.n, 1);
    assert_int_equal(c->n, STATES);
    assert_in_range(c->m, WAVES, WAVES + 3); // and rounding
    assert_int_equal(c->mt, 1);
    for (int i = 0; i < WAVES; i++) {
        double dot = 0;
        for (int j = 0; j < s->nq; j++) {
            dot += c->motion[i * s->nq + j] * waves[i * s->nq + j];
        }
        // an error of rounding of the positions turns a small vector
        verify_below("direction of a vector", fabs(fabs(dot) - 1), 1e-13 / sizes[i]);
    }
    for (int k = 1; k < 5; k++) {
        m.def.vectors = k;
        verify_good(&m.v, gos__pod_of(m.v.ctx, m.arena, s, &m.def, &m.run, &m.pod));
        assert_int_equal(m.pod.cluster->m, k);
        double rest = 0;
        for (int i = k; i < WAVES; i++) {
            rest += sizes[i] * sizes[i];
        }
        verify_near("left by so many", m.pod.left * unit / sqrt(rest), 1, 1e-6);
        m.def.vectors = 0;
        m.def.truncation = 2 * sqrt(rest) / unit;
        verify_good(&m.v, gos__pod_of(m.v.ctx, m.arena, s, &m.def, &m.run, &m.pod));
        assert_int_equal(m.pod.cluster->m, k);
        assert_true(m.pod.left <= m.def.truncation);
    }
    unmake(&m);
}

/* two heaps of states become two clusters; states between them belong to both by the overlap */
static void clusters(void **state) {
    (void)state;
    made m;
    static double waves[WAVES * 400];
    make(&m, waves);
    const gos_system *s = m.v.sys;
    for (int k = 0; k < STATES;
         k++) { // the first wave alone, at -1 or 1 and a tenth around; not in order of time
        const double a = (k % 3 ? 1 : -1) + 0.1 * sin(7.0 * k);
        for (int j = 0; j < s->nq; j++) {
            m.run.q[k * s->nq + j] =
                s->e0[j] + a * waves[j] + 0.01 * cos(3.0 * k) * waves[s->nq + j];
        }
    }
    m.def.clusters = 2;
    verify_good(&m.v, gos__pod_of(m.v.ctx, m.arena, s, &m.def, &m.run, &m.pod));
    assert_int_equal(m.pod.n, 2);
    assert_int_equal(m.pod.cluster[0].n + m.pod.cluster[1].n, STATES);
    assert_int_equal(m.pod.cluster[0].n < 20 ? m.pod.cluster[0].n : m.pod.cluster[1].n, 14);
    double *work = calloc(2 * (size_t)s->nq, sizeof *work);
    for (int k = 0; k < STATES; k++) {
        const int of = gos__pod_project(&m.pod, s, m.run.q + (size_t)k * (size_t)s->nq, work);
        assert_int_equal(m.pod.cluster[of].n, k % 3 ? 26 : 14);
    }
    free(work);
    m.def.overlap = 40; // as far as the other heap: each basis has the way between them
    gos_pod both;
    verify_good(&m.v, gos__pod_of(m.v.ctx, m.arena, s, &m.def, &m.run, &both));
    m.def.vectors = m.def.clusters = 1;
    assert_true(both.cluster[0].m >= m.pod.cluster[0].m && both.cluster[1].m >= 2);
    m.def.clusters = 1000; // two states each at least, and no cluster without a state
    verify_good(&m.v, gos__pod_of(m.v.ctx, m.arena, s, &m.def, &m.run, &both));
    assert_true(both.n <= STATES / 2);
    for (int k = 0; k < both.n; k++) {
        assert_true(both.cluster[k].n > 0);
    }
    unmake(&m);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static local_track full, small;

/* distance of the pendulum with settings from its full run [m] */
static double pendulum(const char *settings) {
    verify v;
    verify_example(&v, "thermal-pendulum", settings);
    local_full(&v, &full);
    local_reduced(&v, &small);
    const double e = local_away(&full, &small);
    print_message("  %s: %d modes, %d columns, %ld intervals, e %.3g m, %.3g K\n", settings,
                  small.report.modes, small.report.columns, small.report.intervals, e,
                  local_away_heat(&full, &small));
    assert_int_equal(small.allocations, 0);
    verify_close(&v);
    return e;
}

#define SHORT METHOD "n=6 t_end=0.3 analysis.step=1e-4 "
#define FINE SHORT "reduction.thresholds.displacement=2e-4 "

/* over the number of vectors, down to what the intervals leave; several bases are better than
   one */
static void vectors(void **state) {
    (void)state;
    const double one2 = pendulum(FINE "reduction.clusters=1 reduction.vectors=2");
    const double one4 = pendulum(FINE "reduction.clusters=1 reduction.vectors=4");
    const double many2 = pendulum(FINE "reduction.clusters=6 reduction.vectors=2");
    const double many4 = pendulum(FINE "reduction.clusters=6 reduction.vectors=4");
    const double all = pendulum(FINE "reduction.clusters=1 reduction.truncation=0");
    const double chosen = pendulum(FINE "reduction.clusters=6");
    verify_below("4 vectors / 2, one basis", one4 / one2, 0.5);
    verify_below("4 vectors / 2, six bases", many4 / many2, 0.5);
    verify_below("six bases / one, 2 vectors", many2 / one2, 0.7);
    verify_below("all vectors [m]", all, 2e-5);
    verify_below("as many as the truncation asks for [m]", chosen, 5e-5);
}

/* all vectors hold all that the run does: the same as all modes, and the full run with second order
 * in the threshold */
static void all_vectors(void **state) {
    (void)state;
    static local_track modes;
    verify v;
    verify_example(&v, "thermal-pendulum",
                   "reduction=null reduction.method=complex_modes reduction.modes=real n=6 "
                   "t_end=0.3 analysis.step=1e-4");
    local_reduced(&v, &modes);
    verify_close(&v);
    const double coarse = pendulum(SHORT "reduction.clusters=1 reduction.truncation=0");
    verify_below("all vectors from all modes [m]", local_away(&modes, &small), 0.02 * coarse);
    const double fine = pendulum(SHORT "reduction.clusters=1 reduction.truncation=0 "
                                       "reduction.thresholds.displacement=5e-4");
    verify_within("order in the threshold", verify_order(coarse, fine, 4), 1.6, 2.6);
}

/* temperatures have vectors of their own */
#define HOT                                                                                        \
    SHORT "c=2 k=5 flux=2e3 reduction.clusters=1 reduction.thresholds.temperature=1 "              \
          "reduction.thermal_vectors="

static void temperatures(void **state) {
    (void)state;
    double e[2];
    (void)pendulum(HOT "1");
    e[0] = local_away_heat(&full, &small);
    (void)pendulum(HOT "3");
    e[1] = local_away_heat(&full, &small);
    verify_below("3 vectors of temperatures / 1", e[1] / e[0], 0.1);
    verify_below("3 vectors [K]", e[1], 5e-3);
}

/* joints that are not linear: a rigid body that hangs on a cable and turns */
static const char hub[] =
    "materials: {m: {density: 1000, young: 1.0e7, damping: {normal: 1.0e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], points: {rim: [0.1, 0, 0]}}\n"
    "  arm: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [1.1, 0, 0], "
    "elements: 6}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "loads: {push: {type: force, on: arm.end, value: [0, 2, 0]}}\n"
    "analysis: {end: 0.5, step: 5.0e-4}\n";

static void curved_joints(void **state) {
    (void)state;
    double e[2];
    static const char *const settings[] = {
        METHOD "reduction.thresholds.displacement=2e-4 reduction.vectors=2",
        METHOD "reduction.thresholds.displacement=2e-4 reduction.vectors=20"};
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, hub, settings[i]);
        local_full(&v, &full);
        local_reduced(&v, &small);
        e[i] = local_away(&full, &small);
        verify_below("constraints [m]", small.report.null_error, 1e-12);
        verify_close(&v);
    }
    verify_below("20 vectors [m]", e[1], 2e-5);
    verify_below("20 vectors / 2", e[1] / e[0], 0.05);
}

/* ---- what is reported and refused
 * ---------------------------------------------------------------- */

static void says(void **state) {
    (void)state;
    verify v;
    gos_system *sys;
    verify_example(&v, "thermal-pendulum",
                   METHOD "n=2 t_end=0.1 analysis.step=1e-3 reduction.training=0.05");
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &sys));
    bool said = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        said = said || strstr(gos_ctx_diag(v.ctx, i)->text,
                              "derived from a single full run (400 states of the first 0.05 s");
    }
    assert_true(said);
    gos_system *again;
    assert_int_equal(gos_reduce(v.ctx, sys, &again), GOS_E_USE);
    gos_system_destroy(sys);
    verify_close(&v);
}

static void refused(const char *settings, gos_status status, const char *words) {
    verify v = {.ctx = gos_ctx_create()};
    gos_system *sys = NULL, *small_one = NULL;
    verify_good(&v, gos_model_parse(v.ctx, hub, strlen(hub), "test", NULL, &v.model));
    verify_set(&v, settings);
    gos_status s = gos_system_create(v.ctx, v.model, &sys);
    s = s == GOS_OK ? gos_reduce(v.ctx, sys, &small_one) : s;
    if (s != status || !strstr(gos_ctx_message(v.ctx), words)) {
        print_error("%s: %d '%s'\n", settings, (int)s, gos_ctx_message(v.ctx));
        fail();
    }
    gos_system_destroy(sys);
    verify_close(&v);
}

static void refusals(void **state) {
    (void)state;
    refused(METHOD "reduction.clusters=0", GOS_E_INPUT, "clusters");
    refused(METHOD "reduction.snapshots=1", GOS_E_INPUT, "snapshots");
    refused(METHOD "reduction.overlap=-1", GOS_E_INPUT, "overlap");
    refused(METHOD "reduction.displacement_modes=3", GOS_E_INPUT,
            "'displacement_modes' is a parameter of complex_modes");
    refused(METHOD "analysis.type=static", GOS_E_USE, "derives its vectors from a run in time");
    refused(METHOD "loads.push.value=[1e40,0,0]", GOS_E_DIVERGED,
            "the run of the full model for the vectors of local_pod");
    // before the run, not after it
    verify v;
    gos_system *none;
    verify_example(&v, "thermal-pendulum", METHOD "n=400 t_end=1e6");
    assert_int_equal(gos_reduce(v.ctx, v.sys, &none), GOS_E_LIMIT);
    verify_close(&v);
    refused(METHOD "analysis.end=1e4 joints.axle.type=driven_rotation joints.axle.angle=t",
            GOS_E_INPUT, "local_pod does not support joints");
    // the full system has no vectors yet
    gos_local *run;
    verify_text(&v, hub, METHOD);
    assert_int_equal(gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "computed by gos_reduce"));
    verify_close(&v);
}

/* memory that runs out at any allocation of making the vectors: an error, nothing lost */
static void out_of_memory(void **state) {
    (void)state;
    faults f;
    verify v = {.ctx = faults_context(&f)};
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, hub, strlen(hub), "test", NULL, &v.model));
    verify_set(&v, METHOD "analysis.end=2e-3 reduction.snapshots=6 reduction.clusters=2");
    verify_compile(&v);
    gos_status status = GOS_E_MEMORY;
    long n = 0;
    while (status != GOS_OK) {
        gos_system *sys = NULL;
        gos_ctx_clear(v.ctx);
        const long before = f.live;
        faults_arm(&f, ++n, 0);
        status = gos_reduce(v.ctx, v.sys, &sys);
        faults_arm(&f, 0, 0);
        gos_system_destroy(sys);
        if (status != GOS_OK) {
            assert_int_equal(status, GOS_E_MEMORY);
            gos_ctx_clear(v.ctx);
            assert_int_equal(f.live, before);
        }
        assert_true(n < 10000);
    }
    print_message("    %ld allocations\n", n - 1);
    verify_close(&v);
    assert_int_equal(f.live, 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_vectors), cmocka_unit_test(clusters),
        cmocka_unit_test(vectors),       cmocka_unit_test(all_vectors),
        cmocka_unit_test(temperatures),  cmocka_unit_test(curved_joints),
        cmocka_unit_test(says),          cmocka_unit_test(refusals),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
