/* Executive and case control: solution, and the sets that a subcase selects. */
#include <ctype.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

static const struct {
    const char *name;
    int number;
} solutions[] = {{"SESTATIC", 101}, {"SESTATICS", 101}, {"STATIC", 101},
                 {"STATICS", 101},  {"SEMODES", 103},   {"MODES", 103},
                 {"MODAL", 103},    {"SEBUCKL", 105},   {"BUCKLING", 105}};

/* Commands without effect here that change what Nastran computes. */
static const char *const ignored[] = {
    "DLOAD",   "FREQUENCY", "TSTEP",    "TSTEPNL", "NLPARM", "NLSTEP",   "NONLINEAR", "DEFORM",
    "CLOAD",   "RANDOM",    "SDAMPING", "STATSUB", "BC",     "BCONTACT", "IC",        "TFL",
    "SUPORT1", "LOADSET",   "SUBSEQ",   "SUBCOM",  "SYM",    "AUXMODEL", "ADAPT",     "P2G"};
/* Commands that change the structure. */
static const char *const refused[] = {"K2GG", "M2GG", "B2GG", "K2PP", "M2PP", "B2PP"};

typedef struct command {
    char name[16], describer[16];
    const char *value; // to the end of the line
    int n;
} command;

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void upper_word(const char **s, const char *end, char *word, size_t size) {
    size_t n = 0;
    while (*s < end && is_name(**s)) {
        if (n + 1 < size) {
            word[n++] = (char)toupper((unsigned char)**s);
        }
        ++*s;
    }
    word[n] = '\0';
}

static void skip_blanks(const char **s, const char *end) {
    while (*s < end && (**s == ' ' || **s == '\t')) {
        ++*s;
    }
}

/* NAME(DESCRIBER, ...) = value */
static void parse(const gos_nastran *r, command *c) {
    const char *s = r->begin, *end = r->end;
    *c = (command){.value = end};
    skip_blanks(&s, end);
    upper_word(&s, end, c->name, sizeof c->name);
    skip_blanks(&s, end);
    if (s < end && *s == '(') {
        s++;
        skip_blanks(&s, end);
        upper_word(&s, end, c->describer, sizeof c->describer);
        const char *close = memchr(s, ')', (size_t)(end - s));
        s = close ? close + 1 : end;
    }
    while (s < end && (*s == '=' || *s == ' ' || *s == '\t')) {
        s++;
    }
    c->value = s;
    c->n = (int)(end - s);
}

/* Commands may be cut to four letters. */
static bool is_command(const command *c, const char *name) {
    const size_t n = strlen(c->name);
    return strcmp(c->name, name) == 0 || (n >= 4 && strncmp(c->name, name, n) == 0);
}

static gos_status fail(gos_nastran *r, const command *c, const char *what) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, c->name, "%s", what);
}

static gos_status number(gos_nastran *r, const command *c, int64_t *to) {
    int64_t v = 0;
    int k = 0;
    while (k < c->n && isdigit((unsigned char)c->value[k]) && v <= GOS_NASTRAN_ID) {
        v = 10 * v + (c->value[k++] - '0');
    }
    if (k == 0 || k < c->n || v > GOS_NASTRAN_ID) {
        return fail(r, c, "the number of a set is needed here, e.g. SPC = 1");
    }
    *to = v;
    return GOS_OK;
}

static gos_status read_solution(gos_nastran *r, const command *c) {
    char word[16];
    const char *s = c->value;
    r->solution_loc = r->loc;
    if (c->n > 0 && isdigit((unsigned char)*s)) {
        while (s < r->end && isdigit((unsigned char)*s) && r->solution <= GOS_NASTRAN_ID) {
            r->solution = 10 * r->solution + (*s++ - '0');
        }
        // of MYSTRAN
        r->solution += r->solution == 1 || r->solution == 3 || r->solution == 5 ? 100 : 0;
        return GOS_OK;
    }
    upper_word(&s, r->end, word, sizeof word);
    for (int i = 0; i < GOS_COUNT(solutions); i++) {
        if (strcmp(word, solutions[i].name) == 0) {
            r->solution = solutions[i].number;
        }
    }
    if (r->solution == 0) {
        gos__warn(r->ctx, r->loc, "SOL",
                  "this solution is read as 101 (statics): the structure, its supports and static "
                  "loads");
    }
    return GOS_OK;
}

/* Defaults above the first subcase, or the chosen one; NULL: another one. */
static gos_nastran_case *selection(gos_nastran *r) {
    return r->nsubcase == 0 ? &r->common : r->subcase == r->current ? &r->chosen : NULL;
}

static gos_status begin_subcase(gos_nastran *r, const command *c) {
    GOS_TRY(number(r, c, &r->current));
    if (r->nsubcase++ == 0 && r->wanted == 0) {
        r->subcase = r->current;
    }
    if (r->wanted == r->current) {
        r->subcase = r->current;
    }
    if (r->subcase == r->current) {
        r->chosen = r->common;
    } else {
        r->others = true;
    }
    return GOS_OK;
}

static gos_status select_temperature(gos_nastran *r, const command *c, gos_nastran_case *to) {
    int64_t set;
    GOS_TRY(number(r, c, &set));
    if (to && strncmp(c->describer, "INIT", 4) != 0) {
        to->temperature = set;
    }
    if (to && strncmp(c->describer, "LOAD", 4) != 0 && strncmp(c->describer, "MATE", 4) != 0) {
        to->initial = c->describer[0] ? set : to->initial;
    }
    return GOS_OK;
}

static gos_status check_command(gos_nastran *r, const command *c) {
    for (int i = 0; i < GOS_COUNT(refused); i++) {
        if (strcmp(c->name, refused[i]) == 0) {
            return fail(r, c, "this command is not supported: it changes the structure; remove it");
        }
    }
    for (int i = 0; i < GOS_COUNT(ignored); i++) {
        if (strcmp(c->name, ignored[i]) == 0) {
            gos__warn(r->ctx, r->loc, c->name, "this command of the case control is not applied");
        }
    }
    return GOS_OK;
}

gos_status gos__nastran_control(gos_nastran *r) {
    command c;
    gos_nastran_case *to = selection(r), unused;
    const bool continued = r->continued;
    parse(r, &c);
    r->continued = r->end[-1] == ',';
    if (continued || c.name[0] == '\0') {
        return GOS_OK;
    }
    to = to ? to : &unused;
    if (strcmp(c.name, "SOL") == 0) {
        return read_solution(r, &c);
    }
    if (strcmp(c.name, "TITLE") == 0 || strcmp(c.name, "SUBTITLE") == 0 ||
        strcmp(c.name, "LABEL") == 0) {
        r->continued = false;
        return GOS_OK;
    }
    if (is_command(&c, "SUBCASE")) {
        return begin_subcase(r, &c);
    }
    if (strcmp(c.name, "SPC") == 0) {
        return number(r, &c, &to->spc);
    }
    if (strcmp(c.name, "MPC") == 0) {
        return number(r, &c, &to->mpc);
    }
    if (strcmp(c.name, "LOAD") == 0) {
        return number(r, &c, &to->load);
    }
    if (is_command(&c, "METHOD")) {
        return number(r, &c, &to->method);
    }
    if (is_command(&c, "TEMPERATURE")) {
        return select_temperature(r, &c, to == &unused ? NULL : to);
    }
    return check_command(r, &c);
}

gos_status gos__nastran_choose(gos_nastran *r) {
    gos_deck_step *s = &r->deck->step;
    if (r->nsubcase == 0) {
        r->chosen = r->common;
    }
    if (r->wanted > 0 && (r->nsubcase == 0 || r->subcase != r->wanted)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file[0].name, 0, 0}, NULL,
                            "there is no SUBCASE %lld in the case control; correct `subcase`",
                            (long long)r->wanted);
    }
    if (r->others && r->wanted == 0) {
        gos__warn(r->ctx, (gos_loc){r->file[0].name, 0, 0}, "SUBCASE",
                  "only subcase %lld, the first one, is read; `subcase` of the mesh selects "
                  "another one",
                  (long long)r->subcase);
    }
    if (r->solution != 0 && r->solution != 101 && r->solution != 103 && r->solution != 105) {
        gos__warn(r->ctx, r->solution_loc, "SOL",
                  "solution %lld is read as 101 (statics) or 103 (modes): the structure, its "
                  "supports and static loads",
                  (long long)r->solution);
    }
    *s = (gos_deck_step){.procedure = r->solution == 103   ? GOS_DECK_FREQUENCY
                                      : r->solution == 105 ? GOS_DECK_BUCKLE
                                                           : GOS_DECK_STATIC,
                         .loc = r->solution_loc};
    s->loc.file = s->loc.file ? s->loc.file : r->file[0].name;
    return GOS_OK;
}
