/* Modal bodies as matrices: z'' + 2 zeta omega z' + omega^2 z = sum of forces. Displacements u of
 * points are massless, tied by shape z - u = 0, for joints, loads and probes. */
#include "bodies/modal_body.h"

typedef struct modal_body {
    gos_matrices_body m; // first: gos__matrices_* functions use it
} modal_body;

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const gos_modal_data *d;
    int n;    // amplitudes, then displacements
    int rows; // between them
    gos_matrices_node *node;
} making;

/* ---- piezo entries --------------------------------------------------------------------------- */

gos_status gos__modal_entries(gos_builder *b, const char *name, bool given, gos_piezo ***entry,
                              int *n) {
    int count = 0;
    for (const gos_node *e = gos__next_entry(b, "piezo", NULL); e;
         e = gos__next_entry(b, "piezo", e)) {
        count++;
    }
    *n = 0;
    *entry = (gos_piezo **)gos__arena_alloc(b->arena, (size_t)count + 1, sizeof **entry);
    GOS_TRY(*entry ? GOS_OK : GOS_E_MEMORY);
    for (const gos_node *e = gos__next_entry(b, "piezo", NULL); e;
         e = gos__next_entry(b, "piezo", e)) {
        gos_piezo *p = gos__find_piezo(b, e);
        if (p && p->given == given && strcmp(p->body, name) == 0) {
            (*entry)[(*n)++] = p;
        }
    }
    return GOS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static bool moves(const gos_modal_data *d, const gos_modal_location *p, int c) {
    for (int i = 0; i < d->n; i++) {
        if (p->shape[c * d->n + i] != 0) {
            return true;
        }
    }
    return false;
}

/* Directions that no mode moves are locked. */
static gos_status number_locations(making *k) {
    const gos_modal_data *d = k->d;
    k->n = d->n;
    k->node = GOS_NEW(k->b->arena, gos_matrices_node, d->nlocation + 1);
    GOS_TRY(k->node ? GOS_OK : GOS_E_MEMORY);
    for (int p = 0; p < d->nlocation; p++) {
        gos_matrices_node *node = &k->node[p];
        *node = (gos_matrices_node){.name = d->location[p].name};
        memcpy(node->x, d->location[p].x, sizeof node->x);
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            node->dof[c] = moves(d, &d->location[p], c) ? k->n++ : -1;
            node->turns = node->turns || (c >= 3 && node->dof[c] >= 0);
        }
    }
    k->rows = k->n - d->n;
    return GOS_OK;
}

typedef struct entries {
    int count, *i, *j;
    double *x;
} entries;

static void put(entries *e, int i, int j, double x) {
    e->i[e->count] = i;
    e->j[e->count] = j;
    e->x[e->count++] = x;
}

static void mass(const making *k, entries *e) {
    for (int i = 0; i < k->d->n; i++) {
        put(e, i, i, 1);
    }
}

static void damping(const making *k, entries *e) {
    for (int i = 0; i < k->d->n; i++) {
        put(e, i, i, 2 * k->d->zeta[i] * k->d->omega[i]);
    }
}

/* Modal stiffness, plus k k^T / C of charge-driven electrodes. */
static void stiffness(const making *k, entries *e) {
    const gos_modal_data *d = k->d;
    for (int j = 0; j < d->n; j++) {
        for (int i = 0; i < d->n; i++) {
            double x = i == j ? d->omega[i] * d->omega[i] : 0;
            for (int p = 0; p < d->nentry; p++) {
                const gos_piezo *z = d->entry[p];
                const int end = z->def.drive == GOS_PIEZO_CHARGE ? z->first + z->n : 0;
                for (int c = z->first; c < end; c++) {
                    x += d->row[c * d->n + i] * d->row[c * d->n + j] / d->capacitance[c];
                }
            }
            if (x != 0) {
                put(e, i, j, x);
            }
        }
    }
}

/* constraints shape z - u = 0 */
static void ties(const making *k, entries *e) {
    const gos_modal_data *d = k->d;
    for (int p = 0; p < d->nlocation; p++) {
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            const int at = k->node[p].dof[c];
            for (int i = 0; i < d->n && at >= 0; i++) {
                put(e, at - d->n, i, d->location[p].shape[c * d->n + i]);
            }
            if (at >= 0) {
                put(e, at - d->n, at, -1);
            }
        }
    }
}

static gos_status make_block(const making *k, gos_block block, int rows, size_t room,
                             void (*fill)(const making *, entries *), gos_linear *l) {
    gos_ctx *ctx = k->b->ctx;
    entries e = {.i = gos__alloc(ctx, 2 * room + 1, sizeof *e.i),
                 .x = gos__alloc(ctx, room + 1, sizeof *e.x)};
    gos_sparse A = {0};
    gos_status status = e.i && e.x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        e.j = e.i + room;
        fill(k, &e);
        status = gos__sparse_from_triplets(ctx, rows, k->n, e.count, e.i, e.j, e.x, &A);
    }
    status = status == GOS_OK ? gos__linear_put(l, block, &A) : status;
    gos__sparse_free(ctx, &A);
    gos__free(ctx, e.i);
    gos__free(ctx, e.x);
    return status;
}

static void destroy(void *linear) {
    gos_linear_destroy(linear);
}

static gos_status make_linear(const making *k, gos_linear **to) {
    const gos_linear_size size = {.nq = k->n, .nc = k->rows};
    const size_t n = (size_t)k->d->n, ties_room = (size_t)k->rows * (n + 1);
    gos_linear *l;
    GOS_TRY(gos__linear_create(k->b->ctx, &size, &l));
    const gos_status kept = gos__arena_defer(k->b->arena, destroy, l);
    if (kept != GOS_OK) {
        gos_linear_destroy(l);
        return kept;
    }
    GOS_TRY(make_block(k, GOS_BLOCK_M, k->n, n, mass, l));
    GOS_TRY(make_block(k, GOS_BLOCK_D, k->n, n, damping, l));
    GOS_TRY(make_block(k, GOS_BLOCK_K, k->n, n * n, stiffness, l));
    GOS_TRY(make_block(k, GOS_BLOCK_C, k->rows, ties_room, ties, l));
    *to = l;
    return gos__linear_close(l);
}

/* ---- electrodes ------------------------------------------------------------------------------ */

static gos_status connect(const making *k, const gos_body *body) {
    const gos_modal_data *d = k->d;
    const modal_body *m = body->par;
    int *all = GOS_NEW(k->b->arena, int, d->n + 1);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->n; i++) {
        all[i] = i;
    }
    for (int p = 0; p < d->nentry; p++) {
        const gos_piezo *z = d->entry[p];
        GOS_TRY(gos__piezo_check_channels(k->b, z));
        for (int e = 0; e < z->n; e++) {
            const int column = z->first + e;
            gos_signal motional = {0};
            GOS_TRY(gos__matrices_signal(k->b->arena, &m->m, d->n, all,
                                         d->row + (size_t)column * d->n, motional.m, NULL));
            GOS_TRY(gos__piezo_electrode(k->b, z, e, body, &motional, d->capacitance[column]));
        }
    }
    return GOS_OK;
}

/* ---- the body -------------------------------------------------------------------------------- */

static const gos_body_ops body_ops = {.locate = gos__matrices_locate,
                                      .position = gos__matrices_position,
                                      .direction = gos__matrices_direction};

static gos_status name_nodes(const making *k, gos_matrices_body *m) {
    m->nnode = k->d->nlocation;
    m->node = k->node;
    m->node_name = GOS_NEW(k->b->arena, const char *, m->nnode + 1);
    GOS_TRY(m->node_name ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < m->nnode; i++) {
        m->node_name[i] = m->node[i].name;
    }
    return GOS_OK;
}

/* Checkpoints identify the model by this hash. */
static void remember(gos_model *m, const gos_modal_data *d) {
    const size_t n = d->n;
    m->tables = gos__hash(m->tables, d->omega, n * sizeof *d->omega);
    m->tables = gos__hash(m->tables, d->row, n * d->nelectrode * sizeof *d->row);
    m->tables = gos__hash(m->tables, d->capacitance, d->nelectrode * sizeof *d->capacitance);
    for (int p = 0; p < d->nlocation; p++) {
        m->tables =
            gos__hash(m->tables, d->location[p].shape, 6 * n * sizeof *d->location[p].shape);
    }
}

gos_status gos__modal_add(gos_builder *b, const gos_type *type, const gos_node *entry,
                          const char *name, const char *object, const gos_modal_data *data) {
    making k = {.b = b, .entry = entry, .object = object, .d = data};
    modal_body *m = GOS_NEW(b->arena, modal_body, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->key_loc,
                     .ops = &body_ops,
                     .par = m,
                     .rigid_item = -1,
                     .unstiffened = true,
                     .cell_size = 2};
    gos_body *added;
    gos_linear *linear;
    GOS_TRY(m && body.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(number_locations(&k));
    GOS_TRY(make_linear(&k, &linear));
    m->m.linear = linear;
    remember(b->model, data);
    GOS_TRY(name_nodes(&k, &m->m));
    GOS_TRY(gos__matrices_location(b, &(gos_matrices_start){0}, &body, &m->m));
    if (gos__falls(b)) {
        gos__warn(b->ctx, body.loc, object,
                  "gravity does not act on modal bodies, because the mass distribution is unknown");
    }
    GOS_TRY(gos__add_body(b, &body, &added));
    return connect(&k, added);
}
