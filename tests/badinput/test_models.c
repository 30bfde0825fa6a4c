/* Broken model files: each in models/ says in its first comment lines how it must be refused.

       # expect: LINE:COL: part of the message     one line for each error, no more and no fewer
       # expect: FILE:LINE:COL: part ...           the place is in another file of models/
       # expect: -: part ...                       an error without a place (the whole model)
       # warn: LINE:COL: part ...                  a warning, likewise
       # status: GOS_E_LIMIT                       what the call returns, else GOS_E_INPUT
       # accept                                    the model is good: it is read and started

   A file is read, compiled, and started as its analysis says (a static one is solved, a dynamic one
   makes one step). Every error must say what to do, and all memory must come back. With file names
   as arguments the program shows their messages instead, for writing new cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "gossamer/gossamer.h"
#include "support/suite.h"

#define FOLDER GOS_SOURCE_DIR "/tests/badinput/models"
#define EXPECTED_MAX 32
#define FILES_MAX 1000

/* ---- memory that counts ---------------------------------------------------------------------- */

static void *count_alloc(void *user, size_t size) {
    void *p = malloc(size);
    *(long *)user += p != NULL;
    return p;
}

static void *count_realloc(void *user, void *p, size_t size) {
    void *q = realloc(p, size);
    *(long *)user += p == NULL && q != NULL;
    return q;
}

static void count_free(void *user, void *p) {
    *(long *)user -= p != NULL;
    free(p);
}

/* ---- what a file expects --------------------------------------------------------------------- */

typedef struct expected {
    char file[128]; // "" for the model itself
    int line, col;  // 0 for an error without a place
    char part[512];
    bool warning, found;
} expected;

typedef struct expectation {
    expected e[EXPECTED_MAX];
    int n;
    bool accept;
    gos_status status;
} expectation;

static gos_status status_by_name(const char *name) {
#define X(id, value, text)                                                                         \
    if (strcmp(name, #id) == 0) {                                                                  \
        return id;                                                                                 \
    }
    GOS_STATUS_LIST(X)
#undef X
    fail_msg("unknown status %s", name);
    return GOS_OK;
}

/* "LINE:COL: part", "FILE:LINE:COL: part" or "-: part" */
static void read_expected(expectation *x, const char *s, bool warning) {
    assert_true(x->n < EXPECTED_MAX);
    expected *e = &x->e[x->n++];
    *e = (expected){.warning = warning};
    int used = 0;
    if (strncmp(s, "-: ", 3) == 0) {
        used = 3;
    } else if (sscanf(s, "%d:%d: %n", &e->line, &e->col, &used) < 2 || used == 0) {
        used = 0;
        const int got = sscanf(s, "%127[^:]:%d:%d: %n", e->file, &e->line, &e->col, &used);
        assert_true(got == 3 && used > 0);
    }
    snprintf(e->part, sizeof e->part, "%s", s + used);
}

/* the word after "# WORD" when the line is one of these */
static const char *after(const char *line, const char *word) {
    const size_t n = strlen(word);
    return strncmp(line, word, n) == 0 ? line + n : NULL;
}

static void read_expectation(const char *path, expectation *x) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    *x = (expectation){.status = GOS_E_INPUT};
    char line[1024];
    while (fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *s = strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line;
        const char *rest;
        if (s[0] != '#') {
            break;
        }
        if ((rest = after(s, "# expect: ")) != NULL) {
            read_expected(x, rest, false);
        } else if ((rest = after(s, "# warn: ")) != NULL) {
            read_expected(x, rest, true);
        } else if ((rest = after(s, "# status: ")) != NULL) {
            x->status = status_by_name(rest);
        } else if (strcmp(s, "# accept") == 0) {
            x->accept = true;
            x->status = GOS_OK;
        }
    }
    fclose(f);
    if (x->n == 0 && !x->accept) {
        fail_msg("%s expects nothing", path);
    }
}

/* ---- reading, compiling, starting ------------------------------------------------------------ */

static gos_status start(gos_ctx *ctx, gos_system *sys) {
    gos_options opt;
    gos_state *state = NULL;
    gos_options_get(sys, &opt);
    gos_status status = gos_state_create(ctx, sys, &state);
    if (status == GOS_OK && opt.analysis == GOS_STATIC) {
        status = gos_solve_static(ctx, sys, &opt, state, NULL);
    } else if (status == GOS_OK) {
        gos_integrator *run = NULL;
        status = gos_integrator_create(ctx, sys, &opt, state, &run);
        status = status == GOS_OK ? gos_integrator_step(run, opt.end) : status;
        gos_integrator_destroy(run);
    }
    gos_state_destroy(state);
    return status;
}

static gos_status try_file(gos_ctx *ctx, const char *path) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_status status = gos_model_read(ctx, path, &model);
    status = status == GOS_OK ? gos_system_create(ctx, model, &sys) : status;
    gos_model_destroy(model);
    status = status == GOS_OK ? start(ctx, sys) : status;
    gos_system_destroy(sys);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static const char *short_name(const char *path) {
    const size_t n = strlen(FOLDER "/");
    return path != NULL && strncmp(path, FOLDER "/", n) == 0 ? path + n : path;
}

static bool meets(const expected *e, const gos_diag *d, const char *name) {
    const char *file = e->file[0] != '\0' ? e->file : name;
    const bool place = e->line == 0 ? d->line == 0
                                    : d->line == e->line && d->col == e->col && d->file != NULL &&
                                          strcmp(short_name(d->file), file) == 0;
    char whole[4096];
    snprintf(whole, sizeof whole, "%s: %s", d->object != NULL ? d->object : "", d->text);
    return !e->found && place && e->warning == (d->status == GOS_OK) &&
           strstr(whole, e->part) != NULL;
}

/* a message without one of these words states what is wrong, but not what to do */
static bool names_remedy(const char *text) {
    static const char *const words[] = {
        "assign",      "specify",   "change",   "combine", "define",    "expected", "list",
        "merge",       "prescribe", "requires", "reverse", "add",       "allowed",  "at most",
        "cannot open", "check",     "choose",   "correct", "declare",   "drop",     "did you mean",
        "end",         "exchange",  "give",     "Give",    "hold",      "keep",     "its nodes are",
        "let",         "like",      "move",     "must",    "name",      "needs",    "put",
        "quote",       "Refine",    "remove",   "save",    "there are", "use",      "write"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(text, words[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static int compare(const gos_ctx *ctx, expectation *x, const char *name) {
    int wrong = 0;
    char line[4096];
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        bool known = false;
        for (int k = 0; k < x->n && !known; k++) {
            known = meets(&x->e[k], d, name);
            x->e[k].found = x->e[k].found || known;
        }
        gos_ctx_format(ctx, i, line, sizeof line);
        if (!known) {
            print_error("%s: not expected: %s\n", name, line);
            wrong++;
        }
        if (d->status != GOS_OK && !names_remedy(d->text)) {
            print_error("%s: names no remedy: %s\n", name, line);
            wrong++;
        }
    }
    for (int k = 0; k < x->n; k++) {
        if (!x->e[k].found) {
            print_error("%s: missing: %s:%d:%d: %s\n", name, x->e[k].file, x->e[k].line,
                        x->e[k].col, x->e[k].part);
            wrong++;
        }
    }
    return wrong;
}

static void test_file(void **state) {
    const char *path = *state;
    expectation x;
    read_expectation(path, &x);
    long blocks = 0;
    const gos_allocator counting = {count_alloc, count_realloc, count_free, &blocks};
    gos_ctx *ctx = gos_ctx_create_with(&counting);
    assert_non_null(ctx);
    const gos_status status = try_file(ctx, path);
    int wrong = compare(ctx, &x, short_name(path));
    if (status != x.status) {
        print_error("%s: status %d (%s), expected %d\n", short_name(path), (int)status,
                    gos_status_text(status), (int)x.status);
        wrong++;
    }
    gos_ctx_destroy(ctx);
    assert_int_equal(wrong, 0);
    assert_int_equal(blocks, 0);
}

/* ---- all files ------------------------------------------------------------------------------- */

static int is_model(const struct dirent *d) {
    const char *dot = strrchr(d->d_name, '.');
    return dot != NULL && strcmp(dot, ".yaml") == 0;
}

static void show(const char *path) {
    gos_ctx *ctx = gos_ctx_create();
    char line[4096];
    const gos_status status = try_file(ctx, path);
    print_message("%s: %s\n", path, gos_status_text(status));
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        gos_ctx_format(ctx, i, line, sizeof line);
        print_message("  %s\n", line);
    }
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    for (char **file = suite_arguments; *file; file++) {
        show(*file);
    }
    if (*suite_arguments) {
        return 0;
    }
    static struct CMUnitTest tests[FILES_MAX];
    static char path[FILES_MAX][1024];
    struct dirent **entry = NULL;
    const int n = scandir(FOLDER, &entry, is_model, alphasort);
    if (n < 60 || n > FILES_MAX) {
        print_error("%s: %d models\n", FOLDER, n);
        return 1;
    }
    for (int i = 0; i < n; i++) {
        snprintf(path[i], sizeof path[i], FOLDER "/%s", entry[i]->d_name);
        free(entry[i]);
        tests[i] = (struct CMUnitTest){short_name(path[i]), test_file, NULL, NULL, path[i]};
    }
    free(entry);
    return _cmocka_run_group_tests("broken models", tests, (size_t)n, NULL, NULL);
}
SUITE(suite)
