/* Iterative rational Krylov: points at mirrored poles of the reduced model, directions of its
   residues (Gugercin, Antoulas, Beattie, SIAM J. Matrix Anal. 30 (2008)). Second order has twice
   as many poles as points: those with the largest residue over damping (theory 3.2). */
#include <complex.h>
#include <math.h>

#include "linear_reduction/poles.h"
#include "linear_reduction/reduce.h"

#define MAX_ROUNDS 60         // iterations of the points
#define CONVERGED_CHANGE 1e-3 // relative change of points
#define AXIS_OFFSET 1e-3      // smallest relative distance from the imaginary axis

typedef struct shifts {
    int n, nu, ny;  // points with im >= 0
    gos_complex *s; // (n)
    gos_complex *b; // (nu, n)
    gos_complex *c; // (ny, n)
} shifts;

static gos_status allocate(gos_ctx *ctx, long max, int nu, int ny, shifts *x) {
    *x = (shifts){.nu = nu, .ny = ny};
    x->s = gos__zalloc(ctx, max * (1 + nu + ny) + 1, sizeof *x->s);
    if (!x->s) {
        return GOS_E_MEMORY;
    }
    x->b = x->s + max;
    x->c = x->b + max * nu;
    return GOS_OK;
}

/* priority: of second order residue / |Re p| */
static double weight(const gos_poles *p, int j, bool second) {
    const double size = hypot(p->re[j], p->im[j]);
    return second ? gos__poles_residue(p, j) / fmax(fabs(p->re[j]), AXIS_OFFSET * size) : size;
}

static gos_status choose(gos_ctx *ctx, const gos_poles *p, int order, bool second, shifts *x) {
    bool *used = gos__zalloc(ctx, p->n + 1L, sizeof *used);
    if (!used) {
        return GOS_E_MEMORY;
    }
    x->n = 0;
    for (int vectors = 0; vectors < order;) {
        int best = -1;
        for (int j = 0; j < p->n; j++) {
            const bool open = !used[j] && p->im[j] >= 0 && hypot(p->re[j], p->im[j]) > 0;
            best = open && (best < 0 || weight(p, j, second) > weight(p, best, second)) ? j : best;
        }
        if (best < 0) {
            break;
        }
        used[best] = true;
        const double floor = AXIS_OFFSET * hypot(p->re[best], p->im[best]);
        x->s[x->n] = gos__complex(fmax(fabs(p->re[best]), floor), -p->im[best]);
        for (long i = 0; i < x->nu; i++) {
            x->b[(size_t)x->n * x->nu + i] = p->b[i * p->n + best];
        }
        for (int i = 0; i < x->ny; i++) {
            x->c[(size_t)x->n * x->ny + i] = p->c[(size_t)best * x->ny + i];
        }
        vectors += p->im[best] > 0 ? 2 : 1;
        x->n++;
    }
    gos__free(ctx, used);
    return x->n > 0 ? GOS_OK : gos__fail(ctx, GOS_E_DIVERGED, "the reduced model has no poles");
}

/* add P(s)^-1 B b, or P(s)^-T (Y0 + s Y1)^T c, to a space of at most `most` vectors */
static gos_status tangent(gos_reduce_task *t, gos_complex s, bool transposed,
                          const gos_complex *direction, gos_complex *block, gos_space *space,
                          int max) {
    gos_reduce_pencil *p = t->pencil;
    const size_t n = p->n;
    const int columns = transposed ? p->ny : p->nu;
    gos__reduce_pencil_rhs(p, transposed, s, 0, block);
    for (size_t i = 0; i < n; i++) {
        gos_complex sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += block[j * n + i] * direction[j];
        }
        block[i] = sum;
    }
    GOS_TRY(gos__reduce_pencil_solve(p, transposed, 1, block));
    for (int f = 0; f < GOS_NFIELDS; f++) {
        if (space->count[f] >= max && gos__space_rows(space, f) > 0) {
            return GOS_OK;
        }
    }
    return gos__space_split(space, block, NULL);
}

/* Bases at the points. One-sided without collocation: both sides in one basis. */
static gos_status bases(gos_reduce_task *t, const shifts *x, bool two_sided, bool both) {
    gos_linear_reduction *out = t->out;
    gos_reduce_pencil *p = t->pencil;
    const long max = p->nu > p->ny ? p->nu : p->ny;
    gos_complex *block = gos__alloc(t->ctx, p->n * max + 1, sizeof *block);
    gos_status status = block ? GOS_OK : GOS_E_MEMORY;
    gos__space_free(&out->V);
    gos__space_init(t->ctx, p->start, p->max, &out->V);
    if (two_sided) {
        if (out->W.ctx) {
            gos__space_free(&out->W);
        }
        gos__space_init(t->ctx, p->start, p->max, &out->W);
    }
    for (long k = 0; k < x->n && status == GOS_OK; k++) {
        const gos_complex *b = x->b + k * x->nu;
        const gos_complex *c = x->c + k * x->ny;
        status = gos__reduce_pencil_factor(p, x->s[k]);
        status =
            status == GOS_OK ? tangent(t, x->s[k], false, b, block, &out->V, t->order) : status;
        if (status == GOS_OK && (two_sided || both)) {
            status = tangent(t, x->s[k], true, c, block, two_sided ? &out->W : &out->V, t->order);
        }
    }
    for (int f = 0; f < GOS_NFIELDS && two_sided; f++) { // a pair may exceed the order
        const int n = out->V.count[f] < out->W.count[f] ? out->V.count[f] : out->W.count[f];
        out->V.count[f] = out->W.count[f] = n < t->order ? n : t->order;
    }
    for (int f = 0; f < GOS_NFIELDS; f++) {
        out->V.count[f] = out->V.count[f] < t->order ? out->V.count[f] : t->order;
    }
    gos__free(t->ctx, block);
    return status;
}

/* largest relative distance of a new point from the nearest old one */
static double movement(const shifts *old, const shifts *now) {
    double worst = 0;
    for (int i = 0; i < now->n; i++) {
        double min_distance = HUGE_VAL;
        for (int j = 0; j < old->n; j++) {
            min_distance = fmin(min_distance, cabs(now->s[i] - old->s[j]));
        }
        worst = fmax(worst, min_distance / cabs(now->s[i]));
    }
    return worst;
}

/* initial model: one-sided Krylov at a real point of typical magnitude */
static gos_status start(gos_reduce_task *t) {
    const double *band = t->opt->band;
    const gos_sparse *A = t->pencil->A;
    double size = band[1] > 0 ? sqrt(fmax(band[0], 1e-3 * band[1]) * band[1]) : 0;
    if (size == 0) {
        const double a0 = gos__sparse_largest(&A[0]), a1 = gos__sparse_largest(&A[1]);
        const double a2 = gos__sparse_largest(&A[2]);
        size = a2 > 0 ? 0.03 * sqrt(a0 / a2) : a1 > 0 ? 0.03 * a0 / a1 : 1;
    }
    int blocks;
    const int npoints = t->opt->npoints;
    const gos_point own = {size, 0}, *points = npoints > 0 ? t->opt->points : &own;
    for (int i = 0, before = 0; i < (npoints > 0 ? npoints : 1); i++) {
        const int upto = t->order * (i + 1) / (npoints > 0 ? npoints : 1);
        GOS_TRY(gos__krylov_vectors(t->pencil, gos__complex(points[i].re, points[i].im), false,
                                    upto - before, &t->out->V, &blocks));
        before = upto;
    }
    for (int f = 0; f < GOS_NFIELDS; f++) {
        t->out->V.count[f] = t->out->V.count[f] < t->order ? t->out->V.count[f] : t->order;
    }
    return GOS_OK;
}

static gos_status next_points(gos_reduce_task *t, bool second, int vectors, shifts *x) {
    gos_poles poles;
    GOS_TRY(gos__reduce_project(t->ctx, t->full, t->out));
    GOS_TRY(gos__poles(t->ctx, t->out->model, &poles));
    const gos_status status = choose(t->ctx, &poles, vectors, second, x);
    gos__poles_free(t->ctx, &poles);
    return status;
}

static gos_status iterate(gos_reduce_task *t, bool second, shifts *now, shifts *old) {
    const bool collocated = t->pencil->symmetric && gos__reduce_collocated(t->pencil);
    const bool two_sided = !second || t->opt->two_sided;
    const bool both = second && !two_sided && !collocated;
    const int vectors = both ? (t->order + 1) / 2 : t->order;
    GOS_TRY(start(t));
    GOS_TRY(next_points(t, second, vectors, now));
    int round = 0;
    for (double moved = 1; round < MAX_ROUNDS && moved > CONVERGED_CHANGE; round++) {
        const shifts spare = *old;
        GOS_TRY(bases(t, now, two_sided, both));
        *old = *now;
        *now = (shifts){.nu = spare.nu, .ny = spare.ny, .s = spare.s, .b = spare.b, .c = spare.c};
        GOS_TRY(next_points(t, second, vectors, now));
        moved = movement(old, now);
    }
    t->out->report.iterations = round;
    return GOS_OK;
}

static gos_status irka_of(gos_reduce_task *t, bool second) {
    shifts a = {0}, b = {0};
    const gos_reduce_pencil *p = t->pencil;
    if (p->nu == 0 || p->ny == 0) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "automatic expansion points require inputs and "
                         "outputs");
    }
    if (second && (t->full->nq == 0 || t->full->nt > 0)) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "irka_second is for models of displacements only; use irka");
    }
    gos_status status = allocate(t->ctx, t->order + 1, p->nu, p->ny, &a);
    status = status == GOS_OK ? allocate(t->ctx, t->order + 1, p->nu, p->ny, &b) : status;
    gos_complex *const owned[2] = {a.s, b.s};
    status = status == GOS_OK ? iterate(t, second, &a, &b) : status;
    gos__free(t->ctx, owned[0]);
    gos__free(t->ctx, owned[1]);
    return status;
}

static gos_status irka(gos_reduce_task *t) {
    return irka_of(t, false);
}

static const gos_param irka_params[] = {
    GOS_ROW_ORDER(0, 0),  GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0), GOS_ROW_FREQUENCIES("the middle of `band`"),
    GOS_ROW_SHIFTS,       {0}};

static const gos_reduce_method irka_method = {
    .first_order = true,
    .reduce = irka,
};

const gos_type gos__reduction_irka =
    GOS_LINEAR_METHOD("irka",
                      "expansion points at mirrored poles of the reduced model (iterative rational "
                      "Krylov, first order)",
                      ", order: 8", irka_params, &irka_method);

static gos_status irka_second(gos_reduce_task *t) {
    return irka_of(t, true);
}

static const gos_param irka_second_params[] = {
    GOS_ROW_ORDER(0, 0),      GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),     GOS_ROW_FREQUENCIES("the middle of `band`"),
    GOS_ROW_SHIFTS,           GOS_ROW_FLAG(0, 0, two_sided, "vectors of the outputs as left basis"),
    GOS_ROW_CORRECTION(0, 0), {0}};

static const gos_reduce_method irka_second_method = {
    .reduce = irka_second,
};

const gos_type gos__reduction_irka_second =
    GOS_LINEAR_METHOD("irka_second", "the same for models of second order", ", order: 8",
                      irka_second_params, &irka_second_method);
