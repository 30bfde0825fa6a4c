/* Costs that follow from counts are refused before the work: soon, and in little memory. */
#include "program.h"

#include "support/sanitized.h"
#include "support/suite.h"

#define MATERIAL                                                                                   \
    "materials: {m: {density: 2700, young: 7e10, poisson: 0.3, conductivity: 100, "                \
    "specific_heat: 900, emissivity: 0.8, absorptivity: 0.5}}\n"
#define PLATES(n)                                                                                  \
    "bodies:\n"                                                                                    \
    "  a: {type: ancf_plate, material: m, thickness: 0.001, corner: [0, 0, 0], x: [1, 0, 0], "     \
    "y: [0, 1, 0], elements: [" n ", " n "]}\n"                                                    \
    "  b: {type: ancf_plate, material: m, thickness: 0.001, corner: [0, 0, 1], x: [1, 0, 0], "     \
    "y: [0, 1, 0], elements: [" n ", " n "]}\n"

/* by a program that may use 2 s of a processor (tens are wrong) and so many megabytes */
static void check_soon(int code, const char *model, int megabytes, const char *text) {
    char before[128];
    write_text("large.yaml", model);
    // the program itself takes 150 MB of addresses
    (void)snprintf(before, sizeof before, "ulimit -t 3; ulimit -v %d; timeout 100",
                   (megabytes + 200) * 1024);
    const int got = program_with(SANITIZED ? "timeout 100" : before, "check large.yaml");
    if (got != code || (strstr(error_text, text) == NULL && strstr(out_text, text) == NULL)) {
        fail_msg("exit code %d, expected %d with '%s'\n%s%s", got, code, text, out_text,
                 error_text);
    }
}

static void test_meshes(void **state) {
    (void)state;
    check_soon(2,
               MATERIAL "meshes: {b: {type: box, size: [1, 1, 1], cells: [270, 270, 270]}}\n"
                        "bodies: {b: {type: floating, mesh: b, material: m}}\n"
                        "analysis: {end: 1}\n",
               100, "3:30: body 'b': 59707533 displacements; a whole floating body has at most");
    check_soon(2,
               MATERIAL "parameters: {n: 2000}\n"
                        "meshes: {b: {type: rectangle, size: [1, 1], cells: [\"2*n\", 4000]}}\n"
                        "bodies: {b: {type: floating, mesh: b, element: shell, thickness: 0.001, "
                        "material: m}}\n"
                        "analysis: {end: 1}\n",
               100, "4:30: body 'b': 32016002 displacements; a whole floating body has at most");
    check_soon(2,
               MATERIAL "meshes: {b: {type: box, size: [1, 1, 1], cells: [270, 270, 270]}}\n"
                        "bodies: {b: {type: solid, mesh: b, material: m}}\n"
                        "analysis: {end: 1}\n",
               100, "3:27: body 'b': the model would have 59707533 unknowns");
}

static void test_enclosure(void **state) {
    (void)state;
    check_soon(2,
               MATERIAL PLATES("300") "heat: {e: {type: enclosure, faces: [a.top, b.bottom], "
                                      "patches: 17, rays: 1000000}}\n"
                                      "analysis: {end: 1}\n",
               100, "5:37: heat 'e': the faces have 180000 temperatures");
}

/* check casts no rays, and refuses more than can be cast */
static void test_shadows(void **state) {
    (void)state;
    static const char sun[] =
        "heat: {e: {type: sun, on: a, direction: [0, 0, -1], shaded_by: all, shadow_rays: ";
    char model[4096];
    (void)snprintf(model, sizeof model, "%s%s%s8000}}\nanalysis: {end: 1}\n", MATERIAL,
                   PLATES("20"), sun);
    check_soon(0, model, 200, "no errors");
    (void)snprintf(model, sizeof model, "%s%s%s10000}}\nanalysis: {end: 1}\n", MATERIAL,
                   PLATES("100"), sun);
    check_soon(2, model, 400, "give shadow_rays at most");
}

/* ---- memory
 * ---------------------------------------------------------------------------------------- */

#define CABLE(n)                                                                                   \
    MATERIAL                                                                                       \
    "sections: {s: {type: circle, radius: 0.01}}\n"                                                \
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "   \
    "elements: " n "}}\n"                                                                          \
    "joints: {j: {type: clamp, between: [ground, rod.start]}}\n"                                   \
    "probes: {p: {at: rod.end, quantity: position}}\n"                                             \
    "gravity: [0, -9.81, 0]\n"

static void test_memory(void **state) {
    (void)state;
    check_soon(2, CABLE("900000") "analysis: {end: 1, memory_limit: 4e9}\n", 100,
               "3:91: body 'rod': a run would need at least 1.22e+10 bytes of memory, 4e+09 are");
    check_soon(2,
               MATERIAL "meshes: {b: {type: box, size: [1, 1, 1], cells: [100, 100, 100]}}\n"
                        "bodies: {b: {type: solid, mesh: b, material: m}}\n"
                        "analysis: {end: 1, memory_limit: 12e9}\n",
               100, "3:27: body 'b': a run would need at least");
    check_soon(2, MATERIAL PLATES("900") "analysis: {end: 1, memory_limit: 12e9}\n", 100,
               "raise the limit (analysis: memory_limit)");
    check_soon(0, CABLE("20000") "analysis: {end: 1}\n", 400,
               "memory: a run needs at least 0.27 GB");
}

/* The shortening of nodes of a floating beam takes memory with the square of their number. */
static void test_floating_beam(void **state) {
    (void)state;
    static const char beam[] =
        "sections: {s: {type: circle, radius: 0.01}}\n"
        "bodies: {b: {type: floating_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, "
        "0], elements: ";
    char model[4096];
    (void)snprintf(model, sizeof model, "%s%s100000}}\nanalysis: {end: 1}\n", MATERIAL, beam);
    check_soon(2, model, 300, "3:92: body 'b': 100000 elements would need 5.5e+12 bytes");
    (void)snprintf(model, sizeof model, "%s%s1000}}\nanalysis: {end: 1, memory_limit: 5e8}\n",
                   MATERIAL, beam);
    check_soon(2, model, 300, "use at most 953 (20 give");
}

/* ---- long lists ------------------------------------------------------------------------------ */

/* head, n lines in which # is the number of the line and @ that of the one before, tail */
static char *with_lines(const char *head, const char *line, int n, const char *tail) {
    const size_t size = strlen(head) + (size_t)n * (strlen(line) + 60) + strlen(tail) + 1;
    char *text = malloc(size), *to = text;
    assert_non_null(text);
    to += sprintf(to, "%s", head);
    for (int i = 1; i <= n; i++) {
        for (const char *c = line; *c; c++) {
            if (*c == '#' || *c == '@') {
                to += sprintf(to, "%d", *c == '#' ? i : i - 1);
            } else {
                *to++ = *c;
            }
        }
    }
    (void)sprintf(to, "%s", tail);
    return text;
}

#define END "analysis: {end: 1}\n"
#define RIGID "  b#: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [#, 0, 0]}\n"

/* Time and memory in proportion to the number of entries: with its square each of these models
   would need gigabytes or tens of seconds. */
static void test_lists(void **state) {
    (void)state;
    char *bodies = with_lines("bodies:\n  b0: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n", RIGID,
                              16000, "joints:\n");
    char *chain =
        with_lines(bodies,
                   "  j#: {type: revolute, between: [b@, b#], at: [#, 0, 0], axis: [0, 0, "
                   "1]}\n",
                   16000, END);
    check_soon(0, chain, 500, "no errors");
    char *heat =
        with_lines(CABLE("1") "heat:\n",
                   "  h#: {type: flux, value: 1, direction: [0, -1, 0], on: rod}\n", 16000, END);
    check_soon(0, heat, 300, "no errors");
    char *sets = with_lines(MATERIAL "meshes:\n  s: {type: rectangle, size: [1, 1], cells: [2, 2], "
                                     "sets: {\n",
                            "    s#: {of: cells, box: {from: [0, 0, -1], to: [1, 1, 1]}},\n", 40000,
                            "  }}\nbodies: {p: {type: floating, mesh: s, material: m, element: "
                            "shell, thickness: 0.001}}\n" END);
    check_soon(0, sets, 500, "no errors");
    free(sets);
    free(heat);
    free(chain);
    free(bodies);
    bodies = with_lines("bodies:\n", RIGID, 30000, "initial:\n");
    char *spinning = with_lines(bodies, "  b#: {angular_velocity: [1, 0, 0]}\n", 30000, END);
    check_soon(0, spinning, 700, "no errors");
    free(spinning);
    free(bodies);
}

/* ---- size of results
 * ------------------------------------------------------------------------------------------ */

static void test_output_ahead(void **state) {
    (void)state;
    write_text("often.yaml", CABLE("2") "analysis: {end: 1, tolerance: 1e-3}\n"
                                        "output: {every: 1.1e-7}\n");
    expect(1, "run often.yaml -o often.h5 --quiet",
           "often.yaml:8:17: output: 9090910 output times");
    assert_int_not_equal(program_with("test -e often.h5 && ", "help"), 0);
    write_text("steps.yaml", CABLE("2") "analysis: {end: 1, step: 1e-3}\noutput: {limit: 3e4}\n");
    expect(1, "run steps.yaml -o steps.h5 --quiet", "1001 steps would store");
    expect(0, "run steps.yaml -o steps.h5 --quiet --set output.limit=3e6", "");
}

/* steps chosen by error control, at each of which the probes are stored */
static void test_output_reached(void **state) {
    (void)state;
    write_text("many.yaml", CABLE("2") "analysis: {end: 1, tolerance: 1e-4, error_check: never}\n"
                                       "output: {every: 0.5, limit: 4e3}\n");
    const int code = program("run many.yaml -o many.h5 --quiet");
    assert_int_not_equal(code, 0);
    assert_non_null(strstr(error_text, "the results have reached 4e+03 bytes"));
    expect(0, "info many.h5", "the results have reached 4e+03 bytes");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),        cmocka_unit_test(test_enclosure),
        cmocka_unit_test(test_shadows),       cmocka_unit_test(test_memory),
        cmocka_unit_test(test_floating_beam), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_output_ahead),  cmocka_unit_test(test_output_reached)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
