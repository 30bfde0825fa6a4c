/* Selection of actuators in whole orbits of symmetry. */
#include <math.h>

#include "control/design_plants.h"
#include "control/selection.h"

#define EQUAL_ROWS 1e-6 // relative, of modal input rows
#define STEPS_PER_PERIOD 16
#define TOLERANCE 1e-3 // of these time histories

typedef struct chooser {
    gos_ctx *ctx;
    const gos_design_plants *p;
    const gos_design_options *o;
    const double *K; // (n, states)
    double k_Q;
    int n;           // inputs
    gos_modal modal; // of the design's modes
    gos_orbits orbits;
    int *orbit; // chosen (orbits.n)
    int count;  // number chosen
} chooser;

/* channels are inputs, the point is the output */
static gos_status make_modal(chooser *c) {
    const gos_modal_form *f = &c->p->form;
    const int n = c->p->own.positions;
    GOS_TRY(gos__modal_create(c->ctx, n, c->n, &c->modal));
    for (long i = 0; i < n; i++) {
        c->modal.omega[i] = f->omega[i];
        c->modal.zeta[i] = f->omega[i] > 0 ? f->D[i * (f->n + 1)] / (2 * f->omega[i]) : 0;
        c->modal.phi[i] = c->p->output >= 0 ? f->Yq[i * f->ny + c->p->output] : 0;
        for (long k = 0; k < c->n; k++) {
            c->modal.Kup[k * n + i] = f->B[(long)c->p->input_index[k] * f->n + i];
        }
    }
    return GOS_OK;
}

/* first orbits of a ranking, up to the required number */
static gos_status take_best(chooser *c, const double *score) {
    int have = 0;
    GOS_TRY(gos__select_best(c->ctx, &c->orbits, score, c->orbits.n, c->orbit));
    for (c->count = 0; c->count < c->orbits.n; c->count++) {
        const int more = c->orbits.count[c->orbit[c->count]];
        if (have + more > c->o->choose) {
            break;
        }
        have += more;
    }
    return GOS_OK;
}

/* among orbits of the first one's size */
static gos_status take_greedy(chooser *c) {
    const gos_design_options *o = c->o;
    const gos_modal_form *f = &c->p->form;
    static const gos_modal_aim aim[] = {[GOS_WEIGHT_ACCELERATION] = GOS_AIM_ACCELERATION,
                                        [GOS_WEIGHT_VELOCITY] = GOS_AIM_VELOCITY,
                                        [GOS_WEIGHT_DISPLACEMENT] = GOS_AIM_DISPLACEMENT};
    const bool limited = o->choose_by == GOS_CHOOSE_LIMITED;
    gos_orbit_cost cost = {0};
    double min;
    c->count = o->choose / c->orbits.count[0];
    gos_status status = gos__orbit_cost_create(c->ctx, &c->modal, &c->orbits, c->modal.n,
                                               aim[o->weight], c->k_Q, &cost);
    cost.run =
        (gos_saturated_options){.t_end = o->t_end,
                                .step = 2 * M_PI / f->omega[c->modal.n - 1] / STEPS_PER_PERIOD,
                                .limit = o->limit,
                                .tolerance = TOLERANCE,
                                .w = o->force,
                                .w_from = o->t_force,
                                .w_to = o->t_force + o->duration,
                                .t_start = o->t_force + o->duration};
    const gos_criterion criterion = {limited ? gos__cost_limited : gos__cost_quadratic, &cost};
    if (status == GOS_OK && c->count > 0 && c->count <= c->orbits.n) {
        status = gos__select_greedy(c->ctx, &c->orbits, &criterion, c->count, c->orbit, &min);
    }
    gos__orbit_cost_free(c->ctx, &cost);
    return status;
}

static gos_status check(const chooser *c) {
    const gos_design_options *o = c->o;
    if (o->choose > c->n) {
        return gos__fail(c->ctx, GOS_E_INPUT, "choose: %d of %d inputs", o->choose, c->n);
    }
    if (o->ninput_weight > 1) {
        return gos__fail(c->ctx, GOS_E_INPUT, "inputs to choose from must have one common weight");
    }
    if (o->choose_by == GOS_CHOOSE_GAIN) {
        return GOS_OK;
    }
    if (c->p->own.rigid > 0 || c->p->output < 0 || c->p->output_is_rate ||
        o->weight == GOS_WEIGHT_SIGNALS) {
        return gos__fail(c->ctx, GOS_E_INPUT,
                         "this selection method needs a constrained structure, with a displacement "
                         "as `output` and a weight on it; choose by `gain`");
    }
    return GOS_OK;
}

static gos_status find(chooser *c) {
    double *score = gos__zalloc(c->ctx, (size_t)c->n + 1, sizeof *score);
    c->orbit = gos__alloc(c->ctx, (size_t)c->n + 1, sizeof *c->orbit);
    gos_status status = score && c->orbit ? make_modal(c) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = gos__orbits_equal(c->ctx, &c->modal, c->modal.n, EQUAL_ROWS, &c->orbits);
    }
    if (status == GOS_OK && c->o->choose_by == GOS_CHOOSE_GAIN) {
        gos__rank_by_gain(c->n, c->p->own.plant.n, c->K, score);
        status = take_best(c, score);
    } else if (status == GOS_OK && c->o->choose_by == GOS_CHOOSE_GRAMIAN) {
        status = gos__rank_by_gramian(c->ctx, &c->modal, c->modal.n, NULL, score);
        status = status == GOS_OK ? take_best(c, score) : status;
    } else if (status == GOS_OK) {
        status = take_greedy(c);
    }
    gos__free(c->ctx, score);
    return status;
}

static gos_status mark(const chooser *c, gos_design_input *input) {
    int have = 0;
    for (int i = 0; i < c->n; i++) {
        input[i].chosen = false;
        for (int k = 0; k < c->count; k++) {
            input[i].chosen = input[i].chosen || c->orbits.of[i] == c->orbit[k];
        }
        have += input[i].chosen;
    }
    if (have == 0 || have > c->o->choose) {
        return gos__fail(
            c->ctx, GOS_E_INPUT,
            "choose: %d inputs, but symmetry groups %d together; give a multiple of that",
            c->o->choose, c->orbits.count[0]);
    }
    if (have < c->o->choose) {
        gos__warn(c->ctx, (gos_loc){0}, NULL,
                  "%d inputs are chosen instead of %d, because symmetry groups them", have,
                  c->o->choose);
    }
    return GOS_OK;
}

gos_status gos__design_choose(gos_ctx *ctx, const gos_design_plants *p, const double *K,
                              const gos_design_options *o, double k_Q, int n,
                              gos_design_input *input) {
    chooser c = {.ctx = ctx, .p = p, .o = o, .K = K, .k_Q = k_Q, .n = n};
    GOS_TRY(check(&c));
    gos_status status = find(&c);
    status = status == GOS_OK ? mark(&c, input) : status;
    gos__orbits_free(ctx, &c.orbits);
    gos__modal_free(ctx, &c.modal);
    gos__free(ctx, c.orbit);
    return status;
}
