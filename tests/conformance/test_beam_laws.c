/* The two laws of the section-vector beam keep the contract (parts.h): energy as written in theory
   guide 2.7, forces its derivatives, tangents agree with differences on random states, no force and
   no damping in rigid motion of a bent beam. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "line/beam_law.h"
#include "math/vec3.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

enum { N = GOS_LANES, NZ = 15, NF = 5, TRIALS = 4 };

static const gos_beam_par full = {.axis = {1.3, 0.8, 1.1, 0.5, 0.7, 1.9},
                                  .section = {2.1, 1.6, 0.9},
                                  .gamma_n = 0.6,
                                  .gamma_s = 0.35,
                                  .alpha = 0.8,
                                  .T0 = 1.7,
                                  .viscous = 1};

/* ---- random points --------------------------------------------------------------------------- */

static const double shifts[4] = {-2, -1, 1, 2};

static double difference(const double f[4], double step) { // values at these numbers of steps
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step);
}

typedef struct point {
    _Alignas(64) double z[NZ * N], zd[NZ * N], th[NF * N], ref[12 * N];
} point;

typedef struct results {
    _Alignas(64) double sigma[NZ * N], heat[NF * N], energy[N], power[N], dwdth[3 * N];
} results;

typedef struct tangent {
    _Alignas(64) double Kz[NZ * NZ * N], G[NZ * NF * N], Hz[NF * NZ * N], Ht[NF * NF * N];
} tangent;

/* one of the laws, with where a is in its z */
typedef struct law_case {
    const gos_law *law;
    const char *name;
    int a, ns; // ns: its strains
    int e0, D; // rows of the reference data with reference strains and stiffnesses, or -1
} law_case;

static const law_case cases[] = {{&gos__beam_axis, "axis", 1, 6, -1, -1},
                                 {&gos__beam_section, "section", 0, 3, -1, -1},
                                 {&gos__beam_axis_own, "axis, own sections", 1, 6, 0, 6},
                                 {&gos__beam_section_own, "section, own sections", 0, 3, -1, 0}};
#define CASES 4

/* stiffness of strain k at a point */
static double stiffness(const law_case *c, const double *ref, int k, int l) {
    return c->D >= 0 ? ref[(c->D + k) * N + l] : (c->ns == 6 ? full.axis : full.section)[k];
}

/* everything of order 1; a and b of lengths 0.7 to 1.3, mostly across each other but not square */
static void random_point(uint64_t *seed, const law_case *c, point *p) {
    random_fill(seed, NZ * N, 1, p->z);
    random_fill(seed, NZ * N, 1, p->zd);
    random_fill(seed, NF * N, 1, p->th);
    random_fill(seed, 12 * N, 1, p->ref);
    for (int i = c->D * N; c->D >= 0 && i < (c->D + c->ns) * N; i++) {
        p->ref[i] = 1 + 0.5 * p->ref[i];
    }
    for (int l = 0; l < N; l++) {
        double v[2][3];
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 3; i++) {
                v[k][i] = p->z[(3 * (c->a + k) + i) * N + l];
            }
        }
        const double along = 0.8 * gos__dot3(v[0], v[1]) / gos__dot3(v[0], v[0]);
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 3; i++) {
                v[1][i] -= k ? 0 : along * v[0][i];
            }
            const double size = (1 + 0.3 * random_uniform(seed)) / gos__norm3(v[k]);
            for (int i = 0; i < 3; i++) {
                p->z[(3 * (c->a + k) + i) * N + l] = size * v[k][i];
            }
        }
    }
}

static void evaluate(const law_case *c, const point *p, bool rates, results *r) {
    memset(r, 0, sizeof *r);
    const gos_batch b = {.z = p->z,
                         .zd = rates ? p->zd : NULL,
                         .th = p->th,
                         .ref = p->ref,
                         .sigma = r->sigma,
                         .heat = r->heat,
                         .energy = r->energy,
                         .power = r->power,
                         .dwdth = r->dwdth};
    c->law->resultants(&full, NF, &b);
}

/* ---- energy ---------------------------------------------------------------------------------- */

static void vector_of(const point *q, int v, int l, double x[3]) {
    for (int i = 0; i < 3; i++) {
        x[i] = q->z[(3 * v + i) * N + l];
    }
}

/* theory guide 2.7, written down on its own, less those of the reference; returns how many there
 * are */
static int strains_of(const law_case *c, const point *q, int l, double e[6]) {
    double z[5][3], n[3];
    if (c->ns == 3) {
        vector_of(q, 0, l, z[0]);
        vector_of(q, 1, l, z[1]);
        e[0] = 0.5 * (gos__dot3(z[0], z[0]) - 1);
        e[1] = 0.5 * (gos__dot3(z[1], z[1]) - 1);
        e[2] = gos__dot3(z[0], z[1]);
        return 3;
    }
    for (int i = 0; i < 5; i++) {
        vector_of(q, i, l, z[i]);
    }
    const double *p = z[0], *a = z[1], *b = z[2], *s = z[3], *t = z[4];
    gos__cross3(a, b, n);
    const double m = gos__norm3(n), la = gos__norm3(a), lb = gos__norm3(b);
    e[0] = gos__dot3(n, p) / m - 1;
    e[1] = gos__dot3(a, p) / la;
    e[2] = gos__dot3(b, p) / lb;
    e[3] = (gos__dot3(s, b) - gos__dot3(t, a)) / (2 * la * lb);
    e[4] = -gos__dot3(n, s) / (m * la);
    e[5] = -gos__dot3(n, t) / (m * lb);
    for (int k = 0; k < 6 && c->e0 >= 0; k++) {
        e[k] -= q->ref[k * N + l];
    }
    return 6;
}

/* temperature families in the strains, with their signs: e_0 - alpha T, k2 + alpha T_y, ... */
static const int family[2][6] = {{0, -1, -1, -1, 1, 2}, {0, 0, -1, -1, -1, -1}};
static const double sign[2][6] = {{-1, 0, 0, 0, 1, 1}, {-1, -1, 0, 0, 0, 0}};

static void rates_of(const law_case *c, const point *q, int l, double rate[6]) {
    double e[4][6] = {{0}};
    for (int k = 0; k < 4; k++) {
        point m = *q;
        for (int i = 0; i < 3 * c->law->nz; i++) {
            m.z[i * N + l] += 1e-3 * shifts[k] * q->zd[i * N + l];
        }
        strains_of(c, &m, l, e[k]);
    }
    for (int i = 0; i < 6; i++) {
        const double f[4] = {e[0][i], e[1][i], e[2][i], e[3][i]};
        rate[i] = difference(f, 1e-3);
    }
}

static void energy_is_the_guide_s(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 1;
    for (int trial = 0; trial < CASES * TRIALS; trial++) {
        const law_case *c = &cases[trial % CASES];
        const int which = trial % 2;
        point p;
        results r;
        random_point(&seed, c, &p);
        evaluate(c, &p, true, &r);
        for (int l = 0; l < N; l++) {
            double e[6], rate[6], heat[3] = {0}, W = 0, power = 0;
            const int ns = strains_of(c, &p, l, e);
            rates_of(c, &p, l, rate);
            for (int k = 0; k < ns; k++) {
                const double D = stiffness(c, p.ref, k, l);
                const bool shear = which ? k == 2 : k >= 1 && k <= 3;
                const double ga = shear ? full.gamma_s : full.gamma_n;
                const int f = family[which][k];
                if (f >= 0) {
                    e[k] += sign[which][k] * full.alpha * p.th[f * N + l];
                    // the section's stiffness is a penalty, which exchanges no heat
                    heat[f] += (which ? 0 : full.T0) * full.alpha * sign[which][k] * D * rate[k];
                }
                W += 0.5 * D * e[k] * e[k];
                power += ga * D * rate[k] * rate[k];
            }
            heat[0] += power; // theory guide 2.6: viscous and thermoelastic heat
            assert_true(fabs(r.energy[l] - W) < 1e-12 * (1 + W));
            assert_true(fabs(r.power[l] - power) < 1e-8 * (1 + power));
            for (int f = 0; f < NF; f++) {
                assert_true(fabs(r.heat[f * N + l] - (f < 3 ? heat[f] : 0)) < 1e-8 * (1 + power));
            }
        }
    }
}

/* sigma = dW/dz + dD/dzd with the dissipation function D = power/2; dwdth = dW/dth */
static void forces_are_derivatives(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 2;
    for (int trial = 0; trial < CASES * TRIALS; trial++) {
        const law_case *c = &cases[trial % CASES];
        const int nz = 3 * c->law->nz;
        double worst = 0;
        point p;
        results r, elastic;
        random_point(&seed, c, &p);
        evaluate(c, &p, true, &r);
        evaluate(c, &p, false, &elastic);
        for (int i = 0; i < 2 * nz + 3; i++) {
            results o[4];
            for (int k = 0; k < 4; k++) {
                point m = p;
                double *vary = i < nz       ? m.z + i * N
                               : i < 2 * nz ? m.zd + (i - nz) * N
                                            : m.th + (i - 2 * nz) * N;
                for (int l = 0; l < N; l++) {
                    vary[l] += 1e-3 * shifts[k];
                }
                evaluate(c, &m, true, &o[k]);
            }
            for (int l = 0; l < N; l++) {
                const bool rate = i >= nz && i < 2 * nz;
                double f[4];
                for (int k = 0; k < 4; k++) {
                    f[k] = rate ? 0.5 * o[k].power[l] : o[k].energy[l];
                }
                const double want =
                    i < nz ? elastic.sigma[i * N + l]
                    : rate ? r.sigma[(i - nz) * N + l] - elastic.sigma[(i - nz) * N + l]
                           : r.dwdth[(i - 2 * nz) * N + l];
                worst = fmax(worst, fabs(difference(f, 1e-3) - want));
            }
        }
        verify_below(c->name, worst, 1e-7);
    }
}

/* ---- tangents -------------------------------------------------------------------------------- */

typedef struct block {
    double largest, error;
} block;

static void compare(block *b, double exact, double differences) {
    if (!isfinite(exact) || !isfinite(differences)) {
        b->error = HUGE_VAL;
    }
    b->largest = fmax(b->largest, fabs(exact));
    b->error = fmax(b->error, fabs(exact - differences));
}

/* column i of ck d/dz + cd d/dzd, or of d/dth, of forces (K) and heat (H) */
static void check_column(const law_case *c, const point *p, int i, bool thermal, double ck,
                         double cd, const tangent *t, block *K, block *H) {
    const int nz = 3 * c->law->nz;
    results o[4];
    for (int k = 0; k < 4; k++) {
        point m = *p;
        for (int l = 0; l < N; l++) {
            if (thermal) {
                m.th[i * N + l] += 1e-3 * shifts[k];
            } else {
                m.z[i * N + l] += 1e-3 * ck * shifts[k];
                m.zd[i * N + l] += 1e-3 * cd * shifts[k];
            }
        }
        evaluate(c, &m, true, &o[k]);
    }
    for (int l = 0; l < N; l++) {
        for (int r = 0; r < nz + NF; r++) {
            const bool heat = r >= nz;
            const int row = heat ? r - nz : r;
            double f[4];
            for (int k = 0; k < 4; k++) {
                f[k] = heat ? o[k].heat[row * N + l] : o[k].sigma[row * N + l];
            }
            const double exact = heat && thermal ? t->Ht[(row * NF + i) * N + l]
                                 : heat          ? t->Hz[(row * nz + i) * N + l]
                                 : thermal       ? t->G[(row * NF + i) * N + l]
                                                 : t->Kz[(row * nz + i) * N + l];
            compare(heat ? H : K, exact, difference(f, 1e-3));
        }
    }
}

static void check_block(const law_case *c, const char *what, const block *b) {
    char text[100];
    snprintf(text, sizeof text, "%s, %s (largest %.3g)", c->name, what, b->largest);
    assert_true(b->largest > 0);
    verify_below(text, b->error / b->largest, 1e-7);
}

static void tangents(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 3;
    static const double factors[][2] = {{1, 0}, {0, 1}, {0.7, 0.4}};
    for (int trial = 0; trial < 3 * CASES * TRIALS; trial++) {
        const law_case *c = &cases[trial % CASES];
        const double ck = factors[trial / CASES % 3][0], cd = factors[trial / CASES % 3][1];
        block Kz = {0}, G = {0}, Hz = {0}, Ht = {0};
        point p;
        tangent t;
        random_point(&seed, c, &p);
        memset(&t, 0, sizeof t);
        const gos_batch b = {.z = p.z,
                             .zd = p.zd,
                             .th = p.th,
                             .ref = p.ref,
                             .ck = ck,
                             .cd = cd,
                             .hk = ck,
                             .hd = cd,
                             .Kz = t.Kz,
                             .G = t.G,
                             .Hz = t.Hz,
                             .Ht = t.Ht};
        c->law->tangent(&full, NF, &b);
        for (int i = 0; i < 3 * c->law->nz; i++) {
            check_column(c, &p, i, false, ck, cd, &t, &Kz, &Hz);
        }
        for (int i = 0; i < NF; i++) {
            check_column(c, &p, i, true, ck, cd, &t, &G, &Ht);
        }
        check_block(c, "dsigma/dz", &Kz);
        check_block(c, "dsigma/dth", &G);
        check_block(c, "dheat/dz", &Hz);
        assert_true(Ht.largest == 0 &&
                    Ht.error < 1e-9); // the law's own heat is independent of temperature
    }
}

/* c_i = -u . d_i with d2 = a/|a|, d3 = b/|b|, and its derivative */
static void cosines(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 4;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        const law_case *c = &cases[trial % 2];
        const int nz = 3 * c->law->nz;
        block d = {0};
        point p;
        double u[3];
        _Alignas(64) double c0[2 * N], o[4][2 * N], dc[2 * NZ * N];
        random_point(&seed, c, &p);
        random_fill(&seed, 3, 1, u);
        gos_batch b = {.z = p.z};
        c->law->cosines(&full, &b, u, c0, dc);
        for (int i = 0; i < nz; i++) {
            for (int k = 0; k < 4; k++) {
                point m = p;
                b.z = m.z;
                for (int l = 0; l < N; l++) {
                    m.z[i * N + l] += 1e-3 * shifts[k];
                }
                c->law->cosines(&full, &b, u, o[k], NULL);
            }
            for (int j = 0; j < 2 * N; j++) {
                const double f[4] = {o[0][j], o[1][j], o[2][j], o[3][j]};
                compare(&d, dc[((j / N) * nz + i) * N + j % N], difference(f, 1e-3));
            }
        }
        for (int l = 0; l < N; l++) {
            for (int k = 0; k < 2; k++) {
                double v[3];
                vector_of(&p, c->a + k, l, v);
                assert_true(fabs(c0[k * N + l] + gos__dot3(u, v) / gos__norm3(v)) < 1e-13);
            }
        }
        check_block(c, "dcosines/dz", &d);
    }
}

static void strains(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 5;
    for (int which = 0; which < 2; which++) {
        const law_case *c = &cases[which];
        const double *D = which ? full.section : full.axis;
        point p;
        _Alignas(64) double e[6 * N], f[6 * N];
        random_point(&seed, c, &p);
        const gos_batch b = {.z = p.z, .zd = p.zd, .th = p.th};
        c->law->strains(&full, NF, &b, e, f);
        for (int l = 0; l < N; l++) {
            double want[6], rate[6];
            const int ns = strains_of(c, &p, l, want);
            rates_of(c, &p, l, rate);
            assert_int_equal(ns, c->law->nstrain);
            for (int k = 0; k < ns; k++) {
                const bool shear = which ? k == 2 : k >= 1 && k <= 3;
                const double ga = shear ? full.gamma_s : full.gamma_n;
                const int T = family[which][k];
                const double th = T < 0 ? 0 : sign[which][k] * full.alpha * p.th[T * N + l];
                assert_true(fabs(e[k * N + l] - want[k]) < 1e-12);
                assert_true(fabs(f[k * N + l] - D[k] * (want[k] + th + ga * rate[k])) < 1e-7);
            }
        }
    }
}

/* ---- objectivity ----------------------------------------------------------------------------- */

/* A bent, twisted and sheared point that spins about any axis: no strain rate, so no damping and no
   heat, which a cable with a fixed reference vector does not achieve (theory guide 1.5). */
static void spin_has_no_rates(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 6;
    double worst = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        const law_case *c = &cases[trial % 2];
        point p;
        results r;
        double omega[3];
        random_point(&seed, c, &p);
        random_fill(&seed, 3, 5, omega);
        for (int l = 0; l < N; l++) {
            for (int v = 0; v < c->law->nz; v++) {
                double x[3], xd[3];
                vector_of(&p, v, l, x);
                gos__cross3(omega, x, xd);
                for (int i = 0; i < 3; i++) {
                    p.zd[(3 * v + i) * N + l] = xd[i];
                }
            }
        }
        evaluate(c, &p, true, &r);
        for (int l = 0; l < N; l++) {
            worst = fmax(worst, r.power[l]);
            for (int f = 0; f < NF; f++) {
                worst = fmax(worst, fabs(r.heat[f * N + l]));
            }
        }
    }
    verify_below("power and heat of a bent, spinning beam", worst, 1e-13);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_guide_s),
        cmocka_unit_test(forces_are_derivatives),
        cmocka_unit_test(tangents),
        cmocka_unit_test(cosines),
        cmocka_unit_test(strains),
        cmocka_unit_test(spin_has_no_rates),
    };
    return cmocka_run_group_tests_name("beam laws", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
