/* Additional colour fields of the full screen. */
#include <math.h>

#include "base/units.h"
#include "pages/view.h"
#include "results/results_parts.h"

typedef enum kind { SPEED, HEATING, APART, HOTTER, KINDS } kind;

static const struct {
    const char *name, *unit;
} kinds[KINDS] = {{"speed", "m/s"},
                  {"temperature rate", "K/s"},
                  {"error of position", "m"},
                  {"error of temperature", "K"}};

typedef struct viewing {
    gos_results *run;
    const char *units;
    const gos_view_more *more;
    int nodes;
    double *velocity, *value; // (nodes, 3), (nodes)
} viewing;

static gos_status value_at(const viewing *v, kind what, long frame) {
    const gos_node_fields all = {.velocity = what == SPEED ? v->velocity : NULL,
                                 .temperature_rate = what == HEATING ? v->value : NULL};
    if (what == APART || what == HOTTER) {
        GOS_TRY(gos__apart_at(v->more->apart, frame, what == HOTTER, v->value));
    } else {
        GOS_TRY(gos_results_frame(v->run, frame, &all));
    }
    if (what == HEATING || what == HOTTER) {
        gos__mask_athermal(v->run, v->value);
    }
    for (long i = 0; i < v->nodes && what == SPEED; i++) {
        const double *u = v->velocity + 3 * i;
        v->value[i] = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return GOS_OK;
}

/* is the field available? */
static bool has(const viewing *v, kind what, bool thermal) {
    return what == SPEED     ? true
           : what == HEATING ? thermal
           : what == APART   ? v->more->apart != NULL
                             : v->more->apart && gos__apart_worst(v->more->apart)->thermal;
}

static gos_status put_one(gos_page *p, const viewing *v, kind what, const gos_thin_mesh *thin,
                          int n, const long *frame, double *shown) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        GOS_TRY(value_at(v, what, frame[i]));
        for (long j = 0; j < v->nodes; j++) {
            lo = fmin(lo, v->value[j]);
            hi = fmax(hi, v->value[j]);
        }
        for (long j = 0; j < thin->nnodes; j++) {
            shown[(long)i * thin->nnodes + j] = v->value[thin->node[j]];
        }
    }
    if (what == APART || what == HOTTER) { // over all output times, not only those shown
        const gos_comparison *c = gos__apart_worst(v->more->apart);
        lo = 0;
        hi = what == APART ? c->position.worst : c->temperature.worst;
    }
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "name", kinds[what].name);
    gos__page_text(p, "unit", gos_unit_name(v->units, kinds[what].unit, GOS_UNIT_BUFFER));
    gos__page_number(p, "least", what == SPEED ? 0 : lo);
    gos__page_number(p, "largest", hi);
    gos__page_parts(p, "values", shown, (long)n * thin->nnodes, 1);
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos__view_fields(gos_page *p, gos_arena *arena, gos_results *run,
                            const gos_view_more *more, const gos_thin_mesh *thin, int n,
                            const long *frame) {
    gos_results_info info;
    gos_mesh_info mesh;
    gos_results_info_get(run, &info);
    gos_results_mesh(run, &mesh);
    const viewing v = {.run = run,
                       .units = info.units,
                       .more = more,
                       .nodes = mesh.nnodes,
                       .velocity = GOS_NEW(arena, double, 3L * mesh.nnodes + 1),
                       .value = GOS_NEW(arena, double, mesh.nnodes + 1)};
    double *shown = GOS_NEW(arena, double, (long)n * thin->nnodes + 1);
    GOS_TRY(v.velocity && v.value && shown ? GOS_OK : GOS_E_MEMORY);
    gos__page_open(p, "more", '[');
    for (int what = 0; what < KINDS; what++) {
        if (has(&v, what, info.thermal)) {
            GOS_TRY(put_one(p, &v, what, thin, n, frame, shown));
        }
    }
    gos__page_close(p, ']');
    return GOS_OK;
}
