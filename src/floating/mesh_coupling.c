/* Stress stiffness of mesh bodies, between amplitudes. */
#include "floating/mesh_coupling.h"

#include <math.h>

#include "math/vec3.h"
#include "floating/reference_conditions.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_turned gos_mesh_turned;

/* Second-order rotation of rigid interfaces: nodes move on circles, u_k = u + theta x r_k + theta x
 * (theta x r_k) / 2. Link forces do work on the last term (docs/theory.md). Averaging interfaces
 * with an offset point are such arms too.
 * A force f on an arm r rotated by theta does second-order work f . theta x (theta x r) / 2 =
 * theta^T A theta / 2, A = (f r^T + r f^T) / 2 - (f . r) I. Link moments M act on shell directors n
 * as forces M x n. */

typedef struct link_term { // link force per temperature
    int freedom, temperature;
    double by;
} link_term;

struct gos_mesh_turned {
    const gos_fe_body *fe;
    const gos_flex *flex;
    const gos_mesh_locations *locations;
    int *owner;    // 1 + rigid interface, 0: none (nodes)
    int *location; // of each interface
    int nterm;
    link_term *term; // (nterm)
    double *force;   // (freedoms)
    double *arm;     // A per interface, nine numbers
    /* Reference points are fixed to second order too: the body is shifted, and rotated to keep a
       chord's end on the chord. */
    int held, end;   // locations, -1: none
    double along[3]; // unit vector
    double length;   // of the chord
    // A of the reference location; of the chord's end relative to it
    double *origin, *across;
};

static void add_arm(double A[9], const double f[3], const double r[3]) {
    const double along = gos__dot3(f, r);
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        A[k] += 0.5 * (f[i] * r[j] + r[i] * f[j]) - (i == j ? along : 0);
    }
}

static void begin(gos_mesh_turned *m) {
    memset(m->arm, 0, 9 * (size_t)m->locations->interfaces.n * sizeof *m->arm);
}

/* if on a rigid interface; `off`: forces times director heights, NULL: 0 */
static void add_node(gos_mesh_turned *m, int node, const double f[3], const double *off) {
    double r[3];
    if (m->owner[node] == 0) {
        return;
    }
    const int number = m->owner[node] - 1;
    for (int c = 0; c < 3; c++) {
        r[c] = m->flex->x[node][c] - m->locations->interfaces.v[number].at[c];
    }
    add_arm(m->arm + (size_t)9 * number, f, r);
    if (off && m->fe->director) {
        add_arm(m->arm + (size_t)9 * number, off, m->fe->director[node]);
    }
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* theta^T A theta; only counted without a buffer */
static int spread(const gos_flex *f, int location, const double A[9], int n, int *i, int *j,
                  double *v) {
    for (int k = 0; k < 9; k++) {
        const int p = 3 * location + k / 3, q = 3 * location + k % 3;
        for (int a = f->turn.p[p]; a < f->turn.p[p + 1]; a++) {
            for (int b = f->turn.p[q]; b < f->turn.p[q + 1]; b++, n++) {
                if (v) {
                    i[n] = f->turn.i[a];
                    j[n] = f->turn.i[b];
                    v[n] = A[k] * f->turn.x[a] * f->turn.x[b];
                }
            }
        }
    }
    return n;
}

static gos_status close_form(const gos_mesh_turned *m, gos_sparse *S) {
    gos_ctx *ctx = m->flex->ctx;
    int *i = NULL, *j = NULL, n = 0;
    double *v = NULL;
    gos_status status = GOS_OK;
    for (int fill = 0; fill < 2 && status == GOS_OK; fill++) {
        n = 0;
        for (int k = 0; k < m->locations->interfaces.n; k++) {
            n = spread(m->flex, m->location[k], m->arm + (size_t)9 * k, n, i, j, v);
        }
        if (fill == 0) {
            i = gos__alloc(ctx, 2 * (size_t)n + 1, sizeof *i);
            v = gos__alloc(ctx, (size_t)n + 1, sizeof *v);
            j = i ? i + n : NULL;
            status = i && v ? GOS_OK : GOS_E_MEMORY;
        }
    }
    status = status == GOS_OK
                 ? gos__sparse_from_triplets(ctx, m->flex->n, m->flex->n, n, i, j, v, S)
                 : status;
    if (status == GOS_OK) {
        gos__sparse_merge(S);
    }
    gos__free(ctx, i);
    gos__free(ctx, v);
    return status;
}

/* ---- forces on interface nodes --------------------------------------------------------------- */

/* forces K u - couple t at interface nodes */
static void find_forces(gos_mesh_turned *m, const double *u, const double *t) {
    const gos_fe_body *fe = m->fe;
    for (int node = 0; node < fe->mesh->nnode; node++) {
        for (int c = 0; c < GOS_FE_FREEDOMS && m->owner[node] > 0; c++) {
            const int number = gos__fe_number(&fe->freedom, node, c);
            double sum = 0;
            for (int k = number < 0 ? 0 : fe->K.p[number]; number >= 0 && k < fe->K.p[number + 1];
                 k++) {
                sum += fe->K.x[k] * u[fe->K.i[k]];
            }
            if (number >= 0) {
                m->force[number] = sum;
            }
        }
    }
    for (int k = 0; t && k < m->nterm; k++) {
        m->force[m->term[k].freedom] -= m->term[k].by * t[m->term[k].temperature];
    }
}

/* Work z^T S z / 2 of link forces by displacements u (freedoms) and temperatures t (NULL: 0). */
static gos_status mesh_turned_links(gos_mesh_turned *m, const double *u, const double *t,
                                    gos_sparse *S) {
    const gos_fe_body *fe = m->fe;
    begin(m);
    find_forces(m, u, t);
    for (int node = 0; node < fe->mesh->nnode; node++) {
        double f[6] = {0}, off[3] = {0};
        for (int c = 0; c < GOS_FE_FREEDOMS && m->owner[node] > 0; c++) {
            const int number = gos__fe_number(&fe->freedom, node, c);
            f[c] = number < 0 ? 0 : m->force[number];
        }
        if (fe->director) {
            gos__cross3(f + 3, fe->director[node], off);
        }
        add_node(m, node, f, off);
    }
    return close_form(m, S);
}

/* Its point is on an arm of the best-fit motion; the nodes' own circles are subtracted. */
static void add_averaging(gos_mesh_turned *m, int number, int c) {
    const gos_mesh_interface *in = &m->locations->interfaces.v[number];
    const int p = (c + 1) % 3, q = (c + 2) % 3;
    double centre[3], inverse[3][3], off[3], h[3], e[3] = {0};
    (void)gos__mesh_locations_fit(m->flex, in->n, in->node, centre, inverse);
    e[c] = 1;
    for (int d = 0; d < 3; d++) {
        off[d] = in->at[d] - centre[d];
    }
    for (int d = 0; d < 3; d++) {
        h[d] = off[q] * inverse[p][d] - off[p] * inverse[q][d];
    }
    add_arm(m->arm + (size_t)9 * number, e, off);
    for (int i = 0; i < in->n; i++) {
        double r[3], by[3];
        for (int d = 0; d < 3; d++) {
            r[d] = m->flex->x[in->node[i]][d] - centre[d];
        }
        gos__cross3(h, r, by);
        add_node(m, in->node[i], by, NULL);
        for (int d = 0; d < 3; d++) {
            by[d] = -by[d];
        }
        add_arm(m->arm + (size_t)9 * number, by, r);
    }
}

/* `arm` of a location along c, without the shift */
static void add_location(gos_mesh_turned *m, int location, int c) {
    const gos_mesh_locations *p = m->locations;
    const int set = location - p->mesh->nnode;
    const gos_mesh_members *of = set < 0 ? NULL : &p->members[set];
    for (int i = 0; i < (of ? of->n : 1); i++) {
        const int node = !of ? location : of->node ? of->node[i] : i;
        double f[3] = {0};
        f[c] = !of ? 1 : of->force ? of->force[3 * node] / of->size : 1.0 / of->n;
        add_node(m, node, f, NULL);
    }
    for (int k = 0; k < p->interfaces.n; k++) {
        if (m->location[k] == location && !p->interfaces.v[k].rigid && p->interfaces.v[k].placed) {
            add_averaging(m, k, c);
        }
    }
}

/* subtract a rigid motion: origin + (along x across) x y / length at y */
static void shift(gos_mesh_turned *m, int c, double weight, const double y[3]) {
    const int n = m->locations->interfaces.n;
    for (int k = 0; k < 9 * n && m->held >= 0; k++) {
        m->arm[k] -= weight * m->origin[9 * c * n + k];
        for (int d = 0; d < 3 && m->end >= 0; d++) {
            const double by = (d == c ? gos__dot3(m->along, y) : 0) - m->along[c] * y[d];
            m->arm[k] -= by / m->length * m->across[9 * d * n + k];
        }
    }
}

/* Second-order displacement of a location along c ... */
static gos_status mesh_turned_location(gos_mesh_turned *m, int location, int c, gos_sparse *S) {
    const double *x = m->flex->x[location], *from = m->held < 0 ? x : m->flex->x[m->held];
    const double y[3] = {x[0] - from[0], x[1] - from[1], x[2] - from[2]};
    begin(m);
    add_location(m, location, c);
    shift(m, c, 1, y);
    return close_form(m, S);
}

/* ... rotation of the body about axis c that keeps the chord's end on the chord ... */
static gos_status mesh_turned_turn(gos_mesh_turned *m, int c, gos_sparse *S) {
    const int n = m->locations->interfaces.n, p = (c + 1) % 3, q = (c + 2) % 3;
    begin(m);
    for (int k = 0; k < 9 * n && m->end >= 0; k++) { // - along x across / length
        m->arm[k] -=
            (m->along[p] * m->across[9 * q * n + k] - m->along[q] * m->across[9 * p * n + k]) /
            m->length;
    }
    return close_form(m, S);
}

/* integral over the mass of two rigid-body fields */
static double rigid_moment(const gos_flex *f, int i, int j) {
    double sum = 0;
    for (int k = f->gram.p[j]; k < f->gram.p[j + 1]; k++) {
        sum += f->gram.i[k] == i ? f->gram.x[k] : 0;
    }
    return sum;
}

/* ... integral over the mass with field d (1, X_1 ...). */
static gos_status mesh_turned_moment(gos_mesh_turned *m, int c, int d, gos_sparse *S) {
    const double mass = rigid_moment(m->flex, d, 0);
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = rigid_moment(m->flex, d, 1 + i) - (m->held < 0 ? 0 : m->flex->x[m->held][i] * mass);
    }
    begin(m);
    for (int node = 0; node < m->fe->mesh->nnode; node++) {
        double f[3] = {0}, off[3] = {0};
        if (m->owner[node] > 0) {
            gos__fe_body_moment(m->fe, node, d, &f[c], &off[c]);
        }
        add_node(m, node, f, off);
    }
    shift(m, c, mass, y);
    return close_form(m, S);
}

/* ---- construction ---------------------------------------------------------------------------- */

/* forces at interface nodes by temperature */
static gos_status find_terms(gos_builder *b, gos_mesh_turned *m) {
    const gos_fe_body *fe = m->fe;
    gos_sparse couple = {0};
    bool *linked = GOS_NEW(b->arena, bool, fe->freedom.n + 1);
    gos_status status = linked ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < GOS_FE_FREEDOMS * fe->mesh->nnode && linked; k++) {
        const int node = k / GOS_FE_FREEDOMS,
                  number = gos__fe_number(&fe->freedom, node, k % GOS_FE_FREEDOMS);
        if (number >= 0) {
            linked[number] = m->owner[node] > 0;
        }
    }
    status =
        status == GOS_OK ? gos__fe_assemble(fe, &(const gos_fe_sums){.couple = &couple}) : status;
    for (int fill = 0; fill < 2 && status == GOS_OK; fill++) {
        m->nterm = 0;
        for (int t = 0; t < couple.n; t++) {
            for (int k = couple.p[t]; k < couple.p[t + 1]; k++) {
                if (linked[couple.i[k]] && fill > 0) {
                    m->term[m->nterm] = (link_term){couple.i[k], t, couple.x[k]};
                }
                m->nterm += linked[couple.i[k]];
            }
        }
        m->term = fill == 0 ? GOS_NEW(b->arena, link_term, m->nterm + 1) : m->term;
        status = m->term ? GOS_OK : GOS_E_MEMORY;
    }
    gos__sparse_free(fe->ctx, &couple);
    return status;
}

/* second-order displacement before the shift, per component */
static void take_location(gos_mesh_turned *m, int location, double *to) {
    const size_t n = 9 * (size_t)m->locations->interfaces.n;
    for (size_t c = 0; c < 3; c++) {
        begin(m);
        add_location(m, location, (int)c);
        memcpy(to + c * n, m->arm, n * sizeof *to);
    }
}

static gos_status find_held(gos_builder *b, const gos_mesh_hold *hold, gos_mesh_turned *m) {
    const int n = m->locations->interfaces.n;
    m->held = m->end = -1;
    if (hold->reference == GOS_FLEX_MEAN_AXIS || !hold->at) {
        return GOS_OK;
    }
    m->origin = GOS_NEW(b->arena, double, 27 * n);
    m->across = GOS_NEW(b->arena, double, 27 * n);
    GOS_TRY(m->origin && m->across ? GOS_OK : GOS_E_MEMORY);
    m->held = gos__mesh_locations_find(m->locations, hold->at);
    take_location(m, m->held, m->origin);
    if (hold->reference == GOS_FLEX_CHORD) {
        m->end = gos__mesh_locations_find(m->locations, hold->chord_end);
        take_location(m, m->end, m->across);
        for (int k = 0; k < 27 * n; k++) {
            m->across[k] -= m->origin[k];
        }
        for (int c = 0; c < 3; c++) {
            m->along[c] = m->flex->x[m->end][c] - m->flex->x[m->held][c];
        }
        m->length = gos__norm3(m->along);
        for (int c = 0; c < 3; c++) {
            m->along[c] /= m->length;
        }
    }
    return GOS_OK;
}

/* Reference conditions hold to second order; *turned = NULL: no interfaces. In the builder's
 * arena; refers to the arguments. */
static gos_status mesh_turned(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                              const gos_mesh_locations *locations, const gos_mesh_hold *hold,
                              gos_mesh_turned **turned) {
    const gos_mesh_interfaces *list = &locations->interfaces;
    bool any = false, rigid = false;
    *turned = NULL;
    for (int i = 0; i < list->n; i++) {
        any = any || list->v[i].rigid || list->v[i].placed;
        rigid = rigid || list->v[i].rigid;
    }
    if (!any) {
        return GOS_OK;
    }
    gos_mesh_turned *m = GOS_NEW(b->arena, gos_mesh_turned, 1);
    GOS_TRY(m ? GOS_OK : GOS_E_MEMORY);
    *m = (gos_mesh_turned){.fe = fe, .flex = flex, .locations = locations};
    m->owner = GOS_NEW(b->arena, int, fe->mesh->nnode + 1);
    m->location = GOS_NEW(b->arena, int, list->n);
    m->force = GOS_NEW(b->arena, double, fe->freedom.n + 1);
    m->arm = GOS_NEW(b->arena, double, 9 * list->n);
    GOS_TRY(m->owner && m->location && m->force && m->arm ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < list->n; i++) {
        m->location[i] = gos__mesh_locations_find(locations, list->v[i].name);
        for (int k = 0; k < list->v[i].n && list->v[i].rigid; k++) {
            m->owner[list->v[i].node[k]] = 1 + i;
        }
    }
    GOS_TRY(find_held(b, hold, m));
    *turned = m;
    return rigid && flex->heat.n > 0 ? find_terms(b, m) : GOS_OK;
}

#define MAX_ENTRIES 2e7 // matrix entries of a full body: about 600 MB

typedef struct mesh_coupling {
    const gos_fe_body *fe;
    const gos_flex *flex;
    int *column;             // in `move`, then `turn` (freedoms)
    int *tcolumn;            // in `at`, then `across` (temperatures)
    double *u, *t;           // (freedoms), (temperatures)
    gos_mesh_turned *turned; // NULL: no rigid rotations
} mesh_coupling;

/* of A, then B; returns the number of entries */
static int column_of(const gos_sparse *A, const gos_sparse *B, int column, const int **row,
                     const double **x) {
    const gos_sparse *of = column < A->n ? A : B;
    const int j = column < A->n ? column : column - A->n, first = of->p[j];
    *row = of->i + first;
    *x = of->x + first;
    return of->p[j + 1] - first;
}

static int freedom_of(const mesh_coupling *m, int freedom, const int **row, const double **x) {
    return column_of(&m->flex->move, &m->flex->turn, m->column[freedom], row, x);
}

static double sum_of(int n, const int *row, const double *x, const double *of) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * of[row[k]];
    }
    return sum;
}

static void gather(const mesh_coupling *m, const double *u, const double *t) {
    const int *row;
    const double *x;
    for (int k = 0; k < m->fe->freedom.n; k++) {
        const int n = freedom_of(m, k, &row, &x);
        m->u[k] = sum_of(n, row, x, u);
    }
    for (int k = 0; t && k < m->fe->temperature.n; k++) {
        const int n = column_of(&m->flex->heat.at, &m->flex->heat.across, m->tcolumn[k], &row, &x);
        m->t[k] = sum_of(n, row, x, t);
    }
}

/* entries between amplitudes; only counted without a buffer */
static size_t fold(const mesh_coupling *m, const gos_sparse *A, int *i, int *j, double *v) {
    size_t count = 0;
    for (int column = 0; column < A->n; column++) {
        const int *row, *other;
        const double *x, *y;
        const int n = freedom_of(m, column, &row, &x);
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            const int many = freedom_of(m, A->i[k], &other, &y);
            for (int pair = 0; v && pair < n * many; pair++) {
                i[count + (size_t)pair] = other[pair / n];
                j[count + (size_t)pair] = row[pair % n];
                v[count + (size_t)pair] = y[pair / n] * x[pair % n] * A->x[k];
            }
            count += (size_t)n * (size_t)many;
        }
    }
    return count;
}

static gos_status between_amplitudes(const mesh_coupling *m, const gos_sparse *A, gos_sparse *G) {
    gos_ctx *ctx = m->fe->ctx;
    const size_t n = fold(m, A, NULL, NULL, NULL);
    if (n > INT32_MAX) {
        return GOS_E_LIMIT;
    }
    int *i = gos__alloc(ctx, 2 * n + 1, sizeof *i);
    double *v = gos__alloc(ctx, n + 1, sizeof *v);
    gos_status status = i && v ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        fold(m, A, i, i + n, v);
        status = gos__sparse_from_triplets(ctx, m->flex->n, m->flex->n, (int)n, i, i + n, v, G);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(G);
    }
    gos__free(ctx, i);
    gos__free(ctx, v);
    return status;
}

/* S (flex->n, flex->n) += B, which is consumed */
static gos_status add_form(gos_ctx *ctx, gos_sparse *S, gos_sparse *B) {
    gos_sparse all = {0};
    const gos_status status = gos__sparse_sum(ctx, 1, S, 1, B, &all);
    gos__sparse_free(ctx, B);
    if (status == GOS_OK) {
        gos__sparse_free(ctx, S);
        *S = all;
    }
    return status;
}

/* second-order work of link forces */
static gos_status add_links(const mesh_coupling *m, const double *t, gos_sparse *G) {
    gos_sparse links = {0};
    GOS_TRY(mesh_turned_links(m->turned, m->u, t ? m->t : NULL, &links));
    return add_form(m->fe->ctx, G, &links);
}

static gos_status stiffness(const void *of, bool inertia, const double *u, const double *t,
                            gos_sparse *G) {
    const mesh_coupling *m = of;
    gos_sparse A = {0};
    gather(m, u, t);
    const gos_fe_sums sums = {.G = &A, .u = m->u, .t = t ? m->t : NULL, .axial = inertia};
    gos_status status = gos__fe_assemble(m->fe, &sums);
    status = status == GOS_OK ? between_amplitudes(m, &A, G) : status;
    gos__sparse_free(m->fe->ctx, &A);
    return status == GOS_OK && m->turned ? add_links(m, t, G) : status;
}

/* second-order displacement by rotation; d is an axis */
static gos_status turned_sections(const mesh_coupling *m, int c, int d, gos_sparse *S) {
    gos_sparse A = {0};
    GOS_TRY(gos__fe_beams_turned(m->fe, c, d, &A));
    const gos_status status = between_amplitudes(m, &A, S);
    gos__sparse_free(m->fe->ctx, &A);
    return status;
}

static gos_status known(const void *of, int node, int c, int d, gos_sparse *S) {
    const mesh_coupling *m = of;
    gos_ctx *ctx = m->fe->ctx;
    gos_sparse sections = {0};
    if (!m->turned) {
        GOS_TRY(gos__sparse_alloc(ctx, m->flex->n, m->flex->n, 0, S));
    } else {
        GOS_TRY(node < 0 ? mesh_turned_moment(m->turned, c, d, S)
                : c < 3  ? mesh_turned_location(m->turned, node, c, S)
                         : mesh_turned_turn(m->turned, c - 3, S));
    }
    if (node >= 0 || d == 0 || !gos__fe_beams(m->fe)) {
        return GOS_OK;
    }
    GOS_TRY(turned_sections(m, c, d - 1, &sections));
    return add_form(ctx, S, &sections);
}

static void find_columns(mesh_coupling *m) {
    const gos_fe_body *fe = m->fe;
    for (int node = 0; node < fe->mesh->nnode; node++) {
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            const int number = gos__fe_number(&fe->freedom, node, c);
            if (number >= 0) {
                m->column[number] = 3 * node + c % 3 + (c < 3 ? 0 : m->flex->move.n);
            }
        }
        for (int c = 0; c < GOS_FE_HEATS; c++) {
            const int number = gos__fe_number(&fe->temperature, node, c);
            if (number >= 0) {
                m->tcolumn[number] = node + (c > 0 ? m->flex->heat.at.n : 0);
            }
        }
    }
}

gos_status gos__mesh_coupling(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                              const gos_mesh_locations *locations, const gos_mesh_hold *hold,
                              const gos_floating_names *names, const gos_flex_stress **stress) {
    mesh_coupling *m = GOS_NEW(b->arena, mesh_coupling, 1);
    gos_flex_stress *s = GOS_NEW(b->arena, gos_flex_stress, 1);
    GOS_TRY(m && s ? GOS_OK : GOS_E_MEMORY);
    *m = (mesh_coupling){.fe = fe, .flex = flex};
    m->column = GOS_NEW(b->arena, int, fe->freedom.n + 1);
    m->tcolumn = GOS_NEW(b->arena, int, fe->temperature.n + 1);
    m->u = GOS_NEW(b->arena, double, fe->freedom.n + 1);
    m->t = GOS_NEW(b->arena, double, fe->temperature.n + 1);
    GOS_TRY(m->column && m->tcolumn && m->u && m->t ? GOS_OK : GOS_E_MEMORY);
    find_columns(m);
    GOS_TRY(mesh_turned(b, fe, flex, locations, hold, &m->turned));
    *s = (gos_flex_stress){.of = m,
                           .stiffness = stiffness,
                           .known = m->turned || gos__fe_beams(fe) ? known : NULL,
                           .turns = gos__fe_beams(fe),
                           .nlocation = names->nseen,
                           .location = names->seen,
                           .most = MAX_ENTRIES};
    *stress = s;
    return GOS_OK;
}
