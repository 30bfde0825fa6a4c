/* A stored reduced model takes controllers and wheels that were added after it was made, and does
   without those that were removed: their first-order states are no coordinates of its fields.
   Refusals name the entry that differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hdf5.h>
#include <unistd.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"

/* A hub on a hinge carries a heated rod; a moment turns the hub and the rod swings after it. */
static const char craft[] =
    "parameters: {E: 1.0e7, kp: 20, h: 0.02}\n"
    "materials: {m: {density: 1000, young: E, damping: {normal: 1.0e-3}, conductivity: 1,\n"
    "  specific_heat: 200, expansion: 1.0e-4}}\n"
    "sections: {s: {type: rectangle, height: h, width: 0.02}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [0.7, 0, 0],\n"
    "    elements: 6}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub, rod.start]}\n"
    "loads: {drive: {type: moment, on: hub, moment: [0, 0, \"2*(t < 0.2)\"]}}\n"
    "heat: {sun: {type: flux, value: 1000, direction: [0, -1, 0], on: rod}}\n"
    "probes:\n"
    "  angle: {at: hub, quantity: rotation_vector}\n"
    "  rate: {at: hub, quantity: angular_velocity}\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  T: {at: rod.end, quantity: temperature}\n"
    "analysis: {end: 1.0, tolerance: 1.0e-5}\n"
    "reduction: {method: rotation_closed, number: 10, thermal_fields: 7}\n";

#define SIGNALS "signal: angle.z, rate: rate.z, inputs: drive.z"
#define PID "controllers={c: {type: pid, " SIGNALS ", kp: kp, ki: 10, kd: 2}}"
/* x' = -20 x + angle, u = -40 x - 1.5 rate: a lag */
#define STATE_SPACE                                                                                \
    "controllers={c: {type: state_space, signals: [angle.z, rate.z], inputs: [drive.z], "          \
    "A: [[-20]], B: [[20, 0]], C: [[-20]], D: [[0, -1.5]]}}"
#define WHEEL "loads.w={type: wheel, on: hub, axis: [0, 0, 1], inertia: 0.01, moment: \"sin(9*t)\"}"

/* settings with blanks, one after the other; NULL: none */
static void open(verify *v, const char *const *settings) {
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, craft, strlen(craft), "test", NULL, &v->model));
    for (; settings && *settings; settings++) {
        const char *value = strchr(*settings, '=');
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(value - *settings), *settings);
        verify_good(v, gos_model_set(v->ctx, v->model, name, value + 1));
    }
    verify_compile(v);
}

static const char *rom_path(void) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/rom.h5", folder);
    return path;
}

static void store(const char *const *settings) {
    verify v;
    gos_system *s;
    open(&v, settings);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &s));
    (void)unlink(rom_path());
    verify_good(&v, gos_rom_save(v.ctx, s, rom_path()));
    gos_system_destroy(s);
    verify_close(&v);
}

enum { TIMES = 5, VALUES = 5 };

/* angle, tip and temperature at equal times of a run */
static void run(verify *v, gos_system *s, double y[TIMES][VALUES]) {
    gos_system *const full = v->sys;
    gos_state_destroy(v->state);
    v->sys = s;
    verify_good(v, gos_state_create(v->ctx, s, &v->state));
    verify_start(v);
    for (int i = 0; i < TIMES; i++) {
        const gos_state *x = verify_at(v, (i + 1) * v->opt.end / TIMES);
        y[i][0] = verify_value(v, x, "angle.z");
        verify_probe(v, x, "tip", y[i] + 1);
        y[i][4] = verify_value(v, x, "T.T");
    }
    gos_integrator_destroy(v->run);
    gos_state_destroy(v->state);
    v->run = NULL;
    v->state = NULL;
    v->sys = full;
}

/* largest differences of the motion [m, rad] and of the temperature [K] */
static void compare(double a[TIMES][VALUES], double b[TIMES][VALUES], double most[2]) {
    most[0] = most[1] = 0;
    for (int i = 0; i < TIMES; i++) {
        for (int k = 0; k < VALUES; k++) {
            most[k == 4] = fmax(most[k == 4], fabs(a[i][k] - b[i][k]));
        }
    }
}

/* the stored model with what was added: as reduced again, whose fields do not depend on it, and as
 * the full model */
static void agree(const char *what, const char *const *made_with, const char *const *run_with,
                  double plain[TIMES][VALUES]) {
    verify v;
    gos_system *loaded, *again;
    double full[TIMES][VALUES], stored[TIMES][VALUES], anew[TIMES][VALUES], d[2];
    store(made_with);
    open(&v, run_with);
    verify_good(&v, gos_rom_load(v.ctx, v.sys, rom_path(), &loaded));
    verify_good(&v, gos_reduce(v.ctx, v.sys, &again));
    print_message("  %s: %d of %d coordinates, %d temperatures and states\n", what, loaded->nq,
                  v.sys->nq, loaded->nt);
    assert_int_equal(loaded->nq, again->nq);
    assert_int_equal(loaded->nt, again->nt);
    run(&v, loaded, stored);
    run(&v, again, anew);
    run(&v, v.sys, full);
    compare(stored, anew, d);
    verify_below("motion: stored and reduced anew", d[0], 1e-12);
    verify_below("temperature: stored and reduced anew [K]", d[1], 1e-9);
    compare(stored, full, d);
    verify_below("motion: reduced and full", d[0], 1e-3); // the default tolerance of reductions
    verify_below("temperature: reduced and full [K]", d[1], 1e-2);
    compare(full, plain, d);
    verify_within("motion: what the addition does", d[0], run_with ? 0.05 : 0, run_with ? 10 : 0);
    gos_system_destroy(again);
    gos_system_destroy(loaded);
    verify_close(&v);
}

static void test_added(void **state) {
    static const struct {
        const char *what;
        const char *settings[3];
    } cases[] = {{"pid", {PID}},
                 {"state_space", {STATE_SPACE}},
                 {"wheel", {WHEEL}},
                 {"pid and wheel", {WHEEL, PID}}};
    double plain[TIMES][VALUES];
    verify v;
    (void)state;
    open(&v, NULL);
    run(&v, v.sys, plain);
    verify_close(&v);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        agree(cases[i].what, NULL, cases[i].settings, plain);
    }
    static const char *const with[] = {WHEEL, PID, NULL}, *const other[] = {STATE_SPACE, NULL};
    agree("pid and wheel removed", with, NULL, plain);
    agree("pid and wheel replaced", with, other, plain);
}

static void refused(const char *setting, const char *said) {
    const char *const settings[] = {setting, NULL};
    verify v;
    gos_system *s = NULL;
    open(&v, settings);
    assert_int_equal(gos_rom_load(v.ctx, v.sys, rom_path(), &s), GOS_E_INPUT);
    print_message("  %s: %s\n", setting, gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), said));
    gos_ctx_clear(v.ctx);
    verify_close(&v);
}

static void test_refused(void **state) {
    static const char *const pid[] = {PID, NULL};
    (void)state;
    store(pid);
    refused("bodies.rod.elements=8", "body 'rod' has another type, mesh or location");
    refused("bodies.hub.mass=2", "body 'hub' has another material, section or mass");
    refused("E=2.0e7", "body 'rod' has another material, section or mass");
    refused("h=0.03", "body 'rod' has another material, section or mass");
    refused("bodies.mass={type: rigid, mass: 1, inertia: [1, 1, 1]}", "body 'mass' is new");
    refused("joints.more={type: spherical, between: [ground, rod.end]}", "joint 'more' is new");
    refused("joints.hinge.axis=[0, 1, 0]", "joint 'hinge' has changed");
    refused("joints.root.type=spherical", "joint 'root' has changed");
    refused("reference_temperature=300", "reference_temperature has another value");
}

/* files of before have no table of entries: refused all the same */
static void test_damaged(void **state) {
    verify v;
    gos_system *s = NULL;
    (void)state;
    store(NULL);
    const hid_t file = H5Fopen(rom_path(), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, "entries", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    refused("bodies.rod.elements=8", "a model with different bodies, meshes or locations; only");
    open(&v, NULL);
    verify_good(&v, gos_rom_load(v.ctx, v.sys, rom_path(), &s));
    gos_system_destroy(s);
    verify_close(&v);
}

#define FORCE "probes.f={quantity: joint_force, joint: root}"

/* A probed joint keeps its force, also where the probe was removed; other joints have none. */
static void test_joint_probes(void **state) {
    static const char *const with[] = {FORCE, NULL};
    static const char *const turn[] = {"probes.c={quantity: joint_coordinates, joint: hinge}",
                                       NULL};
    const char *const *const later[] = {NULL, with};
    (void)state;
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_system *loaded;
        double full[TIMES][VALUES], reduced[TIMES][VALUES], d[2];
        store(with);
        open(&v, later[i]);
        verify_good(&v, gos_rom_load(v.ctx, v.sys, rom_path(), &loaded));
        run(&v, loaded, reduced);
        run(&v, v.sys, full);
        compare(reduced, full, d);
        verify_below("motion: reduced and full", d[0], 1e-3);
        gos_system_destroy(loaded);
        verify_close(&v);
    }
    store(NULL);
    refused(FORCE, "probe 'f' reads joint 'root', whose force the stored reduced model");
    verify v;
    gos_system *loaded;
    open(&v, turn);
    verify_good(&v, gos_rom_load(v.ctx, v.sys, rom_path(), &loaded));
    gos_system_destroy(loaded);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_joint_probes),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE_INTERNAL(suite)
