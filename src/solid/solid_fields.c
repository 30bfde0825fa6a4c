/* Smooth fields of a solid (theory 8): Legendre products P_i(x) P_j(y) P_k(z) on the bounding box,
 * sorted by i + j + k, orthonormalised over the nodes; dependent ones are dropped. Matrices and
 * points are those of the mesh. */
#include <math.h>

#include "solid/solid.h"
#include "math/gauss.h"

/* Drawn nodes of a solid: mesh nodes, with a copy per material at interfaces for its stress. */

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

#define MOST_DEGREE 40
#define MIN_REMAINDER 1e-6 // least relative remainder of an independent function

typedef struct functions {
    int n, wanted;
    double *v; // (wanted, nnode)
} functions;

static const gos_solid *solid_of(const gos_body *b) {
    return b->par;
}

/* Volume shares of the nodes: scaled diagonal of int N N, all positive. */
static void node_shares(const gos_solid *c, double *share) {
    memset(share, 0, (size_t)c->nnode * sizeof *share);
    for (int i = 0; i < c->nblock; i++) {
        const gos_solid_block *k = &c->block[i];
        gos_rule rule;
        gos__rule(k->shape, GOS_RULE_MASS, &rule);
        for (int e = 0; e < k->n; e++) {
            for (int g = 0; g < rule.n; g++) {
                gos_solid_point p;
                gos__solid_point(c, k, e, rule.at[g], &p);
                for (int j = 0; j < k->nodes; j++) {
                    share[k->node[e * k->nodes + j]] += rule.weight[g] * p.det * p.N[j] * p.N[j];
                }
            }
        }
    }
}

static double product(int n, const double *w, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += w[i] * x[i] * y[i];
    }
    return sum;
}

/* Keeps the candidate in row f->n unless it is dependent. */
static void orthogonalise(int nn, const double *share, functions *f) {
    double *x = f->v + (long)f->n * nn;
    const double whole = product(nn, share, x, x);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < f->n; k++) {
            const double *q = f->v + (long)k * nn, s = product(nn, share, q, x);
            for (int i = 0; i < nn; i++) {
                x[i] -= s * q[i];
            }
        }
    }
    const double left = product(nn, share, x, x);
    if (!(left > MIN_REMAINDER * MIN_REMAINDER * whole)) {
        return;
    }
    for (int i = 0; i < nn; i++) {
        x[i] /= sqrt(left);
    }
    f->n++;
}

/* P_i at all nodes: table (3, degree + 1, nnode) */
static void legendre_table(const gos_solid *c, int degree, double *table) {
    for (int d = 0; d < 3; d++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL, P[MOST_DEGREE + 1], dP[MOST_DEGREE + 1];
        for (int i = 0; i < c->nnode; i++) {
            lo = fmin(lo, c->x[i][d]);
            hi = fmax(hi, c->x[i][d]);
        }
        for (int i = 0; i < c->nnode; i++) {
            gos__legendre(degree, 2 * (c->x[i][d] - lo) / (hi - lo) - 1, P, dP);
            for (int k = 0; k <= degree; k++) {
                table[((long)d * (degree + 1) + k) * c->nnode + i] = P[k];
            }
        }
    }
}

static void fill_functions(const gos_solid *c, const double *share, int degree, const double *table,
                           functions *f) {
    const int nn = c->nnode;
    for (int sum = 0; sum <= degree; sum++) {
        for (int i = sum; i >= 0; i--) {
            for (int j = sum - i; j >= 0; j--) {
                const double *a = table + (long)i * nn;
                const double *b = table + (long)(degree + 1 + j) * nn;
                const double *e = table + (long)(2 * (degree + 1) + sum - i - j) * nn;
                if (f->n == f->wanted) {
                    return;
                }
                for (int k = 0; k < nn; k++) {
                    f->v[(long)f->n * nn + k] = a[k] * b[k] * e[k];
                }
                orthogonalise(nn, share, f);
            }
        }
    }
}

/* ---- matrices -------------------------------------------------------------------------------- */

typedef double weight_fn(const gos_material *m);

static double mass_of(const gos_material *m) {
    return m->density;
}

static double capacity_of(const gos_material *m) {
    return m->density * m->specific_heat;
}

static double conduction_of(const gos_material *m) {
    return m->conductivity;
}

/* (n, n) int by_f f f and int by_grad grad f . grad f; grad may be NULL */
static void add_matrices(const gos_solid *c, const functions *f, weight_fn *by_f, double *mass,
                         weight_fn *by_grad, double *grad) {
    const int n = f->n, nn = c->nnode;
    for (int i = 0; i < c->nblock; i++) {
        const gos_solid_block *k = &c->block[i];
        for (int use = 0; use < (grad ? 2 : 1); use++) {
            gos_rule rule;
            const double factor = (use ? by_grad : by_f)(c->part[k->part].material);
            gos__rule(k->shape, use ? GOS_RULE_STIFFNESS : GOS_RULE_MASS, &rule);
            for (int q = 0; q < k->n * rule.n; q++) {
                const int e = q / rule.n, g = q % rule.n;
                const int *node = k->node + (long)e * k->nodes;
                gos_solid_point p;
                gos__solid_point(c, k, e, rule.at[g], &p);
                const double w = factor * rule.weight[g] * p.det;
                for (int d = 0; d < (use ? 3 : 1); d++) {
                    double value[GOS_SOLID_FIELDS];
                    for (int a = 0; a < n; a++) {
                        value[a] = 0;
                        for (int j = 0; j < k->nodes; j++) {
                            value[a] +=
                                (use ? p.grad[j][d] : p.N[j]) * f->v[(long)a * nn + node[j]];
                        }
                    }
                    for (int a = 0; a < n * n; a++) {
                        (use ? grad : mass)[a] += w * value[a / n] * value[a % n];
                    }
                }
            }
        }
    }
}

static gos_status allocate(gos_arena *a, const gos_body *b, gos_body_fields *f) {
    const long n = f->n, nt = f->nt, nn = b->nnode;
    f->value = GOS_NEW(a, double, nn *n + 1);
    f->dual = GOS_NEW(a, double, nn *n + 1);
    f->mass = GOS_NEW(a, double, n *n + 1);
    f->tvalue = GOS_NEW(a, double, nn *nt + 1);
    f->tdual = GOS_NEW(a, double, nn *nt + 1);
    f->capacity = GOS_NEW(a, double, nt *nt + 1);
    f->conduction = GOS_NEW(a, double, nt *nt + 1);
    f->b = GOS_NEW(a, double, 1);
    f->N = GOS_NEW(a, double, 1);
    f->w = GOS_NEW(a, double, 1);
    f->ref = GOS_NEW(a, double, 1);
    return f->value && f->dual && f->mass && f->tvalue && f->tdual && f->capacity &&
                   f->conduction && f->b && f->N && f->w && f->ref
               ? GOS_OK
               : GOS_E_MEMORY;
}

/* Fills values (nnode, n) and amplitudes of nodal values (n, nnode). */
static void spread(const functions *f, int n, int nn, const double *share, double *value,
                   double *dual) {
    for (long k = 0; k < n; k++) {
        for (long i = 0; i < nn; i++) {
            value[i * n + k] = f->v[k * nn + i];
            dual[k * nn + i] = share[i] * f->v[k * nn + i];
        }
    }
}

static void fill(const gos_body *b, const functions *f, const double *share, gos_body_fields *to) {
    const gos_solid *c = solid_of(b);
    functions some = *f;
    spread(f, to->n, c->nnode, share, to->value, to->dual);
    spread(f, to->nt, c->nnode, share, to->tvalue, to->tdual);
    some.n = to->n;
    add_matrices(c, &some, mass_of, to->mass, NULL, NULL);
    some.n = to->nt;
    add_matrices(c, &some, capacity_of, to->capacity, conduction_of, to->conduction);
}

gos_status gos__solid_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f) {
    const gos_solid *c = solid_of(b);
    nt = b->nfam ? nt : 0;
    if (npoints > 0) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, b->loc, "reduction",
            "'%s' is a mesh, which has no Gauss points of polynomials; set `fields: modes`",
            b->name);
    }
    functions all = {.wanted = n > nt ? n : nt};
    if (all.wanted > GOS_SOLID_FIELDS) {
        return gos__fail_at(
            ctx, GOS_E_LIMIT, b->loc, "reduction",
            "%d polynomials on '%s' are too many; use at most %d, or take fields from modes",
            all.wanted, b->name, GOS_SOLID_FIELDS);
    }
    int degree = 0; // twice the requested number
    while (degree < MOST_DEGREE &&
           (degree + 1) * (degree + 2) * (degree + 3) / 6 < 2 * all.wanted + 8) {
        degree++;
    }
    double *share = gos__alloc(ctx, c->nnode + 1L, sizeof *share);
    double *table = gos__alloc(ctx, 3L * (degree + 1) * c->nnode + 1, sizeof *table);
    all.v = gos__alloc(ctx, (long)(all.wanted + 1) * c->nnode + 1, sizeof *all.v);
    gos_status status = share && table && all.v ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        node_shares(c, share);
        legendre_table(c, degree, table);
        fill_functions(c, share, degree, table, &all);
        *f = (gos_body_fields){.n = n < all.n ? n : all.n,
                               .nt = nt < all.n ? nt : all.n,
                               .law = b->law,
                               .par = b->law_par};
        status = allocate(a, b, f);
    }
    if (status == GOS_OK) {
        fill(b, &all, share, f);
    }
    gos__free(ctx, share);
    gos__free(ctx, table);
    gos__free(ctx, all.v);
    return status;
}
