/* gossamer compare of linear models: how far one frequency response is from another. */
#include <math.h>

#include "cli.h"

typedef struct linear_pair {
    gos_linear *linear[2];
    double band[2]; // [Hz]
    gos_band_error error;
} linear_pair;

bool compares_linear(const char *const path[2]) {
    for (int i = 0; i < 2; i++) {
        if (is_hdf5(path[i]) && !is_linear(path[i]) && !gos_rom_is_there(path[i])) {
            return false; // results of a run
        }
    }
    return true;
}

static void print_pair(const char *const path[2], const linear_pair *p) {
    const gos_band_error *e = &p->error;
    static const char *const what[] = {"reference", "compared"};
    for (int i = 0; i < 2; i++) {
        gos_linear_info n;
        gos_linear_info_get(p->linear[i], &n);
        (void)printf("%-10s %s: %d coordinates, %d temperatures or states, %d inputs, %d outputs\n",
                     what[i], path[i], n.coordinates, n.temperatures, n.inputs, n.outputs);
    }
    (void)printf("band       %g to %g Hz, %d frequencies\n\n", p->band[0], p->band[1],
                 e->evaluations);
    (void)printf("largest response of the reference  %.6e\n", e->largest);
    (void)printf("largest difference, relative to it %.3e at %.6g Hz\n", e->relative,
                 e->worst / (2 * M_PI));
    (void)printf("largest difference, relative to the response there %.3e\n", e->pointwise);
}

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

static int measure(gos_ctx *ctx, const char *const path[2], const char *band, linear_pair *p) {
    const text_list none = {0};
    const linear_point where = {0};
    int code = EXIT_DONE;
    for (int i = 0; i < 2 && code == EXIT_DONE; i++) {
        code = load_linear(ctx, path[i], &none, &where, &p->linear[i]);
    }
    if (code == EXIT_DONE) {
        code = band != NULL ? parse_band("compare", band, p->band)
                            : find_band(ctx, "compare", p->linear[0], p->band);
    }
    if (code == EXIT_DONE) {
        code =
            exit_code(gos_linear_band_error(ctx, p->linear[0], p->linear[1], 2 * M_PI * p->band[0],
                                            2 * M_PI * p->band[1], &p->error),
                      true);
    }
    return code;
}

int compare_linear(gos_ctx *ctx, const char *const path[2], const char *band, bool as_json,
                   double *worst) {
    linear_pair p = {0};
    const int code = measure(ctx, path, band, &p);
    if (!as_json || code != EXIT_DONE) {
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE) {
        if (as_json) {
            json_pair(ctx, path, &p);
        } else {
            print_pair(path, &p);
        }
        *worst = p.error.relative;
    }
    gos_linear_destroy(p.linear[0]);
    gos_linear_destroy(p.linear[1]);
    return code;
}
