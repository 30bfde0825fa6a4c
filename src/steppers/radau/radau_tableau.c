/* See radau_tableau.h. Everything is derived from the nodes. */
#include "steppers/radau/radau_tableau.h"

#include <math.h>

enum { N = GOS_RADAU_STAGES };

static void others(const gos_radau_tableau *k, int j, double *a, double *b) {
    *a = k->c[(j + 1) % N];
    *b = k->c[(j + 2) % N];
}

void gos__radau_integrals(const gos_radau_tableau *k, double x, double integral[N]) {
    for (int j = 0; j < N; j++) {
        double a, b;
        others(k, j, &a, &b);
        integral[j] = x * (x * x / 3 - (a + b) * x / 2 + a * b) / ((k->c[j] - a) * (k->c[j] - b));
    }
}

void gos__radau_values(const gos_radau_tableau *k, double x, double value[N]) {
    for (int j = 0; j < N; j++) {
        double a, b;
        others(k, j, &a, &b);
        value[j] = (x - a) * (x - b) / ((k->c[j] - a) * (k->c[j] - b));
    }
}

void gos__radau_cubics(const gos_radau_tableau *k, double x, double value[N]) {
    gos__radau_values(k, x, value);
    for (int j = 0; j < N; j++) {
        value[j] *= x / k->c[j];
    }
}

void gos__radau_slopes(const gos_radau_tableau *k, double x, double slope[N]) {
    for (int j = 0; j < N; j++) {
        double a, b;
        others(k, j, &a, &b);
        slope[j] =
            (3 * x * x - 2 * (a + b) * x + a * b) / (k->c[j] * (k->c[j] - a) * (k->c[j] - b));
    }
}

/* det(D - x) = 0 is x^3 - 9 x^2 + 36 x - 60 = 0, the denominator of the stability function */
static void find_eigenvalues(gos_radau_tableau *k) {
    double x = 3.6;
    for (int i = 0; i < 8; i++) {
        x -= (((x - 9) * x + 36) * x - 60) / ((3 * x - 18) * x + 36);
    }
    k->gamma = x;
    k->alpha = (9 - x) / 2;
    k->beta = sqrt(60 / x - k->alpha * k->alpha);
}

/* eigenvector of D for re + i im with last component 1, from the first two rows */
static void eigenvector(const gos_radau_tableau *k, double re, double im, double t_re[N],
                        double t_im[N]) {
    const double a = k->D[0][0] - re, d = k->D[1][1] - re, b = k->D[0][1], c = k->D[1][0];
    const double p = -k->D[0][2], q = -k->D[1][2];
    const double det_re = a * d - im * im - b * c, det_im = -im * (a + d);
    const double x_re = p * d - b * q, x_im = -p * im, y_re = a * q - c * p, y_im = -im * q;
    const double size = det_re * det_re + det_im * det_im;
    t_re[0] = (x_re * det_re + x_im * det_im) / size;
    t_im[0] = (x_im * det_re - x_re * det_im) / size;
    t_re[1] = (y_re * det_re + y_im * det_im) / size;
    t_im[1] = (y_im * det_re - y_re * det_im) / size;
    t_re[2] = 1;
    t_im[2] = 0;
}

static void invert(gos_radau_tableau *k) {
    double det = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            const int a = (j + 1) % N, b = (j + 2) % N, c = (i + 1) % N, d = (i + 2) % N;
            k->T_inverse[i][j] = k->T[a][c] * k->T[b][d] - k->T[a][d] * k->T[b][c];
        }
    }
    for (int i = 0; i < N; i++) {
        det += k->T[i][0] * k->T_inverse[0][i];
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            k->T_inverse[i][j] /= det;
        }
    }
}

static void find_vectors(gos_radau_tableau *k) {
    double one[N], re[N], im[N], none[N];
    eigenvector(k, k->gamma, 0, one, none);
    eigenvector(k, k->alpha, k->beta, re, im);
    for (int i = 0; i < N; i++) {
        k->T[i][0] = one[i];
        k->T[i][1] = re[i];
        k->T[i][2] = im[i];
    }
    invert(k);
}

void gos__radau_tableau(gos_radau_tableau *k) {
    k->c[0] = (4 - sqrt(6)) / 10;
    k->c[1] = (4 + sqrt(6)) / 10;
    k->c[2] = 1;
    for (int i = 0; i < N; i++) {
        gos__radau_integrals(k, k->c[i], k->A[i]);
        gos__radau_slopes(k, k->c[i], k->D[i]);
    }
    gos__radau_slopes(k, 0, k->start);
    for (int j = 0; j < N; j++) {
        double a, b;
        others(k, j, &a, &b);
        k->cubic[j] = 1 / (k->c[j] * (k->c[j] - a) * (k->c[j] - b));
    }
    find_eigenvalues(k);
    find_vectors(k);
}
