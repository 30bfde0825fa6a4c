/* Linear finite-element model of a deck. */
#ifndef GOS_FE_MODEL_H
#define GOS_FE_MODEL_H

#include "deck/fe_parts.h"
#include "deck/fe_ties.h"
#include "fe/mesh_body.h"
#include "linear/linear.h"

typedef struct gos_deck_model {
    gos_ctx *ctx;
    const gos_mesh *mesh;
    bool loaded;      // loads are used: no messages about ignored ones
    gos_arena *arena; // parts and materials
    gos_deck_parts parts;
    gos_fe_body *body;
    gos_deck_ties ties;
} gos_deck_model;

/** Set ctx, mesh and loaded before; free with gos__deck_model_free, also after a failure. */
gos_status gos__deck_model_make(gos_deck_model *model, gos_linear **linear);
void gos__deck_model_free(gos_deck_model *model);
/** Pad with empty rows and columns to order n: reference nodes. */
gos_status gos__deck_widen(gos_ctx *ctx, int n, gos_sparse *A);

#endif
