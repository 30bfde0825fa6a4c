/* Creates a results file's groups, datasets and attributes (layout: docs/command-line.md). */
#include <cblas.h>
#include <math.h>
#include <stdio.h>

#include "base/reproducible.h"
#include "base/units.h"
#include "results/results_parts.h"
#include "results/writer.h"

#define CHUNK_BYTES (8u << 10)     // small files, fast reading of long columns
#define MAX_CHUNK_BYTES (1u << 20) // fits the readers' cache
#define MIN_EXPECTED 16            // rows of the smallest chunk, for runs that are continued
#define PATH_LENGTH (GOS_LIMIT_NAME + 64)

/* ---- columns --------------------------------------------------------------------------------- */

/* width 0: one-dimensional, as VTK requires */
typedef struct column_def {
    const char *path;
    int width;
    bool integer;
    const char *unit;
} column_def;

/* by number; probe columns follow */
static const column_def columns[GOS_COL_PROBES] = {
    [GOS_COL_TIME] = {"/VTKHDF/Steps/Values", 0, false, "s"},
    [GOS_COL_PROBE_TIME] = {"/probes/time", 0, false, "s"},
    [GOS_COL_POINTS] = {"/VTKHDF/Points", 3, false, "m"},
    [GOS_COL_PART_OFFSETS] = {"/VTKHDF/Steps/PartOffsets", 0, true, NULL},
    [GOS_COL_NPARTS] = {"/VTKHDF/Steps/NumberOfParts", 0, true, NULL},
    [GOS_COL_POINT_OFFSETS] = {"/VTKHDF/Steps/PointOffsets", 0, true, NULL},
    [GOS_COL_CELL_OFFSETS] = {"/VTKHDF/Steps/CellOffsets", 1, true, NULL},
    [GOS_COL_ID_OFFSETS] = {"/VTKHDF/Steps/ConnectivityIdOffsets", 1, true, NULL},
    [GOS_COL_BODY_OFFSETS] = {"/VTKHDF/Steps/CellDataOffsets/body", 0, true, NULL},
    [GOS_COL_EVENTS] = {"/events", 3, false, NULL},
    [GOS_COL_STARTS] = {"/starts", 1, false, NULL},
    [GOS_COL_FIELDS] = {"/VTKHDF/PointData/displacement", 3, false, "m"},
    {"/VTKHDF/PointData/velocity", 3, false, "m/s"},
    {"/VTKHDF/PointData/temperature", 0, false, "K"},
    {"/VTKHDF/PointData/temperature_rate", 0, false, "K/s"},
    [GOS_COL_FIELD_OFFSETS] = {"/VTKHDF/Steps/PointDataOffsets/displacement", 0, true, NULL},
    {"/VTKHDF/Steps/PointDataOffsets/velocity", 0, true, NULL},
    {"/VTKHDF/Steps/PointDataOffsets/temperature", 0, true, NULL},
    {"/VTKHDF/Steps/PointDataOffsets/temperature_rate", 0, true, NULL},
#define X(name, doc) {"/energy/" #name, 0, false, "J"},
    GOS_ENERGY_FIELDS(X)
#undef X
#define X(name, doc) {"/heat/" #name, 0, false, "J"},
        GOS_HEAT_FIELDS(X)
#undef X
};

static bool is_there(const gos_writer *w, int i) {
    const bool fields = i >= GOS_COL_FIELDS && i < GOS_COL_FIELDS + 8;
    if (i == GOS_COL_EVENTS) {
        return w->events;
    }
    if (i == GOS_COL_STARTS) {
        return w->starts;
    }
    return w->thermal || !fields || (i - GOS_COL_FIELDS) % 4 < 2;
}

/* per output time or step */
static int rows_together(const gos_writer *w, int i) {
    const int more = i - GOS_COL_MORE(w);
    const bool nodes = i == GOS_COL_POINTS || (i >= GOS_COL_FIELDS && i < GOS_COL_FIELD_OFFSETS) ||
                       (more >= 0 && more % 2 == 0);
    return nodes ? w->nnodes : 1;
}

static void describe(gos_writer *w, const gos_writer_layout *layout, int i,
                     char path[PATH_LENGTH]) {
    gos_column *c = &w->column[i];
    if (i < GOS_COL_PROBES) {
        (void)snprintf(path, PATH_LENGTH, "%s", columns[i].path);
        c->integer = columns[i].integer;
        c->flat = columns[i].width == 0;
        c->width = c->flat ? 1 : i == GOS_COL_STARTS ? 1 + 2 * w->nvalues : columns[i].width;
        return;
    }
    if (i >= GOS_COL_MORE(w)) {
        const gos_field_info *field = &layout->fields[(i - GOS_COL_MORE(w)) / 2];
        c->integer = (i - GOS_COL_MORE(w)) % 2 != 0;
        (void)snprintf(path, PATH_LENGTH,
                       c->integer ? "/VTKHDF/Steps/PointDataOffsets/%s" : "/VTKHDF/PointData/%s",
                       field->name);
        c->width = c->integer ? 1 : field->ncomp;
        c->flat = c->width == 1;
        return;
    }
    const gos_probe_info *info = &layout->probes[(i - GOS_COL_PROBES) / 2];
    const bool rate = (i - GOS_COL_PROBES) % 2 != 0;
    (void)snprintf(path, PATH_LENGTH, rate ? "/probes/rates/%s" : "/probes/%s", info->name);
    c->integer = c->flat = false;
    c->width = info->ncomp;
}

/* A chunk is written whole: of short runs it has no more rows than expected. */
static hsize_t chunk_rows(const gos_writer *w, const gos_writer_layout *layout, int i) {
    const bool step = i == GOS_COL_PROBE_TIME || (i >= GOS_COL_PROBES && i < GOS_COL_MORE(w));
    const bool event = i == GOS_COL_EVENTS || i == GOS_COL_STARTS;
    const double expected = event ? 0 : step ? layout->rows : layout->frames;
    const hsize_t row = (hsize_t)w->column[i].width * 8;
    hsize_t bytes = (hsize_t)rows_together(w, i) * row;
    bytes = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes > MAX_CHUNK_BYTES ? MAX_CHUNK_BYTES : bytes;
    const hsize_t max_rows = bytes / row > 0 ? bytes / row : 1;
    // models of matrices alone have no nodes
    const double all = fmax(1, fmax(expected, MIN_EXPECTED) * rows_together(w, i));
    return expected > 0 && all < (double)max_rows ? (hsize_t)ceil(all) : max_rows;
}

static bool make_column(gos_writer *w, const gos_writer_layout *layout, int i) {
    gos_column *c = &w->column[i];
    char path[PATH_LENGTH];
    describe(w, layout, i, path);
    int rank = c->flat ? 1 : 2;
    hsize_t dims[2] = {0, (hsize_t)c->width};
    hsize_t max[2] = {H5S_UNLIMITED, (hsize_t)c->width};
    hsize_t chunk[2] = {chunk_rows(w, layout, i), (hsize_t)c->width};
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(rank, dims, max);
    if (plist >= 0 && space >= 0 && H5Pset_obj_track_times(plist, false) >= 0 &&
        H5Pset_chunk(plist, rank, chunk) >= 0) {
        c->set = H5Dcreate2(w->file, path, c->integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, space,
                            H5P_DEFAULT, plist, H5P_DEFAULT);
    }
    (void)H5Sclose(space);
    (void)H5Pclose(plist);
    const char *unit = i < GOS_COL_PROBES ? columns[i].unit : NULL;
    char label[GOS_UNIT_MAX];
    return c->set >= 0 &&
           (!unit || gos__put_attr_text(c->set, "unit",
                                        gos_unit_name(layout->units, unit, label, sizeof label)));
}

/* Columns first .. last - 1. */
static bool make_columns(gos_writer *w, const gos_writer_layout *layout, int first, int last) {
    bool good = true;
    for (int i = first; i < last && good; i++) {
        good = !is_there(w, i) || make_column(w, layout, i);
    }
    return good;
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Per line a name, and per mark: joint (1) or load (0), grounded side, number of locations, two
   locations, the force on the first, nodes of both sides. */
static bool make_marks(gos_writer *w, const gos_writer_layout *layout) {
    const int n = layout->nmarks;
    if (n == 0) {
        return true;
    }
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        length += strlen(layout->marks[i].name) + 1;
    }
    char *names = calloc(length + 1, 1), *end = names;
    double *row = calloc((size_t)n * GOS_MARK_NUMBERS, sizeof *row), *at = row;
    for (int i = 0; i < n && names && row; i++, at += GOS_MARK_NUMBERS) {
        const gos_mark *m = &layout->marks[i];
        end += sprintf(end, "%s\n", m->name);
        at[0] = m->joint;
        at[1] = m->ground;
        at[2] = m->nlocation;
        memcpy(at + 3, m->location, sizeof m->location);
        memcpy(at + 9, m->force, sizeof m->force);
        at[12] = m->node[0];
        at[13] = m->node[1];
    }
    const hsize_t dims[2] = {(hsize_t)n, GOS_MARK_NUMBERS};
    const bool good =
        names && row &&
        gos__put_done(gos__put_array(w->file, "/model/marks", H5T_NATIVE_DOUBLE, 2, dims, row)) &&
        gos__put_done(gos__put_text(w->file, "/model/mark_names", names, length));
    free(names);
    free(row);
    return good;
}

/* names one per line */
static bool make_modes(gos_writer *w, const gos_writer_layout *layout) {
    const gos_mode_pictures *m = layout->modes;
    if (!m || m->n == 0) {
        return true;
    }
    const hsize_t rows = (hsize_t)m->n * (hsize_t)layout->mesh.nnodes, dims[2] = {rows, 3};
    return gos__put_group(w->file, "/modes") &&
           gos__put_done(gos__put_text(w->file, "/modes/names", m->names, strlen(m->names))) &&
           gos__put_done(gos__put_array(w->file, "/modes/displacement", H5T_NATIVE_FLOAT, 2, dims,
                                        m->displacement)) &&
           gos__put_done(gos__put_array(w->file, "/modes/temperature", H5T_NATIVE_FLOAT, 1, dims,
                                        m->temperature));
}

/* stored temperatures of these nodes are 0; pictures show them grey */
static bool make_athermal(gos_writer *w, const gos_writer_layout *layout) {
    const hsize_t n = (hsize_t)layout->nathermal;
    return n == 0 || gos__put_done(gos__put_array(w->file, "/model/nodes_without_temperature",
                                                  H5T_NATIVE_INT, 1, &n, layout->athermal));
}

static bool make_model(gos_writer *w, const gos_writer_layout *layout) {
    const gos_sizes *s = &layout->sizes;
    bool good = gos__put_group(w->file, "/model");
    good =
        good &&
        gos__put_done(gos__put_text(w->file, "/model/name", layout->name, strlen(layout->name))) &&
        gos__put_done(gos__put_text(w->file, "/model/text", layout->text, strlen(layout->text))) &&
        gos__put_done(
            gos__put_text(w->file, "/model/options", layout->options, strlen(layout->options)));
    hid_t group = good ? H5Gopen2(w->file, "/model", H5P_DEFAULT) : -1;
#define X(type, name, doc) good = good && gos__put_attr_number(group, #name, (double)s->name);
    GOS_SIZES_FIELDS(X)
#undef X
    good = good && gos__put_attr_number(group, "reduced", s->reduced);
    good = good && (!layout->units || strcmp(layout->units, "SI") == 0 ||
                    gos__put_attr_text(group, "units", layout->units));
    good = good && (!layout->thermal ||
                    gos__put_attr_number(group, "reference_temperature", layout->T_ref));
    return good && H5Gclose(group) >= 0 && make_marks(w, layout) && make_athermal(w, layout);
}

static bool make_probe(gos_writer *w, const gos_writer_layout *layout, int i) {
    const gos_probe_info *info = &layout->probes[i];
    char rates[GOS_UNITS_MAX];
    const char *const rate_unit = gos__unit_rates(info->unit, rates);
    bool good = true;
    for (int k = 0; k < 2 && good; k++) {
        int number = GOS_COL_PROBES + 2 * i + k;
        good = make_column(w, layout, number);
        hid_t set = w->column[number].set;
        good = good && gos__put_attr_text(set, "unit", k ? rate_unit : info->unit) &&
               gos__put_attr_text(set, "quantity", info->quantity) &&
               (k > 0 || gos__put_attr_number(set, "rates_known", info->rates)) &&
               gos__put_attr_names(set, "components", info->components, info->ncomp);
    }
    return good;
}

static bool make_probes(gos_writer *w, const gos_writer_layout *layout) {
    bool good = gos__put_group(w->file, "/probes") && gos__put_group(w->file, "/probes/rates") &&
                make_column(w, layout, GOS_COL_PROBE_TIME);
    // in the order of the model, since links are listed alphabetically
    const char **names = good ? calloc(layout->nprobes + 1L, sizeof *names) : NULL;
    for (int i = 0; names && i < layout->nprobes; i++) {
        names[i] = layout->probes[i].name;
        good = good && make_probe(w, layout, i);
    }
    hid_t group = names ? H5Gopen2(w->file, "/probes", H5P_DEFAULT) : -1;
    good =
        good && names && group >= 0 && gos__put_attr_names(group, "order", names, layout->nprobes);
    free(names);
    return good && H5Gclose(group) >= 0;
}

/* event numbers refer to the attribute `names` */
static bool make_events(gos_writer *w, const gos_writer_layout *layout) {
    static const char *const names[] = {"time [s]", "event", "direction"};
    const hid_t set = w->column[GOS_COL_EVENTS].set;
    return set < 0 || (gos__put_attr_names(set, "columns", names, GOS_COUNT(names)) &&
                       gos__put_attr_names(set, "names", layout->events, layout->nevents));
}

static bool make_balances(gos_writer *w, const gos_writer_layout *layout) {
    static const char *const docs[] = {
#define X(name, doc) doc,
        GOS_ENERGY_FIELDS(X) GOS_HEAT_FIELDS(X)
#undef X
    };
    bool good = gos__put_group(w->file, "/energy") && gos__put_group(w->file, "/heat") &&
                H5Lcreate_hard(w->file, "/VTKHDF/Steps/Values", w->file, "/energy/time",
                               H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
                H5Lcreate_hard(w->file, "/VTKHDF/Steps/Values", w->file, "/heat/time", H5P_DEFAULT,
                               H5P_DEFAULT) >= 0 &&
                make_columns(w, layout, GOS_COL_ENERGY, GOS_COL_PROBES);
    for (int i = 0; i < GOS_COUNT(docs) && good; i++) {
        good = gos__put_attr_text(w->column[GOS_COL_ENERGY + i].set, "description", docs[i]);
    }
    return good;
}

/* At a position that can be read without HDF5. */
static bool make_key(gos_writer *w, const gos_writer_layout *layout) {
    gos__make_key(w->key);
    if (gos__reproducible()) {
        (void)snprintf(
            w->key, sizeof w->key, "%016llx%016llx",
            (unsigned long long)gos__hash(GOS_HASH_BEGIN, layout->text, strlen(layout->text)),
            (unsigned long long)gos__hash(GOS_HASH_BEGIN, layout->options,
                                          strlen(layout->options)));
    }
    const hid_t set = gos__put_text(w->file, "/statistics/key", w->key, GOS_KEY_TEXT);
    const haddr_t at = set < 0 ? HADDR_UNDEF : H5Dget_offset(set);
    w->key_at = (off_t)at;
    return gos__put_done(set) && at != HADDR_UNDEF;
}

/* fixed positions, which SWMR can overwrite */
static bool make_statistics(gos_writer *w, const gos_writer_layout *layout) {
    bool good = gos__put_group(w->file, "/statistics");
    int i = 0;
#define TYPE_long H5T_NATIVE_INT64
#define TYPE_double H5T_NATIVE_DOUBLE
#define X(type, name, doc)                                                                         \
    w->statistics[i] =                                                                             \
        good ? gos__put_array(w->file, "/statistics/" #name, TYPE_##type, 0, NULL, NULL) : -1;     \
    good =                                                                                         \
        good && w->statistics[i] >= 0 && gos__put_attr_text(w->statistics[i], "description", doc); \
    i++;
    GOS_STATISTICS_FIELDS(X)
#undef X
#undef TYPE_long
#undef TYPE_double
    if (!good) {
        return false;
    }
    w->status = gos__put_text(w->file, "/statistics/status", "running", GOS_STATUS_TEXT);
    w->warnings = gos__put_text(w->file, "/statistics/warnings", "", GOS_WARNINGS_TEXT);
    w->nwarnings =
        gos__put_array(w->file, "/statistics/warning_count", H5T_NATIVE_INT64, 0, NULL, NULL);
    char boot[GOS_BOOT_TEXT + 1];
    gos__boot_name(boot);
    w->boot = gos__put_text(w->file, "/statistics/boot", boot, GOS_BOOT_TEXT);
    if (w->boot < 0 || !make_key(w, layout) || !gos__journal_make(w->file, &w->disk)) {
        return false;
    }
    char libraries[256];
    unsigned major = 0, minor = 0, release = 0;
    (void)H5get_libversion(&major, &minor, &release);
    (void)snprintf(libraries, sizeof libraries, "HDF5 %u.%u.%u, %s", major, minor, release,
                   openblas_get_config());
    hid_t group = H5Gopen2(w->file, "/statistics", H5P_DEFAULT);
    good = w->status >= 0 && w->warnings >= 0 && w->nwarnings >= 0 && group >= 0 &&
           gos__put_attr_text(group, "program", "gossamer " GOS_VERSION) &&
           gos__put_attr_text(group, "libraries", libraries);
    return good && H5Gclose(group) >= 0;
}

/* ---- VTKHDF ---------------------------------------------------------------------------------- */

static unsigned char vtk_type(int nnodes) {
    static const unsigned char type[] = {2, 1, 3, 5, 9}; // -, vertex, line, triangle, quad
    return nnodes < GOS_COUNT(type) ? type[nnodes] : 4;  // poly-line
}

static bool put_ids(gos_writer *w, const char *path, const int *ids, int n) {
    int64_t *v = calloc(n + 1L, sizeof *v);
    for (int i = 0; v && i < n; i++) {
        v[i] = ids[i];
    }
    hsize_t dim = (hsize_t)n;
    bool good = v && gos__put_done(gos__put_array(w->file, path, H5T_NATIVE_INT64, 1, &dim, v));
    free(v);
    return good;
}

static bool make_cells(gos_writer *w, const gos_mesh_info *mesh) {
    static const int zero = 0;
    int nids = mesh->ncells > 0 ? mesh->cell_offset[mesh->ncells] : 0;
    const int *offset = mesh->ncells > 0 ? mesh->cell_offset : &zero;
    unsigned char *types = calloc(mesh->ncells + 1L, 1);
    for (int i = 0; types && i < mesh->ncells; i++) {
        types[i] = vtk_type(offset[i + 1] - offset[i]);
    }
    hsize_t ncells = (hsize_t)mesh->ncells;
    bool good = types &&
                gos__put_done(gos__put_array(w->file, "/VTKHDF/Types", H5T_NATIVE_UCHAR, 1, &ncells,
                                             types)) &&
                put_ids(w, "/VTKHDF/NumberOfPoints", &mesh->nnodes, 1) &&
                put_ids(w, "/VTKHDF/NumberOfCells", &mesh->ncells, 1) &&
                put_ids(w, "/VTKHDF/NumberOfConnectivityIds", &nids, 1) &&
                put_ids(w, "/VTKHDF/Connectivity", mesh->cell_nodes, nids) &&
                put_ids(w, "/VTKHDF/Offsets", offset, mesh->ncells + 1) &&
                put_ids(w, "/VTKHDF/CellData/body", mesh->cell_body, mesh->ncells);
    free(types);
    return good;
}

/* in order of names */
static bool make_fields(gos_writer *w, const gos_writer_layout *layout, hid_t group) {
    const char *names[GOS_MAX_FIELDS];
    bool good = layout->nfields <= GOS_MAX_FIELDS;
    for (int i = 0; i < layout->nfields && good; i++) {
        const gos_field_info *info = &layout->fields[i];
        const int number = GOS_COL_MORE(w) + 2 * i;
        names[i] = info->name;
        good =
            make_column(w, layout, number) && make_column(w, layout, number + 1) &&
            gos__put_attr_text(w->column[number].set, "unit", info->unit) &&
            gos__put_attr_names(w->column[number].set, "components", info->components, info->ncomp);
    }
    return good &&
           (layout->nfields == 0 || gos__put_attr_names(group, "fields", names, layout->nfields));
}

static bool make_vtk(gos_writer *w, const gos_writer_layout *layout) {
    static const char *const groups[] = {"/VTKHDF",
                                         "/VTKHDF/PointData",
                                         "/VTKHDF/CellData",
                                         "/VTKHDF/Steps",
                                         "/VTKHDF/Steps/PointDataOffsets",
                                         "/VTKHDF/Steps/CellDataOffsets"};
    bool good = true;
    for (int i = 0; i < GOS_COUNT(groups) && good; i++) {
        good = gos__put_group(w->file, groups[i]);
    }
    good = good && make_column(w, layout, GOS_COL_TIME) &&
           H5Lcreate_hard(w->file, "/VTKHDF/Steps/Values", w->file, "/VTKHDF/time", H5P_DEFAULT,
                          H5P_DEFAULT) >= 0 &&
           make_columns(w, layout, GOS_COL_POINTS, GOS_COL_ENERGY) && make_cells(w, &layout->mesh);
    static const int64_t version[2] = {2, 0}, none = 0;
    hid_t group = good ? H5Gopen2(w->file, "/VTKHDF", H5P_DEFAULT) : -1;
    good = good && gos__put_attr_ints(group, "Version", version, 2) &&
           gos__put_attr_text(group, "Type", "UnstructuredGrid") &&
           gos__put_attr_names(group, "bodies", layout->mesh.body_names, layout->mesh.nbodies) &&
           make_fields(w, layout, group) && H5Gclose(group) >= 0;
    group = good ? H5Gopen2(w->file, "/VTKHDF/Steps", H5P_DEFAULT) : -1;
    return good && gos__put_attr_ints(group, "NSteps", &none, 1) && H5Gclose(group) >= 0;
}

bool gos__writer_make(gos_writer *w, const gos_writer_layout *layout) {
    static const int64_t version = GOS_RESULTS_VERSION;
    return gos__put_attr_text(w->file, "format", GOS_RESULTS_FORMAT) &&
           gos__put_attr_ints(w->file, "format_version", &version, 1) &&
           gos__put_attr_text(w->file, "program", "gossamer " GOS_VERSION) &&
           make_model(w, layout) && make_modes(w, layout) && make_probes(w, layout) &&
           make_vtk(w, layout) && make_events(w, layout) && make_balances(w, layout) &&
           make_statistics(w, layout);
}

/* ---- opening created datasets ---------------------------------------------------------------- */

/* cut to the kept rows */
static bool open_column(gos_writer *w, const gos_writer_layout *layout, int i, hsize_t rows) {
    gos_column *c = &w->column[i];
    char path[PATH_LENGTH];
    describe(w, layout, i, path);
    c->set = gos__h5_open(w->file, path, H5O_TYPE_DATASET);
    hsize_t dims[2] = {0, 0};
    const hid_t type = c->set < 0 ? -1 : H5Dget_type(c->set);
    const hid_t expected_type = c->integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    bool good = type >= 0 && H5Tequal(type, expected_type) > 0 && gos__h5_plain(c->set, dims) &&
                dims[0] >= rows && dims[1] == (hsize_t)c->width;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    dims[0] = rows;
    c->written = rows;
    return good && H5Dset_extent(c->set, dims) >= 0;
}

static hid_t open_scalar(const gos_writer *w, const char *path, size_t size) {
    hid_t set = gos__h5_open(w->file, path, H5O_TYPE_DATASET);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hsize_t dims[2];
    const bool good = type >= 0 && H5Tget_size(type) == size && gos__h5_plain(set, dims) &&
                      dims[0] * dims[1] == 1;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (set >= 0 && !good) {
        (void)H5Dclose(set);
        set = -1;
    }
    return set;
}

static bool open_statistics(gos_writer *w) {
    static const char *const paths[] = {
#define X(type, name, doc) "/statistics/" #name,
        GOS_STATISTICS_FIELDS(X)
#undef X
    };
    bool good = true;
    for (int i = 0; i < GOS_COUNT(paths); i++) {
        w->statistics[i] = open_scalar(w, paths[i], 8);
        good = good && w->statistics[i] >= 0;
    }
    w->status = open_scalar(w, "/statistics/status", GOS_STATUS_TEXT);
    w->warnings = open_scalar(w, "/statistics/warnings", GOS_WARNINGS_TEXT);
    w->nwarnings = open_scalar(w, "/statistics/warning_count", 8);
    w->boot = open_scalar(w, "/statistics/boot", GOS_BOOT_TEXT);
    return good && w->boot >= 0 && w->status >= 0 && w->warnings >= 0 && w->nwarnings >= 0;
}

/* starts before the last kept row; older files have none */
static bool keep_starts(gos_writer *w, hsize_t *kept) {
    const hid_t set = w->starts ? gos__h5_open(w->file, "starts", H5O_TYPE_DATASET) : -1;
    const hsize_t width = 1 + 2 * (hsize_t)w->nvalues;
    hsize_t dims[2];
    *kept = 0;
    w->starts = set >= 0;
    if (set < 0) {
        return true;
    }
    bool good = gos__h5_plain(set, dims) && dims[1] == width;
    while (good && *kept < dims[0]) {
        good = gos__results_rows(set, H5T_NATIVE_DOUBLE, *kept, 1, width, w->begin);
        if (!good || !(w->begin[0] < (double)(w->rows - 1))) {
            break;
        }
        ++*kept;
    }
    (void)H5Dclose(set);
    return good;
}

bool gos__writer_open(gos_writer *w, const gos_writer_layout *layout) {
    hsize_t starts;
    bool good = keep_starts(w, &starts);
    for (int i = 0; i < w->ncolumns && good; i++) {
        const bool step = i == GOS_COL_PROBE_TIME || (i >= GOS_COL_PROBES && i < GOS_COL_MORE(w));
        const long there = step ? w->rows : i == GOS_COL_EVENTS ? w->passed : w->frames;
        const hsize_t n =
            i == GOS_COL_STARTS ? starts : (hsize_t)there * (hsize_t)rows_together(w, i);
        good = !is_there(w, i) || open_column(w, layout, i, n);
    }
    return good && open_statistics(w);
}
