/* Queries of an open results file. */
#include <math.h>

#include "results/results.h"
#include "results/results_parts.h"

void gos_results_info_get(const gos_results *r, gos_results_info *info) {
    *info = r->info;
}

off_t gos__results_journal(const gos_results *r) {
    return r->disk.journal;
}

const char *gos__results_key(const gos_results *r) {
    return r->key;
}

void gos_results_probe_info(const gos_results *r, int i, gos_probe_info *info) {
    *info = i >= 0 && i < r->info.nprobes ? r->probe[i].info : (gos_probe_info){0};
}

int gos_results_probe_find(const gos_results *r, const char *name) {
    for (int i = 0; i < r->info.nprobes; i++) {
        if (strcmp(r->probe[i].info.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const double *gos_results_time(const gos_results *r) {
    return r->time;
}

const char *gos_results_event(const gos_results *r, long i, gos_event *event) {
    const double *e = r->events + 3 * i;
    *event = (gos_event){.time = e[0], .event = (int)e[1], .rising = e[2] > 0};
    return r->event_names[event->event];
}

static gos_status load_probe(gos_results *r, gos_results_column *p, int k) {
    if (p->data[k]) {
        return GOS_OK;
    }
    hsize_t width = (hsize_t)p->info.ncomp;
    double *data = gos__alloc(r->ctx, r->info.nrows * width + 1, sizeof *data);
    if (!data) {
        return GOS_E_MEMORY;
    }
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    bool good =
        gos__results_rows(p->set[k], H5T_NATIVE_DOUBLE, 0, (hsize_t)r->info.nrows, width, data);
    gos__h5_leave(&visit);
    if (!good) {
        gos__free(r->ctx, data);
        return gos__fail(r->ctx, GOS_E_FILE, "%s: cannot read probe '%s'", r->path, p->info.name);
    }
    p->data[k] = data;
    return GOS_OK;
}

gos_status gos_results_probe(gos_results *r, int i, const double **value, const double **rate) {
    if (i < 0 || i >= r->info.nprobes) {
        return gos__fail(r->ctx, GOS_E_USE, "%s: there is no probe %d", r->path, i);
    }
    gos_results_column *p = &r->probe[i];
    GOS_TRY(load_probe(r, p, 0));
    *value = p->data[0];
    if (rate) {
        GOS_TRY(load_probe(r, p, 1));
        *rate = p->data[1];
    }
    return GOS_OK;
}

gos_status gos__results_history(gos_results *r, int i, gos_time_history *history) {
    const double *v, *d;
    GOS_TRY(gos_results_probe(r, i, &v, &d));
    gos_results_column *p = &r->probe[i];
    const int width = p->info.ncomp;
    int first = 1;
    for (int k = 0; k < i; k++) {
        first += r->probe[k].info.ncomp;
    }
    if (p->known < 0) { // older file: known unless all are 0
        p->known = !gos__time_history_flat(d, r->info.nrows * width);
    }
    *history = (gos_time_history){.n = r->info.nrows,
                                  .time = r->time,
                                  .width = width,
                                  .stride = width,
                                  .value = v,
                                  .rate = d,
                                  .known = p->known > 0,
                                  .nearest = gos__time_history_nearest(&p->info),
                                  .nstart = r->nstarts,
                                  .start = r->start,
                                  .start_stride = 1 + 2 * r->nvalues,
                                  .start_value = r->starts ? r->starts + first : NULL,
                                  .start_rate = r->starts ? r->starts + first + r->nvalues : NULL};
    return GOS_OK;
}

gos_status gos_results_probe_at(gos_results *r, int i, double t, double *value) {
    const double *v;
    GOS_TRY(gos_results_probe(r, i, &v, NULL));
    const long n = r->info.nrows;
    if (n < 1 || !(t >= r->time[0] && t <= r->time[n - 1])) {
        return gos__fail(r->ctx, GOS_E_USE, "%s: time %.17g s is outside the run, %g to %g s",
                         r->path, t, n > 0 ? r->time[0] : 0.0, n > 0 ? r->time[n - 1] : 0.0);
    }
    gos_time_history history;
    GOS_TRY(gos__results_history(r, i, &history));
    gos_time_history_at(&history, t, value);
    return GOS_OK;
}

void gos_results_mesh(const gos_results *r, gos_mesh_info *mesh) {
    *mesh = r->mesh;
}

const double *gos_results_frame_times(const gos_results *r) {
    return r->frame_time;
}

gos_status gos_results_frame(gos_results *r, long k, const gos_node_fields *fields) {
    if (k < 0 || k >= r->info.nframes) {
        return gos__fail(r->ctx, GOS_E_USE, "%s: there is no output time %ld", r->path, k);
    }
    double *out[GOS_RESULTS_NFIELDS] = {fields->position, fields->displacement, fields->velocity,
                                        fields->temperature, fields->temperature_rate};
    hsize_t n = (hsize_t)r->mesh.nnodes;
    bool good = true;
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    for (int i = 0; i < GOS_RESULTS_NFIELDS && good; i++) {
        hsize_t width = gos__results_width(i);
        if (out[i] && r->field[i] >= 0) {
            good =
                gos__results_rows(r->field[i], H5T_NATIVE_DOUBLE, (hsize_t)k * n, n, width, out[i]);
        } else if (out[i]) {
            memset(out[i], 0, n * width * sizeof(double));
        }
    }
    gos__h5_leave(&visit);
    return good ? GOS_OK
                : gos__fail(r->ctx, GOS_E_FILE, "%s: cannot read fields at output time %ld",
                            r->path, k);
}

void gos_results_field_info(const gos_results *r, int i, gos_field_info *info) {
    *info = i >= 0 && i < r->info.nfields ? r->more[i] : (gos_field_info){0};
}

gos_status gos_results_field(gos_results *r, int i, long k, double *value) {
    if (i < 0 || i >= r->info.nfields || k < 0 || k >= r->info.nframes) {
        return gos__fail(r->ctx, GOS_E_USE, "%s: there is no field %d at output time %ld", r->path,
                         i, k);
    }
    const hsize_t n = (hsize_t)r->mesh.nnodes;
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const bool good = gos__results_rows(r->more_set[i], H5T_NATIVE_DOUBLE, (hsize_t)k * n, n,
                                        (hsize_t)r->more[i].ncomp, value);
    gos__h5_leave(&visit);
    return good ? GOS_OK
                : gos__fail(r->ctx, GOS_E_FILE, "%s: cannot read '%s' at output time %ld", r->path,
                            r->more[i].name, k);
}

void gos__mask_athermal(const gos_results *r, double *value) {
    for (int i = 0; r->athermal && i < r->mesh.nnodes; i++) {
        value[i] = r->athermal[i] ? (double)NAN : value[i];
    }
}

static gos_status read_modes(gos_results *r, gos_arena *a, int *n, const char **names,
                             double **displacement, double **temperature) {
    const hsize_t nodes = (hsize_t)r->mesh.nnodes;
    const hid_t group = gos__h5_open(r->file, "modes", H5O_TYPE_GROUP);
    hid_t u = -1, t = -1;
    hsize_t rows = 0, same = 0;
    *n = 0;
    if (group < 0) {
        return GOS_OK;
    }
    (void)H5Gclose(group);
    GOS_TRY(gos__results_text(r, "modes/names", names));
    for (const char *at = *names; (at = strchr(at, '\n')) != NULL; at++) {
        (*n)++;
    }
    GOS_TRY(gos__results_numbers(r, "modes/displacement", 3, &u, &rows));
    gos_status status = gos__results_numbers(r, "modes/temperature", 1, &t, &same);
    bool good = status == GOS_OK && rows == (hsize_t)*n * nodes && same == rows;
    *displacement = good ? GOS_NEW(a, double, 3 * rows + 1) : NULL;
    *temperature = good ? GOS_NEW(a, double, rows + 1) : NULL;
    if (good && !(*displacement && *temperature)) {
        status = GOS_E_MEMORY;
    } else {
        good = good && gos__results_rows(u, H5T_NATIVE_DOUBLE, 0, rows, 3, *displacement) &&
               gos__results_rows(t, H5T_NATIVE_DOUBLE, 0, rows, 1, *temperature);
    }
    (void)H5Dclose(u);
    if (t >= 0) {
        (void)H5Dclose(t);
    }
    return status != GOS_OK ? status
           : good           ? GOS_OK
                            : gos__fail(r->ctx, GOS_E_FILE, "%s: the modes are damaged", r->path);
}

gos_status gos__results_modes(gos_results *r, gos_arena *a, int *n, const char **names,
                              double **displacement, double **temperature) {
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const gos_status status = read_modes(r, a, n, names, displacement, temperature);
    gos__h5_leave(&visit);
    return status;
}

static gos_status load_balances(gos_results *r) {
    static const char *const path[GOS_RESULTS_NENERGY + GOS_RESULTS_NHEAT] = {
#define X(name, doc) "energy/" #name,
        GOS_ENERGY_FIELDS(X)
#undef X
#define X(name, doc) "heat/" #name,
            GOS_HEAT_FIELDS(X)
#undef X
    };
    for (int i = 0; i < GOS_RESULTS_NENERGY + GOS_RESULTS_NHEAT; i++) {
        hid_t set;
        hsize_t rows, n = (hsize_t)r->info.nframes;
        GOS_TRY(gos__results_numbers(r, path[i], 1, &set, &rows));
        double *data = gos__zalloc(r->ctx, n + 1, sizeof *data);
        bool good =
            !data || gos__results_rows(set, H5T_NATIVE_DOUBLE, 0, rows < n ? rows : n, 1, data);
        (void)H5Dclose(set);
        if (!data) {
            return GOS_E_MEMORY;
        }
        // values not flushed are unknown, not zero
        for (hsize_t k = rows; good && k < n; k++) {
            data[k] = (double)NAN;
        }
        gos__free(r->ctx, r->balance[i]);
        r->balance[i] = data;
        if (!good) {
            return gos__fail(r->ctx, GOS_E_FILE, "%s: cannot read %s", r->path, path[i]);
        }
    }
    return GOS_OK;
}

gos_status gos_results_balance(gos_results *r, long k, gos_energy *energy, gos_heat *heat) {
    if (k < 0 || k >= r->info.nframes) {
        return gos__fail(r->ctx, GOS_E_USE, "%s: there is no output time %ld", r->path, k);
    }
    if (!r->balance[GOS_RESULTS_NENERGY + GOS_RESULTS_NHEAT - 1]) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        gos_status status = load_balances(r);
        gos__h5_leave(&visit);
        GOS_TRY(status);
    }
    int i = 0;
#define X(name, doc) energy->name = r->balance[i++][k];
    GOS_ENERGY_FIELDS(X)
#undef X
#define X(name, doc) heat->name = r->balance[i++][k];
    GOS_HEAT_FIELDS(X)
#undef X
    return GOS_OK;
}
