#include "results/h5_get.h"

bool gos__get_numbers(hid_t file, const char *path, gos_arena *a, double **x, size_t *n) {
    hsize_t dims[2] = {0, 0};
    const hid_t set = gos__h5_open(file, path, H5O_TYPE_DATASET);
    const hid_t kind = set < 0 ? -1 : H5Dget_type(set);
    bool good =
        kind >= 0 && H5Tget_class(kind) == H5T_FLOAT && gos__h5_plain(set, dims) && dims[1] == 1;
    *n = good ? (size_t)dims[0] : 0;
    *x = good ? GOS_NEW(a, double, *n + 1) : NULL;
    good = *x && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *x) >= 0;
    if (kind >= 0) {
        (void)H5Tclose(kind);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return good;
}

bool gos__get_text(hid_t file, const char *path, gos_arena *a, char **text) {
    hsize_t dims[2] = {0, 0};
    const hid_t set = gos__h5_open(file, path, H5O_TYPE_DATASET);
    const hid_t type = set < 0 ? -1 : H5Dget_type(set);
    bool good = type >= 0 && gos__h5_plain(set, dims) && dims[0] * dims[1] == 1 &&
                H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    *text = good ? GOS_NEW(a, char, H5Tget_size(type) + 1) : NULL;
    good = *text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return good;
}
