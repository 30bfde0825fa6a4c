/* gossamer compare -o: differences of two runs over time, as a drawing or a table. */
#include <string.h>

#include "cli.h"

#define TABLE "# differences of two runs over time, made by gossamer\n"

static bool is_table(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".csv") == 0;
}

int check_history(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot == NULL || (strcmp(dot, ".csv") != 0 && strcmp(dot, ".svg") != 0)) {
        return complain("compare: -o needs a name that ends with .svg (drawn) or .csv (a table), "
                        "not '%s'",
                        path);
    }
    return is_table(path)
               ? check_output(path, TABLE, NULL, "a table of differences of this program")
               : check_output(path, "<svg", GOS_MADE, "an SVG picture of this program");
}

static void print_names(FILE *out, const gos_comparison *c, const char *units) {
    char length[UNIT_NAME];
    (void)fputs("time [s]", out);
    if (c->position_history != NULL) {
        (void)fprintf(out, ",position [%s]", gos_unit_name(units, "m", length, sizeof length));
    }
    (void)fputs(c->temperature_history != NULL ? ",temperature [K]" : "", out);
    for (int i = 0; i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        char name[512];
        (void)snprintf(name, sizeof name, "%s%s%s [%s]", e->name, e->component != NULL ? "." : "",
                       e->component != NULL ? e->component : "", e->unit);
        (void)fputc(',', out);
        print_cell(out, name);
    }
    (void)fputc('\n', out);
}

static void print_table(FILE *out, const gos_comparison *c, const char *units) {
    (void)fputs(TABLE, out);
    print_names(out, c, units);
    for (int k = 0; k < c->ntimes; k++) {
        (void)fprintf(out, "%.10g", c->times[k]);
        if (c->position_history != NULL) {
            (void)fprintf(out, ",%.6e", c->position_history[k]);
        }
        if (c->temperature_history != NULL) {
            (void)fprintf(out, ",%.6e", c->temperature_history[k]);
        }
        for (int i = 0; i < c->nprobes; i++) {
            (void)fprintf(out, ",%.6e", c->probe[i].history[k]);
        }
        (void)fputc('\n', out);
    }
}

int write_history(gos_ctx *ctx, const gos_comparison *comparison, const char *units,
                  const char *path) {
    gos_output *output = NULL;
    gos_status status = gos_output_begin(ctx, path, &output);
    if (status == GOS_OK) {
        FILE *out = gos_output_stream(output);
        if (is_table(path)) {
            print_table(out, comparison, units);
        } else {
            status = gos_comparison_picture(ctx, comparison, out);
        }
        const gos_status written = gos_output_end(output, status == GOS_OK);
        status = status == GOS_OK ? written : status;
    }
    return exit_code(status, false);
}
