/* Stress and strain fields for colouring: von Mises stress, largest and smallest principal values
   per face. A picture does not show the axes of components. */
#include <math.h>

#include "pages/report.h"

/* a number per node */
typedef struct coloured {
    int field, component, ncomp;
    char name[64];
    const char *unit;
} coloured;

enum { MOST = 12 };

/* from "von_mises_upper" and component to "von Mises stress, upper faces" */
static void name_it(const gos_field_info *f, int component, char name[64]) {
    static const char *const order[] = {"first", "second", "third"};
    const bool mises = strncmp(f->name, "von_mises", 9) == 0;
    const bool strain = strncmp(f->name, "principal_strain", 16) == 0;
    const char *face = strstr(f->name, "_upper")   ? ", upper faces"
                       : strstr(f->name, "_lower") ? ", lower faces"
                                                   : "";
    if (mises) {
        gos__format(name, 64, "von Mises stress%s", face);
    } else {
        gos__format(name, 64, "%s principal %s%s", order[component], strain ? "strain" : "stress",
                    face);
    }
}

static int choose(const gos_results *run, coloured list[MOST]) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    int n = 0;
    for (int i = 0; i < info.nfields; i++) {
        gos_field_info f;
        gos_results_field_info(run, i, &f);
        const bool known = strncmp(f.name, "von_mises", 9) == 0
                               ? f.ncomp == 1
                               : strncmp(f.name, "principal_", 10) == 0 && f.ncomp == 3;
        for (int c = 0; c < f.ncomp && known && n < MOST; c += 2) {
            list[n] = (coloured){.field = i, .component = c, .ncomp = f.ncomp, .unit = f.unit};
            name_it(&f, c, list[n++].name);
        }
    }
    return n;
}

int gos__report_nfields(const gos_results *run) {
    coloured list[MOST];
    return choose(run, list);
}

/* over all nodes, also thinned ones */
static void widen(const double *v, int nodes, int ncomp, double *lo, double *hi) {
    for (long i = 0; i < nodes; i++) {
        *lo = fmin(*lo, v[i * ncomp]);
        *hi = fmax(*hi, v[i * ncomp]);
    }
}

gos_status gos__report_fields(gos_page *p, gos_arena *arena, gos_results *run,
                              const gos_thin_mesh *thin, int n, const long *frame) {
    coloured list[MOST];
    gos_mesh_info mesh;
    gos_results_mesh(run, &mesh);
    const int count = choose(run, list);
    double *all = GOS_NEW(arena, double, 3L * mesh.nnodes + 1);
    double *shown = GOS_NEW(arena, double, (long)n * thin->nnodes + 1);
    GOS_TRY(all && shown ? GOS_OK : GOS_E_MEMORY);
    gos__page_open(p, "fields", '[');
    for (int k = 0; k < count; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = 0; i < n; i++) {
            GOS_TRY(gos_results_field(run, list[k].field, frame[i], all));
            widen(all + list[k].component, mesh.nnodes, list[k].ncomp, &lo, &hi);
            for (int j = 0; j < thin->nnodes; j++) {
                shown[(long)i * thin->nnodes + j] =
                    all[(long)thin->node[j] * list[k].ncomp + list[k].component];
            }
        }
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "name", list[k].name);
        gos__page_text(p, "unit", list[k].unit);
        gos__page_number(p, "least", lo);
        gos__page_number(p, "largest", hi);
        gos__page_parts(p, "values", shown, (long)n * thin->nnodes, 1);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
    return GOS_OK;
}
