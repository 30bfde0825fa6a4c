#include "pages/chart.h"

#include <math.h>

#include "base/base.h"
#include "pages/svg.h"

#define ROOM 0.06 // relative margin on both sides

void gos__chart_room(gos_chart_axis *a) {
    const double span = a->hi - a->lo, size = fmax(fabs(a->lo), fabs(a->hi));
    const double room = gos__range_flat(a->lo, a->hi, 0) ? (size > 0 ? size : 1) : ROOM * span;
    a->lo -= room;
    a->hi += room;
}

/* maps a value to the axis scale */
static double straight(const gos_chart_axis *a, double v) {
    return a->scale == GOS_CHART_LOG      ? log10(v)
           : a->scale == GOS_CHART_SYMLOG ? asinh(v / a->small)
                                          : v;
}

/* 0 at lo, 1 at hi; clamped */
static double part(const gos_chart_axis *a, double v) {
    const double lo = straight(a, a->lo), hi = straight(a, a->hi);
    const double s = (straight(a, v) - lo) / (hi - lo);
    return fmin(1, fmax(0, s));
}

double gos__chart_x(const gos_chart *c, double x) {
    return c->left + c->width * part(&c->x, x);
}

double gos__chart_y(const gos_chart *c, double y) {
    return c->top + c->height * (1 - part(&c->y, y));
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static void tick(const gos_chart *c, bool up, double v) {
    char text[32];
    gos__format(text, sizeof text, "%g", v);
    if (up) {
        const double y = gos__chart_y(c, v);
        (void)fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>\n", c->left, y,
                      c->width);
        gos__svg_text(c->out, c->left - 7, y + 4, "end", "class=\"tick\"", text);
    } else {
        const double x = gos__chart_x(c, v);
        (void)fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/>\n", x, c->top,
                      c->height);
        gos__svg_text(c->out, x, c->top + c->height + 17, "middle", "class=\"tick\"", text);
    }
}

static void linear_ticks(const gos_chart *c, bool up, const gos_chart_axis *a) {
    const int most = up ? (int)fmax(3, c->height / 42) : (int)fmax(3, c->width / 90);
    const gos_ticks t = gos__ticks(a->lo, a->hi, gos__round_step(a->hi - a->lo, most));
    for (int i = 0; i < t.count; i++) {
        const double v = (t.first + i) * t.step;
        tick(c, up, fabs(v) < 1e-9 * t.step ? 0 : v);
    }
}

/* decades, with 2 and 5 if there are few */
static void decades(const gos_chart *c, bool up, const gos_chart_axis *a, double from,
                    double sign) {
    static const double step[] = {1, 2, 5};
    const double most = sign > 0 ? a->hi : -a->lo;
    if (!(most >= from)) {
        return;
    }
    const int count = log10(most / from) < 2.5 && a->scale == GOS_CHART_LOG ? 3 : 1;
    const int every = (int)fmax(1, ceil(log10(most / from) / 7));
    for (int e = (int)floor(log10(from)); e <= (int)ceil(log10(most)); e += every) {
        for (int s = 0; s < count; s++) {
            const double v = step[s] * pow(10, e);
            if (v >= from * (1 - 1e-9) && v <= most * (1 + 1e-9)) {
                tick(c, up, sign * v);
            }
        }
    }
}

static void ticks(const gos_chart *c, bool up) {
    const gos_chart_axis *a = up ? &c->y : &c->x;
    if (a->scale == GOS_CHART_LINEAR) {
        linear_ticks(c, up, a);
    } else if (a->scale == GOS_CHART_LOG) {
        decades(c, up, a, a->lo, 1);
    } else {
        tick(c, up, 0);
        decades(c, up, a, a->small, 1);
        decades(c, up, a, a->small, -1);
    }
}

void gos__chart_frame(const gos_chart *c) {
    ticks(c, false);
    ticks(c, true);
    (void)fprintf(c->out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"frame\"/>\n",
                  c->left, c->top, c->width, c->height);
    gos__svg_text(c->out, c->left + c->width / 2, c->top + c->height + 38, "middle",
                  "class=\"label\"", c->x.label);
    gos__svg_text(c->out, c->left, c->top - 9, "start", "class=\"label\"", c->y.label);
}

void gos__chart_level(const gos_chart *c, double y, const char *attributes) {
    if (y >= c->y.lo && y <= c->y.hi) {
        (void)fprintf(c->out, "<path %s d=\"M%.1f %.1fh%.1f\"/>\n", attributes, c->left,
                      gos__chart_y(c, y), c->width);
    }
}

/* ---- curves ---------------------------------------------------------------------------------- */

void gos__chart_spans(const gos_chart *c, int n, const double *x, const double *low,
                      const double *high, const char *attributes) {
    (void)fprintf(c->out, "<path %s d=\"", attributes);
    for (int k = 0; k < n; k++) {
        const double first = k % 2 ? high[k] : low[k], second = k % 2 ? low[k] : high[k];
        const double middle = k > 0 ? (x[k - 1] + x[k]) / 2 : x[k] / 2;
        const double a = gos__chart_y(c, first), b = gos__chart_y(c, second);
        (void)fprintf(c->out, "%c%.1f %.1f", k ? 'L' : 'M', gos__chart_x(c, middle), a);
        if (fabs(a - b) >= 0.1) {
            (void)fprintf(c->out, "V%.1f", b);
        }
    }
    (void)fputs("\"/>\n", c->out);
}

void gos__chart_curve(const gos_chart *c, int n, const double *x, const double *y,
                      const char *attributes) {
    (void)fprintf(c->out, "<path %s d=\"", attributes);
    for (int k = 0; k < n; k++) {
        (void)fprintf(c->out, "%c%.1f %.1f", k ? 'L' : 'M', gos__chart_x(c, x[k]),
                      gos__chart_y(c, y[k]));
    }
    (void)fputs("\"/>\n", c->out);
}
