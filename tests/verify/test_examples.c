/* Every example does what its expected.csv says: rows of settings, time, quantity, value, tolerance
   and origin. The long form alone has the rows whose origin begins with "long form". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

enum { COLUMNS = 6 };

typedef struct row {
    char *set, *time, *quantity, *value, *tolerance, *origin;
} row;

/* split a line at commas (the last column may contain more of them, in quotes); false: not a row */
static bool split(char *line, row *r) {
    char *cell[COLUMNS];
    if (line[0] == '#' || strncmp(line, "set,", 4) == 0) {
        return false;
    }
    for (int i = 0; i < COLUMNS; i++) {
        cell[i] = line;
        char *comma = strchr(line, ',');
        if (i + 1 < COLUMNS) {
            assert_non_null(comma);
            *comma = '\0';
            line = comma + 1;
        }
    }
    *r = (row){cell[0], cell[1], cell[2], cell[3], cell[4], cell[5]};
    return true;
}

/* rows with equal settings follow one another in order of time and share a run */
static void check_example(const char *name) {
    char path[1000], line[1000], last[1000] = "none";
    snprintf(path, sizeof path, "%s/examples/%s/expected.csv", GOS_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    verify v = {0};
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        row r;
        if (!split(line, &r)) {
            continue;
        }
        rows++;
        if (!suite_long() && strncmp(r.origin, "\"long form", strlen("\"long form")) == 0) {
            continue;
        }
        if (strcmp(r.set, last) != 0) {
            verify_close(&v);
            snprintf(last, sizeof last, "%s", r.set);
            print_message("    %s %s\n", name, r.set);
            verify_example(&v, name, r.set);
            if (v.opt.analysis == GOS_STATIC) {
                verify_static(&v);
            } else {
                if (v.opt.start_equilibrium) {
                    verify_static(&v);
                }
                verify_start(&v);
            }
        }
        const gos_state *x = *r.time ? verify_at(&v, strtod(r.time, NULL)) : NULL;
        char what[100];
        snprintf(what, sizeof what, "%s%s%s", r.quantity, *r.time ? " at " : "", r.time);
        verify_near(what, verify_value(&v, x, r.quantity), strtod(r.value, NULL),
                    strtod(r.tolerance, NULL));
    }
    verify_close(&v);
    fclose(file);
    assert_true(rows >= 10);
}

static void thermal_pendulum(void **state) {
    GOS_UNUSED(state);
    check_example("thermal-pendulum");
}

static void boley_beam(void **state) {
    GOS_UNUSED(state);
    check_example("boley-beam");
}

static void elastica(void **state) {
    GOS_UNUSED(state);
    check_example("elastica");
}

static void hoop(void **state) {
    GOS_UNUSED(state);
    check_example("hoop");
}

static void four_bar(void **state) {
    GOS_UNUSED(state);
    check_example("four-bar");
}

static void bracket(void **state) {
    GOS_UNUSED(state);
    check_example("bracket");
}

static void bracket_hinge(void **state) {
    GOS_UNUSED(state);
    check_example("bracket-hinge");
}

static void robot_arm(void **state) {
    GOS_UNUSED(state);
    check_example("robot-arm");
}

static void andrews_squeezer(void **state) {
    GOS_UNUSED(state);
    check_example("andrews-squeezer");
}

static void heavy_top(void **state) {
    GOS_UNUSED(state);
    check_example("heavy-top");
}

static void hexagonal_reflector(void **state) {
    GOS_UNUSED(state);
    check_example("hexagonal-reflector");
}

static void gravity_boom(void **state) {
    GOS_UNUSED(state);
    check_example("gravity-boom");
}

static void solar_array(void **state) {
    GOS_UNUSED(state);
    check_example("solar-array");
}

static void hubble_boom(void **state) {
    GOS_UNUSED(state);
    check_example("hubble-boom");
}

static void hub_beam(void **state) {
    GOS_UNUSED(state);
    check_example("hub-beam");
}

static void spin_up(void **state) {
    GOS_UNUSED(state);
    check_example("spin-up");
}

static void slider_crank(void **state) {
    GOS_UNUSED(state);
    check_example("slider-crank");
}

static void turbine_blade(void **state) {
    GOS_UNUSED(state);
    check_example("turbine-blade");
}

static void thermal_buckling(void **state) {
    GOS_UNUSED(state);
    check_example("thermal-buckling");
}

static void shaded_panel(void **state) {
    GOS_UNUSED(state);
    check_example("shaded-panel");
}

static void hinged_panel(void **state) {
    GOS_UNUSED(state);
    check_example("hinged-panel");
}

static void laminated_panel(void **state) {
    GOS_UNUSED(state);
    check_example("laminated-panel");
}

static void dumbbell_satellite(void **state) {
    GOS_UNUSED(state);
    check_example("dumbbell-satellite");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thermal_pendulum),
        cmocka_unit_test(boley_beam),
        cmocka_unit_test(elastica),
        cmocka_unit_test(andrews_squeezer),
        cmocka_unit_test(four_bar),
        cmocka_unit_test(robot_arm),
        cmocka_unit_test(bracket),
        cmocka_unit_test(bracket_hinge),
        cmocka_unit_test(heavy_top),
        cmocka_unit_test(hexagonal_reflector),
        cmocka_unit_test(hoop),
        cmocka_unit_test(solar_array),
        cmocka_unit_test(gravity_boom),
        cmocka_unit_test(hub_beam),
        cmocka_unit_test(hubble_boom),
        cmocka_unit_test(turbine_blade),
        cmocka_unit_test(thermal_buckling),
        cmocka_unit_test(slider_crank),
        cmocka_unit_test(spin_up),
        cmocka_unit_test(hinged_panel),
        cmocka_unit_test(shaded_panel),
        cmocka_unit_test(laminated_panel),
        cmocka_unit_test(dumbbell_satellite),
    };
    return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
SUITE(suite)
