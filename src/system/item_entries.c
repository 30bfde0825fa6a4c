/* Newton matrix entries of an item, listed for positions, then added. */
#include "system/derived.h"

/* Entry traversal; values from b, or 0 when listing. */
typedef struct walk {
    gos_entry_sink *k;
    const gos_item *it;
    const gos_item_blocks *b;
    const gos_columns *at; // (nm)
    int nx;                // 3 nm
} walk;

/* y = (3, 3) block of B at markers m and p, times x */
static void block_times(const double *B, int nx, int m, int p, const double *x, double y[3]) {
    for (int c = 0; c < 3; c++) {
        const double *row = B + (3 * m + c) * nx + 3 * p;
        y[c] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
    }
}

/* force on marker m by column l of marker p: (3, 3) for a vector coordinate */
static void vector_column(const walk *w, int m, int p, int l, double G[9]) {
    const gos_columns *at = &w->at[p];
    for (int c = 0; c < 9; c++) {
        const int e = (3 * m + c / 3) * w->nx + 3 * p + c % 3;
        G[c] = at->w[l] * w->b->B[e] + (at->wd ? at->wd[l] * w->b->Bv[e] : 0);
    }
}

/* ... (3) for a single one */
static void single_column(const walk *w, int m, int p, int l, double g[3]) {
    double rate[3];
    block_times(w->b->B, w->nx, m, p, w->at[p].g + 3 * l, g);
    block_times(w->b->Bv, w->nx, m, p, w->at[p].gd + 3 * l, rate);
    for (int c = 0; c < 3; c++) {
        g[c] += rate[c];
    }
}

static double along(const double *g, double x, double y, double z) {
    return g[0] * x + g[1] * y + g[2] * z;
}

/* marker p has single columns or rates */
static void pulled_forces(const walk *w, int m, int p) {
    const gos_columns *r = &w->at[m], *at = &w->at[p];
    double G[9] = {0}, g[3] = {0};
    for (int l = 0; l < at->n; l++) {
        if (w->b->B) {
            vector_column(w, m, p, l, G);
        }
        for (int j = 0; j < r->n; j++) {
            for (int c = 0; c < 9; c++) {
                w->k->add(w->k, 3 * r->v[j] + c / 3, 3 * at->v[l] + c % 3,
                          w->b->B ? r->w[j] * G[c] : 0);
            }
        }
        for (int j = 0; j < r->nz; j++) {
            for (int d = 0; d < 3; d++) {
                w->k->add(w->k, r->z[j], 3 * at->v[l] + d,
                          w->b->B ? along(r->g + 3 * j, G[d], G[3 + d], G[6 + d]) : 0);
            }
        }
    }
    for (int l = 0; l < at->nz; l++) {
        if (w->b->B) {
            single_column(w, m, p, l, g);
        }
        for (int j = 0; j < r->n; j++) {
            for (int c = 0; c < 3; c++) {
                w->k->add(w->k, 3 * r->v[j] + c, at->z[l], w->b->B ? r->w[j] * g[c] : 0);
            }
        }
        for (int j = 0; j < r->nz; j++) {
            w->k->add(w->k, r->z[j], at->z[l], w->b->B ? along(r->g + 3 * j, g[0], g[1], g[2]) : 0);
        }
    }
}

/* blocks proportional to I3: diagonal only */
static void alike_forces(const walk *w, int m, int p) {
    const gos_columns *r = &w->at[m], *at = &w->at[p];
    const double factor = w->b->B ? w->b->B[3 * m * w->nx + 3 * p] : 0;
    for (int j = 0; j < r->n; j++) {
        for (int l = 0; l < at->n; l++) {
            const double v = w->k->values ? factor * r->w[j] * at->w[l] : 0;
            for (int c = 0; c < 3; c++) {
                w->k->add(w->k, 3 * r->v[j] + c, 3 * at->v[l] + c, v);
            }
        }
    }
}

/* without derived vectors */
static void plain_forces(const walk *w, int m, int p) {
    const gos_columns *r = &w->at[m], *at = &w->at[p];
    for (int j = 0; j < r->n; j++) {
        for (int l = 0; l < at->n; l++) {
            const double f = w->k->values ? r->w[j] * at->w[l] : 0;
            for (int c = 0; c < 9; c++) {
                const double v = w->b->B ? f * w->b->B[(3 * m + c / 3) * w->nx + 3 * p + c % 3] : 0;
                w->k->add(w->k, 3 * r->v[j] + c / 3, 3 * at->v[l] + c % 3, v);
            }
        }
    }
}

static void force_entries(const walk *w) {
    const gos_structure *has = w->it->structure;
    for (int m = 0; m < w->it->nm; m++) {
        for (int p = 0; p < w->it->nm; p++) {
            if (has && !(has->pair[m] >> p & 1)) {
                continue;
            }
            if (w->it->pulled) {
                pulled_forces(w, m, p);
            } else if (has && has->alike) {
                alike_forces(w, m, p);
            } else {
                plain_forces(w, m, p);
            }
        }
    }
}

static void row_entry(const walk *w, int row, int col, double v) {
    w->k->add(w->k, row, col, v);
    w->k->add(w->k, col, row, w->b->lam * v);
}

static void constraint_entries(const walk *w, int row0) {
    for (int r = 0; r < w->it->nc; r++) {
        const int row = row0 + w->it->c0 + r;
        const bool vector = r < 3 * w->it->nvec; // couples equal components only
        for (int m = 0; m < w->it->nm; m++) {
            if (w->it->structure && !(w->it->structure->row[r] >> m & 1)) {
                continue;
            }
            const gos_columns *at = &w->at[m];
            const double *cx = w->b->cx ? w->b->cx + r * w->nx + 3 * m : NULL;
            for (int j = 0; j < at->n; j++) {
                for (int c = vector ? r % 3 : 0; c < (vector ? r % 3 + 1 : 3); c++) {
                    row_entry(w, row, 3 * at->v[j] + c, cx ? at->w[j] * cx[c] : 0);
                }
            }
            for (int j = 0; j < at->nz; j++) {
                row_entry(w, row, at->z[j], cx ? along(at->g + 3 * j, cx[0], cx[1], cx[2]) : 0);
            }
        }
    }
}

/* coupling of marker m and temperature marker i: force-temperature, heat-rate */
static void mixed_entries(const walk *w, int m, int i, int th0) {
    const gos_columns *at = &w->at[m];
    const gos_tmarker *t = &w->it->tm[i];
    double f[3] = {0, 0, 0}, h[3] = {0, 0, 0};
    for (int c = 0; c < 3 && w->b->Bth; c++) {
        f[c] = w->b->Bth[(3 * m + c) * w->it->ntm + i];
        h[c] = w->b->bv[i * w->nx + 3 * m + c];
    }
    for (int l = 0; l < t->n; l++) {
        const int th = th0 + t->idx[l];
        const double ck = w->b->ck * t->w[l], cd = w->b->cd * t->w[l];
        for (int j = 0; j < at->n; j++) {
            for (int c = 0; c < 3; c++) {
                const int q = 3 * at->v[j] + c;
                const double rate = at->wd ? ck * at->wd[j] * h[c] : 0;
                w->k->add(w->k, q, th, w->b->Bth ? -at->w[j] * t->w[l] * f[c] : 0);
                w->k->add(w->k, th, q, w->b->Bth ? -cd * at->w[j] * h[c] - rate : 0);
            }
        }
        for (int j = 0; j < at->nz; j++) {
            const double *g = at->g + 3 * j, *gd = at->gd + 3 * j;
            w->k->add(w->k, at->z[j], th, w->b->Bth ? -t->w[l] * along(g, f[0], f[1], f[2]) : 0);
            w->k->add(w->k, th, at->z[j],
                      w->b->Bth
                          ? -cd * along(g, h[0], h[1], h[2]) - ck * along(gd, h[0], h[1], h[2])
                          : 0);
        }
    }
}

/* heat of temperature marker i by positions, in a row with weight f */
static void heat_of_places(const walk *w, int i, int row, double f) {
    for (int m = 0; m < w->it->nm; m++) {
        const gos_columns *at = &w->at[m];
        const double *bx = w->b->bx ? w->b->bx + i * w->nx + 3 * m : NULL;
        for (int l = 0; l < at->n; l++) {
            for (int c = 0; c < 3; c++) {
                w->k->add(w->k, row, 3 * at->v[l] + c, bx ? -w->b->ck * f * at->w[l] * bx[c] : 0);
            }
        }
        for (int l = 0; l < at->nz; l++) {
            w->k->add(w->k, row, at->z[l],
                      bx ? -w->b->ck * f * along(at->g + 3 * l, bx[0], bx[1], bx[2]) : 0);
        }
    }
}

static void heat_entries(const walk *w, const gos_system *s) {
    const gos_item *it = w->it;
    const gos_item_blocks *b = w->b;
    for (int i = 0; i < it->ntm; i++) {
        for (int j = 0; j < it->tm[i].n; j++) {
            const int row = s->at.th + it->tm[i].idx[j];
            const double f = it->tm[i].w[j];
            heat_of_places(w, i, row, f);
            for (int p = 0; p < it->ntm; p++) {
                for (int l = 0; l < it->tm[p].n; l++) {
                    w->k->add(w->k, row, s->at.th + it->tm[p].idx[l],
                              b->bth ? -f * it->tm[p].w[l] * b->bth[i * it->ntm + p] : 0);
                }
            }
            for (int r = 0; r < it->nh; r++) {
                const double v = b->hth ? f * b->hth[r * it->ntm + i] : 0;
                w->k->add(w->k, s->at.lamT + it->h0 + r, row, v);
                w->k->add(w->k, row, s->at.lamT + it->h0 + r, b->lamT * v);
            }
        }
    }
}

void gos__item_entries(const gos_system *s, const gos_item *it, gos_entry_sink *k,
                       const gos_item_blocks *blocks) {
    const gos_item_blocks none = {0};
    gos_columns listed[GOS_ITEM_MARKERS];
    if (!blocks) {
        gos__columns_list(it, listed);
    }
    const walk w = {.k = k,
                    .it = it,
                    .b = blocks ? blocks : &none,
                    .at = blocks ? blocks->at : listed,
                    .nx = 3 * it->nm};
    if (!it->dead && !(it->linear && it->nc > 0)) {
        force_entries(&w);
    }
    constraint_entries(&w, s->at.lam);
    for (int m = 0; m < it->nm && it->mixed; m++) {
        for (int i = 0; i < it->ntm; i++) {
            mixed_entries(&w, m, i, s->at.th);
        }
    }
    heat_entries(&w, s);
}
