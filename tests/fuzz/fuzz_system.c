/* Any text as a whole model: read, compiled, started, and a few steps made, in full and reduced.
 * Nothing may crash, hang or leak; every refusal has a message; what is accepted gives finite
 * numbers. A mutator that replaces whole values and lines reaches deeper than one of bytes. */
#include "model/model.h"
#include "system/system.h"

#include <math.h>

#include "gossamer/gossamer.h"

#define ENTRIES_MAX 12  // of a section
#define ELEMENTS_MAX 64 // of a body
#define VARYING_MAX 3   // functions of time: each is scanned for its switches

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

/* ---- one model ------------------------------------------------------------------------------- */

/* the same model, small enough for thousands a minute */
static bool is_small(gos_model *m) {
    static const char *const sections[] = {"bodies", "joints", "loads", "heat", "probes"};
    for (int i = 0; i < GOS_COUNT(sections); i++) {
        const gos_node *s = gos__node_get(m->root, sections[i]);
        if (s != NULL && s->n > ENTRIES_MAX) {
            return false;
        }
    }
    const gos_node *bodies = gos__node_get(m->root, "bodies");
    for (const gos_node *b = bodies != NULL ? bodies->child : NULL; b != NULL; b = b->next) {
        const gos_node *e = gos__node_get(b, "elements");
        double n = 0.0;
        if (e != NULL && e->kind == GOS_SCALAR &&
            gos__expr(m, e->text, e->loc, NULL, &n) == GOS_OK && n > ELEMENTS_MAX) {
            return false;
        }
    }
    return true;
}

static int count_varying(const gos_system *s) {
    int n = 0;
    for (int i = 0; i < s->nfn; i++) {
        n += !gos__timefn_constant(s->fn[i]);
    }
    return n;
}

/* a failure has a message, and only the solver itself may ask for a smaller step */
static bool good(const gos_ctx *ctx, gos_status status) {
    require(status <= 0 && status != GOS_E_INTERNAL);
    require((status == GOS_OK) == (gos__nerrors(ctx) == 0));
    return status == GOS_OK;
}

static void look(gos_ctx *ctx, const gos_system *sys, const gos_state *x) {
    double value[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
    gos_energy energy;
    gos_heat heat;
    gos_system_energy(sys, x, &energy);
    gos_system_heat(sys, x, &heat);
    for (int i = 0; i < gos_system_nprobes(sys); i++) {
        gos_system_probe(ctx, sys, x, i, value, rate);
    }
    for (int i = 0; i < sys->nq; i++) {
        require(isfinite(x->q[i]));
    }
    for (int i = 0; i < sys->nt; i++) {
        require(isfinite(x->th[i]));
    }
}

static void solve(gos_ctx *ctx, const gos_system *sys) {
    gos_options opt;
    gos_state *x = NULL;
    gos_integrator *run = NULL;
    gos_options_get(sys, &opt);
    opt.load_steps = opt.load_steps < 3 ? opt.load_steps : 3;
    opt.max_iterations = opt.max_iterations < 12 ? opt.max_iterations : 12;
    if (!good(ctx, gos_state_create(ctx, sys, &x))) {
        return;
    }
    if (opt.analysis == GOS_STATIC) {
        if (good(ctx, gos_solve_static(ctx, sys, &opt, x, NULL))) {
            look(ctx, sys, x);
        }
    } else if (good(ctx, gos_integrator_create(ctx, sys, &opt, x, &run))) {
        for (int i = 0; i < 3 && gos_state_time(x) < opt.end; i++) {
            if (!good(ctx, gos_integrator_step(run, opt.end))) {
                break;
            }
            look(ctx, sys, x);
            require(gos_integrator_at(run, gos_state_time(x)) != NULL);
        }
    }
    gos_integrator_destroy(run);
    gos_state_destroy(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *sys = NULL, *reduced = NULL;
    if (good(ctx, gos_model_parse(ctx, (const char *)data, size, "fuzz", NULL, &m))) {
        gos__model_parameters(m);
        const bool small = is_small(m), reduce = gos__node_get(m->root, "reduction") != NULL;
        gos_ctx_clear(ctx);
        if (small && good(ctx, gos_system_create(ctx, m, &sys)) &&
            count_varying(sys) <= VARYING_MAX) {
            solve(ctx, sys);
            gos_ctx_clear(ctx);
            if (reduce && good(ctx, gos_reduce(ctx, sys, &reduced))) {
                solve(ctx, reduced);
            }
        }
    }
    gos_system_destroy(reduced);
    gos_system_destroy(sys);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
    return 0;
}

/* ---- mutating values, lines and words of the text -------------------------------------------- */

static unsigned next(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* end of the word (number, name, place, expression) that begins at s */
static size_t word_end(const char *text, size_t n, size_t s) {
    while (s < n && strchr(" ,:[]{}\n\"'", text[s]) == NULL) {
        s++;
    }
    return s;
}

/* begin of the k-th word */
static size_t find_word(const char *text, size_t n, unsigned k) {
    size_t at = k % n;
    while (at > 0 && strchr(" ,:[]{}\n\"'", text[at - 1]) == NULL) {
        at--;
    }
    return at;
}

static size_t splice(char *text, size_t n, size_t most, size_t at, size_t len, const char *with,
                     size_t nwith) {
    if (n - len + nwith > most) {
        return n;
    }
    char *copy = malloc(nwith + 1); // may come from the same text
    memcpy(copy, with, nwith);
    memmove(text + at + nwith, text + at + len, n - at - len);
    memcpy(text + at, copy, nwith);
    free(copy);
    return n - len + nwith;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    static const char *const values[] = {
        "0",      "1",           "-1",        "1e-9",      "1e9",    "1e200",   "1e-200",
        "0.5",    "2",           "~",         "[]",        "{}",     "true",    "false",
        "\"t\"",  "1/0",         "nan",       "\"",        "ground", "rod.end", "\"sin(20*t)\"",
        "static", "\"t>0.001\"", "[0, 0, 0]", "[1, 0, 0]", "all",    "free",    "\"1/t\""};
    char *text = (char *)data;
    if (size < 8 || next(&seed) % 5 == 0) {
        return LLVMFuzzerMutate(data, size, most);
    }
    const size_t at = find_word(text, size, next(&seed)), end = word_end(text, size, at);
    const size_t from = find_word(text, size, next(&seed)), to = word_end(text, size, from);
    const char *value = values[next(&seed) % GOS_COUNT(values)];
    const char *line = memchr(text + from, '\n', size - from);
    const size_t nline = line != NULL ? (size_t)(line - (text + from)) + 1 : 0;
    switch (next(&seed) % 5) {
    case 0:
    case 1:
        return splice(text, size, most, at, end - at, value, strlen(value));
    case 2: // a word of the same text
        return splice(text, size, most, at, end - at, text + from, to - from);
    case 3: // a line lost
        return splice(text, size, most, from, nline, "", 0);
    default: // or said twice
        return splice(text, size, most, from, 0, text + from, nline);
    }
}
