/* Common code of joints: resolves the ends and collects rows (equations in joint.h). */
#include "joints/joint.h"
#include "base/units.h"

#include <assert.h>
#include <math.h>

#include "parts/hinge.h"

#define MAX_GAP 5e-3 // of the model size: larger gaps between joint points are rejected, not closed

gos_status gos__joint_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                            const char *object, gos_joint *j, gos_joint_def *def) {
    *j = (gos_joint){.b = b, .entry = entry};
    memset(def, 0, type->size);
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, def));
    j->object = gos__arena_strdup(b->arena, object);
    j->item.entry = gos__arena_strdup(b->arena, entry->key);
    return j->object && j->item.entry ? GOS_OK : GOS_E_MEMORY;
}

static gos_status locate_end(const gos_joint *j, gos_end *e) {
    if (j->edges) {
        GOS_TRY(gos__locate(j->b, e->text, e->loc, j->object, &e->location));
        if (e->location.edge) {
            return GOS_OK;
        }
        e->location.each = j->sets && e->location.set && e->location.body->ops->set_node;
        if (e->location.each) {
            return GOS_OK;
        }
    }
    return gos__locate_point(j->b, e->text, e->loc, j->object, &e->location);
}

static bool same_location(const gos_location *p, const gos_location *q) {
    if (p->each || q->each) {
        return p->body == q->body && p->set == q->set;
    }
    return p->edge || q->edge ? p->body == q->body && p->edge == q->edge : gos__same_point(p, q);
}

gos_status gos__joint_locations(gos_joint *j, const gos_joint_def *def) {
    gos_ctx *ctx = j->b->ctx;
    gos_loc loc = gos__key_loc(j->entry, "between");
    if (def->between.n != 2) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "between lists %d attachment points; list two, e.g. [ground, "
                            "rod.start]",
                            def->between.n);
    }
    for (int s = 0; s < 2; ++s) {
        gos_end *e = &j->end[s];
        e->text = def->between.v[s];
        e->side = 1 + s;
        e->loc = def->between.loc[s];
        GOS_TRY(locate_end(j, e));
    }
    const gos_location *p = &j->end[0].location, *q = &j->end[1].location;
    if (!p->body && !q->body) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "the ground is joined to itself; use a body for one of them");
    }
    if (p->body == q->body && p->body->rigid_item >= 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "rigid body '%s' is joined to itself; list two different bodies",
                            p->body->name);
    }
    if (same_location(p, q)) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "'%s' and '%s' are the same point; name two different ones",
                            j->end[0].text, j->end[1].text);
    }
    return GOS_OK;
}

static bool definite(const gos_location *p) {
    return p->body && !p->whole;
}

/* Location of the ends at t = 0. */
static gos_status meeting_point(const gos_joint *j, const gos_joint_def *def, double x[3]) {
    const gos_location *p = &j->end[0].location, *q = &j->end[1].location;
    const double *from;
    if (gos__node_given(j->entry, "at")) {
        from = def->at;
    } else if (definite(p) || definite(q)) {
        from = definite(p) ? p->x : q->x;
    } else if (p->body && q->body) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
                            "'%s' and '%s' do not define a common point; specify `at: [x, y, z]`, "
                            "or list a point of one, e.g. '%s.centre'",
                            j->end[0].text, j->end[1].text, j->end[0].text);
    } else {
        from = p->body ? p->x : q->x;
    }
    memcpy(x, from, 3 * sizeof *x);
    return GOS_OK;
}

/* Checks a point against x; small gaps are reported when all rows exist, and closed by runs. */
static gos_status check_meeting(const gos_joint *j, const gos_end *e, const double x[3]) {
    double d[3];
    gos__sub3(e->location.x, x, d);
    const double off = gos__norm3(d), size = gos__extent(j->b) + gos__norm3(x);
    if (!(off <= MAX_GAP * size)) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, e->loc, j->object,
                            "'%s' is at (%g, %g, %g), %g %s away from the joint at (%g, %g, %g); "
                            "the attachment points must coincide at t = 0",
                            e->text, e->location.x[0], e->location.x[1], e->location.x[2], off,
                            gos__unit_label(j->b->model->units, "m", GOS_UNIT_BUFFER), x[0], x[1],
                            x[2]);
    }
    return GOS_OK;
}

static gos_status meet_ends(gos_joint *j, const gos_joint_def *def) {
    double x[3];
    GOS_TRY(meeting_point(j, def, x));
    for (int s = 0; s < 2; ++s) {
        gos_end *e = &j->end[s];
        memcpy(e->x, x, sizeof x);
        if (!definite(&e->location)) {
            GOS_TRY(gos__carried_point(j->b, &e->location, x, e->loc, j->object, &e->m));
            continue;
        }
        GOS_TRY(check_meeting(j, e, x));
        GOS_TRY(gos__position(j->b, &e->location, &e->m));
    }
    return GOS_OK;
}

gos_status gos__joint_ends(gos_joint *j, const gos_joint_def *def) {
    GOS_TRY(gos__joint_locations(j, def));
    return meet_ends(j, def);
}

static gos_status count_nodes(const gos_joint *j, int *n) {
    const gos_end *e = j->end;
    const int m[2] = {gos__edge_nodes(&e[0].location), gos__edge_nodes(&e[1].location)};
    *n = m[0] > m[1] ? m[0] : m[1];
    if (*n == 0) {
        *n = 1;
        return GOS_OK;
    }
    if (m[0] > 0 && m[1] > 0 && m[0] != m[1]) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
                            "'%s' has %d nodes and '%s' has %d; edges and sets connect node by "
                            "node: give both bodies the same number of elements there",
                            e[0].text, m[0], e[1].text, m[1]);
    }
    for (int s = 0; s < 2; ++s) {
        if (m[s] == 0 && definite(&e[s].location)) {
            return gos__fail_at(
                j->b->ctx, GOS_E_INPUT, e[s].loc, j->object,
                "'%s' is a point, but '%s' has several nodes, which can connect only to the "
                "ground, to a rigid body listed without a point, or to an equal number of nodes",
                e[s].text, e[1 - s].text);
        }
    }
    if (gos__node_given(j->entry, "at")) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "at"), j->object,
                            "nodes of an edge or set already define the location; remove `at`");
    }
    return GOS_OK;
}

/* node k of n of a side; nodes of the second of two sets are matched to the nearest of the first */
static void pick_node(const gos_joint *all, int s, bool turned, int k, int n, gos_location *p) {
    const gos_location *from = &all->end[s].location;
    gos_location first;
    gos__edge_node(from, s == 1 && turned ? n - 1 - k : k, n, p);
    if (s == 0 || !from->each || !all->end[0].location.each) {
        return;
    }
    double min = HUGE_VAL, d[3];
    gos__edge_node(&all->end[0].location, k, n, &first);
    for (int i = 0; i < n; ++i) {
        gos_location other;
        gos__edge_node(from, i, n, &other);
        gos__sub3(other.x, first.x, d);
        *p = gos__dot3(d, d) < min ? other : *p;
        min = fmin(min, gos__dot3(d, d));
    }
}

gos_status gos__joint_each(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, bool sets, gos_joint_node_fn add) {
    gos_joint all;
    gos_joint_def def;
    int n;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &all, &def));
    all.edges = true;
    all.sets = sets;
    GOS_TRY(gos__joint_locations(&all, &def));
    GOS_TRY(count_nodes(&all, &n));
    const gos_location *p = &all.end[0].location, *q = &all.end[1].location;
    const bool turned = p->edge && q->edge && gos__edges_opposite(p, q, n);
    for (int k = 0; k < n; ++k) {
        gos_joint j = all;
        j.edge[0] = *p;
        j.edge[1] = *q;
        j.sides.corner = (p->edge || q->edge) && (k == 0 || k == n - 1);
        for (int s = 0; s < 2; ++s) {
            if (all.end[s].location.edge || all.end[s].location.each) {
                pick_node(&all, s, turned, k, n, &j.end[s].location);
            }
        }
        GOS_TRY(meet_ends(&j, &def));
        gos__joint_meet(&j);
        GOS_TRY(add(&j, &def));
        GOS_TRY(gos__joint_temperature(&j, &def));
        GOS_TRY(gos__joint_add_parts(&j));
    }
    return GOS_OK;
}

/* Fixed arrays fit every type; overflow is a programming error. */

int gos__joint_marker(gos_joint *j, int end, bool point, const gos_marker *m) {
    assert(j->item.nm < GOS_ITEM_MARKERS);
    j->sides.of[j->item.nm] = (unsigned char)j->end[end].side;
    j->sides.point[j->item.nm] = point;
    j->item.m[j->item.nm] = *m;
    return j->item.nm++;
}

gos_status gos__joint_direction(gos_joint *j, int side, const double d[3], int *index) {
    gos_marker m;
    const gos_end *e = &j->end[side];
    GOS_TRY(gos__direction(j->b, &e->location, d, e->loc, j->object, &m));
    *index = gos__joint_marker(j, side, false, &m);
    return GOS_OK;
}

gos_status gos__joint_tangent(gos_joint *j, int side, int *index, double initial[3]) {
    gos_marker m;
    const gos_end *e = &j->end[side];
    GOS_TRY(gos__tangent(j->b, &e->location, e->loc, j->object, &m, initial));
    *index = gos__joint_marker(j, side, false, &m);
    return GOS_OK;
}

void gos__joint_vector(gos_joint *j, int ma, double wa, int mb, double wb) {
    assert(j->rows.nvec < GOS_COUNT(j->rows.w) && ma < j->item.nm && mb < j->item.nm);
    double *w = j->rows.w[j->rows.nvec++];
    w[ma] += wa;
    w[mb] += wb;
}

void gos__joint_dot(gos_joint *j, int p, int i, int k, double value) {
    assert(j->rows.ndot < GOS_JOINT_DOTS);
    j->rows.dot[j->rows.ndot++] = (gos_dot_row){.p = p, .i = i, .q = p, .j = k, .value = value};
}

void gos__joint_dots(gos_joint *j, int p, int i, int q, int k) {
    assert(j->rows.ndot < GOS_JOINT_DOTS);
    j->rows.dot[j->rows.ndot++] = (gos_dot_row){.p = p, .i = i, .q = q, .j = k};
}

void gos__joint_triple(gos_joint *j, int mi, int mj, int mk) {
    assert(j->rows.ntriple < GOS_JOINT_TRIPLES);
    j->rows.triple[j->rows.ntriple++] = (gos_triple_row){.m = {mi, mj, mk}};
}

gos_status gos__joint_angle(gos_joint *j, int e, int f, int g) {
    assert(j->rows.nangle < GOS_JOINT_ANGLES);
    gos_angle_row *row = &j->rows.angle[j->rows.nangle];
    gos_hinge_angle h;
    double x[9];
    *row = (gos_angle_row){.m = {e, f, g}};
    for (int k = 0; k < 3; ++k) {
        gos__marker_initial(j->b, &j->item.m[row->m[k]], x + 3 * k);
    }
    if (!gos__hinge_angle(x, &h)) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
            "'%s' and '%s' have no relative angle to constrain; insert a rigid body between them",
            j->end[0].text, j->end[1].text);
    }
    row->value = h.angle;
    j->rows.nangle++;
    return GOS_OK;
}

void gos__joint_meet(gos_joint *j) {
    int a = gos__joint_marker(j, 0, true, &j->end[0].m);
    int b = gos__joint_marker(j, 1, true, &j->end[1].m);
    gos__joint_vector(j, a, 1.0, b, -1.0);
}

/* Equal slopes including their lengths equate strains instead of forces. */
static void warn_of_strains(const gos_joint *j) {
    static const double alike = 1e-3;
    const gos_body *a = j->end[0].location.body, *b = j->end[1].location.body;
    if (!a->material || !a->section || !b->material || !b->section) {
        return;
    }
    double EA[2];
    for (int s = 0; s < 2; ++s) {
        const gos_location *p = &j->end[s].location;
        gos_section at = *p->body->section;
        if (p->body->tapered) {
            p->body->ops->section(p->body, p->s, &at);
        }
        EA[s] = p->body->material->young * at.A;
    }
    if (fabs(EA[0] - EA[1]) > alike * fmax(EA[0], EA[1])) {
        gos__warn(
            j->b->ctx, j->entry->key_loc, j->object,
            "'%s' and '%s' have axial stiffnesses of %.4g and %.4g %s: equal slopes make the "
            "strains of joined cables equal, but not their axial forces, so elongations converge "
            "with first order only; use ancf_beam for both if this matters",
            j->end[0].text, j->end[1].text, EA[0], EA[1],
            gos__unit_label(j->b->model->units, "N", GOS_UNIT_BUFFER));
    }
}

gos_status gos__joint_equal_slopes(gos_joint *j) {
    int m[2];
    double t[2][3], n[3];
    for (int s = 0; s < 2; ++s) {
        GOS_TRY(gos__joint_tangent(j, s, &m[s], t[s]));
    }
    gos__cross3(t[0], t[1], n);
    double ll = gos__dot3(t[1], t[1]), ratio = gos__dot3(t[0], t[1]) / ll;
    if (!(gos__norm3(n) <= 1e-6 * fabs(ratio) * ll)) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
                            "'%s' and '%s' meet at an angle that the joint cannot fix, because "
                            "cables have no axes; insert a rigid body, or tie only the points",
                            j->end[0].text, j->end[1].text);
    }
    gos__joint_vector(j, m[0], 1.0, m[1], -ratio);
    warn_of_strains(j);
    return GOS_OK;
}

static bool same_families(const gos_section *a, const gos_section *b) {
    bool same = a->nfam == b->nfam;
    for (int k = 0; same && k < a->nfam; k++) {
        same = strcmp(a->family[k], b->family[k]) == 0;
    }
    return same;
}

gos_status gos__joint_temperature(gos_joint *j, const gos_joint_def *def) {
    if (!def->temperature) {
        if (def->gradients) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "gradients"),
                                j->object, "gradients require `temperature: true`; add it");
        }
        return GOS_OK;
    }
    int nfam[2];
    for (int s = 0; s < 2; ++s) {
        const gos_body *body = j->end[s].location.body;
        nfam[s] = body && body->ops->temperature ? body->nfam : 0;
        if (nfam[s] == 0) {
            return gos__fail_at(
                j->b->ctx, GOS_E_INPUT, j->end[s].loc, j->object,
                "'%s' has no temperature to tie; remove `temperature`, or prescribe one under "
                "`heat`",
                j->end[s].text);
        }
    }
    const gos_section *const a = j->end[0].location.body->section;
    const gos_section *const b = j->end[1].location.body->section;
    if (def->gradients && !same_families(a, b)) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "gradients"), j->object,
            "the sections of '%s' and '%s' have %d and %d temperature functions, the last being %s "
            "and %s; gradients can only be tied between equal sections",
            j->end[0].text, j->end[1].text, nfam[0], nfam[1], a->family[nfam[0] - 1],
            b->family[nfam[1] - 1]);
    }
    int nh = def->gradients ? nfam[0] : 1;
    gos_tmarker *tm = GOS_NEW(j->b->arena, gos_tmarker, 2 * nh);
    if (!tm) {
        return GOS_E_MEMORY;
    }
    for (int s = 0; s < 2; ++s) {
        gos_tmarker all[GOS_FAMILIES];
        const gos_location *p = &j->end[s].location;
        GOS_TRY(p->body->ops->temperature(j->b->arena, p->body, p, all));
        memcpy(tm + s * nh, all, nh * sizeof *tm);
    }
    j->item.tm = tm;
    j->item.ntm = 2 * nh;
    j->item.nh = nh;
    return GOS_OK;
}

static bool linear_dot(const gos_item *it, const gos_dot_row *d) {
    return (it->m[d->p].n == 0 || it->m[d->i].n == 0) &&
           (d->j < 0 || it->m[d->q].n == 0 || it->m[d->j].n == 0);
}

/* marker couplings in second derivatives: factors of a product couple */
static void meet(int n, const int *m, bool product, unsigned short *row, unsigned short *pair) {
    for (int i = 0; i < n; ++i) {
        *row |= (unsigned short)(1U << m[i]);
        for (int j = 0; j < n; ++j) {
            pair[m[i]] |= (unsigned short)((unsigned)(i != j || !product) << m[j]);
        }
    }
}

static gos_status set_structure(gos_builder *b, const gos_rows *rows, gos_item *it) {
    gos_structure *has = GOS_NEW(b->arena, gos_structure, 1);
    unsigned short *row = GOS_NEW(b->arena, unsigned short, it->nc + it->nm + 1),
                   *pair = row ? row + it->nc : NULL;
    if (!has || !row) {
        return GOS_E_MEMORY;
    }
    *has = (gos_structure){row, pair, rows->ntriple + rows->nangle == 0};
    int at = 3 * rows->nvec;
    for (int r = 0; r < at; ++r) {
        for (int m = 0; m < it->nm; ++m) {
            row[r] |= (unsigned short)((rows->w[r / 3][m] != 0.0) << m);
        }
    }
    for (int r = 0; r < rows->ndot; ++r, ++at) {
        const gos_dot_row *d = &rows->dot[r];
        meet(2, (const int[]){d->p, d->i}, true, &row[at], pair);
        if (d->j >= 0) {
            meet(2, (const int[]){d->q, d->j}, true, &row[at], pair);
        }
    }
    for (int r = 0; r < rows->ntriple; ++r, ++at) {
        meet(3, rows->triple[r].m, true, &row[at], pair);
    }
    for (int r = 0; r < rows->nangle; ++r, ++at) {
        meet(3, rows->angle[r].m, false, &row[at], pair);
    }
    it->structure = has;
    return GOS_OK;
}

static gos_status set_rows(gos_builder *b, const gos_rows *from, gos_item *it) {
    gos_rows *rows = GOS_NEW(b->arena, gos_rows, 1);
    double *iso = GOS_NEW(b->arena, double, from->nvec * it->nm + 1);
    if (!rows || !iso) {
        return GOS_E_MEMORY;
    }
    *rows = *from;
    it->type = &gos__joint_rows;
    it->par = rows;
    it->nc = 3 * rows->nvec + rows->ndot + rows->ntriple + rows->nangle;
    it->linear = rows->nangle + rows->ntriple == 0;
    for (int r = 0; r < rows->ndot; ++r) {
        it->linear = it->linear && linear_dot(it, &rows->dot[r]);
    }
    it->nvec = rows->nvec;
    it->isotropic = rows->nvec > 0 && it->nc == 3 * rows->nvec;
    it->dead = it->nc == 0;
    for (int r = 0; r < rows->nvec; ++r) {
        memcpy(iso + r * it->nm, rows->w[r], it->nm * sizeof *iso);
    }
    it->iso_w = it->isotropic ? iso : NULL;
    return set_structure(b, rows, it);
}

gos_status gos__joint_add(gos_joint *j) {
    GOS_TRY(set_rows(j->b, &j->rows, &j->item));
    return gos__joint_add_item(j);
}

/* maps marker m of the joint to `part`, adding it on first use */
static int moved(const gos_joint *j, int m, gos_joint *part, int *map) {
    if (m >= 0 && map[m] < 0) {
        map[m] = part->item.nm;
        part->sides.of[part->item.nm] = j->sides.of[m];
        part->sides.point[part->item.nm] = j->sides.point[m];
        part->item.m[part->item.nm++] = j->item.m[m];
    }
    return m >= 0 ? map[m] : -1;
}

gos_status gos__joint_add_parts(gos_joint *j) {
    gos_joint part[2] = {*j, *j};
    int map[2][GOS_ITEM_MARKERS];
    if (j->rows.nvec == 0 || j->rows.ndot + j->rows.ntriple + j->rows.nangle == 0) {
        return gos__joint_add(j);
    }
    memset(map, -1, sizeof map);
    for (int k = 0; k < 2; ++k) {
        part[k].item.nm = 0;
        part[k].rows = (gos_rows){0};
    }
    part[1].item.ntm = part[1].item.nh = 0; // temperatures belong to the first part
    for (int r = 0; r < j->rows.nvec; ++r) {
        for (int m = 0; m < j->item.nm; ++m) {
            if (j->rows.w[r][m] != 0.0) {
                part[0].rows.w[r][moved(j, m, &part[0], map[0])] = j->rows.w[r][m];
            }
        }
    }
    part[0].rows.nvec = j->rows.nvec;
    part[1].rows.ndot = j->rows.ndot;
    part[1].rows.ntriple = j->rows.ntriple;
    part[1].rows.nangle = j->rows.nangle;
    for (int r = 0; r < j->rows.ndot; ++r) {
        const gos_dot_row *d = &j->rows.dot[r];
        part[1].rows.dot[r] = (gos_dot_row){.p = moved(j, d->p, &part[1], map[1]),
                                            .i = moved(j, d->i, &part[1], map[1]),
                                            .q = moved(j, d->q, &part[1], map[1]),
                                            .j = moved(j, d->j, &part[1], map[1]),
                                            .value = d->value};
    }
    for (int r = 0; r < 3 * j->rows.ntriple; ++r) {
        part[1].rows.triple[r / 3].m[r % 3] =
            moved(j, j->rows.triple[r / 3].m[r % 3], &part[1], map[1]);
    }
    for (int r = 0; r < j->rows.nangle; ++r) {
        part[1].rows.angle[r].value = j->rows.angle[r].value;
        for (int k = 0; k < 3; ++k) {
            part[1].rows.angle[r].m[k] = moved(j, j->rows.angle[r].m[k], &part[1], map[1]);
        }
    }
    GOS_TRY(gos__joint_add(&part[0]));
    return gos__joint_add(&part[1]);
}

gos_status gos__joint_drop(gos_builder *b, gos_item *it, const bool *drop) {
    const gos_rows *from = it->par;
    gos_rows to = {0};
    for (int r = 0; r < from->nvec; ++r) {
        if (!drop[3 * r]) {
            memcpy(to.w[to.nvec++], from->w[r], sizeof to.w[0]);
        }
    }
    for (int r = 0; r < from->ndot; ++r) {
        if (!drop[3 * from->nvec + r]) {
            to.dot[to.ndot++] = from->dot[r];
        }
    }
    const int triples = 3 * from->nvec + from->ndot;
    for (int r = 0; r < from->ntriple; ++r) {
        if (!drop[triples + r]) {
            to.triple[to.ntriple++] = from->triple[r];
        }
    }
    for (int r = 0; r < from->nangle; ++r) {
        if (!drop[triples + from->ntriple + r]) {
            to.angle[to.nangle++] = from->angle[r];
        }
    }
    return set_rows(b, &to, it);
}

gos_status gos__joint_add_item(gos_joint *j) {
    gos_sides *sides = GOS_NEW(j->b->arena, gos_sides, 1);
    if (!sides) {
        return GOS_E_MEMORY;
    }
    *sides = j->sides;
    if (sides->ncoord > 0) {
        gos_joint_coordinate *coord = GOS_NEW(j->b->arena, gos_joint_coordinate, sides->ncoord);
        if (!coord) {
            return GOS_E_MEMORY;
        }
        memcpy(coord, j->coord, sides->ncoord * sizeof *coord);
        sides->coord = coord;
    }
    for (int s = 0; s < 2; ++s) {
        sides->location[j->end[s].side - 1] = j->end[s].location;
    }
    j->item.sides = sides;
    j->item.name = j->object;
    j->item.loc = j->entry->key_loc;
    return gos__add_item(j->b, &j->item, NULL);
}
