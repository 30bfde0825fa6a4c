/* Page of a stored reduced or linear model. */
#include <locale.h>

#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "pages/design_page.h"
#include "pages/plain_page.h"
#include "pages/report.h"

enum { SHOWN = 24, PORTS = 100 };

typedef struct model_page {
    gos_ctx *ctx;
    gos_arena *a;
    FILE *out;
    const char *name;
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

static gos_status read_rom(model_page *p, const char *path) {
    GOS_TRY(gos_rom_model(p->ctx, path, &p->model));
    GOS_TRY(gos_model_read_controllers(p->ctx, p->model));
    GOS_TRY(gos_system_create(p->ctx, p->model, &p->full));
    GOS_TRY(gos_rom_load(p->ctx, p->full, path, &p->reduced));
    GOS_TRY(gos_state_create(p->ctx, p->reduced, &p->state));
    p->name = gos_system_name(p->reduced);
    GOS_TRY(gos_linearise(p->ctx, p->reduced, p->state, &p->linear));
    return gos__view_model(p->ctx, p->reduced, p->state, p->linear, p->a, SHOWN, &p->view);
}

static gos_status find_modes(model_page *p) {
    gos_linear_info info;
    gos_linear_info_get(p->linear, &info);
    if (info.coordinates > 0) {
        GOS_TRY(gos_linear_modes(p->ctx, p->linear, SHOWN, false, p->mode, &p->nmode));
    }
    return info.temperatures > 0
               ? gos_linear_thermal_modes(p->ctx, p->linear, SHOWN, p->rate, NULL, &p->nrate)
               : GOS_OK;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* 0 means unknown or none and is omitted */
static void row(FILE *out, const char *name, double value, const char *doc) {
    if (value != 0) {
        (void)fputs("<tr><td>", out);
        gos__page_html(out, name);
        (void)fprintf(out, "</td><td>%.6g</td><td class=\"note\">", value);
        gos__page_html(out, doc);
        (void)fputs("</td></tr>\n", out);
    }
}

static void open_table(FILE *out, const char *title) {
    (void)fprintf(out, "<section>\n<h2>%s</h2>\n<table class=\"facts\">\n", title);
}

static void close_table(FILE *out) {
    (void)fputs("</table>\n</section>\n", out);
}

static void put_sizes(const model_page *p) {
    FILE *out = p->out;
    gos_linear_info info;
    open_table(out, "Sizes");
    if (p->reduced) {
        gos_sizes s;
        gos_system_sizes(p->reduced, &s);
#define X(type, name, doc) row(out, #name, (double)s.name, doc);
        GOS_SIZES_FIELDS(X)
#undef X
    } else {
        gos_linear_info_get(p->linear, &info);
        row(out, "coordinates", info.coordinates, "displacements");
        row(out, "temperatures", info.temperatures, "");
        row(out, "potentials", info.potentials, "");
        row(out, "constraints", info.constraints + info.temperature_constraints,
            "of displacements and temperatures");
        row(out, "inputs", info.inputs, "");
        row(out, "outputs", info.outputs, "");
        row(out, "mass", info.mass, "in translation, kg");
    }
    close_table(out);
}

static void put_reduction(const model_page *p, const char *path) {
    FILE *out = p->out;
    gos_linear_reduction_report linear;
    char method[64];
    if (p->reduced) {
        gos_reduction r;
        gos_reduction_get(p->reduced, &r);
        if (!(r.predicted > 0)) {
            (void)fputs("<p class=\"banner\">The reduction error is unknown, because no comparison "
                        "was made.</p>\n",
                        out);
        }
        open_table(out, "Reduction");
#define X(type, name, doc) row(out, #name, (double)r.name, doc);
        GOS_REDUCTION_FIELDS(X)
#undef X
        close_table(out);
    } else if (gos_linear_reduction_report_read(path, &linear, method)) {
        open_table(out, "Reduction");
        (void)fputs("<tr><td>method</td><td>", out);
        gos__page_html(out, method);
        (void)fputs("</td></tr>\n", out);
#define X(type, name, doc) row(out, #name, (double)linear.name, doc);
        GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
        close_table(out);
    }
}

static void put_frequencies(const model_page *p) {
    FILE *out = p->out;
    if (p->nmode > 0) {
        (void)fputs("<section>\n<h2>Frequencies</h2>\n<table><tr><th>mode</th><th>Hz</th><th></th>"
                    "</tr>\n",
                    out);
        for (int i = 0; i < p->nmode; i++) {
            char name[80];
            gos_mode_name(&p->mode[i], name, sizeof name);
            (void)fprintf(out, "<tr><td>%d</td><td>%.6g</td><td>", i + 1, p->mode[i].frequency);
            gos__page_html(out, name);
            (void)fputs("</td></tr>\n", out);
        }
        close_table(out);
    }
    if (p->nrate > 0) {
        (void)fputs("<section>\n<h2>Slowest temperature fields</h2>\n<table><tr><th>field</th>"
                    "<th>rate [1/s]</th><th>time constant [s]</th></tr>\n",
                    out);
        for (int i = 0; i < p->nrate; i++) {
            const double rate = p->rate[i];
            (void)fprintf(out, "<tr><td>%d</td><td>%.6g</td><td>", i + 1, rate);
            if (rate > 0) {
                (void)fprintf(out, "%.6g", 1 / rate);
            }
            (void)fputs("</td></tr>\n", out);
        }
        close_table(out);
    }
}

static void put_ports(const model_page *p) {
    gos_linear_info info;
    gos_linear_info_get(p->linear, &info);
    for (int outputs = 0; outputs < 2 && !p->reduced; outputs++) {
        const int n = outputs ? info.outputs : info.inputs;
        (void)fprintf(p->out, "<section>\n<h2>%s</h2>\n<p>", outputs ? "Outputs" : "Inputs");
        for (int i = 0; i < n && i < PORTS; i++) {
            const gos_port port =
                outputs ? gos_linear_output(p->linear, i) : gos_linear_input(p->linear, i);
            char text[300];
            gos__format(text, sizeof text, "%s%.200s [%.40s]", i > 0 ? ", " : "", port.name,
                        port.unit);
            gos__page_html(p->out, text);
        }
        (void)fprintf(p->out, "%s</p>\n</section>\n",
                      n == 0      ? "none"
                      : n > PORTS ? " and more"
                                  : "");
    }
}

static gos_status put_page(model_page *p, const char *path) {
    gos__plain_page_begin(p->out, p->reduced ? "Reduced model" : "Linear model", p->name);
    const char *warnings = gos__view_warnings(p->ctx, p->a);
    GOS_TRY(warnings ? GOS_OK : GOS_E_MEMORY);
    gos__plain_page_warnings(p->out, warnings);
    put_reduction(p, path);
    put_sizes(p);
    put_frequencies(p);
    put_ports(p);
    if (p->view.nmode > 0) {
        GOS_TRY(gos__design_page_modes(p->out, p->a, &p->view));
    } else {
        (void)fputs(p->reduced ? "<p>Modes are not drawn: the mesh is too large, or there are no "
                                 "vibration modes.</p>\n"
                               : "<p>A linear model has no mesh: its modes cannot be drawn.</p>\n",
                    p->out);
    }
    gos__plain_page_end(p->out);
    return GOS_OK;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static gos_status write_page(model_page *p, const char *path) {
    GOS_TRY(gos_rom_exists(path) ? read_rom(p, path) : gos_linear_read(p->ctx, path, &p->linear));
    GOS_TRY(find_modes(p));
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    const gos_status status = put_page(p, path);
    (void)uselocale(before);
    if (plain) {
        freelocale(plain);
    }
    return status == GOS_OK && ferror(p->out)
               ? gos__fail(p->ctx, GOS_E_FILE, "cannot write the report")
               : status;
}

gos_status gos_model_report(gos_ctx *ctx, const char *path, FILE *out) {
    model_page p = {.ctx = ctx, .out = out, .a = gos__arena_create(ctx), .name = file_name(path)};
    const gos_status status = p.a ? write_page(&p, path) : GOS_E_MEMORY;
    gos_linear_destroy(p.linear);
    gos_state_destroy(p.state);
    gos_system_destroy(p.reduced);
    gos_system_destroy(p.full);
    gos_model_destroy(p.model);
    gos__arena_destroy(p.a);
    return status;
}
