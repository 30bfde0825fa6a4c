/* Distributions and samples, independent or by Latin hypercubes (McKay, Beckman, Conover: A
   comparison of three methods for selecting values of input variables, Technometrics 21, 1979). */
#include <math.h>

#include "sweep/sweep.h"
#include "math/random.h"

enum { MOST_DRAWS = 100000 };

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

gos_status gos__sweep_law(gos_ctx *ctx, gos_sweep *s, gos_varied *p, const char *text,
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
    return gos__sweep_number(s, p, law->quantile(p->parameter, 0.5), 1e-9);
}

/* ---- samples --------------------------------------------------------------------------------- */

gos_status gos_sweep_sample(gos_ctx *ctx, gos_sweep *s, const gos_sampling *sampling) {
    if (s->run) {
        return gos__fail(ctx, GOS_E_USE, "the runs are already listed; no samples can be added");
    }
    if (sampling->n < 2 || sampling->n > MOST_DRAWS) {
        return gos__fail(ctx, GOS_E_LIMIT, "the number of samples must be from 2 to %d, got %d",
                         MOST_DRAWS, sampling->n);
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
        GOS_TRY(gos__sweep_number(s, p, p->law->quantile(p->parameter, share), 0));
    }
    return GOS_OK;
}

gos_status gos__sweep_draw(gos_ctx *ctx, gos_sweep *s) {
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
