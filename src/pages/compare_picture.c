/* Differences between two runs over time, as SVG. */
#include <locale.h>
#include <math.h>

#include "base/base.h"
#include "gossamer/io.h"
#include "pages/chart.h"
#include "pages/svg.h"

enum { MOST = 8 }; // most probes

#define DECADES 1e6 // range below the largest difference
#define WIDTH 900
#define LEFT 90.0
#define RIGHT 250.0 // space for names

/* a time history and its scale */
typedef struct curve {
    const double *course;
    double scale, max; // max: of course / scale
    const char *name, *component;
} curve;

static const char *const colours[] = {"#111827", "#b4472f", "#1f6f8b", "#4a7c2c", "#7b4ea3",
                                      "#b8860b", "#c2528b", "#2f8f8f", "#6b7280", "#92400e"};

/* needs a scale; among probes (from `first` on) those with the largest differences remain */
static int add_curve(curve *list, int n, int first, curve c) {
    if (!c.course || !(c.scale > 0) || !isfinite(c.max)) {
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
    const double *const course[] = {c->position_course, c->temperature_course};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        n = add_curve(list, n, 0,
                      (curve){course[i], field[i]->scale, field[i]->max / field[i]->scale,
                              i ? "temperature" : "position", NULL});
    }
    const int first = n;
    for (int i = 0; i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        n = add_curve(list, n, first,
                      (curve){e->course, e->scale, e->max / e->scale, e->name, e->component});
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
    gos_chart chart = {
        .out = out,
        .left = LEFT,
        .top = 40,
        .width = WIDTH - LEFT - RIGHT,
        .height = 380,
        .x = {GOS_CHART_LINEAR, c->from, c->to, 0, "time [s]"},
        .y = {GOS_CHART_LOG, low, most > 0 ? 1.5 * most : 1, 0, "relative difference"}};
    if (gos__range_flat(chart.x.lo, chart.x.hi, 0)) {
        gos__chart_room(&chart.x);
    }
    (void)fprintf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d 480\" width=\"%d\" "
                  "height=\"480\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
                  "sans-serif\">\n<!-- made by gossamer -->\n"
                  "<style>.grid{stroke:#e8ebef;fill:none}.frame{stroke:#9ca3af;fill:none}"
                  ".tick{font-size:13px;fill:#374151}.label{font-size:14px;fill:#111827}</style>\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  WIDTH, WIDTH);
    gos__chart_frame(&chart);
    for (int i = 0; i < n; i++) {
        char style[100];
        for (int k = 0; k < c->ntimes; k++) {
            y[k] = fmax(list[i].course[k] / list[i].scale, low);
        }
        (void)snprintf(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"",
                       colours[i], i == 0 ? "2.4" : "1.5");
        gos__chart_curve(&chart, c->ntimes, c->times, y, style);
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
