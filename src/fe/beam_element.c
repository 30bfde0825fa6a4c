/* One straight Euler-Bernoulli element: shape functions, stiffness, stress stiffness. */
#include <math.h>
#include <string.h>

#include "fe/beam_frame.h"
#include "math/gauss.h"

#define POINTS 4 // exact to degree 7: cubic times cubic, slopes with a quadratic axial force

double gos__fe_beam_length(const gos_fe_frame *frame, const gos_fe_beam *b) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const double d = frame->x[b->node[1]][c] - frame->x[b->node[0]][c];
        sum += d * d;
    }
    return sqrt(sum);
}

/* what the local vector (x, y, z) of a local freedom is in body axes; freedoms of a node turn likewise: v_k = sum_l
   axis[l][k] (local l) */
static void to_body(const gos_fe_beam *b, double local[12][3], double out[12][3]) {
    for (int half = 0; half < 4; half++) {
        for (int k = 0; k < 3; k++) {
            double sum[3] = {0};
            for (int l = 0; l < 3; l++) {
                for (int c = 0; c < 3; c++) {
                    sum[c] += b->axis[l][k] * local[3 * half + l][c];
                }
            }
            for (int c = 0; c < 3; c++) {
                out[3 * half + k][c] =
                    sum[0] * b->axis[0][c] + sum[1] * b->axis[1][c] + sum[2] * b->axis[2][c];
            }
        }
    }
}

/* local: rows of what bending along y (freedoms v, theta_z) and z (w, theta_y) gives */
static const int bend[2][4] = {{1, 5, 7, 11}, {2, 4, 8, 10}};
static const double sense[2][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}};

void gos__fe_beam_section(const gos_fe_beam *b, double h, double xi, gos_fe_section *s) {
    double u[12][3] = {{0}}, turn[12][3] = {{0}}, slope[12][3] = {{0}}, N[4], dN[4];
    gos__hermite_shapes(h, xi, N, dN, NULL);
    u[0][0] = turn[3][0] = 1 - xi;
    u[6][0] = turn[9][0] = xi;
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < 4; i++) {
            const int k = bend[d][i];
            u[k][1 + d] = sense[d][i] * N[i];
            slope[k][1 + d] = sense[d][i] * dN[i];
            // theta_z = v', theta_y = -w'
            turn[k][2 - d] = (d == 0 ? 1 : -1) * sense[d][i] * dN[i];
        }
    }
    to_body(b, u, s->u);
    to_body(b, turn, s->turn);
    to_body(b, slope, s->slope);
}

void gos__fe_beam_stiffness(const gos_fe_beam *b, double h, double K[144], double D[144]) {
    double x[POINTS], w[POINTS], local[12][3], strain[12][3];
    memset(K, 0, 144 * sizeof *K);
    memset(D, 0, 144 * sizeof *D);
    gos__gauss(POINTS, x, w);
    for (int g = 0; g < POINTS; g++) {
        double ddN[4];
        gos__hermite_shapes(h, x[g], NULL, NULL, ddN);
        // axial strain and the two curvatures, then twist alone
        for (int shear = 0; shear < 2; shear++) {
            memset(local, 0, sizeof local);
            local[shear ? 3 : 0][0] = -1 / h;
            local[shear ? 9 : 6][0] = 1 / h;
            for (int d = 0; d < 2 && !shear; d++) {
                for (int i = 0; i < 4; i++) {
                    local[bend[d][i]][1 + d] = sense[d][i] * ddN[i];
                }
            }
            to_body(b, local, strain);
            const double E[3] = {shear ? b->GJ : b->EA, b->EI[0], b->EI[1]};
            for (int i = 0; i < 144; i++) {
                const double *p = strain[i / 12], *q = strain[i % 12];
                double sum = 0;
                for (int l = 0; l < 3; l++) { // in local axes, in which E is diagonal
                    const double *a = b->axis[l];
                    sum += E[l] * (p[0] * a[0] + p[1] * a[1] + p[2] * a[2]) *
                           (q[0] * a[0] + q[1] * a[1] + q[2] * a[2]);
                }
                K[i] += w[g] * h * sum;
                D[i] += w[g] * h * b->gamma[shear] * sum;
            }
        }
    }
}

void gos__fe_beam_stress(const gos_fe_beam *b, double h, const double n[3], double part,
                         double S[144]) {
    double x[POINTS], w[POINTS];
    memset(S, 0, 144 * sizeof *S);
    gos__gauss(POINTS, x, w);
    for (int g = 0; g < POINTS; g++) {
        gos_fe_section s;
        const double xi = part * x[g];
        gos__fe_beam_section(b, h, xi, &s);
        const double f = part * w[g] * h * (n[0] + xi * (n[1] + xi * n[2]));
        for (int i = 0; i < 144; i++) {
            const double *p = s.slope[i / 12], *q = s.slope[i % 12];
            S[i] += f * (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]);
        }
    }
}
