/* What the joints share: finding the two ends, collecting rows, and the evaluation of rows
   (equations at the top of joint.h). A joint type decides only which rows it is made of. */
#include "joints/joint.h"

/* ---- evaluation ---------------------------------------------------------------------------- */

static void vector_row(const gos_item_io *io, const double *w, int nm, int row) {
    int n = 3 * nm;
    for (int m = 0; m < nm; ++m) {
        for (int k = 0; w[m] != 0.0 && k < 3; ++k) {
            if (io->c) {
                io->c[row + k] += w[m] * io->x[3 * m + k];
            }
            if (io->cx) {
                io->cx[(row + k) * n + 3 * m + k] += w[m];
            }
        }
    }
}

static void dot_row(const gos_item_io *io, const gos_dot_row *d, int nm, int row) {
    int n = 3 * nm;
    const double *p = io->x + 3 * d->p;
    double u[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = io->x[3 * d->i + k] - (d->j >= 0 ? io->x[3 * d->j + k] : 0.0);
    }
    if (io->c) {
        io->c[row] = gos__dot3(p, u) - d->value;
    }
    for (int k = 0; io->cx && k < 3; ++k) {
        double *cx = io->cx + row * n;
        cx[3 * d->p + k] += u[k];
        cx[3 * d->i + k] += p[k];
        if (d->j >= 0) {
            cx[3 * d->j + k] -= p[k];
        }
    }
    if (io->H) {
        double lam = io->lam[row];
        gos__addeye(io->H, n, d->p, d->i, lam);
        gos__addeye(io->H, n, d->i, d->p, lam);
        if (d->j >= 0) {
            gos__addeye(io->H, n, d->p, d->j, -lam);
            gos__addeye(io->H, n, d->j, d->p, -lam);
        }
    }
}

/* Temperature rows: marker r of one side equals marker nh + r of the other. */
static void temperature_rows(const gos_item *it, const gos_item_io *io) {
    for (int r = 0; r < it->nh; ++r) {
        if (io->h) {
            io->h[r] = io->th[r] - io->th[it->nh + r];
        }
        if (io->hth) {
            io->hth[r * it->ntm + r] = 1.0;
            io->hth[r * it->ntm + it->nh + r] = -1.0;
        }
    }
}

static void rows_eval(const gos_item *it, const gos_item_io *io) {
    const gos_rows *rows = it->par;
    for (int r = 0; r < rows->nvec; ++r) {
        vector_row(io, rows->w[r], it->nm, 3 * r);
    }
    for (int r = 0; r < rows->ndot; ++r) {
        dot_row(io, &rows->dot[r], it->nm, 3 * rows->nvec + r);
    }
    temperature_rows(it, io);
}

static const gos_item_type rows_type = {.name = "joint", .eval = rows_eval};

/* ---- the ends ------------------------------------------------------------------------------ */

gos_status gos__joint_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                            const char *object, gos_joint *j, gos_joint_def *def) {
    *j = (gos_joint){.b = b, .entry = entry};
    *def = (gos_joint_def){0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, def));
    j->object = gos__arena_strdup(b->arena, object);
    j->item.entry = gos__arena_strdup(b->arena, entry->key);
    return j->object && j->item.entry ? GOS_OK : GOS_E_MEMORY;
}

/* a place with a position or, where the type takes them, an edge of a plate */
static gos_status locate_end(const gos_joint *j, gos_end *e) {
    if (j->edges) {
        GOS_TRY(gos__locate(j->b, e->text, e->loc, j->object, &e->place));
        if (e->place.edge) {
            return GOS_OK;
        }
    }
    return gos__locate_point(j->b, e->text, e->loc, j->object, &e->place);
}

static bool same_place(const gos_place *p, const gos_place *q) {
    return p->edge || q->edge ? p->body == q->body && p->edge == q->edge : gos__same_point(p, q);
}

gos_status gos__joint_places(gos_joint *j, const gos_joint_def *def) {
    gos_ctx *ctx = j->b->ctx;
    gos_loc loc = gos__key_loc(j->entry, "between");
    if (def->between.n != 2) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "between names %d places; name two, e.g. [ground, rod.start]",
                            def->between.n);
    }
    for (int s = 0; s < 2; ++s) {
        gos_end *e = &j->end[s];
        e->text = def->between.v[s];
        e->loc = def->between.loc[s];
        GOS_TRY(locate_end(j, e));
    }
    const gos_place *p = &j->end[0].place, *q = &j->end[1].place;
    if (!p->body && !q->body) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "the ground is joined to itself; name a body");
    }
    if (p->body == q->body && p->body->rigid_item >= 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "rigid body '%s' is joined to itself; name two bodies", p->body->name);
    }
    if (same_place(p, q)) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, j->object,
                            "'%s' and '%s' are the same place; name two", j->end[0].text,
                            j->end[1].text);
    }
    return GOS_OK;
}

/* a point of its own, not "wherever the other one is" */
static bool definite(const gos_place *p) {
    return p->body && !p->whole;
}

/* Where the ends meet at t = 0. */
static gos_status meeting_point(const gos_joint *j, const gos_joint_def *def, double x[3]) {
    const gos_place *p = &j->end[0].place, *q = &j->end[1].place;
    const double *from;
    if (gos__node_given(j->entry, "at")) {
        from = def->at;
    } else if (definite(p) || definite(q)) {
        from = definite(p) ? p->x : q->x;
    } else if (p->body && q->body) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
                            "where do '%s' and '%s' meet? Give `at: [x, y, z]` or name a point of "
                            "one, e.g. '%s.centre'",
                            j->end[0].text, j->end[1].text, j->end[0].text);
    } else {
        from = p->body ? p->x : q->x;
    }
    memcpy(x, from, 3 * sizeof *x);
    return GOS_OK;
}

/* both ends at the place where they meet, with their position markers */
static gos_status meet_ends(gos_joint *j, const gos_joint_def *def) {
    double x[3], d[3];
    GOS_TRY(meeting_point(j, def, x));
    double tol = 1e-6 * (gos__extent(j->b) + gos__norm3(x));
    for (int s = 0; s < 2; ++s) {
        gos_end *e = &j->end[s];
        memcpy(e->x, x, sizeof x);
        if (!definite(&e->place)) {
            GOS_TRY(gos__carried_point(j->b, &e->place, x, e->loc, j->object, &e->m));
            continue;
        }
        gos__sub3(e->place.x, x, d);
        if (!(gos__norm3(d) <= tol)) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, e->loc, j->object,
                                "'%s' is at (%g, %g, %g), %g m away from the joint at (%g, %g, "
                                "%g); let the bodies meet at t = 0",
                                e->text, e->place.x[0], e->place.x[1], e->place.x[2], gos__norm3(d),
                                x[0], x[1], x[2]);
        }
        GOS_TRY(gos__position(j->b, &e->place, &e->m));
    }
    return GOS_OK;
}

gos_status gos__joint_ends(gos_joint *j, const gos_joint_def *def) {
    GOS_TRY(gos__joint_places(j, def));
    return meet_ends(j, def);
}

/* ---- edges --------------------------------------------------------------------------------- */

/* how many nodes the joint connects: 1 without an edge */
static gos_status count_nodes(const gos_joint *j, int *n) {
    const gos_end *e = j->end;
    const int m[2] = {gos__edge_nodes(&e[0].place), gos__edge_nodes(&e[1].place)};
    *n = m[0] > m[1] ? m[0] : m[1];
    if (*n == 0) {
        *n = 1;
        return GOS_OK;
    }
    if (m[0] > 0 && m[1] > 0 && m[0] != m[1]) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
                            "'%s' has %d nodes and '%s' has %d; edges meet node by node: give both "
                            "plates the same number of elements along them",
                            e[0].text, m[0], e[1].text, m[1]);
    }
    for (int s = 0; s < 2; ++s) {
        if (m[s] == 0 && definite(&e[s].place)) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, e[s].loc, j->object,
                                "'%s' is a point, '%s' an edge; an edge meets the ground, a rigid "
                                "body named without a point, or another edge",
                                e[s].text, e[1 - s].text);
        }
    }
    if (gos__node_given(j->entry, "at")) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "at"), j->object,
                            "the nodes of an edge are where they are; remove `at`");
    }
    return GOS_OK;
}

gos_status gos__joint_each(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, gos_joint_node_fn add) {
    gos_joint all;
    gos_joint_def def;
    int n;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &all, &def));
    all.edges = true;
    GOS_TRY(gos__joint_places(&all, &def));
    GOS_TRY(count_nodes(&all, &n));
    const gos_place *p = &all.end[0].place, *q = &all.end[1].place;
    const bool turned = p->edge && q->edge && gos__edges_opposite(p, q, n);
    for (int k = 0; k < n; ++k) {
        gos_joint j = all;
        for (int s = 0; s < 2; ++s) {
            if (all.end[s].place.edge) {
                gos__edge_node(&all.end[s].place, s == 1 && turned ? n - 1 - k : k, n,
                               &j.end[s].place);
            }
        }
        GOS_TRY(meet_ends(&j, &def));
        gos__joint_meet(&j);
        GOS_TRY(add(&j, &def));
        GOS_TRY(gos__joint_temperature(&j, &def));
        GOS_TRY(gos__joint_add(&j));
    }
    return GOS_OK;
}

/* ---- collecting ---------------------------------------------------------------------------- */

int gos__joint_marker(gos_joint *j, const gos_marker *m) {
    j->item.m[j->item.nm] = *m;
    return j->item.nm++;
}

gos_status gos__joint_direction(gos_joint *j, int side, const double d[3], int *index) {
    gos_marker m;
    const gos_end *e = &j->end[side];
    GOS_TRY(gos__direction(j->b, &e->place, d, e->loc, j->object, &m));
    *index = gos__joint_marker(j, &m);
    return GOS_OK;
}

gos_status gos__joint_tangent(gos_joint *j, int side, int *index, double initial[3]) {
    gos_marker m;
    const gos_end *e = &j->end[side];
    GOS_TRY(gos__tangent(j->b, &e->place, e->loc, j->object, &m, initial));
    *index = gos__joint_marker(j, &m);
    return GOS_OK;
}

void gos__joint_vector(gos_joint *j, int ma, double wa, int mb, double wb) {
    double *w = j->rows.w[j->rows.nvec++];
    w[ma] += wa;
    w[mb] += wb;
}

void gos__joint_dot(gos_joint *j, int p, int i, int k, double value) {
    j->rows.dot[j->rows.ndot++] = (gos_dot_row){.p = p, .i = i, .j = k, .value = value};
}

void gos__joint_meet(gos_joint *j) {
    int a = gos__joint_marker(j, &j->end[0].m);
    int b = gos__joint_marker(j, &j->end[1].m);
    gos__joint_vector(j, a, 1.0, b, -1.0);
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
                            "'%s' and '%s' meet at an angle, which cables without axes cannot "
                            "keep; put a rigid body between them, or tie the points only",
                            j->end[0].text, j->end[1].text);
    }
    gos__joint_vector(j, m[0], 1.0, m[1], -ratio);
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
                                j->object,
                                "gradients are tied only with `temperature: true`; add it");
        }
        return GOS_OK;
    }
    int nfam[2];
    for (int s = 0; s < 2; ++s) {
        const gos_body *body = j->end[s].place.body;
        nfam[s] = body && body->ops->temperature ? body->nfam : 0;
        if (nfam[s] == 0) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, j->end[s].loc, j->object,
                                "'%s' has no temperature to be tied; drop `temperature`, or "
                                "prescribe one under `heat`",
                                j->end[s].text);
        }
    }
    const gos_section *const a = j->end[0].place.body->section;
    const gos_section *const b = j->end[1].place.body->section;
    if (def->gradients && !same_families(a, b)) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "gradients"), j->object,
            "the sections of '%s' and '%s' have %d and %d temperature functions, the "
            "last being %s and %s; only equal ones can be tied",
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
        const gos_place *p = &j->end[s].place;
        GOS_TRY(p->body->ops->temperature(j->b->arena, p->body, p, all));
        memcpy(tm + s * nh, all, (size_t)nh * sizeof *tm);
    }
    j->item.tm = tm;
    j->item.ntm = 2 * nh;
    j->item.nh = nh;
    return GOS_OK;
}

/* A dot row is linear when one of its factors does not move. */
static bool linear_dot(const gos_joint *j, const gos_dot_row *d) {
    const gos_marker *m = j->item.m;
    return m[d->p].n == 0 || (m[d->i].n == 0 && (d->j < 0 || m[d->j].n == 0));
}

gos_status gos__joint_add(gos_joint *j) {
    gos_rows *rows = GOS_NEW(j->b->arena, gos_rows, 1);
    gos_item *it = &j->item;
    double *iso = GOS_NEW(j->b->arena, double, j->rows.nvec * it->nm + 1);
    if (!rows || !iso) {
        return GOS_E_MEMORY;
    }
    *rows = j->rows;
    it->type = &rows_type;
    it->par = rows;
    it->name = j->object;
    it->loc = j->entry->key_loc;
    it->nc = 3 * rows->nvec + rows->ndot;
    it->linear = true;
    for (int r = 0; r < rows->ndot; ++r) {
        it->linear = it->linear && linear_dot(j, &rows->dot[r]);
    }
    it->isotropic = rows->ndot == 0;
    for (int r = 0; r < rows->nvec; ++r) {
        memcpy(iso + r * it->nm, rows->w[r], (size_t)it->nm * sizeof *iso);
    }
    it->iso_w = it->isotropic ? iso : NULL;
    return gos__add_item(j->b, it, NULL);
}
