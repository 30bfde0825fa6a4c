/* Material, thickness and axes of cells; axes of nodes. */
#include "deck/reader.h"

#include <math.h>

/* start a section; its material may be defined later */
static gos_status begin(gos_deck_reader *r, gos_deck_section_kind kind, bool material,
                        gos_deck_section **section) {
    const char *set, *label = NULL;
    gos_deck *d = r->deck;
    gos_deck_section s = {.kind = kind, .material = -1, .loc = r->card_loc};
    GOS_TRY(gos__deck_need(r, "ELSET", &set));
    GOS_TRY(material ? gos__deck_need(r, "MATERIAL", &label) : GOS_OK);
    GOS_TRY(gos__deck_set_items(r, true, set, &s.n, &s.cell));
    GOS_TRY(
        gos__deck_param_named(r, &r->orientations, "orientation", "ORIENTATION", &s.orientation));
    s.nodal = gos__deck_param(r, "NODALTHICKNESS") != NULL;
    s.set = gos__arena_strdup(r->arena, set);
    GOS_TRY(s.set ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__deck_add(r, &d->section, &d->nsection, sizeof s, section));
    **section = s;
    if (!material) {
        return GOS_OK;
    }
    gos_deck_waiting *w;
    GOS_TRY(gos__deck_add(r, &r->waiting, &r->nwaiting, sizeof *w, &w));
    *w = (gos_deck_waiting){d->nsection - 1, -1, gos__arena_strdup(r->arena, label), r->card_loc};
    return w->material ? GOS_OK : GOS_E_MEMORY;
}

static gos_status check_cells(gos_deck_reader *r, const gos_deck_section *s, int lo, int hi) {
    for (int i = 0; i < s->n; i++) {
        int k;
        const gos_cell_block *b = gos__mesh_cell(r->mesh, s->cell[i], &k);
        const int dim = gos__cell_kind[b->shape].dim;
        if (dim < lo || dim > hi) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                                "element %lld of type %s does not support this section",
                                (long long)b->tag[k], b->type);
        }
    }
    return GOS_OK;
}

/* n numbers above 0, on the next line, which NODAL THICKNESS may replace; the first is required,
 * further ones if `missing` is NAN */
static gos_status read_sizes(gos_deck_reader *r, const char *what, int n, double missing,
                             gos_deck_section *s) {
    bool more;
    GOS_TRY(gos__deck_data(r, &more));
    if (!more && s->nodal) {
        return GOS_OK;
    }
    if (!more) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the line with the %s is missing below this card", what);
    }
    for (int k = 0; k < n; k++) {
        GOS_TRY(gos__deck_next_real(r, what, k > 0 ? missing : (double)NAN, &s->value[k]));
        if (!(s->value[k] > 0.0)) {
            return gos__deck_fail(r, NULL, "the %s is %g; it must be above 0", what, s->value[k]);
        }
    }
    return GOS_OK;
}

gos_status gos__deck_card_solid(gos_deck_reader *r) {
    gos_deck_section *s;
    bool more;
    GOS_TRY(begin(r, GOS_DECK_SOLID, true, &s));
    GOS_TRY(check_cells(r, s, 0, 3)); // 0: DCOUP3D, where CalculiX wants one
    if (gos__deck_param(r, "OFFSET")) {
        GOS_TRY(check_cells(r, s, 2, 2)); // of plane elements: a motion across the plane
        gos__note(r->ctx, r->object, "OFFSET has no effect on plane elements");
    }
    GOS_TRY(gos__deck_data(r, &more));
    if (more) {
        GOS_TRY(gos__deck_next_real(r, "thickness", 0.0, &s->value[0]));
        GOS_TRY(gos__deck_end(r));
        if (!(s->value[0] >= 0.0)) {
            return gos__deck_fail(r, NULL, "the thickness is %g; it must not be below 0",
                                  s->value[0]);
        }
    }
    return GOS_OK;
}

gos_status gos__deck_card_shell(gos_deck_reader *r) {
    gos_deck_section *s;
    const char *offset = gos__deck_param(r, "OFFSET");
    const bool composite = gos__deck_param(r, "COMPOSITE") != NULL;
    double points;
    GOS_TRY(begin(r, GOS_DECK_SHELL, !composite, &s));
    GOS_TRY(check_cells(r, s, 2, 2));
    if (offset && (strcmp(offset, "SPOS") == 0 || strcmp(offset, "SNEG") == 0)) {
        s->offset[0] = offset[1] == 'P' ? 0.5 : -0.5;
    } else {
        GOS_TRY(gos__deck_param_real(r, "OFFSET", 0.0, &s->offset[0]));
    }
    if (composite) {
        return gos__deck_layers(r, r->deck->nsection - 1);
    }
    GOS_TRY(read_sizes(r, "thickness", 1, (double)NAN, s));
    if (s->value[0] == 0) {
        return GOS_OK; // NODAL THICKNESS alone
    }
    GOS_TRY(gos__deck_next_real(r, "number of points", 0.0,
                                &points)); // Abaqus
    return gos__deck_end(r);
}

gos_status gos__deck_card_membrane(gos_deck_reader *r) {
    gos_deck_section *s;
    GOS_TRY(begin(r, GOS_DECK_MEMBRANE, true, &s));
    GOS_TRY(check_cells(r, s, 2, 2));
    GOS_TRY(read_sizes(r, "thickness", 1, (double)NAN, s));
    return gos__deck_end(r);
}

gos_status gos__deck_card_beam(gos_deck_reader *r) {
    static const int sizes[] = {2, 2, 2, 6};
    static const char *const what[] = {
        "width of the rectangle in direction 1 and 2", "diameter in direction 1 and 2",
        "outer radius and thickness", "size of the box: a, b, t1, t2, t3, t4"};
    gos_deck_section *s;
    const char *given;
    int kind;
    bool more;
    GOS_TRY(gos__deck_need(r, "SECTION", &given));
    GOS_TRY(gos__deck_param_choice(r, "SECTION", "RECT CIRC PIPE BOX RECTANGULAR CIRCULAR", &kind));
    kind %= 4; // the long words are the first two
    GOS_TRY(begin(r, (gos_deck_section_kind)(GOS_DECK_BEAM_RECT + kind), true, &s));
    GOS_TRY(check_cells(r, s, 1, 1));
    GOS_TRY(gos__deck_param_real(r, "OFFSET1", 0.0, &s->offset[0]));
    GOS_TRY(gos__deck_param_real(r, "OFFSET2", 0.0, &s->offset[1]));
    GOS_TRY(read_sizes(r, what[kind], sizes[kind], kind < 2 ? HUGE_VAL : (double)NAN, s));
    if (isinf(s->value[1])) {
        s->value[1] = s->value[0];
        if (kind == 1) {
            gos__warn(
                r->ctx, r->loc, r->object,
                "the only number, %g, is the diameter, as in CalculiX; other programs take it "
                "as the radius: give both diameters",
                s->value[0]);
        }
    }
    GOS_TRY(s->value[0] > 0 ? gos__deck_end(r) : GOS_OK);
    s->direction[2] = -1.0;
    GOS_TRY(gos__deck_data(r, &more));
    if (more) {
        GOS_TRY(gos__deck_reals(r, "direction 1 of the section", 3, s->direction));
        GOS_TRY(gos__deck_end(r));
    }
    gos__deck_rotate(r, s->direction);
    return GOS_OK;
}

/* one element type, of a list separated and enclosed by blanks */
static gos_status check_types(gos_deck_reader *r, const gos_deck_section *s, const char *types,
                              const char **type) {
    *type = "";
    for (int i = 0; i < s->n; i++) {
        char word[20];
        int k;
        const gos_cell_block *b = gos__mesh_cell(r->mesh, s->cell[i], &k);
        const bool fits = gos__format(word, sizeof word, " %s ", b->type) < (int)sizeof word &&
                          strstr(types, word) && (i == 0 || strcmp(*type, b->type) == 0);
        if (!fits) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                                "element %lld of type %s does not support this section%s",
                                (long long)b->tag[k], b->type,
                                i > 0 ? ", or others of its set have another type" : "");
        }
        *type = b->type;
    }
    return GOS_OK;
}

/* skips lines of empty fields, which SPRINGA and DASHPOTA have first */
static gos_status next_line(gos_deck_reader *r, const char *what) {
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                                "the line with the %s is missing below this card", what);
        }
        for (const char *s = r->at; s < r->end; s++) {
            if (*s != ',' && *s != ' ' && *s != '\t') {
                return GOS_OK;
            }
        }
    }
}

gos_status gos__deck_card_spring(gos_deck_reader *r) {
    const bool spring = r->card->kind == GOS_DECK_SPRING;
    const char *what = spring ? "stiffness of the spring" : "damping constant of the dashpot";
    const char *type;
    gos_deck_section *s;
    bool more;
    double temperature;
    GOS_TRY(begin(r, (gos_deck_section_kind)r->card->kind, false, &s));
    GOS_TRY(check_types(r, s, spring ? " SPRING1 SPRING2 SPRINGA " : " DASHPOTA ", &type));
    const int n = strcmp(type, "SPRING1") == 0 ? 1 : strcmp(type, "SPRING2") == 0 ? 2 : 0;
    if (n > 0) {
        GOS_TRY(next_line(r, "degrees of freedom"));
    }
    for (int k = 0; k < n; k++) {
        int64_t dof;
        GOS_TRY(gos__deck_next_whole(r, "degree of freedom", 1, 6, 0, &dof));
        s->dof[k] = (int)dof;
    }
    GOS_TRY(n > 0 ? gos__deck_end(r) : GOS_OK);
    GOS_TRY(next_line(r, what));
    GOS_TRY(gos__deck_next_real(r, what, (double)NAN, &s->value[0]));
    if (!(s->value[0] >= 0.0)) {
        return gos__deck_fail(r, NULL, "the %s is %g; it must not be below 0", what, s->value[0]);
    }
    GOS_TRY(gos__deck_next_real(r, "frequency", 0.0, &temperature));
    GOS_TRY(gos__deck_next_real(r, "temperature", 0.0, &temperature));
    GOS_TRY(gos__deck_end(r));
    GOS_TRY(gos__deck_data(r, &more));
    return more ? gos__deck_fail(r, NULL,
                                 "a %s that depends on temperature is not supported; give one line",
                                 spring ? "spring" : "dashpot")
                : GOS_OK;
}

gos_status gos__deck_card_mass(gos_deck_reader *r) {
    gos_deck_section *s;
    const char *type;
    GOS_TRY(begin(r, GOS_DECK_MASS, false, &s));
    GOS_TRY(check_types(r, s, " MASS ", &type));
    GOS_TRY(read_sizes(r, "mass", 1, (double)NAN, s));
    return gos__deck_end(r);
}

gos_status gos__deck_card_thickness(gos_deck_reader *r) {
    const size_t nodes = (size_t)r->mesh->nnode;
    r->thickness = r->thickness ? r->thickness : GOS_NEW(r->arena, double, 2 * nodes + 1);
    GOS_TRY(r->thickness ? GOS_OK : GOS_E_MEMORY);
    for (bool more = true;;) {
        gos_deck_field f = {r->end, 0};
        int n;
        const int *node;
        double t[2];
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        (void)gos__deck_field(r, &f);
        GOS_TRY(gos__deck_nodes(r, &f, &n, &node));
        GOS_TRY(gos__deck_next_real(r, "thickness", (double)NAN, &t[0]));
        GOS_TRY(gos__deck_next_real(r, "thickness in direction 2", t[0], &t[1]));
        GOS_TRY(gos__deck_end(r));
        if (!(t[0] > 0.0 && t[1] > 0.0)) {
            return gos__deck_fail(r, NULL, "the thickness is %g; it must be above 0",
                                  t[0] > 0.0 ? t[1] : t[0]);
        }
        for (int i = 0; i < n; i++) {
            memcpy(&r->thickness[2 * node[i]], t, sizeof t);
        }
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* distinct; for axes x, y not collinear with the origin */
static gos_status read_axes(gos_deck_reader *r, bool cylindrical, double a[3], double b[3]) {
    bool more;
    double ab[6];
    GOS_TRY(gos__deck_data(r, &more));
    if (!more) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the line with the two points is missing below this card");
    }
    GOS_TRY(gos__deck_reals(r, "coordinates of the two points", 6, ab));
    GOS_TRY(gos__deck_end(r));
    memcpy(a, ab, 3 * sizeof *a);
    memcpy(b, ab + 3, 3 * sizeof *b);
    (cylindrical ? gos__deck_place : gos__deck_rotate)(r, a);
    (cylindrical ? gos__deck_place : gos__deck_rotate)(r, b);
    double area = 0.0, size = 0.0, apart = 0.0;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        const double n = a[d] * b[e] - a[e] * b[d];
        area += n * n;
        size += a[c] * a[c] + b[c] * b[c];
        apart += (a[c] - b[c]) * (a[c] - b[c]);
    }
    if (cylindrical ? !(apart > 0.0) : !(area > 1e-24 * size * size)) {
        return gos__deck_fail(r, NULL,
                              cylindrical ? "the two points of the axis are the same"
                                          : "the two points are collinear with the origin");
    }
    return GOS_OK;
}

gos_status gos__deck_card_orientation(gos_deck_reader *r) {
    const char *label;
    gos_deck *d = r->deck;
    gos_deck_orientation o = {.loc = r->card_loc}, *to;
    int64_t axis;
    int system;
    bool more;
    GOS_TRY(gos__deck_need(r, "NAME", &label));
    GOS_TRY(gos__deck_param_choice(r, "SYSTEM", "RECTANGULAR CYLINDRICAL", &system));
    o.cylindrical = system == 1;
    GOS_TRY(read_axes(r, o.cylindrical, o.a, o.b));
    GOS_TRY(gos__deck_data(r, &more));
    if (more) {
        GOS_TRY(gos__deck_next_whole(r, "axis of the additional rotation", 1, 3, 0, &axis));
        GOS_TRY(gos__deck_next_real(r, "angle", 0.0, &o.angle));
        GOS_TRY(gos__deck_end(r));
        o.axis = (int)axis;
    }
    GOS_TRY(gos__deck_name(r, &r->orientations, "orientation", label, d->norientation, &o.name));
    GOS_TRY(gos__deck_add(r, &d->orientation, &d->norientation, sizeof o, &to));
    *to = o;
    return GOS_OK;
}

gos_status gos__deck_card_transform(gos_deck_reader *r) {
    const char *set;
    gos_deck *d = r->deck;
    gos_deck_transform t = {.loc = r->card_loc}, *to;
    int type;
    GOS_TRY(gos__deck_need(r, "NSET", &set));
    GOS_TRY(gos__deck_param_choice(r, "TYPE", "R C", &type));
    t.cylindrical = type == 1;
    GOS_TRY(gos__deck_set_items(r, false, set, &t.n, &t.node));
    GOS_TRY(read_axes(r, t.cylindrical, t.a, t.b));
    GOS_TRY(gos__deck_add(r, &d->transform, &d->ntransform, sizeof t, &to));
    *to = t;
    return GOS_OK;
}

/* ---- nodal thickness ------------------------------------------------------------------------- */

/* shells of six and eight nodes may have another thickness at each node */
static bool varies_freely(const gos_cell_block *b, const gos_deck_section *s) {
    return s->kind == GOS_DECK_SHELL && s->nlayer == 0 &&
           (b->shape == GOS_CELL_TRI6 || b->shape == GOS_CELL_QUAD8);
}

static gos_status take_thickness(gos_deck_reader *r, gos_deck_section *s, int cell, bool first) {
    int at;
    const gos_cell_block *b = gos__mesh_cell(r->mesh, cell, &at);
    const int nodes = gos__cell_kind[b->shape].nodes;
    for (int i = 0; i < nodes; i++) {
        const int node = b->node[at * nodes + i];
        const double *t = r->thickness ? &r->thickness[2 * node] : NULL;
        if (!t || !(t[0] > 0)) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, s->loc, NULL,
                                "node %lld of the set '%s' has no *NODAL THICKNESS",
                                (long long)gos__mesh_node_tag(r->mesh, node), s->set);
        }
        if (first && i == 0) {
            s->value[0] = t[0];
            s->value[1] = s->kind == GOS_DECK_SHELL ? 0 : t[1];
        }
        const bool beam = s->kind >= GOS_DECK_BEAM_RECT && s->kind <= GOS_DECK_BEAM_CIRC;
        if (!varies_freely(b, s) && (t[0] != s->value[0] || (beam && t[1] != s->value[1]))) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, s->loc, NULL,
                                "the nodal thickness of the set '%s' varies, which elements of "
                                "type %s do not support; use S6, S8 or S8R, or one value",
                                s->set, b->type);
        }
    }
    return GOS_OK;
}

static gos_status take_nodal(gos_deck_reader *r) {
    gos_deck *d = r->deck;
    for (int i = 0; i < d->nsection; i++) {
        gos_deck_section *s = &d->section[i];
        bool first = true;
        for (int j = 0; j < s->n && s->nodal && s->nlayer == 0; j++) {
            if (d->cell_section[s->cell[j]] == i) {
                GOS_TRY(take_thickness(r, s, s->cell[j], first));
                first = false;
            }
        }
    }
    return GOS_OK;
}

/* ---- completion ------------------------------------------------------------------------------ */

gos_status gos__deck_sections_finish(gos_deck_reader *r) {
    gos_deck *d = r->deck;
    for (int i = 0; i < r->nwaiting; i++) {
        const gos_deck_waiting *w = &r->waiting[i];
        const int *found = gos__names_find(&r->materials, w->material, strlen(w->material));
        if (!found) {
            return gos__fail_at(
                r->ctx, GOS_E_INPUT, w->loc, NULL,
                "the section of set '%s' uses material '%s', which the deck does not define",
                d->section[w->section].set, w->material);
        }
        gos_deck_section *s = &d->section[w->section];
        if (w->layer >= 0) {
            s->layer[w->layer].material = *found;
        }
        s->material = w->layer <= 0 ? *found : s->material;
    }
    d->cell_section = GOS_NEW(r->arena, int, d->mesh->ncell + 1L);
    GOS_TRY(d->cell_section ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->mesh->ncell; i++) {
        d->cell_section[i] = -1;
    }
    for (int i = 0; i < d->mesh->nblock; i++) {
        const int dim = gos__cell_kind[d->mesh->block[i].shape].dim;
        d->dim = d->mesh->block[i].n > 0 && dim > d->dim ? dim : d->dim;
    }
    for (int i = 0; i < d->nsection; i++) {
        for (int k = 0; k < d->section[i].n; k++) {
            d->cell_section[d->section[i].cell[k]] = i;
        }
    }
    return take_nodal(r);
}
