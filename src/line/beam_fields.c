/* Temperature functions of the beam for reduced models (theory 8): Legendre polynomials. The motion
 * is reduced by modes. */
#include "line/beam_fields.h"

#include "line/line_fields.h"
#include "math/gauss.h"

/* Functions at the nodes, and amplitudes (2k + 1)/l int P_k u dx, u quadratic in each element. */
static void fill_functions(const gos_body *b, gos_body_fields *f) {
    const int ne = (b->nnode - 1) / 2, ng = (f->nt + 3) / 2;
    const double h = b->length / ne;
    double xi[64], w[64], P[GOS_LINE_FIELDS], N[3], dN[3];
    for (int i = 0; i < b->nnode; i++) {
        gos__line_polynomials(b, f->nt, 0.5 * h * i, f->tvalue + i * f->nt, NULL, NULL);
    }
    gos__gauss(ng, xi, w);
    for (int e = 0; e < ne; e++) {
        for (int g = 0; g < ng; g++) {
            gos__line_polynomials(b, f->nt, h * (e + xi[g]), P, NULL, NULL);
            gos__lagrange3(h, xi[g], N, dN);
            for (int k = 0; k < f->nt; k++) {
                for (int j = 0; j < 3; j++) {
                    f->tdual[k * b->nnode + 2 * e + j] += w[g] / ne * (2 * k + 1) * P[k] * N[j];
                }
            }
        }
    }
}

gos_status gos__beam_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                            int npoints, gos_body_fields *f) {
    GOS_UNUSED(npoints);
    if (n > 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, b->loc, "reduction",
                            "'%s' is a beam with section vectors, which does not support "
                            "polynomial fields; set `fields: modes`",
                            b->name);
    }
    nt = b->nfam ? nt : 0;
    GOS_TRY(gos__line_check(ctx, b, nt));
    *f = (gos_body_fields){.nt = nt};
    const int all = nt * b->nfam;
    f->tvalue = GOS_NEW(a, double, b->nnode *nt + 1);
    f->tdual = GOS_NEW(a, double, b->nnode *nt + 1);
    f->capacity = GOS_NEW(a, double, all *all + 1);
    f->conduction = GOS_NEW(a, double, all *all + 1);
    if (!f->tvalue || !f->tdual || !f->capacity || !f->conduction) {
        return GOS_E_MEMORY;
    }
    if (nt) {
        fill_functions(b, f);
        gos__line_thermal(b, f);
    }
    return GOS_OK;
}
