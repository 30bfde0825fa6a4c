/* Opens a results file as an SWMR reader, also one with an active or killed writer. The shortest
 * column of a group determines its length. Names and sizes are read at once, numbers on demand.
 * Sizes are checked against the file size before memory is allocated (gos__h5_plain). */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "results/overwrite_image.h"
#include "base/new_file.h"
#include "results/results.h"
#include "results/results_parts.h"

#define MAX_TEXT ((hsize_t)GOS_LIMIT_MODEL_BYTES + (1u << 20)) // model text with settings

static gos_status bad(gos_results *r, const char *what) {
    return gos__fail(r->ctx, GOS_E_FILE, "%s: %s", r->path, what);
}

/* ---- datasets -------------------------------------------------------------------------------- */

gos_status gos__results_numbers(gos_results *r, const char *path, hsize_t width, hid_t *set,
                                hsize_t *rows) {
    *rows = 0;
    *set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    hsize_t dims[2];
    hid_t type = *set < 0 ? -1 : H5Dget_type(*set);
    H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    bool good = (kind == H5T_FLOAT || kind == H5T_INTEGER) && H5Tget_size(type) <= 8 &&
                gos__h5_plain(*set, dims) && dims[1] == width;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (!good) {
        if (*set >= 0) {
            (void)H5Dclose(*set);
        }
        *set = -1;
        return gos__fail(r->ctx, GOS_E_FILE, "%s: %s is missing or damaged", r->path, path);
    }
    *rows = dims[0];
    return GOS_OK;
}

bool gos__results_rows(hid_t set, hid_t type, hsize_t first, hsize_t n, hsize_t width, void *out) {
    if (n == 0) {
        return true;
    }
    hid_t from = H5Dget_space(set);
    hsize_t start[2] = {first, 0}, count[2] = {n, width}, total = n * width;
    hid_t to = H5Screate_simple(1, &total, NULL);
    bool good = from >= 0 && to >= 0 &&
                H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(set, type, to, from, H5P_DEFAULT, out) >= 0;
    (void)H5Sclose(to);
    (void)H5Sclose(from);
    return good;
}

/* small datasets */
static gos_status load_ints(gos_results *r, const char *path, int **out, int *n) {
    hid_t set;
    hsize_t rows;
    GOS_TRY(gos__results_numbers(r, path, 1, &set, &rows));
    gos_status status = GOS_OK;
    if (rows > INT32_MAX / 8) {
        status = bad(r, "the mesh is too large");
    } else if (!(*out = GOS_NEW(r->arena, int, rows + 1))) {
        status = GOS_E_MEMORY;
    } else if (!gos__results_rows(set, H5T_NATIVE_INT, 0, rows, 1, *out)) {
        status = gos__fail(r->ctx, GOS_E_FILE, "%s: cannot read %s", r->path, path);
    }
    (void)H5Dclose(set);
    *n = (int)rows;
    return status;
}

gos_status gos__results_text(gos_results *r, const char *path, const char **text) {
    hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hsize_t dims[2];
    bool good = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                H5Tget_size(type) <= MAX_TEXT && gos__h5_plain(set, dims) && dims[0] == 1 &&
                dims[1] == 1;
    char *buf = good ? GOS_NEW(r->arena, char, H5Tget_size(type) + 1) : NULL;
    const bool short_of_memory = good && !buf;
    good = buf && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buf) >= 0;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    *text = buf;
    if (short_of_memory) {
        return GOS_E_MEMORY;
    }
    return good ? GOS_OK
                : gos__fail(r->ctx, GOS_E_FILE, "%s: %s is missing or damaged", r->path, path);
}

/* "" in older files */
static gos_status read_new_text(gos_results *r, const char *path, const char **text) {
    const hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    *text = "";
    if (set < 0) {
        return GOS_OK;
    }
    (void)H5Dclose(set);
    return gos__results_text(r, path, text);
}

/* each followed by a 0 byte */
static gos_status read_names(gos_results *r, hid_t attr, hid_t type, size_t count,
                             const char *const **names) {
    const size_t width = H5Tget_size(type);
    char *all = GOS_NEW(r->arena, char, count *width + 1);
    char *copy = GOS_NEW(r->arena, char, count *(width + 1) + 1);
    const char **list = GOS_NEW(r->arena, const char *, count + 1);
    if (!all || !copy || !list) {
        return GOS_E_MEMORY;
    }
    if (count > 0 && H5Aread(attr, type, all) < 0) {
        return bad(r, "a list of names is damaged");
    }
    for (size_t i = 0; i < count; i++, copy += width + 1) {
        memcpy(copy, all + i * width, width);
        list[i] = copy;
    }
    *names = list;
    return GOS_OK;
}

static gos_status load_names(gos_results *r, hid_t object, const char *name,
                             const char *const **names, int *n) {
    *n = 0;
    *names = NULL;
    hid_t attr = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    hid_t type = attr < 0 ? -1 : H5Aget_type(attr);
    hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
    hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    bool good = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                H5Tget_size(type) <= 4096 && count >= 0 && count <= 1000000;
    const gos_status status = good ? read_names(r, attr, type, count, names)
                                   : bad(r, "a list of names is missing or damaged");
    *n = status == GOS_OK ? (int)count : 0;
    gos__h5_attr_close(attr, type, space);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static gos_status open_file(gos_results *r) {
    const unsigned swmr = gos__disk_marked(&r->disk) ? H5F_ACC_SWMR_READ : 0;
    r->file = gos__h5_open_file(&r->disk, r->path, H5F_ACC_RDONLY | swmr);
    char format[64];
    double version;
    if (r->file < 0 || !gos__h5_attr_text(r->file, "format", format, sizeof format) ||
        strcmp(format, GOS_RESULTS_FORMAT) != 0) {
        return bad(r, "not a results file of this program");
    }
    if (!gos__h5_attr_number(r->file, "format_version", &version) ||
        version != GOS_RESULTS_VERSION) {
        return bad(r, "results of another version of this program; run the model again");
    }
    // first, as a killed writer may have left parts half written
    if (gos__journal_find(r->file, &r->disk) && !gos__is_locked(r->disk.fd) &&
        !gos__journal_settle(&r->disk, r->disk.journal)) {
        return GOS_E_MEMORY;
    }
    return GOS_OK;
}

/* 0 if missing, or not a count if `count` */
static double read_size(hid_t model, const char *name, bool count) {
    double value = 0;
    (void)gos__h5_attr_number(model, name, &value);
    return !count || (value >= 0 && value <= INT32_MAX) ? value : 0;
}

static void read_sizes(hid_t model, gos_sizes *s) {
#define X(type, name, doc) s->name = (type)read_size(model, #name, sizeof(type) == sizeof(int));
    GOS_SIZES_FIELDS(X)
#undef X
    s->reduced = read_size(model, "reduced", false) != 0;
}

static gos_status read_model(gos_results *r) {
    hid_t model = gos__h5_open(r->file, "model", H5O_TYPE_GROUP);
    if (model < 0) {
        return bad(r, "/model is missing");
    }
    read_sizes(model, &r->info.sizes);
    r->T_ref = read_size(model, "reference_temperature", false);
    char units[64];
    const bool other = gos__h5_attr_text(model, "units", units, sizeof units);
    (void)H5Gclose(model);
    r->info.units = gos__arena_strdup(r->arena, other ? units : "SI");
    GOS_TRY(r->info.units ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__results_text(r, "model/name", &r->info.name));
    GOS_TRY(gos__results_text(r, "model/text", &r->info.text));
    return gos__results_text(r, "model/options", &r->info.options);
}

static double read_number(gos_results *r, const char *path) {
    hid_t set;
    hsize_t rows;
    double value = 0;
    if (gos__results_numbers(r, path, 1, &set, &rows) == GOS_OK) {
        if (rows == 1) {
            (void)H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
        }
        (void)H5Dclose(set);
    }
    return value;
}

/* A killed process's writes are complete. After a crash of the machine gaps are undetectable; only
 * the final status guarantees that all else is on disk. */
static gos_status check_power(gos_results *r) {
    const gos_results_info *info = &r->info;
    char boot[GOS_BOOT_TEXT + 1];
    gos__boot_name(boot);
    const bool ended = info->complete || strcmp(info->status, "interrupted") == 0 ||
                       strncmp(info->status, "failed", 6) == 0;
    if (!info->marked || info->running || ended || r->boot[0] == '\0' || boot[0] == '\0' ||
        strcmp(boot, r->boot) == 0) {
        return GOS_OK;
    }
    return gos__fail(r->ctx, GOS_E_FILE,
                     "%s: it was being written when the machine stopped, and the last part may be "
                     "missing; repair it with gossamer info %s",
                     r->path, r->path);
}

static gos_status read_statistics(gos_results *r) {
    gos_results_info *info = &r->info;
    int before = gos__nerrors(r->ctx);
#define X(type, name, doc) info->statistics.name = (type)read_number(r, "statistics/" #name);
    GOS_STATISTICS_FIELDS(X)
#undef X
    info->warning_count = (long)read_number(r, "statistics/warning_count");
    if (gos__nerrors(r->ctx) > before) {
        return GOS_E_FILE;
    }
    GOS_TRY(gos__results_text(r, "statistics/warnings", &info->warnings));
    GOS_TRY(gos__results_text(r, "statistics/status", &info->status));
    GOS_TRY(read_new_text(r, "statistics/key", &r->key));
    GOS_TRY(read_new_text(r, "statistics/boot", &r->boot));
    char program[256] = "", libraries[512] = "";
    hid_t group = gos__h5_open(r->file, "statistics", H5O_TYPE_GROUP);
    if (group >= 0) {
        (void)gos__h5_attr_text(group, "program", program, sizeof program);
        (void)gos__h5_attr_text(group, "libraries", libraries, sizeof libraries);
        (void)H5Gclose(group);
    }
    info->program = gos__arena_strdup(r->arena, program);
    info->libraries = gos__arena_strdup(r->arena, libraries);
    info->complete = strcmp(info->status, "complete") == 0;
    info->marked = gos__disk_marked(&r->disk);
    info->running = info->marked && gos__is_locked(r->disk.fd);
    GOS_TRY(check_power(r));
    if (strcmp(info->status, "running") == 0 && !info->running) {
        info->status = "interrupted: the program was terminated";
    }
    return info->program && info->libraries ? GOS_OK : GOS_E_MEMORY;
}

static gos_status read_probe(gos_results *r, int i, const char *name, hsize_t *rows) {
    gos_results_column *p = &r->probe[i];
    char path[GOS_LIMIT_NAME + 32], unit[GOS_UNITS_MAX], quantity[64];
    if (strlen(name) > GOS_LIMIT_NAME) {
        return bad(r, "a probe's name is too long");
    }
    (void)snprintf(path, sizeof path, "probes/%s", name);
    hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    if (set < 0) {
        return gos__fail(r->ctx, GOS_E_FILE, "%s: probe '%s' is missing", r->path, name);
    }
    gos_status status = load_names(r, set, "components", &p->info.components, &p->info.ncomp);
    (void)gos__h5_attr_text(set, "unit", unit, sizeof unit);
    (void)gos__h5_attr_text(set, "quantity", quantity, sizeof quantity);
    double known = -1;
    p->known = gos__h5_attr_number(set, "rates_known", &known) ? known > 0 : -1;
    (void)H5Dclose(set);
    GOS_TRY(status);
    if (p->info.ncomp < 1 || p->info.ncomp > GOS_PROBE_MAX) {
        return gos__fail(r->ctx, GOS_E_FILE, "%s: probe '%s' has no components", r->path, name);
    }
    p->info.rates = p->known != 0;
    p->info.name = name;
    p->info.unit = gos__arena_strdup(r->arena, unit);
    p->info.quantity = gos__arena_strdup(r->arena, quantity);
    for (int k = 0; k < 2; k++) {
        hsize_t n;
        (void)snprintf(path, sizeof path, k ? "probes/rates/%s" : "probes/%s", name);
        GOS_TRY(gos__results_numbers(r, path, (hsize_t)p->info.ncomp, &p->set[k], &n));
        *rows = n < *rows ? n : *rows;
    }
    return p->info.unit && p->info.quantity ? GOS_OK : GOS_E_MEMORY;
}

static gos_status load_times(gos_results *r, const char *path, hsize_t n, double **time) {
    hid_t set;
    hsize_t rows;
    GOS_TRY(gos__results_numbers(r, path, 1, &set, &rows));
    gos_status status = GOS_OK;
    if (!(*time = gos__alloc(r->ctx, n + 1, sizeof(double)))) {
        status = GOS_E_MEMORY;
    } else if (!gos__results_rows(set, H5T_NATIVE_DOUBLE, 0, n, 1, *time)) {
        status = gos__fail(r->ctx, GOS_E_FILE, "%s: cannot read %s", r->path, path);
    }
    (void)H5Dclose(set);
    for (hsize_t i = 0; status == GOS_OK && i < n; i++) {
        if (!isfinite((*time)[i]) || (i > 0 && !((*time)[i] > (*time)[i - 1]))) {
            status = bad(r, "times do not increase");
        }
    }
    return status;
}

static gos_status read_probes(gos_results *r) {
    hid_t group = gos__h5_open(r->file, "probes", H5O_TYPE_GROUP), set;
    if (group < 0) {
        return bad(r, "/probes is missing");
    }
    const char *const *names;
    gos_status status = load_names(r, group, "order", &names, &r->info.nprobes);
    (void)H5Gclose(group);
    GOS_TRY(status);
    hsize_t rows;
    GOS_TRY(gos__results_numbers(r, "probes/time", 1, &set, &rows));
    (void)H5Dclose(set);
    r->probe = gos__zalloc(r->ctx, r->info.nprobes + 1L, sizeof *r->probe);
    if (!r->probe) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->info.nprobes; i++) {
        r->probe[i].set[0] = r->probe[i].set[1] = -1;
    }
    for (int i = 0; i < r->info.nprobes; i++) {
        GOS_TRY(read_probe(r, i, names[i], &rows));
    }
    r->info.nrows = (long)rows;
    return load_times(r, "probes/time", rows, &r->time);
}

static gos_status read_events(gos_results *r) {
    hid_t set = gos__h5_open(r->file, "events", H5O_TYPE_DATASET);
    hsize_t rows;
    if (set < 0) {
        return GOS_OK;
    }
    (void)H5Dclose(set);
    GOS_TRY(gos__results_numbers(r, "events", 3, &set, &rows));
    gos_status status = load_names(r, set, "names", &r->event_names, &r->nnames);
    r->events = status == GOS_OK ? gos__alloc(r->ctx, 3 * (size_t)rows + 1, sizeof(double)) : NULL;
    if (status == GOS_OK && !r->events) {
        status = GOS_E_MEMORY;
    } else if (status == GOS_OK &&
               !gos__results_rows(set, H5T_NATIVE_DOUBLE, 0, rows, 3, r->events)) {
        status = bad(r, "cannot read the events");
    }
    (void)H5Dclose(set);
    for (hsize_t i = 0; status == GOS_OK && i < rows; i++) {
        const double *e = r->events + 3 * i;
        if (!isfinite(e[0]) || !(e[1] >= 0 && e[1] < r->nnames)) {
            status = bad(r, "the events are damaged");
        }
    }
    r->info.nevents = status == GOS_OK ? (long)rows : 0;
    return status;
}

/* missing in files of earlier versions */
static gos_status read_starts(gos_results *r) {
    hid_t set = gos__h5_open(r->file, "starts", H5O_TYPE_DATASET);
    hsize_t rows = 0;
    for (int i = 0; i < r->info.nprobes; i++) {
        r->nvalues += r->probe[i].info.ncomp;
    }
    if (set < 0) {
        return GOS_OK;
    }
    (void)H5Dclose(set);
    const hsize_t width = 1 + 2 * (hsize_t)r->nvalues;
    GOS_TRY(gos__results_numbers(r, "starts", width, &set, &rows));
    r->starts = gos__alloc(r->ctx, (size_t)(rows * width) + 1, sizeof *r->starts);
    r->start = gos__alloc(r->ctx, (size_t)rows + 1, sizeof *r->start);
    gos_status status = r->starts && r->start ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && !gos__results_rows(set, H5T_NATIVE_DOUBLE, 0, rows, width, r->starts)) {
        status = bad(r, "cannot read the starts of steps");
    }
    (void)H5Dclose(set);
    for (hsize_t i = 0; status == GOS_OK && i < rows; i++) {
        const double row = r->starts[i * width];
        if (!(row >= (i > 0 ? (double)r->start[i - 1] + 1 : 0) && row < 1e15)) {
            return bad(r, "the starts of steps are damaged");
        }
        r->start[i] = (long)row;
        r->nstarts = row < (double)r->info.nrows ? (long)i + 1 : r->nstarts;
    }
    return status;
}

/* Cells must refer to nodes, bodies to names. */
static gos_status check_mesh(gos_results *r, const int *first, int nids, int ntypes) {
    const gos_mesh_info *m = &r->mesh;
    bool good = m->ncells == ntypes && m->ncells >= 0 && first[0] == 0 && first[m->ncells] == nids;
    for (int i = 0; good && i < m->ncells; i++) {
        good = first[i + 1] >= first[i] && m->cell_body[i] >= 0 && m->cell_body[i] < m->nbodies;
    }
    for (int i = 0; good && i < nids; i++) {
        good = m->cell_nodes[i] >= 0 && m->cell_nodes[i] < m->nnodes;
    }
    return good ? GOS_OK : bad(r, "the mesh is damaged");
}

static gos_status read_mesh(gos_results *r) {
    gos_mesh_info *m = &r->mesh;
    int *counts, *ids, *first, *body, n, nids, noffsets;
    GOS_TRY(load_ints(r, "VTKHDF/NumberOfPoints", &counts, &n));
    if (n != 1 || counts[0] < 0 || counts[0] > INT32_MAX / 8) {
        return bad(r, "the mesh is damaged");
    }
    m->nnodes = counts[0];
    GOS_TRY(load_ints(r, "VTKHDF/Connectivity", &ids, &nids));
    GOS_TRY(load_ints(r, "VTKHDF/Offsets", &first, &noffsets));
    GOS_TRY(load_ints(r, "VTKHDF/CellData/body", &body, &n));
    m->ncells = noffsets - 1;
    m->cell_offset = first;
    m->cell_nodes = ids;
    m->cell_body = body;
    hid_t group = gos__h5_open(r->file, "VTKHDF", H5O_TYPE_GROUP);
    if (group < 0) {
        return bad(r, "/VTKHDF is missing");
    }
    gos_status status = load_names(r, group, "bodies", &m->body_names, &m->nbodies);
    (void)H5Gclose(group);
    GOS_TRY(status);
    return check_mesh(r, first, nids, n);
}

/* one per line */
static gos_status name_marks(gos_results *r) {
    const char *text;
    GOS_TRY(gos__results_text(r, "model/mark_names", &text));
    for (int i = 0; i < r->nmarks; i++) {
        const size_t n = strcspn(text, "\n");
        char *name = GOS_NEW(r->arena, char, n + 1);
        if (!name) {
            return GOS_E_MEMORY;
        }
        r->marks[i].name = memcpy(name, text, n);
        text += n + (text[n] != '\0');
    }
    return GOS_OK;
}

static bool take_mark(const double *row, int nnodes, gos_mark *m) {
    bool good = row[2] >= 1 && row[2] <= GOS_MARK_LOCATIONS;
    for (int i = 0; i < 2; i++) {
        good = good && row[12 + i] >= -1 && row[12 + i] < nnodes;
        m->node[i] = good ? (int)row[12 + i] : -1;
    }
    for (int i = 0; i < GOS_MARK_NUMBERS; i++) {
        good = good && isfinite(row[i]);
    }
    m->joint = row[0] > 0;
    m->ground = row[1] > 0;
    m->nlocation = good ? (int)row[2] : 0;
    memcpy(m->location, row + 3, sizeof m->location);
    memcpy(m->force, row + 9, sizeof m->force);
    return good;
}

static gos_status read_marks(gos_results *r) {
    hid_t set = gos__h5_open(r->file, "model/marks", H5O_TYPE_DATASET);
    hsize_t rows;
    if (set < 0) {
        return GOS_OK;
    }
    (void)H5Dclose(set);
    GOS_TRY(gos__results_numbers(r, "model/marks", GOS_MARK_NUMBERS, &set, &rows));
    double *row = GOS_NEW(r->arena, double, rows *GOS_MARK_NUMBERS + 1);
    r->marks = GOS_NEW(r->arena, gos_mark, rows + 1);
    bool good = row && r->marks && rows < INT32_MAX;
    const gos_status status = row && r->marks ? GOS_OK : GOS_E_MEMORY;
    good = good && gos__results_rows(set, H5T_NATIVE_DOUBLE, 0, rows, GOS_MARK_NUMBERS, row);
    (void)H5Dclose(set);
    for (hsize_t i = 0; i < rows && good; i++) {
        good = take_mark(row + i * GOS_MARK_NUMBERS, r->mesh.nnodes, &r->marks[i]);
    }
    GOS_TRY(status);
    r->nmarks = good ? (int)rows : 0;
    return good ? name_marks(r) : bad(r, "the locations of joints and loads are damaged");
}

static gos_status read_athermal(gos_results *r) {
    static const char *const path = "model/nodes_without_temperature";
    hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    if (set < 0) {
        return GOS_OK;
    }
    (void)H5Dclose(set);
    int *node, n;
    GOS_TRY(load_ints(r, path, &node, &n));
    r->athermal = GOS_NEW(r->arena, bool, r->mesh.nnodes + 1);
    GOS_TRY(r->athermal ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        if (node[i] < 0 || node[i] >= r->mesh.nnodes) {
            return bad(r, "the list of nodes without temperature is damaged");
        }
        r->athermal[node[i]] = true;
    }
    return GOS_OK;
}

static const char *const field_path[GOS_RESULTS_NFIELDS] = {
    "VTKHDF/Points", "VTKHDF/PointData/displacement", "VTKHDF/PointData/velocity",
    "VTKHDF/PointData/temperature", "VTKHDF/PointData/temperature_rate"};

static gos_status read_more(gos_results *r, int i, const char *name, hsize_t *frames) {
    gos_field_info *f = &r->more[i];
    char path[GOS_LIMIT_NAME + 32], unit[64] = "";
    hsize_t rows;
    int n = 0;
    if (strlen(name) > GOS_LIMIT_NAME) {
        return bad(r, "a field's name is too long");
    }
    (void)snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    const hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    if (set < 0) {
        return gos__fail(r->ctx, GOS_E_FILE, "%s: field '%s' is missing", r->path, name);
    }
    const gos_status status = load_names(r, set, "components", &f->components, &n);
    (void)gos__h5_attr_text(set, "unit", unit, sizeof unit);
    (void)H5Dclose(set);
    GOS_TRY(status);
    if (n < 1 || n > GOS_PROBE_MAX) {
        return gos__fail(r->ctx, GOS_E_FILE, "%s: field '%s' has no components", r->path, name);
    }
    f->name = name;
    f->unit = gos__arena_strdup(r->arena, unit);
    f->ncomp = n;
    GOS_TRY(gos__results_numbers(r, path, (hsize_t)n, &r->more_set[i], &rows));
    if (r->mesh.nnodes > 0 && rows / (hsize_t)r->mesh.nnodes < *frames) {
        *frames = rows / (hsize_t)r->mesh.nnodes;
    }
    return f->unit ? GOS_OK : GOS_E_MEMORY;
}

/* listed only if requested by the model */
static gos_status read_more_fields(gos_results *r, hsize_t *frames) {
    const hid_t group = gos__h5_open(r->file, "VTKHDF", H5O_TYPE_GROUP);
    const bool there = group >= 0 && H5Aexists(group, "fields") > 0;
    const char *const *names = NULL;
    int n = 0;
    const gos_status status = there ? load_names(r, group, "fields", &names, &n) : GOS_OK;
    if (group >= 0) {
        (void)H5Gclose(group);
    }
    GOS_TRY(status);
    if (n > GOS_MAX_FIELDS) {
        return bad(r, "the fields are damaged");
    }
    r->more = GOS_NEW(r->arena, gos_field_info, n + 1);
    r->more_set = GOS_NEW(r->arena, hid_t, n + 1);
    GOS_TRY(r->more && r->more_set ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        GOS_TRY(read_more(r, i, names[i], frames));
    }
    r->info.nfields = n;
    return GOS_OK;
}

static gos_status read_fields(gos_results *r) {
    hid_t set;
    hsize_t frames;
    GOS_TRY(gos__results_numbers(r, "VTKHDF/Steps/Values", 1, &set, &frames));
    (void)H5Dclose(set);
    set = gos__h5_open(r->file, field_path[GOS_RESULTS_TEMPERATURE], H5O_TYPE_DATASET);
    r->info.thermal = set >= 0;
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    for (int i = 0; i < (r->info.thermal ? GOS_RESULTS_NFIELDS : GOS_RESULTS_TEMPERATURE); i++) {
        hsize_t rows;
        GOS_TRY(gos__results_numbers(r, field_path[i], gos__results_width(i), &r->field[i], &rows));
        if (r->mesh.nnodes > 0 && rows / (hsize_t)r->mesh.nnodes < frames) {
            frames = rows / (hsize_t)r->mesh.nnodes;
        }
    }
    GOS_TRY(read_more_fields(r, &frames));
    r->info.nframes = (long)frames;
    return load_times(r, "VTKHDF/Steps/Values", frames, &r->frame_time);
}

static gos_status read_all(gos_results *r) {
    GOS_TRY(open_file(r));
    GOS_TRY(read_model(r));
    GOS_TRY(read_statistics(r));
    GOS_TRY(read_probes(r));
    GOS_TRY(read_events(r));
    GOS_TRY(read_starts(r));
    GOS_TRY(read_mesh(r));
    GOS_TRY(read_marks(r));
    GOS_TRY(read_athermal(r));
    return read_fields(r);
}

gos_status gos_results_open(gos_ctx *ctx, const char *path, gos_results **results) {
    *results = NULL;
    gos_results *r = gos__zalloc(ctx, 1, sizeof *r);
    if (!r) {
        return GOS_E_MEMORY;
    }
    r->ctx = ctx;
    r->file = -1;
    r->disk.fd = -1;
    for (int i = 0; i < GOS_RESULTS_NFIELDS; i++) {
        r->field[i] = -1;
    }
    r->arena = gos__arena_create(ctx);
    r->path = r->arena ? gos__arena_strdup(r->arena, path) : NULL;
    gos_status status = r->path ? gos__disk_open(ctx, path, false, &r->disk) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        status = read_all(r);
        gos__h5_leave(&visit);
    }
    if (status != GOS_OK) {
        gos_results_close(r);
        return status;
    }
    *results = r;
    return GOS_OK;
}

void gos_results_close(gos_results *r) {
    if (!r) {
        return;
    }
    if (r->file >= 0) {
        // closes all its objects (H5F_CLOSE_STRONG)
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        (void)H5Fclose(r->file);
        gos__h5_leave(&visit);
    }
    gos__disk_close(&r->disk);
    for (int i = 0; r->probe && i < r->info.nprobes; i++) {
        gos__free(r->ctx, r->probe[i].data[0]);
        gos__free(r->ctx, r->probe[i].data[1]);
    }
    for (int i = 0; i < GOS_RESULTS_NENERGY + GOS_RESULTS_NHEAT; i++) {
        gos__free(r->ctx, r->balance[i]);
    }
    gos__free(r->ctx, r->probe);
    gos__free(r->ctx, r->time);
    gos__free(r->ctx, r->events);
    gos__free(r->ctx, r->starts);
    gos__free(r->ctx, r->start);
    gos__free(r->ctx, r->frame_time);
    gos__arena_destroy(r->arena);
    gos__free(r->ctx, r);
}
