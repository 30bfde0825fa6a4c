/* See validity.h. Warns once per body and kind when a run leaves the range of validity. Neglected
   stress stiffness is computed once a body is strained. */
#include "solve/validity.h"
#include "base/units.h"

#include <math.h>
#include <lapacke.h>

#include "base/base.h"
#include "system/derived.h"
#include "probes/probe.h"
#include "linalg/dense.h"
#include "linear/linear.h"
#include "constraints/row_rank.h"

/* Softening by stress; see validity.h. Stiffness and stress matrices are projected on the body's
   lowest modes under joint rows, plus its own modes; the inverse of the least relative eigenvalue
   is the buckling load factor. */

#define JOINT_MODES 10             // number of modes under joint rows
#define SMALL_BODY_MODES 40        // ... for a body with few coordinates
#define SMALL_BODY_COORDINATES 300 // ... maximum of those
#define RIGID 6                    // rigid-body modes of a free body
#define FRAME 12                   // frame coordinates before the amplitudes
#define SAME 1e-8                  // relative to the largest entry of a row
#define SETS 2                     // number of boundary conditions
#define LOWEST 1e-8                // relative to the highest frequency found: modes below are rigid
#define MAX_MODES 32               // maximum modes of a set, including the body's own

struct gos_softening {
    gos_ctx *ctx;
    const gos_body *body;
    int nset;
    gos_stress_work set[SETS];
};

typedef struct making {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_body *body;
    int first, n;          // its coordinates
    gos_sparse M, K, rows; // rows: (3 nv, nc), transposed
} making;

static gos_status assemble(making *k, const gos_state *x) {
    const gos_system *s = k->sys;
    gos_work *w = NULL;
    gos_sparse C = {0};
    const int at = s->at.q + k->first;
    double *none = gos__zalloc(k->ctx, (size_t)s->nc + s->nh + 1, sizeof *none);
    gos_status status = none ? gos__work_create(k->ctx, s, &w) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const gos_point_of p = {.t = x->t,
                                .scale = 1,
                                .q = x->q,
                                .th = x->th,
                                .lam = none,
                                .lamT = none + s->nc,
                                .mem = x->mem};
        gos__work_hold(w, x);
        gos__jacobian(w, &p, &(gos_newton_factors){.m = 1});
        status = gos__sparse_block(k->ctx, &s->pattern, w->values, at, k->n, at, k->n, &k->M);
        gos__jacobian(w, &p, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    }
    status = status == GOS_OK
                 ? gos__sparse_block(k->ctx, &s->pattern, w->values, at, k->n, at, k->n, &k->K)
                 : status;
    status = status == GOS_OK ? gos__sparse_block(k->ctx, &s->pattern, w->values, s->at.lam, s->nc,
                                                  s->at.q, s->nq, &C)
                              : status;
    status = status == GOS_OK ? gos__sparse_transpose(k->ctx, &C, &k->rows) : status;
    gos__sparse_free(k->ctx, &C);
    gos__work_destroy(k->ctx, w);
    gos__free(k->ctx, none);
    return status;
}

/* acts: on the body, its frame, others */
static void row_acts(const making *k, int row, bool acts[3]) {
    acts[0] = acts[1] = acts[2] = false;
    for (int e = k->rows.p[row]; e < k->rows.p[row + 1]; e++) {
        const int at = k->rows.i[e] - k->first;
        const bool own = at >= 0 && at < k->n;
        acts[0] = acts[0] || own;
        acts[1] = acts[1] || (own && at < FRAME);
        acts[2] = acts[2] || !own;
    }
}

/* Rows of the body from coordinate `from` on, without those on earlier ones. */
static gos_status take_rows(const making *k, int from, gos_sparse *C) {
    gos_row_rank *rank = NULL;
    const size_t most = (size_t)k->rows.nnz + 1;
    int *i = gos__alloc(k->ctx, 2 * most, sizeof *i), n = 0, count = 0;
    double *x = gos__alloc(k->ctx, most, sizeof *x);
    gos_status status = i && x ? gos__row_rank_create(k->ctx, k->n, &rank) : GOS_E_MEMORY;
    for (int r = 0; r < k->rows.n && status == GOS_OK; r++) {
        bool acts[3], independent = false;
        const int begin = count;
        row_acts(k, r, acts);
        if (!acts[0] || (from > 0 && (acts[1] || acts[2]))) {
            continue;
        }
        for (int e = k->rows.p[r]; e < k->rows.p[r + 1]; e++) {
            const int at = k->rows.i[e] - k->first;
            if (at >= from && at < k->n) {
                gos__row_rank_put(rank, at, k->rows.x[e]);
                i[count] = n;
                i[most + count] = at - from;
                x[count++] = k->rows.x[e];
            }
        }
        status = gos__row_rank_add(rank, SAME, &independent);
        count = independent ? count : begin;
        n += independent;
    }
    status = status == GOS_OK
                 ? gos__sparse_from_triplets(k->ctx, n, k->n - from, count, i, i + most, x, C)
                 : status;
    gos__row_rank_destroy(rank);
    gos__free(k->ctx, i);
    gos__free(k->ctx, x);
    return status;
}

/* submatrix from row and column `from` */
static gos_status cut(gos_ctx *ctx, const gos_sparse *A, int from, gos_sparse *to) {
    const gos_pattern pattern = {.n = A->n, .nnz = A->nnz, .p = A->p, .i = A->i};
    return gos__sparse_block(ctx, &pattern, A->x, from, A->n - from, from, A->n - from, to);
}

static gos_status make_model(const making *k, int from, gos_linear **linear) {
    gos_linear *l = NULL;
    gos_sparse block[3] = {{0}};
    static const gos_block which[3] = {GOS_BLOCK_M, GOS_BLOCK_K, GOS_BLOCK_C};
    gos_status status = cut(k->ctx, &k->M, from, &block[0]);
    status = status == GOS_OK ? cut(k->ctx, &k->K, from, &block[1]) : status;
    status = status == GOS_OK ? take_rows(k, from, &block[2]) : status;
    const gos_linear_size size = {.nq = k->n - from, .nc = block[2].m};
    status = status == GOS_OK ? gos__linear_create(k->ctx, &size, &l) : status;
    for (int i = 0; i < 3; i++) {
        status = status == GOS_OK ? gos__linear_put(l, which[i], &block[i]) : status;
        gos__sparse_free(k->ctx, &block[i]);
    }
    status = status == GOS_OK ? gos__linear_close(l) : status;
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

static int wanted(const making *k) {
    return k->n <= SMALL_BODY_COORDINATES ? SMALL_BODY_MODES : JOINT_MODES;
}

/* lowest modes, for rows from `from`, in all coordinates: X (k->n, *n); square: 0 for rigid ones */
static void take_modes(const making *k, int from, int found, const gos_mode *mode,
                       const double *shape, int *n, double *square, double *X) {
    const size_t size = (size_t)(k->n - from);
    *n = 0;
    for (int i = 0; i < found; i++) {
        const bool rigid = mode[i].rigid || !(mode[i].omega > LOWEST * mode[found - 1].omega);
        square[*n] = rigid ? 0 : mode[i].omega * mode[i].omega;
        memset(X, 0, (size_t)k->n * sizeof *X);
        memcpy(X + from, shape + (size_t)i * size, size * sizeof *X);
        X += k->n;
        (*n)++;
    }
}

static gos_status find_modes(const making *k, int from, int *n, double *square, double *X) {
    gos_mode mode[SMALL_BODY_MODES + RIGID];
    gos_linear *l = NULL;
    const int asked = wanted(k) + RIGID;
    int found = 0;
    double *shape = gos__alloc(k->ctx, (size_t)k->n * asked, sizeof *shape);
    *n = 0;
    gos_status status = shape ? make_model(k, from, &l) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const int left = l->nq - l->nc, most = left < asked ? left : asked;
        status = most > 0 ? gos_linear_shapes(k->ctx, l, most, mode, shape, &found) : GOS_OK;
    }
    if (status == GOS_OK) {
        take_modes(k, from, found, mode, shape, n, square, X);
    }
    gos_linear_destroy(l);
    gos__free(k->ctx, shape);
    return status;
}

static gos_status make_set(gos_softening *to, const making *k, int from, const gos_state *x) {
    double square[SMALL_BODY_MODES + RIGID];
    int n;
    double *X = gos__alloc(k->ctx, (size_t)k->n * (SMALL_BODY_MODES + RIGID), sizeof *X);
    gos_stress_work *work = &to->set[to->nset];
    gos_status status = X ? find_modes(k, from, &n, square, X) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        to->nset++;
        status = k->body->ops->stress_work(k->ctx, k->body, x->q + k->first, n, square, X, work);
        status = status == GOS_OK && work->n > MAX_MODES ? GOS_E_LIMIT : status;
    }
    gos__free(k->ctx, X);
    return status;
}

gos_status gos__softening_create(gos_ctx *ctx, const gos_system *sys, const gos_body *body,
                                 size_t q, const gos_state *state, gos_softening **softening) {
    making k = {.ctx = ctx, .sys = sys, .body = body, .first = (int)q, .n = 3 * body->nv};
    gos_softening *to = gos__zalloc(ctx, 1, sizeof *to);
    bool joined = false;
    gos_status status = to ? assemble(&k, state) : GOS_E_MEMORY;
    for (int r = 0; r < k.rows.n && status == GOS_OK; r++) {
        bool acts[3];
        row_acts(&k, r, acts);
        joined = joined || (acts[0] && acts[2]);
    }
    if (status == GOS_OK) {
        *to = (gos_softening){.ctx = ctx, .body = body};
        status = make_set(to, &k, 0, state);
        status = status == GOS_OK && joined ? make_set(to, &k, FRAME, state) : status;
    }
    gos__sparse_free(ctx, &k.M);
    gos__sparse_free(ctx, &k.K);
    gos__sparse_free(ctx, &k.rows);
    if (status != GOS_OK) {
        gos__softening_destroy(to);
        return status;
    }
    *softening = to;
    return GOS_OK;
}

void gos__softening_destroy(gos_softening *s) {
    for (int i = 0; s && i < s->nset; i++) {
        gos__free(s->ctx, s->set[i].stiffness);
        gos__free(s->ctx, s->set[i].by_e);
        gos__free(s->ctx, s->set[i].by_th);
    }
    if (s) {
        gos__free(s->ctx, s);
    }
}

void gos__softening_check(const gos_softening *s, const double *e, const double *th, double *taken,
                          double *added) {
    const int ne = 3 * s->body->nv, nt = s->body->nt;
    *taken = *added = 0;
    for (int i = 0; i < s->nset; i++) {
        const gos_stress_work *work = &s->set[i];
        const int n = work->n;
        double G[MAX_MODES * MAX_MODES], K[MAX_MODES * MAX_MODES], w[MAX_MODES];
        for (int a = 0, pair = 0; a < n; a++) {
            for (int b = 0; b <= a; b++, pair++) {
                G[a * n + b] = G[b * n + a] =
                    gos__dense_dot(ne, work->by_e + (size_t)pair * ne, e) +
                    (nt > 0 ? gos__dense_dot(nt, work->by_th + (size_t)pair * nt, th) : 0);
            }
        }
        memcpy(K, work->stiffness, (size_t)n * n * sizeof *K);
        if (n > 0 && LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', n, G, n, K, n, w) == 0) {
            *taken = fmax(*taken, -w[0]);
            *added = fmax(*added, w[n - 1]);
        }
    }
}

#define STIFFENING 0.1         // relative change of a mode's stiffness that was neglected
#define NLGEOM_STIFFENING 0.01 // ... by bodies whose deck has NLGEOM
#define NLGEOM_ROTATION 0.05   // [rad]
#define RATE 0.3               // relative to the first frequency: a tenth of its square
#define ROTATION 0.2           // [rad]: its square is a few percent of 1
#define MATERIAL 0.05          // relative change of a property by temperature
#define SOFTENING 0.8          // relative reduction of the stiffness by thermal stress
#define LOCKING 0.05           // relative to a membrane force
#define TWIST 0.01             // relative to the response
#define MESH 0.05              // relative to the largest component

enum {
    STIFFENS,
    SIDEWAYS,
    TURNS,
    BENDS,
    SOFTENS,
    MATERIALS,
    WEAKENS,
    BUCKLES,
    STRENGTHENS,
    BLIND,
    TWISTS,
    KINDS
};

typedef struct watching {
    gos_ctx *ctx, *quiet; // quiet: for `soft`
    const gos_system *sys;
    bool (*warned)[KINDS]; // for each body (nbody)
    bool *locked;          // noted, for each probe (nprobe)
    double (*mesh)[2];     // largest error of the mesh and largest value of each probe (nprobe)
    // of bodies that neglect stress stiffness, once they are strained (nbody)
    gos_softening **soft;
    gos_state **met; // states at which these were computed (nbody)
} watching;

static void destroy(void *observer) {
    watching *w = observer;
    if (w) {
        for (int i = 0; w->soft && i < w->sys->nbody; i++) {
            gos__softening_destroy(w->soft[i]);
        }
        for (int i = 0; w->met && i < w->sys->nbody; i++) {
            gos_state_destroy(w->met[i]);
        }
        gos_ctx_destroy(w->quiet);
        gos__free(w->ctx, w->soft);
        gos__free(w->ctx, w->met);
        gos__free(w->ctx, w->warned);
        gos__free(w->ctx, w->locked);
        gos__free(w->ctx, w->mesh);
        gos__free(w->ctx, w);
    }
}

static gos_status create(gos_ctx *ctx, const gos_system *sys, double *preparing, void **observer) {
    GOS_UNUSED(preparing);
    watching *w = gos__zalloc(ctx, 1, sizeof *w);
    if (!w) {
        return GOS_E_MEMORY;
    }
    *w = (watching){.ctx = ctx, .sys = sys};
    w->warned = gos__zalloc(ctx, (size_t)sys->nbody + 1, sizeof *w->warned);
    w->locked = gos__zalloc(ctx, (size_t)sys->nprobe + 1, sizeof *w->locked);
    w->mesh = gos__zalloc(ctx, (size_t)sys->nprobe + 1, sizeof *w->mesh);
    w->soft = gos__zalloc(ctx, (size_t)sys->nbody + 1, sizeof(gos_softening *));
    w->met = gos__zalloc(ctx, (size_t)sys->nbody + 1, sizeof(gos_state *));
    w->quiet = gos__ctx_quiet(ctx);
    if (!w->warned || !w->locked || !w->mesh || !w->soft || !w->met || !w->quiet) {
        destroy(w);
        return GOS_E_MEMORY;
    }
    *observer = w;
    return GOS_OK;
}

static bool leaves(double value, double limit, bool *warned) {
    const bool now = !(value <= limit) && !*warned;
    *warned = *warned || now;
    return now;
}

/* First coordinate and temperature of a body; floating bodies in reduced systems have other
   indices. */
static void first_of(const gos_system *s, const gos_body *b, size_t *q, size_t *th) {
    const gos_derived_table *full = s->full ? s->full->derived : s->derived;
    int v = b->v0, t = b->t0;
    for (int i = 0; b->derived && full && i < full->nbody; i++) {
        v = full->body[i].r == b->derived->r ? s->derived->body[i].r : v;
        t = full->body[i].r == b->derived->r ? s->derived->body[i].t0 : t;
    }
    *q = 3 * (size_t)v;
    *th = (size_t)t;
}

static bool is_strained(const gos_body *b, const double *e, const double *th) {
    for (int i = 12; i < 3 * b->nv; i++) {
        if (e[i] != 0) {
            return true;
        }
    }
    for (int i = 0; i < b->nt; i++) {
        if (th[i] != 0) {
            return true;
        }
    }
    return false;
}

/* Creates w->soft of a body once it is strained; a failure causes a warning. */
static gos_status find_softening(watching *w, const gos_body *b, const gos_state *x, size_t first,
                                 size_t warm, const char *object, bool warned[KINDS]) {
    gos_softening **soft = &w->soft[b->index];
    if (*soft || warned[BLIND] || !is_strained(b, x->q + first, x->th + warm)) {
        return GOS_OK;
    }
    gos_state **met = &w->met[b->index];
    GOS_TRY(*met ? GOS_OK : gos_state_create(w->ctx, w->sys, met));
    GOS_TRY(gos_state_copy(*met, x));
    const gos_status status = gos__softening_create(w->quiet, w->sys, b, first, x, soft);
    if (status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED) {
        return gos__fail(w->ctx, status, "%s", gos_ctx_message(w->quiet));
    }
    warned[BLIND] = status != GOS_OK;
    if (warned[BLIND]) {
        gos__warn(w->ctx, b->loc, object,
                  "the effect of stress on its stiffness, which `coupling: zeroth` neglects, "
                  "could not be computed (%s), so buckling is not checked; compare with "
                  "`coupling: first`",
                  gos_ctx_message(w->quiet));
    }
    return GOS_OK;
}

static void look_at_stress(const watching *w, const gos_body *b, const gos_state *x, size_t first,
                           size_t warm, const char *object, bool warned[KINDS]) {
    const double limit = b->finite ? NLGEOM_STIFFENING : STIFFENING;
    double taken, added;
    gos__softening_check(w->soft[b->index], x->q + first, x->th + warm, &taken, &added);
    if (leaves(taken, 1, &warned[BUCKLES])) {
        warned[WEAKENS] = true;
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s stress reduces the stiffness of one of its lowest modes by a "
                  "fraction of %.3g (1: buckling): the body has buckled, which `coupling: zeroth` "
                  "neglects, and later results are meaningless; use `coupling: first`, or bodies "
                  "of type solid or plates for post-buckling",
                  x->t, taken);
    }
    if (leaves(taken, limit, &warned[WEAKENS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s stress reduces the stiffness of one of its lowest modes by a fraction "
                  "of %.2g (1: buckling), which `coupling: zeroth` neglects; later results have at "
                  "least this relative error: use `coupling: first`",
                  x->t, taken);
    }
    if (leaves(added, limit, &warned[STRENGTHENS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s stress increases the stiffness of one of its lowest modes by a "
                  "fraction of %.2g, which `coupling: zeroth` neglects; later results have at "
                  "least this relative error: use `coupling: first`",
                  x->t, added);
    }
}

static void warn_material(const watching *w, const gos_body *b, double t, const char *object,
                          const gos_body_range *r) {
    gos__warn(w->ctx, r->loc.line > 0 ? r->loc : b->loc, object,
              "at %.4g s its temperature reaches %.5g K above the reference, where %s of material "
              "'%s' is %.4g, a relative change of %.2g from the value used, %.4g, because "
              "matrices are computed only once, at `material_temperature` (%.5g K); set it closer "
              "to the temperatures of the run",
              t, r->T, r->what, r->material, r->value, r->change, r->taken, b->stated_T);
}

static void check_twist(const watching *w, const gos_body *b, double t, const gos_body_range *r,
                        const char *object, bool warned[KINDS]) {
    if (leaves(r->twist, TWIST, &warned[TWISTS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s torque twists it by %.2g rad while it softens the body sideways: the "
                  "response may have a relative error of up to %.2g, since beams in a floating "
                  "frame neglect how twist changes the critical torque; divide it into several "
                  "bodies that are clamped together, or use ancf_beam",
                  t, r->rotation, fmin(r->twist, 1));
    }
}

static gos_status look(watching *w, const gos_body *b, const gos_state *x, bool warned[KINDS]) {
    gos_body_range r;
    char object[GOS_LIMIT_NAME + 16];
    size_t first, warm;
    first_of(w->sys, b, &first, &warm);
    gos__format(object, sizeof object, "body '%s'", b->name);
    if (b->unstiffened && b->ops->stress_work) {
        GOS_TRY(find_softening(w, b, x, first, warm, object, warned));
    }
    if (w->soft[b->index]) {
        look_at_stress(w, b, x, first, warm, object, warned);
    }
    b->ops->range(b, x->q + first, x->v + first, x->th + warm, &r);
    if (leaves(r.stiffening, b->finite ? NLGEOM_STIFFENING : STIFFENING, &warned[STIFFENS])) {
        gos__warn(
            w->ctx, b->loc, object,
            "at %.4g s section forces of its beams change the stiffness of one of its lowest modes "
            "by a fraction of %.2g (a reduction by 1 is buckling), which `coupling: zeroth` "
            "neglects; later results have at least this relative error: use `coupling: first`",
            x->t, r.stiffening);
    }
    if (leaves(r.left, STIFFENING, &warned[SIDEWAYS])) {
        gos__warn(
            w->ctx, b->loc, object,
            "at %.4g s moments of its own weight and rotation change the stiffness of one of its "
            "lowest modes by a fraction of %.2g (a reduction by 1 is lateral buckling), which "
            "beams in a floating frame neglect; later results have at least this relative error: "
            "divide it into several bodies that are clamped together, or use ancf_beam",
            x->t, r.left);
    }
    check_twist(w, b, x->t, &r, object, warned);
    if (leaves(r.rate, RATE, &warned[TURNS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s its frame rotates at %.2g times its lowest frequency, but `coupling: "
                  "zeroth` neglects centrifugal stiffening and diverges above that frequency; use "
                  "`coupling: first`",
                  x->t, r.rate);
    }
    if (leaves(r.rotation, b->finite ? NLGEOM_ROTATION : ROTATION, &warned[BENDS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s deformation causes rotations of %.2g rad relative to its frame, but "
                  "the model is valid only for small rotations, with squares negligible compared "
                  "with 1; divide the body into several, or use cables or beams",
                  x->t, r.rotation);
    }
    if (leaves(r.softening, SOFTENING, &warned[SOFTENS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s thermal stress reduces its stiffness by a fraction of %.2g (1: "
                  "buckling, unless joints prevent it); the model is linear in that stress and "
                  "does not represent post-buckling; near buckling use a body of type solid, or "
                  "plates",
                  x->t, r.softening);
    }
    if (leaves(r.change, MATERIAL, &warned[MATERIALS])) {
        warn_material(w, b, x->t, object, &r);
    }
    return GOS_OK;
}

static bool shows_membrane(const gos_probe *p) {
    return p->body && strcmp(p->body->type, "ancf_plate") == 0 &&
           strcmp(gos__probe_quantity(p), "section_force") == 0;
}

/* Membrane forces recovered in bent elements, where the mesh is too coarse for their change. */
static void look_at_membrane(const watching *w, const gos_probe *p, const gos_state *x,
                             bool *warned) {
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    char text[400], object[GOS_LIMIT_NAME + 16];
    const double error = gos__section_state(x, p, e, f);
    const double most = fmax(fabs(f[0]), fmax(fabs(f[1]), fabs(f[2])));
    if (leaves(error, LOCKING * most, warned)) {
        const char *unit = gos__unit_label(w->sys->units, "N/m", GOS_UNIT_BUFFER);
        gos__format(object, sizeof object, "probe '%s'", p->name);
        gos__format(text, sizeof text,
                    "at %.4g s the membrane force of %.3g %s has an error of about %.2g %s: "
                    "elements there are bent strongly, and it changes from one to the next; use "
                    "smaller elements, or obtain the force from reactions of joints",
                    x->t, most, unit, error, unit);
        gos__note(w->ctx, object, text);
    }
}

static gos_status see(void *observer, const gos_state *state, long iterations) {
    watching *w = observer;
    GOS_UNUSED(iterations);
    for (int i = 0; i < w->sys->nbody; i++) {
        if (w->sys->body[i]->ops->range) {
            GOS_TRY(look(w, w->sys->body[i], state, w->warned[i]));
        }
    }
    for (int i = 0; i < w->sys->nprobe; i++) {
        if (shows_membrane(w->sys->probe[i])) {
            look_at_membrane(w, w->sys->probe[i], state, &w->locked[i]);
        }
        if (w->sys->probe[i]->patch) {
            double error;
            const double value = gos__stress_patch_error(state, w->sys->probe[i], &error);
            w->mesh[i][0] = fmax(w->mesh[i][0], error);
            w->mesh[i][1] = fmax(w->mesh[i][1], value);
        }
    }
    return GOS_OK;
}

static void note_mesh(const watching *w, const gos_probe *p, const double mesh[2]) {
    char text[400], object[GOS_LIMIT_NAME + 16];
    if (mesh[0] > MESH * mesh[1]) {
        gos__format(object, sizeof object, "probe '%s'", p->name);
        gos__format(text, sizeof text,
                    "estimated error of the mesh: %.2g %s, %.2g of the largest component; use "
                    "smaller elements there. At a corner, at the edge of a clamp or below a point "
                    "load the exact value may be unbounded",
                    mesh[0], p->unit, mesh[0] / mesh[1]);
        gos__note(w->ctx, object, text);
    }
}

static gos_status end(void *observer, const gos_state *state) {
    const watching *w = observer;
    GOS_TRY(see(observer, state, 0));
    for (int i = 0; i < w->sys->nprobe; i++) {
        note_mesh(w, w->sys->probe[i], w->mesh[i]);
    }
    return GOS_OK;
}

/* The effect of stress is computed again, from the same state. */
static gos_status walk_softening(watching *w, const gos_body *b, gos_walk *past) {
    gos_state **met = &w->met[b->index];
    size_t first, warm;
    bool there = w->soft[b->index] != NULL;
    gos__walk_bool(past, &there);
    if (!there || past->bad) {
        return GOS_OK;
    }
    GOS_TRY(*met ? GOS_OK : gos_state_create(w->ctx, w->sys, met));
    gos__walk_state(past, *met);
    if (!past->takes || past->bad) {
        return GOS_OK;
    }
    first_of(w->sys, b, &first, &warm);
    const gos_status status =
        gos__softening_create(w->quiet, w->sys, b, first, *met, &w->soft[b->index]);
    return status == GOS_OK ? status
                            : gos__fail(w->ctx, status < 0 ? status : GOS_E_INPUT, "%s",
                                        gos_ctx_message(w->quiet));
}

static gos_status walk(void *observer, gos_walk *past) {
    watching *w = observer;
    for (int i = 0; i < w->sys->nbody; i++) {
        for (int k = 0; k < KINDS; k++) {
            gos__walk_bool(past, &w->warned[i][k]);
        }
        GOS_TRY(walk_softening(w, w->sys->body[i], past));
    }
    for (int i = 0; i < w->sys->nprobe; i++) {
        gos__walk_bool(past, &w->locked[i]);
        gos__walk(past, w->mesh[i], 2);
    }
    return GOS_OK;
}

static const gos_observer range_observer = {create, see, end, walk, destroy};

const gos_observer *gos__range_observer(const gos_system *sys) {
    for (int i = 0; i < sys->nbody; i++) {
        if (sys->body[i]->ops->range) {
            return &range_observer;
        }
    }
    for (int i = 0; i < sys->nprobe; i++) {
        if (shows_membrane(sys->probe[i]) || sys->probe[i]->patch) {
            return &range_observer;
        }
    }
    return NULL;
}
