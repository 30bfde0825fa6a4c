/* Versions of program and libraries. */
#include <hdf5.h>

#include "base/base.h"
#include "gossamer/blas.h"
#include "gossamer/io.h"

void gos_versions(FILE *out) {
    unsigned major = 0, minor = 0, release = 0;
    char blas[256];
    (void)H5get_libversion(&major, &minor, &release);
    gos_blas_describe(blas, sizeof blas);
    (void)fprintf(out, "gossamer %s\nHDF5 %u.%u.%u\n%s\n", GOS_VERSION, major, minor, release,
                  blas);
}
