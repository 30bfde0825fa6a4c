/* Drawn nodes of a solid: mesh nodes, with a copy per material at interfaces for its stress. */
#include "solid/solid.h"

#include "parts/marker.h"

gos_status gos__solid_touches(gos_builder *b, gos_solid *c) {
    size_t n = 0;
    for (int i = 0; i < c->nblock; i++) {
        n += (size_t)c->block[i].n * (size_t)c->block[i].nodes;
    }
    c->touch_start = GOS_NEW(b->arena, int, c->nnode + 2);
    c->touch = GOS_NEW(b->arena, gos_solid_touch, n + 1);
    GOS_TRY(c->touch_start && c->touch ? GOS_OK : GOS_E_MEMORY);
    int *end = c->touch_start + 1; // ends while filling, then starts
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < c->nblock; i++) {
            const gos_solid_block *k = &c->block[i];
            for (int j = 0; j < k->n * k->nodes; j++) {
                const int node = k->node[j];
                if (pass == 0) {
                    c->touch_start[node + 2]++;
                } else {
                    c->touch[end[node]++] =
                        (gos_solid_touch){.block = i, .e = j / k->nodes, .corner = j % k->nodes};
                }
            }
        }
        for (int i = 0; i < c->nnode && pass == 0; i++) {
            end[i + 1] += end[i];
        }
    }
    return GOS_OK;
}

int gos__solid_node(const gos_solid *c, int drawn) {
    return drawn < c->nnode ? drawn : c->twin[drawn - c->nnode].node;
}

/* Part of the elements at a node, -1: several. */
static int part_of(const gos_solid *c, int node) {
    const int first = c->touch_start[node];
    const int part = c->block[c->touch[first].block].part;
    for (int i = first; i < c->touch_start[node + 1]; i++) {
        if (c->block[c->touch[i].block].part != part) {
            return -1;
        }
    }
    return part;
}

/* Drawn node of a corner of a part; adds a copy if needed. */
static int twin_of(gos_solid *c, int node, int part) {
    for (int i = 0; i < c->ntwin; i++) {
        if (c->twin[i].node == node && c->twin[i].part == part) {
            return c->nnode + i;
        }
    }
    c->twin[c->ntwin] = (gos_solid_twin){.node = node, .part = part};
    return c->nnode + c->ntwin++;
}

gos_status gos__solid_split(gos_builder *b, gos_solid *c, gos_body *body, int *cell) {
    const gos_solid_set *skin = c->skin < 0 ? NULL : &c->set[c->skin];
    c->twin = GOS_NEW(b->arena, gos_solid_twin, 4L * body->ncell + 1);
    GOS_TRY(c->twin ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; skin && i < 4 * body->ncell; i++) {
        if (part_of(c, cell[i]) < 0) {
            cell[i] = twin_of(c, cell[i], c->block[skin->side[i / 4].block].part);
        }
    }
    gos_marker *mark = GOS_NEW(b->arena, gos_marker, c->ntwin + 1);
    gos_tmarker *mark_t = GOS_NEW(b->arena, gos_tmarker, c->ntwin + 1);
    GOS_TRY(mark && mark_t ? GOS_OK : GOS_E_MEMORY);
    const double one = 1;
    for (int i = 0; i < c->ntwin; i++) {
        const int v = body->v0 + c->twin[i].node, t = body->t0 + c->twin[i].node;
        GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &mark[i]));
        GOS_TRY(body->nfam ? gos__tmarker_make(b->arena, 1, &t, &one, &mark_t[i]) : GOS_OK);
    }
    body->nmark = c->ntwin;
    body->mark = mark;
    body->mark_t = body->nfam ? mark_t : NULL;
    return GOS_OK;
}
