/* Data of the page of frequency responses: decimal logarithms of magnitudes, and phases, per pair
   of output and input of the first file. Other files are matched by port names. */
#include <math.h>

#include "pages/report.h"
#include "pages/response.h"

#define MOST_PAIRS 64   // pairs on a page
#define ROUND_OFF 1e-13 // round-off, relative to the largest response of the same units

typedef struct page {
    gos_page json;
    gos_response *r;
    int n;
    double *v; // scratch memory for a curve
} page;

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
static bool magnitudes(const page *p, int i, int j, double *low, double *high) {
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
    *low = fmax(floor(lo), floor(hi) - 12); // limits the range for values at round-off level
    *high = fmax(ceil(hi), *low + 1);
    return pow(10, hi) > ROUND_OFF * largest_like(&p->r[0], i, j);
}

/* largest difference from the first file, at common frequencies */
static void put_difference(page *p, const gos_response *r) {
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
        gos__page_number(&p->json, "difference", most / largest);
        gos__page_number(&p->json, "common", both < a->n || both < r->n ? both : (double)NAN);
    }
}

static void put_file(page *p, int f) {
    gos_page *json = &p->json;
    const gos_response *r = &p->r[f];
    for (int k = 0; k < r->n; k++) {
        p->v[k] = log10(r->frequency[k]); // not finite: a gap
    }
    gos__page_open(json, NULL, '{');
    gos__page_text(json, "path", r->path);
    gos__page_number(json, "frequencies", r->n);
    gos__page_number(json, "first", r->frequency[0]);
    gos__page_number(json, "last", r->frequency[r->n - 1]);
    gos__page_number(json, "inputs", r->nu);
    gos__page_number(json, "outputs", r->ny);
    gos__page_floats(json, "frequency", p->v, 1, NULL, r->n);
    if (f > 0) {
        put_difference(p, r);
    }
    gos__page_close(json, '}');
}

static void put_ports(gos_page *json, const char *key, int n, const char *const *name,
                      const char *const *unit) {
    gos__page_open(json, key, '[');
    for (int i = 0; i < n; i++) {
        gos__page_open(json, NULL, '{');
        gos__page_text(json, "name", name[i]);
        gos__page_text(json, "unit", unit[i]);
        gos__page_close(json, '}');
    }
    gos__page_close(json, ']');
}

static void put_curve(page *p, int f, int pair) {
    const gos_response *r = &p->r[f];
    gos__page_open(&p->json, NULL, '{');
    gos__page_number(&p->json, "file", f);
    for (int k = 0; k < r->n; k++) {
        const double *h = value(r, k, pair);
        p->v[k] = log10(hypot(h[0], h[1]));
    }
    gos__page_floats(&p->json, "decades", p->v, 1, NULL, r->n);
    for (int k = 0; k < r->n; k++) {
        const double *h = value(r, k, pair);
        const bool any = isfinite(p->v[k]);
        p->v[k] = any ? atan2(h[1], h[0]) * 180 / M_PI : (double)NAN;
    }
    gos__page_floats(&p->json, "degrees", p->v, 1, NULL, r->n);
    gos__page_close(&p->json, '}');
}

/* no curves: no response */
static void put_pair(page *p, int i, int j) {
    gos_page *json = &p->json;
    double low, high;
    gos__page_open(json, NULL, '{');
    if (magnitudes(p, i, j, &low, &high)) {
        gos__page_number(json, "low", low);
        gos__page_number(json, "high", high);
        gos__page_open(json, "curves", '[');
        for (int f = 0; f < p->n; f++) {
            const int pair = find_pair(&p->r[0], i, j, &p->r[f]);
            if (pair >= 0) {
                put_curve(p, f, pair);
            }
        }
        gos__page_close(json, ']');
    }
    gos__page_close(json, '}');
}

static void put_range(page *p) {
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
    gos__page_number(&p->json, "low", lo);
    gos__page_number(&p->json, "high", hi);
}

#define TITLE "Frequency response"

static gos_status put_data(void *user) {
    page *p = user;
    gos_page *json = &p->json;
    const gos_response *first = &p->r[0];
    const int pairs = first->ny * first->nu;
    gos__page_open(json, NULL, '{');
    gos__page_text(json, "title", TITLE);
    gos__page_text(json, "program", "gossamer " GOS_VERSION);
    put_range(p);
    gos__page_open(json, "files", '[');
    for (int f = 0; f < p->n; f++) {
        put_file(p, f);
    }
    gos__page_close(json, ']');
    put_ports(json, "inputs", first->nu, first->input, first->input_unit);
    put_ports(json, "outputs", first->ny, first->output, first->output_unit);
    gos__page_open(json, "pairs", '[');
    for (int k = 0; k < pairs && k < MOST_PAIRS; k++) {
        put_pair(p, k / first->nu, k % first->nu);
    }
    gos__page_close(json, ']');
    gos__page_number(json, "omitted", pairs > MOST_PAIRS ? pairs - MOST_PAIRS : 0);
    gos__page_close(json, '}');
    return GOS_OK;
}

static gos_status put_page(page *p, gos_arena *a) {
    int most = 0;
    for (int f = 0; f < p->n; f++) {
        most = p->r[f].n > most ? p->r[f].n : most;
    }
    p->v = GOS_NEW(a, double, most + 1);
    GOS_TRY(p->v ? GOS_OK : GOS_E_MEMORY);
    const gos_page_parts parts = {.title = TITLE,
                                  .style = {gos__viewer_style, gos__viewer_plain_style},
                                  .script = {gos__viewer_plain, gos__viewer_response},
                                  .data = put_data,
                                  .user = p};
    return gos__page_put(&p->json, &parts);
}

gos_status gos_response_report(gos_ctx *ctx, const char *const *path, int n, FILE *out) {
    gos_arena *a = gos__arena_create(ctx);
    page p = {
        .json = {.ctx = ctx, .out = out}, .n = n, .r = a ? GOS_NEW(a, gos_response, n + 1) : NULL};
    gos_status status = p.r ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < n && status == GOS_OK; i++) {
        status = gos__response_read(ctx, path[i], a, &p.r[i]);
    }
    if (status == GOS_OK && n > 0) {
        status = put_page(&p, a);
    }
    gos__arena_destroy(a);
    return status;
}
