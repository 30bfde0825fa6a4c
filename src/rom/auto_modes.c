/* Choosing a reduction with fields from modes for a tolerance: crafts, trusses, plates, whose bodies
   have no polynomials or so many joints among them that polynomials do not pay. The mesh of such a
   model is coarse and its full run cheap, so that run is the reference, made once with small steps:

     1. fields: the fewest whose run with all points is near enough to it, either modes and static
        responses, or principal fields of the reference's states. Loads that bend a craft a lot ask
        for twice as many modes; where the numbers are alike, modes know more of other loads;
     2. temperature functions: the fewest that do not spoil this;
     3. points: the fewest (cubature, trained by that run) that do not;
     4. steps: the longest that do not;
     5. what the model that was chosen differs by is the predicted error. If it is too large, there
        are more fields, and 2 to 4 again.

   Nothing depends on wall time. */
#include <limits.h>
#include <math.h>

#include "parts/marker.h"
#include "rom/auto.h"

#define FEWEST 12                       // modes
#define GROWTH(m) ((m) + ((m) + 2) / 3) // ... the next number
#define ROUNDS 12                       // ... this often
#define COARSEST 1e-2 // principal fields: what is left out, of the tolerance, to begin with
#define FINER 0.3     // ... then
#define FINEST 1e-5
#define ALIKE 1.15     // coordinates that modes may have more than principal fields
#define PLAIN 3        // temperature functions while fields are chosen: index into `numbers`
#define SMALLER 0.75   // reduced coordinates, of the full model's: beyond it nothing is gained
#define SHARE 0.5      // of the tolerance: fields
#define WORST 2.0      // ... times that: the worst node
#define SHARE_MORE 0.1 // ... what fewer temperature functions may add
#define SHARE_POINTS 0.3
#define ACCEPT 0.8  // ... all of it
#define TRIAL 0.1   // analysis.tolerance of trial runs, of ours
#define FINE 0.02   // ... of the reference
#define UNSTEADY 2  // times the reference's steps: more lead nowhere
#define COARSER 3.0 // ... when round-off does not let it converge
#define ATTEMPTS 4  // ... this often
#define LOOSEST 0.2 // cubature, to begin with
#define TIGHTER 0.5 // ... then
#define TIGHTEST 1e-5
#define MOST_POINTS 0.8 // of all, or nothing is gained
#define LONGEST 1.0     // analysis.tolerance of the model that is chosen, of ours, to begin with
#define SHORTER 0.5     // ... then
#define NOTHING_WON 0.9

static const int numbers[] = {2, 3, 4, 6, 12, 24}; // of temperature functions

typedef struct choice {
    gos_ctx *ctx;
    const gos_system *full;
    gos_reduction_def def; // as it is now
    gos_options options;   // of the final run
    double tol, fine;      // wanted; analysis.tolerance of the reference
    bool free_steps;
    gos_reduction out;
    gos_track reference;
    gos_track all, last;     // all points; the model as it is now
    gos_training training;   // of the run with all points
    gos_training states;     // of the reference
    gos_snapshots snapshots; // the same as fields; least = 0: modes
    double share;            // of the tolerance: fields
    gos_system *sys;         // the model as it is now, NULL: none
} choice;

/* ---- what asks for modes ------------------------------------------------------------------------ */

static bool is_flexible(const gos_body *b) {
    return b->ops->fields != NULL && b->nv > 0;
}

/* a body of the item's markers that is flexible, but not `other` */
static int flexible_of(const gos_system *s, const gos_item *it, int other) {
    for (int m = 0; m < it->nm; m++) {
        for (int i = 0; i < s->nbody && it->m[m].n > 0; i++) {
            const int at = it->m[m].idx[0] - s->body[i]->v0;
            if (i != other && at >= 0 && at < s->body[i]->nv && is_flexible(s->body[i])) {
                return i;
            }
        }
    }
    return -1;
}

static bool refuses_polynomials(gos_ctx *ctx, const gos_body *b, gos_status *status) {
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_arena *a = gos__arena_create(ctx);
    gos_body_fields f;
    *status = quiet && a ? b->ops->fields(quiet, a, b, 2, 0, 2, &f) : GOS_E_MEMORY;
    const bool refused = *status == GOS_E_INPUT;
    *status = refused ? GOS_OK : *status;
    gos__arena_destroy(a);
    gos_ctx_destroy(quiet);
    return refused;
}

gos_status gos__auto_wants_modes(gos_ctx *ctx, const gos_system *full, bool *wants) {
    int links = 0;
    gos_status status = GOS_OK;
    *wants = gos__rom_def(full).fields == GOS_FIELDS_MODES;
    for (int i = 0; i < full->nbody && !*wants && status == GOS_OK; i++) {
        const gos_body *b = full->body[i];
        *wants = is_flexible(b) && (b->ops->edge || refuses_polynomials(ctx, b, &status));
    }
    for (int i = 0; i < full->nitem; i++) {
        const gos_item *it = full->item[i];
        const int one = it->nc > 0 ? flexible_of(full, it, -1) : -1;
        links += one >= 0 && flexible_of(full, it, one) >= 0;
    }
    *wants |= links > 1;
    return status;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static gos_options with_tolerance(const choice *c, double tolerance) {
    gos_options o = c->options;
    if (c->free_steps) {
        o.step = 0;
        o.tolerance = fmin(0.1, tolerance);
    }
    return o;
}

static gos_status run(choice *c, const gos_system *sys, double tolerance, gos_track *track,
                      gos_training *training, gos_range *range) {
    const gos_options o = with_tolerance(c, tolerance);
    c->out.runs++;
    return gos__track_run(c->ctx, sys, &o, track, training, range);
}

static gos_status run_reference(choice *c) {
    c->fine = FINE * c->tol;
    for (int i = 0; i < ATTEMPTS; i++, c->fine *= COARSER) {
        gos__training_free(c->ctx, &c->states);
        GOS_TRY(gos__training_create(c->ctx, c->full, c->reference.samples, &c->states));
        GOS_TRY(run(c, c->full, c->fine, &c->reference, &c->states, NULL));
        if (!c->reference.failed) {
            c->all.most = c->last.most = UNSTEADY * c->reference.steps + 100;
            return GOS_OK;
        }
    }
    return gos__fail(
        c->ctx, GOS_E_DIVERGED,
        "reduction: the full model's own run does not come to its end, so no reduction "
        "can be compared with it; see what stops `gossamer run`");
}

static gos_distance distance(const choice *c, const gos_track *track) {
    return gos__track_distance(c->full, track, &c->reference);
}

/* c->sys := the model of c->def with all points, NULL when these fields do not work, which is no error
   of the model: its messages go elsewhere */
static gos_status make(choice *c) {
    gos_system *trial = NULL;
    gos_ctx *quiet = gos__ctx_quiet(c->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_system_destroy(c->sys);
    c->sys = NULL;
    const gos_snapshots *from = c->snapshots.least > 0 ? &c->snapshots : NULL;
    const gos_status status = gos__rom_make(quiet, c->full, &c->def, NULL, from, &trial);
    gos_system_destroy(trial);
    gos_ctx_destroy(quiet);
    return status == GOS_E_INPUT ? GOS_OK
                                 : gos__rom_make(c->ctx, c->full, &c->def, NULL, from, &c->sys);
}

/* the same, run; *d is infinite when it does not work */
static gos_status run_all_points(choice *c, gos_distance *d) {
    *d = (gos_distance){HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    GOS_TRY(make(c));
    if (!c->sys) {
        return GOS_OK;
    }
    gos__training_free(c->ctx, &c->training);
    GOS_TRY(gos__training_create(c->ctx, c->sys, c->all.samples, &c->training));
    GOS_TRY(run(c, c->sys, TRIAL * c->tol, &c->all, &c->training, NULL));
    *d = distance(c, &c->all);
    return GOS_OK;
}

/* means and gradients, each in its range */
static double heat_of(gos_distance d) {
    return fmax(d.temperature, d.gradient);
}

/* ---- 1, 2: fields and temperature functions ---------------------------------------------------- */

static bool is_smaller(const choice *c) {
    return c->sys && c->sys->nq < SMALLER * c->full->nq;
}

/* of these fields; a small part that is off by a lot, a brace that does not bend, says little in the
   RMS */
static bool is_near(const choice *c, gos_distance d) {
    return d.position <= c->share * c->tol && d.worst <= WORST * c->share * c->tol;
}

/* principal fields, as many as it takes; *n: coordinates, or a large number */
static gos_status choose_principal(choice *c, int *n, gos_distance *d) {
    *n = INT_MAX;
    c->def.number = 1;
    c->def.statics = 0;
    for (double part = COARSEST; part > FINEST; part *= FINER) {
        c->snapshots.least = part * c->tol * c->full->extent;
        GOS_TRY(run_all_points(c, d));
        if (is_near(c, *d) || (c->sys && !is_smaller(c))) {
            *n = c->sys->nq;
            break;
        }
    }
    return GOS_OK;
}

/* modes, as long as they are not many more than n coordinates */
static gos_status choose_modes(choice *c, int n, gos_distance *d, bool *good) {
    *good = false;
    c->snapshots.least = 0;
    c->def.number = FEWEST;
    c->def.statics = gos__rom_def(c->full).statics;
    for (int round = 0; round < ROUNDS && !*good; round++) {
        GOS_TRY(make(c));
        if (c->sys && (c->sys->nq > ALIKE * n || !is_smaller(c))) {
            break;
        }
        GOS_TRY(run_all_points(c, d));
        *good = is_near(c, *d);
        c->def.number = *good ? c->def.number : GROWTH(c->def.number);
    }
    return GOS_OK;
}

/* *d: of the better one, not made yet */
static gos_status choose_fields(choice *c, gos_distance *d) {
    gos_distance principal = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    bool good;
    int n;
    c->def.thermal_fields = numbers[PLAIN];
    GOS_TRY(choose_principal(c, &n, &principal));
    const double least = c->snapshots.least;
    GOS_TRY(choose_modes(c, n, d, &good));
    if (!good) {
        c->snapshots.least = least;
        c->def.number = 1;
        c->def.statics = 0;
        *d = principal;
    }
    c->out.error_fields = d->position;
    return GOS_OK;
}

/* the fewest functions, from two on, or more than fields were chosen with when those were too few; as
   soon as more of them do not help, temperatures differ for other reasons. `with`: errors with PLAIN */
static gos_status choose_thermal(choice *c, gos_distance with) {
    gos_distance d;
    const bool few = heat_of(with) <= SHARE * c->tol;
    double before = heat_of(with);
    for (int i = few ? 0 : PLAIN + 1; i < GOS_COUNT(numbers) && c->full->nt > 0; i++) {
        c->def.thermal_fields = numbers[i];
        GOS_TRY(run_all_points(c, &d));
        c->out.error_thermal = fmax(0, d.position - with.position);
        if (c->out.error_thermal <= SHARE_MORE * c->tol && heat_of(d) <= SHARE * c->tol) {
            return GOS_OK;
        }
        if (!few && heat_of(d) > NOTHING_WON * before) {
            c->def.thermal_fields = numbers[i - 1];
            break;
        }
        before = heat_of(d);
    }
    return run_all_points(c, &d);
}

/* ---- 3, 4: points and steps -------------------------------------------------------------------- */

/* few points; without any gain, all of them. c->last: its run */
static gos_status choose_points(choice *c) {
    gos_cubature *cubature = NULL;
    const int all = c->out.all_points = gos__count_points(c->sys);
    int n = all;
    gos_status status = gos__cubature_create(c->ctx, c->sys, &c->training, &cubature);
    bool good = false;
    for (double tau = LOOSEST; status == GOS_OK && !good && tau > TIGHTEST; tau *= TIGHTER) {
        status = gos__cubature_apply(cubature, tau, c->sys->rom->selection, &n);
        if (status != GOS_OK || n > MOST_POINTS * all) {
            break;
        }
        status = run(c, c->sys, TRIAL * c->tol, &c->last, NULL, NULL);
        const gos_distance d = gos__track_distance(c->full, &c->last, &c->all);
        c->out.error_points = d.position;
        good = d.position <= SHARE_POINTS * c->tol && heat_of(d) <= SHARE_POINTS * c->tol;
    }
    if (status == GOS_OK && !good) {
        gos__cubature_restore(cubature);
        memset(c->sys->rom->selection, 0, (size_t)c->sys->npoints * sizeof(gos_selection));
        c->out.error_points = 0;
    }
    gos__cubature_destroy(cubature);
    return status;
}

/* *d: of the model with these steps */
static gos_status choose_steps(choice *c, gos_distance *d) {
    double before = HUGE_VAL;
    for (double part = LONGEST; part > FINE; part *= SHORTER) {
        GOS_TRY(run(c, c->sys, part * c->tol, &c->last, NULL, NULL));
        *d = distance(c, &c->last);
        const double worse = fmax(d->position, heat_of(*d));
        c->out.step_tolerance = c->free_steps ? part * c->tol : 0;
        if (!c->free_steps || worse <= ACCEPT * c->tol || worse > NOTHING_WON * before) {
            break;
        }
        before = worse;
    }
    return GOS_OK;
}

/* ---- 5: all of it ---------------------------------------------------------------------------- */

/* what the model meets, and how much its steps matter */
static gos_status learn(choice *c) {
    gos_range *range = GOS_NEW(c->sys->arena, gos_range, c->sys->npoints + 1);
    c->sys->rom->range = range;
    if (!range) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(run(c, c->sys, c->fine, &c->all, NULL, range));
    c->out.error_steps = gos__track_distance(c->full, &c->last, &c->all).position;
    c->out.residual = c->all.learnt.residual;
    c->out.residual_temperature = c->all.learnt.residual_temperature;
    return GOS_OK;
}

static gos_status choose(choice *c) {
    gos_distance d = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    GOS_TRY(run_reference(c));
    for (int round = 0; round < ROUNDS; round++) {
        GOS_TRY(choose_fields(c, &d));
        GOS_TRY(choose_thermal(c, d));
        if (!c->sys) {
            break;
        }
        GOS_TRY(choose_points(c));
        GOS_TRY(choose_steps(c, &d));
        if (d.position <= ACCEPT * c->tol || !is_smaller(c) || !c->free_steps) {
            break;
        }
        c->share *= SHORTER;
    }
    if (!c->sys) {
        return gos__fail(c->ctx, GOS_E_INPUT,
                         "reduction: no fields from modes give a model that works; run it in full");
    }
    c->out.predicted = d.position;
    c->out.predicted_temperature = heat_of(d);
    return learn(c);
}

static gos_status prepare(choice *c) {
    gos__auto_first_step(&c->options);
    c->free_steps = c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC;
    c->def.fields = GOS_FIELDS_MODES;
    c->def.cubature = 0;
    c->share = SHARE;
    c->snapshots.run = &c->states;
    GOS_TRY(gos__track_create(c->ctx, c->full, &c->options, &c->reference));
    GOS_TRY(gos__track_create(c->ctx, c->full, &c->options, &c->all));
    return gos__track_create(c->ctx, c->full, &c->options, &c->last);
}

static void finish(choice *c, double start) {
    gos_system *s = c->sys;
    c->out.expansions = s->rom->chosen.expansions;
    c->out.number = c->snapshots.least > 0 ? s->nv - c->out.expansions : s->rom->def.number;
    c->out.thermal_fields = c->full->nt ? s->rom->def.thermal_fields : 0;
    c->out.points = gos__count_points(s);
    c->out.tolerance = c->tol;
    c->out.time_run = c->last.seconds;
    c->out.time_full =
        c->reference.seconds *
        gos__worth_steps(&c->options, 1, c->free_steps ? c->fine : 0, c->full->options.tolerance);
    if (c->out.step_tolerance > 0) {
        s->options.tolerance = c->out.step_tolerance;
        s->options.initial_step = c->options.initial_step;
    }
    c->out.time = gos__now() - start;
    s->rom->chosen = c->out;
}

gos_status gos__auto_modes(gos_ctx *ctx, const gos_system *full, gos_system **reduced) {
    const double start = gos__now();
    choice *c = gos__zalloc(ctx, 1, sizeof *c);
    if (!c) {
        return GOS_E_MEMORY;
    }
    *c = (choice){.ctx = ctx,
                  .full = full,
                  .def = gos__rom_def(full),
                  .options = full->options,
                  .tol = gos__rom_def(full).tolerance};
    gos_status status = prepare(c);
    status = status == GOS_OK ? choose(c) : status;
    if (status == GOS_OK) {
        finish(c, start);
        *reduced = c->sys;
    } else {
        gos_system_destroy(c->sys);
    }
    gos__track_free(ctx, &c->reference);
    gos__track_free(ctx, &c->all);
    gos__track_free(ctx, &c->last);
    gos__training_free(ctx, &c->training);
    gos__training_free(ctx, &c->states);
    gos__free(ctx, c);
    return status;
}
