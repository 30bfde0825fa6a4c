#include "system/drawn_patches.h"

#include "parts/electrode.h"

static int first_cell(const gos_system *s, const gos_body *body) {
    int cell = 0;
    for (int i = 0; i < s->nbody && s->body[i] != body; i++) {
        cell += s->body[i]->ncell;
    }
    return cell;
}

gos_status gos__drawn_patches(const gos_system *s, gos_arena *a, gos_drawn_patch **patch, int *n) {
    int max = 0;
    for (const gos_electrode *e = s->electrode; e; e = e->next) {
        max += e->npatch;
    }
    *n = 0;
    *patch = GOS_NEW(a, gos_drawn_patch, max + 1);
    GOS_TRY(*patch ? GOS_OK : GOS_E_MEMORY);
    for (const gos_electrode *e = s->electrode; e; e = e->next) {
        const int first = e->npatch > 0 ? first_cell(s, e->body) : 0;
        for (int i = 0; i < e->npatch; i++) {
            (*patch)[(*n)++] =
                (gos_drawn_patch){e->name, first + e->patch[i].cell, e->patch[i].side};
        }
    }
    return GOS_OK;
}
