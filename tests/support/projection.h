/* A reduced system against the full one at lifted states. Include after cmocka. */
#ifndef GOS_TEST_PROJECTION_H
#define GOS_TEST_PROJECTION_H

#include "newton_matrix.h"
#include "rom/reconstruction.h"
#include "system/derived.h"

/* y (nv, 3) of the reduced system = fields^T x (nv, 3) of the full one */
static inline void project(const gos_reconstruction *lift, const double *x, double *y) {
    const gos_rom *r = &lift->rom;
    memset(y, 0, (size_t)(3 * r->nv) * sizeof *y);
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const gos_rom_group *g = &r->group[p->group];
        for (int j = 0; j < 3 * p->body->nv; j++) {
            for (int k = 0; k < g->m; k++) {
                y[3 * (g->first + k) + j % 3] += p->phi[j / 3 * g->m + k] * x[3 * p->body->v0 + j];
            }
        }
    }
}

/* y (nt) of the reduced system = functions^T x (nt) of the full one */
static inline void project_heat(const gos_reconstruction *lift, const double *x, double *y) {
    const gos_rom *r = &lift->rom;
    double *one = test_calloc((size_t)(r->nt + r->full->nt), sizeof *one), *column = one + r->nt;
    for (int k = 0; k < r->nt; k++) {
        one[k] = 1;
        gos__reconstruct_heat(lift, one, column);
        one[k] = 0;
        y[k] = 0;
        for (int i = 0; i < r->full->nt; i++) {
            y[k] += column[i] * x[i];
        }
    }
    test_free(one);
}

/* With all points of the mesh the residual of the reduced system is that of the full one at the
   lifted state, projected on the fields; so are its heat, energies, powers and momenta. */
static inline void check_projection(verify *v, const gos_system *s) {
    const gos_system *f = v->sys;
    uint64_t seed = 7;
    random_at x, y;
    gos_reconstruction lift;
    gos_work *w = NULL, *wf = NULL;
    gos_sums sums, full_sums;
    gos_arena *a = gos__arena_create(v->ctx);
    assert_non_null(a);
    verify_good(v, gos__reconstruction_create(v->ctx, a, s, &lift));
    verify_good(v, gos__work_create(v->ctx, s, &w));
    verify_good(v, gos__work_create(v->ctx, f, &wf));
    random_state(s, &seed, 0, &x);
    random_state(f, &seed, 0, &y);
    gos__reconstruct_motion(&lift, true, x.q, y.q);
    gos__reconstruct_motion(&lift, false, x.v, y.v);
    gos__reconstruct_motion(&lift, false, x.a, y.a);
    gos__reconstruct_heat(&lift, x.th, y.th);
    gos__reconstruct_heat(&lift, x.thd, y.thd);
    gos__reconstruct_multipliers(&lift, x.lam, y.lam);
    double *r = test_calloc((size_t)(s->n + f->n + s->nq + s->nt), sizeof *r), *rf = r + s->n,
           *want = rf + f->n;
    residual(w, &x, r, &sums);
    residual(wf, &y, rf, &full_sums);
    project(&lift, rf, want);
    verify_near_all("forces", s->nq, r, want, 1e-12);
    if (s->nt > 0) {
        project_heat(&lift, rf + f->at.th, want);
        verify_near_all("heat", s->nt, r + s->at.th, want, 1e-12);
    }
    verify_near("strain energy [J]", sums.strain, full_sums.strain, 1e-12 * fabs(sums.strain));
    verify_near("dissipated [W]", sums.dissipated, full_sums.dissipated,
                1e-12 * fabs(sums.dissipated));
    verify_near("work [W]", sums.work, full_sums.work, 1e-12 * fabs(sums.work));
    test_free(r);
    free(x.block);
    free(y.block);
    gos__work_destroy(v->ctx, w);
    gos__work_destroy(v->ctx, wf);
    gos__arena_destroy(a);
}

#endif
