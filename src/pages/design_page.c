/* Page about a design: evaluation, modes, inputs and time histories. Static SVG, no script. */
#include "pages/design_page.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "gossamer/io.h"
#include "pages/plain_page.h"
#include "pages/report.h"
#include "pages/chart.h"

/* Plots of poles, time histories and plant errors in the page of a design. */

#define WIDTH 860.0
#define OPEN "var(--ghost)"
#define OWN "var(--s2)"
#define RICH "var(--s3)"
enum { MOST_POLES = 400 };

static const char *const colour[] = {"var(--s2)", "var(--s3)", "var(--s0)", "var(--s1)"};

/* legend: words with colour marks */
static void key(FILE *out, int n, const char *const *colours, const char *const *words) {
    (void)fputs("<p class=\"key\">", out);
    for (int i = 0; i < n; i++) {
        (void)fprintf(out, "<span><b style=\"background:%s\"></b>", colours[i]);
        gos__page_html(out, words[i]);
        (void)fputs("</span> ", out);
    }
    (void)fputs("</p>\n", out);
}

static void open_svg(FILE *out, double height) {
    (void)fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", WIDTH, height);
}

/* ---- poles ----------------------------------------------------------------------------------- */

static double frequency_of(const gos_root *r) {
    return hypot(r->re, r->im) / (2 * M_PI);
}

static void widen_poles(gos_chart *c, int n, const gos_root *root) {
    for (int i = 0; i < n; i++) {
        const double f = frequency_of(&root[i]);
        if (f > 0 && isfinite(f)) {
            c->x.lo = fmin(c->x.lo, f);
            c->x.hi = fmax(c->x.hi, f);
            c->y.hi = fmax(c->y.hi, -root[i].re / (2 * M_PI * f));
        }
    }
}

static void draw_poles(const gos_chart *c, int n, const gos_root *root, const char *shape) {
    (void)fprintf(c->out, "<path %s d=\"", shape);
    for (int i = 0; i < n && i < MOST_POLES; i++) {
        const double f = frequency_of(&root[i]);
        if (f >= c->x.lo && isfinite(f)) { // rigid modes without control
            const double x = gos__chart_x(c, f), y = gos__chart_y(c, -root[i].re / (2 * M_PI * f));
            (void)fprintf(c->out, "M%.1f %.1fh0", x, y);
        }
    }
    (void)fputs("\"/>\n", c->out);
}

/* Poles with and without control. */
static void design_page_poles(FILE *out, const gos_design *d) {
    static const char *const shade[] = {OPEN, OWN, RICH};
    const gos_design_report *r = &d->report;
    char rich[80];
    gos__format(rich, sizeof rich, "with control, plant of %d modes", r->plant_modes);
    const char *const words[] = {"without control", "with control, design plant", rich};
    gos_chart c = {.out = out,
                   .left = 70,
                   .top = 30,
                   .width = WIDTH - 90,
                   .height = 300,
                   .x = {GOS_CHART_LOG, HUGE_VAL, 0, 0, "frequency |s| / (2 pi) [Hz]"},
                   .y = {GOS_CHART_LINEAR, fmin(-0.01, fmin(r->damping, r->plant_damping) * 1.1),
                         0.05, 0, "damping ratio [-], below 0: unstable"}};
    widen_poles(&c, d->npole, d->pole);
    widen_poles(&c, d->nplant_pole, d->plant_pole);
    c.y.hi = fmin(1.05, 1.15 * c.y.hi);
    if (!(c.x.hi >= c.x.lo)) {
        return;
    }
    c.x.lo = fmax(c.x.lo / 1.3, c.x.hi * 1e-6);
    c.x.hi *= 1.3;
    (void)fputs("<section>\n<h2>Poles</h2>\n", out);
    key(out, 3, shade, words);
    open_svg(out, 380);
    gos__chart_frame(&c);
    const double zero = gos__chart_y(&c, 0);
    (void)fprintf(out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"bad\"/>\n",
                  c.left, zero, c.width, c.top + c.height - zero);
    draw_poles(&c, d->nopen, d->open, "class=\"dot\" stroke-width=\"12\" stroke=\"" OPEN "\"");
    draw_poles(&c, d->nplant_pole, d->plant_pole,
               "class=\"dot\" stroke-width=\"8\" stroke=\"" RICH "\"");
    draw_poles(&c, d->npole, d->pole, "class=\"dot\" stroke-width=\"4.5\" stroke=\"" OWN "\"");
    (void)fputs("</svg>\n</section>\n", out);
}

/* ---- time histories -------------------------------------------------------------------------- */

static const double *low_of(const gos_design_history *c, bool accelerations) {
    return accelerations ? c->acceleration_low : c->low;
}

static const double *high_of(const gos_design_history *c, bool accelerations) {
    return accelerations ? c->acceleration_high : c->high;
}

/* without diverging time histories */
static void widen(gos_chart_axis *a, const gos_design_history *c, bool accelerations) {
    const double *low = low_of(c, accelerations), *high = high_of(c, accelerations);
    for (int k = 0; k < c->n && !c->failure && low; k++) {
        a->lo = fmin(a->lo, low[k]);
        a->hi = fmax(a->hi, high[k]);
    }
}

static const gos_design_history *find(const gos_design *d, bool plant, bool closed) {
    for (int i = 0; i < d->nhistory; i++) {
        if (d->history[i].plant == plant && d->history[i].closed == closed && d->history[i].n > 0) {
            return &d->history[i];
        }
    }
    return NULL;
}

static void draw_output(FILE *out, const gos_design_history *free, const gos_design_history *closed,
                        bool accelerations) {
    char label[120];
    gos__format(label, sizeof label, "%s%.60s [%s]", accelerations ? "acceleration of " : "",
                closed->output, accelerations ? closed->acceleration_unit : closed->unit);
    gos_chart c = {.out = out,
                   .left = 70,
                   .top = 30,
                   .width = WIDTH - 90,
                   .height = 210,
                   .x = {GOS_CHART_LINEAR, 0, closed->time[closed->n - 1], 0, "time [s]"},
                   .y = {GOS_CHART_LINEAR, 0, 0, 0, label}};
    widen(&c.y, closed, accelerations);
    if (free) {
        widen(&c.y, free, accelerations);
        c.x.hi = fmax(c.x.hi, free->time[free->n - 1]);
    }
    gos__chart_room(&c.y);
    open_svg(out, 290);
    gos__chart_frame(&c);
    const bool above = free && free->peak < closed->peak; // draw the smaller one on top
    for (int turn = 0; turn < 2; turn++) {
        const gos_design_history *now = (turn == 0) == above ? closed : free;
        if (now) {
            gos__chart_spans(&c, now->n, now->time, low_of(now, accelerations),
                             high_of(now, accelerations),
                             now == free ? "class=\"curve\" stroke=\"" OPEN "\""
                                         : "class=\"curve\" stroke=\"" OWN "\"");
        }
    }
    (void)fputs("</svg>\n", out);
}

static void draw_inputs(FILE *out, const gos_design_history *history) {
    char label[80];
    const bool limited = isfinite(history->limit);
    gos__format(label, sizeof label, "inputs [%s]%s", history->input_unit,
                limited ? ", dashed: their limit" : "");
    gos_chart c = {.out = out,
                   .left = 70,
                   .top = 30,
                   .width = WIDTH - 90,
                   .height = 160,
                   .x = {GOS_CHART_LINEAR, 0, history->time[history->n - 1], 0, "time [s]"},
                   .y = {GOS_CHART_LINEAR, 0, 0, 0, label}};
    for (int i = 0; i < history->ninput; i++) {
        for (int k = 0; k < history->n; k++) {
            c.y.lo = fmin(c.y.lo, history->input_low[i][k]);
            c.y.hi = fmax(c.y.hi, history->input_high[i][k]);
        }
    }
    if (limited && c.y.hi > 0.5 * history->limit) {
        c.y.hi = history->limit;
    }
    if (limited && c.y.lo < -0.5 * history->limit) {
        c.y.lo = -history->limit;
    }
    gos__chart_room(&c.y);
    key(out, history->ninput, colour, history->input);
    open_svg(out, 240);
    gos__chart_frame(&c);
    for (int i = history->ninput - 1; i >= 0; i--) {
        char attributes[80];
        gos__format(attributes, sizeof attributes, "class=\"curve\" stroke=\"%s\"", colour[i]);
        gos__chart_spans(&c, history->n, history->time, history->input_low[i],
                         history->input_high[i], attributes);
    }
    for (int sign = -1; sign <= 1 && limited; sign += 2) {
        gos__chart_level(&c, sign * history->limit,
                         "stroke=\"var(--soft)\" stroke-dasharray=\"6 4\" fill=\"none\"");
    }
    (void)fputs("</svg>\n", out);
}

static void tell(FILE *out, const gos_design_history *c) {
    const char *unit = c->acceleration_low ? c->acceleration_unit : c->unit;
    const bool limited = isfinite(c->limit);
    (void)fprintf(out, "<li>%s: ", c->closed ? "with control" : "without control");
    if (c->failure) {
        gos__page_html(out, c->failure);
        (void)fputs("</li>\n", out);
        return;
    }
    (void)fprintf(out, "%s RMS %.4g %s, peak %.4g %s",
                  c->acceleration_low ? "acceleration" : "output", c->rms, unit, c->peak, unit);
    if (c->closed) {
        (void)fprintf(out, "; largest command %.4g %s", c->command, c->input_unit);
        if (limited) {
            (void)fprintf(out, ", an input saturated for %.3g %% of the time", 100 * c->clipped);
        }
    }
    (void)fputs("</li>\n", out);
}

static void draw_plant(FILE *out, const gos_design *d, bool plant) {
    const gos_design_history *free = find(d, plant, false), *closed = find(d, plant, true);
    (void)fprintf(out, "<h3>Plant of %d modes%s</h3>\n<ul>\n",
                  plant ? d->report.plant_modes : d->report.modes,
                  plant ? "" : ", as in the design");
    if (free) {
        tell(out, free);
    }
    if (closed) {
        tell(out, closed);
    }
    (void)fputs("</ul>\n", out);
    if (!closed || closed->n < 2) {
        return;
    }
    if (closed->acceleration_low && (!free || free->acceleration_low)) {
        draw_output(out, free, closed, true);
    }
    draw_output(out, free, closed, false);
    if (closed->ninput > 0) {
        draw_inputs(out, closed);
    }
}

/* Time histories under the disturbance. */
static void design_page_histories(FILE *out, const gos_design *d) {
    static const char *const shade[] = {OPEN, OWN};
    static const char *const words[] = {"without control", "with control"};
    if (d->nhistory == 0 && !d->no_history) {
        return;
    }
    (void)fputs("<section>\n<h2>Time histories under the disturbance</h2>\n", out);
    if (d->no_history) {
        (void)fputs("<p>None: ", out);
        gos__page_html(out, d->no_history);
        (void)fputs(".</p>\n</section>\n", out);
        return;
    }
    (void)fprintf(out,
                  "<p>Linear plants with saturated inputs, starting from rest. RMS and peaks are "
                  "evaluated from %.4g s, after the disturbance (",
                  d->history[0].from);
    gos__page_html(out, d->history[0].disturbance);
    (void)fputs("). Inputs that are equal up to sign are shown once.</p>\n", out);
    key(out, 2, shade, words);
    draw_plant(out, d, false);
    if (d->report.plant_modes != d->report.modes) {
        draw_plant(out, d, true);
    }
    (void)fputs("</section>\n", out);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void draw_kind(const gos_chart *c, const gos_design *d, int kind, bool plant,
                      const char *attributes, const char *dots) {
    double x[64] = {0}, y[64] = {0};
    int n = 0;
    for (int i = 0; i < d->nerror && n < GOS_COUNT(x) - 1; i++) {
        const gos_design_error *e = &d->error[i];
        if ((int)e->kind == kind) {
            x[n] = 100 * e->error;
            y[n++] = plant ? e->plant_abscissa : e->abscissa;
        }
    }
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && x[k] < x[k - 1]; k--) {
            const double sx = x[k], sy = y[k];
            x[k] = x[k - 1];
            y[k] = y[k - 1];
            x[k - 1] = sx;
            y[k - 1] = sy;
        }
    }
    gos__chart_curve(c, n, x, y, attributes);
    (void)fprintf(c->out, "<path %s d=\"", dots);
    for (int i = 0; i < n; i++) {
        (void)fprintf(c->out, "M%.1f %.1fh0", gos__chart_x(c, x[i]), gos__chart_y(c, y[i]));
    }
    (void)fputs("\"/>\n", c->out);
}

static void errors_of(FILE *out, const gos_design *d, int kind) {
    gos_chart c = {.out = out,
                   .left = 70,
                   .top = 30,
                   .width = WIDTH - 90,
                   .height = 190,
                   .x = {GOS_CHART_LINEAR, 0, 0, 0, "plant error [%]"},
                   .y = {GOS_CHART_SYMLOG, 0, 0, 0,
                         "largest real part of the closed loop [1/s], above 0: unstable"}};
    int n = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < d->nerror; i++) {
        const gos_design_error *e = &d->error[i];
        if ((int)e->kind == kind && isfinite(e->abscissa) && isfinite(e->plant_abscissa)) {
            n++;
            c.x.lo = fmin(c.x.lo, 100 * e->error);
            c.x.hi = fmax(c.x.hi, 100 * e->error);
            c.y.lo = fmin(c.y.lo, fmin(e->abscissa, e->plant_abscissa));
            c.y.hi = fmax(c.y.hi, fmax(e->abscissa, e->plant_abscissa));
            least = fmin(least, fmin(fabs(e->abscissa), fabs(e->plant_abscissa)));
        }
    }
    if (n == 0) {
        return;
    }
    const double most = fmax(c.y.hi, -c.y.lo);
    c.y.small = pow(10, floor(log10(fmin(most, fmax(least, most * 1e-4)))));
    c.y.lo = fmin(1.5 * c.y.lo, -2 * c.y.small);
    c.y.hi = fmax(1.5 * c.y.hi, 2 * c.y.small);
    gos__chart_room(&c.x);
    (void)fprintf(out, "<h3>Errors of the %s</h3>\n",
                  gos_design_error_name((gos_design_error_kind)kind));
    open_svg(out, 270);
    gos__chart_frame(&c);
    const double zero = gos__chart_y(&c, 0);
    (void)fprintf(out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"bad\"/>\n",
                  c.left, c.top, c.width, zero - c.top);
    draw_kind(&c, d, kind, true, "class=\"curve\" stroke=\"" RICH "\"",
              "class=\"dot\" stroke-width=\"7\" stroke=\"" RICH "\"");
    draw_kind(&c, d, kind, false, "class=\"curve\" stroke=\"" OWN "\"",
              "class=\"dot\" stroke-width=\"5\" stroke=\"" OWN "\"");
    (void)fputs("</svg>\n", out);
}

/* Effects of plant errors. */
static void design_page_errors(FILE *out, const gos_design *d) {
    static const char *const shade[] = {OWN, RICH};
    char rich[60];
    gos__format(rich, sizeof rich, "plant of %d modes", d->report.plant_modes);
    const char *const words[] = {"own modes", rich};
    if (d->nerror == 0) {
        return;
    }
    (void)fputs(
        "<section>\n<h2>Effects of plant errors</h2>\n<p>One parameter of the plant at a time "
        "differs from the controller's model: the feedthrough from inputs to signals (capacitance "
        "of electrodes that are driven and measured), the gain of all inputs, or all "
        "frequencies.</p>\n",
        out);
    key(out, 2, shade, words);
    for (int kind = GOS_ERROR_FEEDTHROUGH; kind <= GOS_ERROR_FREQUENCY; kind++) {
        errors_of(out, d, kind);
    }
    (void)fputs("</section>\n", out);
}

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
    design_page_histories(out, d);
    GOS_TRY(put_inputs(out, a, d));
    design_page_poles(out, d);
    put_pole_table(out, d);
    put_spillover(out, d);
    design_page_errors(out, d);
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
