/* Body type matrices: user-supplied system matrices. Reading, inputs and outputs; see
 * matrices_location.c (coordinates, nodes), matrices_nodes.c (node tables). */
#include "bodies/bodies.h"

#include <math.h>
#include <strings.h>

#include "base/base.h"
#include "bodies/matrices_body.h"
#include "bodies/matrices_calculix.h"
#include "deck/nastran.h"
#include "floating/matrices_floating.h"
#include "linalg/matrix_market.h"
#include "linalg/output4.h"

static gos_status unknown(gos_ctx *ctx, const gos_body *b, bool output, const char *name,
                          gos_loc loc, const char *object) {
    const gos_matrices_body *m = b->par;
    const char *what = output ? "output" : "input";
    const int n = output ? m->linear->ny : m->linear->nu;
    const char *near = gos__suggest(name, m->port[output], n);
    if (n == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no %ss; give the matrix %s", b->name, what,
                            output ? "C" : "B");
    }
    if (near) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no %s '%s' (did you mean '%s'?)", b->name, what, name,
                            near);
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "body '%s' has no %s '%s'; it has %d, from '%s' to '%s'", b->name, what,
                        name, n, m->port[output][0], m->port[output][n - 1]);
}

/* Borrows column j of A as index and weight lists. */
static int column(const gos_sparse *A, int j, const int **i, const double **x) {
    *i = A->i + A->p[j];
    *x = A->x + A->p[j];
    return A->p[j + 1] - A->p[j];
}

static gos_status input_signal(gos_arena *a, const gos_matrices_body *m, int j, gos_signal *s) {
    const int *i;
    const double *x;
    const int n = column(&m->linear->block[m->first ? GOS_BLOCK_B_T : GOS_BLOCK_B], j, &i, &x);
    return gos__matrices_signal(a, m, n, i, x, s->m, &s->tm);
}

static gos_status row_signal(gos_ctx *ctx, gos_arena *a, const gos_matrices_body *m,
                             gos_block block, int r, gos_marker to[3], gos_tmarker *heat) {
    gos_sparse T;
    const int *i;
    const double *x;
    GOS_TRY(gos__sparse_transpose(ctx, &m->linear->block[block], &T));
    const int n = column(&T, r, &i, &x);
    const gos_status status = gos__matrices_signal(a, m, n, i, x, to, heat);
    gos__sparse_free(ctx, &T);
    return status;
}

static gos_status direct_part(gos_arena *a, const gos_sparse *F, int r, gos_signal *s) {
    int *input = GOS_NEW(a, int, F->n + 1);
    double *factor = GOS_NEW(a, double, F->n + 1);
    if (!input || !factor) {
        return GOS_E_MEMORY;
    }
    s->input = input;
    s->factor = factor;
    for (int j = 0; j < F->n; j++) {
        for (int k = F->p[j]; k < F->p[j + 1]; k++) {
            if (F->i[k] == r) {
                input[s->n] = j;
                factor[s->n++] = F->x[k];
            }
        }
    }
    return GOS_OK;
}

static gos_status output_signal(gos_ctx *ctx, gos_arena *a, const gos_matrices_body *m, int r,
                                gos_signal *s) {
    const gos_sparse *F = &m->linear->block[GOS_BLOCK_Y_u];
    GOS_TRY(direct_part(a, F, r, s));
    if (m->first) {
        return row_signal(ctx, a, m, GOS_BLOCK_Y_T, r, NULL, &s->tm);
    }
    GOS_TRY(row_signal(ctx, a, m, GOS_BLOCK_Y_q, r, s->m, NULL));
    return row_signal(ctx, a, m, GOS_BLOCK_Y_v, r, s->md, NULL);
}

static gos_status matrices_port(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output,
                                const char *name, gos_loc loc, const char *object, int *number,
                                gos_signal *s) {
    const gos_matrices_body *m = b->par;
    const int n = output ? m->linear->ny : m->linear->nu;
    *s = (gos_signal){.unit = ""};
    for (int i = 0; i < n; i++) {
        if (strcmp(m->port[output][i], name) == 0) {
            *number = i;
            return output ? output_signal(ctx, a, m, i, s) : input_signal(a, m, i, s);
        }
    }
    return unknown(ctx, b, output, name, loc, object);
}

#define FILES(X)                                                                                   \
    X(M, "second order: mass, M q'' + D q' + K q = B u")                                           \
    X(D, "second order: damping")                                                                  \
    X(K, "second order: stiffness")                                                                \
    X(G, "second order: constraints, G q = 0")                                                     \
    X(E, "first order: E x' = A x + B u; default: identity")                                       \
    X(A, "first order: state matrix")                                                              \
    X(B, "inputs")                                                                                 \
    X(C, "outputs, y = C q or C x")                                                                \
    X(C_v, "second order: velocity outputs, + C_v q'")                                             \
    X(F, "feedthrough, + F u")

typedef struct matrices {
#define X(name, doc) const char *name;
    FILES(X)
#undef X
    int symmetric, order;
    gos_texts inputs, outputs;
    gos_numbers q0, v0;
    const char *calculix, *nodes;
    double scale;
    gos_matrices_frame frame;
} matrices;

#define FLOATING offsetof(matrices, frame.def)

static const gos_param params[] = {
#define X(file, text)                                                                              \
    {.name = #file,                                                                                \
     .kind = GOS_K_TEXT,                                                                           \
     .unit = "",                                                                                   \
     .offset = offsetof(matrices, file),                                                           \
     .doc =                                                                                        \
         "file of Matrix Market, or of Nastran: OUTPUT4 (.op4) or DMIG cards (.pch, .bdf, "        \
         ".nas, .dat), with :NAME if it has several matrices; below the model's folder; " text},
    FILES(X)
#undef X
        {.name = "calculix",
         .kind = GOS_K_TEXT,
         .unit = "",
         .offset = offsetof(matrices, calculix),
         .doc = "instead of M and K: name of a CalculiX job with *FREQUENCY, SOLVER=MATRIXSTORAGE, "
                "below the model's folder. NAME.sti is K, NAME.mas is M; NAME.dof and NAME.inp "
                "assign rows to node displacements. Joints, loads and probes refer to a node as "
                "BODY.n followed by its number"},
    {.name = "symmetric",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(matrices, symmetric),
     .doc = "require symmetric M, D, K or E, A, to 1e-10 of their largest entries"},
    {.name = "order",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "given",
     .choices = "given|second",
     .offset = offsetof(matrices, order),
     .doc = "second: convert A = [0 I; -K -D], E = [I 0; 0 M], B = [0; B_2] to second order"},
    {.name = "inputs",
     .kind = GOS_K_NAMES,
     .unit = "",
     .offset = offsetof(matrices, inputs),
     .doc = "names of the inputs; default: u1, u2, ..."},
    {.name = "outputs",
     .kind = GOS_K_NAMES,
     .unit = "",
     .offset = offsetof(matrices, outputs),
     .doc = "names of the outputs; default: y1, y2, ..."},
    {.name = "q0",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(matrices, q0),
     .doc = "coordinates (first order: states) at t = 0, one per row; default: 0"},
    {.name = "v0",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(matrices, v0),
     .doc = "second order: velocities of the coordinates at t = 0; default: 0"},
    {.name = "nodes",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(matrices, nodes),
     .doc = "second order: table (CSV) of nodes with columns name, x, y, z [m] and ux, uy, uz, rx, "
            "ry, rz: the matrix rows of its displacements [m] and rotations [rad], empty where "
            "locked; joints, loads and probes refer to a node as BODY.NAME"},
    {.name = "scale",
     .kind = GOS_K_NUMBER,
     .unit = "",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(matrices, scale),
     .doc = "magnitude of the coordinates, to which the tolerance of a run is relative; default: "
            "the extent of the model, or 1 if it has none"},
    {.name = "frame",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "none",
     .choices = "none|floating",
     .offset = offsetof(matrices, frame.floating),
     .doc = "floating: a free body in a floating frame of reference, for arbitrary rigid-body "
            "motion; gravity and mass act, and joints, loads and probes attach to its nodes. Every "
            "coordinate must belong to a node. The mass must be scalar between nodes (solid "
            "elements, lumped masses), plus inertia of single nodes"},
    GOS_FLOATING_REFERENCE(FLOATING, "mean_axis",
                           "reference of the floating frame: the node `at` with its rotations; "
                           "that node and `chord_end`; or the mean axis of the whole body"),
    {.name = "at",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(matrices, frame.at),
     .doc = "reference node and origin of the frame; default: the first node"},
    {.name = "chord_end",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(matrices, frame.far),
     .doc = "other end of the chord; default: the last node"},
    GOS_FLOATING_DAMPING(FLOATING),
    GOS_FLOATING_REDUCE(FLOATING),
    GOS_FLOATING_VECTOR(FLOATING, velocity, "m/s", "floating: velocity of the origin at t = 0"),
    GOS_FLOATING_VECTOR(FLOATING, angular_velocity, "rad/s",
                        "floating: angular velocity at t = 0, global axes"),
    {0}};

typedef struct reading {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_sparse A[10];
    gos_matrix_view view[10];
    bool list[10];    // without banner and sizes
    const char *dmig; // file of DMIG cards; NULL: none
    int n;
    size_t bytes; // of all files
    int nnode;    // of the CalculiX deck
    gos_matrices_node *node;
} reading;

static gos_loc loc_of(const reading *r, const char *key) {
    const gos_node *n = gos__node_get(r->entry, key);
    return n ? n->loc : r->entry->key_loc;
}

/* Returns 0 for missing or unreadable files; reading reports them. */
static size_t bytes_of(const reading *r, const char *name) {
    const char *folder = r->b->model->folder;
    char *path = name && folder ? gos__arena_printf(r->b->arena, "%s/%s", folder, name) : NULL;
    return path ? gos__file_size(path) : 0;
}

static void view_of(reading *r, const gos_matrix_view **to) {
    const gos_sparse *A = &r->A[r->n];
    r->view[r->n] = (gos_matrix_view){A->m, A->n, A->nnz, A->p, A->i, A->x};
    *to = &r->view[r->n++];
}

static void tell_triangle(const reading *r, const char *key, gos_triangle triangle) {
    char text[200];
    if (triangle == GOS_TRIANGLE_LOWER || triangle == GOS_TRIANGLE_UPPER) {
        gos__format(text, sizeof text,
                    "the file of %s has no Matrix Market banner and entries in the %s triangle "
                    "only: the matrix is read as symmetric",
                    key, triangle == GOS_TRIANGLE_LOWER ? "lower" : "upper");
        gos__note(r->b->ctx, r->object, text);
    }
}

typedef enum kind_of_file { LIST, OUTPUT4, DMIG } kind_of_file;

/* by the ending, before a colon and the name of a matrix; *matrix NULL: none */
static kind_of_file kind_of(const char *name, const char **matrix) {
    static const char *const bulk[] = {".pch", ".bdf", ".nas", ".dat"};
    const char *colon = strrchr(name, ':');
    const size_t n = colon ? (size_t)(colon - name) : strlen(name);
    const char *end = name + n - 4;
    *matrix = colon ? colon + 1 : NULL;
    for (int i = 0; n > 4 && i < GOS_COUNT(bulk); i++) {
        if (strncasecmp(end, bulk[i], 4) == 0) {
            return DMIG;
        }
    }
    return n > 4 && strncasecmp(end, ".op4", 4) == 0 ? OUTPUT4 : LIST;
}

/* rows of DMIG are those of its file */
static gos_status same_file(reading *r, const char *name, gos_loc loc) {
    if (r->dmig && strcmp(r->dmig, name) != 0) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc, r->object,
                            "rows of DMIG matrices are the grid points of their file, so all must "
                            "be in one: '%s' and '%s'; join them",
                            r->dmig, name);
    }
    r->dmig = name;
    return GOS_OK;
}

/* Reads a matrix file, if given; otherwise *to stays NULL. M, D, K may be lists. */
static gos_status read_one(reading *r, const char *key, const char *name,
                           const gos_matrix_view **to) {
    const char *path;
    gos_model *m = r->b->model;
    if (!name) {
        return GOS_OK;
    }
    const char *matrix;
    const gos_loc loc = loc_of(r, key);
    const kind_of_file kind = kind_of(name, &matrix);
    name = kind == LIST || !matrix
               ? name
               : gos__arena_printf(r->b->arena, "%.*s", (int)(matrix - 1 - name), name);
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(kind == DMIG ? same_file(r, name, loc) : GOS_OK);
    GOS_TRY(gos__path_below(r->b->ctx, m->folder, name, loc, r->object, r->b->arena, &path));
    gos_sparse *A = &r->A[r->n];
    gos_triangle triangle = GOS_TRIANGLE_NONE;
    const bool square = strchr("MDK", key[0]) && key[1] == '\0';
    GOS_TRY(kind == OUTPUT4 ? gos__output4_read(r->b->ctx, path, matrix, loc, r->object, A)
            : kind == DMIG  ? gos__nastran_matrix_read(r->b->ctx, path, matrix, loc, r->object, A)
                            : gos__matrix_list_read(r->b->ctx, path, r->bytes, loc, r->object,
                                                   square ? &triangle : NULL, A));
    r->list[r->n] = triangle != GOS_TRIANGLE_NONE;
    tell_triangle(r, key, triangle);
    m->tables = gos__hash(m->tables, A->p, (A->n + 1L) * sizeof *A->p);
    m->tables = gos__hash(m->tables, A->i, A->nnz * sizeof *A->i);
    m->tables = gos__hash(m->tables, A->x, A->nnz * sizeof *A->x);
    view_of(r, to);
    return GOS_OK;
}

/* An order from the largest index misses rows without entries at the end: lists get that of the
   largest matrix. */
static gos_status widen_lists(reading *r) {
    int order = 0;
    for (int i = 0; i < r->n; i++) {
        order = r->A[i].n > order && r->A[i].m == r->A[i].n ? r->A[i].n : order;
    }
    for (int i = 0; i < r->n; i++) {
        gos_sparse *A = &r->A[i];
        int *p = r->list[i] ? gos__alloc(r->b->ctx, order + 1L, sizeof *p) : NULL;
        if (!r->list[i]) {
            continue;
        }
        GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
        for (int j = 0; j <= order; j++) {
            p[j] = A->p[j < A->n ? j : A->n];
        }
        gos__free(r->b->ctx, A->p);
        A->p = p;
        A->m = A->n = order;
        r->view[i] = (gos_matrix_view){A->m, A->n, A->nnz, A->p, A->i, A->x};
    }
    return GOS_OK;
}

static gos_status check_stiffness(const reading *r, const gos_matrix_view *K) {
    for (int j = 0; K && r->list[K - r->view] && j < K->columns; j++) {
        if (K->start[j + 1] == K->start[j]) {
            return gos__fail_at(
                r->b->ctx, GOS_E_INPUT, loc_of(r, "K"), r->object,
                "row %d of %d of the stiffness has no entry; its file is truncated, "
                "or that of another matrix is longer; give complete files",
                j + 1, K->columns);
        }
    }
    return GOS_OK;
}

/* Reads M, K and, without a node table, the nodes of the deck. */
static gos_status read_calculix(reading *r, const matrices *in, gos_matrices *m) {
    const gos_loc loc = loc_of(r, "calculix");
    if (!in->calculix) {
        return GOS_OK;
    }
    if (in->M || in->K || in->A || in->E) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc, r->object,
                            "give either calculix or the single matrices (M, K; E, A)");
    }
    GOS_TRY(gos__matrices_calculix_read(r->b, in->calculix, loc, r->object, &r->A[r->n],
                                        &r->A[r->n + 1], in->nodes ? NULL : &r->nnode, &r->node));
    view_of(r, &m->K);
    view_of(r, &m->M);
    return GOS_OK;
}

static gos_status make_ports(const reading *r, const char *key, const gos_texts *names, int n,
                             gos_port **list) {
    if (names->n == 0) {
        return GOS_OK;
    }
    if (names->n != n) {
        return gos__fail_at(
            r->b->ctx, GOS_E_INPUT, loc_of(r, key), r->object,
            "there are %d names of %s, but the matrices have %d; give one name each", names->n, key,
            n);
    }
    *list = GOS_NEW(r->b->arena, gos_port, n);
    for (int i = 0; i < n && *list; i++) {
        (*list)[i] = (gos_port){names->v[i], ""};
    }
    return *list ? GOS_OK : GOS_E_MEMORY;
}

static void destroy(void *linear) {
    gos_linear_destroy(linear);
}

/* Reports errors at the location of the body. */
static gos_status make_linear(const reading *r, const gos_matrices *m) {
    gos_ctx *ctx = r->b->ctx, *quiet = gos__ctx_quiet(ctx);
    gos_linear *trial = NULL, *linear = NULL;
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_status status = gos_linear_from_matrices(quiet, m, &trial);
    if (status != GOS_OK) {
        const int n = gos_ctx_ndiag(quiet);
        status = gos__fail_at(ctx, status, r->entry->key_loc, r->object, "%s",
                              n > 0 ? gos_ctx_diag(quiet, n - 1)->text : gos_status_text(status));
    }
    gos_linear_destroy(trial);
    gos_ctx_destroy(quiet);
    GOS_TRY(status);
    GOS_TRY(gos_linear_from_matrices(ctx, m, &linear));
    r->b->linear = linear;
    return gos__arena_defer(r->b->arena, destroy, linear);
}

static gos_status read_all(reading *r, const matrices *in) {
    gos_matrices m = {.symmetric = in->symmetric != 0, .second_order = in->order == 1};
    gos_port *inputs = NULL, *outputs = NULL;
    GOS_TRY(read_calculix(r, in, &m));
#define X(name, doc) r->bytes += bytes_of(r, in->name);
    FILES(X)
#undef X
#define X(name, doc) GOS_TRY(read_one(r, #name, in->name, &m.name));
    FILES(X)
#undef X
    GOS_TRY(widen_lists(r));
    GOS_TRY(check_stiffness(r, m.K));
    const gos_matrix_view *Y = m.C ? m.C : m.C_v;
    GOS_TRY(make_ports(r, "inputs", &in->inputs, m.B ? m.B->columns : 0, &inputs));
    GOS_TRY(make_ports(r, "outputs", &in->outputs, Y ? Y->rows : 0, &outputs));
    m.inputs = inputs;
    m.outputs = outputs;
    return make_linear(r, &m);
}

static const gos_body_ops body_ops = {.locate = gos__matrices_locate,
                                      .position = gos__matrices_position,
                                      .direction = gos__matrices_direction,
                                      .port = matrices_port};

/* ---- building -------------------------------------------------------------------------------- */

static gos_status check_start(const reading *r, const char *key, const gos_numbers *x, int n) {
    return x->n == 0 || x->n == n
               ? GOS_OK
               : gos__fail_at(
                     r->b->ctx, GOS_E_INPUT, loc_of(r, key), r->object,
                     "%s has %d values, but the matrices have %d coordinates; give one value each",
                     key, x->n, n);
}

static gos_status port_names(gos_builder *b, gos_matrices_body *m) {
    const gos_linear *l = m->linear;
    m->port[0] = GOS_NEW(b->arena, const char *, l->nu + 1);
    m->port[1] = GOS_NEW(b->arena, const char *, l->ny + 1);
    if (!m->port[0] || !m->port[1]) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < l->nu; i++) {
        m->port[0][i] = l->input[i].name;
    }
    for (int i = 0; i < l->ny; i++) {
        m->port[1][i] = l->output[i].name;
    }
    return GOS_OK;
}

static gos_status read_nodes(const reading *r, const char *file, gos_matrices_body *m) {
    gos_builder *b = r->b;
    const gos_loc loc = loc_of(r, "nodes");
    m->node = r->node;
    m->nnode = r->nnode;
    if (file && m->linear->nq == 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, r->object,
            "only second-order matrices have nodes; give M and K, or `order: second`");
    }
    GOS_TRY(
        file ? gos__matrices_nodes_read(b, file, loc, r->object, m->linear->nq, &m->node, &m->nnode)
             : GOS_OK);
    if (m->nnode == 0) {
        return GOS_OK;
    }
    m->node_name = GOS_NEW(b->arena, const char *, m->nnode);
    for (int i = 0; i < m->nnode && m->node_name; i++) {
        m->node_name[i] = m->node[i].name;
    }
    return m->node_name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status make_body(const reading *r, const gos_type *type, const matrices *in,
                            const char *name) {
    gos_builder *b = r->b;
    gos_matrices_body *m = GOS_NEW(b->arena, gos_matrices_body, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = r->entry->key_loc,
                     .ops = &body_ops,
                     .par = m,
                     .rigid_item = -1,
                     .unstiffened = true,
                     .cell_size = 2};
    if (!m || !body.name) {
        return GOS_E_MEMORY;
    }
    m->linear = b->linear;
    const int nq = m->linear->nq, n = nq > 0 ? nq : m->linear->nt;
    GOS_TRY(check_start(r, "q0", &in->q0, n));
    GOS_TRY(check_start(r, "v0", &in->v0, nq));
    GOS_TRY(port_names(b, m));
    GOS_TRY(read_nodes(r, in->nodes, m));
    if (in->frame.floating) {
        b->linear = NULL; // matrices alone no longer describe the body
        return gos__matrices_float(b, r->entry, r->object, &in->frame, m->linear, m->nnode, m->node,
                                   &body);
    }
    GOS_TRY(gos__matrices_no_frame(b, r->entry, r->object));
    const gos_matrices_start start = {
        .q = in->q0.n ? in->q0.v : NULL, .v = in->v0.n ? in->v0.v : NULL, .scale = in->scale};
    GOS_TRY(gos__matrices_location(b, &start, &body, m));
    if (nq > 0 && gos__falls(b)) {
        gos__warn(b->ctx, body.loc, r->object,
                  "gravity does not act on matrices; apply it through one of their inputs");
    }
    return gos__add_body(b, &body, NULL);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    matrices in;
    memset(&in, 0, sizeof in);
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &in));
    reading r = {.b = b, .entry = entry, .object = object};
    const gos_status status = read_all(&r, &in);
    for (int i = 0; i < GOS_COUNT(r.A); i++) {
        gos__sparse_free(b->ctx, &r.A[i]);
    }
    GOS_TRY(status);
    return make_body(&r, type, &in, name);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_matrices = {
    .section = "bodies",
    .name = "matrices",
    .doc =
        "User-supplied system matrices of second or first order. Loads of type input drive the "
        "inputs, probes of quantity output read the outputs. Displacements of its nodes are small.",
    .params = params,
    .size = sizeof(matrices),
    .example = "arm: {type: matrices, M: arm_M.mtx, K: arm_K.mtx, B: arm_B.mtx, C: arm_C.mtx}",
    .ops = &ops,
};
