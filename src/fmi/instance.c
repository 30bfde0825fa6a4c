/* Life cycle of a unit: create from resources, compile, begin, reset. */
#include "fmi/instance.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "gossamer/reduce.h"
#include "results/checkpoint.h"
#include "model/model.h"
#include "solve/validity.h"

/* ---- messages -------------------------------------------------------------------------------- */

gos_status gos__fmi_wrong(gos_fmi *f, const char *fmt, ...) {
    char text[600];
    va_list args;
    va_start(args, fmt);
    (void)gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    return gos__fail(f->ctx, GOS_E_USE, "%s", text);
}

void gos__fmi_report(gos_fmi *f) {
    char line[2400];
    for (int i = 0; i < gos_ctx_ndiag(f->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(f->ctx, i);
        gos_ctx_format(f->ctx, i, line, sizeof line);
        f->log(f->log_user,
               d->status != GOS_OK ? GOS_FMI_ERROR
               : d->count == 0     ? GOS_FMI_NOTE
                                   : GOS_FMI_WARNING,
               line);
    }
    gos_ctx_clear(f->ctx);
}

/* ---- resources ------------------------------------------------------------------------------- */

static gos_status path_of(gos_fmi *f, const char *name, char path[4096]) {
    return snprintf(path, 4096, "%s/%s", f->folder, name) < 4096
               ? GOS_OK
               : gos__fail(f->ctx, GOS_E_FILE, "%s: the name is too long", f->folder);
}

static bool has(gos_fmi *f, const char *name) {
    char path[4096];
    return path_of(f, name, path) == GOS_OK && access(path, R_OK) == 0;
}

static gos_status read_file(gos_fmi *f, const char *name, char **text, size_t *n) {
    char path[4096];
    *text = NULL;
    *n = 0;
    GOS_TRY(path_of(f, name, path));
    return gos__file_read(f->ctx, path, GOS_LIMIT_MODEL_BYTES, (gos_loc){0}, NULL, text, n);
}

static gos_status read_model(gos_fmi *f, gos_model **model) {
    char *text = NULL, *settings = NULL, *all = NULL, path[4096];
    size_t n = 0, m = 0;
    GOS_TRY(path_of(f, "model.yaml", path));
    gos_status status = read_file(f, "model.yaml", &text, &n);
    if (status == GOS_OK && has(f, "settings")) {
        status = read_file(f, "settings", &settings, &m);
    }
    all = status == GOS_OK ? gos__zalloc(f->ctx, n + m + 1, 1) : NULL;
    if (all) {
        memcpy(all, text, n);
        memcpy(all + n, settings ? settings : "", m);
        status = gos__model_again(f->ctx, path, all, n, f->folder, model);
    }
    gos__free(f->ctx, text);
    gos__free(f->ctx, settings);
    gos__free(f->ctx, all);
    return status == GOS_OK && !all ? GOS_E_MEMORY : status;
}

static gos_status check_token(gos_fmi *f, const char *token) {
    char *text;
    size_t n;
    GOS_TRY(read_file(f, "token", &text, &n));
    const bool same = token && strlen(token) == n && memcmp(token, text, n) == 0;
    f->token = gos__hash(GOS_HASH_BEGIN, text, n);
    gos__free(f->ctx, text);
    return same ? GOS_OK
                : gos__fmi_wrong(f,
                                 "the token %s does not match the model in %s: description and "
                                 "resources belong to different units",
                                 token ? token : "(none)", f->folder);
}

/* ---- compilation ----------------------------------------------------------------------------- */

static void drop_system(gos_fmi *f) {
    gos__fmi_reset_run(f);
    gos_system_destroy(f->reduced);
    gos_system_destroy(f->full);
    f->reduced = f->full = NULL;
    f->sys = NULL;
}

static gos_status apply_parameters(gos_fmi *f, gos_model *model) {
    const int first = f->list.first[GOS_FMU_PARAMETER];
    for (int i = 0; f->parameter && i < gos__fmu_count(&f->list, GOS_FMU_PARAMETER); i++) {
        const gos_fmu_variable *v = &f->list.v[first + i];
        if (f->parameter[i] != v->start) { // others keep their written form
            GOS_TRY(gos_model_set_number(f->ctx, model, v->name, f->parameter[i]));
        }
    }
    return GOS_OK;
}

static gos_status make_system(gos_fmi *f, gos_model *model) {
    char path[4096];
    GOS_TRY(gos_model_read_controllers(f->ctx, model));
    GOS_TRY(gos_system_create(f->ctx, model, &f->full));
    f->sys = f->full;
    if (has(f, "reduced.h5")) {
        GOS_TRY(path_of(f, "reduced.h5", path));
        GOS_TRY(gos_rom_load(f->ctx, f->full, path, &f->reduced));
    } else if (has(f, "reduce")) {
        GOS_TRY(gos_reduce(f->ctx, f->full, &f->reduced));
    }
    f->sys = f->reduced ? f->reduced : f->full;
    return gos__fmu_check(f->ctx, f->sys, f->kind);
}

/* one name per line */
static gos_status read_tunable(gos_fmi *f) {
    char *text = NULL;
    size_t n;
    if (!has(f, "tunable")) {
        return GOS_OK;
    }
    GOS_TRY(read_file(f, "tunable", &text, &n));
    gos_status status = GOS_OK;
    for (char *name = text, *end; status == GOS_OK && *name; name = end) {
        end = name + strcspn(name, "\n");
        if (*end) {
            *end++ = '\0';
        }
        status = gos__fmu_tunable(f->ctx, &f->list, name);
    }
    gos__free(f->ctx, text);
    return status;
}

/* keep the first list, whose start values match the description */
static gos_status list_variables(gos_fmi *f, const gos_model *model) {
    gos_fmu_variables now = {0};
    gos_arena *a = gos__arena_create(f->ctx);
    gos_status status =
        a ? gos__fmu_variables(f->ctx, model, f->sys, f->kind, a, &now) : GOS_E_MEMORY;
    if (status == GOS_OK && !f->listed) {
        f->list = now;
        f->listed = a;
        return read_tunable(f);
    }
    bool same = status == GOS_OK && now.n == f->list.n;
    for (int i = 0; same && i < now.n; i++) {
        same = strcmp(now.v[i].name, f->list.v[i].name) == 0;
    }
    if (status == GOS_OK && !same) {
        status = gos__fmi_wrong(
            f, "with these parameters the variables of the model differ from its description");
    }
    gos__arena_destroy(a);
    return status;
}

gos_status gos__fmi_compile(gos_fmi *f) {
    gos_model *model = NULL;
    if (f->sys && !f->stale) {
        return GOS_OK;
    }
    drop_system(f);
    gos_status status = read_model(f, &model);
    status = status == GOS_OK ? apply_parameters(f, model) : status;
    status = status == GOS_OK ? make_system(f, model) : status;
    status = status == GOS_OK ? list_variables(f, model) : status;
    gos_model_destroy(model);
    if (status != GOS_OK) {
        drop_system(f);
        return status;
    }
    f->stale = false;
    for (int i = 0; f->compiled && i < gos__fmu_count(&f->list, GOS_FMU_PARAMETER); i++) {
        f->compiled[i] = f->parameter[i];
    }
    return GOS_OK;
}

/* ---- start of a run -------------------------------------------------------------------------- */

gos_status gos__fmi_integrate(gos_fmi *f) {
    gos_integrator_destroy(f->integrator);
    f->integrator = NULL;
    GOS_TRY(gos_integrator_create(f->ctx, f->sys, &f->options, f->x, &f->integrator));
    return gos_integrator_track_errors(f->integrator);
}

/* workspace of the run, and the initial state */
static gos_status allocate(gos_fmi *f) {
    const gos_system *s = f->sys;
    f->nvalue = 0;
    for (int i = 0; i < gos_system_nprobes(s); i++) {
        gos_probe_info p;
        gos_system_probe_info(s, i, &p);
        f->nvalue += p.ncomp;
    }
    double **const array[] = {&f->value, &f->rate, &f->next, &f->shown, &f->shown_rate};
    for (int i = 0; i < GOS_COUNT(array); i++) {
        *array[i] = gos__zalloc(f->ctx, f->nvalue + 1L, sizeof(double));
        GOS_TRY(*array[i] ? GOS_OK : GOS_E_MEMORY);
    }
    GOS_TRY(gos_state_create(f->ctx, s, &f->x));
    GOS_TRY(gos_state_create(f->ctx, s, &f->moved));
    GOS_TRY(gos__work_create(f->ctx, s, &f->work));
    return gos__sampler_create(f->ctx, s, &f->sampler);
}

static gos_status observe(gos_fmi *f) {
    double preparing = 0;
    f->observer = f->sys->observer ? f->sys->observer : gos__range_observer(f->sys);
    return f->observer ? f->observer->create(f->ctx, f->sys, &preparing, &f->observing) : GOS_OK;
}

static gos_status begin(gos_fmi *f) {
    GOS_TRY(allocate(f));
    f->options = f->sys->options;
    f->options.end = f->stop > 0 ? f->stop : f->options.end;
    f->options.tolerance = f->tolerance > 0 ? f->tolerance : f->options.tolerance;
    GOS_TRY(gos__fmi_give_inputs(f, f->x, 0));
    if (f->options.start_equilibrium) {
        gos_options o = f->options;
        gos_statistics unused = {0};
        o.analysis = GOS_STATIC;
        o.end = 0; // a single time
        GOS_TRY(gos_solve_static(f->ctx, f->sys, &o, f->x, &unused));
    }
    GOS_TRY(observe(f));
    GOS_TRY(gos__fmi_integrate(f)); // makes accelerations consistent
    if (f->kind == GOS_FMU_MODEL_EXCHANGE) {
        gos_integrator_destroy(f->integrator);
        f->integrator = NULL;
        GOS_TRY(gos__fmi_exchange_create(f));
    }
    gos__fmi_sample(f, true);
    return f->observing ? f->observer->see(f->observing, f->x, 0) : GOS_OK;
}

gos_status gos__fmi_begin(gos_fmi *f) {
    if (f->begun) {
        return f->stale ? gos__fmi_tune(f) : GOS_OK;
    }
    GOS_TRY(gos__fmi_compile(f));
    const gos_status status = begin(f);
    f->begun = status == GOS_OK;
    const gos_status sides = f->begun && f->exchange ? gos__fmi_set_sides(f) : status;
    if (sides != GOS_OK) {
        gos__fmi_reset_run(f);
    }
    return sides;
}

gos_status gos__fmi_continue(gos_fmi *f) {
    GOS_TRY(allocate(f));
    GOS_TRY(observe(f));
    GOS_TRY(f->kind == GOS_FMU_MODEL_EXCHANGE ? gos__fmi_exchange_create(f) : GOS_OK);
    f->begun = true;
    return GOS_OK;
}

void gos__fmi_reset_run(gos_fmi *f) {
    if (f->x) { // inputs are passed to the next state
        for (int i = 0; i < gos__fmu_count(&f->list, GOS_FMU_INPUT); i++) {
            f->input[i].fresh = f->input[i].given;
            f->input[i].held = 0;
        }
    }
    gos__fmi_exchange_destroy(f);
    if (f->observing) {
        f->observer->destroy(f->observing);
        f->observing = NULL;
    }
    gos_integrator_destroy(f->integrator);
    gos__sampler_destroy(f->sampler);
    if (f->work) {
        gos__work_destroy(f->ctx, f->work);
    }
    gos_state_destroy(f->moved);
    gos_state_destroy(f->x);
    double **const array[] = {&f->value, &f->rate, &f->next, &f->shown, &f->shown_rate};
    for (int i = 0; i < GOS_COUNT(array); i++) {
        gos__free(f->ctx, *array[i]);
        *array[i] = NULL;
    }
    f->integrator = NULL;
    f->sampler = NULL;
    f->work = NULL;
    f->moved = f->x = NULL;
    f->begun = f->over = f->up_to_date = false;
    f->iterations = 0;
}

gos_status gos__fmi_setup(gos_fmi *f, const double *tolerance, double start, const double *stop) {
    if (start != 0) {
        return gos__fmi_wrong(
            f, "the model time begins at 0; start the simulation at 0 s, not at %g s", start);
    }
    if ((stop && !(*stop > 0 && *stop < HUGE_VAL)) ||
        (tolerance && !(*tolerance > 0 && *tolerance < 1))) {
        return gos__fmi_wrong(f, "the stop time must be > 0, and the tolerance between 0 and 1");
    }
    f->stop = stop ? *stop : 0;
    f->tolerance = tolerance ? *tolerance : 0;
    return GOS_OK;
}

gos_status gos__fmi_end(gos_fmi *f) {
    f->phase = GOS_FMI_ENDED;
    return f->observing ? f->observer->end(f->observing, f->x) : GOS_OK;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

void gos__fmi_reset(gos_fmi *f) {
    gos__fmi_reset_run(f);
    for (int i = 0; i < gos__fmu_count(&f->list, GOS_FMU_PARAMETER); i++) {
        const double start = f->list.v[f->list.first[GOS_FMU_PARAMETER] + i].start;
        f->stale = f->stale || f->parameter[i] != start;
        f->parameter[i] = start;
    }
    for (int i = 0; i < gos__fmu_count(&f->list, GOS_FMU_INPUT); i++) {
        f->input[i] = (gos_fmi_input){.value = f->list.v[f->list.first[GOS_FMU_INPUT] + i].start};
    }
    f->stop = f->tolerance = 0;
    f->phase = GOS_FMI_MADE;
}

static gos_status make(gos_fmi *f, const gos_fmi_made *made) {
    f->arena = gos__arena_create(f->ctx);
    f->folder = f->arena ? gos__arena_strdup(f->arena, made->folder) : NULL;
    GOS_TRY(f->folder ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(check_token(f, made->token));
    GOS_TRY(gos__fmi_compile(f));
    f->parameter = GOS_NEW(f->arena, double, gos__fmu_count(&f->list, GOS_FMU_PARAMETER) + 1);
    f->compiled = GOS_NEW(f->arena, double, gos__fmu_count(&f->list, GOS_FMU_PARAMETER) + 1);
    f->input = GOS_NEW(f->arena, gos_fmi_input, gos__fmu_count(&f->list, GOS_FMU_INPUT) + 1);
    GOS_TRY(f->parameter && f->compiled && f->input ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < gos__fmu_count(&f->list, GOS_FMU_PARAMETER); i++) {
        f->parameter[i] = f->compiled[i] = f->list.v[f->list.first[GOS_FMU_PARAMETER] + i].start;
    }
    gos__fmi_reset(f);
    return GOS_OK;
}

gos_fmi *gos__fmi_create(const gos_fmi_made *made) {
    gos_ctx *ctx = gos_ctx_create();
    gos_fmi *f = ctx ? gos__zalloc(ctx, 1, sizeof *f) : NULL;
    if (!f) {
        made->log(made->log_user, GOS_FMI_ERROR, "out of memory");
        gos_ctx_destroy(ctx);
        return NULL;
    }
    *f = (gos_fmi){.ctx = ctx, .log = made->log, .log_user = made->log_user, .kind = made->kind};
    const gos_status status = make(f, made);
    gos__fmi_report(f);
    if (status != GOS_OK) {
        gos__fmi_destroy(f);
        return NULL;
    }
    return f;
}

void gos__fmi_destroy(gos_fmi *f) {
    gos_ctx *ctx = f->ctx;
    gos__fmi_states_free(f);
    drop_system(f);
    gos__arena_destroy(f->listed);
    gos__arena_destroy(f->arena);
    gos__free(ctx, f);
    gos_ctx_destroy(ctx);
}
