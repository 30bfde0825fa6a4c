/* Parameters common to all controllers: names, matrices, limits and sampling. */
#include <math.h>

#include "control/number_table.h"
#include "controllers/controllers.h"
#include "linalg/matrix_market.h"
#include "parts/controller.h"

/* Registers controllers at the builder. */

/* Registers a copy; arrays must live in the builder's arena. */
static gos_status add_controller(gos_builder *b, const gos_controller *c) {
    gos_controller *list = GOS_NEW(b->arena, gos_controller, b->ncontroller + 1);
    if (!list) {
        return GOS_E_MEMORY;
    }
    if (b->ncontroller > 0) {
        memcpy(list, b->controller, (size_t)b->ncontroller * sizeof *list);
    }
    list[b->ncontroller++] = *c;
    b->controller = list;
    return GOS_OK;
}

static gos_loc loc_of(const gos_control_maker *k, const char *key) {
    const gos_node *n = gos__node_get(k->entry, key);
    return n ? n->loc : k->entry->key_loc;
}

gos_status gos__control_begin(gos_builder *b, const gos_node *entry, const char *name,
                              const char *object, const gos_texts *inputs, gos_control_maker *k) {
    *k = (gos_control_maker){.b = b, .entry = entry, .object = object};
    k->c = (gos_controller){.name = gos__arena_strdup(b->arena, name),
                            .object = gos__arena_strdup(b->arena, object),
                            .loc = entry->key_loc,
                            .nu = inputs->n};
    gos_control_name *input = GOS_NEW(b->arena, gos_control_name, inputs->n + 1);
    if (!k->c.name || !k->c.object || !input) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < inputs->n; i++) {
        input[i] = (gos_control_name){.text = inputs->v[i], .loc = inputs->loc[i]};
    }
    k->c.input = input;
    return inputs->n <= GOS_LIMIT_CONTROLLER
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_LIMIT, loc_of(k, "inputs"), object,
                              "it has %d inputs; use at most %d", inputs->n, GOS_LIMIT_CONTROLLER);
}

/* ---- signals --------------------------------------------------------------------------------- */

static gos_status take_signal(gos_control_maker *k, const char *key, const gos_node *n,
                              gos_control_name *to) {
    if (n->kind == GOS_LIST || (n->kind == GOS_SCALAR && (!n->text || !*n->text))) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, n->loc, k->object,
                            "%s must be components of probes, like tip.y, or expressions of them "
                            "and t",
                            key);
    }
    const char *text = n->kind == GOS_SCALAR ? gos__arena_strdup(k->b->arena, n->text) : "{...}";
    *to = (gos_control_name){.text = text, .node = n, .loc = n->loc};
    return text ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__control_signals(gos_control_maker *k, const char *key) {
    const gos_node *n = gos__node_given(k->entry, key);
    if (!n) {
        return GOS_OK;
    }
    const bool list = n->kind == GOS_LIST;
    const int count = list ? n->n : 1, before = k->c.ny;
    gos_control_name *signal = GOS_NEW(k->b->arena, gos_control_name, before + count + 1);
    GOS_TRY(signal ? GOS_OK : GOS_E_MEMORY);
    if (before + count > GOS_LIMIT_CONTROLLER ||
        (n->kind == GOS_MAP && !gos__node_get(n, "table") && !gos__node_get(n, "expression") &&
         !gos__node_get(n, "call"))) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, n->loc, k->object,
                            "%s must be a list of at most %d components of probes, or expressions "
                            "of them and t",
                            key, GOS_LIMIT_CONTROLLER);
    }
    const gos_node *one = list ? n->child : n;
    if (before > 0) {
        memcpy(signal, k->c.signal, (size_t)before * sizeof *signal);
    }
    for (int i = before; i < before + count; i++, one = one->next) {
        GOS_TRY(take_signal(k, key, one, &signal[i]));
    }
    k->c.signal = signal;
    k->c.ny = before + count;
    return GOS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

double *gos__control_zeros(const gos_control_maker *k, int m, int n) {
    return GOS_NEW(k->b->arena, double, (size_t)m *(size_t)n + 1);
}

static gos_status wrong_size(const gos_control_maker *k, const char *key, int m, int n,
                             int expected_m, int expected_n) {
    char expected[64];
    (void)gos__format(expected, sizeof expected, expected_m < 0 ? "any number of rows" : "%d rows",
                      expected_m);
    const size_t at = strlen(expected);
    (void)gos__format(expected + at, sizeof expected - at,
                      expected_n < 0 ? " of any length" : " of %d numbers", expected_n);
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc_of(k, key), k->object,
                        "%s is a matrix of %d by %d; it must have %s", key, m, n, expected);
}

static gos_status check_size(const gos_control_maker *k, const char *key, int m, int n,
                             int *expected_m, int *expected_n) {
    if ((*expected_m >= 0 && m != *expected_m) || (*expected_n >= 0 && n != *expected_n) ||
        m > GOS_LIMIT_CONTROLLER || n > GOS_LIMIT_CONTROLLER) {
        return wrong_size(k, key, m, n, *expected_m, *expected_n);
    }
    *expected_m = m;
    *expected_n = n;
    return GOS_OK;
}

static bool ends_in(const gos_node *n, const char *ending) {
    const size_t length = n->kind == GOS_SCALAR && n->text ? strlen(n->text) : 0;
    return length > 4 && strcmp(n->text + length - 4, ending) == 0;
}

/* to (m, n), column-major */
static void take_sparse(const gos_sparse *S, double *to) {
    for (int j = 0; j < S->n; j++) {
        for (int e = S->p[j]; e < S->p[j + 1]; e++) {
            to[(size_t)j * (size_t)S->m + (size_t)S->i[e]] = S->x[e];
        }
    }
}

static void take_rows(const gos_number_table *t, double *to) {
    for (size_t i = 0; i < (size_t)t->n; i++) {
        const size_t columns = (size_t)t->columns, rows = (size_t)t->rows;
        to[i % columns * rows + i / columns] = t->x[i];
    }
}

static gos_status from_file(gos_control_maker *k, const char *key, const gos_node *node, int *m,
                            int *n, const double **A) {
    gos_model *model = k->b->model;
    const bool rows = ends_in(node, ".csv");
    const char *path;
    gos_sparse S = {0};
    gos_number_table t = {.ctx = k->b->ctx};
    GOS_TRY(gos__path_below(k->b->ctx, model->folder, node->text, node->loc, k->object, k->b->arena,
                            &path));
    gos_status status = rows
                            ? gos__number_table_read(k->b->ctx, path, node->loc, k->object, &t)
                            : gos__matrix_market_read(k->b->ctx, path, 0, node->loc, k->object, &S);
    status = status == GOS_OK
                 ? check_size(k, key, rows ? t.rows : S.m, rows ? t.columns : S.n, m, n)
                 : status;
    double *to = status == GOS_OK ? gos__control_zeros(k, *m, *n) : NULL;
    if (to && rows) {
        take_rows(&t, to);
    } else if (to) {
        take_sparse(&S, to);
    }
    status = status == GOS_OK && !to ? GOS_E_MEMORY : status;
    if (to) {
        model->tables = gos__hash(model->tables, to, (size_t)*m * (size_t)*n * sizeof *to);
    }
    gos__number_table_free(&t);
    gos__sparse_free(k->b->ctx, &S);
    *A = to;
    return status;
}

static gos_status read_row(gos_control_maker *k, const char *key, const gos_node *row, int n,
                           size_t stride, double *to) {
    const gos_node *one = row->kind == GOS_LIST ? row->child : row;
    for (int j = 0; j < n; j++, one = one->next) {
        if (one->kind != GOS_SCALAR) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, one->loc, k->object,
                                "%s must be rows of numbers, or the name of a Matrix Market file",
                                key);
        }
        GOS_TRY(gos__expr(k->b->model, one->text, one->loc, k->object, &to[(size_t)j * stride]));
    }
    return GOS_OK;
}

static int length_of(const gos_node *row) {
    return row->kind == GOS_LIST ? row->n : 1;
}

gos_status gos__control_matrix(gos_control_maker *k, const char *key, int *m, int *n,
                               const double **A) {
    const gos_node *node = gos__node_given(k->entry, key);
    if (!node) {
        return GOS_OK;
    }
    if (ends_in(node, ".mtx") || ends_in(node, ".csv")) {
        return from_file(k, key, node, m, n, A);
    }
    const bool rows = node->kind == GOS_LIST && node->n > 0 && node->child->kind == GOS_LIST;
    const int nrow = rows ? node->n : 1, ncol = rows ? length_of(node->child) : length_of(node);
    if (node->kind == GOS_MAP || ncol == 0) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, node->loc, k->object,
            "%s must be rows of numbers, or the name of a file of them (.csv) or of a "
            "Matrix Market file (.mtx)",
            key);
    }
    GOS_TRY(check_size(k, key, nrow, ncol, m, n));
    double *to = gos__control_zeros(k, nrow, ncol);
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    const gos_node *row = rows ? node->child : node;
    for (int i = 0; i < nrow; i++, row = row->next) {
        if (length_of(row) != ncol) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, row->loc, k->object,
                                "%s: a row has %d numbers, but the first row has %d; use the same "
                                "number in all rows",
                                key, length_of(row), ncol);
        }
        GOS_TRY(read_row(k, key, row, ncol, (size_t)nrow, to + i));
    }
    *A = to;
    return GOS_OK;
}

gos_status gos__control_numbers(gos_control_maker *k, const char *key, const gos_numbers *given,
                                int n, const double **x) {
    if (given->n == 0) {
        return GOS_OK;
    }
    if (given->n != 1 && given->n != n) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc_of(k, key), k->object,
                            "%s has %d numbers; give one for all, or %d", key, given->n, n);
    }
    double *to = gos__control_zeros(k, n, 1);
    for (int i = 0; to && i < n; i++) {
        to[i] = given->v[given->n == 1 ? 0 : i];
    }
    *x = to;
    return to ? GOS_OK : GOS_E_MEMORY;
}

/* ---- sampling, limits ------------------------------------------------------------------------ */

typedef struct quantisation {
    gos_numbers signals, inputs;
} quantisation;

typedef struct sampling {
    double period, delay;
    quantisation steps;
} sampling;

#define STEPS(member, what)                                                                        \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBERS, .unit = "", .lo = 0, .hi = HUGE_VAL,               \
        .offset = offsetof(quantisation, member),                                                  \
        .doc = "resolution of the converters of " what ", one number or one each; 0: none"         \
    }
static const gos_param quantisation_params[] = {
    STEPS(signals, "signals"), STEPS(inputs, "inputs"), {0}};

static const gos_param sample_params[] = {
    {.name = "period",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN | GOS_P_REQUIRED,
     .offset = offsetof(sampling, period),
     .doc = "time between samples; the first sample is at t = 0"},
    {.name = "delay",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(sampling, delay),
     .doc = "time from a sample to its output; may be longer than the period"},
    {.name = "quantisation",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = quantisation_params,
     .offset = offsetof(sampling, steps),
     .doc = "resolution of the converters"},
    {0}};

static gos_status take_sampling(gos_control_maker *k, const gos_node *node) {
    sampling s = {0};
    if (node->kind != GOS_MAP) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, node->loc, k->object,
                            "sample must be a map, like {period: 1.0e-3}");
    }
    GOS_TRY(gos__fill(k->b->model, node, sample_params, k->object, k->b->arena, &s));
    k->c.period = s.period;
    k->c.delay = s.delay;
    k->sampled = true;
    GOS_TRY(gos__control_numbers(k, "sample", &s.steps.signals, k->c.ny, &k->c.signal_step));
    return gos__control_numbers(k, "sample", &s.steps.inputs, k->c.nu, &k->c.input_step);
}

static gos_status take_limits(gos_control_maker *k, const gos_numbers *limit) {
    const double *upper = NULL;
    GOS_TRY(gos__control_numbers(k, "limit", limit, k->c.nu, &upper));
    double *lower = upper ? gos__control_zeros(k, k->c.nu, 1) : NULL;
    GOS_TRY(!upper || lower ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->c.nu && upper; i++) {
        lower[i] = -upper[i];
    }
    if (upper) { // otherwise the limits of a supplied law
        k->c.upper = upper;
        k->c.lower = lower;
    }
    return GOS_OK;
}

gos_status gos__control_sampling(gos_control_maker *k, const gos_control_common *common) {
    return common->sample && !k->sampled ? take_sampling(k, common->sample) : GOS_OK;
}

gos_status gos__control_end(gos_control_maker *k, const gos_control_common *common) {
    GOS_TRY(gos__control_sampling(k, common));
    GOS_TRY(take_limits(k, &common->limit));
    k->c.scale = common->scale > 0 ? common->scale : 1;
    return add_controller(k->b, &k->c);
}
