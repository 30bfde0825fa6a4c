/* Short-time errors after step inputs, which the response on a band averages out. The full model
   is integrated once for all comparisons. */
#include <math.h>

#include "linear/linear.h"
#include "linear_reduction/reduce.h"

#define POINTS_PER_STEP 7
#define STEP_RATIO 4.0 // ratio of step sizes; below POINTS_PER_STEP, so that intervals overlap
#define MAX_STEP_SIZES 60

struct gos_step_check {
    gos_ctx *ctx;
    int nu, ny, n;
    double h[MAX_STEP_SIZES]; // step sizes [s] (n)
    int *kind;                // kind of outputs by unit; -1: temperatures (ny)
    double *size;             // scales by which outputs were divided (ny)
    double *together;         // magnitudes of simultaneous inputs (nu); NULL: unknown
    double *y;                // response of the full model (ny, POINTS_PER_STEP, n, nu)
};

void gos__step_check_destroy(gos_step_check *c) {
    if (c) {
        gos__free(c->ctx, c->kind);
        gos__free(c->ctx, c->size);
        gos__free(c->ctx, c->together);
        gos__free(c->ctx, c->y);
        gos__free(c->ctx, c);
    }
}

static gos_status follow(const gos_step_check *c, const gos_linear *l, double *y) {
    const size_t size = (size_t)POINTS_PER_STEP * (size_t)c->ny;
    double *u = gos__alloc(c->ctx, POINTS_PER_STEP * (size_t)c->nu + 1, sizeof *u);
    gos_status status = u ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < c->nu && status == GOS_OK; j++) {
        for (int k = 0; k < POINTS_PER_STEP * c->nu; k++) {
            u[k] = k % c->nu == j;
        }
        for (int i = 0; i < c->n && status == GOS_OK; i++) {
            status = gos_linear_transient(c->ctx, l, GOS_TRANSIENT_IMPLICIT, c->h[i],
                                          POINTS_PER_STEP, u, y + size * (size_t)(j * c->n + i));
        }
    }
    gos__free(c->ctx, u);
    return status;
}

/* displacements and rotations are not comparable */
static void find_kinds(const gos_linear *full, int *kind) {
    const gos_sparse *T = &full->block[GOS_BLOCK_Y_T];
    for (int i = 0; i < full->ny; i++) {
        kind[i] = i;
        for (int j = 0; j < i && kind[i] == i; j++) {
            const bool same = strcmp(full->output[i].unit, full->output[j].unit) == 0;
            kind[i] = same ? kind[j] : i;
        }
    }
    for (int k = 0; k < (T->p ? T->nnz : 0); k++) {
        kind[T->i[k]] = -1;
    }
}

gos_status gos__step_check_create(gos_ctx *ctx, const gos_linear *full, const gos_step_times *times,
                                  gos_step_check **check) {
    const double last = times->end / (POINTS_PER_STEP - 1);
    const size_t nu = (size_t)full->nu, ny = (size_t)full->ny;
    gos_step_check *c = gos__zalloc(ctx, 1, sizeof *c);
    GOS_TRY(c ? GOS_OK : GOS_E_MEMORY);
    *c = (gos_step_check){.ctx = ctx, .nu = full->nu, .ny = full->ny};
    for (double h = times->first; h < last && c->n < MAX_STEP_SIZES - 1; h *= STEP_RATIO) {
        c->h[c->n++] = h;
    }
    c->h[c->n++] = last;
    c->kind = gos__alloc(ctx, ny + 1, sizeof *c->kind);
    c->size = gos__alloc(ctx, ny + 1, sizeof *c->size);
    c->together = times->together ? gos__alloc(ctx, nu + 1, sizeof *c->together) : NULL;
    c->y = gos__alloc(ctx, POINTS_PER_STEP * ny * (size_t)c->n * nu + 1, sizeof *c->y);
    const bool room = c->kind && c->size && c->y && (c->together || !times->together);
    gos_status status = room ? GOS_OK : GOS_E_MEMORY;
    if (room) {
        find_kinds(full, c->kind);
    }
    for (size_t i = 0; i < ny && room; i++) {
        c->size[i] = times->out ? times->out[i] : 1;
    }
    if (c->together) {
        memcpy(c->together, times->together, nu * sizeof *c->together);
    }
    status = status == GOS_OK ? follow(c, full, c->y) : status;
    if (status != GOS_OK) {
        gos__step_check_destroy(c);
        return status;
    }
    *check = c;
    return GOS_OK;
}

/* Largest error of one kind of outputs relative to its largest value: input j, or -1: all inputs
   together. */
static double error_of(const gos_step_check *c, int kind, int j, const double *y) {
    const size_t size = (size_t)POINTS_PER_STEP * (size_t)c->ny * (size_t)c->n;
    double worst = 0, largest = 0;
    for (size_t k = 0; k < size; k++) {
        const int output = (int)(k % (size_t)c->ny);
        double value = 0, off = 0;
        for (int i = j < 0 ? 0 : j; i < (j < 0 ? c->nu : j + 1) && c->kind[output] == kind; i++) {
            const double weight = j < 0 ? c->together[i] : 1;
            const size_t at = (size_t)i * size + k;
            value += weight * c->y[at];
            off += weight * (y[at] - c->y[at]);
        }
        largest = fmax(largest, c->size[output] * fabs(value));
        worst = !(worst >= c->size[output] * fabs(off)) ? c->size[output] * fabs(off) : worst;
    }
    return largest > 0 ? worst / largest : 0;
}

static double worst_of(const gos_step_check *c, int j, const double *y) {
    double worst = 0;
    for (int kind = 0; kind < c->ny; kind++) {
        const double error = c->kind[kind] == kind ? error_of(c, kind, j, y) : 0;
        worst = !(worst >= error) ? error : worst;
    }
    return worst;
}

gos_status gos__step_check_error(const gos_step_check *c, const gos_linear *reduced,
                                 double *error) {
    const size_t size = (size_t)POINTS_PER_STEP * (size_t)c->ny * (size_t)c->n;
    double *y = gos__alloc(c->ctx, size * (size_t)c->nu + 1, sizeof *y);
    gos_status status = y ? follow(c, reduced, y) : GOS_E_MEMORY;
    *error = 0;
    for (int j = 0; j < c->nu && status == GOS_OK; j++) {
        *error += worst_of(c, j, y);
    }
    if (c->together && status == GOS_OK) {
        const double all = worst_of(c, -1, y);
        *error = !(*error >= all) ? all : *error;
    }
    gos__free(c->ctx, y);
    return status == GOS_OK && !isfinite(*error)
               ? gos__fail(c->ctx, GOS_E_NONFINITE, "the response of a reduced model overflows")
               : status;
}
