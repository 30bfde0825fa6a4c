/* H(s) = Y_u + sum c_j b_j^T / (s - p_j) is as exact as the eigenvectors are well conditioned, so whoever uses
   it compares some values with those of a factorisation (error.c does). */
#include "reduce/responder.h"

#include <complex.h>
#include <math.h>

#define SMALL 600   // states up to which poles are worth their while,
#define LARGE 1600  // and of dense models, where a factorisation costs as much as ...
#define DENSE 0.15  // ... of entries that are not zero
#define DECAY 1e-10 // -Re p over |p|: nearer to the axis frequencies may fall on a pole

static bool worth_while(const gos_linear *l, const gos_reduce_pencil *p) {
    const int states = 2 * l->nq + l->nt;
    const double filled = p->pattern.nnz / ((double)p->n * p->n);
    return l->nphi + l->nc + l->nh == 0 &&
           (states <= SMALL || (states <= LARGE && filled >= DENSE));
}

gos_status gos__responder_begin(gos_ctx *ctx, const gos_linear *l, gos_responder *r) {
    *r = (gos_responder){0};
    GOS_TRY(gos__reduce_pencil_create(ctx, l, NULL, &r->pencil));
    if (worth_while(l, r->pencil)) {
        const gos_status status = gos__poles(ctx, l, &r->poles);
        if (status != GOS_OK) {
            gos__responder_end(ctx, r);
            return status;
        }
    }
    r->by_poles = r->poles.n > 0;
    for (int j = 0; j < r->poles.n; j++) { // without a full set of eigenvectors residues overflow
        const double re = r->poles.re[j];
        r->by_poles = r->by_poles && -re > DECAY * hypot(re, r->poles.im[j]) &&
                      isfinite(gos__poles_residue(&r->poles, j));
    }
    return GOS_OK;
}

void gos__responder_end(gos_ctx *ctx, gos_responder *r) {
    gos__reduce_pencil_destroy(r->pencil);
    gos__poles_free(ctx, &r->poles);
    *r = (gos_responder){0};
}

gos_status gos__responder_at(gos_responder *r, double omega, gos_complex *H) {
    const gos_poles *p = &r->poles;
    if (!r->by_poles) {
        return gos__reduce_pencil_quiet(r->pencil, gos__complex(0, omega), H);
    }
    for (int k = 0; k < p->ny * p->nu; k++) {
        H[k] = r->pencil->Yu[k];
    }
    for (int j = 0; j < p->n; j++) {
        const gos_complex factor = 1 / gos__complex(-p->re[j], omega - p->im[j]);
        const gos_complex *c = p->c + (size_t)j * (size_t)p->ny;
        for (int u = 0; u < p->nu; u++) {
            const gos_complex b = factor * p->b[(size_t)u * (size_t)p->n + (size_t)j];
            for (int y = 0; y < p->ny; y++) {
                H[u * p->ny + y] += c[y] * b;
            }
        }
    }
    return GOS_OK;
}
