/* The laws of the cable keep the contract (parts.h): forces are derivatives of the energy, tangents
   agree with differences on random states, forces turn with everything, rigid motion makes none.
   Systems that are assembled of such laws are test_assembly.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "line/cable_law.h"
#include "math/vec3.h"
#include "support/newton_matrix.h"
#include "support/rotation.h"
#include "support/suite.h"

enum { N = GOS_LANES, NZ = 9, NF = 5, TRIALS = 4 };

/* a reference vector fixed in space; one that turns with a body, a third row of z */
static const gos_law *const framed[2] = {&gos__cable_framed, &gos__cable_carried};

/* ---- one batch of points --------------------------------------------------------------------- */

typedef struct point {
    _Alignas(64) double z[NZ * N], zd[NZ * N], th[NF * N], ref[3 * N], mem[6 * N], own[5 * N];
} point;

typedef struct results {
    _Alignas(64) double sigma[NZ * N], heat[NF * N], energy[N], power[N], dwdth[3 * N];
} results;

typedef struct tangent {
    _Alignas(64) double Kz[NZ * NZ * N], G[NZ * NF * N], Hz[NF * NZ * N], Ht[NF * NF * N];
} tangent;

/* slopes and references of length 0.5 to 1.5 across each other, everything else of order 1; the law
   with a fixed reference reads `ref`, the same as a unit vector; a frame (t*, d2*) within 120
   degrees of the slope for the law that remembers one */
static void random_point(uint64_t *seed, point *p) {
    random_fill(seed, NZ * N, 1, p->z);
    random_fill(seed, NZ * N, 1, p->zd);
    random_fill(seed, NF * N, 1, p->th);
    for (int l = 0; l < N; l++) {
        double v[3], t[3], size = 1 + 0.5 * random_uniform(seed),
                           length = 1 + 0.5 * random_uniform(seed);
        for (int i = 0; i < 3; i++) {
            v[i] = p->z[(6 + i) * N + l];
            t[i] = p->z[i * N + l];
        }
        const double nt = gos__norm3(t), nv = gos__norm3(v), along = gos__dot3(v, t) / (nt * nv);
        for (int i = 0; i < 3; i++) { // at least 45 degrees between them
            t[i] /= nt;
            v[i] = v[i] / nv - (fabs(along) > 0.7 ? along * t[i] : 0);
        }
        for (int i = 0; i < 3; i++) {
            p->z[i * N + l] = size * t[i];
            p->ref[i * N + l] = v[i] / gos__norm3(v);
            p->z[(6 + i) * N + l] = length * p->ref[i * N + l];
        }
        for (int i = 0; i < GOS_CABLE_OWN; i++) {
            p->own[i * N + l] = (i < 2 ? 0 : 1.5) + random_uniform(seed);
        }
        double old[3], d2[3];
        random_fill(seed, 3, 1, old);
        const double turned = gos__dot3(old, t) < -0.5 * gos__norm3(old) ? -1 : 1;
        gos__cross3(v, old, d2);
        for (int i = 0; i < 3; i++) {
            p->mem[i * N + l] = turned * old[i] / gos__norm3(old);
            p->mem[(3 + i) * N + l] = d2[i] / gos__norm3(d2);
        }
    }
}

static void evaluate(const gos_law *law, const gos_cable_par *par, const point *p, bool rates,
                     results *r) {
    memset(r, 0, sizeof *r);
    const gos_batch b = {.z = p->z,
                         .zd = rates ? p->zd : NULL,
                         .th = p->th,
                         .ref = p->ref,
                         .mem = p->mem,
                         .sigma = r->sigma,
                         .heat = r->heat,
                         .energy = r->energy,
                         .power = r->power,
                         .dwdth = r->dwdth};
    law->resultants(par, NF, &b);
}

static void differentiate(const gos_law *law, const gos_cable_par *par, const point *p, double ck,
                          double cd, tangent *t) {
    memset(t, 0, sizeof *t);
    const gos_batch b = {.z = p->z,
                         .zd = p->zd,
                         .th = p->th,
                         .ref = p->ref,
                         .mem = p->mem,
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

static const gos_cable_par full = {
    .EA = 1.3, .EIz = 0.7, .EIy = 1.9, .gamma = 0.6, .alpha = 0.8, .T0 = 1.7, .viscous = 1};

/* ---- energy ---------------------------------------------------------------------------------- */

/* theory guide 1.2, 1.3, 2.3, written down on their own: k2 = w / sqrt(a (a - g^2)),
   k3 = (a h - g b)/(a sqrt(a - g^2)) with g = v.p, h = v.s, w = v.(p x s) */
static void strains_of(const point *q, int l, double strain[3]) {
    double p[3], s[3], v[3], x[3];
    for (int i = 0; i < 3; i++) {
        p[i] = q->z[i * N + l], s[i] = q->z[(3 + i) * N + l], v[i] = q->z[(6 + i) * N + l];
    }
    const double length = gos__norm3(v);
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
    gos__cross3(p, s, x);
    const double a = gos__dot3(p, p), b = gos__dot3(p, s), g = gos__dot3(v, p), h = gos__dot3(v, s);
    strain[0] = 0.5 * (a - 1);
    strain[1] = gos__dot3(v, x) / sqrt(a * (a - g * g));
    strain[2] = (a * h - g * b) / (a * sqrt(a - g * g));
}

static double energy_of(const gos_cable_par *c, const point *q, int l) {
    double e[3];
    strains_of(q, l, e);
    e[0] -= c->alpha * q->th[0 * N + l];
    e[1] += c->alpha * q->th[1 * N + l];
    e[2] += c->alpha * q->th[2 * N + l];
    return 0.5 * (c->EA * e[0] * e[0] + c->EIz * e[1] * e[1] + c->EIy * e[2] * e[2]);
}

/* strain rates by differences along the motion of n components of z */
static void rates_of(const point *q, int n, int l, double rate[3]) {
    double e[4][3];
    for (int k = 0; k < 4; k++) {
        point m = *q;
        for (int i = 0; i < n; i++) {
            m.z[i * N + l] += 1e-3 * shifts[k] * q->zd[i * N + l];
        }
        strains_of(&m, l, e[k]);
    }
    for (int i = 0; i < 3; i++) {
        const double f[4] = {e[0][i], e[1][i], e[2][i], e[3][i]};
        rate[i] = difference(f, 1e-3);
    }
}

static void energy_is_the_guide_s(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 1;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        const gos_law *law = framed[trial % 2];
        point p;
        results r;
        random_point(&seed, &p);
        evaluate(law, &full, &p, true, &r);
        for (int l = 0; l < N; l++) {
            double e[3], rate[3];
            strains_of(&p, l, e);
            rates_of(&p, 3 * law->nz, l, rate);
            assert_true(fabs(r.energy[l] - energy_of(&full, &p, l)) < 1e-13);
            const double power =
                full.gamma * (full.EA * rate[0] * rate[0] + full.EIz * rate[1] * rate[1] +
                              full.EIy * rate[2] * rate[2]);
            assert_true(fabs(r.power[l] - power) < 1e-8 * (1 + power));
            assert_true(r.power[l] >= 0);
            /* theory guide 2.6: viscous heat, and thermoelastic heat -, +, + T0 alpha D rate */
            const double Ta = full.T0 * full.alpha;
            assert_true(fabs(r.heat[l] - (power - Ta * full.EA * rate[0])) < 1e-8 * (1 + power));
            assert_true(fabs(r.heat[N + l] - Ta * full.EIz * rate[1]) < 1e-8);
            assert_true(fabs(r.heat[2 * N + l] - Ta * full.EIy * rate[2]) < 1e-8);
            for (int f = 3; f < NF; f++) {
                assert_true(r.heat[f * N + l] == 0);
            }
        }
    }
}

/* sigma = dW/dz + dD/dzd with the dissipation function D = power/2; dwdth = dW/dth */
static void forces_are_derivatives(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 2;
    double worst = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        const gos_law *law = framed[trial % 2];
        const int nz = 3 * law->nz;
        point p;
        results r;
        random_point(&seed, &p);
        evaluate(law, &full, &p, true, &r);
        for (int i = 0; i < nz + nz + 3; i++) {
            double f[N][4];
            for (int k = 0; k < 4; k++) {
                point m = p;
                results o;
                double *vary = i < nz       ? m.z + i * N
                               : i < 2 * nz ? m.zd + (i - nz) * N
                                            : m.th + (i - 2 * nz) * N;
                for (int l = 0; l < N; l++) {
                    vary[l] += 1e-3 * shifts[k];
                }
                evaluate(law, &full, &m, true, &o);
                for (int l = 0; l < N; l++) {
                    f[l][k] = i < nz || i >= 2 * nz ? o.energy[l] : 0.5 * o.power[l];
                }
            }
            results elastic;
            evaluate(law, &full, &p, false, &elastic);
            for (int l = 0; l < N; l++) {
                const double want =
                    i < nz       ? elastic.sigma[i * N + l]
                    : i < 2 * nz ? r.sigma[(i - nz) * N + l] - elastic.sigma[(i - nz) * N + l]
                                 : r.dwdth[(i - 2 * nz) * N + l];
                worst = fmax(worst, fabs(difference(f[l], 1e-3) - want));
            }
        }
    }
    verify_below("forces against derivatives of energy and dissipation", worst, 1e-8);
}

/* A frame that is carried along: where the memory is the frame itself, forces are derivatives of
   the energy, because the frame does not turn about the tangent at first. When a step is accepted
   nothing jumps: forces, power and heat are what they were. The frame stays orthonormal, and it is
   what the guide says, d2 = d2* - (t.d2*)/(1 + t.t*) (t + t*). */
static void transported_forces(void **state) {
    GOS_UNUSED(state);
    const gos_law *law = &gos__cable_transported;
    uint64_t seed = 14;
    double jump = 0, worst = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        point p, q;
        results before, after;
        random_point(&seed, &p);
        q = p;
        const gos_batch b = {.z = p.z, .mem = p.mem};
        law->accept(&full, NF, &b, q.mem);
        for (int l = 0; l < N; l++) {
            double t[3], d[3], old[3], d2[3], length = 0;
            for (int i = 0; i < 3; i++) {
                t[i] = q.mem[i * N + l], d[i] = q.mem[(3 + i) * N + l];
                old[i] = p.mem[i * N + l], d2[i] = p.mem[(3 + i) * N + l];
                length += p.z[i * N + l] * t[i];
            }
            assert_true(fabs(gos__dot3(t, t) - 1) < 1e-13 && fabs(gos__dot3(d, d) - 1) < 1e-13);
            assert_true(fabs(gos__dot3(t, d)) < 1e-13);
            for (int i = 0; i < 3; i++) {
                const double s = gos__dot3(t, d2) / (1 + gos__dot3(t, old));
                assert_true(fabs(length * t[i] - p.z[i * N + l]) < 1e-13);
                assert_true(fabs(d2[i] - s * (t[i] + old[i]) - d[i]) < 1e-13);
            }
        }
        evaluate(law, &full, &p, true, &before);
        evaluate(law, &full, &q, true, &after);
        for (int i = 0; i < 6 * N; i++) {
            jump = fmax(jump, fabs(before.sigma[i] - after.sigma[i]));
        }
        for (int i = 0; i < N; i++) {
            jump = fmax(jump, fabs(before.energy[i] - after.energy[i]));
            jump = fmax(jump, fabs(before.power[i] - after.power[i]));
            jump = fmax(jump, fabs(before.heat[N + i] - after.heat[N + i]));
        }
        evaluate(law, &full, &q, false, &before);
        for (int i = 0; i < 12; i++) { // energy with z, half the power with zd
            results o[4];
            for (int k = 0; k < 4; k++) {
                point m = q;
                double *vary = i < 6 ? m.z + i * N : m.zd + (i - 6) * N;
                for (int l = 0; l < N; l++) {
                    vary[l] += 1e-3 * shifts[k];
                }
                evaluate(law, &full, &m, true, &o[k]);
            }
            for (int l = 0; l < N; l++) {
                double f[4];
                for (int k = 0; k < 4; k++) {
                    f[k] = i < 6 ? o[k].energy[l] : 0.5 * o[k].power[l];
                }
                const int at = i % 6 * N + l;
                const double want = i < 6 ? before.sigma[at] : after.sigma[at] - before.sigma[at];
                worst = fmax(worst, fabs(difference(f, 1e-3) - want));
            }
        }
    }
    verify_below("carried along: jump when a step is accepted", jump, 1e-12);
    verify_below("carried along: forces against derivatives", worst, 1e-8);
}

/* ---- tangents against differences ------------------------------------------------------------ */

/* columns of (ck d/dz + cd d/dzd) or d/dth of forces and heat at one point, all lanes at once */
static void check_column(const gos_law *law, const gos_cable_par *par, const point *p, int i,
                         bool thermal, double ck, double cd, const tangent *t, block *K, block *H) {
    results o[4];
    const double step = 1e-3;
    const int nz = 3 * law->nz;
    for (int k = 0; k < 4; k++) {
        point m = *p;
        for (int l = 0; l < N; l++) {
            if (thermal) {
                m.th[i * N + l] += step * shifts[k];
            } else {
                m.z[i * N + l] += step * ck * shifts[k];
                m.zd[i * N + l] += step * cd * shifts[k];
            }
        }
        evaluate(law, par, &m, true, &o[k]);
    }
    for (int l = 0; l < N; l++) {
        for (int r = 0; r < nz; r++) {
            const double f[4] = {o[0].sigma[r * N + l], o[1].sigma[r * N + l],
                                 o[2].sigma[r * N + l], o[3].sigma[r * N + l]};
            compare(K, thermal ? t->G[(r * NF + i) * N + l] : t->Kz[(r * nz + i) * N + l],
                    difference(f, step));
        }
        for (int r = 0; r < NF && H; r++) {
            const double f[4] = {o[0].heat[r * N + l], o[1].heat[r * N + l], o[2].heat[r * N + l],
                                 o[3].heat[r * N + l]};
            compare(H, thermal ? t->Ht[(r * NF + i) * N + l] : t->Hz[(r * nz + i) * N + l],
                    difference(f, step));
        }
    }
}

static void tangent_of(const gos_law *law) {
    uint64_t seed = 3;
    static const double factors[][2] = {{1, 0}, {0, 1}, {0.7, 0.4}};
    for (int c = 0; c < 3; c++) {
        const double ck = factors[c][0], cd = factors[c][1];
        block Kz = {.what = "framed, dsigma/dz"}, G = {.what = "framed, dsigma/dth"};
        block Hz = {.what = "framed, dheat/dz"}, Ht = {.what = "framed, dheat/dth"};
        for (int trial = 0; trial < TRIALS; trial++) {
            point p;
            tangent t;
            random_point(&seed, &p);
            differentiate(law, &full, &p, ck, cd, &t);
            for (int i = 0; i < 3 * law->nz; i++) {
                check_column(law, &full, &p, i, false, ck, cd, &t, &Kz, &Hz);
            }
            for (int i = 0; i < NF; i++) {
                check_column(law, &full, &p, i, true, ck, cd, &t, &G, &Ht);
            }
        }
        check_block(&Kz);
        check_block(&G);
        check_block(&Hz);
        assert_true(Ht.largest == 0 &&
                    Ht.error < 1e-9); // the law's own heat is independent of temperature
    }
}

static void framed_tangent(void **state) {
    GOS_UNUSED(state);
    tangent_of(&gos__cable_framed);
}

static void carried_tangent(void **state) {
    GOS_UNUSED(state);
    tangent_of(&gos__cable_carried);
}

static void transported_tangent(void **state) {
    GOS_UNUSED(state);
    tangent_of(&gos__cable_transported);
}

static void plain_tangent(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 4;
    block Kz = {.what = "plain, dsigma/dz"};
    for (int trial = 0; trial < TRIALS; trial++) {
        point p;
        tangent t;
        random_point(&seed, &p);
        differentiate(&gos__cable_plain, &full, &p, 0.7, 0.4, &t);
        for (int i = 0; i < 6; i++) {
            check_column(&gos__cable_plain, &full, &p, i, false, 0.7, 0, &t, &Kz, NULL);
        }
    }
    check_block(&Kz);
}

/* the frame is of no account for an isotropic section without damping and temperature */
static void plain_equals_framed(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 5;
    const gos_cable_par par = {.EA = 1.3, .EIz = 0.7, .EIy = 0.7};
    double force = 0, energy = 0, stiffness = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        point p;
        results a, b;
        tangent ta, tb;
        random_point(&seed, &p);
        evaluate(&gos__cable_framed, &par, &p, true, &a);
        evaluate(&gos__cable_plain, &par, &p, true, &b);
        differentiate(&gos__cable_framed, &par, &p, 1, 0, &ta);
        differentiate(&gos__cable_plain, &par, &p, 1, 0, &tb);
        for (int i = 0; i < 6 * N; i++) {
            force = fmax(force, fabs(a.sigma[i] - b.sigma[i]));
        }
        for (int l = 0; l < N; l++) {
            energy = fmax(energy, fabs(a.energy[l] - b.energy[l]));
        }
        for (int i = 0; i < 6 * 6 * N; i++) {
            stiffness = fmax(stiffness, fabs(ta.Kz[i] - tb.Kz[i]));
        }
    }
    verify_below("plain against framed, force", force, 1e-12);
    verify_below("plain against framed, energy", energy, 1e-13);
    verify_below("plain against framed, stiffness", stiffness, 1e-11);
}

/* ---- sections of the points' own ------------------------------------------------------------- */

/* largest difference of lane l of n rows */
static double lane_difference(const double *a, const double *b, int n, int l) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i * N + l] - b[i * N + l]));
    }
    return worst;
}

/* the law of one section with the stiffnesses of lane l, and with gradients of the temperature that
   ask for the curvature that is free of stress, alpha T_y = -k2 */
static double as_thermal(const gos_law *law, const gos_law *own, const point *p, int l) {
    point q = *p, w = *p;
    const int base = law->nref;
    const double *k0 = w.own, *D = w.own + 2 * N;
    _Alignas(64) double ref[11 * N], e[2][3 * N], f[2][3 * N];
    memcpy(ref, law->nmem ? p->mem : p->ref, sizeof(double) * (size_t)(base * N));
    memcpy(ref + base * N, p->own, sizeof p->own);
    const gos_cable_par par = {.EA = D[l],
                               .EIz = D[N + l],
                               .EIy = D[2 * N + l],
                               .gamma = full.gamma,
                               .alpha = full.alpha,
                               .T0 = full.T0,
                               .viscous = 1};
    const gos_cable_par other = {.gamma = full.gamma, // stiffnesses are the points'
                                 .alpha = full.alpha,
                                 .T0 = full.T0,
                                 .viscous = 1};
    for (int k = 0; k < 2; k++) {
        q.th[(1 + k) * N + l] -= k0[k * N + l] / full.alpha;
    }
    results a, b;
    tangent s, t;
    memset(&b, 0, sizeof b);
    memset(&t, 0, sizeof t);
    evaluate(law, &par, &q, true, &a);
    differentiate(law, &par, &q, 0.7, 0.4, &s);
    const gos_batch at = {.z = p->z,
                          .zd = p->zd,
                          .th = p->th,
                          .ref = ref,
                          .mem = p->mem,
                          .sigma = b.sigma,
                          .heat = b.heat,
                          .energy = b.energy,
                          .power = b.power,
                          .dwdth = b.dwdth,
                          .ck = 0.7,
                          .cd = 0.4,
                          .hk = 0.7,
                          .hd = 0.4,
                          .Kz = t.Kz,
                          .G = t.G,
                          .Hz = t.Hz,
                          .Ht = t.Ht};
    own->resultants(&other, NF, &at);
    own->tangent(&other, NF, &at);
    own->strains(&other, NF, &at, e[1], f[1]);
    gos_batch plain = at;
    plain.th = q.th;
    plain.ref = q.ref;
    law->strains(&par, NF, &plain, e[0], f[0]);
    const int nz = 3 * law->nz;
    double worst = lane_difference(a.sigma, b.sigma, nz, l);
    worst = fmax(worst, lane_difference(a.heat, b.heat, NF, l));
    worst = fmax(worst, lane_difference(a.energy, b.energy, 1, l));
    worst = fmax(worst, lane_difference(a.power, b.power, 1, l));
    worst = fmax(worst, lane_difference(a.dwdth, b.dwdth, 3, l));
    worst = fmax(worst, lane_difference(s.Kz, t.Kz, nz * nz, l));
    worst = fmax(worst, lane_difference(s.G, t.G, nz * NF, l));
    worst = fmax(worst, lane_difference(s.Hz, t.Hz, NF * nz, l));
    worst = fmax(worst, lane_difference(f[0], f[1], 3, l));
    for (int k = 0; k < 2; k++) { // curvatures are shown as they differ from the free ones
        e[1][(1 + k) * N + l] += k0[k * N + l];
    }
    return fmax(worst, lane_difference(e[0], e[1], 3, l));
}

static void own_sections(void **state) {
    GOS_UNUSED(state);
    static const gos_law *const pairs[3][2] = {
        {&gos__cable_framed, &gos__cable_framed_own},
        {&gos__cable_carried, &gos__cable_carried_own},
        {&gos__cable_transported, &gos__cable_transported_own}};
    uint64_t seed = 21;
    for (int k = 0; k < 3; k++) {
        double worst = 0;
        assert_int_equal(pairs[k][1]->nref, pairs[k][0]->nref + GOS_CABLE_OWN);
        for (int trial = 0; trial < TRIALS; trial++) {
            point p;
            random_point(&seed, &p);
            for (int l = 0; l < N; l++) {
                worst = fmax(worst, as_thermal(pairs[k][0], pairs[k][1], &p, l));
            }
        }
        verify_below(pairs[k][1]->name, worst, 1e-12);
    }
}

/* ---- cosines, strains ------------------------------------------------------------------------ */

static void cosines(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 6;
    block dc = {.what = "dcosines/dz"};
    for (int trial = 0; trial < 3 * TRIALS; trial++) {
        const gos_law *law = trial % 3 < 2 ? framed[trial % 3] : &gos__cable_transported;
        const int nz = 3 * law->nz;
        point p;
        double u[3];
        _Alignas(64) double c[4][2 * N], c0[2 * N], d[2 * NZ * N];
        random_point(&seed, &p);
        random_fill(&seed, 3, 1, u);
        gos_batch b = {.z = p.z, .ref = p.ref, .mem = p.mem};
        law->cosines(&full, &b, u, c0, d);
        for (int i = 0; i < nz; i++) {
            for (int k = 0; k < 4; k++) {
                point m = p;
                b.z = m.z;
                for (int l = 0; l < N; l++) {
                    m.z[i * N + l] += 1e-3 * shifts[k];
                }
                law->cosines(&full, &b, u, c[k], NULL);
            }
            for (int j = 0; j < 2 * N; j++) {
                const double f[4] = {c[0][j], c[1][j], c[2][j], c[3][j]};
                compare(&dc, d[((j / N) * nz + i) * N + j % N], difference(f, 1e-3));
            }
        }
        for (int l = 0; l < N && trial % 3 < 2;
             l++) { // c_i = -u . d_i, d2 = v x p/|v x p|, d3 = p x d2/|p|
            double v[3], t[3], d2[3], d3[3];
            for (int i = 0; i < 3; i++) {
                v[i] = p.ref[i * N + l], t[i] = p.z[i * N + l];
            }
            gos__cross3(v, t, d2);
            gos__cross3(t, d2, d3);
            assert_true(fabs(c0[l] + gos__dot3(u, d2) / gos__norm3(d2)) < 1e-13);
            assert_true(fabs(c0[N + l] + gos__dot3(u, d3) / gos__norm3(d3)) < 1e-13);
        }
    }
    check_block(&dc);
}

static void strains(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 7;
    const double D[3] = {full.EA, full.EIz, full.EIy}, sign[3] = {-1, 1, 1};
    for (int l = 0; l < 2 * N; l++) {
        const gos_law *law = framed[l / N];
        point p;
        _Alignas(64) double e[3 * N], f[3 * N];
        random_point(&seed, &p);
        const gos_batch b = {.z = p.z, .zd = p.zd, .th = p.th, .ref = p.ref, .mem = p.mem};
        law->strains(&full, NF, &b, e, f);
        double want[3], rate[3];
        strains_of(&p, l % N, want);
        rates_of(&p, 3 * law->nz, l % N, rate);
        for (int i = 0; i < 3; i++) {
            const int at = i * N + l % N;
            const double T = sign[i] * full.alpha * p.th[at];
            assert_true(fabs(e[at] - want[i]) < 1e-13);
            assert_true(fabs(f[at] - D[i] * (want[i] + T + full.gamma * rate[i])) < 1e-8);
        }
    }
}

/* ---- objectivity ----------------------------------------------------------------------------- */

static void turn_lanes(const double R[9], int n, double *x) { // n vectors in lanes
    for (int l = 0; l < N; l++) {
        for (int k = 0; k < n; k++) {
            double a[3], b[3];
            for (int i = 0; i < 3; i++) {
                a[i] = x[(3 * k + i) * N + l];
            }
            turn(R, a, b);
            for (int i = 0; i < 3; i++) {
                x[(3 * k + i) * N + l] = b[i];
            }
        }
    }
}

static void law_is_objective(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 8;
    double worst = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        const gos_law *law = framed[trial % 2];
        point p;
        results a, b;
        double R[9];
        random_point(&seed, &p);
        random_rotation(&seed, R);
        evaluate(law, &full, &p, true, &a);
        turn_lanes(R, law->nz, a.sigma);
        turn_lanes(R, 3, p.z);
        turn_lanes(R, 3, p.zd);
        turn_lanes(R, 1, p.ref);
        evaluate(law, &full, &p, true, &b);
        for (int i = 0; i < NZ * N; i++) {
            worst = fmax(worst, fabs(a.sigma[i] - b.sigma[i]));
        }
        for (int i = 0; i < NF * N; i++) {
            worst = fmax(worst, fabs(a.heat[i] - b.heat[i]));
        }
    }
    verify_below("forces and heat when everything is turned", worst, 1e-12);
}

/* A rigid motion of everything strains nothing, so nothing dissipates and no heat is made (theory
   guide 1.5). With a reference fixed in space this fails for every axis but its own, see below. */
static void carried_turn_has_no_rates(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 10;
    point p;
    double omega[3], fixed = 0;
    random_point(&seed, &p);
    random_fill(&seed, 3, 2, omega);
    for (int l = 0; l < N; l++) {
        for (int k = 0; k < 3; k++) {
            double x[3], w[3];
            for (int i = 0; i < 3; i++) {
                x[i] = p.z[(3 * k + i) * N + l];
            }
            gos__cross3(omega, x, w);
            for (int i = 0; i < 3; i++) {
                p.zd[(3 * k + i) * N + l] = w[i];
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        results a, b;
        evaluate(framed[k], &full, &p, true, &a);
        evaluate(framed[k], &full, &p, false, &b);
        for (int i = 0; i < NZ * N && k == 1; i++) {
            assert_true(fabs(a.sigma[i] - b.sigma[i]) < 1e-12);
        }
        for (int l = 0; l < N; l++) {
            assert_true(k == 0 || a.power[l] < 1e-25);
            assert_true(k == 0 || fabs(a.heat[N + l]) + fabs(a.heat[2 * N + l]) < 1e-12);
            fixed = fmax(fixed, a.power[l]);
        }
    }
    assert_true(fixed > 0.1); // the motion would dissipate
}

/* turning about the reference vector strains nothing, so nothing dissipates (theory guide 1.5: in a
   plane with v normal to it this is exact) */
static void plane_rotation_has_no_rates(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 9;
    point p;
    results a, b;
    random_point(&seed, &p);
    for (int l = 0; l < N; l++) {
        for (int k = 0; k < 2; k++) {
            double v[3], x[3], w[3];
            for (int i = 0; i < 3; i++) {
                v[i] = 2 * p.ref[i * N + l];
                x[i] = p.z[(3 * k + i) * N + l];
            }
            gos__cross3(v, x, w);
            for (int i = 0; i < 3; i++) {
                p.zd[(3 * k + i) * N + l] = w[i];
            }
        }
    }
    evaluate(&gos__cable_framed, &full, &p, true, &a);
    evaluate(&gos__cable_framed, &full, &p, false, &b);
    for (int i = 0; i < NZ * N; i++) {
        assert_true(fabs(a.sigma[i] - b.sigma[i]) < 1e-12);
    }
    for (int l = 0; l < N; l++) {
        assert_true(a.power[l] < 1e-25);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_guide_s),
        cmocka_unit_test(forces_are_derivatives),
        cmocka_unit_test(framed_tangent),
        cmocka_unit_test(carried_tangent),
        cmocka_unit_test(transported_tangent),
        cmocka_unit_test(transported_forces),
        cmocka_unit_test(carried_turn_has_no_rates),
        cmocka_unit_test(plain_tangent),
        cmocka_unit_test(plain_equals_framed),
        cmocka_unit_test(own_sections),
        cmocka_unit_test(cosines),
        cmocka_unit_test(strains),
        cmocka_unit_test(law_is_objective),
        cmocka_unit_test(plane_rotation_has_no_rates),
    };
    return cmocka_run_group_tests_name("laws", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
