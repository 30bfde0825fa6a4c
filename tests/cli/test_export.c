/* gossamer export: what is written is read back to the last bit, and by other programs. */
#include "program.h"
#include "support/suite.h"

static const char model[] =
    "materials:\n"
    "  steel: {density: 7800, young: 2.0e11, damping: {normal: 1.0e-4}, conductivity: 50,\n"
    "          specific_heat: 450, expansion: 1.2e-5}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 4}\n"
    "joints:\n"
    "  wall: {type: clamp, between: [ground, rod.start]}\n"
    "loads:\n"
    "  side: {type: force, on: rod.end, value: [0, \"10*sin(20*t)\", 0]}\n"
    "heat:\n"
    "  sun: {type: flux, value: 1.0e3, direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: displacement}\n"
    "  warm: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: dynamic, end: 0.1}\n"
    "output: {every: 0.02}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("export model.yaml --to h5 -o first.h5") == 0 ? 0 : -1;
}

/* run a line of the shell, or of python, in the folder */
static void shell(const char *line) {
    char command[2048];
    (void)snprintf(command, sizeof command, "cd %s && { %s; }", folder, line);
    if (system(command) != 0) {
        fail_msg("%s", line);
    }
}

static void python(const char *program_text) {
    write_text("check.py", program_text);
    shell("/usr/bin/python3 check.py");
}

/* the model of file a holds the same bits and names as b: as h5 files, all of which are compared */
static void expect_same(const char *a, const char *b) {
    char line[200];
    (void)snprintf(line, sizeof line, "export %s --to h5 -o again.h5", a);
    expect(0, line, "done: again.h5");
    (void)snprintf(line, sizeof line,
                   "import h5py, sys\n"
                   "a, b = h5py.File('again.h5'), h5py.File('%s')\n"
                   "for x in ('nq', 'nt', 'nphi', 'nc', 'nh', 'nu', 'ny'):\n"
                   "    assert a.attrs[x] == b.attrs[x], x\n",
                   b);
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "%s"
                   "assert set(a['blocks']) == set(b['blocks']) and 'M' in a['blocks'] or "
                   "'C_T' in a['blocks']\n"
                   "for block in b['blocks']:\n"
                   "    for part in ('start', 'row', 'value'):\n"
                   "        x, y = a['blocks'][block][part][:], b['blocks'][block][part][:]\n"
                   "        assert x.tobytes() == y.tobytes(), (block, part)\n"
                   "def ports(f):\n"
                   "    return [l for l in f['names'][()].decode().splitlines() if "
                   "l.startswith(('input', 'output'))]\n"
                   "assert ports(a) == ports(b) and len(ports(a)) > 0\n",
                   line);
    python(text);
}

static void test_matrices(void **state) {
    (void)state;
    expect(0, "export model.yaml --to mtx", "done: model.mtx");
    expect_same("model.mtx", "first.h5");
    expect(0, "export first.h5 --to mat -o model.mat", "done: model.mat");
    expect_same("model.mat", "first.h5");
    expect(0, "export model.mat --to mtx -o other", "done: other");
    shell("diff -r other model.mtx | grep -v coordinate | grep -v temperature, | grep -v "
          "components | grep -q '^[<>] [0-9]' && exit 1 || exit 0");
    // scipy is another reader; it is not everywhere
    python("try:\n"
           "    from scipy.io import loadmat\n"
           "except ImportError:\n"
           "    raise SystemExit\n"
           "m = loadmat('model.mat')\n"
           "assert m['M'].shape == m['K'].shape and m['K'].nnz > 0\n"
           "assert m['inputs'][0, 0][0] == 'side.y'\n");
}

/* the same response from E, A, B, C, D; the static value of a cantilever, L^3 / (3 E I) = 1e-3 */
static void test_first_order(void **state) {
    (void)state;
    double f, full, first;
    expect(0, "export model.yaml --to ss", "done: model.ss");
    expect(0, "export model.yaml --to ss -o ss.mat", "done: ss.mat");
    shell("test -s model.ss/E.mtx -a -s model.ss/A.mtx -a -s model.ss/names.csv");
    expect(0, "export model.ss --to h5 -o ss.h5", "done");
    expect_same("ss.mat", "ss.h5");
    expect(0, "response model.yaml --band 7:7 --points 1 --from side --to tip.y", "tip.y/side.y");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf", &f, &full), 2);
    expect(0, "response model.ss --band 7:7 --points 1 --from side --to tip.y", "tip.y/side.y");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf", &f, &first), 2);
    assert_true(first > 1e-3 && first / full - 1 < 1e-8 && full / first - 1 < 1e-8);
}

static void test_vtu(void **state) {
    (void)state;
    expect(0, "run model.yaml -o run.h5 --quiet", "");
    expect(0, "export run.h5 --to vtu", "done: run.vtu");
    expect(0, "export run.h5 --to vtu --at 0.05 -o middle.vtu", "done: middle.vtu");
    expect(0, "export model.yaml --to vtu -n 3 -o modes.vtu", "done: modes.vtu");
    python("import xml.etree.ElementTree as xml, h5py, numpy as np\n"
           "def read(name):\n"
           "    piece = xml.parse(name).getroot().find('UnstructuredGrid/Piece')\n"
           "    assert piece.get('NumberOfPoints') == '5' and piece.get('NumberOfCells') == '4'\n"
           "    data = {a.get('Name'): np.array([float(x) for x in a.text.split()])\n"
           "            for a in piece.iter('DataArray')}\n"
           "    assert list(data['connectivity']) == [0, 1, 1, 2, 2, 3, 3, 4]\n"
           "    assert list(data['offsets']) == [2, 4, 6, 8] and set(data['types']) == {3}\n"
           "    return data\n"
           "run = h5py.File('run.h5')\n"
           "last = read('run.vtu')\n"
           "end = run['VTKHDF/Points'][-5:].ravel()\n"
           "assert (last['Points'] == end).all() and len(last['temperature']) == 5\n"
           "middle = read('middle.vtu')\n"
           "probe = np.interp(0.05, run['probes/time'][:], run['probes/tip'][:, 1])\n"
           "assert abs(middle['displacement'][13] - probe) < 1e-2 * abs(probe) + 1e-9, "
           "(middle['displacement'][13], probe)\n"
           "modes = read('modes.vtu')\n"
           "shapes = [k for k in modes if k.startswith('mode')]\n"
           "assert len(shapes) == 3 and shapes[0].startswith('mode 1: 8.')\n"
           "first = modes[shapes[0]].reshape(5, 3)\n"
           "assert (abs(first[0]) < 1e-12).all() and abs(first[4]).max() > 0.5\n");
}

static void test_probes(void **state) {
    (void)state;
    expect(0, "run model.yaml -o run.h5 --quiet", "");
    expect(0, "export run.h5 --to mat -o probes.mat", "done: probes.mat");
    // columns of doubles by MATLAB's own layout, without a reader: the last 8 bytes of y of tip
    python("import h5py\n"
           "run, mat = h5py.File('run.h5'), open('probes.mat', 'rb').read()\n"
           "y = run['probes/tip'][:]\n"
           "assert y.T.copy().tobytes() in mat and run['probes/time'][:].tobytes() in mat\n");
}

static void test_wrong_use(void **state) {
    (void)state;
    expect(2, "export", "a file is missing");
    expect(2, "export model.yaml", "--to FORMAT is missing");
    expect(2, "export model.yaml --to pdf", "not 'pdf'");
    expect(2, "export nothing.yaml --to mat", "nothing.yaml");
    expect(2, "export model.yaml --to mat -o model.yaml", "is also an input");
    expect(2, "export model.yaml --to vtu -o model.yaml", "is also an input");
    expect(2, "export model.yaml --to mtx -o model.yaml", "is also an input");
    expect(2, "export first.h5 --to vtu", "no geometry to draw");
    expect(2, "export first.h5 --to mat --set a=1 -o x.mat", "do not apply");
    expect(0, "run model.yaml -o run.h5 --quiet", "");
    expect(2, "export run.h5 --to ss", "vtu, pvd or mat");
    expect(2, "export run.h5 --to vtu --at 5", "outside the run");
    expect(2, "export run.h5 --to vtu -n 5", "do not apply");
    shell("mkdir full && touch full/letter");
    expect(2, "export model.yaml --to mtx -o full", "something other");
    expect(2, "export model.yaml --to mtx -o .", "something other");
}

/* MAT-files that are not what they seem: refused with a message */
static void test_bad_mat(void **state) {
    (void)state;
    expect(0, "export first.h5 --to mat -o good.mat", "done");
    shell("head -c 400 good.mat > cut.mat");
    expect(2, "modes cut.mat", "cut.mat");
    write_text("head.mat", "MATLAB 5.0 MAT-file, and nothing else");
    expect(2, "modes head.mat", "head.mat");
}

static const char booms[] =
    "materials: {alu: {density: 2767, young: 6.895e10, poisson: 0.3}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.025}}\n"
    "bodies:\n"
    "  left: {type: floating_beam, material: alu, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "         elements: 3}\n"
    "  right: {type: floating_beam, material: alu, section: bar, from: [0, 0, 1], to: [1, 0, 1],\n"
    "          elements: 3}\n"
    "analysis: {end: 1}\n";

static const char copy[] = "bodies: {b: {type: sid, file: right.SID_FEM}}\nanalysis: {end: 1}\n";

/* a flexible body for other multibody programs, and back: the same bytes */
static void test_sid(void **state) {
    (void)state;
    write_text("booms.yaml", booms);
    write_text("copy.yaml", copy);
    expect(2, "export booms.yaml --to sid",
           "2 bodies of the model have floating frames; select one with --body");
    expect(0,
           "export booms.yaml --to sid --body right --nodes \"end,node(1)\" -n 5 -o right.SID_FEM",
           "done: right.SID_FEM");
    shell("test $(grep -c 'new node' right.SID_FEM) = 2");
    shell("grep -q 'nelastq  *=  *5$' right.SID_FEM");
    expect(0, "export copy.yaml --to sid", "done: copy.SID_FEM");
    shell("cmp right.SID_FEM copy.SID_FEM");
    expect(0, "export copy.yaml --to sid", "done: copy.SID_FEM"); // its own file is replaced
    write_text("text.SID_FEM", "mine\n");
    expect(2, "export copy.yaml --to sid -o text.SID_FEM", "exists and is not a SID_FEM file");
    expect(2, "export booms.yaml --to sid --body left --nodes \"at(0.3)\"", "is not a node");
    expect(2, "export booms.yaml --to h5 --body left", "--body and --nodes require --to sid");
    expect(2, "export booms.yaml --to sid --body left --equilibrium", "exports the body alone");
    expect(2, "export first.h5 --to sid", "use the model");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices), cmocka_unit_test(test_first_order),
        cmocka_unit_test(test_vtu),      cmocka_unit_test(test_probes),
        cmocka_unit_test(test_bad_mat),  cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_sid),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
