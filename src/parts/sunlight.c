/* Sunlight of an entry: eclipses, and values from the orbit. */
#include "parts/sunlight.h"

#include <math.h>
#include <stdlib.h>

/* ---- eclipses ------------------------------------------------------------------------------ */

static gos_status read_window(gos_builder *b, const gos_node *pair, const char *object,
                              double window[2]) {
    if (pair->kind != GOS_LIST || pair->n != 2 || pair->child->kind != GOS_SCALAR ||
        pair->child->next->kind != GOS_SCALAR) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, pair->loc, object,
                            "eclipse is not a list of pairs [[start, end], ...] in seconds; write "
                            "[[100, 250]] for one from 100 s to 250 s");
    }
    const gos_node *node = pair->child;
    for (int i = 0; i < 2; i++, node = node->next) {
        GOS_TRY(gos__quantity(b->model, node->text, node->loc, object, &(gos_measure){.unit = "s"},
                              &window[i]));
    }
    return GOS_OK;
}

static int compare_starts(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Reads the windows (*n)(2), sorted, without empty ones. */
static gos_status read_eclipses(gos_builder *b, const gos_node *list, const char *object, int *n,
                                double **v) {
    if (list->kind != GOS_LIST) {
        return read_window(b, list, object, NULL); // reports the expected form
    }
    *v = GOS_NEW(b->arena, double, 2 * (list->n + 1));
    if (!*v) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *pair = list->child; pair; pair = pair->next) {
        double *window = *v + 2 * *n;
        GOS_TRY(read_window(b, pair, object, window));
        *n += window[1] > window[0];
    }
    qsort(*v, *n, 2 * sizeof **v, compare_starts);
    for (int i = 1; i < *n; i++) {
        const double *w = *v + 2 * i;
        if (w[0] < w[-1]) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                                "the eclipses %g .. %g s and %g .. %g s overlap; merge them", w[-2],
                                w[-1], w[0], w[1]);
        }
    }
    return GOS_OK;
}

static gos_status make_shade(gos_builder *b, const char *object, gos_sunlight *in) {
    int n = 0;
    double *v = NULL;
    if (!in->eclipse) {
        return GOS_OK;
    }
    GOS_TRY(read_eclipses(b, in->eclipse, object, &n, &v));
    if (n == 0) {
        return GOS_OK;
    }
    return gos__timefn_shade(in->eclipse->loc, object, b->arena, n, v, in->penumbra, &in->shade);
}

/* ---- the entry ----------------------------------------------------------------------------- */

static bool given(const gos_node *entry, const char *key) {
    return gos__node_given(entry, key) != NULL;
}

gos_status gos__sunlight_direction(gos_builder *b, const gos_node *entry, const char *object,
                                   const char *key, gos_timefn *const direction[3]) {
    for (int i = 0; i < 3; i++) {
        if (!gos__timefn_constant(direction[i]) ||
            gos__timefn_eval(direction[i], 0.0, NULL, NULL) != 0.0) {
            return GOS_OK;
        }
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, key), object,
                        "%s has zero length; give the vector along which it travels", key);
}

gos_status gos__sunlight_history(gos_builder *b, const gos_node *entry, const char *object,
                                 int what, gos_timefn **fn) {
    return gos__timefn_orbit(entry->key_loc, object, b->arena, b->orbit, what, fn);
}

static gos_status check(gos_builder *b, const gos_node *entry, const char *object,
                        gos_sunlight *in) {
    const char *key = given(entry, "eclipse") ? "eclipse" : "penumbra";
    in->by_orbit = !given(entry, "direction");
    if (!in->by_orbit) {
        return gos__sunlight_direction(b, entry, object, "direction", in->direction);
    }
    if (gos__orbit_failed(b)) {
        return GOS_E_INPUT;
    }
    if (!b->orbit || !b->orbit->has_sun) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "direction"), object, "%s",
                            b->orbit
                                ? "'direction' is missing, and the orbit does not define the Sun's "
                                  "direction; give the orbit a date, sun or beta"
                                : "'direction' is missing; give it, or give the model an `orbit`");
    }
    return given(entry, "eclipse") || given(entry, "penumbra")
               ? gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, key), object,
                              "eclipses follow from the orbit; remove this, or also give direction")
               : GOS_OK;
}

gos_status gos__sunlight_read(gos_builder *b, const gos_node *entry, const char *object,
                              gos_sunlight *in) {
    GOS_TRY(check(b, entry, object, in));
    for (int i = 0; i < 3 && in->by_orbit; i++) {
        GOS_TRY(gos__sunlight_history(b, entry, object, GOS_ORBIT_SUNWARD + i, &in->direction[i]));
    }
    if (b->orbit && b->orbit->has_sun && !given(entry, "flux")) {
        GOS_TRY(gos__sunlight_history(b, entry, object, GOS_ORBIT_FLUX, &in->flux));
    }
    return in->by_orbit ? gos__sunlight_history(b, entry, object, GOS_ORBIT_LIGHT, &in->shade)
                        : make_shade(b, object, in);
}
