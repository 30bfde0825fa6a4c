/* Parses values, combines them, and names the results. */
#include <math.h>
#include <stdio.h>

#include "base/new_file.h"
#include "sweep/sweep.h"
#include "math/random.h"

/* Distributions and samples, independent or by Latin hypercubes (McKay, Beckman, Conover: A
 * comparison of three methods for selecting values of input variables, Technometrics 21, 1979). */

enum { MAX_DRAWS = 100000 };

/* ---- distributions --------------------------------------------------------------------------- */

struct gos_law {
    const char *name, *parameters;                     // for messages
    double (*quantile)(const double *p, double share); // quantile for probability `share`
    bool (*valid)(const double *p);
    const char *rule;
};

static double uniform(const double *p, double share) {
    return p[0] * (1 - share) + p[1] * share;
}

static double loguniform(const double *p, double share) {
    return p[0] * pow(p[1] / p[0], share);
}

static double normal(const double *p, double share) {
    return p[0] + p[1] * gos__normal_quantile(share);
}

static double lognormal(const double *p, double share) {
    return p[0] * exp(p[1] * gos__normal_quantile(share));
}

static bool rises(const double *p) {
    return p[0] < p[1];
}

static bool rises_above_zero(const double *p) {
    return p[0] > 0 && p[0] < p[1];
}

static bool spreads(const double *p) {
    return p[1] > 0;
}

static bool spreads_above_zero(const double *p) {
    return p[0] > 0 && p[1] > 0;
}

static const gos_law laws[] = {
    {"uniform", "FROM:TO", uniform, rises, "FROM < TO"},
    {"loguniform", "FROM:TO", loguniform, rises_above_zero, "0 < FROM < TO"},
    {"normal", "MEAN:DEVIATION", normal, spreads, "a DEVIATION greater than 0"},
    {"lognormal", "MEDIAN:DEVIATION", lognormal, spreads_above_zero,
     "a MEDIAN and a DEVIATION (of the natural logarithm) greater than 0"},
};

static const gos_law *law_of(const char *text, size_t n) {
    for (size_t i = 0; i < GOS_COUNT(laws); i++) {
        if (strlen(laws[i].name) == n && memcmp(laws[i].name, text, n) == 0) {
            return &laws[i];
        }
    }
    return NULL;
}

static gos_status add_value(gos_sweep *s, gos_varied *p, const char *text, size_t n) {
    char *copy = GOS_NEW(s->arena, char, n + 1);
    if (!copy) {
        return GOS_E_MEMORY;
    }
    memcpy(copy, text, n);
    GOS_TRY(gos__grow(s->ctx, (void **)&p->value, &p->room, p->n + 1, sizeof *p->value));
    p->value[p->n++] = copy;
    return GOS_OK;
}

/* Append x as the shortest text within the relative error `part`: 0.1, not
 * 0.10000000000000001. */
static gos_status sweep_number(gos_sweep *s, gos_varied *p, double x, double part) {
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        double read = 0;
        (void)gos__format(text, sizeof text, "%.*g", digits, x);
        if (gos__number_parse(text, strlen(text), &read) && fabs(read - x) <= part * fabs(x)) {
            break;
        }
    }
    return add_value(s, p, text, strlen(text));
}

/* Parse LAW:NUMBER:NUMBER into p, with the median as only value. *found: begins with a law; `all`
 *  is for messages. */
static gos_status sweep_law(gos_ctx *ctx, gos_sweep *s, gos_varied *p, const char *text,
                            const char *all, bool *found) {
    const size_t n = strcspn(text, ":");
    const gos_law *law = law_of(text, n);
    *found = law != NULL;
    if (!law) {
        return GOS_OK;
    }
    const char *first = text + n + 1, *second = strchr(first, ':');
    if (!second || !gos__number_parse(first, (size_t)(second - first), &p->parameter[0]) ||
        !gos__number_parse(second + 1, strlen(second + 1), &p->parameter[1]) ||
        !isfinite(p->parameter[0]) || !isfinite(p->parameter[1])) {
        return gos__fail(ctx, GOS_E_USE, "'%.200s': %s requires the numbers %s", all, law->name,
                         law->parameters);
    }
    if (!law->valid(p->parameter)) {
        return gos__fail(ctx, GOS_E_USE, "'%.200s': %s:%s needs %s", all, law->name,
                         law->parameters, law->rule);
    }
    p->law = law;
    return sweep_number(s, p, law->quantile(p->parameter, 0.5), 1e-9);
}

/* ---- samples --------------------------------------------------------------------------------- */

gos_status gos_sweep_sample(gos_ctx *ctx, gos_sweep *s, const gos_sampling *sampling) {
    if (s->run) {
        return gos__fail(ctx, GOS_E_USE, "the runs are already listed; no samples can be added");
    }
    if (sampling->n < 2 || sampling->n > MAX_DRAWS) {
        return gos__fail(ctx, GOS_E_LIMIT, "the number of samples must be from 2 to %d, got %d",
                         MAX_DRAWS, sampling->n);
    }
    s->sampling = *sampling;
    return GOS_OK;
}

/* 0 .. n - 1 in random order */
static void shuffle(int *order, int n, uint64_t seed, uint64_t stream) {
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)(gos__random_unit(seed, stream, (uint64_t)i) * (i + 1));
        const int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* Random streams depend on the index k. A hypercube has one sample in each of n equal shares. */
static gos_status draw(gos_sweep *s, int k, int *order) {
    gos_varied *p = &s->parameter[k];
    const gos_sampling *how = &s->sampling;
    const uint64_t stream = 2 * (uint64_t)k;
    p->n = 0;
    shuffle(order, how->n, how->seed, stream);
    for (int i = 0; i < how->n; i++) {
        const double u = gos__random_unit(how->seed, stream + 1, (uint64_t)i);
        const double share = how->independent ? u : fmin((order[i] + u) / how->n, 1 - 0x1p-53);
        GOS_TRY(sweep_number(s, p, p->law->quantile(p->parameter, share), 0));
    }
    return GOS_OK;
}

/* Replace the medians by random samples. */
static gos_status sweep_draw(gos_ctx *ctx, gos_sweep *s) {
    int nrandom = 0;
    const char *name = NULL;
    for (int k = 0; k < s->nparameters; k++) {
        name = s->parameter[k].law ? s->parameter[k].name : name;
        nrandom += s->parameter[k].law != NULL;
    }
    if (nrandom > 0 && s->sampling.n == 0) {
        return gos__fail(ctx, GOS_E_USE,
                         "'%.200s' is random; give the number of samples (--samples N)", name);
    }
    if (nrandom == 0 && s->sampling.n > 0) {
        return gos__fail(ctx, GOS_E_USE,
                         "no parameter is random, so %d samples cannot be drawn; add --vary "
                         "NAME=normal:MEAN:DEVIATION",
                         s->sampling.n);
    }
    int *order = gos__alloc(ctx, (size_t)gos__sweep_draws(s), sizeof *order);
    gos_status status = order ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < s->nparameters && status == GOS_OK; k++) {
        status = s->parameter[k].law ? draw(s, k, order) : GOS_OK;
    }
    gos__free(ctx, order);
    return status;
}

enum { MAX_PARAMETERS = 16, MAX_VALUES = 100000, MAX_RUNS = 100000, NAME_LENGTH = 120 };

static const char form[] = "expected NAME=FROM:TO:NUMBER, NAME=VALUE,VALUE... or, for random "
                           "values, NAME=LAW:NUMBER:NUMBER, got '%.200s'";

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_number(const char *text, size_t n, double *value) {
    return gos__number_parse(text, n, value) && isfinite(*value);
}

typedef struct range {
    double end[2];
    int n;
    bool logarithmic;
} range;

/* "a:b:n" or "a:b:nlog" */
static gos_status read_range(gos_ctx *ctx, const char *text, const char *all, range *r) {
    const char *part[3] = {text};
    size_t length[3];
    int n = 0;
    for (; n < 3; n++) {
        length[n] = strcspn(part[n], ":");
        if (n < 2 && part[n][length[n]] == ':') {
            part[n + 1] = part[n] + length[n] + 1;
        } else {
            break;
        }
    }
    if (n != 2 || part[2][length[2]] != '\0') {
        return gos__fail(ctx, GOS_E_USE, form, all);
    }
    double count;
    const size_t log = length[2] > 3 && strcmp(part[2] + length[2] - 3, "log") == 0 ? 3 : 0;
    r->logarithmic = log > 0;
    if (!read_number(part[0], length[0], &r->end[0]) ||
        !read_number(part[1], length[1], &r->end[1]) ||
        !read_number(part[2], length[2] - log, &count)) {
        return gos__fail(ctx, GOS_E_USE, "'%.200s': FROM, TO and NUMBER must be numbers", all);
    }
    if (!(count >= 2 && count <= MAX_VALUES) || count != floor(count)) {
        return gos__fail(ctx, GOS_E_USE,
                         "'%.200s': the number of values must be a whole number from 2 to %d", all,
                         MAX_VALUES);
    }
    if (r->logarithmic && !(r->end[0] > 0 && r->end[1] > 0)) {
        return gos__fail(ctx, GOS_E_USE, "'%.200s': logarithmic values must be greater than 0",
                         all);
    }
    r->n = (int)count;
    return GOS_OK;
}

static gos_status add_range(gos_ctx *ctx, gos_sweep *s, gos_varied *p, const char *text,
                            const char *all) {
    range r;
    GOS_TRY(read_range(ctx, text, all, &r));
    for (int i = 0; i < r.n; i++) {
        const double part = (double)i / (r.n - 1);
        const bool inner = i > 0 && i < r.n - 1;
        const double x = !inner          ? r.end[i > 0]
                         : r.logarithmic ? r.end[0] * pow(r.end[1] / r.end[0], part)
                                         : r.end[0] * (1 - part) + r.end[1] * part;
        GOS_TRY(sweep_number(s, p, x, !inner ? 0 : r.logarithmic ? 1e-6 : 1e-9));
    }
    return GOS_OK;
}

/* commas in brackets or quotes belong to a value */
static gos_status add_list(gos_ctx *ctx, gos_sweep *s, gos_varied *p, const char *text,
                           const char *all) {
    int depth = 0;
    char quote = 0;
    const char *start = text;
    for (const char *c = text;; c++) {
        const bool end = *c == '\0' || (*c == ',' && depth == 0 && quote == 0);
        if (end && c == start) {
            return gos__fail(ctx, GOS_E_USE, "'%.200s': a value is missing", all);
        }
        if (end) {
            GOS_TRY(add_value(s, p, start, c - start));
            start = c + 1;
        }
        if (p->n > MAX_VALUES) {
            return gos__fail(ctx, GOS_E_LIMIT, "'%.40s...': more than %d values", all, MAX_VALUES);
        }
        if (*c == '\0') {
            return GOS_OK;
        }
        if (quote != 0) {
            quote = *c == quote ? 0 : quote;
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else {
            depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
        }
    }
}

static gos_status add_parameter(gos_ctx *ctx, gos_sweep *s, gos_varied *p, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        return gos__fail(ctx, GOS_E_USE, form, text);
    }
    p->name = gos__arena_printf(s->arena, "%.*s", (int)(equals - text), text);
    if (!p->name) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nparameters; i++) {
        if (strcmp(s->parameter[i].name, p->name) == 0) {
            return gos__fail(ctx, GOS_E_USE, "parameter '%.200s' is given twice", p->name);
        }
    }
    const bool is_range = strchr(equals, ':') && !strpbrk(equals, ",[{\"'");
    bool drawn = false;
    GOS_TRY(is_range ? sweep_law(ctx, s, p, equals + 1, text, &drawn) : GOS_OK);
    if (!drawn) {
        GOS_TRY((is_range ? add_range : add_list)(ctx, s, p, equals + 1, text));
    }
    return gos_model_set(ctx, s->tried, p->name, p->value[0]);
}

gos_status gos_sweep_vary(gos_ctx *ctx, gos_sweep *s, const char *text) {
    gos_varied p = {0};
    if (s->run) {
        return gos__fail(ctx, GOS_E_USE, "the runs are already listed; no parameter can be added");
    }
    if (s->nparameters >= MAX_PARAMETERS) {
        return gos__fail(ctx, GOS_E_LIMIT, "more than %d parameters", MAX_PARAMETERS);
    }
    gos_status status =
        gos__grow(ctx, (void **)&s->parameter, &s->room, s->nparameters + 1, sizeof p);
    status = status == GOS_OK ? add_parameter(ctx, s, &p, text) : status;
    if (status != GOS_OK) {
        gos__free(s->ctx, p.value);
        return status;
    }
    s->parameter[s->nparameters++] = p;
    return GOS_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* "FOLDER/003_n=8_L=1.2.h5", without special characters and random values */
static const char *path_of(const gos_sweep *s, const char *folder, int i) {
    char name[NAME_LENGTH + 32];
    int at = snprintf(name, sizeof name, "%03d", i + 1);
    for (int k = 0; k < s->nparameters; k++) {
        if (s->parameter[k].law) {
            continue;
        }
        const char *part[2] = {s->parameter[k].name, s->run[i].value[k]};
        for (int j = 0; j < 2 && at < NAME_LENGTH; j++) {
            name[at++] = j == 0 ? '_' : '=';
            for (const char *c = part[j]; *c != '\0' && at < NAME_LENGTH; c++) {
                const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                                   (*c >= '0' && *c <= '9') || strchr("._+-", *c);
                name[at++] = plain ? *c : '-';
            }
        }
    }
    name[at] = '\0';
    return gos__arena_printf(s->arena, "%s/%s.h5", folder, name);
}

static gos_status list_runs(gos_sweep *s, const char *folder) {
    for (int i = 0; i < s->nruns; i++) {
        gos_sweep_member *r = &s->run[i];
        r->value = GOS_NEW(s->arena, const char *, s->nparameters);
        if (!r->value) {
            return GOS_E_MEMORY;
        }
        // random samples vary fastest, then the last parameter
        const int draws = gos__sweep_draws(s);
        for (int k = s->nparameters - 1, rest = i / draws; k >= 0; k--) {
            const gos_varied *p = &s->parameter[k];
            r->value[k] = p->value[p->law ? i % draws : rest % p->n];
            rest /= p->law ? 1 : p->n;
        }
        r->path = path_of(s, folder, i);
        if (!r->path) {
            return GOS_E_MEMORY;
        }
    }
    return GOS_OK;
}

gos_status gos_sweep_prepare(gos_ctx *ctx, gos_sweep *s, const char *folder) {
    double total = gos__sweep_draws(s);
    for (int i = 0; i < s->nparameters; i++) {
        total *= s->parameter[i].law ? 1 : s->parameter[i].n;
    }
    if (s->run || s->nparameters == 0) {
        return gos__fail(ctx, GOS_E_USE,
                         s->run ? "the runs are already listed"
                                : "no parameter is varied; add one");
    }
    if (!(total <= MAX_RUNS)) {
        return gos__fail(ctx, GOS_E_LIMIT, "%.0f runs are too many; at most %d are possible", total,
                         MAX_RUNS);
    }
    GOS_TRY(gos__folder_take(ctx, folder, NULL));
    GOS_TRY(sweep_draw(ctx, s));
    s->folder = gos__arena_strdup(s->arena, folder);
    s->run = s->folder ? GOS_NEW(s->arena, gos_sweep_member, (size_t)total) : NULL;
    s->nruns = s->run ? (int)total : 0;
    return s->run ? list_runs(s, folder) : GOS_E_MEMORY;
}
