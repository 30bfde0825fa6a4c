#include "control/design_plants.h"

#include <math.h>
#include <cblas.h>
#include <lapacke.h>

#include "linear/linear.h"
#include "linalg/dense.h"
#include "linear/condensed.h"

// relative frequency at rounding level: its square is a difference of stiffnesses
#define RIGID_RATIO 1e-10
#define EQUAL_TOLERANCE 1e-9 // relative tolerance of output rows of rigid modes

static gos_status create(gos_ctx *ctx, int n, int nu, int ny, gos_modal_form *f) {
    *f = (gos_modal_form){.n = n, .nu = nu, .ny = ny};
    const size_t N = n, U = nu, Y = ny;
    f->omega = gos__zalloc(ctx, N + 2 * N * N + N * U + 2 * Y * N + Y * U + 1, sizeof *f->omega);
    if (!f->omega) {
        return GOS_E_MEMORY;
    }
    f->K = f->omega + N;
    f->D = f->K + N * N;
    f->B = f->D + N * N;
    f->Yq = f->B + N * U;
    f->Yv = f->Yq + Y * N;
    f->Yu = f->Yv + Y * N;
    return GOS_OK;
}

static void modal_form_free(gos_ctx *ctx, gos_modal_form *f) {
    gos__free(ctx, f->omega);
    *f = (gos_modal_form){0};
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* frequencies at rounding level count as rigid modes */
static void mark_rigid(int n, gos_mode *mode) {
    const double max = n > 0 ? mode[n - 1].omega : 0;
    for (int i = 0; i < n; i++) {
        mode[i].rigid = mode[i].rigid || (mode[i].omega > 0 && mode[i].omega < RIGID_RATIO * max);
    }
}

/* shapes X (nq, *n); extended until `wanted` modes vibrate */
static gos_status find_modes(gos_ctx *ctx, const gos_linear *l, int nmodes, gos_mode **mode,
                             double **X, int *n) {
    int requested = nmodes > 0 && nmodes < l->nq - 7 ? nmodes + 6 : l->nq;
    for (;;) {
        int rigid = 0;
        *mode = gos__zalloc(ctx, (size_t)requested + 1, sizeof **mode);
        *X = gos__alloc(ctx, (size_t)l->nq * requested + 1, sizeof **X);
        if (!*mode || !*X) {
            return GOS_E_MEMORY;
        }
        GOS_TRY(gos_linear_shapes(ctx, l, requested, *mode, *X, n));
        mark_rigid(*n, *mode);
        for (int i = 0; i < *n; i++) {
            rigid += (*mode)[i].rigid;
        }
        if (*n < requested || requested == l->nq || (nmodes > 0 && *n - rigid >= nmodes)) {
            *n = nmodes > 0 && rigid + nmodes < *n ? rigid + nmodes : *n;
            return GOS_OK;
        }
        requested = 2 * requested < l->nq ? 2 * requested : l->nq;
        gos__free(ctx, *mode);
        gos__free(ctx, *X);
        *mode = NULL;
        *X = NULL;
    }
}

static gos_status check_modes(gos_ctx *ctx, int n, const gos_mode *mode) {
    for (int i = 0; i < n; i++) {
        if (!mode[i].rigid && !(mode[i].omega > 0)) {
            return gos__fail(
                ctx, GOS_E_INPUT,
                "the model is linearised about an unstable equilibrium: mode %d of %d has "
                "negative stiffness; design at a stable equilibrium",
                i + 1, n);
        }
    }
    return GOS_OK;
}

/* P (n, n) = X^T A X */
static void project(const gos_sparse *A, int n, const double *X, double *AX, double *P) {
    gos__sparse_apply(A, n, X, AX);
    gos__dense_product(n, n, A->m, X, AX, P);
}

/* P (m, n) = A X for sparse A (m, nq) */
static void see(const gos_sparse *A, int n, const double *X, double *P) {
    if (A->nnz > 0) {
        gos__sparse_apply(A, n, X, P);
    }
}

static void fill(const gos_linear *l, const gos_mode *mode, double zeta, const double *X,
                 double *AX, gos_modal_form *f) {
    const int n = f->n;
    project(&l->block[GOS_BLOCK_K], n, X, AX, f->K);
    if (zeta < 0) {
        project(&l->block[GOS_BLOCK_D], n, X, AX, f->D);
    }
    for (long i = 0; i < n; i++) {
        const bool rigid = mode[i].rigid;
        f->omega[i] = rigid ? 0 : mode[i].omega;
        f->nrigid += rigid;
        if (zeta >= 0) {
            f->D[i * n + i] = 2 * zeta * f->omega[i];
        }
        for (long j = 0; j < n && (rigid || l->symmetric_K); j++) { // exact values
            f->K[j * n + i] = f->K[i * n + j] = 0;
        }
    }
    for (long i = 0; i < n && l->symmetric_K; i++) {
        f->K[i * n + i] = f->omega[i] * f->omega[i];
    }
    const gos_sparse *B = &l->block[GOS_BLOCK_B], *Yu = &l->block[GOS_BLOCK_Y_u];
    for (long j = 0; j < l->nu; j++) {
        for (int e = B->p[j]; e < B->p[j + 1]; e++) {
            cblas_daxpy(n, B->x[e], X + B->i[e], l->nq, f->B + j * n, 1);
        }
        for (int e = Yu->p[j]; e < Yu->p[j + 1]; e++) {
            f->Yu[j * l->ny + Yu->i[e]] = Yu->x[e];
        }
    }
    see(&l->block[GOS_BLOCK_Y_q], n, X, f->Yq);
    see(&l->block[GOS_BLOCK_Y_v], n, X, f->Yv);
}

static void warn_locked(gos_ctx *ctx, const gos_linear *l) {
    if (l->nt > 0 && l->nq > 0) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the control design neglects the dynamics of %d first-order states "
                  "(temperatures, wheel momenta and others)",
                  l->nt);
    }
}

/* The nvibration lowest vibration modes (0: all) and all rigid modes. zeta: damping ratio, < 0: of
 *  the model. Free with modal_form_free, also after a failure.
 *  @return GOS_E_INPUT for negative stiffness, and as gos_linear_shapes */
static gos_status modal_form_make(gos_ctx *ctx, const gos_linear *l, int nvibration, double zeta,
                                  gos_modal_form *f) {
    gos_mode *mode = NULL;
    double *X = NULL, *AX = NULL;
    int n = 0;
    gos_linear *own;
    *f = (gos_modal_form){0};
    GOS_TRY(gos__linear_condense(ctx, l, &own, &l));
    warn_locked(ctx, l);
    gos_status status = find_modes(ctx, l, nvibration, &mode, &X, &n);
    status = status == GOS_OK ? check_modes(ctx, n, mode) : status;
    status = status == GOS_OK ? create(ctx, n, l->nu, l->ny, f) : status;
    if (status == GOS_OK) {
        AX = gos__alloc(ctx, (size_t)l->nq * n + 1, sizeof *AX);
        status = AX ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        fill(l, mode, zeta, X, AX, f);
    }
    gos_linear_destroy(own);
    gos__free(ctx, mode);
    gos__free(ctx, X);
    gos__free(ctx, AX);
    return status;
}

/* ---- unobserved rigid modes ------------------------------------------------------------------ */

/* or couple them to others? */
static bool is_damped(const gos_modal_form *f) {
    double rigid = 0, max = 0;
    for (long j = 0; j < f->n; j++) {
        for (long i = 0; i < f->n; i++) {
            const double d = fabs(f->D[j * f->n + i]);
            max = fmax(max, d);
            rigid = i < f->nrigid || j < f->nrigid ? fmax(rigid, d) : rigid;
        }
    }
    return rigid > EQUAL_TOLERANCE * max;
}

/* output rows of the rigid modes, normalised: S (2 n, nrigid) */
static void rows_of(const gos_modal_form *f, int n, const int *output, double *S) {
    for (int k = 0; k < 2 * n; k++) {
        const double *Y = k < n ? f->Yq : f->Yv;
        double sum = 0, all = 0;
        for (long j = 0; j < f->n; j++) {
            const double y = Y[j * f->ny + output[k % n]];
            all += y * y;
            sum += j < f->nrigid ? y * y : 0;
        }
        for (long j = 0; j < f->nrigid; j++) {
            S[j * 2 * n + k] = sum > EQUAL_TOLERANCE * EQUAL_TOLERANCE * all
                                   ? Y[j * f->ny + output[k % n]] / sqrt(sum)
                                   : 0;
        }
    }
}

/* replace the first nrigid coordinates by r = V^T times them, V^T (r, nrigid) with leading
 * dimension ldv */
static gos_status turn(gos_ctx *ctx, gos_modal_form *f, int r, const double *VT, int ldv) {
    gos_modal_form g;
    const int n = f->n, drop = f->nrigid - r, m = n - drop;
    GOS_TRY(create(ctx, m, f->nu, f->ny, &g));
    g.nrigid = r;
    for (long j = r; j < m; j++) {
        g.omega[j] = f->omega[j + drop];
        for (long i = r; i < m; i++) {
            g.K[j * m + i] = f->K[(j + drop) * n + i + drop];
            g.D[j * m + i] = f->D[(j + drop) * n + i + drop];
        }
        memcpy(g.Yq + j * f->ny, f->Yq + (j + drop) * f->ny, f->ny * sizeof *g.Yq);
        memcpy(g.Yv + j * f->ny, f->Yv + (j + drop) * f->ny, f->ny * sizeof *g.Yv);
    }
    for (long j = 0; j < f->nu; j++) {
        for (long i = 0; i < m; i++) {
            double b = i < r ? 0 : f->B[j * n + i + drop];
            for (long k = 0; k < f->nrigid && i < r; k++) {
                b += VT[k * ldv + i] * f->B[j * n + k];
            }
            g.B[j * m + i] = b;
        }
    }
    for (long i = 0; i < r; i++) {
        for (long k = 0; k < f->nrigid; k++) {
            cblas_daxpy(f->ny, VT[k * ldv + i], f->Yq + k * f->ny, 1, g.Yq + i * f->ny, 1);
            cblas_daxpy(f->ny, VT[k * ldv + i], f->Yv + k * f->ny, 1, g.Yv + i * f->ny, 1);
        }
    }
    memcpy(g.Yu, f->Yu, (size_t)f->ny * f->nu * sizeof *g.Yu);
    modal_form_free(ctx, f);
    *f = g;
    return GOS_OK;
}

/* Remove rigid modes that no output observes (spin of a wheel): exact, as they drive no other
 *  mode. Does nothing if damping acts on them. */
static gos_status modal_form_see(gos_ctx *ctx, gos_modal_form *f, int n, const int *output) {
    const int r = f->nrigid, rows = 2 * n, min = rows < r ? rows : r;
    if (r == 0 || n == 0 || is_damped(f)) {
        return GOS_OK;
    }
    double *S = gos__alloc(ctx, (size_t)rows * r + (size_t)r * r + 2 * r + 1, sizeof *S);
    if (!S) {
        return GOS_E_MEMORY;
    }
    double *VT = S + (size_t)rows * r, *s = VT + (size_t)r * r, *rest = s + r;
    rows_of(f, n, output, S);
    double unused[1];
    gos_status status = GOS_OK;
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'A', rows, r, S, rows, s, unused, 1, VT, r, rest) !=
        0) {
        status =
            gos__fail(ctx, GOS_E_DIVERGED, "the singular values of the signals were not found");
    }
    int rank = 0;
    while (status == GOS_OK && rank < min && s[rank] > EQUAL_TOLERANCE * s[0]) {
        rank++;
    }
    if (status == GOS_OK && rank < r) {
        status = turn(ctx, f, rank, VT, r);
    }
    gos__free(ctx, S);
    return status;
}

/* ---- plants ---------------------------------------------------------------------------------- */

/* First n coordinates, x = (z, z'), all inputs and outputs. */
static gos_status modal_form_plant(gos_ctx *ctx, const gos_modal_form *f, int n, gos_plant *p) {
    GOS_TRY(gos__plant_create(ctx, 2 * n, f->nu, f->ny, p));
    const long N = 2L * n;
    for (long j = 0; j < n; j++) {
        p->A[(n + j) * N + j] = 1;
        for (long i = 0; i < n; i++) {
            p->A[j * N + n + i] = -f->K[j * f->n + i];
            p->A[(n + j) * N + n + i] = -f->D[j * f->n + i];
        }
    }
    memcpy(p->C, f->Yq, (size_t)f->ny * n * sizeof *p->C);
    memcpy(p->C + (size_t)f->ny * n, f->Yv, (size_t)f->ny * n * sizeof *p->C);
    for (long k = 0; k < f->nu; k++) {
        memcpy(p->B + k * N + n, f->B + k * f->n, n * sizeof *p->B);
    }
    memcpy(p->D, f->Yu, (size_t)f->ny * f->nu * sizeof *p->D);
    return GOS_OK;
}

#define COMPLETE_MODES 200 // vibration modes up to which the complete model is used
#define PLANT_RATIO 4      // default ratio of modes, larger plant to design

void gos__design_plants_free(gos_ctx *ctx, gos_design_plants *p) {
    modal_form_free(ctx, &p->form);
    gos__plant_free(ctx, &p->own.plant);
    gos__plant_free(ctx, &p->rich.plant);
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* -1: not given */
static gos_status find_one(gos_ctx *ctx, const gos_linear *l, bool is_input, const char *key,
                           const char *name, gos_arena *arena, int *at) {
    int *index, *unused, n;
    *at = -1;
    if (!name) {
        return GOS_OK;
    }
    GOS_TRY(gos__design_ports(ctx, l, is_input, 1, &name, arena, &index, &unused, &n));
    if (n > 1) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "`%s`: '%s' has several components; specify one, as in '%s'", key, name,
                         (is_input ? gos_linear_input : gos_linear_output)(l, index[0]).name);
    }
    *at = index[0];
    return GOS_OK;
}

static gos_status find_ports(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                             gos_arena *arena, gos_design_plants *p) {
    GOS_TRY(gos__design_ports(ctx, l, true, o->ninput, o->input, arena, &p->input_index,
                              &p->input_pattern, &p->own.nu));
    GOS_TRY(
        gos__design_signals(ctx, l, o, arena, &p->signal_index, &p->signal_pattern, &p->own.ny));
    GOS_TRY(find_one(ctx, l, false, "output", o->output, arena, &p->output));
    GOS_TRY(find_one(ctx, l, true, "disturbance", o->disturbance, arena, &p->disturbance));
    if (p->own.nu == 0) {
        return gos__fail(ctx, GOS_E_INPUT, "a controller needs at least one control input");
    }
    p->of_states = p->own.ny == 0;
    if (p->of_states && o->observer) {
        return gos__fail(ctx, GOS_E_INPUT, "an observer needs signals");
    }
    p->own.disturbed = p->disturbance >= 0;
    p->own.has_performance = p->output >= 0;
    if (p->own.has_performance) {
        const char *unit = l->output[p->output].unit;
        const size_t n = strlen(unit);
        p->output_is_rate = n > 2 && strcmp(unit + n - 2, "/s") == 0;
    }
    return GOS_OK;
}

/* ---- plants ---------------------------------------------------------------------------------- */

/* measure positions and rates of the first modes */
static gos_status measure_states(gos_ctx *ctx, int nstate, gos_design_plant *p) {
    gos_plant with;
    const gos_plant *from = &p->plant;
    const long n = from->n, half = nstate / 2;
    GOS_TRY(gos__plant_create(ctx, from->n, from->nu, nstate + from->ny, &with));
    memcpy(with.A, from->A, (size_t)n * n * sizeof *with.A);
    memcpy(with.B, from->B, (size_t)n * from->nu * sizeof *with.B);
    for (long j = 0; j < n; j++) {
        memcpy(with.C + j * with.ny + nstate, from->C + j * from->ny, from->ny * sizeof *with.C);
    }
    for (long i = 0; i < nstate; i++) {
        const long state = p->positions == 0 || i < half ? i : p->positions + i - half;
        with.C[state * with.ny + i] = 1;
    }
    for (long k = 0; k < from->nu; k++) {
        memcpy(with.D + k * with.ny + nstate, from->D + k * from->ny, from->ny * sizeof *with.D);
    }
    gos__plant_free(ctx, &p->plant);
    p->plant = with;
    p->ny = nstate;
    return GOS_OK;
}

static gos_status take_ports(gos_ctx *ctx, const gos_design_plants *p, const gos_plant *all,
                             gos_arena *arena, gos_design_plant *to) {
    const int nu = p->own.nu, ny = p->of_states ? 0 : p->own.ny;
    int *input = GOS_NEW(arena, int, nu + 1), *output = GOS_NEW(arena, int, ny + 1);
    if (!input || !output) {
        return GOS_E_MEMORY;
    }
    memcpy(input, p->input_index, nu * sizeof *input);
    memcpy(output, p->signal_index, ny * sizeof *output);
    input[nu] = p->disturbance;
    output[ny] = p->output;
    to->nu = nu;
    to->ny = ny;
    to->disturbed = p->disturbance >= 0;
    to->has_performance = p->output >= 0;
    return gos__plant_part(ctx, all, nu + to->disturbed, input, ny + to->has_performance, output,
                           &to->plant);
}

static gos_status make_one(gos_ctx *ctx, int n, gos_design_plants *p, gos_arena *arena,
                           gos_design_plant *to) {
    gos_plant all = {0};
    gos_status status = modal_form_plant(ctx, &p->form, n, &all);
    to->positions = n;
    to->rigid = p->form.nrigid;
    status = status == GOS_OK ? take_ports(ctx, p, &all, arena, to) : status;
    gos__plant_free(ctx, &all);
    return status;
}

/* the complete model for both plants */
static gos_status make_first_order(gos_ctx *ctx, const gos_linear *l, gos_design_plants *p,
                                   gos_arena *arena) {
    gos_plant all = {0};
    gos_status status = gos__plant_make(ctx, l, &all);
    status = status == GOS_OK ? take_ports(ctx, p, &all, arena, &p->own) : status;
    status = status == GOS_OK ? take_ports(ctx, p, &all, arena, &p->rich) : status;
    gos__plant_free(ctx, &all);
    return status;
}

static gos_status make_modal(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                             gos_design_plants *p, gos_arena *arena) {
    const int own = o->design_modes > 0 ? o->design_modes : 0;
    const int rich = own == 0 ? 0 : o->plant_modes > 0 ? o->plant_modes : PLANT_RATIO * own;
    if (rich > 0 && rich < own) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "the plant has %d modes, but the design has %d: give plant_modes of at least that",
            rich, own);
    }
    GOS_TRY(modal_form_make(ctx, l, rich, o->zeta, &p->form));
    int n = 0, *rank = GOS_NEW(arena, int, p->own.ny + 1);
    if (!rank) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < p->own.ny; i++) {
        rank[n++] = p->signal_index[i];
    }
    if (p->output >= 0 && n > 0) {
        rank[n++] = p->output;
    }
    GOS_TRY(modal_form_see(ctx, &p->form, n, rank));
    const int vibrations = p->form.n - p->form.nrigid;
    if (own == 0 && vibrations > COMPLETE_MODES) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "the model has %d vibration modes: give design_modes, the number used in "
                         "the controller design",
                         vibrations);
    }
    const int known = own > 0 && own < vibrations ? own : vibrations;
    GOS_TRY(make_one(ctx, p->form.nrigid + known, p, arena, &p->own));
    return make_one(ctx, p->form.n, p, arena, &p->rich);
}

gos_status gos__design_plants_make(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                                   gos_arena *arena, gos_design_plants *p) {
    *p = (gos_design_plants){0};
    GOS_TRY(find_ports(ctx, l, o, arena, p));
    GOS_TRY(l->nq > 0 ? make_modal(ctx, l, o, p, arena) : make_first_order(ctx, l, p, arena));
    if (p->of_states) {
        const int n = p->own.plant.n;
        GOS_TRY(measure_states(ctx, n, &p->own));
        GOS_TRY(measure_states(ctx, n, &p->rich));
    }
    return GOS_OK;
}
