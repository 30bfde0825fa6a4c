/* Broken bulk data: each with its exact refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "deck/nastran.h"
#include "support/folder.h"
#include "support/suite.h"

static gos_ctx *ctx;

static int setup(void **state) {
    ctx = gos_ctx_create();
    return ctx == NULL || folder_make(state) != 0;
}

static int teardown(void **state) {
    gos_ctx_destroy(ctx);
    return folder_remove(state);
}

#define POINTS "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n" /* 4 */
#define SHELL POINTS "MAT1,1,1.+9,,0.3,1.\nPSHELL,1,1,0.1,1,,1\nCQUAD4,1,1,1,2,3,4\n"     /* 7 */
#define CASE "CEND\nSPC = 1\nLOAD = 2\nBEGIN BULK\n"                                      /* 4 */

typedef struct broken {
    const char *text, *message;
} broken;

static void refuse_all(int n, const broken *list) {
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        gos_deck *deck = NULL;
        gos_ctx_clear(ctx);
        const gos_status status =
            gos__nastran_parse(ctx, "a", list[i].text, strlen(list[i].text), NULL, 0, &deck);
        if (status == GOS_OK || strcmp(gos_ctx_message(ctx), list[i].message) != 0) {
            print_error("%s\nexpected: %s\ngot:      %s\n", list[i].text, list[i].message,
                        status == GOS_OK ? "no error" : gos_ctx_message(ctx));
            wrong++;
        }
        if (status == GOS_OK) {
            gos__deck_destroy(deck);
        }
    }
    assert_int_equal(wrong, 0);
}

#define REFUSE(list) refuse_all(GOS_COUNT(list), list)

static void test_text(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {"", "a: the mesh has no cells; add some"},
        {"+,1\nENDDATA\n", "a:1: a continuation line is not below a card; add the card above it"},
        {"GRID,1,,0.,0.,0.,,,,,5\nENDDATA\n",
         "a:1: the line has more than ten fields; continue the card on the next line"},
        {"=,*1\nENDDATA\n",
         "a:1: '=' is not a card of bulk data; replicated cards (=) are not supported"},
        {"*NODE\n1,0,0\nENDDATA\n",
         "a:1: a continuation line is not below a card; add the card above it"},
        {"CHEXAGONAL,1\nENDDATA\n", "a:1: CHEXAGON: this card is not supported: it may change the "
                                    "physics; remove it if it does not"},
        {"INCLUDE 'b\nENDDATA\n",
         "a:1: INCLUDE: the file name has no closing quote; write it on one line"},
        {"INCLUDE\nENDDATA\n", "a:1: INCLUDE: the file is missing; write INCLUDE 'file'"},
        {"CGAP,1,2\nENDDATA\n", "a:1: CGAP: this card is not supported: it may change the physics; "
                                "remove it if it does not"},
    };
    REFUSE(list);
}

static void test_fields(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {"GRID,1,,0,0.,0.\nENDDATA\n",
         "a:1:9: GRID: '0' is not a finite number with a decimal point; field 4 is the coordinate"},
        {"GRID,1,,0.,1.5+-3,0.\nENDDATA\n", "a:1:12: GRID: '1.5+-3' is not a finite number with a "
                                            "decimal point; field 5 is the coordinate"},
        {"GRID,1.,,0.,0.,0.\nENDDATA\n", "a:1:6: GRID: '1.' is not a whole number from 1 to "
                                         "99999999; field 2 is the number of the grid point"},
        {"GRID,-1,,0.,0.,0.\nENDDATA\n", "a:1:6: GRID: '-1' is not a whole number from 1 to "
                                         "99999999; field 2 is the number of the grid point"},
        {"GRID    1               1.+99   0.\nENDDATA\n",
         "a:1:25: GRID: '1.+99' is not a finite number with a decimal point; field 4 is the "
         "coordinate"},
        {"GRID,1,,0.,0.,0.,,17\nENDDATA\n",
         "a:1:19: GRID: '17' are not components: give distinct digits from 1 to 6"},
        {"GRID,1,,0.,0.,0.\nGRID,1,,1.,0.,0.\nENDDATA\n",
         "a:2:6: GRID: grid point 1 is already defined in line 1 of 'a'; renumber one"},
        {"GRID,1,5,0.,0.,0.\nENDDATA\n",
         "a:1:8: GRID: there is no coordinate system 5; correct the number, or add it by CORD2R"},
        {"CORD2R,5,6,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nCORD2R,6,5,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
         "ENDDATA\n",
         "a:1: CORD2R: coordinate system 5 depends on itself; correct its reference"},
        {"CORD2R,5,,0.,0.,0.,0.,0.,1.\n,0.,0.,2.\nENDDATA\n",
         "a:1: CORD2R: the three points of coordinate system 5 are collinear; move one"},
    };
    REFUSE(list);
}

static void test_elements(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {POINTS "CQUAD4,1,1,1,2,3,4\nENDDATA\n", "a:5:10: CQUAD4: there is no property 1; correct "
                                                 "the number, or add it by PSHELL or PCOMP"},
        {SHELL "CQUAD4,1,1,1,2,3,4\nENDDATA\n",
         "a:8:8: CQUAD4: element 1 is already defined in line 7 of 'a'; renumber one"},
        {SHELL "CQUAD4,2,1,1,2,3,9\nENDDATA\n",
         "a:8:18: CQUAD4: there is no grid point 9; correct the number, or add it by GRID"},
        {SHELL "CQUAD4,2,1,1,2,3,3\nENDDATA\n",
         "a:8: CQUAD4: element 2 has grid point 3 twice; list each of its nodes once"},
        {SHELL "CQUAD4,2,1,1,2,3\nENDDATA\n",
         "a:8: CQUAD4: field 7, the number of a grid point, is empty; give it"},
        {SHELL "CQUAD4,2,1,1,2,3,4\n,,,0.1,0.2,0.1,0.1\nENDDATA\n",
         "a:9:8: CQUAD4: thicknesses that differ between the corners are not supported; give one "
         "thickness for each element"},
        {SHELL "CHEXA,2,1,1,2,3,4\nENDDATA\n",
         "a:8:9: CHEXA: property 1 is a PSHELL; this element needs PSOLID"},
        {SHELL "PSOLID,2,1\nCHEXA,2,2,1,2,3,4,1\nENDDATA\n",
         "a:9: CHEXA: the element has 5 grid points; it needs the corners, or the corners and all "
         "middle nodes"},
        {SHELL "PSHELL,2,7,0.1,7\nENDDATA\n",
         "a:8:10: PSHELL: there is no material 7; correct the number, or add it by MAT1"},
        {SHELL "PSHELL,2,1,0.1\nENDDATA\n",
         "a:8: PSHELL: MID2 (field 5) is empty: membranes without bending stiffness are not "
         "supported; give MID2"},
        {SHELL "PSHELL,2,1,0.1,1,2.,1\nENDDATA\n",
         "a:8:18: PSHELL: a bending stiffness 12I/T3 other than 1 is not supported; use PCOMP with "
         "the layers"},
        {SHELL "PSHELL,2,1,0.,1\nENDDATA\n",
         "a:8:12: PSHELL: the thickness is 0; it must be above 0"},
        {SHELL "MAT1,2,1.+9\nENDDATA\n", "a:8: MAT1: give two of E, G and NU (fields 3 to 5)"},
        {SHELL "MAT1,2,1.+9,,0.5\nENDDATA\n",
         "a:8: MAT1: E is 1e+09 and NU is 0.5: E must be above 0, NU between -1 and 0.5"},
        {SHELL "MAT1,2,1.+9,1.+9,0.3\nENDDATA\n",
         "a:8:13: MAT1: G is 1e+09, but E / (2 (1 + NU)) is 3.84615e+08: materials whose shear "
         "modulus is independent are not supported; leave G empty"},
        {SHELL "PBAR,3,1,0.1,0.1,0.,0.1\nENDDATA\n",
         "a:8: PBAR: the inertia I2 is 0; it must be above 0 here, as a member without this "
         "stiffness is not supported"},
        {SHELL "PBARL,3,1,,HAT\n,1.,1.,1.,1.\nENDDATA\n",
         "a:8:12: PBARL: the cross-section 'HAT' is not supported; give ROD, TUBE, TUBE2, BAR or "
         "BOX, or a PBAR with its values"},
        {SHELL "PBARL,3,1,,TUBE\n,1.,2.\nENDDATA\n",
         "a:9:2: PBARL: these sizes make no cross-section"},
        {SHELL "PBAR,3,1,0.1,0.1,0.1,0.1\nCBAR,5,3,1,2,1.,0.,0.\nENDDATA\n",
         "a:9: CBAR: the orientation vector is zero or along the element; give another one in "
         "fields 6 to 8"},
        {SHELL "PBAR,3,1,0.1,0.1,0.1,0.1\nCBAR,5,3,1,2,0.,1.,0.\n,45,34\nENDDATA\n",
         "a:10:5: CBAR: both ends release the same component of 1 to 4, so the element moves "
         "freely; "
         "keep it at one end"},
        {SHELL "PBAR,3,1,0.1,0.1,0.1,0.1\nCBAR,5,3,1,2,0.,1.,0.,,\n,,,-1.,,,-2.\nENDDATA\n",
         "a:9: CBAR: the element has no length; move one of its grid points"},
        {SHELL "PBUSH,3,K,1.,2.,-3.\nENDDATA\n",
         "a:8: PBUSH: stiffness 3 is -3; it must not be below 0"},
        {SHELL "CONROD,5,1,2,1,0.01++++++++++++++++++++++++++++++++++++\nENDDATA\n",
         "a:8:16: CONROD: '0.01++++++++++++++++++++++++++++++++++++' is not a finite number with a "
         "decimal point; field 6 is the area"},
        {SHELL "PBUSH,3,M,1.\nENDDATA\n",
         "a:8:9: PBUSH: only K, B, GE and RCV are supported; give mass by CONM2"},
        {SHELL "PBUSH,3,K,1.\nCBUSH,5,3,1\nENDDATA\n",
         "a:9: CBUSH: field 9, CID, is empty, but the element has no length that gives its axes; "
         "give "
         "CID, 0 for the basic system"},
        {SHELL "PBUSH,3,K,1.,2.\nCBUSH,5,3,1,2\nENDDATA\n",
         "a:9: CBUSH: the element has neither CID nor an orientation vector, but stiffness across "
         "its "
         "line; give one of them"},
        {SHELL "CBUSH,5,3,1\nENDDATA\n",
         "a:8:9: CBUSH: there is no property 3; correct the number, or add it by PBUSH"},
        {SHELL "PBEAM,3,1,0.1,0.1,0.1,,0.1\n,YES,1.,0.2\nENDDATA\n",
         "a:9:9: PBEAM: beams whose section varies are not supported; split the element, or give "
         "the values of end A"},
        {SHELL "CELAS2,9,1.,1\nENDDATA\n",
         "a:8: CELAS2: field 5, the component, is empty; give it"},
        {SHELL "CELAS2,9,-1.,1,1\nENDDATA\n",
         "a:8:10: CELAS2: the stiffness is -1; it must not be below 0"},
        {SHELL "CONM2,9,1,,-1.\nENDDATA\n",
         "a:8: CONM2: the mass and its inertias must not be below 0"},
        {SHELL "CMASS2,9,1.,1,1,2,1\nENDDATA\n",
         "a:8:17: CMASS2: a mass between two grid points is not supported; give one"},
    };
    REFUSE(list);
}

static void test_conditions(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CASE SHELL "ENDDATA\n", "a: SPC: the case control selects set 1, which is not in the bulk "
                                 "data; correct its number"},
        {CASE SHELL "SPC1,1,123,9\nENDDATA\n",
         "a:12:12: SPC1: there is no grid point 9; correct the number, or add it by GRID"},
        {CASE SHELL "SPC1,1,1234567,1\nENDDATA\n",
         "a:12:8: SPC1: '1234567' are not components: give distinct digits from 1 to 6"},
        {CASE SHELL "SPC1,1,123,4,THRU,2\nENDDATA\n",
         "a:12:19: SPC1: the range THRU ends before it begins"},
        {CASE SHELL "SPC1,1,123\nENDDATA\n", "a:12: SPC1: the card lists no grid points; add some"},
        {CASE SHELL "SPC1,1,123,1\nGRID,9,,0.,0.,0.\nFORCE,2,9,,1.,1.,0.,0.\nENDDATA\n",
         "a:14:9: FORCE: grid point 9 belongs to no element; connect it, or remove the load"},
        {CASE SHELL "SPC1,1,123,1\nPLOAD4,2,7,1.\nENDDATA\n",
         "a:13:10: PLOAD4: there is no element 7; correct the number"},
        {CASE SHELL "SPC1,1,123,1\nPLOAD4,2,1,1.,2.\nENDDATA\n",
         "a:13:15: PLOAD4: pressure that varies over an element is not supported; give one value"},
        {CASE SHELL "SPC1,1,123,1\nPLOAD1,2,1\nENDDATA\n",
         "a:13: PLOAD1: this load is not supported; give FORCE, MOMENT, PLOAD2, PLOAD4 or GRAV, or "
         "do not select its set"},
        {CASE SHELL "SPC1,1,123,1\nGRAV,2,,9.81\nENDDATA\n",
         "a:13: GRAV: the direction has no length"},
        {CASE SHELL "SPC1,1,123,1\nLOAD,2,1.,1.\nENDDATA\n",
         "a:13: LOAD: field 5, the number of a load set, is empty; give it"},
        {SHELL "RBE2,1,1,123456,1\nENDDATA\n",
         "a:8: RBE2: grid point 1 is both dependent and independent"},
        {SHELL "RBE2,1,1,,2\nENDDATA\n",
         "a:8: RBE2: field 4, the components, is empty; give some, e.g. 123456"},
        {SHELL "RBE2,1,1,123456,2,1.2-5\nENDDATA\n",
         "a:8:19: RBE2: field 6 is not supported: thermal expansion of rigid elements; leave it "
         "empty"},
        {SHELL "RBE3,1,,1,123456,1.,123456,2\nENDDATA\n",
         "a:8:21: RBE3: only components 123 of the averaged grid points are supported; give 123"},
        {SHELL "MPC,1,1,1,0.,2,1,1.\nENDDATA\n",
         "a:8: MPC: the factor of the first term is 0; it is the dependent one"},
        {"CEND\nSPC = all\nBEGIN BULK\n" SHELL "ENDDATA\n",
         "a:2: SPC: the number of a set is needed here, e.g. SPC = 1"},
        {"CEND\nM2GG = MASS\nBEGIN BULK\n" SHELL "ENDDATA\n",
         "a:2: M2GG: this command is not supported: it changes the structure; remove it"},
    };
    REFUSE(list);
}

/* the first subcase that exists, a file that includes itself, a file that ends early */
static void test_files(void **state) {
    GOS_UNUSED(state);
    gos_deck *deck = NULL;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__nastran_parse(ctx, "a", CASE SHELL "SPC1,1,1,1\n",
                                        strlen(CASE SHELL "SPC1,1,1,1\n"), NULL, 3, &deck),
                     GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx),
                        "a: there is no SUBCASE 3 in the case control; correct `subcase`");
    gos_ctx_clear(ctx);
    assert_int_equal(gos__nastran_parse(ctx, "a", SHELL, strlen(SHELL), NULL, 0, &deck), GOS_OK);
    assert_true(gos_ctx_ndiag(ctx) == 1);
    assert_non_null(strstr(gos_ctx_diag(ctx, 0)->text, "no ENDDATA; check that it is complete"));
    gos__deck_destroy(deck);
    FILE *f = fopen(folder_path("a.bdf"), "w");
    assert_non_null(f);
    assert_true(fputs("BEGIN BULK\n" SHELL "INCLUDE 'a.bdf'\nENDDATA\n", f) >= 0);
    assert_int_equal(fclose(f), 0);
    gos_mesh *mesh;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__mesh_create(ctx, &mesh), GOS_OK);
    assert_int_equal(gos__nastran_read(mesh, folder_path("a.bdf"), (gos_loc){0}, NULL, 0, &deck),
                     GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "would include itself endlessly"));
    gos__mesh_destroy(mesh);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),     cmocka_unit_test(test_fields),
        cmocka_unit_test(test_elements), cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
