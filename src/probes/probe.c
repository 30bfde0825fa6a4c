/* Probes: reads entries and selects the markers of their quantity (probe_values.c). */
#include "probes/probe.h"

#include "loads/load.h"
#include "parts/electrode.h"
#include "parts/location.h"
#include "math/vec3.h"

typedef struct probe_def {
    const char *at, *quantity, *frame, *joint, *load, *heat, *material;
    int face; // 0: middle, 1: upper, 2: lower
    int ply;  // from 1; 0: none
    double fibre[2];
    double direction[3], axis[3], start;
} probe_def;

static bool quantity_value(int i, gos_value_info *info) {
    int n;
    const gos_quantity *all = gos__quantities(&n);
    if (i < 0 || i >= n) {
        return false;
    }
    gos__format(info->name, sizeof info->name, "%s", all[i].name);
    info->unit = all[i].unit;
    info->doc = all[i].doc;
    info->number = i;
    return true;
}

static const gos_param probe_params[] = {
    {.name = "at",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(probe_def, at),
     .doc = "location: BODY.start, BODY.end, BODY.node(i), BODY.at(s); for a plate BODY.node(i,j), "
            "BODY.at(x,y), BODY.corner(i), quoted inside inline lists and maps; a mesh set "
            "BODY.SET; a rigid BODY or its points; an electrode of patches"},
    {.name = "quantity",
     .kind = GOS_K_TEXT,
     .unit = "",
     .def = "position",
     .offset = offsetof(probe_def, quantity),
     .value = quantity_value,
     .doc = "recorded quantity"},
    {.name = "joint",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "joints",
     .offset = offsetof(probe_def, joint),
     .doc = "joint for joint_force, joint_moment, joint_coordinates and joint_rates"},
    {.name = "load",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "loads",
     .offset = offsetof(probe_def, load),
     .doc = "torsion_spring for hinge, wheel for wheel"},
    {.name = "heat",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "heat",
     .offset = offsetof(probe_def, heat),
     .doc = "prescribed temperature for reaction_heat"},
    {.name = "material",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(probe_def, material),
     .doc = "stresses and strains of floating mesh bodies: use only cells of this material, at "
            "interfaces of materials"},
    {.name = "face",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "middle",
     .choices = "middle=0|upper=1|lower=2",
     .offset = offsetof(probe_def, face),
     .doc = "for shells: upper (the side of their normals), lower, or middle; with `ply`, the face "
            "of that ply"},
    {.name = "ply",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 2000,
     .def = "0",
     .offset = offsetof(probe_def, ply),
     .doc = "for laminates: stress or strain in this ply, counted from 1 at the lower face, "
            "components in ply axes (1 along the fibres, 3 normal)"},
    {.name = "fibre",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 2,
     .def = "[0, 0]",
     .offset = offsetof(probe_def, fibre),
     .doc = "for beams in meshes: point in the section, along its y and z axes from its centre"},
    {.name = "frame",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "bodies|joint",
     .offset = offsetof(probe_def, frame),
     .doc = "rigid body in whose axes vectors are given; positions are then relative to its node, "
            "displacements relative to the undeformed shape carried by it. angular_velocity "
            "(absolute) also accepts the beam at the probe's location, for its section axes "
            "(normal, local y, local z). `joint`, for joint_force and joint_moment: axes that "
            "rotate with the joint, z along its axis, line or normal at t = 0, or the global axes "
            "at t = 0 if it has none"},
    {.name = "direction",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .offset = offsetof(probe_def, direction),
     .doc = "returns the scalar component along this direction instead of a vector"},
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .def = "[0, 0, 1]",
     .offset = offsetof(probe_def, axis),
     .doc = "axis of `angle`, global axes"},
    {.name = "start",
     .kind = GOS_K_NUMBER,
     .unit = "rad, m",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(probe_def, start),
     .doc = "value at t = 0 of an `angle` or of single-valued joint_coordinates"},
    {0},
};

const gos_type gos__probe_type = {
    .section = "probes",
    .name = "probe",
    .doc = "A quantity recorded at every step.",
    .params = probe_params,
    .size = sizeof(probe_def),
    .example = "tip: {at: rod.end, quantity: position}",
};

static gos_loc value_loc(const gos_node *entry, const char *key) {
    const gos_node *n = gos__node_get(entry, key);
    return n ? n->loc : gos__key_loc(entry, key);
}

static gos_status find_quantity(gos_builder *b, const probe_def *d, const gos_node *entry,
                                const char *object, gos_probe *p) {
    int n;
    const gos_quantity *all = gos__quantities(&n);
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i].name, d->quantity) == 0) {
            p->quantity = &all[i];
            return GOS_OK;
        }
    }
    const char **names = GOS_NEW(b->arena, const char *, n);
    if (!names) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        names[i] = all[i].name;
    }
    const char *near = gos__suggest(d->quantity, names, n);
    const gos_loc loc = value_loc(entry, "quantity");
    if (near) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "unknown quantity '%.64s'; did you mean '%s'?", d->quantity, near);
    }
    char list[768] = "";
    for (int i = 0; i < n; i++) {
        const size_t have = strlen(list);
        gos__format(list + have, sizeof list - have, "%s%s", i ? ", " : "", names[i]);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                        "unknown quantity '%.64s'; options are "
                        "%s",
                        d->quantity, list);
}

static gos_status rigid_markers(gos_builder *b, gos_probe *p, const gos_location *location,
                                gos_loc loc, const char *object, int first) {
    if (!location->body || gos__rotating(location) != GOS_TURN_FRAME) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "%s requires a rigid body or a point on a beam", p->quantity->name);
    }
    for (int j = 0; j < 3; j++) {
        const double d[3] = {j == 0, j == 1, j == 2};
        GOS_TRY(gos__direction(b, location, d, loc, object, &p->m[first + j]));
        memcpy(p->axes0 + 3 * j, d, sizeof d);
    }
    return GOS_OK;
}

/* from marker 1: axes of a rigid body, or section vectors of a beam */
static gos_status turning_markers(gos_builder *b, gos_probe *p, const gos_location *location,
                                  gos_loc loc, const char *object) {
    if (gos__rotating(location) != GOS_TURN_SECTION) {
        p->nm = 4;
        return rigid_markers(b, p, location, loc, object, 1);
    }
    int n;
    double a[3], c[3];
    GOS_TRY(location->body->ops->vectors(b->arena, location->body, location, &n, &p->m[1]));
    p->nm = 3;
    p->section = true;
    gos__marker_initial(b, &p->m[1], a);
    gos__marker_initial(b, &p->m[2], c);
    gos__probe_section_axes(a, c, p->axes0);
    return GOS_OK;
}

static bool recovers(const gos_probe *p, const gos_body *body) {
    return body && body->ops->recover &&
           ((p->quantity->needs & GOS_NEEDS_STRESS) || strcmp(p->quantity->name, "strain") == 0);
}

/* options for bodies that compute stresses themselves */
static gos_status read_recovery(gos_builder *b, const probe_def *d, const gos_node *entry,
                                const gos_body *body, const char *object, const gos_probe *p,
                                gos_recovery *what) {
    const bool fibre = d->fibre[0] != 0 || d->fibre[1] != 0;
    const bool chosen = d->material || d->face != 0 || d->ply != 0 || fibre;
    const char *key = d->material    ? "material"
                      : d->face != 0 ? "face"
                      : d->ply != 0  ? "ply"
                                     : "fibre";
    *what = (gos_recovery){.loc = value_loc(entry, "at"),
                           .object = object,
                           .strain = strcmp(d->quantity, "strain") == 0,
                           .material = d->material,
                           .face = d->face == 2 ? -1 : d->face,
                           .ply = d->ply,
                           .fibre = {d->fibre[0], d->fibre[1]}};
    return !chosen || recovers(p, body)
               ? GOS_OK
               : gos__fail_at(
                     b->ctx, GOS_E_INPUT, gos__key_loc(entry, key), object,
                     "%s applies only to stresses and strains of floating mesh bodies; remove it",
                     key);
}

static gos_status section_markers(gos_builder *b, gos_probe *p, const gos_location *location,
                                  gos_loc loc, const char *object) {
    const gos_body *body = location->body;
    const bool section = strncmp(p->quantity->name, "section_", 8) == 0;
    if (body && section && strncmp(body->type, "floating", 8) == 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "%s requires a point on a cable, beam or plate, but '%s' is a %s, which has none; use "
            "ancf_beam, or `stress` with `fibre` on a beam mesh",
            p->quantity->name, body->name, body->type);
    }
    if (!body || !body->law || !body->ops->gradients) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "%s requires a point on a cable, beam, plate, solid%s", p->quantity->name,
            strcmp(p->quantity->name, "strain") == 0 || (p->quantity->needs & GOS_NEEDS_STRESS)
                ? " or floating mesh body"
                : "");
    }
    const bool stress = !body->law->moment_unit;
    if (stress != ((p->quantity->needs & GOS_NEEDS_STRESS) != 0) &&
        strcmp(p->quantity->name, "strain") != 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object, "body '%s' (%s) has no %s; use %s",
                            body->name, body->type, p->quantity->name,
                            stress ? "strain, stress or von_mises"
                                   : "strain, section_force or section_moment");
    }
    const gos_status status = body->ops->gradients(b->arena, body, location, &p->m[1]);
    if (status == GOS_E_INPUT) { // no record
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "this set of '%s' has no strain; use node(k) or at(x,y,z)", body->name);
    }
    GOS_TRY(status);
    return gos__section_location(b, location, p, loc);
}

static gos_status heat_markers(gos_builder *b, gos_probe *p, const gos_location *location,
                               gos_loc loc, const char *object, bool must) {
    const gos_body *body = location->body;
    if (!body || body->nfam == 0) {
        return must ? gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                   "there is no temperature at this point; give the body's "
                                   "material conductivity and specific_heat")
                    : GOS_OK;
    }
    gos_location at[GOS_SECTION_POINTS] = {*location};
    const int points = p->npoint > 0 ? body->ops->section_points(body, location, at, p->weight) : 1;
    p->tm = GOS_NEW(b->arena, gos_tmarker, points * body->nfam);
    GOS_TRY(p->tm ? GOS_OK : GOS_E_MEMORY);
    p->ntm = points * body->nfam;
    for (int i = 0; i < points; i++) {
        GOS_TRY(body->ops->temperature(b->arena, body, &at[i], p->tm + (size_t)i * body->nfam));
    }
    return GOS_OK;
}

gos_status gos__probe_frame(gos_builder *b, gos_probe *p, const char *frame, gos_loc loc,
                            const char *object) {
    gos_location location = {0};
    p->framed = true;
    if (p->section && gos__find_body(b, frame) == p->body) {
        return GOS_OK; // frame0 is 0
    }
    GOS_TRY(gos__locate_frame(b, frame, loc, object, &location));
    p->frame0 = p->nm;
    p->nm += 4;
    GOS_TRY(gos__position(b, &location, &p->m[p->frame0]));
    GOS_TRY(gos__rigid_axes(b, &location, &p->m[p->frame0 + 1]));
    // displacement in a frame is relative to the carried shape
    double x[3], at[3];
    gos__marker_initial(b, &p->m[p->frame0], x);
    gos__sub3(p->x0, x, at);
    for (int j = 0; j < 3; j++) {
        gos__marker_initial(b, &p->m[p->frame0 + 1 + j], x);
        p->x0[j] = gos__dot3(x, at);
    }
    return GOS_OK;
}

static gos_status largest_of_solid(gos_builder *b, const gos_location *location, gos_loc loc,
                                   const char *object, gos_probe *p) {
    gos_location node;
    const int n = location->body->ops->set_node(location->body, location->set, 0, &node);
    gos_probe *part = GOS_NEW(b->arena, gos_probe, n + 1);
    GOS_TRY(part ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < n; k++) {
        (void)location->body->ops->set_node(location->body, location->set, k, &node);
        part[k] = (gos_probe){.name = p->name, .quantity = p->quantity, .body = location->body};
        memcpy(part[k].x0, node.x, sizeof node.x);
        GOS_TRY(section_markers(b, &part[k], &node, loc, object));
        GOS_TRY(heat_markers(b, &part[k], &node, loc, object, false));
    }
    p->npart = n;
    p->part = part;
    return GOS_OK;
}

static gos_status at_largest(gos_builder *b, const probe_def *d, const gos_node *entry,
                             const char *object, gos_probe *p) {
    const gos_loc loc = value_loc(entry, "at");
    gos_location location = {0};
    gos_recovery what;
    if (!d->at || gos__node_given(entry, "frame")) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            d->at ? "%s does not support frame; remove it"
                                  : "'at' is missing; %s requires a body, or a set of its mesh",
                            p->quantity->name);
    }
    GOS_TRY(gos__locate(b, d->at, loc, object, &location));
    p->body = location.body;
    GOS_TRY(read_recovery(b, d, entry, location.body, object, p, &what));
    what.each = true;
    if (recovers(p, location.body)) {
        return gos__probe_recovered(b, &location, &what, p);
    }
    if (location.body && location.set && location.body->ops->set_node) {
        return largest_of_solid(b, &location, loc, object, p);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                        "%s requires a set or surface of a solid or of a floating mesh body, or "
                        "the whole floating body",
                        p->quantity->name);
}

/* *done: the body computes it */
static gos_status at_free_point(gos_builder *b, const probe_def *d, const gos_node *entry,
                                const char *object, gos_probe *p, bool *done) {
    const gos_body *body;
    gos_recovery what;
    gos_recovered *one = NULL;
    *done = false;
    GOS_TRY(gos__free_point(b, d->at, value_loc(entry, "at"), object, &body, p->x0));
    if (!recovers(p, body) || !body->ops->recover_at || d->frame) {
        return GOS_OK;
    }
    GOS_TRY(read_recovery(b, d, entry, body, object, p, &what));
    GOS_TRY(body->ops->recover_at(b, body, p->x0, &what, &one));
    p->body = body;
    p->recovered = one;
    p->nrecovered = 1;
    *done = true;
    return GOS_OK;
}

static gos_status at_location(gos_builder *b, const probe_def *d, const gos_node *entry,
                              const char *object, gos_probe *p) {
    const gos_loc loc = value_loc(entry, "at");
    gos_location location = {0};
    if (!d->at) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'at' is missing; %s requires a location", p->quantity->name);
    }
    const int needs = p->quantity->needs;
    gos_recovery what;
    bool done;
    GOS_TRY(at_free_point(b, d, entry, object, p, &done));
    if (done) {
        return GOS_OK;
    }
    GOS_TRY((needs & GOS_NEEDS_HEAT ? gos__locate_warm_point
                                    : gos__locate_point)(b, d->at, loc, object, &location));
    p->body = location.body;
    GOS_TRY(gos__position(b, &location, &p->m[0]));
    p->nm = 1;
    gos__marker_initial(b, &p->m[0], p->x0);
    if (needs & GOS_NEEDS_RIGID) {
        GOS_TRY(turning_markers(b, p, &location, loc, object));
    }
    GOS_TRY(read_recovery(b, d, entry, location.body, object, p, &what));
    if (recovers(p, location.body)) {
        GOS_TRY(gos__probe_recovered(b, &location, &what, p));
    } else if (needs & GOS_NEEDS_SECTION) {
        GOS_TRY(section_markers(b, p, &location, loc, object));
    }
    if ((needs & GOS_NEEDS_HEAT) || ((needs & GOS_NEEDS_SECTION) && p->nrecovered == 0)) {
        GOS_TRY(heat_markers(b, p, &location, loc, object, (needs & GOS_NEEDS_HEAT) != 0));
    }
    if ((needs & GOS_NEEDS_SECTION) && p->nrecovered == 0) {
        GOS_TRY(gos__section_balance(b, &location, p));
        GOS_TRY(gos__stress_patch(b, &location, p));
    }
    if (d->frame) {
        if (!p->quantity->frames) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "frame"), object,
                                "%s does not support frame; remove it", p->quantity->name);
        }
        GOS_TRY(gos__probe_frame(b, p, d->frame, value_loc(entry, "frame"), object));
    }
    return GOS_OK;
}

/* direct feed-through of load inputs to the output */
static gos_status direct_part(gos_builder *b, const gos_body *body, const gos_signal *s,
                              gos_probe *p) {
    int *fn = GOS_NEW(b->arena, int, (size_t)(b->nitem + 1));
    double *factor = GOS_NEW(b->arena, double, (size_t)(b->nitem + 1));
    if (!fn || !factor) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->nitem; i++) {
        const gos_item *it = b->item[i];
        for (int k = 0; k < s->n * it->ninput; k++) {
            const gos_input_def *a = &it->input[k / s->n];
            if (a->body == body && a->port == s->input[k % s->n]) {
                fn[p->nfeed] = it->fn0 + a->fn;
                factor[p->nfeed++] = s->factor[k % s->n];
            }
        }
    }
    p->feed_fn = fn;
    p->feed = factor;
    return GOS_OK;
}

static gos_status at_port(gos_builder *b, const probe_def *d, const gos_node *entry,
                          const char *object, gos_probe *p) {
    gos_signal s;
    int number;
    if (!d->at) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'at' is missing; output requires BODY.OUTPUT");
    }
    GOS_TRY(
        gos__locate_port(b, d->at, true, value_loc(entry, "at"), object, &p->body, &number, &s));
    memcpy(p->m, s.m, sizeof s.m);
    memcpy(p->m + 3, s.md, sizeof s.md);
    p->nm = 6;
    if (s.tm.n > 0) {
        p->tm = GOS_NEW(b->arena, gos_tmarker, 1);
        if (!p->tm) {
            return GOS_E_MEMORY;
        }
        p->tm[0] = s.tm;
        p->ntm = 1;
    }
    return direct_part(b, p->body, &s, p);
}

static gos_status at_electrode(gos_builder *b, const probe_def *d, const gos_node *entry,
                               const char *object, gos_probe *p) {
    const gos_electrode *e = d->at ? gos__find_electrode(b, d->at) : NULL;
    if (!e) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, value_loc(entry, "at"), object,
            d->at ? "there is no electrode '%s'; use one of a `piezo` entry: NAME, NAME(k) or "
                    "NAME.CHANNEL"
                  : "'at' is missing%.0s; give an electrode, NAME(k) of a `piezo` entry",
            d->at ? d->at : "");
    }
    return gos__probe_electrode(b, e, p);
}

static gos_status at_hinge(gos_builder *b, const probe_def *d, const gos_node *entry,
                           const char *object, gos_probe *p) {
    char label[GOS_LIMIT_NAME + 16];
    const bool wheel = strcmp(p->quantity->name, "wheel") == 0;
    const char *const type = wheel ? "wheel" : "torsion spring";
    snprintf(label, sizeof label, "load '%s'", d->load ? d->load : "");
    const gos_item *it = d->load ? gos__find_item(b, label) : NULL;
    for (; it; it = it->more) {
        if (it->type->observe && strcmp(it->type->name, type) == 0) {
            p->item = it;
            for (int k = 0; k < it->type->nshown; k++) {
                p->shown[k] = it->type->shown[k].name;
            }
            return GOS_OK;
        }
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "load"), object,
                        "%s requires 'load', the name of a %s", p->quantity->name,
                        wheel ? "wheel" : "torsion_spring");
}

static gos_status read_probe(gos_builder *b, const gos_node *entry, const char *object,
                             probe_def *d, gos_probe *p) {
    GOS_TRY(gos__fill(b->model, entry, probe_params, object, b->arena, d));
    if (strcmp(entry->key, "time") == 0 || strcmp(entry->key, "rates") == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'%s' is reserved in the results file; choose another name",
                            entry->key);
    }
    if (strcmp(entry->key, "t") == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'t' is the time in expressions and tables; choose another name");
    }
    return find_quantity(b, d, entry, object, p);
}

gos_status gos__probe_check(gos_builder *b, const gos_node *entry, const char *object) {
    probe_def d = {0};
    gos_probe p = {0};
    return read_probe(b, entry, object, &d, &p);
}

gos_status gos__probe_make(gos_builder *b, const gos_node *entry, const char *object,
                           gos_probe **probe) {
    probe_def d = {0};
    gos_probe *p = GOS_NEW(b->arena, gos_probe, 1);
    if (!p) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(read_probe(b, entry, object, &d, p));
    p->name = gos__arena_strdup(b->arena, entry->key);
    if (!p->name) {
        return GOS_E_MEMORY;
    }
    memcpy(p->axis, d.axis, sizeof p->axis);
    p->scalar = gos__node_given(entry, "direction") != NULL;
    if (p->quantity->needs & GOS_NEEDS_ORBIT) {
        GOS_TRY(gos__probe_check_orbit(b, entry, object, p));
    }
    if (p->quantity->needs & GOS_NEEDS_JOINT) {
        GOS_TRY(gos__probe_joint(b, d.joint, d.frame, entry, object, p));
    } else if (p->quantity->needs & GOS_NEEDS_HEATER) {
        GOS_TRY(gos__probe_heater(b, d.heat, entry, object, p));
    } else if (p->quantity->needs & GOS_NEEDS_COORDINATES) {
        GOS_TRY(gos__probe_coordinates(b, d.joint, entry, object, p));
    } else if (p->quantity->needs & GOS_NEEDS_HINGE) {
        GOS_TRY(at_hinge(b, &d, entry, object, p));
    } else if (p->quantity->needs & GOS_NEEDS_PORT) {
        GOS_TRY(at_port(b, &d, entry, object, p));
    } else if (p->quantity->needs & GOS_NEEDS_ELECTRODE) {
        GOS_TRY(at_electrode(b, &d, entry, object, p));
    } else if (p->quantity->needs & GOS_NEEDS_NODES) {
        GOS_TRY(at_largest(b, &d, entry, object, p));
    } else if (!(p->quantity->needs & GOS_NEEDS_NOTHING)) {
        GOS_TRY(at_location(b, &d, entry, object, p));
    }
    memcpy(p->direction, d.direction, sizeof p->direction);
    if (p->scalar && !p->quantity->frames) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "direction"), object,
                            "%s has no direction; remove it", p->quantity->name);
    }
    GOS_TRY(gos__probe_components(b->arena, p));
    p->start = d.start;
    if (gos__node_given(entry, "start") && !gos__probe_counts(p)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "start"), object,
            "`start` applies only to an angle, or to joint_coordinates with a single value; "
            "remove it");
    }
    *probe = p;
    return GOS_OK;
}

gos_status gos__probe_component(gos_ctx *ctx, const gos_probe *p, const char *name, gos_loc loc,
                                const char *object, int *component) {
    if (!name && p->ncomp == 1) {
        *component = 0;
        return GOS_OK;
    }
    char list[256] = "";
    for (int c = 0; c < p->ncomp; c++) {
        if (name && strcmp(p->components[c], name) == 0) {
            *component = c;
            return GOS_OK;
        }
        const size_t have = strlen(list);
        gos__format(list + have, sizeof list - have, "%s%s.%s", c ? ", " : "", p->name,
                    p->components[c]);
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        name ? "probe '%s' has no component '%s'; use one of %s"
                             : "probe '%s' has several components%.0s; specify one: %s",
                        p->name, name ? name : "", list);
}
