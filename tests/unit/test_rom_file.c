/* Files of reduced models: what is read is what was written, other loads are allowed, other bodies,
   materials and joints are refused, and so are files that are something else or damaged; memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include "gossamer/io.h"
#include "models/rom_file.h"
#include "results/mode_shapes.h"
#include "rom/auto.h"
#include "support/suite.h"
#include "support/verify.h"

static const char rod[] =
    "parameters: {n: 16, rho: 2000, q: 1000, L: 1}\n"
    "materials: {m: {density: rho, young: 1e7, conductivity: 1, specific_heat: 200,\n"
    "  expansion: 1e-4, damping: {normal: 1e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [L, 0, 0],\n"
    "  elements: n}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: q, direction: [0, -1, 0], on: rod}}\n"
    "analysis: {end: 0.2}\n"
    "reduction: {method: rotation_closed, number: 6, thermal_fields: 4}\n";

static char path[64];

static int make_path(void **state) {
    (void)state;
    snprintf(path, sizeof path, "/tmp/gossamer-rom-%ld.h5", (long)getpid());
    return 0;
}

static int remove_path(void **state) {
    (void)state;
    (void)unlink(path);
    return 0;
}

static gos_system *reduce_and_save(verify *v) {
    gos_system *sys;
    verify_good(v, gos_reduce_auto(v->ctx, v->sys, &sys));
    verify_good(v, gos_rom_save(v->ctx, sys, path));
    return sys;
}

/* the same positions, to the bit, and the same knowledge */
static void same_again(const char *settings) {
    verify v;
    verify_text(&v, rod, settings);
    gos_system *sys[2] = {reduce_and_save(&v)};
    verify_good(&v, gos_rom_load(v.ctx, v.sys, path, &sys[1]));
    gos_trial_runs k[2];
    gos_reduction r[2];
    for (int i = 0; i < 2; i++) {
        gos_options o;
        gos_options_get(sys[i], &o);
        gos_reduction_get(sys[i], &r[i]);
        verify_good(&v, gos__trial_runs_create(v.ctx, sys[i], &o, &k[i]));
        verify_good(&v, gos__trial_runs_run(v.ctx, sys[i], &o, &k[i], NULL, NULL));
    }
    const size_t n = 3 * (size_t)(k[0].n * k[0].samples) * sizeof(double);
    print_message("  %s: %d points\n", settings, r[0].points);
    assert_false(k[0].failed);
    assert_memory_equal(k[0].r, k[1].r, n);
    r[0].time = 0;
    assert_memory_equal(&r[0], &r[1], sizeof r[0]);
    assert_true((sys[0]->rom->range == NULL) == (sys[1]->rom->range == NULL));
    for (int i = 0; i < 2; i++) {
        gos__trial_runs_free(v.ctx, &k[i]);
        gos_system_destroy(sys[i]);
    }
    verify_close(&v);
}

static void round_trip(void **state) {
    (void)state;
    same_again("n=16");
    same_again("reduction.on_mesh=true reduction.cubature=1e-3");
    same_again("reduction.fields=modes reduction.cubature=1e-3");
    same_again("reduction=null reduction.tolerance=1e-2");
}

static void load_with(const char *settings, gos_status expected, const char *said) {
    verify v;
    gos_system *sys = NULL;
    verify_text(&v, rod, settings);
    const gos_status status = gos_rom_load(v.ctx, v.sys, path, &sys);
    print_message("  %s: %s\n", settings, gos_ctx_message(v.ctx));
    assert_int_equal(status, expected);
    assert_true(!said || strstr(gos_ctx_message(v.ctx), said));
    gos_system_destroy(sys);
    verify_close(&v);
}

static void other_models(void **state) {
    (void)state;
    verify v;
    verify_text(&v, rod, NULL);
    gos_system_destroy(reduce_and_save(&v));
    verify_close(&v);
    load_with("q=5000 gravity=[1,2,3] analysis.end=3", GOS_OK, NULL);
    load_with("initial.rod.temperature=20 initial.rod.angular_velocity=[0,1,2]", GOS_OK, NULL);
    load_with("loads.f.type=force loads.f.on=rod.end loads.f.value=[1,0,0]", GOS_OK, NULL);
    load_with("rho=1000", GOS_E_INPUT, "different materials");
    load_with("L=2", GOS_E_INPUT, "different bodies");
    load_with("n=8", GOS_E_INPUT, "different bodies");
    load_with("joints.pin.between=[ground,rod.end]", GOS_E_INPUT, "different joints");
    load_with("joints.pin.type=clamp", GOS_E_INPUT, "different joints");
}

/* files cut short, and files of another kind */
static void damaged(void **state) {
    (void)state;
    verify v;
    static char bytes[200000];
    verify_text(&v, rod, "reduction.on_mesh=true reduction.cubature=1e-2");
    gos_system *sys = reduce_and_save(&v);
    int f = open(path, O_RDONLY);
    const long n = (long)read(f, bytes, sizeof bytes);
    close(f);
    assert_true(n > 1000 && n < (long)sizeof bytes);
    for (long k = 0; k < 20; k++) {
        gos_system *loaded = NULL;
        f = open(path, O_WRONLY | O_TRUNC);
        assert_int_equal(write(f, bytes, (size_t)(n * k / 20)), n * k / 20);
        close(f);
        assert_int_equal(gos_rom_load(v.ctx, v.sys, path, &loaded), GOS_E_FILE);
        gos_ctx_clear(v.ctx);
    }
    assert_int_equal(gos_rom_load(v.ctx, v.sys, "/nowhere/at/all.h5", &sys), GOS_E_FILE);
    assert_int_equal(gos_rom_save(v.ctx, v.sys, path), GOS_E_USE);
    assert_int_equal(gos_rom_save(v.ctx, sys, "/nowhere/at/all.h5"), GOS_E_FILE);
    // results do not overwrite a file of unknown origin
    assert_int_equal(gos_run(v.ctx, sys, &v.opt, path, NULL), GOS_E_USE);
    (void)unlink(path);
    verify_good(&v, gos_run(v.ctx, sys, &v.opt, path, NULL));
    assert_int_equal(gos_rom_save(v.ctx, sys, path), GOS_E_USE);
    gos_ctx_clear(v.ctx);
    gos_system *loaded = NULL;
    assert_int_equal(gos_rom_load(v.ctx, v.sys, path, &loaded), GOS_E_FILE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "not a reduced model"));
    (void)unlink(path);
    gos_system_destroy(sys);
    verify_close(&v);
}

/* numbers that no reduction has are refused before they are used */
static void altered(void **state) {
    (void)state;
    static const struct {
        const char *set;
        double value;
    } list[] = {{"blocks/weights0", -1},
                {"blocks/weights0", (double)NAN},
                {"blocks/points0", 1e6},
                {"blocks/points0", -3},
                {"blocks/all0", 7},
                {"groups/T0", (double)NAN},
                {"groups/D0", HUGE_VAL},
                {"modes/displacement", (double)NAN},
                {"modes/temperature", HUGE_VAL}};
    verify v;
    verify_text(&v, rod, "reduction.on_mesh=true reduction.cubature=1e-2");
    gos_system *sys = reduce_and_save(&v);
    for (int i = 0; i < (int)(sizeof list / sizeof list[0]); i++) {
        gos_system *loaded = NULL;
        verify_good(&v, gos_rom_save(v.ctx, sys, path));
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, list[i].set, H5P_DEFAULT);
        static double x[40000];
        assert_true(set >= 0 && H5Dget_storage_size(set) <= sizeof x);
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
        x[0] = list[i].value;
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
        H5Dclose(set);
        H5Fclose(file);
        const gos_status status = gos_rom_load(v.ctx, v.sys, path, &loaded);
        print_message("  %s = %g: %s\n", list[i].set, list[i].value, gos_ctx_message(v.ctx));
        assert_true(status == GOS_E_FILE || status == GOS_E_INPUT);
        gos_ctx_clear(v.ctx);
    }
    gos_system_destroy(sys);
    verify_close(&v);
}

/* ---- pictures of modes ----------------------------------------------------------------------- */

static gos_mode_pictures pictures_of(verify *v, const gos_system *sys, gos_arena *a) {
    gos_mode_pictures p;
    verify_good(v, gos__mode_pictures(v->ctx, a, sys, &p));
    return p;
}

/* what a run of the model with other settings shows of a stored reduced model is what it shows
   without the pictures that were stored; they are taken where nothing is different (`taken`), and
   only there */
static void show_with(const char *settings, bool taken) {
    verify v;
    gos_system *sys;
    verify_text(&v, rod, settings);
    verify_good(&v, gos_rom_load(v.ctx, v.sys, path, &sys));
    gos_arena *a = gos__arena_create(v.ctx);
    assert_non_null(sys->rom->pictures);
    const gos_mode_pictures shown = pictures_of(&v, sys, a);
    const float *stored = sys->rom->pictures->p.displacement;
    sys->rom->pictures = NULL;
    const gos_mode_pictures made = pictures_of(&v, sys, a);
    const size_t n = (size_t)made.n * (size_t)sys->nnodes;
    print_message("  %s: %d modes, %s\n", settings ? settings : "the same", made.n,
                  shown.displacement == stored ? "stored" : "made");
    assert_true(made.n > 0 && shown.n == made.n);
    assert_string_equal(shown.names, made.names);
    assert_memory_equal(shown.displacement, made.displacement, 3 * n * sizeof(float));
    assert_memory_equal(shown.temperature, made.temperature, n * sizeof(float));
    assert_true((shown.displacement == stored) == taken);
    gos__arena_destroy(a);
    gos_system_destroy(sys);
    verify_close(&v);
}

static void pictures(void **state) {
    (void)state;
    verify v;
    verify_text(&v, rod, NULL);
    gos_system_destroy(reduce_and_save(&v));
    verify_close(&v);
    show_with(NULL, true);
    show_with("loads.k.type=spring loads.k.between=[rod.start,rod.end] loads.k.stiffness=10",
              false);
    show_with("gravity=[0,-1,0]", false);
    show_with("initial.rod.angular_velocity=[0,0,9]", false);
    show_with("initial.rod.temperature=50", false);
    show_with("q=900", false);
}

static double constant(void *user, double t, const double *y) {
    (void)t;
    (void)y;
    return *(const double *)user;
}

/* functions of a program cannot be distinguished: pictures are made again */
static void pictures_of_functions(void **state) {
    (void)state;
    char text[sizeof rod + 200];
    (void)snprintf(text, sizeof text,
                   "%sloads: {f: {type: force, on: rod.end, value: [{call: f, of: [x.y]}, 0, 0]}}\n"
                   "probes: {x: {at: rod.end, quantity: position}}\n",
                   rod);
    double value = 1;
    const gos_callback f = {.value = constant, .user = &value};
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    verify_good(&v, gos_model_callback(v.ctx, v.model, "f", &f));
    verify_compile(&v);
    gos_system_destroy(reduce_and_save(&v));
    gos_system *sys;
    verify_good(&v, gos_rom_load(v.ctx, v.sys, path, &sys));
    gos_arena *a = gos__arena_create(v.ctx);
    assert_true(sys->rom->pictures->of == gos__pictured(sys));
    assert_true(pictures_of(&v, sys, a).displacement != sys->rom->pictures->p.displacement);
    gos__arena_destroy(a);
    gos_system_destroy(sys);
    verify_close(&v);
}

/* files of before have no pictures; part of them is damage */
static void without_pictures(void **state) {
    (void)state;
    static const char *const gone[] = {"modes", "modes/temperature"};
    verify v;
    verify_text(&v, rod, NULL);
    gos_system *sys = reduce_and_save(&v), *loaded = NULL;
    for (int i = 0; i < 2; i++) {
        verify_good(&v, gos_rom_save(v.ctx, sys, path));
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(file, gone[i], H5P_DEFAULT) >= 0);
        H5Fclose(file);
        const gos_status status = gos_rom_load(v.ctx, v.sys, path, &loaded);
        assert_int_equal(status, i == 0 ? GOS_OK : GOS_E_FILE);
        if (i == 0) {
            assert_null(loaded->rom->pictures);
            gos_system_destroy(loaded);
        }
    }
    assert_non_null(strstr(gos_ctx_message(v.ctx), "modes are damaged"));
    gos_ctx_clear(v.ctx);
    gos_system_destroy(sys);
    verify_close(&v);
}

/* ---- tolerance ------------------------------------------------------------------------------- */

/* tolerance of a loaded model under other settings, and how many messages have these words */
static double tolerance_with(const char *settings, const char *words, int *said) {
    verify v;
    gos_system *sys;
    gos_options o;
    verify_text(&v, rod, settings);
    verify_good(&v, gos_rom_load(v.ctx, v.sys, path, &sys));
    gos_options_get(sys, &o);
    *said = 0;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        *said += strstr(gos_ctx_diag(v.ctx, i)->text, words) != NULL;
    }
    gos_system_destroy(sys);
    verify_close(&v);
    return o.tolerance;
}

/* the steps of the reduction, unless the model states another tolerance than then */
static void tolerances(void **state) {
    static const char made[] =
        "n=4 reduction=null reduction.tolerance=1e-2 analysis.tolerance=1e-5",
                      finer[] = "n=4 analysis.tolerance=1e-7",
                      coarser[] = "n=4 analysis.tolerance=0.05",
                      fixed[] = "n=4 analysis.tolerance=1e-5 analysis.step=1e-3";
    (void)state;
    verify v;
    int said;
    gos_reduction r;
    verify_text(&v, rod, made);
    gos_system *sys = reduce_and_save(&v);
    gos_reduction_get(sys, &r);
    gos_system_destroy(sys);
    verify_close(&v);
    assert_true(r.step_tolerance > 1e-5 && r.step_tolerance < 0.05);
    assert_true(tolerance_with(made, "analysis.tolerance 1e-05 is replaced", &said) ==
                r.step_tolerance);
    assert_int_equal(said, 1);
    assert_true(tolerance_with(finer, "analysis.tolerance 1e-07 is used", &said) == 1e-7);
    assert_int_equal(said, 1);
    assert_true(tolerance_with(coarser, "does not include the errors of longer steps", &said) ==
                0.05);
    assert_int_equal(said, 1);
    (void)tolerance_with(fixed, "analysis.tolerance", &said);
    assert_int_equal(said, 0);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct meter {
    long left, held, calls; // allocation number `left` fails; 0: none
} meter;

static void *meter_alloc(void *user, size_t size) {
    meter *m = user;
    m->calls++;
    if (m->left > 0 && --m->left == 0) {
        return NULL;
    }
    m->held++;
    return malloc(size);
}

static void *meter_realloc(void *user, void *p, size_t size) {
    meter *m = user;
    m->calls++;
    if (m->left > 0 && --m->left == 0) {
        return NULL;
    }
    m->held += p == NULL;
    return realloc(p, size);
}

static void meter_free(void *user, void *p) {
    meter *m = user;
    m->held -= p != NULL;
    free(p);
}

/* a message without memory for its text, or for what it is about, stays and is no error */
static bool lost_text(const gos_ctx *ctx) {
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        if (strstr(d->text, "text lost") || (d->status == GOS_OK && !d->object)) {
            return true;
        }
    }
    return false;
}

/* choosing, storing and loading with an allocation that fails: 100 places over all of it */
static void out_of_memory(void **state) {
    (void)state;
    meter m = {0};
    const gos_allocator allocator = {meter_alloc, meter_realloc, meter_free, &m};
    verify v = {.ctx = gos_ctx_create_with(&allocator)};
    verify_good(&v, gos_model_parse(v.ctx, rod, strlen(rod), "test", NULL, &v.model));
    verify_set(&v, "n=4 analysis.end=0.05 reduction=null "
                   "reduction.tolerance=1e-2");
    verify_compile(&v);
    const long before = m.held;
    long all = 0, failures = 0;
    for (long k = 0; k <= 100; k++) {
        gos_system *made = NULL, *loaded = NULL;
        const long start = m.calls;
        m.left = k * all / 100;
        gos_status status = gos_reduce_auto(v.ctx, v.sys, &made);
        status = status == GOS_OK ? gos_rom_save(v.ctx, made, path) : status;
        status = status == GOS_OK ? gos_rom_load(v.ctx, v.sys, path, &loaded) : status;
        all = k == 0 ? m.calls - start : all;
        m.left = 0;
        assert_int_equal(status, k * all / 100 == 0 || lost_text(v.ctx) ? GOS_OK : GOS_E_MEMORY);
        failures += status != GOS_OK;
        gos_system_destroy(loaded);
        gos_system_destroy(made);
        gos_ctx_clear(v.ctx);
        assert_int_equal(m.held, before);
    }
    print_message("  %ld of %ld allocations failed\n", failures, all);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),       cmocka_unit_test(other_models),
        cmocka_unit_test(damaged),          cmocka_unit_test(altered),
        cmocka_unit_test(pictures),         cmocka_unit_test(pictures_of_functions),
        cmocka_unit_test(without_pictures), cmocka_unit_test(tolerances),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
SUITE_INTERNAL(suite)
