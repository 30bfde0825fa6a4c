/* gossamer compare of linear models: differences of frequency responses or of step responses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct linear_pair {
    gos_linear *linear[2];
    double band[2]; // [Hz]
    gos_band_error error;
    gos_linear_info info; // of the reference
    gos_time_error *over; // (outputs, inputs)
} linear_pair;

bool compares_linear(const char *const path[2]) {
    for (int i = 0; i < 2; i++) {
        if (is_hdf5(path[i]) && !is_linear(path[i]) && !gos_rom_exists(path[i])) {
            return false; // results of a run
        }
    }
    return true;
}

static void print_models(const char *const path[2], const linear_pair *p) {
    static const char *const what[] = {"reference", "compared"};
    for (int i = 0; i < 2; i++) {
        gos_linear_info n;
        gos_linear_info_get(p->linear[i], &n);
        (void)printf("%-10s %s: %d coordinates, %d temperatures or states, %d inputs, %d outputs\n",
                     what[i], plain(path[i]), n.coordinates, n.temperatures, n.inputs, n.outputs);
    }
}

static void print_pair(const char *const path[2], const linear_pair *p) {
    const gos_band_error *e = &p->error;
    print_models(path, p);
    (void)printf("band       %g to %g Hz, %d frequencies\n\n", p->band[0], p->band[1],
                 e->evaluations);
    (void)printf("largest response of the reference  %.6e\n", e->largest);
    (void)printf("largest difference, relative to it %.3e at %.6g Hz\n", e->relative,
                 e->worst / (2 * M_PI));
    (void)printf("largest difference, relative to the response there %.3e\n", e->pointwise);
}

/* ---- over time ------------------------------------------------------------------------------- */

static void print_over(const char *const path[2], const linear_pair *p, double over) {
    print_models(path, p);
    (void)printf("time       %g s after a unit step of each input\n\n", over);
    (void)printf("%-40s %10s %10s %10s   %s\n", "output / input", "max", "relative", "RMS rel.",
                 "max at");
    for (int j = 0; j < p->info.inputs; j++) {
        for (int i = 0; i < p->info.outputs; i++) {
            const gos_time_error *e = &p->over[j * p->info.outputs + i];
            char name[160];
            (void)snprintf(name, sizeof name, "%s / %s",
                           plain(gos_linear_output(p->linear[0], i).name),
                           plain(gos_linear_input(p->linear[0], j).name));
            (void)printf("%-40s %10.3e %10.3e %10.3e   %.6g s\n", name, e->max, e->relative,
                         e->relative_rms, e->worst);
        }
    }
}

static void json_over(gos_ctx *ctx, const char *const path[2], const linear_pair *p, double over) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "reference", path[0]);
    json_text(&j, "compared", path[1]);
    json_number(&j, "over", over);
    json_open(&j, "pairs", '[');
    for (int k = 0; k < p->info.inputs * p->info.outputs; k++) {
        const gos_time_error *e = &p->over[k];
        json_open(&j, NULL, '{');
        json_text(&j, "output", gos_linear_output(p->linear[0], k % p->info.outputs).name);
        json_text(&j, "input", gos_linear_input(p->linear[0], k / p->info.outputs).name);
        json_number(&j, "max", e->max);
        json_number(&j, "max_relative", e->relative);
        json_number(&j, "rms_relative", e->relative_rms);
        json_number(&j, "max_time", e->worst);
        json_number(&j, "largest", e->largest);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_messages(&j, ctx);
    json_close(&j, '}');
}

/* Largest relative difference of the outputs after a step of input j. The scale of an output is at
   least 1e-3 of the largest output of the same unit: smaller outputs may be round-off. */
static double worst_over(const linear_pair *p, int j) {
    const long ny = p->info.outputs;
    const gos_time_error *e = p->over + j * ny;
    double worst = 0;
    for (int i = 0; i < ny; i++) {
        double largest = 0;
        for (int k = 0; k < ny; k++) {
            const bool alike = strcmp(gos_linear_output(p->linear[0], i).unit,
                                      gos_linear_output(p->linear[0], k).unit) == 0;
            largest = fmax(largest, alike ? e[k].largest : 0);
        }
        const double scale = fmax(e[i].largest, 1e-3 * largest);
        worst = fmax(worst, scale > 0 ? e[i].max / scale : e[i].max > 0 ? HUGE_VAL : 0);
    }
    return worst;
}

/* A step of each input in turn. It rises within the first interval, since massless coordinates
 * cannot follow a jump. */
static int measure_over(gos_ctx *ctx, const linear_comparison *how, linear_pair *p, double *worst) {
    const int n = how->points > 0 ? how->points : 1000, nu = p->info.inputs, ny = p->info.outputs;
    double *u = calloc((size_t)(n + 1) * nu + 1, sizeof *u);
    gos_status status = GOS_OK;
    p->over = calloc((size_t)nu * ny + 1, sizeof *p->over);
    if (u == NULL || p->over == NULL) {
        free(u);
        return EXIT_FAILED;
    }
    for (int j = 0; j < nu && status == GOS_OK; j++) {
        for (int k = 0; k < (n + 1) * nu; k++) {
            u[k] = k >= nu && k % nu == j ? 1 : 0;
        }
        status = gos_linear_time_error(ctx, p->linear[0], p->linear[1], GOS_TRANSIENT_AUTO,
                                       how->over / n, n + 1, u, p->over + (size_t)j * ny);
        *worst = status == GOS_OK ? fmax(*worst, worst_over(p, j)) : *worst;
    }
    free(u);
    return exit_code(status, true);
}

/* ---- over frequency -------------------------------------------------------------------------- */

static void json_pair(gos_ctx *ctx, const char *const path[2], const linear_pair *p) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "reference", path[0]);
    json_text(&j, "compared", path[1]);
    json_number(&j, "from", p->band[0]);
    json_number(&j, "to", p->band[1]);
    json_number(&j, "worst_relative", p->error.relative);
    json_number(&j, "worst_pointwise", p->error.pointwise);
    json_number(&j, "worst_frequency", p->error.worst / (2 * M_PI));
    json_number(&j, "largest", p->error.largest);
    json_messages(&j, ctx);
    json_close(&j, '}');
}

static int measure(gos_ctx *ctx, const linear_comparison *how, linear_pair *p, double *worst) {
    const int code = how->band != NULL ? parse_band("compare", how->band, p->band)
                                       : find_band(ctx, "compare", p->linear[0], p->band);
    if (code != EXIT_DONE) {
        return code;
    }
    const gos_status status = gos_linear_band_error(
        ctx, p->linear[0], p->linear[1], 2 * M_PI * p->band[0], 2 * M_PI * p->band[1], &p->error);
    *worst = p->error.relative;
    return exit_code(status, true);
}

static void show(gos_ctx *ctx, const char *const path[2], const linear_comparison *how,
                 const linear_pair *p) {
    if (how->as_json && how->over > 0) {
        json_over(ctx, path, p, how->over);
    } else if (how->as_json) {
        json_pair(ctx, path, p);
    } else if (how->over > 0) {
        print_over(path, p, how->over);
    } else {
        print_pair(path, p);
    }
}

int compare_linear(gos_ctx *ctx, const char *const path[2], const linear_comparison *how,
                   double *worst) {
    const text_list none = {0};
    const linear_point where = {0};
    linear_pair p = {0};
    int code = EXIT_DONE;
    for (int i = 0; i < 2 && code == EXIT_DONE; i++) {
        code = load_linear(ctx, path[i], &none, &where, &p.linear[i]);
    }
    const char *units[2] = {NULL, NULL};
    for (int i = 0; i < 2 && code == EXIT_DONE; i++) {
        units[i] = gos_linear_units(p.linear[i]);
    }
    if (code == EXIT_DONE && strcmp(units[0], units[1]) != 0) {
        code = complain("compare: the models have different units, %s and %s", units[0], units[1]);
    }
    if (code == EXIT_DONE) {
        gos_linear_info_get(p.linear[0], &p.info);
        code = (how->over > 0 ? measure_over : measure)(ctx, how, &p, worst);
    }
    if (!how->as_json || code != EXIT_DONE) {
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE) {
        show(ctx, path, how, &p);
    }
    free(p.over);
    gos_linear_destroy(p.linear[0]);
    gos_linear_destroy(p.linear[1]);
    return code;
}
