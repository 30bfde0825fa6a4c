/* Tangent of dense (reduced) point blocks as matrix products over all points. */

/* For each component c of the force, over rows k = (p, q) of gradients at points,
 *
 *     J[(i, c), (j, d)] += sum_k b_ki T_c[k, (j, d)],   T_c[k, (j, d)] = w sum_r Kz[(q, c), (r, d)]
 * b_rj;
 *
 * temperature columns have w G N instead of w Kz b. For each temperature family f
 *
 *     J[(t, f), :] -= sum_p N_t(p) V_f[p, :],   V_f = w [Hz b | Ht N].
 *
 * Chunks of points and panels of columns of T fit in the L1 cache; sums of four fields by three
 * column vectors stay in registers. Symmetric matrices use panels with i >= j. Blocks with the same
 * fields share the sums. */
#include "base/kernel.h"
#include "parts/gram.h"

typedef gos_v8 vd;
#define L GOS_LANES
#define TILE 4   // fields i at a time
#define ROWS 160 // maximum rows of a chunk, at least one batch

typedef struct dense_scratch {
    int m, mp; // fields, padded to a multiple of L
    int g, gp; // temperature columns, padded likewise
    int tp;    // temperature functions, padded to a multiple of TILE
    int chunk; // batches
    size_t rows;
    double *S;  // (mp)(3)(3)(mp): forces (i, c) by coordinates (d, j)
    double *SG; // (mp)(3)(gp): forces by temperatures
    double *H;  // (tp)(nfam)(3)(mp), (tp)(nfam)(gp): heat by coordinates, by temperatures
    double *HG;
    double *z, *zd, *t, *Kz, *G, *Hz, *Ht; // one batch
    double *B, *N;                         // (rows, mp), (chunk L, tp)
    double *T, *TG;                        // (3)(mp/L)(rows)(3)(L), (3)(gp/L)(rows)(L): in panels
    double *V, *VG;                        // (nfam)(mp/L)(chunk L)(3)(L), (nfam)(gp/L)(chunk L)(L)
} dense_scratch;

static int round_up(int n, int to) {
    return (n + to - 1) / to * to;
}

/* Field-dependent sizes come first: shared by blocks with the same fields. */
static size_t carve(const gos_points *p, double *work, dense_scratch *s) {
    const size_t nz = p->law->nz, nt = p->nt, nf = p->nfam;
    s->m = p->nv;
    s->mp = round_up(p->nv, L);
    s->g = p->nt * p->nfam;
    s->gp = round_up(s->g, L);
    s->tp = round_up(p->nt, TILE);
    s->chunk = ROWS / (L * p->law->nz) > 1 ? ROWS / (L * p->law->nz) : 1;
    s->rows = s->chunk * (nz * L);
    const size_t mp = s->mp, gp = s->gp, tp = s->tp, points = s->chunk * L, hf = nt ? nf : 0;
    struct {
        double **where;
        size_t n;
    } list[] = {{&s->S, 9 * mp * mp},
                {&s->SG, 3 * mp * gp},
                {&s->H, tp * hf * 3 * mp},
                {&s->HG, tp * hf * gp},
                {&s->z, 3 * nz * L},
                {&s->zd, 3 * nz * L},
                {&s->t, nf * L},
                {&s->Kz, 9 * nz * nz * L},
                {&s->G, 3 * nz * nf * L},
                {&s->Hz, 3 * nz * nf * L},
                {&s->Ht, nf * nf * L},
                {&s->B, s->rows * mp},
                {&s->N, points * tp},
                {&s->T, 9 * s->rows * mp},
                {&s->TG, 3 * s->rows * gp},
                {&s->V, hf * points * 3 * mp},
                {&s->VG, hf * points * gp}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (work) {
            *list[i].where = work + at;
        }
        at += (list[i].n + 7) / 8 * 8; // 64-byte alignment
    }
    return at;
}

size_t gos__points_dense_work(const gos_points *p) {
    dense_scratch s;
    const size_t a = carve(p, NULL, &s), b = gos__points_work(p);
    return a > b ? a : b;
}

bool gos__points_together(const gos_points *a, const gos_points *b) {
    return a->dense && b->dense && !a->gram && !b->gram && a->nv == b->nv && a->v[0] == b->v[0];
}

/* Values at a batch with tables b, N and z0 (NULL: 0). */
GOS_INLINE void values_at(const gos_points *p, const double *b, const double *N, const double *z0,
                          const gos_points_sum *s, int rates, dense_scratch *k) {
    const int nz = p->law->nz, m = p->nv, nf = p->nfam;
    const double *e = s->e + 3L * p->v[0], *v = rates ? s->v + 3L * p->v[0] : NULL;
    for (int q = 0; q < nz; q++) {
        for (int c = 0; c < 3; c++) {
            vd x = {0}, xd = {0};
            if (z0) {
                x = GOS_CV8(z0, 3 * q + c);
            }
            for (int j = 0; j < m; j++) {
                x += GOS_CV8(b, q * m + j) * e[3 * j + c];
            }
            GOS_V8(k->z, 3 * q + c) = x;
            for (int j = 0; j < m && rates; j++) {
                xd += GOS_CV8(b, q * m + j) * v[3 * j + c];
            }
            GOS_V8(k->zd, 3 * q + c) = xd;
        }
    }
    for (int f = 0; f < nf && p->nt; f++) {
        vd x = {0};
        for (int i = 0; i < p->nt; i++) {
            x += GOS_CV8(N, i) * s->th[p->th[(i * nf + f) * L]];
        }
        GOS_V8(k->t, f) = x;
    }
}

GOS_INLINE void laws_at(const gos_points *p, const double *ref, const double *mem,
                        const gos_points_sum *s, const gos_points_factors *factors, int rates,
                        const dense_scratch *k) {
    const int nz = p->law->nz, nf = p->nfam, thermal = p->nt > 0;
    const gos_batch b = {.z = k->z,
                         .zd = rates ? k->zd : NULL,
                         .th = thermal ? k->t : NULL,
                         .ref = ref,
                         .mem = mem,
                         .ck = factors->k,
                         .cd = factors->d,
                         .geometric = factors->geometric,
                         .hk = factors->hk,
                         .hd = factors->hd,
                         .Kz = k->Kz,
                         .G = thermal ? k->G : NULL,
                         .Hz = thermal ? k->Hz : NULL,
                         .Ht = thermal ? k->Ht : NULL};
    if (thermal) {
        memset(k->G, 0, sizeof(vd) * (3 * nz * nf));
        memset(k->Hz, 0, sizeof(vd) * (3 * nz * nf));
        memset(k->Ht, 0, sizeof(vd) * (nf * nf));
    }
    p->law->tangent(p->par, nf, &b);
    for (int i = 0; thermal && i < p->nsurf; i++) {
        const gos_surface *f = &p->surf[i];
        f->type->tangent(f->par, p->law, p->par, nf, s->fn + f->fn0, s->scale, &b);
    }
}

/* ---- rows of a chunk ------------------------------------------------------------------------- */

/* Weights Kz and Hz; symmetrises Kz if requested. */
GOS_INLINE void weigh(const gos_points *p, const vd *w, const int symmetric, dense_scratch *k) {
    const int n = 3 * p->law->nz, nh = p->nt ? n * p->nfam : 0;
    const vd half = 0.5 * *w;
    for (int i = 0; i < n && symmetric; i++) {
        for (int j = 0; j <= i; j++) {
            const vd x = half * (GOS_CV8(k->Kz, i * n + j) + GOS_CV8(k->Kz, j * n + i));
            GOS_V8(k->Kz, i * n + j) = GOS_V8(k->Kz, j * n + i) = x;
        }
    }
    for (int i = 0; i < n * n && !symmetric; i++) {
        GOS_V8(k->Kz, i) *= *w;
    }
    for (int i = 0; i < nh; i++) {
        GOS_V8(k->Hz, i) *= *w;
    }
}

/* out(mp/L)(3)(L), stride `panel`: sum_r a[r, d] b_rj at one point; rows of B have stride L mp */
GOS_INLINE void half_row(const double *B, long nz, long mp, const double *a, double *out,
                         size_t panel) {
    for (long v = 0; v < mp / L; v++) {
        vd x = {0}, y = {0}, z = {0};
        for (long r = 0; r < nz; r++) {
            const vd s = GOS_CV8(B + r * L * mp, v);
            x += s * a[(3 * r + 0) * L];
            y += s * a[(3 * r + 1) * L];
            z += s * a[(3 * r + 2) * L];
        }
        double *to = out + v * panel;
        GOS_V8(to, 0) = x;
        GOS_V8(to, 1) = y;
        GOS_V8(to, 2) = z;
    }
}

/* likewise for temperatures: w G N, zero-padded */
GOS_INLINE void heat_row(const double *N, long nt, long nf, double w, const double *a, double *out,
                         size_t panel) {
    for (long g = nt * nf; g % L != 0; g++) {
        out[g / L * panel + g % L] = 0;
    }
    for (long t = 0; t < nt; t++) {
        for (int f = 0; f < nf; f++) {
            const long g = t * nf + f;
            out[g / L * panel + g % L] = w * N[t] * a[(size_t)f * L];
        }
    }
}

/* Zero-padded tables of a batch by point. */
GOS_INLINE void fill_tables(const gos_points *p, const double *b, const double *N, long at,
                            dense_scratch *k) {
    const long nz = p->law->nz, m = k->m, mp = k->mp, tp = k->tp;
    for (long q = 0; q < nz; q++) {
        double *to = k->B + (at * nz + q) * L * mp;
        for (long j = 0; j < mp; j++) {
            for (int l = 0; l < L; l++) {
                to[l * mp + j] = j < m ? b[(q * m + j) * L + l] : 0;
            }
        }
    }
    for (int l = 0; l < L; l++) {
        for (long i = 0; i < tp; i++) {
            k->N[(at * L + l) * tp + i] = i < p->nt ? N[i * L + l] : 0;
        }
    }
}

GOS_INLINE void fill_batch(const gos_points *p, int ib, long at, const gos_points_sum *s,
                           const gos_points_factors *f, const int rates, dense_scratch *k) {
    const long nz = p->law->nz, nf = p->nfam, nt = p->nt, mp = k->mp, tp = k->tp;
    const size_t tab = p->tab[ib], rows = k->rows, points = (size_t)k->chunk * L;
    const double *b = p->b + tab * (nz * k->m) * L, *N = nt ? p->N + tab * nt * L : NULL;
    const double *z0 = p->z0 ? p->z0 + tab * 3 * nz * L : NULL;
    const vd w = GOS_CV8(p->w + tab * L, 0), wk = f->k * w, wh = f->hk * w;
    const size_t nmem = (size_t)p->law->nmem * L;
    values_at(p, b, N, z0, s, rates, k);
    laws_at(p, p->ref + tab * p->law->nref * L, nmem ? s->mem + p->m0 + ib * nmem : NULL, s, f,
            rates, k);
    weigh(p, &w, f->symmetric, k);
    fill_tables(p, b, N, at, k);
    for (long l = 0; l < L; l++) {
        const double *Bl = k->B + (at * nz * L + l) * mp, *Nl = k->N + (at * L + l) * tp;
        for (long q = 0; q < nz; q++) {
            const size_t row = (at * nz + q) * L + l;
            for (long c = 0; c < 3; c++) {
                half_row(Bl, nz, mp, k->Kz + (3 * q + c) * 3 * nz * L + l,
                         k->T + (c * (mp / L) * rows + row) * 3 * L, rows * 3 * L);
                heat_row(Nl, nt, nf, wk[l], k->G + (3 * q + c) * nf * L + l,
                         k->TG + (c * (k->gp / L) * rows + row) * L, rows * L);
            }
        }
        for (long h = 0; h < nf && nt; h++) {
            const size_t row = at * L + l;
            if (!f->triangular) {
                half_row(Bl, nz, mp, k->Hz + h * 3 * nz * L + l,
                         k->V + (h * (mp / L) * points + row) * 3 * L, points * 3 * L);
            }
            heat_row(Nl, nt, nf, wh[l], k->Ht + h * nf * L + l,
                     k->VG + (h * (k->gp / L) * points + row) * L, points * L);
        }
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* out[i][d][lane] += sum_k b[k][i] t[k][d][lane]; TILE rows i, stride ldo; n <= 3 vectors d, stride
 * ldd */
GOS_INLINE void tile_whole(const double *b, size_t ldb, const double *t, size_t rows, const int n,
                           double *out, size_t ldo, size_t ldd) {
    vd x[TILE][3] = {{{0}}};
    for (size_t k = 0; k < rows; k++) {
        for (int i = 0; i < TILE; i++) {
            const double s = b[k * ldb + i];
            for (int d = 0; d < n; d++) {
                x[i][d] += s * GOS_CV8(t, k * n + d);
            }
        }
    }
    for (int i = 0; i < TILE; i++) {
        for (int d = 0; d < n; d++) {
            GOS_V8(out + i * ldo + d * ldd, 0) += x[i][d];
        }
    }
}

/* The same by halves of lanes, for registers of 32 bytes. */
GOS_INLINE void tile_by_halves(const double *b, size_t ldb, const double *t, size_t rows,
                               const int n, double *out, size_t ldo, size_t ldd) {
    for (int half = 0; half < L; half += 4) {
        gos_v4 x[TILE][3] = {{{0}}};
        for (size_t k = 0; k < rows; k++) {
            for (int i = 0; i < TILE; i++) {
                const double s = b[k * ldb + i];
                for (int d = 0; d < n; d++) {
                    x[i][d] += s * *(const gos_v4 *)(t + (k * n + d) * L + half);
                }
            }
        }
        for (int i = 0; i < TILE; i++) {
            for (int d = 0; d < n; d++) {
                *(gos_v4 *)(out + i * ldo + d * ldd + half) += x[i][d];
            }
        }
    }
}

GOS_INLINE void tile(const int wide, const double *b, size_t ldb, const double *t, size_t rows,
                     const int n, double *out, size_t ldo, size_t ldd) {
    if (wide) {
        tile_whole(b, ldb, t, rows, n, out, ldo, ldd);
    } else {
        tile_by_halves(b, ldb, t, rows, n, out, ldo, ldd);
    }
}

/* S, SG += B^T T; H, HG += N^T V of nb batches */
GOS_INLINE void add_chunk(const gos_points *p, int nb, const gos_points_factors *f, const int wide,
                          dense_scratch *k) {
    const int nf = p->nfam, nt = p->nt, m = k->m;
    const size_t mp = k->mp, gp = k->gp, tp = k->tp;
    const size_t n = (size_t)nb * L * p->law->nz, np = (size_t)nb * L,
                 points = (size_t)k->chunk * L;
    for (size_t c = 0; c < 3; c++) {
        for (size_t v = 0; v < mp / L; v++) {
            const double *t = k->T + (c * (mp / L) + v) * k->rows * 3 * L;
            for (int i = f->symmetric ? (int)v * L : 0; i < m; i += TILE) {
                tile(wide, k->B + i, mp, t, n, 3, k->S + (3 * i + c) * 3 * mp + v * L, 9 * mp, mp);
            }
        }
        for (size_t v = 0; v < gp / L; v++) {
            const double *t = k->TG + (c * (gp / L) + v) * k->rows * L;
            for (int i = 0; i < m; i += TILE) {
                tile(wide, k->B + i, mp, t, n, 1, k->SG + (3 * i + c) * gp + v * L, 3 * gp, 0);
            }
        }
    }
    for (size_t h = 0; h < (size_t)nf && nt; h++) {
        for (size_t v = 0; v < mp / L && !f->triangular; v++) {
            const double *t = k->V + (h * (mp / L) + v) * points * 3 * L;
            for (int i = 0; i < nt; i += TILE) {
                tile(wide, k->N + i, tp, t, np, 3, k->H + (i * nf + h) * 3 * mp + v * L,
                     nf * 3 * mp, mp);
            }
        }
        for (size_t v = 0; v < gp / L; v++) {
            const double *t = k->VG + (h * (gp / L) + v) * points * L;
            for (int i = 0; i < nt; i += TILE) {
                tile(wide, k->N + i, tp, t, np, 1, k->HG + (i * nf + h) * gp + v * L, nf * gp, 0);
            }
        }
    }
}

/* ---- to the matrix --------------------------------------------------------------------------- */

/* Adds forces by coordinates; `at`: first row and column. */
static void give_forces(const dense_scratch *k, const int symmetric, size_t n, double *at) {
    const long mp = k->mp;
    for (long a = 0; a < 3L * k->m; a++) {
        for (int d = 0; d < 3; d++) {
            const double *from = k->S + (3 * a + d) * mp;
            const long last = symmetric ? (a - d) / 3 : k->m - 1; // last j with 3 j + d <= a
            for (long j = 0; j <= last && (!symmetric || d <= a); j++) {
                at[(3 * j + d) * n + a] += from[j];
                if (symmetric && 3 * j + d < a) {
                    at[a * n + 3 * j + d] += from[j];
                }
            }
        }
    }
}

static void give_heat(const gos_points *p, const dense_scratch *k, bool triangular, size_t n,
                      int nq, double *values) {
    const long mp = k->mp, gp = k->gp, q0 = 3L * p->v[0];
    for (long g = 0; g < k->g; g++) {
        const size_t column = nq + p->th[g * L];
        for (long a = 0; a < 3L * k->m; a++) {
            values[column * n + q0 + a] += k->SG[a * gp + g];
        }
        for (long h = 0; h < k->g; h++) {
            values[column * n + nq + p->th[h * L]] -= k->HG[h * gp + g];
        }
    }
    for (long h = 0; h < k->g && !triangular; h++) {
        for (long j = 0; j < 3L * k->m; j++) {
            values[(q0 + j) * n + nq + p->th[h * L]] -= k->H[(3 * h + j % 3) * mp + j / 3];
        }
    }
}

GOS_KERNEL static void sum_block(const gos_points *p, const gos_points_sum *s,
                                 const gos_points_factors *f, dense_scratch *k) {
    const int rates = s->v != NULL && p->rates;
    const bool wide = gos__wide_registers();
    for (int from = 0; from < p->nb; from += k->chunk) {
        const int nb = p->nb - from < k->chunk ? p->nb - from : k->chunk;
        for (int i = 0; i < nb; i++) {
            fill_batch(p, from + i, i, s, f, rates, k);
        }
        if (wide) {
            add_chunk(p, nb, f, true, k);
        } else {
            add_chunk(p, nb, f, false, k);
        }
    }
}

void gos__points_tangent_dense(const gos_points *const *list, int nlist, const gos_points_sum *s,
                               const gos_points_factors *f, int n, int nq, double *values,
                               double *work) {
    dense_scratch k;
    for (int i = 0; i < nlist; i++) {
        const gos_points *p = list[i];
        if (p->gram) {
            gos__gram_tangent(p, s, f, n, nq, values, work);
            continue;
        }
        (void)carve(p, work, &k);
        double *sums = i > 0 ? k.SG : k.S;
        memset(sums, 0, (size_t)(k.z - sums) * sizeof *sums);
        sum_block(p, s, f, &k);
        give_heat(p, &k, f->triangular, (size_t)n, nq, values);
        if (i == nlist - 1) {
            give_forces(&k, f->symmetric, (size_t)n, values + 3L * p->v[0] * (n + 1L));
        }
    }
}
