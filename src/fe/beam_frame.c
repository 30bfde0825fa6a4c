/* Frames of beams: matrices of the free body. */
#include "fe/beam_frame.h"

#include <math.h>

#include "math/gauss.h"

#define POINTS 4 // cubic times cubic
#define FIELDS GOS_BEAM_FIELDS
#define FREEDOMS GOS_BEAM_ROWS

/* triplets */
typedef struct entries {
    int n;
    int *i, *j;
    double *x;
} entries;

typedef struct making {
    gos_ctx *ctx;
    const gos_fe_frame *frame;
    entries gram, K, D;
    entries mean; // mean displacement by amplitudes (n, 3)
    gos_flex *flex;
} making;

static int amplitude(const gos_fe_beam *b, int k) {
    return GOS_BEAM_FREEDOMS * b->node[k / 6] + k % 6;
}

static void add(entries *e, int i, int j, double x) {
    if (x != 0) {
        e->i[e->n] = i;
        e->j[e->n] = j;
        e->x[e->n++] = x;
    }
}

/* G += m w w^T */
static void add_square(double m, const double w[FIELDS], double G[FIELDS * FIELDS]) {
    for (int i = 0; i < FIELDS; i++) {
        for (int j = 0; j < FIELDS && w[i] != 0; j++) {
            G[FIELDS * i + j] += m * w[i] * w[j];
        }
    }
}

/* d + turn x d of the body axes; `about`: rotation about this axis only */
static void direction(const double d[3], const gos_fe_section *s, const double *about,
                      double w[FIELDS]) {
    w[0] = 0;
    memcpy(w + 1, d, 3 * sizeof *w);
    for (int k = 0; k < FREEDOMS; k++) {
        double t[3];
        memcpy(t, s->turn[k], sizeof t);
        if (about) {
            const double along = t[0] * about[0] + t[1] * about[1] + t[2] * about[2];
            for (int c = 0; c < 3; c++) {
                t[c] = along * about[c];
            }
        }
        for (int c = 0; c < 3; c++) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            w[4 + 3 * k + c] = t[p] * d[q] - t[q] * d[p];
        }
    }
}

/* By vectors of the section axes. Without `rotary` only twist rotates them: Theta = diag(J, 0, 0),
   weights tr(Theta) / 2 - Theta. */
static void add_section(const gos_fe_beam *b, bool rotary, double weight, const gos_fe_section *s,
                        double G[FIELDS * FIELDS]) {
    const double polar = 0.5 * (b->inertia[0] + b->inertia[1]);
    double w[FIELDS];
    for (int l = 1; l < 3; l++) {
        direction(b->axis[l], s, rotary ? NULL : b->axis[0], w);
        add_square(weight * b->inertia[l - 1], w, G);
    }
    for (int k = 0; k < 27 && !rotary; k++) {
        const int l = k / 9, i = k / 3 % 3, j = k % 3;
        const double more = l == 0 ? -polar : polar - b->inertia[l - 1];
        G[FIELDS * (1 + i) + 1 + j] += weight * more * b->axis[l][i] * b->axis[l][j];
    }
}

void gos__fe_beam_gram(const gos_fe_beam *b, const double from[3], const double to[3], bool rotary,
                       double *G) {
    double x[POINTS], weight[POINTS], w[FIELDS];
    const double h = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    memset(G, 0, FIELDS * FIELDS * sizeof *G);
    gos__gauss(POINTS, x, weight);
    for (int g = 0; g < POINTS; g++) {
        gos_fe_section s;
        gos__fe_beam_section(b, h, x[g], &s);
        w[0] = 1;
        for (int c = 0; c < 3; c++) {
            w[1 + c] = (1 - x[g]) * from[c] + x[g] * to[c] + b->offset[c];
        }
        memcpy(w + 4, s.u, sizeof s.u);
        add_square(weight[g] * h * b->line_mass, w, G);
        add_section(b, rotary, weight[g] * h, &s, G);
    }
}

/* contribution to the mean displacement; `share`: of the total length */
static void add_mean(making *m, const gos_fe_beam *b, double share) {
    double x[POINTS], weight[POINTS];
    const double h = gos__fe_beam_length(m->frame, b);
    gos__gauss(POINTS, x, weight);
    for (int g = 0; g < POINTS; g++) {
        gos_fe_section s;
        gos__fe_beam_section(b, h, x[g], &s);
        for (int k = 0; k < FREEDOMS; k++) {
            for (int c = 0; c < 3; c++) {
                add(&m->mean, amplitude(b, k), c, share * weight[g] * s.u[k][c]);
            }
        }
    }
}

static void add_element(making *m, const gos_fe_beam *b) {
    double G[FIELDS * FIELDS], K[144], D[144];
    int field[FIELDS] = {0, 1, 2, 3};
    for (int k = 0; k < FREEDOMS; k++) {
        for (int c = 0; c < 3; c++) {
            field[4 + 3 * k + c] = gos__flex_at(amplitude(b, k), c);
        }
    }
    const gos_fe_frame *f = m->frame;
    gos__fe_beam_gram(b, f->x[b->node[0]], f->x[b->node[1]], f->rotary, G);
    for (int i = 0; i < FIELDS * FIELDS; i++) {
        add(&m->gram, field[i / FIELDS], field[i % FIELDS], G[i]);
    }
    gos__fe_beam_stiffness(b, gos__fe_beam_length(f, b), K, D);
    for (int k = 0; k < FREEDOMS; k++) {
        for (int l = 0; l < FREEDOMS; l++) {
            double mass = 0;
            for (int c = 0; c < 3; c++) {
                mass += G[FIELDS * (4 + 3 * k + c) + 4 + 3 * l + c];
            }
            const double stiff = K[FREEDOMS * k + l];
            add(&m->K, amplitude(b, k), amplitude(b, l), stiff);
            add(&m->D, amplitude(b, k), amplitude(b, l),
                D[FREEDOMS * k + l] + f->damping[0] * mass + f->damping[1] * stiff);
        }
    }
}

/* fields 1, X, and the node's displacements and rotations */
static void add_mass(making *m, const gos_fe_mass *mass) {
    const int first = GOS_BEAM_FREEDOMS * mass->node;
    const double *at = m->frame->x[mass->node], *I = mass->inertia;
    const double trace = 0.5 * (I[0] + I[1] + I[2]);
    const int field[4] = {0, 1, 2, 3};
    double w[4] = {1, at[0], at[1], at[2]};
    int list[GOS_FLEX_RIGID + 3];
    double weight[GOS_FLEX_RIGID + 3];
    for (int d = 0; d < 4; d++) { // the centre, then three rotating vectors e_d + theta x e_d
        int n = 0;
        for (int k = 0; k < 4; k++) {
            const double v = d == 0 ? w[k] : k == d;
            list[n] = field[k];
            weight[n] = v;
            n += v != 0;
        }
        for (int c = 0; c < 3; c++) {
            // theta_c e_c x e_d = +- theta_c e_b
            const int a = d - 1, b = 3 - a - c;
            if (d == 0) {
                list[n] = gos__flex_at(first + c, c);
                weight[n++] = 1;
            } else if (c != a) {
                list[n] = gos__flex_at(first + 3 + c, b);
                weight[n++] = (c + 1) % 3 == a ? 1 : -1;
            }
        }
        const double part = d == 0 ? mass->mass : trace - I[d - 1];
        for (int i = 0; i < n * n; i++) {
            add(&m->gram, list[i / n], list[i % n], part * weight[i / n] * weight[i % n]);
        }
    }
}

static gos_status room(gos_ctx *ctx, int n, entries *e) {
    e->i = gos__alloc(ctx, (size_t)n + 1, sizeof *e->i);
    e->j = gos__alloc(ctx, (size_t)n + 1, sizeof *e->j);
    e->x = gos__alloc(ctx, (size_t)n + 1, sizeof *e->x);
    return e->i && e->j && e->x ? GOS_OK : GOS_E_MEMORY;
}

static void free_entries(gos_ctx *ctx, entries *e) {
    gos__free(ctx, e->i);
    gos__free(ctx, e->j);
    gos__free(ctx, e->x);
}

static gos_status close_entries(gos_ctx *ctx, int order, const entries *e, gos_sparse *A) {
    GOS_TRY(gos__sparse_from_triplets(ctx, order, order, e->n, e->i, e->j, e->x, A));
    gos__sparse_merge(A);
    return GOS_OK;
}

/* Column 3 node + c has one entry. The mean location has no rotation. */
static gos_status add_nodes(making *m, const gos_sparse *mean) {
    gos_flex *f = m->flex;
    const gos_fe_frame *frame = m->frame;
    const size_t n = 3 * (size_t)frame->nnode, last = n + 3;
    memcpy(f->x, frame->x, (size_t)frame->nnode * sizeof *f->x);
    GOS_TRY(gos__sparse_alloc(f->ctx, f->n, (int)last, n + (size_t)mean->nnz, &f->move));
    GOS_TRY(gos__sparse_alloc(f->ctx, f->n, (int)last, n, &f->turn));
    for (int j = 0; j < 3 * frame->nnode; j++) {
        f->move.i[j] = GOS_BEAM_FREEDOMS * (j / 3) + j % 3;
        f->turn.i[j] = f->move.i[j] + 3;
        f->move.x[j] = f->turn.x[j] = 1;
        f->move.p[j + 1] = f->turn.p[j + 1] = j + 1;
    }
    memcpy(f->move.i + n, mean->i, (size_t)mean->nnz * sizeof *mean->i);
    memcpy(f->move.x + n, mean->x, (size_t)mean->nnz * sizeof *mean->x);
    for (size_t c = 1; c <= 3; c++) {
        f->move.p[n + c] = (int)n + mean->p[c];
        f->turn.p[n + c] = (int)n;
    }
    return GOS_OK;
}

static gos_status add_mean_point(making *m) {
    const gos_fe_frame *frame = m->frame;
    double length = 0, *x = m->flex->x[gos__fe_mean(frame)];
    gos_sparse mean;
    for (int e = 0; e < frame->nbeam; e++) {
        length += gos__fe_beam_length(frame, &frame->beam[e]);
    }
    for (int e = 0; e < frame->nbeam; e++) {
        const gos_fe_beam *b = &frame->beam[e];
        const double share = gos__fe_beam_length(frame, b) / length;
        add_mean(m, b, share);
        for (int c = 0; c < 3; c++) {
            x[c] += share * (frame->x[b->node[0]][c] + frame->x[b->node[1]][c]) / 2;
        }
    }
    GOS_TRY(gos__sparse_from_triplets(m->ctx, m->flex->n, 3, m->mean.n, m->mean.i, m->mean.j,
                                      m->mean.x, &mean));
    gos__sparse_merge(&mean);
    const gos_status status = add_nodes(m, &mean);
    gos__sparse_free(m->ctx, &mean);
    return status;
}

static gos_status make(making *m) {
    const gos_fe_frame *frame = m->frame;
    gos_ctx *ctx = m->ctx;
    const int n = GOS_BEAM_FREEDOMS * frame->nnode, around = 49 * 4 * frame->nmass;
    GOS_TRY(gos__flex_create(ctx, n, frame->nnode + 1, &m->flex));
    GOS_TRY(room(ctx, FIELDS * FIELDS * frame->nbeam + around, &m->gram));
    GOS_TRY(room(ctx, FREEDOMS * FREEDOMS * frame->nbeam, &m->K));
    GOS_TRY(room(ctx, FREEDOMS * FREEDOMS * frame->nbeam, &m->D));
    GOS_TRY(room(ctx, POINTS * FREEDOMS * 3 * frame->nbeam, &m->mean));
    for (int e = 0; e < frame->nbeam; e++) {
        add_element(m, &frame->beam[e]);
    }
    for (int i = 0; i < frame->nmass; i++) {
        add_mass(m, &frame->mass[i]);
    }
    GOS_TRY(close_entries(ctx, GOS_FLEX_RIGID + 3 * n, &m->gram, &m->flex->gram));
    GOS_TRY(close_entries(ctx, n, &m->K, &m->flex->K));
    GOS_TRY(close_entries(ctx, n, &m->D, &m->flex->D));
    return add_mean_point(m);
}

gos_status gos__fe_frame_make(gos_ctx *ctx, const gos_fe_frame *frame, gos_flex **flex) {
    making m = {.ctx = ctx, .frame = frame};
    const gos_status status = make(&m);
    free_entries(ctx, &m.gram);
    free_entries(ctx, &m.K);
    free_entries(ctx, &m.D);
    free_entries(ctx, &m.mean);
    if (status != GOS_OK) {
        gos__flex_destroy(m.flex);
        return status;
    }
    *flex = m.flex;
    return GOS_OK;
}
