/* COMPOSITE layers as shell plies. Angles count from the section's axis 1 in each cell's surface.
 */
#include "deck/fe_parts.h"

#include <math.h>

#include "base/base.h"
#include "fe/layup.h"
#include "math/vec3.h"

#define SAME 1e-6                // tolerance for equal angles [rad]
#define MIN_NORMAL_COSINE 0.9998 // cosine of axis 3 to the normal: note (1 degree)
#define STEEP 0.7                // ... error

typedef struct making {
    gos_ctx *ctx;
    const gos_deck *deck;
    const gos_deck_section *s;
    const gos_fe_part *p;
    const char *object;
    int base; // -1: none
    double least;
} making;

/* middle and unit normal of a quadrilateral or triangle */
static void cell_at(const gos_deck *deck, int cell, double middle[3], double n[3]) {
    int at;
    const gos_cell_block *b = gos__mesh_cell(deck->mesh, cell, &at);
    const int *node = b->node + (size_t)at * (size_t)gos__cell_kind[b->shape].nodes;
    const double(*x)[3] = (const double(*)[3])deck->mesh->x;
    double d[2][3];
    const int corners = gos__cell_kind[b->shape].corners; // diagonals, or two sides
    for (int c = 0; c < 3; c++) {
        middle[c] = 0;
        for (int k = 0; k < corners; k++) {
            middle[c] += x[node[k]][c] / corners;
        }
        d[0][c] = x[node[corners - 2]][c] - x[node[0]][c];
        d[1][c] = x[node[corners - 1]][c] - x[node[corners - 3]][c];
    }
    gos__cross3(d[0], d[1], n);
    const double size = sqrt(gos__dot3(n, n));
    for (int c = 0; c < 3; c++) {
        n[c] /= size;
    }
}

/* axis 1 projected onto a cell */
static gos_status axis_in(making *k, const gos_deck_orientation *o, int cell, const double x[3],
                          const double n[3], double d[3]) {
    double axes[3][3];
    const bool good = gos__deck_oriented(o, x, axes);
    const double along = good ? fabs(gos__dot3(axes[2], n)) : 0;
    if (!(along > STEEP)) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, o->loc, k->object,
                            "axis 3 of orientation '%s' is far from the normal of element %lld; "
                            "axes of layers need axis 3 along the normal; rotate the axes",
                            o->name, (long long)gos__mesh_cell_tag(k->deck->mesh, cell));
    }
    k->least = fmin(k->least, along);
    const double off = gos__dot3(axes[0], n);
    for (int c = 0; c < 3; c++) {
        d[c] = axes[0][c] - off * n[c];
    }
    return GOS_OK;
}

/* without orientation axis 1 is e1 projected onto the surface */
static gos_status check_first(const making *k, int cell, const double n[3]) {
    return fabs(n[0]) < STEEP
               ? GOS_OK
               : gos__fail_at(k->ctx, GOS_E_INPUT, k->s->loc, k->object,
                              "layers without orientation use axis 1 of the mesh, which is nearly "
                              "the normal of element %lld; give the section an ORIENTATION",
                              (long long)gos__mesh_cell_tag(k->deck->mesh, cell));
}

/* from the part's axis; equal in all cells */
static gos_status angle_of(making *k, const gos_deck_layer *l, double *angle) {
    static const double first[3] = {1, 0, 0};
    const int own = l->orientation >= 0 ? l->orientation : k->s->orientation;
    *angle = l->angle * acos(-1.0) / 180;
    for (int i = 0; i < k->p->n && own >= 0; i++) {
        double x[3], n[3], d[2][3], b[3], turn;
        cell_at(k->deck, k->p->cell[i], x, n);
        GOS_TRY(axis_in(k, &k->deck->orientation[own], k->p->cell[i], x, n, d[0]));
        memcpy(d[1], first, sizeof first);
        GOS_TRY(k->base < 0
                    ? check_first(k, k->p->cell[i], n)
                    : axis_in(k, &k->deck->orientation[k->base], k->p->cell[i], x, n, d[1]));
        gos__cross3(n, d[1], b);
        turn = own == k->base ? 0 : atan2(gos__dot3(d[0], b), gos__dot3(d[0], d[1]));
        turn += l->angle * acos(-1.0) / 180;
        // axes are equal modulo pi
        if (i > 0 && fabs(remainder(turn - *angle, acos(-1.0))) > SAME) {
            return gos__fail_at(k->ctx, GOS_E_INPUT, l->loc, k->object,
                                "the angle between the orientations of this layer and of its "
                                "section differs in element %lld from that in other elements; give "
                                "the elements sections of their own, or the layer an angle",
                                (long long)gos__mesh_cell_tag(k->deck->mesh, k->p->cell[i]));
        }
        *angle = i > 0 ? *angle : turn;
    }
    return GOS_OK;
}

static void tell(const making *k) {
    char text[300];
    if (k->least < MIN_NORMAL_COSINE) {
        gos__format(text, sizeof text,
                    "axis 3 of an orientation of layers (set '%s') deviates from the normals by up "
                    "to %.2g degrees: axes 1 are projected onto the surface",
                    k->s->set, acos(k->least) * 180 / acos(-1.0));
        gos__note(k->ctx, k->object, text);
    }
}

int gos__deck_layup_base(const gos_deck *deck, const gos_deck_section *s) {
    int base = s->orientation;
    for (int i = 0; i < s->nlayer; i++) {
        const bool isotropic = gos__deck_isotropic(&deck->material[s->layer[i].material]);
        if (s->layer[i].orientation < 0 && s->orientation < 0 && !isotropic) {
            return -1;
        }
        base = base < 0 ? s->layer[i].orientation : base;
    }
    return base;
}

gos_status gos__deck_layup(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_section *s, const gos_fe_material *const *material,
                           gos_fe_part *p) {
    making k = {.ctx = ctx,
                .deck = deck,
                .s = s,
                .p = p,
                .object = p->object,
                .base = gos__deck_layup_base(deck, s),
                .least = 1};
    gos_fe_layup *layup = GOS_NEW(arena, gos_fe_layup, 1);
    gos_fe_ply *ply = GOS_NEW(arena, gos_fe_ply, s->nlayer);
    gos_fe_material *mean = GOS_NEW(arena, gos_fe_material, 1);
    gos_fe_plate plate;
    GOS_TRY(layup && ply && mean ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nlayer; i++) {
        ply[i] = (gos_fe_ply){.material = material[i], .thickness = s->layer[i].thickness};
        GOS_TRY(angle_of(&k, &s->layer[i], &ply[i].angle));
    }
    tell(&k);
    *layup = (gos_fe_layup){.n = s->nlayer, .ply = ply};
    GOS_TRY(gos__fe_plate_layup(ctx, s->loc, p->object, layup, arena, &plate));
    gos__fe_plate_smear(&plate, mean);
    for (int i = 0; i < s->nlayer; i++) { // all layers, or none
        const gos_fe_material *m = material[i];
        const bool warm = m->heat > 0 && m->conductivity[0][0] > 0 && m->conductivity[1][1] > 0 &&
                          m->conductivity[2][2] > 0;
        mean->heat = warm ? mean->heat : 0;
    }
    p->layup = layup;
    p->material = mean;
    p->thickness = plate.thickness;
    p->offset = -s->offset[0] * plate.thickness;
    return GOS_OK;
}
