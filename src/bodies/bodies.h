/* Registration of body types; those with functions of their own are in headers of their folders. */
#ifndef GOS_BODIES_H
#define GOS_BODIES_H

#include "parts/builder.h"

extern const gos_type gos__body_rigid;
extern const gos_type gos__body_matrices; // user-supplied system matrices
extern const gos_type gos__body_modal;    // by vibration modes of other programs
extern const gos_type gos__body_modal_shell;
extern const gos_type gos__body_beam, gos__body_cable; // ANCF
extern const gos_type gos__body_floating_beam;
extern const gos_type gos__body_floating_frame;

#endif
