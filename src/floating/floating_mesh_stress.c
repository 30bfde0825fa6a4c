/* Stress stiffening neglected by `coupling: zeroth`: second-order work of stress on displacements
   in space (docs/theory.md, "Range"). */
#include "floating/floating_mesh_make.h"

#include <math.h>

#include "linalg/dense.h"
#include "math/vec3.h"

#define MOTIONS 10          // lowest motions
#define DEPENDENT_MASS 1e-6 // relative mass of dependent motions
// strain energy below this fraction of a motion's stiffness: rigid motion on springs
#define STRAIN 0.1

typedef struct motions {
    gos_ctx *ctx;
    const gos_floating_mesh *m;
    const gos_fe_body *fe;
    const double *axis; // of the frame (3, 3)
    int nv, n;          // vectors of the body; motions
    // coordinates (3 nv, n), factors of fixed-point modes (held.n, n)
    double *X, *part;
    double *square; // of their frequencies (n)
    double *u;      // (freedoms, n)
    double *theta;  // of rigid interfaces (n, interfaces, 3)
} motions;

/* column of a nodal freedom in `move` or `turn` */
static const gos_sparse *column_of(const gos_flex *flex, int node, int c, int *column) {
    *column = 3 * node + c % 3;
    return c < 3 ? &flex->move : &flex->turn;
}

/* sum over amplitudes among coordinates x */
static double sum_of(const gos_floating_body *f, const gos_sparse *A, int column, const double *x) {
    double sum = 0;
    for (int k = A->p[column]; k < A->p[column + 1]; k++) {
        sum += A->x[k] * x[f->derived->z[A->i[k]] - 3 * f->r];
    }
    return sum;
}

/* displacement (c < 3) or rotation relative to the frame */
static double in_frame(const motions *k, int number, int node, int c) {
    const gos_flex *flex = k->m->f.flex;
    const gos_floating_fixed *held = &k->m->held;
    int column;
    const gos_sparse *A = column_of(flex, node, c, &column);
    double sum = sum_of(&k->m->f, A, column, k->X + 3 * (size_t)k->nv * number);
    for (int j = 0; j < held->n; j++) {
        const size_t at = 3 * (size_t)flex->nnode * j + (size_t)column;
        sum += k->part[held->n * number + j] * (c < 3 ? held->move[at] : held->turn[at]);
    }
    return sum;
}

/* rotation in frame axes; a'_c = theta x a_c */
static void turn_of(const motions *k, int number, double theta[3]) {
    const double *x = k->X + 3 * (size_t)k->nv * number;
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        theta[c] = gos__dot3(x + 3 + 3 * p, k->axis + 3 * q);
    }
}

static void find_motion(const motions *k, int number) {
    const gos_fe_body *fe = k->fe;
    const gos_mesh_interfaces *list = &k->m->locations.interfaces;
    double theta[3];
    turn_of(k, number, theta);
    for (int node = 0; node < fe->mesh->nnode; node++) {
        double moved[3];
        gos__cross3(theta, fe->mesh->x[node], moved);
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            const int at = gos__fe_number(&fe->freedom, node, c);
            if (at >= 0) {
                k->u[(size_t)number * fe->freedom.n + at] =
                    in_frame(k, number, node, c) + (c < 3 ? moved[c] : theta[c - 3]);
            }
        }
    }
    for (int i = 0; i < list->n; i++) {
        const int location = gos__mesh_locations_find(&k->m->locations, list->v[i].name);
        for (int c = 0; c < 3; c++) {
            k->theta[3 * ((size_t)number * list->n + i) + c] =
                theta[c] + in_frame(k, number, location, 3 + c);
        }
    }
}

/* nodes of rigid interfaces; false: none */
static bool find_owners(const motions *k, int *owner, double (*at)[3]) {
    const gos_mesh_interfaces *list = &k->m->locations.interfaces;
    bool any = false;
    for (int i = 0; i < list->n; i++) {
        memcpy(at[i], list->v[i].at, sizeof at[i]);
        for (int a = 0; a < list->v[i].n && list->v[i].rigid; a++) {
            owner[list->v[i].node[a]] = 1 + i;
            any = true;
        }
    }
    return any;
}

/* converts to derivatives by amplitudes and temperature coordinates */
static void fold(const motions *k, const double *by_u, const double *by_t, double *by_e,
                 double *by_th) {
    const gos_floating_body *f = &k->m->f;
    const gos_fe_body *fe = k->fe;
    const gos_sparse *const warm[2] = {&f->flex->heat.at, &f->flex->heat.across};
    for (int node = 0; node < fe->mesh->nnode; node++) {
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            int column;
            const int at = gos__fe_number(&fe->freedom, node, c);
            const gos_sparse *A = column_of(f->flex, node, c, &column);
            for (int p = A->p[column]; at >= 0 && p < A->p[column + 1]; p++) {
                by_e[f->derived->z[A->i[p]] - 3 * f->r] += A->x[p] * by_u[at];
            }
        }
        for (int c = 0; c < GOS_FE_HEATS && by_th; c++) {
            const int at = gos__fe_number(&fe->temperature, node, c);
            for (int p = at < 0 ? 0 : warm[c]->p[node]; at >= 0 && p < warm[c]->p[node + 1]; p++) {
                by_th[warm[c]->i[p]] += warm[c]->x[p] * by_t[at];
            }
        }
    }
}

/* ---- given motions combined with the fixed-point modes --------------------------------------- */

/* mass between coordinates x and fixed-point mode j */
static double mass_with(const motions *k, const double *x, int j) {
    const gos_floating_fixed *held = &k->m->held;
    const gos_floating_body *f = &k->m->f;
    double sum = 0;
    for (int a = 0; a < f->flex->n; a++) {
        sum += x[f->derived->z[a] - 3 * f->r] * held->mass[a + (size_t)f->flex->n * j];
    }
    for (int dc = 0; dc < 12; dc++) { // int (r' + sum a_d' X_d) . a_c phi_c dm
        sum += held->moment[j][dc / 3][dc % 3] *
               gos__dot3(x + 3 * (dc / 3), k->axis + (size_t)3 * (dc % 3));
    }
    return sum;
}

static double stiffness_with(const motions *k, const double *x, int j) {
    const gos_floating_body *f = &k->m->f;
    double sum = 0;
    for (int a = 0; a < f->flex->n; a++) {
        sum += x[f->derived->z[a] - 3 * f->r] * k->m->held.stiffness[a + (size_t)f->flex->n * j];
    }
    return sum;
}

/* M, K (n, n): m motions X of unit mass, then fixed-point modes */
static void matrices_of(const motions *k, int m, const double *square, const double *X, int n,
                        double *M, double *K) {
    memset(M, 0, (size_t)n * n * sizeof *M);
    memset(K, 0, (size_t)n * n * sizeof *K);
    for (int i = 0; i < n; i++) {
        M[i * n + i] = 1;
        K[i * n + i] = i < m ? square[i] : k->m->held.square[i - m];
        for (int j = m; j < n && i < m; j++) {
            const double *x = X + 3 * (size_t)k->nv * i;
            M[i * n + j] = M[j * n + i] = mass_with(k, x, j - m);
            K[i * n + j] = K[j * n + i] = stiffness_with(k, x, j - m);
        }
    }
}

/* Y (n, *r): orthonormal in M, diagonal in K, ascending, without dependent ones. M, K are
   overwritten; Z (n, n): scratch */
static gos_status diagonalise(gos_ctx *ctx, int n, double *M, double *K, double *Z, double *Y,
                              double *w, int *r) {
    *r = 0;
    GOS_TRY(gos__dense_symmetric(ctx, n, M, w));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n && w[j] > DEPENDENT_MASS; i++) {
            Z[*r * n + i] = M[j * n + i] / sqrt(w[j]);
        }
        *r += w[j] > DEPENDENT_MASS;
    }
    gos__dense_combine(n, *r, n, K, Z, Y);
    gos__dense_product(*r, *r, n, Z, Y, M);
    GOS_TRY(gos__dense_symmetric(ctx, *r, M, w));
    gos__dense_combine(n, *r, *r, Z, M, Y);
    return GOS_OK;
}

static bool is_rigid(const motions *k, double square, const double *x) {
    const gos_floating_body *f = &k->m->f;
    double strain = 0;
    for (int a = 0; a < f->flex->n; a++) {
        strain += x[f->derived->z[a] - 3 * f->r] * sum_of(f, &f->flex->K, a, x);
    }
    return !(square > 0) || strain < STRAIN * square;
}

/* Remove motion i from M and K (n, n), so that the others are orthogonal to it in M. */
static void deflate(int n, int i, double *M, double *K) {
    const double square = K[i * n + i];
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n && a != i; b++) {
            if (b != i) {
                const double ma = M[i * n + a], mb = M[i * n + b];
                K[a * n + b] += square * ma * mb - K[i * n + a] * mb - ma * K[i * n + b];
                M[a * n + b] -= ma * mb;
            }
        }
    }
    for (int a = 0; a < n; a++) {
        M[i * n + a] = M[a * n + i] = K[i * n + a] = K[a * n + i] = 0;
    }
}

/* contributions y (m) of rigid motions to a combination that is orthogonal to them */
static void add_rigid(const motions *k, int m, const double *square, const double *X, double *y) {
    for (int i = 0; i < m; i++) {
        const double *x = X + 3 * (size_t)k->nv * i;
        for (int j = 0; j < k->m->held.n && is_rigid(k, square[i], x); j++) {
            y[i] -= mass_with(k, x, j) * y[m + j];
        }
    }
}

/* Store the lowest combinations in k, without rigid motions, free or on springs: the equations of
   the frame contain the work of the stress on those. */
static gos_status combine(motions *k, int m, const double *square, const double *X) {
    const int held = k->m->held.n, n = m + held;
    const size_t nn = (size_t)n * n, rows = 3 * (size_t)k->nv;
    double *M = gos__alloc(k->ctx, 4 * nn + (size_t)n + 1, sizeof *M);
    GOS_TRY(M ? GOS_OK : GOS_E_MEMORY);
    double *K = M + nn, *Z = K + nn, *Y = Z + nn, *w = Y + nn;
    int r = 0;
    matrices_of(k, m, square, X, n, M, K);
    for (int i = 0; i < m; i++) {
        if (is_rigid(k, square[i], X + rows * i)) {
            deflate(n, i, M, K);
        }
    }
    gos_status status = n > 0 ? diagonalise(k->ctx, n, M, K, Z, Y, w, &r) : GOS_OK;
    k->n = r < MOTIONS ? r : MOTIONS;
    k->X = gos__zalloc(k->ctx, rows * MOTIONS, sizeof *k->X);
    k->part = gos__alloc(k->ctx, (size_t)held * MOTIONS + 1, sizeof *k->part);
    k->square = gos__alloc(k->ctx, MOTIONS, sizeof *k->square);
    status = status == GOS_OK && !(k->X && k->part && k->square) ? GOS_E_MEMORY : status;
    for (int i = 0; i < k->n && status == GOS_OK; i++) {
        double *y = Y + (size_t)i * n;
        add_rigid(k, m, square, X, y);
        gos__dense_combine((int)rows, 1, m, X, y, k->X + rows * i);
        memcpy(k->part + (size_t)held * i, y + m, (size_t)held * sizeof *k->part);
        k->square[i] = w[i];
    }
    gos__free(k->ctx, M);
    return status;
}

/* ---- stress ---------------------------------------------------------------------------------- */

static gos_status find_work(const motions *k, const gos_body *b, gos_stress_work *work) {
    const size_t pairs = (size_t)k->n * (k->n + 1) / 2, nu = k->fe->freedom.n;
    const size_t nt = b->nt > 0 ? (size_t)k->fe->temperature.n : 0;
    const int pieces = k->m->locations.interfaces.n;
    int *owner = gos__zalloc(k->ctx, (size_t)k->fe->mesh->nnode + 1, sizeof *owner);
    double(*at)[3] = gos__alloc(k->ctx, (size_t)pieces + 1, sizeof *at);
    double *by = gos__alloc(k->ctx, pairs * (nu + nt) + 1, sizeof *by);
    gos_status status = owner && at && by ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const gos_fe_rotating turning = {
            .owner = owner, .at = (const double(*)[3])at, .theta = k->theta, .n = pieces};
        const bool any = find_owners(k, owner, at);
        status = gos__fe_body_stress_work(k->fe, k->n, k->u, any ? &turning : NULL, by,
                                          nt > 0 ? by + pairs * nu : NULL);
    }
    for (size_t p = 0; p < pairs && status == GOS_OK; p++) {
        fold(k, by + p * nu, by + pairs * nu + p * nt, work->by_e + 3 * p * (size_t)b->nv,
             nt > 0 ? work->by_th + p * (size_t)b->nt : NULL);
    }
    gos__free(k->ctx, owner);
    gos__free(k->ctx, at);
    gos__free(k->ctx, by);
    return status;
}

static gos_status make_work(motions *k, const gos_body *b, gos_stress_work *work) {
    const size_t n = (size_t)k->n, pairs = n * (n + 1) / 2;
    *work = (gos_stress_work){.n = k->n};
    work->stiffness = gos__zalloc(k->ctx, n * n + 1, sizeof *work->stiffness);
    work->by_e = gos__zalloc(k->ctx, 3 * pairs * (size_t)b->nv + 1, sizeof *work->by_e);
    work->by_th = gos__zalloc(k->ctx, pairs * (size_t)b->nt + 1, sizeof *work->by_th);
    k->u = gos__zalloc(k->ctx, n * (size_t)k->fe->freedom.n + 1, sizeof *k->u);
    k->theta =
        gos__alloc(k->ctx, 3 * n * (size_t)k->m->locations.interfaces.n + 1, sizeof *k->theta);
    GOS_TRY(work->stiffness && work->by_e && work->by_th && k->u && k->theta ? GOS_OK
                                                                             : GOS_E_MEMORY);
    for (int i = 0; i < k->n; i++) {
        work->stiffness[i * k->n + i] = k->square[i];
        find_motion(k, i);
    }
    return find_work(k, b, work);
}

gos_status gos__floating_mesh_stress_work(gos_ctx *ctx, const gos_body *b, const double *e, int m,
                                          const double *square, const double *X,
                                          gos_stress_work *work) {
    const gos_floating_mesh *mesh = b->par;
    motions k = {.ctx = ctx, .m = mesh, .axis = e + 3, .nv = b->nv};
    gos_fe_body *fe = NULL;
    GOS_TRY(
        gos__fe_body_create(ctx, mesh->locations.mesh, mesh->stress.npart, mesh->stress.part, &fe));
    gos__fe_body_layers(fe, mesh->nlayer, mesh->layer);
    k.fe = fe;
    gos_status status = combine(&k, m, square, X);
    status = status == GOS_OK ? make_work(&k, b, work) : status;
    gos__free(ctx, k.X);
    gos__free(ctx, k.part);
    gos__free(ctx, k.square);
    gos__free(ctx, k.u);
    gos__free(ctx, k.theta);
    gos__fe_body_destroy(fe);
    return status;
}
