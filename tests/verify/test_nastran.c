/* Nastran bulk data: equal models as Nastran and as CalculiX deck have equal modes and statics to
   rounding, and closed forms of what CalculiX decks do not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "deck/nastran.h"
#include "gossamer/blas.h"
#include "linear/linear.h"
#include "math/section_shapes.h"
#include "support/calculix.h"
#include "support/folder.h"
#include "support/near.h"
#include "support/suite.h"

enum { MODES = 6, LONGEST = 20000 };

typedef double frequencies[MODES];

static gos_ctx *ctx;

static int setup(void **state) {
    ctx = gos_ctx_create();
    return ctx == NULL || folder_make(state) != 0;
}

static int teardown(void **state) {
    gos_ctx_destroy(ctx);
    return folder_remove(state);
}

static gos_deck *parse(bool nastran, const char *text) {
    gos_deck *deck = NULL;
    gos_ctx_clear(ctx);
    const size_t n = strlen(text);
    const gos_status status = nastran ? gos__nastran_parse(ctx, "a.bdf", text, n, NULL, 0, &deck)
                                      : gos__deck_parse(ctx, "a.inp", text, n, NULL, &deck);
    if (status != GOS_OK) {
        fail_msg("%s\n%s", gos_ctx_message(ctx), text);
    }
    return deck;
}

/* the linear model of a text; frequencies, NULL: unused */
static gos_linear *linear_of(bool nastran, const char *text, frequencies f) {
    gos_deck *deck = parse(nastran, text);
    gos_linear *l = NULL;
    gos_mode mode[MODES];
    int found = 0;
    if (gos_linear_from_mesh(ctx, deck->mesh, &l) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    if (f) {
        assert_int_equal(gos_linear_modes(ctx, l, MODES, false, mode, &found), GOS_OK);
        for (int i = 0; i < MODES; i++) {
            f[i] = i < found ? mode[i].frequency : 0;
        }
    }
    gos__deck_destroy(deck);
    return l;
}

static void modes_of(bool nastran, const char *text, frequencies f) {
    gos_linear_destroy(linear_of(nastran, text, f));
}

/* two of six modes may be equal, so that only their frequencies are compared */
static void same_modes(const char *what, const char *bulk, const char *deck, double tolerance) {
    frequencies a, b;
    modes_of(true, bulk, a);
    modes_of(false, deck, b);
    for (int i = 0; i < MODES; i++) {
        assert_true(b[i] > 0);
        near_rel_named(what, a[i], b[i], tolerance);
    }
}

/* ---- a writer -------------------------------------------------------------------------------- */

typedef struct writer {
    char text[2][LONGEST]; // Nastran, CalculiX
    int n[2];
} writer;

static void put(writer *w, int which, const char *fmt, ...) GOS_PRINTF(3, 4);
static void put(writer *w, int which, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    w->n[which] +=
        vsnprintf(w->text[which] + w->n[which], (size_t)(LONGEST - w->n[which]), fmt, args);
    va_end(args);
    assert_true(w->n[which] < LONGEST);
}

static void begin(writer *w, const char *control) {
    w->n[0] = w->n[1] = 0;
    put(w, 0, "SOL 103\nCEND\n%sBEGIN BULK\n", control);
    put(w, 0, "MAT1,1,2.1+11,,0.3,7850.,1.2-5,20.\n");
    put(w, 1, "*MATERIAL, NAME=M\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n*EXPANSION\n1.2e-5\n");
}

static void node(writer *w, int id, double x, double y, double z) {
    put(w, 0, "GRID,%d,,%.17E,%.17E,%.17E\n", id, x, y, z);
    put(w, 1, "*NODE, NSET=ALL\n%d, %.17g, %.17g, %.17g\n", id, x, y, z);
}

/* ---- bars ------------------------------------------------------------------------------------ */

#define HIGH 0.02 // along direction 1, which is Nastran's y
#define WIDE 0.01

/* an L of ten bars in space, nodes 1 to 11, clamped at 1 */
static void frame(writer *w, const char *control) {
    const double nu = 0.3, shear = 10 * (1 + nu) / (12 + 11 * nu);
    const double J = gos__torsion_rectangle(HIGH, WIDE);
    begin(w, control);
    for (int i = 0; i < 11; i++) {
        node(w, 1 + i, 0.1 * (i < 5 ? i : 5), 0.03 * i, i < 5 ? 0 : 0.12 * (i - 5));
    }
    put(w, 0, "PBAR,5,1,%.17E,%.17E,%.17E,%.17E,,,+\n+,,,,,,,,,+\n+,%.17E,%.17E\n", HIGH * WIDE,
        WIDE * pow(HIGH, 3) / 12, HIGH * pow(WIDE, 3) / 12, J, shear, shear);
    put(w, 1, "*ELEMENT, TYPE=B31, ELSET=B\n");
    for (int i = 1; i <= 10; i++) {
        put(w, 0, "CBAR,%d,5,%d,%d,-0.3,1.,0.2\n", i, i, i + 1);
        put(w, 1, "%d, %d, %d\n", i, i, i + 1);
    }
    put(w, 0, "SPC1,1,123456,1\n");
    put(w, 1, "*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT\n%.17g, %.17g\n-0.3, 1., 0.2\n",
        HIGH, WIDE);
    put(w, 1, "*BOUNDARY\n1, 1, 6\n");
}

static void test_bars(void **state) {
    GOS_UNUSED(state);
    static writer w;
    frame(&w, "SPC = 1\n");
    same_modes("bars", w.text[0], w.text[1], 1e-9);
}

/* springs to the ground and between nodes, masses */
static void test_points(void **state) {
    GOS_UNUSED(state);
    static writer w;
    frame(&w, "SPC = 1\n");
    put(&w, 0, "CELAS2,101,4.+4,11,3\nCELAS2,102,300.,7,5\nCONM2,103,9,,0.7\n");
    put(&w, 0, "PELAS,9,2.5+4\nCELAS1,104,9,11,1,4,1\n");
    put(&w, 0, "CMASS2,105,0.2,4,1\nCMASS2,106,0.2,4,2\nCMASS2,107,0.2,4,3\n");
    put(&w, 1,
        "*ELEMENT, TYPE=SPRING1, ELSET=A\n101, 11\n*SPRING, ELSET=A\n3\n4.e4\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=C\n102, 7\n*SPRING, ELSET=C\n5\n300.\n"
        "*ELEMENT, TYPE=SPRING2, ELSET=D\n104, 11, 4\n*SPRING, ELSET=D\n1, 1\n2.5e4\n"
        "*ELEMENT, TYPE=MASS, ELSET=F\n103, 9\n*MASS, ELSET=F\n0.7\n"
        "*ELEMENT, TYPE=MASS, ELSET=G\n105, 4\n*MASS, ELSET=G\n0.2\n");
    same_modes("springs and masses", w.text[0], w.text[1], 1e-9);
}

static double cantilever(const char *section, const char *element, double omega[2]) {
    static char text[LONGEST];
    frequencies f;
    int n = snprintf(text, sizeof text, "CEND\nSPC=1\nBEGIN BULK\nMAT1,1,7.+10,,0.33,2700.\n%s\n",
                     section);
    for (int i = 0; i <= 20; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "GRID,%d,,%.2f,0.,0.\n", i + 1, i * 0.05);
        n += i == 0 ? 0
                    : snprintf(text + n, sizeof text - (size_t)n, "%s,%d,5,%d,%d,0.,1.,0.\n",
                               element, i, i, i + 1);
    }
    (void)snprintf(text + n, sizeof text - (size_t)n, "SPC1,1,123456,1\nENDDATA\n");
    modes_of(true, text, f);
    omega[0] = 2 * M_PI * f[0];
    omega[1] = 2 * M_PI * f[1];
    return f[0];
}

/* Euler beams: I1 bends in the plane of v, I12 turns the principal axes */
static void test_sections(void **state) {
    GOS_UNUSED(state);
    const double A = 1e-4, root = 3.516015268500, I1 = 4e-9, I2 = 1e-9, I12 = 1e-9;
    const double mean = (I1 + I2) / 2, half = sqrt(pow((I1 - I2) / 2, 2) + I12 * I12);
    const double scale = root * sqrt(7e10 / (2700 * A));
    double w[2];
    cantilever("PBAR,5,1,1.-4,4.-9,1.-9,3.-9", "CBAR", w);
    near_rel(w[0], scale * sqrt(I2), 3e-4); // rotary inertia
    near_rel(w[1], scale * sqrt(I1), 3e-4);
    cantilever("PBAR,5,1,1.-4,4.-9,1.-9,3.-9,,+\n+\n+,,,1.-9", "CBAR", w);
    near_rel(w[0], scale * sqrt(mean - half), 3e-4);
    near_rel(w[1], scale * sqrt(mean + half), 3e-4);
    cantilever("PBEAM,5,1,1.-4,4.-9,1.-9,,3.-9,0.27,+\n+\n+,YES,1.,1.-4,4.-9,1.-9,,3.-9,0.27,+\n+\n"
               "+,0.,0.",
               "CBEAM", w); // 0.27 kg/m doubles the mass
    near_rel(w[0], scale * sqrt(I2 / 2), 3e-4);
    cantilever("PBARL,5,1,,TUBE2,,,,,+\n+,0.01,0.002", "CBAR", w);
    near_rel(w[0], root * sqrt(7e10 / 2700 * (1e-4 + 64e-6) / 4), 2e-3); // and shear
}

/* ---- a plate of shells or bricks ------------------------------------------------------------- */

enum { NX = 4, NY = 3 };

static int at(int i, int j) {
    return 1 + i + (NX + 1) * j;
}

/* 1 x 0.6 m in a plane turned about x, with slightly curved columns; `control` in the Nastran text
 */
static void plate(writer *w, const char *control, const char *property, const char *section) {
    begin(w, control);
    for (int k = 0; k < (NX + 1) * (NY + 1); k++) {
        const int i = k % (NX + 1), j = k / (NX + 1);
        const double x = 0.25 * i + 0.02 * (i == 2) * j, y = 0.2 * j;
        node(w, at(i, j), x, 0.8 * y, 0.6 * y);
    }
    put(w, 0, "%s", property);
    put(w, 1, "*ELEMENT, TYPE=S4, ELSET=E\n");
    for (int k = 0; k < NX * NY; k++) {
        const int i = k % NX, j = k / NX, a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1);
        put(w, 0, "CQUAD4,%d,5,%d,%d,%d,%d,0\n", 1 + k, a, b, c, at(i, j + 1));
        put(w, 1, "%d, %d, %d, %d, %d\n", 1 + k, a, b, c, at(i, j + 1));
    }
    put(w, 1, "%s", section);
    put(w, 0, "SPC1,1,123456,1,THRU,%d,BY,%d\n", at(0, NY), NX + 1);
    put(w, 1, "*BOUNDARY\n");
    for (int j = 0; j <= NY; j++) {
        put(w, 1, "%d, 1, 6\n", at(0, j));
    }
}

#define SHELL "PSHELL,5,1,0.01,1,,1\n", "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.01\n"

/* unit mass on a rigid arm, average with weights, an equation, oblique supports */
static void test_constraints(void **state) {
    GOS_UNUSED(state);
    static writer w;
    plate(&w, "SPC = 1\nMPC = 3\n", SHELL);
    node(&w, 101, 1.3, 0.3, 0.5);
    node(&w, 102, 0.5, 0.3, 0.6);
    put(&w, 0,
        "RBE2,201,101,123456,5,10,15\nRBE3,202,,102,123456,1.,123,8,9,+\n+,13,14\n"
        "CELAS2,203,1.+5,102,2\nMPC,3,16,3,1.,18,3,-0.5,+\n+,,17,2,-0.25\n"
        "CORD2R,4,,0.,0.,0.,0.,-0.6,0.8,+\n+,1.,0.,0.\n"
        "SPC1,1,2,19\nCELAS2,204,2.+5,101,3\n");
    put(&w, 1,
        "*NSET, NSET=R\n5, 10, 15\n*NSET, NSET=V\n8, 9, 13, 14\n"
        "*SURFACE, NAME=RS, TYPE=NODE\nR\n*SURFACE, NAME=VS, TYPE=NODE\nV\n"
        "*COUPLING, CONSTRAINT NAME=C1, REF NODE=101, SURFACE=RS\n*KINEMATIC\n1, 6\n"
        "*COUPLING, CONSTRAINT NAME=C2, REF NODE=102, SURFACE=VS\n*DISTRIBUTING\n1, 6\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=A\n203, 102\n*SPRING, ELSET=A\n2\n1.e5\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=B\n204, 101\n*SPRING, ELSET=B\n3\n2.e5\n"
        "*EQUATION\n3\n16, 3, 1., 18, 3, -0.5, 17, 2, -0.25\n*BOUNDARY\n19, 2, 2\n");
    same_modes("constraints", w.text[0], w.text[1], 1e-9);
}

/* layers by angles and a material axis, offset; 30 degrees from x of the mesh */
static void test_layers(void **state) {
    GOS_UNUSED(state);
    static writer w;
    plate(&w, "SPC = 1\n",
          "MAT8,7,1.4+11,1.+10,0.3,5.+9,4.+9,3.+9,1600.\n"
          "PCOMP,5,-0.001,,,,,,,+\n+,7,0.002,30.,,7,0.001,-45.,,+\n+,7,0.002,90.\n",
          "*MATERIAL, NAME=P\n*ELASTIC, TYPE=LAMINA\n1.4e11, 1e10, 0.3, 5e9, 4e9, 3e9\n"
          "*DENSITY\n1600.\n*ORIENTATION, NAME=O\n1, 0, 0, 0, 0.8, 0.6\n"
          "*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=O, OFFSET=-0.3\n"
          "0.002, , P, 30.\n0.001, , P, -45.\n0.002, , P, 90.\n");
    same_modes("layers", w.text[0], w.text[1], 1e-9);
}

/* mass per area: the same frequencies as of the density, except for rotary inertia */
static void test_added_mass(void **state) {
    GOS_UNUSED(state);
    static writer w;
    frequencies a, b;
    plate(&w, "SPC = 1\n", "PSHELL,5,1,0.01,1,,1,,78.5\n",
          "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.01\n");
    modes_of(true, w.text[0], a);
    modes_of(false, w.text[1], b);
    for (int i = 0; i < MODES; i++) {
        near_rel(a[i] * sqrt(2), b[i], 1e-9);
    }
}

/* ---- mass properties ------------------------------------------------------------------------- */

/* A light plate with CONM2: mass and inertia about the common centre, in closed form. WTMASS and
   units. */
static void test_mass(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
        "MAT1,1,1.+9,,0.3,1.-9\nPSHELL,1,1,0.1,1,,1\nCQUAD4,1,1,1,2,3,4\nPARAM,WTMASS,0.5\n"
        "CORD2R,8,,0.,0.,0.,0.,-1.,0.,+\n+,1.,0.,0.\n" // x, z, -y
        "CONM2,2,1,8,4.,0.1,0.2,0.3,,+\n+,1.,0.1,2.,0.2,0.3,2.5\nENDDATA\n";
    gos_linear_info info;
    gos_linear *l = linear_of(true, text, NULL);
    gos_linear_info_get(l, &info);
    near_rel(info.mass, 2, 1e-8);
    // about the centre, which is that of the mass; axes 1, 2, 3 are x, z, -y
    near_rel(info.inertia[0], 0.5, 1e-6);
    near_rel(info.inertia[1], 1.25, 1e-6);
    near_rel(info.inertia[2], 1, 1e-6);
    gos_linear_destroy(l);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* The same cantilever in small, large and free fields, with tabs, continuations and include-free
   comments: equal to the last bit. */
static void test_fields(void **state) {
    GOS_UNUSED(state);
    static const char *const form[] = {
        "$ free\nCEND\nSPC=1\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.5,0.,0.\nGRID,3,,1.5,1.,0.\n"
        "GRID,4,,0.,1.,0.\nMAT1,1,7.+10,,0.3,2700.\nPSHELL,2,1,1.5-2,1,,1\nCQUAD4,7,2,1,2,3,4\n"
        "SPC1,1,123456,1,4\nENDDATA\n",
        "CEND\nSPC=1\nBEGIN BULK\n"
        "GRID    1               0.      0.      0.\n"
        "GRID           2        1.5     .0      0.00\n"
        "GRID    3               15.-1   1.D0    0.\n"
        "grid    4               0.      1.      0.      $ comment\n"
        "MAT1    1       7.0+10          .3      2.7E3\n"
        "PSHELL\t2\t1\t.015\t1\t\t1\n"
        "CQUAD4  7       2       1       2       3       4       0.0             +Q1\n"
        "+Q1             0       1.5-2   1.5-2   1.5-2   1.5-2\n"
        "SPC1    1       123456  1       THRU    4       BY      3\nENDDATA\n",
        "CEND\nSPC=1\nBEGIN BULK\n"
        "GRID*   1                               0.              0.\n*       0.\n"
        "GRID*   2                               1.5             0.              *G2\n"
        "*G2     0.\n"
        "GRID*,3,,1.5,1.,*G3\n*G3,0.\n"
        "GRID*   4                               0.              1.\n*       0.\n"
        "MAT1*   1               7.0D+10                         .3\n*       2700.\n"
        "PSHELL* 2               1               .015            1\n"
        "*                       1\n"
        "CQUAD4  7       2       1       2       3       4\n"
        "SPC1*   1               123456          1               4\nENDDATA\n"};
    frequencies f[3];
    for (int k = 0; k < 3; k++) {
        modes_of(true, form[k], f[k]);
        for (int i = 0; i < MODES; i++) {
            assert_true(f[k][i] > 0 && f[k][i] == f[0][i]);
        }
    }
}

/* points in cylinders and spheres, in chains of systems */
static void test_axes(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "CORD2C,1,,1.,2.,3.,1.,2.,4.,+\n+,2.,2.,3.\n"
        "CORD2S,2,1,2.,90.,0.,2.,90.,1.,+\n+,3.,90.,0.\n" // at (1, 4, 3), axes as of 1 at 90
                                                          // degrees
        "GRID,1,1,2.,30.,0.5\nGRID,2,2,2.,60.,90.\nGRID,3,,0.,0.,0.\nGRID,4,,5.,0.,0.\n"
        "GRID,5,,5.,5.,0.\nCORD1R,3,3,5,4\nGRID,6,3,1.,0.,0.\n"
        "MAT1,1,1.+9,,0.3,1.\nPSHELL,1,1,0.1,1,,1\nCTRIA3,1,1,3,4,5\nENDDATA\n";
    gos_deck *d = parse(true, text);
    const double(*x)[3] = (const double(*)[3])d->mesh->x;
    near_rel(x[0][0], 1 + 2 * cos(M_PI / 6), 1e-14);
    near_rel(x[0][1], 3, 1e-14);
    near_rel(x[0][2], 3.5, 1e-14);
    near_rel(x[1][0], 1 - 2 * sin(M_PI / 3), 1e-14); // y of the sphere is -x
    near_rel(x[1][1], 4, 1e-14);
    near_rel(x[1][2], 4, 1e-14);
    near_rel(x[5][0], sqrt(0.5), 1e-14); // x across the diagonal, in the plane of node 4
    near_rel(x[5][1], -sqrt(0.5), 1e-14);
    gos__deck_destroy(d);
}

/* ---- statics --------------------------------------------------------------------------------- */

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* displacements of n nodes by the loads of a file */
static void static_of(const char *type, const char *file, const char *more, int n, const int *node,
                      double (*u)[3]) {
    static char text[3000];
    verify v;
    int used = snprintf(text, sizeof text,
                        "meshes: {m: {type: %s, file: %s}}\n"
                        "bodies: {body: {type: floating, mesh: m, reference: clamped, "
                        "deck_loads: true%s}}\n"
                        "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
                        "analysis: {type: static}\nprobes:\n",
                        type, file, more);
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  P%d: {at: body.node(%d), quantity: displacement}\n", i, node[i]);
    }
    calculix_open(&v, text, folder);
    verify_static(&v);
    for (int i = 0; i < n; i++) {
        char probe[20];
        double y[GOS_PROBE_MAX];
        (void)snprintf(probe, sizeof probe, "P%d", i);
        verify_probe(&v, v.state, probe, y);
        memcpy(u[i], y, sizeof u[i]);
    }
    verify_close(&v);
}

static void same_statics(const char *what, const writer *w, const char *more, int n,
                         const int *node) {
    double a[8][3], b[8][3], most = 0, worst = 0;
    write_file("a.bdf", w->text[0]);
    write_file("a.inp", w->text[1]);
    static_of("nastran", "a.bdf", more, n, node, a);
    static_of("deck", "a.inp", more, n, node, b);
    for (int i = 0; i < 3 * n; i++) {
        worst = fmax(worst, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
        most = fmax(most, fabs(b[i / 3][i % 3]));
    }
    assert_true(most > 0);
    verify_below(what, worst / most, 1e-9);
}

#define SUB "SUBCASE 1\nLOAD = 9\nSUBCASE 2\nLOAD = 8\n"

/* forces in a cylinder, moments, gravity, pressure, with factors of LOAD; a turned node */
static void test_shell_loads(void **state) {
    GOS_UNUSED(state);
    static const int nodes[] = {5, 13, 20};
    static writer w;
    plate(&w, "SPC = 1\n" SUB, SHELL);
    put(&w, 0,
        "LOAD,9,2.,0.5,11,3.,12,-1.,13,+\n+,1.,14\n"
        "CORD2C,6,,0.,0.,0.,1.,0.,0.,+\n+,0.,0.,1.\n" // axis x, radius at angle 0 is z
        "FORCE,11,20,6,50.,0.,1.,0.\nMOMENT,11,10,,4.,1.,-0.5,0.2\n"
        "GRAV,12,,9.81,0.,0.3,-0.4\nPLOAD4,13,3,700.,,,,THRU,6\nPLOAD2,14,300.,1,THRU,2,12\n"
        "FORCE,8,20,,1.+9,0.,0.,1.\n");
    // at (y, z) = (0.48, 0.36): the direction of the angle is x cross r, r = (0.8, 0.6)
    put(&w, 1,
        "*ELSET, ELSET=P1\n3, 4, 5, 6\n*ELSET, ELSET=P2\n1, 2, 12\n*STEP\n*STATIC\n"
        "*CLOAD\n20, 2, -30.\n20, 3, 40.\n10, 4, 4.\n10, 5, -2.\n10, 6, 0.8\n"
        "*DLOAD\nE, GRAV, 29.43, 0., 0.6, -0.8\nP1, PNEG, -1400.\nP2, PNEG, 600.\n*END STEP\n");
    same_statics("shells", &w, "", 3, nodes);
}

/* the second subcase, by the parameter of the mesh; enforced displacement along an oblique axis */
static void test_subcase(void **state) {
    GOS_UNUSED(state);
    double u[1][3];
    static writer w;
    plate(&w, "SPC = 1\n" SUB, SHELL);
    put(&w, 0, "FORCE,9,20,,1.,0.,0.,1.\nFORCE,8,20,,-2.,0.,0.,1.\n");
    write_file("a.bdf", w.text[0]);
    static_of("nastran", "a.bdf", "", 1, (const int[]){20}, u);
    const double first = u[0][2];
    static_of("nastran, subcase: 2", "a.bdf", "", 1, (const int[]){20}, u);
    assert_true(first > 0);
    near_rel(u[0][2], -2 * first, 1e-9);
}

/* pressure on faces of solids of each shape, chosen by corners; temperatures over TREF */
static void test_solid_loads(void **state) {
    GOS_UNUSED(state);
    static const int nodes[] = {7, 8, 9, 10};
    static writer w;
    begin(&w, "SPC = 1\nLOAD = 2\nTEMP(LOAD) = 3\n");
    for (int i = 0; i < 12; i++) {
        node(&w, 1 + i, i / 4, (i % 4 == 1 || i % 4 == 2) + 0.1 * (i == 5), i % 4 > 1);
    }
    node(&w, 13, 2.5, 0.5, 0.5);
    put(&w, 0,
        "CHEXA,1,5,1,2,3,4,5,6,+\n+,7,8\nCPENTA,2,5,5,6,7,9,10,11\nCPENTA,3,5,5,7,8,9,11,12\n"
        "CTETRA,4,5,9,10,11,13\nCTETRA,5,5,9,11,12,13\nPSOLID,5,1\nSPC1,1,123,1,2,3,4\n"
        "PLOAD4,2,1,1.+6,,,,1,6\nPLOAD4,2,2,2.+6,,,,6,11\nPLOAD4,2,4,3.+6,,,,10,9\n"
        "PLOAD4,2,5,-1.+6,,,,12,9\nTEMPD,3,20.\nTEMP,3,5,120.,6,70.,13,170.\n");
    put(&w, 1,
        "*ELEMENT, TYPE=C3D8I, ELSET=E\n1, 1,2,3,4,5,6,7,8\n"
        "*ELEMENT, TYPE=C3D6, ELSET=E\n2, 5,6,7,9,10,11\n3, 5,7,8,9,11,12\n"
        "*ELEMENT, TYPE=C3D4, ELSET=E\n4, 9,10,11,13\n5, 9,11,12,13\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n"
        "*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n4, 1, 3\n*STEP\n*STATIC\n"
        // faces: hex 1 2 6 5; wedge 6 7 11 10; tet without node 9
        "*DLOAD\n1, P3, 1.e6\n2, P4, 2.e6\n4, P3, 3.e6\n5, P3, -1.e6\n"
        "*TEMPERATURE\nALL, 20.\n5, 120.\n6, 70.\n13, 170.\n*END STEP\n");
    same_statics("solids", &w, "", 4, nodes);
}

/* Two tetrahedra of ten nodes with curved sides: nodes in the order of the card, points of
   integration, masses, pressure on a face */
static void test_tetrahedra(void **state) {
    GOS_UNUSED(state);
    static const double x[5][3] = {
        {0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0.2, 1.1}, {1, 1, 1}};
    static const int cell[2][4] = {{0, 1, 2, 3}, {1, 4, 2, 3}};
    static const int side[9][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3},
                                   {2, 3}, {1, 4}, {4, 2}, {4, 3}};
    static const char *const middle[2] = {"11,12,13,14,15,16", "17,18,12,15,19,16"};
    static writer w;
    begin(&w, "SPC = 1\nLOAD = 2\n");
    for (int i = 0; i < 5; i++) {
        node(&w, 1 + i, x[i][0], x[i][1], x[i][2]);
    }
    for (int i = 0; i < 9; i++) {
        const double *a = x[side[i][0]], *b = x[side[i][1]], bent = 0.02 * (i % 4);
        node(&w, 11 + i, (a[0] + b[0]) / 2 + bent, (a[1] + b[1]) / 2 - bent, (a[2] + b[2]) / 2);
    }
    put(&w, 1, "*ELEMENT, TYPE=C3D10, ELSET=E\n");
    for (int i = 0; i < 2; i++) {
        const int *c = cell[i];
        for (int k = 0; k < 2; k++) {
            put(&w, k,
                k == 0 ? "CTETRA,%d,5,%d,%d,%d,%d,%.5s,+\n+,%s\n" : "%d,%d,%d,%d,%d,%.5s,%s\n",
                1 + i, 1 + c[0], 1 + c[1], 1 + c[2], 1 + c[3], middle[i], middle[i] + 6);
        }
    }
    put(&w, 0,
        "PSOLID,5,1\nSPC1,1,123,1,3,4,13,14,16\nPLOAD4,2,2,1.+6,,,,2,3\nFORCE,2,18,,9.+5,0.,1.,1."
        "\n");
    put(&w, 1,
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n*NSET, NSET=S\n1, 3, 4, 13, 14, 16\n*BOUNDARY\nS, 1, "
        "3\n"
        // nodes 1, 2, 4 of the cell
        "*STEP\n*STATIC\n*DLOAD\n2, P2, 1.e6\n*CLOAD\n18, 2, 9.e5\n18, 3, 9.e5\n*END STEP\n");
    same_modes("tetrahedra", w.text[0], w.text[1], 1e-9);
    same_statics("tetrahedra", &w, "", 4, (const int[]){2, 5, 12, 18});
}

/* tip of a cantilever under a force at an offset end: bending, torsion and shear in closed form */
static void test_offset(void **state) {
    GOS_UNUSED(state);
    static const int tip[] = {2};
    double u[1][3];
    const double E = 7e10, nu = 0.3, L = 2, P = 10, I1 = 4e-9, J = 3e-9, off = 0.1;
    write_file("a.bdf", "SOL 101\nCEND\nSPC=1\nLOAD=2\nBEGIN BULK\nMAT1,1,7.+10,,0.3,2700.\n"
                        "PBAR,5,1,1.-4,4.-9,1.-9,3.-9\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\n"
                        "CBAR,1,5,1,2,0.,0.,1.,,+\n+,,,0.,0.1,0.,0.,0.1,0.\n" // along global y
                        "SPC1,1,123456,1\nFORCE,2,2,,10.,0.,0.,1.\nENDDATA\n");
    static_of("nastran", "a.bdf", "", 1, tip, u);
    near_rel(u[0][2], P * L * L * L / (3 * E * I1) + P * off * off * L / (E / (2 * (1 + nu)) * J),
             1e-5);
}

/* ---- ends of bars, bushes -------------------------------------------------------------------- */

/* Beam of 2 L between clamps along a line in space, hinged in its middle about element z (plane 1):
   two cantilevers there, one beam in plane 2. */
static void test_pins(void **state) {
    GOS_UNUSED(state);
    const double L = 1.5, EI1 = 7e10 * 4e-9, EI2 = 7e10 * 1e-9, P = 10;
    static const double x[3] = {0.6, 0.64, 0.48}, y[3] = {-0.8, 0.48, 0.36}, z[3] = {0, -0.6, 0.8};
    for (int end = 0; end < 2; end++) { // pin of the second bar, or of the first
        for (int plane = 0; plane < 2; plane++) {
            const double *e = plane == 0 ? y : z;
            double u[1][3], along = 0;
            char text[1000];
            (void)snprintf(text, sizeof text,
                           "SOL 101\nCEND\nSPC=1\nLOAD=2\nBEGIN BULK\nMAT1,1,7.+10,,0.3,2700.\n"
                           "PBAR,5,1,1.-4,4.-9,1.-9,3.-9\nGRID,1,,0.,0.,0.\n"
                           "GRID,2,,0.9,0.96,0.72\nGRID,3,,1.8,1.92,1.44\n"
                           "CBAR,1,5,1,2,-0.8,0.48,0.36,,%s\nCBAR,2,5,2,3,-0.8,0.48,0.36,,%s\n"
                           "SPC1,1,123456,1,3\nFORCE,2,2,,10.,%.2f,%.2f,%.2f\nENDDATA\n",
                           end == 0 ? "" : "+\n+,,6", end == 0 ? "+\n+,6" : "", e[0], e[1], e[2]);
            write_file("a.bdf", text);
            static_of("nastran", "a.bdf", "", 1, (const int[]){2}, u);
            for (int k = 0; k < 3; k++) {
                along += u[0][k] * e[k];
            }
            near_rel(along,
                     plane == 0 ? P * pow(L, 3) / (6 * EI1) : P * pow(2 * L, 3) / (192 * EI2),
                     1e-5);
        }
    }
    assert_true(fabs(x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) < 1e-12);
}

/* Pins as equations between two nodes; offset ends as nodes on rigid links. Node 50 belongs to no
   other cell. */
static void test_ends(void **state) {
    GOS_UNUSED(state);
    static writer w;
    frame(&w, "SPC = 1\n");
    node(&w, 50, 0.5, 0.5, 0.3);
    put(&w, 0,
        "CBAR,41,5,6,50,0.,1.,0.,,+\n+,456,,0.01,0.02,-0.03,,0.015,0.02\n"
        "CBEAM,42,5,3,9,0.,1.,0.,,+\n+,4,56,,0.05\nPBEAM,6,1,1.-4,1.-9,1.-9,,1.-9\n"
        "SPC1,1,123456,50\n");
    put(&w, 1,
        "*NODE\n61, 0.51, 0.17, -0.03\n62, 0.5, 0.515, 0.32\n63, 0.2, 0.11, 0.\n64, 0.5, 0.24, "
        "0.36\n"
        "*ELEMENT, TYPE=B31, ELSET=O\n41, 61, 62\n42, 63, 64\n"
        "*BEAM SECTION, ELSET=O, MATERIAL=M, SECTION=RECT\n%.17g, %.17g\n0., 1., 0.\n",
        HIGH, WIDE);
    put(&w, 1, "*BOUNDARY\n62, 1, 6\n*EQUATION\n");
    // arms of 61 from 6, and of 63 from 3
    put(&w, 1,
        "4\n61, 1, 1., 6, 1, -1., 6, 5, 0.03, 6, 6, 0.02\n"
        "4\n61, 2, 1., 6, 2, -1., 6, 6, -0.01, 6, 4, -0.03\n"
        "4\n61, 3, 1., 6, 3, -1., 6, 4, -0.02, 6, 5, 0.01\n"
        "3\n63, 1, 1., 3, 1, -1., 3, 6, 0.05\n2\n63, 2, 1., 3, 2, -1.\n"
        "3\n63, 3, 1., 3, 3, -1., 3, 4, -0.05\n");
    const double d[3] = {0.3, 0.13, 0.36}; // axis of 42: its turns follow across; then y, z
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double y[3] = {0, 1, 0}, axis[3] = {d[0] / size, d[1] / size, d[2] / size}, z[3];
    for (int k = 0; k < 3; k++) {
        y[k] -= d[1] / size * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        z[k] = axis[(k + 1) % 3] * y[(k + 2) % 3] - axis[(k + 2) % 3] * y[(k + 1) % 3];
    }
    const double *const follows[3] = {y, z, axis}; // of the ends 63, 63, 64
    for (int i = 0; i < 3; i++) {
        const int a = i < 2 ? 63 : 64, b = i < 2 ? 3 : 9;
        put(&w, 1, "*EQUATION\n6\n");
        for (int k = 0; k < 3; k++) {
            const int from = i == 0 ? 1 : i == 1 ? (fabs(z[0]) > fabs(z[2]) ? 0 : 2) : 0;
            const int c = (from + k) % 3;
            put(&w, 1, "%d, %d, %.17g, %d, %d, %.17g%s", a, 4 + c, follows[i][c], b, 4 + c,
                -follows[i][c], k < 2 ? ",\n" : "\n");
        }
    }
    for (int c = 1; c <= 3; c++) {
        put(&w, 1, "*EQUATION\n2\n64, %d, 1., 9, %d, -1.\n", c, c);
    }
    same_modes("ends of bars", w.text[0], w.text[1], 1e-9);
}

/* springs at the tip of a frame, against the ground */
static void bushes(const char *what, const char *bulk, const char *deck, frequencies f) {
    static writer w;
    frequencies b;
    frame(&w, "SPC = 1\n");
    node(&w, 30, 0.55, 0.3, 0.4);
    put(&w, 0, "SPC1,1,123456,30\nCORD2R,4,,0.,0.,0.,0.,-0.6,0.8,+\n+,1.,0.,0.\n%s", bulk);
    put(&w, 1, "*BOUNDARY\n30, 1, 6\n%s", deck);
    modes_of(true, w.text[0], f);
    if (deck[0]) {
        modes_of(false, w.text[1], b);
        for (int i = 0; i < MODES; i++) {
            near_rel_named(what, f[i], b[i], 1e-9);
        }
    }
}

static void test_bushes(void **state) {
    GOS_UNUSED(state);
    frequencies f, g;
    static const char *const six = "PBUSH,9,K,4.+4,3.+4,2.+4,30.,40.,50.\n";
    static const char *const springs =
        "*ELEMENT, TYPE=SPRING1, ELSET=A1\n101, 11\n*SPRING, ELSET=A1\n1\n4.e4\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=A2\n102, 11\n*SPRING, ELSET=A2\n2\n3.e4\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=A3\n103, 11\n*SPRING, ELSET=A3\n3\n2.e4\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=A4\n104, 11\n*SPRING, ELSET=A4\n4\n30.\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=A5\n105, 11\n*SPRING, ELSET=A5\n5\n40.\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=A6\n106, 11\n*SPRING, ELSET=A6\n6\n50.\n";
    char text[600];
    (void)snprintf(text, sizeof text, "%sCBUSH,201,9,11,,,,,0\n", six); // ground
    bushes("to the ground", text, springs, f);
    // at GA of a fixed point, which is apart
    (void)snprintf(text, sizeof text, "%sCBUSH,201,9,30,11,,,,0,+\n+,1.\n", six);
    bushes("to a fixed point", text, springs, f);
    bushes("along the line", "PBUSH,9,K,4.+4\nCBUSH,201,9,11,30\n",
           "*ELEMENT, TYPE=SPRINGA, ELSET=A\n101, 11, 30\n*SPRING, ELSET=A\n\n4.e4\n", f);
    // the point of the springs is on a rigid link from node 11
    (void)snprintf(text, sizeof text, "%sCBUSH,201,9,11,,,,,4,+\n+,,4,0.1,0.2,-0.3\n", six);
    bushes("offset", text, "", f);
    (void)snprintf(text, sizeof text,
                   "%sGRID,31,4,0.6,0.8,0.\nRBE2,41,11,123456,31\nCBUSH,201,9,31,,,,,4\n", six);
    bushes("on a link", text, "", g);
    for (int i = 0; i < MODES; i++) {
        near_rel(f[i], g[i], 1e-9);
    }
    // axes by a vector: x from 11 to 30, which is along (0.05, 0, -0.2)
    (void)snprintf(text, sizeof text, "%sCBUSH,201,9,11,30,0.,3.,1.\n", six);
    bushes("vector", text, "", f);
    (void)snprintf(
        text, sizeof text,
        "%sCORD2R,7,,0.,0.,0.,0.6,-0.05,0.15,+\n+,0.05,0.,-0.2\nCBUSH,201,9,11,30,,,,7\n", six);
    bushes("system", text, "", g);
    for (int i = 0; i < MODES; i++) {
        near_rel(f[i], g[i], 1e-9);
    }
}

/* damping constants: one freedom */
static void test_bush_damping(void **state) {
    GOS_UNUSED(state);
    gos_matrix_view D;
    double c = 0;
    gos_linear *l = linear_of(true,
                              "GRID,1,,0.,0.,0.,,123\nGRID,2,,1.,0.,0.,,23\n"
                              "MAT1,1,7.+10,,0.3,2700.\nPROD,5,1,1.-4\nCROD,1,5,1,2\n"
                              "PBUSH,9,K,100.,,,,,,+\n+,,B,7.\nCBUSH,2,9,1,2,,,,0\nENDDATA\n",
                              NULL);
    gos_linear_block(l, GOS_BLOCK_D, &D);
    for (int e = 0; e < D.entries; e++) {
        c += fabs(D.value[e]) / 4; // c -c -c c
    }
    near_rel(c, 7, 1e-10);
    gos_linear_destroy(l);
}

/* ---- signs and axes -------------------------------------------------------------------------- */

/* z of node 2 of a strip of 1 x 0.1 m along x, or of a bar */
static double lifted(const char *cards) {
    static char text[2000];
    double u[1][3];
    (void)snprintf(text, sizeof text,
                   "SOL 101\nCEND\nSPC=1\nLOAD=2\nBEGIN BULK\nMAT1,1,1.+10,,0.,1000.\n"
                   "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,0.1,0.\nGRID,4,,0.,0.1,0.\n"
                   "SPC1,1,123456,1,4\n%sENDDATA\n",
                   cards);
    write_file("a.bdf", text);
    static_of("nastran", "a.bdf", "", 1, (const int[]){2}, u);
    return u[0][2];
}

/* tension below the middle of an offset strip or bar lifts its end by P e L^2 / 2 E I */
static void test_signs(void **state) {
    GOS_UNUSED(state);
    const double I = 0.1 * 1e-6 / 12, bend = 100 * 0.004 / (2 * 1e10 * I);
#define STRIP "PSHELL,1,1,0.01,1,,1\nCQUAD4,1,1,1,2,3,4,,"
#define PULL "FORCE,2,2,,50.,1.,0.,0.\nFORCE,2,3,,50.,1.,0.,0.\n"
    near_rel(lifted(STRIP "0.004\n" PULL), bend, 1e-6);
    near_rel(lifted("PSHELL,1,1,0.01,1,,1\nCQUAD4,1,1,1,4,3,2,,0.004\n" PULL), -bend, 1e-6);
    near_rel(lifted("PBAR,1,1,0.001,8.3333333-9,1.-9,1.-9\nCBAR,1,1,1,2,0.,0.,1.,,+\n"
                    "+,,,,,0.004,,,0.004\nFORCE,2,2,,100.,1.,0.,0.\n"),
             bend, 1e-6);
    assert_true(lifted(STRIP "0.\nPLOAD4,2,1,5.\n") > 0);
    assert_true(lifted(STRIP "0.\nPLOAD2,2,-5.,1\n") < 0);
    // a mass under gravity is a force
    near_rel(lifted("PBAR,1,1,0.001,8.3333333-9,1.-9,1.-9\nCBAR,1,1,1,2,0.,0.,1.\n"
                    "CONM2,5,2,,2.\nGRAV,2,,10.,0.,0.,1.\n") -
                 lifted("PBAR,1,1,0.001,8.3333333-9,1.-9,1.-9\nCBAR,1,1,1,2,0.,0.,1.\n"
                        "GRAV,2,,10.,0.,0.,1.\n"),
             20 / (3 * 1e10 * 8.3333333e-9), 1e-6);
}

/* Opposite normals: the same modes, and pressure along the normal of each card. */
static void test_normals(void **state) {
    GOS_UNUSED(state);
    static writer w;
    char *cell;
    plate(&w, "SPC = 1\n" SUB, SHELL);
    // nodes 6, 7, 12, 11 of cell 5, and 9, 10, 15, 14 of cell 8
    cell = strstr(w.text[0], "CQUAD4,5,5,6,7,12,11");
    assert_non_null(cell);
    memcpy(cell, "CQUAD4,5,5,6,11,12,7", 20);
    cell = strstr(w.text[0], "CQUAD4,8,5,9,10,15,14");
    assert_non_null(cell);
    memcpy(cell, "CQUAD4,8,5,9,14,15,10", 21);
    put(&w, 0, "PLOAD4,9,5,100.\nPLOAD4,9,6,200.\nPLOAD2,9,-300.,8\n");
    put(&w, 1, "*STEP\n*STATIC\n*DLOAD\n5, PNEG, -100.\n6, PNEG, 200.\n8, PNEG, 300.\n*END STEP\n");
    same_modes("normals", w.text[0], w.text[1], 1e-9);
    same_statics("normals", &w, "", 2, (const int[]){5, 18});
}

/* displacement axes of nodes: supports and forces along them, in a cylinder about x */
static void test_displacement_axes(void **state) {
    GOS_UNUSED(state);
    static writer w;
    static const int nodes[] = {5, 13, 19};
    plate(&w, "SPC = 1\n" SUB, SHELL);
    for (int k = 0; k < 2;
         k++) { // the last node: y = 0.6 (0.8, 0.6), of angle 53.13 degrees from z
        char *found = strstr(w.text[0], k == 0 ? "GRID,20,," : "GRID,18,,");
        assert_non_null(found);
        char *end = strchr(found, '\n');
        memmove(end + 3, end, strlen(end) + 1);
        memcpy(end, ",6", 2);
        end[2] = ' ';
        w.n[0] += 3;
    }
    put(&w, 0,
        "CORD2C,6,,0.,0.,0.,1.,0.,0.,+\n+,0.,0.,1.\nSPC1,1,2,20\n"
        "FORCE,9,18,,70.,0.,1.,0.\nMOMENT,9,18,6,2.,0.,1.,0.\n");
    // radius (0.8, 0.6) in y, z; the direction of the angle is x cross it: (-0.6, 0.8)
    put(&w, 1,
        "*NSET, NSET=T\n18, 20\n*TRANSFORM, NSET=T\n0., 0.8, 0.6, 0., -0.6, 0.8\n"
        "*BOUNDARY\n20, 2, 2\n*STEP\n*STATIC\n*CLOAD\n18, 1, 56.\n18, 2, -42.\n18, 5, 2.\n"
        "*END STEP\n");
    same_statics("displacement axes", &w, "", 3, nodes);
}

/* THETA counts from side 1-2; MCID is a system */
static void test_material_axes(void **state) {
    GOS_UNUSED(state);
    static const char *const cells[] = {"CQUAD4,1,5,2,3,4,1,-60.", "CQUAD4,1,5,1,2,3,4,30.",
                                        "CQUAD4,1,5,1,2,3,4,8", "CTRIA3,1,5,1,2,3,30.",
                                        "CTRIA3,1,5,1,2,3,8"};
    frequencies f[5];
    for (int k = 0; k < 5; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,0.8,0.\nGRID,4,,0.,0.8,0.\n"
                       "CORD2R,8,,0.,0.,0.,0.,0.,1.,+\n+,0.86602540378443865,0.5,0.\n"
                       "MAT8,7,1.4+11,1.+10,0.3,5.+9,4.+9,3.+9,1600.\nPSHELL,5,7,0.01,7,,7\n"
                       "%s\nSPC1,1,123456,1\nENDDATA\n",
                       cells[k]);
        modes_of(true, text, f[k]);
        for (int i = 0; i < 4; i++) {
            near_rel(f[k][i], f[k < 3 ? 0 : 3][i], 1e-7);
        }
    }
}

/* millimetres, tonnes: masses with inertia, beams with offset, springs */
static void test_units(void **state) {
    GOS_UNUSED(state);
    static const char *const text[] = {
        "MAT1,1,7.+10,,0.3,2700.\nPBAR,5,1,1.-4,4.-9,1.-9,3.-9,,,+\n+\n+,0.5,0.6\n"
        "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nCBAR,1,5,1,2,0.,0.,1.,,+\n+,,,0.,0.1,0.,0.,0.1,0.\n"
        "CELAS2,2,300.,2,3\nCELAS2,3,20.,2,5\nPBUSH,6,K,100.,,50.,,,7.\n"
        "CBUSH,8,6,2,,,,,0,+\n+,,0,,0.2,0.1\nCONM2,4,2,,0.5,0.1,0.,0.2,,+\n+,0.1,,0.2,,,0.3\n"
        "SPC1,1,123456,1\nENDDATA\n",
        "MAT1,1,7.+4,,0.3,2.7-9\nPBAR,5,1,100.,4.+3,1.+3,3.+3,,,+\n+\n+,0.5,0.6\n"
        "GRID,1,,0.,0.,0.\nGRID,2,,2000.,0.,0.\nCBAR,1,5,1,2,0.,0.,1.,,+\n"
        "+,,,0.,100.,0.,0.,100.,0.\n"
        "CELAS2,2,0.3,2,3\nCELAS2,3,2.+4,2,5\n"
        "PBUSH,6,K,0.1,,0.05,,,7.+3\nCBUSH,8,6,2,,,,,0,+\n+,,0,,200.,100.\nCONM2,4,2,,5.-4,100.,0.,"
        "200.,,+\n"
        "+,100.,,200.,,,300.\nSPC1,1,123456,1\nENDDATA\n"};
    frequencies f;
    modes_of(true, text[0], f);
    gos_deck *deck = parse(true, text[1]);
    gos_linear *l = NULL;
    gos_mode mode[MODES];
    int found = 0;
    gos__deck_convert(deck, 1e-3, 1000);
    assert_int_equal(gos_linear_from_mesh(ctx, deck->mesh, &l), GOS_OK);
    assert_int_equal(gos_linear_modes(ctx, l, MODES, false, mode, &found), GOS_OK);
    for (int i = 0; i < MODES; i++) {
        near_rel(mode[i].frequency, f[i], 1e-9);
    }
    gos_linear_destroy(l);
    gos__deck_destroy(deck);
}

/* a mass on rigid links in a chain is the mass on one link */
static void test_chain(void **state) {
    GOS_UNUSED(state);
    static const char *const links[] = {
        "RBE2,21,3,123456,7\nRBAR,22,7,8,123456\nCONM2,23,8,,0.5\n", // 8 is (0.1, 0.3, 0.2) from 3
        "CONM2,23,3,,0.5,0.1,0.3,0.2\n"};
    frequencies f[2];
    for (int k = 0; k < 2; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       "MAT1,1,7.+10,,0.3,2700.\nPBAR,5,1,1.-4,4.-9,1.-9,3.-9\n"
                       "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\nGRID,7,,2.,0.3,0.\n"
                       "GRID,8,,2.1,0.3,0.2\nCBAR,1,5,1,2,0.,0.,1.\nCBAR,2,5,2,3,0.,0.,1.\n%s"
                       "SPC1,1,123456,1\nENDDATA\n",
                       links[k]);
        modes_of(true, text, f[k]);
    }
    for (int i = 0; i < MODES; i++) {
        near_rel(f[0][i], f[1][i], 1e-8);
    }
}

/* ---- runner ---------------------------------------------------------------------------------- */

static int suite(void) {
    gos_blas_select(suite_command);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_added_mass),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_shell_loads),
        cmocka_unit_test(test_subcase),
        cmocka_unit_test(test_solid_loads),
        cmocka_unit_test(test_normals),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_displacement_axes),
        cmocka_unit_test(test_material_axes),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_tetrahedra),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_bushes),
        cmocka_unit_test(test_bush_damping),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

SUITE_INTERNAL(suite)
