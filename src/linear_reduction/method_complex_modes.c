/* Method complex_modes: real and imaginary parts of damped modes, by inverse iteration near the
   roots of gos__linear_damped from different starts, so that equal roots yield different
   vectors. Pairs are never split (theory 4.4). */
#include <cblas.h>
#include <complex.h>
#include <math.h>

#include "linear_reduction/modal.h"
#include "math/random.h"

#define ROOT_OFFSET 1e-8 // relative distance from the root
#define INVERSE_ITERATIONS 3

/* x (n) := vector of the root s */
static gos_status inverse_iteration(gos_reduce_pencil *p, gos_complex s, uint64_t seed,
                                    gos_complex *x) {
    const double step = ROOT_OFFSET * fmax(cabs(s), 1e-6);
    GOS_TRY(gos__reduce_pencil_factor(p, s + gos__complex(step, step)));
    for (int i = 0; i < p->n; i++) {
        x[i] = 2 * gos__xorshift_unit(&seed);
    }
    for (int k = 0; k < INVERSE_ITERATIONS; k++) {
        GOS_TRY(gos__reduce_pencil_solve(p, false, 1, x));
        const double size = cblas_dznrm2(p->n, x, 1);
        if (!isfinite(size) || !(size > 0)) {
            return gos__fail(p->ctx, GOS_E_DIVERGED, "no vector of the mode at %g%+gi was found",
                             creal(s), cimag(s));
        }
        cblas_zdscal(p->n, 1 / size, x, 1);
    }
    // rotated so that the largest component is real: proportional damping gives real vectors
    const size_t k = cblas_izamax(p->n, x, 1);
    const gos_complex turn = conj(x[k]) / cabs(x[k]);
    cblas_zscal(p->n, &turn, x, 1);
    return GOS_OK;
}

static gos_status complex_modes(gos_reduce_task *t) {
    gos_reduce_pencil *p = t->pencil;
    const gos_linear *l = t->full;
    if (l->nq == 0 || l->nt > 0) {
        return gos__fail(t->ctx, GOS_E_INPUT, "complex_modes is for models of displacements only");
    }
    const int max = 2 * t->order; // an overdamped pair has two roots
    gos_mode *modes = gos__zalloc(t->ctx, max, sizeof *modes);
    gos_complex *x = gos__alloc(t->ctx, p->n, sizeof *x);
    gos_status status = modes && x ? GOS_OK : GOS_E_MEMORY;
    int found = 0;
    status = status == GOS_OK ? gos__linear_damped(t->ctx, l, max, true, modes, &found) : status;
    for (int k = 0; k < found && status == GOS_OK && t->out->V.count[0] < t->order; k++) {
        status = inverse_iteration(p, gos__complex(modes[k].re, modes[k].im),
                                   GOS_XORSHIFT_START + (uint64_t)k, x);
        status = status == GOS_OK ? gos__space_split(&t->out->V, x, NULL) : status;
    }
    gos__free(t->ctx, modes);
    gos__free(t->ctx, x);
    return status;
}

const gos_reduce_method gos__method_complex_modes = {
    .reduce = complex_modes,
};
