/* Arithmetic of the supernodal L D L^T. A front
 * F = [ A11  .   ]   A11: blocks of the supernode, with updates of its children,
 * [ A21  U   ]   U:   updates for later blocks,
 * becomes the panel [ L11; L21 ] (left-looking, block by block) and the update matrix U - L21 D
 * L21^T, which the parent adds. Sums are always in the same order. */
#include <string.h>

#include "base/kernel.h"
#include "linalg/block_pivot.h"
#include "linalg/super_ldl.h"

/* Unaligned vector of eight doubles. */
typedef double v8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t w8 __attribute__((vector_size(64)));
#define AT(x) (*(v8 *)(x))
#define CAT(x) (*(const v8 *)(x))

enum { LANES = GOS_SUPER_LANES, STRIP = GOS_SUPER_STRIP };

typedef struct front {
    int w, h;           // blocks of the supernode, blocks below
    int wide, below, n; // rows of the supernode, first row below, padded number of rows
    int rows;           // of the update matrix, padded
    double *p;          // panel (n, wide)
    double *u;          // update matrix (rows, 3 h)
    double *taken;      // absolute terms subtracted from the diagonal (n)
    double *y;          // L D, same layout as the panel (n, wide)
    double *strips;     // rows of y below the supernode, in strips (3 h / STRIP, wide, STRIP)
    double *before;     // matrix diagonal (wide)
} front;

GOS_INLINE front front_of(const gos_super *f, int s, double *scratch) {
    front t = {.w = f->first[s + 1] - f->first[s], .h = (int)(f->at[s + 1] - f->at[s])};
    t.wide = 3 * t.w;
    t.below = gos__super_below(t.w);
    t.rows = gos__super_below(t.h);
    t.n = t.below + t.rows;
    t.p = f->l + f->panel[s];
    t.u = f->stack + f->update[s];
    t.taken = scratch;
    t.before = t.taken + f->high;
    t.y = t.before + 3 * GOS_SUPER_MAX_WIDTH;
    t.strips = t.y + 3 * GOS_SUPER_MAX_WIDTH * (size_t)f->high;
    return t;
}

GOS_INLINE int row_of(const front *t, int b) {
    return b < t->w ? 3 * b : t->below + 3 * (b - t->w);
}

/* Adds block columns `one` to `end` of the update matrix of child c. */
GOS_INLINE void add_child(const gos_super *f, int c, const front *t, int one, int end) {
    const int h = (int)(f->at[c + 1] - f->at[c]), rows = gos__super_below(h);
    const int *place = f->place + f->at[c];
    const double *u = f->stack + f->update[c];
    for (int j = one; j < end; j++) {
        const bool inside = place[j] < t->w;
        const size_t lead = inside ? t->n : t->rows;
        double *to = inside ? t->p + 3 * lead * (size_t)place[j]
                            : t->u + 3 * lead * (size_t)(place[j] - t->w);
        const double *from = u + 3 * (size_t)rows * (size_t)j;
        for (int i = j; i < h; i++) {
            const int r = row_of(t, place[i]) - (inside ? 0 : t->below);
            for (int q = 0; q < 3; q++) {
                for (int d = 0; d < 3; d++) {
                    to[lead * q + r + d] += from[rows * q + 3 * i + d];
                }
            }
        }
    }
}

/* Number of row blocks of child c inside the supernode. */
GOS_INLINE int inside_of(const gos_super *f, int c, const front *t) {
    const int h = (int)(f->at[c + 1] - f->at[c]);
    int k = 0;
    while (k < h && f->place[f->at[c] + (size_t)k] < t->w) {
        k++;
    }
    return k;
}

GOS_INLINE void assemble(const gos_super *f, int s, const front *t, const double *values) {
    memset(t->p, 0, (size_t)t->n * (size_t)t->wide * sizeof *t->p);
    memset(t->taken, 0, (size_t)t->n * sizeof *t->taken);
    for (size_t e = f->entry[s]; e < f->entry[s + 1]; e++) {
        t->p[f->to[e]] += 0.5 * values[f->from[e]];
    }
    for (int k = 0; k < t->w; k++) {
        for (int c = f->size[f->first[s] + k]; c < 3; c++) {
            t->p[(size_t)(t->n + 1) * (size_t)(3 * k + c)] = 1;
        }
    }
    for (int c = 0; c < t->wide; c++) {
        t->before[c] = t->p[(size_t)(t->n + 1) * (size_t)c];
    }
    for (int c = f->child[s]; c >= 0; c = f->next[c]) {
        const int h = (int)(f->at[c + 1] - f->at[c]);
        const double *taken = f->stack + f->update[c] + 3 * (size_t)h * (size_t)gos__super_below(h);
        for (int i = 0; i < h; i++) {
            const int r = row_of(t, f->place[f->at[c] + (size_t)i]);
            for (int d = 0; d < 3; d++) {
                t->taken[r + d] += taken[3 * i + d];
            }
        }
        add_child(f, c, t, 0, inside_of(f, c, t));
    }
}

/* y := columns 3 k to 3 k + 2 of the panel minus the terms of earlier columns, for 8 v rows from
 * r. */
GOS_INLINE void take_before(const front *t, int k, const double *b, int r, int v) {
    const size_t n = t->n;
    const double *p = t->p + r;
    double *y = t->y + 3 * n * (size_t)k + r;
    v8 a[2][3];
    for (int i = 0; i < v; i++) {
        for (int q = 0; q < 3; q++) {
            a[i][q] = CAT(p + n * (size_t)(3 * k + q) + LANES * i);
        }
    }
    for (int c = 0; c < 3 * k; c++) {
        for (int i = 0; i < v; i++) {
            const v8 l = CAT(p + n * (size_t)c + LANES * i);
            for (int q = 0; q < 3; q++) {
                a[i][q] -= l * b[3 * c + q];
            }
        }
    }
    for (int i = 0; i < v; i++) {
        for (int q = 0; q < 3; q++) {
            AT(y + n * (size_t)q + LANES * i) = a[i][q];
        }
    }
}

/* L := Y D^-1 in the columns of block k from row r; taken += |L| |Y|. */
GOS_INLINE void divide(const front *t, int k, const double *inverse, int r) {
    const size_t n = t->n;
    for (; r < t->n; r += LANES) {
        const double *y = t->y + 3 * n * (size_t)k + r;
        double *l = t->p + 3 * n * (size_t)k + r;
        const v8 y0 = CAT(y), y1 = CAT(y + n), y2 = CAT(y + 2 * n);
        v8 sum = {0};
        for (int q = 0; q < 3; q++) {
            const v8 x = y0 * inverse[q] + y1 * inverse[3 + q] + y2 * inverse[6 + q];
            const v8 z = x * (q == 0 ? y0 : q == 1 ? y1 : y2);
            AT(l + n * (size_t)q) = x;
            sum += (v8)((w8)z & ~(w8)(v8){-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0});
        }
        AT(t->taken + r) += sum;
    }
}

/* L and L D of the panel, pivot by pivot; returns the block of a vanishing pivot, or -1. */
GOS_INLINE int factor(const front *t, double *inverse, int *part, int *negative) {
    const size_t n = t->n;
    double b[9 * GOS_SUPER_MAX_WIDTH];
    for (int k = 0; k < t->w; k++) {
        for (int c = 0; c < 3 * k; c++) {
            for (int q = 0; q < 3; q++) {
                b[3 * c + q] = t->y[n * (size_t)c + (size_t)(3 * k + q)];
            }
        }
        const int begin = 3 * k / LANES * LANES;
        int r = begin;
        for (; r + 2 * LANES <= t->n; r += 2 * LANES) {
            take_before(t, k, b, r, 2);
        }
        if (r < t->n) {
            take_before(t, k, b, r, 1);
        }
        double pivot[GOS_BLOCK_WIDE];
        for (int q = 0; q < 3; q++) {
            for (int d = 0; d < 3; d++) {
                pivot[GOS_BLOCK_VECTOR * q + d] =
                    t->y[n * (size_t)(3 * k + q) + (size_t)(3 * k + d)];
            }
        }
        double *inv = inverse + GOS_BLOCK * (size_t)k;
        *part = invert(pivot, t->before + 3 * k, t->taken + 3 * k, inv, negative);
        if (*part >= 0) {
            return k;
        }
        divide(t, k, inv, begin);
        for (int q = 0; q < 3; q++) {
            memset(t->p + n * (size_t)(3 * k + q), 0, (size_t)(3 * k + 3) * sizeof *t->p);
        }
    }
    return -1;
}

/* u := -L Y^T for 8 v rows of L, m rows of Y. */
GOS_INLINE void tile(const front *t, const double *l, const double *y, double *u, int v, int m) {
    const size_t n = t->n, rows = t->rows;
    v8 a[2][STRIP];
    for (int i = 0; i < v; i++) {
        for (int j = 0; j < m; j++) {
            a[i][j] = (v8){0};
        }
    }
    for (int c = 0; c < t->wide; c++) {
        for (int i = 0; i < v; i++) {
            const v8 x = CAT(l + n * (size_t)c + LANES * i);
            for (int j = 0; j < m; j++) {
                a[i][j] -= x * y[STRIP * c + j];
            }
        }
    }
    for (int i = 0; i < v; i++) {
        for (int j = 0; j < m; j++) {
            AT(u + rows * (size_t)j + LANES * i) = a[i][j];
        }
    }
}

/* Copies rows `one` to `end` of y below the supernode into strips. */
GOS_INLINE void make_strips(const front *t, int one, int end) {
    const size_t n = t->n;
    double *b = t->strips + (size_t)one * (size_t)t->wide;
    for (int j = one; j < end; j += STRIP, b += STRIP * t->wide) {
        const int m = 3 * t->h - j < STRIP ? 3 * t->h - j : STRIP;
        for (int c = 0; c < t->wide; c++) {
            for (int q = 0; q < m; q++) {
                b[STRIP * c + q] = t->y[n * (size_t)c + (size_t)(t->below + j + q)];
            }
        }
    }
}

/* Columns `one` to `end` of u: whole strips, except at the end of u. */
GOS_INLINE void leave(const front *t, int one, int end) {
    make_strips(t, one, end);
    for (int r = one / (2 * LANES) * (2 * LANES), v = 2; r < t->rows; r += v * LANES) {
        v = r + 2 * LANES <= t->rows ? 2 : 1;
        const double *l = t->p + t->below + r, *y = t->strips + (size_t)one * (size_t)t->wide;
        double *u = t->u + (size_t)one * (size_t)t->rows + r;
        const int last = r + v * LANES < end ? r + v * LANES : end;
        for (int j = one; j < last;
             j += STRIP, y += STRIP * t->wide, u += STRIP * (size_t)t->rows) {
            const bool full = 3 * t->h - j >= STRIP;
            if (v == 2 && full) {
                tile(t, l, y, u, 2, STRIP);
            } else if (v == 2) {
                tile(t, l, y, u, 2, 3);
            } else if (full) {
                tile(t, l, y, u, 1, STRIP);
            } else {
                tile(t, l, y, u, 1, 3);
            }
        }
    }
}

GOS_KERNEL int gos__kernel_super_panel(const gos_super *f, int s, const double *values,
                                       double *scratch, int *part, int *negative) {
    const front t = front_of(f, s, scratch);
    assemble(f, s, &t, values);
    const int k = factor(&t, f->inverse + GOS_BLOCK * (size_t)f->first[s], part, negative);
    if (k >= 0) {
        return f->first[s] + k;
    }
    memcpy(t.u + 3 * (size_t)t.h * (size_t)t.rows, t.taken + t.below, (size_t)t.rows * sizeof *t.u);
    return -1;
}

GOS_KERNEL void gos__kernel_super_leave(const gos_super *f, int s, double *scratch, int one,
                                        int end) {
    const front t = front_of(f, s, scratch);
    leave(&t, 3 * one, 3 * end);
    for (int c = f->child[s]; c >= 0; c = f->next[c]) {
        const int h = (int)(f->at[c + 1] - f->at[c]);
        const int *place = f->place + f->at[c];
        int j = inside_of(f, c, &t), last;
        for (; j < h && place[j] < t.w + one; j++) {
        }
        for (last = j; last < h && place[last] < t.w + end; last++) {
        }
        add_child(f, c, &t, j, last);
    }
}

/* Forward substitution of the supernode; also updates the initially zero rows below. */
GOS_INLINE void forward(const front *t, const double *inverse, double *z) {
    const size_t n = t->n;
    for (int k = 0; k < t->w; k++) {
        const double z0 = z[3 * k], z1 = z[3 * k + 1], z2 = z[3 * k + 2];
        const double *l = t->p + 3 * n * (size_t)k, *d = inverse + GOS_BLOCK * (size_t)k;
        for (int r = (3 * k + 3) / LANES * LANES; r < t->n; r += LANES) {
            AT(z + r) -= CAT(l + r) * z0 + CAT(l + n + r) * z1 + CAT(l + 2 * n + r) * z2;
        }
        for (int q = 0; q < 3; q++) {
            z[3 * k + q] = d[q] * z0 + d[3 + q] * z1 + d[6 + q] * z2;
        }
    }
}

GOS_INLINE double sum_of(const v8 *a) {
    double s = 0;
    for (int i = 0; i < LANES; i++) {
        s += (*a)[i];
    }
    return s;
}

GOS_INLINE void backward(const front *t, double *z) {
    const size_t n = t->n;
    for (int k = t->w - 1; k >= 0; k--) {
        const double *l = t->p + 3 * n * (size_t)k;
        v8 s0 = {0}, s1 = {0}, s2 = {0};
        for (int r = (3 * k + 3) / LANES * LANES; r < t->n; r += LANES) {
            const v8 y = CAT(z + r);
            s0 += CAT(l + r) * y;
            s1 += CAT(l + n + r) * y;
            s2 += CAT(l + 2 * n + r) * y;
        }
        z[3 * k] -= sum_of(&s0);
        z[3 * k + 1] -= sum_of(&s1);
        z[3 * k + 2] -= sum_of(&s2);
    }
}

GOS_KERNEL void gos__kernel_super_solve(gos_super *f) {
    double *z = f->room;
    for (int s = 0; s < f->ns; s++) {
        const front t = front_of(f, s, f->room);
        double *x = f->x + 3 * (size_t)f->first[s];
        const int *row = f->row + f->at[s];
        memset(z, 0, (size_t)t.n * sizeof *z);
        memcpy(z, x, (size_t)t.wide * sizeof *z);
        forward(&t, f->inverse + GOS_BLOCK * (size_t)f->first[s], z);
        memcpy(x, z, (size_t)t.wide * sizeof *z);
        for (int i = 0; i < t.h; i++) {
            for (int c = 0; c < 3; c++) {
                f->x[3 * (size_t)row[i] + (size_t)c] += z[t.below + 3 * i + c];
            }
        }
    }
    for (int s = f->ns - 1; s >= 0; s--) {
        const front t = front_of(f, s, f->room);
        double *x = f->x + 3 * (size_t)f->first[s];
        const int *row = f->row + f->at[s];
        memset(z, 0, (size_t)t.n * sizeof *z);
        memcpy(z, x, (size_t)t.wide * sizeof *z);
        for (int i = 0; i < t.h; i++) {
            for (int c = 0; c < 3; c++) {
                z[t.below + 3 * i + c] = f->x[3 * (size_t)row[i] + (size_t)c];
            }
        }
        backward(&t, z);
        memcpy(x, z, (size_t)t.wide * sizeof *z);
    }
}
