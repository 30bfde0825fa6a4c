/* Completeness of roots by the argument principle and comparison with undamped
   modes. */
#include <math.h>
#include <complex.h>

#include "base/base.h"
#include "linalg/dense.h"
#include "linear/complex_shifts.h"

#define GOS_CONTOUR_NODES 256 // power of two

/* Circle about s = 0, or ellipse in the log s plane about log(centre i). */
typedef struct gos_contour {
    double centre;            // [1/s]; 0: a circle
    double a, b;              // half axes along log |s| and across [rad]; circle: radius a [1/s]
    gos_complex *determinant; // logarithms at the nodes (GOS_CONTOUR_NODES); NAN: unknown
} gos_contour;

typedef struct gos_root_count {
    bool decided;    // the count is reliable
    int missing;     // missing roots inside
    int nplace;      // estimates of missing roots, im >= 0
    gos_root *place; // (2)
} gos_root_count;

/* Number of roots in a region missing from the projection.
 * Root count by the argument principle: f(s) = det T(s) / prod (s - r) over all projected roots
 * has one zero inside a contour per missing root. Its phase is known modulo 2 pi and varies
 * fast, but log |f| is exact. Without inner zeros the phase is the harmonic conjugate of log |f|
 * (Fourier series); otherwise the difference winds once per zero, as a Blaschke product. Nodes
 * are doubled until its step is below 1 rad. */

#define HALF_HEIGHT 0.8 // in the log s plane [rad]: damping ratios up to sin(0.8) = 0.72
#define FIRST_NODES 16
#define ELLIPSE_AXIS 1.8 // half axis of an ellipse that needs twice the nodes: spacing e^0.3
#define LARGEST_STEP 1.0 // of the phase between nodes [rad]

/* ---- contours -------------------------------------------------------------------------------- */

static gos_status make_room(gos_ctx *ctx, gos_contour *c) {
    c->determinant = gos__alloc(ctx, GOS_CONTOUR_NODES, sizeof *c->determinant);
    for (int j = 0; j < GOS_CONTOUR_NODES && c->determinant; j++) {
        c->determinant[j] = NAN;
    }
    return c->determinant ? GOS_OK : GOS_E_MEMORY;
}

/* Ellipse around frequencies from low to high [rad/s] */
static gos_status contour_ellipse(gos_ctx *ctx, double low, double high, gos_contour *c) {
    const double half = 0.5 * log(high / low);
    *c = (gos_contour){.centre = sqrt(low * high), .a = half, .b = fmin(HALF_HEIGHT, 0.95 * half)};
    return make_room(ctx, c);
}

static gos_status contour_circle(gos_ctx *ctx, double radius, gos_contour *c) {
    *c = (gos_contour){.a = radius, .b = radius};
    return make_room(ctx, c);
}

static void contour_free(gos_ctx *ctx, gos_contour *c) {
    gos__free(ctx, c->determinant);
    *c = (gos_contour){0};
}

/* from the centre to a point, in the log s plane for an ellipse; *rate: derivative */
static gos_complex contour_point(const gos_contour *c, double t, gos_complex *rate) {
    *rate = gos__complex(-c->a * sin(t), c->b * cos(t));
    return gos__complex(c->a * cos(t), c->b * sin(t));
}

static gos_complex root_of(const gos_contour *c, gos_complex place) {
    return c->centre > 0 ? gos__complex(0, c->centre) * cexp(place) : place;
}

/* ---- determinants ---------------------------------------------------------------------------- */

/* *known: complete within *budget factorisations. Circles use conjugate symmetry. */
static gos_status determinants(gos_quadratic *q, gos_contour *c, int n, int *budget, bool *known) {
    const int stride = GOS_CONTOUR_NODES / n;
    int needed = 0;
    *known = false;
    for (int j = 0; j < n; j++) {
        needed += isnan(creal(c->determinant[j * stride])) && (c->centre > 0 || 2 * j <= n);
    }
    if (needed > *budget) {
        return GOS_OK;
    }
    *budget -= needed;
    for (int j = 0; j < n; j++) {
        gos_complex *is = &c->determinant[j * stride], rate;
        if (!isnan(creal(*is))) {
            continue;
        }
        if (c->centre == 0 && 2 * j > n) {
            *is = conj(c->determinant[(n - j) * stride]);
            continue;
        }
        const gos_complex s = root_of(c, contour_point(c, 2 * M_PI * j / n, &rate));
        const gos_status status = gos__complex_shifts_determinant(q, creal(s), cimag(s), is);
        if (status != GOS_OK) {
            return status == GOS_E_SINGULAR ? GOS_OK : status;
        }
    }
    *known = true;
    return GOS_OK;
}

/* log f at s */
static gos_complex without_known(const gos_quadratic *q, gos_complex s, gos_complex determinant) {
    gos_complex sum = 2 * q->nidle * clog(s);
    for (int k = 0; k < q->nroots; k++) {
        sum += clog(s - gos__complex(q->re[k], q->im[k]));
    }
    return determinant - sum;
}

/* ---- winding --------------------------------------------------------------------------------- */

/* harmonic conjugate psi (n) of h (n) at equal parameter steps */
static void conjugate(const gos_contour *c, int n, const double *h, double *psi) {
    const double slim = c->b < c->a ? atanh(c->b / c->a) : HUGE_VAL;
    memset(psi, 0, n * sizeof *psi);
    for (int k = 1; k < n / 2; k++) {
        double A = 0, B = 0;
        const double ratio = tanh(k * slim); // ratio of half axes of the image of u^k
        for (int j = 0; j < n; j++) {
            A += 2.0 / n * h[j] * cos(2 * M_PI * j * k / n);
            B += 2.0 / n * h[j] * sin(2 * M_PI * j * k / n);
        }
        for (int j = 0; j < n; j++) {
            psi[j] += A * ratio * sin(2 * M_PI * j * k / n) - B / ratio * cos(2 * M_PI * j * k / n);
        }
    }
}

static void add_place(const gos_contour *c, gos_complex place, gos_root_count *count) {
    const gos_complex s = root_of(c, place);
    if (cimag(s) >= 0 || count->nplace == 0) { // conjugates are equivalent
        count->place[count->nplace++] = (gos_root){creal(s), fabs(cimag(s))};
    }
}

/* One or two missing roots, or the mean of more, from sums of roots and squares. */
static void estimate(const gos_contour *c, int n, const gos_complex *F, gos_root_count *count) {
    gos_complex sum = 0, squares = 0, rate;
    const int m = count->missing;
    for (int j = 0; j < n; j++) {
        const gos_complex u = contour_point(c, 2 * M_PI * j / n, &rate), i = gos__complex(0, 1);
        sum += (m * u + i * rate * F[j]) / n;
        squares += (m * u * u + 2 * i * u * rate * F[j]) / n;
    }
    count->nplace = 0;
    if (m == 2) {
        const gos_complex split = csqrt(0.5 * squares - 0.25 * sum * sum);
        add_place(c, 0.5 * sum + split, count);
        add_place(c, 0.5 * sum - split, count);
    } else {
        add_place(c, sum / m, count);
    }
}

/* scratch (5 n) */
static void winding(const gos_quadratic *q, const gos_contour *c, int n, double *scratch,
                    gos_root_count *count) {
    double *h = scratch, *phase = h + n, *psi = phase + n, most = 0, turned = 0;
    gos_complex *F = (gos_complex *)(psi + n), rate;
    for (int j = 0; j < n; j++) {
        const gos_complex s = root_of(c, contour_point(c, 2 * M_PI * j / n, &rate));
        const gos_complex f =
            without_known(q, s, c->determinant[(size_t)j * (GOS_CONTOUR_NODES / n)]);
        h[j] = creal(f);
        phase[j] = cimag(f);
    }
    conjugate(c, n, h, psi);
    for (int j = 0; j < n; j++) {
        F[j] = gos__complex(h[j], psi[j] + turned);
        const int next = (j + 1) % n;
        const double step = remainder(phase[next] - psi[next] - (phase[j] - psi[j]), 2 * M_PI);
        most = fmax(most, fabs(step));
        turned += step;
    }
    count->decided = most < LARGEST_STEP;
    count->missing = (int)lround(turned / (2 * M_PI));
    for (int j = 0; j < n; j++) {
        F[j] -= gos__complex(0, count->missing * 2 * M_PI * j / n);
    }
    if (count->decided && count->missing > 0) {
        estimate(c, n, F, count);
    }
}

/* Use at most *budget factorisations, which is reduced. Known determinants are reused. */
static gos_status root_count(gos_quadratic *q, gos_contour *c, int *budget, gos_root_count *count) {
    double *scratch = gos__alloc(q->ctx, 5 * GOS_CONTOUR_NODES, sizeof *scratch);
    gos_status status = scratch ? GOS_OK : GOS_E_MEMORY;
    bool known = true;
    count->decided = false;
    for (int n = c->centre > 0 && c->a > ELLIPSE_AXIS ? 2 * FIRST_NODES : FIRST_NODES;
         n <= GOS_CONTOUR_NODES && status == GOS_OK && known && !count->decided; n *= 2) {
        status = determinants(q, c, n, budget, &known);
        if (status == GOS_OK && known) {
            winding(q, c, n, scratch, count);
        }
    }
    gos__free(q->ctx, scratch);
    return status;
}

#define COUNT_WORK 800000.0  // work limit of a root count: unknowns times factorisations
#define FEWEST 9             // factorisations of the smallest count
#define SEARCHES 4           // most searches for missing roots
#define CONTOUR_GAPS 4       // roots after the last one among which the contour may pass
#define GAP 1.02             // sufficient ratio of neighbouring roots
#define WIDEST 1.2           // contour relative to the largest root inside
#define BELOW 0.35           // contour relative to the smallest frequency inside
#define MIN_COUNTERPART 0.25 // smallest share of an undamped mode in its damped counterpart

static gos_status seek(gos_quadratic *q, double re, double im, int *added) {
    const size_t n = q->n, nt = q->heat ? q->heat->n : 0;
    double *dx[2] = {q->work + 2 * n, q->work + 3 * n};
    double *dtheta[2] = {q->work + GOS_QUADRATIC_WORK * n + 2 * nt, NULL};
    dtheta[1] = dtheta[0] + nt;
    GOS_TRY(q->shifts ? GOS_OK : gos__quadratic_begin_shifts(q));
    GOS_TRY(gos__complex_shifts_factor(q, re, im));
    GOS_TRY(gos__complex_shifts_seek(q, re, im, dx, dtheta));
    for (int part = 0; part < (im > 0 ? 2 : 1); part++) {
        GOS_TRY(gos__quadratic_add(q, dx[part], q->work + 4 * n, added));
        if (q->heat && q->heat->m < q->heat->nz) {
            GOS_TRY(gos__thermal_add(q, dtheta[part], q->work + 4 * n, added));
        }
    }
    return GOS_OK;
}

/* Radius behind root `last`, or in a wider gap behind one of the next; size (count) ascends. */
static double between(int count, const double *size, int last) {
    double widest = 0, radius = 0;
    for (int k = last; k <= last + CONTOUR_GAPS && k < count && widest < GAP; k++) {
        const double ratio =
            k + 1 < count ? fmin(size[k + 1] / size[k], WIDEST * WIDEST) : WIDEST * WIDEST;
        if (size[k] > 0 && ratio > widest) {
            widest = ratio;
            radius = size[k] * sqrt(ratio);
        }
    }
    return radius;
}

/* key of the last mode within n entries */
static double last_listed(const gos_quadratic *q, int n) {
    double last = 0;
    for (int k = 0, entries = q->nidle; k < q->nunit && entries < n; k++) {
        entries += q->unit[k].im > 0 ? 1 : 2;
        last = q->unit[k].key;
    }
    return last;
}

static gos_status around_oscillations(gos_quadratic *q, int n, gos_contour *c) {
    double *size = gos__alloc(q->ctx, q->nunit + 1L, sizeof *size);
    int entries = q->nidle, count = 0, last = -1;
    for (int k = 0; k < q->nunit && size; k++) {
        if (q->unit[k].im > 0) {
            last = entries < n ? count : last;
            size[count++] = q->unit[k].key;
        }
        entries += q->unit[k].im > 0 ? 1 : 2;
    }
    gos_status status = size ? GOS_OK : GOS_E_MEMORY;
    if (last >= 0) {
        const double low = BELOW * fmin(q->slowest, size[0]);
        status = contour_ellipse(q->ctx, low, between(count, size, last), c);
    }
    gos__free(q->ctx, size);
    return status;
}

/* slow roots below `limit`, beyond which unrequested oscillations lie */
static gos_status around_temperatures(gos_quadratic *q, double limit, gos_contour *c) {
    const gos_quadratic_heat *h = q->heat;
    double *size = gos__alloc(q->ctx, h->nroot + 1L, sizeof *size);
    int last = -1, all = 0;
    for (int k = 0; k < h->nroot && size; k++) {
        size[k] = hypot(h->root[k].re, h->root[k].im);
        all += k < h->wanted;
        last += k < h->wanted && WIDEST * size[k] < limit;
    }
    gos_status status = size ? GOS_OK : GOS_E_MEMORY;
    const double radius = last >= 0 ? fmin(0.95 * limit, between(h->nroot, size, last)) : 0;
    if (radius > 0) {
        status = contour_circle(q->ctx, radius, c);
    }
    if (last + 1 < all && status == GOS_OK) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "first-order eigenvalues above %.4g 1/s were not counted; they include "
                       "unlisted oscillations",
                       radius > 0 ? radius : limit);
        gos__note(q->ctx, "damped modes", text);
    }
    gos__free(q->ctx, size);
    return status;
}

static void note_count(const gos_quadratic *q, const gos_contour *c, const gos_root_count *count) {
    char text[240], region[80];
    if (c->centre > 0) {
        (void)snprintf(region, sizeof region, "oscillations below %.4g Hz",
                       c->centre * exp(c->a) / (2 * M_PI));
    } else {
        (void)snprintf(region, sizeof region, "eigenvalues with |s| < %.4g 1/s", c->a);
    }
    if (!count->decided || count->missing < 0) {
        (void)snprintf(text, sizeof text,
                       "the number of %s was not verified: this would take too many factorisations",
                       region);
    } else {
        (void)snprintf(text, sizeof text, "%s: %d were not found, near %.4g + %.4g i 1/s", region,
                       count->missing, count->place[0].re, count->place[0].im);
    }
    gos__note(q->ctx, "damped modes", text);
}

static gos_status complete(gos_quadratic *q, int n, gos_contour *c, int *budget) {
    gos_root place[2];
    gos_root_count count = {.place = place};
    int wanted = n;
    if (*budget < FEWEST) {
        note_count(q, c, &count);
        return GOS_OK;
    }
    GOS_TRY(q->shifts ? GOS_OK : gos__quadratic_begin_shifts(q));
    for (int search = 0;; search++) {
        int added = 0;
        GOS_TRY(root_count(q, c, budget, &count));
        if (!count.decided || count.missing <= 0 || search == SEARCHES) {
            break;
        }
        for (int k = 0; k < count.nplace; k++) {
            GOS_TRY(seek(q, place[k].re, place[k].im, &added));
        }
        if (added == 0) {
            break;
        }
        wanted += count.missing;
        GOS_TRY(gos__quadratic_iterate(q, wanted));
    }
    if (!count.decided || count.missing != 0) {
        note_count(q, c, &count);
    }
    return GOS_OK;
}

/* share of each undamped mode in the displacement of a unit (m0); y: scratch (m) */
static void shares(const gos_quadratic *q, const gos_unit *u, double *y, double *share) {
    const int m = q->solved;
    double sum = 0;
    memset(share, 0, m * sizeof *share);
    for (int part = 0; part < (u->im > 0 ? 2 : 1); part++) {
        const double *v = gos__dense_column(q->Y, q->nroots, u->root[part]);
        for (int i = 0; i < m; i++) {
            y[i] = v[2 * (m - 1 - i)] / q->w[i];
        }
        gos__dense_combine(m, 1, m, q->W, y, y + m);
        for (int i = 0; i < m; i++) {
            share[i] += y[m + i] * y[m + i];
            sum += y[m + i] * y[m + i];
        }
    }
    for (int i = 0; i < m && sum > 0; i++) {
        share[i] /= sum;
    }
}

/* unit[j]: unit with the largest share of undamped mode j; -1: none significant */
static gos_status counterparts(gos_quadratic *q, int *unit) {
    const size_t m = q->solved;
    double *room = gos__alloc(q->ctx, 4 * m + 1, sizeof *room);
    if (!room) {
        return GOS_E_MEMORY;
    }
    double *share = room + 2 * m, *best = share + m;
    for (int j = 0; j < q->m0; j++) {
        best[j] = MIN_COUNTERPART;
        unit[j] = -1;
    }
    for (int k = 0; k < q->nunit; k++) {
        shares(q, &q->unit[k], room, share);
        for (int j = 0; j < q->m0; j++) {
            if (share[j] > best[j]) {
                best[j] = share[j];
                unit[j] = k;
            }
        }
    }
    gos__free(q->ctx, room);
    return GOS_OK;
}

static void note_counterpart(const gos_quadratic *q, double omega, const gos_unit *u) {
    char text[200];
    if (u) {
        (void)snprintf(text, sizeof text,
                       "the undamped mode of %.4g Hz is overdamped: eigenvalues %.4g and %.4g 1/s",
                       omega / (2 * M_PI), u->re[0], u->re[1]);
    } else {
        (void)snprintf(text, sizeof text, "the undamped mode of %.4g Hz has no similar damped mode",
                       omega / (2 * M_PI));
    }
    gos__note(q->ctx, "damped modes", text);
}

/* up to `high` [rad/s] */
static gos_status compare_undamped(gos_quadratic *q, int n, double high) {
    int *unit = gos__alloc(q->ctx, q->m0 + 1L, sizeof *unit), added = 0;
    gos_status status = unit ? counterparts(q, unit) : GOS_E_MEMORY;
    for (int j = 0; j < q->m0 && status == GOS_OK; j++) {
        const double omega = sqrt(fmax(q->lambda0[j], 0));
        if (unit[j] < 0 && omega > 0 && omega <= high) {
            status = seek(q, 0, omega, &added);
        }
    }
    if (status == GOS_OK && added > 0) {
        status = gos__quadratic_iterate(q, n);
        status = status == GOS_OK ? counterparts(q, unit) : status;
    }
    for (int j = 0; j < q->m0 && status == GOS_OK; j++) {
        const double omega = sqrt(fmax(q->lambda0[j], 0));
        const gos_unit *u = unit[j] >= 0 ? &q->unit[unit[j]] : NULL;
        if (omega > 0 && omega <= high && !(u && u->im > 0)) {
            note_counterpart(q, omega, u);
        }
    }
    gos__free(q->ctx, unit);
    return status;
}

/* root counts only above GOS_WHOLE unknowns */
gos_status gos__quadratic_verify(gos_quadratic *q, int n) {
    gos_contour oscillations = {0}, temperatures = {0};
    if ((q->m + q->nidle >= q->nz && (!q->heat || q->heat->m >= q->heat->nz)) || q->nunit == 0) {
        return GOS_OK; // complete space
    }
    const gos_linear *l = q->l;
    const double unknowns = (double)l->nq + l->nc + (q->heat ? l->nt + l->nh : 0);
    int budget = (int)fmin(2 * GOS_CONTOUR_NODES, COUNT_WORK / unknowns);
    gos_status status = around_oscillations(q, n, &oscillations);
    if (status == GOS_OK && oscillations.a > 0) {
        status = complete(q, n, &oscillations, &budget);
    }
    status = status == GOS_OK ? compare_undamped(q, n, last_listed(q, n)) : status;
    if (status == GOS_OK && q->heat) {
        const double top =
            oscillations.a > 0 ? oscillations.centre * exp(oscillations.a) : HUGE_VAL;
        status = around_temperatures(q, fmin(top, last_listed(q, n)), &temperatures);
    }
    if (status == GOS_OK && temperatures.a > 0) {
        status = complete(q, n, &temperatures, &budget);
    }
    contour_free(q->ctx, &oscillations);
    contour_free(q->ctx, &temperatures);
    return status;
}
