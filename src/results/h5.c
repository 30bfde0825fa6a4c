/* Restricted access to HDF5. Everything that leads outside a file or into code selected by it
 * (external and soft links, external storage, virtual datasets, filter plugins) is rejected before
 * any data is read; see "Trust" in the interface contract. */
#include "results/h5.h"

#include "base/global_lock.h"

#define OLD_GROUP ((uint64_t)1 << 0x11) // message type "symbol table" in an object header
#define SWMR_ATTEMPTS 24                // the last wait is 8 ms
#define SMALL (1 << 20)                 // [byte] no storage check up to this size
#define MAX_RATIO 1100                  // gzip's maximum is about 1 : 1032
#define MAX_LATE (64 << 20)             // [byte] of a last chunk not written yet

void gos__h5_enter(gos_h5_visit *visit) {
    gos__library_lock(GOS_LIBRARY_HDF5);
    *visit = (gos_h5_visit){0};
    (void)H5Eget_auto2(H5E_DEFAULT, &visit->print, &visit->data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void gos__h5_leave(const gos_h5_visit *visit) {
    (void)H5Eclear2(H5E_DEFAULT);
    (void)H5Eset_auto2(H5E_DEFAULT, visit->print, visit->data);
    gos__library_unlock(GOS_LIBRARY_HDF5);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* HDF5 does not check the trees and heaps of old groups; we write only new ones */
static bool is_new_group(hid_t root, const char *path) {
    H5O_info_t info;
    return H5Oget_info_by_name2(root, path, &info, H5O_INFO_HDR, H5P_DEFAULT) >= 0 &&
           (info.hdr.mesg.present & OLD_GROUP) == 0;
}

hid_t gos__h5_open_file(gos_disk *disk, const char *path, unsigned flags) {
    const hid_t access = gos__disk_is_ours(disk) ? gos__disk_access(disk) : -1;
    if (access < 0) {
        return -1;
    }
    // HDF5 doubles the wait at each of 100 attempts: a damaged file would hang
    if (flags & H5F_ACC_SWMR_READ) {
        (void)H5Pset_metadata_read_attempts(access, SWMR_ATTEMPTS);
    }
    hid_t file = H5Fopen(path, flags, access);
    (void)H5Pclose(access);
    if (file >= 0 && !is_new_group(file, ".")) {
        (void)H5Fclose(file);
        file = -1;
    }
    return file;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* only hard links and new groups along the path */
static bool plain_way(hid_t root, const char *path, H5O_type_t kind) {
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
        if (H5Lget_info(root, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD ||
            ((i < n || kind == H5O_TYPE_GROUP) && !is_new_group(root, part))) {
            return false;
        }
    }
    return true;
}

hid_t gos__h5_open(hid_t root, const char *path, H5O_type_t kind) {
    if (!plain_way(root, path, kind)) {
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

/* Can `room` stored bytes hold `need` bytes of data? A killed writer omits the last chunk. */
static bool is_stored(hid_t plist, size_t need, size_t type_size, hsize_t room, bool packed) {
    hsize_t chunk[H5S_MAX_RANK];
    size_t late = 0;
    if (H5Pget_layout(plist) == H5D_CHUNKED) {
        const int rank = H5Pget_chunk(plist, H5S_MAX_RANK, chunk);
        late = type_size;
        for (int i = 0; i < rank && late < MAX_LATE; i++) {
            late = chunk[i] < MAX_LATE ? late * chunk[i] : MAX_LATE;
        }
        late = late < MAX_LATE ? late : MAX_LATE;
    }
    const size_t ratio = packed ? MAX_RATIO : 1;
    return need <= SMALL || need <= late || (need - late - 1) / ratio < room;
}

/* n numbers stored in the file itself, with allowed filters only */
static bool plain_storage(hid_t set, size_t type_size, hssize_t n) {
    hid_t plist = H5Dget_create_plist(set);
    if (plist < 0) {
        return false;
    }
    H5D_layout_t layout = H5Pget_layout(plist);
    bool good = (layout == H5D_CHUNKED || layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
                H5Pget_external_count(plist) == 0;
    int nfilters = H5Pget_nfilters(plist);
    bool packed = false;
    good = good && nfilters >= 0 && nfilters <= 2;
    for (int i = 0; good && i < nfilters; i++) {
        unsigned flags, config;
        size_t nvalues = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(plist, (unsigned)i, &flags, &nvalues, NULL, 0, NULL, &config);
        good = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE;
        packed = packed || filter == H5Z_FILTER_DEFLATE;
    }
    good = good && n >= 0 && type_size > 0 && (size_t)n <= SIZE_MAX / type_size;
    // most datasets are small
    good = good && (n * type_size <= SMALL ||
                    is_stored(plist, n * type_size, type_size, H5Dget_storage_size(set), packed));
    (void)H5Pclose(plist);
    return good;
}

/* lo to hi dimensions */
static bool plain(hid_t set, int lo, int hi, hsize_t *dims) {
    hid_t space = H5Dget_space(set);
    hid_t type = H5Dget_type(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool good = type >= 0 && rank >= lo && rank <= hi &&
                H5Sget_simple_extent_dims(space, dims, NULL) >= 0 &&
                plain_storage(set, H5Tget_size(type), H5Sget_simple_extent_npoints(space));
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (space >= 0) {
        (void)H5Sclose(space);
    }
    return good;
}

bool gos__h5_plain(hid_t set, hsize_t dims[2]) {
    dims[0] = dims[1] = 1;
    return plain(set, 0, 2, dims);
}

bool gos__h5_plain_rank(hid_t set, int rank, hsize_t *dims) {
    return plain(set, rank, rank, dims);
}

/* we write only fixed-length text */
void gos__h5_attr_close(hid_t attr, hid_t type, hid_t space) {
    if (space >= 0) {
        (void)H5Sclose(space);
    }
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (attr >= 0) {
        (void)H5Aclose(attr);
    }
}

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
    gos__h5_attr_close(attr, type, space);
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
    gos__h5_attr_close(attr, type, space);
    return good;
}
