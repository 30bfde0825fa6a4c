/* Attachment points ("ground", "hub", "rod.end"): markers and properties common to all body types.
 * Body types resolve their own references. */
#include "parts/location.h"
#include "parts/derived.h"
#include "math/vec3.h"

static gos_status unknown_body(const gos_builder *b, const char *text, size_t n, gos_loc loc,
                               const char *object) {
    char word[GOS_LIMIT_NAME + 1];
    size_t len = n < sizeof word - 1 ? n : sizeof word - 1;
    memcpy(word, text, len);
    word[len] = '\0';
    const char **names = gos__alloc(b->ctx, (size_t)b->nbody + 1, sizeof *names);
    if (!names) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->nbody; ++i) {
        names[i] = b->body[i]->name;
    }
    names[b->nbody] = "ground";
    const char *near = gos__suggest(word, names, b->nbody + 1);
    gos_status status =
        near ? gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "there is no body '%s' (did you mean '%s'?)", word, near)
             : gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "there is no body '%s'; use one of `bodies`, as BODY.PLACE, or ground",
                            word);
    gos__free(b->ctx, (void *)names);
    return status;
}

/* node if rigid, frame if floating */
static gos_status whole_location(gos_builder *b, gos_location *p) {
    p->whole = true;
    p->turns = p->body->derived ? GOS_LOCATION_TURNS : p->turns;
    if (p->body->rigid_item < 0 && !p->body->derived) {
        return GOS_OK;
    }
    gos_marker m;
    GOS_TRY(gos__position(b, p, &m));
    gos__marker_initial(b, &m, p->x);
    return GOS_OK;
}

/* First comma outside parentheses in text[0 .. n), else n. */
static size_t argument_end(const char *text, size_t n) {
    int depth = 0;
    for (size_t i = 0; i < n; ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == ',' && depth == 0) {
            return i;
        }
    }
    return n;
}

/* "at(L/2, b)" -> "at(0.6,0.2)"; `before` characters precede `ref` at loc. */
static gos_status evaluate_argument(gos_builder *b, const char *ref, int before, gos_loc loc,
                                    const char *object, char *out, size_t size) {
    const char *open = strchr(ref, '('), *close = strrchr(ref, ')');
    if (!open || !close || close[1] != '\0' || close < open) {
        snprintf(out, size, "%s", ref);
        return GOS_OK;
    }
    size_t at = open - ref + 1;
    gos__format(out, size, "%.*s", (int)at, ref);
    for (;;) {
        const size_t rest = close - ref - at, n = argument_end(ref + at, rest);
        char *inner = gos__arena_printf(b->arena, "%.*s", (int)n, ref + at);
        double value;
        if (!inner) {
            return GOS_E_MEMORY;
        }
        gos_loc here = loc;
        here.col += loc.col > 0 ? before + (int)at : 0;
        GOS_TRY(gos__quantity(b->model, inner, here, object, &(gos_measure){.unit = "m"}, &value));
        const size_t have = strlen(out);
        gos__format(out + have, size - have, "%.17g%s", value, n < rest ? "," : ")");
        if (n == rest) {
            return GOS_OK;
        }
        at += n + 1;
    }
}

gos_status gos__locate(gos_builder *b, const char *text, gos_loc loc, const char *object,
                       gos_location *location) {
    char ref[GOS_LIMIT_NAME + 64];
    const char *dot = strchr(text, '.');
    size_t n = dot ? (size_t)(dot - text) : strlen(text);
    gos_location p = {.node = -1, .face = -1};
    if (n == 6 && memcmp(text, "ground", n) == 0) {
        if (dot) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                "the ground has no named points; write 'ground', and specify "
                                "coordinates if the entry has a key for them");
        }
        *location = p;
        return GOS_OK;
    }
    p.body = gos__names_find(&b->bodies, text, n);
    if (!p.body) {
        return unknown_body(b, text, n, loc, object);
    }
    if (!dot) {
        GOS_TRY(whole_location(b, &p));
        *location = p;
        return GOS_OK;
    }
    GOS_TRY(evaluate_argument(b, dot + 1, (int)n + 1, loc, object, ref, sizeof ref));
    GOS_TRY(p.body->ops->locate(b->ctx, p.body, ref, loc, object, &p));
    p.body = gos__names_find(&b->bodies, text, n); // the body type may have reset the location
    *location = p;
    return GOS_OK;
}

gos_status gos__free_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                           const gos_body **body, double x[3]) {
    char ref[GOS_LIMIT_NAME + 64];
    const char *dot = strchr(text, '.');
    const size_t n = dot ? (size_t)(dot - text) : 0;
    *body = NULL;
    if (!dot || strncmp(dot, ".at(", 4) != 0) {
        return GOS_OK;
    }
    GOS_TRY(evaluate_argument(b, dot + 1, (int)n + 1, loc, object, ref, sizeof ref));
    const char *from = ref + 3; // blanks are removed
    for (int c = 0; c < 3; c++) {
        const size_t length = strcspn(from, ",)");
        if (from[length] != (c < 2 ? ',' : ')') || !gos__number_parse(from, length, &x[c])) {
            return GOS_OK;
        }
        from += length + 1;
    }
    *body = *from == '\0' ? gos__names_find(&b->bodies, text, n) : NULL;
    return GOS_OK;
}

gos_status gos__locate_port(gos_builder *b, const char *text, bool output, gos_loc loc,
                            const char *object, const gos_body **body, int *number, gos_signal *s) {
    const char *dot = strchr(text, '.'), *what = output ? "output" : "input";
    const size_t n = dot ? (size_t)(dot - text) : strlen(text);
    *body = gos__names_find(&b->bodies, text, n);
    if (!*body) {
        return unknown_body(b, text, n, loc, object);
    }
    if (!(*body)->ops->port) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "body '%s' (%s) has no %ss; only bodies of matrices have them",
                            (*body)->name, (*body)->type, what);
    }
    if (!dot) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' is a whole body; specify an %s of it, as '%s.NAME'", text, what,
                            text);
    }
    return (*body)->ops->port(b->ctx, b->arena, *body, output, dot + 1, loc, object, number, s);
}

gos_status gos__position(gos_builder *b, const gos_location *p, gos_marker *m) {
    if (!p->body) {
        *m = gos__marker_fixed(p->x);
        return GOS_OK;
    }
    return p->body->ops->position(b->arena, p->body, p, m);
}

gos_status gos__direction(gos_builder *b, const gos_location *p, const double d[3], gos_loc loc,
                          const char *object, gos_marker *m) {
    if (!p->body) {
        *m = gos__marker_fixed(d);
        return GOS_OK;
    }
    gos_status status = GOS_E_INPUT;
    if (p->body->ops->direction) {
        status = p->body->ops->direction(b->arena, p->body, p, d, m);
    }
    if (status == GOS_E_INPUT) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "body '%s' (%s) has no body-fixed axis here along (%g, %g, %g); use "
                            "its tangent (plates: a direction in the plane, beams: one "
                            "perpendicular to the axis) or a rigid body",
                            p->body->name, p->body->type, d[0], d[1], d[2]);
    }
    return status;
}

/* ---- queries of joints and loads ------------------------------------------------------------- */

/* for messages */
static const char *some_point(const gos_body *body) {
    return body->ops->set_node ? "node(1)" : body->ops->edge ? "node(0)" : "end";
}

/* `warm`: temperature only; a face of a shell is allowed */
static gos_status locate_point(gos_builder *b, const char *text, bool warm, gos_loc loc,
                               const char *object, gos_location *location) {
    gos_location p;
    GOS_TRY(gos__locate(b, text, loc, object, &p));
    if (p.side != 0 && p.node >= 0) {
        p.surface = 0;
        *location = p;
        return warm ? GOS_OK
                    : gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                   "'%s' is on a face of a shell, which has a temperature but no "
                                   "separate motion; remove the suffix",
                                   text);
    }
    if (p.body && p.whole && p.body->ops->port) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "'%s' is a body of matrices, which has no location by itself; give one of its `nodes`, "
            "as '%s.NAME', or use loads of type input and probes of quantity output",
            text, text);
    }
    if (p.body && p.whole && p.body->rigid_item < 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' is a whole body; give a point of it, e.g. '%s.%s'", text, text,
                            some_point(p.body));
    }
    if (p.set) { // mean of its nodes
        p.surface = 0;
        *location = p;
        return GOS_OK;
    }
    if (p.surface && p.node < 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "'%s' is a whole surface, not a point; use a set or a node, e.g. '%s.node(1)'", text,
            p.body->name);
    }
    if (p.face >= 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' is a face; give a point, e.g. '%s.%s'", text, p.body->name,
                            some_point(p.body));
    }
    if (p.edge) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' is an edge; give a point, e.g. '%s.%s'", text, p.body->name,
                            some_point(p.body));
    }
    *location = p;
    return GOS_OK;
}

gos_status gos__locate_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                             gos_location *location) {
    return locate_point(b, text, false, loc, object, location);
}

gos_status gos__locate_warm_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                  gos_location *location) {
    return locate_point(b, text, true, loc, object, location);
}

gos_status gos__locate_frame(gos_builder *b, const char *name, gos_loc loc, const char *object,
                             gos_location *location) {
    GOS_TRY(gos__locate(b, name, loc, object, location));
    if (!location->body || gos__rotating(location) != GOS_TURN_FRAME) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "frame must be a body with axes; '%s' has none (clamp a small rigid "
                            "body to it and use that)",
                            name);
    }
    return GOS_OK;
}

bool gos__same_point(const gos_location *p, const gos_location *q) {
    double d[3];
    gos__sub3(p->x, q->x, d);
    return p->body == q->body &&
           gos__norm3(d) <= 1e-12 * (gos__norm3(p->x) + gos__norm3(q->x) + p->body->length);
}

gos_rotating gos__rotating(const gos_location *p) {
    if (!p->body || p->body->rigid_item >= 0 || p->turns == GOS_LOCATION_TURNS) {
        return GOS_TURN_FRAME;
    }
    if (p->turns == GOS_LOCATION_STAYS) {
        return GOS_TURN_NOTHING;
    }
    if (p->body->ops->edge) {
        return GOS_TURN_PLANE;
    }
    return p->body->node_slope ? GOS_TURN_TANGENT : GOS_TURN_SECTION;
}

/* Tangent at t = 0 between nodes: five-point difference, exact for cubics. */
static gos_status tangent_by_difference(gos_builder *b, const gos_location *p, double t[3]) {
    static const double factor[4] = {1.0, -8.0, 8.0, -1.0};
    static const double shift[4] = {-2.0, -1.0, 1.0, 2.0};
    double h = 1e-4 * p->body->length;
    double s = fmin(fmax(p->s, 2.0 * h), p->body->length - 2.0 * h);
    t[0] = t[1] = t[2] = 0.0;
    for (int i = 0; i < 4; ++i) {
        gos_location q = *p;
        q.s = s + shift[i] * h;
        q.is_end = false;
        gos_marker m;
        double x[3];
        GOS_TRY(gos__position(b, &q, &m));
        gos__marker_initial(b, &m, x);
        for (int k = 0; k < 3; ++k) {
            t[k] += factor[i] * x[k];
        }
    }
    double l = gos__norm3(t);
    if (!(l > 0.0)) {
        return GOS_E_INPUT;
    }
    for (int k = 0; k < 3; ++k) {
        t[k] /= l;
    }
    return GOS_OK;
}

gos_status gos__tangent(gos_builder *b, const gos_location *p, gos_loc loc, const char *object,
                        gos_marker *m, double initial[3]) {
    const gos_body *body = p->body;
    gos_status status = GOS_E_INPUT;
    if (body && body->node_slope && p->node >= 0) {
        const double one = 1.0;
        status = gos__marker_make(b->arena, 1, &body->node_slope[p->node], &one, NULL, m);
    } else if (body && body->node_slope && body->length > 0.0) {
        double t[3];
        GOS_TRY(tangent_by_difference(b, p, t));
        status = body->ops->direction(b->arena, body, p, t, m);
    }
    if (status == GOS_E_INPUT) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' has no tangent here; use a point of a cable",
                            body ? body->name : "ground");
    }
    GOS_TRY(status);
    gos__marker_initial(b, m, initial);
    return GOS_OK;
}

gos_status gos__carried_point(gos_builder *b, const gos_location *p, const double x[3], gos_loc loc,
                              const char *object, gos_marker *m) {
    if (!p->body) {
        *m = gos__marker_fixed(x);
        return GOS_OK;
    }
    gos_marker part[2];
    double x0[3], d[3];
    const double factor[2] = {1.0, 1.0};
    GOS_TRY(gos__position(b, p, &part[0]));
    gos__marker_initial(b, &part[0], x0);
    gos__sub3(x, x0, d);
    if (gos__norm3(d) <= 1e-12 * gos__extent(b)) {
        *m = part[0];
        return GOS_OK;
    }
    GOS_TRY(gos__direction(b, p, d, loc, object, &part[1]));
    return gos__marker_sum(b->arena, 2, part, factor, m);
}

gos_status gos__rigid_axes(gos_builder *b, const gos_location *p, gos_marker axis[3]) {
    const double one = 1.0;
    for (int j = 0; j < 3; ++j) {
        double e[3] = {j == 0, j == 1, j == 2};
        if (p->body->derived) { // its axes at t = 0
            gos__vector_initial(b, p->body->derived->axis + j, e);
        }
        if (p->body->rigid_item < 0) {
            GOS_TRY(p->body->ops->direction(b->arena, p->body, p, e, &axis[j]));
            continue;
        }
        int v = p->body->v0 + 1 + j;
        GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &axis[j]));
    }
    return GOS_OK;
}

void gos__edge_node(const gos_location *edge, int k, int n, gos_location *p) {
    double along[3], across[3];
    const gos_body *body = edge->body;
    if (edge->each) {
        body->ops->set_node(body, edge->set, k, p);
        return;
    }
    body->ops->edge(body, edge->edge, (double)k / (n - 1), p, along, across);
}

int gos__edge_nodes(const gos_location *p) {
    gos_location first;
    double along[3], across[3];
    if (p->each) {
        return p->body->ops->set_node(p->body, p->set, 0, &first);
    }
    return p->edge ? 1 + p->body->ops->edge(p->body, p->edge, 0.0, &first, along, across) : 0;
}

double gos__edge_share(const gos_location *edge, int k, int n) {
    gos_location end[2], side[2];
    double whole[3], part[3];
    gos__edge_node(edge, 0, n, &end[0]);
    gos__edge_node(edge, n - 1, n, &end[1]);
    gos__edge_node(edge, k > 0 ? k - 1 : 0, n, &side[0]);
    gos__edge_node(edge, k < n - 1 ? k + 1 : k, n, &side[1]);
    gos__sub3(end[1].x, end[0].x, whole);
    gos__sub3(side[1].x, side[0].x, part);
    return 0.5 * gos__norm3(part) / gos__norm3(whole);
}

bool gos__edges_opposite(const gos_location *p, const gos_location *q, int n) {
    gos_location first, near, far;
    double d[3], e[3];
    gos__edge_node(p, 0, n, &first);
    gos__edge_node(q, 0, n, &near);
    gos__edge_node(q, n - 1, n, &far);
    gos__sub3(first.x, near.x, d);
    gos__sub3(first.x, far.x, e);
    return gos__norm3(e) < gos__norm3(d);
}

double gos__extent(gos_builder *b) {
    if (b->extent_nv == b->nv) {
        return b->extent;
    }
    double lo[3] = {0.0, 0.0, 0.0}, hi[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < b->nv; ++i) {
        for (int k = 0; b->trans[i] > 0.0 && k < 3; ++k) {
            lo[k] = fmin(lo[k], b->e0[i][k]);
            hi[k] = fmax(hi[k], b->e0[i][k]);
        }
    }
    double d[3];
    gos__sub3(hi, lo, d);
    b->extent = gos__norm3(d);
    b->extent_nv = b->nv;
    return b->extent;
}
