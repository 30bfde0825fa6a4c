/* POD of a run's temperatures beyond smooth functions: surface layers, corners. Defined on the
   mesh. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/heat_space.h"

#define INDEPENDENT 1e-6 // smallest relative norm of an independent function

/* over all bodies; for means at least temperature_range */
static double range_of(const gos_rom *r, int family) {
    const gos_training *run = r->snapshots->run;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < r->nbody; i++) {
        const gos_body *b = r->body[i].body;
        for (int j = family; family < b->nfam && j < b->nt && !gos__rom_keeps_heat(b);
             j += b->nfam) {
            for (int s = 0; s < run->n; s++) {
                const double th = run->th[(size_t)s * (size_t)run->nt + (size_t)(b->t0 + j)];
                low = fmin(low, th);
                high = fmax(high, th);
            }
        }
    }
    return fmax(high - low, family == 0 ? r->full->options.temperature_range : 0);
}

/* states over ranges, orthogonal to existing functions: x (count, n), and C x */
static void load_states(const gos_heat_space *h, const gos_heat_functions *k, double *x,
                        double *Cx) {
    const gos_body *b = h->p->body;
    const gos_training *run = h->r->snapshots->run;
    for (int f = 0; f < b->nfam; f++) {
        const double range = range_of(h->r, f);
        for (int s = 0; s < run->n; s++) {
            const double *th = run->th + (size_t)s * (size_t)run->nt + b->t0;
            const size_t at = (size_t)(f * run->n + s) * (size_t)h->n;
            for (int i = 0; i < h->n; i++) {
                x[at + (size_t)i] = range > 0 ? th[i * b->nfam + f] / range : 0;
            }
            for (int pass = 0; pass < 2; pass++) {
                gos__heat_space_weight(h, x + at, Cx + at);
                for (int j = 0; j < k->m; j++) {
                    const double *q = k->q + (size_t)j * (size_t)h->n;
                    const double part = cblas_ddot(h->n, q, 1, Cx + at, 1);
                    cblas_daxpy(h->n, -part, q, 1, x + at, 1);
                }
            }
            gos__heat_space_weight(h, x + at, Cx + at);
        }
    }
}

static double capacity_of(const gos_heat_space *h) {
    double sum = 0;
    for (int i = 0; i < h->pattern.nnz; i++) {
        sum += h->C[i];
    }
    return sum;
}

static gos_status find(const gos_heat_space *h, gos_heat_functions *k) {
    gos_arena *a = h->r->arena;
    const gos_training *run = h->r->snapshots->run;
    const int count = run->n * h->p->body->nfam;
    const size_t rows = (size_t)count, n = (size_t)h->n;
    double *x = GOS_NEW(a, double, rows *n + 1), *Cx = GOS_NEW(a, double, rows *n + 1);
    double *G = GOS_NEW(a, double, rows *rows + 1), *w = GOS_NEW(a, double, rows + 1);
    GOS_TRY(x && Cx && G && w ? GOS_OK : GOS_E_MEMORY);
    load_states(h, k, x, Cx);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, count, h->n, 1, x, h->n, Cx, h->n,
                0, G, count);
    if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', count, G, count, w) != 0) {
        return gos__fail(
            h->r->ctx, GOS_E_INTERNAL,
            "reduction: the eigenvalues of the principal temperatures did not converge");
    }
    const double part = h->r->snapshots->least_heat;
    const double min = part * part * capacity_of(h) * run->n;
    for (int i = count - 1; i >= 0 && w[i] > min; i--) {
        cblas_dgemv(CblasRowMajor, CblasTrans, count, h->n, 1, x, h->n, G + i, count, 0, k->y, 1);
        gos__heat_functions_add(h, k, INDEPENDENT);
    }
    return GOS_OK;
}

static void copy_stored(const gos_heat_space *h, const gos_rom_info *from, int body,
                        gos_heat_functions *k) {
    for (int i = 0; i < from->nheat[body]; i++) {
        memcpy(k->y, from->heat[body] + (size_t)i * (size_t)h->n, (size_t)h->n * sizeof *k->y);
        gos__heat_functions_add(h, k, INDEPENDENT);
    }
}

gos_status gos__rom_principal_heat(gos_rom *r, gos_rom_body *p) {
    const gos_body *b = p->body;
    const int body = p->number, n = b->nfam > 0 ? b->nt / b->nfam : 0;
    const bool stored = body >= 0 && r->stored && r->stored->nheat && r->stored->nheat[body] > 0;
    const bool finds = !r->stored && r->snapshots && r->snapshots->least_heat > 0;
    gos_heat_space h = {.r = r, .p = p, .n = n};
    gos_heat_functions k = {.n = n, .nt = p->f.nt};
    if ((!stored && !finds) || n == 0 || p->f.nt == 0 || p->f.nt >= n) {
        return GOS_OK;
    }
    const int room = stored ? r->stored->nheat[body] : r->snapshots->run->n * b->nfam;
    GOS_TRY(gos__heat_space_make(&h));
    GOS_TRY(gos__heat_functions_begin(&h, room, &k));
    if (k.m < k.nt) {
        return GOS_OK; // the functions already span the mesh
    }
    if (stored) {
        copy_stored(&h, r->stored, body, &k);
    } else {
        GOS_TRY(find(&h, &k));
    }
    p->nheat = k.m - k.nt;
    p->heat = k.q + (size_t)k.nt * (size_t)n;
    return p->nheat > 0 ? gos__heat_functions_store(&h, &k, &p->f) : GOS_OK;
}

int gos__rom_heat_functions(const gos_system *reduced) {
    const gos_rom_info *k = reduced->rom;
    int max = 0;
    for (int i = 0; i < k->nbody; i++) {
        max = k->nheat[i] > max ? k->nheat[i] : max;
    }
    return reduced->nt > 0 ? k->def.thermal_fields + max : 0;
}

gos_status gos__rom_keep_heat(const gos_rom *r, gos_arena *a, gos_rom_info *k) {
    const bool stored = r->stored && r->stored->nheat; // stored functions reproduce themselves
    k->nheat = GOS_NEW(a, int, r->nbody + 1);
    k->heat = GOS_NEW(a, double *, r->nbody + 1);
    GOS_TRY(k->nheat && k->heat ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < r->nbody; j++) {
        const gos_rom_body *p = &r->body[j];
        const int i = p->number;
        if (i < 0) {
            continue;
        }
        k->nbody = i + 1;
        const int nodes = p->body->nfam > 0 ? p->body->nt / p->body->nfam : 0;
        const double *from = stored ? r->stored->heat[i] : p->heat;
        k->nheat[i] = stored ? r->stored->nheat[i] : p->nheat;
        const size_t n = (size_t)k->nheat[i] * (size_t)nodes;
        k->heat[i] = GOS_NEW(a, double, n + 1);
        GOS_TRY(k->heat[i] ? GOS_OK : GOS_E_MEMORY);
        if (n > 0) {
            memcpy(k->heat[i], from, n * sizeof *from);
        }
    }
    return GOS_OK;
}
