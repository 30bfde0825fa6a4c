/* Stress stiffness between few motions, for arbitrary stress; costs at most one assembly. */
#include "fe/layer.h"
#include "fe/mesh_body.h"
#include "math/vec3.h"

#define MAX_FREEDOMS (3 * GOS_CELL_NODES) // freedoms of a cell
#define MAX_TEMPERATURES (GOS_FE_HEATS * GOS_CELL_NODES)

typedef struct working {
    const gos_fe_body *body;
    int m;
    const double *X;
    const gos_fe_rotating *turning;
    double *by_u, *by_t;
    double *x, *second, *u,
        *t; // per cell: (m, MAX_FREEDOMS), (pairs, MAX_FREEDOMS) twice, (pairs, MAX_TEMPERATURES)
} working;

typedef struct one {
    const gos_fe_part *part;
    const void *data;
    const int *node;
    int nd, nt;
} one;

/* (a x (b x r) + b x (a x r)) / 2 */
static void turn_twice(const double a[3], const double b[3], const double r[3], double out[3]) {
    const double ar = gos__dot3(a, r), br = gos__dot3(b, r), ab = gos__dot3(a, b);
    for (int c = 0; c < 3; c++) {
        out[c] = 0.5 * (a[c] * br + b[c] * ar) - r[c] * ab;
    }
}

/* in pair i, j; a director n displaced by g rotates by n x g */
static void second_of(const working *k, const one *c, const gos_fe_cell *cell, int i, int j,
                      double *to) {
    const gos_fe_rotating *turning = k->turning;
    const int comps = c->part->element->comps;
    memset(to, 0, (size_t)c->nd * sizeof *to);
    for (int a = 0; a < cell->nodes; a++) {
        const int number = turning->owner[c->node[a]] - 1;
        double r[3], moved[3];
        if (number < 0) {
            continue;
        }
        const double *x = turning->theta + 3 * ((size_t)i * turning->n + number);
        const double *y = turning->theta + 3 * ((size_t)j * turning->n + number);
        for (int d = 0; d < 3; d++) {
            r[d] = k->body->mesh->x[c->node[a]][d] - turning->at[number][d];
        }
        turn_twice(x, y, r, moved);
        memcpy(to + comps * a, moved, (size_t)(comps < 3 ? comps : 3) * sizeof *to);
        if (comps == GOS_FE_FREEDOMS && c->part->element->directors) {
            const double *n = cell->director[a];
            turn_twice(x, y, n, moved);
            for (int d = 0; d < 3; d++) {
                const int p = (d + 1) % 3, q = (d + 2) % 3;
                to[comps * a + 3 + d] = n[p] * moved[q] - n[q] * moved[p];
            }
        }
    }
}

static bool turns(const working *k, const one *c, int nodes) {
    bool any = false;
    for (int a = 0; a < nodes && k->turning; a++) {
        any = any || k->turning->owner[c->node[a]] > 0;
    }
    return any;
}

static void scatter(const gos_fe_layout *l, unsigned mask, const one *c, int nodes,
                    const double *own, double *all) {
    for (int a = 0, n = 0; a < nodes; a++) {
        for (int d = 0; d < GOS_FE_FREEDOMS; d++) {
            if (mask >> d & 1) {
                all[gos__fe_number(l, c->node[a], d)] += own[n++];
            }
        }
    }
}

static void add_cell(const working *k, const one *c, int at, int number) {
    const gos_fe_body *b = k->body;
    const gos_fe_element *e = c->part->element;
    const unsigned heats = e->heats > 1 ? 3 : 1;
    const int pairs = k->m * (k->m + 1) / 2;
    double none[MAX_TEMPERATURES];
    gos_fe_cell cell;
    gos__fe_cell_make(b, c->part, at, number, &cell);
    const bool further = turns(k, c, cell.nodes);
    for (int i = 0, pair = 0; i < k->m; i++) {
        double *x = k->x + (size_t)i * c->nd;
        gos__fe_gather(&b->freedom, e->freedoms, cell.nodes, c->node,
                       k->X + (size_t)i * b->freedom.n, x);
        memset(none, 0, sizeof none);
        if (c->part->offset != 0) {
            gos__fe_layer_values(c->part, &cell, x, none);
        }
        for (int j = 0; j <= i && further; j++, pair++) {
            double *second = k->second + (size_t)pair * c->nd;
            second_of(k, c, &cell, i, j, second);
            if (c->part->offset != 0) {
                gos__fe_layer_values(c->part, &cell, second, none);
            }
        }
    }
    memset(k->u, 0, (size_t)pairs * c->nd * sizeof *k->u);
    memset(k->t, 0, (size_t)pairs * c->nt * sizeof *k->t);
    e->stress_work(c->data, &cell, k->m, k->x, further ? k->second : NULL, k->u, k->t);
    for (int pair = 0; pair < pairs; pair++) {
        double *u = k->u + (size_t)pair * c->nd, *t = k->t + (size_t)pair * c->nt;
        if (c->part->offset != 0) {
            gos__fe_layer_derivatives(c->part, &cell, u, t);
        }
        scatter(&b->freedom, e->freedoms, c, cell.nodes, u, k->by_u + (size_t)pair * b->freedom.n);
        if (k->by_t) {
            scatter(&b->temperature, heats, c, cell.nodes, t,
                    k->by_t + (size_t)pair * b->temperature.n);
        }
    }
}

static gos_status add_part(const working *k, const gos_fe_part *part, gos_arena *arena) {
    const gos_mesh *mesh = k->body->mesh;
    void *data[GOS_CELL_SHAPES] = {NULL};
    for (int i = 0; i < (part->cell ? part->n : mesh->ncell); i++) {
        const int number = part->cell ? part->cell[i] : i;
        int at;
        const gos_cell_block *block = gos__mesh_cell(mesh, number, &at);
        const gos_cell_kind *kind = &gos__cell_kind[block->shape];
        if (!part->cell && kind->dim != part->element->dim) {
            continue;
        }
        void **own = &data[block->shape];
        GOS_TRY(*own ? GOS_OK
                     : part->element->prepare(k->body->ctx, part, block->shape, arena, own));
        const one c = {.part = part,
                       .data = *own,
                       .node = block->node + (size_t)at * kind->nodes,
                       .nd = kind->nodes * part->element->comps,
                       .nt = kind->nodes * part->element->heats};
        add_cell(k, &c, i, number);
    }
    return GOS_OK;
}

gos_status gos__fe_body_stress_work(const gos_fe_body *body, int m, const double *X,
                                    const gos_fe_rotating *turning, double *by_u, double *by_t) {
    const size_t pairs = (size_t)m * (m + 1) / 2;
    working k = {.body = body, .m = m, .X = X, .turning = turning, .by_u = by_u, .by_t = by_t};
    gos_arena *arena = gos__arena_create(body->ctx);
    double *room = gos__alloc(
        body->ctx, (m + 2 * pairs) * MAX_FREEDOMS + pairs * MAX_TEMPERATURES + 1, sizeof *room);
    gos_status status = arena && room && m <= GOS_FE_MOTIONS ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        k.x = room;
        k.second = k.x + (size_t)m * MAX_FREEDOMS;
        k.u = k.second + pairs * MAX_FREEDOMS;
        k.t = k.u + pairs * MAX_FREEDOMS;
        memset(by_u, 0, pairs * (size_t)body->freedom.n * sizeof *by_u);
        if (by_t) {
            memset(by_t, 0, pairs * (size_t)body->temperature.n * sizeof *by_t);
        }
    }
    for (int p = 0; p < body->npart && status == GOS_OK; p++) {
        status = add_part(&k, &body->part[p], arena);
    }
    for (int p = 0; p < body->nlayer && status == GOS_OK; p++) {
        status = add_part(&k, &body->layer[p], arena);
    }
    gos__free(body->ctx, room);
    gos__arena_destroy(arena);
    return status;
}
