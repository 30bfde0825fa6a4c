/* Differences between two runs over time, as SVG. */
#include <locale.h>
#include <math.h>

#include "base/base.h"
#include "gossamer/io.h"
#include "pages/svg.h"

enum { MOST = 8 };

#define DECADES 1e6 // range below the largest difference
#define WIDTH 900
#define LEFT 90.0
#define RIGHT 250.0 // space for names

/* ---- charts ---------------------------------------------------------------------------------- */

typedef enum chart_scale {
    CHART_LINEAR,
    CHART_LOG, // lo > 0
} chart_scale;

typedef struct chart_axis {
    chart_scale scale;
    double lo, hi;
    const char *label;
} chart_axis;

typedef struct chart {
    FILE *out;
    double left, top, width, height; // of the frame [px]
    chart_axis x, y;
} chart;

#define RANGE_MARGIN 0.06 // relative margin on both sides

static void chart_room(chart_axis *a) {
    const double span = a->hi - a->lo, size = fmax(fabs(a->lo), fabs(a->hi));
    const double room =
        gos__range_flat(a->lo, a->hi, 0) ? (size > 0 ? size : 1) : RANGE_MARGIN * span;
    a->lo -= room;
    a->hi += room;
}

/* maps a value to the axis scale */
static double straight(const chart_axis *a, double v) {
    return a->scale == CHART_LOG ? log10(v) : v;
}

/* 0 at lo, 1 at hi; clamped */
static double part(const chart_axis *a, double v) {
    const double lo = straight(a, a->lo), hi = straight(a, a->hi);
    const double s = (straight(a, v) - lo) / (hi - lo);
    return fmin(1, fmax(0, s));
}

static double chart_x(const chart *c, double x) {
    return c->left + c->width * part(&c->x, x);
}

static double chart_y(const chart *c, double y) {
    return c->top + c->height * (1 - part(&c->y, y));
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static void tick(const chart *c, bool up, double v) {
    char text[32];
    gos__format(text, sizeof text, "%g", v);
    if (up) {
        const double y = chart_y(c, v);
        (void)fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>\n", c->left, y,
                      c->width);
        gos__svg_text(c->out, c->left - 7, y + 4, "end", "class=\"tick\"", text);
    } else {
        const double x = chart_x(c, v);
        (void)fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/>\n", x, c->top,
                      c->height);
        gos__svg_text(c->out, x, c->top + c->height + 17, "middle", "class=\"tick\"", text);
    }
}

static void linear_ticks(const chart *c, bool up, const chart_axis *a) {
    const int most = up ? (int)fmax(3, c->height / 42) : (int)fmax(3, c->width / 90);
    const gos_ticks t = gos__ticks(a->lo, a->hi, gos__round_step(a->hi - a->lo, most));
    for (int i = 0; i < t.count; i++) {
        const double v = (t.first + i) * t.step;
        tick(c, up, fabs(v) < 1e-9 * t.step ? 0 : v);
    }
}

/* decades, with 2 and 5 if there are few */
static void decades(const chart *c, bool up, const chart_axis *a) {
    static const double step[] = {1, 2, 5};
    if (!(a->hi >= a->lo)) {
        return;
    }
    const double span = log10(a->hi / a->lo);
    const int count = span < 2.5 ? 3 : 1, every = (int)fmax(1, ceil(span / 7));
    for (int e = (int)floor(log10(a->lo)); e <= (int)ceil(log10(a->hi)); e += every) {
        for (int s = 0; s < count; s++) {
            const double v = step[s] * pow(10, e);
            if (v >= a->lo * (1 - 1e-9) && v <= a->hi * (1 + 1e-9)) {
                tick(c, up, v);
            }
        }
    }
}

static void ticks(const chart *c, bool up) {
    const chart_axis *a = up ? &c->y : &c->x;
    if (a->scale == CHART_LINEAR) {
        linear_ticks(c, up, a);
    } else {
        decades(c, up, a);
    }
}

static void chart_frame(const chart *c) {
    ticks(c, false);
    ticks(c, true);
    (void)fprintf(c->out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"frame\"/>\n",
                  c->left, c->top, c->width, c->height);
    gos__svg_text(c->out, c->left + c->width / 2, c->top + c->height + 38, "middle",
                  "class=\"label\"", c->x.label);
    gos__svg_text(c->out, c->left, c->top - 9, "start", "class=\"label\"", c->y.label);
}

static void chart_curve(const chart *c, int n, const double *x, const double *y,
                        const char *attributes) {
    (void)fprintf(c->out, "<path %s d=\"", attributes);
    for (int k = 0; k < n; k++) {
        (void)fprintf(c->out, "%c%.1f %.1f", k ? 'L' : 'M', chart_x(c, x[k]), chart_y(c, y[k]));
    }
    (void)fputs("\"/>\n", c->out);
}

/* ---- differences ----------------------------------------------------------------------------- */

/* a time history and its scale */
typedef struct curve {
    const double *history;
    double scale, max; // max: of history / scale
    const char *name, *component;
} curve;

static const char *const colours[] = {"#111827", "#b4472f", "#1f6f8b", "#4a7c2c", "#7b4ea3",
                                      "#b8860b", "#c2528b", "#2f8f8f", "#6b7280", "#92400e"};

/* needs a scale; among probes (from `first` on) those with the largest differences remain */
static int add_curve(curve *list, int n, int first, curve c) {
    if (!c.history || !(c.scale > 0) || !isfinite(c.max)) {
        return n;
    }
    if (n - first < MOST) {
        list[n] = c;
        return n + 1;
    }
    int least = first;
    for (int i = first; i < n; i++) {
        least = list[i].max < list[least].max ? i : least;
    }
    if (c.max > list[least].max) {
        list[least] = c;
    }
    return n;
}

static int collect(const gos_comparison *c, curve list[MOST + 2]) {
    const gos_field_error *const field[] = {&c->position, &c->temperature};
    const double *const history[] = {c->position_history, c->temperature_history};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        n = add_curve(list, n, 0,
                      (curve){history[i], field[i]->scale, field[i]->max / field[i]->scale,
                              i ? "temperature" : "position", NULL});
    }
    const int first = n;
    for (int i = 0; i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        n = add_curve(list, n, first,
                      (curve){e->history, e->scale, e->max / e->scale, e->name, e->component});
    }
    return n;
}

static void draw_name(FILE *out, double y, const curve *c, const char *colour) {
    char name[160];
    (void)snprintf(name, sizeof name, "%s%s%s", c->name, c->component ? "." : "",
                   c->component ? c->component : "");
    (void)fprintf(out, "<path d=\"M%.1f %.1fh26\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                  WIDTH - RIGHT + 12, y - 4, colour);
    gos__svg_text(out, WIDTH - RIGHT + 44, y, "start", "class=\"tick\"", name);
}

static void draw(const gos_comparison *c, const curve *list, int n, double most, double *y,
                 FILE *out) {
    const double low = most > 0 ? most / DECADES : 1e-16;
    chart plot = {.out = out,
                  .left = LEFT,
                  .top = 40,
                  .width = WIDTH - LEFT - RIGHT,
                  .height = 380,
                  .x = {CHART_LINEAR, c->from, c->to, "time [s]"},
                  .y = {CHART_LOG, low, most > 0 ? 1.5 * most : 1, "relative difference"}};
    if (gos__range_flat(plot.x.lo, plot.x.hi, 0)) {
        chart_room(&plot.x);
    }
    (void)fprintf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d 480\" width=\"%d\" "
                  "height=\"480\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
                  "sans-serif\">\n<!-- made by gossamer -->\n"
                  "<style>.grid{stroke:#e8ebef;fill:none}.frame{stroke:#9ca3af;fill:none}"
                  ".tick{font-size:13px;fill:#374151}.label{font-size:14px;fill:#111827}</style>\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  WIDTH, WIDTH);
    chart_frame(&plot);
    for (int i = 0; i < n; i++) {
        char style[100];
        for (int k = 0; k < c->ntimes; k++) {
            y[k] = fmax(list[i].history[k] / list[i].scale, low);
        }
        (void)snprintf(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"",
                       colours[i], i == 0 ? "2.4" : "1.5");
        chart_curve(&plot, c->ntimes, c->times, y, style);
        draw_name(out, 56 + 20.0 * i, &list[i], colours[i]);
    }
    (void)fputs("</svg>\n", out);
}

gos_status gos_comparison_picture(gos_ctx *ctx, const gos_comparison *comparison, FILE *out) {
    curve list[MOST + 2];
    const int n = collect(comparison, list);
    if (n == 0 || comparison->ntimes == 0) {
        return gos__fail(ctx, GOS_E_USE, "there is nothing to draw: %s",
                         n == 0 ? "no difference has a scale"
                                : "the two runs have no common output time");
    }
    double most = 0, *y = gos__alloc(ctx, comparison->ntimes, sizeof *y);
    if (!y) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        most = fmax(most, list[i].max);
    }
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    draw(comparison, list, n, most, y, out);
    (void)uselocale(before);
    if (plain != (locale_t)0) {
        freelocale(plain);
    }
    gos__free(ctx, y);
    return GOS_OK;
}
