/* SWMR readers cannot follow the heap of variable-length text, and VTK reads only fixed length. */
#include "results/h5_put.h"

static hid_t text_type(size_t n, bool ascii) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, n > 0 ? n : 1) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
         H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8) < 0)) {
        (void)H5Tclose(type);
        return -1;
    }
    return type;
}

static bool is_ascii(const char *s) {
    while (*s != '\0' && (unsigned char)*s < 128) {
        s++;
    }
    return *s == '\0';
}

static bool put_attr(hid_t object, const char *name, hid_t type, hid_t space, const void *data) {
    hid_t attr = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attr >= 0 && (data == NULL || H5Awrite(attr, type, data) >= 0);
    if (attr >= 0) {
        (void)H5Aclose(attr);
    }
    return good;
}

bool gos__put_attr_text(hid_t object, const char *name, const char *text) {
    hid_t type = text_type(strlen(text), is_ascii(text));
    hid_t space = H5Screate(H5S_SCALAR);
    bool good = put_attr(object, name, type, space, text);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return good;
}

bool gos__put_attr_number(hid_t object, const char *name, double value) {
    hid_t space = H5Screate(H5S_SCALAR);
    bool good = put_attr(object, name, H5T_NATIVE_DOUBLE, space, &value);
    (void)H5Sclose(space);
    return good;
}

bool gos__put_attr_ints(hid_t object, const char *name, const int64_t *v, hsize_t n) {
    hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    bool good = put_attr(object, name, H5T_NATIVE_INT64, space, v);
    (void)H5Sclose(space);
    return good;
}

bool gos__put_attr_names(hid_t object, const char *name, const char *const *names, int n) {
    size_t width = 1;
    for (int i = 0; i < n; i++) {
        width = strlen(names[i]) > width ? strlen(names[i]) : width;
    }
    char *all = n > 0 ? calloc(n, width) : NULL;
    for (int i = 0; all && i < n; i++) {
        memcpy(all + i * width, names[i], strlen(names[i]));
    }
    hsize_t dim = (hsize_t)n;
    hid_t type = text_type(width, true);
    hid_t space = n > 0 ? H5Screate_simple(1, &dim, NULL) : H5Screate(H5S_NULL);
    bool good = (all || n == 0) && put_attr(object, name, type, space, all);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    free(all);
    return good;
}

hid_t gos__put_file(const char *path, hid_t access) {
    const hid_t plist = H5Pcreate(H5P_FILE_CREATE);
    const hid_t file = plist >= 0 && H5Pset_obj_track_times(plist, false) >= 0
                           ? H5Fcreate(path, H5F_ACC_TRUNC, plist, access)
                           : -1;
    (void)H5Pclose(plist);
    return file;
}

bool gos__put_group(hid_t at, const char *path) {
    const hid_t plist = H5Pcreate(H5P_GROUP_CREATE); // without times
    const hid_t group = plist >= 0 && H5Pset_obj_track_times(plist, false) >= 0
                            ? H5Gcreate2(at, path, H5P_DEFAULT, plist, H5P_DEFAULT)
                            : -1;
    (void)H5Pclose(plist);
    return group >= 0 && H5Gclose(group) >= 0;
}

hid_t gos__put_array(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims,
                     const void *data) {
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, dims, NULL);
    hid_t set = -1;
    if (plist >= 0 && space >= 0 && H5Pset_obj_track_times(plist, false) >= 0 &&
        H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY) >= 0 &&
        H5Pset_fill_time(plist, H5D_FILL_TIME_ALLOC) >= 0) {
        set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    }
    if (set >= 0 && data && H5Sget_simple_extent_npoints(space) > 0 &&
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        (void)H5Dclose(set);
        set = -1;
    }
    (void)H5Sclose(space);
    (void)H5Pclose(plist);
    return set;
}

hid_t gos__put_text(hid_t at, const char *name, const char *text, size_t size) {
    hid_t type = text_type(size, false);
    char *padded = calloc(size > 0 ? size : 1, 1);
    hid_t set = -1;
    if (padded) {
        memcpy(padded, text, strlen(text) < size ? strlen(text) : size);
        set = gos__put_array(at, name, type, 0, NULL, padded);
    }
    (void)H5Tclose(type);
    free(padded);
    return set;
}

bool gos__put_done(hid_t set) {
    return set >= 0 && H5Dclose(set) >= 0;
}
