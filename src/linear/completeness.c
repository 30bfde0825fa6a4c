/* Completeness of roots by the argument principle (root_count.c) and comparison with undamped
   modes. */
#include <math.h>

#include "base/note.h"
#include "linalg/dense.h"
#include "linear/root_count.h"

#define COUNT_WORK 800000.0 // work limit of a root count: unknowns times factorisations
#define FEWEST 9            // factorisations of the smallest count
#define SEARCHES 4          // most searches for missing roots
#define GAPS 4              // roots after the last one among which the contour may pass
#define GAP 1.02            // sufficient ratio of neighbouring roots
#define WIDEST 1.2          // contour relative to the largest root inside
#define BELOW 0.35          // contour relative to the smallest frequency inside
#define COUNTERPART 0.25    // smallest share of an undamped mode in its damped counterpart

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
    for (int k = last; k <= last + GAPS && k < count && widest < GAP; k++) {
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
        status = gos__contour_ellipse(q->ctx, low, between(count, size, last), c);
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
        status = gos__contour_circle(q->ctx, radius, c);
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
        GOS_TRY(gos__root_count(q, c, budget, &count));
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
        best[j] = COUNTERPART;
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
    gos__contour_free(q->ctx, &oscillations);
    gos__contour_free(q->ctx, &temperatures);
    return status;
}
