/* Modes of reduced models in results files, against those that `export --to vtu` writes, and their
 * pictures in reports. */
#include "program.h"
#include "support/suite.h"

static const char model[] =
    "materials: {m: {density: 7800, young: 2e11, poisson: 0.3, expansion: 1.2e-5,\n"
    "  conductivity: 43, specific_heat: 465}}\n"
    "meshes: {bar: {type: box, size: [0.4, 0.1, 0.06], cells: [4, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: m, reference: clamped,\n"
    "  at: left, reduce: {method: response_modes, order: 3, modes: 2}}}\n"
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
    "loads: {F: {type: force, on: bar.right, value: [0, 0, \"-1e3*t\"]}}\n"
    "heat: {q: {type: convection, coefficient: 100, ambient: 50, on: bar.top}}\n"
    "probes: {x: {at: bar.right, quantity: position}}\n"
    "analysis: {end: 0.05, step: 1e-3}\n";

static int set_up(void **state) {
    if (make_folder(state) != 0) {
        return 1;
    }
    write_text("model.yaml", model);
    return 0;
}

static void python(const char *text) {
    char command[200];
    write_text("check.py", text);
    (void)snprintf(command, sizeof command, "cd %s && /usr/bin/python3 check.py", folder);
    assert_int_equal(system(command), 0);
}

/* the same names, motions and temperatures, but for their signs and 4-byte numbers; a whole model
 * has none */
static void stored(void **state) {
    (void)state;
    expect(0, "run model.yaml --reduced --accept -o few.h5 --quiet", "");
    expect(0, "run model.yaml -o whole.h5 --quiet", "");
    expect(0, "export model.yaml --set floating_bodies=reduced --to vtu -n 8 -o modes.vtu",
           "done: modes.vtu");
    python("import xml.etree.ElementTree as xml, h5py, numpy as np\n"
           "f = h5py.File('few.h5')\n"
           "assert 'modes' not in h5py.File('whole.h5')\n"
           "n = int(f['VTKHDF/NumberOfPoints'][0])\n"
           "names = f['modes/names'][()].decode().splitlines()\n"
           "u = f['modes/displacement'][:].reshape(len(names), n, 3)\n"
           "t = f['modes/temperature'][:].reshape(len(names), n)\n"
           "data = {a.get('Name'): np.array([float(x) for x in a.text.split()])\n"
           "        for a in xml.parse('modes.vtu').getroot().iter('DataArray')}\n"
           "fields = [x for x in names if x.startswith('temperature field')]\n"
           "assert len(fields) == 3 and len(names) > 5, names\n"
           "def same(a, b):\n"
           "    most = abs(b).max()\n"
           "    assert most > 0 and min(abs(a - b).max(), abs(a + b).max()) < 1e-5 * most\n"
           "for i, name in enumerate(names):\n"
           "    if name in fields:\n"
           "        same(t[i], data[name])\n"
           "        k = fields.index(name) + 1\n"
           "        same(u[i].ravel(), data[f'deformation by temperature field {k}'])\n"
           "    else:\n"
           "        assert not t[i].any()\n"
           "        same(u[i].ravel(), data[name])\n");
}

static void pictures(void **state) {
    (void)state;
    expect(0, "report few.h5 -o few.html", "few.html");
    check_in_browser("few.html --text 'temperature field 3'");
    expect(0, "report whole.h5 -o whole.html", "whole.html");
    read_text("whole.html", out_text);
    assert_null(strstr(out_text, "\"temperature field 1"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stored), cmocka_unit_test(pictures)};
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
SUITE(suite)
