/* Constants of common cross-sections. */
#include "math/section_shapes.h"

#include <math.h>

double gos__torsion_rectangle(double a, double b) {
    double s = a > b ? a : b, c = a > b ? b : a;
    double sum = 0.0;
    for (int i = 51; i >= 1; i -= 2) {
        double i5 = (double)i * i * i * i * i;
        sum += tanh(i * M_PI * s / (2.0 * c)) / i5;
    }
    return s * c * c * c / 3.0 * (1.0 - 192.0 / pow(M_PI, 5.0) * (c / s) * sum);
}

double gos__shear_rectangle(double nu) {
    return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
}

double gos__shear_tube(double nu, double inner) {
    const double m = inner * inner, p = (1.0 + m) * (1.0 + m);
    return 6.0 * (1.0 + nu) * p / ((7.0 + 6.0 * nu) * p + (20.0 + 12.0 * nu) * m);
}
