/* Random vibration: integrals of |H|^2 G over the band by Gauss and Kronrod's rule of 7 and 15
   points on panels that end at the corners of the density and beside the modes. Panels with large
   errors are halved, all of a round with one call of the response. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "gossamer/vibration.h"

#define TOLERANCE 1e-8 // of each mean square
#define PANELS 20000
#define ROUNDS 40
#define MODES 200 // about which panels are placed
#define NODES 15
#define WIDTHS 4 // panels beside a mode, in half-power bandwidths

static const double node[8] = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0};
static const double kronrod[8] = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

double gos_psd_at(const gos_psd *p, double f) {
    if (!(f >= p->frequency[0]) || !(f <= p->frequency[p->n - 1])) {
        return 0;
    }
    int k = 0;
    while (k + 2 < p->n && f > p->frequency[k + 1]) {
        k++;
    }
    const double part = log(f / p->frequency[k]) / log(p->frequency[k + 1] / p->frequency[k]);
    return p->density[k] * pow(p->density[k + 1] / p->density[k], part);
}

double gos_psd_mean_square(const gos_psd *p) {
    double sum = 0;
    for (int k = 0; k + 1 < p->n; k++) {
        const double f = p->frequency[k], r = log(p->frequency[k + 1] / f);
        const double slope = log(p->density[k + 1] / p->density[k]) / r + 1;
        // int f (x/f)^(slope - 1) dx
        sum += p->density[k] * f * (fabs(slope * r) < 1e-9 ? r : expm1(slope * r) / slope);
    }
    return sum;
}

static gos_status check_psd(gos_ctx *ctx, const gos_psd *p) {
    bool good = p->n >= 2;
    for (int k = 0; k < p->n && good; k++) {
        good = p->frequency[k] > 0 && isfinite(p->frequency[k]) && p->density[k] > 0 &&
               isfinite(p->density[k]) && (k == 0 || p->frequency[k] > p->frequency[k - 1]);
    }
    return good ? GOS_OK
                : gos__fail(ctx, GOS_E_INPUT,
                            "a spectral density needs at least two points with positive ascending "
                            "frequencies and positive densities");
}

typedef struct panel {
    double from, to;
    bool done;   // values are valid
    double *sum; // int G_y, int f^2 G_y, error (3, outputs)
} panel;

typedef struct quadrature {
    gos_ctx *ctx;
    const gos_base *base;
    const gos_psd *psd;
    int ny, n, room;
    panel *list;
    double *sums;  // (room, 3, outputs)
    double *total; // (3, outputs)
} quadrature;

/* ---- panels ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ends of panels: corners of the density, and around each mode of the band */
static gos_status find_ends(quadrature *k, double *end, int *n) {
    static const double wide[WIDTHS] = {1, 4, 16, 64};
    const gos_psd *p = k->psd;
    gos_linear_info info;
    gos_linear_info_get(gos_base_linear(k->base), &info);
    int found = 0, roots = 0;
    gos_mode *mode = gos__zalloc(k->ctx, MODES, sizeof *mode);
    GOS_TRY(mode ? GOS_OK : GOS_E_MEMORY);
    const int most = info.coordinates < MODES ? info.coordinates : MODES;
    const gos_status status = gos_linear_coupled_modes(k->ctx, gos_base_linear(k->base), most, mode,
                                                       &found, 0, NULL, &roots);
    *n = 0;
    for (int i = 0; i < p->n; i++) {
        end[(*n)++] = p->frequency[i];
    }
    for (int i = 0; i < found && status == GOS_OK; i++) {
        const double f = mode[i].im / (2 * M_PI), half = fabs(mode[i].re) / (2 * M_PI);
        for (int w = -WIDTHS; w <= WIDTHS; w++) {
            const double at = f + half * (w < 0 ? -wide[-w - 1] : w > 0 ? wide[w - 1] : 0);
            if (at > p->frequency[0] && at < p->frequency[p->n - 1]) {
                end[(*n)++] = at;
            }
        }
    }
    gos__free(k->ctx, mode);
    qsort(end, (size_t)*n, sizeof *end, ascending);
    return status;
}

static gos_status begin(quadrature *k) {
    const size_t ny = k->ny;
    const int most = k->psd->n + MODES * (2 * WIDTHS + 1);
    double *end = gos__alloc(k->ctx, (size_t)most + 1, sizeof *end);
    int n = 0;
    k->room = most > PANELS ? 2 * most : PANELS;
    k->list = gos__zalloc(k->ctx, (size_t)k->room + 1, sizeof *k->list);
    k->sums = gos__alloc(k->ctx, 3 * ny * (size_t)k->room + 1, sizeof *k->sums);
    k->total = gos__zalloc(k->ctx, 3 * ny + 1, sizeof *k->total);
    gos_status status =
        end && k->list && k->sums && k->total ? find_ends(k, end, &n) : GOS_E_MEMORY;
    for (int i = 0; i + 1 < n && status == GOS_OK; i++) {
        if (end[i + 1] > end[i] * (1 + 1e-14)) {
            k->list[k->n] = (panel){.from = end[i], .to = end[i + 1]};
            k->list[k->n].sum = k->sums + 3 * ny * (size_t)k->n;
            k->n++;
        }
    }
    gos__free(k->ctx, end);
    return status;
}

/* ---- one round ------------------------------------------------------------------------------- */

static double place(const panel *p, int i) {
    const double x = i < 7 ? -node[i] : node[14 - i];
    return 0.5 * (p->from + p->to) + 0.5 * (p->to - p->from) * x;
}

static void integrate(const quadrature *k, panel *p, const double *H) {
    const size_t ny = k->ny;
    const double half = 0.5 * (p->to - p->from);
    memset(p->sum, 0, 3 * ny * sizeof *p->sum);
    for (int i = 0; i < NODES; i++) {
        const int m = i < 8 ? i : 14 - i;
        const double f = place(p, i), G = half * gos_psd_at(k->psd, f);
        const double low = m % 2 ? gauss[m / 2] : 0;
        for (size_t j = 0; j < ny; j++) {
            const double *h = H + 2 * (i * ny + j), square = (h[0] * h[0] + h[1] * h[1]) * G;
            p->sum[j] += kronrod[m] * square;
            p->sum[ny + j] += kronrod[m] * f * f * square;
            p->sum[2 * ny + j] += (kronrod[m] - low) * square;
        }
    }
    for (size_t j = 0; j < ny; j++) {
        p->sum[2 * ny + j] = fabs(p->sum[2 * ny + j]);
    }
    p->done = true;
}

/* all panels without values */
static gos_status evaluate(quadrature *k) {
    int open = 0;
    for (int i = 0; i < k->n; i++) {
        open += !k->list[i].done;
    }
    const size_t points = NODES * (size_t)open;
    double *omega = gos__alloc(k->ctx, points + 1, sizeof *omega);
    double *H = gos__alloc(k->ctx, 2 * points * k->ny + 1, sizeof *H);
    gos_status status = omega && H ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0, at = 0; i < k->n && status == GOS_OK; i++) {
        for (int g = 0; g < NODES && !k->list[i].done; g++) {
            omega[at++] = 2 * M_PI * place(&k->list[i], g);
        }
    }
    status = status == GOS_OK ? gos_base_response(k->ctx, k->base, (int)points, omega, H) : status;
    for (int i = 0, at = 0; i < k->n && status == GOS_OK; i++) {
        if (!k->list[i].done) {
            integrate(k, &k->list[i], H + 2 * (size_t)NODES * k->ny * at++);
        }
    }
    gos__free(k->ctx, omega);
    gos__free(k->ctx, H);
    return status;
}

static void add_up(quadrature *k) {
    const size_t ny = 3 * (size_t)k->ny;
    memset(k->total, 0, ny * sizeof *k->total);
    for (int i = 0; i < k->n; i++) {
        for (size_t j = 0; j < ny; j++) {
            k->total[j] += k->list[i].sum[j];
        }
    }
}

static bool is_coarse(const quadrature *k, const panel *p) {
    const size_t ny = k->ny;
    bool coarse = false;
    for (size_t j = 0; j < ny; j++) {
        coarse = coarse || p->sum[2 * ny + j] > TOLERANCE / k->n * k->total[j];
    }
    return coarse;
}

/* halves coarse panels; *any: some were */
static gos_status refine(quadrature *k, bool *any) {
    const int n = k->n;
    *any = false;
    for (int i = 0; i < n; i++) {
        panel *p = &k->list[i];
        if (!is_coarse(k, p)) {
            continue;
        }
        if (k->n == k->room) {
            return gos__fail(k->ctx, GOS_E_DIVERGED,
                             "random response: more than %d intervals are needed; add damping, or "
                             "give a narrower band",
                             k->room);
        }
        const double middle = 0.5 * (p->from + p->to);
        k->list[k->n] = (panel){.from = middle, .to = p->to};
        k->list[k->n].sum = k->sums + 3 * (size_t)k->ny * (size_t)k->n;
        k->n++;
        p->to = middle;
        p->done = false;
        *any = true;
    }
    return GOS_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

static int by_frequency(const void *a, const void *b) {
    return ascending(&((const panel *)a)->from, &((const panel *)b)->from);
}

static gos_status conclude(quadrature *k, gos_random *r) {
    const size_t ny = k->ny, n = k->n + 1L;
    double *omega = gos__alloc(k->ctx, n, sizeof *omega);
    double *H = gos__alloc(k->ctx, 2 * n * ny + 1, sizeof *H);
    *r = (gos_random){.outputs = k->ny, .n = k->n + 1};
    r->rms = gos__zalloc(k->ctx, 3 * ny + n + 2 * n * ny + 1, sizeof *r->rms);
    gos_status status = omega && H && r->rms ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        r->crossings = r->rms + ny;
        r->error = r->crossings + ny;
        r->frequency = r->error + ny;
        r->density = r->frequency + n;
        r->cumulative = r->density + n * ny;
        qsort(k->list, (size_t)k->n, sizeof *k->list, by_frequency);
        for (size_t i = 0; i < n; i++) {
            r->frequency[i] = i < n - 1 ? k->list[i].from : k->list[n - 2].to;
            omega[i] = 2 * M_PI * r->frequency[i];
        }
        status = gos_base_response(k->ctx, k->base, (int)n, omega, H);
    }
    for (size_t j = 0; j < ny && status == GOS_OK; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            const double *h = H + 2 * (i * ny + j);
            r->density[i * ny + j] =
                (h[0] * h[0] + h[1] * h[1]) * gos_psd_at(k->psd, r->frequency[i]);
            r->cumulative[i * ny + j] = sqrt(sum);
            sum += i < n - 1 ? k->list[i].sum[j] : 0;
        }
        r->rms[j] = sqrt(k->total[j]);
        r->crossings[j] = k->total[j] > 0 ? sqrt(k->total[ny + j] / k->total[j]) : 0;
        r->error[j] = k->total[j] > 0 ? 0.5 * k->total[2 * ny + j] / k->total[j] : 0;
    }
    gos__free(k->ctx, omega);
    gos__free(k->ctx, H);
    return status;
}

gos_status gos_base_random(gos_ctx *ctx, const gos_base *base, const gos_psd *psd,
                           gos_random *random) {
    quadrature k = {.ctx = ctx, .base = base, .psd = psd, .ny = gos_base_noutputs(base)};
    *random = (gos_random){0};
    GOS_TRY(check_psd(ctx, psd));
    gos_status status = begin(&k);
    bool open = true;
    for (int round = 0; round < ROUNDS && open && status == GOS_OK; round++) {
        status = evaluate(&k);
        if (status == GOS_OK) {
            add_up(&k);
            status = refine(&k, &open);
        }
    }
    if (status == GOS_OK && open) {
        status = gos__fail(ctx, GOS_E_DIVERGED,
                           "random response: the integrals do not converge; a mode has almost no "
                           "damping: add damping");
    }
    status = status == GOS_OK ? conclude(&k, random) : status;
    random->ctx = ctx;
    gos__free(ctx, k.list);
    gos__free(ctx, k.sums);
    gos__free(ctx, k.total);
    if (status != GOS_OK) {
        gos_random_free(random);
    }
    return status;
}

void gos_random_free(gos_random *random) {
    if (random->ctx) {
        gos__free(random->ctx, random->rms);
    }
    *random = (gos_random){0};
}
