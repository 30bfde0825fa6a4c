#include "rom/cubature.h"

#define L GOS_LANES

/* point `from` of an array (.., n, LANES) to point `to` */
static void copy_lane(const double *x, const int *tab, int from, long n, double *y, int to) {
    const double *a = x + tab[from / L] * n * L + (from % L);
    double *b = y + (to / L) * n * L + (to % L);
    for (int i = 0; i < n; i++) {
        b[i * L] = a[i * L];
    }
}

static double *lanes(gos_system *s, long nb,
                     int n) { // aligned to cache lines
    const size_t count = nb * n;
    return GOS_NEW(s->arena, double, (count > 4 ? count : 4) * L);
}

gos_status gos__cubature_select(gos_system *sys, int i, const gos_points *from,
                                const gos_selection *selection) {
    const int nz = from->law->nz, n = selection->n, nb = (n + L - 1) / L;
    gos_points *p = GOS_NEW(sys->arena, gos_points, 1);
    if (!p) {
        return GOS_E_MEMORY;
    }
    *p = *from;
    p->ne = n;
    p->nb = p->ntab = nb;
    p->tab = GOS_NEW(sys->arena, int, nb + 1);
    p->b = lanes(sys, nb, nz * p->nv);
    p->N = p->N ? lanes(sys, nb, p->nt) : NULL;
    p->w = lanes(sys, nb, 1);
    p->ref = lanes(sys, nb, p->law->nref);
    p->z0 = p->z0 ? lanes(sys, nb, 3 * nz) : NULL;
    if (!p->tab || !p->b || (from->N && !p->N) || !p->w || !p->ref || (from->z0 && !p->z0)) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < nb * L; k++) { // padding with weight 0
        const int s = selection->index[k < n ? k : n - 1];
        p->tab[k / L] = k / L;
        copy_lane(from->b, from->tab, s, nz * p->nv, p->b, k);
        copy_lane(from->ref, from->tab, s, p->law->nref, p->ref, k);
        if (p->N) {
            copy_lane(from->N, from->tab, s, p->nt, p->N, k);
        }
        if (p->z0) {
            copy_lane(from->z0, from->tab, s, 3 * nz, p->z0, k);
        }
        p->w[k] = k < n ? selection->weight[k] : 0;
    }
    gos__memory_points(sys, p);
    sys->points[i] = p;
    return GOS_OK;
}
