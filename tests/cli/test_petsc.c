/* --solver petsc: modes found on the ranks of an MPI job (MUMPS and SLEPc) are those that one
   process finds, of a clamped plate with its constraints in the matrix and with constraints solved
   for, and of a free one; so are static modes. Equal modes come in pairs, of which Krylov methods
   see one at a time. Skipped where gossamer-petsc is not built, or there is no mpirun. */
#include "program.h"
#include "support/suite.h"

#include <math.h>
#include <stdbool.h>

/* relative; frequencies err by the square of what vectors do, 1e-9 at most */
#define FREQUENCY 1e-9
#define MASS 1e-7 // of the whole mass, by the vectors
#define MODES 14
#define WHOLE 78.5 // mass of the plate [kg]

/* Square plate of n by n cells as a deck. */
static void write_plate(const char *name, int n, bool clamped) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("*NODE\n", f);
    for (int i = 0; i < (n + 1) * (n + 1); i++) {
        (void)fprintf(f, "%d, %.17g, %.17g, 0\n", i + 1, (double)(i / (n + 1)) / n,
                      (double)(i % (n + 1)) / n);
    }
    (void)fputs("*ELEMENT, TYPE=S4, ELSET=ALL\n", f);
    for (int i = 0; i < n * n; i++) {
        const int o = i % n + (n + 1) * (i / n) + 1;
        (void)fprintf(f, "%d, %d, %d, %d, %d\n", i + 1, o, o + n + 1, o + n + 2, o + 1);
    }
    (void)fputs("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n"
                "*SHELL SECTION, ELSET=ALL, MATERIAL=STEEL\n0.01\n*NSET, NSET=HELD\n",
                f);
    for (int i = 0; i < (n + 1) * (n + 1); i++) {
        const int a = i / (n + 1), b = i % (n + 1);
        if (a == 0 || a == n || b == 0 || b == n) {
            (void)fprintf(f, "%d\n", i + 1);
        }
    }
    (void)fputs(clamped ? "*BOUNDARY\nHELD, 1, 6\n*STEP\n*FREQUENCY\n10\n*END STEP\n"
                        : "*STEP\n*FREQUENCY\n10\n*END STEP\n",
                f);
    assert_int_equal(fclose(f), 0);
}

#define BEFORE                                                                                     \
    "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "                            \
    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TMPDIR=.;"

/* skips the test where there is nothing to be tested */
static void need_petsc(void) {
    if (access(GOS_PROGRAM "-petsc", X_OK) != 0) {
        print_message("skipped: gossamer-petsc is not built (no PETSc, SLEPc or MPI)\n");
        skip();
    }
    if (system("mpirun --version >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no mpirun\n");
        skip();
    }
}

/* numbers after "key": of the last output */
static int numbers(const char *key, int most, double *value) {
    int n = 0;
    for (const char *at = strstr(out_text, key); at && n < most; at = strstr(at + 1, key)) {
        value[n++] = strtod(at + strlen(key), NULL);
    }
    return n;
}

/* frequencies, and effective masses along z, of a deck */
static void modes_of(const char *arguments, double frequency[MODES], double mass[3 * MODES]) {
    const int code = program_with(BEFORE, arguments);
    if (code != 0) {
        fail_msg("gossamer %s: %d\n%s%s", arguments, code, out_text, error_text);
    }
    assert_int_equal(numbers("\"frequency\": ", MODES, frequency), MODES);
    assert_true(numbers("\"z\": ", 2 * MODES, mass) == 2 * MODES); // inertia comes between
}

static void compare(const char *deck) {
    double f[2][MODES], m[2][3 * MODES];
    char line[128];
    (void)snprintf(line, sizeof line, "modes %s -n %d --json", deck, MODES);
    modes_of(line, f[0], m[0]);
    for (int ranks = 1; ranks <= 2; ranks++) {
        (void)snprintf(line, sizeof line, "modes %s -n %d --json --solver petsc --ranks %d", deck,
                       MODES, ranks);
        modes_of(line, f[1], m[1]);
        for (int k = 0; k < MODES; k++) {
            if (!(fabs(f[1][k] - f[0][k]) <= FREQUENCY * f[0][k]) ||
                !(fabs(m[1][2 * k] - m[0][2 * k]) <= MASS * WHOLE)) {
                fail_msg("%s, %d ranks: mode %d has %.17g Hz, %.17g kg, not %.17g Hz, %.17g kg",
                         deck, ranks, k + 1, f[1][k], m[1][2 * k], f[0][k], m[0][2 * k]);
            }
        }
    }
    // files between the programs are gone
    (void)snprintf(line, sizeof line, "ls -d %s/gossamer-petsc-* >/dev/null 2>&1", folder);
    assert_int_not_equal(system(line), 0);
}

static void constraints_in_the_matrix(void **state) {
    (void)state;
    need_petsc();
    write_plate("small.inp", 10, true); // 726 unknowns, 240 held
    compare("small.inp");
}

static void constraints_solved_for(void **state) {
    (void)state;
    need_petsc();
    write_plate("large.inp", 24, true); // 3150 are left
    compare("large.inp");
}

static void free_plate(void **state) {
    (void)state;
    need_petsc();
    write_plate("free.inp", 10, false); // six motions of the whole
    compare("free.inp");
}

/* what is wrong is reported before anything is done */
static void refusals(void **state) {
    (void)state;
    write_plate("few.inp", 4, true);
    assert_int_not_equal(
        program_with("export GOSSAMER_PETSC=/nowhere;", "modes few.inp --solver petsc"), 0);
    assert_non_null(strstr(error_text, "petsc-dev"));
    assert_non_null(strstr(error_text, "-DGOS_PETSC=ON"));
    assert_int_not_equal(
        program_with("export OMPI_COMM_WORLD_RANK=0;", "modes few.inp --solver petsc"), 0);
    assert_non_null(strstr(error_text, "start it without mpirun"));
    expect(2, "modes few.inp --solver fast", "choose own or petsc");
    expect(2, "modes few.inp --solver petsc --ranks 0", "--ranks");
    expect(0, "modes few.inp --solver own", "frequency");
}

/* a program that ends before its work is done, and one that cannot be started */
static void lost_ranks(void **state) {
    (void)state;
    need_petsc();
    write_plate("small.inp", 10, true);
    assert_int_not_equal(
        program_with(BEFORE " export GOSSAMER_MPIRUN=false;", "modes small.inp --solver petsc"), 0);
    assert_non_null(strstr(error_text, "ended before completing its work"));
    assert_int_not_equal(program_with(BEFORE " export GOSSAMER_MPIRUN=/nowhere/mpirun;",
                                      "modes small.inp --solver petsc"),
                         0);
    assert_non_null(strstr(error_text, "/nowhere/mpirun"));
}

/* ---- a stand-in for gossamer-petsc ----------------------------------------------------------- */

/* Dense, by numpy. FAULT: what it does wrong, from the request AT on: a line of another program,
   the number of the request before, an incomplete line, answers without solutions. */
static const char stand_in[] =
    "import os, sys\n"
    "import numpy as np\n"
    "folder = sys.argv[-1] + '/'\n"
    "fault, at = os.environ.get('FAULT'), int(os.environ.get('AT', '1'))\n"
    "def columns(name, n): return np.fromfile(folder + name).reshape(-1, n).T\n"
    "def matrix(name):\n"
    "    A = np.zeros((n, n))\n"
    "    A[rows, np.repeat(np.arange(n), np.diff(p))] = np.fromfile(folder + name)\n"
    "    return np.tril(A) + np.tril(A, -1).T\n"
    "def store(name, x):\n"
    "    if fault != 'silent' or count < at: x.T.tofile(folder + name)\n"
    "for count, line in enumerate(sys.stdin, 1):\n"
    "    number, word, *args = line.split()\n"
    "    answer = 'ok'\n"
    "    if word == 'pattern':\n"
    "        n = int(np.fromfile(folder + 'pattern', dtype='i8', count=1)[0])\n"
    "        p = np.fromfile(folder + 'pattern', dtype='i8', count=n + 2)[1:]\n"
    "        rows = np.fromfile(folder + 'pattern', dtype='i4', offset=8 * (n + 2))\n"
    "    elif word == 'mass': M = matrix('mass')\n"
    "    elif word == 'factor':\n"
    "        A = matrix('values')\n"
    "        answer += ' %d' % np.sum(np.linalg.eigvalsh(A) < 0)\n"
    "    elif word == 'solve': store('solution', np.linalg.solve(A, columns('right', n)))\n"
    "    elif word == 'find':\n"
    "        known, want, shift = int(args[0]), int(args[1]), float(args[2])\n"
    "        w, V = np.linalg.eigh(M)\n"
    "        R = V * np.sqrt(np.maximum(w, 0))\n"
    "        Y = np.linalg.solve(A, R)\n"
    "        theta, Z = np.linalg.eigh(R.T @ Y)\n" // (A^-1 M) X = X theta, X^T M X = 1
    "        order = np.argsort(-abs(theta))[known:known + want]\n"
    "        theta, X = theta[order], (Y @ Z[:, order]) / theta[order]\n"
    "        store('modes', np.stack([1 / theta + shift, 0 * theta]))\n"
    "        store('vectors', X)\n"
    "        answer += ' %d' % len(theta)\n"
    "    number = number if fault != 'number' or count < at else '#%d' % (count - 1)\n"
    "    size = len(answer) + (fault == 'cut' and count >= at)\n"
    "    if fault == 'line' and count >= at: print('some library: a warning', flush=True)\n"
    "    print(number, size, answer, flush=True)\n";

/* Runs with the stand-in as MPI job of one rank. */
static int stand_in_modes(const char *fault, int at) {
    char before[512];
    (void)snprintf(before, sizeof before,
                   "export TMPDIR=. GOSSAMER_PETSC=/bin/true FAULT=%s AT=%d "
                   "GOSSAMER_MPIRUN='/usr/bin/python3 stand_in.py';",
                   fault, at);
    return program_with(before, "modes small.inp -n 4 --json --solver petsc --ranks 1");
}

static void need_stand_in(void) {
    if (system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no numpy\n");
        skip();
    }
    write_plate("small.inp", 8, true);
    write_text("stand_in.py", stand_in);
}

static void stand_in_agrees(void **state) {
    (void)state;
    need_stand_in();
    double f[2][4];
    assert_int_equal(program("modes small.inp -n 4 --json"), 0);
    assert_int_equal(numbers("\"frequency\": ", 4, f[0]), 4);
    if (stand_in_modes("none", 1) != 0) {
        fail_msg("%s", error_text);
    }
    assert_int_equal(numbers("\"frequency\": ", 4, f[1]), 4);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(f[1][k] - f[0][k]) <=
                    1e-6 * f[0][k]); // by a dense eigensolver of a shifted problem
    }
}

/* Each wrong answer is an error, at any request; an earlier solution is never used again. */
static void wrong_answers(void **state) {
    static const struct {
        const char *fault, *text;
    } cases[] = {{"line", "printed 'some library: a warning' instead of"},
                 {"number", "instead of the complete answer to request"},
                 {"cut", "instead of the complete answer to request"},
                 {"silent", "modes"}};
    (void)state;
    need_stand_in();
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        for (int at = 1; at <= 4; at++) {
            assert_int_not_equal(stand_in_modes(cases[i].fault, at), 0);
            if (!strstr(error_text, cases[i].text)) {
                fail_msg("%s at %d: %s", cases[i].fault, at, error_text);
            }
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(constraints_in_the_matrix),
        cmocka_unit_test(constraints_solved_for),
        cmocka_unit_test(free_plate),
        cmocka_unit_test(lost_ranks),
        cmocka_unit_test(stand_in_agrees),
        cmocka_unit_test(wrong_answers),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
