/* The list "What is not modelled" of docs/theory.md against the registry: no type or parameter that
   it calls absent is registered, and each line says which these are. Sections and types that a name
   stands in exist, so that a name cannot be absent by a slip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/model.h"
#include "support/suite.h"
#include "system/system.h"

enum { LEAST = 6 }; // lines of the list

typedef struct name {
    char part[3][64]; // section, type, parameter
    int n;            // parts that it has
} name;

/* whether a type of the registry is of the section, and of the type, of a name */
static bool of_type(const gos_type *t, const name *a) {
    return strcmp(t->section, a->part[0]) == 0 &&
           (strcmp(a->part[1], "*") == 0 || strcmp(t->name, a->part[1]) == 0);
}

static bool has(const gos_type *t, const char *param) {
    for (const gos_param *p = t->params; p->name; p++) {
        if (strcmp(p->name, param) == 0) {
            return true;
        }
    }
    return false;
}

/* NULL: it is absent, as it should be; else what is wrong */
static const char *check(const name *a) {
    bool section = false, type = false;
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        section = section || strcmp((*t)->section, a->part[0]) == 0;
        if (!of_type(*t, a)) {
            continue;
        }
        type = true;
        if (a->n == 3 && has(*t, a->part[2])) {
            return "is a parameter";
        }
    }
    return !section             ? "is of a section that does not exist"
           : a->n == 2 && type  ? "is a type"
           : a->n == 3 && !type ? "is of a type that does not exist"
           : a->n < 2           ? "is no name"
                                : NULL;
}

static name split(const char *text) {
    name a = {.n = 0};
    for (const char *p = text; *p && a.n < 3; a.n++) {
        const size_t n = strcspn(p, ".");
        (void)snprintf(a.part[a.n], sizeof a.part[0], "%.*s", (int)n, p);
        p += n + (p[n] == '.');
    }
    return a;
}

/* the section of the page; the caller's to free */
static char *read_list(void) {
    FILE *f = fopen(GOS_SOURCE_DIR "/docs/theory.md", "r");
    assert_non_null(f);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    const size_t n = fread(text, 1, (1 << 20) - 1, f);
    assert_true(n > 0 && feof(f));
    assert_int_equal(fclose(f), 0);
    char *begin = strstr(text, "\n## What is not modelled");
    assert_non_null(begin);
    char *end = strstr(begin + 4, "\n## ");
    assert_non_null(end);
    *end = '\0';
    memmove(text, begin, strlen(begin) + 1);
    return text;
}

static void test_list(void **state) {
    GOS_UNUSED(state);
    char *text = read_list(), *rest = text, *line;
    int lines = 0, names = 0, wrong = 0;
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        if (strncmp(line, "- ", 2) != 0) {
            continue;
        }
        char *tag = strstr(line, "<!-- absent: "), *end = tag ? strstr(tag, " -->") : NULL, *word;
        lines++;
        if (!end) {
            print_error("no names of what is absent: %s\n", line);
            wrong++;
            continue;
        }
        *end = '\0';
        for (char *at = tag + strlen("<!-- absent: "); (word = strtok_r(at, " ", &at)) != NULL;) {
            const name a = split(word);
            const char *what = check(&a);
            if (what) {
                print_error("%s %s\n", word, what);
                wrong++;
            }
            names++;
        }
    }
    free(text);
    print_message("    %d lines, %d names\n", lines, names);
    assert_true(lines >= LEAST && names >= lines);
    assert_int_equal(wrong, 0);
}

/* what is registered is found, and so are slips */
static void test_check(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *name, *wrong;
    } cases[] = {
        {"joints.revolute", "is a type"},
        {"loads.wheel.friction", "is a parameter"},
        {"loads.*.friction", "is a parameter"},
        {"bodies.solid.deck_loads", "is a parameter"},
        {"joint.contact", "is of a section that does not exist"},
        {"bodies.solids.temperature", "is of a type that does not exist"},
        {"bodies", "is no name"},
        {"joints.contact", NULL},
        {"bodies.solid.friction", NULL},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        const name a = split(cases[i].name);
        const char *wrong = check(&a);
        assert_true(cases[i].wrong ? wrong && strcmp(wrong, cases[i].wrong) == 0 : !wrong);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
