/* Smooth fields of the cable (theory 8): Legendre polynomials P_k(2x/l - 1). Mass, capacity,
 * conduction and points use the polynomials, not the mesh. */
#include "line/cable_fields.h"

#include <math.h>

#include "line/cable_points.h"
#include "line/line_fields.h"
#include "math/gauss.h"

#define MOST_FIELDS GOS_LINE_FIELDS
#define PANEL 48 // Gauss points per piece

static void fill_values(const gos_body *b, gos_body_fields *f) {
    const double h = b->length / b->ncell;
    double P[MOST_FIELDS], d[MOST_FIELDS];
    for (int i = 0; i < b->nnode; i++) {
        const double x = i < b->ncell ? h * i : b->length;
        if (f->n) {
            gos__line_polynomials(b, f->n, x, P, d, NULL);
            memcpy(f->value + (size_t)(2 * i) * f->n, P, f->n * sizeof *P);
            memcpy(f->value + (size_t)(2 * i + 1) * f->n, d, f->n * sizeof *d);
        }
        if (f->nt) {
            gos__line_polynomials(b, f->nt, x, f->tvalue + (size_t)i * f->nt, NULL, NULL);
        }
    }
}

/* amplitudes (2k + 1)/l int P_k u dx, u cubic (temperatures: linear) in each element */
static void fill_duals(const gos_body *b, gos_body_fields *f) {
    const double h = b->length / b->ncell;
    const int most = f->n > f->nt ? f->n : f->nt, ng = (most + 4) / 2;
    const size_t nv = b->nv, nn = b->nnode;
    double xi[64], w[64], P[MOST_FIELDS], s[4];
    gos__gauss(ng, xi, w);
    for (int e = 0; e < b->ncell; e++) {
        for (int g = 0; g < ng; g++) {
            gos__line_polynomials(b, most, h * (e + xi[g]), P, NULL, NULL);
            gos__hermite_shapes(h, xi[g], s, NULL, NULL);
            const double N[2] = {1 - xi[g], xi[g]}, wg = w[g] / b->ncell;
            for (int k = 0; k < f->n; k++) {
                for (int j = 0; j < 4; j++) {
                    f->dual[k * nv + (2 * e + j)] += wg * (2 * k + 1) * P[k] * s[j];
                }
            }
            for (int k = 0; k < f->nt; k++) {
                for (long j = 0; j < 2; j++) {
                    f->tdual[k * nn + (e + j)] += wg * (2 * k + 1) * P[k] * N[j];
                }
            }
        }
    }
}

/* Gauss points over the length, in equal pieces if there are many. */
static void fill_points(const gos_body *b, int pieces, int ng, gos_body_fields *f) {
    const size_t n = f->n, nt = f->nt;
    double x[64], w[64], P[MOST_FIELDS];
    gos__gauss(ng, x, w);
    for (int i = 0; i < f->npoints; i++) {
        const double at = b->length * (i / ng + x[i % ng]) / pieces;
        double *row = f->b + (size_t)i * f->law->nz * n;
        gos__line_polynomials(b, f->n, at, P, row, row + n);
        if (nt) {
            gos__line_polynomials(b, f->nt, at, f->N + i * nt, NULL, NULL);
        }
        f->w[i] = b->length * w[i % ng] / pieces;
        b->ops->reference(b, &(gos_location){.s = at, .node = -1}, f->ref + i * f->law->nref);
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
    f->b = GOS_NEW(a, double, np * f->law->nz * n + 1);
    f->N = GOS_NEW(a, double, np *nt + 1);
    f->w = GOS_NEW(a, double, np + 1);
    f->ref = GOS_NEW(a, double, f->law->nref *np + 1);
    return f->value && f->dual && f->mass && f->tvalue && f->tdual && f->capacity &&
                   f->conduction && f->b && f->N && f->w && f->ref
               ? GOS_OK
               : GOS_E_MEMORY;
}

gos_status gos__cable_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f) {
    const gos_cable_par *par = b->law_par;
    const gos_cable *c = b->par;
    if (n > 0 && (c->own || c->line.shape != GOS_LINE_STRAIGHT)) {
        return gos__fail_at(ctx, GOS_E_INPUT, b->loc, "reduction",
                            "'%s' is tapered or not straight at t = 0, which polynomial fields do "
                            "not support; set `fields: modes`",
                            b->name);
    }
    nt = b->nfam ? nt : 0;
    GOS_TRY(gos__line_check(ctx, b, n > nt ? n : nt));
    const int pieces = npoints > 0 ? (npoints + PANEL - 1) / PANEL : 1;
    const int ng = (npoints + pieces - 1) / pieces;
    *f = (gos_body_fields){.n = n,
                           .nt = nt,
                           .npoints = pieces * ng,
                           .law = b->law,
                           .par = par,
                           .rates = par->gamma > 0 || par->T0 > 0};
    GOS_TRY(allocate(a, b, f));
    fill_values(b, f);
    fill_duals(b, f);
    for (int k = 0; k < n; k++) {
        f->mass[k * n + k] = b->material->density * b->section->A * b->length / (2 * k + 1);
    }
    if (nt) {
        gos__line_thermal(b, f);
    }
    if (npoints > 0) {
        fill_points(b, pieces, ng, f);
    }
    return GOS_OK;
}
