/* Selection of the fewest fields and temperature functions that represent the states of a full
   run, by projection. Their number follows from the decay of the error. With modes, principal
   fields (POD) are tried first; modes replace them if about as few suffice, since they
   generalise better. */
#include <limits.h>
#include <math.h>

#include "rom/auto_choice.h"

// No origin is recorded for these values; dimensionless unless stated.
#define MIN_POLYNOMIALS 4  // smallest number of polynomials
#define MIN_MODES 12       // smallest number of modes
#define MAX_POLYNOMIALS 40 // largest number of polynomials; beyond, the full model is as fast
#define MIN_THERMAL 2      // smallest number of temperature functions
#define MAX_THERMAL 24     // largest number of temperature functions
#define MAX_TRIALS 8       // largest number of trials
#define MAX_PRINCIPAL_TRIALS 12
#define SMOOTH_THERMAL 10 // smooth temperature functions beside principal ones: second degree
#define IDLE_RATIO 0.9    // ratio of successive errors above which a trial is idle
#define INITIAL_DECAY 6.0 // initial error decay per field, until measured
// initial threshold of principal fields, relative to the allowed error
#define INITIAL_THRESHOLD 0.4
#define THRESHOLD_REDUCTION 0.3  // refinement factor on it
#define PRINCIPAL_COST_RATIO 1.3 // expected cost ratio of more principal fields
// modes are preferred up to this number of coordinates relative to principal fields
#define MODE_PREFERENCE 1.15
#define MAX_SIZE_RATIO 0.75      // largest number of reduced coordinates relative to the full model
#define MAX_PROJECTION_ERROR 0.5 // largest projection error, relative to `tolerance`
// excess strain energy relative to all energy, in units of the tolerance
#define EXCESS_ENERGY 10.0
#define NEARLY_SUFFICIENT 3.0 // more modes are tried up to this multiple of the allowed error
#define ELEMENTS_PER_FUNCTION 1.5
#define NODE_ERROR_RATIO 3.0 // largest error of the worst node relative to the RMS
// largest error of the equilibrium in the space, relative to `tolerance`, and to the motion
#define MAX_LOCKED 0.3
#define MAX_LOCKED_MOTION 0.01
#define NO_MOTION 1e-10       // motion that is rounding, relative to the extent
#define VECTOR_THRESHOLD 3e-3 // first threshold of section vectors, relative to their change
/* Smallest remainder of a constraint row. Principal fields that contain a relative motion of joined
   bodies only in part leave 1e-5 to 0.02 of a row: stiff to steps, or locked. Modes with static
   responses leave 0.1 and more (measured on hubs, yokes and panels). */
#define MIN_ROW_REMAINDER 0.03

/* ---- conditions for modes -------------------------------------------------------------------- */

static bool is_flexible(const gos_body *b) {
    return b->ops->fields != NULL && b->nv > 0;
}

/* flexible body of the item's markers except `other`, or -1 */
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

gos_status gos__auto_requires_modes(gos_ctx *ctx, const gos_system *full, bool *required) {
    int links = 0;
    gos_status status = GOS_OK;
    *required = gos__rom_def(full).fields == GOS_FIELDS_MODES;
    for (int i = 0; i < full->nbody && !*required && status == GOS_OK; i++) {
        const gos_body *b = full->body[i];
        *required = is_flexible(b) && (b->ops->edge || refuses_polynomials(ctx, b, &status));
    }
    for (int i = 0; i < full->nitem; i++) {
        const gos_item *it = full->item[i];
        const int one = it->nc > 0 ? flexible_of(full, it, -1) : -1;
        links += one >= 0 && flexible_of(full, it, one) >= 0;
    }
    *required |= links > 1;
    return status;
}

/* ---- projection error of a space ------------------------------------------------------------- */

static gos_status try_space(gos_choice *c) {
    gos_space *k = &c->space;
    gos__choice_drop(c, k);
    k->off = (gos_distance){HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    k->def = c->def;
    k->least = c->snapshots.least;
    const bool found = k->least > 0 || c->snapshots.least_heat > 0;
    const gos_snapshots *from = found ? &c->snapshots : NULL;
    const gos_status status = gos__rom_make(c->quiet, c->full, &c->def, NULL, from, &k->sys);
    if (status == GOS_E_INPUT || status == GOS_E_LIMIT) {
        return GOS_OK;
    }
    GOS_TRY(status);
    c->spent +=
        gos__cost_space(k->sys, c->def.fields == GOS_FIELDS_MODES && !(k->least > 0), c->states.n);
    return gos__projection_error(c);
}

/* Equilibria must keep the tolerance and a hundredth of the motion: where it is small it may still
   be all that the model is for. */
static double locking_error(const gos_choice *c) {
    const double motion = MAX_LOCKED_MOTION * c->travel;
    const double allowed = MAX_LOCKED * c->tol;
    return c->space.locked / (c->travel > NO_MOTION ? fmin(allowed, motion) : allowed);
}

/* Relative to the tolerance; includes the worst node, which reveals small parts, such as a brace
   that does not bend. */
static double motion_error(const gos_choice *c) {
    const gos_distance *d = &c->space.off;
    return fmax(fmax(fmax(d->position, d->worst / NODE_ERROR_RATIO) / c->tol,
                     c->share * c->space.excess / (EXCESS_ENERGY * c->tol)),
                c->share * locking_error(c));
}

static double heat_error(const gos_choice *c) {
    return c->full->nt > 0 && c->space.sys ? gos__heat_of(c->space.off) / c->tol : 0;
}

static bool is_smaller(const gos_choice *c) {
    return c->space.sys && c->space.sys->nq < MAX_SIZE_RATIO * c->full->nq;
}

/* true if the fields can follow all constraints */
static bool follows(const gos_choice *c) {
    return c->space.sys && c->space.sys->least_row >= MIN_ROW_REMAINDER;
}

/* ---- growth of the space --------------------------------------------------------------------- */

typedef struct series {
    int n, last, max;
    double target, last_error, now; // allowed error; error with `last` functions; with n
    int idle;                       // trials without improvement
} series;

static series begin(int n, int max, double target) {
    return (series){
        .n = n, .last = n, .max = max, .target = target, .last_error = HUGE_VAL, .now = HUGE_VAL};
}

/* Stops after two idle trials: symmetric problems do not excite every second function. */
static bool grow(series *s) {
    s->idle = s->now > IDLE_RATIO * s->last_error ? s->idle + 1 : 0;
    if (s->now <= s->target || s->n >= s->max || s->idle > 1) {
        return false;
    }
    const bool falls = s->last_error < HUGE_VAL && s->now < s->last_error;
    const double rate = falls ? log(s->last_error / s->now) / (s->n - s->last) : log(INITIAL_DECAY);
    const double required = ceil(log(s->now / s->target) / rate), max = s->n < 4   ? 2
                                                                        : s->n < 6 ? 3
                                                                                   : s->n / 2;
    const int more = s->now < HUGE_VAL ? (int)fmax(1, fmin(required, max)) : 1;
    s->last = s->n;
    s->last_error = s->now;
    s->n = s->n + more < s->max ? s->n + more : s->max;
    return true;
}

static series begin_heat(const gos_choice *c) {
    const int n = c->def.thermal_fields > 0 ? c->def.thermal_fields : MIN_THERMAL;
    return begin(n, c->full->nt > 0 ? MAX_THERMAL : 0, c->share_heat);
}

/* cost of matrices grows with the square of the unknowns */
static bool is_affordable(const gos_choice *c, const series *fields, const series *heat) {
    const gos_system *s = c->space.sys;
    const double now = s->nq + s->nt, families = c->full->nt > 0 ? 3.0 * c->full->nbody : 0;
    const double more = 3.0 * s->rom->ngroup * (fields->n - c->def.number) +
                        families * (heat->n - c->def.thermal_fields);
    return gos__choice_is_affordable(c, (1 + more / now) * (1 + more / now));
}

/* Reduce the growth until affordable and smaller than the full model; false: none. */
static bool can_grow(const gos_choice *c, series *fields, series *heat) {
    if (!c->space.sys) {
        return true;
    }
    if (!is_smaller(c)) {
        return false;
    }
    while (!is_affordable(c, fields, heat)) {
        if (fields->n > c->def.number) {
            fields->n--;
        } else if (heat->n > c->def.thermal_fields) {
            heat->n--;
        } else {
            return false;
        }
    }
    return fields->n > c->def.number || heat->n > c->def.thermal_fields;
}

static gos_status grow_both(gos_choice *c, series *fields, series *heat, int max) {
    for (int trial = 0; trial < MAX_TRIALS; trial++) {
        c->def.number = fields->n;
        c->def.thermal_fields = heat->n;
        c->def.points = (int)ceil(c->points * fields->n);
        GOS_TRY(try_space(c));
        fields->now = motion_error(c);
        heat->now = heat_error(c);
        if (c->space.sys && c->space.sys->nq > max) {
            fields->now = HUGE_VAL;
            break;
        }
        const bool more = grow(fields), more_heat = c->space.sys && grow(heat);
        if ((!more && !more_heat) || !can_grow(c, fields, heat)) {
            break;
        }
    }
    return GOS_OK;
}

/* ---- selection of fields --------------------------------------------------------------------- */

/* Spaces that are close but too stiff lack motions of little mass: section vectors first. */
static void refine_motion(gos_choice *c, double *part) {
    const gos_distance *d = &c->space.off;
    const bool close = fmax(d->position, d->worst / NODE_ERROR_RATIO) <= c->share * c->tol;
    if (close && !(c->snapshots.least_vectors > 0)) {
        c->snapshots.least_vectors = VECTOR_THRESHOLD;
        return;
    }
    *part *= THRESHOLD_REDUCTION;
    c->snapshots.least_vectors *= close ? THRESHOLD_REDUCTION : 1;
}

/* The first principal temperatures replace most smooth functions. */
static void refine_heat(gos_choice *c, double *part) {
    if (c->snapshots.least_heat > 0) {
        *part *= THRESHOLD_REDUCTION;
    } else if (c->def.thermal_fields > SMOOTH_THERMAL) {
        c->def.thermal_fields = SMOOTH_THERMAL;
    }
    c->snapshots.least_heat = *part * c->share_heat * c->tol;
}

static gos_status choose_principal(gos_choice *c) {
    series heat = begin_heat(c);
    double part = INITIAL_THRESHOLD, part_heat = INITIAL_THRESHOLD;
    c->def.number = 1;
    // one state does not contain the small motions that lead to it
    c->def.statics = c->states.n == 1 && gos__rom_def(c->full).statics;
    c->def.thermal_fields = heat.n;
    c->snapshots.least_vectors = 0;
    for (int trial = 0; trial < MAX_PRINCIPAL_TRIALS; trial++) {
        c->snapshots.least = part * c->share * c->tol * c->full->extent;
        GOS_TRY(try_space(c));
        heat.now = heat_error(c);
        const bool more = motion_error(c) > c->share || (c->space.sys && !follows(c));
        const bool more_heat = c->space.sys && heat.now > heat.target;
        if ((!more && !more_heat) ||
            (c->space.sys &&
             (!is_smaller(c) || !gos__choice_is_affordable(c, PRINCIPAL_COST_RATIO)))) {
            break;
        }
        if (more) {
            refine_motion(c, &part);
        }
        if (more_heat && !(c->snapshots.least_heat > 0) && grow(&heat)) {
            c->def.thermal_fields = heat.n;
        } else if (more_heat) {
            refine_heat(c, &part_heat);
        }
    }
    return GOS_OK;
}

static void select_modes(gos_choice *c) {
    c->snapshots.least = 0;
    c->def.statics = gos__rom_def(c->full).statics;
}

/* Fewest modes, or all that fit if nearly sufficient. */
static gos_status try_modes(gos_choice *c, int max, bool *good) {
    series modes = begin(MIN_MODES, MIN_MODES, c->share), heat = begin_heat(c);
    select_modes(c);
    GOS_TRY(grow_both(c, &modes, &heat, max));
    const gos_system *s = c->space.sys;
    const int spare = s ? (max - s->nq) / (3 * s->rom->ngroup) : 0;
    if (modes.now > modes.target && modes.now <= NEARLY_SUFFICIENT * modes.target && spare > 0) {
        modes.n = modes.max = MIN_MODES + spare;
        GOS_TRY(grow_both(c, &modes, &heat, max));
    }
    *good = modes.now <= modes.target;
    return GOS_OK;
}

static gos_status choose_modes(gos_choice *c) {
    bool good;
    GOS_TRY(c->only_modes ? GOS_OK : choose_principal(c));
    if (c->only_modes || !follows(c)) {
        series modes = begin(MIN_MODES, INT_MAX / 8, c->share), heat = begin_heat(c);
        select_modes(c);
        return grow_both(c, &modes, &heat, INT_MAX);
    }
    c->alternative = c->space;
    c->space = (gos_space){0};
    GOS_TRY(try_modes(c, (int)(MODE_PREFERENCE * c->alternative.sys->nq), &good));
    if (good) {
        gos__choice_drop(c, &c->alternative);
        return GOS_OK;
    }
    gos__choice_drop(c, &c->space);
    c->space = c->alternative;
    c->alternative = (gos_space){0};
    c->def = c->space.def;
    c->snapshots.least = c->space.least;
    return GOS_OK;
}

static gos_status choose_polynomials(gos_choice *c) {
    series fields =
        begin(c->def.number > 0 ? c->def.number : MIN_POLYNOMIALS, MAX_POLYNOMIALS, c->share);
    series heat = begin_heat(c);
    return grow_both(c, &fields, &heat, INT_MAX);
}

/* Functions as short as elements include the mesh error, which polynomials lack. */
static bool is_coarse(const gos_choice *c) {
    for (int i = 0; i < c->full->nbody; i++) {
        const gos_body *b = c->full->body[i];
        const int nodes = b->nfam > 0 && b->ops->fields ? b->nt / b->nfam : 0;
        if (nodes > 0 && ELEMENTS_PER_FUNCTION * c->def.thermal_fields > nodes) {
            return true;
        }
    }
    return motion_error(c) > MAX_PROJECTION_ERROR || heat_error(c) > MAX_PROJECTION_ERROR;
}

gos_status gos__choose_space(gos_choice *c) {
    if (c->def.fields == GOS_FIELDS_MODES) {
        return choose_modes(c);
    }
    const gos_reduction_def last_error = c->def;
    GOS_TRY(choose_polynomials(c));
    if (!c->def.on_mesh && is_coarse(c)) {
        c->def = last_error;
        c->def.on_mesh = true;
        GOS_TRY(choose_polynomials(c));
    }
    if (!c->space.sys && c->def.on_mesh) {
        // polynomials save nothing
        c->def.fields = GOS_FIELDS_MODES;
        return choose_modes(c);
    }
    return GOS_OK;
}
