/* What a controller reads: a component of a probe, or an expression of such and the time, as an
 * item that makes no force. */
#ifndef GOS_LOOP_SIGNAL_H
#define GOS_LOOP_SIGNAL_H

#include "parts/controller.h"
#include "probes/probe_source.h"

/* Amounts that a signal shows at once, as the charge of an electrode shows the voltage that drives
   it: functions of time, and the signal by each of them. What the item reads of the state does not
   contain them. */
typedef struct gos_signal_direct {
    int n;
    const int *fn;        // (n)
    const double *factor; // (n)
} gos_signal_direct;

/** Make the item of signal k of a controller. */
gos_status gos__signal_make(gos_builder *b, const gos_controller *c, int k, gos_probe *const *probe,
                            int nprobe, const gos_item **item);
/** Its value at inputs of the item, and its derivatives. */
double gos__signal_value(const gos_item *it, const gos_item_io *io);
void gos__signal_gradient(const gos_item *it, const gos_item_io *io, gos_source_gradient *g);
const gos_signal_direct *gos__signal_direct(const gos_item *it);
/** Its value at a state, with amounts that no controller governs. */
double gos__signal_at(const gos_item *it, const gos_state *x);

#endif
