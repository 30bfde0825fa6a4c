/* Parses command lines: options in any order, "--name value" or "--name=value"; "--" ends them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* ---- words ----------------------------------------------------------------------------------- */

/* Edit distance of two words, with swaps of neighbours; MAX if one is longer than 64 characters. */
static int distance(const char *a, const char *b) {
    enum { MAX = 64 };
    int row[3][MAX + 1] = {{0}}; // of the last two characters of a, and this one
    const size_t na = strlen(a), nb = strlen(b);
    if (na > MAX || nb > MAX) {
        return MAX;
    }
    for (size_t j = 0; j <= nb; j++) {
        row[0][j] = (int)j;
    }
    for (size_t i = 1; i <= na; i++) {
        int *now = row[i % 3];
        const int *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            const int replace = last[j - 1] + (a[i - 1] != b[j - 1]);
            const int either = (last[j] < now[j - 1] ? last[j] : now[j - 1]) + 1;
            now[j] = replace < either ? replace : either;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < now[j]) {
                now[j] = before[j - 2] + 1;
            }
        }
    }
    return row[na % 3][nb];
}

const char *suggest(const char *word, const char *const *names, int n) {
    const char *best = NULL;
    const size_t length = strlen(word);
    int least = length < 5 ? 2 : length < 9 ? 3 : 4; // larger distances are other words
    for (int i = 0; i < n; i++) {
        const int d = distance(word, names[i]);
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}

bool parse_number(const char *text, double *value) {
    char *end;
    errno = 0;
    const double v = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(v) || strpbrk(text, "xXpP \t\n") != NULL) {
        return false;
    }
    *value = v;
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

void add_text(text_list *list, const char *text) {
    const char **grown = realloc(list->v, (list->n + 1) * sizeof *grown);
    if (grown == NULL) {
        (void)fputs("gossamer: out of memory\n", stderr);
        exit(EXIT_FAILED);
    }
    list->v = grown;
    list->v[list->n++] = text;
}

void free_list(text_list *list) {
    free(list->v);
    *list = (text_list){0};
}

int threads_wanted = 1, ranks_wanted = 1;
const char *solver_wanted = "own";
static double most_unknowns; // limit for a model; 0: not given

gos_status use_options(gos_ctx *ctx) {
    gos_ctx_set_limit(ctx, most_unknowns);
    const gos_status status = gos_ctx_set_solver(ctx, solver_wanted, ranks_wanted);
    return status == GOS_OK ? gos_ctx_set_threads(ctx, threads_wanted) : status;
}

static const option common[] = {{"--limit", OPTION_NUMBER, &most_unknowns, NULL}, {0}};

/* ---- parsing --------------------------------------------------------------------------------- */

static int store(const char *command, const option *o, const char *value) {
    double number;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->target = true;
        break;
    case OPTION_TEXT:
        *(const char **)o->target = value;
        break;
    case OPTION_LIST:
        add_text(o->target, value);
        break;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (!parse_number(value, &number)) {
            return complain("%s: %s needs a number, not '%s'", command, o->name, value);
        }
        if (o->kind == OPTION_NUMBER) {
            *(double *)o->target = number;
        } else if (number >= 1 && number <= 1e6 && number == floor(number)) {
            *(int *)o->target = (int)number;
        } else {
            return complain("%s: %s needs a whole number of at least 1, not '%s'", command, o->name,
                            value);
        }
        break;
    }
    if (o->given != NULL) {
        *o->given = true;
    }
    return -1;
}

static int unknown(const char *command, const char *word, const option *options) {
    const char *names[32];
    int n = 0;
    for (; options[n].name != NULL && n < 31; n++) {
        names[n] = options[n].name;
    }
    names[n++] = "--help";
    const char *hint = strlen(word) > 2 ? suggest(word, names, n) : NULL;
    if (hint != NULL) {
        return complain("%s: unknown option '%s'; did you mean '%s'?", command, word, hint);
    }
    return complain("%s: unknown option '%s'; see gossamer %s --help", command, word, command);
}

static const option *find_option(const option *list, const char *word, size_t length) {
    for (; list->name != NULL; list++) {
        if (strlen(list->name) == length && strncmp(list->name, word, length) == 0) {
            return list;
        }
    }
    return NULL;
}

/* Parse the option at argv[*i]; its value is in the same or the next argument. */
static int parse_option(const char *command, int argc, char **argv, int *i, const option *options) {
    const char *word = argv[*i];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option *o = find_option(options, word, length);
    o = o != NULL ? o : find_option(common, word, length);
    if (o == NULL) {
        return unknown(command, word, options);
    }
    if (o->kind == OPTION_FLAG) {
        return equals == NULL ? store(command, o, NULL)
                              : complain("%s: %s takes no value", command, o->name);
    }
    if (equals == NULL && *i + 1 >= argc) {
        return complain("%s: %s needs a value", command, o->name);
    }
    const int code = store(command, o, equals != NULL ? equals + 1 : argv[++*i]);
    return code < 0 && !(most_unknowns >= 0)
               ? complain("%s: --limit needs a number of unknowns", command)
               : code;
}

int parse_arguments(const char *command, int argc, char **argv, const option *options,
                    text_list *rest, int min, int max) {
    bool only_files = false;
    for (int i = 0; i < argc; i++) {
        if (!only_files && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            print_help(command);
            return EXIT_DONE;
        }
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1] != '\0') {
            const int code = parse_option(command, argc, argv, &i, options);
            if (code >= 0) {
                return code;
            }
        } else {
            add_text(rest, argv[i]);
        }
    }
    if (rest->n < min) {
        return complain("%s: %s is missing; see gossamer %s --help", command,
                        rest->n == 0 ? "a file" : "another file", command);
    }
    if (max >= 0 && rest->n > max) {
        return complain("%s: '%s' is one argument too many", command, rest->v[max]);
    }
    return -1;
}
