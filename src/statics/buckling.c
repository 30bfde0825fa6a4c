/* Linearised buckling of a system. The linear response to the scaled loads is the difference of two
   equilibria at small load factors of both signs. Bodies contribute the geometric stiffness of
   their stress there; constraints, springs and bodies in floating frames the change of their
   stiffness. Bathe, Finite Element Procedures, 6.8.2. */
#include "linear/buckling.h"

#include <math.h>

#include "linear/condensed.h"
#include "linear/linear.h"
#include "model/model.h"
#include "signals/ports.h"
#include "statics/linearise.h"

#define TARGET 1e-5     // displacements at the small factor, over the extent
#define TOLERANCE 30.0  // accepted ratio to the target
#define MAX_WARMING 1.0 // largest temperature change at the small factor [K]
#define MAX_TRIES 16
#define TINY 1e-9       // no displacement: rounding
#define MEANINGLESS 1.0 // linear displacements over the extent
#define UNKNOWN 1e9     // largest factor over the small one, if nothing is displaced
#define LARGE 0.05      // displacements to warn of
#define ASYMMETRY 1e-6
#define MIN_POSITION 1e-3 // position over the largest coordinate

typedef struct buckling {
    gos_ctx *ctx, *quiet;
    gos_arena *arena; // names
    const gos_system *sys;
    gos_options opt;
    const gos_buckling_options *loads;
    gos_input *input; // declared (ninput)
    bool *scaled;     // (ninput)
    int ninput;
    bool weight;     // gravity is scaled
    gos_state *x[3]; // constant loads; plus the scaled ones times step, times -step
    double step, displaced, warmed, held; // displacements over the extent; of constraint forces
    double *node;                         // (2, nnodes, 3)
    gos_linear *l;                        // of x[0], without potentials
    gos_sparse Kg, skew;
} buckling;

static double largest_change(int n, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* ---- loads ----------------------------------------------------------------------------------- */

static bool follows_probes(const buckling *k, int i) {
    const char *const *variable;
    return gos__timefn_variables(k->sys->fn[k->input[i].fn], &variable) > 0;
}

static bool has_kind(const buckling *k, gos_input_kind a, gos_input_kind b) {
    bool any = false;
    for (int i = 0; i < k->ninput; i++) {
        any = any || k->input[i].kind == a || k->input[i].kind == b;
    }
    return any;
}

static bool has_gravity(const buckling *k) {
    const double *g = k->sys->gravity;
    return g[0] != 0 || g[1] != 0 || g[2] != 0;
}

/* does the word select the input: its kind, its entry, or its full name? */
static bool selects(const char *word, const gos_input *in) {
    const size_t n = strlen(word);
    switch (in->kind) {
    case GOS_INPUT_FORCE:
        if (strcmp(word, "loads") == 0) {
            return true;
        }
        break;
    case GOS_INPUT_MOTION:
        if (strcmp(word, "motion") == 0) {
            return true;
        }
        break;
    default:
        if (strcmp(word, "heat") == 0) {
            return true;
        }
    }
    return strncmp(word, in->name, n) == 0 && (in->name[n] == '\0' || in->name[n] == '.');
}

static gos_status select_word(buckling *k, const char *word) {
    bool any = strcmp(word, "gravity") == 0 && has_gravity(k);
    k->weight = k->weight || any;
    for (int i = 0; i < k->ninput; i++) {
        if (!selects(word, &k->input[i])) {
            continue;
        }
        if (follows_probes(k, i)) {
            return gos__fail(k->ctx, GOS_E_INPUT,
                             "buckling: '%s' depends on probes, so it cannot be scaled; list the "
                             "loads to be scaled without it",
                             k->input[i].name);
        }
        any = k->scaled[i] = true;
    }
    return any ? GOS_OK
               : gos__fail(k->ctx, GOS_E_INPUT,
                           "buckling: the model has no load, joint or heat entry '%s' to be "
                           "scaled; use names of entries, or loads, gravity, heat, motion",
                           word);
}

static gos_status select_loads(buckling *k) {
    const gos_buckling_options *o = k->loads;
    for (int i = 0; i < o->nscaled && o->scaled; i++) {
        GOS_TRY(select_word(k, o->scaled[i]));
    }
    if (o->scaled && o->nscaled > 0) {
        return GOS_OK;
    }
    const bool forces = has_kind(k, GOS_INPUT_FORCE, GOS_INPUT_FORCE);
    k->weight = has_gravity(k);
    for (int i = 0; i < k->ninput; i++) {
        const bool force = k->input[i].kind == GOS_INPUT_FORCE;
        const bool heat =
            k->input[i].kind == GOS_INPUT_HEAT || k->input[i].kind == GOS_INPUT_TEMPERATURE;
        k->scaled[i] = (forces || k->weight ? force : heat) && !follows_probes(k, i);
    }
    return k->weight || forces || has_kind(k, GOS_INPUT_HEAT, GOS_INPUT_TEMPERATURE)
               ? GOS_OK
               : gos__fail(k->ctx, GOS_E_INPUT,
                           "buckling: the model has no loads, no gravity and no heat, so nothing "
                           "can be scaled; add a load");
}

/* "gravity, push, pull" */
static void name_loads(const buckling *k, bool scaled, char *buf, size_t size) {
    size_t at = 0;
    buf[0] = '\0';
    if (has_gravity(k) && k->weight == scaled) {
        at = (size_t)snprintf(buf, size, "gravity");
    }
    for (int i = 0; i < k->ninput && at < size; i++) {
        const gos_input *in = &k->input[i];
        const bool first = i == 0 || k->input[i - 1].fn != in->fn;
        if (k->scaled[i] == scaled && !in->idle && first) {
            at += (size_t)snprintf(buf + at, size - at, "%s%s", at > 0 ? ", " : "", in->name);
        }
    }
}

static gos_status check_system(const buckling *k) {
    const gos_system *s = k->sys;
    const gos_options *o = &k->opt;
    if (s->reduced || s->linear) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "buckling: %s has no geometric stiffness of its stress; use the full "
                         "model",
                         s->reduced ? "a reduced model" : "a model of matrices");
    }
    if (o->spin_x != 0 || o->spin_y != 0 || o->spin_z != 0) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "buckling: steady rotation is not supported; remove analysis.spin");
    }
    for (int b = 0; b < s->nbody; b++) {
        if (s->body[b]->unstiffened) {
            return gos__fail_at(k->ctx, GOS_E_INPUT, s->body[b]->loc, s->body[b]->name,
                                "buckling: stress does not change the stiffness of this body "
                                "(%s%s); use %s",
                                s->body[b]->type, s->body[b]->derived ? ", `coupling: zeroth`" : "",
                                s->body[b]->derived ? "`coupling: first`"
                                                    : "a body of finite elements, beams or plates");
        }
    }
    return GOS_OK;
}

/* ---- states ---------------------------------------------------------------------------------- */

static void set_loads(const buckling *k, gos_state *x, double factor) {
    for (int i = 0; i < k->ninput; i++) {
        if (k->scaled[i]) {
            const int fn = k->input[i].fn;
            const double y = factor * gos__timefn_eval(k->sys->fn[fn], x->t, NULL, NULL);
            x->held[fn] = (gos_held){.now = {1, x->t, y, x->t, y}};
        }
    }
    x->weight = k->weight ? factor : 1;
    x->sets++;
}

static bool is_loaded(const buckling *k) {
    bool any = k->weight;
    for (int i = 0; i < k->ninput; i++) {
        const gos_timefn *fn = k->sys->fn[k->input[i].fn];
        any = any || (k->scaled[i] && gos__timefn_eval(fn, k->x[0]->t, NULL, NULL) != 0);
    }
    return any;
}

static gos_status find_constant(const buckling *k) {
    if (!is_loaded(k)) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "buckling: the scaled loads are zero at t = %g s; check their values, or "
                         "give another time",
                         k->x[0]->t);
    }
    set_loads(k, k->x[0], 0);
    const gos_status status = gos_solve_static(k->quiet, k->sys, &k->opt, k->x[0], NULL);
    return status == GOS_OK || status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED
               ? status
               : gos__fail(k->ctx, status, "buckling: no equilibrium under the constant loads: %s",
                           gos_ctx_message(k->quiet));
}

static gos_status respond(buckling *k, int i, double factor) {
    GOS_TRY(gos_state_copy(k->x[i], k->x[0]));
    set_loads(k, k->x[i], factor);
    return gos_solve_static(k->quiet, k->sys, &k->opt, k->x[i], NULL);
}

/* nodes of bodies, and vectors that are positions; amplitudes have no common scale */
static void measure(buckling *k, const gos_state *x) {
    const gos_system *s = k->sys;
    const int n = 3 * s->nnodes;
    double *was = k->node, *is = was + n;
    gos_system_nodes(s, k->x[0], was, NULL, NULL, NULL);
    gos_system_nodes(s, x, is, NULL, NULL, NULL);
    k->displaced = largest_change(n, is, was);
    for (int i = 0; i < s->nq; i++) {
        const double change = fabs(x->q[i] - k->x[0]->q[i]);
        k->displaced = s->trans[i / 3] != 0 ? fmax(k->displaced, change) : k->displaced;
    }
    k->displaced /= s->extent;
    k->warmed = largest_change(s->nt, x->th, k->x[0]->th);
    k->held = largest_change(s->nc, x->lam, k->x[0]->lam);
}

/* Factor at which the response is small, so that it is linear, but far above rounding. */
static gos_status find_step(buckling *k) {
    gos_status status = GOS_RETRY;
    k->step = 1e-3;
    for (int i = 0; i < MAX_TRIES; i++) {
        status = respond(k, 1, k->step);
        if (status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED) {
            return status;
        }
        if (status != GOS_OK) {
            k->step *= 1e-3;
            continue;
        }
        measure(k, k->x[1]);
        const double size = fmax(k->displaced / TARGET, k->warmed / MAX_WARMING);
        if (size > 1 / TOLERANCE && size < TOLERANCE) {
            return respond(k, 2, -k->step);
        }
        if (!(size > TINY) && k->held > 0) { // rigid bodies and constraint forces only
            return respond(k, 2, -k->step);
        }
        if (!(size > 0)) {
            return gos__fail(k->ctx, GOS_E_INPUT,
                             "buckling: the scaled loads cause no deformation and no constraint "
                             "forces; check where they act");
        }
        k->step /= size;
    }
    return status != GOS_OK ? gos__fail(k->ctx, status, "buckling: no linear response: %s",
                                        gos_ctx_message(k->quiet))
                            : gos__fail(k->ctx, GOS_E_DIVERGED,
                                        "buckling: no load factor has a small, nonzero response; "
                                        "the model moves without resistance, or is rigid");
}

/* ---- matrices -------------------------------------------------------------------------------- */

static gos_status stiffness(const buckling *k, int i, bool geometric, gos_linear **l) {
    gos_linear *full = NULL, *own = NULL;
    const gos_linear *use;
    GOS_TRY(geometric ? gos__linearise_geometric(k->ctx, k->sys, k->x[i], &full)
                      : gos_linearise(k->ctx, k->sys, k->x[i], &full));
    const gos_status status = gos__linear_condense(k->ctx, full, &own, &use);
    if (own) {
        gos_linear_destroy(full);
    }
    *l = own ? own : full;
    if (status != GOS_OK) {
        gos_linear_destroy(*l);
        *l = NULL;
    }
    return status;
}

static gos_buckling_pencil pencil_of(const buckling *k) {
    return (gos_buckling_pencil){
        .K = &k->l->K, .Kg = &k->Kg, .C = &k->l->block[GOS_BLOCK_C], .ncomp = k->l->ncomp};
}

/* Modes separate free motions, zero up to rounding, from unstable ones. */
static gos_status check_constant(buckling *k) {
    gos_mode lowest = {0};
    int found = 0;
    GOS_TRY(stiffness(k, 0, false, &k->l));
    const gos_status status = gos_linear_modes(k->quiet, k->l, 1, false, &lowest, &found);
    if (status == GOS_OK && found > 0 && lowest.rigid) {
        return gos__buckling_refuse(k->ctx, true);
    }
    if (status == GOS_OK && found > 0 && lowest.re > 0) {
        return gos__buckling_refuse(k->ctx, false);
    }
    const gos_buckling_pencil p = pencil_of(k);
    return gos__buckling_check(k->ctx, &p);
}

static gos_status matrices(buckling *k) {
    gos_linear *plus = NULL, *minus = NULL;
    gos_sparse whole = {0};
    double skew;
    gos_status status = stiffness(k, 1, true, &plus);
    status = status == GOS_OK ? stiffness(k, 2, true, &minus) : status;
    if (status == GOS_OK) {
        const double half = 0.5 / k->step;
        status = gos__sparse_sum(k->ctx, half, &plus->block[GOS_BLOCK_K], -half,
                                 &minus->block[GOS_BLOCK_K], &whole);
    }
    status = status == GOS_OK ? gos__sparse_symmetric_part(k->ctx, &whole, &k->Kg, &skew) : status;
    status = status == GOS_OK ? gos__sparse_sum(k->ctx, 1, &whole, -1, &k->Kg, &k->skew) : status;
    gos__sparse_free(k->ctx, &whole);
    gos_linear_destroy(plus);
    gos_linear_destroy(minus);
    return status;
}

/* Loads without potential have skew terms between the shapes, where the factor is not static. */
static gos_status check_potential(const buckling *k, int n, const gos_buckling_mode *mode,
                                  const double *X) {
    const size_t nq = k->l->nq;
    double worst = 0, *y = gos__alloc(k->ctx, nq + 1, sizeof *y);
    GOS_TRY(y ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < n; j++) {
        gos__sparse_apply(&k->skew, 1, X + j * nq, y);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (size_t r = 0; r < nq; r++) {
                sum += X[i * nq + r] * y[r];
            }
            worst = fmax(worst, mode[0].factor * fabs(sum)); // of X^T K X = 1
        }
    }
    gos__free(k->ctx, y);
    return worst <= ASYMMETRY
               ? GOS_OK
               : gos__fail(k->ctx, GOS_E_INPUT,
                           "buckling: the scaled loads have no potential (follower forces, free "
                           "moments about fixed axes): the structure may flutter at lower loads; "
                           "use `gossamer modes --damped --equilibrium` at increasing loads");
}

/* the largest position, or the largest coordinate if positions hardly move */
static void describe(const buckling *k, const double *x, gos_buckling_mode *mode) {
    int place = -1, any = 0;
    for (int i = 0; i < k->l->nq; i++) {
        any = fabs(x[i]) > fabs(x[any]) ? i : any;
        if (k->sys->trans[i / 3] != 0) {
            place = place < 0 || fabs(x[i]) > fabs(x[place]) ? i : place;
        }
    }
    const bool moves = place >= 0 && fabs(x[place]) > MIN_POSITION * fabs(x[any]);
    gos_linear_coordinate(k->l, moves ? place : any, mode->where, sizeof mode->where);
}

static gos_status solve(const buckling *k, int n, gos_buckling_mode *modes, double *X, int *found) {
    const gos_buckling_pencil p = pencil_of(k);
    double *lambda = gos__alloc(k->ctx, (size_t)n + 1, sizeof *lambda);
    int count = 0;
    gos_status status = lambda ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__buckling_factors(k->ctx, &p, n, lambda, X, &count) : status;
    for (int i = 0; i < count && status == GOS_OK; i++) {
        if (k->displaced / k->step * lambda[i] > MEANINGLESS || lambda[i] > UNKNOWN * k->step) {
            break;
        }
        modes[i] = (gos_buckling_mode){.factor = lambda[i]};
        describe(k, X + (size_t)i * k->l->nq, &modes[i]);
        *found = i + 1;
    }
    gos__free(k->ctx, lambda);
    return status == GOS_OK && *found > 0 ? check_potential(k, *found, modes, X) : status;
}

static void report(const buckling *k, int found, const gos_buckling_mode *modes,
                   gos_buckling_info *info) {
    *info = (gos_buckling_info){.displacement =
                                    found > 0 ? modes[0].factor * k->displaced / k->step : 0};
    name_loads(k, true, info->scaled, sizeof info->scaled);
    name_loads(k, false, info->constant, sizeof info->constant);
    if (info->displacement > LARGE) {
        gos__warn(k->ctx, (gos_loc){0}, NULL,
                  "at the lowest load factor linear displacements or rotations reach %.2g of the "
                  "model's size (or in rad); linearised buckling neglects their effect: compare "
                  "with a static run with increasing loads",
                  info->displacement);
    }
}

static gos_status begin(buckling *k) {
    k->arena = gos__arena_create(k->ctx);
    k->quiet = gos__ctx_quiet(k->ctx);
    GOS_TRY(k->arena && k->quiet ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(check_system(k));
    GOS_TRY(gos__input_defs_list(k->sys, k->arena, &k->input, &k->ninput));
    k->scaled = gos__zalloc(k->ctx, (size_t)k->ninput + 1, sizeof *k->scaled);
    k->node = gos__alloc(k->ctx, 6 * (size_t)k->sys->nnodes + 1, sizeof *k->node);
    GOS_TRY(k->scaled && k->node ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(select_loads(k));
    for (int i = 0; i < GOS_COUNT(k->x); i++) {
        GOS_TRY(gos_state_create(k->ctx, k->sys, &k->x[i]));
    }
    k->x[0]->t = k->loads->time;
    return GOS_OK;
}

static void end(buckling *k) {
    for (int i = 0; i < GOS_COUNT(k->x); i++) {
        gos_state_destroy(k->x[i]);
    }
    gos__sparse_free(k->ctx, &k->Kg);
    gos__sparse_free(k->ctx, &k->skew);
    gos_linear_destroy(k->l);
    gos__free(k->ctx, k->scaled);
    gos__free(k->ctx, k->node);
    gos__arena_destroy(k->arena);
    gos_ctx_destroy(k->quiet);
}

gos_status gos_buckling(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                        const gos_buckling_options *loads, int n, gos_buckling_mode *modes,
                        double *shapes, int *found, gos_buckling_info *info) {
    buckling k = {.ctx = ctx, .sys = sys, .opt = *options, .loads = loads};
    *found = 0;
    if (n < 1) {
        return gos__fail(ctx, GOS_E_USE, "%d load factors were requested; request at least one", n);
    }
    k.opt.analysis = GOS_STATIC;
    k.opt.branch = GOS_BRANCH_ANY;
    k.opt.arc_length = false;
    k.opt.end = 0;
    n = n < sys->nq ? n : sys->nq;
    double *X = gos__alloc(ctx, (size_t)n * sys->nq + 1, sizeof *X);
    gos_status status = X ? begin(&k) : GOS_E_MEMORY;
    status = status == GOS_OK ? find_constant(&k) : status;
    status = status == GOS_OK ? check_constant(&k) : status;
    status = status == GOS_OK ? find_step(&k) : status;
    status = status == GOS_OK ? matrices(&k) : status;
    status = status == GOS_OK ? solve(&k, n, modes, X, found) : status;
    if (status == GOS_OK) {
        report(&k, *found, modes, info);
    }
    if (status == GOS_OK && shapes) {
        memcpy(shapes, X, (size_t)*found * sys->nq * sizeof *X);
    }
    gos__free(ctx, X);
    end(&k);
    return status;
}
