/* Designed controllers in HDF5: sizes and report as attributes, matrices by columns, names as
 * lines. */
#include "models/controller_file.h"

#include <math.h>
#include <stdio.h>

#include "control/design.h"
#include "gossamer/io.h"
#include "pages/design_view.h"
#include "results/h5_file.h"
#include "results/h5_get.h"
#include "gossamer/control.h"
#include "model/model.h"

/* Assigns designed control laws to controllers, from files or on demand. */

/* type designed, still without a law? */
static bool is_open(const gos_model *m, const gos_node *entry) {
    const gos_node *type = entry->kind == GOS_MAP ? gos__node_get(entry, "type") : NULL;
    return type && type->kind == GOS_SCALAR && strcmp(type->text, "designed") == 0 &&
           !gos_model_control_law_get(m, entry->key);
}

static const gos_node *next_open(const gos_model *m, const gos_node *e) {
    const gos_node *section = gos__node_get(m->root, "controllers");
    const gos_node *n = e ? e->next : section && section->kind == GOS_MAP ? section->child : NULL;
    while (n && !is_open(m, n)) {
        n = n->next;
    }
    return n;
}

static gos_status give_law(gos_ctx *ctx, gos_model *m, const gos_node *entry,
                           const gos_design *design) {
    const gos_control_law *law = gos_design_law(design);
    const char *units = gos_model_units(m);
    if (design->units && strcmp(design->units, units) != 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, entry->key_loc, entry->key,
                            "the controller was designed for a model with units %s, but this one "
                            "has %s; design it again",
                            design->units, units);
    }
    return law ? gos_model_control_law(ctx, m, entry->key, law)
               : gos__fail_at(
                     ctx, GOS_E_INPUT, entry->key_loc, entry->key,
                     "its design has no signals and therefore yields only a state-feedback gain; "
                     "add `signals` to the design, and an observer (type: lqg) if they do not "
                     "determine all states");
}

/* The entry's `design:`, a design with its name, or NULL for the only one. *none: no such design,
   so the program must supply the law */
static const char *design_of(const gos_model *m, const gos_node *entry, bool *none) {
    const gos_node *named = gos__node_given(entry, "design");
    int n = 0;
    *none = false;
    if (named && named->kind == GOS_SCALAR) {
        return named->text;
    }
    for (const char *name; (name = gos_design_name(m, n)); n++) {
        if (strcmp(name, entry->key) == 0) {
            return entry->key;
        }
    }
    *none = n != 1;
    return NULL;
}

static gos_status make_law(gos_ctx *ctx, gos_model *m, const gos_node *entry, gos_arena *a) {
    const gos_node *file = gos__node_given(entry, "file");
    const char *path, *object = gos__arena_printf(a, "controller '%s'", entry->key);
    gos_design *design = NULL;
    bool none = false;
    GOS_TRY(object ? GOS_OK : GOS_E_MEMORY);
    if (file && file->kind == GOS_SCALAR) {
        GOS_TRY(gos__path_below(ctx, m->folder, file->text, file->loc, object, a, &path));
        GOS_TRY(gos_controller_read(ctx, path, &design));
    } else {
        const char *name = design_of(m, entry, &none);
        char text[160];
        if (none) {
            return GOS_OK;
        }
        gos__format(text, sizeof text, "designing %s", name ? name : entry->key);
        gos__progress_start(ctx);
        GOS_TRY(gos__progress(ctx, 0, text));
        GOS_TRY(gos_design_model(ctx, m, name, &design));
    }
    const gos_status status = give_law(ctx, m, entry, design);
    gos_design_destroy(design);
    return status;
}

gos_status gos_model_read_controllers(gos_ctx *ctx, gos_model *model) {
    gos_arena *a = gos__arena_create(ctx);
    gos_status status = a ? GOS_OK : GOS_E_MEMORY;
    for (const gos_node *e = next_open(model, NULL); e && status == GOS_OK;
         e = next_open(model, e)) {
        status = make_law(ctx, model, e, a);
    }
    gos__arena_destroy(a);
    return status;
}

gos_status gos_model_use_controller(gos_ctx *ctx, gos_model *model, const char *path) {
    const gos_node *first = next_open(model, NULL);
    gos_design *design = NULL;
    if (!first || next_open(model, first)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "%s requires a model with exactly one controller of type designed, but "
                         "this model has %s; specify the files in the model (file: CONTROLLER.h5)",
                         path, first ? "several" : "none");
    }
    GOS_TRY(gos_controller_read(ctx, path, &design));
    const gos_status status = give_law(ctx, model, first, design);
    gos_design_destroy(design);
    return status;
}

#define VERSION 3 // root attribute `format_version`

/* sizes of the law, then of its report */
#define SIZES(X)                                                                                   \
    X(states, law.n)                                                                               \
    X(signals, law.ny)                                                                             \
    X(inputs, law.nu)                                                                              \
    X(poles, npole)                                                                                \
    X(plant_poles, nplant_pole)                                                                    \
    X(open_poles, nopen)                                                                           \
    X(candidates, ncandidate)                                                                      \
    X(errors, nerror)                                                                              \
    X(modes, nmode)

/* name, member, rows, columns; only limits may be infinite */
#define MATRICES(X)                                                                                \
    X(A, n, n)                                                                                     \
    X(B, n, ny)                                                                                    \
    X(E, n, nu)                                                                                    \
    X(C, nu, n)                                                                                    \
    X(D, nu, ny)                                                                                   \
    X(y0, ny, 1)                                                                                   \
    X(limit, nu, 1)

enum { ERROR_COLUMNS = 4, MODE_COLUMNS = 5 };

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

static double *put_roots(int n, const gos_root *root, double *to) {
    for (int i = 0; i < n; i++) {
        *to++ = root[i].re;
        *to++ = root[i].im;
    }
    return to;
}

/* structs as rows of numbers */
static bool put_tables(hid_t file, const gos_design *d) {
    const size_t n = (size_t)(2 * (d->npole + d->nplant_pole + d->nopen + d->ncandidate) +
                              ERROR_COLUMNS * d->nerror + MODE_COLUMNS * d->nmode);
    double *x = gos__alloc(d->ctx, n + 1, sizeof *x), *to = x;
    if (!x) {
        return false;
    }
    to = put_roots(d->npole, d->pole, to);
    to = put_roots(d->nplant_pole, d->plant_pole, to);
    to = put_roots(d->nopen, d->open, to);
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
    for (int i = 0; i < d->nmode; i++) {
        const gos_design_mode *m = &d->mode[i];
        *to++ = m->omega;
        *to++ = m->damping;
        *to++ = m->pole.re;
        *to++ = m->pole.im;
        *to++ = m->share;
    }
    const bool good = put_vector(file, "tables", n, x);
    gos__free(d->ctx, x);
    return good;
}

static bool put_all(hid_t file, const void *what) {
    const gos_design *d = what;
    const gos_control_law *l = &d->law;
    bool good =
        gos__put_attr_text(file, "format", GOS_CONTROLLER_FORMAT) &&
        gos__put_attr_number(file, "format_version", VERSION) &&
        gos__put_attr_text(file, "program", "gossamer " GOS_VERSION) &&
        gos__put_attr_number(file, "law", d->has_law) &&
        (!d->units || strcmp(d->units, "SI") == 0 || gos__put_attr_text(file, "units", d->units));
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
    return good && put_names(file, d) && put_tables(file, d) && gos__design_view_put(file, d);
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

typedef enum range { FINITE, ABOVE_0, NUMBERS } range; // range of entries; NUMBERS: also infinite

/* n numbers; their storage must lie within the file */
static gos_status get_vector(const reader *r, const char *name, size_t n, range kind_of,
                             const double **to) {
    double *x = NULL;
    size_t have = 0;
    *to = NULL;
    if (n == 0) {
        return GOS_OK;
    }
    bool good = gos__get_numbers(r->file, name, r->d->arena, &x, &have) && have == n;
    for (size_t i = 0; i < n && good; i++) {
        good = kind_of == ABOVE_0 ? x[i] > 0 : kind_of == FINITE ? isfinite(x[i]) : !isnan(x[i]);
    }
    *to = x;
    return good ? GOS_OK : damaged(r, "a matrix is missing or damaged");
}

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

static const double *get_roots(gos_arena *a, int n, const double *from, gos_root **root) {
    *root = GOS_NEW(a, gos_root, n + 1);
    for (int i = 0; i < n && *root; i++, from += 2) {
        (*root)[i] = (gos_root){from[0], from[1]};
    }
    return from;
}

static gos_status get_tables(const reader *r, const char *const *name) {
    gos_design *d = r->d;
    const size_t n =
        (size_t)d->npole + (size_t)d->nplant_pole + (size_t)d->nopen + (size_t)d->ncandidate;
    const double *x = NULL;
    GOS_TRY(get_vector(r, "tables",
                       2 * n + ERROR_COLUMNS * (size_t)d->nerror + MODE_COLUMNS * (size_t)d->nmode,
                       NUMBERS, &x));
    x = get_roots(d->arena, d->npole, x, &d->pole);
    x = get_roots(d->arena, d->nplant_pole, x, &d->plant_pole);
    x = get_roots(d->arena, d->nopen, x, &d->open);
    d->candidate = GOS_NEW(d->arena, gos_design_input, d->ncandidate + 1);
    d->error = GOS_NEW(d->arena, gos_design_error, d->nerror + 1);
    d->mode = GOS_NEW(d->arena, gos_design_mode, d->nmode + 1);
    if (!d->pole || !d->plant_pole || !d->open || !d->candidate || !d->error || !d->mode) {
        return GOS_E_MEMORY;
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
    for (int i = 0; i < d->nmode; i++, x += MODE_COLUMNS) {
        d->mode[i] = (gos_design_mode){x[0], x[1], {x[2], x[3]}, x[4]};
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
        return damaged(r, "it was written by another version of this program");
    }
    GOS_TRY(gos__design_create(r->ctx, &r->d));
    char units[64];
    const bool other = gos__h5_attr_text(r->file, "units", units, sizeof units);
    r->d->units = gos__arena_strdup(r->d->arena, other ? units : "SI");
    GOS_TRY(r->d->units ? GOS_OK : GOS_E_MEMORY);
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
    if (!gos__get_text(r->file, "names", r->d->arena, &text)) {
        return damaged(r, "its names are damaged");
    }
    GOS_TRY(take_names(r, &text, l->ny, &l->signal));
    GOS_TRY(take_names(r, &text, l->nu, &l->input));
    GOS_TRY(take_names(r, &text, r->d->ncandidate, &candidate));
    GOS_TRY(get_tables(r, candidate));
    return gos__design_view_get(r->file, r->d) ? GOS_OK : damaged(r, "its report is damaged");
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

bool gos_controller_exists(const char *path) {
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
