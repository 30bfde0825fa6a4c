/* The program's version and those of the libraries it runs with. */
#include <cblas.h>
#include <hdf5.h>

#include "base/base.h"
#include "gossamer/io.h"

void gos_versions(FILE *out) {
    unsigned major = 0, minor = 0, release = 0;
    (void)H5get_libversion(&major, &minor, &release);
    (void)fprintf(out, "gossamer %s\nHDF5 %u.%u.%u\n%s, kernels %s\n", GOS_VERSION, major, minor,
                  release, openblas_get_config(), openblas_get_corename());
}
