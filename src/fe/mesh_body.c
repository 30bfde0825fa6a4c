/* Nodal layouts, mass, and the body for a floating frame. */
#include "fe/mesh_body.h"

#include <math.h>

#include "fe/beam_section.h"

#define ZERO_EXTENT 1e-9 // relative to the mesh size

/* ---- parts ----------------------------------------------------------------------------------- */

void gos__fe_part_material(const gos_fe_part *part, int at, gos_fe_material *m) {
    double axes[3][3];
    if (!part->axes) {
        *m = *part->material;
        return;
    }
    memcpy(axes, part->axes + (part->axes_by_cell ? 9 * (size_t)at : 0), sizeof axes);
    gos__fe_material_turn(part->material, axes, m);
}

gos_loc gos__fe_cell_loc(const gos_fe_body *body, const gos_fe_part *part, int cell) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    gos_loc loc = part->loc;
    if (b->line && b->line[i] > 0) {
        loc.line = b->line[i];
        loc.col = 0;
        loc.file = body->mesh->source ? gos__intern(body->ctx, body->mesh->source) : loc.file;
    }
    return loc;
}

void gos__fe_cell_make(const gos_fe_body *body, const gos_fe_part *part, int at, int cell,
                       gos_fe_cell *made) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    const int n = gos__cell_kind[b->shape].nodes, *node = b->node + (size_t)i * n;
    made->part = part;
    made->at = at;
    made->shape = b->shape;
    made->nodes = n;
    made->axial = false;
    for (int k = 0; k < n; k++) {
        memcpy(made->x[k], body->mesh->x[node[k]], sizeof made->x[k]);
    }
    if (part->element->directors) {
        gos__fe_cell_directors(body, n, node, made->director);
        for (int k = 0; k < 3 * n; k++) {
            made->x[k / 3][k % 3] += part->offset * made->director[k / 3][k % 3];
        }
    }
    gos__fe_part_material(part, made->at, &made->material);
}

void gos__fe_gather(const gos_fe_layout *l, unsigned mask, int nodes, const int *node,
                    const double *all, double *own) {
    for (int k = 0, n = 0; k < nodes; k++) {
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            if (mask >> c & 1) {
                own[n++] = all ? all[gos__fe_number(l, node[k], c)] : 0;
            }
        }
    }
}

static gos_status refuse(const gos_fe_body *body, const gos_fe_part *part, int cell,
                         const char *what) {
    return gos__fail_at(body->ctx, GOS_E_INPUT, gos__fe_cell_loc(body, part, cell), part->object,
                        "cell %lld %s", (long long)gos__mesh_cell_tag(body->mesh, cell), what);
}

bool gos__fe_beams(const gos_fe_body *body) {
    bool any = false;
    for (int p = 0; p < body->npart; p++) {
        any = any || body->part[p].element->gram;
    }
    return any;
}

bool gos__fe_eccentric(const gos_fe_body *body) {
    bool any = body->nlayer > 0;
    for (int p = 0; p < body->npart; p++) {
        any = any || body->part[p].layup || body->part[p].offset != 0;
    }
    return any;
}

static double size_of(const gos_mesh *m) {
    double most = 0;
    for (int i = 0; i < m->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            most = fmax(most, fabs(m->x[i][c]));
        }
    }
    return most;
}

static gos_status add_cell(gos_fe_body *body, const gos_fe_part *part, int cell, double size) {
    const gos_fe_element *e = part->element;
    int i;
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    if (!(e->shapes >> b->shape & 1)) {
        char text[200];
        snprintf(text, sizeof text, "is a %s, which %s does not support", kind->name, e->name);
        return refuse(body, part, cell, text);
    }
    if (part->profile) {
        double axis[3][3], length;
        const int *node = b->node + (size_t)i * kind->nodes;
        if (!gos__fe_profile_axes(part->profile, body->mesh->x[node[0]], body->mesh->x[node[1]],
                                  axis, &length)) {
            return refuse(body, part, cell,
                          length > 0 ? "is parallel to the `normal` of its section; choose one "
                                       "perpendicular to the beam"
                                     : "has no length; give it different end nodes");
        }
    }
    for (int k = 0; k < kind->nodes; k++) {
        const int node = b->node[(size_t)i * kind->nodes + k];
        const double *x = body->mesh->x[node];
        if (!(e->freedoms & GOS_FE_UZ) && fabs(x[2]) > ZERO_EXTENT * size) {
            return refuse(body, part, cell, "is not in the plane z = 0; move its nodes there");
        }
        body->freedom.mask[node] |= (unsigned char)e->freedoms;
        body->temperature.mask[node] |= e->heats > 1 ? 3 : 1;
        body->node.mask[node] = 1;
    }
    return GOS_OK;
}

static gos_status add_part(gos_fe_body *body, const gos_fe_part *part, double size) {
    const gos_mesh *m = body->mesh;
    if (part->element->gram && !part->profile) {
        return gos__fail_at(body->ctx, GOS_E_INPUT, part->loc, part->object, "%s needs a section",
                            part->element->name);
    }
    if (part->element->thick && !(part->thickness > 0)) {
        return gos__fail_at(body->ctx, GOS_E_INPUT, part->loc, part->object,
                            "%s needs a thickness greater than 0", part->element->name);
    }
    for (int k = 0; k < (part->cell ? part->n : m->ncell); k++) {
        const int cell = part->cell ? part->cell[k] : k;
        int i;
        const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
        if (!part->cell && gos__cell_kind[b->shape].dim != part->element->dim) {
            continue;
        }
        if (body->part_of[cell] >= 0) {
            return refuse(body, part, cell, "already has a material; each cell must have one");
        }
        body->part_of[cell] = (int)(part - body->part);
        body->at_of[cell] = k;
        GOS_TRY(add_cell(body, part, cell, size));
    }
    return GOS_OK;
}

/* A beam end on a solid's node, without rotations, would be a free hinge. */
static gos_status check_hinges(const gos_fe_body *body) {
    unsigned char *flat = gos__zalloc(body->ctx, (size_t)body->mesh->nnode + 1, sizeof *flat);
    GOS_TRY(flat ? GOS_OK : GOS_E_MEMORY);
    gos_status status = GOS_OK;
    // pass 1 marks nodes of surfaces and solids (1) and rotations (2), pass 2 checks beams
    for (int k = 0; k < 2 * body->mesh->ncell && status == GOS_OK; k++) {
        const int cell = k % body->mesh->ncell, own = body->part_of[cell];
        const gos_fe_part *part = own < 0 ? NULL : &body->part[own];
        int i;
        const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
        const int n = gos__cell_kind[b->shape].nodes;
        for (int j = 0; part && j < n; j++) {
            const int node = b->node[(size_t)i * n + j];
            if (k < body->mesh->ncell && part->element->dim > 1) {
                flat[node] |= part->element->freedoms & GOS_FE_RX ? 2 : 1;
            } else if (k >= body->mesh->ncell && part->element->gram && flat[node] == 1) {
                status = refuse(body, part, cell,
                                "ends on a node of cells without rotations, where it would be "
                                "hinged; beams must end on nodes of shells or beams");
                break;
            }
        }
    }
    gos__free(body->ctx, flat);
    return status;
}

/* ---- creation and destruction ---------------------------------------------------------------- */

static gos_status room(gos_fe_body *body, gos_fe_layout *l) {
    l->mask = gos__zalloc(body->ctx, (size_t)body->mesh->nnode + 1, sizeof *l->mask);
    return l->mask ? GOS_OK : GOS_E_MEMORY;
}

static gos_status make(gos_fe_body *body) {
    const double size = size_of(body->mesh);
    const size_t n = (size_t)body->mesh->ncell + 1;
    body->part_of = gos__alloc(body->ctx, n, sizeof *body->part_of);
    body->at_of = gos__zalloc(body->ctx, n, sizeof *body->at_of);
    GOS_TRY(body->part_of && body->at_of ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < body->mesh->ncell; i++) {
        body->part_of[i] = -1;
    }
    GOS_TRY(room(body, &body->freedom));
    GOS_TRY(room(body, &body->temperature));
    GOS_TRY(room(body, &body->node));
    for (int p = 0; p < body->npart; p++) {
        GOS_TRY(add_part(body, &body->part[p], size));
    }
    GOS_TRY(gos__fe_beams(body) ? check_hinges(body) : GOS_OK);
    GOS_TRY(gos__fe_directors(body));
    GOS_TRY(gos__fe_graph(body));
    GOS_TRY(gos__fe_layout_close(body, &body->freedom));
    GOS_TRY(gos__fe_layout_close(body, &body->temperature));
    return gos__fe_layout_close(body, &body->node);
}

gos_status gos__fe_body_create(gos_ctx *ctx, const gos_mesh *mesh, int npart,
                               const gos_fe_part *part, gos_fe_body **body) {
    gos_fe_body *b = gos__zalloc(ctx, 1, sizeof *b);
    if (!b) {
        return GOS_E_MEMORY;
    }
    *b = (gos_fe_body){.ctx = ctx, .mesh = mesh, .npart = npart, .part = part};
    const gos_status status = make(b);
    if (status != GOS_OK) {
        gos__fe_body_destroy(b);
        return status;
    }
    *body = b;
    return GOS_OK;
}

static void free_layout(gos_ctx *ctx, gos_fe_layout *l) {
    gos__free(ctx, l->mask);
    gos__free(ctx, l->first);
    gos__free(ctx, l->offset);
}

void gos__fe_body_destroy(gos_fe_body *b) {
    if (!b) {
        return;
    }
    gos__free(b->ctx, b->part_of);
    gos__free(b->ctx, b->at_of);
    free_layout(b->ctx, &b->freedom);
    free_layout(b->ctx, &b->temperature);
    free_layout(b->ctx, &b->node);
    gos__sparse_free(b->ctx, &b->K);
    gos__sparse_free(b->ctx, &b->mass);
    gos__sparse_free(b->ctx, &b->rotary);
    gos__sparse_free(b->ctx, &b->moment);
    gos__free(b->ctx, b->start);
    gos__free(b->ctx, b->near);
    gos__free(b->ctx, b->director);
    gos__free(b->ctx, b);
}

void gos__fe_body_layers(gos_fe_body *b, int n, const gos_fe_part *layer) {
    b->nlayer = n;
    b->layer = layer;
}

gos_status gos__fe_body_mechanics(gos_fe_body *b) {
    gos__sparse_free(b->ctx, &b->K);
    gos__sparse_free(b->ctx, &b->mass);
    gos__sparse_free(b->ctx, &b->rotary);
    gos__sparse_free(b->ctx, &b->moment);
    return gos__fe_assemble(b,
                            &(const gos_fe_sums){.K = &b->K,
                                                 .mass = &b->mass,
                                                 .rotary = b->director ? &b->rotary : NULL,
                                                 .moment = gos__fe_eccentric(b) ? &b->moment : NULL,
                                                 .across = &b->across});
}

gos_status gos__fe_body_heat(const gos_fe_body *b, gos_fe_heat *heat) {
    *heat = (gos_fe_heat){0};
    return gos__fe_assemble(
        b, &(const gos_fe_sums){.C = &heat->C, .conduct = &heat->K, .couple = &heat->couple});
}

gos_status gos__fe_body_conduction(const gos_fe_body *b, gos_fe_heat *heat) {
    *heat = (gos_fe_heat){0};
    return gos__fe_assemble(b, &(const gos_fe_sums){.C = &heat->C, .conduct = &heat->K});
}

gos_status gos__fe_body_stress_stiffness(const gos_fe_body *b, const double *u, const double *t,
                                         gos_sparse *G) {
    *G = (gos_sparse){0};
    return gos__fe_assemble(b, &(const gos_fe_sums){.G = G, .u = u, .t = t});
}

void gos__fe_heat_free(gos_ctx *ctx, gos_fe_heat *heat) {
    gos__sparse_free(ctx, &heat->C);
    gos__sparse_free(ctx, &heat->K);
    gos__sparse_free(ctx, &heat->couple);
}
