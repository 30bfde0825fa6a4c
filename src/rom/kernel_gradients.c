/* Gradients and temperatures of a batch that depends on all fields of its body. */
#include "base/kernel.h"
#include "rom/cubature.h"

enum { L = GOS_LANES };

GOS_KERNEL void gos__batch_gradients(const gos_points *p, int ib, const double *q, const double *th,
                                     bool shifted, double *z, double *T) {
    const int nz = p->law->nz, m = p->nv, nf = p->nfam;
    const size_t tab = p->tab[ib];
    const double *b = p->b + tab * (nz * m) * L;
    const double *e = q + 3L * p->v[0];
    for (int i = 0; i < nz; i++) {
        gos_v8 sum[3] = {{0}};
        for (int c = 0; c < 3 && shifted && p->z0; c++) {
            sum[c] = GOS_CV8(p->z0, tab * (3 * nz) + 3 * i + c);
        }
        for (int j = 0; j < m; j++) {
            const gos_v8 weight = GOS_CV8(b, i * m + j);
            for (int c = 0; c < 3; c++) {
                sum[c] += weight * e[3 * j + c];
            }
        }
        for (int c = 0; c < 3; c++) {
            GOS_V8(z, 3 * i + c) = sum[c];
        }
    }
    if (!T) {
        return;
    }
    memset(T, 0, (nf * L) * sizeof *T);
    for (int i = 0; i < p->nt; i++) {
        for (int f = 0; f < nf; f++) {
            GOS_V8(T, f) += GOS_CV8(p->N, tab * p->nt + i) * th[p->th[(i * nf + f) * L]];
        }
    }
}
