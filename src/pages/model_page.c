/* Data of the page about a stored reduced or linear model. */
#include <locale.h>

#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "pages/design_page.h"
#include "pages/report.h"

enum { SHOWN = 24, PORTS = 100 };

typedef struct model_page {
    gos_page json;
    gos_arena *a;
    const char *path, *name;
    gos_model *model;
    gos_system *full, *reduced;
    gos_state *state;
    gos_linear *linear;
    gos_design_view view;
    int nmode, nrate;
    gos_mode mode[SHOWN];
    double rate[SHOWN];
} model_page;

/* ---- contents -------------------------------------------------------------------------------- */

static gos_status read_rom(model_page *p) {
    GOS_TRY(gos_rom_model(p->json.ctx, p->path, &p->model));
    GOS_TRY(gos_model_read_controllers(p->json.ctx, p->model));
    GOS_TRY(gos_system_create(p->json.ctx, p->model, &p->full));
    GOS_TRY(gos_rom_load(p->json.ctx, p->full, p->path, &p->reduced));
    GOS_TRY(gos_state_create(p->json.ctx, p->reduced, &p->state));
    p->name = gos_system_name(p->reduced);
    GOS_TRY(gos_linearise(p->json.ctx, p->reduced, p->state, &p->linear));
    return gos__view_model(p->json.ctx, p->reduced, p->state, p->linear, p->a, SHOWN, &p->view);
}

static gos_status find_modes(model_page *p) {
    gos_linear_info info;
    gos_linear_info_get(p->linear, &info);
    if (info.coordinates > 0) {
        GOS_TRY(gos_linear_modes(p->json.ctx, p->linear, SHOWN, false, p->mode, &p->nmode));
    }
    return info.temperatures > 0
               ? gos_linear_thermal_modes(p->json.ctx, p->linear, SHOWN, p->rate, NULL, &p->nrate)
               : GOS_OK;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* 0 means unknown or none and is omitted */
static void row(gos_page *p, const char *name, double value, const char *doc) {
    if (value != 0) {
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "name", name);
        gos__page_number(p, "value", value);
        gos__page_text(p, "doc", doc);
        gos__page_close(p, '}');
    }
}

static void put_sizes(model_page *m) {
    gos_page *p = &m->json;
    gos_linear_info info;
    gos__page_open(p, "sizes", '[');
    if (m->reduced) {
        gos_sizes s;
        gos_system_sizes(m->reduced, &s);
#define X(type, name, doc) row(p, #name, (double)s.name, doc);
        GOS_SIZES_FIELDS(X)
#undef X
    } else {
        gos_linear_info_get(m->linear, &info);
        row(p, "coordinates", info.coordinates, "displacements");
        row(p, "temperatures", info.temperatures, "");
        row(p, "potentials", info.potentials, "");
        row(p, "constraints", info.constraints + info.temperature_constraints,
            "of displacements and temperatures");
        row(p, "inputs", info.inputs, "");
        row(p, "outputs", info.outputs, "");
        row(p, "mass", info.mass, "in translation, kg");
    }
    gos__page_close(p, ']');
}

static void put_reduction(model_page *m) {
    gos_page *p = &m->json;
    gos_linear_reduction_report linear;
    char method[64];
    if (m->reduced) {
        gos_reduction r;
        gos_reduction_get(m->reduced, &r);
        gos__page_bool(p, "predicted", r.predicted > 0);
        gos__page_open(p, "reduction", '[');
#define X(type, name, doc) row(p, #name, (double)r.name, doc);
        GOS_REDUCTION_FIELDS(X)
#undef X
        gos__page_close(p, ']');
    } else if (gos_linear_reduction_report_read(m->path, &linear, method)) {
        gos__page_text(p, "method", method);
        gos__page_open(p, "reduction", '[');
#define X(type, name, doc) row(p, #name, (double)linear.name, doc);
        GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
        gos__page_close(p, ']');
    }
}

static void put_frequencies(model_page *m) {
    gos_page *p = &m->json;
    gos__page_open(p, "frequencies", '[');
    for (int i = 0; i < m->nmode; i++) {
        char name[80];
        gos_mode_name(&m->mode[i], name, sizeof name);
        gos__page_open(p, NULL, '{');
        gos__page_number(p, "frequency", m->mode[i].frequency);
        gos__page_text(p, "name", name);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
    gos__page_open(p, "rates", '[');
    for (int i = 0; i < m->nrate; i++) {
        gos__page_number(p, NULL, m->rate[i]);
    }
    gos__page_close(p, ']');
}

static void put_ports(model_page *m) {
    gos_page *p = &m->json;
    gos_linear_info info;
    gos_linear_info_get(m->linear, &info);
    for (int outputs = 0; outputs < 2 && !m->reduced; outputs++) {
        const int n = outputs ? info.outputs : info.inputs;
        gos__page_open(p, outputs ? "outputs" : "inputs", '{');
        gos__page_number(p, "number", n);
        gos__page_open(p, "names", '[');
        for (int i = 0; i < n && i < PORTS; i++) {
            const gos_port port =
                outputs ? gos_linear_output(m->linear, i) : gos_linear_input(m->linear, i);
            char text[300];
            gos__format(text, sizeof text, "%.200s [%.40s]", port.name, port.unit);
            gos__page_text(p, NULL, text);
        }
        gos__page_close(p, ']');
        gos__page_close(p, '}');
    }
}

static gos_status put_data(void *user) {
    model_page *m = user;
    gos_page *p = &m->json;
    const char *warnings = gos__view_warnings(p->ctx, m->a);
    GOS_TRY(warnings ? GOS_OK : GOS_E_MEMORY);
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "title", m->name);
    gos__page_text(p, "program", "gossamer " GOS_VERSION);
    gos__page_bool(p, "reduced", m->reduced != NULL);
    gos__page_text(p, "warnings", warnings);
    put_reduction(m);
    put_sizes(m);
    put_frequencies(m);
    put_ports(m);
    GOS_TRY(gos__design_page_modes(p, m->a, &m->view));
    gos__page_close(p, '}');
    return GOS_OK;
}

static gos_status write_page(model_page *m) {
    gos_ctx *ctx = m->json.ctx;
    GOS_TRY(gos_rom_exists(m->path) ? read_rom(m) : gos_linear_read(ctx, m->path, &m->linear));
    GOS_TRY(find_modes(m));
    const gos_page_parts parts = {.title = m->name,
                                  .style = {gos__viewer_style, gos__viewer_plain_style},
                                  .script = {gos__viewer_plain, gos__viewer_model},
                                  .data = put_data,
                                  .user = m};
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    const gos_status status = gos__page_put(&m->json, &parts);
    (void)uselocale(before);
    if (plain) {
        freelocale(plain);
    }
    return status;
}

gos_status gos_model_report(gos_ctx *ctx, const char *path, FILE *out) {
    model_page m = {.json = {.ctx = ctx, .out = out},
                    .a = gos__arena_create(ctx),
                    .path = path,
                    .name = gos__file_name(path)};
    const gos_status status = m.a ? write_page(&m) : GOS_E_MEMORY;
    gos_linear_destroy(m.linear);
    gos_state_destroy(m.state);
    gos_system_destroy(m.reduced);
    gos_system_destroy(m.full);
    gos_model_destroy(m.model);
    gos__arena_destroy(m.a);
    return status;
}
