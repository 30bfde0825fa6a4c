/* Public interface to make and describe a model's meshes. */
#include <math.h>

#include "gossamer/mesh.h"
#include "mesh/generate.h"
#include "mesh/mesh.h"
#include "mesh/shapes.h"

/* Cell and side sizes, and cell shape quality from Jacobian determinants at quadrature points. */

/* a cell or side in space */
typedef struct piece {
    gos_cell_shape shape;
    double x[GOS_CELL_NODES][3];
} piece;

static void take(const gos_mesh *m, gos_cell_shape shape, const int *node, piece *p) {
    p->shape = shape;
    for (int k = 0; k < gos__cell_kind[shape].nodes; k++) {
        memcpy(p->x[k], m->x[node[k]], sizeof p->x[k]);
    }
}

static bool is_flat(const gos_mesh *m) {
    for (int i = 1; i < m->nnode; i++) {
        if (m->x[i][2] != m->x[0][2]) {
            return false;
        }
    }
    return true;
}

/* lines: length; surfaces: area and normal; solids: determinant */
static double determinant(piece *p, const double at[3], double normal[3]) {
    const gos_cell_kind *kind = &gos__cell_kind[p->shape];
    double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], grad[GOS_CELL_NODES][3];
    gos__shape(p->shape, at, N, dN);
    if (kind->dim == 3) {
        return gos__shape_gradient(3, kind->nodes, p->x, dN, grad);
    }
    if (kind->dim == 2) {
        return gos__shape_normal(2, kind->nodes, p->x, dN, normal);
    }
    double t[3] = {0};
    for (int k = 0; k < kind->nodes; k++) {
        for (int c = 0; c < 3; c++) {
            t[c] += dN[k][0] * p->x[k][c];
        }
    }
    return hypot(hypot(t[0], t[1]), t[2]);
}

/* size of a piece and its smallest determinant (1 for a natural cell); `up`: reference normal for
   surfaces, NULL: that at their middle */
static double measure(piece *p, const double up[3], double *smallest) {
    gos_rule rule;
    double reference[3] = {0}, normal[3], middle[3] = {0}, sum = 0, natural = 0;
    gos__rule(p->shape, GOS_RULE_MASS, &rule);
    *smallest = HUGE_VAL;
    for (int k = 0; k < rule.n; k++) {
        for (int c = 0; c < 3; c++) {
            middle[c] += rule.at[k][c] / rule.n;
        }
    }
    if (up) {
        memcpy(reference, up, sizeof reference);
    } else {
        (void)determinant(p, middle, reference);
    }
    for (int k = 0; k < rule.n; k++) {
        double det = determinant(p, rule.at[k], normal);
        if (gos__cell_kind[p->shape].dim == 2) {
            det *= normal[0] * reference[0] + normal[1] * reference[1] + normal[2] * reference[2];
        }
        sum += det * rule.weight[k];
        natural += rule.weight[k];
        *smallest = fmin(*smallest, det);
    }
    *smallest *= natural;
    return sum;
}

void gos__mesh_inspect(const gos_mesh *m, gos_mesh_quality *q) {
    static const double e_z[3] = {0, 0, 1};
    const double *up = is_flat(m) ? e_z : NULL;
    *q = (gos_mesh_quality){.least = HUGE_VAL, .worst = -1, .first = -1};
    for (int b = 0; b < m->nblock; b++) {
        const int dim = gos__cell_kind[m->block[b].shape].dim;
        q->dim = m->block[b].n > 0 && dim > q->dim ? dim : q->dim;
    }
    for (int b = 0; b < m->nblock; b++) {
        const gos_cell_block *block = &m->block[b];
        const gos_cell_kind *kind = &gos__cell_kind[block->shape];
        for (int i = 0; q->dim > 0 && kind->dim == q->dim && i < block->n; i++) {
            piece p;
            double smallest;
            take(m, block->shape, block->node + (size_t)i * kind->nodes, &p);
            const double size = measure(&p, up, &smallest);
            const double ratio = smallest > 0 ? smallest / size : smallest <= 0 ? -1 : 0;
            q->size += size;
            if (ratio < q->least) {
                q->least = ratio;
                q->worst = block->first + i;
            }
            if (!(smallest > 0)) {
                q->first = q->inverted == 0 ? block->first + i : q->first;
                q->inverted++;
            }
        }
    }
}

static double mesh_side_size(const gos_mesh *m, int cell, int side) {
    int node[GOS_CELL_SIDE_NODES], i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    piece p;
    double smallest;
    gos__mesh_side(m, cell, side, node);
    take(m, gos__cell_kind[b->shape].side[side], node, &p);
    return measure(&p, NULL, &smallest);
}

const char *gos_mesh_name(const gos_model *model, int i) {
    const gos_node *map = gos__node_get(model->root, "meshes");
    const gos_node *e = map && map->kind == GOS_MAP ? map->child : NULL;
    for (; e && i > 0; i--) {
        e = e->next;
    }
    return e && i == 0 ? e->key : NULL;
}

gos_status gos_mesh_create(gos_ctx *ctx, gos_model *model, const char *name, gos_mesh **mesh) {
    const gos_node *map = gos__node_get(model->root, "meshes");
    const gos_node *entry = map && map->kind == GOS_MAP ? gos__node_get(map, name) : NULL;
    if (!entry) {
        return gos__fail(ctx, GOS_E_INPUT, "the model has no mesh '%.64s'; add it under 'meshes:'",
                         name);
    }
    GOS_TRY(gos__model_parameters(model));
    char object[GOS_LIMIT_NAME + 20];
    gos__format(object, sizeof object, "mesh '%.64s'", name);
    return gos__mesh_make(model, entry, object, mesh);
}

void gos_mesh_destroy(gos_mesh *mesh) {
    gos__mesh_destroy(mesh);
}

/* ---- describing ------------------------------------------------------------------------------ */

static void put(FILE *out, const char *fmt, ...) GOS_PRINTF(2, 3);

static void put(FILE *out, const char *fmt, ...) {
    char text[400];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    for (char *c = text; *c; c++) { // names come from files
        *c = (unsigned char)*c < ' ' && *c != '\n' ? '?' : *c;
    }
    (void)fputs(text, out);
}

static void put_cells(const gos_mesh *m, FILE *out) {
    const char *before = "cells        ";
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        int n = 0;
        for (int b = 0; b < m->nblock; b++) {
            n += (int)m->block[b].shape == s ? m->block[b].n : 0;
        }
        if (n > 0) {
            put(out, "%s%d %s", before, n, gos__cell_kind[s].name);
            before = ", ";
        }
    }
    put(out, "\n");
}

/* unit: " m", or "" if unknown; powers of it likewise */
static void put_extent(const gos_mesh *m, const char *unit, FILE *out) {
    for (int c = 0; c < 3; c++) {
        double lo = m->x[0][c], hi = lo;
        for (int i = 1; i < m->nnode; i++) {
            lo = m->x[i][c] < lo ? m->x[i][c] : lo;
            hi = m->x[i][c] > hi ? m->x[i][c] : hi;
        }
        put(out, "%c            %.9g to %.9g%s\n", "xyz"[c], lo, hi, unit);
    }
}

static void put_sets(const char *title, const gos_mesh_set *set, int n, FILE *out) {
    for (int i = 0; i < n; i++) {
        put(out, "%-12s %-20s %d\n", i == 0 ? title : "", set[i].name, set[i].n);
    }
}

static void put_surfaces(const gos_mesh *m, int dim, const char *unit, FILE *out) {
    for (int i = 0; i < m->nsurface; i++) {
        const gos_mesh_surface *s = &m->surface[i];
        double size = 0;
        for (int k = 0; k < s->n; k++) {
            size += mesh_side_size(m, s->cell[k], s->side[k]);
        }
        put(out, "%-12s %-20s %d, %.9g%s%s\n", i == 0 ? "sides" : "", s->name, s->n, size, unit,
            dim == 3 && *unit ? "^2" : "");
    }
}

static gos_loc loc_of(const gos_mesh *m, int cell) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    return (gos_loc){m->source, b->line ? b->line[i] : 0, 0};
}

static void warn_inverted(gos_ctx *ctx, const gos_mesh *m, const gos_mesh_quality *q) {
    if (q->inverted > 0) {
        gos__warn(ctx, loc_of(m, q->first), NULL,
                  "%d cells are inverted or self-intersecting, the first is %lld: reverse the "
                  "order of their nodes, or remesh",
                  q->inverted, (long long)gos__mesh_cell_tag(m, q->first));
    }
}

gos_status gos_mesh_describe(gos_ctx *ctx, const gos_mesh *m, const char *length, FILE *out) {
    static const char *const names[] = {"", "length", "area", "volume"};
    static const char *const powers[] = {"", "", "^2", "^3"};
    char unit[16] = "";
    if (length && *length) {
        gos__format(unit, sizeof unit, " %.10s", length);
    }
    gos_mesh_quality q;
    gos__mesh_inspect(m, &q);
    put(out, "nodes        %d\n", m->nnode);
    put_cells(m, out);
    put_extent(m, unit, out);
    if (q.dim > 0) {
        put(out, "%-12s %.9g%s%s\n", names[q.dim], q.size, unit, *unit ? powers[q.dim] : "");
        put(out, "shape        smallest determinant %.3g of the mean of its cell, in cell %lld\n",
            q.least > 0 ? q.least : 0.0, (long long)gos__mesh_cell_tag(m, q.worst));
    }
    put_sets("node sets", m->node_set, m->nnode_set, out);
    put_sets("cell sets", m->cell_set, m->ncell_set, out);
    put_surfaces(m, q.dim, unit, out);
    warn_inverted(ctx, m, &q);
    return ferror(out) ? gos__fail(ctx, GOS_E_FILE, "cannot write the mesh description") : GOS_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_cells(const gos_mesh *m, FILE *out) {
    const char *before = "";
    (void)fputs(", \"cells\": {", out);
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        int n = 0;
        for (int b = 0; b < m->nblock; b++) {
            n += (int)m->block[b].shape == s ? m->block[b].n : 0;
        }
        if (n > 0) {
            put(out, "%s\"%s\": %d", before, gos__cell_kind[s].name, n);
            before = ", ";
        }
    }
    (void)fputc('}', out);
}

static void json_extent(const gos_mesh *m, FILE *out) {
    (void)fputs(", \"extent\": [", out);
    for (int c = 0; c < 3; c++) {
        double lo = m->x[0][c], hi = lo;
        for (int i = 1; i < m->nnode; i++) {
            lo = fmin(lo, m->x[i][c]);
            hi = fmax(hi, m->x[i][c]);
        }
        (void)fputs(c > 0 ? ", [" : "[", out);
        gos_json_number(out, lo);
        (void)fputs(", ", out);
        gos_json_number(out, hi);
        (void)fputc(']', out);
    }
    (void)fputc(']', out);
}

static void json_sets(const char *key, const gos_mesh_set *set, int n, FILE *out) {
    put(out, ", \"%s\": {", key);
    for (int i = 0; i < n; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        gos_json_text(out, set[i].name);
        put(out, ": %d", set[i].n);
    }
    (void)fputc('}', out);
}

static void json_surfaces(const gos_mesh *m, FILE *out) {
    (void)fputs(", \"sides\": {", out);
    for (int i = 0; i < m->nsurface; i++) {
        const gos_mesh_surface *s = &m->surface[i];
        double size = 0;
        for (int k = 0; k < s->n; k++) {
            size += mesh_side_size(m, s->cell[k], s->side[k]);
        }
        (void)fputs(i > 0 ? ", " : "", out);
        gos_json_text(out, s->name);
        put(out, ": {\"number\": %d, \"size\": ", s->n);
        gos_json_number(out, size);
        (void)fputc('}', out);
    }
    (void)fputc('}', out);
}

gos_status gos_mesh_write_json(gos_ctx *ctx, const gos_mesh *m, FILE *out) {
    gos_mesh_quality q;
    gos__mesh_inspect(m, &q);
    put(out, "{\"nodes\": %d", m->nnode);
    json_cells(m, out);
    json_extent(m, out);
    put(out, ", \"dimension\": %d, \"size\": ", q.dim);
    gos_json_number(out, q.dim > 0 ? q.size : (double)NAN);
    (void)fputs(", \"smallest_determinant\": ", out);
    gos_json_number(out, q.dim > 0 ? fmax(q.least, 0) : (double)NAN);
    put(out, ", \"worst_cell\": %lld, \"inverted\": %d",
        q.dim > 0 ? (long long)gos__mesh_cell_tag(m, q.worst) : 0, q.inverted);
    json_sets("node_sets", m->node_set, m->nnode_set, out);
    json_sets("cell_sets", m->cell_set, m->ncell_set, out);
    json_surfaces(m, out);
    (void)fputc('}', out);
    warn_inverted(ctx, m, &q);
    return ferror(out) ? gos__fail(ctx, GOS_E_FILE, "cannot write the mesh description") : GOS_OK;
}
