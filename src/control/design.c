/* Controller design: regulator, observer, and the resulting control law. */
#include "control/design.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "control/design_plants.h"
#include "control/plant.h"
#include "control/lqr.h"
#include "control/sampled.h"
#include "control/saturated.h"

/* Accessors of a design. */

gos_status gos__design_create(gos_ctx *ctx, gos_design **design) {
    gos_arena *arena = gos__arena_create(ctx);
    gos_design *d = arena ? GOS_NEW(arena, gos_design, 1) : NULL;
    if (!d) {
        gos__arena_destroy(arena);
        return GOS_E_MEMORY;
    }
    d->ctx = ctx;
    d->arena = arena;
    *design = d;
    return GOS_OK;
}

void gos_design_destroy(gos_design *design) {
    if (design) {
        gos__arena_destroy(design->arena);
    }
}

void gos_design_get(const gos_design *design, gos_design_report *report) {
    *report = design->report;
}

const gos_control_law *gos_design_law(const gos_design *design) {
    return design->has_law ? &design->law : NULL;
}

const gos_root *gos_design_poles(const gos_design *design, bool plant, int *n) {
    *n = plant ? design->nplant_pole : design->npole;
    return plant ? design->plant_pole : design->pole;
}

const gos_root *gos_design_open_poles(const gos_design *design, int *n) {
    *n = design->nopen;
    return design->open;
}

const gos_design_history *gos_design_histories(const gos_design *design, int *n,
                                               const char **none) {
    *n = design->nhistory;
    *none = design->no_history;
    return design->history;
}

const gos_design_mode *gos_design_modes(const gos_design *design, int *n) {
    *n = design->nmode;
    return design->mode;
}

const gos_design_input *gos_design_inputs(const gos_design *design, int *n) {
    *n = design->ncandidate;
    return design->candidate;
}

const gos_design_error *gos_design_errors(const gos_design *design, int *n) {
    *n = design->nerror;
    return design->error;
}

const char *gos_design_error_name(gos_design_error_kind kind) {
    static const char *const name[] = {"feed-through", "gain", "frequency"};
    return kind >= GOS_ERROR_FEEDTHROUGH && kind <= GOS_ERROR_FREQUENCY ? name[kind] : "";
}

#define RANK_TOLERANCE 1e-9 // relative rank tolerance of observability
#define STEPS_PER_PERIOD 16 // steps in the shortest period when searching k_Q, 8 samples each

typedef struct designer {
    gos_ctx *ctx;
    const gos_design_options *o;
    gos_design_plants p;
    gos_plant model;      // control inputs, signals
    double *Q, *N, *R;    // weights for k_Q = 1; R
    double *K, *L;        // gains (nu, n), (n, ny)
    double *Qk, *Nk, *Rk; // scaled by k_Q
    gos_design *d;
} designer;

/* ---- regulator ------------------------------------------------------------------------------- */

/* list entry of input or signal i: one for all or one per pattern; default 1 */
static double listed(int n, const double *list, int of_pattern) {
    return n == 0 ? 1 : list[n == 1 ? 0 : of_pattern];
}

/* differentiates the performance output up to an acceleration */
static gos_status accelerate(const designer *w, gos_plant *a) {
    const gos_design_plants *p = &w->p;
    const int z = p->own.ny;
    GOS_TRY(gos__plant_part(w->ctx, &p->own.plant, p->own.nu, NULL, 1, &z, a));
    bool direct = false;
    gos_status status = GOS_OK;
    for (int k = 0; k < (p->output_is_rate ? 1 : 2) && status == GOS_OK && !direct; k++) {
        status = gos__plant_rate(w->ctx, a, 0, &direct);
    }
    if (status == GOS_OK && direct) {
        status = gos__fail(w->ctx, GOS_E_INPUT,
                           "the output '%s' has direct feedthrough from an input; specify the "
                           "displacement or velocity whose acceleration is to be minimised",
                           w->o->output);
    }
    return status;
}

static gos_status modal_weights(designer *w) {
    const gos_modal_form *f = &w->p.form;
    const long n = w->model.n, m = w->p.own.positions;
    const bool rates = w->o->weight == GOS_WEIGHT_VELOCITY;
    if (m == 0) {
        return gos__fail(
            w->ctx, GOS_E_INPUT,
            "weights of modes need a model with vibration modes; use weight `signals`");
    }
    for (long i = 0; i < m; i++) {
        const double *phi = w->p.output_is_rate ? f->Yv : f->Yq;
        w->Q[(rates ? m + i : i) * (n + 1)] = fabs(phi[i * f->ny + w->p.output]) * f->omega[i];
    }
    return GOS_OK;
}

static gos_status make_weights(designer *w) {
    const gos_design_options *o = w->o;
    const gos_design_plants *p = &w->p;
    const int nu = w->model.nu, ny = w->model.ny;
    if (o->weight != GOS_WEIGHT_SIGNALS && p->output < 0) {
        return gos__fail(w->ctx, GOS_E_INPUT,
                         "this weight needs `output`, the displacement to be minimised");
    }
    if (o->weight == GOS_WEIGHT_DISPLACEMENT || o->weight == GOS_WEIGHT_VELOCITY) {
        return modal_weights(w);
    }
    if (o->weight == GOS_WEIGHT_ACCELERATION) {
        gos_plant a = {0};
        const double one = 1;
        gos_status status = accelerate(w, &a);
        memset(w->Rk, 0, (size_t)nu * nu * sizeof *w->Rk);
        status =
            status == GOS_OK ? gos__output_weights(w->ctx, &a, &one, w->Q, w->N, w->Rk) : status;
        cblas_dcopy(nu * nu, w->Rk, 1, w->R, 1); // D_a^T D_a
        gos__plant_free(w->ctx, &a);
        return status;
    }
    if (p->of_states) {
        return gos__fail(w->ctx, GOS_E_INPUT, "weight `signals` needs signals");
    }
    double *Y = gos__zalloc(w->ctx, (size_t)ny * ny + 1, sizeof *Y);
    if (!Y) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < ny; i++) {
        Y[i * (ny + 1)] = listed(o->nsignal_weight, o->signal_weight, p->signal_pattern[i]);
    }
    const gos_status status = gos__output_weights(w->ctx, &w->model, Y, w->Q, w->N, w->R);
    gos__free(w->ctx, Y);
    return status;
}

/* the feedthrough of weighted outputs contributes to all weights */
static gos_status regulate(designer *w, double k_Q) {
    const int n = w->model.n, nu = w->model.nu;
    const size_t nn = (size_t)n * n, nm = (size_t)n * nu, mm = (size_t)nu * nu;
    gos_riccati info;
    for (size_t k = 0; k < nn; k++) {
        w->Qk[k] = k_Q * w->Q[k];
    }
    for (size_t k = 0; k < nm; k++) {
        w->Nk[k] = k_Q * w->N[k];
    }
    for (size_t k = 0; k < mm; k++) {
        w->Rk[k] = k_Q * w->R[k];
    }
    for (long i = 0; i < nu; i++) {
        w->Rk[i * (nu + 1)] +=
            listed(w->o->ninput_weight, w->o->input_weight, w->p.input_pattern[i]);
    }
    const gos_weights weights = {.Q = w->Qk, .R = w->Rk, .N = w->Nk};
    GOS_TRY(gos__lqr(w->ctx, &w->model, &weights, w->K, NULL, &info));
    w->d->report.residual = info.residual;
    return GOS_OK;
}

/* ---- observer -------------------------------------------------------------------------------- */

static gos_status observe(designer *w) {
    const gos_design_options *o = w->o;
    const gos_plant *own = &w->p.own.plant;
    const long n = w->model.n, ny = w->model.ny, m = w->p.own.positions;
    double *W = gos__zalloc(w->ctx, (size_t)(n * n + ny * ny) + 1, sizeof *W);
    if (!W) {
        return GOS_E_MEMORY;
    }
    double *V = W + n * n;
    const int first = w->p.own.disturbed ? w->p.own.nu : 0, behind = own->nu;
    for (int k = first; k < behind; k++) { // disturbance, or all inputs
        const double *b = own->B + (long)k * n;
        cblas_dger(CblasColMajor, (int)n, (int)n, o->intensity, b, 1, b, 1, W, (int)n);
    }
    for (long i = m; i < n; i++) {
        W[i * (n + 1)] += o->floor;
    }
    for (long i = 0; i < ny; i++) {
        const double v = listed(o->nnoise, o->noise, w->p.signal_pattern[i]);
        V[i * (ny + 1)] = v * v;
    }
    gos_riccati info;
    const gos_status status = gos__kalman(w->ctx, &w->model, W, V, w->L, &info);
    w->d->report.observer_residual = info.residual;
    gos__free(w->ctx, W);
    return status;
}

/* ---- the controller -------------------------------------------------------------------------- */

/* static output feedback equivalent to K: F C = K, stored in D of a stateless controller */
static gos_status feed_back(const designer *w, gos_plant *c) {
    const gos_plant *p = &w->model;
    const long n = p->n, nu = p->nu, ny = p->ny, rows = n > ny ? n : ny;
    GOS_TRY(gos__plant_create(w->ctx, 0, p->ny, p->nu, c));
    double *C = gos__zalloc(w->ctx, (size_t)(n * ny + rows * nu + 2 * n) + 1, sizeof *C);
    if (!C) {
        return GOS_E_MEMORY;
    }
    double *F = C + n * ny, *size = F + rows * nu, *s = size + n;
    for (long j = 0; j < n; j++) { // C^T F^T = K^T, rows scaled
        const double norm = cblas_dnrm2(p->ny, p->C + j * ny, 1);
        size[j] = norm > 0 ? norm : 1;
        for (long i = 0; i < ny; i++) {
            C[i * n + j] = p->C[j * ny + i] / size[j];
        }
        for (long i = 0; i < nu; i++) {
            F[i * rows + j] = w->K[j * nu + i] / size[j];
        }
    }
    lapack_int rank = 0;
    const lapack_int info = LAPACKE_dgelsd(LAPACK_COL_MAJOR, p->n, p->ny, p->nu, C, p->n, F,
                                           (lapack_int)rows, s, RANK_TOLERANCE, &rank);
    gos_status status = GOS_OK;
    if (info != 0) {
        status = gos__fail(w->ctx, GOS_E_DIVERGED,
                           "the least-squares problem of output feedback has no solution");
    } else if (rank < p->n) {
        status = gos__fail(w->ctx, GOS_E_INPUT,
                           "the signals determine only %d of the %d states of the model: measure "
                           "displacements and velocities of all modes, use fewer design_modes, or "
                           "add an observer (type: lqg)",
                           (int)rank, p->n);
    }
    for (long i = 0; i < nu && status == GOS_OK; i++) {
        for (long j = 0; j < ny; j++) {
            c->D[j * nu + i] = -F[i * rows + j];
        }
    }
    gos__free(w->ctx, C);
    return status;
}

/* continuous, from (signals, saturated inputs) to inputs */
static gos_status make_controller(const designer *w, const gos_linear *l, gos_plant *c) {
    if (w->o->collocated) {
        return gos__design_rate(w->ctx, l, &w->p, w->o, c);
    }
    return w->o->observer ? gos__limited_lqg(w->ctx, &w->model, w->K, w->L, c) : feed_back(w, c);
}

/* ---- weight for a given limit ---------------------------------------------------------------- */

static gos_status loop_of(void *user, gos_ctx *ctx, double k_Q, gos_loop *loop) {
    designer *w = user;
    gos_plant c = {0};
    GOS_TRY(regulate(w, k_Q));
    gos_status status = make_controller(w, NULL, &c);
    status =
        status == GOS_OK ? gos__loop_close(ctx, &w->p.own.plant, w->p.own.ny, &c, loop) : status;
    gos__plant_free(ctx, &c);
    return status;
}

/* weight at which it starts to affect a motion */
static double begin_at(const designer *w) {
    const long n = w->model.n, m = w->p.own.positions;
    double start = HUGE_VAL;
    for (long i = 0; i < m; i++) {
        const double q = fmax(w->Q[i * (n + 1)], w->Q[(m + i) * (n + 1)]);
        const double b = cblas_dnrm2(w->model.nu, w->model.B + m + i, (int)n);
        const double k = pow(fmax(w->p.form.omega[i], 1e-3), 4) / (q * b * b);
        start = isfinite(k) && k > 0 ? fmin(start, k) : start;
    }
    return isfinite(start) ? start : 1;
}

static gos_status find_weight(designer *w, double *k_Q) {
    const gos_design_options *o = w->o;
    const gos_modal_form *f = &w->p.form;
    if (!w->p.own.disturbed || !(o->limit > 0) || o->force == 0 || !(o->duration > 0) ||
        !(o->t_end > o->t_force + o->duration)) {
        return gos__fail(w->ctx, GOS_E_INPUT,
                         "k_Q 0 is computed from v_max and the response to the disturbance; give "
                         "v_max, disturbance, force, duration and a later t_end, or give k_Q");
    }
    const double highest = f->n > 0 ? f->omega[w->p.own.positions - 1] : 0;
    gos_saturated_options s = {.t_end = o->t_end,
                               .step = highest > 0 ? 2 * M_PI / highest / STEPS_PER_PERIOD
                                                   : o->t_end / 1000,
                               .limit = HUGE_VAL,
                               .tolerance = 1e-3,
                               .w = o->force,
                               .w_from = o->t_force,
                               .w_to = o->t_force + o->duration,
                               .t_start = o->t_force + o->duration};
    return gos__saturated_weight(w->ctx, loop_of, w, &s, o->limit, begin_at(w), k_Q);
}

/* ---- the law --------------------------------------------------------------------------------- */

static const double *keep(gos_arena *a, size_t n, const double *from) {
    double *x = GOS_NEW(a, double, n + 1);
    if (x && n > 0) {
        memcpy(x, from, n * sizeof *x);
    }
    return x;
}

static const char *const *keep_names(gos_arena *a, const gos_linear *l, bool inputs, int n,
                                     const int *index) {
    const char **name = GOS_NEW(a, const char *, n + 1);
    for (int i = 0; name && i < n; i++) {
        const gos_port port =
            inputs ? gos_linear_input(l, index[i]) : gos_linear_output(l, index[i]);
        name[i] = gos__arena_strdup(a, port.name);
        name = name[i] ? name : NULL;
    }
    return name;
}

/* c: from signals (and saturated inputs) to inputs */
static gos_status make_law(designer *w, const gos_linear *l, const gos_plant *c) {
    gos_arena *a = w->d->arena;
    gos_control_law *law = &w->d->law;
    const size_t n = c->n, nu = c->ny, ny = w->p.own.ny;
    double *limit = GOS_NEW(a, double, nu);
    if (!limit) {
        return GOS_E_MEMORY;
    }
    for (size_t i = 0; i < nu; i++) {
        limit[i] = w->o->limit > 0 ? w->o->limit : HUGE_VAL;
    }
    *law =
        (gos_control_law){.n = c->n,
                          .ny = w->p.own.ny,
                          .nu = c->ny,
                          .A = keep(a, n * n, c->A),
                          .B = keep(a, n * ny, c->B),
                          .E = c->nu > w->p.own.ny && n > 0 ? keep(a, n * nu, c->B + n * ny) : NULL,
                          .C = keep(a, nu * n, c->C),
                          .D = keep(a, nu * ny, c->D),
                          .limit = limit,
                          .signal = keep_names(a, l, false, w->p.own.ny, w->p.signal_index),
                          .input = keep_names(a, l, true, c->ny, w->p.input_index),
                          .period = w->o->period};
    w->d->has_law = true;
    return law->A && law->B && law->C && law->D && law->signal && law->input ? GOS_OK
                                                                             : GOS_E_MEMORY;
}

/* without saturation, from signals to inputs */
static gos_status shorten(const designer *w, const gos_plant *c, gos_plant *shorter) {
    GOS_TRY(gos__plant_part(w->ctx, c, w->p.own.ny, NULL, c->ny, NULL, shorter));
    if (c->nu > w->p.own.ny && c->n > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, c->n, c->n, c->ny, 1,
                    c->B + (size_t)w->p.own.ny * c->n, c->n, c->C, c->ny, 1, shorter->A, c->n);
    }
    return GOS_OK;
}

static gos_status close_design(designer *w, const gos_linear *l) {
    gos_plant c = {0}, held = {0}, shorter = {0};
    const gos_plant *used = &c;
    gos_status status = make_controller(w, l, &c);
    if (status == GOS_OK && w->o->period > 0) {
        status = gos__plant_hold(w->ctx, &c, w->o->period, &held);
        used = &held;
    }
    status = status == GOS_OK && !w->p.of_states ? make_law(w, l, used) : status;
    status = status == GOS_OK ? shorten(w, used, &shorter) : status;
    if (status == GOS_OK) {
        status = gos__design_try(w->ctx, &w->p.own, &w->p.rich, &shorter, w->o, w->d);
    }
    if (status == GOS_OK && w->o->histories) {
        status = gos__design_histories(w->ctx, l, &w->p, &c, w->o, w->d);
    }
    gos__plant_free(w->ctx, &c);
    gos__plant_free(w->ctx, &held);
    gos__plant_free(w->ctx, &shorter);
    return status;
}

/* ---- the design ------------------------------------------------------------------------------ */

static gos_status room(designer *w) {
    const size_t n = w->model.n, nu = w->model.nu, ny = w->model.ny;
    w->Q = gos__zalloc(w->ctx, 2 * (n * n + n * nu + nu * nu) + nu * n + n * ny + 1, sizeof *w->Q);
    if (!w->Q) {
        return GOS_E_MEMORY;
    }
    w->N = w->Q + n * n;
    w->R = w->N + n * nu;
    w->Qk = w->R + nu * nu;
    w->Nk = w->Qk + n * n;
    w->Rk = w->Nk + n * nu;
    w->K = w->Rk + nu * nu;
    w->L = w->K + nu * n;
    return GOS_OK;
}

/* ranked by row norms of the gain */
static gos_status report_inputs(designer *w, const gos_linear *l) {
    const int n = w->model.nu;
    gos_design *d = w->d;
    d->candidate = GOS_NEW(d->arena, gos_design_input, n + 1);
    const char *const *name = keep_names(d->arena, l, true, n, w->p.input_index);
    if (!d->candidate || !name) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        d->candidate[i] = (gos_design_input){
            .name = name[i], .importance = cblas_dnrm2(w->model.n, w->K + i, n), .chosen = true};
    }
    d->ncandidate = n;
    return GOS_OK;
}

/* residual charges of truncated modes, as feedthrough of signals */
static void add_residual(designer *w) {
    const gos_design_plants *p = &w->p;
    const gos_modal_form *f = &p->form;
    gos_plant *own = &w->p.own.plant;
    for (long i = p->own.positions; i < f->n; i++) {
        const double flexible = 1 / (f->omega[i] * f->omega[i]);
        for (int k = 0; k < p->own.nu; k++) {
            const double b = f->B[(long)p->input_index[k] * f->n + i] * flexible;
            for (int s = 0; s < p->own.ny; s++) {
                const double more = f->Yq[i * f->ny + p->signal_index[s]] * b;
                own->D[(long)k * own->ny + s] += more;
                w->model.D[(long)k * w->model.ny + s] += more;
            }
        }
    }
}

/* up to the gain */
static gos_status begin(designer *w, const gos_linear *l) {
    gos_design_report *r = &w->d->report;
    GOS_TRY(gos__design_plants_make(w->ctx, l, w->o, w->d->arena, &w->p));
    GOS_TRY(
        gos__plant_part(w->ctx, &w->p.own.plant, w->p.own.nu, NULL, w->p.own.ny, NULL, &w->model));
    if (w->o->residual && !w->p.of_states) {
        add_residual(w);
    }
    GOS_TRY(room(w));
    if (w->o->collocated) {
        return GOS_OK;
    }
    GOS_TRY(make_weights(w));
    if (w->o->observer) {
        GOS_TRY(observe(w));
    }
    r->k_Q = w->o->k_Q;
    if (r->k_Q == 0) {
        GOS_TRY(find_weight(w, &r->k_Q));
    }
    return regulate(w, r->k_Q);
}

static void end(designer *w) {
    gos__design_plants_free(w->ctx, &w->p);
    gos__plant_free(w->ctx, &w->model);
    gos__free(w->ctx, w->Q);
}

/* Choose inputs by state feedback through all of them. Candidates go to the design, chosen names
   to *name (*n) */
static gos_status choose(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                         gos_design *d, const char ***name, int *n) {
    gos_design_options first = *o;
    first.observer = first.collocated = false;
    first.nsignal = first.nsense = 0;
    first.k_Q = o->choose_k_Q;
    designer w = {.ctx = ctx, .o = &first, .d = d};
    gos_status status = begin(&w, l);
    status = status == GOS_OK ? report_inputs(&w, l) : status;
    if (status == GOS_OK) {
        status = gos__design_choose(ctx, &w.p, w.K, o, d->report.k_Q, d->ncandidate, d->candidate);
    }
    end(&w);
    *n = 0;
    *name = GOS_NEW(d->arena, const char *, o->choose + 1);
    GOS_TRY(status);
    for (int i = 0; i < d->ncandidate && *name; i++) {
        if (d->candidate[i].chosen) {
            (*name)[(*n)++] = d->candidate[i].name;
        }
    }
    return *name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status design(designer *w, const gos_linear *l) {
    gos_design_options chosen = *w->o;
    gos_design_report *r = &w->d->report;
    if (w->o->choose > 0) {
        const char **name;
        GOS_TRY(choose(w->ctx, l, w->o, w->d, &name, &chosen.ninput));
        r->choose_k_Q = r->k_Q;
        chosen.input = name;
        w->o = &chosen;
    }
    GOS_TRY(begin(w, l));
    if (w->o->choose == 0) {
        GOS_TRY(report_inputs(w, l));
    }
    r->modes = w->p.own.positions;
    r->rigid = w->p.form.nrigid;
    r->states = w->model.n;
    r->inputs = w->p.own.nu;
    r->candidates = w->d->ncandidate;
    r->plant_modes = w->p.rich.positions;
    r->plant_states = w->p.rich.plant.n;
    r->period = w->o->period;
    return close_design(w, l);
}

static void warn(gos_ctx *ctx, const gos_design_report *r) {
    if (!(r->abscissa < 0)) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the closed loop is unstable even with the design plant (largest real part %.4g "
                  "1/s); use a shorter sampling period",
                  r->abscissa);
    }
    if (!(r->plant_abscissa < 0) && r->abscissa < 0) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the closed loop is unstable with the plant of %d modes (design: %d): %d "
                  "unstable poles, with real parts up to %.4g 1/s at %.4g Hz; use a slower "
                  "observer (larger noise), more design_modes, or measure with electrodes that "
                  "are not driven",
                  r->plant_modes, r->modes, r->unstable, r->plant_abscissa,
                  r->plant_omega / (2 * M_PI));
    }
}

gos_status gos_design_create(gos_ctx *ctx, const gos_linear *linear,
                             const gos_design_options *options, gos_design **made) {
    designer w = {.ctx = ctx, .o = options};
    GOS_TRY(gos__design_create(ctx, &w.d));
    w.d->units = gos__arena_strdup(w.d->arena, linear->units);
    const gos_status status = w.d->units ? design(&w, linear) : GOS_E_MEMORY;
    end(&w);
    if (status != GOS_OK) {
        gos_design_destroy(w.d);
        return status;
    }
    warn(ctx, &w.d->report);
    *made = w.d;
    return GOS_OK;
}
