/* Data of the page about a design: evaluation, modes, inputs and time histories. */
#include "pages/design_page.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "gossamer/io.h"
#include "pages/report.h"

enum { SHOWN_INPUTS = 24 };

typedef struct page {
    gos_page json;
    const gos_design *d;
} page;

static void put_report(gos_page *p, const gos_design *d) {
    const gos_design_report *r = &d->report;
    gos__page_open(p, "report", '{');
#define X(type, name, doc) gos__page_number(p, #name, r->name);
    GOS_DESIGN_FIELDS(X)
#undef X
    gos__page_close(p, '}');
    if (d->has_law) {
        gos__page_open(p, "law", '{');
        gos__page_number(p, "states", d->law.n);
        gos__page_number(p, "signals", d->law.ny);
        gos__page_number(p, "inputs", d->law.nu);
        gos__page_close(p, '}');
    }
}

/* ---- time histories -------------------------------------------------------------------------- */

static void put_history_inputs(gos_page *p, const gos_design_history *c) {
    gos__page_open(p, "inputs", '[');
    for (int i = 0; i < c->ninput; i++) {
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "name", c->input[i]);
        gos__page_floats(p, "low", c->input_low[i], 1, NULL, c->n);
        gos__page_floats(p, "high", c->input_high[i], 1, NULL, c->n);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
}

static void put_history(gos_page *p, const gos_design_history *c) {
    gos__page_open(p, NULL, '{');
    gos__page_bool(p, "closed", c->closed);
    gos__page_bool(p, "plant", c->plant);
    gos__page_number(p, "intervals", c->n);
    gos__page_floats(p, "time", c->time, 1, NULL, c->n);
    gos__page_floats(p, "low", c->low, 1, NULL, c->n);
    gos__page_floats(p, "high", c->high, 1, NULL, c->n);
    if (c->acceleration_low) {
        gos__page_floats(p, "acceleration_low", c->acceleration_low, 1, NULL, c->n);
        gos__page_floats(p, "acceleration_high", c->acceleration_high, 1, NULL, c->n);
    }
    gos__page_text(p, "output", c->output);
    gos__page_text(p, "disturbance", c->disturbance);
    gos__page_text(p, "unit", c->unit);
    gos__page_text(p, "acceleration_unit", c->acceleration_unit);
    gos__page_text(p, "input_unit", c->input_unit);
    gos__page_number(p, "from", c->from);
    gos__page_number(p, "rms", c->rms);
    gos__page_number(p, "peak", c->peak);
    gos__page_number(p, "command", c->command);
    gos__page_number(p, "clipped", c->clipped);
    gos__page_number(p, "limit", c->limit); // null: none
    gos__page_text(p, "failure", c->failure);
    put_history_inputs(p, c);
    gos__page_close(p, '}');
}

static void put_histories(gos_page *p, const gos_design *d) {
    gos__page_text(p, "no_histories", d->no_history);
    gos__page_open(p, "histories", '[');
    for (int i = 0; i < d->nhistory; i++) {
        put_history(p, &d->history[i]);
    }
    gos__page_close(p, ']');
}

/* ---- poles, errors, inputs ------------------------------------------------------------------- */

static void put_pole(gos_page *p, const char *key, const gos_root *pole) {
    gos__page_open(p, key, '[');
    gos__page_number(p, NULL, pole->re);
    gos__page_number(p, NULL, pole->im);
    gos__page_close(p, ']');
}

static void put_poles(gos_page *p, const char *key, int n, const gos_root *pole) {
    gos__page_open(p, key, '[');
    for (int i = 0; i < n; i++) {
        put_pole(p, NULL, &pole[i]);
    }
    gos__page_close(p, ']');
}

static void put_plant_modes(gos_page *p, const gos_design *d) {
    gos__page_open(p, "plant_modes", '[');
    for (int i = 0; i < d->nmode; i++) {
        gos__page_open(p, NULL, '{');
        gos__page_number(p, "omega", d->mode[i].omega);
        gos__page_number(p, "damping", d->mode[i].damping);
        put_pole(p, "pole", &d->mode[i].pole);
        gos__page_number(p, "share", d->mode[i].share);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
}

static void put_errors(gos_page *p, const gos_design *d) {
    gos__page_open(p, "error_kinds", '[');
    for (int kind = GOS_ERROR_FEEDTHROUGH; kind <= GOS_ERROR_FREQUENCY; kind++) {
        gos__page_text(p, NULL, gos_design_error_name((gos_design_error_kind)kind));
    }
    gos__page_close(p, ']');
    gos__page_open(p, "errors", '[');
    for (int i = 0; i < d->nerror; i++) {
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "kind", gos_design_error_name(d->error[i].kind));
        gos__page_number(p, "error", d->error[i].error);
        gos__page_number(p, "abscissa", d->error[i].abscissa);
        gos__page_number(p, "plant_abscissa", d->error[i].plant_abscissa);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
}

static int by_importance(const void *a, const void *b) {
    const gos_design_input *p = *(const gos_design_input *const *)a,
                           *q = *(const gos_design_input *const *)b;
    return p->importance != q->importance
               ? (p->importance < q->importance) - (p->importance > q->importance)
               : (p > q) - (p < q);
}

/* the most important ones */
static gos_status put_inputs(gos_page *p, const gos_design *d) {
    const gos_design_input **sorted =
        GOS_NEW(d->arena, const gos_design_input *, d->ncandidate + 1);
    GOS_TRY(sorted ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->ncandidate; i++) {
        sorted[i] = &d->candidate[i];
    }
    qsort(sorted, (size_t)d->ncandidate, sizeof *sorted, by_importance);
    gos__page_number(p, "candidates", d->ncandidate);
    gos__page_open(p, "inputs", '[');
    for (int i = 0; i < d->ncandidate && i < SHOWN_INPUTS; i++) {
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "name", sorted[i]->name);
        gos__page_number(p, "importance", sorted[i]->importance);
        gos__page_bool(p, "chosen", sorted[i]->chosen);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
    return GOS_OK;
}

/* ---- the page -------------------------------------------------------------------------------- */

static const char *title_of(const gos_design *d) {
    return d->view ? d->view->name : "controller";
}

static gos_status put_data(void *user) {
    page *all = user;
    gos_page *p = &all->json;
    const gos_design *d = all->d;
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "title", title_of(d));
    gos__page_text(p, "program", "gossamer " GOS_VERSION);
    gos__page_text(p, "model", d->view ? d->view->model : NULL);
    gos__page_text(p, "warnings", d->view ? d->view->warnings : "");
    put_report(p, d);
    put_histories(p, d);
    GOS_TRY(put_inputs(p, d));
    GOS_TRY(gos__design_page_map(p, d));
    put_poles(p, "open_poles", d->nopen, d->open);
    put_poles(p, "poles", d->npole, d->pole);
    put_poles(p, "plant_poles", d->nplant_pole, d->plant_pole);
    put_plant_modes(p, d);
    put_errors(p, d);
    GOS_TRY(gos__design_page_modes(p, d->arena, d->view));
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos_controller_report(gos_ctx *ctx, const char *path, FILE *out) {
    gos_design *d = NULL;
    GOS_TRY(gos_controller_read(ctx, path, &d));
    page p = {.json = {.ctx = ctx, .out = out}, .d = d};
    const gos_page_parts parts = {.title = title_of(d),
                                  .style = {gos__viewer_style, gos__viewer_plain_style},
                                  .script = {gos__viewer_plain, gos__viewer_design},
                                  .data = put_data,
                                  .user = &p};
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    const gos_status status = gos__page_put(&p.json, &parts);
    (void)uselocale(before);
    if (plain) {
        freelocale(plain);
    }
    gos_design_destroy(d);
    return status;
}
