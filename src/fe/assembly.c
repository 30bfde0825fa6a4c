/* Assembly over cells: node neighbours and sparsity patterns once, then elements in batches of
   eight. Each thread sums the columns of a run of nodes from all batches that touch it, in the same
   order, so sums are bitwise equal to those of one thread. */
#include "base/pool.h"
#include "fe/layer.h"
#include "fe/mesh_body.h"

#define MIN_VOLUME_RATIO 1e-9 // smallest over largest volume of a cell's points
#define PAIRS (GOS_CELL_NODES * GOS_CELL_NODES)
#define MAX_FREEDOMS (3 * GOS_CELL_NODES) // freedoms of a cell
#define SHARED 1000                       // smallest number of cells for several threads
#define SHARES 16

/* ---- neighbours ------------------------------------------------------------------------------ */

static int cells_of(const gos_fe_body *body, const gos_fe_part *part) {
    return part->cell ? part->n : body->mesh->ncell;
}

/* cell k of a part, its nodes and shape; NULL: not in the part */
static const int *nodes_of(const gos_fe_body *body, const gos_fe_part *part, int k, int *cell,
                           gos_cell_shape *shape) {
    int i;
    *cell = part->cell ? part->cell[k] : k;
    const gos_cell_block *b = gos__mesh_cell(body->mesh, *cell, &i);
    *shape = b->shape;
    const bool in = part->cell || gos__cell_kind[b->shape].dim == part->element->dim;
    return in ? b->node + (size_t)i * gos__cell_kind[b->shape].nodes : NULL;
}

/* cells of each node: pointers to their nodes, and their number */
typedef struct around {
    size_t *start; // (nodes + 1)
    const int **cell;
    unsigned char *size;
} around;

static void count_cells(const gos_fe_body *body, size_t *start) {
    for (int p = 0; p < body->npart; p++) {
        const gos_fe_part *part = &body->part[p];
        for (int k = 0; k < cells_of(body, part); k++) {
            int cell;
            gos_cell_shape shape;
            const int *node = nodes_of(body, part, k, &cell, &shape);
            for (int i = 0; node && i < gos__cell_kind[shape].nodes; i++) {
                start[node[i] + 1]++;
            }
        }
    }
    for (int i = 0; i < body->mesh->nnode; i++) {
        start[i + 1] += start[i];
    }
}

/* starts are advanced to the ends while filling, then moved back */
static void fill_cells(const gos_fe_body *body, around *a) {
    for (int p = 0; p < body->npart; p++) {
        const gos_fe_part *part = &body->part[p];
        for (int k = 0; k < cells_of(body, part); k++) {
            int cell;
            gos_cell_shape shape;
            const int *node = nodes_of(body, part, k, &cell, &shape);
            for (int i = 0; node && i < gos__cell_kind[shape].nodes; i++) {
                const size_t at = a->start[node[i]]++;
                a->cell[at] = node;
                a->size[at] = (unsigned char)gos__cell_kind[shape].nodes;
            }
        }
    }
    for (int i = body->mesh->nnode; i > 0; i--) {
        a->start[i] = a->start[i - 1];
    }
    a->start[0] = 0;
}

static void sort(int n, int *list) {
    for (int i = 1; i < n; i++) {
        const int x = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > x; k--) {
            list[k] = list[k - 1];
        }
        list[k] = x;
    }
}

static int neighbours(const around *a, int node, int *mark, int *near) {
    int n = 0;
    for (size_t k = a->start[node]; k < a->start[node + 1]; k++) {
        for (int i = 0; i < a->size[k]; i++) {
            const int other = a->cell[k][i];
            if (mark[other] != node) {
                mark[other] = node;
                near[n++] = other;
            }
        }
    }
    return n;
}

static gos_status collect(gos_fe_body *body, around *a, int *mark) {
    const int n = body->mesh->nnode;
    size_t most = 0, total = 0;
    count_cells(body, a->start);
    a->cell = gos__alloc(body->ctx, a->start[n] + 1, sizeof *a->cell);
    a->size = gos__alloc(body->ctx, a->start[n] + 1, sizeof *a->size);
    GOS_TRY(a->cell && a->size ? GOS_OK : GOS_E_MEMORY);
    fill_cells(body, a);
    for (int i = 0; i < n; i++) {
        size_t entries = 0;
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++) {
            entries += a->size[k];
        }
        most = entries > most ? entries : most;
        mark[i] = -1;
    }
    // two passes: count, then list
    int *list = gos__alloc(body->ctx, most + 1, sizeof *list);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        total += (size_t)neighbours(a, i, mark, list);
        body->start[i + 1] = (int)total;
    }
    gos__free(body->ctx, list);
    GOS_TRY(total < INT32_MAX
                ? GOS_OK
                : gos__fail(body->ctx, GOS_E_LIMIT,
                            "the mesh has too many neighbours between nodes; use a smaller one"));
    body->near = gos__alloc(body->ctx, total + 1, sizeof *body->near);
    GOS_TRY(body->near ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        mark[i] = -1;
    }
    for (int i = 0; i < n; i++) {
        sort(neighbours(a, i, mark, body->near + body->start[i]), body->near + body->start[i]);
    }
    return GOS_OK;
}

gos_status gos__fe_graph(gos_fe_body *body) {
    const size_t n = (size_t)body->mesh->nnode + 1;
    around a = {.start = gos__zalloc(body->ctx, n, sizeof *a.start)};
    int *mark = gos__alloc(body->ctx, n, sizeof *mark);
    body->start = gos__zalloc(body->ctx, n, sizeof *body->start);
    const gos_status status =
        a.start && mark && body->start ? collect(body, &a, mark) : GOS_E_MEMORY;
    gos__free(body->ctx, a.start);
    gos__free(body->ctx, a.cell);
    gos__free(body->ctx, a.size);
    gos__free(body->ctx, mark);
    return status;
}

/* ---- patterns -------------------------------------------------------------------------------- */

static int count_of(const gos_fe_layout *l, int node) {
    return l->first[node + 1] - l->first[node];
}

gos_status gos__fe_layout_close(const gos_fe_body *body, gos_fe_layout *l) {
    const int n = body->mesh->nnode;
    bool differ = false;
    l->first = gos__alloc(body->ctx, (size_t)n + 1, sizeof *l->first);
    GOS_TRY(l->first ? GOS_OK : GOS_E_MEMORY);
    l->first[0] = 0;
    for (int i = 0; i < n; i++) {
        const int count = __builtin_popcount(l->mask[i]);
        l->first[i + 1] = l->first[i] + count;
        differ = differ || (count > 0 && l->each > 0 && count != l->each);
        l->each = count > 0 ? count : l->each;
    }
    l->n = l->first[n];
    if (!differ) {
        return GOS_OK;
    }
    l->each = 0;
    l->offset = gos__alloc(body->ctx, (size_t)body->start[n] + 1, sizeof *l->offset);
    GOS_TRY(l->offset ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        for (int k = body->start[i], sum = 0; k < body->start[i + 1]; k++) {
            l->offset[k] = sum;
            sum += count_of(l, body->near[k]);
        }
    }
    return GOS_OK;
}

/* number of entries in a column of a node */
static int length_of(const gos_fe_body *body, const gos_fe_layout *rows, int node) {
    const int from = body->start[node], to = body->start[node + 1];
    if (rows->each > 0 || from == to) {
        return (to - from) * rows->each;
    }
    return rows->offset[to - 1] + count_of(rows, body->near[to - 1]);
}

/* column starts, without rows and values */
static gos_status pattern(const gos_fe_body *body, const gos_fe_layout *rows,
                          const gos_fe_layout *columns, gos_sparse *A) {
    size_t nnz = 0;
    for (int i = 0; i < body->mesh->nnode; i++) {
        nnz += (size_t)length_of(body, rows, i) * (size_t)count_of(columns, i);
    }
    GOS_TRY(gos__sparse_alloc(body->ctx, rows->n, columns->n, nnz, A));
    for (int i = 0, at = 0; i < body->mesh->nnode; i++) {
        const int length = length_of(body, rows, i);
        for (int s = columns->first[i]; s < columns->first[i + 1]; s++) {
            A->p[s + 1] = at += length;
        }
    }
    return GOS_OK;
}

/* row indices in the columns of nodes from .. to - 1, all values 0 */
static void fill_rows(const gos_fe_body *body, const gos_fe_layout *rows,
                      const gos_fe_layout *columns, int from, int to, gos_sparse *A) {
    const int first = A->p[columns->first[from]], end = A->p[columns->first[to]];
    memset(A->x + first, 0, (size_t)(end - first) * sizeof *A->x);
    for (int i = from, at = first; i < to; i++) {
        const int length = length_of(body, rows, i), begin = at;
        for (int s = 0; s < count_of(columns, i); s++) {
            if (s > 0) {
                memcpy(A->i + at, A->i + begin, (size_t)length * sizeof *A->i);
                at += length;
            }
            for (int k = body->start[i]; s == 0 && k < body->start[i + 1]; k++) {
                for (int r = rows->first[body->near[k]]; r < rows->first[body->near[k] + 1]; r++) {
                    A->i[at++] = r;
                }
            }
        }
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* cells of one shape, collected into batches of eight */
typedef struct waiting {
    const void *data;
    int n;
    int cell[GOS_FE_LANES], at[GOS_FE_LANES];
    const int *node[GOS_FE_LANES];
} waiting;

typedef struct summing {
    const gos_fe_body *body;
    const gos_fe_sums *sums;
    const gos_fe_part *part;
    int number;    // index of the part; layers follow
    void **data;   // (parts, GOS_CELL_SHAPES)
    int from, to;  // nodes whose columns are summed
    double *lanes; // local matrices
    int *place;    // node i among the neighbours of node j (lanes, nodes, nodes)
    int bad;       // cell without volume, -1: none
} summing;

static int find(const int *list, int n, int x) {
    int at = 0;
    while (n > 1) { // list[at] <= x
        const int half = n / 2;
        at = list[at + half] <= x ? at + half : at;
        n -= half;
    }
    return at;
}

static void find_places(summing *s, const waiting *w, int nodes) {
    const gos_fe_body *b = s->body;
    for (int l = 0; l < w->n; l++) {
        int *place = s->place + l * PAIRS;
        for (int j = 0; j < nodes; j++) {
            const int from = b->start[w->node[l][j]], to = b->start[w->node[l][j] + 1];
            for (int i = 0; i < nodes; i++) {
                place[i * nodes + j] = find(b->near + from, to - from, w->node[l][i]);
            }
        }
    }
}

/* an element's unknowns among those of a node */
typedef struct slots {
    int n;
    int bit[GOS_FE_FREEDOMS];
} slots;

static void slots_of(unsigned mask, slots *s) {
    s->n = 0;
    for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
        if (mask >> c & 1) {
            s->bit[s->n++] = c;
        }
    }
}

static void within(const gos_fe_layout *l, int node, const slots *s, int at[GOS_FE_FREEDOMS]) {
    const unsigned mask = l->mask[node];
    for (int r = 0; r < s->n; r++) {
        at[r] = __builtin_popcount(mask & ((1u << s->bit[r]) - 1));
    }
}

/* block of neighbour `place` in the first column of a node */
static size_t block_at(const gos_fe_body *b, const gos_sparse *A, const gos_fe_layout *rows,
                       const gos_fe_layout *columns, int node, int place) {
    const int offset = rows->each > 0 ? rows->each * place : rows->offset[b->start[node] + place];
    return (size_t)A->p[columns->first[node]] + (size_t)offset;
}

/* add L (nodes * rows, nodes * columns); symmetric: filled from the diagonal upwards */
static void scatter(const summing *s, const waiting *w, int nodes, const double *L, bool symmetric,
                    const gos_fe_layout *rows, const slots *row, const gos_fe_layout *columns,
                    const slots *column, gos_sparse *A) {
    const gos_fe_body *b = s->body;
    const int stride = nodes * column->n;
    for (int l = 0; l < w->n; l++) {
        const int *node = w->node[l], *place = s->place + l * PAIRS;
        int ra[GOS_CELL_NODES][GOS_FE_FREEDOMS], ca[GOS_CELL_NODES][GOS_FE_FREEDOMS];
        for (int i = 0; i < nodes; i++) {
            within(rows, node[i], row, ra[i]);
            within(columns, node[i], column, ca[i]);
        }
        for (int j = 0; j < nodes; j++) {
            if (node[j] < s->from || node[j] >= s->to) {
                continue;
            }
            const size_t length = (size_t)length_of(b, rows, node[j]);
            for (int i = 0; i < nodes; i++) {
                double *to = A->x + block_at(b, A, rows, columns, node[j], place[i * nodes + j]);
                for (int c = 0; c < column->n; c++) {
                    for (int r = 0; r < row->n; r++) {
                        const int p = i * row->n + r, q = j * column->n + c;
                        const bool above = !symmetric || p <= q;
                        const size_t from = above ? (size_t)p * stride + q : (size_t)q * stride + p;
                        to[ca[j][c] * length + ra[i][r]] += L[8 * from + l];
                    }
                }
            }
        }
    }
}

/* consecutive buffers for the requested matrices */
static void local_rooms(const summing *s, int nodes, gos_fe_local *local, size_t scratch) {
    const gos_fe_element *e = s->part->element;
    const int nd = nodes * e->comps, nt = nodes * e->heats;
    double *at = s->lanes;
    *local = (gos_fe_local){0};
#define ROOM(to, wanted, size)                                                                     \
    if (wanted) {                                                                                  \
        local->to = at;                                                                            \
        at += 8 * (size_t)(size);                                                                  \
    }
    ROOM(K, s->sums->K, nd * nd)
    ROOM(mass, s->sums->mass, nodes * nodes)
    ROOM(rotary, s->sums->rotary && e->directors, nodes * nodes)
    ROOM(moment, s->sums->moment && e->directors, nodes * nodes)
    ROOM(C, s->sums->C, nt * nt)
    ROOM(conduct, s->sums->conduct, nt * nt)
    ROOM(couple, s->sums->couple, nd * nt)
    ROOM(G, s->sums->G, nd * nd)
    ROOM(least, true, 1)
    ROOM(scratch, scratch > 0, scratch / 8)
#undef ROOM
}

static size_t room_of(const gos_fe_element *e, gos_cell_shape shape, size_t scratch) {
    const size_t n = (size_t)gos__cell_kind[shape].nodes;
    const size_t nd = n * (size_t)e->comps, nt = n * (size_t)e->heats;
    return 8 * (2 * nd * nd + 3 * n * n + 2 * nt * nt + nd * nt + 1) + scratch + 8;
}

static int without_volume(const waiting *w, const double *least) {
    for (int l = 0; l < w->n; l++) {
        if (!(least[l] > MIN_VOLUME_RATIO)) {
            return w->cell[l];
        }
    }
    return -1;
}

static gos_status refuse(const summing *s) {
    return gos__fail_at(
        s->body->ctx, GOS_E_INPUT, gos__fe_cell_loc(s->body, s->part, s->bad), s->part->object,
        "cell %lld has no volume, or is inverted, at a quadrature point; its corners must be "
        "ordered counter-clockwise, and mid-edge nodes must be near the middle of their edges",
        (long long)gos__mesh_cell_tag(s->body->mesh, s->bad));
}

static void add(const summing *s, const waiting *w, int nodes, const gos_fe_local *local) {
    const gos_fe_body *b = s->body;
    const gos_fe_element *e = s->part->element;
    slots move, heat, one;
    slots_of(e->freedoms, &move);
    slots_of(e->heats > 1 ? 3 : 1, &heat);
    slots_of(1, &one);
#define ADD(L, symmetric, rows, row, columns, column, A)                                           \
    if (local->L) {                                                                                \
        scatter(s, w, nodes, local->L, symmetric, &b->rows, &row, &b->columns, &column,            \
                s->sums->A);                                                                       \
    }
    ADD(K, true, freedom, move, freedom, move, K)
    ADD(G, true, freedom, move, freedom, move, G)
    ADD(mass, true, node, one, node, one, mass)
    ADD(rotary, true, node, one, node, one, rotary)
    ADD(moment, true, node, one, node, one, moment)
    ADD(C, true, temperature, heat, temperature, heat, C)
    ADD(conduct, true, temperature, heat, temperature, heat, conduct)
    ADD(couple, false, freedom, move, temperature, heat, couple)
#undef ADD
}

/* int rho z^2 of sheets: thickness^2 / 12 times their mass */
static void add_across(const summing *s, const waiting *w, int nodes, const gos_fe_local *local) {
    const gos_fe_element *e = s->part->element;
    for (int k = 0; k < nodes * nodes && e->thick && !e->directors; k++) {
        const double twice = k % nodes > k / nodes ? 2 : k % nodes == k / nodes;
        for (int l = 0; l < w->n && twice > 0; l++) {
            *s->sums->across +=
                twice * local->mass[8 * k + l] * s->part->thickness * s->part->thickness / 12;
        }
    }
}

static void stress_stiffness(const summing *s, const waiting *w, int nodes, double *G) {
    const gos_fe_element *e = s->part->element;
    const int nd = nodes * e->comps;
    double own[MAX_FREEDOMS * MAX_FREEDOMS], u[MAX_FREEDOMS], t[GOS_FE_HEATS * GOS_CELL_NODES];
    gos_fe_cell cell;
    for (int l = 0; l < w->n; l++) {
        gos__fe_cell_make(s->body, s->part, w->at[l], w->cell[l], &cell);
        gos__fe_gather(&s->body->freedom, e->freedoms, nodes, w->node[l], s->sums->u, u);
        gos__fe_gather(&s->body->temperature, e->heats > 1 ? 3 : 1, nodes, w->node[l], s->sums->t,
                       t);
        if (s->part->offset != 0) {
            gos__fe_layer_values(s->part, &cell, u, t);
        }
        cell.axial = s->sums->axial;
        e->stress_stiffness(w->data, &cell, u, t, own);
        for (int k = 0; k < nd * nd; k++) {
            G[8 * k + l] = own[k];
        }
    }
}

static bool has_columns(const summing *s, const waiting *w, int nodes) {
    for (int i = 0; i < w->n * nodes; i++) {
        const int node = w->node[i / nodes][i % nodes];
        if (node >= s->from && node < s->to) {
            return true;
        }
    }
    return false;
}

static void fill_batch(const summing *s, const waiting *w, gos_fe_batch *batch, double *x,
                       double *director, gos_fe_material *own) {
    const gos_fe_element *e = s->part->element;
    for (int l = 0; l < GOS_FE_LANES; l++) {
        const int from = l < w->n ? l : w->n - 1;
        batch->cell[l] = w->cell[from];
        batch->at[l] = w->at[from];
        for (int k = 0; k < 3 * batch->nodes; k++) {
            const int node = w->node[from][k / 3];
            x[8 * k + l] = s->body->mesh->x[node][k % 3];
        }
        if (e->directors) {
            double normal[4][3];
            gos__fe_cell_directors(s->body, batch->nodes, w->node[from], normal);
            for (int k = 0; k < 3 * batch->nodes; k++) {
                director[8 * k + l] = normal[k / 3][k % 3];
            }
        }
        if (s->part->axes_by_cell && !e->directors) {
            gos__fe_part_material(s->part, w->at[from], &own[l]);
            batch->own = own;
        }
    }
    if (s->part->offset != 0) {
        gos__fe_layer_location(s->part, batch->nodes, director, x);
    }
}

/* false: a cell has no volume */
static bool flush(summing *s, gos_cell_shape shape, waiting *w) {
    const gos_fe_element *e = s->part->element;
    const int nodes = gos__cell_kind[shape].nodes;
    _Alignas(64) double x[8 * 3 * GOS_CELL_NODES], director[8 * 3 * GOS_CELL_NODES];
    gos_fe_material own[GOS_FE_LANES];
    gos_fe_local local;
    gos_fe_batch batch = {
        .part = s->part, .shape = shape, .nodes = nodes, .x = x, .director = director};
    if (!has_columns(s, w, nodes)) {
        w->n = 0;
        return true;
    }
    fill_batch(s, w, &batch, x, director, own);
    local_rooms(s, nodes, &local, e->scratch(w->data));
    e->matrices(w->data, &batch, &local);
    s->bad = without_volume(w, local.least);
    if (s->bad >= 0) {
        return false;
    }
    if (local.G) {
        stress_stiffness(s, w, nodes, local.G);
    }
    if (s->part->offset != 0) {
        gos__fe_layer_shift(s->part, nodes, director, &local);
    }
    find_places(s, w, nodes);
    add(s, w, nodes, &local);
    if (local.mass && s->sums->across) {
        add_across(s, w, nodes, &local);
    }
    w->n = 0;
    return true;
}

static bool sum_part(summing *s) {
    waiting wait[GOS_CELL_SHAPES] = {{0}};
    for (int k = 0; k < cells_of(s->body, s->part); k++) {
        int cell;
        gos_cell_shape shape;
        const int *node = nodes_of(s->body, s->part, k, &cell, &shape);
        if (!node) {
            continue;
        }
        waiting *w = &wait[shape];
        w->data = s->data[s->number * GOS_CELL_SHAPES + shape];
        w->cell[w->n] = cell;
        w->at[w->n] = k;
        w->node[w->n++] = node;
        if (w->n == GOS_FE_LANES && !flush(s, shape, w)) {
            return false;
        }
    }
    for (int i = 0; i < GOS_CELL_SHAPES; i++) {
        if (wait[i].n > 0 && !flush(s, (gos_cell_shape)i, &wait[i])) {
            return false;
        }
    }
    return true;
}

static int parts_of(const gos_fe_body *b) {
    return b->npart + b->nlayer;
}

static const gos_fe_part *part_of(const gos_fe_body *b, int p) {
    return p < b->npart ? &b->part[p] : &b->layer[p - b->npart];
}

/* matrices with their row and column layouts */
#define MATRICES(X)                                                                                \
    X(K, freedom, freedom)                                                                         \
    X(G, freedom, freedom)                                                                         \
    X(mass, node, node)                                                                            \
    X(rotary, node, node)                                                                          \
    X(moment, node, node)                                                                          \
    X(C, temperature, temperature)                                                                 \
    X(conduct, temperature, temperature)                                                           \
    X(couple, freedom, temperature)

static gos_status patterns(const gos_fe_body *b, const gos_fe_sums *sums) {
#define PATTERN(A, rows, columns)                                                                  \
    if (sums->A) {                                                                                 \
        GOS_TRY(pattern(b, &b->rows, &b->columns, sums->A));                                       \
    }
    MATRICES(PATTERN)
#undef PATTERN
    return GOS_OK;
}

/* Filling rows here lets threads share the first access to new memory, a third of the time. */
static void sum_share(void *arg, int number) {
    summing *s = (summing *)arg + number;
    const gos_fe_body *b = s->body;
#define FILL(A, rows, columns)                                                                     \
    if (s->sums->A) {                                                                              \
        fill_rows(b, &b->rows, &b->columns, s->from, s->to, s->sums->A);                           \
    }
    MATRICES(FILL)
#undef FILL
    for (int p = 0; p < parts_of(b) && s->bad < 0; p++) {
        s->number = p;
        s->part = part_of(b, p);
        (void)sum_part(s);
    }
}

/* *room: doubles for the largest matrices */
static gos_status prepare(const gos_fe_body *b, gos_arena *arena, void **data, size_t *room) {
    *room = 0;
    for (int p = 0; p < parts_of(b); p++) {
        const gos_fe_part *part = part_of(b, p);
        for (int k = 0; k < cells_of(b, part); k++) {
            int cell;
            gos_cell_shape shape;
            void **to = data + p * GOS_CELL_SHAPES;
            if (!nodes_of(b, part, k, &cell, &shape) || to[shape]) {
                continue;
            }
            GOS_TRY(part->element->prepare(b->ctx, part, shape, arena, &to[shape]));
            const size_t own = room_of(part->element, shape, part->element->scratch(to[shape]));
            *room = own > *room ? own : *room;
        }
    }
    return GOS_OK;
}

/* Sums over all cells and cell-wise matrices need a single thread. */
static int count_shares(const gos_fe_body *b, const gos_fe_sums *sums) {
    const int threads = gos__pool_threads(gos__ctx_pool(b->ctx));
    bool alone = b->mesh->ncell < SHARED || sums->G;
    for (int p = 0; p < parts_of(b); p++) {
        const gos_fe_element *e = part_of(b, p)->element;
        alone = alone || (sums->across && e->thick && !e->directors);
    }
    return alone ? 1 : threads < SHARES ? threads : SHARES;
}

/* runs of nodes with similar numbers of neighbours */
static void divide(const gos_fe_body *b, int n, summing *s) {
    const int nnode = b->mesh->nnode;
    for (int k = 0, at = 0; k < n; k++) {
        s[k].from = at;
        while (at < nnode &&
               (k == n - 1 || (double)b->start[at] * n < (double)b->start[nnode] * (k + 1))) {
            at++;
        }
        s[k].to = at;
    }
}

/* the cell that a single thread would report */
static gos_status first_bad(const summing *s, int n) {
    const summing *first = NULL;
    for (int k = 0; k < n; k++) {
        const bool before =
            s[k].bad >= 0 && (!first || s[k].number < first->number ||
                              (s[k].number == first->number && s[k].bad < first->bad));
        first = before ? &s[k] : first;
    }
    return first ? refuse(first) : GOS_OK;
}

gos_status gos__fe_assemble(const gos_fe_body *body, const gos_fe_sums *sums) {
    gos_ctx *ctx = body->ctx;
    summing s[SHARES] = {{0}};
    const int n = count_shares(body, sums);
    size_t room = 0;
    gos_arena *arena = gos__arena_create(ctx);
    void **data = gos__zalloc(ctx, (size_t)(parts_of(body) * GOS_CELL_SHAPES) + 1, sizeof *data);
    gos_status status = arena && data ? patterns(body, sums) : GOS_E_MEMORY;
    status = status == GOS_OK ? prepare(body, arena, data, &room) : status;
    for (int k = 0; k < n; k++) {
        s[k] = (summing){.body = body, .sums = sums, .data = data, .bad = -1};
        s[k].place = gos__alloc(ctx, GOS_FE_LANES * PAIRS, sizeof *s[k].place);
        s[k].lanes = gos__alloc(ctx, room + 1, sizeof *s[k].lanes);
        status = s[k].place && s[k].lanes ? status : GOS_E_MEMORY;
    }
    if (sums->across) {
        *sums->across = 0;
    }
    if (status == GOS_OK) {
        divide(body, n, s);
        gos__pool_run(gos__ctx_pool(ctx), n, sum_share, s);
        status = first_bad(s, n);
    }
    for (int k = 0; k < n; k++) {
        gos__free(ctx, s[k].place);
        gos__free(ctx, s[k].lanes);
    }
    gos__free(ctx, data);
    gos__arena_destroy(arena);
    return status;
}
