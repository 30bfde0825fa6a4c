#include "models/step_model.h"

#include <cblas.h>
#include <math.h>

#include "control/sampled.h"
#include "linear/linear.h"
#include "signals/loops.h"
#include "system/system.h"

#define CHECKED 100 // steps of the responses that are compared with half the step

/* ---- which systems are linear ---------------------------------------------------------------- */

gos_status gos_system_check_linear(gos_ctx *ctx, const gos_system *sys) {
    const gos_system *s = sys->full ? sys->full : sys;
    for (int i = 0; i < s->nbody; i++) {
        if (s->body[i]->type && strcmp(s->body[i]->type, "matrices") != 0) {
            return gos__fail_at(ctx, GOS_E_INPUT, s->body[i]->loc, s->body[i]->name,
                                "a body of type %s has nonlinear equations", s->body[i]->type);
        }
    }
    if (s->loops) {
        return gos__fail(ctx, GOS_E_INPUT, "the model has controllers");
    }
    for (int i = 0; i < s->nitem; i++) {
        const bool body = strncmp(s->item[i]->name, "body ", 5) == 0; // of matrices
        if (!s->item[i]->dead && !body) {
            return gos__fail_at(ctx, GOS_E_INPUT, s->item[i]->loc, s->item[i]->entry,
                                "%s may depend on the motion nonlinearly", s->item[i]->name);
        }
    }
    return GOS_OK;
}

/* ---- comparison with half the step ----------------------------------------------------------- */

static gos_status hold(gos_ctx *ctx, const gos_plant *p, double step, bool linear, gos_plant *to) {
    return linear ? gos__plant_ramp(ctx, p, step, to) : gos__plant_hold(ctx, p, step, to);
}

static double input_at(double time, bool linear) {
    return linear ? time : 1;
}

/* one step under one input of value u; work (n) */
static void advance(const gos_plant *p, int input, double u, double *x, double *work) {
    const int n = p->n;
    memcpy(work, p->B + (size_t)input * n, n * sizeof *work);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, p->A, n, x, 1, u, work, 1);
    memcpy(x, work, n * sizeof *x);
}

static double output(const gos_plant *p, int row, int input, double u, const double *x) {
    return cblas_ddot(p->n, p->C + row, p->ny, x, 1) + p->D[(size_t)input * p->ny + row] * u;
}

/* Responses to one input with the step and with half of it. A step or a ramp is exact with any
   step, so only rounding of the exponentials differs. size, off (ny): largest value and difference
   of each output so far; x (3 n) work */
static void add_responses(const gos_step_model *m, const gos_plant *half, int input, double *size,
                          double *off, double *x) {
    const int n = m->at.n;
    double *const other = x + n, *const work = other + n;
    memset(x, 0, 3L * n * sizeof *x);
    for (int k = 0; k < CHECKED; k++) {
        const double t = k * m->step;
        const double u = input_at(t, m->linear_inputs);
        for (int i = 0; i < m->at.ny; i++) {
            const double y = output(&m->at, i, input, u, x);
            size[i] = fmax(size[i], fabs(y));
            off[i] = fmax(off[i], fabs(y - output(half, i, input, u, other)));
        }
        advance(&m->at, input, u, x, work);
        advance(half, input, u, other, work);
        advance(half, input, input_at(t + m->step / 2, m->linear_inputs), other, work);
    }
}

/* outputs "tip.x" and "tip.y" of one probe, in the same unit */
static bool same_quantity(const gos_linear *l, int i, int j) {
    const gos_port a = gos_linear_output(l, i), b = gos_linear_output(l, j);
    const char *end = strrchr(a.name, '.');
    const size_t n = end ? (size_t)(end - a.name) + 1 : strlen(a.name) + 1;
    return strncmp(a.name, b.name, n) == 0 &&
           strcmp(a.unit ? a.unit : "", b.unit ? b.unit : "") == 0;
}

/* Relative to the largest component, since one that no input moves is rounding alone. */
static double relative_difference(const gos_linear *l, int ny, const double *size,
                                  const double *off) {
    double worst = 0;
    for (int i = 0; i < ny; i++) {
        double largest = 0;
        for (int j = 0; j < ny; j++) {
            largest = same_quantity(l, i, j) ? fmax(largest, size[j]) : largest;
        }
        worst = largest > 0 ? fmax(worst, off[i] / largest) : worst;
    }
    return worst;
}

/* Over all inputs, since an output that an input does not move is rounding alone. */
static gos_status compare(gos_ctx *ctx, const gos_linear *linear, const gos_plant *plant,
                          const gos_step_model *m, gos_step_report *r) {
    const int ny = plant->ny;
    gos_plant half = {0};
    double *size = gos__zalloc(ctx, 3L * plant->n + 2L * ny, sizeof *size);
    gos_status status =
        size ? hold(ctx, plant, m->step / 2, m->linear_inputs, &half) : GOS_E_MEMORY;
    for (int j = 0; j < plant->nu && status == GOS_OK; j++) {
        add_responses(m, &half, j, size, size + ny, size + 2L * ny);
        status = gos__progress(ctx, (j + 1.0) / plant->nu, "comparison with half the step");
    }
    r->rounding = status == GOS_OK ? relative_difference(linear, ny, size, size + ny) : 0;
    gos__free(ctx, size);
    gos__plant_free(ctx, &half);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static gos_status check(gos_ctx *ctx, const gos_linear *l, double step) {
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    if (!(step > 0) || !isfinite(step)) {
        return gos__fail(ctx, GOS_E_USE, "a model of fixed step requires a step > 0 s");
    }
    if (info.inputs == 0 || info.outputs == 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         info.inputs == 0
                             ? "the linear model has no inputs, so it stays at rest; add a load, a "
                               "heat entry or a drive"
                             : "the linear model has no outputs; add probes");
    }
    return GOS_OK;
}

/* Relative error of a sinusoidal input after the hold: pi f h (half a step of delay), or (pi f
   h)^2 / 3 for linear interpolation. */
static double one_percent(const gos_step_model *m) {
    return (m->linear_inputs ? sqrt(0.03) : 0.01) / (M_PI * m->step);
}

static gos_status make(gos_ctx *ctx, const gos_linear *linear, const gos_plant *plant,
                       gos_step_model *m, gos_step_report *r) {
    if (plant->n == 0 || plant->n > GOS_STEP_MODEL_MOST) {
        return plant->n == 0
                   ? gos__fail(ctx, GOS_E_INPUT, "the linear model has no states to step")
                   : gos__fail(ctx, GOS_E_LIMIT,
                               "the linear model has %d states; a model of fixed step is limited "
                               "to %d: reduce it first (gossamer reduce --method)",
                               plant->n, GOS_STEP_MODEL_MOST);
    }
    gos__progress_start(ctx);
    GOS_TRY(hold(ctx, plant, m->step, m->linear_inputs, &m->at));
    *r = (gos_step_report){.states = plant->n, .inputs = plant->nu, .outputs = plant->ny};
    r->one_percent = one_percent(m);
    return compare(ctx, linear, plant, m, r);
}

gos_status gos__step_model_make(gos_ctx *ctx, const gos_linear *linear, const gos_step_options *o,
                                gos_step_model *m, gos_step_report *report) {
    gos_plant plant = {0};
    *m = (gos_step_model){.step = o->step, .linear_inputs = o->linear_inputs};
    GOS_TRY(check(ctx, linear, o->step));
    gos_status status = gos__plant_make(ctx, linear, &plant);
    status = status == GOS_OK ? make(ctx, linear, &plant, m, report) : status;
    gos__plant_free(ctx, &plant);
    return status;
}

void gos__step_model_free(gos_ctx *ctx, gos_step_model *m) {
    gos__plant_free(ctx, &m->at);
}
