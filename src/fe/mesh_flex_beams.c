/* Mass of beams in bodies of meshes: their particles move by the static shapes of the elements and turn with the sections, so
   that products of their fields come from the elements, cell by cell. */
#include "fe/beam_frame.h"
#include "fe/mesh_body.h"

#define FIELDS GOS_BEAM_FIELDS

/* of one part */
static gos_status visit(const gos_fe_body *b, const gos_fe_part *part, gos_arena *arena,
                        void (*add)(void *to, int i, int j, double x), void *to) {
    void *data;
    double G[FIELDS * FIELDS];
    GOS_TRY(part->element->prepare(b->ctx, part, GOS_CELL_LINE2, arena, &data));
    for (int k = 0; k < (part->cell ? part->n : b->mesh->ncell); k++) {
        const int cell = part->cell ? part->cell[k] : k;
        int i, field[FIELDS] = {0, 1, 2, 3};
        gos_fe_cell made;
        if (b->part_of[cell] != (int)(part - b->part)) {
            continue;
        }
        const gos_cell_block *block = gos__mesh_cell(b->mesh, cell, &i);
        for (int f = 4; f < FIELDS; f++) {
            const int freedom = (f - 4) / 3,
                      node = block->node[2 * (size_t)i + (size_t)(freedom / 6)];
            field[f] = gos__flex_at(gos__fe_number(&b->freedom, node, freedom % 6), (f - 4) % 3);
        }
        gos__fe_cell_make(b, part, k, cell, &made);
        part->element->gram(data, &made, G);
        for (int f = 0; f < FIELDS * FIELDS; f++) {
            add(to, field[f / FIELDS], field[f % FIELDS], G[f]);
        }
    }
    return GOS_OK;
}

gos_status gos__fe_beams_gram(const gos_fe_body *b, void (*add)(void *to, int i, int j, double x),
                              void *to) {
    gos_arena *arena = gos__arena_create(b->ctx);
    gos_status status = arena ? GOS_OK : GOS_E_MEMORY;
    for (int p = 0; p < b->npart && status == GOS_OK; p++) {
        if (b->part[p].element->gram) {
            status = visit(b, &b->part[p], arena, add, to);
        }
    }
    gos__arena_destroy(arena);
    return status;
}

/* ---- the mass matrix ---------------------------------------------------------------------------- */

typedef struct entries {
    size_t n;
    int *i, *j;
    double *x;
} entries;

/* products of the same components of two freedoms; counted where there is no room */
static void add_mass(void *to, int i, int j, double x) {
    entries *e = to;
    const int first = gos__flex_at(0, 0);
    if (i < first || j < first || (i - first) % 3 != (j - first) % 3 || x == 0) {
        return;
    }
    if (e->x) {
        e->i[e->n] = (i - first) / 3;
        e->j[e->n] = (j - first) / 3;
        e->x[e->n] = x;
    }
    e->n++;
}

gos_status gos__fe_beams_mass(const gos_fe_body *b, gos_sparse *M) {
    entries e = {0};
    GOS_TRY(gos__fe_beams_gram(b, add_mass, &e));
    GOS_TRY(e.n < INT32_MAX
                ? GOS_OK
                : gos__fail(b->ctx, GOS_E_LIMIT, "a mass matrix has more than 2^31 entries"));
    const size_t n = e.n + 1;
    e = (entries){.i = gos__alloc(b->ctx, n, sizeof *e.i),
                  .j = gos__alloc(b->ctx, n, sizeof *e.j),
                  .x = gos__alloc(b->ctx, n, sizeof *e.x)};
    gos_status status = e.i && e.j && e.x ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__fe_beams_gram(b, add_mass, &e) : status;
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
