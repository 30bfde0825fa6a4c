/* Stresses, recovered from coordinates or from the law of solids. */
#include <lapacke.h>

#include "fe/recovery.h"
#include "system/derived.h"
#include "probes/probe.h"
#include "math/vec3.h"

/* Strains and section forces between integration points. For laws with memory (e.g. a carried
   frame) a force-free item stores it, updated by the law. */

#define L GOS_LANES
#define MEMORY 12 // maximum of law memory and reference data
#define NZ 5      // maximum number of 3-vectors of a law

static void fill_lanes(int n, const double *x, double *lanes) {
    for (int i = 0; i < n * L; i++) {
        lanes[i] = x[i / L];
    }
}

void gos__section_law(const gos_state *x, const gos_probe *p, const gos_marker *at,
                      const gos_tmarker *tm, int ntm, const double *by, double *strain,
                      double *force) {
    _Alignas(64) double z[3 * NZ * L], zd[3 * NZ * L], th[GOS_FAMILIES * L], ref[MEMORY * L],
        mem[MEMORY * L];
    _Alignas(64) double e[GOS_PROBE_STRAINS * L], f[GOS_PROBE_STRAINS * L];
    const gos_law *law = p->body->law;
    for (int k = 0; k < law->nz; k++) {
        double v[3], vd[3];
        gos__marker_value(&at[k], x->q, v);
        gos__marker_rate(&at[k], x->v, vd);
        fill_lanes(3, v, z + 3 * k * L);
        fill_lanes(3, vd, zd + 3 * k * L);
    }
    for (int k = 0; k < ntm; k++) {
        const double T = gos__tmarker_value(&tm[k], x->th);
        fill_lanes(1, &T, th + k * L);
    }
    fill_lanes(law->nref, by, ref);
    if (p->item) {
        fill_lanes(law->nmem, x->mem + p->item->m0, mem);
    }
    const gos_batch b = {
        .z = z, .zd = zd, .th = ntm ? th : NULL, .ref = ref, .mem = p->item ? mem : NULL};
    law->strains(p->law_par, ntm, &b, e, f);
    for (int k = 0; k < law->nstrain; k++) {
        strain[k] = e[k * L];
        force[k] = f[k * L];
    }
}

/* at section point i */
static void state_at(const gos_state *x, const gos_probe *p, int i, int ntm, double *strain,
                     double *force) {
    const gos_law *law = p->body->law;
    gos__section_law(x, p, &p->m[1 + i * law->nz], ntm > 0 ? p->tm + (size_t)i * ntm : NULL, ntm,
                     p->ref + (size_t)i * law->nref, strain, force);
}

static double balance_forces(const gos_state *x, const gos_probe *p, double *strain,
                             double *force) {
    double q[3 * GOS_BALANCE_VECTORS], v[3 * GOS_BALANCE_VECTORS], z[3 * NZ];
    double th[GOS_BALANCE_VECTORS * GOS_FAMILIES];
    const gos_law *law = p->body->law;
    for (int k = 0; k < law->nz; k++) {
        gos__marker_value(&p->m[1 + k], x->q, z + 3 * k);
    }
    for (int k = 0; k < p->nbalance; k++) {
        gos__marker_value(&p->m[1 + law->nz + k], x->q, q + 3 * k);
        gos__marker_rate(&p->m[1 + law->nz + k], x->v, v + 3 * k);
    }
    for (int k = 0; k < p->nwarm; k++) {
        th[k] = gos__tmarker_value(&p->tm[p->ntm - p->nwarm + k], x->th);
    }
    const gos_balance_state s = {.x = q,
                                 .v = v,
                                 .th = th,
                                 .z = z,
                                 .ref = p->ref,
                                 .mem = p->item ? x->mem + p->item->m0 : NULL};
    return p->body->ops->balanced(p->body, p->balance, &s, strain, force);
}

double gos__section_state(const gos_state *x, const gos_probe *p, double *strain, double *force) {
    const int n = p->npoint > 0 ? p->npoint : 1, nstrain = p->body->law->nstrain;
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    if (n == 1) {
        state_at(x, p, 0, p->ntm - p->nwarm, strain, force);
        return p->balance ? balance_forces(x, p, strain, force) : 0;
    }
    memset(strain, 0, (size_t)nstrain * sizeof *strain);
    memset(force, 0, (size_t)nstrain * sizeof *force);
    for (int i = 0; i < n; i++) {
        state_at(x, p, i, p->ntm / n, e, f);
        for (int k = 0; k < nstrain; k++) {
            strain[k] += p->weight[i] * e[k];
            force[k] += p->weight[i] * f[k];
        }
    }
    return 0;
}

void gos__section_cauchy(const gos_state *x, const gos_probe *p, double stress[6]) {
    static const int entry[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double e[GOS_PROBE_STRAINS], S[GOS_PROBE_STRAINS], F[3][3], n[3];
    gos__section_state(x, p, e, S);
    for (int q = 0; q < 3; q++) {
        gos__marker_value(&p->m[1 + q], x->q, F[q]);
    }
    gos__cross3(F[0], F[1], n);
    const double J = gos__dot3(n, F[2]);
    memset(stress, 0, 6 * sizeof *stress);
    for (int k = 0; k < 81; k++) {
        const int c = k / 27, d = k / 9 % 3, q = k / 3 % 3, r = k % 3;
        stress[entry[c][d]] += c <= d ? F[q][c] * S[entry[q][r]] * F[r][d] / J : 0;
    }
}

static void section_eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    GOS_UNUSED(io);
}

/* updates the law's memory; par is the probe */
static bool section_accept(const gos_item *it, const gos_item_io *io, double *mem) {
    _Alignas(64) double z[3 * NZ * L] = {0}, zd[3 * NZ * L] = {0}, ref[MEMORY * L], old[MEMORY * L];
    _Alignas(64) double new[MEMORY * L];
    const gos_probe *p = it->par;
    const gos_law *law = p->body->law;
    fill_lanes(3 * it->nm, io->x, z);
    fill_lanes(3 * it->nm, io->xd, zd);
    fill_lanes(law->nref, p->ref, ref);
    fill_lanes(it->nmem, io->mem, old);
    const gos_batch b = {.z = z, .zd = zd, .ref = ref, .mem = old};
    law->accept(p->law_par, 0, &b, new);
    for (int i = 0; i < it->nmem; i++) {
        mem[i] = new[i * L];
    }
    return false;
}

static const gos_item_type section_type = {
    .name = "section probe", .eval = section_eval, .accept = section_accept};

/* forces and axial strains are affected by locking; curvatures are not */
static bool stretches(const gos_probe *p) {
    return p->quantity && (strcmp(p->quantity->name, "section_force") == 0 ||
                           strcmp(p->quantity->name, "strain") == 0);
}

gos_status gos__section_balance(gos_builder *b, const gos_location *location, gos_probe *p) {
    const gos_body *body = location->body;
    gos_balance of = {.nm = 0};
    if (!body->ops->balance || !stretches(p)) {
        return GOS_OK;
    }
    GOS_TRY(body->ops->balance(b, body, location, &of));
    gos_tmarker *tm = GOS_NEW(b->arena, gos_tmarker, p->ntm + of.ntm + 1);
    GOS_TRY(tm ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < p->ntm; i++) {
        tm[i] = p->tm[i];
    }
    for (int i = 0; i < of.ntm; i++) {
        tm[p->ntm + i] = of.tm[i];
    }
    for (int k = 0; k < of.nm; k++) {
        p->m[p->nm + k] = of.m[k];
    }
    p->tm = tm;
    p->ntm += of.ntm;
    p->nm += of.nm;
    p->nbalance = of.nm;
    p->nwarm = of.ntm;
    p->balance = of.data;
    return GOS_OK;
}

gos_status gos__section_location(gos_builder *b, const gos_location *location, gos_probe *p,
                                 gos_loc loc) {
    const gos_law *law = location->body->law;
    const int n = law->nmem;
    if (n > MEMORY || law->nref > MEMORY || law->nz > NZ) {
        return gos__fail_at(b->ctx, GOS_E_INTERNAL, loc, p->name,
                            "law '%s' has more memory than a probe supports", law->name);
    }
    const gos_body_ops *ops = location->body->ops;
    p->law_par = ops->law_par ? ops->law_par(location->body, location) : location->body->law_par;
    if (ops->law_par && !p->law_par) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, p->name,
            "several materials of '%s' meet at this point; choose a point inside one of them",
            location->body->name);
    }
    gos_location at[GOS_SECTION_POINTS] = {*location};
    p->npoint = ops->section_points && stretches(p)
                    ? ops->section_points(location->body, location, at, p->weight)
                    : 0;
    const int points = p->npoint > 0 ? p->npoint : 1;
    p->ref = GOS_NEW(b->arena, double, (size_t)points * law->nref + 1);
    GOS_TRY(p->ref ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < points; i++) {
        GOS_TRY(ops->gradients(b->arena, location->body, &at[i], &p->m[1 + i * law->nz]));
        if (ops->reference) {
            ops->reference(location->body, &at[i], p->ref + (size_t)i * law->nref);
        }
    }
    p->nm = 1 + points * law->nz;
    if (n == 0) {
        return GOS_OK;
    }
    gos_item it = {.type = &section_type,
                   .par = p,
                   .name = p->name,
                   .loc = loc,
                   .nm = law->nz,
                   .linear = true,
                   .watches = true,
                   .nmem = n,
                   .memory = p->ref}; // memory starts with the first reference data
    for (int k = 0; k < it.nm; k++) {
        it.m[k] = p->m[1 + k];
    }
    gos_item *added = NULL;
    GOS_TRY(gos__add_item(b, &it, &added));
    p->item = added;
    return GOS_OK;
}

gos_status gos__probe_recovered(gos_builder *b, const gos_location *location,
                                const gos_recovery *what, gos_probe *p) {
    gos_recovered *all = NULL;
    GOS_TRY(location->body->ops->recover(b, location->body, location, what, &p->nrecovered, &all));
    p->recovered = all;
    return GOS_OK;
}

void gos__recovered_sum(const gos_recovered *r, const double *q, const double *th, double y[6]) {
    for (int a = 0; a < 6; a++) {
        y[a] = gos__tmarker_value(&r->q[a], q) + gos__tmarker_value(&r->th[a], th);
    }
}

void gos__recovered_value(const gos_state *x, const gos_recovered *r, double y[6], double *rate) {
    gos__derived_show(x, false);
    gos__recovered_sum(r, x->q, x->th, y);
    if (rate) {
        gos__recovered_sum(r, x->v, x->thd, rate);
    }
    gos__derived_show(x, true);
}

static void stress_of(const gos_state *x, const gos_probe *p, double stress[6]) {
    if (p->nrecovered > 0) {
        gos__recovered_value(x, p->recovered, stress, NULL);
    } else {
        gos__section_cauchy(x, p, stress);
    }
}

void gos__stress_mises(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y) {
    double stress[6];
    GOS_UNUSED(sys);
    stress_of(x, p, stress);
    *y = gos__fe_mises(stress);
}

void gos__stress_principal(const gos_system *sys, const gos_state *x, const gos_probe *p,
                           double *y) {
    double stress[6];
    GOS_UNUSED(sys);
    stress_of(x, p, stress);
    gos__fe_principal(GOS_FE_STRESS, stress, y);
}

/* Rows with respect to six components: von Mises 3/2 deviator / value; principal stress: dyad of
   its axis. */
void gos__stress_gradient(const gos_state *x, const gos_probe *p, double d[6][6]) {
    static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double s[6], A[9], w[3];
    memset(d, 0, 36 * sizeof(double));
    for (int a = 0; a < 6 && p->ncomp == 6; a++) {
        d[a][a] = 1;
    }
    if (p->ncomp == 6) {
        return;
    }
    stress_of(x, p, s);
    for (int a = 0; a < 6; a++) {
        const int i = entry[a][0], j = entry[a][1];
        A[3 * i + j] = A[3 * j + i] = s[a];
    }
    const double mises = gos__fe_mises(s), mean = (s[0] + s[1] + s[2]) / 3;
    for (int a = 0; a < 6 && p->ncomp == 1 && mises > 0; a++) {
        d[0][a] = a < 3 ? 1.5 * (s[a] - mean) / mises : 3 * s[a] / mises;
    }
    if (p->ncomp == 1 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', 3, A, 3, w) != 0) {
        return;
    }
    for (int k = 0; k < 18; k++) {
        const double *axis = A + 3 * (2 - k / 6);
        const int i = entry[k % 6][0], j = entry[k % 6][1];
        d[k / 6][k % 6] = axis[i] * axis[j] * (i == j ? 1 : 2);
    }
}

void gos__stress_rate(const gos_state *x, const gos_probe *p, double *rate) {
    double value[6], all[6], d[6][6];
    gos__recovered_value(x, p->recovered, value, all);
    gos__stress_gradient(x, p, d);
    for (int c = 0; c < p->ncomp; c++) {
        rate[c] = 0;
        for (int a = 0; a < 6; a++) {
            rate[c] += d[c][a] * all[a];
        }
    }
}

static void take_larger(double mises, const double at[3], double y[4]) {
    if (!(mises <= y[0])) { // keeps NaN
        y[0] = mises;
        memcpy(y + 1, at, 3 * sizeof *y);
    }
}

void gos__stress_largest(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y) {
    double stress[6];
    GOS_UNUSED(sys);
    y[0] = -1;
    gos__derived_show(x, false);
    for (int i = 0; i < p->nrecovered; i++) {
        gos__recovered_sum(&p->recovered[i], x->q, x->th, stress);
        take_larger(gos__fe_mises(stress), p->recovered[i].x, y);
    }
    gos__derived_show(x, true);
    for (int i = 0; i < p->npart; i++) {
        gos__section_cauchy(x, &p->part[i], stress);
        take_larger(gos__fe_mises(stress), p->part[i].x0, y);
    }
}
