/* Surface points of line bodies at two Gauss points per element: one for a tube, one per face of a
 * rectangle. */
#include "line/line_spread.h"

#include "line/line.h"
#include "math/gauss.h"
#include "parts/marker.h"

#define POINTS 2 // cubic functions are exact

typedef struct spreading {
    gos_builder *b;
    const gos_body *body;
    const gos_location *place;
    gos_line_station_fn *station;
    const gos_spread_to *to;
} spreading;

static gos_status refuse(const spreading *k, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->to->loc, k->to->object, "'%s' %s", k->to->text,
                        why);
}

/* At the face's centre if directors give it, else on the axis. */
static gos_status add_face(const spreading *k, const gos_line_station *at,
                           const gos_section_face *face, double length) {
    const gos_section *s = k->body->section;
    const double half = 0.5 * (face->dir == 0 ? s->height : s->width) * face->sign;
    gos_spread p = {.kind = GOS_SPREAD_FACE,
                    .x = at->x,
                    .v = {at->slope},
                    .size = length * face->moment[0],
                    .dir = 1 + face->dir,
                    .sign = face->sign};
    memcpy(p.ref, k->body->v_ref, sizeof p.ref);
    if (at->directed) { // z x slope is along y, slope x y along z
        const bool first = (face->dir == 1) == (face->sign > 0);
        const gos_marker part[2] = {at->x, at->d[face->dir]};
        p.kind = GOS_SPREAD_TANGENT;
        p.v[first ? 0 : 1] = at->slope;
        p.v[first ? 1 : 0] = at->d[1 - face->dir];
        GOS_TRY(gos__marker_sum(k->b->arena, 2, part, (const double[]){1, half}, &p.x));
    }
    return k->to->add(k->to->par, &p);
}

static gos_status add_station(const spreading *k, double s, double length) {
    const gos_section *section = k->body->section;
    const gos_location p = {.body = k->body, .s = s, .node = -1, .face = -1};
    gos_line_station at = {.length = 1};
    GOS_TRY(k->station(k->b->arena, k->body, &p, &at));
    length *= at.length;
    if (section->round) {
        const gos_spread tube = {.kind = GOS_SPREAD_ROUND,
                                 .x = at.x,
                                 .v = {at.slope},
                                 .size = length,
                                 .radius = section->outer};
        return k->to->add(k->to->par, &tube);
    }
    for (int i = 0; i < section->nface; i++) {
        if (k->place->face < 0 || k->place->face == i) {
            GOS_TRY(add_face(k, &at, &section->face[i], length));
        }
    }
    return GOS_OK;
}

/* Adds an end face; its normal is along the axis. */
static gos_status add_end(const spreading *k) {
    const gos_section *section = k->body->section;
    const double out = k->place->s > 0.5 * k->body->length ? 1 : -1;
    gos_spread p = {.kind = GOS_SPREAD_FLAT};
    gos_line_station at = {.length = 1};
    GOS_TRY(k->station(k->b->arena, k->body, k->place, &at));
    p.x = at.x;
    p.size = section->A;
    GOS_TRY(gos__marker_sum(k->b->arena, 1, &at.slope, &out, &p.v[0]));
    return k->to->add(k->to->par, &p);
}

gos_status gos__line_spread(gos_builder *b, const gos_body *body, const gos_location *p, int ne,
                            bool free, gos_line_station_fn *station, const gos_spread_to *to) {
    const spreading k = {b, body, p, station, to};
    double x[POINTS], w[POINTS];
    if (p->is_end && !p->whole) {
        return add_end(&k);
    }
    if (!p->whole && p->face < 0) {
        return refuse(&k, "is a point and has no area; use the body, a face or an end");
    }
    if (!body->section->has_outline || (!body->section->round && body->section->nface == 0)) {
        return refuse(&k, "has a section of unknown outline; use a rectangle, circle or annulus");
    }
    if (body->tapered) {
        return refuse(&k, "is tapered, and light on a varying section is not supported; divide it "
                          "into joined bodies of constant section");
    }
    if (free && !body->section->round) {
        return refuse(&k, "is a cable whose section rotates with a body or is transported "
                          "(carried_by, frame); light on its faces is not supported; give it a "
                          "`normal` or a round section, or use an ancf_beam");
    }
    gos__gauss(POINTS, x, w);
    for (int i = 0; i < POINTS * ne; i++) {
        const double h = body->length / ne;
        GOS_TRY(add_station(&k, (i / POINTS + x[i % POINTS]) * h, w[i % POINTS] * h));
    }
    return GOS_OK;
}
