/* Inputs and outputs of a linear model by names and patterns. */
#include <fnmatch.h>

#include "control/design.h"
#include "linear/linear.h"

static const char *name_of(const gos_linear *l, bool is_input, int i) {
    return is_input ? l->input[i].name : l->output[i].name;
}

/* does a pattern mean this name: the same, with * for anything, or a probe or load with its components, or an entry with its channels? */
static bool matches(const char *pattern, const char *name) {
    const size_t n = strlen(pattern);
    return fnmatch(pattern, name, 0) == 0 ||
           (strncmp(pattern, name, n) == 0 && (name[n] == '.' || name[n] == '('));
}

/* a name that may have been meant, whole or without its component; NULL: none is near. In `kept` */
static const char *near_to(const gos_linear *l, bool is_input, const char *pattern,
                           char kept[GOS_LIMIT_NAME + 1]) {
    enum { LOOKED = 64 };
    char stem[LOOKED][GOS_LIMIT_NAME + 1];
    const char *known[2 * LOOKED] = {NULL};
    const int all = is_input ? l->nu : l->ny;
    int n = 0;
    for (int i = 0; i < all && i < LOOKED; i++) {
        const char *name = name_of(l, is_input, i);
        gos__format(stem[i], sizeof stem[i], "%.*s", (int)strcspn(name, ".("), name);
        known[n++] = name;
        known[n++] = stem[i];
    }
    const char *near = gos__suggest(pattern, known, n);
    gos__format(kept, GOS_LIMIT_NAME + 1, "%s", near ? near : "");
    return near ? kept : NULL;
}

static gos_status refuse(gos_ctx *ctx, const gos_linear *l, bool is_input, const char *pattern) {
    enum { SHOWN = 8 };
    char list[600] = "";
    const int n = is_input ? l->nu : l->ny;
    for (int i = 0; i < n && i < SHOWN; i++) {
        const size_t have = strlen(list);
        gos__format(list + have, sizeof list - have, "%s%.60s", i ? ", " : "",
                    name_of(l, is_input, i));
    }
    char kept[GOS_LIMIT_NAME + 1];
    const char *near = near_to(l, is_input, pattern, kept);
    return n > 0 ? gos__fail(ctx, GOS_E_INPUT,
                             "no %s of the linear model is called '%.64s'%s%s%s; there are %s%s",
                             is_input ? "input" : "output", pattern, near ? "; did you mean '" : "",
                             near ? near : "", near ? "'?" : "", list, n > SHOWN ? ", ..." : "")
                 : gos__fail(
                       ctx, GOS_E_INPUT, "'%.64s': the linear model has no %s; %s", pattern,
                       is_input ? "inputs" : "outputs",
                       is_input
                           ? "inputs are amounts of loads"
                           : "outputs are probes of the state (displacements, velocities, angles)");
}

gos_status gos__design_ports(gos_ctx *ctx, const gos_linear *l, bool is_input, int npattern,
                             const char *const *pattern, gos_arena *arena, int **index,
                             int **of_pattern, int *n) {
    const int all = is_input ? l->nu : l->ny;
    bool *taken = GOS_NEW(arena, bool, all + 1);
    *index = GOS_NEW(arena, int, all + 1);
    *of_pattern = GOS_NEW(arena, int, all + 1);
    *n = 0;
    if (!taken || !*index || !*of_pattern) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < npattern; k++) {
        bool found = false;
        for (int i = 0; i < all; i++) {
            const bool same = matches(pattern[k], name_of(l, is_input, i));
            found = found || same;
            if (same && !taken[i]) {
                taken[i] = true;
                (*of_pattern)[*n] = k;
                (*index)[(*n)++] = i;
            }
        }
        if (!found) {
            return refuse(ctx, l, is_input, pattern[k]);
        }
    }
    return GOS_OK;
}
