/* Columns of an interval: the basis of the nearest cluster, projected on the allowed motions. A
   change of basis loses nothing, since the full state is kept and the velocity has its own
   column. */
#include <cblas.h>

#include "rom/local.h"
#include "rom/pod.h"

/* orthonormalised projections on the free motions */
static void take_motion(gos_local *g, const gos_pod_cluster *c) {
    const int nq = g->sys->nq, n = g->n;
    const double *U = gos__nullspace_basis(g->space);
    double *y = g->modes->small;
    g->modes->m = 0;
    for (long k = 0; k < c->m; k++) {
        cblas_dgemv(CblasRowMajor, CblasTrans, nq, n, 1, U, n, c->motion + k * nq, 1, 0, y, 1);
        (void)gos__local_modes_append(g->modes, y);
    }
    g->modes->nmodal = g->modes->m;
}

/* missing columns of Psi0 (nt, rt) are zero */
static void take_heat(gos_local *g, const gos_pod_cluster *c) {
    const int nt = g->sys->nt, rt = g->rt;
    memset(g->Psi0, 0, (size_t)nt * rt * sizeof *g->Psi0);
    for (int k = 0; k < c->mt; k++) {
        cblas_dcopy(nt, c->heat + (size_t)k * nt, 1, g->Psi0 + k, rt);
    }
}

void gos__local_take_cluster(gos_local *g) {
    const gos_pod *pod = g->sys->pod;
    const int now = gos__pod_project(pod, g->sys, g->x->q, g->near);
    const gos_pod_cluster *c = pod->cluster + now;
    if (now != g->cluster) {
        take_heat(g, c);
    }
    if (now != g->cluster || !gos__nullspace_constant(g->space)) {
        take_motion(g, c);
    }
    g->report.eigenproblems += now != g->cluster;
    g->cluster = now;
}
