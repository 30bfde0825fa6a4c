/* Mass and Gram matrices, and the body for a floating frame. Particles x = sum N_k (x_k + zeta n_k)
   move by sum N_k (u_k + zeta theta_k x n_k): products of N_k (`mass`) and zeta N_k (`rotary`)
   suffice; `moment` has cross products of asymmetric or offset shells. */
#include "fe/mesh_body.h"

#define DRILLING 0.0316 // root of a thousandth of the other inertia

/* triplets */
typedef struct entries {
    size_t n, room;
    int *i, *j;
    double *x;
} entries;

/* of a freedom or rigid motion: N_k, or zeta N_k, along component c */
typedef struct field {
    int freedom;     // index
    bool off;        // of zeta N_k
    double by[3];    // components
    double drill[3]; // zeta N_k: substitute for drilling inertia
} field;

static void add(entries *e, int i, int j, double x) {
    if (e->x && x != 0) {
        e->i[e->n] = i;
        e->j[e->n] = j;
        e->x[e->n] = x;
    }
    e->n += x != 0;
}

static int fields_of(const gos_fe_body *b, int node, field f[GOS_FE_FREEDOMS]) {
    int n = 0;
    for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
        const int number = gos__fe_number(&b->freedom, node, c);
        if (number < 0) {
            continue;
        }
        f[n] = (field){.freedom = number, .off = c >= 3};
        if (c < 3) {
            f[n].by[c] = 1;
        } else if (b->director) { // none with beams only
            const int a = c - 3, p = (a + 1) % 3, q = (a + 2) % 3;
            f[n].by[q] = b->director[node][p];
            f[n].by[p] = -b->director[node][q];
            // a thousandth about the normal, as a stretch: positive mass
            for (int d = 0; d < 3; d++) {
                f[n].drill[d] = DRILLING * b->director[node][a] * b->director[node][d];
            }
        }
        n++;
    }
    return n;
}

/* rigid-body fields at a node: factors of N_k, of zeta N_k */
static void rigid_at(const gos_fe_body *b, int node, double on[4], double off[4]) {
    on[0] = 1;
    off[0] = 0;
    for (int c = 0; c < 3; c++) {
        on[1 + c] = b->mesh->x[node][c];
        off[1 + c] = b->director ? b->director[node][c] : 0;
    }
}

/* int rho N_k N_l, int rho zeta N_k N_l, int rho zeta^2 N_k N_l of neighbour `at` */
typedef struct weights {
    double on, mixed, off;
} weights;

static weights weights_at(const gos_fe_body *b, int at) {
    return (weights){.on = b->mass.x[at],
                     .mixed = b->moment.nnz > 0 ? b->moment.x[at] : 0,
                     .off = b->director ? b->rotary.x[at] : 0};
}

void gos__fe_body_moment(const gos_fe_body *b, int node, int d, double *on, double *off) {
    *on = *off = 0;
    for (int at = b->start[node]; at < b->start[node + 1]; at++) {
        const weights w = weights_at(b, at);
        double own[2][4];
        rigid_at(b, b->near[at], own[0], own[1]);
        *on += w.on * own[0][d] + w.mixed * own[1][d];
        *off += w.mixed * own[0][d] + w.off * own[1][d];
    }
}

typedef struct gram_sums {
    entries e;
    double rigid[4][4];
    double (*shape)[4][3]; // by freedoms (freedoms)
} gram_sums;

/* component of a field in a product; drilling couples only with zeta N_k */
static double along(const field *f, bool same, int c) {
    return same ? f->by[c] + f->drill[c] : f->by[c];
}

static double weight_of(const weights *w, bool one, bool other) {
    return one != other ? w->mixed : one ? w->off : w->on;
}

/* products of two neighbours */
static void gram_pair(const gos_fe_body *b, int k, int l, const weights *w, gram_sums *s) {
    field f[GOS_FE_FREEDOMS], g[GOS_FE_FREEDOMS];
    const int n = fields_of(b, k, f), m = fields_of(b, l, g);
    double of_k[2][4], of_l[2][4];
    rigid_at(b, k, of_k[0], of_k[1]);
    rigid_at(b, l, of_l[0], of_l[1]);
    for (int a = 0; a < 16; a++) {
        s->rigid[a / 4][a % 4] +=
            w->on * of_k[0][a / 4] * of_l[0][a % 4] + w->off * of_k[1][a / 4] * of_l[1][a % 4] +
            w->mixed * (of_k[0][a / 4] * of_l[1][a % 4] + of_k[1][a / 4] * of_l[0][a % 4]);
    }
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < 24; a++) {
            const bool off = a / 12;
            s->shape[f[i].freedom][a / 3 % 4][a % 3] += weight_of(w, f[i].off, off) *
                                                        along(&f[i], f[i].off == off, a % 3) *
                                                        of_l[off][a / 3 % 4];
        }
        for (int jcd = 0; jcd < 9 * m; jcd++) {
            const int j = jcd / 9, c = jcd / 3 % 3, d = jcd % 3;
            const bool same = f[i].off == g[j].off;
            add(&s->e, gos__flex_at(f[i].freedom, c), gos__flex_at(g[j].freedom, d),
                weight_of(w, f[i].off, g[j].off) * along(&f[i], same, c) * along(&g[j], same, d));
        }
    }
}

static gos_status room(gos_ctx *ctx, entries *e) {
    const size_t n = e->n + 1;
    if (n > INT32_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT, "a mass matrix has more than 2^31 entries");
    }
    e->i = gos__alloc(ctx, n, sizeof *e->i);
    e->j = gos__alloc(ctx, n, sizeof *e->j);
    e->x = gos__alloc(ctx, n, sizeof *e->x);
    e->n = 0;
    return e->i && e->j && e->x ? GOS_OK : GOS_E_MEMORY;
}

static void free_entries(gos_ctx *ctx, entries *e) {
    gos__free(ctx, e->i);
    gos__free(ctx, e->j);
    gos__free(ctx, e->x);
}

static gos_status close_entries(gos_ctx *ctx, int order, const entries *e, gos_sparse *A) {
    GOS_TRY(gos__sparse_from_triplets(ctx, order, order, (int)e->n, e->i, e->j, e->x, A));
    gos__sparse_merge(A);
    return GOS_OK;
}

/* rows ascending; returns the number of entries, only counted without a buffer */
static size_t mass_columns(const gos_fe_body *b, gos_sparse *M) {
    field f[GOS_FE_FREEDOMS], g[GOS_FE_FREEDOMS];
    size_t nnz = 0;
    for (int l = 0; l < b->mesh->nnode; l++) {
        const int m = fields_of(b, l, g);
        for (int j = 0; j < m; j++) {
            for (int at = b->start[l]; at < b->start[l + 1]; at++) {
                const int n = fields_of(b, b->near[at], f);
                for (int i = 0; i < n; i++) {
                    const bool same = f[i].off == g[j].off;
                    double dot = 0;
                    for (int c = 0; c < 3; c++) {
                        dot += along(&f[i], same, c) * along(&g[j], same, c);
                    }
                    if ((!same && b->moment.nnz == 0) || dot == 0) {
                        continue;
                    }
                    if (M->x) {
                        const weights w = weights_at(b, at);
                        M->i[nnz] = f[i].freedom;
                        M->x[nnz] = dot * weight_of(&w, f[i].off, g[j].off);
                    }
                    nnz++;
                }
            }
            if (M->x) {
                M->p[g[j].freedom + 1] = (int)nnz;
            }
        }
    }
    return nnz;
}

/* all elements except beams */
static gos_status mass_of_others(const gos_fe_body *b, gos_sparse *M) {
    *M = (gos_sparse){0};
    const size_t nnz = mass_columns(b, M);
    GOS_TRY(gos__sparse_alloc(b->ctx, b->freedom.n, b->freedom.n, nnz, M));
    mass_columns(b, M);
    return GOS_OK;
}

gos_status gos__fe_body_mass(const gos_fe_body *b, gos_sparse *M) {
    gos_sparse others = {0}, beams = {0};
    *M = (gos_sparse){0};
    if (!gos__fe_beams(b)) {
        return mass_of_others(b, M);
    }
    gos_status status = mass_of_others(b, &others);
    status = status == GOS_OK ? gos__fe_beams_mass(b, &beams) : status;
    status = status == GOS_OK ? gos__sparse_sum(b->ctx, 1, &others, 1, &beams, M) : status;
    gos__sparse_free(b->ctx, &others);
    gos__sparse_free(b->ctx, &beams);
    return status;
}

/* products of rigid-body fields are summed */
static void add_beam(void *to, int i, int j, double x) {
    gram_sums *s = to;
    if (i < GOS_FLEX_RIGID && j < GOS_FLEX_RIGID) {
        s->rigid[i][j] += x;
    } else if (i >= GOS_FLEX_RIGID && j >= GOS_FLEX_RIGID) {
        add(&s->e, i, j, x);
    } else if (j < GOS_FLEX_RIGID) { // symmetric
        const int at = i - GOS_FLEX_RIGID;
        s->shape[at / 3][j][at % 3] += x;
    }
}

/* entries, including rigid-body fields */
static gos_status gram(const gos_fe_body *b, gram_sums *s) {
    memset(s->rigid, 0, sizeof s->rigid);
    memset(s->shape, 0, ((size_t)b->freedom.n + 1) * sizeof *s->shape);
    for (int l = 0; l < b->mesh->nnode; l++) {
        for (int at = b->start[l]; at < b->start[l + 1]; at++) {
            // entries of `mass` correspond to those of `near`
            const weights w = weights_at(b, at);
            gram_pair(b, b->near[at], l, &w, s);
        }
    }
    s->rigid[3][3] += b->across;
    GOS_TRY(gos__fe_beams(b) ? gos__fe_beams_gram(b, add_beam, s) : GOS_OK);
    for (int a = 0; a < 16; a++) {
        add(&s->e, a / 4, a % 4, s->rigid[a / 4][a % 4]);
    }
    for (int k = 0; k < b->freedom.n; k++) {
        for (int a = 0; a < 12; a++) {
            add(&s->e, a / 3, gos__flex_at(k, a % 3), s->shape[k][a / 3][a % 3]);
            add(&s->e, gos__flex_at(k, a % 3), a / 3, s->shape[k][a / 3][a % 3]);
        }
    }
    return GOS_OK;
}

static gos_status make_gram(const gos_fe_body *b, gos_sparse *A) {
    gram_sums s = {.shape = gos__alloc(b->ctx, (size_t)b->freedom.n + 1, sizeof *s.shape)};
    gos_status status = s.shape ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gram(b, &s) : status; // counting pass
    status = status == GOS_OK ? room(b->ctx, &s.e) : status;
    status = status == GOS_OK ? gram(b, &s) : status;
    if (status == GOS_OK) {
        status = close_entries(b->ctx, GOS_FLEX_RIGID + 3 * b->freedom.n, &s.e, A);
    }
    free_entries(b->ctx, &s.e);
    gos__free(b->ctx, s.shape);
    return status;
}

/* displacements (from = 0) or rotations (3); one entry per nonempty column */
static gos_status make_nodes(const gos_fe_body *b, int from, gos_sparse *A) {
    const int n = 3 * b->mesh->nnode;
    GOS_TRY(gos__sparse_alloc(b->ctx, b->freedom.n, n, (size_t)n, A));
    A->nnz = 0;
    for (int j = 0; j < n; j++) {
        const int number = gos__fe_number(&b->freedom, j / 3, from + j % 3);
        if (number >= 0) {
            A->i[A->nnz] = number;
            A->x[A->nnz++] = 1;
        }
        A->p[j + 1] = A->nnz;
    }
    return GOS_OK;
}

static gos_status fill(const gos_fe_body *b, gos_flex *f) {
    memcpy(f->x, b->mesh->x, (size_t)b->mesh->nnode * sizeof *f->x);
    GOS_TRY(make_nodes(b, 0, &f->move));
    GOS_TRY(make_nodes(b, 3, &f->turn));
    GOS_TRY(make_gram(b, &f->gram));
    GOS_TRY(gos__sparse_copy(b->ctx, &b->K, &f->K));
    return gos__sparse_alloc(b->ctx, f->n, f->n, 0, &f->D);
}

/* the section of an axisymmetric body is not a body */
static gos_status refuse_rings(const gos_fe_body *b) {
    for (int p = 0; p < b->npart; p++) {
        if (b->part[p].element->ring) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, b->part[p].loc, b->part[p].object,
                                "%s cells are axisymmetric, and their section is not a moving "
                                "body; use a mesh of the whole body",
                                b->part[p].element->name);
        }
    }
    return GOS_OK;
}

static gos_status fill_still(const gos_fe_body *b, gos_flex *f) {
    const int n = 3 * b->mesh->nnode;
    memcpy(f->x, b->mesh->x, (size_t)b->mesh->nnode * sizeof *f->x);
    GOS_TRY(gos__sparse_alloc(b->ctx, 0, n, 0, &f->move));
    GOS_TRY(gos__sparse_alloc(b->ctx, 0, n, 0, &f->turn));
    GOS_TRY(gos__sparse_alloc(b->ctx, GOS_FLEX_RIGID, GOS_FLEX_RIGID, 0, &f->gram));
    GOS_TRY(gos__sparse_alloc(b->ctx, 0, 0, 0, &f->K));
    GOS_TRY(gos__sparse_alloc(b->ctx, 0, 0, 0, &f->D));
    return gos__sparse_alloc(b->ctx, 0, b->temperature.n, 0, &f->heat.G);
}

gos_status gos__fe_body_still(const gos_fe_body *b, gos_flex **flex) {
    gos_flex *f;
    GOS_TRY(refuse_rings(b));
    GOS_TRY(gos__flex_create(b->ctx, 0, b->mesh->nnode, &f));
    const gos_status status = fill_still(b, f);
    if (status != GOS_OK) {
        gos__flex_destroy(f);
        return status;
    }
    *flex = f;
    return GOS_OK;
}

gos_status gos__fe_body_flex(const gos_fe_body *b, gos_flex **flex) {
    gos_flex *f;
    GOS_TRY(refuse_rings(b));
    GOS_TRY(gos__flex_create(b->ctx, b->freedom.n, b->mesh->nnode, &f));
    const gos_status status = fill(b, f);
    if (status != GOS_OK) {
        gos__flex_destroy(f);
        return status;
    }
    *flex = f;
    return GOS_OK;
}
