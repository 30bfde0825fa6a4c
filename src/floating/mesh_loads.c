/* Heat entries as loads of a mesh body. */
#include "floating/mesh_loads.h"

#include <math.h>

#include "model/model.h"

/* Node sets with prescribed temperature get a common one before any reduction, so that a single
   equation prescribes it. */

typedef struct grouping {
    gos_builder *b;
    const char *body;
    const gos_mesh_locations *locations;
    gos_flex *flex;
    gos_mesh_skin *skin;
    const gos_node **entry; // NULL: none (nodes)
    int *side;              // 0: through the thickness (nodes)
    int *first;             // leading node (nodes)
} grouping;

/* nodes of a location; of an interface those of its set */
static gos_status nodes_of(const grouping *g, const char *location, int *n, int **node) {
    const gos_mesh_interfaces *list = &g->locations->interfaces;
    for (int i = 0; i < list->n; i++) {
        if (strcmp(location, list->v[i].name) == 0) {
            *n = list->v[i].n;
            *node = list->v[i].node;
            return GOS_OK;
        }
    }
    const int one = strchr(location, '(') ? gos__mesh_locations_find(g->locations, location) : -1;
    if (one >= 0) {
        *n = 1;
        *node = GOS_NEW(g->b->arena, int, 1);
        GOS_TRY(*node ? GOS_OK : GOS_E_MEMORY);
        **node = one;
        return GOS_OK;
    }
    return gos__mesh_locations_nodes(g->b->arena, g->locations->mesh, g->flex, location, n, node);
}

/* do both prescribe the same values? */
static bool same_entry(const gos_node *a, const gos_node *b) {
    static const char *const key[] = {"value", "gradients"};
    bool same = a && b;
    for (int i = 0; i < GOS_COUNT(key) && same; i++) {
        same = gos__same_value(gos__node_given(a, key[i]), gos__node_given(b, key[i]));
    }
    return same;
}

/* Shared nodes keep the temperature of an earlier location, of this entry or of one with the same
   value. */
static gos_status take_location(grouping *g, const gos_node *entry, const gos_node *text) {
    const size_t n = strlen(g->body);
    int count = 0, *node = NULL, lead = -1, paired = 0;
    char location[GOS_LIMIT_NAME + 1];
    if (strncmp(text->text, g->body, n) != 0 || text->text[n] != '.') {
        return GOS_OK;
    }
    const int side = gos__mesh_skin_side(text->text + n + 1, location, sizeof location);
    GOS_TRY(nodes_of(g, location, &count, &node));
    for (int i = 0; i < count; i++) {
        const int k = node[i];
        if (g->skin->of_node[k] < 0 || g->entry[k] == entry ||
            (g->side[k] == side && same_entry(g->entry[k], entry))) {
            continue;
        }
        const gos_node *other = g->entry[k] ? g->entry[k] : g->entry[node[0]];
        paired += g->entry[k] && side && g->side[k] == -side; // opposite face
        if ((g->entry[k] || paired > 0) && !(paired == i + 1 && g->first[k] == g->first[node[0]])) {
            return gos__fail_at(
                g->b->ctx, GOS_E_INPUT, text->loc, entry->key,
                "'%s' and '%s' prescribe temperatures of sets of '%s' that share node %lld or are "
                "different faces of a shell; remove the node from one of the sets",
                other->key, entry->key, g->body,
                (long long)gos__mesh_node_tag(g->locations->mesh, k));
        }
        if (paired > 0) {
            continue;
        }
        g->entry[k] = entry;
        g->side[k] = side;
        lead = lead < 0 ? k : lead;
        g->first[k] = lead;
    }
    return GOS_OK;
}

static gos_status take_entry(grouping *g, const gos_node *entry) {
    const gos_node *type = entry->kind == GOS_MAP ? gos__node_get(entry, "type") : NULL;
    const gos_node *on = entry->kind == GOS_MAP ? gos__node_given(entry, "on") : NULL;
    if (!type || !on || type->kind != GOS_SCALAR || strcmp(type->text, "temperature") != 0) {
        return GOS_OK;
    }
    if (on->kind == GOS_SCALAR) {
        return take_location(g, entry, on);
    }
    for (const gos_node *c = on->child; c; c = c->next) {
        GOS_TRY(c->kind == GOS_SCALAR ? take_location(g, entry, c) : GOS_OK);
    }
    return GOS_OK;
}

/* temperature or gradient indices of leading nodes */
static void find_leaders(const grouping *g, const int *number, int *lead) {
    for (int i = 0; i < g->locations->mesh->nnode; i++) {
        if (number[i] >= 0) {
            lead[number[i]] = number[g->first[i]];
        }
    }
}

static void renumber(const gos_sparse *S, int nnode, int *number) {
    for (int i = 0; i < nnode; i++) {
        number[i] = number[i] >= 0 ? S->i[number[i]] : -1;
    }
}

/* one temperature per group, in the order of first nodes */
static gos_status tie(const grouping *g) {
    const int n = g->flex->heat.n, nnode = g->locations->mesh->nnode;
    gos_ctx *ctx = g->flex->ctx;
    gos_sparse S = {0};
    int *lead = gos__alloc(ctx, (size_t)n + 1, sizeof *lead), count = 0;
    gos_status status = lead ? gos__sparse_alloc(ctx, n, n, (size_t)n, &S) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        find_leaders(g, g->skin->of_node, lead);
        find_leaders(g, g->skin->of_across, lead);
        for (int k = 0; k < n; k++) {
            S.i[k] = lead[k] == k ? count++ : S.i[lead[k]];
            S.x[k] = 1;
            S.p[k + 1] = k + 1;
        }
        S.m = count;
        S.nnz = n;
        renumber(&S, nnode, g->skin->of_node);
        renumber(&S, nnode, g->skin->of_across);
        status = count < n ? gos__flex_tie(g->flex, NULL, &S) : status;
    }
    gos__sparse_free(ctx, &S);
    gos__free(ctx, lead);
    return status;
}

gos_status gos__mesh_prescribe(gos_builder *b, const char *name,
                               const gos_mesh_locations *locations, gos_flex *flex,
                               gos_mesh_skin *skin) {
    const int nnode = locations->mesh->nnode;
    grouping g = {.b = b, .body = name, .locations = locations, .flex = flex, .skin = skin};
    g.entry = (const gos_node **)gos__arena_alloc(b->arena, (size_t)nnode + 1, sizeof *g.entry);
    g.first = GOS_NEW(b->arena, int, nnode + 1);
    g.side = GOS_NEW(b->arena, int, nnode + 1);
    GOS_TRY(g.entry && g.first && g.side ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < nnode; i++) {
        g.first[i] = i;
    }
    for (const gos_node *e = gos__next_entry(b, "heat", NULL); e;
         e = gos__next_entry(b, "heat", e)) {
        GOS_TRY(take_entry(&g, e));
    }
    return tie(&g);
}

typedef struct entries {
    int n, cap;
    int *i, *j;
    double *x;
} entries;

typedef struct reading {
    gos_builder *b;
    const char *name; // of the body
    const gos_flex *flex;
    const gos_mesh_skin *skin;
    const gos_mesh_locations *locations;
    double *load; // per temperature (flex->heat.n)
    // part that differs between shell faces (likewise)
    double *across;
    double h;                            // of the current entry, 0: none
    double now;                          // its magnitude, NAN: not constant
    double *magnitude;                   // of the stored loads
    const gos_mesh_incidence *incidence; // NULL: uniform
    const double (*axis)[3];             // of the body
    bool prescribed;                     // the entry prescribes a temperature
    entries film, held;
} reading;

/* after "BODY."; "" for the body, NULL for another */
static const char *location_of(const reading *r, const char *text) {
    const size_t n = strlen(r->name);
    if (strncmp(text, r->name, n) != 0 || (text[n] != '.' && text[n] != '\0')) {
        return NULL;
    }
    return text[n] == '.' ? text + n + 1 : "";
}

static gos_status add_entry(gos_ctx *ctx, entries *to, int i, int j, double x) {
    int cap = to->cap;
    GOS_TRY(gos__grow(ctx, (void **)&to->i, &cap, to->n + 1, sizeof *to->i));
    cap = to->cap;
    GOS_TRY(gos__grow(ctx, (void **)&to->j, &cap, to->n + 1, sizeof *to->j));
    GOS_TRY(gos__grow(ctx, (void **)&to->x, &to->cap, to->n + 1, sizeof *to->x));
    to->i[to->n] = i;
    to->j[to->n] = j;
    to->x[to->n++] = x;
    return GOS_OK;
}

static gos_status add_film(void *to, int i, int j, double x) {
    reading *r = to;
    return add_entry(r->b->ctx, &r->film, i, j, r->h * x);
}

static gos_status matrix_of(gos_ctx *ctx, int n, const entries *from, gos_sparse *A) {
    GOS_TRY(gos__sparse_from_triplets(ctx, n, n, from->n, from->i, from->j, from->x, A));
    gos__sparse_merge(A);
    return GOS_OK;
}

static void free_entries(gos_ctx *ctx, entries *e) {
    gos__free(ctx, e->i);
    gos__free(ctx, e->j);
    gos__free(ctx, e->x);
}

/* heat at a node, in the middle or on a face of a shell */
static void load_node(const reading *r, int node, int side) {
    const int mean = r->skin->of_node[node], across = r->skin->of_across[node];
    if (mean >= 0) {
        r->load[mean] += 1;
    }
    if (across >= 0) {
        r->load[across] += side * r->flex->heat.half[node];
    }
}

/* heat at a location, uniform over a set */
static void load_location(const reading *r, int node, int side) {
    const gos_sparse *A = &r->flex->heat.at;
    if (node < r->locations->mesh->nnode) {
        load_node(r, node, side);
        return;
    }
    for (int k = A->p[node]; k < A->p[node + 1]; k++) {
        r->load[A->i[k]] += A->x[k];
    }
}

/* Prescribed temperatures are fixed by a film of the surrounding conduction; the coefficient is
   uncritical if this heat is among the loads. */
static gos_status hold_location(reading *r, int node) {
    const gos_sparse *A = &r->flex->heat.at, *S = &r->flex->heat.S;
    gos_status status = GOS_OK;
    for (int k = A->p[node]; k < A->p[node + 1] && status == GOS_OK; k++) {
        const int i = A->i[k];
        for (int p = S->p[i]; p < S->p[i + 1] && status == GOS_OK; p++) {
            status = S->i[p] == i ? add_entry(r->b->ctx, &r->held, i, i, S->x[p]) : GOS_OK;
        }
    }
    return status;
}

/* one location of an entry; *found: it is on this body */
static gos_status read_location(reading *r, const char *text, bool inside, bool *found) {
    const char *location = location_of(r, text);
    char name[GOS_LIMIT_NAME + 1];
    if (!location) {
        return GOS_OK;
    }
    *found = true;
    const int side = gos__mesh_skin_side(location, name, sizeof name);
    const int surface = *location ? gos__mesh_skin_find(r->skin, *name ? name : NULL, side) : 0;
    const int node = *name ? gos__mesh_locations_find(r->locations, name) : -1;
    if (*location && (surface == 0 || (r->prescribed && node >= 0))) {
        if (node >= 0 && !r->incidence) {
            load_location(r, node, side);
            return r->prescribed ? hold_location(r, node) : GOS_OK;
        }
        return GOS_OK; // reported with the entry
    }
    const int upper =
        *location || inside || r->incidence ? 0 : gos__mesh_skin_find(r->skin, NULL, 1);
    if (upper > 0) { // heat by face temperatures, light by side
        GOS_TRY(gos__mesh_skin_integrate(r->skin, upper, false, NULL, r->across, NULL, NULL));
    }
    return gos__mesh_skin_integrate(r->skin, surface, inside, r->incidence, r->load,
                                    r->h > 0 ? add_film : NULL, r);
}

/* number of an entry; *given: present and constant */
static gos_status constant_of(const reading *r, const gos_node *entry, const char *key,
                              double *value, bool *given) {
    const gos_node *c = gos__node_given(entry, key);
    const gos_scope scope = {.time = true, .probes = true};
    gos_timefn *fn = NULL;
    *value = 0;
    *given = false;
    if (!c) {
        return GOS_OK;
    }
    GOS_TRY(gos__timefn_make(r->b->model, c, entry->key, &scope, r->b->arena, &fn));
    *given = gos__timefn_constant(fn);
    *value = *given ? gos__timefn_eval(fn, 0, NULL, NULL) : 0;
    gos__timefn_free(fn);
    return GOS_OK;
}

static bool is_light(const gos_node *entry) {
    const gos_node *type = gos__node_get(entry, "type");
    const bool named = type && type->kind == GOS_SCALAR;
    return named && (strcmp(type->text, "sun") == 0 ||
                     (strcmp(type->text, "flux") == 0 && gos__node_given(entry, "direction")));
}

static gos_status read_entry(reading *r, const gos_node *entry, bool *found) {
    const gos_node *on = gos__node_given(entry, "on");
    const gos_node *between = gos__node_given(entry, "between");
    const gos_node *type = gos__node_get(entry, "type");
    const bool inside = type && type->kind == GOS_SCALAR && strcmp(type->text, "source") == 0;
    r->prescribed = type && type->kind == GOS_SCALAR && strcmp(type->text, "temperature") == 0;
    on = on ? on : between;
    *found = false;
    memset(r->load, 0, (size_t)r->flex->heat.n * sizeof *r->load);
    memset(r->across, 0, (size_t)r->flex->heat.n * sizeof *r->across);
    r->h = 0;
    if (!on) {
        return GOS_OK;
    }
    double value, ambient;
    bool film, flux, driven;
    GOS_TRY(constant_of(r, entry, "value", &value, &flux));
    GOS_TRY(constant_of(r, entry, "coefficient", &r->h, &film));
    GOS_TRY(constant_of(r, entry, "ambient", &ambient, &driven));
    driven = driven || !gos__node_given(entry, "ambient");
    r->now = (double)NAN;
    if (film && driven) {
        r->now = ambient;
    } else if (flux && !r->prescribed && !is_light(entry)) {
        r->now = value;
    }
    if ((film && !(r->h > 0)) || (flux && value == 0 && !r->prescribed)) {
        return GOS_OK; // inactive
    }
    if (on->kind == GOS_SCALAR) {
        return read_location(r, on->text, inside, found);
    }
    for (const gos_node *c = on->child; c; c = c->next) {
        GOS_TRY(c->kind == GOS_SCALAR ? read_location(r, c->text, inside, found) : GOS_OK);
    }
    return GOS_OK;
}

static gos_status keep(const reading *r, const char *name, const double *load,
                       gos_floating_loads *loads) {
    double *heat = GOS_NEW(r->b->arena, double, r->flex->heat.n + 1), most = 0;
    GOS_TRY(heat ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->flex->heat.n; i++) {
        heat[i] = (r->h > 0 ? r->h : 1) * load[i];
        most = fmax(most, fabs(heat[i]));
    }
    if (most > 0) {
        r->magnitude[loads->n] = load == r->load && !r->incidence ? r->now : (double)NAN;
        loads->port[loads->n++] = (gos_flex_port){.name = name, .unit = "", .heat = heat};
    }
    return GOS_OK;
}

/* heat that is opposite on both faces: gradients only */
static gos_status keep_across(const reading *r, const char *name, gos_floating_loads *loads) {
    const char *part = gos__arena_printf(r->b->arena, "%s.across", name);
    for (int i = 0; i < r->skin->mesh->nnode; i++) {
        if (r->skin->of_node[i] >= 0) {
            r->across[r->skin->of_node[i]] = 0;
        }
    }
    return part ? keep(r, part, r->across, loads) : GOS_E_MEMORY;
}

/* ---- light ----------------------------------------------------------------------------------- */

/* Light depends on cosines of normals n and their absolute values: spanned exactly and
   approximately for all directions. The distribution at t = 0, its square and cube cover nonlinear
   temperatures at low conduction. */
enum {
    LINEAR = 3,
    SQUARES = 2,
    PRODUCTS = 3,
    FIXED = LINEAR + SQUARES + PRODUCTS,
    POWERS = 3,
    LIT = 2 * POWERS
};
static const char *const pattern_name[FIXED + LIT] = {
    "x",  "y",   "z",    "xx",   "yy",       "xy",        "yz",
    "zx", "lit", "lit2", "lit3", "earthlit", "earthlit2", "earthlit3"};
#define NEW 1e-3 // relative part that counts as new

typedef struct pattern {
    int kind;
    double u[3]; // body axes
} pattern;

static double pattern_at(const void *par, const double n[3]) {
    const pattern *p = par;
    if (p->kind < LINEAR) {
        return n[p->kind];
    }
    if (p->kind < FIXED) {
        const int k = p->kind - LINEAR, i = k < SQUARES ? k : k - SQUARES;
        return n[i] * n[k < SQUARES ? i : (i + 1) % 3];
    }
    const double lit = fmax(0, -(p->u[0] * n[0] + p->u[1] * n[1] + p->u[2] * n[2]));
    return pow(lit, 1 + (p->kind - FIXED) % POWERS);
}

/* direction of light at t = 0; *given: known */
static gos_status direction_of(const reading *r, const gos_node *entry, const char *key,
                               double u[3], bool *given) {
    const gos_node *list = gos__node_given(entry, key);
    const gos_scope scope = {.time = true};
    double global[3] = {0}, size = 0;
    int n = 0;
    *given = false;
    if (!list || list->kind != GOS_LIST || list->n != 3) {
        return GOS_OK; // reported with the entry
    }
    for (const gos_node *c = list->child; c; c = c->next) {
        gos_timefn *fn = NULL;
        GOS_TRY(gos__timefn_make(r->b->model, c, entry->key, &scope, r->b->arena, &fn));
        global[n++] = gos__timefn_eval(fn, 0, NULL, NULL);
        gos__timefn_free(fn);
    }
    for (int j = 0; j < 3; j++) {
        u[j] = 0;
        for (int c = 0; c < 3; c++) {
            u[j] += r->axis[j][c] * global[c];
        }
        size += u[j] * u[j];
    }
    for (int j = 0; j < 3 && size > 0; j++) {
        u[j] /= sqrt(size);
    }
    *given = size > 0;
    return GOS_OK;
}

/* product of loads; gradients count by face temperatures */
static double product_of(const reading *r, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < r->skin->mesh->nnode; i++) {
        const int at[2] = {r->skin->of_node[i], r->skin->of_across[i]};
        const double half = at[1] >= 0 ? r->flex->heat.half[i] : 1;
        sum += at[0] >= 0 ? x[at[0]] * y[at[0]] : 0;
        sum += at[1] >= 0 ? x[at[1]] / half * (y[at[1]] / half) : 0;
    }
    return sum;
}

/* Orthonormal loads of an entry. */
typedef struct span {
    int n;
    double *v[2 + FIXED + LIT];
} span;

/* *part: relative remainder; x is added if it is above `least` */
static gos_status widen(const reading *r, const double *x, double least, span *s, double *part) {
    const int n = r->flex->heat.n;
    double *y = GOS_NEW(r->b->arena, double, n + 1);
    GOS_TRY(y ? GOS_OK : GOS_E_MEMORY);
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int twice = 0; twice < 2; twice++) {
        for (int k = 0; k < s->n; k++) {
            const double c = product_of(r, s->v[k], y);
            for (int i = 0; i < n; i++) {
                y[i] -= c * s->v[k][i];
            }
        }
    }
    *part = sqrt(product_of(r, y, y));
    if (*part > least) {
        for (int i = 0; i < n; i++) {
            y[i] /= *part;
        }
        s->v[s->n++] = y;
    }
    return GOS_OK;
}

/* after uniform loads and gradients; none on flat surfaces */
static gos_status keep_patterns(reading *r, const gos_node *entry, gos_floating_loads *loads) {
    static const char *const key[] = {"direction", "earth_direction"};
    span s = {0};
    double even, part;
    bool found;
    if (!is_light(entry)) {
        return GOS_OK;
    }
    GOS_TRY(widen(r, r->load, 0, &s, &even));
    GOS_TRY(widen(r, r->across, NEW * even, &s, &part));
    for (int i = 0; i < FIXED + LIT; i++) { // initially lit patterns first
        const int k = (FIXED + i) % (FIXED + LIT);
        pattern p = {.kind = k};
        const gos_mesh_incidence incidence = {pattern_at, &p};
        bool given = k < FIXED;
        GOS_TRY(given ? GOS_OK : direction_of(r, entry, key[(k - FIXED) / POWERS], p.u, &given));
        if (!given) {
            continue;
        }
        r->incidence = &incidence;
        const gos_status status = read_entry(r, entry, &found);
        r->incidence = NULL;
        GOS_TRY(status);
        GOS_TRY(widen(r, r->load, NEW * even, &s, &part));
        if (part > NEW * even) {
            const char *name = gos__arena_printf(r->b->arena, "%s.%s", entry->key, pattern_name[k]);
            GOS_TRY(name ? keep(r, name, r->load, loads) : GOS_E_MEMORY);
        }
    }
    return GOS_OK;
}

static gos_status read_entries(reading *r, gos_floating_loads *loads) {
    for (const gos_node *e = gos__next_entry(r->b, "heat", NULL); e;
         e = gos__next_entry(r->b, "heat", e)) {
        bool found = false;
        if (e->kind != GOS_MAP) {
            continue;
        }
        GOS_TRY(read_entry(r, e, &found));
        GOS_TRY(found ? keep(r, e->key, r->load, loads) : GOS_OK);
        GOS_TRY(found ? keep_across(r, e->key, loads) : GOS_OK);
        GOS_TRY(found ? keep_patterns(r, e, loads) : GOS_OK);
    }
    return GOS_OK;
}

gos_status gos__mesh_heat_loads(gos_builder *b, const char *name, const gos_flex *flex,
                                const gos_mesh_skin *skin, const gos_mesh_locations *locations,
                                const double axis[3][3], gos_floating_names *names,
                                gos_sparse *film, gos_sparse *held) {
    const int n = flex->heat.n;
    int count = 0;
    for (const gos_node *e = gos__next_entry(b, "heat", NULL); e; count++) {
        e = gos__next_entry(b, "heat", e);
    }
    reading r = {
        .b = b, .name = name, .flex = flex, .skin = skin, .locations = locations, .axis = axis};
    r.load = gos__alloc(b->ctx, (size_t)n + 1, sizeof *r.load);
    r.across = gos__alloc(b->ctx, (size_t)n + 1, sizeof *r.across);
    const int most = (2 + FIXED + LIT) * count + 1;
    names->heat = (gos_floating_loads){.port = GOS_NEW(b->arena, gos_flex_port, most)};
    names->magnitude = r.magnitude = GOS_NEW(b->arena, double, most);
    const bool room = r.load && r.across && names->heat.port && r.magnitude;
    gos_status status = room ? read_entries(&r, &names->heat) : GOS_E_MEMORY;
    status = status == GOS_OK ? matrix_of(b->ctx, n, &r.film, film) : status;
    status = status == GOS_OK ? matrix_of(b->ctx, n, &r.held, held) : status;
    gos__free(b->ctx, r.load);
    gos__free(b->ctx, r.across);
    free_entries(b->ctx, &r.film);
    free_entries(b->ctx, &r.held);
    return status;
}
