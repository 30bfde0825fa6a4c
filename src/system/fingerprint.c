/* Fingerprint for checkpoints: tables are separate files, and reduced models depend on the program
   version. */
#include "system/constants.h"
#include "system/derived.h"

static uint64_t numbers(uint64_t h, size_t n, const double *x) {
    return x ? gos__hash(h, x, n * sizeof *x) : h;
}

static uint64_t integers(uint64_t h, size_t n, const int *x) {
    return x ? gos__hash(h, x, n * sizeof *x) : h;
}

static uint64_t matrix(uint64_t h, const gos_rows_matrix *A) {
    h = integers(h, (size_t)A->n + (A->p != NULL), A->p);
    h = integers(h, (size_t)A->nnz, A->j);
    return numbers(h, (size_t)A->nnz, A->v);
}

static uint64_t points(uint64_t h, const gos_points *p) {
    const int sizes[] = {p->body, p->ne, p->nb, p->ng, p->nv, p->nt, p->nfam, p->ntab, p->nsurf};
    const size_t lanes = GOS_LANES, nb = (size_t)p->nb, ng = (size_t)p->ng, nv = (size_t)p->nv;
    const size_t tables = (size_t)p->ntab * ng * lanes, nz = (size_t)p->law->nz;
    h = integers(h, GOS_COUNT(sizes), sizes);
    h = integers(h, nb * nv * lanes, p->v);
    h = integers(h, nb * (size_t)(p->nt * p->nfam) * lanes, p->th);
    h = integers(h, nb, p->tab);
    h = numbers(h, tables * nz * nv, p->b);
    h = numbers(h, tables * (size_t)p->nt, p->N);
    h = numbers(h, tables, p->w);
    h = numbers(h, tables * (size_t)p->law->nref, p->ref);
    return numbers(h, tables * 3 * nz, p->z0);
}

static uint64_t item(uint64_t h, const gos_item *it) {
    const int sizes[] = {it->nm,  it->ntm, it->nc, it->nh, it->nmem,
                         it->fn0, it->nfn, it->c0, it->h0};
    h = integers(h, GOS_COUNT(sizes), sizes);
    for (int m = 0; m < it->nm; m++) {
        h = integers(h, (size_t)it->m[m].n, it->m[m].idx);
        h = numbers(h, (size_t)it->m[m].n, it->m[m].w);
        h = numbers(h, 3, it->m[m].off);
    }
    for (int m = 0; m < it->ntm; m++) {
        h = integers(h, (size_t)it->tm[m].n, it->tm[m].idx);
        h = numbers(h, (size_t)it->tm[m].n, it->tm[m].w);
    }
    return h;
}

static uint64_t floating(uint64_t h, const gos_floating *b) {
    h = integers(h, (size_t)b->n, b->z);
    for (int i = 0; i < b->nvec; i++) {
        const int vec[] = {b->vec[i]->number, b->vec[i]->c, b->vec[i]->s};
        h = integers(h, GOS_COUNT(vec), vec);
    }
    for (int i = 0; i < b->nform; i++) {
        h = matrix(h, &b->form[i]);
    }
    return matrix(h, &b->mass);
}

uint64_t gos__system_hash(const gos_system *s) {
    const gos_system *given = s->full ? s->full : s;
    const int sizes[] = {s->nv, s->nt, s->nc, s->nh, s->nfn, s->nitem, s->npoints, s->reduced};
    uint64_t h = gos__hash(given->tables, s->text, strlen(s->text));
    h = integers(h, GOS_COUNT(sizes), sizes);
    h = numbers(h, 3 * (size_t)s->nv, s->e0);
    h = numbers(h, 3 * (size_t)s->nv, s->v0);
    h = numbers(h, (size_t)s->nt, s->th0);
    h = numbers(h, s->nmem, s->mem0);
    h = numbers(h, 3, s->gravity);
    h = numbers(h, 1, &s->T_ref);
    h = matrix(h, &s->mass);
    h = matrix(h, &s->capacity);
    h = matrix(h, &s->conduction);
    for (int i = 0; i < GOS_NCONSTANT && s->constants; i++) {
        h = matrix(h, &s->constants->A[i]);
    }
    for (const gos_heated *g = s->constants ? s->constants->heated : NULL; g; g = g->next) {
        h = numbers(h, (size_t)g->n, g->v);
    }
    for (int i = 0; s->derived && i < s->derived->nbody; i++) {
        h = floating(h, &s->derived->body[i]);
    }
    for (int i = 0; i < s->npoints; i++) {
        h = points(h, s->points[i]);
    }
    for (int i = 0; i < s->nitem; i++) {
        h = item(h, s->item[i]);
    }
    return h;
}
