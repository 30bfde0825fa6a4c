/* A law and a load that remember, put into a compiled system: for the tests of memory. The law is
   the cable's with a stress that follows the stretch at the end of the step before; the load grows
   with every step. Both count accepted steps. */
#ifndef GOS_TEST_MEMORY_H
#define GOS_TEST_MEMORY_H

#include "math/vec3.h"
#include "system/system.h"

enum { MEMORY_COUNT, MEMORY_STRETCH, MEMORY_LAW }; // slots of the law: both begin as 0
#define MEMORY_STRESS 5.0                          // [N] for a stretch of 1
#define MEMORY_JUMP 16 // steps after which the load announces a jump, again and again

static const gos_law *memory_base; // the law that it is made of

static void memory_resultants(const void *par, int nfam, const gos_batch *b) {
    memory_base->resultants(par, nfam, b);
    for (int i = 0; i < 3 * GOS_LANES; i++) {
        const double stretch = b->mem[MEMORY_STRETCH * GOS_LANES + i % GOS_LANES];
        b->sigma[i] += MEMORY_STRESS * stretch * b->z[i];
    }
}

static void memory_tangent(const void *par, int nfam, const gos_batch *b) {
    memory_base->tangent(par, nfam, b);
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < GOS_LANES; l++) {
            b->Kz[(7 * k) * GOS_LANES + l] +=
                b->ck * MEMORY_STRESS * b->mem[MEMORY_STRETCH * GOS_LANES + l];
        }
    }
}

static void memory_accept(const void *par, int nfam, const gos_batch *b, double *mem) {
    GOS_UNUSED(par);
    GOS_UNUSED(nfam);
    for (int l = 0; l < GOS_LANES; l++) {
        const double r[3] = {b->z[l], b->z[GOS_LANES + l], b->z[2 * GOS_LANES + l]};
        mem[MEMORY_COUNT * GOS_LANES + l] = b->mem[MEMORY_COUNT * GOS_LANES + l] + 1;
        mem[MEMORY_STRETCH * GOS_LANES + l] = gos__norm3(r) - 1;
    }
}

static void memory_push(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    for (int k = 0; io->f && k < 3; k++) {
        io->f[k] = io->scale * io->fn[k] * (1 + 1e-3 * io->mem[0]);
    }
}

static bool memory_push_accept(const gos_item *it, const gos_item_io *io, double *mem) {
    GOS_UNUSED(it);
    mem[0] = io->mem[0] + 1;
    return (int)mem[0] % MEMORY_JUMP == 0;
}

/* the system, which has one cable and one force, remembers from now on */
static inline gos_status memory_install(gos_system *s) {
    static gos_law law;
    static const gos_item_type push = {
        .name = "push", .eval = memory_push, .accept = memory_push_accept};
    static const double start[1] = {0};
    memory_base = s->points[0]->law;
    law = *memory_base;
    law.nmem = MEMORY_LAW;
    law.resultants = memory_resultants;
    law.tangent = memory_tangent;
    law.accept = memory_accept;
    for (int i = 0; i < s->npoints; i++) {
        s->points[i]->law = &law;
    }
    for (int i = 0; i < s->nitem; i++) {
        if (strcmp(s->item[i]->type->name, "force") == 0) {
            s->item[i]->type = &push;
            s->item[i]->nmem = 1;
            s->item[i]->memory = start;
        }
    }
    return gos__memory_finish(s);
}

#endif
