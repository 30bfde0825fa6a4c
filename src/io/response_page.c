/* Frequency responses as a page: for each pair of output and input the magnitude, both axes logarithmic,
   and the phase below it. Plain SVG, so that it needs no script. Several files are laid over each other
   by the names of their outputs and inputs. */
#include <locale.h>
#include <math.h>

#include "io/report.h"
#include "io/response.h"
#include "io/svg.h"

#define MOST_PAIRS 64   // on one page; a larger page helps nobody
#define ROUND_OFF 1e-13 // of the largest response of the same units: nothing but rounding is there
#define WIDTH 860.0
#define LEFT 90.0 // of the plots, for labels

typedef struct page {
    gos_ctx *ctx;
    FILE *out;
    gos_response *r;
    int n;
    double f0, f1; // log10 of the frequencies shown
} page;

static const char *const colour[] = {"#1d4ed8", "#dc2626", "#059669",
                                     "#d97706", "#7c3aed", "#0891b2"};

/* an axis of values, from lo to hi (logarithms for magnitudes), over pixels y1 (lo) .. y0 (hi) */
typedef struct axis {
    double lo, hi, y0, y1;
} axis;

static double place_x(const page *p, double f) {
    return LEFT + (log10(f) - p->f0) / (p->f1 - p->f0) * (WIDTH - LEFT - 20);
}

static double place_y(const axis *a, double v) {
    return a->y1 - (v - a->lo) / (a->hi - a->lo) * (a->y1 - a->y0);
}

/* where output i and input j of the first file are in another one; negative: they are not */
static int find_pair(const gos_response *first, int i, int j, const gos_response *r) {
    for (int y = 0; y < r->ny; y++) {
        for (int u = 0; u < r->nu; u++) {
            if (strcmp(first->output[i], r->output[y]) == 0 &&
                strcmp(first->input[j], r->input[u]) == 0) {
                return y * r->nu + u;
            }
        }
    }
    return -1;
}

static const double *value(const gos_response *r, long k, int pair) {
    return r->H + 2 * (k * (r->ny * r->nu) + pair);
}

/* the vertical lines of decades, and of 2 and 5 where there are few */
static void draw_frequencies(const page *p, const axis *a, bool labels) {
    static const double step[] = {1, 2, 5};
    const int count = p->f1 - p->f0 > 3 ? 1 : 3;
    for (int e = (int)floor(p->f0); e <= (int)ceil(p->f1); e++) {
        for (int s = 0; s < count; s++) {
            const double f = step[s] * pow(10, e);
            if (log10(f) < p->f0 - 1e-9 || log10(f) > p->f1 + 1e-9) {
                continue;
            }
            (void)fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", place_x(p, f),
                          a->y0, a->y1);
            char text[32];
            gos__format(text, sizeof text, "%g", f);
            if (labels) {
                gos__svg_text(p->out, place_x(p, f), a->y1 + 18, "middle", "class=\"tick\"", text);
            }
        }
    }
    if (labels) {
        gos__svg_text(p->out, (LEFT + WIDTH - 20) / 2, a->y1 + 38, "middle", "class=\"label\"",
                      "frequency [Hz]");
    }
}

static void draw_frame(const page *p, const axis *a, double step, bool powers, const char *label) {
    const gos_ticks ticks = gos__ticks(a->lo, a->hi, step);
    for (int i = 0; i < ticks.count; i++) {
        const double v = (ticks.first + i) * step;
        char text[32];
        if (powers) {
            gos__format(text, sizeof text, "1e%d", (int)lround(v));
        } else {
            gos__format(text, sizeof text, "%g", v);
        }
        (void)fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", LEFT, place_y(a, v),
                      WIDTH - 20);
        gos__svg_text(p->out, LEFT - 8, place_y(a, v) + 4, "end", "class=\"tick\"", text);
    }
    (void)fprintf(p->out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"frame\"/>\n",
                  LEFT, a->y0, WIDTH - 20 - LEFT, a->y1 - a->y0);
    gos__svg_text(p->out, LEFT, a->y0 - 8, "start", "class=\"label\"", label);
}

/* one curve; zeros have no logarithm and leave a gap, and so does a phase that jumps by a turn */
static void draw_curve(const page *p, const axis *a, const gos_response *r, int pair, int which,
                       bool phase) {
    bool pen = false;
    double before = 0;
    (void)fprintf(p->out, "<path class=\"curve\" stroke=\"%s\"%s d=\"",
                  colour[which % GOS_COUNT(colour)], which > 0 ? " stroke-dasharray=\"6 4\"" : "");
    for (int k = 0; k < r->n; k++) {
        const double *h = value(r, k, pair);
        const double size = hypot(h[0], h[1]);
        const double v = phase ? atan2(h[1], h[0]) * 180 / M_PI : log10(size);
        const bool good = size > 0 && isfinite(size) && r->frequency[k] > 0;
        if (good) {
            const bool line = pen && !(phase && fabs(v - before) > 180);
            (void)fprintf(p->out, "%c%.1f %.1f", line ? 'L' : 'M', place_x(p, r->frequency[k]),
                          place_y(a, v));
            before = v;
        }
        pen = good;
    }
    (void)fputs("\"/>\n", p->out);
}

/* the largest magnitude among pairs of the units of this one */
static double largest_like(const gos_response *r, int i, int j) {
    double most = 0;
    for (int pair = 0; pair < r->ny * r->nu; pair++) {
        const int y = pair / r->nu, u = pair % r->nu;
        for (int k = 0; k < r->n && strcmp(r->output_unit[y], r->output_unit[i]) == 0 &&
                        strcmp(r->input_unit[u], r->input_unit[j]) == 0;
             k++) {
            const double *h = value(r, k, pair);
            most = fmax(most, hypot(h[0], h[1]));
        }
    }
    return most;
}

/* whole decades around all magnitudes of a pair; false: all of them are zero, but
   for round-off */
static bool magnitudes(const page *p, int i, int j, axis *a) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int f = 0; f < p->n; f++) {
        const int pair = find_pair(&p->r[0], i, j, &p->r[f]);
        for (int k = 0; pair >= 0 && k < p->r[f].n; k++) {
            const double *h = value(&p->r[f], k, pair);
            const double size = hypot(h[0], h[1]);
            if (size > 0 && isfinite(size)) {
                lo = fmin(lo, log10(size));
                hi = fmax(hi, log10(size));
            }
        }
    }
    a->lo = fmax(floor(lo), floor(hi) - 12); // zeros but for round-off would flatten the rest
    a->hi = fmax(ceil(hi), a->lo + 1);
    return pow(10, hi) > ROUND_OFF * largest_like(&p->r[0], i, j);
}

static void draw_pair(const page *p, int i, int j) {
    const gos_response *first = &p->r[0];
    axis size = {.y0 = 34, .y1 = 300}, phase = {-180, 180, 336, 470};
    char label[600];
    (void)fputs("<section>\n<h2>", p->out);
    gos__page_html(p->out, first->output[i]);
    (void)fputs(" / ", p->out);
    gos__page_html(p->out, first->input[j]);
    (void)fputs("</h2>\n", p->out);
    if (!magnitudes(p, i, j, &size)) {
        (void)fputs("<p>There is no response.</p>\n</section>\n", p->out);
        return;
    }
    (void)fprintf(p->out,
                  "<svg viewBox=\"0 0 %.0f 520\" role=\"img\">\n<clipPath id=\"c%d_%d\"><rect "
                  "x=\"%.1f\" y=\"34\" width=\"%.1f\" height=\"266\"/></clipPath>\n",
                  WIDTH, i, j, LEFT, WIDTH - 20 - LEFT);
    gos__format(label, sizeof label, "magnitude [%s / %s]",
                *first->output_unit[i] ? first->output_unit[i] : "-",
                *first->input_unit[j] ? first->input_unit[j] : "-");
    draw_frequencies(p, &size, false);
    draw_frame(p, &size, ceil((size.hi - size.lo) / 8), true, label);
    draw_frequencies(p, &phase, true);
    draw_frame(p, &phase, 90, false, "phase [degrees]");
    for (int f = 0; f < p->n; f++) {
        const int pair = find_pair(first, i, j, &p->r[f]);
        if (pair >= 0) {
            (void)fprintf(p->out, "<g clip-path=\"url(#c%d_%d)\">", i, j);
            draw_curve(p, &size, &p->r[f], pair, f, false);
            (void)fputs("</g>", p->out);
            draw_curve(p, &phase, &p->r[f], pair, f, true);
        }
    }
    (void)fputs("</svg>\n</section>\n", p->out);
}

/* the largest difference from the first file, where the frequencies are the same */
static void put_difference(const page *p, const gos_response *r) {
    const gos_response *a = &p->r[0];
    double most = 0, largest = 0;
    bool same = r->n == a->n && memcmp(r->frequency, a->frequency, a->n * sizeof(double)) == 0;
    for (int i = 0; i < a->ny * a->nu && same; i++) {
        const int pair = find_pair(a, i / a->nu, i % a->nu, r);
        for (int k = 0; pair >= 0 && k < a->n; k++) {
            const double *x = value(a, k, i), *y = value(r, k, pair);
            most = fmax(most, hypot(x[0] - y[0], x[1] - y[1]));
            largest = fmax(largest, hypot(x[0], x[1]));
        }
        same = pair >= 0;
    }
    if (same && largest > 0) {
        (void)fprintf(p->out, ", differs by %.3g of the largest response at most", most / largest);
    }
}

static void put_head(const page *p) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
                "<title>Frequency response - Gossamer</title>\n<style>\n"
                "body{font:15px/1.5 Helvetica,Arial,'DejaVu Sans',sans-serif;max-width:56rem;"
                "margin:2rem auto;padding:0 1rem;color:#111827;background:#fff}h1{font-size:1.5rem}"
                "h2{font-size:1.1rem;margin:2rem 0 .5rem}svg{width:100%;height:auto}"
                ".grid{stroke:#e5e7eb;fill:none}.frame{stroke:#9ca3af;fill:none}"
                ".tick{font-size:12px;fill:#374151}.label{font-size:13px;fill:#111827}"
                ".curve{fill:none;stroke-width:1.8}li span{font-weight:700}\n</style>\n</head>\n"
                "<body>\n<h1>Frequency response</h1>\n<ul>\n",
                p->out);
    for (int f = 0; f < p->n; f++) {
        const gos_response *r = &p->r[f];
        (void)fprintf(p->out, "<li><span style=\"color:%s\">%s</span> ",
                      colour[f % GOS_COUNT(colour)], f > 0 ? "- - -" : "&mdash;&mdash;");
        gos__page_html(p->out, r->path);
        (void)fprintf(p->out, ": %d frequencies, %g to %g Hz, %d inputs, %d outputs", r->n,
                      r->frequency[0], r->frequency[r->n - 1], r->nu, r->ny);
        if (f > 0) {
            put_difference(p, r);
        }
        (void)fputs("</li>\n", p->out);
    }
    (void)fputs("</ul>\n", p->out);
}

static void put_page(page *p) {
    double lo = HUGE_VAL, hi = 0;
    for (int f = 0; f < p->n; f++) {
        for (int k = 0; k < p->r[f].n; k++) {
            const double x = p->r[f].frequency[k];
            if (x > 0 && isfinite(x)) {
                lo = fmin(lo, x);
                hi = fmax(hi, x);
            }
        }
    }
    // a single frequency gets a decade around it
    p->f0 = hi > 0 ? log10(lo) : 0;
    p->f1 = hi > 0 ? log10(hi) : 1;
    if (p->f1 - p->f0 < 0.1) {
        p->f0 -= 0.5;
        p->f1 += 0.5;
    }
    put_head(p);
    const int pairs = p->r[0].ny * p->r[0].nu;
    for (int k = 0; k < pairs && k < MOST_PAIRS; k++) {
        draw_pair(p, k / p->r[0].nu, k % p->r[0].nu);
    }
    if (pairs > MOST_PAIRS) {
        (void)fprintf(p->out, "<p>%d further pairs of outputs and inputs are left out.</p>\n",
                      pairs - MOST_PAIRS);
    }
    (void)fputs("</body>\n</html>\n", p->out);
}

gos_status gos_response_report(gos_ctx *ctx, const char *const *path, int n, FILE *out) {
    gos_arena *a = gos__arena_create(ctx);
    page p = {.ctx = ctx, .out = out, .n = n, .r = a ? GOS_NEW(a, gos_response, n + 1) : NULL};
    gos_status status = p.r ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < n && status == GOS_OK; i++) {
        status = gos__response_read(ctx, path[i], a, &p.r[i]);
    }
    if (status == GOS_OK && n > 0) {
        const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        const locale_t before = uselocale(plain);
        put_page(&p);
        (void)uselocale(before);
        if (plain) {
            freelocale(plain);
        }
        status = ferror(out) ? gos__fail(ctx, GOS_E_FILE, "cannot write the report") : GOS_OK;
    }
    gos__arena_destroy(a);
    return status;
}
