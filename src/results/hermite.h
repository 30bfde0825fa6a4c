/* Cubic Hermite interpolation of stored values and rates. */
#ifndef GOS_IO_HERMITE_H
#define GOS_IO_HERMITE_H

/* Weights of entries i and j. */
typedef struct gos_hermite {
    long i, j;
    double vi, di, vj, dj; // of value and rate
} gos_hermite;

/** Weights at t among n >= 1 increasing times; outside them the nearest end. Reproduces stored
 *  values exactly. */
gos_hermite gos__hermite(const double *time, long n, double t);

static inline double gos__hermite_value(const gos_hermite *h, double vi, double di, double vj,
                                        double dj) {
    return h->i == h->j ? vi : h->vi * vi + h->di * di + h->vj * vj + h->dj * dj;
}

#endif
