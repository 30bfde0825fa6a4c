/* The page of one run on the full screen: what it holds besides the shapes of a report. */
#ifndef GOS_IO_VIEW_H
#define GOS_IO_VIEW_H

#include "results/compare.h"
#include "pages/report.h"

enum { GOS_VIEW_FIELDS = 4 }; // at most, of gos__view_fields

typedef struct gos_view_more {
    gos_apart *apart; // from another run; NULL: there is none
    long keep[2]; // output times that are shown whatever is left out: where the runs are furthest
                  // apart (nkeep)
    int nkeep;
} gos_view_more;

/** Speed, rate of temperature and what `more` compares, at n output times of the thinned mesh:
 * "more", a list as of gos__report_fields. */
gos_status gos__view_fields(gos_page *p, gos_arena *arena, gos_results *run,
                            const gos_view_more *more, const gos_thin_mesh *thin, int n,
                            const long *frame);
/** Places of joints and loads, the forces of loads at the start, and probes that tell forces of
 * joints: "marks". */
gos_status gos__view_marks(gos_page *p, const gos_results *run);

#endif
