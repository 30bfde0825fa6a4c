/* Legendre polynomials along a line body for reduced models. */
#include "line/line_fields.h"

#include "math/gauss.h"

gos_status gos__line_check(gos_ctx *ctx, const gos_body *b, int n) {
    if (b->tapered && n > 0) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, b->loc, "reduction",
            "'%s' is tapered, but polynomial fields need a uniform section; reduce it with "
            "`method: complex_modes`, or turn off its temperature (`temperature: off`)",
            b->name);
    }
    if (n > GOS_LINE_FIELDS) {
        return gos__fail_at(
            ctx, GOS_E_LIMIT, b->loc, "reduction",
            "%d polynomials along '%s' are too many; use at most %d, or `fields: modes`", n,
            b->name, GOS_LINE_FIELDS);
    }
    return GOS_OK;
}

void gos__line_polynomials(const gos_body *b, int n, double x, double *P, double *d, double *dd) {
    double p[GOS_LINE_FIELDS + 1], p1[GOS_LINE_FIELDS + 1], p2[GOS_LINE_FIELDS + 1] = {0};
    const double s = 2 / b->length;
    gos__legendre(n - 1, s * x - 1, p, p1);
    for (int k = 2; k < n; k++) {
        p2[k] = p2[k - 2] + (2 * k - 1) * p1[k - 1];
    }
    for (int k = 0; k < n; k++) {
        P[k] = p[k];
        if (d) {
            d[k] = s * p1[k];
        }
        if (dd) {
            dd[k] = s * s * p2[k];
        }
    }
}

void gos__line_thermal(const gos_body *b, gos_body_fields *f) {
    const gos_material *mat = b->material;
    const gos_section *s = b->section;
    const int nf = b->nfam, nt = f->nt, n = nt * nf;
    double x[64], w[64], P[GOS_LINE_FIELDS], d[GOS_LINE_FIELDS],
        G[GOS_LINE_FIELDS * GOS_LINE_FIELDS] = {0};
    gos__gauss(nt, x, w);
    for (int g = 0; g < nt; g++) {
        gos__line_polynomials(b, nt, b->length * x[g], P, d, NULL);
        for (int i = 0; i < nt; i++) {
            for (int j = 0; j < nt; j++) {
                G[i * nt + j] += b->length * w[g] * d[i] * d[j];
            }
        }
    }
    for (int i = 0; i < nt; i++) {
        const double m = b->length / (2 * i + 1);
        for (int p = 0; p < nf; p++) {
            const int row = i * nf + p;
            f->capacity[row * n + row] = mat->density * mat->specific_heat * s->cap[p] * m;
            for (int q = 0; q < nf; q++) {
                f->conduction[row * n + i * nf + q] += mat->conductivity * s->cond[p * nf + q] * m;
            }
            for (int j = 0; j < nt; j++) {
                f->conduction[row * n + j * nf + p] +=
                    mat->conductivity * s->cap[p] * G[i * nt + j];
            }
        }
    }
}
