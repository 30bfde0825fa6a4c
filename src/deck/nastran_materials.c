/* Materials, and properties of shells and solids. */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

/* ---- materials ------------------------------------------------------------------------------- */

static gos_status table(gos_nastran *r, const gos_nastran_card *c, int n, const double *v,
                        gos_deck_table *t) {
    *t = (gos_deck_table){.n = 1,
                          .width = n,
                          .t = GOS_NEW(r->arena, double, 1),
                          .v = GOS_NEW(r->arena, double, n),
                          .loc = c->loc};
    GOS_TRY(t->t && t->v ? GOS_OK : GOS_E_MEMORY);
    memcpy(t->v, v, (size_t)n * sizeof *v);
    return GOS_OK;
}

/* number and name; density and expansion are added where they are not 0 */
static gos_status add_material(gos_nastran *r, const gos_nastran_card *c, double density,
                               gos_deck_material *m) {
    int64_t id;
    gos_deck *d = r->deck;
    gos_deck_material *to;
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the material", &id));
    GOS_TRY(gos__nastran_new(r, c, &r->material_of, id, "material", d->nmaterial));
    m->name = gos__arena_printf(r->arena, "%lld", (long long)id);
    m->loc = c->loc;
    GOS_TRY(m->name ? GOS_OK : GOS_E_MEMORY);
    if (!(density >= 0)) {
        return gos__nastran_fail(r, c, 0, "the density is %g; it must not be below 0", density);
    }
    density *= r->mass_factor;
    GOS_TRY(density > 0 ? table(r, c, 1, &density, &m->density) : GOS_OK);
    GOS_TRY(gos__nastran_add(r, &d->material, &d->nmaterial, sizeof *to, &to));
    *to = *m;
    return GOS_OK;
}

/* two of E, G, NU */
static gos_status elastic(gos_nastran *r, const gos_nastran_card *c, double e[2]) {
    double E, G, nu;
    GOS_TRY(gos__nastran_real(r, c, 2, "Young's modulus", 0.0, &E));
    GOS_TRY(gos__nastran_real(r, c, 3, "shear modulus", 0.0, &G));
    GOS_TRY(gos__nastran_real(r, c, 4, "Poisson's ratio", 0.0, &nu));
    const bool has_nu = !gos__nastran_blank(r, c, 4);
    if ((E != 0) + (G != 0) + has_nu < 2) {
        return gos__nastran_fail(r, c, 0, "give two of E, G and NU (fields 3 to 5)");
    }
    E = E != 0 ? E : 2 * (1 + nu) * G;
    nu = has_nu ? nu : E / (2 * G) - 1;
    if (!(E > 0) || !(nu > -1) || !(nu < 0.5)) {
        return gos__nastran_fail(
            r, c, 0, "E is %g and NU is %g: E must be above 0, NU between -1 and 0.5", E, nu);
    }
    if (G != 0 && !(fabs(E / (2 * (1 + nu)) / G - 1) <= 0.01)) {
        return gos__nastran_fail(r, c, 3,
                                 "G is %g, but E / (2 (1 + NU)) is %g: materials whose shear "
                                 "modulus is independent are not supported; leave G empty",
                                 G, E / (2 * (1 + nu)));
    }
    e[0] = E;
    e[1] = nu;
    return GOS_OK;
}

static void warn_damping(gos_nastran *r, const gos_nastran_card *c, int i) {
    double damping;
    if (gos__nastran_real(r, c, i, "structural damping", 0.0, &damping) == GOS_OK && damping != 0) {
        gos__nastran_warn(r, c, "structural damping GE is not applied; use `damping` of the body");
    }
}

gos_status gos__nastran_read_mat1(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_material m = {.elastic_law = GOS_DECK_ISOTROPIC};
    double e[2], rho, alpha;
    GOS_TRY(elastic(r, c, e));
    GOS_TRY(table(r, c, 2, e, &m.elastic));
    GOS_TRY(gos__nastran_real(r, c, 5, "density", 0.0, &rho));
    GOS_TRY(gos__nastran_real(r, c, 6, "expansion", 0.0, &alpha));
    GOS_TRY(gos__nastran_real(r, c, 7, "reference temperature", 0.0, &m.zero));
    GOS_TRY(alpha != 0 ? table(r, c, 1, &alpha, &m.expansion) : GOS_OK);
    warn_damping(r, c, 8);
    return add_material(r, c, rho, &m);
}

/* plane stress: E1 E2 NU12 G12 G1Z G2Z */
gos_status gos__nastran_read_mat8(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_material m = {.elastic_law = GOS_DECK_LAMINA, .expansion_law = GOS_DECK_ORTHOTROPIC};
    static const char *const what[] = {"modulus E1",  "modulus E2",  "Poisson's ratio NU12",
                                       "modulus G12", "modulus G1Z", "modulus G2Z"};
    double e[6], rho, alpha[3] = {0, 0, 0};
    for (int k = 0; k < 6; k++) {
        if (k > 3 && gos__nastran_blank(r, c, 2 + k)) {
            gos__nastran_warn(r, c,
                              "the %s (field %d) is empty, for rigidity in transverse shear, which "
                              "is not supported: G12 is used",
                              what[k], 3 + k);
            e[k] = e[3];
            continue;
        }
        GOS_TRY(k == 2 ? gos__nastran_real(r, c, 2 + k, what[k], (double)NAN, &e[k])
                       : gos__nastran_positive(r, c, 2 + k, what[k], &e[k]));
    }
    GOS_TRY(table(r, c, 6, e, &m.elastic));
    GOS_TRY(gos__nastran_real(r, c, 8, "density", 0.0, &rho));
    GOS_TRY(gos__nastran_reals(r, c, 9, "expansion", 2, alpha));
    GOS_TRY(gos__nastran_real(r, c, 11, "reference temperature", 0.0, &m.zero));
    GOS_TRY(alpha[0] != 0 || alpha[1] != 0 ? table(r, c, 3, alpha, &m.expansion) : GOS_OK);
    warn_damping(r, c, 17);
    return add_material(r, c, rho, &m);
}

gos_status gos__nastran_material(gos_nastran *r, const gos_nastran_card *c, int i, double extra,
                                 int *material) {
    int64_t id;
    gos_deck *d = r->deck;
    gos_deck_material *to;
    GOS_TRY(gos__nastran_id(r, c, i, "number of the material", &id));
    const gos_nastran_card *found = gos__nastran_find(r, &r->material_of, id);
    if (!found) {
        return gos__nastran_fail(r, c, i,
                                 "there is no material %lld; correct the number, or add "
                                 "it by MAT1",
                                 (long long)id);
    }
    *material = found->thing;
    if (extra == 0) {
        return GOS_OK;
    }
    gos_deck_material m = d->material[found->thing];
    const double density = (m.density.n > 0 ? m.density.v[0] : 0) + extra * r->mass_factor;
    if (!(density > 0)) {
        return gos__nastran_fail(r, c, 0, "the mass with that of NSM is not above 0");
    }
    m.name = gos__arena_printf(r->arena, "%s of %s in line %d", m.name, c->name, c->loc.line);
    GOS_TRY(m.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(table(r, c, 1, &density, &m.density));
    *material = d->nmaterial;
    GOS_TRY(gos__nastran_add(r, &d->material, &d->nmaterial, sizeof *to, &to));
    *to = m;
    return GOS_OK;
}

/* ---- properties ------------------------------------------------------------------------------ */

gos_status gos__nastran_add_property(gos_nastran *r, const gos_nastran_card *c,
                                     const gos_deck_section *s) {
    int64_t id;
    gos_nastran_property *p;
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the property", &id));
    GOS_TRY(gos__nastran_new(r, c, &r->property_of, id, "property", r->nproperty));
    GOS_TRY(gos__nastran_add(r, &r->property, &r->nproperty, sizeof *p, &p));
    *p = (gos_nastran_property){.card = c, .id = id, .section = *s, .first = -1};
    p->section.loc = c->loc;
    p->section.orientation = -1;
    p->section.set = gos__arena_printf(r->arena, "%s(%lld)", c->name, (long long)id);
    return p->section.set ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__nastran_property_of(gos_nastran *r, const gos_nastran_card *c, const char *cards,
                                    gos_nastran_property **p) {
    int64_t id, own;
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the element", &own));
    GOS_TRY(gos__nastran_whole(r, c, 2, "number of the property", 1, own, &id));
    const gos_nastran_card *found = gos__nastran_find(r, &r->property_of, id);
    if (!found) {
        return gos__nastran_fail(r, c, 2,
                                 "there is no property %lld; correct the number, or add it by %s",
                                 (long long)id, cards);
    }
    const size_t n = strlen(found->name);
    for (const char *s = cards; (s = strstr(s, found->name)) != NULL; s += n) {
        if ((s[n] == ' ' || s[n] == '\0') && (s == cards || s[-1] == ' ')) {
            *p = &r->property[found->thing];
            return GOS_OK;
        }
    }
    return gos__nastran_fail(r, c, 2, "property %lld is a %s; this element needs %s", (long long)id,
                             found->name, cards);
}

static gos_status same_material(gos_nastran *r, const gos_nastran_card *c, int i, int64_t first,
                                const char *what) {
    int64_t id;
    GOS_TRY(gos__nastran_whole(r, c, i, what, -1, GOS_NASTRAN_REQUIRED, &id));
    return id == first ? GOS_OK
                       : gos__nastran_fail(r, c, i,
                                           "the %s differs from MID1: shells of different "
                                           "materials in membrane, bending and shear are not "
                                           "supported; use PCOMP, or one material",
                                           what);
}

/* the only layer of an anisotropic or offset shell */
gos_status gos__nastran_one_layer(gos_nastran *r, gos_deck_section *s) {
    s->layer = GOS_NEW(r->arena, gos_deck_layer, 1);
    GOS_TRY(s->layer ? GOS_OK : GOS_E_MEMORY);
    s->nlayer = 1;
    s->layer[0] = (gos_deck_layer){
        .thickness = s->value[0], .material = s->material, .orientation = -1, .loc = s->loc};
    return GOS_OK;
}

gos_status gos__nastran_read_pshell(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.kind = GOS_DECK_SHELL};
    int64_t first;
    double factor, nsm;
    GOS_TRY(gos__nastran_id(r, c, 2, "material MID1", &first));
    GOS_TRY(gos__nastran_positive(r, c, 3, "thickness", &s.value[0]));
    GOS_TRY(gos__nastran_real(r, c, 8, "mass per area", 0.0, &nsm));
    GOS_TRY(gos__nastran_material(r, c, 2, nsm / s.value[0], &s.material));
    if (gos__nastran_blank(r, c, 4)) {
        return gos__nastran_fail(r, c, 4,
                                 "MID2 (field 5) is empty: membranes without bending stiffness "
                                 "are not supported; give MID2");
    }
    GOS_TRY(same_material(r, c, 4, first, "material MID2"));
    GOS_TRY(gos__nastran_real(r, c, 5, "bending stiffness 12I/T3", 1.0, &factor));
    if (factor != 1) {
        return gos__nastran_fail(r, c, 5,
                                 "a bending stiffness 12I/T3 other than 1 is not supported; use "
                                 "PCOMP with the layers");
    }
    if (gos__nastran_blank(r, c, 6)) {
        gos__note(r->ctx, c->name,
                  "shells without MID3 (rigid in transverse shear) get the shear flexibility of "
                  "MID1");
    }
    GOS_TRY(gos__nastran_blank(r, c, 6) ? GOS_OK : same_material(r, c, 6, first, "material MID3"));
    GOS_TRY(gos__nastran_real(r, c, 7, "shear thickness TS/T", 5.0 / 6, &factor));
    if (!(fabs(factor - 5.0 / 6) <= 1e-3)) {
        return gos__nastran_fail(r, c, 7,
                                 "a shear thickness TS/T other than 5/6 is not supported; leave it "
                                 "empty");
    }
    GOS_TRY(gos__nastran_unused(r, c, 11, 11, "MID4 (coupling of membrane and bending)"));
    s.loc = c->loc;
    if (r->deck->material[s.material].elastic_law == GOS_DECK_LAMINA) {
        GOS_TRY(gos__nastran_one_layer(r, &s));
    }
    return gos__nastran_add_property(r, c, &s);
}

/* thickness, angle and material of a layer; empty: as the layer before */
static gos_status read_layer(gos_nastran *r, const gos_nastran_card *c, int i, int k,
                             gos_deck_layer *layer) {
    gos_deck_layer *l = &layer[k];
    *l = (gos_deck_layer){.orientation = -1, .loc = c->loc};
    if (k > 0 && gos__nastran_blank(r, c, i)) {
        l->material = layer[k - 1].material;
    } else {
        GOS_TRY(gos__nastran_material(r, c, i, 0, &l->material));
    }
    if (k > 0 && gos__nastran_blank(r, c, i + 1)) {
        l->thickness = layer[k - 1].thickness;
    } else {
        GOS_TRY(gos__nastran_positive(r, c, i + 1, "thickness of the layer", &l->thickness));
    }
    return gos__nastran_real(r, c, i + 2, "angle of the layer", 0.0, &l->angle);
}

static gos_status add_mass(gos_nastran *r, const gos_nastran_card *c, double nsm, double thickness,
                           int n, gos_deck_layer *layer) {
    for (int k = 0; k < n && nsm != 0; k++) {
        GOS_TRY(gos__nastran_material(r, c, 9 + 4 * k, nsm / thickness, &layer[k].material));
    }
    return GOS_OK;
}

gos_status gos__nastran_read_pcomp(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.kind = GOS_DECK_SHELL, .loc = c->loc};
    double nsm, bottom;
    const int given = (c->n - 8 + 3) / 4;
    const bool symmetric = gos__nastran_is_word(r, c, 8, "SYM");
    if (!symmetric && !gos__nastran_blank(r, c, 8)) {
        return gos__nastran_fail(r, c, 8, "LAM (field 9) supports SYM only; list the layers");
    }
    if (given < 1) {
        return gos__nastran_fail(r, c, 0, "the card has no layers; add them");
    }
    GOS_TRY(gos__nastran_real(r, c, 3, "mass per area", 0.0, &nsm));
    warn_damping(r, c, 7);
    s.nlayer = symmetric ? 2 * given : given;
    s.layer = GOS_NEW(r->arena, gos_deck_layer, s.nlayer);
    GOS_TRY(s.layer ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < given; k++) {
        GOS_TRY(read_layer(r, c, 9 + 4 * k, k, s.layer));
        s.value[0] += (symmetric ? 2 : 1) * s.layer[k].thickness;
    }
    GOS_TRY(add_mass(r, c, nsm, s.value[0], given, s.layer));
    for (int k = given; k < s.nlayer; k++) {
        s.layer[k] = s.layer[s.nlayer - 1 - k];
    }
    GOS_TRY(gos__nastran_real(r, c, 2, "distance Z0", -s.value[0] / 2, &bottom));
    s.offset[0] = -(bottom / s.value[0] + 0.5);
    s.offset[0] = fabs(s.offset[0]) < 1e-9 ? 0 : s.offset[0];
    s.material = s.layer[0].material;
    return gos__nastran_add_property(r, c, &s);
}

gos_status gos__nastran_read_psolid(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.kind = GOS_DECK_SOLID, .loc = c->loc};
    GOS_TRY(gos__nastran_material(r, c, 2, 0, &s.material));
    if (r->deck->material[s.material].elastic_law == GOS_DECK_LAMINA) {
        return gos__nastran_fail(r, c, 2, "MAT8 is for shells; give a MAT1");
    }
    if (!gos__nastran_blank(r, c, 7) && !gos__nastran_is_word(r, c, 7, "SMECH")) {
        return gos__nastran_fail(r, c, 7, "fluid elements are not supported; give SMECH");
    }
    return gos__nastran_add_property(r, c, &s);
}
