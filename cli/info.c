/* gossamer info: describes a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void print_options(const char *text) {
    const char *before = "options      ";
    while (*text != '\0') {
        char line[256];
        const size_t n = strcspn(text, "\n");
        (void)snprintf(line, sizeof line, "%.*s", (int)(n < 255 ? n : 255), text);
        (void)printf("%s%s", before, plain(line));
        text += n + (text[n] == '\n');
        before = ", ";
    }
    (void)fputc('\n', stdout);
}

static void print_statistics(const gos_statistics *s) {
#define FORMAT_long "%-16ld %s\n"
#define FORMAT_double "%-16.6g %s\n"
#define X(type, name, doc) (void)printf("  %-15s " FORMAT_##type, #name, s->name, doc);
    (void)puts("statistics");
    GOS_STATISTICS_FIELDS(X)
#undef X
#undef FORMAT_long
#undef FORMAT_double
}

static gos_status last_balance(gos_results *run, const gos_results_info *info, gos_energy *energy,
                               gos_heat *heat) {
    return info->nframes > 0 ? gos_results_balance(run, info->nframes - 1, energy, heat) : GOS_OK;
}

static gos_status print_balances(gos_results *run, const gos_results_info *info) {
    gos_energy energy = {0};
    gos_heat heat = {0};
    const gos_status status = last_balance(run, info, &energy, &heat);
    if (status != GOS_OK || info->nframes == 0) {
        return status;
    }
#define X(name, doc) (void)printf("  %-15s %-16.9g %s\n", #name, energy.name, doc);
    char unit[UNIT_NAME];
    gos_unit_name(info->units, "J", unit, sizeof unit);
    const double at = gos_results_frame_times(run)[info->nframes - 1];
    (void)printf("energy at %.6g s [%s]\n", at, unit);
    GOS_ENERGY_FIELDS(X)
#undef X
    if (info->thermal) {
        (void)printf("heat at %.6g s [%s]\n", at, unit);
#define X(name, doc) (void)printf("  %-15s %-16.9g %s\n", #name, heat.name, doc);
        GOS_HEAT_FIELDS(X)
#undef X
    }
    return GOS_OK;
}

static void print_probes(const gos_results *run, const gos_results_info *info) {
    (void)puts("probes");
    for (int i = 0; i < info->nprobes; i++) {
        gos_probe_info p;
        gos_results_probe_info(run, i, &p);
        (void)printf("  %-15s %s [%s]:", plain(p.name), plain(p.quantity), plain(p.unit));
        for (int c = 0; c < p.ncomp; c++) {
            (void)printf(" %s", plain(p.components[c]));
        }
        (void)fputc('\n', stdout);
    }
}

/* values (nodes, components) of a field at an output time; the caller frees them. NULL: out of
 * memory */
static double *values_of(gos_results *run, int i, long frame, size_t *n) {
    gos_field_info f;
    gos_mesh_info mesh;
    gos_results_field_info(run, i, &f);
    gos_results_mesh(run, &mesh);
    *n = (size_t)mesh.nnodes * (size_t)f.ncomp;
    double *value = calloc(*n + 1, sizeof *value);
    if (value && gos_results_field(run, i, frame, value) != GOS_OK) {
        *n = 0;
    }
    return value;
}

/* smallest and largest value of a field at the last output time; NAN if there are none */
static void ends_of(gos_results *run, const gos_results_info *info, int i, double *lo, double *hi) {
    size_t n = 0;
    double *value = info->nframes > 0 ? values_of(run, i, info->nframes - 1, &n) : NULL;
    *lo = *hi = (double)NAN;
    for (size_t k = 0; value && k < n; k++) {
        *lo = fmin(*lo, value[k]);
        *hi = fmax(*hi, value[k]);
    }
    free(value);
}

static void print_fields(gos_results *run, const gos_results_info *info) {
    if (info->nfields > 0) {
        (void)puts("nodal fields and their ranges at the last output time");
    }
    for (int i = 0; i < info->nfields; i++) {
        gos_field_info f;
        double lo, hi;
        gos_results_field_info(run, i, &f);
        ends_of(run, info, i, &lo, &hi);
        (void)printf("  %-15s %.6g .. %.6g [%s]:", plain(f.name), lo, hi, plain(f.unit));
        for (int c = 0; c < f.ncomp; c++) {
            (void)printf(" %s", plain(f.components[c]));
        }
        (void)fputc('\n', stdout);
    }
}

static gos_status print_results(gos_results *run, const gos_results_info *info) {
    const double *time = gos_results_time(run);
    (void)printf("results of   %s (%s model)\n", plain(info->name),
                 info->sizes.reduced ? "reduced" : "full");
    (void)printf("status       %s\n", plain(info->status));
    (void)printf("written by   %s; %s\n", plain(info->program), plain(info->libraries));
    print_sizes(&info->sizes, info->units);
    print_options(info->options);
    if (info->nrows > 0) {
        (void)printf("times        %ld steps from %.6g to %.6g s, %ld output times\n", info->nrows,
                     time[0], time[info->nrows - 1], info->nframes);
    }
    (void)printf("warnings     %ld\n", info->warning_count);
    print_lines(stdout, info->warnings);
    print_events(run, info->nevents);
    print_probes(run, info);
    print_fields(run, info);
    print_statistics(&info->statistics);
    return print_balances(run, info);
}

static void json_probes(json *j, gos_results *run, int n) {
    json_open(j, "probes", '[');
    for (int i = 0; i < n; i++) {
        gos_probe_info p;
        gos_results_probe_info(run, i, &p);
        json_open(j, NULL, '{');
        json_text(j, "name", p.name);
        json_text(j, "quantity", p.quantity);
        json_text(j, "unit", p.unit);
        json_open(j, "components", '[');
        for (int c = 0; c < p.ncomp; c++) {
            json_text(j, NULL, p.components[c]);
        }
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_fields(json *j, gos_results *run, const gos_results_info *info) {
    json_open(j, "fields", '[');
    for (int i = 0; i < info->nfields; i++) {
        gos_field_info f;
        double lo, hi;
        gos_results_field_info(run, i, &f);
        ends_of(run, info, i, &lo, &hi);
        json_open(j, NULL, '{');
        json_text(j, "name", f.name);
        json_text(j, "unit", f.unit);
        json_number(j, "components", f.ncomp);
        json_number(j, "least", lo);
        json_number(j, "largest", hi);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_events(json *j, const gos_results *run, long n) {
    json_open(j, "events", '[');
    for (long i = 0; i < n; i++) {
        gos_event e;
        json_open(j, NULL, '{');
        json_text(j, "name", gos_results_event(run, i, &e));
        json_number(j, "time", e.time);
        json_text(j, "direction", e.rising ? "rising" : "falling");
        json_close(j, '}');
    }
    json_close(j, ']');
}

static gos_status json_results(gos_ctx *ctx, gos_results *run, const gos_results_info *info,
                               bool repaired) {
    gos_energy energy = {0};
    gos_heat heat = {0};
    const gos_status status = last_balance(run, info, &energy, &heat);
    if (status != GOS_OK) {
        return status;
    }
    const double *time = gos_results_time(run);
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "kind", "results");
    json_text(&j, "model", info->name);
    json_text(&j, "status", info->status);
    json_bool(&j, "complete", info->complete);
    json_bool(&j, "running", info->running);
    json_bool(&j, "repaired", repaired);
    json_text(&j, "program", info->program);
    json_text(&j, "libraries", info->libraries);
    json_sizes(&j, &info->sizes, info->units);
    json_text(&j, "options", info->options);
    json_number(&j, "steps_stored", (double)info->nrows);
    json_number(&j, "output_times", (double)info->nframes);
    json_number(&j, "from", info->nrows > 0 ? time[0] : 0);
    json_number(&j, "to", info->nrows > 0 ? time[info->nrows - 1] : 0);
    json_number(&j, "warning_count", (double)info->warning_count);
    json_text(&j, "warnings", info->warnings);
    json_events(&j, run, info->nevents);
    json_probes(&j, run, info->nprobes);
    json_fields(&j, run, info);
    json_open(&j, "statistics", '{');
#define X(type, name, doc) json_number(&j, #name, (double)info->statistics.name);
    GOS_STATISTICS_FIELDS(X)
#undef X
    json_close(&j, '}');
    json_open(&j, "energy", '{');
#define X(name, doc) json_number(&j, #name, energy.name);
    GOS_ENERGY_FIELDS(X)
#undef X
    json_close(&j, '}');
    json_open(&j, "heat", '{');
#define X(name, doc) json_number(&j, #name, heat.name);
    GOS_HEAT_FIELDS(X)
#undef X
    json_close(&j, '}');
    json_messages(&j, ctx);
    json_close(&j, '}');
    return GOS_OK;
}

static int info_results(gos_ctx *ctx, const char *path, bool as_json) {
    gos_results *run = NULL;
    gos_results_info info;
    bool repaired = false;
    // after a power failure the file may be unreadable before the repair
    gos_status status = gos_results_open(ctx, path, &run);
    if (status == GOS_E_FILE) {
        gos_ctx_clear(ctx);
        status = gos_results_repair(ctx, path, &repaired);
        status = status == GOS_OK ? gos_results_open(ctx, path, &run) : status;
    }
    if (status == GOS_OK) {
        gos_results_info_get(run, &info);
        status = as_json ? GOS_OK : print_results(run, &info);
    }
    // a read-only file can still be printed: ignore a failing repair
    if (status == GOS_OK && info.marked && !info.running) {
        (void)gos_results_repair(ctx, path, &repaired);
    }
    if (status == GOS_OK && repaired) {
        (void)fprintf(stderr,
                      "gossamer: %s: the run was interrupted; the file is repaired, other programs "
                      "can read it now\n",
                      plain(path));
    }
    if (status == GOS_OK && as_json) {
        status = json_results(ctx, run, &info, repaired);
    }
    if (!as_json || status != GOS_OK) {
        show_messages(ctx, 0);
    }
    gos_results_close(run);
    return exit_code(status, true);
}

/* ---- linear models --------------------------------------------------------------------------- */

static void print_linear(const gos_linear *l, const gos_linear_info *n,
                         const gos_linear_reduction_report *r, const char *method) {
    (void)printf("linear model %d coordinates, %d temperatures or states, %d potentials, %d + %d "
                 "constraints\n",
                 n->coordinates, n->temperatures, n->potentials, n->constraints,
                 n->temperature_constraints);
    for (int i = 0; i < n->inputs; i++) {
        const gos_port p = gos_linear_input(l, i);
        (void)printf("input        %s [%s]\n", plain(p.name), plain(p.unit));
    }
    for (int i = 0; i < n->outputs; i++) {
        const gos_port p = gos_linear_output(l, i);
        (void)printf("output       %s [%s]\n", plain(p.name), plain(p.unit));
    }
    if (r != NULL) {
        (void)printf("reduced by   %s\n", plain(method));
#define FORMAT_int "  %-15s %-16d %s\n"
#define FORMAT_double "  %-15s %-16.6g %s\n"
#define X(type, name, doc) (void)printf(FORMAT_##type, #name, r->name, doc);
        GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
#undef FORMAT_int
#undef FORMAT_double
        if (!(r->predicted > 0) && !(r->bound > 0)) {
            (void)puts("  its error is unknown: no band was given");
        }
    }
}

static void json_ports(json *j, const char *key, const gos_linear *l,
                       gos_port (*port)(const gos_linear *, int), int n) {
    json_open(j, key, '[');
    for (int i = 0; i < n; i++) {
        json_open(j, NULL, '{');
        json_text(j, "name", port(l, i).name);
        json_text(j, "unit", port(l, i).unit);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_linear(const gos_linear *l, const gos_linear_info *n,
                        const gos_linear_reduction_report *r, const char *method) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "kind", "linear");
    json_number(&j, "coordinates", n->coordinates);
    json_number(&j, "temperatures", n->temperatures);
    json_number(&j, "potentials", n->potentials);
    json_number(&j, "constraints", n->constraints);
    json_number(&j, "temperature_constraints", n->temperature_constraints);
    json_bool(&j, "symmetric", n->symmetric);
    json_ports(&j, "inputs", l, gos_linear_input, n->inputs);
    json_ports(&j, "outputs", l, gos_linear_output, n->outputs);
    if (r != NULL) {
        json_open(&j, "reduction", '{');
        json_text(&j, "method", method);
#define X(type, name, doc) json_number(&j, #name, (double)r->name);
        GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
        json_close(&j, '}');
    }
    json_close(&j, '}');
}

static int info_linear(gos_ctx *ctx, const char *path, bool as_json) {
    const text_list none = {0};
    const linear_point where = {0};
    gos_linear *linear = NULL;
    gos_linear_reduction_report report;
    char method[64] = "";
    const int code = load_linear(ctx, path, &none, &where, &linear);
    show_messages(ctx, 0);
    if (code == EXIT_DONE) {
        gos_linear_info n;
        gos_linear_info_get(linear, &n);
        const bool reduced =
            is_hdf5(path) && gos_linear_reduction_report_read(path, &report, method);
        (as_json ? json_linear : print_linear)(linear, &n, reduced ? &report : NULL, method);
    }
    gos_linear_destroy(linear);
    return code;
}

/* ---- frequency responses --------------------------------------------------------------------- */

static void print_frequencies(const gos_response *r, const gos_response_info *n) {
    (void)printf("response     %d frequencies from %.6g to %.6g Hz, %d inputs, %d outputs\n",
                 n->frequencies, n->low, n->high, n->inputs, n->outputs);
    (void)printf("largest      %.6g at %.6g Hz, output %s, input %s\n", n->largest,
                 gos_response_frequency(r)[n->largest_at],
                 plain(gos_response_output(r, n->largest_output).name),
                 plain(gos_response_input(r, n->largest_input).name));
    for (int i = 0; i < n->inputs; i++) {
        const gos_port p = gos_response_input(r, i);
        (void)printf("input        %s [%s]\n", plain(p.name), plain(p.unit));
    }
    for (int i = 0; i < n->outputs; i++) {
        const gos_port p = gos_response_output(r, i);
        (void)printf("output       %s [%s]\n", plain(p.name), plain(p.unit));
    }
}

static void json_response_ports(json *j, const char *key, const gos_response *r,
                                gos_port (*port)(const gos_response *, int), int n) {
    json_open(j, key, '[');
    for (int i = 0; i < n; i++) {
        json_open(j, NULL, '{');
        json_text(j, "name", port(r, i).name);
        json_text(j, "unit", port(r, i).unit);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_response(const gos_response *r, const gos_response_info *n) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "kind", "response");
    json_number(&j, "frequencies", n->frequencies);
    json_number(&j, "low", n->low);
    json_number(&j, "high", n->high);
    json_number(&j, "largest", n->largest);
    json_number(&j, "largest_at", gos_response_frequency(r)[n->largest_at]);
    json_text(&j, "largest_output", gos_response_output(r, n->largest_output).name);
    json_text(&j, "largest_input", gos_response_input(r, n->largest_input).name);
    json_response_ports(&j, "inputs", r, gos_response_input, n->inputs);
    json_response_ports(&j, "outputs", r, gos_response_output, n->outputs);
    json_close(&j, '}');
}

static int info_response(gos_ctx *ctx, const char *path, bool as_json) {
    gos_response *response = NULL;
    const gos_status status = gos_response_read(ctx, path, &response);
    show_messages(ctx, 0);
    if (status == GOS_OK) {
        gos_response_info n;
        gos_response_info_get(response, &n);
        (as_json ? json_response : print_frequencies)(response, &n);
    }
    gos_response_destroy(response);
    return exit_code(status, true);
}

/* ---- reduced systems ------------------------------------------------------------------------- */

static int info_rom(gos_ctx *ctx, const char *path, bool as_json) {
    const text_list none = {0};
    const linear_point where = {0};
    point p;
    const int code = load_point(ctx, path, &none, &where, &p);
    if (!as_json || code != EXIT_DONE) {
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE) {
        gos_sizes sizes;
        gos_reduction r;
        gos_system_sizes(p.sys, &sizes);
        gos_reduction_get(p.sys, &r);
        json j = {.out = stdout};
        if (as_json) {
            json_open(&j, NULL, '{');
            json_text(&j, "kind", "reduced model");
            json_text(&j, "model", gos_model_name(p.model));
            json_sizes(&j, &sizes, gos_system_units(p.sys));
            json_number(&j, "tolerance", r.tolerance);
            json_number(&j, "predicted", r.predicted);
            json_number(&j, "predicted_temperature", r.predicted_temperature);
            json_number(&j, "work", r.work);
            json_messages(&j, ctx);
            json_close(&j, '}');
        } else {
            (void)printf("reduced model of %s\n", plain(gos_model_name(p.model)));
            print_sizes(&sizes, gos_system_units(p.sys));
            if (r.tolerance > 0 && r.predicted <= 1) {
                (void)printf("predicted    %.3g of the extent, %.3g of the temperature range, "
                             "tolerance %.3g\n",
                             r.predicted, r.predicted_temperature, r.tolerance);
            } else {
                (void)puts("predicted    its error is unknown");
            }
        }
    }
    free_point(&p);
    return code;
}

/* ---- controllers ----------------------------------------------------------------------------- */

static int info_controller(gos_ctx *ctx, const char *path, bool as_json) {
    gos_design *design = NULL;
    const gos_status status = gos_controller_read(ctx, path, &design);
    if (!as_json || status != GOS_OK) {
        show_messages(ctx, 0);
    }
    if (status == GOS_OK) {
        show_design(ctx, design, as_json);
    }
    gos_design_destroy(design);
    return exit_code(status, true);
}

/* ---- models ---------------------------------------------------------------------------------- */

static int info_model(gos_ctx *ctx, const char *path, bool as_json) {
    gos_model *model = NULL;
    gos_sizes sizes;
    const int code = load_sizes(ctx, path, NULL, &model, &sizes);
    if (!as_json || code != EXIT_DONE) {
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE) {
        if (as_json) {
            json j = {.out = stdout};
            json_open(&j, NULL, '{');
            json_text(&j, "kind", "model");
            json_text(&j, "model", gos_model_name(model));
            json_sizes(&j, &sizes, gos_model_units(model));
            json_messages(&j, ctx);
            json_close(&j, '}');
        } else {
            (void)printf("model        %s\n", plain(gos_model_name(model)));
            print_sizes(&sizes, gos_model_units(model));
        }
    }
    gos_model_destroy(model);
    return code;
}

int command_info(int argc, char **argv) {
    bool as_json = false;
    text_list rest = {0};
    const option options[] = {{"--json", OPTION_FLAG, &as_json, NULL}, {0}};
    int code = parse_arguments("info", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        gos_ctx *ctx = gos_ctx_create();
        code = EXIT_FAILED;
        if (ctx != NULL) {
            code = (is_linear(rest.v[0])               ? info_linear
                    : gos_rom_exists(rest.v[0])        ? info_rom
                    : gos_response_exists(rest.v[0])   ? info_response
                    : gos_controller_exists(rest.v[0]) ? info_controller
                    : is_hdf5(rest.v[0])               ? info_results
                                                       : info_model)(ctx, rest.v[0], as_json);
        }
        gos_ctx_destroy(ctx);
    }
    free_list(&rest);
    return code;
}
