/* Sensor placement by effective independence (Kammer 1991): the independence of sensor s is E_s =
   phi_s A^-1 phi_s^T with the Fisher information A = Phi^T Phi and its row phi_s of Phi. Removing
   it multiplies det A by 1 - E_s, and A^-1 changes by a matrix of rank one. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "correlation/shapes.h"

#define LEAST 1e-10 // squared entries of the Cholesky diagonal of A, and 1 - E_s, below it are 0

typedef struct placement {
    const gos_shapes *s;
    double *row;     // columns of unit length (sensors, modes)
    double *inverse; // A^-1 (modes, modes)
    double *E;       // independence, -1: removed (sensors)
    double *y;       // scratch (modes)
} placement;

static void take_rows(const placement *k) {
    const int n = k->s->modes;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < k->s->sensors; i++) {
            const double x = k->s->shape[2 * ((size_t)j * k->s->sensors + i)];
            k->row[(size_t)i * n + j] = x;
            sum += x * x;
        }
        for (int i = 0; i < k->s->sensors && sum > 0; i++) {
            k->row[(size_t)i * n + j] /= sqrt(sum);
        }
    }
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static bool invert(const placement *k) {
    const int n = k->s->modes;
    double *A = k->inverse;
    memset(A, 0, (size_t)n * n * sizeof *A);
    for (int s = 0; s < k->s->sensors; s++) {
        const double *x = k->row + (size_t)s * n;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                A[(size_t)i * n + j] += x[i] * x[j];
            }
        }
    }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, A, n) != 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (!(A[(size_t)i * n + i] * A[(size_t)i * n + i] > LEAST)) {
            return false;
        }
    }
    (void)LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', n, A, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            A[(size_t)i * n + j] = A[(size_t)j * n + i];
        }
    }
    return true;
}

static void multiply(const placement *k, const double *x) {
    const int n = k->s->modes;
    for (int i = 0; i < n; i++) {
        k->y[i] = dot(k->inverse + (size_t)i * n, x, n);
    }
}

static void remove_sensor(const placement *k, int removed) {
    const int n = k->s->modes;
    const double share = 1 / (1 - k->E[removed]);
    multiply(k, k->row + (size_t)removed * n);
    k->E[removed] = -1;
    for (int s = 0; s < k->s->sensors; s++) {
        if (k->E[s] >= 0) {
            const double part = dot(k->row + (size_t)s * n, k->y, n);
            k->E[s] += share * part * part;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            k->inverse[(size_t)i * n + j] += share * k->y[i] * k->y[j];
        }
    }
}

/* @return the sensor of the least independence, -1: each is needed */
static int find_least(const placement *k) {
    int least = -1;
    for (int s = 0; s < k->s->sensors; s++) {
        if (k->E[s] >= 0 && (least < 0 || k->E[s] < k->E[least])) {
            least = s;
        }
    }
    return least >= 0 && 1 - k->E[least] > LEAST ? least : -1;
}

static gos_status place(gos_ctx *ctx, const placement *k, int wanted, int *chosen,
                        double *log_determinant) {
    const int n = k->s->modes, m = k->s->sensors;
    take_rows(k);
    if (!invert(k)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "the sensors do not distinguish the %d modes; add sensors, or use fewer "
                         "modes",
                         n);
    }
    for (int s = 0; s < m; s++) {
        multiply(k, k->row + (size_t)s * n);
        k->E[s] = fmax(0, dot(k->row + (size_t)s * n, k->y, n));
    }
    *log_determinant = 0;
    for (int left = m; left > wanted; left--) {
        const int least = find_least(k);
        if (least < 0) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "the %d modes cannot be distinguished with fewer than %d sensors", n,
                             left);
        }
        *log_determinant += log10(1 - k->E[least]);
        remove_sensor(k, least);
    }
    for (int s = 0, i = 0; s < m; s++) {
        if (k->E[s] >= 0) {
            chosen[i++] = s;
        }
    }
    return GOS_OK;
}

gos_status gos_sensors_place(gos_ctx *ctx, const gos_shapes *shapes, int wanted, int *chosen,
                             double *log_determinant) {
    const size_t n = shapes->modes, m = shapes->sensors;
    if (shapes->modes < 1 || wanted < shapes->modes || wanted > shapes->sensors) {
        return gos__fail(ctx, GOS_E_USE,
                         "cannot choose %d of %d sensors for %d modes; choose at least as many as "
                         "there are modes, and no more than there are sensors",
                         wanted, shapes->sensors, shapes->modes);
    }
    placement k = {.s = shapes,
                   .row = gos__zalloc(ctx, m * n, sizeof(double)),
                   .inverse = gos__zalloc(ctx, n * n, sizeof(double)),
                   .E = gos__zalloc(ctx, m, sizeof(double)),
                   .y = gos__zalloc(ctx, n, sizeof(double))};
    const gos_status status = k.row && k.inverse && k.E && k.y
                                  ? place(ctx, &k, wanted, chosen, log_determinant)
                                  : GOS_E_MEMORY;
    gos__free(ctx, k.row);
    gos__free(ctx, k.inverse);
    gos__free(ctx, k.E);
    gos__free(ctx, k.y);
    return status;
}
