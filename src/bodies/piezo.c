/* Type patch of `piezo`: thin sheets on faces of shells and plates. Forces K_uphi V; charge Q =
 * K_uphi^T u + C V + pyroelectric charge. */
#include "bodies/piezo.h"
#include "base/units.h"

#include "base/base.h"
#include "parts/first_order_states.h"
#include "math/vec3.h"

#define TEXTS(key, flags_, doc_)                                                                   \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NAMES, .unit = "", .flags = flags_,                            \
        .offset = offsetof(gos_piezo_def, key), .doc = doc_                                        \
    }
#define POSITIVE(key, unit_, doc_)                                                                 \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = unit_, .lo = 0, .hi = HUGE_VAL,                \
        .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN, .offset = offsetof(gos_piezo_def, key),           \
        .doc = doc_                                                                                \
    }
#define CONSTANT(key, unit_, flags_, doc_)                                                         \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = unit_, .lo = -HUGE_VAL, .hi = HUGE_VAL,        \
        .flags = flags_, .offset = offsetof(gos_piezo_def, key), .doc = doc_                       \
    }

static const gos_param params[] = {
    TEXTS(on, GOS_P_REQUIRED,
          "the body (ancf_plate, modal_shell, or floating with a mesh of four-node shells) or "
          "parts of it: on plates BODY.cell(k), BODY.cell(i,j), BODY.cells(i0,i1,j0,j1) or, in m, "
          "BODY.range(x0,x1,y0,y1); on meshes sets of cells, BODY.SET"),
    TEXTS(faces, 0,
          "upper (the side to which the shell normals point), lower, or both (default); patches "
          "are numbered in this order"),
    POSITIVE(thickness, "m", "thickness of the patches"),
    CONSTANT(e31, "C/m^2", GOS_P_REQUIRED,
             "stress along axis 1 per field along axis 3, at constant strain and reduced to plane "
             "stress: e31 - e33 c13 / c33. Axis 3 points away from the shell on both faces"),
    CONSTANT(e32, "C/m^2", 0, "the same along axis 2; default: e31"),
    CONSTANT(e36, "C/m^2", 0, "the same for shear between axes 1 and 2"),
    POSITIVE(permittivity, "F/m", "along axis 3 at constant strain, reduced: eps33 + e33^2 / c33"),
    CONSTANT(pyroelectric, "C/(m^2 K)", 0,
             "pyroelectric coefficient: charge per area and temperature"),
    {.name = "along",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_piezo_def, along),
     .doc = "direction of axis 1 in mesh axes (for plates: global axes at t = 0), projected onto "
            "the surface; required if e31 and e32 differ or e36 is not 0"},
    {.name = "channels",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(gos_piezo_def, channels),
     .doc = "which patches share an electrode: each (one electrode per patch, NAME(k), k = 1, 2, "
            "... in the order of the cells, face by face; default), joined (one for all, NAME), "
            "bimorph (the two patches of a cell in opposition, for bending, NAME(k)), or {CHANNEL: "
            "[upper, -lower, SET, -SET.lower, cell(12).upper], ...} with the electrodes "
            "NAME.CHANNEL; a minus reverses the voltage on the patches"},
    {.name = "material",
     .kind = GOS_K_NAME,
     .unit = "",
     .offset = offsetof(gos_piezo_def, material),
     .choices = "materials",
     .doc = "material of the patches, with young and poisson for shorted electrodes; the patches "
            "then have their own mass, stiffness, expansion and (on a body with temperatures) heat "
            "capacity"},
    {.name = "own",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .choices = "auto=0|none=1|assembled=2|modal=3",
     .offset = offsetof(gos_piezo_def, own),
     .doc = "mass and stiffness of the patches: none; assembled, as layers of the shell that "
            "follow its displacements and rotations; modal, as assembled, but a reduced body uses "
            "the modes and other basis vectors of the bare shell; auto: assembled if `material` "
            "is given"},
    GOS_PIEZO_DRIVE_ROWS,
    {0}};

/* ---- reading --------------------------------------------------------------------------------- */

/* Finds the body of the entry; all locations must be on one body. */
static gos_status read_body(gos_builder *b, gos_piezo *p) {
    size_t n = 0;
    for (int i = 0; i < p->def.on.n; i++) {
        const char *text = p->def.on.v[i];
        const size_t own = strcspn(text, ".");
        if (i > 0 && (own != n || strncmp(text, p->def.on.v[0], n) != 0)) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, p->def.on.loc[i], p->object,
                "'%s' and '%s' are on different bodies; use one entry for each body",
                p->def.on.v[0], text);
        }
        n = own;
    }
    p->body = gos__arena_printf(b->arena, "%.*s", (int)n, p->def.on.v[0]);
    return p->body ? GOS_OK : GOS_E_MEMORY;
}

static gos_status read_faces(const gos_builder *b, const gos_piezo *p) {
    const gos_texts *faces = &p->def.faces;
    for (int i = 0; i < faces->n; i++) {
        const bool known = strcmp(faces->v[i], "upper") == 0 || strcmp(faces->v[i], "lower") == 0;
        if (!known || (i > 0 && strcmp(faces->v[i], faces->v[0]) == 0)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, faces->loc[i], p->object,
                                known ? "face '%s' is given twice; remove one"
                                      : "there is no face '%s'; use upper, lower or both",
                                faces->v[i]);
        }
    }
    return GOS_OK;
}

static gos_status refuse(gos_builder *b, const gos_piezo *p, const char *key, const char *why) {
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, key), p->object, "%s", why);
}

static gos_status check_drive(gos_builder *b, const gos_piezo *p) {
    static const struct {
        const char *key;
        gos_piezo_drive drive;
    } own[] = {{"voltage", GOS_PIEZO_VOLTAGE},  {"voltages", GOS_PIEZO_VOLTAGE},
               {"charge", GOS_PIEZO_CHARGE},    {"resistance", GOS_PIEZO_SHUNT},
               {"inductance", GOS_PIEZO_SHUNT}, {"connection", GOS_PIEZO_SHUNT}};
    const gos_piezo_def *d = &p->def;
    for (int i = 0; i < GOS_COUNT(own); i++) {
        if (own[i].drive != (gos_piezo_drive)d->drive && gos__node_given(p->entry, own[i].key)) {
            return refuse(b, p, own[i].key, "`drive` selects a different input; remove this key");
        }
    }
    if (d->drive == GOS_PIEZO_CHARGE && d->capacitance_error != 0) {
        return refuse(b, p, "capacitance_error",
                      "electrodes driven by charge include their capacitance in the stiffness of "
                      "the body; change `permittivity` instead");
    }
    if (d->drive == GOS_PIEZO_SHUNT && !(d->resistance > 0 || d->inductance > 0)) {
        return refuse(b, p, "drive", "a shunt needs a resistance or an inductance > 0");
    }
    return GOS_OK;
}

static gos_status check_own(gos_builder *b, gos_piezo *p) {
    gos_piezo_def *d = &p->def;
    if (d->own == GOS_PIEZO_AUTO) {
        d->own = d->material ? GOS_PIEZO_ASSEMBLED : GOS_PIEZO_NONE;
    }
    if (d->own != GOS_PIEZO_NONE && !d->material) {
        return refuse(b, p, "own",
                      "patches with mass and stiffness need a material; give `material`");
    }
    const gos_material *m = d->material ? gos__find_material(b, d->material) : NULL;
    if (d->material && !m) {
        return GOS_E_INPUT; // already reported
    }
    if (m && m->kind != GOS_MATERIAL_ISOTROPIC) {
        return refuse(b, p, "material",
                      "patches need an isotropic material, neither orthotropic nor a laminate");
    }
    return m && gos__material_varies(m) ? refuse(b, p, "material",
                                                 "patches do not support temperature-dependent "
                                                 "properties; use a material with constant ones")
                                        : GOS_OK;
}

gos_status gos__piezo_material(gos_builder *b, const gos_piezo *p, bool warm,
                               const gos_material **material) {
    const gos_material *m = gos__find_material(b, p->def.material);
    if (warm && !(m->conductivity > 0 && m->specific_heat > 0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "material"), p->object,
                            "material '%s' has no conductivity or specific_heat, which patches "
                            "with mass and stiffness need on a body with temperatures; give both, "
                            "or set `temperature: off` on the body",
                            m->name);
    }
    *material = m;
    return GOS_OK;
}

void gos__piezo_note_mass(gos_builder *b, const gos_piezo *one, double added, double bare) {
    char text[200];
    gos__format(text, sizeof text, "patches add %.3g %% to the mass of body '%s' (%.4g %s to %.4g)",
                100 * added / bare, one->body, added,
                gos__unit_label(b->model->units, "kg", GOS_UNIT_BUFFER), bare);
    gos__note(b->ctx, one->object, text);
}

gos_status gos__piezo_read(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *name, const char *object, gos_piezo **piezo) {
    gos_piezo *p = GOS_NEW(b->arena, gos_piezo, 1);
    GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
    *p = (gos_piezo){.entry = entry,
                     .name = gos__arena_strdup(b->arena, name),
                     .object = gos__arena_strdup(b->arena, object)};
    GOS_TRY(p->name && p->object ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &p->def));
    *piezo = p;
    GOS_TRY(check_drive(b, p));
    return read_body(b, p);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    gos_piezo *p;
    GOS_TRY(gos__piezo_read(b, type, entry, name, object, &p));
    gos_piezo_def *d = &p->def;
    d->e32 = gos__node_given(entry, "e32") ? d->e32 : d->e31;
    if ((d->e32 != d->e31 || d->e36 != 0) && !(gos__norm3(d->along) > 0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "e31"), object,
                            "e31 and e32 differ, or e36 is not 0, but the direction of axis 1 is "
                            "missing; give 'along'");
    }
    GOS_TRY(check_own(b, p));
    GOS_TRY(read_faces(b, p));
    return gos__names_add(b->arena, &b->piezo, p->name, p);
}

gos_piezo *gos__find_piezo(const gos_builder *b, const gos_node *entry) {
    return gos__names_find(&b->piezo, entry->key, strlen(entry->key));
}

gos_status gos__piezo_finish(gos_builder *b, const gos_piezo *p) {
    const gos_body *body = gos__find_body(b, p->body);
    const gos_loc loc = p->def.on.loc[0];
    if (p->taken) {
        return GOS_OK;
    }
    if (body) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, p->object,
            p->given ? "body '%s' (%s) has no electrodes of its own; use one of type modal"
                     : "body '%s' (%s) cannot carry patches; use one of type floating whose mesh "
                       "has shells, ancf_plate, or modal_shell",
            p->body, body->type);
    }
    const char *known[64];
    int n = 0;
    for (int i = 0; i < b->nbody && n < GOS_COUNT(known); i++) {
        known[n++] = b->body[i]->name;
    }
    const char *near = gos__suggest(p->body, known, n);
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object, "there is no body '%s'%s%s%s", p->body,
                        near ? "; did you mean '" : "; use one of the model", near ? near : "",
                        near ? "'?" : "");
}

/* ---- electrodes ------------------------------------------------------------------------------ */

/* Makes the signal of column e of the flexibility data. */
static gos_status signal_of(gos_builder *b, const gos_floating_body *f, const gos_body *body, int e,
                            gos_signal *s) {
    const gos_flex_piezo *z = &f->flex->piezo;
    const gos_sparse *A = &z->force, *T = &z->charge;
    // the thermal column exists even without temperatures
    const int n = A->p[e + 1] - A->p[e], nt = T->p && body->nt > 0 ? T->p[e + 1] - T->p[e] : 0;
    for (int c = 0; c < 3; c++) {
        int *at = GOS_NEW(b->arena, int, n + 1), count = 0;
        double *w = GOS_NEW(b->arena, double, n + 1);
        GOS_TRY(at && w ? GOS_OK : GOS_E_MEMORY);
        for (int k = A->p[e]; k < A->p[e + 1]; k++) {
            const int single = f->derived->z[A->i[k]];
            if (single % 3 == c) {
                at[count] = single / 3;
                w[count++] = A->x[k];
            }
        }
        s->m[c] = (gos_marker){.n = count, .idx = at, .w = w};
    }
    int *at = GOS_NEW(b->arena, int, nt + 1);
    GOS_TRY(at ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < nt; k++) {
        at[k] = body->t0 + T->i[T->p[e] + k];
    }
    return gos__tmarker_make(b->arena, nt, at, nt > 0 ? T->x + T->p[e] : NULL, &s->tm);
}

static void eval(const gos_item *it, const gos_item_io *io) {
    for (int c = 0; c < it->nm && io->f; c++) {
        io->f[4 * c] += io->scale * io->fn[0];
    }
}

static const gos_item_type type_drive = {
    .name = "drive", .eval = eval, .by_input = gos__by_unit_input};
static const gos_input_def inputs[] = {{.unit = "V", .kind = GOS_INPUT_FORCE},
                                       {.unit = "C", .kind = GOS_INPUT_FORCE}};

/* Compares `key` with the part in brackets or after a dot. */
static bool is_channel(const gos_piezo *p, int e, const char *key) {
    const char *tail = p->electrode[e] + strlen(p->name);
    const size_t n = strlen(key);
    return (*tail == '(' || *tail == '.') && strncmp(tail + 1, key, n) == 0 &&
           (tail[n + 1] == '\0' || tail[n + 1] == ')');
}

/* Makes the electrode's own function, which an external input may replace. */
static gos_status function_of(gos_builder *b, const gos_piezo *p, int e, gos_timefn **fn) {
    const gos_scope scope = {.time = true, .probes = true};
    const gos_node zero = {.kind = GOS_SCALAR, .text = "0", .loc = p->entry->loc};
    const bool charge = p->def.drive == GOS_PIEZO_CHARGE;
    const gos_node *from = gos__node_given(p->entry, charge ? "charge" : "voltage");
    for (const gos_node *c = p->def.voltages ? p->def.voltages->child : NULL; c; c = c->next) {
        from = is_channel(p, e, c->key) ? c : from;
    }
    GOS_TRY(gos__timefn_make(b->model, from ? from : &zero, p->object, &scope, b->arena, fn));
    gos__timefn_set_unit(*fn, charge ? "C" : "V");
    return GOS_OK;
}

gos_status gos__piezo_check_channels(gos_builder *b, const gos_piezo *p) {
    const gos_node *list = p->def.voltages;
    if (list && list->kind != GOS_MAP) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, p->object,
                            "voltages is not a map; write {CHANNEL or number: function of time}");
    }
    for (const gos_node *c = list ? list->child : NULL; c; c = c->next) {
        bool found = false;
        for (int e = 0; e < p->n && !found; e++) {
            found = is_channel(p, e, c->key);
        }
        if (!found) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, c->key_loc, p->object,
                                "there is no electrode '%s'; there are %d, from '%s' to '%s'",
                                c->key, p->n, p->electrode[0], p->electrode[p->n - 1]);
        }
    }
    return GOS_OK;
}

/* to = factor from */
static gos_status scaled(gos_builder *b, const gos_marker from[3], double factor,
                         gos_marker to[3]) {
    for (int c = 0; c < 3; c++) {
        GOS_TRY(gos__marker_sum(b->arena, 1, &from[c], &factor, &to[c]));
    }
    return GOS_OK;
}

static gos_status feed(gos_builder *b, int fn, double factor, gos_signal *s) {
    double *f = GOS_NEW(b->arena, double, 1);
    int *input = GOS_NEW(b->arena, int, 1);
    GOS_TRY(f && input ? GOS_OK : GOS_E_MEMORY);
    *f = factor;
    *input = fn;
    s->n = 1;
    s->input = input;
    s->factor = f;
    return GOS_OK;
}

/* to = factor times pyroelectric charge, plus c times state v (-1: none) */
static gos_status warmed(gos_builder *b, const gos_signal *motional, double factor, int v, double c,
                         gos_tmarker *to) {
    const gos_tmarker *tm = &motional->tm;
    const int n = tm->n + (v >= 0);
    int *at = GOS_NEW(b->arena, int, n + 1);
    double *w = GOS_NEW(b->arena, double, n + 1);
    GOS_TRY(at && w ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < tm->n; k++) {
        at[k] = tm->idx[k];
        w[k] = factor * tm->w[k];
    }
    if (v >= 0) {
        at[tm->n] = v;
        w[tm->n] = c;
    }
    return gos__tmarker_make(b->arena, n, at, w, to);
}

/* Voltage: forces k V, charge k^T u + p^T T + C V. Charge: forces k Q / C, voltage (Q - k^T u - p^T
 * T) / C; the body then has the stiffness k k^T / C and thermal forces k p^T / C. */
static gos_status drive(gos_builder *b, const gos_piezo *p, int e, double C, gos_electrode *own) {
    const bool charge = p->def.drive == GOS_PIEZO_CHARGE;
    gos_signal *given = &own->signal[charge ? GOS_ELECTRODE_CHARGE : GOS_ELECTRODE_VOLTAGE],
               *follows = &own->signal[charge ? GOS_ELECTRODE_VOLTAGE : GOS_ELECTRODE_CHARGE];
    const gos_signal *motional = &own->signal[GOS_ELECTRODE_MOTIONAL];
    gos_timefn *fn = NULL;
    gos_item item = {.type = &type_drive,
                     .loc = p->entry->key_loc,
                     .name = p->object,
                     .entry = p->electrode[e],
                     .nfn = 1,
                     .dead = true,
                     .nm = 3,
                     .ninput = 1,
                     .input = &inputs[charge]};
    GOS_TRY(function_of(b, p, e, &fn));
    GOS_TRY(gos__add_timefns(b, 1, &fn, &item.fn0));
    GOS_TRY(scaled(b, motional->m, charge ? 1 / C : 1, item.m));
    GOS_TRY(scaled(b, motional->m, charge ? -1 / C : 1, follows->m));
    GOS_TRY(warmed(b, motional, charge ? -1 / C : 1, -1, 0, &follows->tm));
    GOS_TRY(feed(b, item.fn0, 1, given));
    GOS_TRY(feed(b, item.fn0, charge ? 1 / C : C, follows));
    return gos__add_item(b, &item, NULL);
}

/* Shunt: states v and, with an inductance, i. Parallel: C v' + k^T z' + p^T T' + v / R + i = 0, L
 * i' = v. Series: C v' + k^T z' + p^T T' + i = 0, L i' + R i = v. Strain heating adds T_ref p
 * v'. */
static gos_status shunt(gos_builder *b, const gos_piezo *p, double C, gos_electrode *own) {
    const gos_piezo_def *d = &p->def;
    const char *object =
        p->n == 1 ? p->object : gos__arena_printf(b->arena, "piezo '%s'", own->name);
    const gos_signal *motional = &own->signal[GOS_ELECTRODE_MOTIONAL];
    const bool row = !d->parallel && d->inductance > 0;
    const double inertia[] = {C, d->inductance};
    const gos_states states = {.type = "shunt",
                               .object = object,
                               .loc = p->entry->loc,
                               .n = d->inductance > 0 ? 2 : 1,
                               .inertia = inertia,
                               .scale = 1};
    int v;
    GOS_TRY(object ? gos__add_states(b, &states, &v) : GOS_E_MEMORY);
    for (int c = 0; c < 3; c++) {
        const gos_marker *m = &motional->m[c];
        for (int k = 0; k < m->n; k++) {
            GOS_TRY(gos__add_constant(b, GOS_CONSTANT_G, 3 * m->idx[k] + c, v, -m->w[k]));
            GOS_TRY(gos__add_constant(b, GOS_CONSTANT_H, v, 3 * m->idx[k] + c, m->w[k]));
        }
    }
    for (int k = 0; k < motional->tm.n; k++) {
        const int t = motional->tm.idx[k];
        const double p_t = motional->tm.w[k];
        GOS_TRY(gos__add_constant(b, GOS_CONSTANT_E, v, t, p_t));
        GOS_TRY(b->gough_joule ? gos__add_constant(b, GOS_CONSTANT_E, t, v, b->T_ref * p_t)
                               : GOS_OK);
    }
    if (!row && d->resistance > 0) {
        GOS_TRY(gos__add_constant(b, GOS_CONSTANT_S, v, v, 1 / d->resistance));
    }
    if (d->inductance > 0) {
        const int i = v + 1;
        GOS_TRY(gos__add_constant(b, GOS_CONSTANT_S, v, i, 1));
        GOS_TRY(gos__add_constant(b, GOS_CONSTANT_S, i, v, -1));
        GOS_TRY(row ? gos__add_constant(b, GOS_CONSTANT_S, i, i, d->resistance) : GOS_OK);
    }
    own->signal[GOS_ELECTRODE_CHARGE] = *motional;
    GOS_TRY(warmed(b, motional, 1, v, C, &own->signal[GOS_ELECTRODE_CHARGE].tm));
    return gos__tmarker_make(b->arena, 1, &v, (const double[]){1},
                             &own->signal[GOS_ELECTRODE_VOLTAGE].tm);
}

gos_status gos__piezo_electrode(gos_builder *b, const gos_piezo *p, int e, const gos_body *body,
                                const gos_signal *motional, double capacitance) {
    gos_electrode own = {.name = p->electrode[e], .body = body};
    capacitance *= b->model->nominal ? 1 : 1 + p->def.capacitance_error;
    if (p->patch_start) {
        own.patch = p->patch + p->patch_start[e];
        own.npatch = p->patch_start[e + 1] - p->patch_start[e];
    }
    own.signal[GOS_ELECTRODE_MOTIONAL] = *motional;
    memcpy(own.signal[GOS_ELECTRODE_CURRENT].md, motional->m, sizeof motional->m);
    GOS_TRY((p->def.drive == GOS_PIEZO_SHUNT ? shunt(b, p, capacitance, &own)
                                             : drive(b, p, e, capacitance, &own)));
    return gos__add_electrode(b, &own);
}

gos_status gos__piezo_connect(gos_builder *b, const gos_piezo *p, const gos_floating_body *f,
                              const gos_body *body) {
    GOS_TRY(gos__piezo_check_channels(b, p));
    for (int e = 0; e < p->n; e++) {
        const int column = p->first + e;
        gos_signal motional = {0};
        GOS_TRY(signal_of(b, f, body, column, &motional));
        GOS_TRY(gos__piezo_electrode(b, p, e, body, &motional, f->flex->piezo.capacitance[column]));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__piezo_patch = {
    .section = "piezo",
    .name = "patch",
    .doc = "Thin piezoelectric sheets on faces of shells and plates. Voltages, charges or shunts "
           "drive their electrodes; probes report the charges.",
    .params = params,
    .size = sizeof(gos_piezo_def),
    .example = "patches: {type: patch, on: sheet, thickness: 4.0e-4, e31: -6.5, permittivity: "
               "1.3e-8}",
    .ops = &ops};
