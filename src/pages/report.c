/* Report of runs: a self-contained HTML page with numbers as JSON and a viewer (folder viewer/).
 * Data are thinned to screen resolution within a byte budget. At most two runs are open: the
 * reference and the current one. */
#include <math.h>

#include "base/units.h"
#include "pages/report.h"

#define CURVE_BYTES 1.0e6   // before base64: keeps a page below 3 MB
#define FAMILY_BYTES 4.0e6  // the same for many runs of one model
#define SHAPE_NODES 110000L // nodes times output times, 8 bytes each
#define TEXT_BYTES 120000   // of a model's text
enum { MIN_POINTS = 60, MAX_POINTS = 2000, MAX_SHAPED = 4, MAX_SPREADS = 12 };
enum { MAX_FRAMES = 200, FEW_FRAMES = 100, MAX_NODES = 2000 };

typedef struct report {
    gos_ctx *ctx;
    const gos_report_content *content;
    gos_page page;
    gos_results *first; // reference run; NULL for a family
    gos_report_limits limits;
    const char *title;
} report;

/* ---- run data -------------------------------------------------------------------------------- */

static void put_sizes(gos_page *p, const gos_sizes *s) {
    gos__page_open(p, "sizes", '{');
#define X(type, name, doc) gos__page_number(p, #name, (double)s->name);
    GOS_SIZES_FIELDS(X)
#undef X
    gos__page_bool(p, "reduced", s->reduced);
    gos__page_close(p, '}');
}

static void put_statistics(gos_page *p, const gos_statistics *s) {
    gos__page_open(p, "statistics", '{');
#define X(type, name, doc) gos__page_number(p, #name, (double)s->name);
    GOS_STATISTICS_FIELDS(X)
#undef X
    gos__page_close(p, '}');
}

/* Omitted if equal to the reference's text; truncated if very long. */
static gos_status put_model_text(gos_page *p, gos_arena *arena, const gos_results *run,
                                 const gos_results *reference) {
    gos_results_info info, first;
    gos_results_info_get(run, &info);
    if (reference && reference != run) {
        gos_results_info_get(reference, &first);
        if (strcmp(first.text, info.text) == 0) {
            gos__page_text(p, "text", NULL);
            return GOS_OK;
        }
    }
    char *text = gos__arena_strdup(arena, info.text);
    if (!text) {
        return GOS_E_MEMORY;
    }
    const bool cut = strlen(text) > TEXT_BYTES;
    if (cut) {
        text[TEXT_BYTES] = '\0';
    }
    gos__page_text(p, "text", text);
    gos__page_bool(p, "text_cut", cut);
    return GOS_OK;
}

/* names of units that pages show beside numbers without a unit of their own */
static void put_units(gos_page *p, const char *units) {
    static const char *const shown[] = {"m", "m/s", "kg", "J"};
    gos__page_open(p, "units", '{');
    for (int i = 0; i < GOS_COUNT(shown); i++) {
        gos__page_text(p, shown[i], gos_unit_name(units, shown[i], GOS_UNIT_BUFFER));
    }
    gos__page_close(p, '}');
}

gos_status gos__report_info(gos_page *p, gos_arena *arena, gos_results *run, gos_results *first) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const double *time = gos_results_time(run), *frames = gos_results_frame_times(run);
    gos__page_text(p, "name", info.name);
    put_units(p, info.units);
    gos__page_text(p, "status", info.status);
    gos__page_bool(p, "complete", info.complete);
    gos__page_bool(p, "thermal", info.thermal);
    gos__page_text(p, "options", info.options);
    gos__page_text(p, "warnings", info.warnings);
    gos__page_number(p, "warning_count", (double)info.warning_count);
    gos__page_text(p, "program", info.program);
    gos__page_text(p, "libraries", info.libraries);
    gos__page_number(p, "rows", (double)info.nrows);
    gos__page_number(p, "outputs", (double)info.nframes);
    const double end = info.nframes > 0 ? frames[info.nframes - 1] : 0;
    gos__page_number(p, "end", info.nrows > 0 ? fmax(time[info.nrows - 1], end) : end);
    put_sizes(p, &info.sizes);
    put_statistics(p, &info.statistics);
    return put_model_text(p, arena, run, first);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void put_field_error(gos_page *p, const char *name, const gos_field_error *e) {
    gos__page_open(p, name, '{');
    gos__page_number(p, "max", e->max);
    gos__page_number(p, "max_time", e->max_time);
    gos__page_number(p, "rms", e->rms);
    gos__page_number(p, "worst", e->worst);
    gos__page_number(p, "worst_node", e->worst_node);
    gos__page_number(p, "worst_time", e->worst_time);
    gos__page_number(p, "scale", e->scale);
    gos__page_close(p, '}');
}

/* {"t": .., "v": ..}; a single time is in the table instead */
static gos_status put_history(report *r, const char *key, const gos_comparison *c,
                              const double *history) {
    if (!history || c->ntimes < 2) {
        return GOS_OK;
    }
    const long limit = (long)fmax(4, (double)r->limits.points);
    long *keep = gos__alloc(r->ctx, limit, sizeof *keep);
    if (!keep) {
        return GOS_E_MEMORY;
    }
    const long kept = gos__thin_curve(c->times, history, c->ntimes, 1, limit, keep);
    gos__page_open(&r->page, key, '{');
    gos__page_floats(&r->page, "t", c->times, 1, keep, kept);
    gos__page_floats(&r->page, "v", history, 1, keep, kept);
    gos__page_close(&r->page, '}');
    gos__free(r->ctx, keep);
    return GOS_OK;
}

static void put_comparison(gos_page *p, const gos_comparison *c) {
    gos__page_number(p, "from", c->from);
    gos__page_number(p, "to", c->to);
    gos__page_number(p, "worst", gos_comparison_worst(c));
    gos__page_number(p, "time_a", c->time_a);
    gos__page_number(p, "time_b", c->time_b);
    gos__page_number(p, "setup_a", c->setup_a);
    gos__page_number(p, "setup_b", c->setup_b);
    if (c->same_mesh) {
        put_field_error(p, "position", &c->position);
    }
    if (c->thermal) {
        put_field_error(p, "temperature", &c->temperature);
    }
    gos__page_open(p, "probes", '[');
    for (int i = 0; i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "name", e->name);
        gos__page_text(p, "component", e->component);
        gos__page_text(p, "unit", e->unit);
        gos__page_number(p, "max", e->max);
        gos__page_number(p, "max_time", e->max_time);
        gos__page_number(p, "rms", e->rms);
        gos__page_number(p, "scale", e->scale);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
}

static gos_status compare(report *r, gos_results *run) {
    gos_comparison c;
    GOS_TRY(gos_compare(r->ctx, r->first, run, &c));
    gos__page_open(&r->page, "comparison", '{');
    put_comparison(&r->page, &c);
    gos_status status = put_history(r, "position_history", &c, c.position_history);
    if (status == GOS_OK) {
        status = put_history(r, "temperature_history", &c, c.temperature_history);
    }
    gos__page_close(&r->page, '}');
    gos_comparison_free(r->ctx, &c);
    return status;
}

/* ---- runs ------------------------------------------------------------------------------------ */

const char *gos__file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static gos_status put_results(report *r, gos_arena *arena, gos_results *run, bool shaped) {
    gos_page *p = &r->page;
    gos_results *reference = r->first != run ? r->first : NULL;
    gos_report_limits limits = r->limits;
    limits.shapes = shaped ? limits.shapes : 0;
    GOS_TRY(gos__report_info(p, arena, run, r->first));
    GOS_TRY(gos__report_probes(p, arena, run, reference, &limits));
    GOS_TRY(gos__report_balance(p, arena, run, &limits));
    GOS_TRY(gos__report_shapes(p, arena, run, &limits));
    return reference ? compare(r, run) : GOS_OK;
}

static void put_entry(gos_page *p, const gos_report_content *content, const gos_report_run *entry) {
    gos__page_text(p, "file", entry->path ? gos__file_name(entry->path) : NULL);
    gos__page_text(p, "failure", entry->failure);
    gos__page_number(p, "wall", entry->wall);
    gos__page_open(p, "values", '[');
    for (int i = 0; i < content->nparameters; i++) {
        gos__page_text(p, NULL, entry->value[i]);
    }
    gos__page_close(p, ']');
}

/* closed unless it is the reference */
static gos_status put_run(report *r, int i) {
    const gos_report_run *entry = &r->content->run[i];
    gos_results *run = NULL;
    gos_arena *arena = gos__arena_create(r->ctx);
    gos_status status = arena ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && entry->path) {
        status = gos_results_open(r->ctx, entry->path, &run);
    }
    if (status == GOS_OK && i == 0 && r->content->nparameters == 0) {
        r->first = run;
    }
    gos__page_open(&r->page, NULL, '{');
    put_entry(&r->page, r->content, entry);
    if (status == GOS_OK && run) {
        status = put_results(r, arena, run, i < MAX_SHAPED);
    }
    gos__page_close(&r->page, '}');
    if (run != r->first) {
        gos_results_close(run);
    }
    gos__arena_destroy(arena);
    return status;
}

static gos_status choose_limits(report *r) {
    const gos_report_content *c = r->content;
    double curves = 0;
    for (int i = 0; i < c->nruns && curves == 0; i++) {
        gos_results *run;
        if (!c->run[i].path) {
            continue;
        }
        GOS_TRY(gos_results_open(r->ctx, c->run[i].path, &run));
        gos_results_info info;
        gos_results_info_get(run, &info);
        for (int k = 0; k < info.nprobes; k++) {
            gos_probe_info probe;
            gos_results_probe_info(run, k, &probe);
            curves += probe.ncomp;
        }
        curves += 11; // balances
        gos_results_close(run);
    }
    const bool family = c->nparameters > 0;
    curves *= family ? c->nruns : 2 * c->nruns - 1; // including differences
    const double bytes = family ? FAMILY_BYTES : CURVE_BYTES;
    // time and value per point
    const double points = curves > 0 ? bytes / (8 * curves) : MAX_POINTS;
    r->limits.points = (long)fmin(MAX_POINTS, fmax(MIN_POINTS, points));
    r->limits.nodes = MAX_NODES;
    r->limits.frames = MAX_FRAMES;
    r->limits.few = FEW_FRAMES;
    r->limits.shapes = family ? 0 : SHAPE_NODES / (c->nruns < MAX_SHAPED ? c->nruns : MAX_SHAPED);
    return GOS_OK;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Names and meanings of array entries, in order. */
static void put_docs(gos_page *p) {
#define X(name, doc) gos__page_text(p, #name, doc);
    gos__page_open(p, "energy", '{');
    GOS_ENERGY_FIELDS(X)
    gos__page_close(p, '}');
    gos__page_open(p, "heat", '{');
    GOS_HEAT_FIELDS(X)
    gos__page_close(p, '}');
#undef X
#define X(type, name, doc) gos__page_text(p, #name, doc);
    gos__page_open(p, "statistics", '{');
    GOS_STATISTICS_FIELDS(X)
    gos__page_close(p, '}');
#undef X
}

/* per spread its values, times and curves, column by column */
static gos_status put_spread(gos_page *p, const gos_spread *s, int nparameters) {
    double *column = gos__alloc(p->ctx, (size_t)s->ntimes + 1, sizeof *column);
    GOS_TRY(column ? GOS_OK : GOS_E_MEMORY);
    gos__page_open(p, NULL, '{');
    gos__page_number(p, "runs", s->nruns);
    gos__page_number(p, "all", s->nall);
    gos__page_open(p, "values", '[');
    for (int k = 0; k < nparameters; k++) {
        gos__page_text(p, NULL, s->value[k]);
    }
    gos__page_close(p, ']');
    gos__page_floats(p, "time", s->time, 1, NULL, s->ntimes);
    gos__page_open(p, "curves", '[');
    for (int k = 0; k < s->ncurves; k++) {
        const gos_spread_curve *c = &s->curve[k];
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "probe", c->probe);
        gos__page_text(p, "component", c->component);
        gos__page_text(p, "quantity", c->quantity);
        gos__page_text(p, "unit", c->unit);
        gos__page_open(p, "columns", '[');
        for (int i = 0; i < GOS_SPREAD_COLUMNS; i++) {
            for (int t = 0; t < s->ntimes; t++) {
                column[t] = s->v[((size_t)k * (size_t)s->ntimes + (size_t)t) * GOS_SPREAD_COLUMNS +
                                 (size_t)i];
            }
            gos__page_floats(p, NULL, column, 1, NULL, s->ntimes);
        }
        gos__page_close(p, ']');
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
    gos__page_close(p, '}');
    gos__free(p->ctx, column);
    return GOS_OK;
}

static gos_status put_spreads(report *r) {
    gos_status status = GOS_OK;
    gos__page_open(&r->page, "spreads", '[');
    for (int i = 0; i < r->content->nspreads && i < MAX_SPREADS && status == GOS_OK; i++) {
        status = put_spread(&r->page, &r->content->spread[i], r->content->nparameters);
    }
    gos__page_close(&r->page, ']');
    return status;
}

static gos_status put_data(void *user) {
    report *r = user;
    gos_page *p = &r->page;
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "title", r->title);
    gos__page_text(p, "program", "gossamer " GOS_VERSION);
    put_docs(p);
    gos__page_open(p, "parameters", '[');
    for (int i = 0; i < r->content->nparameters; i++) {
        gos__page_text(p, NULL, r->content->parameter[i]);
    }
    gos__page_close(p, ']');
    gos_status status = put_spreads(r);
    gos__page_open(p, "runs", '[');
    for (int i = 0; i < r->content->nruns && status == GOS_OK; i++) {
        status = put_run(r, i);
    }
    gos_results_close(r->first);
    gos__page_close(p, ']');
    gos__page_close(p, '}');
    return status;
}

/* model name from the first readable results */
static gos_status find_title(report *r, gos_arena *arena) {
    r->title = r->content->title ? r->content->title : "report";
    for (int i = 0; i < r->content->nruns && !r->content->title; i++) {
        gos_results *run;
        gos_results_info info;
        if (!r->content->run[i].path) {
            continue;
        }
        GOS_TRY(gos_results_open(r->ctx, r->content->run[i].path, &run));
        gos_results_info_get(run, &info);
        r->title = gos__arena_strdup(arena, info.name);
        gos_results_close(run);
        return r->title ? GOS_OK : GOS_E_MEMORY;
    }
    return GOS_OK;
}

gos_status gos_report(gos_ctx *ctx, const gos_report_content *content, FILE *out) {
    report r = {.ctx = ctx, .content = content, .page = {.ctx = ctx, .out = out}};
    if (content->nruns < 1) {
        return gos__fail(ctx, GOS_E_USE, "a report needs at least one run");
    }
    gos_arena *arena = gos__arena_create(ctx);
    gos_status status = arena ? find_title(&r, arena) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = choose_limits(&r);
    }
    if (status == GOS_OK) {
        const gos_page_parts parts = {.title = r.title,
                                      .style = {gos__viewer_style},
                                      .script = {gos__viewer_common, gos__viewer_report},
                                      .data = put_data,
                                      .user = &r};
        status = gos__page_put(&r.page, &parts);
    }
    gos__arena_destroy(arena);
    return status;
}
