/* Frequency responses in HDF5: /frequency [Hz] (n), /response (n, outputs, inputs, 2) with port
   names. */
#include <math.h>

#include "gossamer/io.h"
#include "results/h5_file.h"
#include "pages/response.h"

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
