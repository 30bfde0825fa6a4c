/* Page about a design: evaluation, modes, inputs and time histories. Static SVG, no script. */
#include "pages/design_page.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "gossamer/io.h"
#include "pages/plain_page.h"
#include "pages/report.h"

enum { SHOWN_INPUTS = 24, OPEN_INPUTS = 12, SHOWN_POLES = 60, OPEN_MODES = 30 };

#define LESS 0.01 // smallest reported loss of damping ratio

/* ---- head ------------------------------------------------------------------------------------ */

static void put_head(FILE *out, const gos_design *d) {
    const char *name = d->view ? d->view->name : "controller";
    char kind[2 * GOS_LIMIT_NAME + 256];
    gos__format(kind, sizeof kind, "Design%s%.200s", d->view ? " for " : "",
                d->view ? d->view->model : "");
    gos__plain_page_begin(out, kind, name);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void row(FILE *out, const char *name, const char *format, ...) GOS_PRINTF(3, 4);
static void row(FILE *out, const char *name, const char *format, ...) {
    char text[300];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)fprintf(out, "<tr><td>%s</td><td>", name);
    gos__page_html(out, text);
    (void)fputs("</td></tr>\n", out);
}

static void put_overview(FILE *out, const gos_design *d) {
    const gos_design_report *r = &d->report;
    const bool own = r->abscissa < 0, rich = r->plant_abscissa < 0;
    (void)fprintf(out, "<p><span class=\"state %s\">%s</span></p>\n", own && rich ? "good" : "poor",
                  !own    ? "unstable with the design plant"
                  : !rich ? "stable with the design plant, UNSTABLE with the plant with more modes"
                          : "stable with the design plant and with the plant with more modes");
    gos__plain_page_warnings(out, d->view ? d->view->warnings : "");
    (void)fputs("<table class=\"facts\">\n", out);
    row(out, "modes", "%d in the design model, %d of them rigid; evaluated with %d", r->modes,
        r->rigid, r->plant_modes);
    if (d->has_law) {
        row(out, "controller", "%d states, %d signals, %d inputs, %s", d->law.n, d->law.ny,
            d->law.nu, r->period > 0 ? "sampled" : "continuous");
    } else {
        row(out, "controller",
            "state gain only, %d inputs: the signals do not determine the states, so it cannot be "
            "simulated",
            r->inputs);
    }
    if (r->period > 0) {
        row(out, "period", "%.6g s", r->period);
    }
    row(out, "weight factor", "k_Q = %.6g", r->k_Q);
    if (r->choose_k_Q > 0) {
        row(out, "chosen", "%d of %d inputs, with k_Q = %.6g for all of them", r->inputs,
            r->candidates, r->choose_k_Q);
    }
    row(out, "largest real part",
        "%.4g 1/s with the design plant, %.4g 1/s with the plant with more modes", r->abscissa,
        r->plant_abscissa);
    row(out, "smallest damping ratio",
        "%.4g with the design plant, %.4g with the plant with more "
        "modes",
        r->damping, r->plant_damping);
    if (r->norm_open > 0) {
        row(out, "H-infinity norm", "%.4g at %.4g Hz, without control %.4g", r->norm,
            r->norm_omega / (2 * M_PI), r->norm_open);
    } else {
        row(out, "H-infinity norm", "%.4g at %.4g Hz; unstable without control", r->norm,
            r->norm_omega / (2 * M_PI));
    }
    row(out, "disk margin at all inputs", "%.4g: factors of %.4g to %.4g, phase %.4g degrees",
        r->disk, r->gain_margin > 0 ? 1 / r->gain_margin : 0, r->gain_margin,
        r->phase_margin * 180 / M_PI);
    row(out, "sensitivity", "largest singular value %.4g", r->sensitivity);
    row(out, "residuals", "%.1e of the regulator equation, %.1e of the observer equation",
        r->residual, r->observer_residual);
    (void)fputs("</table>\n", out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_pole(FILE *out, int n, const gos_root *root, int i) {
    if (i >= n) {
        (void)fputs("<td></td><td></td>", out);
        return;
    }
    const double size = hypot(root[i].re, root[i].im);
    const char *class = root[i].re < 0 ? "" : " class=\"unstable\"";
    (void)fprintf(out, "<td%s>%.5g</td><td%s>%.3g</td>", class, size / (2 * M_PI), class,
                  size > 0 ? -root[i].re / size : 0);
}

static void put_pole_table(FILE *out, const gos_design *d) {
    const int most = d->nplant_pole > d->npole ? d->nplant_pole : d->npole;
    const int n = most > d->nopen ? most : d->nopen;
    (void)fprintf(
        out,
        "<details><summary>Table of poles</summary>\n<div class=\"scroll\"><table><tr><th>"
        "</th><th colspan=\"2\">without control</th><th colspan=\"2\">own modes</th><th "
        "colspan=\"2\">plant of %d modes</th></tr>\n<tr><th></th><th>Hz</th><th>ratio</th>"
        "<th>Hz</th><th>ratio</th><th>Hz</th><th>ratio</th></tr>\n",
        d->report.plant_modes);
    for (int i = 0; i < n && i < SHOWN_POLES; i++) {
        (void)fprintf(out, "<tr><td>%d</td>", i + 1);
        put_pole(out, d->nopen, d->open, i);
        put_pole(out, d->npole, d->pole, i);
        put_pole(out, d->nplant_pole, d->plant_pole, i);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</table></div>\n", out);
    if (n > SHOWN_POLES) {
        (void)fprintf(out, "<p>and %d more; see <code>gossamer info --json</code></p>\n",
                      n - SHOWN_POLES);
    }
    (void)fputs("</details>\n", out);
}

/* modes outside the design model show the spillover */
static void put_spillover(FILE *out, const gos_design *d) {
    const int known = d->report.modes - d->report.rigid;
    int driven = 0, unknown = 0;
    if (d->nmode == 0) {
        return;
    }
    for (int i = known; i < d->nmode; i++) {
        const gos_design_mode *m = &d->mode[i];
        const double size = hypot(m->pole.re, m->pole.im);
        unknown += size > 0 && -m->pole.re / size < m->damping * (1 - LESS);
        driven += !(m->pole.re < 0);
    }
    (void)fputs("<section>\n<h2>Spillover</h2>\n", out);
    (void)fprintf(out,
                  d->nmode > known
                      ? "<p>Of %d modes outside the design model, %d have less damping with the "
                        "controller than without, %d of them unstable.</p>\n"
                      : "<p>The design model contains all modes of the plant.</p>\n",
                  d->nmode - known, unknown, driven);
    (void)fprintf(out,
                  "<details%s><summary>Mode by mode</summary>\n<div "
                  "class=\"scroll\"><table><tr><th>mode</th><th>Hz</th><th>damping ratio without "
                  "control</th><th>with control, of the pole with its largest "
                  "participation</th><th>participation</th><th></th></tr>\n",
                  driven > 0 || d->nmode <= OPEN_MODES ? " open" : "");
    for (int i = 0; i < d->nmode; i++) {
        const gos_design_mode *m = &d->mode[i];
        const double size = hypot(m->pole.re, m->pole.im);
        const char *class = m->pole.re < 0 ? "" : " class=\"unstable\"";
        (void)fprintf(out,
                      "<tr><td>%d</td><td>%.5g</td><td>%.3g</td><td%s>%.3g</td><td>%.2f</td>"
                      "<td>%s%s</td></tr>\n",
                      i + 1, m->omega / (2 * M_PI), m->damping, class,
                      size > 0 ? -m->pole.re / size : 0, m->share,
                      i < known ? "" : "not in the design model",
                      m->pole.re < 0 ? "" : ", destabilised");
    }
    (void)fputs("</table></div></details>\n</section>\n", out);
}

static int by_importance(const void *a, const void *b) {
    const gos_design_input *p = *(const gos_design_input *const *)a,
                           *q = *(const gos_design_input *const *)b;
    return p->importance != q->importance
               ? (p->importance < q->importance) - (p->importance > q->importance)
               : (p > q) - (p < q);
}

static gos_status put_inputs(FILE *out, gos_arena *a, const gos_design *d) {
    const gos_design_input **sorted = GOS_NEW(a, const gos_design_input *, d->ncandidate + 1);
    GOS_TRY(sorted ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->ncandidate; i++) {
        sorted[i] = &d->candidate[i];
    }
    qsort(sorted, (size_t)d->ncandidate, sizeof *sorted, by_importance);
    const double most = d->ncandidate > 0 ? sorted[0]->importance : 0;
    (void)fputs("<section>\n<h2>Inputs</h2>\n", out);
    GOS_TRY(gos__design_page_map(out, a, d));
    (void)fprintf(out,
                  "<details%s><summary>By the norms of their rows of the "
                  "gain</summary>\n<table><tr><th>input</th><th>norm</th><th></th><th></th></tr>\n",
                  d->ncandidate <= OPEN_INPUTS ? " open" : "");
    for (int i = 0; i < d->ncandidate && i < SHOWN_INPUTS; i++) {
        (void)fputs("<tr><td>", out);
        gos__page_html(out, sorted[i]->name);
        (void)fprintf(
            out,
            "</td><td>%.5g</td><td><svg width=\"160\" height=\"10\"><rect "
            "width=\"%.1f\" height=\"10\" class=\"part-of\"/></svg></td><td>%s</td></tr>\n",
            sorted[i]->importance, most > 0 ? 160 * sorted[i]->importance / most : 0,
            sorted[i]->chosen ? "drives" : "");
    }
    (void)fputs("</table>\n", out);
    if (d->ncandidate > SHOWN_INPUTS) {
        (void)fprintf(out, "<p>and %d more</p>\n", d->ncandidate - SHOWN_INPUTS);
    }
    (void)fputs("</details>\n</section>\n", out);
    return GOS_OK;
}

/* ---- the page -------------------------------------------------------------------------------- */

static gos_status put_page(FILE *out, gos_arena *a, const gos_design *d) {
    put_head(out, d);
    put_overview(out, d);
    gos__design_page_histories(out, d);
    GOS_TRY(put_inputs(out, a, d));
    gos__design_page_poles(out, d);
    put_pole_table(out, d);
    put_spillover(out, d);
    gos__design_page_errors(out, d);
    GOS_TRY(gos__design_page_modes(out, a, d->view));
    gos__plain_page_end(out);
    return GOS_OK;
}

gos_status gos_controller_report(gos_ctx *ctx, const char *path, FILE *out) {
    gos_design *d = NULL;
    GOS_TRY(gos_controller_read(ctx, path, &d));
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    gos_status status = put_page(out, d->arena, d);
    (void)uselocale(before);
    if (plain) {
        freelocale(plain);
    }
    if (status == GOS_OK && ferror(out)) {
        status = gos__fail(ctx, GOS_E_FILE, "cannot write the report");
    }
    gos_design_destroy(d);
    return status;
}
