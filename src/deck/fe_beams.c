#include <math.h>

#include "deck/fe_parts.h"
#include "fe/beam_section.h"
#include "math/section_shapes.h"

#define RIGID 1e6 // shear factor of beams without shear deformation

static gos_status refuse(gos_ctx *ctx, const gos_deck_section *s, const char *object,
                         const char *what) {
    return gos__fail_at(ctx, GOS_E_INPUT, s->loc, object, "%s", what);
}

/* along direction 1, which is z; along direction 2 */
static void rectangle(double a, double b, double nu, gos_fe_profile *p) {
    p->A = a * b;
    p->Iz = a * b * b * b / 12;
    p->Iy = b * a * a * a / 12;
    p->J = gos__torsion_rectangle(b, a);
    p->shear[0] = p->shear[1] = gos__shear_rectangle(nu);
    p->perimeter = 2 * (a + b);
    p->width = a;
    p->height = b;
}

/* z is Nastran's y, then y is its -z; principal axes by `turn` */
static gos_status general(gos_ctx *ctx, const gos_deck_section *s, const char *object,
                          gos_fe_profile *p) {
    const double *v = s->value, P = -v[6]; // int y z
    const double turn = P == 0 ? 0 : 0.5 * atan2(2 * P, v[2] - v[1]);
    const double c = cos(turn), k = sin(turn);
    if (P != 0 && v[4] != v[5]) {
        return refuse(ctx, s, object,
                      "K1 and K2 must be equal for sections with I12, as their axes are not "
                      "principal");
    }
    p->A = v[0];
    p->Iz = c * c * v[2] + 2 * c * k * P + k * k * v[1];
    p->Iy = k * k * v[2] - 2 * c * k * P + c * c * v[1];
    p->J = v[3];
    p->shear[0] = v[5] > 0 ? v[5] : RIGID;
    p->shear[1] = v[4] > 0 ? v[4] : RIGID;
    p->turn = turn;
    p->offset[0] = -c * s->offset[1] + k * s->offset[0];
    p->offset[1] = c * s->offset[0] + k * s->offset[1];
    return GOS_OK;
}

/* Walls t1, t3 across direction 1, t2, t4 across direction 2, equal in pairs. Torsion by Bredt,
 * with the area within the middle lines of the walls; shear by the walls along the force. */
static gos_status box(gos_ctx *ctx, const gos_deck_section *s, const char *object,
                      gos_fe_profile *p) {
    const double a = s->value[0], b = s->value[1], ta = s->value[2], tb = s->value[3];
    const double ai = a - 2 * ta, bi = b - 2 * tb, am = a - ta, bm = b - tb;
    if (ta != s->value[4] || tb != s->value[5]) {
        return refuse(ctx, s, object,
                      "boxes with different opposite walls are not supported; list the set of "
                      "beams in `parts` with a `section` of type general");
    }
    if (!(ai >= 0 && bi >= 0)) {
        return refuse(ctx, s, object, "the walls of the box are thicker than half of its width");
    }
    p->A = a * b - ai * bi;
    p->Iz = (a * b * b * b - ai * bi * bi * bi) / 12;
    p->Iy = (b * a * a * a - bi * ai * ai * ai) / 12;
    p->J = 2 * am * am * bm * bm / (am / tb + bm / ta);
    p->shear[0] = 2 * ta * b / p->A;
    p->shear[1] = 2 * tb * a / p->A;
    p->perimeter = 2 * (a + b);
    return GOS_OK;
}

static void tube(double outer, double inner, double nu, gos_fe_profile *p) {
    const double o = outer * outer, i = inner * inner;
    p->A = M_PI * (o - i);
    p->Iy = p->Iz = M_PI / 4 * (o - i) * (o + i);
    p->J = 2 * p->Iy;
    p->shear[0] = p->shear[1] = gos__shear_tube(nu, inner / outer);
    p->perimeter = 2 * M_PI * outer;
    p->radius = outer;
}

gos_status gos__deck_profile(gos_ctx *ctx, const gos_deck_section *s, const gos_fe_material *m,
                             const char *object, gos_fe_profile *profile) {
    // isotropic material
    const double nu = m->stiffness[0][1] / (m->stiffness[0][0] + m->stiffness[0][1]);
    gos_fe_profile p = {.normal = {s->direction[0], s->direction[1], s->direction[2]}};
    if (s->kind != GOS_DECK_BEAM_GENERAL && (s->offset[0] != 0 || s->offset[1] != 0)) {
        return refuse(ctx, s, object,
                      "beams with offset nodes (OFFSET1, OFFSET2) are not supported; move the "
                      "nodes to the axis, or list their set in `parts` with `offset`");
    }
    switch (s->kind) {
    case GOS_DECK_BEAM_RECT:
        rectangle(s->value[0], s->value[1], nu, &p);
        break;
    case GOS_DECK_BEAM_CIRC:
        if (s->value[0] != s->value[1]) {
            return refuse(ctx, s, object,
                          "ellipses (CIRC with two diameters) are not supported; list the set of "
                          "beams in `parts` with a `section` of type general");
        }
        tube(s->value[0] / 2, 0, nu, &p);
        break;
    case GOS_DECK_BEAM_PIPE:
        if (!(s->value[1] <= s->value[0])) {
            return refuse(ctx, s, object, "the wall of the pipe is thicker than its radius");
        }
        tube(s->value[0], s->value[0] - s->value[1], nu, &p);
        break;
    case GOS_DECK_BEAM_BOX:
        GOS_TRY(box(ctx, s, object, &p));
        break;
    case GOS_DECK_BEAM_GENERAL:
        GOS_TRY(general(ctx, s, object, &p));
        break;
    case GOS_DECK_SOLID:
    case GOS_DECK_SHELL:
    case GOS_DECK_MEMBRANE:
    case GOS_DECK_MASS:
    case GOS_DECK_SPRING:
    case GOS_DECK_DASHPOT:
        return refuse(ctx, s, object,
                      "beams need a *BEAM SECTION, but this card defines a "
                      "different section");
    }
    *profile = p;
    return GOS_OK;
}
