/* Limits of validity: small rotations; without second-order displacements, neglected stiffness by
   axial forces and rotation; with them, buckling by thermal stress. */
#include "floating/floating_range.h"

#include <lapacke.h>
#include <math.h>

#include "fe/beam_frame.h"
#include "deck/fe_parts.h"
#include "linalg/dense.h"
#include "math/vec3.h"

#define MODES 10  // lowest modes
#define ENDS 2    // buckling torque with Cardan joints at the ends
#define SAMPLES 5 // temperatures sampled

/* to (n, n) := X^T S X relative to frequencies */
static gos_status over_modes(const gos_sparse *S, int n, const gos_mode *mode, const double *X,
                             gos_ctx *ctx, double *to) {
    double *SX = gos__alloc(ctx, (size_t)n * (size_t)S->n + 1, sizeof *SX);
    GOS_TRY(SX ? GOS_OK : GOS_E_MEMORY);
    gos__sparse_apply(S, n, X, SX);
    gos__dense_product(n, n, S->n, X, SX, to);
    for (int i = 0; i < n * n; i++) {
        to[i] /= mode[i / n].omega * mode[i % n].omega;
    }
    gos__free(ctx, SX);
    return GOS_OK;
}

/* temperatures that cause stress */
static gos_status find_heated(gos_builder *b, const gos_flex *flex, int n, const gos_mode *mode,
                              const double *X, gos_floating_limits *to) {
    const gos_sparse *stiff = flex->heat.stiff;
    double *heated = GOS_NEW(b->arena, double, flex->heat.n *n *n + 1);
    bool any = false;
    GOS_TRY(heated ? GOS_OK : GOS_E_MEMORY);
    for (int t = 0; t < flex->heat.n; t++) {
        any = any || stiff[t].nnz > 0;
        GOS_TRY(stiff[t].nnz > 0
                    ? over_modes(&stiff[t], n, mode, X, flex->ctx, heated + (size_t)t * n * n)
                    : GOS_OK);
    }
    to->nheated = any ? n : 0;
    to->nt = flex->heat.n;
    to->heated = heated;
    return GOS_OK;
}

/* without forms only the lowest frequency is needed */
static gos_status take_limits(gos_builder *b, const gos_flex *flex, gos_floating_body *f) {
    gos_floating_limits *to = GOS_NEW(b->arena, gos_floating_limits, 1);
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    to->omega = flex->n > 0 ? flex->omega : HUGE_VAL;
    f->limits = to;
    return GOS_OK;
}

/* by section forces; only torque is needed for bodies with second-order displacements */
static gos_status find_stiffened(gos_builder *b, const gos_flex *flex, bool torque, int n,
                                 const gos_mode *mode, const double *X, gos_floating_limits *to) {
    const size_t nform = (size_t)flex->force.n, nn = (size_t)n * (size_t)n;
    double *shape = GOS_NEW(b->arena, double, nform *nn + 1);
    GOS_TRY(shape ? GOS_OK : GOS_E_MEMORY);
    for (size_t p = 0; p < nform; p++) {
        const bool used = !torque || p % GOS_BEAM_FORCES == GOS_BEAM_T;
        GOS_TRY(used ? over_modes(&flex->form[p], n, mode, X, flex->ctx, shape + p * nn) : GOS_OK);
    }
    for (size_t k = 0; k < nform * nn; k++) { // including joints outside the body
        shape[k] *= k / nn % GOS_BEAM_FORCES == GOS_BEAM_T ? ENDS : 1;
    }
    to->nform = (int)nform;
    to->shape = shape;
    return GOS_OK;
}

/* moments of loads on the mass (flex->left) */
static gos_status find_left(gos_builder *b, const gos_flex *flex, int n, const gos_mode *mode,
                            const double *X, gos_floating_limits *to) {
    const size_t nn = (size_t)n * (size_t)n;
    double *left = GOS_NEW(b->arena, double, GOS_FLEX_MOMENTS *nn + 1);
    bool any = false;
    GOS_TRY(left ? GOS_OK : GOS_E_MEMORY);
    for (size_t p = 0; p < GOS_FLEX_MOMENTS; p++) {
        const bool own = flex->left[p].nnz > 0;
        any = any || own;
        GOS_TRY(own ? over_modes(&flex->left[p], n, mode, X, flex->ctx, left + p * nn) : GOS_OK);
    }
    to->left = any ? left : NULL;
    memcpy(to->gravity, b->gravity, sizeof to->gravity);
    return GOS_OK;
}

static gos_status find_limits(gos_builder *b, const gos_flex *flex, gos_floating_body *f) {
    const int most = flex->n < MODES ? flex->n : MODES;
    gos_floating_limits *to = GOS_NEW(b->arena, gos_floating_limits, 1);
    double *X = gos__alloc(b->ctx, (size_t)MODES * (size_t)flex->n, sizeof *X);
    gos_mode mode[MODES];
    gos_linear *l = NULL;
    int found = 0;
    gos_status status = to && X ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__flex_linear(flex, 0, NULL, 0, NULL, &l) : status;
    status = status == GOS_OK ? gos_linear_shapes(b->ctx, l, most, mode, X, &found) : status;
    if (status == GOS_OK) {
        *to = (gos_floating_limits){.nmode = found, .omega = mode[0].omega};
        f->limits = to;
        status = find_stiffened(b, flex, f->second, found, mode, X, to);
        status = f->second && status == GOS_OK ? find_left(b, flex, found, mode, X, to) : status;
    }
    if (status == GOS_OK && flex->heat.stiff) {
        status = find_heated(b, flex, found, mode, X, to);
    }
    gos_linear_destroy(l);
    gos__free(b->ctx, X);
    return status;
}

/* Modes from outputs alone are nearly dependent, and ignored. */
gos_status gos__floating_limits(gos_builder *b, gos_floating_body *f) {
    const gos_flex *flex = f->flex;
    const size_t n = (size_t)flex->n, r = n - (size_t)flex->missed.n;
    gos_flex *own = NULL;
    if (r == n) {
        const bool known = flex->omega > 0 && flex->force.n == 0 && !flex->heat.stiff;
        return known || n == 0 ? take_limits(b, flex, f) : find_limits(b, flex, f);
    }
    double *V = gos__zalloc(b->ctx, n * r + 1, sizeof *V);
    for (size_t k = 0; k < r && V; k++) {
        V[k * n + k] = 1;
    }
    gos_status status =
        V ? gos__flex_project(flex, &(gos_flex_space){.r = (int)r, .V = V}, &own) : GOS_E_MEMORY;
    status = status == GOS_OK ? find_limits(b, own, f) : status;
    gos__flex_destroy(own);
    gos__free(b->ctx, V);
    return status;
}

static double sum_of(const gos_floating_body *f, const gos_sparse *A, int column, const double *e) {
    double sum = 0;
    for (int k = A->p[column]; k < A->p[column + 1]; k++) {
        sum += A->x[k] * e[f->derived->z[A->i[k]] - 3 * f->r];
    }
    return sum;
}

/* Largest relative change of the stiffness of the lowest modes by section forces of e. */
static double stiffening_of(const gos_floating_body *f, const double *e) {
    const gos_floating_limits *l = f->limits;
    const int n = l->nmode;
    double A[MODES * MODES] = {0}, w[MODES];
    for (int p = 0; p < l->nform; p++) {
        const double force = sum_of(f, &f->flex->force, p, e);
        for (int i = 0; i < n * n && force != 0; i++) {
            A[i] += force * l->shape[(size_t)p * (size_t)(n * n) + (size_t)i];
        }
    }
    return n > 0 && LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w) == 0
               ? fmax(fabs(w[0]), fabs(w[n - 1]))
               : 0;
}

/* A twist phi changes the critical torque by up to 0.4 phi of it (measured: shafts between Cardan
 * joints, clamps and both, against ancf_beam). share: of the critical torque */
static double twist_of(double share, double rotation) {
    const double square = share * share;
    return 0.8 * rotation * square / fmax(1 - square, 0);
}

/* by neglected moments of weight and frame rotation */
static double left_of(const gos_floating_body *f, const double *e, const double *v) {
    const gos_floating_limits *l = f->limits;
    const int n = l->nmode;
    double A[MODES * MODES] = {0}, w[MODES], rate[3], field[4];
    for (int c = 0; c < 3; c++) { // a_d' . a_e with c, d, e cyclic
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        rate[c] = gos__dot3(v + 3 + 3 * p, e + 3 + 3 * q);
    }
    const double square = gos__dot3(rate, rate);
    for (int c = 0; c < 3; c++) {
        field[0] = gos__dot3(l->gravity, e + 3 + 3 * c);
        for (int d = 0; d < 3; d++) {
            field[1 + d] = (c == d ? square : 0) - rate[c] * rate[d];
        }
        for (int d = 0; d < 4; d++) {
            const double *own = l->left + (4 * (size_t)c + (size_t)d) * (size_t)(n * n);
            for (int i = 0; i < n * n; i++) {
                A[i] -= field[d] * own[i];
            }
        }
    }
    return n > 0 && LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w) == 0
               ? fmax(fabs(w[0]), fabs(w[n - 1]))
               : 0;
}

/* minus the smallest relative eigenvalue of the thermal stiffness */
static double softening_of(const gos_floating_limits *l, const double *th) {
    double A[MODES * MODES] = {0}, w[MODES];
    const int n = l->nheated;
    for (int t = 0; t < l->nt; t++) {
        for (int i = 0; i < n * n; i++) {
            A[i] += th[t] * l->heated[(size_t)t * (size_t)(n * n) + (size_t)i];
        }
    }
    return LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w) == 0 ? fmax(0, -w[0]) : 0;
}

/* lowest and highest temperature, for shells on the faces */
static void temperatures_of(const gos_flex_heat *h, int nnode, const double *th, double T[2]) {
    T[0] = HUGE_VAL;
    T[1] = -HUGE_VAL;
    for (int i = 0; i < nnode; i++) {
        double t = 0, more = 0;
        for (int k = h->at.p[i]; k < h->at.p[i + 1]; k++) {
            t += h->at.x[k] * th[h->at.i[k]];
        }
        for (int k = h->half ? h->across.p[i] : 0; h->half && k < h->across.p[i + 1]; k++) {
            more += h->half[i] * h->across.x[k] * th[h->across.i[k]];
        }
        if (h->at.p[i + 1] > h->at.p[i]) {
            T[0] = fmin(T[0], t - fabs(more));
            T[1] = fmax(T[1], t + fabs(more));
        }
    }
}

static void farthest_of(const gos_body *b, const gos_material *of, const double T[2],
                        gos_body_range *r) {
    for (int i = 0; i < GOS_MATERIAL_TABLES * SAMPLES; i++) {
        const int table = i / SAMPLES;
        if (!of->over[table]) {
            continue;
        }
        const double at = T[0] + i % SAMPLES * (T[1] - T[0]) / (SAMPLES - 1);
        const double taken = gos__material_value(of, table, b->stated_T);
        const double change = fabs(gos__material_value(of, table, at) - taken) / fabs(taken);
        if (!(change <= r->change)) {
            r->change = change;
            r->T = at;
            r->value = gos__material_value(of, table, at);
            r->taken = taken;
            r->what = of->kind == GOS_MATERIAL_ORTHOTROPIC ? gos__material_table[table].own
                                                           : gos__material_table[table].name;
            r->material = of->name;
        }
    }
}

static void farthest_of_deck(const gos_body *b, const gos_floating_tables *of, const double T[2],
                             gos_body_range *r) {
    const double range[2] = {of->T0 + T[0], of->T0 + T[1]};
    gos_deck_change c = {0};
    for (int i = 0; i < of->n; i++) {
        gos__deck_material_change(of->material[i], of->T0, of->T0 + b->stated_T, range, &c);
    }
    if (c.what) {
        r->change = c.change;
        r->T = c.T - of->T0;
        r->value = c.value;
        r->taken = c.taken;
        r->what = c.what;
        r->material = c.material;
        r->loc = c.loc;
    }
}

/* property with the largest deviation from the value in use */
static void farthest(const gos_body *b, const double T[2], gos_body_range *r) {
    const gos_floating_body *f = b->par;
    int n;
    farthest_of_deck(b, &f->tables, T, r);
    const gos_material *const *m = gos__body_materials(b, &n);
    for (int i = 0; i < n; i++) {
        const gos_laminate *l = m[i]->laminate;
        farthest_of(b, m[i], T, r);
        for (int k = 0; l && k < l->n; k++) {
            farthest_of(b, l->ply[k].material, T, r);
        }
    }
}

static bool varies(const gos_body *b) {
    const gos_floating_body *f = b->par;
    int n;
    const gos_material *const *m = gos__body_materials(b, &n);
    bool any = f->tables.n > 0;
    for (int i = 0; i < n; i++) {
        any = any || gos__material_varies(m[i]);
    }
    return any;
}

void gos__floating_range(const gos_body *b, const double *e, const double *v, const double *th,
                         gos_body_range *r) {
    const gos_floating_body *f = b->par;
    const gos_floating_limits *limits = f->limits;
    double spin = 0;
    *r = (gos_body_range){0};
    if (th && f->flex->heat.n > 0 && b->stated && varies(b)) {
        double T[2];
        temperatures_of(&f->flex->heat, f->flex->nnode, th, T);
        farthest(b, T, r);
    }
    if (f->still) {
        return;
    }
    for (int i = 0; i < f->flex->nnode; i++) {
        double turn = 0;
        for (int c = 0; c < 3; c++) {
            const double t = sum_of(f, &f->flex->turn, 3 * i + c, e);
            turn += t * t;
        }
        r->rotation = fmax(r->rotation, sqrt(turn));
    }
    if (f->second) {
        r->left = limits->left ? left_of(f, e, v) : 0;
        r->twist = limits->nform > 0 ? twist_of(stiffening_of(f, e), r->rotation) : 0;
        r->softening = th && limits->nheated > 0 ? softening_of(limits, th) : 0;
        return;
    }
    for (int i = 3; i < 12; i++) { // of the axes
        spin += 0.5 * v[i] * v[i];
    }
    r->rate = limits->omega > 0 ? sqrt(spin) / limits->omega : 0;
    r->stiffening = stiffening_of(f, e);
}
