/* Units of linear models of fixed step: a description, matrices, and a library that needs the C
   library only. */
#include <stdio.h>

#include "base/context.h"
#include "fmu/step_file.h"
#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/library.h"
#include "models/c_names.h"
#include "models/step_model.h"

#define MARK "generationTool=\"Gossamer " // near the beginning of our files

typedef struct job {
    gos_ctx *ctx;
    gos_arena *arena;
    const gos_linear *linear;
    gos_step_model model;
    char identifier[GOS_C_NAME], upper[GOS_C_NAME];
    gos_fmu_variables list;
    gos_step_head head;
    char *xml; // allocated by the C library
    size_t nxml;
} job;

static gos_status name_variables(job *k) {
    const int nu = k->model.at.nu, ny = k->model.at.ny;
    gos_fmu_variables *list = &k->list;
    list->n = 1 + nu + ny;
    list->v = GOS_NEW(k->arena, gos_fmu_variable, list->n);
    GOS_TRY(list->v ? GOS_OK : GOS_E_MEMORY);
    list->v[0] = (gos_fmu_variable){.role = GOS_FMU_TIME, .name = "time", .unit = "s"};
    for (int i = 0; i < nu + ny; i++) {
        const gos_port port =
            i < nu ? gos_linear_input(k->linear, i) : gos_linear_output(k->linear, i - nu);
        list->v[1 + i] = (gos_fmu_variable){.role = i < nu ? GOS_FMU_INPUT : GOS_FMU_OUTPUT,
                                            .name = port.name,
                                            .unit = port.unit,
                                            .doc = "difference from the operating point",
                                            .index = i < nu ? i : i - nu};
        for (int j = 0; j <= i; j++) {
            if (strcmp(list->v[j].name, port.name) == 0) {
                return gos__fail(k->ctx, GOS_E_INPUT,
                                 "two variables of the unit would have the name '%s'; rename one "
                                 "input or output of the linear model",
                                 port.name);
            }
        }
    }
    for (int role = 1; role <= GOS_FMU_ROLES; role++) {
        list->first[role] = role <= GOS_FMU_INPUT ? 1 : role <= GOS_FMU_OUTPUT ? 1 + nu : list->n;
    }
    return GOS_OK;
}

static gos_status describe(job *k) {
    const gos_fmu_description d = {.version = 2,
                                   .kind = GOS_FMU_CO_SIMULATION,
                                   .name = k->identifier,
                                   .identifier = k->identifier,
                                   .token = k->head.token,
                                   .fixed_step = true,
                                   .step_size = k->model.step,
                                   .list = &k->list};
    free(k->xml);
    k->xml = NULL;
    FILE *out = open_memstream(&k->xml, &k->nxml);
    GOS_TRY(out ? GOS_OK : gos__fail(k->ctx, GOS_E_MEMORY, "out of memory"));
    gos__fmu_describe(out, &d);
    const bool bad = ferror(out) != 0;
    return fclose(out) == 0 && !bad ? GOS_OK : gos__fail(k->ctx, GOS_E_MEMORY, "out of memory");
}

/* A, B, C, D are consecutive */
static size_t numbers(const gos_plant *p) {
    return ((size_t)p->n + (size_t)p->ny) * ((size_t)p->n + (size_t)p->nu);
}

/* the token: hash of the description and the matrices */
static gos_status name_contents(job *k) {
    const gos_plant *p = &k->model.at;
    uint64_t h[2] = {GOS_HASH_BEGIN, ~GOS_HASH_BEGIN};
    k->head = (gos_step_head){
        .magic = GOS_STEP_MAGIC, .step = k->model.step, .n = p->n, .nu = p->nu, .ny = p->ny};
    GOS_TRY(describe(k));
    for (int i = 0; i < 2; i++) {
        h[i] = gos__hash(h[i], k->xml, k->nxml);
        h[i] = gos__hash(h[i], p->A, numbers(p) * sizeof *p->A);
    }
    (void)snprintf(k->head.token, sizeof k->head.token, "{%08x-%04x-%04x-%04x-%012llx}",
                   (unsigned)(h[0] >> 32), (unsigned)(h[0] >> 16 & 0xffff),
                   (unsigned)(h[0] & 0xffff), (unsigned)(h[1] >> 48),
                   (unsigned long long)(h[1] & 0xffffffffffff));
    return describe(k);
}

static gos_status pack(job *k, const char *folder, gos_archive *archive, const char *path) {
    const gos_plant *p = &k->model.at;
    const size_t size = numbers(p) * sizeof *p->A;
    char *bytes = gos__arena_alloc(k->arena, sizeof k->head + size, 1);
    GOS_TRY(bytes ? GOS_OK : GOS_E_MEMORY);
    memcpy(bytes, &k->head, sizeof k->head);
    memcpy(bytes + sizeof k->head, p->A, size);
    GOS_TRY(gos__archive_add(archive, "modelDescription.xml", k->xml, k->nxml, true));
    GOS_TRY(
        gos__archive_add(archive, "resources/" GOS_STEP_FILE, bytes, sizeof k->head + size, false));
    GOS_TRY(
        gos__fmu_step_library_pack(folder, "binaries/linux64", k->identifier, k->arena, archive));
    return gos__archive_write(archive, path);
}

static gos_status make(job *k, const gos_step_options *o, const char *library, const char *path,
                       gos_step_report *report) {
    const char *folder;
    gos_archive *archive = NULL;
    GOS_TRY(gos__c_identifier(k->ctx, o->name, path, k->identifier, k->upper));
    GOS_TRY(gos__fmu_library_find(k->ctx, library, k->arena, &folder));
    GOS_TRY(gos__step_model_make(k->ctx, k->linear, o, &k->model, report));
    report->products = (long)numbers(&k->model.at);
    report->bytes = report->products * (long)sizeof *k->model.at.A;
    GOS_TRY(name_variables(k));
    GOS_TRY(name_contents(k));
    GOS_TRY(gos__archive_create(k->ctx, &archive));
    const gos_status status = pack(k, folder, archive, path);
    gos__archive_destroy(archive);
    return status;
}

gos_status gos_linear_export_fmu(gos_ctx *ctx, const gos_linear *linear, const gos_step_options *o,
                                 const char *library, const char *path, gos_step_report *report) {
    job k = {.ctx = ctx, .linear = linear};
    gos_step_report unused;
    if (!gos_fmu_exists(path)) { // then only nothing, or an empty file
        GOS_TRY(gos_output_replaces(ctx, path, "PK", MARK, "an FMU of this program"));
    }
    if (o->linear_inputs) {
        return gos__fail(ctx, GOS_E_USE, "inputs of a unit of fixed step are held during a step");
    }
    k.arena = gos__arena_create(ctx);
    GOS_TRY(k.arena ? GOS_OK : GOS_E_MEMORY);
    const gos_status status = make(&k, o, library, path, report ? report : &unused);
    gos__step_model_free(ctx, &k.model);
    free(k.xml);
    gos__arena_destroy(k.arena);
    return status;
}
