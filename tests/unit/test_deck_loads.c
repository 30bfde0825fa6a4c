/* Decks of CalculiX and Abaqus: conditions, loads, constraints and steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "deck/deck.h"
#include "support/context.h"
#include "support/faults.h"
#include "support/suite.h"

static gos_deck *parse(const char *text) {
    gos_deck *deck = NULL;
    gos_ctx_clear(ctx);
    if (gos__deck_parse(ctx, "a.inp", text, strlen(text), NULL, &deck) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return deck;
}

#define CUBE                                                                                       \
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"              \
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=A\n1,2\n"

static void expect_nodal(const gos_deck_nodal *n, gos_deck_nodal_kind kind, int count, int node,
                         int dof, int dof_last, double value) {
    assert_int_equal(n->kind, kind);
    assert_int_equal(n->n, count);
    assert_int_equal(n->node[0], node);
    assert_int_equal(n->dof, dof);
    assert_int_equal(n->dof_last, dof_last);
    assert_true(n->value == value);
}

static void test_nodal(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(CUBE "*BOUNDARY\nA,1,3\n3,2\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nA,20.\n"
                             "*INITIAL CONDITIONS,TYPE=VELOCITY\n4,2,-1.5\n"
                             "*AMPLITUDE,NAME=R,TIME=TOTAL TIME\n0.,0., 1.,2.,\n3., 1.\n"
                             "*STEP,NLGEOM,INC=100,AMPLITUDE=STEP\n*STATIC\n.1,1.,,\n"
                             "*BOUNDARY,OP=MOD,AMPLITUDE=r\n5,11,11,100.\n6,ENCASTRE\n"
                             "*CLOAD,OP=NEW\n7,3,-10.\nA,1,1.\n*CFLUX\n8,11,3.\n"
                             "*TEMPERATURE,AMPLITUDE=R\nA,50.\n*NODE FILE\nU\n*END STEP\n");
    const gos_deck_nodal *n = d->nodal;
    assert_int_equal(d->nnodal, 15);
    expect_nodal(&n[0], GOS_DECK_FIXED, 2, 0, 1, 3, 0);
    expect_nodal(&n[1], GOS_DECK_FIXED, 1, 2, 2, 2, 0);
    assert_true(!n[1].in_step && n[1].amplitude == -1 && n[1].loc.line == 16);
    expect_nodal(&n[2], GOS_DECK_INITIAL_TEMPERATURE, 2, 0, 11, 11, 20);
    expect_nodal(&n[3], GOS_DECK_INITIAL_VELOCITY, 1, 3, 2, 2, -1.5);
    expect_nodal(&n[4], GOS_DECK_FIXED, 1, 4, 11, 11, 100);
    assert_true(n[4].in_step && n[4].amplitude == 0);
    for (int k = 0; k < 6; k++) {
        expect_nodal(&n[5 + k], GOS_DECK_FIXED, 1, 5, k + 1, k + 1, 0);
    }
    expect_nodal(&n[11], GOS_DECK_FORCE, 1, 6, 3, 3, -10);
    expect_nodal(&n[12], GOS_DECK_FORCE, 2, 0, 1, 1, 1);
    expect_nodal(&n[13], GOS_DECK_HEAT, 1, 7, 11, 11, 3);
    expect_nodal(&n[14], GOS_DECK_TEMPERATURE, 2, 0, 11, 11, 50);
    const gos_deck_amplitude *a = d->amplitude;
    assert_true(d->namplitude == 1 && a->n == 3 && a->total_time && a->t[2] == 3 && a->v[1] == 2);
    const gos_deck_step *s = &d->step;
    assert_true(s->procedure == GOS_DECK_STATIC && s->nlgeom && s->at_once && !s->perturbation);
    assert_true(s->ndata == 3 && s->data[0] == .1 && s->data[1] == 1);
    assert_int_equal(gos_ctx_ndiag(ctx), 0);
    gos__deck_destroy(d);
}

static void expect_load(const gos_deck_load *l, gos_deck_load_kind kind, int n, int face,
                        int values, const double *value) {
    assert_int_equal(l->kind, kind);
    assert_int_equal(l->on.n, n);
    assert_int_equal(l->on.cell[0], 0);
    assert_true(l->on.face ? l->on.face[0] == face : face == 99);
    for (int k = 0; k < values; k++) {
        assert_true(fabs(l->value[k] - value[k]) <= 1e-15 * fabs(value[k]));
    }
}

static void test_loads(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(
        CUBE "*SURFACE,NAME=S\nE,S3\n*AMPLITUDE,NAME=F\n0,1\n"
             "*PHYSICAL CONSTANTS,ABSOLUTE ZERO=-273.15,STEFAN BOLTZMANN=5.67E-8\n"
             "*STEP\n*UNCOUPLED TEMPERATURE-DISPLACEMENT, STEADY STATE\n"
             "*DLOAD\nE,P2,5.\n1,GRAV,9.81,0,0,-2.\n,CENTRIF,100.,1,2,3,0,4.,0\n*DSLOAD\nS,P,7.\n"
             "*DFLUX\nE,S1,3.\nE,BF,4.\n*DSFLUX\nS,S,8.\n"
             "*FILM,FILM AMPLITUDE=F\nE,F6,20.,10.\n*SFILM\nS,F,21.,11.\n"
             "*RADIATE,AMPLITUDE=F\nE,R5,30.,.8\n*SRADIATE\nS,R,31.,.7\n*END STEP\n");
    const gos_deck_load *l = d->load;
    assert_int_equal(d->nload, 11);
    expect_load(&l[0], GOS_DECK_PRESSURE, 1, 1, 1, (double[]){5});
    expect_load(&l[1], GOS_DECK_GRAVITY, 1, 99, 4, (double[]){9.81, 0, 0, -1});
    expect_load(&l[2], GOS_DECK_CENTRIFUGAL, 1, 99, 7, (double[]){100, 1, 2, 3, 0, 1, 0});
    expect_load(&l[3], GOS_DECK_PRESSURE, 1, 2, 1, (double[]){7});
    expect_load(&l[4], GOS_DECK_FLUX, 1, 0, 1, (double[]){3});
    expect_load(&l[5], GOS_DECK_SOURCE, 1, 99, 1, (double[]){4});
    expect_load(&l[6], GOS_DECK_FLUX, 1, 2, 1, (double[]){8});
    expect_load(&l[7], GOS_DECK_FILM, 1, 5, 2, (double[]){20, 10});
    assert_true(l[7].amplitude == -1 && l[7].factor_amplitude == 0);
    expect_load(&l[8], GOS_DECK_FILM, 1, 2, 2, (double[]){21, 11});
    expect_load(&l[9], GOS_DECK_RADIATION, 1, 4, 2, (double[]){30, .8});
    assert_true(l[9].amplitude == 0 && l[9].factor_amplitude == -1);
    expect_load(&l[10], GOS_DECK_RADIATION, 1, 2, 2, (double[]){31, .7});
    assert_true(d->has_constants && d->absolute_zero == -273.15 && d->stefan_boltzmann == 5.67e-8);
    assert_true(d->step.procedure == GOS_DECK_UNCOUPLED && d->step.steady_state);
    gos__deck_destroy(d);
}

/* the later one of two films of a face replaces the other; CalculiX 2.20: conductivity 43, a cube
   of 1 m held at 0 below, films of 10 and 20 to 100 on the same face: 31.74603 there, 2000/63, not
   3000/73 */
static void test_films(void **state) {
    GOS_UNUSED(state);
    gos_deck *d =
        parse(CUBE "*STEP\n*HEAT TRANSFER\n*FILM\nE,F2,100.,10.\nE,F3,1.,1.\n*FILM\nE,F2,100.,20.\n"
                   "*DFLUX\nE,S2,1\nE,S2,1\n*END STEP\n");
    assert_int_equal(d->nload, 5);
    assert_int_equal(d->load[0].on.n, 0);
    assert_true(d->load[1].on.n == 1 && d->load[1].on.face[0] == 2);
    assert_true(d->load[2].on.n == 1 && d->load[2].on.face[0] == 1 && d->load[2].value[1] == 20);
    assert_true(d->load[3].on.n == 1 && d->load[4].on.n == 1);
    gos__deck_destroy(d);
}

/* P of a shell pushes along its normal (CalculiX 2.20: a plate in the plane xy moves along +z), as
   a pressure against the face behind it does */
static void test_shell_pressure(void **state) {
    GOS_UNUSED(state);
    gos_deck *d =
        parse("*NODE\n1\n2,1\n3,1,1\n4,0,1\n*ELEMENT,TYPE=S4,ELSET=E\n1,1,2,3,4\n*STEP\n*STATIC\n"
              "*DLOAD\nE,P,1.\n*DFLUX\nE,SPOS,2.\nE,S3,2.\n*END STEP\n");
    assert_int_equal(d->load[0].on.face[0], GOS_DECK_FACE_NEG);
    assert_int_equal(d->load[1].on.face[0], GOS_DECK_FACE_POS);
    assert_int_equal(d->load[2].on.face[0], 0); // the edge 12
    gos__deck_destroy(d);
}

static void test_constraints(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(
        CUBE "*EQUATION\n3\n1,1,1.,2,1,-1.,\n3,2,.5\n2\n7,3,1,8,3,-1\n"
             "*SURFACE,NAME=S\nE,S1\n*SURFACE,NAME=T,TYPE=NODE\n5\n6\n"
             "*NODE,NSET=REF\n100,5,5,5\n101,5,5,5\n*NSET,NSET=ONE\n100\n"
             "*COUPLING,CONSTRAINT NAME=C1,REF NODE=100,SURFACE=S\n*KINEMATIC\n1,3\n5\n"
             "*COUPLING,CONSTRAINT NAME=C2,REF NODE=ONE,SURFACE=T\n*DISTRIBUTING\n"
             "*RIGID BODY,ELSET=E,REF NODE=100,ROT NODE=101\n*RIGID BODY,NSET=A,REF NODE=100\n"
             "*TIE,NAME=G,POSITION TOLERANCE=.1,ADJUST=NO\nT,S\n");
    const gos_deck_equation *e = d->equation;
    assert_int_equal(d->nequation, 2);
    assert_true(e[0].n == 3 && e[0].node[2] == 2 && e[0].dof[2] == 2 && e[0].factor[2] == .5);
    assert_true(e[1].n == 2 && e[1].node[1] == 7 && e[1].factor[1] == -1);
    const gos_deck_coupling *c = d->coupling;
    assert_int_equal(d->ncoupling, 4);
    assert_true(c[0].reference == 8 && c[0].n == 4 && c[0].node[3] == 3 && !c[0].distributing);
    assert_memory_equal(c[0].dof, ((bool[]){true, true, true, false, true, false}),
                        6 * sizeof(bool));
    assert_true(c[1].distributing && c[1].reference == 8 && c[1].n == 2 && c[1].node[0] == 4 &&
                c[1].dof[5]);
    assert_true(c[2].rigid_body && c[2].n == 8 && c[2].rotation == 9 && c[2].name == NULL);
    assert_true(c[3].rigid_body && c[3].n == 2 && c[3].rotation == -1 && c[3].dof[0]);
    assert_true(d->ntie == 1 && d->tie->dependent == 1 && d->tie->independent == 0 &&
                !d->tie->adjust && d->tie->tolerance == .1);
    gos__deck_destroy(d);
}

/* the first step is read, others are named */
static void test_steps(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(
        CUBE
        "*STEP,PERTURBATION\nwords of Abaqus\n*FREQUENCY,SOLVER=MATRIXSTORAGE\n10,,1e6\n*END STEP\n"
        "*STEP\n*STATIC\n*CLOAD\n1,1,1.\n*BOGUS\n*END STEP\n*STEP\n*END STEP\n");
    assert_true(d->step.procedure == GOS_DECK_FREQUENCY && d->step.perturbation &&
                d->step.ndata == 3);
    assert_true(d->step.data[0] == 10 && d->step.data[2] == 1e6 && d->nnodal == 0);
    assert_int_equal(gos_ctx_ndiag(ctx), 1);
    assert_string_equal(gos_ctx_diag(ctx, 0)->text,
                        "step 2 (*STATIC) is ignored; only the first one is read");
    assert_int_equal(gos_ctx_diag(ctx, 0)->count, 2);
    gos__deck_destroy(d);
}

/* memory that runs out at any call: that is reported, and all of it comes back */
static void test_memory(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        CUBE "*NSET,NSET=B,GENERATE\n3,6\n*SURFACE,NAME=S\nE,S3\n*AMPLITUDE,NAME=F\n0,1,2,3\n"
             "*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n*ORIENTATION,NAME=O\n1,0,0,0,1,0\n"
             "*SOLID SECTION,ELSET=E,MATERIAL=M,ORIENTATION=O\n*EQUATION\n2\n7,3,1,8,3,-1\n"
             "*COUPLING,CONSTRAINT NAME=C,REF NODE=1,SURFACE=S\n*KINEMATIC\n1,3\n*RIGID "
             "BODY,ELSET=E,REF NODE=1\n"
             "*TIE,NAME=G\nS,S\n*BOUNDARY\nB,1,3\n*STEP\n*HEAT TRANSFER\n*FILM,FILM "
             "AMPLITUDE=F\nE,F6,20.,10.\n"
             "E,F6,20.,10.\n*DLOAD\n,GRAV,9.81,0,0,1\n*END STEP\n*STEP\n*STATIC\n*END STEP\n";
    gos_status status = GOS_E_MEMORY;
    int failed = 0;
    for (int n = 1; status == GOS_E_MEMORY; n++) {
        faults arm;
        gos_deck *d = NULL;
        gos_ctx *short_of = faults_context(&arm);
        assert_non_null(short_of);
        faults_arm(&arm, n, 1);
        status = gos__deck_parse(short_of, "a.inp", text, strlen(text), NULL, &d);
        gos__deck_destroy(d);
        failed += status == GOS_E_MEMORY;
        gos_ctx_destroy(short_of);
        assert_int_equal(arm.live, 0);
    }
    assert_int_equal(status, GOS_OK);
    assert_true(failed > 30);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodal),          cmocka_unit_test(test_loads),
        cmocka_unit_test(test_shell_pressure), cmocka_unit_test(test_films),
        cmocka_unit_test(test_constraints),    cmocka_unit_test(test_steps),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
