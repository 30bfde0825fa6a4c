/* Resultants of laminates. */
#include "fe/layup.h"

#include <lapacke.h>
#include <math.h>

#define SHEAR (5.0 / 6) // transverse shear correction of a single ply
#define ROUNDING 1e-13  // relative size of sums that vanish up to rounding
static const int flat[3] = {0, 1, 3}, across[2] = {5, 4}; // xx, yy, xy; zx, yz

static void reduce(const gos_fe_material *m, double Q[3][3]) {
    gos_fe_material thin = *m;
    gos__fe_material_thin(&thin);
    for (int i = 0; i < 9; i++) {
        Q[i / 3][i % 3] = thin.stiffness[flat[i / 3]][flat[i % 3]];
    }
}

/* ---- one ply --------------------------------------------------------------------------------- */

gos_status gos__fe_plate_single(const gos_fe_material *m, double thickness, gos_arena *arena,
                                gos_fe_plate *p) {
    const double h = thickness, bend = h * h * h / 12;
    gos_fe_lamina *l = GOS_NEW(arena, gos_fe_lamina, 1);
    GOS_TRY(l ? GOS_OK : GOS_E_MEMORY);
    *l = (gos_fe_lamina){.z = {-h / 2, h / 2}, .phi = {-h / 2, h / 2}, .material = *m};
    reduce(m, l->Q);
    *p = (gos_fe_plate){.thickness = h,
                        .mass = {h * m->density, 0, bend * m->density},
                        .heat = {h * m->density * m->heat, 0, bend * m->density * m->heat},
                        .through = h * m->conductivity[2][2],
                        .shear = SHEAR,
                        .n = 1,
                        .lamina = l};
    for (int i = 0; i < 3; i++) {
        p->strain[0][i] = p->bend[1][i] = m->expansion[flat[i]];
        for (int j = 0; j < 3; j++) {
            p->A[i][j] = h * l->Q[i][j];
            p->D[i][j] = bend * l->Q[i][j];
        }
    }
    for (int i = 0; i < 4; i++) {
        const double L = m->conductivity[i / 2][i % 2];
        p->lambda[0][i / 2][i % 2] = h * L;
        p->lambda[2][i / 2][i % 2] = bend * L;
        p->S[i / 2][i % 2] = h * SHEAR * m->stiffness[across[i / 2]][across[i % 2]];
    }
    for (int i = 0; i < 2; i++) {
        p->slant[i] = h * m->conductivity[i][2];
        for (int k = 0; k < 3; k++) { // without the correction
            l->tau[k][i][i] = 1 / (SHEAR * h);
        }
    }
    return GOS_OK;
}

/* ---- plies ----------------------------------------------------------------------------------- */

static gos_status place(const gos_fe_layup *layup, gos_arena *arena, gos_fe_plate *p) {
    gos_fe_lamina *l = GOS_NEW(arena, gos_fe_lamina, layup->n);
    GOS_TRY(l ? GOS_OK : GOS_E_MEMORY);
    p->thickness = 0;
    for (int k = 0; k < layup->n; k++) {
        p->thickness += layup->ply[k].thickness;
    }
    double z = -p->thickness / 2;
    for (int k = 0; k < layup->n; k++) {
        const gos_fe_ply *from = &layup->ply[k];
        const double c = cos(from->angle), s = sin(from->angle);
        double axes[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
        l[k].angle = from->angle;
        l[k].z[0] = z;
        z = k == layup->n - 1 ? p->thickness / 2 : z + from->thickness;
        l[k].z[1] = z;
        gos__fe_material_turn(from->material, axes, &l[k].material);
        reduce(&l[k].material, l[k].Q);
    }
    p->n = layup->n;
    p->lamina = l;
    return GOS_OK;
}

/* unit gradient: faces differ by the thickness, plies by thermal resistance */
static void temper(gos_fe_plate *p, gos_fe_lamina *l) {
    double resistance = 0;
    for (int k = 0; k < p->n; k++) {
        resistance += (l[k].z[1] - l[k].z[0]) / l[k].material.conductivity[2][2];
    }
    const bool conducts = isfinite(resistance);
    p->through = conducts ? p->thickness * p->thickness / resistance : 0;
    double phi = -p->thickness / 2;
    for (int k = 0; k < p->n; k++) {
        const double t = l[k].z[1] - l[k].z[0];
        const double own = t / l[k].material.conductivity[2][2];
        l[k].phi[0] = phi;
        phi = k == p->n - 1 ? p->thickness / 2
              : conducts    ? phi + p->thickness * own / resistance
                            : l[k].z[1];
        l[k].phi[1] = phi;
    }
}

/* integrals over a ply of 1, z, z^2, phi, z phi, phi^2 */
static void integrals(const gos_fe_lamina *l, double w[6]) {
    const double *z = l->z, *f = l->phi, t = z[1] - z[0];
    w[0] = t;
    w[1] = t * (z[0] + z[1]) / 2;
    w[2] = t * (z[0] * z[0] + z[0] * z[1] + z[1] * z[1]) / 3;
    w[3] = t * (f[0] + f[1]) / 2;
    w[4] = t * (2 * z[0] * f[0] + 2 * z[1] * f[1] + z[0] * f[1] + z[1] * f[0]) / 6;
    w[5] = t * (f[0] * f[0] + f[0] * f[1] + f[1] * f[1]) / 3;
}

/* forces by strains; F (2, 6) by unit mean temperature and gradient; mass, heat */
static void sum(gos_fe_plate *p, double F[2][6]) {
    for (int k = 0; k < p->n; k++) {
        const gos_fe_lamina *l = &p->lamina[k];
        const gos_fe_material *m = &l->material;
        double w[6];
        integrals(l, w);
        for (int i = 0; i < 3; i++) {
            double stress = 0;
            for (int j = 0; j < 3; j++) {
                p->A[i][j] += w[0] * l->Q[i][j];
                p->B[i][j] += w[1] * l->Q[i][j];
                p->D[i][j] += w[2] * l->Q[i][j];
                stress += l->Q[i][j] * m->expansion[flat[j]];
            }
            F[0][i] += w[0] * stress;
            F[0][3 + i] += w[1] * stress;
            F[1][i] += w[3] * stress;
            F[1][3 + i] += w[4] * stress;
            p->mass[i] += w[i] * m->density;
            p->heat[i] += w[i == 0 ? 0 : i == 1 ? 3 : 5] * m->density * m->heat;
            for (int j = 0; j < 4; j++) {
                p->lambda[i][j / 2][j % 2] += w[i == 0   ? 0
                                                : i == 1 ? 3
                                                         : 5] *
                                              m->conductivity[j / 2][j % 2];
            }
        }
    }
}

/* x (columns of 6) by forces and moments; false: singular */
static bool solve(const gos_fe_plate *p, int n, double *x) {
    double K[36];
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        K[r + 6 * c] = p->A[r][c];
        K[r + 6 * (3 + c)] = K[3 + c + 6 * r] = p->B[r][c];
        K[3 + r + 6 * (3 + c)] = p->D[r][c];
    }
    return LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', 6, n, K, 6, x, 6) == 0;
}

/* int Q (b + z d) dz up to `to`, strains b and curvatures d (columns of x) */
static void growth(const gos_fe_lamina *l, double to, const double x[18], double G[3][3]) {
    const double t = to - l->z[0], z = t * (to + l->z[0]) / 2;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            G[i][j] = 0;
            for (int q = 0; q < 3; q++) {
                G[i][j] += l->Q[i][q] * (t * x[6 * j + q] + z * x[6 * j + 3 + q]);
            }
        }
    }
}

/* for M_xx growing by V_x along x, M_yy by V_y along y */
static void shear_of(double G[3][3], double G0[3][3], double tau[2][2]) {
    tau[0][0] = -(G0[0][0] + G[0][0]);
    tau[0][1] = -(G0[2][1] + G[2][1]);
    tau[1][0] = -(G0[2][0] + G[2][0]);
    tau[1][1] = -(G0[1][1] + G[1][1]);
}

/* by strains and curvatures x of unit moments */
static void shears(gos_fe_plate *p, gos_fe_lamina *l, const double x[18]) {
    double G0[3][3] = {{0}}, G[3][3];
    for (int k = 0; k < p->n; k++) {
        for (int i = 0; i < 3; i++) {
            growth(&l[k], l[k].z[0] + 0.5 * i * (l[k].z[1] - l[k].z[0]), x, G);
            shear_of(G, G0, l[k].tau[i]);
        }
        for (int i = 0; i < 9; i++) {
            G0[i / 3][i % 3] += G[i / 3][i % 3];
        }
    }
}

static void invert2(double F[2][2], double S[2][2]) {
    const double det = F[0][0] * F[1][1] - F[0][1] * F[1][0];
    S[0][0] = F[1][1] / det;
    S[1][1] = F[0][0] / det;
    S[0][1] = S[1][0] = -0.5 * (F[0][1] + F[1][0]) / det;
}

/* from the energy of tau: quadratic, three points */
static void stiffen(gos_fe_plate *p) {
    static const double at[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double F[2][2] = {{0}};
    for (int k = 0; k < p->n; k++) {
        const gos_fe_lamina *l = &p->lamina[k];
        double G[2][2], C[2][2];
        for (int i = 0; i < 4; i++) {
            G[i / 2][i % 2] = l->material.stiffness[across[i / 2]][across[i % 2]];
        }
        invert2(G, C);
        for (int g = 0; g < 3; g++) {
            double t[2][2];
            gos__fe_lamina_shear(l, at[g], t);
            for (int ij = 0; ij < 16; ij++) {
                const int i = ij / 8, j = ij / 4 % 2, a = ij / 2 % 2, b = ij % 2;
                F[i][j] += weight[g] * (l->z[1] - l->z[0]) * t[a][i] * C[a][b] * t[b][j];
            }
        }
    }
    invert2(F, p->S);
}

gos_status gos__fe_plate_layup(gos_ctx *ctx, gos_loc loc, const char *object,
                               const gos_fe_layup *layup, gos_arena *arena, gos_fe_plate *p) {
    double F[2][6] = {{0}}, x[18] = {0};
    *p = (gos_fe_plate){.shear = 1};
    GOS_TRY(place(layup, arena, p));
    gos_fe_lamina *l = (gos_fe_lamina *)(uintptr_t)p->lamina;
    temper(p, l);
    sum(p, F);
    for (int i = 0; i < 3; i++) {
        x[6 * i + 3 + i] = 1;
        for (int j = 0; j < 3; j++) {
            const double size = p->thickness * (fabs(p->A[i][i]) + fabs(p->A[j][j]));
            p->B[i][j] = fabs(p->B[i][j]) > ROUNDING * size ? p->B[i][j] : 0;
            p->coupled = p->coupled || p->B[i][j] != 0;
        }
    }
    p->mass[1] = fabs(p->mass[1]) > ROUNDING * p->thickness * p->mass[0] ? p->mass[1] : 0;
    if (!solve(p, 2, F[0]) || !solve(p, 3, x)) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "the stiffnesses of its plies differ so much that the laminate is "
                            "numerically singular; omit plies without stiffness");
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            p->strain[k][i] = F[k][i];
            p->bend[k][i] = F[k][3 + i];
        }
    }
    shears(p, l, x);
    stiffen(p);
    return GOS_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

void gos__fe_lamina_shear(const gos_fe_lamina *l, double at, double tau[2][2]) {
    const double N[3] = {0.5 * at * (at - 1), 1 - at * at, 0.5 * at * (at + 1)};
    for (int i = 0; i < 4; i++) {
        tau[i / 2][i % 2] = N[0] * l->tau[0][i / 2][i % 2] + N[1] * l->tau[1][i / 2][i % 2] +
                            N[2] * l->tau[2][i / 2][i % 2];
    }
}

void gos__fe_plate_smear(const gos_fe_plate *p, gos_fe_material *m) {
    const double h = p->thickness;
    *m = (gos_fe_material){.density = p->mass[0] / h, .heat = p->heat[0] / p->mass[0]};
    for (int i = 0; i < 3; i++) {
        m->expansion[flat[i]] = p->strain[0][i];
        for (int j = 0; j < 3; j++) {
            m->stiffness[flat[i]][flat[j]] = p->A[i][j] / h;
        }
    }
    m->stiffness[2][2] = m->stiffness[1][1];
    for (int i = 0; i < 4; i++) {
        m->stiffness[across[i / 2]][across[i % 2]] = p->S[i / 2][i % 2] / h;
        m->conductivity[i / 2][i % 2] = p->lambda[0][i / 2][i % 2] / h;
    }
    m->conductivity[2][2] = p->through / h;
}

bool gos__fe_layup_same(const gos_fe_layup *a, const gos_fe_layup *b) {
    bool same = a->n == b->n;
    for (int k = 0; k < a->n && same; k++) {
        same = a->ply[k].material == b->ply[k].material && a->ply[k].angle == b->ply[k].angle &&
               a->ply[k].thickness == b->ply[k].thickness;
    }
    return same;
}

int gos__fe_plate_at(const gos_fe_plate *p, double z) {
    int k = 0;
    while (k < p->n - 1 && z > p->lamina[k].z[1]) {
        k++;
    }
    return k;
}
