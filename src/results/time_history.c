#include "results/time_history.h"

#include <math.h>
#include <string.h>

#define SMOOTHNESS_RATIO 1000 // ratio of highest differences that indicates a jump on one side

#define OSCULATING 4 // rows of a polynomial by values and rates

/* last of n increasing numbers <= x; -1: none */
static long last_row(const double *a, long n, double x) {
    long lo = -1, hi = n;
    while (hi - lo > 1) {
        const long mid = lo + (hi - lo) / 2;
        if (a[mid] <= x) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* last start at or before row i; -1: none */
static long last_start(const gos_time_history *c, long i) {
    long lo = -1, hi = c->nstart;
    while (hi - lo > 1) {
        const long mid = lo + (hi - lo) / 2;
        if (c->start[mid] <= i) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* rows without a switch: first (with the values of start `s`, if any) to last */
typedef struct piece {
    long first, last, s;
} piece;

static const double *values_of(const gos_time_history *c, const piece *p, long row) {
    return row == p->first && p->s >= 0 ? c->start_value + p->s * c->start_stride
                                        : c->value + row * c->stride;
}

static const double *rates_of(const gos_time_history *c, const piece *p, long row) {
    return row == p->first && p->s >= 0 ? c->start_rate + p->s * c->start_stride
                                        : c->rate + row * c->stride;
}

/* Newton's form with double nodes, the ends of the interval first */
static double osculating(const gos_time_history *c, const piece *p, const long *row, int m, int k,
                         double t) {
    double z[2 * OSCULATING], d[2 * OSCULATING], term[2 * OSCULATING], factor = 1;
    for (int j = 0; j < 2 * m; j++) {
        z[j] = c->time[row[j / 2]];
        d[j] = values_of(c, p, row[j / 2])[k];
    }
    for (int order = 1; order < 2 * m; order++) {
        for (int j = 2 * m - 1; j >= order; j--) {
            d[j] = order == 1 && j % 2 ? rates_of(c, p, row[j / 2])[k]
                                       : (d[j] - d[j - 1]) / (z[j] - z[j - order]);
        }
    }
    for (int j = 0; j < 2 * m; j++) {
        term[j] = factor * d[j];
        factor *= t - z[j];
    }
    double more = 0;
    for (int j = 4; j < 2 * m; j++) {
        more += term[j];
    }
    const bool smooth = fabs(more) <= fabs(term[2]) + fabs(term[3]);
    return term[0] + (term[1] + (term[2] + (term[3] + (smooth ? more : 0))));
}

static void hermite(const gos_time_history *c, const piece *p, long i, double t, double *y) {
    long row[OSCULATING] = {i, i + 1};
    int m = 2;
    if (i > p->first) {
        row[m++] = i - 1;
    }
    if (i + 1 < p->last) {
        row[m++] = i + 2;
    }
    for (int k = 0; k < c->width; k++) {
        y[k] = osculating(c, p, row, m, k, t);
    }
}

/* divided differences of m rows starting at `from` */
static void differences(const gos_time_history *c, const piece *p, long from, int m, int k,
                        double *d) {
    for (int j = 0; j < m; j++) {
        d[j] = values_of(c, p, from + j)[k];
    }
    for (int order = 1; order < m; order++) {
        for (int j = m - 1; j >= order; j--) {
            d[j] = (d[j] - d[j - 1]) / (c->time[from + j] - c->time[from + j - order]);
        }
    }
}

static double newton(const double *time, int m, const double *d, double t) {
    double y = d[m - 1];
    for (int j = m - 2; j >= 0; j--) {
        y = d[j] + (t - time[j]) * y;
    }
    return y;
}

/* from the m rows around interval i; one-sided rows only if far smoother */
static double polynomial(const gos_time_history *c, const piece *p, long i, int m, int k,
                         double t) {
    double best[GOS_HISTORY_ROWS], d[GOS_HISTORY_ROWS];
    const long low = i + 2 - m > p->first ? i + 2 - m : p->first;
    const long high = i + m - 1 < p->last ? i : p->last - m + 1;
    long from = i + 1 - m / 2;
    from = from < low ? low : from > high ? high : from;
    differences(c, p, from, m, k, best);
    double min = fabs(best[m - 1]) / SMOOTHNESS_RATIO;
    for (long f = low; f <= high && m == GOS_HISTORY_ROWS; f++) {
        differences(c, p, f, m, k, d);
        if (fabs(d[m - 1]) < min) {
            min = fabs(d[m - 1]);
            from = f;
            for (int j = 0; j < m; j++) {
                best[j] = d[j];
            }
        }
    }
    return newton(c->time + from, m, best, t);
}

/* between row i and the next one */
static void interpolate(const gos_time_history *c, long i, double t, double *y) {
    const long s = last_start(c, i);
    const piece p = {.first = s >= 0 ? c->start[s] : 0,
                     .last =
                         s + 1 < c->nstart && c->start[s + 1] < c->n ? c->start[s + 1] : c->n - 1,
                     .s = s};
    const long rows = p.last - p.first + 1;
    const int m = rows < GOS_HISTORY_ROWS ? (int)rows : GOS_HISTORY_ROWS;
    if (c->known && c->rate) {
        hermite(c, &p, i, t, y);
    } else {
        for (int k = 0; k < c->width; k++) {
            y[k] = polynomial(c, &p, i, m, k, t);
        }
    }
    const long row = t - c->time[i] <= c->time[i + 1] - t ? i : i + 1;
    for (int k = c->nearest; k > 0 && k < c->width; k++) {
        y[k] = values_of(c, &p, row)[k];
    }
}

void gos_time_history_at(const gos_time_history *c, double t, double *y) {
    const long at = last_row(c->time, c->n, t), i = at < 0 ? 0 : at;
    if (i < c->n - 1 && t > c->time[i]) {
        interpolate(c, i, t, y);
        return;
    }
    for (int k = 0; k < c->width; k++) {
        y[k] = c->value[i * c->stride + k];
    }
}

int gos__time_history_nearest(const gos_probe_info *probe) {
    return strcmp(probe->quantity, "max_von_mises") == 0 ? 1 : 0;
}

bool gos__time_history_flat(const double *rate, long n) {
    for (long i = 0; i < n; i++) {
        if (rate[i] != 0) {
            return false;
        }
    }
    return true;
}
