/* Loads of the first step as model entries. Temperatures count from the deck's initial one. Loads
   without amplitude act from t = 0; amplitudes use the deck's times. */
#include "deck/body_deck.h"

#include <math.h>

typedef struct bringing {
    gos_builder *b;
    const gos_mesh_deck_user *user;
    const gos_deck *deck;
    double T0;
    bool *bare;       // without cells and couplings (nodes)
    bool *prescribed; // temperature prescribed by a later line (nodes)
    bool *own;        // nodes of a line with local axes (nodes)
    gos_mesh_deck_text to;
} bringing;

static gos_status refuse(const bringing *k, gos_loc loc, const char *card, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->user->object, "%s: %s",
                        gos__deck_word(k->deck, card), why);
}

/* ---- text ------------------------------------------------------------------------------------ */

#define put(k, ...) gos__mesh_deck_put(&(k)->to, __VA_ARGS__)

static const gos_deck_amplitude *amplitude_of(const bringing *k, int number) {
    return number < 0 ? NULL : &k->deck->amplitude[number];
}

static gos_status put_function(bringing *k, const char *key, double factor, int amplitude,
                               double shift) {
    return gos__mesh_deck_put_function(&k->to, key, factor, amplitude_of(k, amplitude), shift);
}

static gos_status begin(bringing *k, const char *card, gos_loc loc, int number, const char *type) {
    k->to.n = 0;
    // lines of several files may have the same number
    return put(k, "{%s_%s_%d_%d: {type: %s", k->user->body, card, loc.line, number, type);
}

/* body nodes of a line, excluding `left` */
static gos_status put_nodes(bringing *k, const gos_deck_nodal *n, const bool *left, bool *any) {
    *any = false;
    GOS_TRY(put(k, ", on: ["));
    for (int i = 0; i < n->n; i++) {
        const int node = n->node[i];
        if (!k->bare[node] && !(left && left[node])) {
            GOS_TRY(put(k, "%s\"%s.node(%lld)\"", *any ? ", " : "", k->user->body,
                        (long long)gos__mesh_node_tag(k->user->mesh, node)));
            *any = true;
        }
    }
    return put(k, "]");
}

static gos_status bring(bringing *k, const char *section, gos_loc loc) {
    GOS_TRY(put(k, "}}"));
    return gos__bring_entries(k->b, section, k->to.text, loc);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static gos_status need_heat(const bringing *k, gos_loc loc, const char *card) {
    return k->user->warm
               ? GOS_OK
               : refuse(k, loc, card,
                        "the body has no temperatures; give its materials conductivity and "
                        "specific heat, and do not set `temperature: off`");
}

/* node whose rotation is the displacement of `node`; -1: none */
static int turned_by(const bringing *k, int node) {
    return k->user->ties ? gos__deck_turned_by(k->deck, node) : -1;
}

/* a line's value along a mesh direction, in global components */
static gos_status put_vector(bringing *k, const gos_deck_nodal *n, bool moment,
                             const double along[3]) {
    double v[3] = {0, 0, 0};
    for (int i = 0; i < 9; i++) {
        v[i % 3] += along[i / 3] * k->user->axis[i / 3][i % 3];
    }
    return gos__mesh_deck_put_vector(&k->to, moment ? "moment" : "value", n->value, v,
                                     amplitude_of(k, n->amplitude));
}

static gos_status bring_own_force(bringing *k, const gos_deck_nodal *n, int number, int node) {
    const int lead = turned_by(k, node), at = lead < 0 ? node : lead;
    const bool moment = n->dof > 3 || lead >= 0;
    double along[3];
    gos__deck_direction(k->deck, node, n->dof - 1, along, NULL);
    k->to.n = 0;
    GOS_TRY(put(k, "{%s_cload_%d_%d_%lld: {type: %s, on: \"%s.node(%lld)\"", k->user->body,
                n->loc.line, number, (long long)gos__mesh_node_tag(k->user->mesh, node),
                moment ? "moment" : "force", k->user->body,
                (long long)gos__mesh_node_tag(k->user->mesh, at)));
    GOS_TRY(put_vector(k, n, moment, along));
    return bring(k, "loads", n->loc);
}

static void warn_of_bare(const bringing *k, const gos_deck_nodal *n, const char *card) {
    int bare = 0, first = 0;
    for (int i = n->n - 1; i >= 0; i--) {
        const int lead = n->kind == GOS_DECK_FORCE ? turned_by(k, n->node[i]) : -1;
        if (k->bare[lead < 0 ? n->node[i] : lead]) {
            bare++;
            first = n->node[i];
        }
    }
    if (bare > 0 && n->value != 0) {
        gos__warn(k->b->ctx, n->loc, gos__deck_word(k->deck, card),
                  "%d nodes of this line (%lld%s) belong to no cell or constraint of the body: "
                  "their load is not applied; connect them, or give the load in the model",
                  bare, (long long)gos__mesh_node_tag(k->user->mesh, first),
                  bare > 1 ? " ..." : "");
    }
}

/* dead loads along the mesh axes at t = 0 */
static gos_status bring_force(bringing *k, const gos_deck_nodal *n, int number) {
    const double along[3] = {n->dof % 3 == 1, n->dof % 3 == 2, n->dof % 3 == 0};
    bool any;
    warn_of_bare(k, n, "*CLOAD");
    memset(k->own, false, (size_t)k->user->mesh->nnode);
    for (int i = 0; i < n->n; i++) {
        double axis[3];
        const int node = n->node[i], lead = turned_by(k, node);
        k->own[node] = gos__deck_direction(k->deck, node, 0, axis, NULL) || lead >= 0;
        if (k->own[node] && !k->bare[lead < 0 ? node : lead]) {
            GOS_TRY(bring_own_force(k, n, number, node));
        }
    }
    GOS_TRY(begin(k, "cload", n->loc, number, n->dof > 3 ? "moment" : "force"));
    GOS_TRY(put_nodes(k, n, k->own, &any));
    GOS_TRY(put_vector(k, n, n->dof > 3, along));
    return any ? bring(k, "loads", n->loc) : GOS_OK;
}

/* from the last line backwards: later lines override */
static gos_status bring_temperature(bringing *k, const gos_deck_nodal *n, int number) {
    bool any;
    GOS_TRY(need_heat(k, n->loc, gos__mesh_deck_nodal_card[n->kind]));
    GOS_TRY(begin(k, n->kind == GOS_DECK_FIXED ? "boundary" : "temperature", n->loc, number,
                  "temperature"));
    const int before = k->to.n;
    GOS_TRY(put_nodes(k, n, k->prescribed, &any));
    if (n->set) {
        k->to.n = before;
        GOS_TRY(put(k, ", on: [\"%s.%s\"]", k->user->body, n->set));
    }
    GOS_TRY(put_function(k, "value", n->value, n->amplitude, k->T0));
    for (int i = 0; i < n->n; i++) {
        k->prescribed[n->node[i]] = true;
    }
    return any ? bring(k, "heat", n->loc) : GOS_OK;
}

/* nodes at the initial temperature in steps without heat transfer */
static gos_status bring_rest(bringing *k) {
    GOS_TRY(begin(k, "initial", k->deck->step.loc, 0, "temperature"));
    GOS_TRY(put(k, ", on: [\"%s.%s\"], value: 0", k->user->body, k->deck->rest));
    return bring(k, "heat", k->deck->step.loc);
}

static gos_status bring_heat(bringing *k, const gos_deck_nodal *n, int number) {
    bool any;
    GOS_TRY(need_heat(k, n->loc, gos__mesh_deck_nodal_card[n->kind]));
    warn_of_bare(k, n, "*CFLUX");
    GOS_TRY(begin(k, "cflux", n->loc, number, "heat_flow"));
    GOS_TRY(put_nodes(k, n, NULL, &any));
    GOS_TRY(put_function(k, "value", n->value, n->amplitude, 0));
    return any ? bring(k, "heat", n->loc) : GOS_OK;
}

static gos_status bring_nodal(bringing *k, const gos_deck_nodal *n, int number) {
    switch (n->kind) {
    case GOS_DECK_FORCE:
        return bring_force(k, n, number);
    case GOS_DECK_HEAT:
        return bring_heat(k, n, number);
    case GOS_DECK_TEMPERATURE:
        return bring_temperature(k, n, number);
    case GOS_DECK_FIXED:
        return n->dof == 11 ? bring_temperature(k, n, number) : GOS_OK; // see gos__mesh_deck_hold
    case GOS_DECK_INITIAL_DISPLACEMENT:
    case GOS_DECK_INITIAL_VELOCITY:
        return refuse(k, n->loc, gos__mesh_deck_nodal_card[n->kind],
                      "initial displacements and velocities of nodes are not supported; remove "
                      "them, and use `velocity` and `angular_velocity` of the body");
    case GOS_DECK_INITIAL_TEMPERATURE:
        break; // T0
    }
    return GOS_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static gos_status check_radiation(const bringing *k, const gos_deck_load *l) {
    gos_model *m = k->b->model;
    const gos_measure of = {.unit = "W/(m^2 K^4)"};
    double factor = gos__unit_from_si(m->units, of.unit, 5.670374419e-8);
    const gos_node *own = gos__node_given(m->root, "stefan_boltzmann");
    GOS_TRY(own ? gos__quantity(m, own->text, own->loc, k->user->object, &of, &factor) : GOS_OK);
    if (l->factor_amplitude >= 0) {
        return refuse(k, l->loc, gos__mesh_deck_load_card[l->kind],
                      "a time-dependent emissivity is not supported");
    }
    if (!(fabs(k->deck->stefan_boltzmann - factor) <= 1e-3 * factor)) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, l->loc, k->user->object,
            "*RADIATE: the deck's STEFAN BOLTZMANN is %g in model units, the model's "
            "stefan_boltzmann is %g; make them agree (`scale`, `mass_scale` of the mesh)",
            k->deck->stefan_boltzmann, factor);
    }
    const double start = k->T0 - k->deck->absolute_zero;
    if (!(fabs(start - k->b->T_ref) <= 1e-6 * k->b->T_ref)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, l->loc, k->user->object,
                            "*RADIATE: the deck's initial temperature is %g above absolute zero, "
                            "the model's `reference_temperature` is %g; set it to the former",
                            start, k->b->T_ref);
    }
    return GOS_OK;
}

static gos_status bring_patch(bringing *k, const gos_deck_patch *p) {
    const gos_deck_load *l = &k->deck->load[p->load];
    static const char *const type[] = {[GOS_DECK_FLUX] = "flux",
                                       [GOS_DECK_FILM] = "convection",
                                       [GOS_DECK_RADIATION] = "radiation"};
    static const char *const card[] = {
        [GOS_DECK_FLUX] = "dflux", [GOS_DECK_FILM] = "film", [GOS_DECK_RADIATION] = "radiate"};
    const gos_mesh_set *cells = p->face == 0 ? NULL : gos__mesh_cell_set(k->user->mesh, p->name);
    int at;
    const gos_cell_block *b = cells ? gos__mesh_cell(k->user->mesh, cells->item[0], &at) : NULL;
    const bool sheet = b && b->type && strncmp(b->type, "CPS", 3) == 0;
    GOS_TRY(need_heat(k, l->loc, gos__mesh_deck_load_card[l->kind]));
    GOS_TRY(begin(k, card[l->kind], l->loc, (int)(p - k->deck->patch), type[l->kind]));
    GOS_TRY(put(k, ", on: \"%s.%s%s\"", k->user->body, p->name,
                p->face == 0 || sheet          ? ""
                : p->face == GOS_DECK_FACE_POS ? ".upper"
                                               : ".lower"));
    if (l->kind == GOS_DECK_FLUX) {
        GOS_TRY(put_function(k, "value", l->value[0], l->amplitude, 0));
    } else if (l->kind == GOS_DECK_FILM) {
        GOS_TRY(put_function(k, "ambient", l->value[0], l->amplitude, k->T0));
        GOS_TRY(put_function(k, "coefficient", l->value[1], l->factor_amplitude, 0));
    } else {
        GOS_TRY(check_radiation(k, l));
        GOS_TRY(put_function(k, "sink", l->value[0], l->amplitude, k->deck->absolute_zero));
        GOS_TRY(put(k, ", emissivity: %.17g", l->value[1]));
    }
    return bring(k, "heat", l->loc);
}

/* number of cells of the highest dimension */
static int cells_of(const gos_deck *d) {
    int n = 0;
    for (int i = 0; i < d->mesh->nblock; i++) {
        const gos_cell_block *b = &d->mesh->block[i];
        n += gos__cell_kind[b->shape].dim == d->dim ? b->n : 0;
    }
    return n;
}

static gos_status bring_load(bringing *k, const gos_deck_load *l, int number) {
    switch (l->kind) {
    case GOS_DECK_PRESSURE:
    case GOS_DECK_GRAVITY:
    case GOS_DECK_CENTRIFUGAL:
        return GOS_OK; // see gos__mesh_deck_forces
    case GOS_DECK_SOURCE:
        break;
    case GOS_DECK_FLUX:
    case GOS_DECK_FILM:
    case GOS_DECK_RADIATION:
        return GOS_OK; // see patches
    }
    GOS_TRY(need_heat(k, l->loc, gos__mesh_deck_load_card[l->kind]));
    if (l->on.n < cells_of(k->deck)) {
        return refuse(k, l->loc, gos__mesh_deck_load_card[l->kind],
                      "heat sources in part of the cells are not supported; list all cells");
    }
    GOS_TRY(begin(k, "source", l->loc, number, "source"));
    GOS_TRY(put(k, ", on: %s", k->user->body));
    GOS_TRY(put_function(k, "value", l->value[0], l->amplitude, 0));
    return bring(k, "heat", l->loc);
}

/* ---- assembly -------------------------------------------------------------------------------- */

static void find_bare(const bringing *k) {
    const gos_mesh *m = k->user->mesh;
    memset(k->bare, true, (size_t)m->nnode);
    for (int i = 0; i < m->nblock; i++) {
        const gos_cell_block *b = &m->block[i];
        const int nodes = gos__cell_kind[b->shape].nodes;
        for (int j = 0; j < b->n * nodes; j++) {
            k->bare[b->node[j]] =
                k->bare[b->node[j]] && gos__deck_stands_for_face(k->deck, b, j / nodes);
        }
    }
    for (int i = 0; i < k->deck->nfibre; i++) {
        k->bare[k->deck->fibre[i].node] = false;
    }
    for (int i = 0; k->user->ties && i < k->deck->nequation; i++) {
        for (int j = 0; j < k->deck->equation[i].n; j++) {
            k->bare[k->deck->equation[i].node[j]] = false;
        }
    }
    for (int i = 0; k->user->ties && i < k->deck->ncoupling; i++) {
        const gos_deck_coupling *c = &k->deck->coupling[i];
        k->bare[c->reference] = false;
        for (int j = 0; k->deck->nastran && j < c->n; j++) {
            k->bare[c->node[j]] = false;
        }
    }
}

static gos_status bring_all(bringing *k) {
    gos_loc other;
    const gos_deck *d = k->deck;
    k->T0 = gos__deck_temperature(d, &other);
    if (other.line > 0 && k->user->warm) {
        return refuse(k, other, "*INITIAL CONDITIONS",
                      "nodes have different initial temperatures; bodies need a uniform, "
                      "stress-free initial temperature");
    }
    if (!(d->mass > 0)) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, k->user->loc, k->user->object,
            "the deck has a length scale only; its loads also need `mass_scale` of its mesh");
    }
    find_bare(k);
    for (int i = d->nnodal - 1; i >= 0; i--) {
        GOS_TRY(bring_nodal(k, &d->nodal[i], i));
    }
    GOS_TRY(d->rest && k->user->warm && !k->user->heated ? bring_rest(k) : GOS_OK);
    for (int i = 0; i < d->nload; i++) {
        GOS_TRY(bring_load(k, &d->load[i], i));
    }
    for (int i = 0; i < d->npatch; i++) {
        GOS_TRY(bring_patch(k, &d->patch[i]));
    }
    return GOS_OK;
}

gos_status gos__mesh_deck_loads(gos_builder *b, const gos_mesh_deck_user *user) {
    bringing k = {.b = b, .user = user, .deck = user->mesh->deck, .to = {.ctx = b->ctx}};
    k.bare = gos__alloc(b->ctx, (size_t)user->mesh->nnode + 1, sizeof *k.bare);
    k.prescribed = gos__zalloc(b->ctx, (size_t)user->mesh->nnode + 1, sizeof *k.prescribed);
    k.own = gos__alloc(b->ctx, (size_t)user->mesh->nnode + 1, sizeof *k.own);
    const gos_status status = k.bare && k.prescribed && k.own ? bring_all(&k) : GOS_E_MEMORY;
    gos__free(b->ctx, k.own);
    gos__free(b->ctx, k.bare);
    gos__free(b->ctx, k.prescribed);
    gos__free(b->ctx, k.to.text);
    return status;
}
