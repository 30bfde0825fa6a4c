/* Linear models in modal coordinates. */
#ifndef GOS_MODAL_FORM_H
#define GOS_MODAL_FORM_H

#include "control/plant.h"

/* z'' + D z' + K z = B u, y = Yq z + Yv z' + Yu u; rigid modes first */
typedef struct gos_modal_form {
    int n, nrigid, nu, ny;
    double *omega;   // (n) [rad/s], 0 for rigid modes
    double *K, *D;   // (n, n)
    double *B;       // (n, nu)
    double *Yq, *Yv; // (ny, n)
    double *Yu;      // (ny, nu)
} gos_modal_form;

/** The nvibration lowest vibration modes (0: all) and all rigid modes. zeta: damping ratio, < 0: of
 *  the model. Free with gos__modal_form_free, also after a failure.
 *  @return GOS_E_INPUT for negative stiffness, and as gos_linear_shapes */
gos_status gos__modal_form_make(gos_ctx *ctx, const gos_linear *linear, int nvibration, double zeta,
                                gos_modal_form *form);
void gos__modal_form_free(gos_ctx *ctx, gos_modal_form *form);
/** Remove rigid modes that no output observes (spin of a wheel): exact, as they drive no other
 *  mode. Does nothing if damping acts on them. */
gos_status gos__modal_form_see(gos_ctx *ctx, gos_modal_form *form, int n, const int *output);
/** First n coordinates, x = (z, z'), all inputs and outputs. */
gos_status gos__modal_form_plant(gos_ctx *ctx, const gos_modal_form *form, int n, gos_plant *plant);

#endif
