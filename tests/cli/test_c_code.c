/* gossamer export --to c: the generated source compiles without warnings and without libraries, and
   its steps equal closed forms, runs of the program and responses of the linear model. */
#include <dlfcn.h>
#include <math.h>

#include "program.h"

#include "fmi/fmi2.h"
#include "support/suite.h"

#define COMPILE "cc -std=c99 -Wall -Wextra -Werror -pedantic -Wconversion -O1 "

/* Two oscillators coupled by a spring, with damping, a first input that also acts on the first
   output directly, and a second input on the second mass. */
static const char matrices[] =
    "bodies:\n"
    "  pair: {type: matrices, M: M.mtx, D: D.mtx, K: K.mtx, B: B.mtx, C: C.mtx, C_v: V.mtx, F: "
    "F.mtx,\n"
    "         inputs: [first, double], outputs: [position, 'the.rate']}\n";
static const char driven[] = "loads:\n"
                             "  one: {type: input, on: pair.first, value: \"sin(3*t)\"}\n"
                             "  two: {type: input, on: pair.double, value: \"t*t*exp(-t)\"}\n"
                             "probes:\n"
                             "  position: {quantity: output, at: pair.position}\n"
                             "  rate: {quantity: output, at: pair.the.rate}\n"
                             "analysis: {type: dynamic, end: 2, tolerance: 1.0e-8}\n"
                             "output: {every: 0.2}\n";

static void write_matrix(const char *name, int rows, int columns, const double *by_columns) {
    char text[512];
    int n = snprintf(text, sizeof text, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows,
                     columns);
    for (int i = 0; i < rows * columns; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%.17g\n", by_columns[i]);
    }
    write_text(name, text);
}

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    char text[2048];
    write_matrix("M.mtx", 2, 2, (double[]){1, 0, 0, 2});
    write_matrix("D.mtx", 2, 2, (double[]){0.8, -0.3, -0.3, 0.5});
    write_matrix("K.mtx", 2, 2, (double[]){30, -10, -10, 40});
    write_matrix("B.mtx", 2, 2, (double[]){1, 0, 0, 1});
    write_matrix("C.mtx", 2, 2, (double[]){1, 0, 0, 0});
    write_matrix("V.mtx", 2, 2, (double[]){0, 0, 0, 1});
    write_matrix("F.mtx", 2, 2, (double[]){0.02, 0, 0, 0});
    write_text("pair.yaml", matrices);
    (void)snprintf(text, sizeof text, "%s%s", matrices, driven);
    write_text("driven.yaml", text);
    return 0;
}

/* run a line of the shell in the folder; its standard output is in out_text */
static void shell(const char *line) {
    char command[2048];
    (void)snprintf(command, sizeof command, "cd %s && { %s; } >out.txt 2>error.txt", folder, line);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    if (how != 0) {
        fail_msg("%s\n%s%s", line, out_text, error_text);
    }
}

/* the last line of a table of n columns in out_text */
static void last_row(int n, double *row) {
    out_text[strlen(out_text) - 1] = '\0';
    const char *at = strrchr(out_text, '\n');
    assert_non_null(at);
    for (int i = 0; i < n; i++) {
        row[i] = atof(at + 1);
        at = strchr(at + 1, ',');
        assert_true(at != NULL || i + 1 == n);
    }
}

/* the last number that a main program printed after driving a model of some step */
static double drive(const char *export_options, const char *name, const char *program_text) {
    char line[512];
    (void)snprintf(line, sizeof line, "export %s -o %s", export_options, name);
    expect(0, line, "exact for inputs");
    write_text("main.c", program_text);
    (void)snprintf(line, sizeof line, COMPILE "-I%s main.c %s/%s.c -o main -lm && ./main", name,
                   name, name);
    shell(line);
    return atof(out_text);
}

/* ---- closed form ----------------------------------------------------------------------------- */

/* One oscillator, 2 q'' + 0.8 q' + 50 q = 3 u, y = q + 0.01 u: unit step. Held inputs are exact. */
static const char step_main[] = "#include <stdio.h>\n"
                                "#include \"one.h\"\n"
                                "int main(void) {\n"
                                "    one_state x;\n"
                                "    one_inputs u = {1.0};\n"
                                "    one_outputs y;\n"
                                "    int k;\n"
                                "    one_start(&x);\n"
                                "    for (k = 0; k < 7; k++) { one_step(&x, &u); }\n"
                                "    one_output(&x, &u, &y);\n"
                                "    printf(\"%.17g\\n\", y.y1);\n"
                                "    return 0;\n"
                                "}\n";

static void write_one(void) {
    write_matrix("M1.mtx", 1, 1, (double[]){2});
    write_matrix("D1.mtx", 1, 1, (double[]){0.8});
    write_matrix("K1.mtx", 1, 1, (double[]){50});
    write_matrix("B1.mtx", 1, 1, (double[]){3});
    write_matrix("C1.mtx", 1, 1, (double[]){1});
    write_matrix("F1.mtx", 1, 1, (double[]){0.01});
    write_text("one.yaml", "bodies:\n"
                           "  one: {type: matrices, M: M1.mtx, D: D1.mtx, K: K1.mtx, B: B1.mtx,\n"
                           "        C: C1.mtx, F: F1.mtx}\n");
}

static double step_response(double damping, double feedthrough, double t) {
    const double w0 = 5, d = damping / 4, w = sqrt(w0 * w0 - d * d);
    return 3.0 / 50 * (1 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t))) + feedthrough;
}

static void test_closed_form(void **state) {
    (void)state;
    write_one();
    const double y = drive("one.yaml --to c --step 0.1", "one", step_main);
    assert_true(fabs(y - step_response(0.8, 0.01, 0.7)) < 1e-14);
    // the same without damping, and without feedthrough, is far away
    assert_true(fabs(y - step_response(0, 0.01, 0.7)) > 1e-3);
    assert_true(fabs(y - step_response(0.8, 0, 0.7)) > 1e-3);
}

/* ---- against a run --------------------------------------------------------------------------- */

/* both inputs as functions of time; prints the position and the rate at 2 s */
static double driven_end(double step, const char *inputs, double *rate) {
    char options[128], text[1024], name[16];
    (void)snprintf(name, sizeof name, "p%d", (int)lround(1 / step));
    (void)snprintf(options, sizeof options, "pair.yaml --to c --step %g --inputs %s", step, inputs);
    (void)snprintf(text, sizeof text,
                   "#include <math.h>\n#include <stdio.h>\n#include \"%s.h\"\n"
                   "static %s_inputs at(double t) {\n"
                   "    %s_inputs u;\n    u.first = sin(3 * t);\n"
                   "    u.double_ = t * t * exp(-t);\n    return u;\n}\n"
                   "int main(void) {\n    %s_state x;\n    %s_inputs u;\n    %s_outputs y;\n"
                   "    int k;\n    %s_start(&x);\n"
                   "    for (k = 0; k < %d; k++) { u = at(k * %.17g); %s_step(&x, &u); }\n"
                   "    u = at(2);\n    %s_output(&x, &u, &y);\n"
                   "    printf(\"%%.17g %%.17g\\n\", y.position, y.the_rate);\n    return 0;\n}\n",
                   name, name, name, name, name, name, name, (int)lround(2 / step), step, name,
                   name);
    const double position = drive(options, name, text);
    *rate = atof(strchr(out_text, ' '));
    return position;
}

/* Linear interpolation of the inputs is of second order, holding them of first order. */
static void test_run(void **state) {
    (void)state;
    double row[2], v, error[3];
    expect(0, "run driven.yaml -o run.h5", "done");
    expect(0, "probe run.h5 position", "time");
    last_row(2, row);
    const double time = row[0], position = row[1];
    expect(0, "probe run.h5 rate", "time");
    last_row(2, row);
    const double rate = row[1];
    assert_true(time == 2 && fabs(position) > 0.01 && fabs(rate) > 0.01);
    for (int i = 0; i < 3; i++) {
        const double q = driven_end(0.1 / (1 << i), "linear", &v);
        error[i] = hypot((q - position) / position, (v - rate) / rate);
    }
    assert_true(error[0] < 0.02 && error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4);
    assert_true(error[1] / error[2] > 3.8 && error[1] / error[2] < 4.2);
    for (int i = 0; i < 3; i++) {
        const double q = driven_end(0.01 / (1 << i), "held", &v);
        error[i] = hypot((q - position) / position, (v - rate) / rate);
    }
    assert_true(error[0] < 0.05 && error[0] / error[1] > 1.8 && error[0] / error[1] < 2.2);
    assert_true(error[1] / error[2] > 1.9 && error[1] / error[2] < 2.1);
}

/* ---- against the linear model ---------------------------------------------------------------- */

static const char rod[] =
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
    "analysis: {type: dynamic, end: 0.1}\n";

static const char rod_main[] = "#include <stdio.h>\n"
                               "#include \"rod.h\"\n"
                               "int main(void) {\n"
                               "    rod_state x;\n"
                               "    rod_inputs u = {0.0, 0.0};\n"
                               "    rod_outputs y;\n"
                               "    int i, k;\n"
                               "    for (i = 1; i >= 0; i--) {\n"
                               "        rod_start(&x);\n"
                               "        u.side_y = i;\n"
                               "        u.sun = 1 - i;\n"
                               "        for (k = 0; k < 200; k++) { rod_step(&x, &u); }\n"
                               "        rod_output(&x, &u, &y);\n"
                               "        printf(\"%.17g %.17g\\n\", y.tip_y, y.warm_T);\n"
                               "    }\n"
                               "    return 0;\n"
                               "}\n";

/* unit steps of a force and of sunlight: the same outputs after 0.1 s as gossamer response, with
   constraints eliminated and thermal bending */
static void test_thermal(void **state) {
    (void)state;
    double row[2], tip[2], warm, y[4];
    write_text("rod.yaml", rod);
    expect(0, "response rod.yaml --at 0 --over 0.1 --points 200 --from side --to tip.y", "tip.y");
    last_row(2, row);
    tip[0] = row[1];
    expect(0, "response rod.yaml --at 0 --over 0.1 --points 200 --from sun --to tip.y", "tip.y");
    last_row(2, row);
    tip[1] = row[1];
    expect(0, "response rod.yaml --at 0 --over 0.1 --points 200 --from sun --to warm", "warm");
    last_row(2, row);
    warm = row[1];
    (void)drive("rod.yaml --to c --step 5e-4 --at 0", "rod", rod_main);
    assert_int_equal(sscanf(out_text, "%lf %lf %lf %lf", &y[0], &y[1], &y[2], &y[3]), 4);
    assert_true(fabs(y[0] - tip[0]) < 1e-10 * fabs(tip[0]) && fabs(tip[0]) > 1e-5);
    assert_true(fabs(y[2] - tip[1]) < 1e-10 * fabs(tip[1]) && fabs(tip[1]) > 1e-12);
    assert_true(fabs(y[3] - warm) < 1e-10 * fabs(warm) && fabs(warm) > 1e-8);
}

static double linearisation_error(const char *arguments) {
    expect(0, arguments, "differs by at most");
    return atof(strstr(error_text, "differs by at most") + strlen("differs by at most"));
}

/* Linear equations differ by the interpolation of inputs and the tolerance alone. The shortening of
   a bent rod is quadratic in the force, so its part of the motion grows in proportion to it. */
static void test_compare(void **state) {
    (void)state;
#define ROD                                                                                        \
    "export rod.yaml --to c --step 1e-3 --at 0 --compare -o rod --set heat.sun.value=0 "           \
    "--set analysis.tolerance=1e-8 --set \"loads.side.value=[0, '%s*sin(20*t)', 0]\""
    char line[400];
    double error[2];
    assert_true(linearisation_error("export driven.yaml --to c --step 1e-3 --compare -o driven") <
                1e-4);
    write_text("rod.yaml", rod);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(line, sizeof line, ROD, i == 0 ? "30" : "300");
        error[i] = linearisation_error(line);
        assert_non_null(strstr(error_text, "tip.x"));
    }
    assert_true(error[1] / error[0] > 8 && error[1] / error[0] < 12);
    expect(2, "export rod.yaml --to c --at 0 --compare -o x", "--compare requires --step");
    expect(2, "export rod.yaml --to c --spin x:1 --step 1e-3 --compare -o x", "whose axes rotate");
}

/* ---- units ----------------------------------------------------------------------------------- */

#define X(type, name, arguments) static type(*name##_) arguments;
X(fmi2Component, fmi2Instantiate,
  (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *, fmi2Boolean,
   fmi2Boolean))
X(void, fmi2FreeInstance, (fmi2Component))
X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component))
X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component))
X(fmi2Status, fmi2GetReal, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]))
X(fmi2Status, fmi2SetReal, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]))
X(fmi2Status, fmi2DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean))
X(fmi2Status, fmi2GetFMUstate, (fmi2Component, fmi2FMUstate *))
X(fmi2Status, fmi2SetFMUstate, (fmi2Component, fmi2FMUstate))
X(fmi2Status, fmi2FreeFMUstate, (fmi2Component, fmi2FMUstate *))
X(fmi2Status, fmi2SerializeFMUstate, (fmi2Component, fmi2FMUstate, fmi2Byte[], size_t))
X(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, size_t *))
X(fmi2Status, fmi2DeSerializeFMUstate, (fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *))
X(fmi2Status, fmi2GetDirectionalDerivative,
  (fmi2Component, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t,
   const fmi2Real[], fmi2Real[]))
#undef X

static void load_unit(void) {
    char path[200];
    (void)snprintf(path, sizeof path, "%s/unit/binaries/linux64/one.so", folder);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fail_msg("%s", dlerror());
    }
#define X(name) assert_non_null(*(void **)&name##_ = dlsym(library, #name));
    X(fmi2Instantiate)
    X(fmi2FreeInstance)
    X(fmi2EnterInitializationMode)
    X(fmi2ExitInitializationMode)
    X(fmi2GetReal)
    X(fmi2SetReal)
    X(fmi2DoStep)
    X(fmi2GetFMUstate)
    X(fmi2SetFMUstate)
    X(fmi2FreeFMUstate)
    X(fmi2SerializeFMUstate)
    X(fmi2SerializedFMUstateSize)
    X(fmi2DeSerializeFMUstate)
    X(fmi2GetDirectionalDerivative)
#undef X
}

static char told[1000];

static void hear(fmi2ComponentEnvironment user, fmi2String instance, fmi2Status status,
                 fmi2String category, fmi2String message, ...) {
    (void)user, (void)instance, (void)status, (void)category;
    va_list args;
    va_start(args, message);
    (void)vsnprintf(told, sizeof told, message, args);
    va_end(args);
}

static const fmi2CallbackFunctions calls = {hear, calloc, free, NULL, NULL};

static fmi2Component make_unit(const char *guid) {
    char place[200];
    (void)snprintf(place, sizeof place, "file://%s/unit/resources", folder);
    return fmi2Instantiate_("one", fmi2CoSimulation, guid, place, &calls, 0, 0);
}

/* states: back to 0.2 s, by a copy and by bytes, gives the same digits; damaged bytes are refused
 */
static void check_states(fmi2Component c) {
    const fmi2ValueReference out = 2;
    double first, again;
    fmi2FMUstate state = NULL, other = NULL;
    size_t size;
    assert_int_equal(fmi2GetFMUstate_(c, &state), fmi2OK);
    assert_int_equal(fmi2SerializedFMUstateSize_(c, state, &size), fmi2OK);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(fmi2SerializeFMUstate_(c, state, bytes, size), fmi2OK);
    assert_int_equal(fmi2DoStep_(c, 0.2, 0.5, 1), fmi2OK);
    assert_int_equal(fmi2GetReal_(c, &out, 1, &first), fmi2OK);
    assert_int_equal(fmi2DeSerializeFMUstate_(c, bytes, size, &other), fmi2OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fmi2SetFMUstate_(c, i == 0 ? state : other), fmi2OK);
        assert_int_equal(fmi2DoStep_(c, 0.2, 0.5, 1), fmi2OK);
        assert_int_equal(fmi2GetReal_(c, &out, 1, &again), fmi2OK);
        assert_memory_equal(&first, &again, sizeof first);
    }
    assert_true(fabs(first - step_response(0.8, 0.01, 0.7)) < 1e-14);
    assert_int_equal(fmi2FreeFMUstate_(c, &other), fmi2OK);
    bytes[3]++; // of the token
    assert_int_equal(fmi2DeSerializeFMUstate_(c, bytes, size, &other), fmi2Error);
    assert_int_equal(fmi2DeSerializeFMUstate_(c, bytes, size - 8, &other), fmi2Error);
    assert_int_equal(fmi2FreeFMUstate_(c, &state), fmi2OK);
    free(bytes);
}

/* a unit of some tens of kilobytes with the step response in closed form */
static void test_unit(void **state) {
    (void)state;
    const fmi2ValueReference in = 1, out = 2;
    const double one = 1;
    double y;
    write_one();
    expect(0, "export one.yaml --to fmu --step 0.1", "done: one.fmu");
    expect(0, "export one.yaml --to fmu --step 0.1 -o one.fmu", "done"); // replaced
    shell("test $(stat -c %s one.fmu) -lt 200000");
    shell("command -v xmllint >/dev/null || exit 0; unzip -p one.fmu modelDescription.xml >one.xml "
          "&& "
          "xmllint --noout --schema " GOS_SOURCE_DIR "/tests/reference/fmi2.xsd one.xml");
    shell("rm -rf unit && mkdir unit && cd unit && unzip -q ../one.fmu && "
          "grep -o 'guid=\"[^\"]*' modelDescription.xml | cut -c7-");
    out_text[strcspn(out_text, "\n")] = '\0';
    load_unit();
    assert_null(make_unit("{other}"));
    assert_non_null(strstr(told, "another unit"));
    fmi2Component c = make_unit(out_text);
    assert_non_null(c);
    assert_int_equal(fmi2DoStep_(c, 0, 0.1, 1), fmi2Error); // not initialised
    assert_int_equal(fmi2EnterInitializationMode_(c), fmi2OK);
    assert_int_equal(fmi2SetReal_(c, &in, 1, &one), fmi2OK);
    assert_int_equal(fmi2SetReal_(c, &out, 1, &one), fmi2Error);
    assert_int_equal(fmi2ExitInitializationMode_(c), fmi2OK);
    assert_int_equal(fmi2GetReal_(c, &out, 1, &y), fmi2OK);
    assert_true(fabs(y - 0.01) < 1e-16); // feedthrough
    assert_int_equal(fmi2GetDirectionalDerivative_(c, &out, 1, &in, 1, &one, &y), fmi2OK);
    assert_true(fabs(y - 0.01) < 1e-16);
    assert_int_equal(fmi2DoStep_(c, 0, 0.15, 1), fmi2Error);
    assert_non_null(strstr(told, "not a multiple"));
    assert_int_equal(fmi2DoStep_(c, 0, 0.2, 1), fmi2OK);
    assert_int_equal(fmi2DoStep_(c, 0.3, 0.1, 1), fmi2Error);
    check_states(c);
    fmi2FreeInstance_(c);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* the code of the manual: the fenced block of this language, into a file */
static void take_block(const char *language, const char *name) {
    static char page[1 << 15], text[1 << 13];
    FILE *f = fopen(GOS_SOURCE_DIR "/docs/real-time.md", "rb");
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    (void)fclose(f);
    char mark[32];
    (void)snprintf(mark, sizeof mark, "```%s\n", language);
    const char *from = strstr(page, mark);
    assert_non_null(from);
    from += strlen(mark);
    (void)snprintf(text, sizeof text, "%.*s", (int)(strstr(from, "```") - from), from);
    write_text(name, text);
}

static void test_controller(void **state) {
    (void)state;
    take_block("yaml", "boom.yaml");
    take_block("c", "main.c");
    expect(0, "export boom.yaml --to c --step 1e-3 --at 0 -o boom", "exact for inputs");
    shell(COMPILE "-Iboom main.c boom/boom.c -o main && ./main");
    assert_string_equal(out_text, "0.100000 rad after 5 s\n");
}

/* ---- refusals and names ---------------------------------------------------------------------- */

static void test_wrong_use(void **state) {
    (void)state;
    write_text("rod.yaml", rod);
    expect(2, "export rod.yaml --to c --step 1e-3 -o x",
           "For the model linearised about a state add --equilibrium");
    expect(2, "export rod.yaml --to c --step 1e-3 -o x",
           "rod: temperatures are exported only in models linearised about a state");
    expect(2, "export rod.yaml --to c --at 0 -o x", "a time step > 0 s is needed");
    expect(2, "export rod.yaml --to c --at 0 --step 0 -o x", "a time step > 0 s is needed");
    expect(2, "export rod.yaml --to c --at 0 --step 1 --inputs ramp -o x", "held or linear");
    expect(2, "export rod.yaml --to fmu --step 1e-3 -o x.fmu", "units of fixed step are linear");
    expect(2, "export rod.yaml --to fmu --step 1e-3 --version 3", "do not apply");
    expect(2, "export rod.yaml --to ss --step 1", "--step requires --to c or fmu");
    expect(2, "export rod.yaml --to c --at 0 --step 1e-3 -o rod.yaml", "is also an input");
    shell("mkdir -p own && echo mine >own/own.c");
    expect(2, "export rod.yaml --to c --at 0 --step 1e-3 -o own", "C source of this program");
    shell("grep -q mine own/own.c && test ! -e own/own.h");
    // names become identifiers
    expect(0, "export pair.yaml --to c --step 0.1 -o 1st.model", "done: 1st.model");
    shell(COMPILE "-c 1st.model/x1st.c -o x.o && grep -q 'double double_;' 1st.model/x1st.h");
    expect(0, "export pair.yaml --to c --step 0.1 -o 1st.model", "done: 1st.model"); // replaced
}

/* Components that no input moves are rounding, which is not compared with itself. */
static void test_idle_components(void **state) {
    (void)state;
    write_text("spinner.yaml", "bodies: {hub: {type: rigid, mass: 5, inertia: [0.5, 0.5, 0.5]}}\n"
                               "loads: {w: {type: wheel, on: hub, axis: [0, 0, 1], inertia: 0.1}}\n"
                               "probes: {rate: {quantity: angular_velocity, at: hub}}\n"
                               "analysis: {end: 1}\n");
    expect(0, "export spinner.yaml --to c --step 1e-3 --at 0 -o spinner", "done");
    const char *at = strstr(error_text, "largest difference is ");
    assert_non_null(at);
    assert_true(strtod(at + 22, NULL) < 1e-12);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_components),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_thermal),
        cmocka_unit_test(test_controller),
        cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
