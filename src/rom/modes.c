/* Fields from modes and static responses, linearised about the initial configuration with all
   joints but without loads (theory 8). The components of each vector on a group yield principal
   scalar fields: rigid motions that eliminated joints allow (exact, no strain), elastic modes,
   static responses, principal fields (POD) of given states. They are M-orthonormalised; nearly
   dependent ones are dropped, unless the vector would be far too stiff without them: rotations of
   thin sections have little mass, but without them bending is locked. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/eigen.h"
#include "rom/field_basis.h"
#include "rom/thermal_expansion.h"
#include "system/derived.h"

#define INDEPENDENT 3e-3       // smallest relative norm of an independent field (theory 8)
#define INDEPENDENT_LOCAL 1e-3 // the same for local heat, whose strains are not small
// largest strain energy of the part of a vector that is dropped, relative to that of the vectors
// added with it: about the relative error of the softest stiffness at a location
#define DROPPED_ENERGY 1e-3
#define ROUNDING 1e-9         // relative norm below which a field is rounding
#define RIGID_NORM 1e-4       // relative norm below which a vector is a rigid motion
#define RIGID_FIELD_NORM 1e-9 // the same for the rigid fields themselves
// shift of static responses of free systems, relative to the lowest elastic eigenvalue
#define STATIC_SHIFT 1e-3
#define THERMAL_FAMILIES 3 // temperature families that bend and stretch
#define EXPANSION_STATES 3 // snapshots whose thermal expansion is in the basis
#define MAX_COMPONENTS 9   // largest number of components at once: three vectors

typedef struct modes {
    gos_rom *r;
    gos_work *w;
    gos_sparse K, M, C; // (nq, nq), (nq, nq), (nc, nq)
    gos_pencil pencil;
    gos_saddle *saddle;
    gos_field_basis *b; // per group
    double *z;          // responses (3, nq)
    double *rest, *Kx;  // part of a vector, tangent times a vector (nq)
} modes;

/* System vectors whose fields are to be added. */
typedef struct additions {
    int count;
    const double *x;                   // (count, nq)
    double least;                      // smallest relative norm of a field
    int max_elastic;                   // groups with as many elastic fields are skipped; < 0: none
    double size;                       // norm besides rigid fields, of all
    double energy[MAX_COMPONENTS / 3]; // twice the strain energies
} additions;

/* ---- fields ---------------------------------------------------------------------------------- */

double gos__field_basis_remove(const gos_rom *r, gos_field_basis *b, double *x, int from, int to) {
    const int n = b->g->n;
    for (int pass = 0; pass < 2; pass++) {
        for (long k = from; k < to; k++) {
            const size_t at = k * n;
            cblas_daxpy(n, -cblas_ddot(n, b->Sq + at, 1, x, 1), b->q + at, 1, x, 1);
        }
    }
    gos__rom_mass(r, b->g, true, 1, x, b->Sy);
    return sqrt(fmax(0, cblas_ddot(n, x, 1, b->Sy, 1)));
}

void gos__field_basis_append(gos_field_basis *b, const double *x, double size) {
    const size_t n = b->g->n, at = b->m++ * n;
    for (size_t i = 0; i < n; i++) {
        b->q[at + i] = x[i] / size;
        b->Sq[at + i] = b->Sy[i] / size;
    }
}

static void load_components(const gos_rom *r, gos_field_basis *b, const additions *a) {
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        for (int j = 0; j < p->body->nv && &r->group[p->group] == b->g; j++) {
            const double *from = a->x + 3 * (p->body->v0 + j);
            for (long c = 0; c < 3 * a->count; c++) {
                b->x[c * b->g->n + (p->raw + j)] = from[(size_t)(c / 3) * r->full->nq + (c % 3)];
            }
        }
    }
}

/* component i of b->x in system vector v (nq), 0 in other groups */
static void scatter(const gos_rom *r, const gos_field_basis *b, long vector, double *v) {
    memset(v, 0, (size_t)r->full->nq * sizeof *v);
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        for (int j = 0; j < p->body->nv && &r->group[p->group] == b->g; j++) {
            for (long c = 0; c < 3; c++) {
                v[3 * (p->body->v0 + j) + c] = b->x[(3 * vector + c) * b->g->n + p->raw + j];
            }
        }
    }
}

static double energy_of(modes *k, const double *vector) {
    gos__sparse_apply(&k->K, 1, vector, k->Kx);
    return cblas_ddot(k->K.n, vector, 1, k->Kx, 1);
}

/* Are the vectors too stiff without their remainders b->x in this group? Responses to forces at one
   location are compared with the largest: axial stiffness of thin sections hardly matters. */
static bool is_locked(modes *k, const gos_field_basis *b, const additions *a) {
    double largest = 0, dropped = 0;
    for (long v = 0; v < a->count && b->sections; v++) {
        scatter(k->r, b, v, k->rest);
        largest = fmax(largest, a->energy[v]);
        dropped = fmax(dropped, energy_of(k, k->rest));
    }
    return dropped > DROPPED_ENERGY * largest;
}

/* principal components of b->x: Gram matrix or eigenvectors G (q, q), squared norms w, ascending */
static bool find_principal(const gos_rom *r, gos_field_basis *b, int q, double *G, double *w) {
    const int n = b->g->n;
    for (long i = 0; i < q; i++) {
        (void)gos__field_basis_remove(r, b, b->x + i * n, 0, b->m);
        for (long j = 0; j <= i; j++) {
            G[i * q + j] = cblas_ddot(n, b->Sy, 1, b->x + j * n, 1);
        }
    }
    return LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', q, G, q, w) == 0;
}

/* Append principal fields of b->x, which do not depend on the global axes: those of significant
   norm, and more as long as a vector is locked. */
static void add_principal(modes *k, gos_field_basis *b, const additions *a) {
    const int n = b->g->n, q = 3 * a->count;
    double G[MAX_COMPONENTS * MAX_COMPONENTS], w[MAX_COMPONENTS];
    if (!find_principal(k->r, b, q, G, w)) {
        return;
    }
    for (int i = q - 1; i >= 0 && b->m < b->cap && sqrt(fmax(0, w[i])) > ROUNDING * a->size; i--) {
        const bool significant = sqrt(w[i]) > a->least * a->size;
        if ((a->max_elastic >= 0 && b->elastic >= a->max_elastic) ||
            (!significant && !is_locked(k, b, a))) {
            return;
        }
        memset(b->y, 0, n * sizeof *b->y);
        for (long j = 0; j < q; j++) {
            cblas_daxpy(n, G[j * q + i], b->x + j * n, 1, b->y, 1);
        }
        gos__field_basis_append(b, b->y, gos__field_basis_remove(k->r, b, b->y, 0, b->m));
        b->elastic += a->max_elastic >= 0;
        for (long j = 0; j < q; j++) {
            (void)gos__field_basis_remove(k->r, b, b->x + j * n, b->m - 1, b->m);
        }
    }
}

/* False if the vectors are rigid motions, to rounding. */
static bool add_vectors(modes *k, additions *a) {
    gos_rom *r = k->r;
    double total = 0, besides = 0;
    for (int i = 0; i < r->ngroup; i++) {
        gos_field_basis *b = &k->b[i];
        if (b->g->plain) {
            continue;
        }
        load_components(r, b, a);
        for (long c = 0; c < 3 * a->count; c++) {
            double *x = b->x + c * b->g->n;
            const double all = gos__field_basis_remove(r, b, x, 0, 0);
            const double rest = gos__field_basis_remove(r, b, x, 0, b->base);
            total += all * all;
            besides += rest * rest;
        }
    }
    a->size = sqrt(besides);
    for (int v = 0; v < a->count; v++) {
        a->energy[v] = energy_of(k, a->x + (size_t)v * k->K.n);
    }
    const bool deforms = besides > RIGID_NORM * RIGID_NORM * total;
    for (int i = 0; i < r->ngroup && deforms; i++) {
        gos_field_basis *b = &k->b[i];
        if (!b->g->plain) {
            load_components(r, b, a);
            add_principal(k, b, a);
        }
    }
    return deforms;
}

/* ---- rigid fields ---------------------------------------------------------------------------- */

/* Columns (n) that each move one body: the coordinates of rigid bodies; for others a translation
   and the initial configuration. Turns are relative to the extent: combinations that joints allow
   are found alike in any unit of length. */
static int body_columns(const gos_rom *r, const gos_rom_group *g, double *F) {
    const size_t n = g->n;
    int count = 0;
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        if (&r->group[p->group] != g) {
            continue;
        }
        for (int c = 0; c < 4; c++, count++) {
            const double scale = c == 0 ? 1 : 1 / r->full->extent;
            for (int j = 0; j < p->nraw; j++) {
                double *x = F + count * n + p->raw + j;
                if (p->body->rigid_item >= 0) {
                    *x = scale * (j == c);
                } else {
                    *x = c == 0 ? g->trans[p->raw + j] : scale * g->e0[3 * (p->raw + j) + c - 1];
                }
            }
        }
    }
    return count;
}

/* Combinations (count) of them that joints allow: rows of Vt from `rank`. */
static gos_status allowed(gos_rom *r, const gos_rom_group *g, int count, const double *F,
                          double *Vt, int *rank) {
    const int q = g->neq, min = q < count ? q : count;
    double *B = GOS_NEW(r->arena, double, q *count + 1),
           *s = GOS_NEW(r->arena, double, 2 * min + 1);
    double *U = GOS_NEW(r->arena, double, q *q + 1);
    *rank = 0;
    if (!B || !s || !U) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < count && q == 0; i++) {
        Vt[i * count + i] = 1;
    }
    if (q == 0) {
        return GOS_OK;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, q, count, g->n, 1, g->A, g->n, F, g->n, 0,
                B, count);
    if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', q, count, B, count, s, U, q, Vt, count,
                       s + min) != 0) {
        return gos__fail(r->ctx, GOS_E_INTERNAL,
                         "reduction: the singular value decomposition of the rigid fields failed");
    }
    while (*rank < min && s[*rank] > 1e-10 * s[0]) {
        ++*rank;
    }
    return GOS_OK;
}

static gos_status add_rigid(modes *k, gos_field_basis *b, double *F, double *Vt) {
    gos_rom *r = k->r;
    gos_rom_group *g = b->g;
    double *rest = GOS_NEW(r->arena, double, 3 * g->neq + 1);
    if (!rest) {
        return GOS_E_MEMORY;
    }
    if (!gos__rom_translation(g, rest)) { // D0 represents prescribed directions
        memcpy(g->D0, g->e0, 3L * g->n * sizeof *g->D0);
    }
    int rank;
    const int count = body_columns(r, g, F);
    GOS_TRY(allowed(r, g, count, F, Vt, &rank));
    for (int i = rank; i < count; i++) {
        cblas_dgemv(CblasRowMajor, CblasTrans, count, g->n, 1, F, g->n, Vt + i * count, 1, 0, b->y,
                    1);
        const double size = gos__field_basis_remove(r, b, b->y, 0, 0);
        const double besides = gos__field_basis_remove(r, b, b->y, 0, b->m);
        if (besides > RIGID_FIELD_NORM * size && b->m < b->cap) {
            gos__field_basis_append(b, b->y, besides);
        }
    }
    b->base = b->m;
    return GOS_OK;
}

static bool has_section_vectors(const gos_rom *r, const gos_rom_group *g) {
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        for (int j = 0; j < p->body->nv && p->body->ops->fields && &r->group[p->group] == g; j++) {
            if (r->full->trans[p->body->v0 + j] == 0) {
                return true;
            }
        }
    }
    return false;
}

static gos_status make_basis(modes *k, int i, int room) {
    gos_rom *r = k->r;
    gos_field_basis *b = &k->b[i];
    gos_rom_group *g = b->g = &r->group[i];
    b->sections = has_section_vectors(r, g);
    if (g->plain) {
        return GOS_OK;
    }
    int columns = 0;
    for (int j = 0; j < r->nbody; j++) {
        columns += r->body[j].group == i ? 4 : 0;
    }
    const size_t n = g->n;
    b->cap = room + columns + 4 < g->n ? room + columns + 4 : g->n;
    b->q = GOS_NEW(r->arena, double, b->cap *n);
    b->Sq = GOS_NEW(r->arena, double, b->cap *n);
    b->x = GOS_NEW(r->arena, double, MAX_COMPONENTS *n);
    b->y = GOS_NEW(r->arena, double, n);
    b->Sy = GOS_NEW(r->arena, double, n);
    double *F = GOS_NEW(r->arena, double, columns *n);
    double *Vt = GOS_NEW(r->arena, double, columns *columns);
    if (!b->q || !b->Sq || !b->x || !b->y || !b->Sy || !F || !Vt) {
        return GOS_E_MEMORY;
    }
    return add_rigid(k, b, F, Vt);
}

/* ---- the linearised system ------------------------------------------------------------------- */

/* K, M and C at the initial configuration without loads (scale 0) */
static gos_status linearise(modes *k) {
    const gos_system *s = k->r->full;
    gos_ctx *ctx = k->r->ctx;
    const gos_point_of at = {.q = s->e0, .th = s->th0};
    gos_sparse K;
    GOS_TRY(gos__work_create(ctx, s, &k->w));
    gos__jacobian(k->w, &at, &(gos_newton_factors){.m = 1, .cm = 1});
    GOS_TRY(gos__sparse_block(ctx, &s->pattern, k->w->values, 0, s->nq, 0, s->nq, &k->M));
    gos__jacobian(k->w, &at, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    GOS_TRY(gos__sparse_block(ctx, &s->pattern, k->w->values, s->at.lam, s->nc, 0, s->nq, &k->C));
    GOS_TRY(gos__sparse_block(ctx, &s->pattern, k->w->values, 0, s->nq, 0, s->nq, &K));
    const gos_status status = gos__sparse_symmetric_part(ctx, &K, &k->K, NULL);
    gos__sparse_free(ctx, &K);
    k->pencil = (gos_pencil){.K = &k->K, .M = &k->M, .C = &k->C, .ncomp = 3};
    return status;
}

static bool satisfied(const modes *k) {
    for (int i = 0; i < k->r->ngroup; i++) {
        if (!k->b[i].g->plain && k->b[i].elastic < k->r->def.number) {
            return false;
        }
    }
    return true;
}

/* fields of the n lowest modes; *lambda: lowest eigenvalue of a deformation */
static gos_status add_modes(modes *k, int n, double *lambda) {
    gos_ctx *ctx = k->r->ctx;
    const size_t nq = k->K.n;
    double *value = gos__alloc(ctx, n + 1L, sizeof *value);
    double *X = gos__alloc(ctx, n * nq + 1, sizeof *X);
    int found = 0;
    gos_status status = value && X ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__eigen_lowest(ctx, &k->pencil, n, value, X, &found) : status;
    for (int i = 0; i < found; i++) {
        const bool deforms = add_vectors(k, &(additions){.count = 1,
                                                         .x = X + i * nq,
                                                         .least = INDEPENDENT,
                                                         .max_elastic = k->r->def.number});
        // rounding may make eigenvalues of rigid motions positive
        *lambda = *lambda == 0 && deforms && value[i] > 0 ? value[i] : *lambda;
    }
    gos__free(ctx, value);
    gos__free(ctx, X);
    return status;
}

/* More modes until every group has its fields: a straight cable has each bending mode twice. */
static gos_status add_all_modes(modes *k, double *lambda) {
    const int nz = k->K.n - k->C.m;
    int n = 2 * k->r->def.number + 12;
    for (bool last = false; !last && !satisfied(k); n *= 2) {
        if (nz > GOS_EIGEN_DENSE_MAX && n >= nz / 4) {
            n = nz / 4;
            last = true;
        } else if (n >= nz) {
            n = nz;
            last = true;
        }
        for (int i = 0; i < k->r->ngroup; i++) { // restart in the same order
            k->b[i].m = k->b[i].base;
            k->b[i].elastic = 0;
        }
        *lambda = 0;
        GOS_TRY(add_modes(k, n, lambda));
    }
    return GOS_OK;
}

/* ---- static responses ------------------------------------------------------------------------ */

static gos_status add_responses(modes *k, int count, double least) {
    GOS_TRY(gos__saddle_solve(k->saddle, count, k->z, k->z));
    (void)add_vectors(k,
                      &(additions){.count = count, .x = k->z, .least = least, .max_elastic = -1});
    memset(k->z, 0, (size_t)count * k->K.n * sizeof *k->z);
    return GOS_OK;
}

/* w->made->f onto the coordinates of floating bodies */
static void fold(modes *k, double *z) {
    const gos_system *s = k->r->full;
    gos__derived_fold(s, k->w->derived, s->derived ? k->w->derived->f : NULL, z);
    gos__derived_clear(s, k->w->derived);
}

static gos_status add_gravity(modes *k) {
    const gos_system *s = k->r->full;
    for (int c = 0; c < 3; c++) {
        double *z = k->z + (long)c * s->nq;
        for (int i = 0; i < s->nv; i++) {
            z[3 * i + c] = s->gw[i];
        }
        for (int i = s->derived ? -s->derived->n : 0; i < 0; i++) {
            k->w->derived->f[3 * i + c] = s->gw[i];
        }
        fold(k, z);
    }
    return add_responses(k, 3, INDEPENDENT);
}

/* True if rows make unchanged coordinates dependent on others: no load acts between them. */
static bool is_inner(const gos_rom *r, const gos_item *it) {
    for (int m = 0; m < it->nm && it->nc > 0 && !it->sides; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            const gos_rom_body *p =
                it->m[m].idx[j] < 0 ? NULL : &r->body[r->body_of[it->m[m].idx[j]]];
            if (p && p->body->ops->port && r->group[p->group].plain) {
                return true;
            }
        }
    }
    return false;
}

/* unit forces where loads and kept joints act */
static gos_status add_forces(modes *k) {
    const gos_system *s = k->r->full;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        const bool excluded = k->r->eliminated[i] || it->watches || is_inner(k->r, it);
        for (int m = 0; m < it->nm && !excluded; m++) {
            for (int c = 0; c < 3; c++) {
                const double f[3] = {c == 0, c == 1, c == 2};
                double *z = k->z + (long)c * s->nq;
                gos__marker_give(&it->m[m], f, z, s->derived ? k->w->derived->f : NULL);
                fold(k, z);
            }
            if (it->m[m].n > 0) {
                GOS_TRY(add_responses(k, 3, INDEPENDENT));
            }
        }
    }
    return GOS_OK;
}

/* forces of temperatures th, and reference forces; scratch */
typedef struct expansion_loads {
    double *th, *q0, *rt, *c, *h;
} expansion_loads;

static gos_status make_expansion_loads(modes *k, expansion_loads *t) {
    const gos_system *s = k->r->full;
    const size_t nq = s->nq, nt = s->nt;
    t->th = GOS_NEW(k->r->arena, double, nq + 2 * nt + (s->nc + s->nh) + 1);
    if (!t->th) {
        return GOS_E_MEMORY;
    }
    t->q0 = t->th + nt;
    t->rt = t->q0 + nq;
    t->c = t->rt + nt;
    t->h = t->c + s->nc;
    memcpy(t->th, s->th0, nt * sizeof *t->th);
    const gos_point_of at = {.q = s->e0, .th = t->th};
    return gos__residual(k->w, &at, &(gos_residual){.q = t->q0, .th = t->rt, .c = t->c, .h = t->h},
                         NULL);
}

/* append the response to t->th and reset t->th to the initial values */
static gos_status add_expansion(modes *k, expansion_loads *t, double least) {
    const gos_system *s = k->r->full;
    const gos_point_of at = {.q = s->e0, .th = t->th};
    GOS_TRY(gos__residual(k->w, &at, &(gos_residual){.q = k->z, .th = t->rt, .c = t->c, .h = t->h},
                          NULL));
    for (int j = 0; j < s->nq; j++) {
        k->z[j] = t->q0[j] - k->z[j];
    }
    memcpy(t->th, s->th0, s->nt * sizeof *t->th);
    return add_responses(k, 1, least);
}

/* unit temperature, T_y and T_z of every body */
static gos_status add_temperatures(modes *k, expansion_loads *t) {
    const gos_system *s = k->r->full;
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        for (int f = 0; f < b->nfam && f < THERMAL_FAMILIES && !gos__rom_keeps_heat(b); f++) {
            for (int j = f; j < b->nt; j += b->nfam) {
                t->th[b->t0 + j] += 1;
            }
            GOS_TRY(add_expansion(k, t, INDEPENDENT));
        }
    }
    return GOS_OK;
}

static int count_local(const gos_rom *r) {
    int n = 0;
    for (int i = 0; i < r->nbody; i++) {
        n += gos__rom_expands(&r->body[i]) ? THERMAL_FAMILIES * r->body[i].nsource_fn : 0;
    }
    return n;
}

/* Negligible relative to the temperatures; gradients per unit of length. */
static bool is_noise(const gos_system *s, int family, double change) {
    double size = 0;
    for (int i = 0; i < s->nt; i++) {
        size = fmax(size, s->tmean[i] > 0 ? fabs(s->th0[i]) + fabs(s->T_ref) : 0);
    }
    return !(change > ROUNDING * size / (family > 0 ? s->extent : 1));
}

/* The temperatures of some snapshots, each family by itself: bending by gradients is small beside
   the expansion, but may be the only motion of a point. */
static gos_status add_snapshot_temperatures(modes *k, expansion_loads *t) {
    const gos_system *s = k->r->full;
    const gos_training *run = k->r->snapshots->run;
    // functions of local heat span the expansion by means
    const int first = count_local(k->r) > 0 ? EXPANSION_STATES : 0;
    for (int e = first; e < EXPANSION_STATES * THERMAL_FAMILIES; e++) {
        const int state = (e % EXPANSION_STATES + 1) * run->n / EXPANSION_STATES - 1;
        const int family = e / EXPANSION_STATES;
        double change = 0;
        for (int i = 0; i < s->nbody && state >= 0; i++) {
            const gos_body *b = s->body[i];
            for (int j = family; j < b->nt && family < b->nfam && gos__body_expands(b);
                 j += b->nfam) {
                const double th = run->th[(size_t)state * (size_t)run->nt + (size_t)(b->t0 + j)];
                change = fmax(change, fabs(th - s->th0[b->t0 + j]));
                t->th[b->t0 + j] = th;
            }
        }
        if (is_noise(s, family, change)) {
            memcpy(t->th, s->th0, (size_t)s->nt * sizeof *t->th);
        } else {
            GOS_TRY(add_expansion(k, t, INDEPENDENT));
        }
    }
    return GOS_OK;
}

/* unit states that cause forces, such as voltages of shunts */
static gos_status add_states(modes *k, expansion_loads *t) {
    const gos_system *s = k->r->full;
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        for (int j = 0; j < b->nt && b->ops->port && b->nv > 0; j++) {
            t->th[b->t0 + j] += 1;
            GOS_TRY(add_expansion(k, t, INDEPENDENT));
        }
    }
    return GOS_OK;
}

static int count_fields(const modes *k) {
    int n = 0;
    for (int i = 0; i < k->r->ngroup; i++) {
        n += k->b[i].m;
    }
    return n;
}

static gos_status add_local(modes *k, expansion_loads *t) {
    const int before = count_fields(k);
    for (int i = 0; i < k->r->nbody; i++) {
        const gos_rom_body *p = &k->r->body[i];
        const gos_body *b = p->body;
        for (int e = 0; e < b->nfam * p->nsource_fn && gos__rom_expands(p); e++) {
            const int f = e % b->nfam;
            const double *th = p->source_fn + (size_t)(e / b->nfam) * p->nnode;
            for (int j = 0; j < p->nnode && p->fed[f]; j++) {
                t->th[b->t0 + j * b->nfam + f] += th[j];
            }
            if (p->fed[f] && f < THERMAL_FAMILIES) {
                GOS_TRY(add_expansion(k, t, INDEPENDENT_LOCAL));
            }
        }
    }
    k->r->expansions = count_fields(k) - before;
    return GOS_OK;
}

static gos_status add_statics(modes *k, double lambda) {
    gos__derived_put(k->r->full, k->w->derived, k->r->full->e0, NULL, NULL);
    gos__derived_clear(k->r->full, k->w->derived);
    GOS_TRY(gos__saddle_create(k->r->ctx, &k->pencil, &k->saddle));
    GOS_TRY(gos__saddle_factor(k->saddle, 0, STATIC_SHIFT * (lambda > 0 ? lambda : 1)));
    expansion_loads t;
    GOS_TRY(make_expansion_loads(k, &t));
    if (k->r->def.statics) {
        GOS_TRY(add_gravity(k));
        GOS_TRY(add_forces(k));
        GOS_TRY(add_temperatures(k, &t));
        GOS_TRY(add_states(k, &t));
    } else if (k->r->snapshots && k->r->snapshots->least > 0) {
        GOS_TRY(add_snapshot_temperatures(k, &t));
    }
    return add_local(k, &t);
}

/* ---- basis of all groups --------------------------------------------------------------------- */

static bool expands(const gos_system *s) {
    for (int i = 0; i < s->nbody; i++) {
        if (s->body[i]->nt > 0 && gos__body_expands(s->body[i])) {
            return true;
        }
    }
    return false;
}

/* vectors of static responses, at most */
static int count_statics(const gos_rom *r) {
    const gos_system *s = r->full;
    const bool found = r->snapshots && r->snapshots->least > 0;
    int n = count_local(r) + (r->def.statics ? 3 + THERMAL_FAMILIES * s->nbody : 0);
    n += found && !r->def.statics && expands(s) ? EXPANSION_STATES * THERMAL_FAMILIES : 0;
    for (int i = 0; i < s->nitem && r->def.statics; i++) {
        n += 3 * s->item[i]->nm;
    }
    return n;
}

/* T (n, m), normalised to mass mu */
static gos_status store(gos_rom *r, const gos_field_basis *b) {
    gos_rom_group *g = b->g;
    g->m = b->m;
    g->T = GOS_NEW(r->arena, double, (size_t)g->n * g->m + 1);
    if (!g->T) {
        return GOS_E_MEMORY;
    }
    for (long k = 0; k < g->m; k++) {
        for (long i = 0; i < g->n; i++) {
            g->T[i * g->m + k] = sqrt(r->mu) * b->q[k * g->n + i];
        }
    }
    return GOS_OK;
}

static gos_status make(modes *k) {
    gos_rom *r = k->r;
    const bool found = r->snapshots && r->snapshots->least > 0;
    const int principal = found ? 6 * r->snapshots->run->n : 0;
    const int room = r->def.number + 3 * count_statics(r) + principal;
    double lambda = 0;
    k->b = GOS_NEW(r->arena, gos_field_basis, r->ngroup + 1);
    k->z = GOS_NEW(r->arena, double, 3L * r->full->nq + 1);
    k->rest = GOS_NEW(r->arena, double, r->full->nq + 1L);
    k->Kx = GOS_NEW(r->arena, double, r->full->nq + 1L);
    if (!k->b || !k->z || !k->rest || !k->Kx) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->ngroup; i++) {
        GOS_TRY(make_basis(k, i, room));
    }
    if (satisfied(k)) {
        return GOS_OK; // rigid bodies only
    }
    GOS_TRY(linearise(k));
    if (!found || count_statics(r) > 0) {
        GOS_TRY(add_all_modes(k, &lambda));
        for (int i = 0; i < r->ngroup && found; i++) {
            k->b[i].m = k->b[i].base; // only their lowest frequency is needed
        }
    }
    if (count_statics(r) > 0) {
        GOS_TRY(add_statics(k, lambda));
    }
    for (int i = 0; i < r->ngroup; i++) {
        if (!k->b[i].g->plain) {
            if (found) {
                GOS_TRY(gos__snapshot_fields(r, &k->K, &k->b[i]));
            }
            GOS_TRY(store(r, &k->b[i]));
        }
    }
    return GOS_OK;
}

gos_status gos__rom_modes(gos_rom *r) {
    modes k = {.r = r};
    const gos_status status = make(&k);
    gos__saddle_destroy(k.saddle);
    gos__sparse_free(r->ctx, &k.K);
    gos__sparse_free(r->ctx, &k.M);
    gos__sparse_free(r->ctx, &k.C);
    gos__work_destroy(r->ctx, k.w);
    return status;
}
