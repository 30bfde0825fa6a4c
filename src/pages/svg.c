/* SVG writer, see svg.h. Requires the C locale (decimal point). */
#include "pages/svg.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

#define TICKS 8
#define MOST_TICKS 64
#define MIN_RANGE 1e-12 // relative; smaller ranges are rounding

double gos__round_step(double span, int n) {
    if (!(span > 0) || !isfinite(span)) {
        return 1;
    }
    double power = pow(10, floor(log10(span / n)));
    static const double nice[] = {1, 2, 2.5, 5, 10};
    for (int i = 0; i < 5; i++) {
        if (span / (nice[i] * power) <= n * (1 + 1e-9)) {
            return nice[i] * power;
        }
    }
    return 10 * power;
}

bool gos__range_flat(double lo, double hi, double size) {
    return !(hi - lo > MIN_RANGE * fmax(size, fmax(fabs(lo), fabs(hi))));
}

gos_ticks gos__ticks(double lo, double hi, double step) {
    gos_ticks t = {0, step, 0};
    if (!(step > 0) || !isfinite(step) || gos__range_flat(lo, hi, 0)) {
        return t;
    }
    t.first = ceil(lo / step - 1e-9);
    const double last = floor(hi / step + 1e-9);
    // beyond 2^53 integers are not distinct
    if (fmax(fabs(t.first), fabs(last)) < 9e15 && last >= t.first) {
        t.count = (int)fmin(last - t.first + 1, MOST_TICKS);
    }
    return t;
}

void gos__plot_fit(gos_plot *p, const double lo[2], const double hi[2], double max_width,
                   double max_height) {
    double span[2] = {hi[0] - lo[0], hi[1] - lo[1]};
    double largest = fmax(span[0], span[1]);
    // a single point: use a range in which numbers are distinct
    const double far = fmax(fmax(fabs(lo[0]), fabs(hi[0])), fmax(fabs(lo[1]), fabs(hi[1])));
    if (!(largest > 10 * MIN_RANGE * far)) {
        largest = fmax(1, 10 * MIN_RANGE * far);
    }
    // room around straight lines, more beside for labels
    static const double margin[2] = {0.17, 0.1};
    for (int i = 0; i < 2; i++) {
        span[i] = fmax(span[i], 0.15 * largest) + margin[i] * largest;
    }
    p->scale = fmin(max_width / span[0], max_height / span[1]);
    p->width = span[0] * p->scale;
    p->height = span[1] * p->scale;
    p->x0 = (lo[0] + hi[0] - span[0]) / 2;
    p->y0 = (lo[1] + hi[1] - span[1]) / 2;
}

double gos__plot_x(const gos_plot *p, double x) {
    return p->left + (x - p->x0) * p->scale;
}

double gos__plot_y(const gos_plot *p, double y) {
    return p->top + p->height - (y - p->y0) * p->scale;
}

/* decimals as the step needs */
static void tick_text(double value, double step, char *buf, size_t size) {
    int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
    double rest = step * pow(10, decimals);
    if (fabs(rest - floor(rest + 0.5)) > 1e-6) {
        decimals++; // 2.5
    }
    if (fabs(value) < step * 1e-6) {
        value = 0;
    }
    if (decimals > 6 || fabs(value) >= 1e7) {
        // digits to distinguish neighbours
        const double digits = ceil(log10(fabs(value) / step)) + 1;
        (void)snprintf(buf, size, "%.*g", (int)fmin(fmax(4, digits), 17), value);
    } else {
        (void)snprintf(buf, size, "%.*f", decimals, value);
    }
}

void gos__svg_text(FILE *out, double x, double y, const char *anchor, const char *style,
                   const char *text) {
    (void)fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, style);
    gos__xml_text(out, text, 0);
    (void)fputs("</text>\n", out);
}

static void axis_ticks(const gos_plot *p, bool vertical) {
    double start = vertical ? p->y0 : p->x0;
    double pixels = vertical ? p->height : p->width;
    double span = pixels / p->scale;
    double longest = fmax(p->width, p->height) / p->scale; // same step on both axes
    double step = gos__round_step(longest, TICKS);
    char text[32];
    const gos_ticks ticks = gos__ticks(start, start + span, step);
    for (int i = 0; i < ticks.count; i++) {
        const double value = (ticks.first + i) * step;
        tick_text(value, step, text, sizeof text);
        if (vertical) {
            double y = gos__plot_y(p, value);
            (void)fprintf(p->out, "<path d=\"M%.1f %.1fh%.1f\" class=\"grid\"/>\n", p->left, y,
                          p->width);
            gos__svg_text(p->out, p->left - 8, y + 4.5, "end", "class=\"tick\"", text);
        } else {
            double x = gos__plot_x(p, value);
            (void)fprintf(p->out, "<path d=\"M%.1f %.1fv%.1f\" class=\"grid\"/>\n", x, p->top,
                          p->height);
            gos__svg_text(p->out, x, p->top + p->height + 20, "middle", "class=\"tick\"", text);
        }
    }
}

void gos__plot_axes(const gos_plot *p, const char *x_label, const char *y_label) {
    axis_ticks(p, false);
    axis_ticks(p, true);
    (void)fprintf(p->out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                  "stroke=\"#9aa2ad\"/>\n",
                  p->left, p->top, p->width, p->height);
    gos__svg_text(p->out, p->left + p->width / 2, p->top + p->height + 44, "middle",
                  "class=\"label\"", x_label);
    double x = p->left - 56, y = p->top + p->height / 2;
    char turn[96];
    (void)snprintf(turn, sizeof turn, "class=\"label\" transform=\"rotate(-90 %.1f %.1f)\"", x, y);
    gos__svg_text(p->out, x, y, "middle", turn, y_label);
}

void gos__svg_colour(double s, char colour[8]) {
    static const int stop[][3] = {{13, 8, 135},   {83, 2, 163},   {139, 10, 165}, {184, 50, 137},
                                  {219, 92, 104}, {244, 136, 73}, {254, 189, 42}};
    enum { LAST = sizeof stop / sizeof stop[0] - 1 };
    s = s > 0 ? s < 1 ? s : 1 : 0; // NaN becomes 0
    int i = (int)(s * LAST);
    i = i < LAST ? i : LAST - 1;
    double f = s * LAST - i;
    int c[3];
    for (int k = 0; k < 3; k++) {
        c[k] = (int)(stop[i][k] + f * (stop[i + 1][k] - stop[i][k]) + 0.5);
    }
    (void)snprintf(colour, 8, "#%02x%02x%02x", (unsigned)c[0] & 255u, (unsigned)c[1] & 255u,
                   (unsigned)c[2] & 255u);
}

void gos__svg_bar(FILE *out, double x, double y, double width, double height, double lo, double hi,
                  const char *label) {
    enum { PARTS = 12 };
    (void)fputs("<defs><linearGradient id=\"bar\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">", out);
    for (int i = 0; i <= PARTS; i++) {
        char colour[8];
        gos__svg_colour((double)i / PARTS, colour);
        (void)fprintf(out, "<stop offset=\"%.4f\" stop-color=\"%s\"/>", (double)i / PARTS, colour);
    }
    (void)fprintf(out,
                  "</linearGradient></defs>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                  "height=\"%.1f\" fill=\"url(#bar)\"/>\n",
                  x, y, width, height);
    gos__svg_text(out, x, y - 12, "start", "class=\"label\"", label);
    double step = gos__round_step(hi - lo, 6);
    char text[32];
    const gos_ticks ticks = gos__ticks(lo, hi, step);
    for (int i = 0; i < ticks.count; i++) {
        const double value = (ticks.first + i) * step;
        double at = y + height * (1 - (value - lo) / (hi - lo));
        tick_text(value, step, text, sizeof text);
        (void)fprintf(out, "<path d=\"M%.1f %.1fh5\" stroke=\"#9aa2ad\"/>\n", x + width, at);
        gos__svg_text(out, x + width + 9, at + 4.5, "start", "class=\"tick\"", text);
    }
}
