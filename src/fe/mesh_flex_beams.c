/* Inertia of beams, by products of the elements' particle fields. */
#include "fe/beam_frame.h"
#include "fe/mesh_body.h"

#define FIELDS GOS_BEAM_FIELDS
#define ROWS GOS_BEAM_ROWS

/* requested quantity */
typedef struct visiting {
    const gos_fe_body *body;
    void (*add)(void *to, int i, int j, double x);
    void *to;
    bool turned; // rotation of sections, along c and d; else products
    int c, d;
} visiting;

static int freedom_of(const gos_fe_body *b, const int *node, int k) {
    return gos__fe_number(&b->freedom, node[k / 6], k % 6);
}

static void add_gram(const visiting *v, const void *data, const gos_fe_cell *cell,
                     const int *node) {
    double G[FIELDS * FIELDS];
    int field[FIELDS] = {0, 1, 2, 3};
    for (int f = 4; f < FIELDS; f++) {
        field[f] = gos__flex_at(freedom_of(v->body, node, (f - 4) / 3), (f - 4) % 3);
    }
    cell->part->element->gram(data, cell, G);
    for (int f = 0; f < FIELDS * FIELDS; f++) {
        v->add(v->to, field[f / FIELDS], field[f % FIELDS], G[f]);
    }
}

static void add_turned(const visiting *v, const void *data, const gos_fe_cell *cell,
                       const int *node) {
    double S[ROWS * ROWS];
    cell->part->element->turned(data, cell, v->c, v->d, S);
    for (int k = 0; k < ROWS * ROWS; k++) {
        v->add(v->to, freedom_of(v->body, node, k / ROWS), freedom_of(v->body, node, k % ROWS),
               S[k]);
    }
}

static gos_status visit(const visiting *v, const gos_fe_part *part, gos_arena *arena) {
    const gos_fe_body *b = v->body;
    void *data;
    GOS_TRY(part->element->prepare(b->ctx, part, GOS_CELL_LINE2, arena, &data));
    for (int k = 0; k < (part->cell ? part->n : b->mesh->ncell); k++) {
        const int cell = part->cell ? part->cell[k] : k;
        int i;
        gos_fe_cell made;
        if (b->part_of[cell] != (int)(part - b->part)) {
            continue;
        }
        const gos_cell_block *block = gos__mesh_cell(b->mesh, cell, &i);
        gos__fe_cell_make(b, part, k, cell, &made);
        (v->turned ? add_turned : add_gram)(v, data, &made, block->node + 2 * (size_t)i);
    }
    return GOS_OK;
}

static gos_status visit_all(const visiting *v) {
    const gos_fe_body *b = v->body;
    gos_arena *arena = gos__arena_create(b->ctx);
    gos_status status = arena ? GOS_OK : GOS_E_MEMORY;
    for (int p = 0; p < b->npart && status == GOS_OK; p++) {
        if (b->part[p].element->gram) {
            status = visit(v, &b->part[p], arena);
        }
    }
    gos__arena_destroy(arena);
    return status;
}

gos_status gos__fe_beams_gram(const gos_fe_body *b, void (*add)(void *to, int i, int j, double x),
                              void *to) {
    return visit_all(&(visiting){.body = b, .add = add, .to = to});
}

/* ---- matrices of freedoms -------------------------------------------------------------------- */

typedef struct entries {
    size_t n;
    int *i, *j;
    double *x;
} entries;

/* only counts without a buffer */
static void add_entry(void *to, int i, int j, double x) {
    entries *e = to;
    if (x != 0 && e->x) {
        e->i[e->n] = i;
        e->j[e->n] = j;
        e->x[e->n] = x;
    }
    e->n += x != 0;
}

/* mass: products of equal components */
static void add_mass(void *to, int i, int j, double x) {
    const int first = gos__flex_at(0, 0);
    if (i >= first && j >= first && (i - first) % 3 == (j - first) % 3) {
        add_entry(to, (i - first) / 3, (j - first) / 3, x);
    }
}

static gos_status sum(visiting *v, gos_sparse *M) {
    const gos_fe_body *b = v->body;
    entries e = {0};
    v->to = &e;
    GOS_TRY(visit_all(v));
    GOS_TRY(e.n < INT32_MAX
                ? GOS_OK
                : gos__fail(b->ctx, GOS_E_LIMIT, "a matrix of beams has more than 2^31 entries"));
    const size_t n = e.n + 1;
    e = (entries){.i = gos__alloc(b->ctx, n, sizeof *e.i),
                  .j = gos__alloc(b->ctx, n, sizeof *e.j),
                  .x = gos__alloc(b->ctx, n, sizeof *e.x)};
    gos_status status = e.i && e.j && e.x ? visit_all(v) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sparse_from_triplets(b->ctx, b->freedom.n, b->freedom.n,
                                                          (int)e.n, e.i, e.j, e.x, M)
                              : status;
    if (status == GOS_OK) {
        gos__sparse_merge(M);
    }
    gos__free(b->ctx, e.i);
    gos__free(b->ctx, e.j);
    gos__free(b->ctx, e.x);
    return status;
}

gos_status gos__fe_beams_mass(const gos_fe_body *b, gos_sparse *M) {
    return sum(&(visiting){.body = b, .add = add_mass}, M);
}

gos_status gos__fe_beams_turned(const gos_fe_body *b, int c, int d, gos_sparse *S) {
    return sum(&(visiting){.body = b, .add = add_entry, .turned = true, .c = c, .d = d}, S);
}
