/* HDF5, held carefully: the lock, silence, and opening only what a results file of ours contains.
 *
 * Crafted files are HDF5's known weakness. What leads outside the file or into code chosen by it
 * (external and soft links, external storage, virtual datasets, filter plugins) is refused before
 * any data is read; see "Trust" in the interface contract. */
#include <pthread.h>

#include "io/h5.h"

/* The only state of the process in this library: HDF5 itself is one. */
static pthread_mutex_t h5_lock = PTHREAD_MUTEX_INITIALIZER;

void gos__h5_enter(gos_h5_visit *visit) {
    (void)pthread_mutex_lock(&h5_lock);
    *visit = (gos_h5_visit){0};
    (void)H5Eget_auto2(H5E_DEFAULT, &visit->print, &visit->data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void gos__h5_leave(const gos_h5_visit *visit) {
    (void)H5Eclear2(H5E_DEFAULT);
    (void)H5Eset_auto2(H5E_DEFAULT, visit->print, visit->data);
    (void)pthread_mutex_unlock(&h5_lock);
}

/* Every link on the way must be a hard one. */
static bool hard_links_only(hid_t root, const char *path) {
    char part[512];
    size_t n = strlen(path);
    if (n >= sizeof part) {
        return false;
    }
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        H5L_info_t info;
        if (H5Lget_info(root, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) {
            return false;
        }
    }
    return true;
}

hid_t gos__h5_open(hid_t root, const char *path, H5O_type_t kind) {
    if (!hard_links_only(root, path)) {
        return -1;
    }
    hid_t id = H5Oopen(root, path, H5P_DEFAULT);
    H5I_type_t type = id < 0 ? H5I_BADID : H5Iget_type(id);
    bool right = (kind == H5O_TYPE_GROUP && type == H5I_GROUP) ||
                 (kind == H5O_TYPE_DATASET && type == H5I_DATASET);
    if (id >= 0 && !right) {
        (void)H5Oclose(id);
        id = -1;
    }
    return id;
}

static bool plain_storage(hid_t set) {
    hid_t plist = H5Dget_create_plist(set);
    if (plist < 0) {
        return false;
    }
    H5D_layout_t layout = H5Pget_layout(plist);
    bool good = (layout == H5D_CHUNKED || layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
                H5Pget_external_count(plist) == 0;
    int nfilters = H5Pget_nfilters(plist);
    good = good && nfilters >= 0 && nfilters <= 2;
    for (int i = 0; good && i < nfilters; i++) {
        unsigned flags, config;
        size_t nvalues = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(plist, (unsigned)i, &flags, &nvalues, NULL, 0, NULL, &config);
        good = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE;
    }
    (void)H5Pclose(plist);
    return good;
}

/* sizes of a dataset of lo to hi dimensions */
static bool plain(hid_t set, int lo, int hi, hsize_t *dims) {
    hid_t space = H5Dget_space(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool good = rank >= lo && rank <= hi && H5Sget_simple_extent_dims(space, dims, NULL) >= 0;
    if (space >= 0) {
        (void)H5Sclose(space);
    }
    return good && plain_storage(set);
}

bool gos__h5_plain(hid_t set, hsize_t dims[2]) {
    dims[0] = dims[1] = 1;
    return plain(set, 0, 2, dims);
}

bool gos__h5_plain_rank(hid_t set, int rank, hsize_t *dims) {
    return plain(set, rank, rank, dims);
}

/* Fixed-length text from an attribute: the only kind we write. */
bool gos__h5_attr_text(hid_t object, const char *name, char *buf, size_t size) {
    buf[0] = '\0';
    hid_t attr = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    hid_t type = attr < 0 ? -1 : H5Aget_type(attr);
    hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
    bool good = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Tget_size(type) < size;
    if (good) {
        memset(buf, 0, size);
        good = H5Aread(attr, type, buf) >= 0;
    }
    if (space >= 0) {
        (void)H5Sclose(space);
    }
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (attr >= 0) {
        (void)H5Aclose(attr);
    }
    return good;
}

bool gos__h5_attr_number(hid_t object, const char *name, double *value) {
    *value = 0;
    hid_t attr = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    hid_t type = attr < 0 ? -1 : H5Aget_type(attr);
    hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
    H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    bool good = (kind == H5T_INTEGER || kind == H5T_FLOAT) && space >= 0 &&
                H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attr, H5T_NATIVE_DOUBLE, value) >= 0;
    if (space >= 0) {
        (void)H5Sclose(space);
    }
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (attr >= 0) {
        (void)H5Aclose(attr);
    }
    return good;
}
