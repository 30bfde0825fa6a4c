/* Spring and damper between two points: with d = x_A - x_B, l = |d|, w = d'_t (its rate),
       f_A = -k (1 - l0/l) d - c (d . w)/l^2 d,   f_B = -f_A,
   so that it makes no force or moment of its own. In a static solution with load factor s the free
   length comes on gradually, l0(s) = l(0) + s (l0 - l(0)): at s = 0 the spring is stiff but
   unstressed, as elastic bodies are. A spring of free length 0 stays regular when its ends meet. */
#include "loads/load.h"
#include "loads/loads.h"

typedef struct gos_spring_def {
    gos_texts between;
    double at[3];       // [m]
    double stiffness;   // [N/m]
    double damping;     // [N s/m]
    double free_length; // [m]
} gos_spring_def;

typedef struct gos_spring {
    double k, c; // [N/m], [N s/m]
    double l0;   // free length [m]
    double li;   // length at t = 0 [m]
} gos_spring;

static const gos_param params[] = {
    {.name = "between",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_spring_def, between),
     .doc = "the two ends, e.g. [ground, rod.end]; a rigid body named alone is met at its node"},
    {.name = "at",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_spring_def, at),
     .doc = "the end on the ground, global axes; needed when one end is the ground"},
    {.name = "stiffness",
     .kind = GOS_K_NUMBER,
     .unit = "N/m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_spring_def, stiffness),
     .doc = "stiffness"},
    {.name = "damping",
     .kind = GOS_K_NUMBER,
     .unit = "N s/m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_spring_def, damping),
     .doc = "viscous damping along the line of the ends"},
    {.name = "free_length",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .offset = offsetof(gos_spring_def, free_length),
     .doc = "length without force; without it the distance at t = 0"},
    {0}};

/* df/dd of both terms, and df/dw, of the force on A; l > 0 */
static void derivatives(const gos_spring *s, double l0, const double d[3], const double w[3],
                        double Fd[9], double Fw[9]) {
    double ll = gos__dot3(d, d), l = sqrt(ll), dw = gos__dot3(d, w);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double dd = d[i] * d[j];
            Fd[3 * i + j] =
                -s->k * ((i == j) * (1.0 - l0 / l) + l0 / (l * ll) * dd) -
                s->c * (d[i] * w[j] / ll + (i == j) * dw / ll - 2.0 * dw * dd / (ll * ll));
            Fw[3 * i + j] = -s->c * dd / ll;
        }
    }
}

/* the pattern [F -F; -F F] of a force that depends on a difference */
static void difference_blocks(double *M, const double F[9]) {
    gos__add33(M, 6, 0, 0, 1.0, F);
    gos__add33(M, 6, 0, 1, -1.0, F);
    gos__add33(M, 6, 1, 0, -1.0, F);
    gos__add33(M, 6, 1, 1, 1.0, F);
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_spring *s = it->par;
    double l0 = s->li + io->scale * (s->l0 - s->li), d[3], w[3] = {0.0, 0.0, 0.0};
    gos__sub3(io->x, io->x + 3, d);
    if (io->xd) {
        gos__sub3(io->xd, io->xd + 3, w);
    }
    double ll = gos__dot3(d, d), l = sqrt(ll);
    bool apart = l > 0.0;
    double dw = apart ? gos__dot3(d, w) / ll : 0.0;
    double factor = -s->k * (apart ? 1.0 - l0 / l : 1.0) - s->c * dw;
    for (int k = 0; io->f && k < 3; ++k) {
        io->f[k] = factor * d[k];
        io->f[3 + k] = -factor * d[k];
    }
    double Fd[9] = {-s->k, 0.0, 0.0, 0.0, -s->k, 0.0, 0.0, 0.0, -s->k}, Fw[9] = {0.0};
    if (apart && (io->fx || io->fv)) {
        derivatives(s, l0, d, w, Fd, Fw);
    }
    if (io->fx) {
        difference_blocks(io->fx, Fd);
    }
    if (io->fv) {
        difference_blocks(io->fv, Fw);
    }
}

static const gos_item_type type_spring = {.name = "spring", .eval = eval};

/* Both ends, and their distance at t = 0. */
static gos_status ends(gos_builder *b, const gos_node *entry, const gos_spring_def *def,
                       const char *object, gos_item *item, double *length) {
    gos_loc loc = gos__key_loc(entry, "between");
    const gos_node *at = gos__node_given(entry, "at");
    if (def->between.n != 2) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "between names %d places; name two, e.g. [ground, rod.end]",
                            def->between.n);
    }
    int grounds = 0;
    gos_place p[2];
    double d[3];
    for (int s = 0; s < 2; ++s) {
        GOS_TRY(gos__locate_point(b, def->between.v[s], def->between.loc[s], object, &p[s]));
        if (!p[s].body) {
            ++grounds;
            memcpy(p[s].x, def->at, sizeof def->at);
        }
        GOS_TRY(gos__position(b, &p[s], &item->m[s]));
    }
    if (grounds == 2) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "both ends are on the ground; name a place of a body");
    }
    if ((grounds == 1) != (at != NULL)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, at ? at->loc : loc, object, "%s",
                            at ? "at is the end on the ground, but no end is `ground`"
                               : "where on the ground? Give `at: [x, y, z]`");
    }
    const gos_body *one = p[0].body == p[1].body ? p[0].body : NULL;
    if (one && one->rigid_item >= 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "both ends are on rigid body '%s', where the spring does nothing; name "
                            "two bodies",
                            one->name);
    }
    if (one && gos__same_point(&p[0], &p[1])) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' and '%s' are the same point; name two", def->between.v[0],
                            def->between.v[1]);
    }
    gos__sub3(p[0].x, p[1].x, d);
    *length = gos__norm3(d);
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_spring_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_item item = {.type = &type_spring, .loc = entry->key_loc, .nm = 2};
    gos_spring *par = GOS_NEW(b->arena, gos_spring, 1);
    item.par = par;
    item.name = gos__arena_strdup(b->arena, object);
    if (!par || !item.name) {
        return GOS_E_MEMORY;
    }
    if (!(def.stiffness > 0.0) && !(def.damping > 0.0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "a spring without stiffness and damping does nothing; give one");
    }
    GOS_TRY(ends(b, entry, &def, object, &item, &par->li));
    par->k = def.stiffness;
    par->c = def.damping;
    bool given = gos__node_given(entry, "free_length") != NULL;
    par->l0 = given ? def.free_length : par->li;
    if (!(par->li > 0.0) && (par->l0 > 0.0 || par->c > 0.0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "between"), object,
                            "the ends are at the same place at t = 0, so that the force has no "
                            "direction; move one, or set free_length and damping to 0");
    }
    return gos__add_item(b, &item, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_spring = {
    .section = "loads",
    .name = "spring",
    .doc = "spring and damper between two points, along their line",
    .params = params,
    .size = sizeof(gos_spring_def),
    .example = "stay: {type: spring, between: [ground, rod.end], at: [1, 1, 0], stiffness: 100, "
               "damping: 0.5}",
    .ops = &ops};
