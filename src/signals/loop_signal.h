/* Controller signal: a probe component or expression, as an item without force. */
#ifndef GOS_LOOP_SIGNAL_H
#define GOS_LOOP_SIGNAL_H

#include "parts/controller.h"
#include "probes/probe_source.h"

/* Direct feed-through of inputs in a signal, e.g. voltage in the charge of a driven electrode. The
   item's value excludes it. */
typedef struct gos_signal_direct {
    int n;
    const int *fn;        // (n)
    const double *factor; // (n)
} gos_signal_direct;

/** Make the item of signal k of a controller. */
gos_status gos__signal_make(gos_builder *b, const gos_controller *c, int k, gos_probe *const *probe,
                            int nprobe, const gos_item **item);
/** Value and derivatives at the item's inputs. */
double gos__signal_value(const gos_item *it, const gos_item_io *io);
void gos__signal_gradient(const gos_item *it, const gos_item_io *io, gos_source_gradient *g);
const gos_signal_direct *gos__signal_direct(const gos_item *it);
/** Value at a state, including inputs without a controller. */
double gos__signal_at(const gos_item *it, const gos_state *x);

#endif
