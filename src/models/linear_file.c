/* Linear models in HDF5: sizes as attributes, blocks by columns, names as lines. */
#include <math.h>
#include <stdio.h>

#include "gossamer/io.h"
#include "results/h5_file.h"
#include "models/linear_io.h"
#include "linear/linear.h"

/* Names of linear models as lines of text. */

enum { LINE_MAX_BYTES = 512 };

/* RFC 4180. An apostrophe is prepended to text that a spreadsheet would read as a formula, or that
   begins with one. */
static bool needs_apostrophe(const char *text) {
    const char first = text[strspn(text, "'")];
    return first != '\0' && strchr("=+-@", first) != NULL;
}

static bool put_cell(FILE *out, const char *text) {
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    bool good = fputs(quoted ? ",\"" : ",", out) >= 0;
    good = good && (!needs_apostrophe(text) || fputc('\'', out) != EOF);
    for (; *text && good; text++) {
        good = (*text != '"' || fputc('"', out) != EOF) && fputc(*text, out) != EOF;
    }
    return good && (!quoted || fputc('"', out) != EOF);
}

static bool put_line(FILE *out, const char *kind, const char *name, const char *unit) {
    return fputs(kind, out) >= 0 && put_cell(out, name) && (!unit || put_cell(out, unit)) &&
           fputc('\n', out) != EOF;
}

bool gos__linear_put_names(const gos_linear *l, FILE *out) {
    bool good = fprintf(out, "components,%d\n", l->ncomp) > 0;
    good = good && (strcmp(l->units, "SI") == 0 || put_line(out, "units", l->units, NULL));
    for (int i = 0; i < l->nq / l->ncomp && good; i++) {
        good = !l->coordinate[i] || put_line(out, "coordinate", l->coordinate[i], NULL);
    }
    for (int i = 0; i < l->nt && good; i++) {
        good = !l->temperature[i] || put_line(out, "temperature", l->temperature[i], NULL);
    }
    for (int i = 0; i < l->nu && good; i++) {
        const gos_port p = gos_linear_input(l, i);
        good = put_line(out, "input", p.name, p.unit);
    }
    for (int i = 0; i < l->ny && good; i++) {
        const gos_port p = gos_linear_output(l, i);
        good = put_line(out, "output", p.name, p.unit);
    }
    return good;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct names {
    gos_linear *l;
    int ncoordinate, ntemperature, ninput, noutput; // read so far
} names;

/* the leading cells of a line, in place */
typedef struct cells {
    char *cell[3];
    int n;
} cells;

static gos_status take_line(names *k, const cells *c) {
    gos_linear *l = k->l;
    if (c->n < 2) {
        return GOS_OK;
    }
    const char *kind = c->cell[0], *name = c->cell[1];
    if (strcmp(kind, "components") == 0) {
        l->ncomp = strcmp(name, "3") == 0 && l->nq % 3 == 0 ? 3 : 1;
    } else if (strcmp(kind, "units") == 0) {
        return gos__linear_set_units(l, name);
    } else if (strcmp(kind, "coordinate") == 0 && k->ncoordinate < l->nq / l->ncomp) {
        l->coordinate[k->ncoordinate] = gos__arena_strdup(l->arena, name);
        return l->coordinate[k->ncoordinate++] ? GOS_OK : GOS_E_MEMORY;
    } else if (strcmp(kind, "temperature") == 0 && k->ntemperature < l->nt) {
        l->temperature[k->ntemperature] = gos__arena_strdup(l->arena, name);
        return l->temperature[k->ntemperature++] ? GOS_OK : GOS_E_MEMORY;
    } else if (c->n > 2) {
        if (strcmp(kind, "input") == 0 && k->ninput < l->nu) {
            return gos__linear_name_input(l, k->ninput++, name, c->cell[2]);
        }
        if (strcmp(kind, "output") == 0 && k->noutput < l->ny) {
            return gos__linear_name_output(l, k->noutput++, name, c->cell[2]);
        }
    }
    return GOS_OK;
}

/* Unquotes the cell at s (before stop) into `to`; returns its end, NULL: no room, or a 0 byte. An
   unquoted `last` cell extends to the end of the line (older units with commas). */
static const char *take_cell(const char *s, const char *stop, bool last, char *to,
                             const char *room) {
    const bool quoted = s < stop && *s == '"';
    for (s += quoted; s < stop; s++) {
        if (quoted && *s == '"') {
            if (s + 1 == stop || s[1] != '"') {
                s++;
                break; // skip text after the closing quote
            }
            s++;
        } else if (!quoted && ((*s == ',' && !last) || *s == '\n')) {
            break;
        }
        if (to == room || *s == '\0') {
            return NULL;
        }
        *to++ = *s;
    }
    if (!quoted && s < stop && *s == '\n' && to[-1] == '\r') {
        to--;
    }
    *to = '\0';
    while (s < stop && *s != ',' && *s != '\n') {
        s++;
    }
    return s;
}

/* Returns the start of the next line, NULL: too long or not text. */
static const char *split(const char *s, const char *stop, char text[LINE_MAX_BYTES], cells *c) {
    char *to = text + 1; // keeps to[-1] valid
    text[0] = '\0';
    c->n = 0;
    for (;; s++) {
        s = take_cell(s, stop, c->n == 2, to, text + LINE_MAX_BYTES - 1);
        if (!s) {
            return NULL;
        }
        if (c->n < GOS_COUNT(c->cell)) {
            const bool marked = c->n > 0 && *to == '\'' && needs_apostrophe(to);
            c->cell[c->n++] = to + marked;
            to += strlen(to) + 1;
            to -= to == text + LINE_MAX_BYTES; // full: reject the next byte
        }
        if (s == stop || *s == '\n') {
            return s + (s < stop);
        }
    }
}

static gos_status name_rest(names *k) {
    char name[16];
    for (; k->ninput < k->l->nu; k->ninput++) {
        gos__format(name, sizeof name, "u%d", k->ninput + 1);
        GOS_TRY(gos__linear_name_input(k->l, k->ninput, name, ""));
    }
    for (; k->noutput < k->l->ny; k->noutput++) {
        gos__format(name, sizeof name, "y%d", k->noutput + 1);
        GOS_TRY(gos__linear_name_output(k->l, k->noutput, name, ""));
    }
    return GOS_OK;
}

gos_status gos__linear_get_names(gos_linear *l, const char *text, size_t n, const char *file) {
    names k = {.l = l};
    int line = 1;
    for (const char *s = text, *stop = text + n; s < stop; line++) {
        char copy[LINE_MAX_BYTES];
        cells c;
        s = split(s, stop, copy, &c);
        if (!s) {
            const gos_loc loc = {gos__intern(l->ctx, file), line, 0};
            return gos__fail_at(l->ctx, GOS_E_INPUT, loc, NULL,
                                "this line is too long for a name, or is not text");
        }
        GOS_TRY(take_line(&k, &c));
    }
    return name_rest(&k);
}

#define VERSION 1 // root attribute `format_version`
#define PATH 64   // bytes of a path inside the file

static const char *const block_names[] = {
#define X(name, doc) #name,
    GOS_BLOCK_LIST(X)
#undef X
};

#define SIZES(X) X(nq) X(nt) X(nphi) X(nc) X(nh) X(nu) X(ny)

const char *gos__block_name(gos_block block) {
    return block_names[block];
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool put_vector(hid_t file, const char *path, hid_t type, size_t n, const void *data) {
    const hsize_t dim = (hsize_t)n;
    return n == 0 || gos__put_done(gos__put_array(file, path, type, 1, &dim, data));
}

static bool put_block(hid_t file, const gos_sparse *A, const char *name) {
    char path[PATH];
    if (A->nnz == 0) {
        return true;
    }
    (void)snprintf(path, sizeof path, "blocks/%s", name);
    bool good = gos__put_group(file, path);
    (void)snprintf(path, sizeof path, "blocks/%s/start", name);
    good = good && put_vector(file, path, H5T_NATIVE_INT, A->n + 1L, A->p);
    (void)snprintf(path, sizeof path, "blocks/%s/row", name);
    good = good && put_vector(file, path, H5T_NATIVE_INT, A->nnz, A->i);
    (void)snprintf(path, sizeof path, "blocks/%s/value", name);
    return good && put_vector(file, path, H5T_NATIVE_DOUBLE, A->nnz, A->x);
}

static bool put_names(hid_t file, const gos_linear *l) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out != NULL && gos__linear_put_names(l, out);
    good = (out == NULL || fclose(out) == 0) && good;
    good = good && gos__put_done(gos__put_text(file, "names", text, size + 1));
    free(text);
    return good;
}

/* report NULL: not the result of a reduction */
typedef struct content {
    const gos_linear *linear;
    const gos_linear_reduction_report *report;
    const char *method;
} content;

static bool put_report(hid_t file, const content *c) {
    if (!c->report) {
        return true;
    }
    bool good = gos__put_group(file, "reduction");
    const hid_t at = good ? H5Gopen2(file, "reduction", H5P_DEFAULT) : -1;
    good = at >= 0 && gos__put_attr_text(at, "method", c->method);
#define X(type, name, doc) good = good && gos__put_attr_number(at, #name, (double)c->report->name);
    GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
    if (at >= 0) {
        (void)H5Gclose(at);
    }
    return good;
}

static bool put_all(hid_t file, const void *what) {
    const content *c = what;
    const gos_linear *l = c->linear;
    bool good = gos__put_attr_text(file, "format", GOS_LINEAR_FORMAT) &&
                gos__put_attr_number(file, "format_version", VERSION) &&
                gos__put_attr_text(file, "program", "gossamer " GOS_VERSION);
#define X(name) good = good && gos__put_attr_number(file, #name, l->name);
    SIZES(X)
#undef X
    good = good && gos__put_group(file, "blocks");
    for (int b = 0; b < GOS_NBLOCKS && good; b++) {
        good = put_block(file, &l->block[b], block_names[b]);
    }
    return good && put_names(file, l) && put_report(file, c) &&
           put_vector(file, "translation", H5T_NATIVE_DOUBLE, 3L * l->nq, l->rigid) &&
           put_vector(file, "rotation", H5T_NATIVE_DOUBLE, 3L * l->nq, l->rigid + 3L * l->nq);
}

gos_status gos_linear_save(gos_ctx *ctx, const gos_linear *linear, const char *path) {
    const content c = {.linear = linear};
    return gos__h5_write_file(ctx, path, GOS_OUTPUT_LINEAR, put_all, &c);
}

gos_status gos_linear_reduction_save(gos_ctx *ctx, const gos_linear_reduction *reduction,
                                     const char *method, const char *path) {
    gos_linear_reduction_report report;
    gos_linear_reduction_get(reduction, &report);
    const content c = {gos_linear_reduction_model(reduction), &report, method};
    return gos__h5_write_file(ctx, path, GOS_OUTPUT_REDUCED, put_all, &c);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    gos_ctx *ctx;
    const char *path;
    gos_disk disk;
    hid_t file;
    gos_linear *l;
} reader;

static gos_status damaged(const reader *r, const char *what) {
    return gos__fail(r->ctx, GOS_E_FILE, "%s: %s; make the file again", r->path, what);
}

static gos_status get_vector(const reader *r, const char *path, hid_t type, size_t n, void *to,
                             bool *found) {
    hsize_t dims[2];
    const hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    *found = set >= 0;
    if (set < 0) {
        return GOS_OK;
    }
    const hid_t kind = H5Dget_type(set);
    const bool number =
        kind >= 0 && (H5Tget_class(kind) == H5T_FLOAT || H5Tget_class(kind) == H5T_INTEGER);
    const bool good = number && gos__h5_plain(set, dims) && dims[1] == 1 && dims[0] == n &&
                      H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    if (kind >= 0) {
        (void)H5Tclose(kind);
    }
    (void)H5Dclose(set);
    return good ? GOS_OK : damaged(r, "a matrix is damaged");
}

/* number of entries, whose storage must lie within the file */
static gos_status count_entries(const reader *r, const char *path, size_t *n) {
    hsize_t dims[2];
    const hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    *n = 0;
    if (set < 0) {
        return GOS_OK;
    }
    const bool good = gos__h5_plain(set, dims) && dims[1] == 1 && dims[0] < INT32_MAX &&
                      dims[0] <= (hsize_t)r->disk.eof / sizeof(double);
    (void)H5Dclose(set);
    *n = good ? dims[0] : 0;
    return good ? GOS_OK : damaged(r, "a matrix is damaged");
}

static bool valid(const gos_sparse *A) {
    bool good = A->p[0] == 0 && A->p[A->n] == A->nnz;
    for (int j = 0; j < A->n && good; j++) {
        good = A->p[j] <= A->p[j + 1] && A->p[j + 1] <= A->nnz;
        for (int k = A->p[j]; k < A->p[j + 1] && good; k++) {
            good = A->i[k] >= (k > A->p[j] ? A->i[k - 1] + 1 : 0) && A->i[k] < A->m &&
                   isfinite(A->x[k]);
        }
    }
    return good;
}

static gos_status get_block(const reader *r, gos_sparse *A, const char *name) {
    char path[PATH];
    size_t nnz;
    const int m = A->m, n = A->n;
    (void)snprintf(path, sizeof path, "blocks/%s/value", name);
    GOS_TRY(count_entries(r, path, &nnz));
    if (nnz == 0) {
        return GOS_OK;
    }
    gos__sparse_free(r->ctx, A);
    GOS_TRY(gos__sparse_alloc(r->ctx, m, n, nnz, A));
    bool values, rows, starts;
    GOS_TRY(get_vector(r, path, H5T_NATIVE_DOUBLE, nnz, A->x, &values));
    (void)snprintf(path, sizeof path, "blocks/%s/row", name);
    GOS_TRY(get_vector(r, path, H5T_NATIVE_INT, nnz, A->i, &rows));
    (void)snprintf(path, sizeof path, "blocks/%s/start", name);
    GOS_TRY(get_vector(r, path, H5T_NATIVE_INT, n + 1L, A->p, &starts));
    return values && rows && starts && valid(A) ? GOS_OK : damaged(r, "a matrix is damaged");
}

static gos_status get_names(const reader *r) {
    const hid_t set = gos__h5_open(r->file, "names", H5O_TYPE_DATASET);
    const hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hsize_t dims[2];
    const size_t size = type < 0 ? 0 : H5Tget_size(type);
    char *text = NULL;
    bool good = type >= 0 && gos__h5_plain(set, dims) && dims[0] * dims[1] == 1 &&
                H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                size <= (size_t)r->disk.eof;
    if (good) {
        text = gos__zalloc(r->ctx, size + 1, 1);
        good = text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    }
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    const gos_status status = !good ? damaged(r, "its names are damaged")
                                    : gos__linear_get_names(r->l, text, strlen(text), r->path);
    gos__free(r->ctx, text);
    return status;
}

static gos_status read_file(reader *r) {
    char format[64];
    double version;
    gos_linear_size size = {0};
    r->file = gos__h5_open_file(&r->disk, r->path, H5F_ACC_RDONLY);
    if (r->file < 0 || !gos__h5_attr_text(r->file, "format", format, sizeof format) ||
        strcmp(format, GOS_LINEAR_FORMAT) != 0) {
        return gos__fail(r->ctx, GOS_E_FILE, "%s: not a linear model of this program", r->path);
    }
    if (!gos__h5_attr_number(r->file, "format_version", &version) || version != VERSION) {
        return damaged(r, "it was written by another version of this program");
    }
#define X(name)                                                                                    \
    {                                                                                              \
        double x = 0;                                                                              \
        if (!gos__h5_attr_number(r->file, #name, &x) ||                                            \
            !(x >= 0 && x <= GOS_LIMIT_MATRIX_ORDER && x == floor(x))) {                           \
            return damaged(r, "a size is missing or out of range");                                \
        }                                                                                          \
        size.name = (int)x;                                                                        \
    }
    SIZES(X)
#undef X
    GOS_TRY(gos__linear_check_size(r->ctx, r->path, &size, r->disk.eof));
    GOS_TRY(gos__linear_create(r->ctx, &size, &r->l));
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        GOS_TRY(get_block(r, &r->l->block[b], block_names[b]));
    }
    bool found;
    const size_t three = 3L * size.nq;
    GOS_TRY(get_vector(r, "translation", H5T_NATIVE_DOUBLE, three, r->l->rigid, &found));
    GOS_TRY(get_vector(r, "rotation", H5T_NATIVE_DOUBLE, three, r->l->rigid + three, &found));
    GOS_TRY(get_names(r));
    return gos__linear_close(r->l);
}

gos_status gos__linear_read_h5(gos_ctx *ctx, const char *path, gos_linear **linear) {
    reader r = {.ctx = ctx, .path = path, .file = -1};
    gos_status status = gos__disk_open(ctx, path, false, &r.disk);
    if (status == GOS_OK) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        status = read_file(&r);
        if (r.file >= 0) {
            (void)H5Fclose(r.file);
        }
        gos__h5_leave(&visit);
        gos__disk_close(&r.disk);
    }
    if (status != GOS_OK) {
        gos_linear_destroy(r.l);
        return status;
    }
    *linear = r.l;
    return GOS_OK;
}

/* *found false: the file has no report */
static void get_report(hid_t file, gos_linear_reduction_report *report, char method[64],
                       bool *found) {
    *found = false;
    const hid_t at = gos__h5_open(file, "reduction", H5O_TYPE_GROUP);
    if (at < 0) {
        return;
    }
    double x;
    *found = gos__h5_attr_text(at, "method", method, 64);
#define X(type, name, doc)                                                                         \
    x = 0; /* missing in files of earlier versions */                                              \
    *found = *found && (H5Aexists(at, #name) == 0 || gos__h5_attr_number(at, #name, &x)) &&        \
             isfinite(x) && (sizeof(type) > sizeof(int) || fabs(x) < INT32_MAX);                   \
    report->name = *found ? (type)x : 0;
    GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
    (void)H5Oclose(at);
}

/* checks the format; reads the report if requested */
static bool check_file(const char *path, gos_linear_reduction_report *report, char method[64],
                       bool *found) {
    gos_ctx *ctx = gos_ctx_create();
    reader r = {.ctx = ctx, .path = path, .file = -1};
    char format[64] = "";
    if (ctx && gos__disk_open(ctx, path, false, &r.disk) == GOS_OK) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        r.file = gos__h5_open_file(&r.disk, path, H5F_ACC_RDONLY);
        if (r.file >= 0) {
            (void)gos__h5_attr_text(r.file, "format", format, sizeof format);
            if (report && strcmp(format, GOS_LINEAR_FORMAT) == 0) {
                get_report(r.file, report, method, found);
            }
            (void)H5Fclose(r.file);
        }
        gos__h5_leave(&visit);
        gos__disk_close(&r.disk);
    }
    gos_ctx_destroy(ctx);
    return strcmp(format, GOS_LINEAR_FORMAT) == 0;
}

bool gos__linear_is_h5(const char *path) {
    return check_file(path, NULL, NULL, NULL);
}

bool gos_linear_reduction_report_read(const char *path, gos_linear_reduction_report *report,
                                      char method[64]) {
    bool found = false;
    return check_file(path, report, method, &found) && found;
}
