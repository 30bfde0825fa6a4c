#include <fnmatch.h>

#include "control/design.h"
#include "linear/linear.h"

static const char *name_of(const gos_linear *l, bool is_input, int i) {
    return is_input ? l->input[i].name : l->output[i].name;
}

bool gos__design_names(const char *pattern, const char *name) {
    const size_t n = strlen(pattern);
    return fnmatch(pattern, name, 0) == 0 ||
           (strncmp(pattern, name, n) == 0 && (name[n] == '.' || name[n] == '('));
}

/* similar name in `kept`, or NULL */
static const char *near_to(const gos_linear *l, bool is_input, const char *pattern,
                           char kept[GOS_LIMIT_NAME + 1]) {
    enum { MAX_PORTS = 64 };
    char stem[MAX_PORTS][GOS_LIMIT_NAME + 1];
    const char *known_names[2 * MAX_PORTS] = {NULL};
    const int all = is_input ? l->nu : l->ny;
    int n = 0;
    for (int i = 0; i < all && i < MAX_PORTS; i++) {
        const char *name = name_of(l, is_input, i);
        gos__format(stem[i], sizeof stem[i], "%.*s", (int)strcspn(name, ".("), name);
        known_names[n++] = name;
        known_names[n++] = stem[i];
    }
    const char *near = gos__suggest(pattern, known_names, n);
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
                             "the linear model has no %s '%.64s'%s%s%s; available are %s%s",
                             is_input ? "input" : "output", pattern, near ? "; did you mean '" : "",
                             near ? near : "", near ? "'?" : "", list, n > SHOWN ? ", ..." : "")
                 : gos__fail(
                       ctx, GOS_E_INPUT, "'%.64s': the linear model has no %s; %s", pattern,
                       is_input ? "inputs" : "outputs",
                       is_input
                           ? "inputs are the magnitudes of loads"
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
            const bool same = gos__design_names(pattern[k], name_of(l, is_input, i));
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

/* ---- electrodes ------------------------------------------------------------------------------ */

const char *gos__design_sensed(const gos_design_options *o) {
    return o->collocated && !(o->corner > 0) ? "motional_current" : "charge";
}

/* part that identifies an electrode: "(12)", ".left", or nothing; *n: length, `end`: end of the
 * name */
static const char *location_of(const char *name, const char *end, size_t *n) {
    const size_t entry = strcspn(name, ".(");
    const char *location = name + entry < end ? name + entry : end;
    *n = (size_t)(end - location);
    return location;
}

static bool same_location(const char *input, const char *output) {
    size_t n, m;
    const char *a = location_of(input, input + strlen(input), &n),
               *b = location_of(output, strrchr(output, '.'), &m);
    return n == m && strncmp(a, b, n) == 0;
}

static bool is_sensed(const gos_linear *l, int i, const char *pattern, const char *quantity) {
    const char *name = l->output[i].name, *dot = strrchr(name, '.');
    char electrode[GOS_LIMIT_NAME + 1];
    if (!dot || strcmp(dot + 1, quantity) != 0) {
        return false;
    }
    gos__format(electrode, sizeof electrode, "%.*s", (int)(dot - name), name);
    return gos__design_names(pattern, electrode);
}

static bool beside(const gos_design_options *o, const char *output) {
    for (int k = 0; k < o->ninput; k++) {
        if (same_location(o->input[k], output)) {
            return true;
        }
    }
    return o->choose == 0;
}

static gos_status check_partners(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                                 const int *index, int from, int n) {
    for (int k = 0; k < o->ninput && o->choose > 0 && o->nsense > 0; k++) {
        bool found = false;
        for (int i = from; i < n && !found; i++) {
            found = same_location(o->input[k], l->output[index[i]].name);
        }
        if (!found) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "`sense` has no electrode at the location of the chosen input '%s'; "
                             "give both entries the same channels, or measure `signals`",
                             o->input[k]);
        }
    }
    return GOS_OK;
}

gos_status gos__design_signals(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                               gos_arena *arena, int **index, int **of_pattern, int *n) {
    GOS_TRY(gos__design_ports(ctx, l, false, o->nsignal, o->signal, arena, index, of_pattern, n));
    const int before = *n;
    const char *quantity = gos__design_sensed(o);
    for (int k = 0; k < o->nsense; k++) {
        bool found = false;
        for (int i = 0; i < l->ny; i++) {
            if (!is_sensed(l, i, o->sense[k], quantity)) {
                continue;
            }
            bool taken = !beside(o, l->output[i].name);
            for (int j = 0; j < *n; j++) {
                taken = taken || (*index)[j] == i;
            }
            found = true;
            if (!taken) {
                (*of_pattern)[*n] = o->nsignal + k;
                (*index)[(*n)++] = i;
            }
        }
        if (!found) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "`sense`: there is no electrode '%.64s' with a %s; name an entry of "
                             "`piezo`, or electrodes of it",
                             o->sense[k], quantity);
        }
    }
    return check_partners(ctx, l, o, *index, before, *n);
}
