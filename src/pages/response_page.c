/* Frequency responses: magnitude (log-log) and phase per pair of output and input, static SVG.
   Files are overlaid, matched by port names. */
#include <locale.h>
#include <math.h>

#include "pages/report.h"
#include "pages/response.h"
#include "pages/svg.h"

#define MOST_PAIRS 64   // pairs on a page
#define ROUND_OFF 1e-13 // round-off, relative to the largest response of the same units
#define WIDTH 560.0     // [px]
#define LEFT 56.0       // space for labels
#define RIGHT 14.0
#define LABEL 46.0 // smallest distance of frequency labels [px]

typedef struct page {
    gos_ctx *ctx;
    FILE *out;
    gos_response *r;
    int n;
    double f0, f1; // log10 of the frequency range
} page;

enum { COLOURS = 8 }; // of the style sheet, s0 ... s7

/* lo to hi (logarithms of magnitudes) over pixels y1 (lo) .. y0 (hi) */
typedef struct axis {
    double lo, hi, y0, y1;
} axis;

static double place_x(const page *p, double f) {
    return LEFT + (log10(f) - p->f0) / (p->f1 - p->f0) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const axis *a, double v) {
    return a->y1 - (v - a->lo) / (a->hi - a->lo) * (a->y1 - a->y0);
}

/* of the first file in another one; < 0: none */
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

/* 10^e with superscript digits */
static void power_text(int e, char *text, size_t size) {
    static const char *const digit[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    const int n = abs(e);
    gos__format(text, size, "10%s%s%s%s", e < 0 ? "\xe2\x81\xbb" : "",
                n > 99 ? digit[n / 100 % 10] : "", n > 9 ? digit[n / 10 % 10] : "", digit[n % 10]);
}

/* decades, with 2 and 5 if there are few; labels where they fit */
static void draw_frequencies(const page *p, const axis *a, bool labels) {
    static const double step[] = {1, 2, 5};
    const int count = p->f1 - p->f0 > 3 ? 1 : 3;
    double last = -HUGE_VAL;
    for (int e = (int)floor(p->f0); e <= (int)ceil(p->f1); e++) {
        for (int s = 0; s < count; s++) {
            const double f = step[s] * pow(10, e);
            if (log10(f) < p->f0 - 1e-9 || log10(f) > p->f1 + 1e-9) {
                continue;
            }
            const double x = place_x(p, f);
            (void)fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", x, a->y0,
                          a->y1);
            char text[32];
            gos__format(text, sizeof text, "%g", f);
            if (labels && x - last >= LABEL) {
                gos__svg_text(p->out, x, a->y1 + 17, "middle", "class=\"tick\"", text);
                last = x;
            }
        }
    }
    if (labels) {
        gos__svg_text(p->out, WIDTH - RIGHT, a->y1 + 36, "end", "class=\"axis-name\"",
                      "frequency [Hz]");
    }
}

static void draw_frame(const page *p, const axis *a, double step, bool powers, const char *label) {
    const gos_ticks ticks = gos__ticks(a->lo, a->hi, step);
    for (int i = 0; i < ticks.count; i++) {
        const double v = (ticks.first + i) * step;
        char text[32];
        if (powers) {
            power_text((int)lround(v), text, sizeof text);
        } else {
            gos__format(text, sizeof text, "%s%g", v < 0 ? "\xe2\x88\x92" : "", fabs(v));
        }
        (void)fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", LEFT, place_y(a, v),
                      WIDTH - RIGHT);
        gos__svg_text(p->out, LEFT - 8, place_y(a, v) + 4, "end", "class=\"tick\"", text);
    }
    gos__svg_text(p->out, LEFT, a->y0 - 10, "start", "class=\"axis-name\"", label);
}

/* gaps at zeros and phase jumps by a full turn */
static void draw_curve(const page *p, const axis *a, const gos_response *r, int pair, int which,
                       bool phase) {
    bool pen = false;
    double before = 0;
    (void)fprintf(p->out, "<path class=\"curve %s s%d\" d=\"", which > 0 ? "dash" : "line",
                  which % COLOURS);
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

/* largest magnitude among pairs of the same units */
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

/* decades around all magnitudes; false: all zero except for round-off */
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
    a->lo = fmax(floor(lo), floor(hi) - 12); // limits the range for values at round-off level
    a->hi = fmax(ceil(hi), a->lo + 1);
    return pow(10, hi) > ROUND_OFF * largest_like(&p->r[0], i, j);
}

static bool is_among(const char *name, int n, const char *const *all) {
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* a name, with input or output if it is both */
static void put_port(const page *p, const char *name, bool output) {
    const gos_response *r = &p->r[0];
    gos__page_html(p->out, name);
    if (is_among(name, r->nu, (const char *const *)r->input) &&
        is_among(name, r->ny, (const char *const *)r->output)) {
        (void)fputs(output ? " (output)" : " (input)", p->out);
    }
}

static void draw_pair(const page *p, int i, int j) {
    const gos_response *first = &p->r[0];
    axis size = {.y0 = 24, .y1 = 244}, phase = {-180, 180, 284, 400};
    char label[600];
    (void)fputs("<figure class=\"card figure\">\n<figcaption><h3>", p->out);
    put_port(p, first->output[i], true);
    (void)fputs(" / ", p->out);
    put_port(p, first->input[j], false);
    (void)fputs("</h3></figcaption>\n", p->out);
    if (!magnitudes(p, i, j, &size)) {
        (void)fputs("<p class=\"note\">There is no response.</p>\n</figure>\n", p->out);
        return;
    }
    (void)fprintf(
        p->out,
        "<div class=\"scroll\" tabindex=\"0\"><svg class=\"plot\" viewBox=\"0 0 %.0f 442\" "
        "role=\"img\">\n<clipPath id=\"c%d_%d\"><rect x=\"%.1f\" y=\"24\" width=\"%.1f\" "
        "height=\"220\"/></clipPath>\n",
        WIDTH, i, j, LEFT, WIDTH - RIGHT - LEFT);
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
    (void)fputs("</svg></div>\n</figure>\n", p->out);
}

/* largest difference from the first file, at common frequencies */
static void put_difference(const page *p, const gos_response *r) {
    const gos_response *a = &p->r[0];
    double most = 0, largest = 0;
    int both = 0;
    bool same = true;
    for (int k = 0, l = 0; k < a->n && same; k++) {
        while (l + 1 < r->n && r->frequency[l] < a->frequency[k]) {
            l++;
        }
        both += r->frequency[l] == a->frequency[k];
        for (int i = 0; i < a->ny * a->nu && same && r->frequency[l] == a->frequency[k]; i++) {
            const int pair = find_pair(a, i / a->nu, i % a->nu, r);
            same = pair >= 0;
            const double *x = value(a, k, i), *y = value(r, l, same ? pair : 0);
            most = fmax(most, hypot(x[0] - y[0], x[1] - y[1]));
            largest = fmax(largest, hypot(x[0], x[1]));
        }
    }
    if (same && largest > 0) {
        (void)fprintf(p->out, ", differs by at most %.3g of the largest response", most / largest);
        if (both < a->n || both < r->n) {
            (void)fprintf(p->out, " (at %d common frequencies)", both);
        }
    }
}

/* legend line */
static void put_file(const page *p, int f) {
    const gos_response *r = &p->r[f];
    (void)fprintf(p->out,
                  "<p class=\"note\"><svg width=\"34\" height=\"10\" class=\"key\" "
                  "aria-hidden=\"true\"><path class=\"curve %s s%d\" d=\"M1 5H33\"/></svg> <b>",
                  f > 0 ? "dash" : "line", f % COLOURS);
    gos__page_html(p->out, r->path);
    (void)fprintf(p->out, "</b>: %d frequencies, %g to %g Hz, %d inputs, %d outputs", r->n,
                  r->frequency[0], r->frequency[r->n - 1], r->nu, r->ny);
    if (f > 0) {
        put_difference(p, r);
    }
    (void)fputs("</p>\n", p->out);
}

/* plots keep a readable size and scroll in narrow windows */
static void put_head(const page *p) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
                "<title>Frequency response - Gossamer</title>\n<style>\n",
                p->out);
    (void)fputs(gos__viewer_style, p->out);
    (void)fputs("svg.plot { width: 100%; min-width: 480px; height: auto; }\n"
                "svg.key { vertical-align: middle; margin-right: 6px; "
                "}\n</style>\n</head>\n<body>\n<header>\n<p class=\"over-title\">"
                "Linear model</p>\n<h1>Frequency response</h1>\n",
                p->out);
    for (int f = 0; f < p->n; f++) {
        put_file(p, f);
    }
    (void)fputs("</header>\n<main>\n<section class=\"part\">\n<div class=\"plots\">\n", p->out);
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
    (void)fputs("</div>\n", p->out);
    if (pairs > MOST_PAIRS) {
        (void)fprintf(p->out,
                      "<p class=\"note\">%d further pairs of outputs and inputs are omitted.</p>\n",
                      pairs - MOST_PAIRS);
    }
    (void)fputs(
        "</section>\n</main>\n<footer><p>Made by gossamer " GOS_VERSION
        ". This page is complete in itself: it loads nothing and works offline.</p></footer>\n"
        "</body>\n</html>\n",
        p->out);
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
