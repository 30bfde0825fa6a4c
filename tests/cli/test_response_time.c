/* gossamer response --over: outputs over time of linear models, after steps and for inputs from a
 * file. */
#include "program.h"
#include "support/suite.h"

#include <math.h>

/* q1'' + 2 d q1' + k q1 = a, q2'' = b: an oscillator of 2 Hz with 1 % of the critical damping, a
   free mass; y = q1, its velocity, q2 and a itself. By the first order, and the undamped one by the
   second. */
#define OMEGA 12.566370614359172
#define STIFFNESS 157.91367041742973
#define DECAY 0.12566370614359172

enum { ROWS = 2001, COLUMNS = 12 };
static double table[ROWS][COLUMNS];

/* the CSV on standard output: number of rows with so many columns */
static int read_table(int columns) {
    const char *c = strchr(out_text, '\n');
    int rows = 0;
    assert_true(columns <= COLUMNS);
    for (c = c != NULL ? c + 1 : ""; *c != '\0'; rows++) {
        assert_true(rows < ROWS);
        for (int i = 0; i < columns; i++) {
            char *end;
            table[rows][i] = strtod(c, &end);
            assert_true(end > c && *end == (i + 1 < columns ? ',' : '\n'));
            c = end + 1;
        }
    }
    return rows;
}

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("A.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 1\n"
                        "2 1 -157.91367041742973\n2 2 -0.25132741228718347\n3 4 1\n");
    write_text("B.mtx", "%%MatrixMarket matrix coordinate real general\n4 2 2\n2 1 1\n4 2 1\n");
    write_text("C.mtx",
               "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 1\n2 2 1\n3 3 1\n");
    write_text("F.mtx", "%%MatrixMarket matrix coordinate real general\n4 2 1\n4 1 1\n");
    write_text("two.yaml",
               "bodies:\n  m: {type: matrices, A: A.mtx, B: B.mtx, C: C.mtx, F: F.mtx,\n"
               "      inputs: [a.x, b.x], outputs: [q.x, v.x, free.x, a.out]}\n");
    write_text("beam.yaml",
               "materials:\n  steel: {density: 7800, young: 2.0e11}\n"
               "sections:\n  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
               "bodies:\n"
               "  rod: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0],\n"
               "        to: [1, 0, 0], elements: 6, temperature: off}\n"
               "joints:\n  wall: {type: clamp, between: [ground, rod.start]}\n"
               "loads:\n  side: {type: force, on: rod.end, value: [0, 1, 0]}\n"
               "probes:\n  tip: {at: rod.end, quantity: displacement}\n"
               "analysis: {type: dynamic, end: 1}\n");
    return 0;
}

/* displacement and velocity of the oscillator after a unit step */
static double stepped(double t) {
    const double w = sqrt(OMEGA * OMEGA - DECAY * DECAY);
    return t < 0 ? 0 : (1 - exp(-DECAY * t) * (cos(w * t) + DECAY / w * sin(w * t))) / STIFFNESS;
}

static double stepped_velocity(double t) {
    const double w = sqrt(OMEGA * OMEGA - DECAY * DECAY);
    return exp(-DECAY * t) * sin(w * t) / w;
}

/* exact steps: the closed form to rounding at however few points, t^2 / 2 of the free mass, nothing
   between what is not coupled, the direct part at once; columns OUTPUT/INPUT */
static void test_step(void **state) {
    (void)state;
    expect(0, "response two.yaml --over 3 --points 7",
           "time,q.x/a.x,q.x/b.x,v.x/a.x,v.x/b.x,free.x/a.x,free.x/b.x,a.out/a.x,a.out/b.x\n");
    assert_int_equal(read_table(9), 8);
    for (int k = 0; k < 8; k++) {
        const double *row = table[k], t = 3.0 * k / 7;
        assert_true(fabs(row[0] - t) < 1e-15 * 4);
        assert_true(fabs(row[1] - stepped(t)) < 1e-13);
        assert_true(fabs(row[3] - stepped_velocity(t)) < 1e-12);
        assert_true(fabs(row[6] - t * t / 2) < 1e-12);
        assert_true(row[7] == 1);
        assert_true(row[2] == 0 && row[4] == 0 && row[5] == 0 && row[8] == 0);
    }
    assert_true(table[7][0] == 3);
    // one input and one output, a thousand steps
    expect(0, "response two.yaml --over 3 --from a --to q", "time,q.x/a.x\n");
    assert_int_equal(read_table(2), 1001);
    assert_true(fabs(table[500][1] - stepped(1.5)) < 1e-12);
}

/* a step that grows over 0.5 s is the integral of steps: t^3 / (6 T), then a shifted parabola for
 * the free mass */
static void test_rise(void **state) {
    (void)state;
    expect(0, "response two.yaml --over 2 --points 8 --rise 0.5 --from b --to free", "free.x/b.x");
    assert_int_equal(read_table(2), 9);
    for (int k = 0; k < 9; k++) {
        const double t = k / 4.0, late = t > 0.5 ? t - 0.5 : 0;
        assert_true(fabs(table[k][1] - (t * t * t - late * late * late) / 3) < 1e-12);
    }
}

static double worst_of(const char *arguments, int steps) {
    char line[200];
    double worst = 0;
    (void)snprintf(line, sizeof line, "response two.yaml --over 2 --from a --to q %s --points %d",
                   arguments, steps);
    expect(0, line, "q.x/a.x");
    assert_int_equal(read_table(2), steps + 1);
    for (int k = 0; k <= steps; k++) {
        worst = fmax(worst, fabs(table[k][1] - stepped(2.0 * k / steps)) * STIFFNESS);
    }
    return worst;
}

/* the trapezoidal rule: a quarter of the error for half of the step; its phase is late by (w h)^2 /
   12 w t, at h = 0.01 s and t = 2 s by 0.033, of which the decay leaves w t e^(-d t): at most
   0.0257 */
static void test_scheme(void **state) {
    (void)state;
    const double coarse = worst_of("--scheme trapezoidal", 200);
    const double fine = worst_of("--scheme trapezoidal", 400);
    assert_true(coarse > 0.024 && coarse < 0.027);
    assert_true(coarse / fine > 3.8 && coarse / fine < 4.2);
    assert_true(worst_of("--scheme exact", 200) < 1e-12);
    assert_true(worst_of("--scheme=auto", 200) < 1e-12);
}

/* a file whose input is 1 is the step; inputs that are not named are 0; rows that are not equally
   spaced are lines: the ramp t until 1 s and held then, at points among which its corner is */
static void test_inputs(void **state) {
    (void)state;
    write_text("one.csv", "time,a.x\n0,1\n0.5,1\n1,1\n");
    expect(0, "response two.yaml --inputs one.csv --over 3 --points 7",
           "time,q.x,v.x,free.x,a.out\n");
    assert_int_equal(read_table(5), 8);
    for (int k = 0; k < 8; k++) {
        assert_true(fabs(table[k][1] - stepped(3.0 * k / 7)) < 1e-13);
        assert_true(table[k][3] == 0 && table[k][4] == 1);
    }
    // without --over and --points, equal steps of the file
    expect(0, "response two.yaml --inputs one.csv --to a.out", "time,a.out\n");
    assert_int_equal(read_table(2), 3);
    assert_true(table[1][0] == 0.5 && table[2][0] == 1);
    write_text("ramp.csv", "# a ramp\n time , b.x ,a.x # of the free mass\r\n\n-1,0, 0\r\n0,0,0\n"
                           "0.25,0.25,0\n1,1.0,0\n1.75,1,0\n");
    expect(0, "response two.yaml --inputs ramp.csv --over 2 --points 8 --to free --to a.out",
           "time,free.x,a.out\n");
    assert_string_equal(error_text, "");
    assert_int_equal(read_table(3), 9);
    for (int k = 0; k < 9; k++) {
        const double t = k / 4.0, late = t > 1 ? t - 1 : 0;
        assert_true(fabs(table[k][1] - (t * t * t - late * late * late) / 6) < 1e-12);
        assert_true(table[k][2] == 0);
    }
    expect(0, "response two.yaml --inputs ramp.csv", "time,");
    assert_int_equal(read_table(5), 1001); // no equal steps from 0
    assert_true(table[1000][0] == 1.75);
    // a pulse between the points is reported
    write_text("pulse.csv", "time,a.x\n0,0\n0.09,0\n0.1,5\n0.11,0\n1,0\n");
    expect(0, "response two.yaml --inputs pulse.csv --points 4",
           "resolve the inputs at 0.1 s only to 1 of the");
    // ... and a ramp that ends between them
    expect(0, "response two.yaml --over 1 --points 4 --rise 0.3",
           "the ramp of 0.3 s ends between time steps of 0.25 s, which lowers the input there by "
           "0.13 of its final value");
    expect(0, "response two.yaml --over 1 --points 10 --rise 0.3", "time,");
    assert_null(strstr(error_text, "warning"));
    expect(0, "response two.yaml --inputs pulse.csv --points 100", "time,");
    assert_string_equal(error_text, "");
}

/* a beam and its lowest mode in each plane after a sudden force: 1e-3 m, L^3 / (3 E I), on average
   and twice that at most; of it the mode has 12 / 1.8751^4 = 0.97068, and the others go up to twice
   the rest, 5.864e-5 m */
static void test_reduced(void **state) {
    (void)state;
    enum { N = 401 };
    static double full[N];
    double mean = 0, worst = 0, largest = 0;
    expect(0, "response beam.yaml --over 1 --points 400 --to tip.y", "time,tip.y/side.y\n");
    assert_int_equal(read_table(2), N);
    for (int k = 0; k < N; k++) {
        full[k] = table[k][1];
        mean += full[k] / N;
    }
    assert_true(fabs(mean - 1e-3) < 5e-5);
    expect(0, "reduce beam.yaml --method modes --order 2 --accept -o small.h5", "to 2 coordinates");
    expect(0, "response small.h5 --over 1 --points 400 --to tip.y", "time,tip.y/side.y\n");
    assert_int_equal(read_table(2), N);
    for (int k = 0; k < N; k++) {
        worst = fmax(worst, fabs(table[k][1] - full[k]));
        largest = fmax(largest, fabs(full[k]));
    }
    assert_true(worst > 5e-5 && worst < 5.864e-5);
    assert_true(largest > 1.9e-3 && largest < 2.1e-3);
}

static void wrong_file(const char *text, const char *message) {
    write_text("wrong.csv", text);
    expect(2, "response two.yaml --inputs wrong.csv", message);
}

static void test_wrong_use(void **state) {
    (void)state;
    expect(2, "response two.yaml --over 0", "--over needs a time");
    expect(2, "response two.yaml --over 1 --band 1:2", "cannot be combined with --over");
    expect(2, "response two.yaml --over 1 -o r.h5", "cannot be combined with --over");
    expect(2, "response two.yaml --over 1 --workers 2", "cannot be combined with --over");
    expect(2, "response two.yaml --over 1 --scheme newmark", "auto, exact or trapezoidal, not");
    expect(2, "response two.yaml --scheme exact", "add --over T or");
    expect(2, "response two.yaml --rise 1", "add --over T or");
    expect(2, "response two.yaml --over 1 --rise=-1", "--rise needs");
    expect(2, "response two.yaml --over 1 --from a.y", "did you mean 'a.x'");
    expect(2, "response two.yaml --inputs one.csv --from a", "combined with --inputs");
    expect(2, "response two.yaml --inputs one.csv --rise 1", "combined with --inputs");
    expect(2, "response two.yaml --inputs nothing.csv", "cannot open 'nothing.csv'");
    wrong_file("", "wrong.csv: inputs need a header");
    wrong_file("time,a.x\n0,1\n", "at least two rows; it has 1");
    wrong_file("t,a.x\n0,1\n1,1\n", "wrong.csv:1:1: the header must be time,INPUT,...");
    wrong_file("time\n0\n1\n", "wrong.csv:1: there is no input");
    wrong_file("time,b.x,a.y\n0,1\n", "wrong.csv:1:10: the model has no input 'a.y'; did you mean");
    wrong_file("time,elsewhere\n0,1\n", "no input 'elsewhere'; the first input is 'a.x'");
    wrong_file("time,a.x,a.x\n0,1,1\n", "wrong.csv:1:10: there are two columns 'a.x'");
    wrong_file("time,a.x\n0,1\n1,x\n", "wrong.csv:3:3: 'x' is not a finite number");
    wrong_file("time,a.x\n0,1\n1,inf\n", "wrong.csv:3:3: 'inf' is not a finite number");
    wrong_file("time,a.x\n0,1\n1,-1e300\n", "wrong.csv:3:3: -1e+300 is too large");
    wrong_file("time,a.x\n0,1\n1\n", "wrong.csv:3: this line has 1 columns, the header has 2");
    wrong_file("time,a.x\n0,1\n1,2,3\n", "wrong.csv:3: this line has 3 columns");
    wrong_file("time,a.x\n0,1\n1,2,\n", "wrong.csv:3:5: '' is not a finite number");
    wrong_file("time,a.x\n0,1\n0,2\n", "wrong.csv:3: the time must increase");
    wrong_file("time,a.x\n-2,1\n-1,2\n", "wrong.csv ends at -1 s");
    // no inertia: x = u / 2 follows an input that grows, and has no start after one that sets in at
    // once
    char command[100];
    (void)snprintf(command, sizeof command, "mkdir %s/light", folder);
    assert_int_equal(system(command), 0);
    write_text("light/M.mtx", "%%MatrixMarket matrix array real general\n1 1\n0\n");
    write_text("light/K.mtx", "%%MatrixMarket matrix array real general\n1 1\n2\n");
    write_text("light/B.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    write_text("light/C.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    expect(1, "response light --over 1 --points 4", "use --rise 0.25");
    expect(1, "response light --over 1 --scheme exact", "so the exact scheme is not applicable");
    expect(0, "response light --over 1 --points 2 --rise 1", "\n0,0\n0.5,0.25\n1,0.5\n");
    // growth by e^2000
    write_text("grow.mtx", "%%MatrixMarket matrix array real general\n1 1\n2\n");
    write_text("grow.yaml",
               "bodies:\n  m: {type: matrices, A: grow.mtx, B: grow.mtx, C: grow.mtx}\n");
    expect(0, "response grow.yaml --over 1 --points 2", "time,y1/u1");
    expect(1, "response grow.yaml --over 1000", "the response overflows at 35");
    assert_string_equal(out_text, "");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),    cmocka_unit_test(test_rise),
        cmocka_unit_test(test_scheme),  cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_reduced), cmocka_unit_test(test_wrong_use),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
