/* Designed controllers in HDF5: sizes and the report as attributes, matrices by columns, names as lines of text. */
#include "io/controller_file.h"

#include <math.h>
#include <stdio.h>

#include "control/design.h"
#include "gossamer/io.h"
#include "io/h5_file.h"

#define VERSION 1 // root attribute `format_version`

/* numbers of the law, then of what is told */
#define SIZES(X)                                                                                   \
    X(states, law.n)                                                                               \
    X(signals, law.ny)                                                                             \
    X(inputs, law.nu)                                                                              \
    X(poles, npole)                                                                                \
    X(plant_poles, nplant_pole)                                                                    \
    X(candidates, ncandidate)                                                                      \
    X(errors, nerror)

/* matrices of the law: name, member, rows, columns; what is not finite only where it is a limit */
#define MATRICES(X)                                                                                \
    X(A, n, n)                                                                                     \
    X(B, n, ny)                                                                                    \
    X(E, n, nu)                                                                                    \
    X(C, nu, n)                                                                                    \
    X(D, nu, ny)                                                                                   \
    X(y0, ny, 1)                                                                                   \
    X(limit, nu, 1)

enum { ERROR_COLUMNS = 4 };

/* ---- writing --------------------------------------------------------------------------------- */

static bool put_vector(hid_t file, const char *path, size_t n, const double *x) {
    const hsize_t dim = (hsize_t)n;
    return n == 0 || !x || gos__put_done(gos__put_array(file, path, H5T_NATIVE_DOUBLE, 1, &dim, x));
}

static bool put_names(hid_t file, const gos_design *d) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out != NULL;
    for (int i = 0; i < d->law.ny && good; i++) {
        good = fprintf(out, "%s\n", d->law.signal[i]) > 0;
    }
    for (int i = 0; i < d->law.nu && good; i++) {
        good = fprintf(out, "%s\n", d->law.input[i]) > 0;
    }
    for (int i = 0; i < d->ncandidate && good; i++) {
        good = fprintf(out, "%s\n", d->candidate[i].name) > 0;
    }
    good = (out == NULL || fclose(out) == 0) && good;
    good = good && gos__put_done(gos__put_text(file, "names", text, size + 1));
    free(text);
    return good;
}

/* arrays of small structs as rows of numbers */
static bool put_tables(hid_t file, const gos_design *d) {
    const size_t n =
        (size_t)(2 * (d->npole + d->nplant_pole + d->ncandidate) + ERROR_COLUMNS * d->nerror);
    double *x = gos__alloc(d->ctx, n + 1, sizeof *x), *to = x;
    if (!x) {
        return false;
    }
    for (int i = 0; i < d->npole + d->nplant_pole; i++) {
        const gos_root *r = i < d->npole ? &d->pole[i] : &d->plant_pole[i - d->npole];
        *to++ = r->re;
        *to++ = r->im;
    }
    for (int i = 0; i < d->ncandidate; i++) {
        *to++ = d->candidate[i].importance;
        *to++ = d->candidate[i].chosen;
    }
    for (int i = 0; i < d->nerror; i++) {
        *to++ = d->error[i].kind;
        *to++ = d->error[i].error;
        *to++ = d->error[i].abscissa;
        *to++ = d->error[i].plant_abscissa;
    }
    const bool good = put_vector(file, "tables", n, x);
    gos__free(d->ctx, x);
    return good;
}

static bool put_all(hid_t file, const void *what) {
    const gos_design *d = what;
    const gos_control_law *l = &d->law;
    bool good = gos__put_attr_text(file, "format", GOS_CONTROLLER_FORMAT) &&
                gos__put_attr_number(file, "format_version", VERSION) &&
                gos__put_attr_text(file, "program", "gossamer " GOS_VERSION) &&
                gos__put_attr_number(file, "law", d->has_law);
#define X(name, member) good = good && gos__put_attr_number(file, "n_" #name, d->member);
    SIZES(X)
#undef X
#define X(type, name, doc) good = good && gos__put_attr_number(file, #name, (double)d->report.name);
    GOS_DESIGN_FIELDS(X)
#undef X
#define X(name, rows, columns)                                                                     \
    good = good &&                                                                                 \
           put_vector(file, #name, (size_t)SIZE_##rows(l) * (size_t)SIZE_##columns(l), l->name);
#define SIZE_n(l) (l)->n
#define SIZE_ny(l) (l)->ny
#define SIZE_nu(l) (l)->nu
#define SIZE_1(l) 1
    MATRICES(X)
#undef X
    return good && put_names(file, d) && put_tables(file, d);
}

gos_status gos_controller_save(gos_ctx *ctx, const gos_design *design, const char *path) {
    return gos__h5_write_file(ctx, path, GOS_OUTPUT_CONTROLLER, put_all, design);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    gos_ctx *ctx;
    const char *path;
    gos_disk disk;
    hid_t file;
    gos_design *d;
} reader;

static gos_status damaged(const reader *r, const char *what) {
    return gos__fail(r->ctx, GOS_E_FILE, "%s: %s; design the controller again", r->path, what);
}

typedef enum range { FINITE, ABOVE_0, NUMBERS } range; // what entries may be; NUMBERS: infinite too

/* n numbers, which must lie in the file */
static gos_status get_vector(const reader *r, const char *name, size_t n, range kind_of,
                             const double **to) {
    hsize_t dims[2];
    *to = NULL;
    if (n == 0) {
        return GOS_OK;
    }
    if (n > (size_t)r->disk.eof / sizeof(double)) {
        return damaged(r, "a matrix is larger than the file");
    }
    const hid_t set = gos__h5_open(r->file, name, H5O_TYPE_DATASET);
    const hid_t kind = set < 0 ? -1 : H5Dget_type(set);
    double *x = GOS_NEW(r->d->arena, double, n);
    bool good = x && kind >= 0 && H5Tget_class(kind) == H5T_FLOAT && gos__h5_plain(set, dims) &&
                dims[1] == 1 && dims[0] == n &&
                H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0;
    for (size_t i = 0; i < n && good; i++) {
        good = kind_of == ABOVE_0 ? x[i] > 0 : kind_of == FINITE ? isfinite(x[i]) : !isnan(x[i]);
    }
    if (kind >= 0) {
        (void)H5Tclose(kind);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    *to = x;
    return good ? GOS_OK : damaged(r, "a matrix is missing or damaged");
}

/* the text of all names, a line each, in the arena */
static gos_status get_text(const reader *r, char **text) {
    const hid_t set = gos__h5_open(r->file, "names", H5O_TYPE_DATASET);
    const hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hsize_t dims[2];
    const size_t size = type < 0 ? 0 : H5Tget_size(type);
    bool good = type >= 0 && gos__h5_plain(set, dims) && dims[0] * dims[1] == 1 &&
                H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                size <= (size_t)r->disk.eof;
    *text = good ? GOS_NEW(r->d->arena, char, size + 1) : NULL;
    good = *text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return good ? GOS_OK : damaged(r, "its names are damaged");
}

/* the next n lines */
static gos_status take_names(const reader *r, char **text, int n, const char *const **names) {
    const char **list = GOS_NEW(r->d->arena, const char *, n + 1);
    if (!list) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        char *end = strchr(*text, '\n');
        if (!end || end == *text) {
            return damaged(r, "its names are damaged");
        }
        *end = '\0';
        list[i] = *text;
        *text = end + 1;
    }
    *names = list;
    return GOS_OK;
}

static gos_status get_tables(const reader *r, const char *const *name) {
    gos_design *d = r->d;
    const size_t n = (size_t)d->npole + (size_t)d->nplant_pole + (size_t)d->ncandidate;
    const double *x = NULL;
    GOS_TRY(get_vector(r, "tables", 2 * n + ERROR_COLUMNS * (size_t)d->nerror, NUMBERS, &x));
    d->pole = GOS_NEW(d->arena, gos_root, d->npole + 1);
    d->plant_pole = GOS_NEW(d->arena, gos_root, d->nplant_pole + 1);
    d->candidate = GOS_NEW(d->arena, gos_design_input, d->ncandidate + 1);
    d->error = GOS_NEW(d->arena, gos_design_error, d->nerror + 1);
    if (!d->pole || !d->plant_pole || !d->candidate || !d->error) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < d->npole; i++, x += 2) {
        d->pole[i] = (gos_root){x[0], x[1]};
    }
    for (int i = 0; i < d->nplant_pole; i++, x += 2) {
        d->plant_pole[i] = (gos_root){x[0], x[1]};
    }
    for (int i = 0; i < d->ncandidate; i++, x += 2) {
        d->candidate[i] = (gos_design_input){name[i], x[0], x[1] != 0};
    }
    for (int i = 0; i < d->nerror; i++, x += ERROR_COLUMNS) {
        if (!(x[0] >= GOS_ERROR_FEEDTHROUGH && x[0] <= GOS_ERROR_FREQUENCY)) {
            return damaged(r, "a table is damaged");
        }
        d->error[i] = (gos_design_error){(gos_design_error_kind)x[0], x[1], x[2], x[3]};
    }
    return GOS_OK;
}

static gos_status get_sizes(const reader *r) {
    gos_design *d = r->d;
    double x;
    if (!gos__h5_attr_number(r->file, "law", &x) || !isfinite(x)) {
        return damaged(r, "an attribute is missing");
    }
    d->has_law = x != 0;
#define X(name, member)                                                                            \
    if (!gos__h5_attr_number(r->file, "n_" #name, &x) ||                                           \
        !(x >= 0 && x <= 4 * GOS_LIMIT_CONTROLLER && x == floor(x))) {                             \
        return damaged(r, "a size is missing or out of range");                                    \
    }                                                                                              \
    d->member = (int)x;
    SIZES(X)
#undef X
#define X(type, name, doc)                                                                         \
    if (!gos__h5_attr_number(r->file, #name, &x) || isnan(x) ||                                    \
        (sizeof(type) == sizeof(int) && !(fabs(x) < INT32_MAX))) {                                 \
        return damaged(r, "an attribute is missing");                                              \
    }                                                                                              \
    d->report.name = (type)x;
    GOS_DESIGN_FIELDS(X)
#undef X
    const gos_control_law *l = &d->law;
    return (!d->has_law || l->nu > 0) && l->n <= GOS_LIMIT_CONTROLLER &&
                   l->ny <= GOS_LIMIT_CONTROLLER && l->nu <= GOS_LIMIT_CONTROLLER &&
                   d->report.period >= 0 && isfinite(d->report.period)
               ? GOS_OK
               : damaged(r, "a size is missing or out of range");
}

static gos_status read_file(reader *r) {
    char format[64];
    double version;
    r->file = gos__h5_open_file(&r->disk, r->path, H5F_ACC_RDONLY);
    if (r->file < 0 || !gos__h5_attr_text(r->file, "format", format, sizeof format) ||
        strcmp(format, GOS_CONTROLLER_FORMAT) != 0) {
        return gos__fail(r->ctx, GOS_E_FILE, "%s: not a controller of this program", r->path);
    }
    if (!gos__h5_attr_number(r->file, "format_version", &version) || version != VERSION) {
        return damaged(r, "a controller of another version of this program");
    }
    GOS_TRY(gos__design_create(r->ctx, &r->d));
    GOS_TRY(get_sizes(r));
    gos_control_law *l = &r->d->law;
    l->period = r->d->report.period;
#define X(name, rows, columns)                                                                     \
    GOS_TRY(get_vector(r, #name, (size_t)SIZE_##rows(l) * (size_t)SIZE_##columns(l),               \
                       strcmp(#name, "limit") == 0 ? ABOVE_0 : FINITE, &l->name));
    if (r->d->has_law) {
        MATRICES(X)
    }
#undef X
    char *text;
    const char *const *candidate;
    GOS_TRY(get_text(r, &text));
    GOS_TRY(take_names(r, &text, l->ny, &l->signal));
    GOS_TRY(take_names(r, &text, l->nu, &l->input));
    GOS_TRY(take_names(r, &text, r->d->ncandidate, &candidate));
    return get_tables(r, candidate);
}

gos_status gos_controller_read(gos_ctx *ctx, const char *path, gos_design **design) {
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
        gos_design_destroy(r.d);
        return status;
    }
    *design = r.d;
    return GOS_OK;
}

bool gos_controller_is_there(const char *path) {
    gos_ctx *ctx = gos_ctx_create();
    gos_disk disk;
    char format[64] = "";
    if (ctx && gos__disk_open(ctx, path, false, &disk) == GOS_OK) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        const hid_t file = gos__h5_open_file(&disk, path, H5F_ACC_RDONLY);
        if (file >= 0) {
            (void)gos__h5_attr_text(file, "format", format, sizeof format);
            (void)H5Fclose(file);
        }
        gos__h5_leave(&visit);
        gos__disk_close(&disk);
    }
    gos_ctx_destroy(ctx);
    return strcmp(format, GOS_CONTROLLER_FORMAT) == 0;
}
