/* gossamer mesh: meshes of models and files, described and written for ParaView. */
#include "program.h"
#include "support/suite.h"

static const char model[] = "parameters: {n: 36}\n"
                            "meshes:\n"
                            "  disc: {type: annulus, inner: 0.075, outer: 0.15, cells: [4, n],\n"
                            "         sets: {hot: {of: cells, sector: {at: 0, angle: deg(60)}}}}\n"
                            "  bar: {type: box, size: [2, 1, 1], cells: [2, 1, 1]}\n";

static const char turned[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                             "$PhysicalNames\n1\n1 7 \"left <edge>\"\n$EndPhysicalNames\n"
                             "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                             "$Elements\n2\n1 1 2 7 1 4 1\n2 3 0 1 4 3 2\n$EndElements\n";

static int setup(void **state) {
    const int code = make_folder(state);
    write_text("model.yaml", model);
    write_text("turned.msh", turned);
    write_text("one.inp",
               "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*ELEMENT, TYPE=S3, ELSET=ALL\n5, 1, 2, 3\n");
    return code;
}

static void test_describe(void **state) {
    (void)state;
    expect(0, "mesh model.yaml", "mesh         bar\n");
    // 18 sin(10 deg) (0.15^2 - 0.075^2)
    expect(0, "mesh model.yaml disc",
           "mesh         disc\nnodes        180\ncells        144 quad4\n"
           "x            -0.15 to 0.15 m\ny            -0.15 to 0.15 m\nz            0 to 0 m\n"
           "area         0.052745634 m^2\n");
    expect(0, "mesh model.yaml disc", "cell sets    hot                  24\n");
    expect(0, "mesh model.yaml disc --set n=72", "nodes        360\n");
    expect(0, "mesh model.yaml bar", "volume       2 m^3\nshape        smallest determinant 1 of");
    expect(0, "mesh model.yaml bar", "left                 1, 1 m^2\n");
    expect(0, "mesh one.inp", "area         0.5\n"); // a bare file has no units
    expect(0, "mesh one.inp --units si", "area         0.5 m^2\n");
    expect(0, "mesh one.inp --units mm-t-s", "area         0.5 mm^2\n");
    expect(2, "mesh one.inp --units inch", "--units is si or mm-t-s, not 'inch'");
    expect(2, "mesh model.yaml --units mm-t-s", "--units is for decks and mesh files");
    expect(0, "mesh turned.msh",
           "turned.msh:18: warning: 1 cells are inverted or "
           "self-intersecting");
    expect(0, "mesh turned.msh", "left <edge>          1, 1\n");
}

static void test_write(void **state) {
    (void)state;
    static char text[OUTPUT_MAX];
    expect(0, "mesh turned.msh -o turned.vtu", "");
    read_text("turned.vtu", text);
    assert_non_null(strstr(text, "NumberOfPoints=\"4\" NumberOfCells=\"1\""));
    assert_non_null(strstr(text, "Name=\"left _edge_\" NumberOfComponents=\"1\" format=\"ascii\">\n"
                                 "1\n0\n0\n1\n"));
    assert_non_null(strstr(text, "Name=\"connectivity\" NumberOfComponents=\"1\" "
                                 "format=\"ascii\">\n0 3 2 1 \n"));
    expect(0, "mesh turned.msh -o turned.vtu", ""); // may be replaced
}

#define BULK                                                                                       \
    "CEND\nSPC = 5\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,1.,0.\n"            \
    "GRID,4,,0.,1.,0.\nGRID,5,,0.,0.,1.\nGRID,6,,2.,0.,1.\nGRID,7,,2.,1.,1.\nGRID,8,,0.,1.,1.\n"   \
    "CHEXA,1,1,1,2,3,4,5,6,+\n+,7,8\nPSOLID,1,1\nMAT1,1,400.,,0.,3.\nSPC1,5,123,1,4,5,8\n"         \
    "SPC1,5,23,2,3,6,7\nENDDATA\n"

/* a deck is a linear model: a rod of one cell whose material does not contract across stretches by
 * omega^2 = 3 E / (rho L^2) */
static void test_deck(void **state) {
    (void)state;
    write_text("rod.inp", "*NODE\n1,0,0,0\n2,2,0,0\n3,2,1,0\n4,0,1,0\n5,0,0,1\n6,2,0,1\n7,2,1,1\n"
                          "8,0,1,1\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n"
                          "*MATERIAL, NAME=M\n*ELASTIC\n400., 0.\n*DENSITY\n3.\n"
                          "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                          "*BOUNDARY\n1, 1, 3\n4, 1, 3\n5, 1, 3\n8, 1, 3\n2, 2, 3\n3, 2, 3\n"
                          "6, 2, 3\n7, 2, 3\n");
    expect(0, "modes rod.inp -n 1", "1.591549             10 "); // 10 rad/s
    expect(0, "modes rod.inp -n 1", "frequency          omega");
    expect(0, "modes rod.inp -n 1 --units si",
           "frequency [Hz]  omega [rad/s]  effective mass x, y, z [kg]     residual");
    // the same file of Nastran
    write_text("rod.bdf", BULK);
    expect(0, "modes rod.bdf -n 1", "1.591549             10 ");
    expect(0, "mesh rod.bdf --units si", "volume       2 m^3\n");
    write_text("bad.nas", "GRID,1,,0,0.,0.\nENDDATA\n");
    expect(2, "modes bad.nas",
           "bad.nas:1:9: GRID: '0' is not a finite number with a decimal point");
    expect(0, "modes rod.inp -n 1 --units mm-t-s", "effective mass x, y, z [t]      residual");
    expect(2, "modes rod.inp --set E=1", "is a linear model");
    expect(2, "modes one.inp", "5"); // its element has no section
    expect(2, "modes turned.msh", "turned.msh");
}

static void test_refused(void **state) {
    (void)state;
    expect(2, "mesh", "gossamer mesh");
    expect(2, "mesh model.yaml dics", "no mesh 'dics'");
    expect(2, "mesh none.msh", "none.msh");
    expect(2, "mesh model.yaml -o all.vtu", "more than one mesh");
    expect(2, "mesh turned.msh -o turned.msh", "choose another name");
    expect(2, "mesh turned.msh --set a=1", "--set applies to models only");
    write_text("empty.yaml", "name: x\n");
    expect(2, "mesh empty.yaml", "has no meshes");
    write_text("cut.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000000\n1 0 0 0\n");
    expect(2, "mesh cut.msh", "cut.msh:5:1: 1000000000 nodes are declared");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_deck),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, remove_folder);
}
SUITE(suite)
