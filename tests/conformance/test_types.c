/* Every registered body, joint, load and heat entry by its own example, in a model of its own: whoever adds a
   type has it tested here by the line that registers it. The example compiles and runs; the Newton matrix of
   the whole model agrees with differences; the tables are complete and every parameter outside its range, of
   another kind, misspelt or missing is refused by its name; the reference has them all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include <ctype.h>

#include "gossamer/controller.h"
#include "gossamer/io.h"
#include "model/model.h"
#include "support/newton_matrix.h"

#include "support/matrix_files.h"
#include "support/suite.h"

/* what examples may refer to; a rod of one element, places that fit each other */
static const char parts[] =
    "materials:\n"
    "  steel: {density: 7800, young: 2.0e11, poisson: 0.3}\n"
    "  rubber: {density: 2000, young: 100, poisson: 0.3, conductivity: 1, specific_heat: 1,\n"
    "           expansion: 1.0e-4, absorptivity: 0.8, emissivity: 0.6,\n"
    "           damping: {normal: 4.5e-3, shear: 4.4e-4}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.1, width: 0.2, shear_factors: [0.8, 0.8]}\n"
    "meshes:\n"
    "  ring: {type: annulus, inner: 0.1, outer: 0.2, cells: [1, 6]}\n"
    "  block: {type: box, size: [0.3, 0.1, 0.1], cells: [2, 1, 1]}\n"
    "  brick: {type: box, size: [0.3, 0.2, 0.1], cells: [2, 1, 1],\n"
    "          order: quadratic}\n"
    "  shell: {type: rectangle, size: [0.2, 0.1], cells: [2, 1]}\n"
    "analysis: {end: 1.0e-3, step: 1.0e-4}\n";

/* bodies that examples may name; those that an example does not name are left out of its model */
static const struct {
    const char *name, *entry;
} stage[] = {
    {"rod", "{type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
            "    elements: 2, normal: [0, 0, 1]}"},
    {"left", "{type: ancf_cable, material: rubber, section: bar, from: [0, 1, 0], to: [1, 1, 0],\n"
             "    elements: 1}"},
    {"right", "{type: ancf_cable, material: rubber, section: bar, from: [1, 1, 0], to: [2, 1, 0],\n"
              "    elements: 1}"},
    {"boom", "{type: ancf_beam, material: rubber, section: bar, from: [0, 2, 0], to: [1, 2, 0],\n"
             "    elements: 1}"},
    {"panel", "{type: ancf_plate, material: rubber, thickness: 0.1, corner: [0, 3, 0],\n"
              "    x: [1, 0, 0], y: [0, 1, 0], elements: [1, 1]}"},
    {"lid", "{type: ancf_plate, material: rubber, thickness: 0.1, corner: [0, 3, 0.5],\n"
            "    x: [1, 0, 0], y: [0, 1, 0], elements: [1, 1]}"},
    {"hub", "{type: rigid, mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0, 1],\n"
            "    points: {pin: [0, 0, -1]}}"},
    {"box", "{type: rigid, mass: 1, inertia: [0.02, 0.03, 0.04], position: [0, 0, 2]}"},
    {"slider", "{type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.3, 0.2, 0.1]}"},
    {"station", "{type: matrices, M: arm_M.mtx, K: arm_K.mtx, B: arm_B.mtx, C: arm_C.mtx,\n"
                "    inputs: roll}"},
    {"shaken", "{type: modal, folder: plate_modes, zeta: 0.01}"},
    {"sheet", "{type: floating, mesh: shell, material: rubber, element: shell, thickness: 1.0e-2,\n"
              "    reference: clamped, at: left}"},
};

/* what examples of controllers may read and govern */
static const char plant[] =
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "    elements: 2, normal: [0, 0, 1]}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 0]}}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: displacement}\n"
    "  speed: {at: rod.end, quantity: velocity}\n";

/* whether a text has this name as a word of its own */
static bool names(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *c = text; (c = strstr(c, word)); c += n) {
        if ((c == text || !isalnum((unsigned char)c[-1])) && !isalnum((unsigned char)c[n])) {
            return true;
        }
    }
    return false;
}

static bool is_part(const gos_type *t) {
    static const char *const sections[] = {"bodies", "joints",      "loads",
                                           "heat",   "controllers", "piezo"};
    for (int i = 0; i < GOS_COUNT(sections); i++) {
        if (strcmp(t->section, sections[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* the model of an example, not compiled. Its entry. */
static gos_node *example_model(const gos_type *t, verify *v) {
    char text[8000], path[200];
    int n = snprintf(text, sizeof text, "%s%s:\n  %s\n", parts, t->section, t->example);
    const bool controls = strcmp(t->section, "controllers") == 0;
    if (controls) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s", plant);
    } else if (strcmp(t->section, "bodies") != 0) {
        n += snprintf(text + n, sizeof text - (size_t)n, "bodies:\n");
    }
    for (int i = 0; i < GOS_COUNT(stage) && !controls && strcmp(t->section, "bodies") != 0; i++) {
        if (names(strchr(t->example, '{'), stage[i].name)) {
            n += snprintf(text + n, sizeof text - (size_t)n, "  %s: %s\n", stage[i].name,
                          stage[i].entry);
        }
    }
    matrix_text("model.yaml", text);
    (void)snprintf(path, sizeof path, "%s/model.yaml", matrix_folder);
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_read(v->ctx, path, &v->model));
    gos_node *entry = gos__node_get(v->model->root, t->section)->child;
    assert_non_null(entry);
    if (strcmp(t->name, "designed") == 0) { // whose law the program gives
        static const char *const signal[] = {"tip.y"}, *const input[] = {"push.y"};
        static const double D[] = {-3};
        const gos_control_law law = {.ny = 1, .nu = 1, .D = D, .signal = signal, .input = input};
        verify_good(v, gos_model_control_law(v->ctx, v->model, entry->key, &law));
    }
    return entry;
}

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

/* ---- tables -------------------------------------------------------------------------------------------- */

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

static void reference(void **unused) {
    GOS_UNUSED(unused);
    each(check_reference);
    each_of(is_method, 10, check_reference);
}

/* ---- examples ------------------------------------------------------------------------------------------ */

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

/* ---- pictures ------------------------------------------------------------------------------------------ */

static int unseen; // bodies without a node

/* Cells are of nodes of their own body; bodies without cells are dots, of which this is the number. */
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

/* The picture of a run of the example has a path where there are nodes, a dot for each node of bodies without
   cells, the joint or load, and every place is a number. */
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
    // without a node there is nothing to draw, which is said
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

/* ---- bad parameters ------------------------------------------------------------------------------------ */

/* the model with `value` set for `key` of its entry (NULL: the key taken away) is refused, and `word` said */
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

/* two modes of a point, with two electrodes */
static int modes(void) {
    char path[200];
    (void)snprintf(path, sizeof path, "%s/plate_modes", matrix_folder);
    if (mkdir(path, 0700) != 0) {
        return -1;
    }
    matrix_text("plate_modes/freq_hz.csv", "1\n2\n");
    matrix_text("plate_modes/phi_centre.csv", "0.5\n-0.3\n");
    matrix_text("plate_modes/Kup.csv", "1e-3,-1e-3\n2e-3,1e-3\n");
    matrix_text("plate_modes/capacitance.csv", "1e-7,2e-7\n");
    matrix_text("freq.csv", "1\n");
    matrix_text("nodes.csv", "11,0,0,0,0,0,1\n12,1,0,0,0,0,1\n13,1,1,0,0,0,1\n14,0,1,0,0,0,1\n");
    matrix_text("quads.csv", "1,11,12,13,14\n");
    matrix_text("shapes.csv", "1,11,0,0,0,0,0,0\n1,12,0,0,0.1,0,0.2,0\n1,13,0,0,0.3,0,0.4,0\n"
                              "1,14,0,0,0.2,0.1,0,0\n");
    return 0;
}

/* the boom that the example of sid reads: its node 1 becomes 21 */
static int boom(void) {
    static const char text[] =
        "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.1, width: 0.2}}\n"
        "bodies: {b: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: [2, 0, "
        "0]}}\n"
        "analysis: {end: 1}\n";
    const char *const end[] = {"end"};
    char path[200], command[500];
    verify v;
    (void)snprintf(path, sizeof path, "%s/boom.SID_FEM", matrix_folder);
    (void)snprintf(command, sizeof command, "sed -i 's/\\(new node *= *\\)1$/\\121/' %s", path);
    verify_text(&v, text, NULL);
    const gos_status status = gos_system_write_sid(v.ctx, v.sys, "b", 3, 1, end, path);
    verify_close(&v);
    return status == GOS_OK ? system(command) : -1;
}

/* the matrices of the examples: two coordinates, one input, one output */
static int files(void **state) {
    const double M[] = {2, 0, 0, 1}, K[] = {3, -1, -1, 2}, B[] = {1, 0}, C[] = {0, 1};
    if (matrix_folder_make(state)) {
        return -1;
    }
    matrix_write("arm_M", 2, 2, M);
    matrix_write("arm_K", 2, 2, K);
    matrix_write("arm_B", 2, 1, B);
    matrix_write("arm_C", 1, 2, C);
    return boom() == 0 ? modes() : -1;
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),   cmocka_unit_test(reference),      cmocka_unit_test(examples),
        cmocka_unit_test(pictures), cmocka_unit_test(bad_parameters),
    };
    return cmocka_run_group_tests(tests, files, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
