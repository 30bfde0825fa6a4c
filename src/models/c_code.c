/* A linear model of fixed step as C99 source without libraries. Matrices are stored by columns,
   dense or compressed, so that compilers vectorise the loops over rows. */
#include "models/c_files.h"
#include "models/step_model.h"

/* one of A, B, C, D (m, n) by columns */
typedef struct table {
    const char *name, *to, *from; // "a", and the macros of its rows and columns
    int m, n;
    const double *x;
    long nnz;
} table;

typedef struct writer {
    gos_ctx *ctx;
    const gos_step_model *model;
    const gos_step_options *options;
    const gos_step_report *report;
    const gos_port *input, *output; // (nu), (ny)
    const gos_c_name *u, *y;        // their members
    char name[GOS_C_NAME], upper[GOS_C_NAME];
    table table[4];
} writer;

enum { A, B, C, D };

/* ---- header ---------------------------------------------------------------------------------- */

static void put_comment(const writer *w, FILE *out) {
    char step[40];
    const gos_step_report *r = w->report;
    gos__format(step, sizeof step, "%.17g", w->model->step);
    (void)fprintf(
        out,
        GOS_C_MARK " " GOS_VERSION ": linear model of fixed step.\n"
                   " *\n"
                   " *   z(k+1) = A z(k) + B u(k),  y(k) = C z(k) + D u(k),  step %s s\n"
                   " *\n"
                   " * %d states, %d inputs u, %d outputs y. Inputs %s, for which the\n"
                   " * recursion is exact. u and y are differences from the operating point.\n",
        step, r->states, r->inputs, r->outputs,
        w->model->linear_inputs ? "are linear between steps" : "are constant during a step");
    gos__c_note(out, w->options->note);
    (void)fprintf(
        out,
        " *\n"
        " * Call %s_start once. Then at each time k: %s_output for the outputs at this\n"
        " * time, and %s_step with the inputs to reach time k + 1. A step takes the same\n"
        " * number of operations for any values. */\n",
        w->name, w->name, w->name);
}

static void put_header(const void *user, FILE *out) {
    const writer *w = user;
    char step[40];
    gos__c_number(w->model->step, step);
    put_comment(w, out);
    (void)fprintf(out,
                  "#ifndef %s_H\n#define %s_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                  "#define %s_STEP %s /* s */\n#define %s_STATES %d\n#define %s_INPUTS %d\n"
                  "#define %s_OUTPUTS %d\n\n"
                  "typedef struct %s_state {\n    double z[%s_STATES];\n} %s_state;\n\n",
                  w->upper, w->upper, w->upper, step, w->upper, w->report->states, w->upper,
                  w->report->inputs, w->upper, w->report->outputs, w->name, w->upper, w->name);
    gos__c_struct(out, w->name, "inputs", w->report->inputs, w->u, w->input);
    gos__c_struct(out, w->name, "outputs", w->report->outputs, w->y, w->output);
    (void)fprintf(
        out,
        "/* Rest at the operating point. */\n"
        "void %s_start(%s_state *state);\n"
        "/* Outputs at this time. */\n"
        "void %s_output(const %s_state *state, const %s_inputs *inputs, %s_outputs *outputs);\n"
        "/* Advance by one step. %s */\n"
        "void %s_step(%s_state *state, const %s_inputs *inputs);\n\n"
        "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
        w->name, w->name, w->name, w->name, w->name, w->name,
        w->model->linear_inputs ? "The inputs are those at its beginning."
                                : "The inputs are constant during it.",
        w->name, w->name, w->name);
}

/* ---- constants ------------------------------------------------------------------------------- */

static bool is_dense(const table *t) {
    return 2 * t->nnz > (long)t->m * t->n;
}

static void put_value(FILE *out, long k, double value) {
    char text[40];
    gos__c_number(value, text);
    (void)fprintf(out, "%s%s", k == 0 ? "" : k % 4 == 0 ? ",\n    " : ", ", text);
}

static void put_dense(const writer *w, FILE *out, const table *t) {
    (void)fprintf(out, "static const double %s[%s_%s][%s_%s] = {\n", t->name, w->upper, t->from,
                  w->upper, t->to);
    for (int j = 0; j < t->n; j++) {
        (void)fputs("    {", out);
        for (int i = 0; i < t->m; i++) {
            put_value(out, i, t->x[(size_t)j * t->m + i]);
        }
        (void)fputs(j + 1 < t->n ? "},\n" : "}\n", out);
    }
    (void)fputs("};\n\n", out);
}

static void put_rows(FILE *out, const table *t) {
    long k = 0;
    for (int j = 0; j < t->n; j++) {
        for (int i = 0; i < t->m; i++) {
            if (t->x[(size_t)j * t->m + i] != 0) {
                (void)fprintf(out, "%s%d", k == 0 ? "" : k % 16 == 0 ? ",\n    " : ", ", i);
                k++;
            }
        }
    }
}

static void put_compressed(const writer *w, FILE *out, const table *t) {
    long k = 0;
    (void)fprintf(out, "static const double %s_value[%ld] = {\n    ", t->name, t->nnz);
    for (int j = 0; j < t->n; j++) {
        for (int i = 0; i < t->m; i++) {
            const double x = t->x[(size_t)j * t->m + i];
            if (x != 0) {
                put_value(out, k++, x);
            }
        }
    }
    (void)fprintf(out, "};\nstatic const int32_t %s_row[%ld] = {\n    ", t->name, t->nnz);
    put_rows(out, t);
    (void)fprintf(out, "};\nstatic const int32_t %s_first[%s_%s + 1] = {\n    0", t->name, w->upper,
                  t->from);
    k = 0;
    for (int j = 0; j < t->n; j++) {
        for (int i = 0; i < t->m; i++) {
            k += t->x[(size_t)j * t->m + i] != 0;
        }
        (void)fprintf(out, "%s%ld", j % 16 == 15 ? ",\n    " : ", ", k);
    }
    (void)fputs("};\n\n", out);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void put_table(const writer *w, FILE *out, const table *t) {
    if (t->nnz == 0) {
        return;
    }
    (is_dense(t) ? put_dense : put_compressed)(w, out, t);
    (void)fprintf(out,
                  "static void add_%s(const double x[%s_%s], double sum[%s_%s])\n{\n"
                  "    for (int32_t j = 0; j < %s_%s; j++) {\n"
                  "        const double value = x[j];\n",
                  t->name, w->upper, t->from, w->upper, t->to, w->upper, t->from);
    if (is_dense(t)) {
        (void)fprintf(out,
                      "        for (int32_t i = 0; i < %s_%s; i++) {\n"
                      "            sum[i] += %s[j][i] * value;\n",
                      w->upper, t->to, t->name);
    } else {
        (void)fprintf(out,
                      "        for (int32_t k = %s_first[j]; k < %s_first[j + 1]; k++) {\n"
                      "            sum[%s_row[k]] += %s_value[k] * value;\n",
                      t->name, t->name, t->name, t->name);
    }
    (void)fputs("        }\n    }\n}\n\n", out);
}

static void put_inputs(const writer *w, FILE *out) {
    (void)fprintf(out, "static void read_inputs(const %s_inputs *inputs, double u[%s_INPUTS])\n{\n",
                  w->name, w->upper);
    for (int i = 0; i < w->report->inputs; i++) {
        (void)fprintf(out, "    u[%d] = inputs->%s;\n", i, w->u[i].text);
    }
    (void)fputs("}\n\n", out);
}

/* `sum` := first x + second u */
static void put_sum(const writer *w, FILE *out, const table *first, const table *second,
                    const char *sum) {
    if (second->nnz > 0) {
        (void)fprintf(out, "    double u[%s_INPUTS];\n", w->upper);
    }
    (void)fprintf(out, "    double %s[%s_%s];\n\n", sum, w->upper, first->to);
    (void)fprintf(out, "    for (int32_t i = 0; i < %s_%s; i++) {\n        %s[i] = 0.0;\n    }\n",
                  w->upper, first->to, sum);
    if (first->nnz > 0) {
        (void)fprintf(out, "    add_%s(state->z, %s);\n", first->name, sum);
    } else {
        (void)fputs("    (void)state;\n", out);
    }
    if (second->nnz > 0) {
        (void)fprintf(out, "    read_inputs(inputs, u);\n    add_%s(u, %s);\n", second->name, sum);
    } else {
        (void)fputs("    (void)inputs;\n", out);
    }
}

static void put_functions(const writer *w, FILE *out) {
    (void)fprintf(out,
                  "void %s_start(%s_state *state)\n{\n"
                  "    for (int32_t i = 0; i < %s_STATES; i++) {\n        state->z[i] = 0.0;\n"
                  "    }\n}\n\n"
                  "void %s_output(const %s_state *state, const %s_inputs *inputs, %s_outputs "
                  "*outputs)\n{\n",
                  w->name, w->name, w->upper, w->name, w->name, w->name, w->name);
    put_sum(w, out, &w->table[C], &w->table[D], "y");
    for (int i = 0; i < w->report->outputs; i++) {
        (void)fprintf(out, "    outputs->%s = y[%d];\n", w->y[i].text, i);
    }
    (void)fprintf(out, "}\n\nvoid %s_step(%s_state *state, const %s_inputs *inputs)\n{\n", w->name,
                  w->name, w->name);
    put_sum(w, out, &w->table[A], &w->table[B], "next");
    (void)fprintf(out,
                  "    for (int32_t i = 0; i < %s_STATES; i++) {\n"
                  "        state->z[i] = ((next[i] < TINY) && (next[i] > -TINY)) ? 0.0 : next[i];\n"
                  "    }\n}\n",
                  w->upper);
}

static void put_source(const void *user, FILE *out) {
    const writer *w = user;
    (void)fprintf(out,
                  GOS_C_MARK
                  " " GOS_VERSION ". See %s.h. Matrices are stored by columns. */\n"
                  "#include \"%s.h\"\n\n#include <stdint.h>\n\n"
                  "/* Smaller states are set to 0: subnormal numbers would slow steps down. */\n"
                  "#define TINY 1.0e-200\n\n",
                  w->name, w->name);
    for (int k = 0; k < GOS_COUNT(w->table); k++) {
        put_table(w, out, &w->table[k]);
    }
    if (w->table[B].nnz + w->table[D].nnz > 0) {
        put_inputs(w, out);
    }
    put_functions(w, out);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void count(writer *w, gos_step_report *r) {
    const gos_plant *p = &w->model->at;
    const table all[] = {{"a", "STATES", "STATES", p->n, p->n, p->A, 0},
                         {"b", "STATES", "INPUTS", p->n, p->nu, p->B, 0},
                         {"c", "OUTPUTS", "STATES", p->ny, p->n, p->C, 0},
                         {"d", "OUTPUTS", "INPUTS", p->ny, p->nu, p->D, 0}};
    memcpy(w->table, all, sizeof all);
    for (int k = 0; k < GOS_COUNT(all); k++) {
        table *t = &w->table[k];
        for (long i = 0; i < (long)t->m * t->n; i++) {
            t->nnz += t->x[i] != 0;
        }
        const bool dense = is_dense(t);
        r->products += dense ? (long)t->m * t->n : t->nnz;
        r->bytes += dense ? 8L * t->m * t->n : t->nnz > 0 ? 12 * t->nnz + 4 * (t->n + 1L) : 0;
    }
}

static gos_status write_model(writer *w, const gos_linear *l, const char *folder) {
    const int nu = w->report->inputs, ny = w->report->outputs;
    gos_port *port = gos__alloc(w->ctx, nu + ny, sizeof *port);
    gos_c_name *name = gos__alloc(w->ctx, nu + ny, sizeof *name);
    gos_status status = port && name ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int i = 0; i < nu + ny; i++) {
            port[i] = i < nu ? gos_linear_input(l, i) : gos_linear_output(l, i - nu);
        }
        gos__c_names(nu, port, name);
        gos__c_names(ny, port + nu, name + nu);
        w->input = port;
        w->output = port + nu;
        w->u = name;
        w->y = name + nu;
        status =
            gos__c_pair_write(w->ctx, folder, w->name, &(gos_c_pair){put_header, put_source, w});
    }
    gos__free(w->ctx, port);
    gos__free(w->ctx, name);
    return status;
}

gos_status gos_linear_write_c(gos_ctx *ctx, const gos_linear *l, const gos_step_options *o,
                              const char *folder, gos_step_report *report) {
    gos_step_model model = {0};
    gos_step_report r = {0};
    writer w = {.ctx = ctx, .model = &model, .options = o, .report = &r};
    GOS_TRY(gos__c_identifier(ctx, o->name, folder, w.name, w.upper));
    gos_status status = gos__step_model_make(ctx, l, o, &model, &r);
    if (status == GOS_OK) {
        count(&w, &r);
        status = write_model(&w, l, folder);
    }
    gos__step_model_free(ctx, &model);
    if (status == GOS_OK && report) {
        *report = r;
    }
    return status;
}
