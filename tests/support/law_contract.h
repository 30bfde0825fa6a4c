/* The contract of a law (parts/law.h), for laws without memory and reference data: forces are
   derivatives of energy and dissipation, tangents agree with differences at random states. The
   test defines NZ components of z and NF temperatures before it includes this file, then
   random_point, and chooses law and par. */
#ifndef GOS_TEST_LAW_CONTRACT_H
#define GOS_TEST_LAW_CONTRACT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "parts/law.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

enum { N = GOS_LANES, TRIALS = 4 };

static const gos_law *law;
static const void *par;

static double difference(const double f[4], double step) { // values at -2, -1, 1, 2 steps
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step);
}

static const double shifts[4] = {-2, -1, 1, 2};

typedef struct point {
    _Alignas(64) double z[NZ * N], zd[NZ * N], th[NF * N];
} point;

typedef struct results {
    _Alignas(64) double sigma[NZ * N], heat[NF * N], energy[N], power[N], dwdth[3 * N];
} results;

typedef struct tangent {
    _Alignas(64) double Kz[NZ * NZ * N], G[NZ * NF * N], Hz[NF * NZ * N], Ht[NF * NF * N];
} tangent;

static void random_point(uint64_t *seed, point *p);

static void evaluate(const point *p, bool rates, results *r) {
    memset(r, 0, sizeof *r);
    const gos_batch b = {.z = p->z,
                         .zd = rates ? p->zd : NULL,
                         .th = p->th,
                         .sigma = r->sigma,
                         .heat = r->heat,
                         .energy = r->energy,
                         .power = r->power,
                         .dwdth = r->dwdth};
    law->resultants(par, NF, &b);
}

static void differentiate(const point *p, bool rates, double ck, double cd, tangent *t) {
    memset(t, 0, sizeof *t);
    const gos_batch b = {.z = p->z,
                         .zd = rates ? p->zd : NULL,
                         .th = p->th,
                         .ck = ck,
                         .cd = cd,
                         .hk = ck,
                         .hd = cd,
                         .Kz = t->Kz,
                         .G = t->G,
                         .Hz = t->Hz,
                         .Ht = t->Ht};
    law->tangent(par, NF, &b);
}

/* sigma = dW/dz + dD/dzd with the dissipation function D = power/2; dwdth = dW/dth */
static void forces_are_derivatives(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 2;
    double worst = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        point p;
        results r, elastic;
        random_point(&seed, &p);
        evaluate(&p, true, &r);
        evaluate(&p, false, &elastic);
        for (int i = 0; i < 2 * NZ + NF; i++) {
            double f[N][4];
            for (int k = 0; k < 4; k++) {
                point m = p;
                results o;
                double *vary = i < NZ       ? m.z + i * N
                               : i < 2 * NZ ? m.zd + (i - NZ) * N
                                            : m.th + (i - 2 * NZ) * N;
                for (int l = 0; l < N; l++) {
                    vary[l] += 1e-3 * shifts[k];
                }
                evaluate(&m, true, &o);
                for (int l = 0; l < N; l++) {
                    f[l][k] = i < NZ || i >= 2 * NZ ? o.energy[l] : 0.5 * o.power[l];
                }
            }
            for (int l = 0; l < N; l++) {
                const double want =
                    i < NZ       ? elastic.sigma[i * N + l]
                    : i < 2 * NZ ? r.sigma[(i - NZ) * N + l] - elastic.sigma[(i - NZ) * N + l]
                                 : r.dwdth[(i - 2 * NZ) * N + l];
                worst = fmax(worst, fabs(difference(f[l], 1e-3) - want));
            }
        }
    }
    verify_below("forces against derivatives of energy and dissipation", worst, 1e-8);
}

/* ---- tangents -------------------------------------------------------------------------------- */

typedef struct block {
    const char *what;
    double largest, error;
} block;

static void compare(block *b, double exact, double differences) {
    if (!isfinite(exact) || !isfinite(differences)) {
        b->error = HUGE_VAL;
    }
    b->largest = fmax(b->largest, fabs(exact));
    b->error = fmax(b->error, fabs(exact - differences));
}

static void check_block(const block *b) {
    char text[200];
    snprintf(text, sizeof text, "%s (largest %.3g)", b->what, b->largest);
    assert_true(b->largest > 0);
    verify_below(text, b->error / b->largest, 1e-7);
}

/* column i < NZ: ck d/dz + cd d/dzd, else d/dth, of forces and heat, all lanes at once */
static void check_column(const point *p, bool rates, int i, double ck, double cd, const tangent *t,
                         block *K, block *H) {
    results o[4];
    const double step = 1e-3;
    const bool thermal = i >= NZ;
    for (int k = 0; k < 4; k++) {
        point m = *p;
        for (int l = 0; l < N; l++) {
            if (thermal) {
                m.th[(i - NZ) * N + l] += step * shifts[k];
            } else {
                m.z[i * N + l] += step * ck * shifts[k];
                m.zd[i * N + l] += step * cd * shifts[k];
            }
        }
        evaluate(&m, rates, &o[k]);
    }
    for (int r = 0; r < NZ + NF; r++) {
        for (int l = 0; l < N; l++) {
            const bool heat = r >= NZ;
            double f[4];
            for (int k = 0; k < 4; k++) {
                f[k] = heat ? o[k].heat[(r - NZ) * N + l] : o[k].sigma[r * N + l];
            }
            const int row = heat ? r - NZ : r;
            const double *of = heat ? (thermal ? t->Ht : t->Hz) : (thermal ? t->G : t->Kz);
            compare(heat ? H : K, of[(row * (thermal ? NF : NZ) + i % NZ) * N + l],
                    difference(f, step));
        }
    }
}

static void tangents(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 3;
    static const double factors[][2] = {{1, 0}, {0, 1}, {0.7, 0.4}};
    for (int c = 0; c < 3; c++) {
        const double ck = factors[c][0], cd = factors[c][1];
        block Kz = {.what = "dsigma/dz"}, G = {.what = "dsigma/dth"};
        block Hz = {.what = "dheat/dz"}, Ht = {.what = "dheat/dth"};
        for (int trial = 0; trial < TRIALS; trial++) {
            point p;
            tangent t;
            random_point(&seed, &p);
            differentiate(&p, true, ck, cd, &t);
            for (int i = 0; i < NZ + NF; i++) {
                check_column(&p, true, i, ck, cd, &t, i < NZ ? &Kz : &G, i < NZ ? &Hz : &Ht);
            }
        }
        check_block(&Kz);
        check_block(&G);
        check_block(&Hz);
        assert_true(Ht.largest == 0 &&
                    Ht.error < 1e-9); // the law's own heat is independent of temperature
    }
}

/* at rest the stiffness is symmetric and that of the elastic forces */
static void tangent_at_rest(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 4;
    block Kz = {.what = "dsigma/dz at rest"}, Hz = {.what = "heat"};
    point p;
    tangent t;
    random_point(&seed, &p);
    differentiate(&p, false, 1, 0, &t);
    double asymmetry = 0;
    for (int i = 0; i < NZ; i++) {
        check_column(&p, false, i, 1, 0, &t, &Kz, &Hz);
        for (int k = 0; k < i * N; k++) {
            asymmetry =
                fmax(asymmetry, fabs(t.Kz[i * NZ * N + k] - t.Kz[((k / N) * NZ + i) * N + k % N]));
        }
    }
    check_block(&Kz);
    assert_true(Hz.largest == 0 && Hz.error == 0);
    verify_below("asymmetry at rest", asymmetry, 1e-13);
}

#endif
