/* Directions to the Sun and the Earth over time, from the text of the model. */
#include <math.h>

#include "pages/report.h"
#include "parts/sunlight.h"
#include "results/results_parts.h"
#include "system/settings.h"

typedef struct sky {
    gos_sunlight sun;
    gos_timefn *earth[3]; // direction away from the Earth
    bool has_sun, has_earth;
} sky;

static bool read_direction(gos_builder *b, const gos_node *list, gos_timefn *fn[3]) {
    const gos_scope scope = {.time = true};
    if (!list || list->kind != GOS_LIST || list->n != 3) {
        return false;
    }
    int i = 0;
    for (const gos_node *at = list->child; at; at = at->next) {
        if (gos__timefn_make(b->model, at, "sun", &scope, b->arena, &fn[i++]) != GOS_OK) {
            return false;
        }
    }
    return true;
}

static bool read_sun(gos_builder *b, const gos_node *entry, gos_sunlight *in) {
    const gos_node *direction = gos__node_given(entry, "direction");
    const gos_node *penumbra = gos__node_given(entry, "penumbra");
    in->eclipse = gos__node_given(entry, "eclipse");
    return (!direction || read_direction(b, direction, in->direction)) &&
           (!penumbra || (penumbra->kind == GOS_SCALAR &&
                          gos__quantity(b->model, penumbra->text, penumbra->loc, "sun",
                                        &(gos_measure){.unit = "s"}, &in->penumbra) == GOS_OK)) &&
           gos__sunlight_read(b, entry, "sun", in) == GOS_OK;
}

/* first entry of sunlight in a section */
static void find_sun(gos_builder *b, const char *section, const char *type, sky *s) {
    const gos_node *map = gos__node_given(b->model->root, section);
    for (const gos_node *at = map ? map->child : NULL; at && !s->has_sun; at = at->next) {
        const gos_node *kind = at->kind == GOS_MAP ? gos__node_given(at, "type") : NULL;
        if (kind && kind->kind == GOS_SCALAR && strcmp(kind->text, type) == 0) {
            s->has_sun = read_sun(b, at, &s->sun);
            const gos_node *earth = gos__node_given(at, "earth_direction");
            s->has_earth = earth && read_direction(b, earth, s->earth);
        }
    }
}

/* outward direction of the orbit, and the Sun without an entry of sunlight */
static void find_orbit(gos_builder *b, sky *s) {
    if (!b->orbit) {
        return;
    }
    gos_status status = GOS_OK;
    const gos_node *root = b->model->root;
    for (int i = 0; i < 3 && status == GOS_OK && !s->has_earth; i++) {
        status = gos__sunlight_history(b, root, "orbit", GOS_ORBIT_OUTWARD + i, &s->earth[i]);
    }
    s->has_earth = s->has_earth || status == GOS_OK;
    if (!s->has_sun && b->orbit->has_sun) {
        s->sun = (gos_sunlight){0};
        s->has_sun = gos__sunlight_read(b, root, "orbit", &s->sun) == GOS_OK;
    }
}

static gos_status put_direction(gos_page *p, gos_arena *arena, const char *key,
                                gos_timefn *const fn[3], const double *time, int n) {
    double *v = GOS_NEW(arena, double, 3L * n + 1);
    if (!v) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < n; k++) {
        double d[3], size = 0;
        for (int c = 0; c < 3; c++) {
            d[c] = -gos__timefn_eval(fn[c], time[k], NULL, NULL);
            size += d[c] * d[c];
        }
        for (int c = 0; c < 3; c++) {
            v[3L * k + c] = size > 0 ? d[c] / sqrt(size) : (double)NAN;
        }
    }
    gos__page_floats(p, key, v, 1, NULL, 3L * n);
    return GOS_OK;
}

static gos_status put_sky(gos_page *p, gos_arena *arena, const sky *s, const double *time, int n) {
    gos__page_open(p, "sky", '{');
    if (s->has_earth) {
        GOS_TRY(put_direction(p, arena, "earth", s->earth, time, n));
    }
    if (s->has_sun) {
        GOS_TRY(put_direction(p, arena, "sun", s->sun.direction, time, n));
        double *light = GOS_NEW(arena, double, n + 1);
        if (!light) {
            return GOS_E_MEMORY;
        }
        for (int k = 0; k < n; k++) {
            light[k] = s->sun.shade ? gos__timefn_eval(s->sun.shade, time[k], NULL, NULL) : 1;
        }
        gos__page_floats(p, "light", light, 1, NULL, n);
    }
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos__report_sky(gos_page *p, gos_arena *arena, const gos_results *run,
                           const double *time, int n) {
    // discards messages: without the files of the model the directions may be unknown
    gos_ctx *quiet = gos_ctx_create();
    gos_model *model = NULL;
    gos_status status = quiet ? GOS_OK : GOS_E_MEMORY;
    const char *text = run->info.text;
    sky s = {0};
    if (status == GOS_OK && text &&
        gos_model_parse(quiet, text, strlen(text), "model", NULL, &model) == GOS_OK &&
        gos__model_parameters(model) == GOS_OK) {
        gos_builder b = {.ctx = quiet, .model = model, .arena = arena};
        if (gos__settings_orbit_read(&b) == GOS_OK) {
            find_sun(&b, "heat", "sun", &s);
            find_sun(&b, "loads", "solar_pressure", &s);
            find_orbit(&b, &s);
        }
    }
    if (s.has_sun || s.has_earth) {
        status = put_sky(p, arena, &s, time, n);
    }
    gos_model_destroy(model);
    gos_ctx_destroy(quiet);
    return status;
}
