/* Broken decks: each with its exact refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "deck/deck.h"
#include "support/context.h"
#include "support/folder.h"
#include "support/suite.h"

#define CUBE                                                                                       \
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"              \
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n" /* lines 1 to 11 */
#define PLATE CUBE "*ELEMENT,TYPE=S4,ELSET=B\n2,1,2,3,4\n*SHELL SECTION,ELSET=B," /* to line 14 */

typedef struct broken {
    const char *text, *message;
} broken;

static void refuse_all(int n, const broken *list) {
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        gos_deck *deck = NULL;
        gos_ctx_clear(ctx);
        const gos_status status =
            gos__deck_parse(ctx, "a.inp", list[i].text, strlen(list[i].text), NULL, &deck);
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

static void test_mesh(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {"", "a.inp: the mesh has no cells; add some"},
        {"1,0,0,0\n", "a.inp:1: the deck does not begin with a card; cards begin with *"},
        {"*NODE\n1,0,0,0\n", "a.inp: the mesh has no cells; add some"},
        {"*NODE\n1,0,0,NaN\n", "a.inp:2:7: *NODE: 'NaN' is not a finite number; the coordinate z "
                               "of the node is needed here"},
        {"*NODE\n1,0,1e999\n", "a.inp:2:5: *NODE: '1e999' is not a finite number; the coordinate y "
                               "of the node is needed here"},
        {"*NODE\n1,0,1e61\n", "a.inp:2:5: *NODE: '1e61' is not a finite number; the coordinate y "
                              "of the node is needed here"},
        {"*NODE\n1,0,0,0,x\n",
         "a.inp:2:9: *NODE: 'x' is not a finite number; the number is needed here"},
        {"*NODE\n1.5,0,0,0\n", "a.inp:2:1: *NODE: '1.5' is not a valid number of a node: a whole "
                               "number from 1 to 999999999999999 is needed"},
        {"*NODE\n0,0,0,0\n", "a.inp:2:1: *NODE: '0' is not a valid number of a node: a whole "
                             "number from 1 to 999999999999999 is needed"},
        {"*NODE\n,0,0,0\n", "a.inp:2:7: *NODE: the number of a node is missing here"},
        {"*NODE\n1 0. 0. 0.\n", "a.inp:2:1: *NODE: '1 0. 0. 0.' is not a valid number of a node: a "
                                "whole number from 1 to 999999999999999 is needed"},
        {"*NODE\n99999999999999999999,0\n",
         "a.inp:2:1: *NODE: '99999999999999999999' is not a valid number of a node: a whole number "
         "from 1 to 999999999999999 is needed"},
        {"*NODE\n5,0\n7,1\n*NODE\n5,0\n",
         "a.inp:5: *NODE: node 5 is already defined in line 2 of 'a.inp'"},
        {CUBE "*ELEMENT,TYPE=T3D2\n1,1,2\n",
         "a.inp:13: *ELEMENT: element 1 is already defined in line 11 of 'a.inp'"},
        {CUBE "*ELEMENT,TYPE=T3D2\n2,1,9\n", "a.inp:13: *ELEMENT: element 2 has node 9, which does "
                                             "not exist; correct the number, or add it by *NODE"},
        {CUBE "*ELEMENT,TYPE=T3D2\n2,1,1\n",
         "a.inp:13: *ELEMENT: element 2 has node 1 twice; list each of its nodes once"},
        {CUBE "*ELEMENT,TYPE=T3D2\n2,1,\n*NSET,NSET=A\n1\n",
         "a.inp:13: *ELEMENT: element 2 has 1 nodes; an element of this type has 2"},
        {CUBE "*ELEMENT,TYPE=T3D2\n2,1,2,x\n",
         "a.inp:13:7: *ELEMENT: 'x' is not a finite number; the number is needed here"},
        {CUBE "*ELEMENT,TYPE=GAPUNI\n2,1,2\n",
         "a.inp:12: *ELEMENT: elements of type GAPUNI are not supported; solids, shells, "
         "membranes, plane and axisymmetric elements, beams, trusses, springs, dashpots and MASS "
         "are"},
        {CUBE "*ELEMENT\n2,1,2\n",
         "a.inp:12: *ELEMENT: the parameter TYPE is missing; give TYPE=..."},
        {"*NODE,INPUT=a.txt\n",
         "a.inp:1:7: *NODE: the parameter INPUT is not supported; options: NSET"},
        {CUBE "*INCLUDE,INPUT=b.inp\n", "a.inp:12: *INCLUDE: file 'b.inp' cannot be read: the "
                                        "model has no folder; read the model from a file"},
        {CUBE "*INCLUDE\n", "a.inp:12: *INCLUDE: the file is missing; write *INCLUDE, INPUT=file"},
        {CUBE "*INCLUDE,FILE=b.inp\n",
         "a.inp:12: *INCLUDE: there is no parameter 'FILE'; write *INCLUDE, INPUT=file"},
    };
    refuse_all(GOS_COUNT(list), list);
}

#define PART "*PART,NAME=P\n" CUBE "*NSET,NSET=N\n1\n*END PART\n" /* lines 1 to 15 */

static void test_instances(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {"*PART,NAME=P\n" CUBE,
         "a.inp:1: *PART: the part is not closed by *END PART; the file may be truncated"},
        {"*PART,NAME=P,X=1\n" CUBE "*END PART\n",
         "a.inp:1:14: *PART: the parameter X is not supported; options: NAME"},
        {"*PART\n" CUBE "*END PART\n",
         "a.inp:1: *PART: the parameter NAME is missing; give NAME=..."},
        {"*PART,NAME=P\n*PART,NAME=Q\n",
         "a.inp:2:1: *PART: the part of line 1 is still open; write *END PART above"},
        {PART PART, "a.inp:16: *PART: there are two parts 'P'; rename one"},
        {CUBE "*END PART\n", "a.inp:12: *END PART: there is no open part to end"},
        {PART "*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n",
         "a.inp:16: *INSTANCE: instances belong to the assembly; write *ASSEMBLY above"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=Q\n*END INSTANCE\n*END ASSEMBLY\n",
         "a.inp:17: *INSTANCE: there is no part 'Q' above this line; define it, or correct its "
         "name"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A\n*END INSTANCE\n*END ASSEMBLY\n",
         "a.inp:17: *INSTANCE: the parameter PART is missing; give PART=..."},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n*INSTANCE,NAME=A,PART=P\n",
         "a.inp:19: *INSTANCE: there are two instances 'A'; rename one"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*INSTANCE,NAME=B,PART=P\n",
         "a.inp:18: *INSTANCE: an instance is still open; write *END INSTANCE above"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n",
         "a.inp:17: *INSTANCE: it is not closed by *END INSTANCE; the file may be truncated"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n",
         "a.inp:16: *ASSEMBLY: it is not closed by *END ASSEMBLY; the file may be truncated"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END ASSEMBLY\n",
         "a.inp:18: *END ASSEMBLY: the instance of line 17 is still open; write *END INSTANCE "
         "above"},
        {PART "*END ASSEMBLY\n", "a.inp:16: *END ASSEMBLY: there is no open assembly to end"},
        {PART "*END INSTANCE\n", "a.inp:16: *END INSTANCE: there is no open instance to end"},
        {PART "*ASSEMBLY\n*END ASSEMBLY\n*ASSEMBLY\n",
         "a.inp:18: *ASSEMBLY: there already is an assembly, in line 16; a deck has one"},
        {PART "*ASSEMBLY\n*PART,NAME=Q\n*END PART\n",
         "a.inp:17: *PART: a part cannot be defined within the assembly; write it above *ASSEMBLY"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n1,x\n",
         "a.inp:18:3: *INSTANCE: 'x' is not a finite number; the translation is needed here"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n1\n0,0,0,0,0,1\n",
         "a.inp:19:12: *INSTANCE: the angle is missing here"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n1\n2,0,0,2,0,0,9\n",
         "a.inp:19: *INSTANCE: the two points of the axis of rotation are the same"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n1\n0,0,0,2,0,0,9\n5\n",
         "a.inp:20: *INSTANCE: an instance has at most two lines: its translation, and its "
         "rotation (two points, angle)"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n"
              "*NSET,NSET=M,INSTANCE=B\n1\n*END ASSEMBLY\n",
         "a.inp:19: *NSET: there is no instance 'B' above this line; define it, or correct its "
         "name"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n"
              "*NSET,NSET=M\nB.1\n*END ASSEMBLY\n",
         "a.inp:20:1: *NSET: there is no instance 'B' above this line; define it, or correct its "
         "name"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n"
              "*NSET,NSET=M\nA.9\n*END ASSEMBLY\n",
         "a.inp:20:1: *NSET: there is no node A.9; correct the number, or add it by *NODE"},
        {PART "*ASSEMBLY\n*INSTANCE,NAME=A,PART=P\n*END INSTANCE\n"
              "*NSET,NSET=M\nA.K\n*END ASSEMBLY\n",
         "a.inp:20: *NSET: there is no node set 'A.K' above this line; define it, or correct its "
         "name"},
        {PART "*RESTART,READ\n",
         "a.inp:16:10: *RESTART: the parameter READ is not supported; options: WRITE FREQUENCY "
         "OVERLAY NUMBERINTERVAL TIMEMARKS"},
    };
    refuse_all(GOS_COUNT(list), list);
}

#define SPRING(type) CUBE "*ELEMENT,TYPE=" type ",ELSET=S\n2,1,2\n" /* lines 1 to 13 */

static void test_springs(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {SPRING("SPRINGA") "*SPRING\n", "a.inp:14: *SPRING: the parameter ELSET is missing; give "
                                        "ELSET=..."},
        {SPRING("SPRINGA") "*SPRING,ELSET=S\n",
         "a.inp:14: *SPRING: the line with the stiffness of the spring is missing below this card"},
        {SPRING("SPRINGA") "*SPRING,ELSET=S\n\n-5.\n",
         "a.inp:16: *SPRING: the stiffness of the spring is -5; it must not be below 0"},
        {SPRING("SPRINGA") "*SPRING,ELSET=S\n,\n5.,,20.\n6.,,30.\n",
         "a.inp:17: *SPRING: a spring that depends on temperature is not supported; give one line"},
        {SPRING("SPRINGA") "*SPRING,ELSET=S,NONLINEAR\n\n0.,0.\n",
         "a.inp:14:17: *SPRING: the parameter NONLINEAR is not supported; options: ELSET"},
        {SPRING("SPRING2") "*SPRING,ELSET=S\n1\n5.\n",
         "a.inp:15:2: *SPRING: the degree of freedom is missing here"},
        {SPRING("SPRING2") "*SPRING,ELSET=S\n1,7\n5.\n",
         "a.inp:15:3: *SPRING: '7' is not a valid degree of freedom: a whole number from 1 to 6 is "
         "needed"},
        {SPRING("SPRING2") "*DASHPOT,ELSET=S\n\n5.\n",
         "a.inp:14: *DASHPOT: element 2 of type SPRING2 does not support this section"},
        {SPRING("DASHPOTA") "*DASHPOT,ELSET=S\n\nx\n",
         "a.inp:16:1: *DASHPOT: 'x' is not a finite number; the damping constant of the dashpot is "
         "needed here"},
        {SPRING("SPRINGA") "*SPRING,ELSET=E\n\n5.\n",
         "a.inp:14: *SPRING: element 1 of type C3D8 does not support this section"},
        {CUBE "*ELEMENT,TYPE=B32\n2,1,2\n",
         "a.inp:13: *ELEMENT: element 2 has 2 nodes; an element of this type has 3"},
        {CUBE "*ELEMENT,TYPE=B32\n2,1,2,3\n*ELEMENT,TYPE=T3D2\n2,1,4\n",
         "a.inp:15: *ELEMENT: element 2 is already defined in line 13 of 'a.inp'"},
    };
    refuse_all(GOS_COUNT(list), list);
}

static void test_sets(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CUBE "*NSET,NSET=A\n1,9\n",
         "a.inp:13:3: *NSET: there is no node 9; correct the number, or add it by *NODE"},
        {CUBE "*NSET,NSET=A\n1,B\n", "a.inp:13: *NSET: there is no node set 'B' above this line; "
                                     "define it, or correct its name"},
        {CUBE "*NSET\n1\n", "a.inp:12: *NSET: the parameter NSET is missing; give NSET=..."},
        {CUBE "*NSET,NSET=A,NSET=B\n1\n", "a.inp:12:14: *NSET: the parameter NSET is given twice"},
        {CUBE "*NSET,NSET=A,GENERATE\n9,1000000000\n",
         "a.inp:13: *NSET: there is no node with a number 9, 10 ... 1000000000; correct the range"},
        {CUBE "*NSET,NSET=A,GENERATE\n5,1\n", "a.inp:13:3: *NSET: '1' is not a valid last number: "
                                              "a whole number from 5 to 9223372036854775 is "
                                              "needed"},
        {CUBE "*NSET,NSET=A,GENERATE\n1,5,0\n",
         "a.inp:13:5: *NSET: '0' is not a valid step: a whole number from 1 to 9223372036854775 is "
         "needed"},
        {CUBE "*NSET,NSET=A,GENERATE\n1\n", "a.inp:13:2: *NSET: the last number is missing here"},
        {CUBE "*ELSET,ELSET=A\nB\n", "a.inp:13: *ELSET: there is no element set 'B' above this "
                                     "line; define it, or correct its name"},
        {CUBE "*ELSET,ELSET=A\n7\n",
         "a.inp:13:1: *ELSET: there is no element 7; correct the number, or add it by *ELEMENT"},
        {CUBE
         "*NSET,NSET="
         "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcd\n1\n",
         "a.inp:12:7: *NSET: 'NSET=abcdefghijklmnopqrstuvwxyzabcdefghi' is not a parameter; use at "
         "most 80 printable characters"},
        {CUBE "*SURFACE,NAME=S\nE,S7\n",
         "a.inp:13:3: *SURFACE: element 1 of type C3D8 has no face '7'"},
        {CUBE "*SURFACE,NAME=S\nE,SPOS\n",
         "a.inp:13:3: *SURFACE: element 1 of type C3D8 has no face 'POS'"},
        {CUBE "*SURFACE,NAME=S\nE\n",
         "a.inp:13:2: *SURFACE: the face is missing here; give S1 to S6, SNEG or SPOS"},
        {CUBE "*SURFACE,NAME=S\nE,P1\n",
         "a.inp:13:3: *SURFACE: 'P1' is not a face; give S1 to S6, SNEG or SPOS"},
        {CUBE "*SURFACE,NAME=S,TYPE=EDGE\nE,S1\n",
         "a.inp:12:17: *SURFACE: TYPE=EDGE is not supported; options: ELEMENT NODE"},
        {CUBE "*SURFACE,NAME=S\nF,S1\n", "a.inp:13: *SURFACE: there is no element set 'F' above "
                                         "this line; define it, or correct its name"},
        {CUBE "*SURFACE,NAME=S\nE,S1\n*SURFACE,NAME=S\nE,S2\n",
         "a.inp:14: *SURFACE: there are two surfaces 'S'; rename one"},
    };
    refuse_all(GOS_COUNT(list), list);
}

static void test_materials(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CUBE "*ELASTIC\n1,0\n",
         "a.inp:12: *ELASTIC: this card belongs to a material; begin one with *MATERIAL, NAME=..."},
        {CUBE "*MATERIAL\n", "a.inp:12: *MATERIAL: the parameter NAME is missing; give NAME=..."},
        {CUBE "*MATERIAL,NAME=M\n*MATERIAL,NAME=m\n",
         "a.inp:13: *MATERIAL: there are two materials 'M'; rename one"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n", "a.inp:13: *ELASTIC: the line with the elastic "
                                              "constants (E, nu) is missing below this card"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n2e11\n",
         "a.inp:14: *ELASTIC: there are 1 of 2 values of the elastic constants (E, nu); give all"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n2e11,.5\n",
         "a.inp:13: *ELASTIC: the Poisson's ratio 0.5 is not between -1 and 0.5"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n-2e11,.3\n",
         "a.inp:13: *ELASTIC: the Young's modulus -2e+11 is not above 0"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3,20.\n1e11,.3,20.\n",
         "a.inp:15: *ELASTIC: temperatures must ascend, but 20 follows 20"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3,20.,1.\n",
         "a.inp:14:13: *ELASTIC: unexpected '1.' on this line"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n*ELASTIC\n2e11,.3\n",
         "a.inp:15: *ELASTIC: the material already has this card, in line 13"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC,TYPE=TRACTION\n2e11,.3\n",
         "a.inp:13:10: *ELASTIC: TYPE=TRACTION is not supported; options: ISO ISOTROPIC ORTHO "
         "ORTHOTROPIC ANISO ANISOTROPIC ENGINEERINGCONSTANTS LAMINA"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC,TYPE=LAMINA\n2e11,2e10,.3,1e9,0,1e9\n",
         "a.inp:13: *ELASTIC: the modulus 0 is not above 0"},
        {CUBE "*MATERIAL,NAME=M\n*ELASTIC,TYPE=ENGINEERING CONSTANTS\n1,1,1,0,0,0,1,1\n",
         "a.inp:14: *ELASTIC: there are 8 of 9 values of the elastic constants (E1, E2, E3, nu12, "
         "nu13, nu23, G12, G13, G23); give all"},
        {CUBE "*MATERIAL,NAME=M\n*DENSITY\n0.\n",
         "a.inp:13: *DENSITY: the density 0 is not above 0"},
        {CUBE "*MATERIAL,NAME=M\n*EXPANSION,ZERO=x\n1e-6\n",
         "a.inp:13:12: *EXPANSION: 'X' is not a finite number for ZERO"},
        {CUBE "*MATERIAL,NAME=M\n*HYPERELASTIC\n1,2\n",
         "a.inp:13: *HYPERELASTIC: this card is not supported: materials are linear elastic only"},
        {CUBE "*MATERIAL,NAME=M\n*DAMPING,STRUCTURAL=.1\n",
         "a.inp:13:10: *DAMPING: the parameter STRUCTURAL is not supported; options: ALPHA BETA"},
    };
    refuse_all(GOS_COUNT(list), list);
}

static void test_sections(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CUBE "*SOLID SECTION,ELSET=E,MATERIAL=M\n",
         "a.inp:12: the section of set 'E' uses material 'M', which the deck does not define"},
        {CUBE "*SOLID SECTION,ELSET=F,MATERIAL=M\n",
         "a.inp:12: *SOLID SECTION: there is no element set 'F' above this line; define it, or "
         "correct its name"},
        {CUBE "*SOLID SECTION,ELSET=E\n",
         "a.inp:12: *SOLID SECTION: the parameter MATERIAL is missing; give MATERIAL=..."},
        {CUBE "*SOLID SECTION,ELSET=E,MATERIAL=M,ORIENTATION=O\n",
         "a.inp:12:35: *SOLID SECTION: there is no orientation 'O' above this line; define it, or "
         "correct its name"},
        {CUBE "*SHELL SECTION,ELSET=E,MATERIAL=M\n.1\n",
         "a.inp:12: *SHELL SECTION: element 1 of type C3D8 does not support this section"},
        {CUBE "*SHELL SECTION,ELSET=E,MATERIAL=M,SYMMETRIC\n.1\n",
         "a.inp:12:35: *SHELL SECTION: the parameter SYMMETRIC is not supported; options: ELSET "
         "MATERIAL ORIENTATION OFFSET COMPOSITE NODALTHICKNESS"},
        {PLATE "MATERIAL=M,COMPOSITE\n.1\n",
         "a.inp:14: *SHELL SECTION: with COMPOSITE each layer gives its material; remove MATERIAL"},
        {PLATE "COMPOSITE\n",
         "a.inp:14: *SHELL SECTION: the lines with the layers are missing below this card"},
        {PLATE "COMPOSITE\n0.1,,M\n-.1,3,M\n",
         "a.inp:16: *SHELL SECTION: the thickness of the layer is -0.1; it must be above 0"},
        {PLATE "COMPOSITE\n0.1,3\n", "a.inp:15: *SHELL SECTION: the layer has no material; give "
                                     "thickness, number of points (may be empty), MATERIAL, "
                                     "ORIENTATION or angle"},
        {PLATE "COMPOSITE\n0.1,,M,O\n",
         "a.inp:15: *SHELL SECTION: there is no orientation 'O' above this line; define it, or "
         "correct its name"},
        {PLATE "COMPOSITE\n0.1,x,M,O\n", "a.inp:15:5: *SHELL SECTION: 'x' is not a finite number; "
                                         "the number of points is needed here"},
        {CUBE
         "*ELEMENT,TYPE=B31,ELSET=B\n2,1,2\n*BEAM SECTION,ELSET=B,MATERIAL=M,SECTION=PIPE\n.1\n",
         "a.inp:15:3: *BEAM SECTION: the outer radius and thickness is missing here"},
        {CUBE "*ELEMENT,TYPE=B31,ELSET=B\n2,1,2\n*BEAM "
              "SECTION,ELSET=B,MATERIAL=M,SECTION=RECT\n.1,0.\n",
         "a.inp:15: *BEAM SECTION: the width of the rectangle in direction 1 and 2 is 0; it must "
         "be above 0"},
        {CUBE "*ELEMENT,TYPE=S4,ELSET=B\n2,1,2,3,4\n*SHELL SECTION,ELSET=B,MATERIAL=M\n",
         "a.inp:14: *SHELL SECTION: the line with the thickness is missing below this card"},
        {CUBE "*ELEMENT,TYPE=S4,ELSET=B\n2,1,2,3,4\n*SHELL SECTION,ELSET=B,MATERIAL=M\n-1\n",
         "a.inp:15: *SHELL SECTION: the thickness is -1; it must be above 0"},
        {CUBE "*ORIENTATION,NAME=O\n1,0,0,2,0,0\n",
         "a.inp:13: *ORIENTATION: the two points are collinear with the origin"},
        {CUBE "*ORIENTATION,NAME=O,SYSTEM=CYLINDRICAL\n1,0,0,1,0,0\n",
         "a.inp:13: *ORIENTATION: the two points of the axis are the same"},
        {CUBE "*ORIENTATION,NAME=O\n1,0,0,0,1\n", "a.inp:13: *ORIENTATION: there are 5 of 6 values "
                                                  "of the coordinates of the two points; give all"},
        {CUBE "*ORIENTATION,NAME=O\n1,0,0,0,1,0\n4,30.\n",
         "a.inp:14:1: *ORIENTATION: '4' is not a valid axis of the additional rotation: a whole "
         "number from 1 to 3 is needed"},
        {CUBE "*TRANSFORM,NSET=A\n1,0,0,0,1,0\n",
         "a.inp:12: *TRANSFORM: there is no node set 'A' above this line; define it, or correct "
         "its name"},
        {CUBE "*NSET,NSET=A\n1\n*TRANSFORM,NSET=A\n1,0,0,0,1,0\n1,2\n",
         "a.inp:16: *TRANSFORM: unexpected line: the card above is already complete; remove this "
         "line"},
        {CUBE "*CONTACT PAIR,INTERACTION=I\nA,B\n",
         "a.inp:12: *CONTACT PAIR: this card is not supported: use *TIE for bonded faces, or a "
         "joint of the model"},
        {CUBE "*BOGUS\n", "a.inp:12: *BOGUS: this card is not supported: it may change the "
                          "physics; remove it if it does not"},
    };
    refuse_all(GOS_COUNT(list), list);
}

static void test_steps(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CUBE "*STEP\n*STATIC\n",
         "a.inp:12: *STEP: the step is not closed by *END STEP; the file may be truncated"},
        {CUBE "*STEP\n*END STEP\n",
         "a.inp:12: *STEP: the step has no procedure, e.g. *STATIC or *FREQUENCY"},
        {CUBE "*STEP\n*STATIC\n*STEP\n",
         "a.inp:14: *STEP: the step of line 12 is still open; write *END STEP above"},
        {CUBE "*END STEP\n", "a.inp:12: *END STEP: there is no open step to end"},
        {CUBE "*STATIC\n", "a.inp:12: *STATIC: this card belongs to a step; write it below *STEP"},
        {CUBE "*STEP\n*STATIC\n*FREQUENCY\n10\n*END STEP\n",
         "a.inp:14: *FREQUENCY: the step already has a procedure; a step has one"},
        {CUBE "*STEP\n*STATIC\n0.1,x\n*END STEP\n", "a.inp:14:5: *STATIC: 'x' is not a finite "
                                                    "number; the number of the procedure is needed "
                                                    "here"},
        {CUBE "*STEP\n*MATERIAL,NAME=M\n*STATIC\n*END STEP\n",
         "a.inp:13: *MATERIAL: this card belongs to the model; write it above *STEP"},
        {CUBE "*STEP\n*VISCO\n*END STEP\n", "a.inp:13: *VISCO: this card is not supported: use "
                                            "*STATIC"},
        {CUBE "*STEP,BOGUS\n*STATIC\n*END STEP\n", "a.inp:12:7: *STEP: the parameter BOGUS is not "
                                                   "supported; options: NLGEOM INC PERTURBATION "
                                                   "AMPLITUDE NAME UNSYMM"},
    };
    refuse_all(GOS_COUNT(list), list);
}

#define STEP(cards) CUBE "*STEP\n*STATIC\n" cards "*END STEP\n" /* the cards begin in line 14 */

static void test_loads(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CUBE "*BOUNDARY\n9,1\n",
         "a.inp:13:1: *BOUNDARY: there is no node 9; correct the number, or add it by *NODE"},
        {CUBE "*BOUNDARY\nA,1\n", "a.inp:13: *BOUNDARY: there is no node set 'A' above this line; "
                                  "define it, or correct its name"},
        {CUBE "*BOUNDARY\n1\n",
         "a.inp:13:2: *BOUNDARY: the first degree of freedom is missing here"},
        {CUBE "*BOUNDARY\n1,3,1\n",
         "a.inp:13: *BOUNDARY: degrees of freedom 3 to 1 are not a range within 1 to 6, or 11"},
        {CUBE "*BOUNDARY\n1,1,11\n",
         "a.inp:13: *BOUNDARY: degrees of freedom 1 to 11 are not a range within 1 to 6, or 11"},
        {CUBE "*BOUNDARY\n1,7\n", "a.inp:13: *BOUNDARY: degree of freedom 7 is not supported; give "
                                  "1 to 6, or 11 for the temperature"},
        {CUBE "*BOUNDARY\n1,1,1,x\n",
         "a.inp:13:7: *BOUNDARY: 'x' is not a finite number; the value is needed here"},
        {CUBE "*BOUNDARY\n1,CLAMPED\n", "a.inp:13:3: *BOUNDARY: 'CLAMPED' is not a valid first "
                                        "degree of freedom: a whole number from 0 to 11 is needed"},
        {CUBE "*BOUNDARY,TYPE=VELOCITY\n1,1,1,1\n",
         "a.inp:12:11: *BOUNDARY: TYPE=VELOCITY is not supported; options: DISPLACEMENT"},
        {CUBE "*BOUNDARY,USER\n1,1\n",
         "a.inp:12:11: *BOUNDARY: the parameter USER is not supported; options: OP AMPLITUDE TYPE"},
        {CUBE "*BOUNDARY\n1,1\n*STEP\n*STATIC\n*BOUNDARY,OP=NEW\n2,1\n*END STEP\n",
         "a.inp:16: *BOUNDARY: OP=NEW would remove the load of line 13; remove that line, or write "
         "OP=MOD"},
        {CUBE "*CLOAD\n1,1,1\n",
         "a.inp:12: *CLOAD: this card belongs to a step; write it below *STEP"},
        {STEP("*CLOAD\n1,11,1\n"), "a.inp:15: *CLOAD: degree of freedom 11: give 1 to 6 for forces "
                                   "(*CLOAD), 11 for heat (*CFLUX)"},
        {STEP("*CLOAD\n1,1\n"), "a.inp:15:4: *CLOAD: the value is missing here"},
        {STEP("*CLOAD,AMPLITUDE=F\n1,1,1\n"), "a.inp:14:8: *CLOAD: there is no amplitude 'F' above "
                                              "this line; define it, or correct its name"},
        {STEP("*CFLUX\n1,1,1\n"), "a.inp:15: *CFLUX: degree of freedom 1: give 1 to 6 for forces "
                                  "(*CLOAD), 11 for heat (*CFLUX)"},
        {STEP("*TEMPERATURE\n1,20.,5.\n"),
         "a.inp:15: *TEMPERATURE: a gradient across the thickness needs shells S6, S8 or S8R with "
         "a "
         "homogeneous section; node 1 belongs to none, or to other cells, too"},
        {STEP("*TEMPERATURE\n1,20.,5.,6.\n"),
         "a.inp:15:10: *TEMPERATURE: unexpected '6.' on this line"},
        {STEP("*TEMPERATURE,FILE=heat.frd\n1,20.\n"),
         "a.inp:14:14: *TEMPERATURE: the parameter FILE is not supported; options: OP AMPLITUDE"},
        {STEP("*DLOAD\nE,P7,1\n"), "a.inp:15:3: *DLOAD: element 1 of type C3D8 has no face '7'"},
        {STEP("*DLOAD\nE,P,1\n"), "a.inp:15:3: *DLOAD: element 1 of type C3D8 has no face 'NEG'"},
        {STEP("*DLOAD\nE,P1\n"), "a.inp:15:5: *DLOAD: the pressure is missing here"},
        {STEP("*DLOAD\nE,P1NU1,1.\n"),
         "a.inp:15:3: *DLOAD: element 1 of type C3D8 has no face '1NU1'"},
        {STEP("*DLOAD\nE,BX,1.\n"), "a.inp:15:3: *DLOAD: the label 'BX' is not supported here"},
        {STEP("*DLOAD\nE,GRAV,9.81\n"), "a.inp:15: *DLOAD: the direction has no length"},
        {STEP("*DLOAD\nE,CENTRIF,-1,0,0,0,0,0,1\n"),
         "a.inp:15: *DLOAD: the square of the angular velocity is -1; it must not be below 0"},
        {STEP("*DLOAD\nE,GRAV,9.81,0,0,1\n*DLOAD,OP=NEW\nE,P1,1\n"),
         "a.inp:16: *DLOAD: OP=NEW would remove the load of line 15; remove that line, or write "
         "OP=MOD"},
        {STEP("*DSLOAD\nS,P,1\n"), "a.inp:15: *DSLOAD: there is no surface 'S' above this line; "
                                   "define it, or correct its name"},
        {STEP("*FILM\nE,F1,20\n"),
         "a.inp:15:8: *FILM: the sink temperature or film coefficient is missing here"},
        {STEP("*FILM\nE,F1FC,20,5\n"),
         "a.inp:15:3: *FILM: element 1 of type C3D8 has no face '1FC'"},
        {STEP("*RADIATE\nE,R1,20,.8\n"),
         "a.inp:15: radiation needs *PHYSICAL CONSTANTS, ABSOLUTE ZERO=..., STEFAN BOLTZMANN=..."},
        {STEP("*RADIATE\nE,R1CR,20,.8\n"),
         "a.inp:15:3: *RADIATE: element 1 of type C3D8 has no face '1CR'"},
        {CUBE "*SURFACE,NAME=S,TYPE=NODE\n1\n*STEP\n*STATIC\n*DSLOAD\nS,P,1\n*END STEP\n",
         "a.inp:17:1: *DSLOAD: surface 'S' is made of nodes; use one of faces"},
        {CUBE "*AMPLITUDE,NAME=F\n0,1,0,2\n",
         "a.inp:13:5: *AMPLITUDE: times must ascend, but 0 follows 0"},
        {CUBE "*AMPLITUDE,NAME=F\n0,1,1\n", "a.inp:13:6: *AMPLITUDE: the value is missing here"},
        {CUBE "*AMPLITUDE,NAME=F\n",
         "a.inp:12: *AMPLITUDE: the line with times and values is missing below this card"},
        {CUBE "*AMPLITUDE,NAME=F,DEFINITION=PERIODIC\n0,1\n",
         "a.inp:12:19: *AMPLITUDE: DEFINITION=PERIODIC is not supported; options: TABULAR"},
        {CUBE "*PHYSICAL CONSTANTS,STEFAN BOLTZMANN=5.67E-8\n",
         "a.inp:12: *PHYSICAL CONSTANTS: the parameter ABSOLUTEZERO is missing; give "
         "ABSOLUTEZERO=..."},
        {CUBE "*INITIAL CONDITIONS,TYPE=STRESS\n1,1,0,0,0,0,0,0\n",
         "a.inp:12:21: *INITIAL CONDITIONS: TYPE=STRESS is not supported; options: TEMPERATURE "
         "DISPLACEMENT VELOCITY"},
        {CUBE "*INITIAL CONDITIONS\n1,1\n",
         "a.inp:12: *INITIAL CONDITIONS: the parameter TYPE is missing; give TYPE=..."},
    };
    refuse_all(GOS_COUNT(list), list);
}

#define TOP CUBE "*SURFACE,NAME=S\nE,S2\n" /* lines 12 and 13 */

static void test_constraints(void **state) {
    GOS_UNUSED(state);
    static const broken list[] = {
        {CUBE "*EQUATION\n2\n1,1,1.,9,1,-1.\n",
         "a.inp:14:8: *EQUATION: there is no node 9; correct the number, or add it by *NODE"},
        {CUBE "*EQUATION\n1000000000\n1,1,1.,2,1,-1.\n",
         "a.inp:13: *EQUATION: there are 2 of 1000000000 terms; give all"},
        {CUBE "*EQUATION\n2\n1,1,0.,2,1,-1.\n",
         "a.inp:13: *EQUATION: the factor of the first term is 0; this term is the dependent one "
         "and needs a nonzero factor"},
        {CUBE "*EQUATION\n2\n1,1,1.,2,8,-1.\n",
         "a.inp:14:10: *EQUATION: degree of freedom 8 is not supported; give 1 to 6 or 11"},
        {CUBE "*EQUATION\n2\n1,1,1.,2,1\n",
         "a.inp:13: *EQUATION: there are 1 of 2 terms; give all"},
        {CUBE "*EQUATION\n0\n", "a.inp:13:1: *EQUATION: '0' is not a valid number of terms: a "
                                "whole number from 1 to 2147483647 is needed"},
        {CUBE "*EQUATION\n2\nA,1,1.,2,1,1.\n",
         "a.inp:14:1: *EQUATION: 'A' is not a valid number of a node: a whole number from 1 to "
         "999999999999999 is needed"},
        {TOP "*COUPLING,CONSTRAINT NAME=C,REF NODE=1,SURFACE=S\n",
         "a.inp:14: *COUPLING: coupling 'C' is neither kinematic nor distributing; write "
         "*KINEMATIC or *DISTRIBUTING below it"},
        {TOP "*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=S\n*KINEMATIC\n",
         "a.inp:14: *COUPLING: there is no node 9; correct the number, or add it by *NODE"},
        {TOP "*COUPLING,CONSTRAINT NAME=C,REF NODE=1,SURFACE=T\n*KINEMATIC\n",
         "a.inp:14:40: *COUPLING: there is no surface 'T' above this line; define it, or correct "
         "its name"},
        {TOP "*COUPLING,CONSTRAINT NAME=C,REF NODE=1,SURFACE=S\n*KINEMATIC\n7\n",
         "a.inp:16:1: *KINEMATIC: '7' is not a valid first degree of freedom: a whole number from "
         "1 to 6 is needed"},
        {TOP "*COUPLING,CONSTRAINT NAME=C,SURFACE=S\n*KINEMATIC\n",
         "a.inp:14: *COUPLING: the parameter REFNODE is missing; give REFNODE=..."},
        {TOP "*KINEMATIC\n1\n",
         "a.inp:14: *KINEMATIC: this card belongs to a coupling; write it directly below "
         "*COUPLING"},
        {CUBE "*RIGID BODY,REF NODE=1\n",
         "a.inp:12: *RIGID BODY: give either NSET=... or ELSET=..., the set that is rigid"},
        {CUBE "*RIGID BODY,ELSET=E\n",
         "a.inp:12: *RIGID BODY: the parameter REFNODE is missing; give REFNODE=..."},
        {CUBE "*RIGID BODY,ELSET=F,REF NODE=1\n",
         "a.inp:12: *RIGID BODY: there is no element set 'F' above this line; define it, or "
         "correct its name"},
        {TOP "*TIE,NAME=T\nS\n", "a.inp:15:2: *TIE: a label is missing here"},
        {TOP "*TIE,NAME=T\n",
         "a.inp:14: *TIE: the line with the two surfaces is missing below this card"},
        {TOP "*TIE,NAME=T\nS,Q\n",
         "a.inp:15: *TIE: there is no surface 'Q' above this line; define it, or correct its name"},
        {TOP "*SURFACE,NAME=N,TYPE=NODE\n1\n*TIE,NAME=T\nS,N\n",
         "a.inp:17: *TIE: the second surface, 'N', is made of nodes; use one of faces"},
        {CUBE "*MPC\nPLANE,1,2,3\n", "a.inp:13: *MPC: PLANE needs four nodes or more"},
    };
    refuse_all(GOS_COUNT(list), list);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static gos_status read_deck(const char *name) {
    gos_mesh *mesh = NULL;
    gos_deck *deck;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__mesh_create(ctx, &mesh), GOS_OK);
    const gos_status status = gos__deck_read(mesh, folder_path(name), (gos_loc){0}, NULL, &deck);
    if (status == GOS_OK) {
        assert_true(mesh->deck == deck && mesh->ncell == 1 && mesh->nnode == 8);
    }
    gos__mesh_destroy(mesh);
    return status;
}

static void expect_message(const char *name, const char *message) {
    char text[400];
    (void)snprintf(text, sizeof text, "%s/%s", folder, message);
    assert_int_not_equal(read_deck(name), GOS_OK);
    assert_string_equal(gos_ctx_message(ctx), text);
}

/* includes: data in the midst of a card, loops, errors told in the file where they stand */
static void test_includes(void **state) {
    assert_int_equal(folder_make(state), 0);
    put("good.inp", "*INCLUDE, INPUT=nodes.inc\n1,1,2,3,4,\n*include,input = \"rest.inc\"\n");
    put("nodes.inc", "*NODE\n*INCLUDE,INPUT=data.inc\n*ELEMENT,TYPE=C3D8\n");
    put("data.inc", "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1");
    put("rest.inc", "5,6,7,8\n");
    assert_int_equal(read_deck("good.inp"), GOS_OK);
    put("self.inp", "**\n*INCLUDE,INPUT=self.inp\n");
    expect_message(
        "self.inp",
        "self.inp:2: *INCLUDE: file 'self.inp' would include itself endlessly; remove this line");
    put("loop.inp", "*INCLUDE,INPUT=one.inc\n");
    put("one.inc", "**\n*INCLUDE,INPUT=./two.inc\n");
    put("two.inc", "**\n**\n*INCLUDE,INPUT=one.inc\n");
    expect_message(
        "loop.inp",
        "./two.inc:3: *INCLUDE: file 'one.inc' would include itself endlessly; remove this line");
    put("out.inp", "*INCLUDE,INPUT=../x.inp\n");
    expect_message("out.inp", "out.inp:1: *INCLUDE: file name '../x.inp' must be relative and "
                              "without '..'; put the file into the folder of the model");
    put("none.inp", "*INCLUDE,INPUT=nothing.inc\n");
    expect_message(
        "none.inp",
        "none.inp:1: *INCLUDE: cannot open file 'nothing.inc': No such file or directory");
    put("bad.inc", "1,0,0,0\n2,0,x,0\n");
    put("bad.inp", "*NODE\n*INCLUDE,INPUT=bad.inc\n");
    expect_message(
        "bad.inp",
        "bad.inc:2:5: *NODE: 'x' is not a finite number; the coordinate y of the node is needed "
        "here");
    put("cell.inc", "1,1,2,3,4,5,6,7,9\n");
    put("cell.inp", "*INCLUDE,INPUT=nodes.inc\n*INCLUDE,INPUT=cell.inc\n");
    expect_message("cell.inp", "cell.inc:1: *ELEMENT: element 1 has node 9, which does not exist; "
                               "correct the number, or add it by *NODE");
    for (int i = 0; i < 20; i++) {
        char name[20], text[60];
        (void)snprintf(name, sizeof name, "deep%d.inc", i);
        (void)snprintf(text, sizeof text, "*INCLUDE,INPUT=deep%d.inc\n", i + 1);
        put(name, text);
    }
    expect_message("deep0.inc",
                   "deep15.inc:1: *INCLUDE: files include each other more than 16 deep");
    assert_int_equal(folder_remove(state), 0);
}

static bool last_is_card(const char *text, size_t n) {
    while (n > 0 && text[n - 1] != '\n') {
        n--;
    }
    return text[n] == '*';
}

/* every beginning of a deck is refused, or warned of where it is not the end of a line */
static void test_truncated(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "*HEADING\nsmall\n" CUBE "*NSET,NSET=A,GENERATE\n1,4\n*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n"
        "*DENSITY\n7800\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n1.,1.\n*END STEP\n";
    const size_t size = sizeof text - 1;
    const char *step = strstr(text, "*STEP") + strlen("*STEP");
    int good = 0;
    for (size_t n = 0; n <= size; n++) {
        char *begin = malloc(n + 1); // exactly, so that a sanitizer sees what is read beyond
        gos_deck *deck = NULL;
        assert_non_null(begin);
        memcpy(begin, text, n);
        begin[n] = '\0';
        gos_ctx_clear(ctx);
        if (gos__deck_parse(ctx, "a.inp", begin, n, NULL, &deck) == GOS_OK) {
            const bool card = last_is_card(begin, n);
            assert_true(n >= size - 1 || n < (size_t)(step - text));
            assert_true(n >= size - 1 || begin[n - 1] == '\n' || card || gos_ctx_ndiag(ctx) > 0);
            gos__deck_destroy(deck);
            good++;
        } else {
            assert_true(gos_ctx_ndiag(ctx) > 0);
        }
        free(begin);
    }
    assert_true(good > 2 && good < 60);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh),        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_instances),   cmocka_unit_test(test_springs),
        cmocka_unit_test(test_materials),   cmocka_unit_test(test_sections),
        cmocka_unit_test(test_steps),       cmocka_unit_test(test_loads),
        cmocka_unit_test(test_constraints), cmocka_unit_test(test_includes),
        cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
