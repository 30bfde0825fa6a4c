/* Root count by the argument principle: f(s) = det T(s) / prod (s - r) over all projected roots
   has one zero inside a contour per missing root. Its phase is known modulo 2 pi and varies
   fast, but log |f| is exact. Without inner zeros the phase is the harmonic conjugate of log |f|
   (Fourier series); otherwise the difference winds once per zero, as a Blaschke product. Nodes
   are doubled until its step is below 1 rad. */
#include "linear/root_count.h"

#include <complex.h>
#include <math.h>

#define HALF_HEIGHT 0.8 // in the log s plane [rad]: damping ratios up to sin(0.8) = 0.72
#define FIRST_NODES 16
#define LONG 1.8         // half axis of an ellipse that needs twice the nodes: spacing e^0.3
#define LARGEST_STEP 1.0 // of the phase between nodes [rad]

/* ---- contours -------------------------------------------------------------------------------- */

static gos_status make_room(gos_ctx *ctx, gos_contour *c) {
    c->determinant = gos__alloc(ctx, GOS_CONTOUR_NODES, sizeof *c->determinant);
    for (int j = 0; j < GOS_CONTOUR_NODES && c->determinant; j++) {
        c->determinant[j] = NAN;
    }
    return c->determinant ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__contour_ellipse(gos_ctx *ctx, double low, double high, gos_contour *c) {
    const double half = 0.5 * log(high / low);
    *c = (gos_contour){.centre = sqrt(low * high), .a = half, .b = fmin(HALF_HEIGHT, 0.95 * half)};
    return make_room(ctx, c);
}

gos_status gos__contour_circle(gos_ctx *ctx, double radius, gos_contour *c) {
    *c = (gos_contour){.a = radius, .b = radius};
    return make_room(ctx, c);
}

void gos__contour_free(gos_ctx *ctx, gos_contour *c) {
    gos__free(ctx, c->determinant);
    *c = (gos_contour){0};
}

/* from the centre to a point, in the log s plane for an ellipse; *rate: derivative */
static gos_complex place_of(const gos_contour *c, double t, gos_complex *rate) {
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
        const gos_complex s = root_of(c, place_of(c, 2 * M_PI * j / n, &rate));
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
        const gos_complex u = place_of(c, 2 * M_PI * j / n, &rate), i = gos__complex(0, 1);
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
        const gos_complex s = root_of(c, place_of(c, 2 * M_PI * j / n, &rate));
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

gos_status gos__root_count(gos_quadratic *q, gos_contour *c, int *budget, gos_root_count *count) {
    double *scratch = gos__alloc(q->ctx, 5 * GOS_CONTOUR_NODES, sizeof *scratch);
    gos_status status = scratch ? GOS_OK : GOS_E_MEMORY;
    bool known = true;
    count->decided = false;
    for (int n = c->centre > 0 && c->a > LONG ? 2 * FIRST_NODES : FIRST_NODES;
         n <= GOS_CONTOUR_NODES && status == GOS_OK && known && !count->decided; n *= 2) {
        status = determinants(q, c, n, budget, &known);
        if (status == GOS_OK && known) {
            winding(q, c, n, scratch, count);
        }
    }
    gos__free(q->ctx, scratch);
    return status;
}
