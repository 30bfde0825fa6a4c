/* Amplitudes of residual modes are locked at 0; the constraint's multiplier is the residual force
   y^T (loads - M z'' - D z' - K z - ...), which drives an oscillator in the item's memory:
   eta'' + d eta' + (s + sum_p b_p (amount_p of the frame's motion - its value in s)) eta =
   multiplier / mass
   Modes are under state loads, with a free frame (flex/free_frame.c). Residual deflection beyond
   them is an oscillator too. Multipliers are linear per step, the solution is exact with mid-step
   stiffness; the current step extrapolates the last slope. Only outputs include the modes. */
#include "floating/residual_modes.h"

#include <cblas.h>
#include <math.h>

#include "floating/floating.h"
#include "linalg/dense.h"
#include "math/vec3.h"

// relative remainder of contained modes, in the norm of M
#define CONTAINED 1e-7
#define NEGLIGIBLE 1e-6 // ... and of a deflection outside the modes
#define SMALL 1e-4      // angle: series of sin(x) / x

/* ---- modes ----------------------------------------------------------------------------------- */

typedef struct missing {
    const gos_flex *f;
    const gos_floating_missing *want;
    int r;
    const double *V;
    const gos_linear *l;
} missing;

/* relative, in the norm of the mass; work (2 n) */
static double outside(const missing *k, const double *x, double *work) {
    const int n = k->f->n;
    double *rest = work, *Mx = work + n;
    memcpy(rest, x, (size_t)n * sizeof *rest);
    gos__sparse_apply(&k->l->M, 1, x, Mx);
    const double all = gos__dense_dot(n, x, Mx);
    for (int pass = 0; pass < 2; pass++) { // second pass: rounding
        for (int j = 0; j < k->r; j++) {
            const double *v = k->V + (size_t)j * (size_t)n;
            gos__sparse_apply(&k->l->M, 1, rest, Mx);
            const double along = gos__dense_dot(n, v, Mx);
            gos__sparse_apply(&k->l->M, 1, v, Mx);
            const double share = along / gos__dense_dot(n, v, Mx);
            for (int i = 0; i < n; i++) {
                rest[i] -= share * v[i];
            }
        }
    }
    gos__sparse_apply(&k->l->M, 1, rest, Mx);
    return sqrt(fmax(gos__dense_dot(n, rest, Mx), 0) / all);
}

static double form_of(const gos_sparse *S, const double *x) {
    double sum = 0;
    for (int j = 0; j < S->n && S->p; j++) {
        for (int p = S->p[j]; p < S->p[j + 1]; p++) {
            sum += x[S->i[p]] * S->x[p] * x[j];
        }
    }
    return sum;
}

/* stiffness change of modes by the frame motion */
static gos_status find_changes(const missing *k, int count, const double *X,
                               gos_flex_oscillator *mode) {
    const int n = k->f->n;
    for (int p = 0; p < GOS_FLEX_STATES; p++) {
        gos_sparse S;
        GOS_TRY(gos__sparse_alloc(k->f->ctx, n, n, 0, &S));
        const gos_status status = gos__flex_stiffen(k->f, &gos__flex_state[p], 1, &S);
        for (int j = 0; j < count && status == GOS_OK; j++) {
            mode[j].by[p] = form_of(&S, X + (size_t)j * (size_t)n);
        }
        gos__sparse_free(k->f->ctx, &S);
        GOS_TRY(status);
    }
    return GOS_OK;
}

/* T (n, t) := part outside Y, nonzero columns first; *left: number, in the norm of the effective
   mass; MT (n, t), along (modes, t): scratch */
static gos_status beyond(const missing *k, int t, int modes, const double *Y, double *T, double *MT,
                         double *along, int *left) {
    const gos_floating_missing *w = k->want;
    const int n = k->f->n;
    double *size = along + (size_t)modes * (size_t)t;
    *left = 0;
    for (int pass = 0; pass < 2; pass++) { // second pass: rounding
        GOS_TRY(gos__flex_free_mass(k->f, w->k, w->motion, w->inertia, t, T, MT));
        for (int j = 0; j < t && pass == 0; j++) {
            const size_t at = (size_t)j * (size_t)n;
            size[j] = gos__dense_dot(n, T + at, MT + at);
        }
        gos__dense_product(modes, t, n, Y, MT, along);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, t, modes, -1, Y, n, along, modes,
                    1, T, n);
    }
    GOS_TRY(gos__flex_free_mass(k->f, w->k, w->motion, w->inertia, t, T, MT));
    for (int j = 0; j < t; j++) {
        const size_t at = (size_t)j * (size_t)n, to = (size_t)*left * (size_t)n;
        if (gos__dense_dot(n, T + at, MT + at) > NEGLIGIBLE * NEGLIGIBLE * size[j]) {
            memmove(T + to, T + at, (size_t)n * sizeof *T);
            memmove(MT + to, MT + at, (size_t)n * sizeof *MT);
            ++*left;
        }
    }
    return GOS_OK;
}

/* Columns of Y from `to` := tails outside the first modes, orthogonal in both matrices, unit
   effective mass; lambda. work: T (n, tails) and products. */
static gos_status add_tails(const missing *k, int modes, int to, double *lambda, double *Y,
                            double *work, int *left) {
    const int n = k->f->n, all = k->want->tails;
    const size_t block = (size_t)n * (size_t)all, small = (size_t)all * (size_t)all;
    double *T = work, *MT = T + block, *KT = MT + block, *A = KT + block, *B = A + small,
           *X = B + small, *along = X + small;
    memcpy(T, k->want->tail, block * sizeof *T);
    GOS_TRY(beyond(k, all, modes, Y, T, MT, along, left));
    const int t = *left;
    if (t == 0) {
        return GOS_OK;
    }
    gos__sparse_apply(&k->l->K, t, T, KT);
    gos__dense_product(t, t, n, T, KT, A);
    gos__dense_product(t, t, n, T, MT, B);
    GOS_TRY(gos__dense_pencil(k->f->ctx, t, A, B, t, lambda + to, X));
    gos__dense_combine(n, t, t, T, X, gos__dense_column(Y, n, to));
    return GOS_OK;
}

/* Modes outside the basis to the front of X, then contained ones; *kept, *all: numbers. */
static gos_status select_modes(const missing *k, int found, double *lambda, double *X, int *kept,
                               int *all) {
    const size_t n = (size_t)k->f->n;
    int inside = 0;
    double *work = gos__alloc(k->f->ctx, (2 + (size_t)found) * n, sizeof *work);
    GOS_TRY(work ? GOS_OK : GOS_E_MEMORY);
    double *contained = work + 2 * n;
    *kept = 0;
    for (int j = 0; j < found && *kept < k->want->n; j++) {
        const double *x = X + (size_t)j * n;
        if (outside(k, x, work) > CONTAINED) {
            lambda[*kept] = lambda[j];
            memmove(X + (size_t)(*kept)++ * n, x, n * sizeof *X);
        } else {
            memcpy(contained + (size_t)inside++ * n, x, n * sizeof *X);
        }
    }
    memcpy(X + (size_t)*kept * n, contained, (size_t)inside * n * sizeof *X);
    *all = *kept + inside;
    gos__free(k->f->ctx, work);
    return GOS_OK;
}

static gos_status find_modes(const missing *k, double *X, gos_flex_missed *missed) {
    const gos_floating_missing *w = k->want;
    const size_t n = (size_t)k->f->n, t = (size_t)w->tails;
    const int most = k->r < k->f->n - w->n ? w->n + k->r : k->f->n;
    const size_t columns = (size_t)most + t;
    int found = 0, all = 0;
    double *lambda = gos__alloc(k->f->ctx, columns * (n + 1) + 3 * t * (n + t) + t * (columns + 1),
                                sizeof *lambda);
    GOS_TRY(lambda ? GOS_OK : GOS_E_MEMORY);
    double *Y = lambda + columns, *work = Y + columns * n;
    gos_status status =
        gos__flex_free_modes(k->f, w->k, w->motion, w->inertia, most, lambda, Y, &found);
    status = status == GOS_OK ? select_modes(k, found, lambda, Y, &missed->n, &all) : status;
    if (status == GOS_OK && missed->n == w->n && t > 0) {
        int left = 0;
        status = add_tails(k, all, w->n, lambda, Y, work, &left);
        missed->n += left;
    }
    status = status == GOS_OK ? find_changes(k, missed->n, Y, missed->mode) : status;
    for (int j = 0; j < missed->n && status == GOS_OK; j++) {
        missed->mode[j].square = lambda[j];
        missed->mode[j].damping = form_of(&k->f->D, Y + (size_t)j * n);
    }
    const double size = sqrt(missed->mass);
    for (size_t i = 0; i < (size_t)missed->n * n && status == GOS_OK; i++) {
        X[i] = size * Y[i];
    }
    gos__free(k->f->ctx, lambda);
    return status;
}

gos_status gos__floating_missed_modes(const gos_flex *loaded, const gos_floating_missing *want,
                                      int r, const double *V, double *X, gos_flex_missed *missed) {
    gos_linear *l = NULL;
    *missed = (gos_flex_missed){.mass = loaded->gram.x[0]};
    memcpy(missed->about, want->about, sizeof missed->about);
    missed->mode =
        gos__zalloc(loaded->ctx, (size_t)(want->n + want->tails) + 1, sizeof *missed->mode);
    gos_status status =
        missed->mode ? gos__flex_linear(loaded, 0, NULL, 0, NULL, &l) : GOS_E_MEMORY;
    const missing k = {.f = loaded, .want = want, .r = r, .V = V, .l = l};
    status = status == GOS_OK ? find_modes(&k, X, missed) : status;
    gos_linear_destroy(l);
    return status;
}

/* ---- oscillators ----------------------------------------------------------------------------- */

typedef struct vibration {
    double z, v;     // at the time of the memory
    double f, slope; // over mass; rate
    double kept[3];  // during outputs
} vibration;

/* motion of the frame in its own axes */
typedef struct frame {
    double v[3], w[3], g[3]; // origin, angular velocity, gravity
} frame;

/* memory of an item, all doubles; modes follow */
typedef struct memory {
    double begun, t;
    frame frame;
    double products[GOS_FLEX_STATES]; // frame motion in the last step
} memory;

static memory *head_of(double *mem) {
    return (memory *)(void *)mem;
}

static vibration *modes_of(double *mem) {
    return (vibration *)(void *)(mem + sizeof(memory) / sizeof(double));
}

/* parameters; markers: origin, axes, vectors with the amplitudes */
typedef struct follower {
    int n, first;                    // component of the first in the vectors
    const int *z;                    // coordinates (n)
    const gos_flex_oscillator *mode; // (n)
    const double *about;             // (GOS_FLEX_STATES)
    double mass, gravity[3];
} follower;
#define FRAME_MARKERS 4

/* z'' + 2 D z' + s z = f + slope t, after h */
static void oscillate(double s, double D, double f, double slope, double h, double *z, double *v) {
    if (h == 0) {
        return;
    }
    const double w2 = s - D * D, w = sqrt(fabs(w2)), wh = w * h;
    const double up = slope / s, rest = (f - 2 * D * up) / s;
    double c, sn; // with decay
    if (w2 >= 0) {
        const double decay = exp(-D * h);
        c = decay * cos(wh);
        sn = decay * (wh < SMALL ? h * (1 - wh * wh / 6) : sin(wh) / w);
    } else {
        const double slow = exp((w - D) * h), fast = exp(-(w + D) * h);
        c = 0.5 * (slow + fast);
        sn = wh < SMALL ? exp(-D * h) * h * (1 + wh * wh / 6) : 0.5 * (slow - fast) / w;
    }
    const double a = *z - rest, b = *v - up + D * a;
    *z = rest + up * h + a * c + b * sn;
    *v = up + b * c - D * (a * c + b * sn) - w2 * a * sn;
}

static double stiffness(const follower *p, const double *products, int k) {
    double s = p->mode[k].square;
    for (int i = 0; i < GOS_FLEX_STATES; i++) {
        s += p->mode[k].by[i] * (products[i] - p->about[i]);
    }
    return s;
}

static frame frame_at(const follower *p, const gos_item_io *io) {
    const double *axis = io->x + 3, *rate = io->xd + 3;
    frame f;
    for (int c = 0; c < 3; c++) {
        const int a = 3 * ((c + 1) % 3), b = 3 * ((c + 2) % 3);
        f.v[c] = gos__dot3(axis + 3 * c, io->xd);
        f.w[c] = gos__dot3(axis + b, rate + a);
        f.g[c] = gos__dot3(axis + 3 * c, p->gravity);
    }
    return f;
}

/* between times h apart; h = 0: at a time */
static void products_between(const frame *a, const frame *b, double h,
                             double products[GOS_FLEX_STATES]) {
    double w[3], v[3], turning[3];
    for (int c = 0; c < 3; c++) {
        w[c] = 0.5 * (a->w[c] + b->w[c]);
        v[c] = 0.5 * (a->v[c] + b->v[c]);
    }
    gos__cross3(w, v, turning);
    for (int p = 0; p < GOS_FLEX_PRODUCTS; p++) {
        products[p] = w[gos__flex_state[p].axis] * w[gos__flex_state[p].other];
    }
    for (int c = 0; c < 3; c++) {
        products[GOS_FLEX_PRODUCTS + c] =
            turning[c] + (h > 0 ? (b->v[c] - a->v[c]) / h : 0) - 0.5 * (a->g[c] + b->g[c]);
    }
}

/* ---- the item -------------------------------------------------------------------------------- */

static void eval(const gos_item *it, const gos_item_io *io) {
    const follower *p = it->par;
    for (int k = 0; k < p->n; k++) {
        const int at = 3 * FRAME_MARKERS + p->first + k;
        if (io->c) {
            io->c[k] = io->x[at];
        }
        if (io->cx) {
            io->cx[k * 3 * it->nm + at] = 1;
        }
    }
}

static void begin(const gos_item *it, const gos_item_io *io, double *mem) {
    const follower *p = it->par;
    memory *m = head_of(mem);
    m->frame = frame_at(p, io);
    if (m->begun == 0) {
        products_between(&m->frame, &m->frame, 0, m->products);
    }
    m->begun = 1;
    m->t = io->t;
    for (int k = 0; k < p->n; k++) {
        modes_of(mem)[k].f = io->lam[k] / p->mass;
        modes_of(mem)[k].slope = 0;
    }
}

/* an equilibrium is not a step */
static void balance(const follower *p, const gos_item_io *io, double *mem) {
    memory *m = head_of(mem);
    m->frame = frame_at(p, io);
    m->t = io->t;
    products_between(&m->frame, &m->frame, 0, m->products);
    for (int k = 0; k < p->n; k++) {
        vibration *x = &modes_of(mem)[k];
        x->f = io->lam[k] / p->mass;
        x->z = x->f / stiffness(p, m->products, k);
        x->v = x->slope = 0;
    }
}

static bool accept(const gos_item *it, const gos_item_io *io, double *mem) {
    const follower *p = it->par;
    memory *m = head_of(mem);
    const double h = io->t - m->t;
    if (m->begun == 0) {
        balance(p, io, mem);
        return false;
    }
    const frame now = frame_at(p, io);
    products_between(&m->frame, &now, h, m->products);
    for (int k = 0; k < p->n; k++) {
        vibration *x = &modes_of(mem)[k];
        const double f = io->lam[k] / p->mass, slope = h > 0 ? (f - x->f) / h : 0;
        oscillate(stiffness(p, m->products, k), 0.5 * p->mode[k].damping, x->f, slope, h, &x->z,
                  &x->v);
        x->f = f;
        x->slope = slope;
    }
    m->t = io->t;
    m->frame = now;
    return false;
}

static void exchange(double *a, double *b) {
    const double c = *a;
    *a = *b;
    *b = c;
}

static void shows(const gos_item *it, double t, double *mem, bool back, double *q, double *v,
                  double *a) {
    const follower *p = it->par;
    const memory *m = head_of(mem);
    const double h = m->begun > 0 ? t - m->t : 0;
    for (int k = 0; k < p->n; k++) {
        vibration *x = &modes_of(mem)[k];
        const int at = p->z[k];
        if (!back) {
            const double s = stiffness(p, m->products, k), d = p->mode[k].damping;
            x->kept[0] = x->z;
            x->kept[1] = x->v;
            oscillate(s, 0.5 * d, x->f, x->slope, h, &x->kept[0], &x->kept[1]);
            x->kept[2] = m->begun > 0 ? x->f + x->slope * h - d * x->kept[1] - s * x->kept[0] : 0;
        }
        exchange(&x->kept[0], &q[at]);
        exchange(&x->kept[1], &v[at]);
        exchange(&x->kept[2], &a[at]);
        if (back) {
            memset(x->kept, 0, sizeof x->kept);
        }
    }
}

static const gos_item_type missed_type = {
    .name = "missed vibrations", .eval = eval, .begin = begin, .accept = accept, .shows = shows};

/* ---- adding it ------------------------------------------------------------------------------- */

static gos_status mark(gos_builder *b, int v, gos_marker *m) {
    const double one = 1;
    return gos__marker_make(b->arena, 1, &v, &one, NULL, m);
}

static gos_status add_item(gos_builder *b, const gos_floating_body *f, const char *object,
                           gos_loc loc, int from, int n) {
    const gos_flex_missed *missed = &f->flex->missed;
    const int *z = f->derived->z + f->flex->n - missed->n + from;
    const int nmem = (int)((sizeof(memory) + (size_t)n * sizeof(vibration)) / sizeof(double));
    const int first = z[0] / 3, behind = z[n - 1] / 3 + 1;
    follower *p = GOS_NEW(b->arena, follower, 1);
    double *about = GOS_NEW(b->arena, double, GOS_FLEX_STATES);
    const double *start = GOS_NEW(b->arena, double, nmem);
    GOS_TRY(p && about && start ? GOS_OK : GOS_E_MEMORY);
    memcpy(about, missed->about, sizeof missed->about);
    *p = (follower){.n = n,
                    .first = z[0] % 3,
                    .z = z,
                    .mode = missed->mode + from,
                    .about = about,
                    .mass = missed->mass};
    memcpy(p->gravity, b->gravity, sizeof p->gravity);
    gos_item item = {.type = &missed_type,
                     .par = p,
                     .name = object,
                     .loc = loc,
                     .nm = FRAME_MARKERS + behind - first,
                     .nc = n,
                     .linear = true,
                     .nmem = nmem,
                     .memory = start};
    for (int m = 0; m < item.nm; m++) {
        GOS_TRY(mark(b, m < FRAME_MARKERS ? f->r + m : first + m - FRAME_MARKERS, &item.m[m]));
    }
    return gos__add_item(b, &item, NULL);
}

gos_status gos__floating_add_missed(gos_builder *b, gos_floating_body *f, const char *object,
                                    gos_loc loc) {
    const int n = f->flex->missed.n;
    for (int from = 0; from < n; from += GOS_ITEM_ROWS) {
        const int left = n - from;
        GOS_TRY(add_item(b, f, object, loc, from, left < GOS_ITEM_ROWS ? left : GOS_ITEM_ROWS));
    }
    return GOS_OK;
}
