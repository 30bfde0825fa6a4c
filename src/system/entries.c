/* The entries of one item in the Newton matrix, listed while positions are made and added ever after. */
#include "system/assemble.h"

/* what temperatures do to forces, and rates to heat */
static void mixed_entries(const gos_system *s, const gos_item *it, gos_entry_sink *k,
                          const gos_item_blocks *b) {
    const int nx = 3 * it->nm;
    for (int e = 0; e < nx * it->ntm; e++) {
        const gos_marker *m = &it->m[e / it->ntm / 3];
        const gos_tmarker *t = &it->tm[e % it->ntm];
        const int x = e / it->ntm;
        for (int j = 0; j < m->n; j++) {
            for (int l = 0; l < t->n; l++) {
                const double w = m->w[j] * t->w[l];
                const int q = 3 * m->idx[j] + x % 3, th = s->at.th + t->idx[l];
                k->add(k, q, th, b->Bth ? -w * b->Bth[e] : 0);
                k->add(k, th, q, b->bv ? -w * b->bv[e % it->ntm * nx + x] : 0);
            }
        }
    }
}

/* Walks through the entries of one item always in the same order: to list them, or to add values. */
void gos__item_entries(const gos_system *s, const gos_item *it, gos_entry_sink *k,
                       const gos_item_blocks *blocks) {
    const gos_item_blocks none = {0}, *b = blocks ? blocks : &none;
    const int nx = 3 * it->nm, ct = s->at.th, cl = s->at.lam, ch = s->at.lamT;
    const bool forces = !it->dead && !(it->linear && it->nc > 0);
    for (int m = 0; m < it->nm && forces; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            for (int p = 0; p < it->nm; p++) {
                for (int l = 0; l < it->m[p].n; l++) {
                    const double w = k->values ? it->m[m].w[j] * it->m[p].w[l] : 0;
                    for (int c = 0; c < 9; c++) {
                        const int row = 3 * it->m[m].idx[j] + c / 3,
                                  col = 3 * it->m[p].idx[l] + c % 3;
                        k->add(k, row, col,
                               b->B ? w * b->B[(3 * m + c / 3) * nx + 3 * p + c % 3] : 0);
                    }
                }
            }
        }
    }
    for (int r = 0; r < it->nc; r++) {
        for (int m = 0; m < it->nm; m++) {
            for (int j = 0; j < it->m[m].n; j++) {
                for (int c = 0; c < 3; c++) {
                    const double v = b->cx ? it->m[m].w[j] * b->cx[r * nx + 3 * m + c] : 0;
                    const int q = 3 * it->m[m].idx[j] + c;
                    k->add(k, cl + it->c0 + r, q, v);
                    k->add(k, q, cl + it->c0 + r, b->lam * v);
                }
            }
        }
    }
    if (it->mixed) {
        mixed_entries(s, it, k, b);
    }
    for (int i = 0; i < it->ntm; i++) {
        for (int j = 0; j < it->tm[i].n; j++) {
            const int row = ct + it->tm[i].idx[j];
            const double w = it->tm[i].w[j];
            for (int m = 0; m < it->nm; m++) {
                for (int l = 0; l < it->m[m].n; l++) {
                    for (int c = 0; c < 3; c++) {
                        k->add(k, row, 3 * it->m[m].idx[l] + c,
                               b->bx ? -b->ck * w * it->m[m].w[l] * b->bx[i * nx + 3 * m + c] : 0);
                    }
                }
            }
            for (int p = 0; p < it->ntm; p++) {
                for (int l = 0; l < it->tm[p].n; l++) {
                    k->add(k, row, ct + it->tm[p].idx[l],
                           b->bth ? -b->ck * w * it->tm[p].w[l] * b->bth[i * it->ntm + p] : 0);
                }
            }
            for (int r = 0; r < it->nh; r++) {
                const double v = b->hth ? w * b->hth[r * it->ntm + i] : 0;
                k->add(k, ch + it->h0 + r, row, v);
                k->add(k, row, ch + it->h0 + r, b->lamT * v);
            }
        }
    }
}
