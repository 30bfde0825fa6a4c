/* Frequency responses in HDF5: /frequency [Hz] (n), /response (n, outputs, inputs, 2) with port
   names. */
#include <math.h>

#include "gossamer/io.h"
#include "results/h5_file.h"
#include "pages/response.h"

/* Access to stored frequency responses. */

gos_status gos_response_read(gos_ctx *ctx, const char *path, gos_response **response) {
    gos_arena *a = gos__arena_create(ctx);
    gos_response *r = a ? GOS_NEW(a, gos_response, 1) : NULL;
    gos_status status = r ? gos__response_read(ctx, path, a, r) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        r->arena = a;
        r->path = gos__arena_strdup(a, path);
        status = r->path ? GOS_OK : GOS_E_MEMORY;
    }
    if (status != GOS_OK) {
        gos__arena_destroy(a);
        return status;
    }
    *response = r;
    return GOS_OK;
}

void gos_response_info_get(const gos_response *r, gos_response_info *info) {
    *info = (gos_response_info){
        .frequencies = r->n, .inputs = r->nu, .outputs = r->ny, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (int k = 0; k < r->n; k++) {
        info->low = fmin(info->low, r->frequency[k]);
        info->high = fmax(info->high, r->frequency[k]);
    }
    const size_t pairs = (size_t)r->ny * r->nu, n = r->n * pairs;
    for (size_t i = 0; i < n; i++) {
        const double size = hypot(r->H[2 * i], r->H[2 * i + 1]);
        if (size > info->largest) {
            info->largest = size;
            info->largest_at = (int)(i / pairs);
            info->largest_output = (int)(i % pairs) / r->nu;
            info->largest_input = (int)(i % pairs) % r->nu;
        }
    }
}

gos_port gos_response_input(const gos_response *r, int i) {
    return (gos_port){r->input[i], r->input_unit[i]};
}

gos_port gos_response_output(const gos_response *r, int i) {
    return (gos_port){r->output[i], r->output_unit[i]};
}

const double *gos_response_frequency(const gos_response *r) {
    return r->frequency;
}

const double *gos_response_values(const gos_response *r) {
    return r->H;
}

void gos_response_destroy(gos_response *r) {
    if (r) {
        gos__arena_destroy(r->arena);
    }
}

/* Reads frequency responses for reports. */

/* n fixed-length texts, terminated, in the arena */
static bool get_names(hid_t set, gos_arena *a, const char *name, int n, const char ***names) {
    const hid_t attr = H5Aexists(set, name) > 0 ? H5Aopen(set, name, H5P_DEFAULT) : -1;
    const hid_t type = attr < 0 ? -1 : H5Aget_type(attr);
    const hid_t space = attr < 0 ? -1 : H5Aget_space(attr);
    const size_t width = type < 0 ? 0 : H5Tget_size(type);
    bool good = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && width > 0 && width < 4096 &&
                H5Sget_simple_extent_npoints(space) == n;
    char *all = good ? gos__arena_alloc(a, n * (width + 1) + 1, 1) : NULL;
    *names = GOS_NEW(a, const char *, n + 1);
    good = all && *names && H5Aread(attr, type, all) >= 0;
    // in reverse, to make room for terminators
    for (int i = n - 1; good && i >= 0; i--) {
        char *to = all + i * (width + 1);
        memmove(to, all + i * width, width);
        to[width] = '\0';
        (*names)[i] = to;
    }
    gos__h5_attr_close(attr, type, space);
    return good;
}

static bool get_numbers(hid_t set, gos_arena *a, hsize_t n, double **x) {
    *x = GOS_NEW(a, double, n + 1);
    return *x && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *x) >= 0;
}

static bool get_all(hid_t file, off_t eof, gos_arena *a, gos_response *r) {
    const hid_t f = gos__h5_open(file, "frequency", H5O_TYPE_DATASET);
    const hid_t h = gos__h5_open(file, "response", H5O_TYPE_DATASET);
    const hsize_t room = (hsize_t)eof / sizeof(double);
    hsize_t n, d[4];
    bool good = f >= 0 && h >= 0 && gos__h5_plain_rank(f, 1, &n) && gos__h5_plain_rank(h, 4, d);
    good = good && d[0] == n && d[3] == 2 && n > 0 && n <= room && d[1] > 0 && d[1] <= room &&
           d[2] > 0 && d[2] <= room / d[1] && n <= room / (2 * d[1] * d[2]);
    if (good) {
        r->n = (int)n;
        r->ny = (int)d[1];
        r->nu = (int)d[2];
        good = get_numbers(f, a, n, &r->frequency) &&
               get_numbers(h, a, 2 * n * d[1] * d[2], &r->H) &&
               get_names(h, a, "inputs", r->nu, &r->input) &&
               get_names(h, a, "input_units", r->nu, &r->input_unit) &&
               get_names(h, a, "outputs", r->ny, &r->output) &&
               get_names(h, a, "output_units", r->ny, &r->output_unit);
    }
    if (f >= 0) {
        (void)H5Dclose(f);
    }
    if (h >= 0) {
        (void)H5Dclose(h);
    }
    return good;
}

/* r NULL: only check the format */
static bool look(gos_ctx *ctx, const char *path, gos_arena *a, gos_response *r) {
    gos_disk disk;
    gos_h5_visit visit;
    char format[64] = "";
    if (gos__disk_open(ctx, path, false, &disk) != GOS_OK) {
        return false;
    }
    gos__h5_enter(&visit);
    const hid_t file = gos__h5_open_file(&disk, path, H5F_ACC_RDONLY);
    bool good = file >= 0 && gos__h5_attr_text(file, "format", format, sizeof format) &&
                strcmp(format, GOS_RESPONSE_FORMAT) == 0;
    good = good && (!r || get_all(file, disk.eof, a, r));
    if (file >= 0) {
        (void)H5Fclose(file);
    }
    gos__h5_leave(&visit);
    gos__disk_close(&disk);
    return good;
}

bool gos_response_exists(const char *path) {
    gos_ctx *ctx = gos_ctx_create();
    const bool there = ctx && look(ctx, path, NULL, NULL);
    gos_ctx_destroy(ctx);
    return there;
}

gos_status gos__response_read(gos_ctx *ctx, const char *path, gos_arena *a, gos_response *r) {
    *r = (gos_response){.path = path};
    return look(ctx, path, a, r) ? GOS_OK
                                 : gos__fail(ctx, GOS_E_FILE,
                                             "%s: not a response of this program, or damaged; make "
                                             "it with gossamer response -o",
                                             path);
}

typedef struct content {
    const gos_linear *linear;
    int n, nu, ny;
    const double *frequency, *H;
    const char **name; // inputs, their units, outputs, their units
} content;

static bool put(hid_t file, const void *what) {
    const content *c = what;
    const hsize_t dims[] = {(hsize_t)c->n, (hsize_t)c->ny, (hsize_t)c->nu, 2};
    bool good =
        gos__put_attr_text(file, "format", GOS_RESPONSE_FORMAT) &&
        gos__put_attr_number(file, "format_version", 1) &&
        gos__put_attr_text(file, "program", "gossamer " GOS_VERSION) &&
        gos__put_done(gos__put_array(file, "frequency", H5T_NATIVE_DOUBLE, 1, dims, c->frequency));
    const hid_t set =
        good ? gos__put_array(file, "response", H5T_NATIVE_DOUBLE, 4, dims, c->H) : -1;
    good = set >= 0 && gos__put_attr_names(set, "inputs", c->name, c->nu) &&
           gos__put_attr_names(set, "input_units", c->name + c->nu, c->nu) &&
           gos__put_attr_names(set, "outputs", c->name + 2 * c->nu, c->ny) &&
           gos__put_attr_names(set, "output_units", c->name + 2 * c->nu + c->ny, c->ny);
    return gos__put_done(set) && good;
}

gos_status gos_response_save(gos_ctx *ctx, const gos_linear *linear, int n, const double *omega,
                             const double *H, const char *path) {
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    content c = {.linear = linear, .n = n, .nu = info.inputs, .ny = info.outputs, .H = H};
    double *frequency = gos__alloc(ctx, n + 1L, sizeof *frequency);
    c.name = gos__alloc(ctx, 2L * (c.nu + c.ny) + 1, sizeof *c.name);
    gos_status status = frequency && c.name ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int k = 0; k < n; k++) {
            frequency[k] = omega[k] / (2 * M_PI);
        }
        for (int i = 0; i < c.nu; i++) {
            c.name[i] = gos_linear_input(linear, i).name;
            c.name[c.nu + i] = gos_linear_input(linear, i).unit;
        }
        for (int i = 0; i < c.ny; i++) {
            c.name[2 * c.nu + i] = gos_linear_output(linear, i).name;
            c.name[2 * c.nu + c.ny + i] = gos_linear_output(linear, i).unit;
        }
        c.frequency = frequency;
        status = gos__h5_write_file(ctx, path, GOS_OUTPUT_RESPONSE, put, &c);
    }
    gos__free(ctx, frequency);
    gos__free(ctx, c.name);
    return status;
}
