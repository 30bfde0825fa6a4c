/* Floating bodies are kept unchanged, as separate groups with their derived vectors
   (parts/derived.h). Their joints are not eliminated, since attachment points depend on products of
   coordinates. */
#include "rom/rom.h"
#include "system/derived.h"

static bool weighs_floating(const gos_rom *r, const gos_marker *m) {
    for (int j = 0; j < m->n; j++) {
        if (m->idx[j] < 0 || r->body[r->body_of[m->idx[j]]].body->derived) {
            return true;
        }
    }
    return false;
}

bool gos__rom_keeps_heat(const gos_body *b) {
    return b->ops->port || b->derived;
}

bool gos__rom_on_floating(const gos_rom *r, const gos_item *it) {
    bool any = false;
    for (int m = 0; m < it->nm && !any; m++) {
        any = weighs_floating(r, &it->m[m]);
    }
    return any;
}

gos_status gos__rom_refuse_carried(const gos_rom *r) {
    for (int i = 0; i < r->nbody; i++) {
        const gos_body *b = r->body[i].body;
        if (b->carrier && weighs_floating(r, b->carrier)) {
            return gos__fail_at(
                r->ctx, GOS_E_USE, b->loc, NULL,
                "reduction: body '%s' is carried by a floating body, so its fields would have to "
                "rotate with it; attach it to a rigid body, or run the full model",
                b->name);
        }
    }
    return GOS_OK;
}

gos_status gos__rom_floating(gos_rom *r) {
    const gos_system *f = r->full;
    if (!f->derived) {
        return GOS_OK;
    }
    int *to = GOS_NEW(r->arena, int, f->nv + 1), *heat_to = GOS_NEW(r->arena, int, f->nt + 1);
    if (!to || !heat_to) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        for (int j = 0; j < p->body->nv && p->body->derived; j++) {
            to[p->body->v0 + j] = r->group[p->group].first + p->raw + j;
        }
        for (int j = 0; j < p->body->nt && p->body->derived; j++) {
            heat_to[p->body->t0 + j] = p->t0 + j;
        }
    }
    return gos__derived_renumber(f->derived, to, heat_to, r->sys);
}

gos_status gos__rom_floating_axes(gos_rom *r) {
    const gos_system *f = r->full;
    gos_system *s = r->sys;
    for (int v = 0; v < f->nv; v++) {
        const gos_rom_body *p = &r->body[r->body_of[v]];
        const int by = r->group[p->group].first + p->raw - p->body->v0;
        if (!p->body->derived) {
            continue;
        }
        for (int k = 2 * v; k < 2 * v + 2; k++) {
            s->turn[k + 2 * by] = f->turn[k] >= 0 ? f->turn[k] + by : f->turn[k];
        }
        if (!f->light || f->light[v] == 0) {
            continue;
        }
        s->light = s->light ? s->light : GOS_NEW(s->arena, double, s->nv + 1);
        if (!s->light) {
            return GOS_E_MEMORY;
        }
        s->light[v + by] = f->light[v];
    }
    return GOS_OK;
}
