#include "control/selection.h"

#include <math.h>

#include "base/process.h"

/* Cost of selected orbits, for regulators of the modes that move the point. */

gos_status gos__orbit_cost_create(gos_ctx *ctx, const gos_modal *m, const gos_orbits *o, int modes,
                                  gos_modal_aim aim, double k_Q, gos_orbit_cost *c) {
    *c = (gos_orbit_cost){.aim = aim, .k_Q = k_Q, .orbits = o};
    double *sign = gos__alloc(ctx, (size_t)m->np + 1, sizeof *sign);
    c->mode = gos__alloc(ctx, (size_t)m->n + 1, sizeof *c->mode);
    gos_status status = sign && c->mode ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__modal_moving(m, modes, 1e-6, c->mode, &c->nmode);
        gos__modal_signs(m, c->nmode, c->mode, o->of, sign);
        status = gos__modal_join(ctx, m, o->n, o->of, sign, &c->joined);
    }
    gos__free(ctx, sign);
    return status;
}

void gos__orbit_cost_free(gos_ctx *ctx, gos_orbit_cost *c) {
    gos__modal_free(ctx, &c->joined);
    gos__free(ctx, c->mode);
    *c = (gos_orbit_cost){0};
}

/* P may be NULL */
static gos_status regulate(const gos_orbit_cost *c, gos_ctx *ctx, int n, const int *orbit,
                           gos_plant *plant, double *K, double *P) {
    const gos_modal_part part = {.nmode = c->nmode, .mode = c->mode, .ndrive = n, .drive = orbit};
    const size_t ns = 2 * (size_t)c->nmode;
    gos_plant driven = {0};
    gos_riccati info;
    *plant = (gos_plant){0};
    double *Q = gos__alloc(ctx, ns * ns + ns * n + (size_t)n * n + 1, sizeof *Q);
    if (!Q) {
        return GOS_E_MEMORY;
    }
    double *N = Q + ns * ns, *R = N + ns * n;
    gos_status status = gos__modal_plant(ctx, &c->joined, &part, plant);
    status = status == GOS_OK ? gos__plant_part(ctx, plant, n, NULL, 0, NULL, &driven) : status;
    status = status == GOS_OK ? gos__modal_weights(ctx, &c->joined, &part, c->aim, c->k_Q, Q, N, R)
                              : status;
    for (int k = 0; k < n && status == GOS_OK; k++) { // common voltage of the orbit
        R[k * (n + 1)] += c->orbits->count[orbit[k]] - 1;
    }
    if (status == GOS_OK) {
        status = gos__lqr(ctx, &driven, &(gos_weights){.Q = Q, .N = N, .R = R}, K, P, &info);
    }
    gos__plant_free(ctx, &driven);
    gos__free(ctx, Q);
    return status;
}

gos_status gos__cost_quadratic(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost) {
    const gos_orbit_cost *c = user;
    const size_t nm = c->nmode, ns = 2 * nm;
    gos_plant plant = {0};
    double *K = gos__alloc(ctx, ns * n + ns * ns + 1, sizeof *K), *P = K ? K + ns * n : NULL;
    gos_status status = K ? regulate(c, ctx, n, orbit, &plant, K, P) : GOS_E_MEMORY;
    *cost = 0;
    for (size_t i = 0; i < nm && status == GOS_OK; i++) {
        for (size_t j = 0; j < nm; j++) {
            *cost +=
                c->joined.phi[c->mode[i]] * P[(nm + j) * ns + nm + i] * c->joined.phi[c->mode[j]];
        }
    }
    gos__plant_free(ctx, &plant);
    gos__free(ctx, K);
    return status;
}

gos_status gos__cost_limited(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost) {
    const gos_orbit_cost *c = user;
    gos_plant plant = {0};
    gos_loop loop = {0};
    gos_saturated_response response = {0};
    double *K = gos__alloc(ctx, 2 * (size_t)c->nmode * n + 1, sizeof *K);
    gos_status status = K ? regulate(c, ctx, n, orbit, &plant, K, NULL) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__loop_state(ctx, &plant, 0, K, &loop) : status;
    status = status == GOS_OK ? gos__saturated_run(ctx, &loop, &c->run, &response) : status;
    *cost = response.rms;
    gos__loop_free(ctx, &loop);
    gos__plant_free(ctx, &plant);
    gos__free(ctx, K);
    return status;
}

enum { MAX_GROUP = 4 };

/* ---- orbits ---------------------------------------------------------------------------------- */

static gos_status create(gos_ctx *ctx, int np, gos_orbits *o) {
    *o = (gos_orbits){.np = np};
    o->of = gos__zalloc(ctx, 3 * (size_t)np + 1, sizeof *o->of);
    if (!o->of) {
        return GOS_E_MEMORY;
    }
    o->first = o->of + np;
    o->count = o->first + np;
    return GOS_OK;
}

void gos__orbits_free(gos_ctx *ctx, gos_orbits *o) {
    gos__free(ctx, o->of);
    *o = (gos_orbits){0};
}

static gos_status gather(gos_ctx *ctx, int np, bool (*equal)(const void *user, int a, int b),
                         const void *user, gos_orbits *o) {
    GOS_TRY(create(ctx, np, o));
    for (int p = 0; p < np; p++) {
        int k = 0;
        while (k < o->n && !equal(user, o->first[k], p)) {
            k++;
        }
        if (k == o->n) {
            o->first[o->n++] = p;
        }
        o->of[p] = k;
        o->count[k]++;
    }
    return GOS_OK;
}

static bool same_label(const void *user, int a, int b) {
    const int *label = user;
    return label[a] == label[b];
}

gos_status gos__orbits_given(gos_ctx *ctx, int np, const int *label, gos_orbits *o) {
    return gather(ctx, np, same_label, label, o);
}

typedef struct locations {
    const double (*x)[3];
    double middle[3], tolerance;
} locations;

static bool mirrored(const void *user, int a, int b) {
    const locations *p = user;
    for (int c = 0; c < 3; c++) {
        const double da = fabs(p->x[a][c] - p->middle[c]), db = fabs(p->x[b][c] - p->middle[c]);
        if (fabs(da - db) > p->tolerance) {
            return false;
        }
    }
    return true;
}

gos_status gos__orbits_mirrored(gos_ctx *ctx, int np, const double (*x)[3], double tolerance,
                                gos_orbits *o) {
    locations p = {.x = x};
    double side = 0;
    for (int c = 0; c < 3; c++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < np; i++) {
            low = fmin(low, x[i][c]);
            high = fmax(high, x[i][c]);
        }
        p.middle[c] = (low + high) / 2;
        side = fmax(side, high - low);
    }
    p.tolerance = tolerance * side;
    return gather(ctx, np, mirrored, &p, o);
}

typedef struct rows {
    const gos_modal *modal;
    int nmode;
    double tolerance;
} rows;

static bool equal_rows(const void *user, int a, int b) {
    const rows *r = user;
    const double *x = r->modal->Kup + (size_t)a * r->modal->n,
                 *y = r->modal->Kup + (size_t)b * r->modal->n;
    for (int i = 0; i < r->nmode; i++) {
        if (fabs(fabs(x[i]) - fabs(y[i])) > r->tolerance) {
            return false;
        }
    }
    return true;
}

gos_status gos__orbits_equal(gos_ctx *ctx, const gos_modal *m, int nmode, double tolerance,
                             gos_orbits *o) {
    rows r = {.modal = m, .nmode = nmode};
    double max = 0;
    for (long p = 0; p < m->np; p++) {
        for (int i = 0; i < nmode; i++) {
            max = fmax(max, fabs(m->Kup[p * m->n + i]));
        }
    }
    r.tolerance = tolerance * max;
    return gather(ctx, m->np, equal_rows, &r, o);
}

void gos__orbits_channels(const gos_orbits *o, int n, const int *orbit, int *channel, int *count) {
    *count = 0;
    for (int p = 0; p < o->np; p++) {
        for (int k = 0; k < n; k++) {
            if (o->of[p] == orbit[k]) {
                channel[(*count)++] = p;
                break;
            }
        }
    }
}

/* ---- ranking --------------------------------------------------------------------------------- */

void gos__rank_by_gain(int nu, int n, const double *K, double *score) {
    for (int i = 0; i < nu; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            sum += K[(size_t)j * nu + i] * K[(size_t)j * nu + i];
        }
        score[i] = sqrt(sum);
    }
}

gos_status gos__rank_by_gramian(gos_ctx *ctx, const gos_modal *m, int nmode, const int *mode,
                                double *score) {
    gos_plant p;
    const gos_modal_part part = {.nmode = nmode, .mode = mode};
    GOS_TRY(gos__modal_plant(ctx, m, &part, &p));
    const long n = p.n;
    double *W = gos__alloc(ctx, 2 * n * n + 1, sizeof *W), *X = W + n * n;
    gos_status status = W ? GOS_OK : GOS_E_MEMORY;
    for (long k = 0; k < n * n && W; k++) { // of the acceleration, the only output
        W[k] = p.C[k % n] * p.C[k / n];
    }
    status = status == GOS_OK ? gos__lyapunov(ctx, (int)n, p.A, true, W, X) : status;
    for (long c = 0; c < m->np && status == GOS_OK; c++) {
        double sum = 0;
        for (long i = 0; i < nmode; i++) {
            for (long j = 0; j < nmode; j++) {
                sum += m->Kup[c * m->n + (mode ? mode[i] : i)] * X[(nmode + j) * n + nmode + i] *
                       m->Kup[c * m->n + (mode ? mode[j] : j)];
            }
        }
        score[c] = sqrt(fmax(sum, 0));
    }
    gos__free(ctx, W);
    gos__plant_free(ctx, &p);
    return status;
}

static gos_status check_count(gos_ctx *ctx, const gos_orbits *o, int n, int max) {
    return n >= 1 && n <= o->n && n <= max
               ? GOS_OK
               : gos__fail(ctx, GOS_E_INPUT, "cannot choose %d of %d orbits; at most %d", n, o->n,
                           max < o->n ? max : o->n);
}

static bool contains(int n, const int *list, int value) {
    for (int i = 0; i < n; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return false;
}

gos_status gos__select_best(gos_ctx *ctx, const gos_orbits *o, const double *score, int n,
                            int *chosen) {
    GOS_TRY(check_count(ctx, o, n, o->n));
    double *mean = gos__zalloc(ctx, (size_t)o->n + 1, sizeof *mean);
    if (!mean) {
        return GOS_E_MEMORY;
    }
    for (int p = 0; p < o->np; p++) {
        mean[o->of[p]] += score[p] / o->count[o->of[p]];
    }
    for (int k = 0; k < n; k++) {
        int best = -1;
        for (int i = 0; i < o->n; i++) {
            if (!contains(k, chosen, i) && (best < 0 || mean[i] > mean[best] * (1 + 1e-6))) {
                best = i;
            }
        }
        chosen[k] = best;
    }
    gos__free(ctx, mean);
    return GOS_OK;
}

/* ---- by cost --------------------------------------------------------------------------------- */

gos_status gos__select_greedy(gos_ctx *ctx, const gos_orbits *o, const gos_criterion *criterion,
                              int n, int *chosen, double *cost) {
    GOS_TRY(check_count(ctx, o, n, o->n));
    for (int k = 0; k < n; k++) {
        int best = -1;
        double min = HUGE_VAL;
        for (int i = 0; i < o->n; i++) {
            double here;
            if (contains(k, chosen, i)) {
                continue;
            }
            chosen[k] = i;
            GOS_TRY(criterion->cost(criterion->user, ctx, k + 1, chosen, &here));
            if (best < 0 || here < min - 1e-6 * fabs(min)) {
                best = i;
                min = here;
            }
        }
        chosen[k] = best;
        *cost = min;
    }
    return GOS_OK;
}

/* best choice for a process's smallest orbit */
typedef struct found {
    double cost;
    int chosen[MAX_GROUP];
    bool any;
} found;

typedef struct search {
    const gos_orbits *o;
    const gos_criterion *criterion;
    int n;
    found *found; // (o->n), in shared memory
    gos_ctx *ctx;
    gos_status status;
} search;

/* numerical order, same smallest orbit; false: none */
static bool next_choice(int n, int max, int *choice) {
    int k = n - 1;
    while (k > 0 && choice[k] == max - n + k) {
        k--;
    }
    if (k == 0) {
        return false;
    }
    choice[k]++;
    for (int i = k + 1; i < n; i++) {
        choice[i] = choice[i - 1] + 1;
    }
    return true;
}

static gos_status search_from(void *user, gos_ctx *ctx, int i) {
    search *s = user;
    found best = {.cost = HUGE_VAL};
    int choice[MAX_GROUP];
    for (int k = 0; k < s->n; k++) {
        choice[k] = i + k;
    }
    do {
        double cost;
        GOS_TRY(s->criterion->cost(s->criterion->user, ctx, s->n, choice, &cost));
        if (!best.any || cost < best.cost - 1e-9 * fabs(best.cost)) {
            best.cost = cost;
            best.any = true;
            memcpy(best.chosen, choice, s->n * sizeof *choice);
        }
    } while (next_choice(s->n, s->o->n, choice));
    s->found[i] = best;
    return GOS_OK;
}

static void ended(void *user, int i, const gos_piece_end *end) {
    search *s = user;
    if (end->status != GOS_OK && s->status == GOS_OK) {
        s->status = gos__fail(s->ctx, end->status, "choices with orbit %d: %s", i, end->message);
    }
}

gos_status gos__select_exhaustive(gos_ctx *ctx, const gos_orbits *o, const gos_criterion *criterion,
                                  int n, int jobs, int *chosen, double *cost) {
    GOS_TRY(check_count(ctx, o, n, MAX_GROUP));
    search s = {.o = o, .criterion = criterion, .n = n, .ctx = ctx};
    s.found = gos__shared_alloc(o->n, sizeof *s.found);
    if (!s.found) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory shared between processes");
    }
    const gos_division division = {.n = o->n - n + 1,
                                   .jobs = jobs,
                                   .text = "choosing patches",
                                   .work = search_from,
                                   .end = ended,
                                   .user = &s};
    gos_status status = gos__divide(ctx, &division);
    status = status == GOS_OK ? s.status : status;
    const found *best = NULL;
    for (int i = 0; i < division.n && status == GOS_OK; i++) {
        const found *f = &s.found[i];
        if (f->any && (!best || f->cost < best->cost - 1e-9 * fabs(best->cost))) {
            best = f;
        }
    }
    if (best) {
        memcpy(chosen, best->chosen, n * sizeof *chosen);
        *cost = best->cost;
    }
    gos__shared_free(s.found, o->n, sizeof *s.found);
    return status;
}
