/* Markers x = off + sum_j w_j e_j. Each index occurs once, so that the dense Jacobian block of an
 * item has distinct columns. */
#include "parts/derived.h"

#define KERNEL_LENGTH 16 // vectors from which the contiguous kernel pays off

gos_marker gos__marker_fixed(const double x[3]) {
    return (gos_marker){.off = {x[0], x[1], x[2]}};
}

/* Merges equal indices in place, by first appearance. @return their count */
static int merge(int n, int *idx, double *w) {
    int m = 0;
    for (int j = 0; j < n; ++j) {
        int k = 0;
        while (k < m && idx[k] != idx[j]) {
            ++k;
        }
        if (k < m) {
            w[k] += w[j];
            continue;
        }
        idx[m] = idx[j];
        w[m] = w[j];
        ++m;
    }
    int kept = 0;
    for (int k = 0; k < m; ++k) {
        if (w[k] != 0.0) {
            idx[kept] = idx[k];
            w[kept] = w[k];
            ++kept;
        }
    }
    return kept;
}

static gos_status room(gos_arena *a, int n, int **idx, double **w) {
    int size = n > 0 ? n : 1;
    *idx = GOS_NEW(a, int, size);
    *w = GOS_NEW(a, double, size);
    return *idx && *w ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__marker_make(gos_arena *a, int n, const int *idx, const double *w, const double *off,
                            gos_marker *m) {
    int *ii;
    double *ww;
    GOS_TRY(room(a, n, &ii, &ww));
    for (int j = 0; j < n; ++j) {
        ii[j] = idx[j];
        ww[j] = w[j];
    }
    *m = (gos_marker){.n = merge(n, ii, ww), .idx = ii, .w = ww};
    for (int k = 0; k < 3; ++k) {
        m->off[k] = off ? off[k] : 0.0;
    }
    return GOS_OK;
}

gos_status gos__marker_sum(gos_arena *a, int n, const gos_marker *part, const double *factor,
                           gos_marker *m) {
    int total = 0;
    for (int k = 0; k < n; ++k) {
        total += part[k].n;
    }
    int *idx;
    double *w;
    GOS_TRY(room(a, total, &idx, &w));
    double off[3] = {0.0, 0.0, 0.0};
    int at = 0;
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < part[k].n; ++j, ++at) {
            idx[at] = part[k].idx[j];
            w[at] = factor[k] * part[k].w[j];
        }
        for (int c = 0; c < 3; ++c) {
            off[c] += factor[k] * part[k].off[c];
        }
    }
    *m = (gos_marker){
        .n = merge(total, idx, w), .idx = idx, .w = w, .off = {off[0], off[1], off[2]}};
    return GOS_OK;
}

gos_status gos__tmarker_make(gos_arena *a, int n, const int *idx, const double *w, gos_tmarker *m) {
    gos_marker v;
    GOS_TRY(gos__marker_make(a, n, idx, w, NULL, &v));
    *m = (gos_tmarker){.n = v.n, .idx = v.idx, .w = v.w};
    return GOS_OK;
}

void gos__marker_rate(const gos_marker *m, const double *v, double x[3]) {
    if (m->n >= KERNEL_LENGTH && gos__kernel_marker(m, v, x)) {
        return;
    }
    double s0 = 0.0, s1 = 0.0, s2 = 0.0;
    for (int j = 0; j < m->n; ++j) {
        const double *e = v + 3 * m->idx[j];
        s0 += m->w[j] * e[0];
        s1 += m->w[j] * e[1];
        s2 += m->w[j] * e[2];
    }
    x[0] = s0;
    x[1] = s1;
    x[2] = s2;
}

void gos__marker_value(const gos_marker *m, const double *e, double x[3]) {
    gos__marker_rate(m, e, x);
    for (int k = 0; k < 3; ++k) {
        x[k] += m->off[k];
    }
}

double gos__tmarker_value(const gos_tmarker *m, const double *th) {
    double s = 0.0;
    for (int j = 0; j < m->n; ++j) {
        s += m->w[j] * th[m->idx[j]];
    }
    return s;
}

void gos__marker_initial(const gos_builder *b, const gos_marker *m, double x[3]) {
    double e[3], sum[3] = {0.0, 0.0, 0.0};
    for (int j = 0; j < m->n; ++j) {
        gos__vector_initial(b, m->idx[j], e);
        for (int k = 0; k < 3; ++k) {
            sum[k] += m->w[j] * e[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        x[k] = sum[k] + m->off[k];
    }
}
