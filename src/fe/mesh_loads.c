/* Quadrature over surfaces and volumes of mesh bodies. */
#include "fe/mesh_loads.h"

#include <math.h>

#include "fe/beam_section.h"

#define TURN (2 * 3.14159265358979323846)

/* ---- points ---------------------------------------------------------------------------------- */

static const gos_fe_part *part_of(const gos_fe_body *body, int cell) {
    const int part = body->part_of[cell];
    return part < 0 ? NULL : &body->part[part];
}

static gos_status refuse(const gos_fe_body *body, const gos_fe_part *part, int cell,
                         const char *what) {
    return gos__fail_at(body->ctx, GOS_E_INPUT,
                        part ? gos__fe_cell_loc(body, part, cell) : (gos_loc){0},
                        part ? part->object : NULL, "cell %lld %s",
                        (long long)gos__mesh_cell_tag(body->mesh, cell), what);
}

/* one point, or two through the thickness for heat */
static gos_status visit_depth(gos_fe_point *p, double thickness, bool levels,
                              gos_fe_point_function *visit, void *arg) {
    p->weight *= levels ? thickness / 2 : thickness;
    for (int k = 0; k < (levels ? 2 : 1); k++) {
        p->zeta = levels ? (k ? 0.5 : -0.5) * thickness / sqrt(3.0) : 0;
        GOS_TRY(visit(p, arg));
    }
    return GOS_OK;
}

static double radius_at(const gos_fe_point *p, double (*x)[3]) {
    double r = 0;
    for (int k = 0; k < p->nodes; k++) {
        r += p->N[k] * x[k][0];
    }
    return r;
}

/* length per natural coordinate, and in-surface outward normal */
static double edge_normal(const gos_fe_body *body, const gos_fe_point *p, double (*x)[3],
                          double (*dN)[3], double normal[3]) {
    double t[3] = {0}, n[3] = {0};
    for (int k = 0; k < p->nodes; k++) {
        for (int c = 0; c < 3; c++) {
            t[c] += dN[k][0] * x[k][c];
            n[c] += p->N[k] * body->director[p->node[k]][c];
        }
    }
    for (int c = 0; c < 3; c++) {
        const int q = (c + 1) % 3, r = (c + 2) % 3;
        normal[c] = t[q] * n[r] - t[r] * n[q];
    }
    const double size = hypot(hypot(normal[0], normal[1]), normal[2]);
    for (int c = 0; c < 3 && size > 0; c++) {
        normal[c] /= size;
    }
    return hypot(hypot(t[0], t[1]), t[2]);
}

static gos_status visit_shape(const gos_fe_body *body, const gos_fe_part *part, int cell,
                              gos_cell_shape shape, const int *node, int face,
                              gos_fe_point_function *visit, void *arg) {
    const gos_fe_element *e = part->element;
    const gos_cell_kind *kind = &gos__cell_kind[shape];
    double x[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3];
    gos_rule rule;
    for (int k = 0; k < kind->nodes; k++) {
        memcpy(x[k], body->mesh->x[node[k]], sizeof x[k]);
    }
    gos__rule(shape, GOS_RULE_MASS, &rule);
    for (int g = 0; g < rule.n; g++) {
        gos_fe_point p = {.nodes = kind->nodes, .node = node, .N = N, .cell = cell};
        gos__shape(shape, rule.at[g], N, dN);
        p.weight =
            rule.weight[g] * (kind->dim == 1 && e->directors
                                  ? edge_normal(body, &p, x, dN, p.normal)
                                  : gos__shape_normal(kind->dim, kind->nodes, x, dN, p.normal));
        if (face != 0) {
            p.zeta = e->directors ? face * part->thickness / 2 : 0;
            for (int c = 0; c < 3; c++) {
                p.normal[c] *= face;
            }
            GOS_TRY(visit(&p, arg));
        } else {
            const double depth = e->ring       ? TURN * radius_at(&p, x)
                                 : e->dim == 2 ? part->thickness
                                               : 1;
            GOS_TRY(visit_depth(&p, depth, e->directors, visit, arg));
        }
    }
    return GOS_OK;
}

/* points along a beam, length times `by`: perimeter or area */
static gos_status visit_beam(const gos_fe_body *body, int cell, double by,
                             gos_fe_point_function *visit, void *arg) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    const int *node = b->node + 2 * (size_t)i;
    const double *x = body->mesh->x[node[0]], *y = body->mesh->x[node[1]];
    const double half = 0.5 * hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]);
    double N[GOS_CELL_NODES];
    gos_rule rule;
    gos__rule(b->shape, GOS_RULE_MASS, &rule);
    for (int g = 0; g < rule.n; g++) {
        gos__shape(b->shape, rule.at[g], N, NULL);
        const gos_fe_point p = {
            .nodes = 2, .node = node, .N = N, .cell = cell, .weight = rule.weight[g] * half * by};
        GOS_TRY(visit(&p, arg));
    }
    return GOS_OK;
}

static gos_status visit_side(const gos_fe_body *body, const gos_fe_part *part, int cell, int side,
                             gos_fe_point_function *visit, void *arg) {
    int i, node[GOS_CELL_SIDE_NODES];
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    gos__mesh_side(body->mesh, cell, side, node);
    return visit_shape(body, part, cell, gos__cell_kind[b->shape].side[side], node, 0, visit, arg);
}

gos_status gos__fe_visit_area(const gos_fe_body *body, const gos_fe_area *area,
                              gos_fe_point_function *visit, void *arg) {
    for (int k = 0; k < area->n; k++) {
        const int cell = area->cell[k];
        const gos_fe_part *part = part_of(body, cell);
        if (!part) {
            return refuse(body, NULL, cell,
                          "has no material; loads must act on cells with a material");
        }
        if (area->side) {
            GOS_TRY(visit_side(body, part, cell, area->side[k], visit, arg));
            continue;
        }
        int i;
        const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
        if (part->profile && part->profile->perimeter > 0) {
            GOS_TRY(visit_beam(body, cell, part->profile->perimeter, visit, arg));
            continue;
        }
        if (part->profile) {
            return refuse(body, part, cell, "has a section without perimeter; give it one");
        }
        if (part->element->dim != 2 || part->element->ring) {
            return refuse(body, part, cell, "is not a surface; give its sides");
        }
        const int *node = b->node + (size_t)i * gos__cell_kind[b->shape].nodes;
        GOS_TRY(visit_shape(body, part, cell, b->shape, node, area->face < 0 ? -1 : 1, visit, arg));
    }
    return GOS_OK;
}

static gos_status visit_cell(const gos_fe_body *body, const gos_fe_part *part, int cell,
                             gos_fe_point_function *visit, void *arg) {
    const gos_fe_element *e = part->element;
    int i;
    if (part->profile) {
        return visit_beam(body, cell, part->profile->A, visit, arg);
    }
    const gos_cell_block *b = gos__mesh_cell(body->mesh, cell, &i);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    const int *node = b->node + (size_t)i * kind->nodes;
    double x[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], normal[3];
    double grad[GOS_CELL_NODES][3];
    gos_rule rule;
    for (int k = 0; k < kind->nodes; k++) {
        memcpy(x[k], body->mesh->x[node[k]], sizeof x[k]);
    }
    gos__rule(b->shape, e->reduced ? GOS_RULE_REDUCED_MASS : GOS_RULE_MASS, &rule);
    for (int g = 0; g < rule.n; g++) {
        gos_fe_point p = {.nodes = kind->nodes, .node = node, .N = N, .cell = cell};
        gos__shape(b->shape, rule.at[g], N, dN);
        p.weight =
            rule.weight[g] * (e->dim == 3 ? gos__shape_gradient(3, kind->nodes, x, dN, grad)
                                          : gos__shape_normal(2, kind->nodes, x, dN, normal));
        const double depth = e->ring ? TURN * radius_at(&p, x) : e->dim == 2 ? part->thickness : 1;
        GOS_TRY(visit_depth(&p, depth, e->directors, visit, arg));
    }
    return GOS_OK;
}

gos_status gos__fe_visit_volume(const gos_fe_body *body, int n, const int *cell,
                                gos_fe_point_function *visit, void *arg) {
    for (int k = 0; k < (cell ? n : body->mesh->ncell); k++) {
        const int c = cell ? cell[k] : k;
        const gos_fe_part *part = part_of(body, c);
        if (part) {
            GOS_TRY(visit_cell(body, part, c, visit, arg));
        } else if (cell) {
            return refuse(body, NULL, c,
                          "has no material; loads must act on cells with a material");
        }
    }
    return GOS_OK;
}

/* ---- heat ------------------------------------------------------------------------------------ */

typedef struct sums {
    const gos_fe_body *body;
    double magnitude, force[3];
    double *to;
    size_t n;
    int *i, *j;
    double *x;
} sums;

static gos_status add_size(const gos_fe_point *p, void *arg) {
    *(double *)arg += p->weight;
    return GOS_OK;
}

gos_status gos__fe_area_size(const gos_fe_body *body, const gos_fe_area *area, double *size) {
    *size = 0;
    return gos__fe_visit_area(body, area, add_size, size);
}

static int temperatures_at(const gos_fe_body *body, const gos_fe_point *p, int *number,
                           double *by) {
    int n = 0;
    for (int k = 0; k < p->nodes; k++) {
        for (int c = 0; c < GOS_FE_HEATS; c++) {
            const int t = gos__fe_number(&body->temperature, p->node[k], c);
            if (t >= 0 && (c == 0 || p->zeta != 0)) {
                number[n] = t;
                by[n++] = c == 0 ? p->N[k] : p->zeta * p->N[k];
            }
        }
    }
    return n;
}

static gos_status add_heat(const gos_fe_point *p, void *arg) {
    sums *s = arg;
    int number[GOS_FE_HEATS * GOS_CELL_NODES];
    double by[GOS_FE_HEATS * GOS_CELL_NODES];
    const int n = temperatures_at(s->body, p, number, by);
    for (int k = 0; k < n; k++) {
        s->to[number[k]] += s->magnitude * p->weight * by[k];
    }
    return GOS_OK;
}

static gos_status add_film(const gos_fe_point *p, void *arg) {
    sums *s = arg;
    int number[GOS_FE_HEATS * GOS_CELL_NODES];
    double by[GOS_FE_HEATS * GOS_CELL_NODES];
    const int n = temperatures_at(s->body, p, number, by);
    for (int k = 0; k < n * n; k++) {
        if (s->x) {
            s->i[s->n] = number[k / n];
            s->j[s->n] = number[k % n];
            s->x[s->n] = p->weight * by[k / n] * by[k % n];
        }
        s->n++;
    }
    return GOS_OK;
}

static gos_status make_film(sums *s, const gos_fe_area *area, gos_sparse *F) {
    const int n = s->body->temperature.n;
    GOS_TRY(gos__fe_visit_area(s->body, area, add_film, s)); // counting pass
    if (s->n > INT32_MAX) {
        return gos__fail(s->body->ctx, GOS_E_LIMIT,
                         "the film has too many sides; use a smaller surface");
    }
    s->i = gos__alloc(s->body->ctx, s->n + 1, sizeof *s->i);
    s->j = gos__alloc(s->body->ctx, s->n + 1, sizeof *s->j);
    s->x = gos__alloc(s->body->ctx, s->n + 1, sizeof *s->x);
    s->n = 0;
    GOS_TRY(s->i && s->j && s->x ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__fe_visit_area(s->body, area, add_film, s));
    GOS_TRY(gos__sparse_from_triplets(s->body->ctx, n, n, (int)s->n, s->i, s->j, s->x, F));
    gos__sparse_merge(F);
    return GOS_OK;
}

gos_status gos__fe_film(const gos_fe_body *body, const gos_fe_area *area, gos_sparse *F) {
    sums s = {.body = body};
    const gos_status status = make_film(&s, area, F);
    gos__free(body->ctx, s.i);
    gos__free(body->ctx, s.j);
    gos__free(body->ctx, s.x);
    return status;
}

gos_status gos__fe_flux(const gos_fe_body *body, const gos_fe_area *area, double flux,
                        double *heat) {
    sums s = {.body = body, .magnitude = flux, .to = heat};
    return gos__fe_visit_area(body, area, add_heat, &s);
}

gos_status gos__fe_source(const gos_fe_body *body, int n, const int *cell, double power,
                          double *heat) {
    sums s = {.body = body, .magnitude = power, .to = heat};
    return gos__fe_visit_volume(body, n, cell, add_heat, &s);
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* off the surface also by height times theta x n */
static void add_force(const gos_fe_body *b, const gos_fe_point *p, const double f[3], double *to) {
    const double height = p->zeta + part_of(b, p->cell)->offset;
    for (int k = 0; k < p->nodes; k++) {
        for (int c = 0; c < 3; c++) {
            const int move = gos__fe_number(&b->freedom, p->node[k], c);
            const int turn = gos__fe_number(&b->freedom, p->node[k], 3 + c);
            if (move >= 0) {
                to[move] += p->weight * p->N[k] * f[c];
            }
            if (turn >= 0 && b->director) {
                const double *n = b->director[p->node[k]];
                const int q = (c + 1) % 3, r = (c + 2) % 3;
                to[turn] += p->weight * height * p->N[k] * (n[q] * f[r] - n[r] * f[q]);
            }
        }
    }
}

static gos_status add_traction(const gos_fe_point *p, void *arg) {
    const sums *s = arg;
    add_force(s->body, p, s->force, s->to);
    return GOS_OK;
}

static gos_status add_pressure(const gos_fe_point *p, void *arg) {
    const sums *s = arg;
    const double f[3] = {-s->magnitude * p->normal[0], -s->magnitude * p->normal[1],
                         -s->magnitude * p->normal[2]};
    add_force(s->body, p, f, s->to);
    return GOS_OK;
}

gos_status gos__fe_traction(const gos_fe_body *body, const gos_fe_area *area,
                            const double traction[3], double *load) {
    sums s = {.body = body, .force = {traction[0], traction[1], traction[2]}, .to = load};
    return gos__fe_visit_area(body, area, add_traction, &s);
}

gos_status gos__fe_pressure(const gos_fe_body *body, const gos_fe_area *area, double pressure,
                            double *load) {
    sums s = {.body = body, .magnitude = pressure, .to = load};
    return gos__fe_visit_area(body, area, add_pressure, &s);
}

gos_status gos__fe_body_force(const gos_fe_body *body, int n, const int *cell,
                              const double force[3], double *load) {
    sums s = {.body = body, .force = {force[0], force[1], force[2]}, .to = load};
    return gos__fe_visit_volume(body, n, cell, add_traction, &s);
}
