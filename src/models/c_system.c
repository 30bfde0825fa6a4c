/* A nonlinear system of fixed step as C99 source without libraries: the text of
   polynomial_step.h, tables of the system, and functions around them. */
#include "models/c_files.h"
#include "models/polynomial_model.h"
#include "system/system.h"

typedef struct writer {
    const gos_polynomial_model *model;
    const gos_step_options *options;
    const gos_c_name *u, *y;  // members (nu), (ny)
    const gos_port *in, *out; // (nu), (ny)
    char name[GOS_C_NAME], upper[GOS_C_NAME];
} writer;

/* ---- header ---------------------------------------------------------------------------------- */

static void put_comment(const writer *w, FILE *out) {
    const gos_step_tables *t = &w->model->tables;
    char step[40];
    gos__c_number(t->step, step);
    (void)fprintf(out,
                  GOS_C_MARK " " GOS_VERSION ": nonlinear model of fixed step, %s s.\n"
                             " *\n"
                             " * %d coordinates, %d constraints, %d inputs, %d outputs. Inputs are "
                             "constant during a step.\n"
                             " * Inputs and outputs are not differences but whole values.\n",
                  step, 3 * t->nv, t->nc, t->nu, t->ny);
    gos__c_note(out, w->options->note);
    (void)fprintf(out,
                  " *\n"
                  " * Call %s_start once. Then at each time %s_output for the outputs at this "
                  "time,\n"
                  " * and %s_step with the inputs to advance by one step. A step takes the same\n"
                  " * number of operations for any values. */\n",
                  w->name, w->name, w->name);
}

static void put_header(const void *user, FILE *out) {
    const writer *w = user;
    const gos_step_tables *t = &w->model->tables;
    const char *n = w->name, *up = w->upper;
    char step[40];
    gos__c_number(t->step, step);
    put_comment(w, out);
    (void)fprintf(out,
                  "#ifndef %s_H\n#define %s_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                  "#define %s_STEP %s /* s */\n#define %s_COORDINATES %d\n#define %s_CONSTRAINTS "
                  "%d\n#define %s_INPUTS %d\n#define %s_OUTPUTS %d\n\n",
                  up, up, up, step, up, 3 * t->nv, up, t->nc, up, t->nu, up, t->ny);
    (void)fprintf(out,
                  "typedef struct %s_state {\n    double q[%d]; /* coordinates */\n"
                  "    double v[%d]; /* their rates */\n    double multiplier[%d];\n    double "
                  "work[%d]; /* scratch "
                  "*/\n    int pivot[%d];\n} %s_state;\n\n",
                  n, 3 * t->nv, 3 * t->nv, t->nc > 0 ? t->nc : 1, gos_step_work(t),
                  3 * t->nv + t->nc, n);
    gos__c_struct(out, n, "inputs", t->nu, w->u, w->in);
    gos__c_struct(out, n, "outputs", t->ny, w->y, w->out);
    (void)fprintf(out,
                  "/* The state in which the model was exported. */\n"
                  "void %s_start(%s_state *state);\n/* Outputs at this time. */\n"
                  "void %s_output(const %s_state *state, const %s_inputs *inputs, %s_outputs "
                  "*outputs);\n/* Advance by one step. The inputs are constant during it. */\n"
                  "void %s_step(%s_state *state, const %s_inputs *inputs);\n\n"
                  "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
                  n, n, n, n, n, n, n, n, n);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_terms(FILE *out, const char *name, const gos_step_terms *t) {
    char text[64];
    gos__format(text, sizeof text, "%s_at", name);
    gos__c_ints(out, text, 4L * t->n, t->at);
    gos__format(text, sizeof text, "%s_value", name);
    gos__c_doubles(out, text, t->n, t->value);
}

static void put_products(FILE *out, int i, const gos_step_products *p) {
    const struct {
        const char *name;
        long n;
        const double *x;
    } array[] = {{"g0", p->pairs, p->g0},
                 {"stress", p->pairs, p->stress},
                 {"stiffness", (long)p->pairs * p->pairs, p->stiffness},
                 {"damping", p->damped ? (long)p->pairs * p->pairs : 0, p->damping}};
    for (int k = 0; k < GOS_COUNT(array); k++) {
        char text[64];
        gos__format(text, sizeof text, "%s_%d", array[k].name, i);
        gos__c_doubles(out, text, array[k].n, array[k].x);
    }
}

static void put_tables(const writer *w, FILE *out) {
    const gos_step_tables *t = &w->model->tables;
    char step[40], scale[40];
    gos__c_doubles(out, "start", 6L * t->nv + t->nc, w->model->start);
    gos__c_doubles(out, "mass", (long)t->nv * t->nv, t->mass);
    gos__c_doubles(out, "weight", 3L * t->nv, t->weight);
    gos__c_ints(out, "first", t->nm + 1L, t->first);
    gos__c_ints(out, "coordinate", t->first[t->nm], t->at);
    gos__c_doubles(out, "by", t->first[t->nm], t->by);
    gos__c_doubles(out, "offset", 3L * t->nm, t->offset);
    put_terms(out, "force", &t->force);
    put_terms(out, "row", &t->row);
    put_terms(out, "output", &t->output);
    for (int i = 0; i < t->nproducts; i++) {
        put_products(out, i, &t->products[i]);
    }
    (void)fprintf(out, "static const gos_step_products products[%d] = {\n",
                  t->nproducts > 0 ? t->nproducts : 1);
    for (int i = 0; i < t->nproducts; i++) {
        const gos_step_products *p = &t->products[i];
        (void)fprintf(
            out, "    {%d, %d, %d, %d, %d, g0_%d, stress_%d, stiffness_%d, damping_%d}%s\n", p->m,
            p->all, p->pairs, p->first, p->damped, i, i, i, i, i + 1 < t->nproducts ? "," : "");
    }
    gos__c_number(t->step, step);
    gos__c_number(t->scale, scale);
    (void)fprintf(out,
                  "%s};\n\nstatic const gos_step_tables model = {\n    %d, %d, %d, %d, %d, %d, %s, "
                  "%s, mass, weight, first, coordinate, by, offset,\n    {%d, force_at, "
                  "force_value}, {%d, row_at, row_value}, {%d, output_at, output_value}, "
                  "products};\n\n",
                  t->nproducts > 0 ? "" : "    {0, 0, 0, 0, 0, weight, weight, weight, weight}\n",
                  t->nv, t->nc, t->nm, t->nu, t->ny, t->nproducts, step, scale, t->force.n,
                  t->row.n, t->output.n);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void put_inputs(const writer *w, FILE *out) {
    const int nu = w->model->tables.nu;
    (void)fprintf(out, "static void read_inputs(const %s_inputs *inputs, double u[%d])\n{\n",
                  w->name, nu > 0 ? nu : 1);
    for (int i = 0; i < nu; i++) {
        (void)fprintf(out, "    u[%d] = inputs->%s;\n", i, w->u[i].text);
    }
    (void)fputs(nu > 0 ? "}\n\n" : "    (void)inputs;\n    u[0] = 0.0;\n}\n\n", out);
}

static void put_functions(const writer *w, FILE *out) {
    const gos_step_tables *t = &w->model->tables;
    const int nq = 3 * t->nv, nu = t->nu > 0 ? t->nu : 1;
    const char *n = w->name;
    put_inputs(w, out);
    (void)fprintf(out,
                  "void %s_start(%s_state *state)\n{\n    for (int i = 0; i < %d; i++) {\n"
                  "        state->q[i] = start[i];\n        state->v[i] = start[%d + i];\n    }\n"
                  "    for (int i = 0; i < %d; i++) {\n        state->multiplier[i] = start[%d + "
                  "i];\n    }\n}\n\n",
                  n, n, nq, nq, t->nc, 2 * nq);
    (void)fprintf(out,
                  "void %s_output(const %s_state *state, const %s_inputs *inputs, %s_outputs "
                  "*outputs)\n{\n    double u[%d], x[%d], y[%d];\n\n    read_inputs(inputs, u);\n"
                  "    gos_step_outputs(&model, state->q, state->v, u, x, y);\n",
                  n, n, n, n, nu, 1 + 6 * t->nm + t->nu, t->ny);
    for (int i = 0; i < t->ny; i++) {
        (void)fprintf(out, "    outputs->%s = y[%d];\n", w->y[i].text, i);
    }
    (void)fprintf(out,
                  "}\n\nvoid %s_step(%s_state *state, const %s_inputs *inputs)\n{\n"
                  "    const gos_step_state at = {state->q, state->v, state->multiplier, "
                  "state->work, state->pivot};\n    double u[%d];\n\n    read_inputs(inputs, u);\n"
                  "    gos_step_advance(&model, &at, u);\n}\n",
                  n, n, n, nu);
}

static void put_source(const void *user, FILE *out) {
    const writer *w = user;
    (void)fprintf(out, GOS_C_MARK " " GOS_VERSION ". See %s.h. */\n#include \"%s.h\"\n\n", w->name,
                  w->name);
    (void)fputs(gos__polynomial_step_text, out);
    (void)fputc('\n', out);
    put_tables(w, out);
    put_functions(w, out);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Two stages: matrices, factorisations, residuals and solutions. */
static void count(const gos_polynomial_model *model, gos_step_report *r) {
    const gos_step_tables *t = &model->tables;
    const long n = 3L * t->nv + t->nc, terms = (long)t->force.n + t->row.n;
    long residual = 3L * t->nv * t->nv + 9 * terms + n * n, matrix = n * n * n / 3 + 18 * terms;
    r->bytes = 8 * (6L * t->nv + t->nc + (long)t->nv * t->nv + 3L * t->nv + 3L * t->nm) +
               12L * t->first[t->nm] + 24 * (terms + t->output.n);
    for (int i = 0; i < t->nproducts; i++) {
        const gos_step_products *p = &t->products[i];
        const long parts = p->damped ? 2 : 1, m = 3L * p->m;
        residual += parts * p->pairs * p->pairs;
        matrix += residual + p->all * m * (parts * p->pairs + m);
        r->bytes += 8 * (parts * p->pairs + 2) * p->pairs;
    }
    r->states = (int)(6L * t->nv);
    r->inputs = t->nu;
    r->outputs = t->ny;
    r->products = 2L * GOS_STEP_PASSES * (residual + matrix);
}

static gos_status write_model(gos_ctx *ctx, writer *w, const char *folder) {
    const gos_step_tables *t = &w->model->tables;
    gos_port *port = gos__alloc(ctx, t->nu + 1L, sizeof *port);
    gos_c_name *name = gos__alloc(ctx, t->nu + t->ny + 1L, sizeof *name);
    gos_status status = port && name ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int i = 0; i < t->nu; i++) {
            port[i] = (gos_port){w->model->input[i].name, w->model->input[i].unit};
        }
        gos__c_names(t->nu, port, name);
        gos__c_names(t->ny, w->model->output, name + t->nu);
        w->in = port;
        w->out = w->model->output;
        w->u = name;
        w->y = name + t->nu;
        status = gos__c_pair_write(ctx, folder, w->name, &(gos_c_pair){put_header, put_source, w});
    }
    gos__free(ctx, port);
    gos__free(ctx, name);
    return status;
}

gos_status gos_system_write_c(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                              const gos_step_options *o, const char *folder,
                              gos_step_report *report) {
    gos_polynomial_model model;
    gos_step_report r = {.run_output = -1};
    writer w = {.model = &model, .options = o};
    GOS_TRY(gos__c_identifier(ctx, o->name, folder, w.name, w.upper));
    if (o->linear_inputs) {
        return gos__fail(ctx, GOS_E_USE,
                         "a nonlinear model of fixed step holds its inputs during "
                         "a step; linear ones are not available");
    }
    gos_arena *a = gos__arena_create(ctx);
    gos_status status = a ? GOS_OK : GOS_E_MEMORY;
    status =
        status == GOS_OK ? gos__polynomial_model_make(ctx, a, sys, state, o->step, &model) : status;
    if (status == GOS_OK && o->compare) {
        status = gos__polynomial_model_compare(ctx, &model, sys, state, &r);
    }
    if (status == GOS_OK) {
        count(&model, &r);
        status = write_model(ctx, &w, folder);
    }
    if (status == GOS_OK && report) {
        *report = r;
        gos__format(report->run_output_name, sizeof report->run_output_name, "%s",
                    r.run_output >= 0 ? model.output[r.run_output].name : "");
    }
    gos__arena_destroy(a);
    return status;
}
