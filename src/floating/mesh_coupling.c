/* Stress stiffness of mesh bodies, between amplitudes. */
#include "floating/mesh_coupling.h"

#include "floating/mesh_turned.h"

#define MOST 2e7 // matrix entries of a full body: about 600 MB

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
    GOS_TRY(gos__mesh_turned_links(m->turned, m->u, t ? m->t : NULL, &links));
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
        GOS_TRY(node < 0 ? gos__mesh_turned_moment(m->turned, c, d, S)
                : c < 3  ? gos__mesh_turned_location(m->turned, node, c, S)
                         : gos__mesh_turned_turn(m->turned, c - 3, S));
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
                              const gos_mesh_locations *places, const gos_mesh_hold *hold,
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
    GOS_TRY(gos__mesh_turned(b, fe, flex, places, hold, &m->turned));
    *s = (gos_flex_stress){.of = m,
                           .stiffness = stiffness,
                           .known = m->turned || gos__fe_beams(fe) ? known : NULL,
                           .turns = gos__fe_beams(fe),
                           .nplace = names->nseen,
                           .place = names->seen,
                           .most = MOST};
    *stress = s;
    return GOS_OK;
}
