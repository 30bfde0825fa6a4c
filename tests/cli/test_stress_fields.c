/* Stresses and strains in results files, as other programs read them; killed runs; older files. */
#include "program.h"
#include "support/suite.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>

static const char model[] =
    "materials: {m: {density: 7800, young: 2e11, poisson: 0.3, expansion: 1.2e-5,\n"
    "  conductivity: 43, specific_heat: 465}}\n"
    "meshes: {bar: {type: box, size: [0.4, 0.1, 0.06], cells: [4, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: m, reference: clamped,\n"
    "  at: left, reduce: {method: modes, order: 3}}}\n"
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
    "loads: {F: {type: force, on: bar.right, value: [0, 0, \"-1e3*t\"]}}\n"
    "heat: {q: {type: flux, on: bar.top, value: 1e6}}\n"
    "probes: {s: {at: bar.node(5), quantity: stress},\n"
    "  m: {at: bar.node(5), quantity: von_mises},\n"
    "  x: {at: bar.node(5), quantity: position}}\n"
    "output: {every: 0.01, stress: true}\n"
    "analysis: {end: 0.05, step: 1e-3}\n";

static void python(const char *text) {
    char command[200];
    write_text("check.py", text);
    (void)snprintf(command, sizeof command, "cd %s && /usr/bin/python3 check.py", folder);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state) {
    if (make_folder(state) != 0) {
        return 1;
    }
    write_text("model.yaml", model);
    return 0;
}

/* h5py and the .vtu: the probe's numbers, offsets for VTK, what is not strained is no number, times
 * in between are linear */
static void read_by_others(void **state) {
    (void)state;
    expect(0, "run model.yaml -o model.h5 --quiet", "");
    expect(0, "info model.h5", "principal_stress");
    assert_non_null(strstr(out_text, "[Pa]: xx yy zz xy yz zx"));
    expect(0, "info model.h5 --json", "\"von_mises\"");
    expect(0, "export model.h5 --to vtu", "done: model.vtu");
    expect(0, "export model.h5 --to vtu --at 0.025 -o middle.vtu", "done: middle.vtu");
    python("import base64, xml.etree.ElementTree as xml, h5py, numpy as np\n"
           "f = h5py.File('model.h5')\n"
           "v = f['VTKHDF']\n"
           "frames = v['Steps'].attrs['NSteps']\n"
           "n = int(v['NumberOfPoints'][0])\n"
           "assert [x.decode() for x in v.attrs['fields']] == ['stress', 'von_mises', "
           "'principal_stress']\n"
           "point = v['PointData']\n"
           "assert point['stress'].shape == (frames * n, 6) and point['von_mises'].shape == "
           "(frames * n,)\n"
           "for name in ('stress', 'von_mises', 'principal_stress'):\n"
           "    assert (v['Steps/PointDataOffsets'][name][:] == n * np.arange(frames)).all()\n"
           "s, x = point['stress'][-n:], v['Points'][-n:]\n"
           "at = abs(x - f['probes/x'][-1]).max(axis=1).argmin()\n"
           "assert abs(f['probes/s'][-1]).max() > 1e3\n"
           "assert (s[at] == f['probes/s'][-1]).all(), (s[at], f['probes/s'][-1])\n"
           "assert point['von_mises'][-n:][at] == f['probes/m'][-1, 0]\n"
           "a = s[at]\n"
           "t = np.array([[a[0], a[3], a[5]], [a[3], a[1], a[4]], [a[5], a[4], a[2]]])\n"
           "p = np.sort(np.linalg.eigvalsh(t))[::-1]\n"
           "assert abs(p - point['principal_stress'][-n:][at]).max() < 1e-9 * abs(p).max()\n"
           "assert np.isnan(s[0]).all() and np.isfinite(s[1:]).all()\n"
           "def read(path):\n"
           "    found = {}\n"
           "    for d in xml.parse(path).getroot().iter('DataArray'):\n"
           "        if d.get('format') == 'binary':\n"
           "            raw = base64.b64decode(d.text)\n"
           "            assert int(np.frombuffer(raw[:8], '<u8')[0]) == len(raw) - 8\n"
           "            found[d.get('Name')] = np.frombuffer(raw[8:]).reshape(n, -1)\n"
           "    return found\n"
           "last, middle = read('model.vtu'), read('middle.vtu')\n"
           "assert sorted(last) == ['principal_stress', 'stress', 'von_mises']\n"
           "assert np.array_equal(last['stress'], s, equal_nan=True)\n"
           "both = (point['stress'][2 * n:3 * n] + point['stress'][3 * n:4 * n]) / 2\n"
           "assert abs(middle['stress'] - both)[1:].max() < 1e-12 * abs(both)[1:].max()\n");
}

/* a report can colour its animation by them, and stays small without */
static void in_reports(void **state) {
    (void)state;
    expect(0, "report model.h5 -o stress.html", "stress.html");
    read_text("stress.html", out_text);
    assert_non_null(strstr(out_text, "\"first principal stress\""));
    check_in_browser("stress.html --colour 'von Mises stress'");
}

/* whole and reduced have the same nodes, and what does not ask for stresses none */
static void same_nodes(void **state) {
    (void)state;
    expect(0, "run model.yaml --reduced --accept --quiet -o few.h5", "");
    expect(0, "run model.yaml --quiet --set output.stress=false -o plain.h5", "");
    expect(0, "info plain.h5", "complete");
    assert_null(strstr(out_text, "von_mises 0"));
    assert_null(strstr(out_text, "nodal fields"));
    expect(0, "compare model.h5 few.h5", "position");
    python("import h5py\n"
           "a, b, c = (h5py.File(x + '.h5')['VTKHDF'] for x in ('model', 'few', 'plain'))\n"
           "assert a['PointData/stress'].shape == b['PointData/stress'].shape\n"
           "assert 'stress' not in c['PointData'] and 'fields' not in c.attrs\n"
           "assert a['NumberOfPoints'][0] == c['NumberOfPoints'][0]\n");
}

/* killed in the midst: what was flushed is there, with stresses for every output time; resumed it
 * continues */
static void killed(void **state) {
    (void)state;
    char path[128];
    struct stat before = {0}, now;
    (void)snprintf(path, sizeof path, "%s/killed.h5", folder);
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0 || freopen("/dev/null", "w", stdout) == NULL) {
            _exit(1);
        }
        (void)execl(GOS_PROGRAM, "gossamer", "run", "model.yaml", "-o", "killed.h5", "--until",
                    "300", "--set", "output.limit=1e15", "--quiet", (char *)NULL);
        _exit(1);
    }
    const struct timespec pause = {0, 20000000};
    for (int writes = 0; writes < 3;) {
        (void)nanosleep(&pause, NULL);
        if (stat(path, &now) == 0 && now.st_size != before.st_size) {
            before = now;
            writes++;
        }
    }
    (void)kill(child, SIGKILL);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    expect(0, "info killed.h5", "interrupted");
    assert_non_null(strstr(out_text, "principal_stress"));
    python("import h5py, numpy as np\n"
           "v = h5py.File('killed.h5')['VTKHDF']\n"
           "n, frames = int(v['NumberOfPoints'][0]), int(v['Steps'].attrs['NSteps'])\n"
           "s = v['PointData/stress'][:frames * n].reshape(frames, n, 6)\n"
           "assert frames > 2 and np.isfinite(s[:, 1:]).all()\n");
    expect(0, "export killed.h5 --to vtu -o killed.vtu", "done");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_by_others),
                                       cmocka_unit_test(in_reports), cmocka_unit_test(same_nodes),
                                       cmocka_unit_test(killed)};
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
SUITE(suite)
