/* Linear models in the coordinates of their lowest modes: what controllers are designed on and
 * tried with. */
#ifndef GOS_MODAL_FORM_H
#define GOS_MODAL_FORM_H

#include "control/plant.h"

/* z'' + D z' + K z = B u, y = Yq z + Yv z' + Yu u with all inputs and outputs of the model; motions
   without stiffness come first */
typedef struct gos_modal_form {
    int n, nrigid, nu, ny;
    double *omega;   // (n) [rad/s], 0 of motions without stiffness
    double *K, *D;   // (n, n)
    double *B;       // (n, nu)
    double *Yq, *Yv; // (ny, n)
    double *Yu;      // (ny, nu)
} gos_modal_form;

/** The nvibration lowest modes that vibrate (0: all) and all motions without stiffness. zeta:
 * damping ratio of every mode, below 0: what the model has. Free with gos__modal_form_free, also
 * after a failure.
 *  @return GOS_E_INPUT for models that grow (negative stiffness), and what gos_linear_shapes
 * returns */
gos_status gos__modal_form_make(gos_ctx *ctx, const gos_linear *linear, int nvibration, double zeta,
                                gos_modal_form *form);
void gos__modal_form_free(gos_ctx *ctx, gos_modal_form *form);
/** Leave out motions without stiffness that none of these outputs sees (the turning of a wheel
 * whose angle nobody measures): exact for all inputs, as they drive no other motion. Nothing is
 * done where damping acts on them. */
gos_status gos__modal_form_see(gos_ctx *ctx, gos_modal_form *form, int n, const int *output);
/** The plant of the first n coordinates, x = (z, z'), with all inputs and outputs. */
gos_status gos__modal_form_plant(gos_ctx *ctx, const gos_modal_form *form, int n, gos_plant *plant);

#endif
