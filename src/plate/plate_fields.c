/* Smooth fields of the plate (theory 8): Legendre products P_i(2x/a - 1) P_j(2y/b - 1) on the
 * bounding rectangle a x b, sorted by i + j; orthogonalised by Gram-Schmidt for other outlines.
 * Matrices and points use the polynomials. */
#include <lapacke.h>
#include <math.h>

#include "plate/plate.h"
#include "plate/plate_plies.h"
#include "math/gauss.h"

#define MOST_FIELDS 120 // degree 14
#define MOST_DEGREE 60  // along one side
#define MOST_POINTS 64  // along a side

typedef struct degrees {
    int n, most; // functions; largest degree along a side
    int d[MOST_FIELDS][2];
    // lower triangle, column-major (n, n); NULL: identity
    const double *mix;
} degrees;

/* Sorts functions with degrees at most limit[0], limit[1]. */
static void sort_by_degree(int n, const int limit[2], degrees *o) {
    *o = (degrees){0};
    for (int sum = 0; o->n < n && sum <= limit[0] + limit[1]; sum++) {
        for (int j = 0; j <= sum && o->n < n; j++) {
            if (sum - j <= limit[0] && j <= limit[1]) {
                o->d[o->n][0] = sum - j;
                o->d[o->n++][1] = j;
                o->most = sum - j > o->most ? sum - j : j > o->most ? j : o->most;
            }
        }
    }
}

/* Values and derivatives of the functions at (x, y): rows GOS_SHAPE ... of v (6, n). */
static void functions(const gos_plate *c, const degrees *o, double x, double y, double *v) {
    double P[2][3][MOST_DEGREE + 1] = {{{0}}};
    const double at[2] = {x, y};
    for (int d = 0; d < 2; d++) {
        const double s = 2 / (c->hi[d] - c->lo[d]);
        gos__legendre(o->most, s * (at[d] - c->lo[d]) - 1, P[d][0], P[d][1]);
        for (int k = 2; k <= o->most; k++) {
            P[d][2][k] = P[d][2][k - 2] + (2 * k - 1) * P[d][1][k - 1];
        }
        for (int k = 0; k <= o->most; k++) {
            P[d][1][k] *= s;
            P[d][2][k] *= s * s;
        }
    }
    static const int by[6][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 1}};
    for (int q = 0; q < 6; q++) {
        for (int k = 0; k < o->n; k++) {
            v[q * o->n + k] = P[0][by[q][0]][o->d[k][0]] * P[1][by[q][1]][o->d[k][1]];
        }
        for (int k = o->n - 1; o->mix && k >= 0; k--) {
            double sum = 0;
            for (int j = 0; j <= k; j++) {
                sum += o->mix[j * o->n + k] * v[q * o->n + j];
            }
            v[q * o->n + k] = sum;
        }
    }
}

/* Inverse mass of function k: area over the integral of its square. */
static double inverse(const degrees *o, int k) {
    return o->mix ? 1 : (2 * o->d[k][0] + 1) * (2 * o->d[k][1] + 1);
}

/* ---- integrals over the plate: in one piece if structured, else by element ------------------- */

static int pieces(const gos_plate *c) {
    return c->ne[0] > 0 ? 1 : c->ncell;
}

static void piece_points(const gos_plate *c, int piece, int n, gos_plate_point *p) {
    const int row = c->ne[0] + 1, top = row * c->ne[1];
    const int outline[4] = {0, c->ne[0], top + c->ne[0], top};
    const int *node = c->ne[0] > 0 ? outline : c->cell + 4 * piece;
    gos_plate_element e = {.plate = c};
    for (int i = 0; i < 4; i++) {
        memcpy(e.x[i], c->x[node[i]], sizeof e.x[i]);
    }
    (void)gos__plate_gauss(&e, n, p);
}

/* Products are not orthogonal on other shapes: mix = L^-1 with int P P^T = area L L^T. */
static gos_status make_orthogonal(gos_ctx *ctx, gos_arena *a, const gos_body *b, degrees *o) {
    const gos_plate *c = b->par;
    const int n = o->n, ng = o->most + 2;
    gos_plate_point p[MOST_POINTS * MOST_POINTS];
    double v[6 * MOST_FIELDS], *mix = GOS_NEW(a, double, n *n + 1);
    if (!mix) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < pieces(c); i++) {
        piece_points(c, i, ng, p);
        for (int g = 0; g < ng * ng; g++) {
            functions(c, o, p[g].x[0], p[g].x[1], v);
            for (int k = 0; k < n * n; k++) {
                mix[k] += p[g].w / c->area * v[k / n] * v[k % n];
            }
        }
    }
    const int bad = n ? LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, mix, n) : 0;
    if (bad || (n && LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', n, mix, n))) {
        return gos__fail_at(ctx, GOS_E_LIMIT, b->loc, "reduction",
                            "%d polynomials are linearly dependent on the shape of '%s'; use at "
                            "most %d, or `fields: modes`",
                            n, b->name, bad > 1 ? bad - 1 : 1);
    }
    o->mix = mix;
    return GOS_OK;
}

static void fill_values(const gos_body *b, const degrees *o, const degrees *ot, double *v,
                        gos_body_fields *f) {
    const gos_plate *c = b->par;
    for (long i = 0; i < b->nnode; i++) {
        const double x = c->x[i][0], y = c->x[i][1];
        if (f->n) {
            functions(c, o, x, y, v);
            memcpy(f->value + (size_t)(3 * i) * f->n, v, 3L * f->n * sizeof *v);
        }
        if (f->nt) {
            functions(c, ot, x, y, v);
            memcpy(f->tvalue + i * (size_t)f->nt, v, f->nt * sizeof *v);
        }
    }
}

/* Amplitudes of mesh functions u: inverse / area int P u. */
static void fill_duals(const gos_body *b, const degrees *o, const degrees *ot, double *v,
                       gos_body_fields *f) {
    const gos_plate *c = b->par;
    const int most = o->most > ot->most ? o->most : ot->most, ng = (most + 5) / 2;
    gos_plate_point p[MOST_POINTS * MOST_POINTS];
    double S[6][12], N[4];
    for (int e = 0; e < b->ncell; e++) {
        const int *cell = b->cell + 4 * e;
        gos_plate_element element;
        gos__plate_element(c, e, &element);
        const int np = gos__plate_gauss(&element, ng, p);
        for (int g = 0; g < np; g++) {
            const double wg = p[g].w / c->area;
            gos__bilinear(p[g].xi, N, NULL);
            gos__plate_shapes_at(&element, &p[g], S);
            functions(c, o, p[g].x[0], p[g].x[1], v);
            for (int k = 0; k < f->n; k++) {
                for (int q = 0; q < 12; q++) {
                    f->dual[(size_t)k * b->nv + (3 * cell[q / 3] + q % 3)] +=
                        wg * inverse(o, k) * v[k] * S[GOS_SHAPE][q];
                }
            }
            functions(c, ot, p[g].x[0], p[g].x[1], v);
            for (int k = 0; k < f->nt; k++) {
                for (int q = 0; q < 4; q++) {
                    f->tdual[(size_t)k * b->nnode + cell[q]] += wg * inverse(ot, k) * v[k] * N[q];
                }
            }
        }
    }
}

/* int P_k P_l is diagonal, int grad P_k . grad P_l is not (theory 2.7). */
static void fill_thermal(const gos_body *b, const degrees *ot, double *v, gos_body_fields *f) {
    const gos_plate *c = b->par;
    const gos_section *s = b->section;
    const double k = b->material->conductivity;
    const double rc = b->material->density * b->material->specific_heat;
    const int nt = f->nt, nf = b->nfam, n = nt * nf, ng = ot->most + 1;
    gos_plate_point at[MOST_POINTS * MOST_POINTS];
    for (int i = 0; i < nt; i++) {
        const double m = c->area / inverse(ot, i);
        for (int p = 0; p < nf; p++) {
            const int row = i * nf + p;
            f->capacity[row * n + row] = rc * s->cap[p] * m;
            f->conduction[row * n + row] = k * s->cond[p * nf + p] * m;
        }
    }
    for (int q = 0; q < pieces(c) * ng * ng; q++) {
        const int g = q % (ng * ng);
        if (g == 0) {
            piece_points(c, q / (ng * ng), ng, at);
        }
        const double wg = k * at[g].w;
        functions(c, ot, at[g].x[0], at[g].x[1], v);
        const double *d1 = v + GOS_SHAPE_1 * nt, *d2 = v + GOS_SHAPE_2 * nt;
        for (int i = 0; i < nt * nt; i++) {
            const double grad = wg * (d1[i / nt] * d1[i % nt] + d2[i / nt] * d2[i % nt]);
            for (int p = 0; p < nf; p++) {
                f->conduction[(i / nt * nf + p) * n + i % nt * nf + p] += s->cap[p] * grad;
            }
        }
    }
}

/* the same for plies */
static void fill_plies_thermal(const gos_body *b, const degrees *ot, double *v,
                               gos_body_fields *f) {
    const gos_plate *c = b->par;
    const int nt = f->nt, n = 2 * nt, ng = ot->most + 1;
    gos_plate_point at[MOST_POINTS * MOST_POINTS];
    for (int q = 0; q < pieces(c) * ng * ng; q++) {
        const int g = q % (ng * ng);
        if (g == 0) {
            piece_points(c, q / (ng * ng), ng, at);
        }
        functions(c, ot, at[g].x[0], at[g].x[1], v);
        const double *d1 = v + GOS_SHAPE_1 * nt, *d2 = v + GOS_SHAPE_2 * nt;
        for (int i = 0; i < nt * nt; i++) {
            const int r = i / nt, s = i % nt;
            const double grad[3] = {at[g].w * d1[r] * d1[s], at[g].w * d2[r] * d2[s],
                                    at[g].w * (d1[r] * d2[s] + d2[r] * d1[s])};
            const double m = q == 0 && r == s ? c->area / inverse(ot, r) : 0;
            double cap[4], cond[4];
            gos__plate_plies_heat(c->plies, m, grad, cap, cond);
            for (int k = 0; k < 4; k++) {
                f->capacity[(2 * r + k / 2) * n + 2 * s + k % 2] += cap[k];
                f->conduction[(2 * r + k / 2) * n + 2 * s + k % 2] += cond[k];
            }
        }
    }
}

/* ng x ng points per piece */
static void fill_points(const gos_body *b, const degrees *o, const degrees *ot, int ng, double *v,
                        gos_body_fields *f) {
    const gos_plate *c = b->par;
    gos_plate_point p[MOST_POINTS * MOST_POINTS];
    for (int i = 0; i < f->npoints; i++) {
        const int g = i % (ng * ng);
        if (g == 0) {
            piece_points(c, i / (ng * ng), ng, p);
        }
        functions(c, o, p[g].x[0], p[g].x[1], v);
        memcpy(f->b + (size_t)i * 5 * f->n, v + f->n, 5L * f->n * sizeof *v);
        functions(c, ot, p[g].x[0], p[g].x[1], v);
        memcpy(f->N + (size_t)i * f->nt, v, f->nt * sizeof *v);
        f->w[i] = p[g].w;
    }
}

static gos_status allocate(gos_arena *a, const gos_body *b, gos_body_fields *f) {
    const size_t n = f->n, nt = f->nt, np = f->npoints;
    const size_t nv = b->nv, nn = b->nnode, nf = b->nfam;
    f->value = GOS_NEW(a, double, nv *n + 1);
    f->dual = GOS_NEW(a, double, nv *n + 1);
    f->mass = GOS_NEW(a, double, n *n + 1);
    f->tvalue = GOS_NEW(a, double, nn *nt + 1);
    f->tdual = GOS_NEW(a, double, nn *nt + 1);
    f->capacity = GOS_NEW(a, double, nt *nt *nf *nf + 1);
    f->conduction = GOS_NEW(a, double, nt *nt *nf *nf + 1);
    f->b = GOS_NEW(a, double, np * 5 * n + 1);
    f->N = GOS_NEW(a, double, np *nt + 1);
    f->w = GOS_NEW(a, double, np + 1);
    f->ref = GOS_NEW(a, double, 1);
    return f->value && f->dual && f->mass && f->tvalue && f->tdual && f->capacity &&
                   f->conduction && f->b && f->N && f->w && f->ref
               ? GOS_OK
               : GOS_E_MEMORY;
}

static gos_status check(gos_ctx *ctx, const gos_body *b, int n, int nt) {
    const gos_plate *c = b->par;
    if (c->plies && c->plies->lopsided) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, b->loc, "reduction",
            "the centre of mass of the plies of '%s' is off its surface, so their motion depends "
            "on the nodal normals, which fields cannot represent; give the laminate `offset: "
            "%.12g` to move the surface there, or run the full model",
            b->name, -c->plies->plate.mass[1] / c->plies->plate.mass[0]);
    }
    if (b->nv > 3 * b->nnode) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, b->loc, "reduction",
            "'%s' has patches with mass and stiffness, whose motion depends on the nodal normals, "
            "which fields cannot represent; give the patches `own: none`, or run the full model",
            b->name);
    }
    if (n > MOST_FIELDS || nt > MOST_FIELDS) {
        return gos__fail_at(
            ctx, GOS_E_LIMIT, b->loc, "reduction",
            "%d polynomials on '%s' are too many; use at most %d, or `fields: modes`",
            n > nt ? n : nt, b->name, MOST_FIELDS);
    }
    return GOS_OK;
}

gos_status gos__plate_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f) {
    const gos_plate *c = b->par;
    degrees o, ot;
    double v[6 * MOST_FIELDS];
    nt = b->nfam ? nt : 0;
    GOS_TRY(check(ctx, b, n, nt));
    const int wanted = (int)ceil(sqrt((double)npoints / pieces(c)) - 1e-9);
    const int ng = wanted > MOST_POINTS ? MOST_POINTS : wanted;
    /* coarse meshes cannot represent higher degrees */
    int limit[2];
    for (int d = 0; d < 2; d++) {
        const int rows = c->ne[d] > 0 ? c->ne[d] : (int)sqrt(c->ncell);
        limit[d] = npoints > 0 || rows > MOST_DEGREE ? MOST_DEGREE : rows;
    }
    sort_by_degree(n, (const int[2]){MOST_DEGREE, MOST_DEGREE}, &o);
    sort_by_degree(nt, limit, &ot);
    if (!c->rectangle) {
        GOS_TRY(make_orthogonal(ctx, a, b, &o));
        GOS_TRY(make_orthogonal(ctx, a, b, &ot));
    }
    *f = (gos_body_fields){.n = n,
                           .nt = nt,
                           .npoints = pieces(c) * ng * ng,
                           .law = b->law,
                           .par = b->law_par,
                           .rates = c->rates};
    GOS_TRY(allocate(a, b, f));
    fill_values(b, &o, &ot, v, f);
    fill_duals(b, &o, &ot, v, f);
    for (int k = 0; k < n; k++) {
        f->mass[k * n + k] = c->mass * c->area / inverse(&o, k);
    }
    if (nt && c->plies) {
        fill_plies_thermal(b, &ot, v, f);
    } else if (nt) {
        fill_thermal(b, &ot, v, f);
    }
    if (npoints > 0) {
        fill_points(b, &o, &ot, ng, v, f);
    }
    return GOS_OK;
}
