/* Additional data of the full-screen page. */
#ifndef GOS_IO_VIEW_H
#define GOS_IO_VIEW_H

#include "results/compare.h"
#include "pages/report.h"

enum { GOS_VIEW_FIELDS = 4 }; // at most

typedef struct gos_view_more {
    gos_apart *apart; // differences from another run, or NULL
    long keep[2];     // output times always shown: largest differences (nkeep)
    int nkeep;
} gos_view_more;

/** Speed, temperature rate and differences at n output times: list "more", as
 *  gos__report_fields. */
gos_status gos__view_fields(gos_page *p, gos_arena *arena, gos_results *run,
                            const gos_view_more *more, const gos_thin_mesh *thin, int n,
                            const long *frame);

#endif
