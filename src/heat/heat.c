/* Common code of heat types. */
#include "heat/heat.h"
#include "parts/location.h"

#include <math.h>

#define STEFAN_BOLTZMANN 5.670374419e-8 // [W/(m^2 K^4)], exact in the SI to the digits given

static const char *const where_texts[] = {"a whole body", "a face", "an end", "a point", "an edge"};

static gos_heat_where classify(const gos_location *p) {
    if (p->whole) {
        return GOS_ON_BODY;
    }
    if (p->face >= 0) {
        return GOS_ON_FACE;
    }
    if (p->edge) {
        return GOS_ON_EDGE;
    }
    return p->is_end ? GOS_ON_END : GOS_ON_POINT;
}

static const char *where_text(gos_heat_where w) {
    int i = 0;
    while (i < GOS_COUNT(where_texts) - 1 && w != (gos_heat_where)(1 << i)) {
        i++;
    }
    return where_texts[i];
}

/* e.g. "a whole body or an end" */
static const char *allowed_text(gos_arena *a, unsigned allowed) {
    const char *text = "";
    for (int i = 0; i < GOS_COUNT(where_texts) && text; i++) {
        if (allowed & (1u << i)) {
            text = gos__arena_printf(a, "%s%s%s", text, *text ? " or " : "", where_texts[i]);
        }
    }
    return text ? text : "another location";
}

gos_status gos__heat_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *name, const char *object, void *in, gos_heat_entry *e) {
    memset(in, 0, type->size);
    *e = (gos_heat_entry){.b = b, .node = entry, .name = name, .object = object, .type = type};
    return gos__fill(b->model, entry, type->params, object, b->arena, in);
}

gos_status gos__heat_property(const gos_heat_entry *e, const gos_heat_location *p, size_t offset,
                              const char *key, double *value) {
    int n;
    const gos_material *const *m = gos__body_materials(p->location.body, &n);
    for (int i = 0; i < n; i++) {
        const double of = *(const double *)((const char *)m[i] + offset);
        if (i > 0 && of != *value) {
            return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                                "the materials of body '%s' differ in this property; give %s here",
                                p->location.body->name, key);
        }
        *value = of;
    }
    return GOS_OK;
}

gos_status gos__heat_location(const gos_heat_entry *e, const gos_texts *on, int i, unsigned allowed,
                              gos_heat_location *p) {
    gos_ctx *ctx = e->b->ctx;
    p->loc = on->loc[i];
    p->inside = false;
    p->text = on->v[i];
    GOS_TRY(gos__locate(e->b, p->text, p->loc, e->object, &p->location));
    const gos_body *body = p->location.body;
    if (!body) {
        return gos__fail_at(ctx, GOS_E_INPUT, p->loc, e->object,
                            "heat cannot act on the ground; specify a body, face or end");
    }
    if (!(body->nfam > 0) || !body->section || !body->material || !body->ops->temperature) {
        return gos__fail_at(ctx, GOS_E_INPUT, p->loc, e->object,
                            "body '%s' has no temperature; give its material conductivity and "
                            "specific_heat, a rigid body heat_capacity or specific_heat",
                            body->name);
    }
    if (body->tapered && e->type != &gos__heat_temperature) {
        return gos__fail_at(ctx, GOS_E_INPUT, p->loc, e->object,
                            "body '%s' is tapered, which heat loads do not support; prescribe "
                            "temperatures, or divide it into joined bodies of constant section",
                            body->name);
    }
    if (p->location.surface > 0) { // its section has a single face
        p->location.face = 0;
    }
    p->where = classify(&p->location);
    if (p->location.set && body->ops->set_node) { // a surface, all nodes, or their mean
        const bool face = p->where == GOS_ON_FACE && (allowed & GOS_ON_FACE);
        p->where = face ? GOS_ON_FACE : (allowed & GOS_ON_EDGE) ? GOS_ON_EDGE : GOS_ON_POINT;
    }
    if (p->location.set && !body->ops->set_node && !((unsigned)p->where & allowed)) {
        p->where = GOS_ON_POINT;
    }
    if (!((unsigned)p->where & allowed)) {
        return gos__fail_at(ctx, GOS_E_INPUT, p->loc, e->object,
                            "'%s' is %s, which this type does not support; specify %s", p->text,
                            where_text(p->where), allowed_text(e->b->arena, allowed));
    }
    return GOS_OK;
}

const char *gos__heat_points(const gos_heat_entry *e, const gos_body *body) {
    gos_ctx *quiet = gos__ctx_quiet(e->b->ctx);
    gos_location end = {0};
    const bool line =
        quiet && body->ops->locate(quiet, body, "end", e->node->loc, e->object, &end) == GOS_OK;
    gos_ctx_destroy(quiet);
    const char *text =
        line ? "an end or a point"
        : body->ops->edge
            ? gos__arena_printf(e->b->arena, "a node (%s.node(1)), a point (%s.at(x,y)) or an edge",
                                body->name, body->name)
            : gos__arena_printf(e->b->arena,
                                "a node (%s.node(1)) or a set of nodes of its mesh "
                                "(%s.SET; `gossamer mesh` lists them)",
                                body->name, body->name);
    return text ? text : "a point";
}

gos_status gos__heat_fns(gos_heat_entry *e, int n, gos_timefn *const *fn) {
    e->nfn = n;
    return gos__add_timefns(e->b, n, fn, &e->fn0);
}

gos_status gos__heat_above_zero(const gos_heat_entry *e, const char *key, const gos_timefn *fn) {
    double T_ref = e->b->T_ref;
    if (!gos__timefn_constant(fn) || gos__timefn_eval(fn, 0.0, NULL, NULL) + T_ref >= 0.0) {
        return GOS_OK;
    }
    return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, key), e->object,
                        "%s is below absolute zero; temperatures are relative to "
                        "reference_temperature, %g K: give at least %g",
                        key, T_ref, -T_ref);
}

gos_status gos__heat_patch(const gos_heat_entry *e, const gos_heat_location *p,
                           const gos_section_point **pt, int *n) {
    const gos_section *s = p->location.body->section;
    switch (p->where) {
    case GOS_ON_BODY:
        *pt = s->outline;
        *n = s->noutline;
        break;
    case GOS_ON_FACE:
        *pt = s->outline + s->face[p->location.face].first;
        *n = s->face[p->location.face].count;
        break;
    case GOS_ON_END:
    case GOS_ON_POINT:
    case GOS_ON_EDGE:
        *pt = s->end;
        *n = s->nend;
        break;
    }
    if (!(*n > 0)) {
        return gos__fail_at(
            e->b->ctx, GOS_E_INPUT, p->loc, e->object, "%s '%s' has no %s",
            gos__heat_lumped(p->location.body) ? "rigid body" : "the section of body",
            p->location.body->name,
            gos__heat_lumped(p->location.body) ? "surface; give its area, or a shape"
                                               : "outline; give it a perimeter");
    }
    return GOS_OK;
}

#define MIN_SELF_VIEW 0.01 // minimum fraction of the area to report

gos_status gos__heat_visibility(const gos_heat_entry *e, const gos_heat_location *p) {
    const gos_body *body = p->location.body;
    double part = 0;
    if (!body->ops->sees_itself) {
        return GOS_OK;
    }
    GOS_TRY(body->ops->sees_itself(e->b->ctx, body, &p->location, &part));
    if (part > MIN_SELF_VIEW) {
        gos__warn(e->b->ctx, p->loc, e->object,
                  "%.0f %% of the area of '%s' faces body '%s' itself (the inside of a tube?). "
                  "The body casts no shadow on itself here, so light and radiation pass through "
                  "it; list only faces exposed to the surroundings, such as BODY.upper of shells "
                  "or a surface (for sunlight, shaded_by: %s adds shadows)",
                  100 * part, p->text, body->name, body->name);
    }
    return GOS_OK;
}

void gos__heat_moments(const gos_section_point *pt, int n, int nfam, double *s) {
    for (int k = 0; k < nfam; k++) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) {
            sum += pt[i].dl * pt[i].phi[k];
            size += pt[i].dl * fabs(pt[i].phi[k]);
        }
        // round-off of symmetric sums is set to zero: keeps families uncoupled
        s[k] = fabs(sum) > 1e-13 * size ? sum : 0.0;
    }
}

bool gos__heat_lumped(const gos_body *b) {
    return b->nt == 1 && !b->ops->surface; // a mesh field may also have one coordinate
}

/* optional model key stefan_boltzmann */
gos_status gos__heat_stefan_boltzmann(const gos_builder *b, double *sigma) {
    const gos_node *n = gos__node_given(b->model->root, "stefan_boltzmann");
    const gos_measure of = {.unit = "W/(m^2 K^4)"};
    *sigma = gos__unit_from_si(b->model->units, of.unit, STEFAN_BOLTZMANN);
    return n ? gos__quantity(b->model, n->text, n->loc, "model", &of, sigma) : GOS_OK;
}

static gos_status attach_item(const gos_heat_entry *e, const gos_heat_location *p,
                              const gos_item_type *type, const gos_input_def *input,
                              const void *par, bool slope) {
    const gos_body *body = p->location.body;
    gos_item it;
    memset(&it, 0, sizeof it);
    it.type = type;
    it.par = par;
    it.name = gos__arena_strdup(e->b->arena, e->object);
    it.loc = p->loc;
    it.ntm = body->nfam;
    it.tm = GOS_NEW(e->b->arena, gos_tmarker, it.ntm);
    it.entry = gos__arena_strdup(e->b->arena, e->name);
    it.fn0 = e->fn0;
    it.nfn = e->nfn;
    it.ninput = 1;
    it.input = input;
    if (!it.name || !it.entry || !it.tm) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(body->ops->temperature(e->b->arena, body, &p->location, it.tm));
    if (slope) {
        it.nm = 1;
        double initial[3];
        GOS_TRY(gos__tangent(e->b, &p->location, p->loc, e->object, &it.m[0], initial));
    }
    return gos__add_item(e->b, &it, NULL);
}

gos_status gos__heat_attach(const gos_heat_entry *e, const gos_heat_location *p,
                            const gos_surface_type *surface, const gos_item_type *item,
                            const gos_input_def *input, const void *par, bool slope) {
    if (p->where == GOS_ON_END || p->where == GOS_ON_POINT || gos__heat_lumped(p->location.body)) {
        return attach_item(e, p, item, input, par, slope);
    }
    gos_surface s = {
        .type = surface,
        .par = par,
        .name = gos__arena_strdup(e->b->arena, e->name),
        .fn0 = e->fn0,
        .nfn = e->nfn,
        .ninput = 1,
        .input = input,
        .shadow = e->shadow,
    };
    if (!s.name) {
        return GOS_E_MEMORY;
    }
    return gos__add_surface(e->b, &p->location, p->inside, &s);
}

static void power_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                       const double *fn, double scale, const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    const gos_heat_input *p = par;
    for (int k = 0; b->heat && k < nfam; k++) {
        double q = scale * fn[0] * p->s[k];
        for (int l = 0; l < GOS_LANES; l++) {
            b->heat[k * GOS_LANES + l] += q;
        }
    }
}

static void power_by_input(const void *par, const gos_law *law, const void *law_par, int nfam,
                           const double *fn, double scale, const gos_input_def *k,
                           const gos_batch *b) {
    const double one = 1.0;
    GOS_UNUSED(fn);
    GOS_UNUSED(k);
    power_eval(par, law, law_par, nfam, &one, scale, b);
}

static void power_tangent(const void *par, const gos_law *law, const void *law_par, int nfam,
                          const double *fn, double scale, const gos_batch *b) {
    GOS_UNUSED(par);
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    GOS_UNUSED(nfam);
    GOS_UNUSED(fn);
    GOS_UNUSED(scale);
    GOS_UNUSED(b);
}

static void power_item(const gos_item *it, const gos_item_io *io) {
    const gos_heat_input *p = it->par;
    for (int k = 0; io->heat && k < it->ntm; k++) {
        io->heat[k] += io->scale * io->fn[0] * p->s[k];
    }
}

static const gos_surface_type power_surface = {"amount", power_eval, power_tangent, power_by_input};
static const gos_item_type power_item_type = {
    .name = "heat amount", .eval = power_item, .by_input = gos__by_unit_input};

gos_status gos__heat_input(const gos_heat_entry *e, const gos_heat_location *p,
                           const gos_input_def *input, const double *s) {
    gos_heat_input *par = GOS_NEW(e->b->arena, gos_heat_input, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    memcpy(par->s, s, p->location.body->nfam * sizeof *s);
    return gos__heat_attach(e, p, &power_surface, &power_item_type, input, par, false);
}
