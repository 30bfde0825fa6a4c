/* Every registered body, joint, load and heat entry by its own example, in a model of its own:
   a new type is tested here once it is registered. The example compiles and
   runs; the Newton matrix of the whole model agrees with differences; the tables are complete and
   every parameter outside its range, of another kind, misspelt or missing is refused by its name;
   the reference has them all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/newton_matrix.h"

#include "support/examples.h"
#include "support/suite.h"

static bool is_method(const gos_type *t) {
    return strcmp(t->section, "reduction") == 0;
}

static void each_of(bool (*belongs)(const gos_type *), int most, void (*check)(const gos_type *)) {
    int n = 0;
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        if (belongs(*t)) {
            check(*t);
            n++;
        }
    }
    print_message("    %d types\n", n);
    assert_true(n > most);
}

static void each(void (*check)(const gos_type *)) {
    each_of(is_part, 20, check);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void check_table(const gos_type *t) {
    assert_true(t->doc && t->doc[0] && t->example && t->ops);
    for (const gos_param *p = t->params; p->name; p++) {
        if (!(p->doc && p->doc[0] && p->unit && p->offset < t->size)) {
            print_error("%s: parameter '%s' lacks a sentence, a unit or its place\n", t->name,
                        p->name);
            fail();
        }
    }
}

static void tables(void **unused) {
    GOS_UNUSED(unused);
    each(check_table);
    each_of(is_method, 10, check_table);
}

/* the reference names every parameter and shows the example */
static void check_reference(const gos_type *t) {
    gos_ctx *ctx = gos_ctx_create();
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(gos_help(ctx, t->name, f), GOS_OK);
    const long n = ftell(f);
    char *text = calloc((size_t)n + 1, 1);
    assert_non_null(text);
    rewind(f);
    assert_int_equal(fread(text, 1, (size_t)n, f), n);
    for (const gos_param *p = t->params; p->name; p++) {
        if (!strstr(text, p->name)) {
            print_error("%s: no '%s' in its reference\n", t->name, p->name);
            fail();
        }
    }
    assert_non_null(strstr(text, t->example));
    free(text);
    (void)fclose(f);
    gos_ctx_destroy(ctx);
}

/* the help finds every listed value by its name, with its meaning */
static void check_value(const char *type, const gos_value_info *v) {
    gos_ctx *ctx = gos_ctx_create();
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    assert_int_equal(gos_help(ctx, v->name, f), GOS_OK);
    (void)fclose(f);
    if (!strstr(text, v->name) || !strstr(text, v->doc)) {
        print_error("%s: `help %s` does not explain it\n", type, v->name);
        fail();
    }
    free(text);
    gos_ctx_destroy(ctx);
}

static void listed_values(void **unused) {
    GOS_UNUSED(unused);
    gos_type_info t;
    gos_param_info p;
    gos_value_info v;
    int explained = 0, words = 0;
    for (int i = 0; gos_type_get(i, &t); i++) {
        for (int k = 0; gos_type_param(i, k, &p); k++) {
            for (int j = 0; gos_type_value(i, k, j, &v); j++) {
                check_value(t.name, &v);
                explained += *v.doc != '\0';
                words++;
            }
        }
    }
    print_message("    %d values, %d with a meaning of their own\n", words, explained);
    assert_true(explained >= 36 && words > 100); // quantities of probes; choices of all types
}

static void reference(void **unused) {
    GOS_UNUSED(unused);
    each(check_reference);
    each_of(is_method, 10, check_reference);
}

/* ---- examples -------------------------------------------------------------------------------- */

/* as few elements as there can be: differences take a residual for each unknown, twelve times */
static void coarse(verify *v, const gos_type *t, const gos_node *entry) {
    for (const gos_param *p = t->params; p->name; p++) {
        char path[300];
        if (strcmp(p->name, "elements") == 0) {
            (void)snprintf(path, sizeof path, "%s.%s.elements", t->section, entry->key);
            verify_good(
                v, gos_model_set(v->ctx, v->model, path, p->kind == GOS_K_INT ? "1" : "[1, 1]"));
        }
    }
}

static void check_example(const gos_type *t) {
    verify v;
    coarse(&v, t, example_model(t, &v));
    verify_compile(&v);
    check_newton_matrix(v.sys, t->name, 0, false);
    if (gos_ctx_ndiag(v.ctx) > 0) {
        print_error("%s: %s\n", t->name, gos_ctx_message(v.ctx));
        fail();
    }
    verify_start(&v);
    for (int i = 0; i < 3; i++) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    verify_close(&v);
}

static void examples(void **unused) {
    GOS_UNUSED(unused);
    each(check_example);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static int unseen; // bodies without a node

/* Cells are of nodes of their own body; bodies without cells are dots, of which this is the
   number. */
static int check_cells(const verify *v) {
    gos_mesh_info m;
    int dots = 0;
    gos_system_mesh(v->sys, &m);
    for (int b = 0; b < m.nbodies; b++) {
        const int first = m.body_first_node[b], end = m.body_first_node[b + 1];
        int cells = 0;
        for (int c = 0; c < m.ncells; c++) {
            for (int k = m.cell_offset[c]; k < m.cell_offset[c + 1] && m.cell_body[c] == b; k++) {
                assert_in_range(m.cell_nodes[k], first, end - 1);
                cells++;
            }
        }
        dots += cells == 0 ? end - first : 0;
        unseen += end == first;
    }
    return dots;
}

static int count_of(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text++) {
        n++;
    }
    return n;
}

static int without_place; // loads that act nowhere

/* Is a joint or load in the picture by its name? */
static void check_mark(const gos_type *t, const char *text) {
    const bool joint = strcmp(t->section, "joints") == 0, load = strcmp(t->section, "loads") == 0;
    const char *sign = joint ? "class=\"joint\"" : "class=\"load\"";
    if ((joint || load) && count_of(text, sign) < 2) { // the legend has one
        print_message("    %s has no place\n", t->name);
        assert_true(load);
        without_place++;
    }
}

/* The picture of a run of the example has a path where there are nodes, a dot for each node of
   bodies without cells, the joint or load, and every place is a number. */
static void check_picture(const gos_type *t) {
    verify v;
    char path[200], *text = NULL;
    size_t size = 0;
    gos_results *run = NULL;
    gos_mesh_info m;
    coarse(&v, t, example_model(t, &v));
    verify_compile(&v);
    const int dots = check_cells(&v);
    (void)snprintf(path, sizeof path, "%s/run.h5", matrix_folder);
    verify_good(&v, gos_run(v.ctx, v.sys, &v.opt, path, NULL));
    verify_good(&v, gos_results_open(v.ctx, path, &run));
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    gos_system_mesh(v.sys, &m);
    // without a node there is nothing to draw, which is reported
    assert_int_equal(gos_picture(v.ctx, run, NULL, f), m.nnodes > 0 ? GOS_OK : GOS_E_USE);
    assert_int_equal(fclose(f), 0);
    if (count_of(text, "h0.1\"/>") < dots || (m.nnodes > 0 && count_of(text, "<path") == 0) ||
        strstr(text, "nan") || strstr(text, "inf")) {
        print_error("%s: %d of %d dots, %d paths\n", t->name, count_of(text, "h0.1\"/>"), dots,
                    count_of(text, "<path"));
        fail();
    }
    check_mark(t, text);
    gos_results_close(run);
    free(text);
    verify_close(&v);
}

static void pictures(void **unused) {
    GOS_UNUSED(unused);
    unseen = without_place = 0;
    each(check_picture);
    assert_int_equal(without_place, 1); // `input` of matrices
    // `matrices` without a mesh, where it is named and by itself; the state of a `wheel`
    assert_in_range(unseen, 1, 4);
}

/* ---- bad parameters -------------------------------------------------------------------------- */

/* the model with `value` set for `key` of its entry (NULL: the key taken away) is refused, and
 * `word` said */
static void refused(const gos_type *t, const char *key, const char *value, const char *word) {
    verify v;
    gos_node *entry = example_model(t, &v);
    char path[300];
    (void)snprintf(path, sizeof path, "%s.%s.%s", t->section, entry->key, key);
    if (value) {
        verify_good(&v, gos_model_set(v.ctx, v.model, path, value));
    } else {
        gos_node **at = &entry->child;
        while (*at && strcmp((*at)->key, key) != 0) {
            at = &(*at)->next;
        }
        if (!*at) { // not in the example: required in some cases only
            verify_close(&v);
            return;
        }
        *at = (*at)->next;
        entry->n--;
        entry->sorted = NULL;
    }
    const gos_status s = gos_system_create(v.ctx, v.model, &v.sys);
    if (s != GOS_E_INPUT || !strstr(gos_ctx_message(v.ctx), word)) {
        print_error("%s with %s = %s: status %d, '%s' without '%s'\n", t->name, key,
                    value ? value : "(none)", (int)s, gos_ctx_message(v.ctx), word);
        fail();
    }
    verify_close(&v);
}

static void check_bad(const gos_type *t) {
    char value[40];
    refused(t, "nonsense", "1", "nonsense");
    for (const gos_param *p = t->params; p->name; p++) {
        const bool number = p->kind == GOS_K_NUMBER || p->kind == GOS_K_INT;
        const bool ranged = p->lo != 0 || p->hi != 0;
        if (p->flags & GOS_P_REQUIRED) {
            refused(t, p->name, NULL, p->name);
        }
        refused(t, p->name, number ? "[1, 2, 3, 4, 5]" : "{nonsense: 1}", p->name);
        if (number) {
            refused(t, p->name, ".nan", p->name);
        }
        if (number && ranged && isfinite(p->lo)) {
            (void)snprintf(value, sizeof value, "%.17g", p->lo - 1);
            refused(t, p->name, value, p->name);
        }
        if (number && ranged && isfinite(p->hi)) {
            (void)snprintf(value, sizeof value, "%.17g", p->hi + 1);
            refused(t, p->name, value, p->name);
        }
    }
}

static void bad_parameters(void **unused) {
    GOS_UNUSED(unused);
    each(check_bad);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),   cmocka_unit_test(reference), cmocka_unit_test(listed_values),
        cmocka_unit_test(examples), cmocka_unit_test(pictures),  cmocka_unit_test(bad_parameters),
    };
    return cmocka_run_group_tests(tests, example_files, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
