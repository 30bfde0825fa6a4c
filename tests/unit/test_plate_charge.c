/* Charges of patches on plates: gradient and second derivatives against differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "plate/plate_charge.h"
#include "support/random.h"
#include "support/suite.h"

enum { N = 36, L = GOS_LANES };

/* five-point differences, error of fourth order in the step */
static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

static void derivatives(void **state) {
    GOS_UNUSED(state);
    static _Alignas(64) double S[2 * 5 * 12 * L], per[2 * 6 * L];
    static double H[N * N], off[N * N];
    uint64_t seed = 5;
    double e[N], g[N] = {0}, by = 1e-3;
    const gos_plate_charge c = {.nb = 2, .S = S, .per = per};
    for (int i = 0; i < 2 * 5 * 12 * L; i++) { // r_1 is near e_0, r_2 near e_1
        const int q = i / (12 * L) % 5, j = i / L % 12;
        S[i] = (q < 2 && j == q ? 1 : 0) + 0.1 * random_uniform(&seed);
    }
    for (int i = 0; i < 2 * 6 * L; i++) {
        per[i] = random_uniform(&seed);
    }
    for (int i = 0; i < N; i++) {
        e[i] = (i == 0 || i == 4 ? 1 : 0) + 0.3 * random_uniform(&seed);
    }
    (void)gos__plate_charge(&c, e, 1, g, N, H);
    double most = 0, worst = 0;
    for (int j = 0; j < N; j++) {
        double d = 0, dd[N] = {0};
        for (int k = 0; k < 4; k++) {
            double x[N], gx[N] = {0};
            memcpy(x, e, sizeof x);
            x[j] += at[k] * by;
            d += weight[k] / by * gos__plate_charge(&c, x, weight[k] / by, gx, N, NULL);
            for (int i = 0; i < N; i++) {
                dd[i] += gx[i];
            }
        }
        worst = fmax(worst, fabs(d - g[j]));
        for (int i = 0; i < N; i++) {
            off[N * i + j] = dd[i] - H[N * i + j];
            most = fmax(most, fabs(H[N * i + j]));
            worst = fmax(worst, fabs(off[N * i + j]));
        }
    }
    print_message("    second derivatives up to %g, off by %.1e\n", most, worst);
    assert_true(most > 0.1 && worst < 1e-8 * most);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
