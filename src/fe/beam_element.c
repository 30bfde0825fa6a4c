/* One straight element (docs/theory.md, bodies in a floating frame). */
#include <math.h>
#include <string.h>

#include "fe/beam_frame.h"
#include "math/gauss.h"

#define POINTS 4 // exact to degree 7: products of cubics, slopes with a quadratic axial force

double gos__fe_beam_length(const gos_fe_frame *frame, const gos_fe_beam *b) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const double d = frame->x[b->node[1]][c] - frame->x[b->node[0]][c];
        sum += d * d;
    }
    return sqrt(sum);
}

/* local vectors by freedoms along body axes: v_k = sum_l axis[l][k] (local l), for rotations too;
   offsets add displacements by rotations */
static void by_nodes(const gos_fe_beam *b, double local[12][3], double out[12][3]) {
    const double *o = b->offset;
    for (int half = 0; half < 4; half++) {
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                out[3 * half + k][c] = 0;
                for (int l = 0; l < 3; l++) {
                    out[3 * half + k][c] += b->axis[l][k] * local[3 * half + l][c];
                }
            }
        }
    }
    for (int k = 0; k < 6; k++) { // e_k x o
        const int node = 6 * (k / 3), p = (k + 1) % 3, q = (k + 2) % 3;
        for (int c = 0; c < 3; c++) {
            out[node + 3 + k % 3][c] += o[p] * out[node + q][c] - o[q] * out[node + p][c];
        }
    }
}

static void to_body(const gos_fe_beam *b, double local[12][3], double out[12][3]) {
    double own[12][3];
    by_nodes(b, local, own);
    for (int i = 0; i < 36; i++) {
        const int k = i / 3, c = i % 3;
        out[k][c] =
            own[k][0] * b->axis[0][c] + own[k][1] * b->axis[1][c] + own[k][2] * b->axis[2][c];
    }
}

/* bending along y (v, theta_z) and z (w, theta_y) */
static const int bend[2][4] = {{1, 5, 7, 11}, {2, 4, 8, 10}};
static const double sense[2][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}};

/* Deflection v, slope, rotation and curvature in one plane by v and rotation at both ends: Hermite
   functions and the straight line between the ends, 1 : phi, phi = 12 EI / (GA h^2). */
typedef struct shapes {
    double v[4], slope[4], turn[4], curve[4];
} shapes;

static shapes shapes_at(double phi, double h, double xi) {
    const double line[4] = {1 - xi, 0.5 * h * xi * (1 - xi), xi, -0.5 * h * xi * (1 - xi)};
    const double along[4] = {-1 / h, 0.5 - xi, 1 / h, xi - 0.5};
    const double turn[4] = {0, 1 - xi, 0, xi}, curve[4] = {0, -1 / h, 0, 1 / h};
    double N[4], dN[4], ddN[4];
    shapes s;
    gos__hermite_shapes(h, xi, N, dN, ddN);
    for (int i = 0; i < 4; i++) {
        s.v[i] = (N[i] + phi * line[i]) / (1 + phi);
        s.slope[i] = (dN[i] + phi * along[i]) / (1 + phi);
        s.turn[i] = (dN[i] + phi * turn[i]) / (1 + phi);
        s.curve[i] = (ddN[i] + phi * curve[i]) / (1 + phi);
    }
    return s;
}

void gos__fe_beam_section(const gos_fe_beam *b, double h, double xi, gos_fe_section *s) {
    double u[12][3] = {{0}}, turn[12][3] = {{0}}, slope[12][3] = {{0}};
    double strain[12][3] = {{0}}, curve[12][3] = {{0}};
    u[0][0] = turn[3][0] = 1 - xi;
    u[6][0] = turn[9][0] = xi;
    strain[0][0] = curve[3][0] = -1 / h;
    strain[6][0] = curve[9][0] = 1 / h;
    for (int d = 0; d < 2; d++) {
        const double phi = b->GA[d] > 0 ? 12 * b->EI[d] / (b->GA[d] * h * h) : 0;
        const shapes f = shapes_at(phi, h, xi);
        for (int i = 0; i < 4; i++) {
            const int k = bend[d][i];
            u[k][1 + d] = sense[d][i] * f.v[i];
            slope[k][1 + d] = sense[d][i] * f.slope[i];
            // theta_z = v', theta_y = -w' of a beam that does not shear
            turn[k][2 - d] = (d == 0 ? 1 : -1) * sense[d][i] * f.turn[i];
            strain[k][1 + d] = sense[d][i] * (f.slope[i] - f.turn[i]);
            curve[k][1 + d] = sense[d][i] * f.curve[i];
        }
    }
    to_body(b, u, s->u);
    to_body(b, turn, s->turn);
    to_body(b, slope, s->slope);
    by_nodes(b, strain, s->strain);
    by_nodes(b, curve, s->curve);
}

/* add E (p q) of each component to K and D, normal and shear damping in turn */
static void add_strains(const gos_fe_beam *b, double weight, double strain[12][3],
                        const double E[3], const int shear[3], double K[144], double D[144]) {
    for (int i = 0; i < 144; i++) {
        const double *p = strain[i / 12], *q = strain[i % 12];
        for (int l = 0; l < 3; l++) {
            const double one = weight * E[l] * p[l] * q[l];
            K[i] += one;
            D[i] += b->gamma[shear[l]] * one;
        }
    }
}

void gos__fe_beam_stiffness(const gos_fe_beam *b, double h, double K[144], double D[144]) {
    static const int strain_shears[3] = {0, 1, 1}, curve_shears[3] = {1, 0, 0};
    const double strain[3] = {b->EA, b->GA[0], b->GA[1]}, curve[3] = {b->GJ, b->EI[0], b->EI[1]};
    double x[POINTS], w[POINTS];
    memset(K, 0, 144 * sizeof *K);
    memset(D, 0, 144 * sizeof *D);
    gos__gauss(POINTS, x, w);
    for (int g = 0; g < POINTS; g++) {
        gos_fe_section s;
        gos__fe_beam_section(b, h, x[g], &s);
        add_strains(b, w[g] * h, s.strain, strain, strain_shears, K, D);
        add_strains(b, w[g] * h, s.curve, curve, curve_shears, K, D);
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

/* ---- section forces -------------------------------------------------------------------------- */

/* F (6, 12). Moments are linear; shear forces are their slopes. */
void gos__fe_beam_forces(const gos_fe_beam *b, double h, double F[GOS_BEAM_FORCES][12]) {
    gos_fe_section s;
    for (int end = 0; end < 2; end++) {
        gos__fe_beam_section(b, h, end, &s);
        for (int k = 0; k < 12; k++) {
            F[GOS_BEAM_N][k] = b->EA * s.strain[k][0];
            F[GOS_BEAM_T][k] = b->GJ * s.curve[k][0];
            F[GOS_BEAM_MY + end][k] = -b->EI[1] * s.curve[k][2];
            F[GOS_BEAM_MZ + end][k] = b->EI[0] * s.curve[k][1];
        }
    }
}

/* in element axes */
typedef struct local_section {
    double turn[12][3], slope[12][3], bend[12][3]; // theta, u', theta'
} local_section;

static void local_at(const gos_fe_beam *b, double h, double xi, local_section *to) {
    gos_fe_section s;
    gos__fe_beam_section(b, h, xi, &s);
    for (int k = 0; k < 12; k++) {
        for (int l = 0; l < 3; l++) {
            const double *e = b->axis[l], *t = s.turn[k], *u = s.slope[k];
            to->turn[k][l] = e[0] * t[0] + e[1] * t[1] + e[2] * t[2];
            to->slope[k][l] = e[0] * u[0] + e[1] * u[1] + e[2] * u[2];
        }
        to->bend[k][0] = s.curve[k][0];
        to->bend[k][1] = -s.curve[k][2];
        to->bend[k][2] = s.curve[k][1];
    }
}

/* Second derivatives by freedoms p and q of the second-order strain of section force `which`:
   Gamma2 = -theta x u' + theta x (theta x e1) / 2, K2 = -theta x theta' / 2. Products with the
   stretch u'_1 are neglected. */
static double strain_of(const local_section *s, int shear, int curvature, int p, int q) {
    const double *a = s->turn[p], *b = s->turn[q], *u = s->slope[p], *v = s->slope[q];
    if (shear == 1) { // theta_1 (w' + theta_2 / 2)
        return a[0] * (v[2] + 0.5 * b[1]) + b[0] * (u[2] + 0.5 * a[1]);
    }
    if (shear == 2) { // theta_1 (theta_3 / 2 - v')
        return a[0] * (0.5 * b[2] - v[1]) + b[0] * (0.5 * a[2] - u[1]);
    }
    const int i = (curvature + 1) % 3, j = (curvature + 2) % 3;
    const double *c = s->bend[p], *d = s->bend[q];
    return -0.5 * (a[i] * d[j] + b[i] * c[j] - a[j] * d[i] - b[j] * c[i]);
}

void gos__fe_beam_force_stress(const gos_fe_beam *b, double h, int which, double S[144]) {
    double x[POINTS], w[POINTS];
    if (which == GOS_BEAM_N) {
        gos__fe_beam_stress(b, h, (const double[]){1, 0, 0}, 1, S);
        return;
    }
    const int axis = which == GOS_BEAM_T ? 0 : which < GOS_BEAM_MZ ? 1 : 2;
    const int end = axis == 0 ? 0 : which - (axis == 1 ? GOS_BEAM_MY : GOS_BEAM_MZ);
    // Q_z = M_y', Q_y = -M_z'
    const double shear = (axis == 1 ? 1 : -1) * (end ? 1 : -1) / h;
    memset(S, 0, 144 * sizeof *S);
    gos__gauss(POINTS, x, w);
    for (int g = 0; g < POINTS; g++) {
        local_section s;
        local_at(b, h, x[g], &s);
        const double share = axis == 0 ? 1 : end ? x[g] : 1 - x[g];
        for (int i = 0; i < 144; i++) {
            S[i] += w[g] * h * share * strain_of(&s, 0, axis, i / 12, i % 12);
            S[i] += axis == 0 ? 0 : w[g] * h * shear * strain_of(&s, 3 - axis, 0, i / 12, i % 12);
        }
    }
}

/* theta x (theta x y) / 2 of section points y; int y y^T is diagonal in section axes */
void gos__fe_beam_turned(const gos_fe_beam *b, double h, bool rotary, int c, int d, double S[144]) {
    double x[POINTS], w[POINTS];
    memset(S, 0, 144 * sizeof *S);
    gos__gauss(POINTS, x, w);
    for (int g = 0; g < POINTS; g++) {
        gos_fe_section s;
        gos__fe_beam_section(b, h, x[g], &s);
        for (int k = 0; k < 12 && !rotary; k++) { // rotation about the axis only
            const double *e = b->axis[0];
            const double along = e[0] * s.turn[k][0] + e[1] * s.turn[k][1] + e[2] * s.turn[k][2];
            for (int a = 0; a < 3; a++) {
                s.turn[k][a] = along * e[a];
            }
        }
        for (int l = 1; l < 3; l++) {
            const double *e = b->axis[l], weight = w[g] * h * b->inertia[l - 1] * e[d];
            for (int i = 0; i < 144; i++) {
                const double *p = s.turn[i / 12], *q = s.turn[i % 12];
                const double pe = p[0] * e[0] + p[1] * e[1] + p[2] * e[2];
                const double qe = q[0] * e[0] + q[1] * e[1] + q[2] * e[2];
                const double pq = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
                S[i] += weight * (0.5 * (p[c] * qe + q[c] * pe) - e[c] * pq);
            }
        }
    }
}
