/* Deck constraints as linear conditions. */
#include "deck/fe_ties.h"

#include "deck/fe_parts.h"

#include <lapacke.h>
#include <math.h>

static gos_status refuse(const gos_deck_ties *t, gos_loc loc, const char *card, const char *why) {
    return gos__fail_at(t->ctx, GOS_E_INPUT, loc, t->object, "%s: %s",
                        gos__deck_word(t->deck, card), why);
}

/* ---- unknowns -------------------------------------------------------------------------------- */

int gos__deck_ties_number(const gos_deck_ties *t, int node, int dof) {
    if (gos__deck_ties_turns(t, node)) {
        return dof < 3 ? gos__deck_ties_number(t, t->for_node[node] - 1, 3 + dof) : -1;
    }
    const int own = gos__fe_number(&t->body->freedom, node, dof);
    const int r = own < 0 && t->of_node ? t->of_node[node] : 0;
    return r > 0 ? t->reference[r - 1].unknown[dof] : own;
}

gos_deck_reference *gos__deck_ties_reference(gos_deck_ties *t, int node) {
    if (t->of_node[node] == 0) {
        t->reference[t->nreference] =
            (gos_deck_reference){.node = node, .unknown = {-1, -1, -1, -1, -1, -1}};
        t->of_node[node] = ++t->nreference;
    }
    return &t->reference[t->of_node[node] - 1];
}

static bool has_freedoms(const gos_deck_ties *t, int node) {
    return t->body->freedom.mask[node] != 0;
}

/* determined by coupled nodes: directions, and their moments */
typedef struct moments {
    bool met[GOS_FE_FREEDOMS];
    double G[36];
} moments;

/* rigid motions about `at` in freedom dof of a node at x */
static void rigid_row(const double at[3], const double x[3], int dof, double row[6]) {
    const int c = dof % 3, d = (c + 1) % 3, e = (c + 2) % 3;
    memset(row, 0, 6 * sizeof *row);
    row[dof < 3 ? c : 3 + c] = 1;
    if (dof < 3) { // (theta x r)_c = theta_d r_e - theta_e r_d
        row[3 + d] = x[e] - at[e];
        row[3 + e] = at[d] - x[d];
    }
}

/* of a coupled freedom: along the orientation where one or two of three directions are coupled */
static void direction_of(const gos_deck_ties *t, const gos_deck_coupling *c, int dof, double e[3]) {
    const bool *three = c->dof + dof / 3 * 3;
    double axes[3][3];
    for (int k = 0; k < 3; k++) {
        e[k] = k == dof % 3;
    }
    if (c->orientation >= 0 && !(three[0] && three[1] && three[2])) {
        const gos_deck_orientation *o = &t->deck->orientation[c->orientation];
        (void)gos__deck_axes(false, o->a, o->b, t->deck->mesh->x[c->reference], axes);
        memcpy(e, axes[dof % 3], sizeof axes[0]);
    }
}

/* Coupled freedom of a node: its direction, and the motion of the reference along it. @return
 * unknown of the largest component, -1: the node has none */
static int coupled_row(const gos_deck_ties *t, const gos_deck_coupling *c, int node, int dof,
                       double e[3], double row[6]) {
    const gos_mesh *mesh = t->deck->mesh;
    int own = -1;
    double largest = 0;
    memset(row, 0, 6 * sizeof *row);
    direction_of(t, c, dof, e);
    for (int k = 0; k < 3; k++) {
        const int number = gos__deck_ties_number(t, node, dof / 3 * 3 + k);
        double part[6];
        if (e[k] == 0) {
            continue;
        }
        rigid_row(mesh->x[c->reference], mesh->x[node], dof / 3 * 3 + k, part);
        for (int j = 0; j < 6; j++) {
            row[j] += e[k] * part[j];
        }
        if (number >= 0 && fabs(e[k]) > largest) {
            own = number;
            largest = fabs(e[k]);
        }
    }
    return own;
}

static void measure(const gos_deck_ties *t, const gos_deck_coupling *c, double size, moments *m) {
    *m = (moments){0};
    for (int i = 0; i < c->n; i++) {
        for (int dof = 0; dof < GOS_FE_FREEDOMS; dof++) {
            double e[3], row[6];
            if (c->node[i] == c->reference || (!c->dof[dof] && !c->distributing) ||
                coupled_row(t, c, c->node[i], dof, e, row) < 0) {
                continue;
            }
            for (int k = 0; k < 6; k++) {
                m->met[k] = m->met[k] || row[k] != 0;
                row[k] /= k < 3 ? 1 : size;
            }
            for (int k = 0; k < 36; k++) {
                m->G[k] += row[k / 6] * row[k % 6];
            }
        }
    }
}

/* whether the coupled nodes determine those motions of the reference that no cell does */
static bool is_determined(const gos_deck_ties *t, int reference, moments *m) {
    double w[6];
    for (int k = 0; k < 6; k++) {
        m->G[7 * k] += m->met[k] && gos__deck_ties_number(t, reference, k) < 0 ? 0 : 1;
    }
    const bool good = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 6, m->G, 6, w) == 0;
    return good && w[0] > 1e-10 * w[5];
}

static double extent(const gos_mesh *m, int n, const int *node, const double at[3]) {
    double size = 0;
    for (int i = 0; i < 3 * n; i++) {
        size = fmax(size, fabs(m->x[node[i / 3]][i % 3] - at[i % 3]));
    }
    return size > 0 ? size : 1;
}

static gos_status check_rotation_node(const gos_deck_ties *t, const gos_deck_coupling *c) {
    if (c->rotation >= 0 && has_freedoms(t, c->rotation)) {
        return refuse(t, c->loc, "*RIGID BODY",
                      "the node whose displacements are its rotation (ROT NODE) belongs to a cell; "
                      "use a separate node");
    }
    return GOS_OK;
}

/* mean rotations without the mean displacement */
static bool turns_only(const gos_deck_coupling *c) {
    return c->distributing && !c->dof[0] && !c->dof[1] && !c->dof[2];
}

/* *taken: the coupling has nodes of the body */
static gos_status add_reference(gos_deck_ties *t, const gos_deck_coupling *c, bool *taken) {
    const gos_mesh *mesh = t->deck->mesh;
    moments m;
    measure(t, c, extent(mesh, c->n, c->node, mesh->x[c->reference]), &m);
    *taken = false;
    for (int k = 0; k < 6; k++) {
        *taken = *taken || m.met[k];
    }
    if (!*taken) {
        return GOS_OK;
    }
    GOS_TRY(check_rotation_node(t, c));
    if (!is_determined(t, c->reference, &m)) {
        return refuse(t, c->loc, c->rigid_body ? "*RIGID BODY" : "*COUPLING",
                      "the nodes do not determine the rotation about every axis; couple nodes that "
                      "are not collinear in all three directions, or leave the constraints out "
                      "(`deck_ties: false`) and give the body `interfaces`");
    }
    gos_deck_reference *r = gos__deck_ties_reference(t, c->reference);
    for (int k = 0; k < 6; k++) {
        if (m.met[k] && (!turns_only(c) || c->dof[k]) && r->unknown[k] < 0 &&
            gos__fe_number(&t->body->freedom, c->reference, k) < 0) {
            r->unknown[k] = t->n++;
        }
    }
    if (c->rotation >= 0) {
        t->for_node[c->rotation] = 1 + c->reference;
    }
    return GOS_OK;
}

/* ---- couplings ------------------------------------------------------------------------------- */

static gos_status term(gos_deck_ties *t, int node, int dof, double factor) {
    const int number = gos__deck_ties_number(t, node, dof);
    return number < 0 || factor == 0 ? GOS_OK : gos__conditions_term(&t->move, number, factor);
}

static gos_status add_rigid(gos_deck_ties *t, const gos_deck_coupling *c) {
    for (int i = 0; i < c->n; i++) {
        for (int dof = 0; dof < GOS_FE_FREEDOMS; dof++) {
            const int node = c->node[i];
            double e[3], row[6];
            const int own = coupled_row(t, c, node, dof, e, row);
            if (node == c->reference || !c->dof[dof] || own < 0) {
                continue;
            }
            t->follower[node] = true;
            GOS_TRY(gos__conditions_begin(&t->move, own));
            for (int k = 0; k < 3; k++) {
                GOS_TRY(term(t, node, dof / 3 * 3 + k, e[k]));
            }
            for (int k = 0; k < 6; k++) {
                GOS_TRY(term(t, c->reference, k, -row[k]));
            }
        }
    }
    return GOS_OK;
}

/* weighted nodes: centre, and inverse of sum w (r^2 I - r r^T) */
typedef struct cloud {
    int n;
    const int *node;
    const double *w;
    double centre[3], inverse[9];
} cloud;

static bool invert(double A[9], double inverse[9]) {
    double w[3];
    memset(inverse, 0, 9 * sizeof *inverse);
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', 3, A, 3, w) != 0 || !(w[0] > 1e-10 * w[2])) {
        return false;
    }
    for (int i = 0; i < 27; i++) {
        inverse[i % 9] += A[3 * (i / 9) + i % 9 / 3] * A[3 * (i / 9) + i % 3] / w[i / 9];
    }
    return true;
}

static bool look_at(const gos_mesh *m, cloud *k) {
    double A[9] = {0};
    for (int i = 0; i < 3 * k->n; i++) {
        k->centre[i % 3] += k->w[i / 3] * m->x[k->node[i / 3]][i % 3];
    }
    for (int i = 0; i < k->n; i++) {
        double r[3], square = 0;
        for (int c = 0; c < 3; c++) {
            r[c] = m->x[k->node[i]][c] - k->centre[c];
            square += r[c] * r[c];
        }
        for (int c = 0; c < 9; c++) {
            A[c] += k->w[i] * ((c % 4 == 0 ? square : 0) - r[c / 3] * r[c % 3]);
        }
    }
    return invert(A, k->inverse);
}

/* theta_c = (inverse sum w r x u)_c */
static gos_status add_mean_turn(gos_deck_ties *t, const gos_deck_coupling *c, const cloud *k,
                                int axis) {
    const gos_mesh *m = t->deck->mesh;
    const int own = gos__deck_ties_number(t, c->reference, 3 + axis);
    GOS_TRY(gos__conditions_begin(&t->move, own));
    GOS_TRY(gos__conditions_term(&t->move, own, 1));
    for (int i = 0; i < k->n; i++) {
        for (int d = 0; d < 3; d++) {
            const int p = (d + 1) % 3, q = (d + 2) % 3;
            const double by = k->w[i] * k->inverse[3 * axis + d];
            const double rp = m->x[k->node[i]][p] - k->centre[p];
            const double rq = m->x[k->node[i]][q] - k->centre[q];
            GOS_TRY(term(t, k->node[i], q, -by * rp));
            GOS_TRY(term(t, k->node[i], p, by * rq));
        }
    }
    return GOS_OK;
}

/* u_c = sum w u_c + (theta x d)_c, d from the centre to the reference node */
static gos_status add_mean_move(gos_deck_ties *t, const gos_deck_coupling *c, const cloud *k,
                                int axis) {
    const int own = gos__deck_ties_number(t, c->reference, axis);
    double row[6];
    rigid_row(k->centre, t->deck->mesh->x[c->reference], axis, row);
    GOS_TRY(gos__conditions_begin(&t->move, own));
    GOS_TRY(gos__conditions_term(&t->move, own, 1));
    for (int i = 0; i < k->n; i++) {
        GOS_TRY(term(t, k->node[i], axis, -k->w[i]));
    }
    for (int d = 3; d < 6; d++) {
        GOS_TRY(term(t, c->reference, d, -row[d]));
    }
    return GOS_OK;
}

static gos_status average(gos_deck_ties *t, const gos_deck_coupling *c, double *share) {
    cloud k = {.n = c->n, .node = c->node, .w = share};
    for (int i = 0; i < c->n; i++) {
        const unsigned mask = t->body->freedom.mask[c->node[i]];
        if (c->node[i] == c->reference || (mask & 7u) != 7u) {
            return refuse(t, c->loc, "*COUPLING, *DISTRIBUTING",
                          "apart from the reference node, all its nodes must be nodes of cells "
                          "with three displacements; leave it out (`deck_ties: false`) and give "
                          "the body an averaging interface (`interfaces`)");
        }
    }
    if (c->weight) {
        double sum = 0;
        for (int i = 0; i < c->n; i++) {
            sum += c->weight[i];
        }
        for (int i = 0; i < c->n; i++) {
            share[i] = c->weight[i] / sum;
        }
    } else {
        gos__deck_shares(t->deck, c->surface, c->n, c->node, share);
    }
    if (!look_at(t->deck->mesh, &k)) {
        return refuse(t, c->loc, "*COUPLING, *DISTRIBUTING",
                      "its nodes are collinear and do not determine the rotation about their line; "
                      "use a surface");
    }
    for (int axis = 0; axis < 3; axis++) {
        if (c->dof[3 + axis] || !turns_only(c)) {
            GOS_TRY(add_mean_turn(t, c, &k, axis));
        }
    }
    for (int axis = 0; axis < 3 && !turns_only(c); axis++) {
        GOS_TRY(add_mean_move(t, c, &k, axis));
    }
    return GOS_OK;
}

static gos_status add_average(gos_deck_ties *t, const gos_deck_coupling *c) {
    double *share = gos__alloc(t->ctx, (size_t)c->n + 1, sizeof *share);
    const gos_status status = share ? average(t, c, share) : GOS_E_MEMORY;
    gos__free(t->ctx, share);
    return status;
}

static gos_status add_coupling(gos_deck_ties *t, const gos_deck_coupling *c) {
    bool taken;
    const bool whole = c->dof[0] && c->dof[1] && c->dof[2];
    const gos_deck_orientation *o =
        c->orientation < 0 ? NULL : &t->deck->orientation[c->orientation];
    GOS_TRY(add_reference(t, c, &taken));
    if (!taken) {
        return GOS_OK;
    }
    if (!whole && ((c->distributing && (!turns_only(c) || o)) ||
                   (!c->distributing && o && (o->cylindrical || o->axis != 0)))) {
        return refuse(
            t, c->loc, "*COUPLING",
            c->distributing
                ? "*DISTRIBUTING supports degrees of freedom 1 to 3, 1 to 6, or rotations alone "
                  "without ORIENTATION; list these"
                : "a subset of the directions of an orientation that is cylindrical or turned is "
                  "not "
                  "supported; list 1 to 3, or use *EQUATION");
    }
    return c->distributing ? add_average(t, c) : add_rigid(t, c);
}

/* ---- equations ------------------------------------------------------------------------------- */

static gos_status no_freedom(const gos_deck_ties *t, gos_loc loc, int node, int dof) {
    return gos__fail_at(
        t->ctx, GOS_E_INPUT, loc, t->object,
        "%s: node %lld has no degree of freedom %d in this body; remove the term, or leave "
        "the deck's constraints out (`deck_ties: false`) and give the body `interfaces`",
        gos__deck_word(t->deck, "*EQUATION"), (long long)gos__mesh_node_tag(t->deck->mesh, node),
        dof);
}

static gos_status add_heat_equation(gos_deck_ties *t, const gos_deck_equation *e) {
    double sum = 0, most = 0;
    if (t->body->temperature.n == 0) {
        return GOS_OK;
    }
    GOS_TRY(
        gos__conditions_begin(&t->warmth, gos__fe_number(&t->body->temperature, e->node[0], 0)));
    for (int i = 0; i < e->n; i++) {
        const int number = gos__fe_number(&t->body->temperature, e->node[i], 0);
        GOS_TRY(number < 0 ? no_freedom(t, e->loc, e->node[i], 11) : GOS_OK);
        GOS_TRY(gos__conditions_term(&t->warmth, number, e->factor[i]));
        t->follower[e->node[i]] = true;
        sum += e->factor[i];
        most = fmax(most, fabs(e->factor[i]));
    }
    return fabs(sum) <= 1e-9 * most
               ? GOS_OK
               : refuse(t, e->loc, "*EQUATION",
                        "factors of temperatures must sum to 0; otherwise the equation depends on "
                        "the zero of the temperature scale");
}

static gos_status add_equation(gos_deck_ties *t, const gos_deck_equation *e) {
    bool any = false, heat = false, moves = false;
    for (int i = 0; i < e->n; i++) {
        any = any || has_freedoms(t, e->node[i]) || t->of_node[e->node[i]] > 0;
        heat = heat || e->dof[i] == 11;
        moves = moves || e->dof[i] <= 6;
    }
    if (!any) {
        return GOS_OK;
    }
    if (heat && moves) {
        return refuse(t, e->loc, "*EQUATION", "it mixes temperatures with displacements");
    }
    if (heat) {
        return add_heat_equation(t, e);
    }
    for (int i = 0; i < e->n; i++) {
        const int dof = e->dof[i] - 1, node = e->node[i];
        const double length = t->for_node[node] > 0 ? t->deck->length : 1; // rotation
        double axis[3];
        bool found = false;
        gos__deck_direction(t->deck, node, dof, axis, NULL);
        if (i == 0) {
            GOS_TRY(gos__conditions_begin(&t->move, gos__deck_ties_number(t, node, dof)));
        }
        for (int c = 0; c < 3; c++) {
            const int number = gos__deck_ties_number(t, node, dof / 3 * 3 + c);
            found = found || (number >= 0 && axis[c] != 0);
            GOS_TRY(number < 0 || axis[c] == 0
                        ? GOS_OK
                        : gos__conditions_term(&t->move, number, e->factor[i] * length * axis[c]));
        }
        GOS_TRY(found || e->factor[i] == 0 ? GOS_OK : no_freedom(t, e->loc, node, 1 + dof));
        t->follower[node] = true;
    }
    return GOS_OK;
}

/* ---- ties ------------------------------------------------------------------------------------ */

typedef struct missed {
    int n, first;   // no face within the tolerance; one of them
    int away, last; // face outside the body; one of them
    double gap;     // to the face, of the others
} missed;

static gos_status add_follower(gos_deck_ties *t, const gos_deck_tie *tie, int node, missed *m) {
    const gos_fe_body *b = t->body;
    gos_deck_follow f;
    gos__deck_follow(t->deck, tie, node, &f);
    bool have = f.n > 0;
    for (int i = 0; i < f.n; i++) {
        have = have && has_freedoms(t, f.node[i]);
        if (f.node[i] == node) {
            return GOS_OK;
        }
    }
    if (!have) {
        *(f.n > 0 ? &m->last : &m->first) = node;
        *(f.n > 0 ? &m->away : &m->n) += 1;
        return GOS_OK;
    }
    m->gap = fmax(m->gap, f.gap);
    t->follower[node] = true;
    for (int dof = 0; dof < 3; dof++) {
        const int own = gos__fe_number(&b->freedom, node, dof);
        GOS_TRY(gos__conditions_begin(&t->move, own));
        GOS_TRY(term(t, node, dof, 1));
        for (int i = 0; i < f.n; i++) {
            GOS_TRY(term(t, f.node[i], dof, -f.weight[i]));
        }
    }
    const int warm = gos__fe_number(&b->temperature, node, 0);
    GOS_TRY(warm < 0 ? GOS_OK : gos__conditions_begin(&t->warmth, warm));
    GOS_TRY(warm < 0 ? GOS_OK : gos__conditions_term(&t->warmth, warm, 1));
    for (int i = 0; i < f.n && warm >= 0; i++) {
        const int other = gos__fe_number(&b->temperature, f.node[i], 0);
        GOS_TRY(other < 0 || f.weight[i] == 0
                    ? GOS_OK
                    : gos__conditions_term(&t->warmth, other, -f.weight[i]));
    }
    return GOS_OK;
}

static gos_status add_tie(gos_deck_ties *t, const gos_deck_tie *tie) {
    const gos_deck_surface *s = &t->deck->surface[tie->dependent];
    missed m = {0};
    bool any = false;
    int first;
    for (int i = 0; i < s->nnode; i++) {
        const unsigned mask = t->body->freedom.mask[s->node[i]];
        any = any || mask != 0 || t->of_node[s->node[i]] > 0;
        if ((mask & ~7u) || gos__deck_fibres_at(t->deck, s->node[i], &first) > 0) {
            return refuse(t, tie->loc, "*TIE",
                          "shells cannot be tied to faces; mesh both sides with common nodes");
        }
    }
    for (int i = 0; any && i < s->nnode; i++) {
        GOS_TRY(has_freedoms(t, s->node[i]) ? add_follower(t, tie, s->node[i], &m) : GOS_OK);
    }
    if (m.n > 0) {
        gos__warn(t->ctx, tie->loc, t->object,
                  "*TIE '%s': %d nodes (e.g. %lld) are farther from the second surface than "
                  "POSITION TOLERANCE and are not tied, as in CalculiX",
                  tie->name, m.n, (long long)gos__mesh_node_tag(t->deck->mesh, m.first));
    }
    if (m.away > 0) {
        gos__warn(t->ctx, tie->loc, t->object,
                  "*TIE '%s': %d nodes (e.g. %lld) lie on faces outside this body and are not "
                  "tied; connect the bodies by joints",
                  tie->name, m.away, (long long)gos__mesh_node_tag(t->deck->mesh, m.last));
    }
    if (m.gap > 1e-6 && tie->adjust) {
        gos__warn(t->ctx, tie->loc, t->object,
                  "*TIE '%s': nodes are off the faces to which they are tied, by up to %.2g of a "
                  "face's size; CalculiX moves them onto the face, but here they are not moved, "
                  "which stiffens rotation in proportion to the gap; close the gap in the mesh",
                  tie->name, m.gap);
    }
    return GOS_OK;
}

/* ---- assembly -------------------------------------------------------------------------------- */

/* whether an end of a rigid element needs freedoms of its own: it has no cell and follows */
static bool is_lone(const gos_deck_ties *t, const gos_deck_coupling *c, int i) {
    return t->deck->nastran && !c->distributing && !has_freedoms(t, c->node[i]);
}

static size_t count_lone(const gos_deck_ties *t) {
    size_t n = 0;
    for (int i = 0; i < t->deck->ncoupling; i++) {
        for (int k = 0; k < t->deck->coupling[i].n; k++) {
            n += is_lone(t, &t->deck->coupling[i], k);
        }
    }
    return n;
}

/* Nodes of equations without a cell follow, or lead, those with one: freedoms of their own, of all
   three directions where *TRANSFORM turns them */
static void add_terms(gos_deck_ties *t, const gos_deck_equation *e) {
    bool any = false;
    for (int i = 0; i < e->n; i++) {
        any = any || has_freedoms(t, e->node[i]) || t->of_node[e->node[i]] > 0;
    }
    for (int i = 0; i < e->n && any; i++) {
        const int node = e->node[i], dof = e->dof[i] - 1, three = dof / 3 * 3;
        double axis[3];
        if (dof >= GOS_FE_FREEDOMS || has_freedoms(t, node) || t->for_node[node] > 0) {
            continue;
        }
        const bool turned = gos__deck_direction(t->deck, node, dof, axis, NULL);
        gos_deck_reference *r = gos__deck_ties_reference(t, node);
        for (int k = three; k < three + 3; k++) {
            r->unknown[k] = r->unknown[k] < 0 && (turned || k == dof) ? t->n++ : r->unknown[k];
        }
    }
}

/* Freedoms of such nodes, which may be references of further rigid elements, or have a mass */
static void add_lone(gos_deck_ties *t, const gos_deck_coupling *c) {
    for (int i = 0; i < c->n; i++) {
        const int node = c->node[i];
        if (!is_lone(t, c, i)) {
            continue;
        }
        gos_deck_reference *r = gos__deck_ties_reference(t, node);
        for (int k = 0; k < GOS_FE_FREEDOMS; k++) {
            r->unknown[k] = c->dof[k] && r->unknown[k] < 0 ? t->n++ : r->unknown[k];
        }
    }
}

static gos_status add_all(gos_deck_ties *t) {
    const gos_deck *d = t->deck;
    for (int i = 0; i < d->ncoupling; i++) {
        add_lone(t, &d->coupling[i]);
    }
    for (int i = 0; i < d->ncoupling; i++) {
        GOS_TRY(add_coupling(t, &d->coupling[i]));
    }
    for (int i = 0; i < d->ntie; i++) {
        GOS_TRY(add_tie(t, &d->tie[i]));
    }
    for (int i = 0; i < d->nequation; i++) {
        add_terms(t, &d->equation[i]);
    }
    for (int i = 0; i < d->nequation; i++) {
        GOS_TRY(add_equation(t, &d->equation[i]));
    }
    return GOS_OK;
}

static gos_status make(gos_deck_ties *t, bool constraints) {
    const gos_deck *d = t->deck;
    const size_t nodes = (size_t)d->mesh->nnode + 1;
    size_t most = (size_t)d->ncoupling + count_lone(t) + (size_t)d->nfibre + 1;
    for (int i = 0; i < d->nequation; i++) {
        most += (size_t)d->equation[i].n;
    }
    t->reference = gos__zalloc(t->ctx, most, sizeof *t->reference);
    t->of_node = gos__zalloc(t->ctx, nodes, sizeof *t->of_node);
    t->for_node = gos__zalloc(t->ctx, nodes, sizeof *t->for_node);
    t->follower = gos__zalloc(t->ctx, nodes, sizeof *t->follower);
    GOS_TRY(t->reference && t->of_node && t->for_node && t->follower ? GOS_OK : GOS_E_MEMORY);
    gos__deck_fibres_number(t);
    GOS_TRY(gos__deck_fibres_add(t));
    return constraints ? add_all(t) : GOS_OK;
}

gos_status gos__deck_ties_make(gos_deck_ties *ties, const gos_deck *deck, const gos_fe_body *body,
                               bool constraints, const char *object) {
    gos_ctx *ctx = body->ctx;
    *ties = (gos_deck_ties){.ctx = ctx,
                            .deck = deck,
                            .body = body,
                            .object = object,
                            .n = body->freedom.n,
                            .move = {.ctx = ctx},
                            .warmth = {.ctx = ctx}};
    return gos__deck_is_tied(deck) || deck->nfibre > 0 ? make(ties, constraints) : GOS_OK;
}

void gos__deck_ties_free(gos_deck_ties *t) {
    if (!t->ctx) {
        return;
    }
    gos__free(t->ctx, t->reference);
    gos__free(t->ctx, t->of_node);
    gos__free(t->ctx, t->for_node);
    gos__free(t->ctx, t->follower);
    gos__conditions_free(&t->move);
    gos__conditions_free(&t->warmth);
    *t = (gos_deck_ties){0};
}

gos_status gos__deck_ties_solve(const gos_deck_ties *t, const gos_conditions *c, gos_sparse *T) {
    const gos_mesh *m = t->deck->mesh;
    double length = 0;
    double *size = gos__alloc(t->ctx, (size_t)t->n + 1, sizeof *size);
    GOS_TRY(size ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < t->n; i++) {
        size[i] = 1;
    }
    for (int i = 0; i < 3 * m->nnode; i++) {
        length = fmax(length, fabs(m->x[i / 3][i % 3] - m->x[0][i % 3]));
    }
    for (int i = 0; i < m->nnode; i++) { // scales rotations by the size of the body
        for (int dof = 0; dof < GOS_FE_FREEDOMS; dof++) {
            const int number = gos__deck_ties_number(t, i, dof);
            if (number >= 0 && !gos__deck_ties_turns(t, i)) {
                size[number] = dof < 3 && length > 0 ? length : 1;
            }
        }
    }
    const gos_status status = gos__ties_solve(c, t->n, size, T, NULL);
    gos__free(t->ctx, size);
    return status;
}
