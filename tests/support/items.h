/* A model built into a builder, entry by entry as the program does it, for tests of bodies, joints,
   loads and heat items. Include after cmocka. */
#ifndef GOS_TEST_ITEMS_H
#define GOS_TEST_ITEMS_H

#include <math.h>

#include "plate/plate.h"
#include "bodies/bodies.h"
#include "heat/heat.h"
#include "joints/joints.h"
#include "loads/loads.h"
#include "math/vec3.h"
#include "system/settings.h"
#include "system/system.h"
#include "support/random.h"

typedef struct fixture {
    gos_ctx *ctx;
    gos_model *model;
    gos_builder b;
} fixture;

/* the definitions that the models of these tests share */
static const char common_parts[] =
    "materials:\n"
    "  steel: {density: 7800, young: 2.0e11, poisson: 0.3}\n"
    "  rubber: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 1, specific_heat: 200,\n"
    "           expansion: 1.0e-4, absorptivity: 0.8, emissivity: 0.6}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
    "  beam: {type: rectangle, height: 0.01, width: 0.02, shear_factors: [0.8, 0.8]}\n"
    "  pipe: {type: annulus, outer: 0.02, inner: 0.015}\n";

static inline gos_status read_materials(fixture *f) {
    const gos_node *map = gos__node_get(f->model->root, "materials");
    for (const gos_node *c = map ? map->child : NULL; c; c = c->next) {
        gos_material *m;
        GOS_TRY(gos__material_make(f->model, c, "material", f->b.arena, &m));
        GOS_TRY(gos__names_add(f->b.arena, &f->b.materials, c->key, m));
    }
    return GOS_OK;
}

static inline gos_status read_sections(fixture *f) {
    const gos_node *map = gos__node_get(f->model->root, "sections");
    for (const gos_node *c = map ? map->child : NULL; c; c = c->next) {
        gos_section *s;
        GOS_TRY(gos__section_make(f->model, c, "section", f->b.arena, &s));
        GOS_TRY(gos__names_add(f->b.arena, &f->b.sections, c->key, s));
    }
    return GOS_OK;
}

static inline gos_status build_section(fixture *f, const char *section, const char *kind) {
    const gos_node *map = gos__node_get(f->model->root, section);
    for (const gos_node *c = map ? map->child : NULL; c; c = c->next) {
        char object[2 * GOS_LIMIT_NAME];
        snprintf(object, sizeof object, "%s '%s'", kind, c->key);
        const gos_type *type;
        GOS_TRY(gos__type_of(f->model, c, section, gos__registry(), object, &type));
        const gos_build_ops *ops = type->ops;
        GOS_TRY(ops->build(&f->b, type, c, c->key, object));
    }
    return GOS_OK;
}

/* everything after parsing */
static inline gos_status build_parts(fixture *f) {
    GOS_TRY(read_materials(f));
    GOS_TRY(read_sections(f));
    GOS_TRY(build_section(f, "bodies", "body"));
    for (int i = 0; i < f->b.nbody; i++) {
        gos_body *body = f->b.body[i];
        GOS_TRY(body->ops->finish ? body->ops->finish(&f->b, body) : GOS_OK);
    }
    GOS_TRY(build_section(f, "joints", "joint"));
    GOS_TRY(build_section(f, "loads", "load"));
    return build_section(f, "heat", "heat");
}

/* The context is taken as it is when given. Text follows common_parts when that is wanted. */
static inline gos_status make_with(fixture *f, gos_ctx *ctx, bool common, const char *text) {
    *f = (fixture){.ctx = ctx ? ctx : gos_ctx_create()};
    size_t n = sizeof common_parts + strlen(text) + 1;
    char *yaml = malloc(n);
    snprintf(yaml, n, "%s%s", common ? common_parts : "", text);
    gos_status s = gos_model_parse(f->ctx, yaml, strlen(yaml), "test.yaml", NULL, &f->model);
    free(yaml);
    if (s != GOS_OK) {
        return s;
    }
    f->b = (gos_builder){
        .ctx = f->ctx, .model = f->model, .T_ref = 293.15, .arena = gos__arena_create(f->ctx)};
    if (!f->b.arena) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__model_parameters(f->model));
    GOS_TRY(gos__settings_root(&f->b));
    return build_parts(f);
}

static inline gos_status make(fixture *f, const char *text) {
    return make_with(f, NULL, true, text);
}

/* make, and fail the test with the message when that fails */
static inline void make_ok(fixture *f, const char *text) {
    gos_status s = make(f, text);
    if (s != GOS_OK) {
        print_error("%s\n", gos_ctx_message(f->ctx));
        fail();
    }
}

static inline void drop(fixture *f) {
    gos_arena *a = f->b.arena;
    gos_ctx *ctx = f->ctx;
    gos__builder_release(&f->b);
    gos__arena_destroy(a);
    gos_model_destroy(f->model);
    gos_ctx_destroy(ctx);
    *f = (fixture){0};
}

#endif
