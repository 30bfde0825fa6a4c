/* What straight line bodies (cable, beam) share: their axis, places on it, the local z axis. */
#include "bodies/line.h"

#include <math.h>

#include "parts/vec3.h"

gos_status gos__line_make(gos_builder *b, const gos_node *entry, const char *object,
                          const double from[3], const double to[3], int last, gos_line *line) {
    double axis[3];
    gos__sub3(to, from, axis);
    const double length = gos__norm3(axis);
    if (!(length > 1e-12)) { // also what rounding leaves of equal points
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "to"), object,
                            "from and to are the same point; the body needs a length");
    }
    memcpy(line->from, from, sizeof line->from);
    for (int k = 0; k < 3; k++) {
        line->tangent[k] = axis[k] / length;
    }
    line->length = length;
    line->spacing = length / last;
    line->last = last;
    return GOS_OK;
}

static void place_at(const gos_line *line, double s, gos_place *p) {
    const double i = s / line->spacing;
    p->s = s;
    p->node = fabs(i - round(i)) < 1e-9 ? (int)lround(i) : -1;
    for (int k = 0; k < 3; k++) {
        p->x[k] = line->from[k] + s * line->tangent[k];
    }
}

/* the number in "word(number)" */
static bool argument_of(const char *ref, const char *word, double *value) {
    const size_t n = strlen(word), all = strlen(ref);
    return all > n + 2 && strncmp(ref, word, n) == 0 && ref[n] == '(' && ref[all - 1] == ')' &&
           gos__number_parse(ref + n + 1, all - n - 2, value);
}

gos_status gos__line_locate(gos_ctx *ctx, const gos_body *b, const gos_line *line, const char *ref,
                            gos_loc loc, const char *object, gos_place *p) {
    if (strcmp(ref, "start") == 0 || strcmp(ref, "end") == 0) {
        place_at(line, ref[0] == 's' ? 0 : line->spacing * line->last, p);
        p->is_end = true;
        return GOS_OK;
    }
    double s;
    if (argument_of(ref, "node", &s)) {
        if (!(s >= 0 && s <= line->last) || s != floor(s)) {
            return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                                "no '%s' on '%s'; its nodes are node(0) to node(%d)", ref, b->name,
                                line->last);
        }
        place_at(line, line->spacing * s, p);
        p->is_end = s == 0 || s == line->last;
        return GOS_OK;
    }
    if (argument_of(ref, "at", &s)) {
        if (!(s >= 0 && s <= b->length * (1 + 1e-12))) {
            return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                                "no '%s' on '%s'; give at(s) with 0 <= s <= %g m", ref, b->name,
                                b->length);
        }
        place_at(line, fmin(s, b->length), p);
        return GOS_OK;
    }
    for (int i = 0; i < b->section->nface; i++) {
        if (strcmp(ref, b->section->face[i].name) == 0) {
            p->face = i;
            return GOS_OK;
        }
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "no place '%s' on '%s'; it has start, end, node(i), at(s)%s", ref, b->name,
                        b->section->nface ? " and the faces top, bottom, left, right" : "");
}

gos_status gos__line_normal(gos_builder *b, const gos_line *line, const double normal[3],
                            gos_loc loc, const char *object, double v[3]) {
    memcpy(v, normal, 3 * sizeof *v);
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
        v[fabs(line->tangent[2]) > cos(20 * M_PI / 180) ? 1 : 2] = 1;
    }
    const double n = gos__norm3(v), along = gos__dot3(v, line->tangent) / n;
    if (!(fabs(along) < 0.99)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "normal is along the body; give a vector across it [-]");
    }
    for (int k = 0; k < 3; k++) {
        v[k] = v[k] / n - along * line->tangent[k];
    }
    const double m = gos__norm3(v);
    for (int k = 0; k < 3; k++) {
        v[k] /= m;
    }
    return GOS_OK;
}
