/* Responses of one model at many frequencies: small ones, and dense ones of some size, from their poles and
   residues, which costs next to nothing at each; others by a factorisation each. */
#ifndef GOS_REDUCE_RESPONDER_H
#define GOS_REDUCE_RESPONDER_H

#include "reduce/poles.h"

typedef struct gos_responder {
    gos_reduce_pencil *pencil;
    gos_poles poles; // n = 0: none
    bool by_poles;   // they give the response; set false to have it by factorisations
} gos_responder;

gos_status gos__responder_begin(gos_ctx *ctx, const gos_linear *l, gos_responder *r);
void gos__responder_end(gos_ctx *ctx, gos_responder *r);
/** H (ny, nu) at s = i omega. @return GOS_E_SINGULAR, without a record, on a pole. */
gos_status gos__responder_at(gos_responder *r, double omega, gos_complex *H);

#endif
