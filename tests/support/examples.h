/* Models made of the examples of registered types, each with the bodies that it names and nothing
   else. Include after cmocka. */
#ifndef GOS_TEST_EXAMPLES_H
#define GOS_TEST_EXAMPLES_H

#include <sys/stat.h>

#include <ctype.h>

#include "gossamer/controller.h"
#include "gossamer/io.h"
#include "model/model.h"
#include "support/verify.h"

#include "support/matrix_files.h"

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

/* what examples of controllers and events may read and govern */
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
static inline bool names(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *c = text; (c = strstr(c, word)); c += n) {
        if ((c == text || !isalnum((unsigned char)c[-1])) && !isalnum((unsigned char)c[n])) {
            return true;
        }
    }
    return false;
}

static inline bool is_part(const gos_type *t) {
    static const char *const sections[] = {"bodies", "joints",      "loads",
                                           "heat",   "controllers", "piezo"};
    for (int i = 0; i < GOS_COUNT(sections); i++) {
        if (strcmp(t->section, sections[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* the model of an example, or of another entry of the type, not compiled. Its entry. */
static inline gos_node *entry_model(const gos_type *t, const char *example, verify *v) {
    char text[8000], path[200];
    int n = snprintf(text, sizeof text, "%s%s:\n  %s\n", parts, t->section, example);
    const bool controls =
        strcmp(t->section, "controllers") == 0 || strcmp(t->section, "events") == 0;
    if (controls) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s", plant);
    } else if (strcmp(t->section, "bodies") != 0) {
        n += snprintf(text + n, sizeof text - (size_t)n, "bodies:\n");
    }
    for (int i = 0; i < GOS_COUNT(stage) && !controls && strcmp(t->section, "bodies") != 0; i++) {
        if (names(strchr(example, '{'), stage[i].name)) {
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

static inline gos_node *example_model(const gos_type *t, verify *v) {
    return entry_model(t, t->example, v);
}

/* two modes of a point, with two electrodes */
static inline int example_modes(void) {
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
static inline int example_boom(void) {
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
static inline int example_files(void **state) {
    const double M[] = {2, 0, 0, 1}, K[] = {3, -1, -1, 2}, B[] = {1, 0}, C[] = {0, 1};
    if (matrix_folder_make(state)) {
        return -1;
    }
    matrix_write("arm_M", 2, 2, M);
    matrix_write("arm_K", 2, 2, K);
    matrix_write("arm_B", 2, 1, B);
    matrix_write("arm_C", 1, 2, C);
    return example_boom() == 0 ? example_modes() : -1;
}

#endif
