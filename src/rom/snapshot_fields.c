/* Principal fields (POD) of the states of a run, in the mass norm. Section vectors have little
   mass, but bending is locked without them. Fields of their remainder are added, weighted with the
   stiffness. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/field_basis.h"

/* Components of the states, without the fields of the basis. */
typedef struct remainders {
    const gos_rom *r;
    gos_field_basis *b;
    int count;      // components: three of each state
    double *X, *WX; // remainders, and weights times them (count, n)
    double *G, *w;  // Gram matrix or eigenvectors (count, count), eigenvalues
    double *weight; // stiffness of section vectors (n)
} remainders;

/* component i of the states, orthogonal to the first `fields` fields; S x in b->Sy */
static void load(remainders *k, int i, int fields, double *x) {
    const gos_rom *r = k->r;
    const gos_training *run = r->snapshots->run;
    const gos_rom_group *g = k->b->g;
    const int c = i % 3;
    const double *q = run->q + (size_t)(i / 3) * (size_t)run->nq;
    for (int ib = 0; ib < r->nbody; ib++) {
        const gos_rom_body *p = &r->body[ib];
        for (int j = 0; j < p->body->nv && &r->group[p->group] == g; j++) {
            x[p->raw + j] = q[3 * (p->body->v0 + j) + c] - g->D0[3 * (p->raw + j) + c];
        }
    }
    (void)gos__field_basis_remove(r, k->b, x, 0, fields);
}

static gos_status allocate(remainders *k) {
    gos_arena *a = k->r->arena;
    const size_t n = k->b->g->n, count = k->count;
    k->X = GOS_NEW(a, double, count *n + 1);
    k->WX = GOS_NEW(a, double, count *n + 1);
    k->G = GOS_NEW(a, double, count *count + 1);
    k->w = GOS_NEW(a, double, count + 1);
    k->weight = GOS_NEW(a, double, n + 1);
    return k->X && k->WX && k->G && k->w && k->weight ? GOS_OK : GOS_E_MEMORY;
}

/* eigenvectors in k->G, eigenvalues in k->w, ascending */
static gos_status decompose(remainders *k) {
    const int n = k->b->g->n, count = k->count;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, count, n, 1, k->X, n, k->WX, n, 0,
                k->G, count);
    return LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', count, k->G, count, k->w) == 0
               ? GOS_OK
               : gos__fail(k->r->ctx, GOS_E_INTERNAL,
                           "reduction: the eigenvalues of the principal fields did not converge");
}

static void append(remainders *k, double least) {
    gos_field_basis *b = k->b;
    const int n = b->g->n, count = k->count;
    for (int i = count - 1; i >= 0 && k->w[i] > least && b->m < b->cap; i--) {
        cblas_dgemv(CblasRowMajor, CblasTrans, count, n, 1, k->X, n, k->G + i, count, 0, b->y, 1);
        const double size = gos__field_basis_remove(k->r, b, b->y, 0, b->m);
        if (size > 0) {
            gos__field_basis_append(b, b->y, size);
        }
    }
}

static gos_status add_by_mass(remainders *k) {
    const gos_snapshots *s = k->r->snapshots;
    const size_t n = k->b->g->n;
    for (int i = 0; i < k->count; i++) {
        load(k, i, k->b->m, k->X + (size_t)i * n);
        memcpy(k->WX + (size_t)i * n, k->b->Sy, n * sizeof *k->WX);
    }
    GOS_TRY(decompose(k));
    append(k, s->least * s->least * k->r->full->mass_total * s->run->n);
    return GOS_OK;
}

/* diagonal of the tangent, summed over directions, at section vectors */
static bool weigh(remainders *k, const gos_sparse *K) {
    const gos_rom *r = k->r;
    double max = 0;
    for (int ib = 0; ib < r->nbody; ib++) {
        const gos_rom_body *p = &r->body[ib];
        const bool deforms = p->body->ops->fields && &r->group[p->group] == k->b->g;
        for (int j = 0; j < p->body->nv && deforms; j++) {
            const int v = p->body->v0 + j;
            for (int col = 3 * v; col < 3 * v + 3 && r->full->trans[v] == 0; col++) {
                for (int e = K->p[col]; e < K->p[col + 1]; e++) {
                    k->weight[p->raw + j] += K->i[e] == col ? fmax(0, K->x[e]) : 0;
                }
            }
            max = fmax(max, k->weight[p->raw + j]);
        }
    }
    return max > 0;
}

/* weighted product of component i with itself */
static double weighted(const remainders *k, int i) {
    const size_t n = k->b->g->n;
    double *x = k->X + (size_t)i * n, *y = k->WX + (size_t)i * n;
    for (size_t j = 0; j < n; j++) {
        y[j] = k->weight[j] * x[j];
    }
    return cblas_ddot((int)n, x, 1, y, 1);
}

static gos_status add_by_stiffness(remainders *k) {
    const double part = k->r->snapshots->least_vectors;
    const size_t n = k->b->g->n;
    double change = 0;
    for (int i = 0; i < k->count; i++) {
        load(k, i, k->b->base, k->X + (size_t)i * n);
        change += weighted(k, i);
        (void)gos__field_basis_remove(k->r, k->b, k->X + (size_t)i * n, 0, k->b->m);
        (void)weighted(k, i);
    }
    GOS_TRY(decompose(k));
    append(k, part * part * change);
    return GOS_OK;
}

gos_status gos__snapshot_fields(const gos_rom *r, const gos_sparse *K, gos_field_basis *b) {
    remainders k = {.r = r, .b = b, .count = 3 * r->snapshots->run->n};
    GOS_TRY(allocate(&k));
    GOS_TRY(add_by_mass(&k));
    return r->snapshots->least_vectors > 0 && weigh(&k, K) ? add_by_stiffness(&k) : GOS_OK;
}
