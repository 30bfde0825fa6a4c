/* Plate normal and derivatives by both slopes (normal.h): lanes 0, 1, 2 hold components, lane 3
 * their weighted sum. */
#include "plate/normal.h"
#include "plate/plate_normal.h"

GOS_KERNEL void gos__plate_normal(const double *slopes, const double lam[3], double n[3],
                                  double dn[3][6], double H[6][6]) {
    const gos_v8 zero = {0};
    gos_v8 a[3], b[3], z[3], h[3], ga[3], gb[3], D[3][9];
    gos_normal f;
    for (int c = 0; c < 3; c++) {
        a[c] = zero + slopes[c];
        b[c] = zero + slopes[3 + c];
        z[c] = zero;
        z[c][c] = 1;
        z[c][3] = lam ? lam[c] : 0;
    }
    gos__normal_make(a, b, &f);
    gos__normal_h(&f, z, h);
    gos__normal_pull(&f, h, ga, gb);
    for (int c = 0; c < 3; c++) {
        n[c] = f.n[c][0];
        for (int k = 0; k < 3; k++) {
            dn[c][k] = ga[k][c];
            dn[c][3 + k] = gb[k][c];
        }
    }
    if (lam) {
        gos__normal_second(&f, z, D);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                H[i][j] = D[0][3 * i + j][3];
                H[i][3 + j] = H[3 + j][i] = D[1][3 * i + j][3];
                H[3 + i][3 + j] = D[2][3 * i + j][3];
            }
        }
    }
}
