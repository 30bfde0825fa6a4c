/* Thermal stress stiffness of floating bodies: forces v T_t q_j on amplitudes i. */
#include "system/constants.h"

void gos__heated_entries(const gos_system *s, gos_entry_sink *k) {
    for (const gos_heated *h = s->constants ? s->constants->heated : NULL; h; h = h->next) {
        for (int e = 0; e < h->n; e++) {
            k->add(k, s->at.q + h->i[e], s->at.q + h->j[e], 0);
            k->add(k, s->at.q + h->i[e], s->at.th + h->t[e], 0);
        }
    }
}

void gos__heated_location(gos_constants *c, int k, int position) {
    gos_heated *h = c->heated;
    for (; k >= 2 * h->n; h = h->next) {
        k -= 2 * h->n;
    }
    h->at[k] = position;
}

void gos__heated_residual(const gos_constants *c, const gos_point_of *x, double *r,
                          gos_sums *sums) {
    for (const gos_heated *h = c->heated; h; h = h->next) {
        for (int e = 0; e < h->n; e++) {
            const double force = h->v[e] * x->th[h->t[e]] * x->q[h->j[e]];
            r[h->i[e]] += force;
            if (sums && x->v) {
                sums->work -= x->v[h->i[e]] * force;
            }
        }
    }
}

void gos__heated_jacobian(const gos_constants *c, const gos_point_of *x, double factor,
                          double *values) {
    for (const gos_heated *h = c->heated; h && factor != 0; h = h->next) {
        for (int e = 0; e < h->n; e++) {
            values[h->at[2 * e]] += factor * h->v[e] * x->th[h->t[e]];
            values[h->at[2 * e + 1]] += factor * h->v[e] * x->q[h->j[e]];
        }
    }
}
