/* Engineering constants, rotation, plane stress. */
#include "fe/material.h"

#include <math.h>

/* axes of each strain component */
static const signed char first[6] = {0, 1, 2, 0, 1, 2}, second[6] = {0, 1, 2, 1, 2, 0};

/* inverse; false: not positive definite */
static bool invert(double S[3][3], double H[3][3]) {
    const double minor = S[0][0] * S[1][1] - S[0][1] * S[1][0];
    double det = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            H[j][i] = S[p][r] * S[q][s] - S[p][s] * S[q][r];
        }
    }
    for (int i = 0; i < 3; i++) {
        det += S[0][i] * H[i][0];
    }
    for (int i = 0; i < 9; i++) {
        H[i / 3][i % 3] /= det;
    }
    return S[0][0] > 0 && minor > 0 && det > 0 && isfinite(det);
}

gos_status gos__fe_orthotropic(gos_ctx *ctx, gos_loc loc, const char *object, const double E[3],
                               const double nu[3], const double G[3], gos_fe_material *m) {
    double S[3][3], H[3][3];
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = good && E[i] > 0 && G[i] > 0 && isfinite(E[i]) && isfinite(G[i]);
        S[i][i] = 1 / E[i];
    }
    S[0][1] = S[1][0] = -nu[0] / E[0];
    S[0][2] = S[2][0] = -nu[1] / E[0];
    S[1][2] = S[2][1] = -nu[2] / E[1];
    if (!good || !invert(S, H)) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, loc, object,
            "the strain energy is not positive for every strain: moduli must be positive and "
            "Poisson's ratios small enough (isotropic: between -1 and 1/2)");
    }
    memset(m->stiffness, 0, sizeof m->stiffness);
    for (int i = 0; i < 3; i++) {
        memcpy(m->stiffness[i], H[i], sizeof H[i]);
    }
    m->stiffness[3][3] = G[0]; // xy
    m->stiffness[4][4] = G[2]; // yz
    m->stiffness[5][5] = G[1]; // zx
    return GOS_OK;
}

gos_status gos__fe_isotropic(gos_ctx *ctx, gos_loc loc, const char *object, double E, double nu,
                             gos_fe_material *m) {
    const double G = E / (2 * (1 + nu));
    return gos__fe_orthotropic(ctx, loc, object, (const double[3]){E, E, E},
                               (const double[3]){nu, nu, nu}, (const double[3]){G, G, G}, m);
}

/* ---- other axes ------------------------------------------------------------------------------ */

static void strains_by(double Q[3][3], double T[6][6]) {
    for (int a = 0; a < 6; a++) {
        const int i = first[a], j = second[a];
        for (int b = 0; b < 6; b++) {
            const int p = first[b], q = second[b];
            // engineering shears are twice the tensor components
            const double e =
                p == q ? Q[i][p] * Q[j][q] : (Q[i][p] * Q[j][q] + Q[i][q] * Q[j][p]) / 2;
            T[a][b] = i == j ? e : 2 * e;
        }
    }
}

void gos__fe_material_turn(const gos_fe_material *m, double axes[3][3], gos_fe_material *turned) {
    double T[6][6], HT[6][6], tensor[3][3] = {{0}};
    *turned = *m;
    strains_by(axes, T);
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            HT[a][b] = 0;
            for (int k = 0; k < 6; k++) {
                HT[a][b] += m->stiffness[a][k] * T[k][b];
            }
        }
    }
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            turned->stiffness[a][b] = 0;
            for (int k = 0; k < 6; k++) {
                turned->stiffness[a][b] += T[k][a] * HT[k][b];
            }
        }
        const double e = m->expansion[a] * (a < 3 ? 1 : 0.5);
        tensor[first[a]][second[a]] = tensor[second[a]][first[a]] = e;
    }
    for (int a = 0; a < 6; a++) {
        const int i = first[a], j = second[a];
        double e = 0;
        for (int p = 0; p < 9; p++) {
            e += axes[p / 3][i] * tensor[p / 3][p % 3] * axes[p % 3][j];
        }
        turned->expansion[a] = i == j ? e : 2 * e;
    }
    for (int i = 0; i < 9; i++) {
        double sum = 0;
        for (int p = 0; p < 9; p++) {
            sum += axes[p / 3][i / 3] * m->conductivity[p / 3][p % 3] * axes[p % 3][i % 3];
        }
        turned->conductivity[i / 3][i % 3] = sum;
    }
}

void gos__fe_material_thin(gos_fe_material *m) {
    static const int out[3] = {2, 4, 5};
    for (int k = 0; k < 3; k++) {
        const int c = out[k];
        double row[6];
        memcpy(row, m->stiffness[c], sizeof row);
        for (int a = 0; a < 6; a++) {
            const double f = m->stiffness[a][c] / row[c];
            for (int b = 0; b < 6 && a != c; b++) {
                m->stiffness[a][b] -= f * row[b];
            }
        }
        for (int a = 0; a < 6; a++) {
            m->stiffness[a][c] = m->stiffness[c][a] = 0;
        }
        m->expansion[c] = 0; // irrelevant: it does no work
    }
}
