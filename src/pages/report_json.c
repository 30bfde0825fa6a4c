/* JSON of a report, escaped for HTML; arrays are base64 of little-endian numbers. */
#include <float.h>
#include <math.h>

#include "results/base64.h"
#include "pages/report.h"

/* Fills the skeleton of a page. */

static void put_both(FILE *out, const char *const text[2]) {
    for (int i = 0; i < 2 && text[i]; i++) {
        (void)fputs(text[i], out);
    }
}

/* replaces @TITLE@, @STYLE@, @DATA@ and @SCRIPT@ */
gos_status gos__page_put(gos_page *p, const gos_page_parts *parts) {
    FILE *out = p->out;
    const char *at = gos__viewer_page;
    for (const char *mark; (mark = strchr(at, '@')) != NULL;) {
        (void)fwrite(at, 1, mark - at, out);
        const char *end = strchr(mark + 1, '@');
        const size_t n = end ? end - mark - 1 : 0;
        if (n == 5 && memcmp(mark + 1, "TITLE", n) == 0) {
            gos__xml_text(out, parts->title, ' ');
        } else if (n == 5 && memcmp(mark + 1, "STYLE", n) == 0) {
            put_both(out, parts->style);
        } else if (n == 6 && memcmp(mark + 1, "SCRIPT", n) == 0) {
            put_both(out, parts->script);
        } else if (n == 4 && memcmp(mark + 1, "DATA", n) == 0) {
            GOS_TRY(parts->data(parts->user));
        } else {
            return gos__fail(p->ctx, GOS_E_INTERNAL,
                             "the template of the viewer page has an "
                             "unknown placeholder");
        }
        at = end + 1;
    }
    (void)fputs(at, out);
    return ferror(out) ? gos__fail(p->ctx, GOS_E_FILE, "cannot write the page") : GOS_OK;
}

#define MISSING 65535u // not finite

/* ---- single values --------------------------------------------------------------------------- */

static void begin(gos_page *p, const char *key) {
    if (p->comma) {
        (void)fputc(',', p->out);
    }
    p->comma = true;
    if (key) {
        gos_json_text(p->out, key);
        (void)fputc(':', p->out);
    }
}

void gos__page_open(gos_page *p, const char *key, char bracket) {
    begin(p, key);
    (void)fputc(bracket, p->out);
    p->comma = false;
}

void gos__page_close(gos_page *p, char bracket) {
    (void)fputc(bracket, p->out);
    p->comma = true;
}

void gos__page_text(gos_page *p, const char *key, const char *text) {
    begin(p, key);
    gos_json_text(p->out, text);
}

void gos__page_number(gos_page *p, const char *key, double value) {
    begin(p, key);
    gos_json_number(p->out, value);
}

void gos__page_bool(gos_page *p, const char *key, bool value) {
    begin(p, key);
    (void)fputs(value ? "true" : "false", p->out);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void pack_end(gos_base64 *k) {
    gos__base64_end(k);
    (void)fputc('"', k->out);
}

static gos_base64 pack_begin(gos_page *p, const char *key) {
    begin(p, key);
    (void)fputc('"', p->out);
    return (gos_base64){.out = p->out};
}

typedef struct range {
    double lo, hi; // of finite values; 0 if none
} range;

static range range_of(const double *v, long stride, const long *keep, long n) {
    range r = {HUGE_VAL, -HUGE_VAL};
    for (long i = 0; i < n; i++) {
        const double x = v[(keep ? keep[i] : i) * stride];
        if (isfinite(x)) {
            r.lo = fmin(r.lo, x);
            r.hi = fmax(r.hi, x);
        }
    }
    return r.lo <= r.hi ? r : (range){0, 0};
}

void gos__page_floats(gos_page *p, const char *key, const double *v, long stride, const long *keep,
                      long n) {
    const range r = range_of(v, stride, keep, n);
    // by default unchanged, so that a zero remains a zero
    const double size = fmax(fabs(r.lo), fabs(r.hi));
    const double middle = size > 4 * (r.hi - r.lo) ? r.lo / 2 + r.hi / 2 : 0;
    gos__page_open(p, key, '{');
    gos__page_number(p, "middle", middle);
    gos_base64 k = pack_begin(p, "floats");
    for (long i = 0; i < n; i++) {
        const double x = v[(keep ? keep[i] : i) * stride] - middle;
        const float f = fabs(x) <= (double)FLT_MAX ? (float)x : NAN;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        gos__base64_put(&k, bits, 4);
    }
    pack_end(&k);
    gos__page_close(p, '}');
}

void gos__page_ints(gos_page *p, const char *key, const int *v, long n) {
    gos_base64 k = pack_begin(p, key);
    for (long i = 0; i < n; i++) {
        gos__base64_put(&k, (uint32_t)v[i], 4);
    }
    pack_end(&k);
}

void gos__page_parts(gos_page *p, const char *key, const double *v, long n, int width) {
    range r[3] = {{0, 0}};
    gos__page_open(p, key, '{');
    gos__page_open(p, "range", '[');
    for (int c = 0; c < width && c < GOS_COUNT(r); c++) {
        r[c] = range_of(v + c, width, NULL, n / width);
        gos__page_number(p, NULL, r[c].lo);
        gos__page_number(p, NULL, r[c].hi);
    }
    gos__page_close(p, ']');
    gos_base64 k = pack_begin(p, "parts");
    for (long i = 0; i < n; i++) {
        const range *at = &r[i % width];
        const double part = at->hi > at->lo ? (v[i] - at->lo) / (at->hi - at->lo) : 0;
        const bool known = isfinite(v[i]) && isfinite(part);
        gos__base64_put(&k, known ? (uint32_t)(part * (MISSING - 1) + 0.5) : MISSING, 2);
    }
    pack_end(&k);
    gos__page_close(p, '}');
}
