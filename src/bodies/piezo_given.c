/* Type given of `piezo`: coupling and capacitance are tables of the body. */
#include "bodies/piezo.h"

static const gos_param params[] = {{.name = "on",
                                    .kind = GOS_K_NAMES,
                                    .unit = "",
                                    .flags = GOS_P_REQUIRED,
                                    .offset = offsetof(gos_piezo_def, on),
                                    .doc = "body of type modal"},
                                   GOS_PIEZO_DRIVE_ROWS,
                                   {0}};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    gos_piezo *p;
    GOS_TRY(gos__piezo_read(b, type, entry, name, object, &p));
    p->given = true;
    if (strchr(p->def.on.v[0], '.')) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, p->def.on.loc[0], object,
                            "'%s': an entry of type given uses all electrodes in the tables of "
                            "body '%s'; give the body alone",
                            p->def.on.v[0], p->body);
    }
    return gos__names_add(b->arena, &b->piezo, p->name, p);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__piezo_given = {.section = "piezo",
                                   .name = "given",
                                   .doc = "Electrodes defined by the tables of a modal body, "
                                          "NAME(k), k = 1, 2, ... in the order of their columns.",
                                   .params = params,
                                   .size = sizeof(gos_piezo_def),
                                   .example = "patch: {type: given, on: shaken}",
                                   .ops = &ops};
