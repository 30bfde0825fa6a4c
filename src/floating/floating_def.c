/* Finite-element bodies: elements of a section, assembly, locations. */
#include "floating/floating_def.h"

#include <math.h>

#include "linalg/eigen.h"
#include "parts/marker.h"

// elements up to which the full inertia of shortening is used
#define WHOLE 40
#define ROTARY 1e-3 // relative inertia above which rotary inertia matters

/* ---- assembly -------------------------------------------------------------------------------- */

gos_fe_beam gos__floating_element(const gos_material *mat, const gos_section *sec, int a, int b,
                                  const double axis[3][3]) {
    gos_fe_beam e = {.node = {a, b},
                     .line_mass = mat->density * sec->A,
                     .inertia = {mat->density * sec->Iz, mat->density * sec->Iy},
                     .EA = mat->young * sec->A,
                     .EI = {mat->young * sec->Iz, mat->young * sec->Iy},
                     .GJ = mat->young / (2 * (1 + mat->poisson)) * sec->J,
                     .gamma = {mat->gamma_n, mat->gamma_s}};
    memcpy(e.axis, axis, sizeof e.axis);
    return e;
}

typedef struct mass_def {
    const char *at;
    double mass, inertia[3];
} mass_def;

static const gos_param mass_params[] = {{.name = "at",
                                         .kind = GOS_K_TEXT,
                                         .unit = "",
                                         .flags = GOS_P_REQUIRED,
                                         .offset = offsetof(mass_def, at),
                                         .doc = "node"},
                                        {.name = "mass",
                                         .kind = GOS_K_NUMBER,
                                         .unit = "kg",
                                         .lo = 0,
                                         .hi = HUGE_VAL,
                                         .flags = GOS_P_REQUIRED,
                                         .offset = offsetof(mass_def, mass),
                                         .doc = "mass"},
                                        {.name = "inertia",
                                         .kind = GOS_K_VECTOR,
                                         .unit = "kg m^2",
                                         .shape = 3,
                                         .lo = 0,
                                         .hi = HUGE_VAL,
                                         .def = "[0, 0, 0]",
                                         .offset = offsetof(mass_def, inertia),
                                         .doc = "about the body axes"},
                                        {0}};

gos_status gos__floating_masses(gos_builder *b, const gos_floating_def *def,
                                const gos_floating_names *names, const char *object,
                                gos_fe_frame *frame) {
    const gos_node *list = def->masses;
    if (!list) {
        return GOS_OK;
    }
    if (list->kind != GOS_LIST) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                            "masses must be a list, [{at: PLACE, mass: 1}, ...]");
    }
    gos_fe_mass *mass = GOS_NEW(b->arena, gos_fe_mass, list->n + 1);
    GOS_TRY(mass ? GOS_OK : GOS_E_MEMORY);
    for (const gos_node *c = list->child; c; c = c->next) {
        mass_def d = {0};
        if (c->kind != GOS_MAP) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, c->loc, object,
                                "a mass is a map, {at: PLACE, mass: 1}");
        }
        GOS_TRY(gos__fill(b->model, c, mass_params, object, b->arena, &d));
        gos_fe_mass *m = &mass[frame->nmass++];
        *m = (gos_fe_mass){.node = names->node(names->par, d.at), .mass = d.mass};
        memcpy(m->inertia, d.inertia, sizeof m->inertia);
        if (m->node < 0 || m->node >= frame->nnode) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, gos__key_loc(c, "at"), object,
                "there is no node '%s' for a mass; give one without the body's name, from %s", d.at,
                names->known);
        }
    }
    frame->mass = mass;
    return GOS_OK;
}

/* (r pi / L)^2 for extent L: twice the relative reduction of the first pinned-pinned frequency */
static bool turning_matters(const gos_fe_frame *frame) {
    double gyration = 0, extent = 0;
    for (int e = 0; e < frame->nbeam; e++) {
        const gos_fe_beam *b = &frame->beam[e];
        gyration = fmax(gyration, fmax(b->inertia[0], b->inertia[1]) / b->line_mass);
    }
    for (int c = 0; c < 3; c++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = 0; i < frame->nnode; i++) {
            lo = fmin(lo, frame->x[i][c]);
            hi = fmax(hi, frame->x[i][c]);
        }
        extent += (hi - lo) * (hi - lo);
    }
    return gyration * M_PI * M_PI > ROTARY * extent;
}

bool gos__floating_is_on(const char *object, const gos_node *location) {
    const char *text = location->kind == GOS_SCALAR ? location->text : "";
    const int n = (int)strcspn(text, ".");
    char quoted[GOS_LIMIT_NAME + 20];
    gos__format(quoted, sizeof quoted, "'%.*s'", n, text);
    bool on = n > 0 && strstr(object, quoted);
    for (const gos_node *c = location->kind == GOS_LIST ? location->child : NULL; c; c = c->next) {
        on = on || gos__floating_is_on(object, c);
    }
    return on;
}

/* joint other than a clamp: the frame needs its own positive mass */
static bool is_hinged(const gos_builder *b, const char *object) {
    const gos_node *joints = gos__node_get(b->model->root, "joints");
    bool hinged = false;
    for (const gos_node *c = joints && joints->kind == GOS_MAP ? joints->child : NULL; c;
         c = c->next) {
        const gos_node *type = c->kind == GOS_MAP ? gos__node_get(c, "type") : NULL;
        const gos_node *between = type ? gos__node_get(c, "between") : NULL;
        hinged =
            hinged || (between && type->kind == GOS_SCALAR && strcmp(type->text, "clamp") != 0 &&
                       gos__floating_is_on(object, between));
    }
    return hinged;
}

gos_status gos__floating_make(gos_builder *b, const gos_floating_def *def, const char *object,
                              gos_fe_frame *frame, int node_a, int node_b, gos_flex **flex) {
    const gos_flex_condition condition = (gos_flex_condition)def->reference;
    frame->rotary = def->rotary == 1 || (def->rotary == 2 && turning_matters(frame));
    memcpy(frame->damping, def->rayleigh, sizeof frame->damping);
    GOS_TRY(gos__fe_frame_make(b->ctx, frame, flex));
    GOS_TRY(gos__flex_hold(*flex, condition, node_a, node_b));
    const bool whole = def->shortening == 1 || (def->shortening == 2 && frame->nbeam <= WHOLE &&
                                                !b->reduce_floating && is_hinged(b, object));
    GOS_TRY(gos__fe_frame_stiffen(frame, condition, whole && def->coupling == 1, *flex));
    if (def->coupling == 0) { // for limits of validity
        gos__flex_first_order(*flex);
    }
    return GOS_OK;
}

static bool is_small(const gos_flex *flex) {
    const int free = flex->n - (flex->C.p ? flex->C.m : 0);
    return gos__eigen_max_modes(free) >= free;
}

/* A given number of its modes and nothing else: a basis that damping of other modes does not
 * reach. */
static bool has_modes_alone(const gos_node *reduce, const gos_flex *flex) {
    bool modes = false, given = false, alone = false;
    for (const gos_node *c = reduce ? reduce->child : NULL; c; c = c->next) {
        if (strcmp(c->key, "method") == 0) {
            modes = c->kind == GOS_SCALAR && strcmp(c->text, "modes") == 0;
        } else if (strcmp(c->key, "order") == 0) {
            given = true;
        } else if (strcmp(c->key, "static") == 0) {
            alone = c->kind == GOS_LIST && !c->child;
        } else {
            return false;
        }
    }
    return modes && given && alone && !flex->bare_K.p; // else they are modes of another stiffness
}

/* Full bodies with too many modes are refused; reduced ones use their modes. */
static gos_status damp(gos_builder *b, const gos_node *entry, const char *object, double zeta,
                       const gos_node *reduce, gos_flex *flex, bool *late) {
    *late = zeta > 0 && (!is_small(flex) || (b->reduce_floating && has_modes_alone(reduce, flex)));
    if (*late && !b->reduce_floating) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "zeta"), object,
            "zeta needs all modes, but a whole body of %d displacements has too many (at most %d); "
            "reduce it (`floating_bodies: reduced`, or --reduced), or give `rayleigh`",
            flex->n, GOS_EIGEN_DENSE_MAX);
    }
    return zeta > 0 && !*late ? gos__flex_damp(flex, zeta) : GOS_OK;
}

gos_status gos__floating_finish(gos_builder *b, const gos_node *entry, const char *object,
                                const gos_floating_def *def, const gos_floating_names *names,
                                gos_flex **flex) {
    bool late = false;
    if ((*flex)->n == 0 && (*flex)->heat.n > 0 && !(b->reduce_floating && def->reduce)) {
        return GOS_OK; // heat alone
    }
    if ((*flex)->n == 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, entry->key_loc, object,
            "no deformation is left; let it stretch, twist or bend, or use a rigid body");
    }
    GOS_TRY(gos__flex_check(*flex, gos__key_loc(entry, "reference"), object));
    GOS_TRY(damp(b, entry, object, def->zeta, def->reduce, *flex, &late));
    if (names->stress && !b->reduce_floating) {
        GOS_TRY(gos__floating_second_order(b, names, entry->key_loc, object, *flex, NULL, *flex));
    }
    GOS_TRY(gos__floating_reduce(b, def->reduce, late ? def->zeta : 0, entry->key_loc, object,
                                 names, flex));
    return late ? gos__flex_damp(*flex, def->zeta) : GOS_OK;
}

/* ---- locations ------------------------------------------------------------------------------- */

gos_floating_body *gos__floating_of(const gos_body *b) {
    return (gos_floating_body *)(uintptr_t)b->par;
}

static const gos_floating_spot *spot_of(const gos_floating_body *f, const gos_location *p,
                                        gos_floating_spot *spot) {
    if (p->whole || p->node == f->flex->nnode) {
        return NULL;
    }
    gos__floating_spot(f, p->node, spot);
    return spot;
}

gos_status gos__floating_node_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                       gos_marker *m) {
    gos_floating_spot spot;
    gos_floating_body *f = gos__floating_of(b);
    GOS_UNUSED(a);
    if (f->still) {
        *m = gos__floating_still_position(f, p->whole || p->node == f->flex->nnode ? -1 : p->node);
        return GOS_OK;
    }
    return gos__floating_position(f, spot_of(f, p, &spot), m);
}

gos_status gos__floating_node_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                        const double d[3], gos_marker *m) {
    gos_floating_spot spot;
    gos_floating_body *f = gos__floating_of(b);
    GOS_UNUSED(a);
    if (f->still) {
        *m = gos__marker_fixed(d);
        return GOS_OK;
    }
    return gos__floating_direction(f, spot_of(f, p, &spot), d, m);
}
