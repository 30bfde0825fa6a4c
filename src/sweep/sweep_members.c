/* Results of all runs in one HDF5 file, collected from parts.
 *   /time (times) [s]; /probes/NAME (members, times, components): NaN after an early end
 *   /extremes/NAME (members, components, 3): last, least and largest value over all steps
 *   /parameters (members, parameters): NaN if not a number
 *   /members/...: complete, steps, ... (members); /failures, /warnings: lines "MEMBER: text" with
 *   members from 0; /model: text */
#include <math.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "results/h5_file.h"
#include "sweep/sweep_part.h"
#include "model/model.h"

enum { PATH = 256 };

/* reproducible statistics */
#define COUNTS(X) X(steps) X(rejected) X(iterations) X(factorisations)

/* ---- collecting parts ------------------------------------------------------------------------ */

/* Visit all members in order. @return false: out of memory, or `what` failed */
static bool each_member(gos_ctx *ctx, gos_sweep *s, bool (*what)(void *user, gos_part_reader *r),
                        void *user) {
    bool good = true;
    for (int c = 0; c < s->nparts && good; c++) {
        gos_part_reader reader;
        int first, end;
        gos__part_range(s, c, &first, &end);
        for (int finished = 1; finished >= 0; finished--) {
            const char *path = gos__part_path(s->arena, s, c, finished);
            if (!path || !gos__part_open(ctx, s, path, c, &reader)) {
                continue;
            }
            while (good && gos__part_next(&reader)) {
                const int i = reader.record.member;
                good = i < first || i >= end || what(user, &reader);
            }
            gos__part_close(&reader);
            break;
        }
    }
    return good;
}

/* component names of all probes */
static gos_status take_layout(gos_sweep *s, const gos_part_reader *r, const char ***key) {
    const size_t size = (size_t)r->record.layout;
    char *bytes = GOS_NEW(s->arena, char, size);
    gos_members_layout *l = GOS_NEW(s->arena, gos_members_layout, 1);
    if (!bytes || !l) {
        return GOS_E_MEMORY;
    }
    memcpy(bytes, r->layout, size);
    GOS_TRY(gos__members_layout_read(r->ctx, s->arena, bytes, size, l));
    *key = GOS_NEW(s->arena, const char *, l->nvalues + 1L);
    GOS_TRY(*key ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0, k = 0; i < l->nprobes; i++) {
        for (int c = 0; c < l->probe[i].ncomp; c++, k++) {
            (*key)[k] =
                gos__arena_printf(s->arena, "%s.%s", l->probe[i].name, l->probe[i].components[c]);
            GOS_TRY((*key)[k] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    s->layout = l;
    return GOS_OK;
}

typedef struct collecting {
    gos_sweep *s;
    const char **key;
    bool suits; // the current part has the common layout
} collecting;

static bool take_member(void *user, gos_part_reader *r) {
    collecting *k = user;
    gos_sweep *s = k->s;
    const gos_member_record *from = &r->record;
    gos_sweep_member *to = &s->run[from->member];
    if (from->layout > 0) {
        if (!s->layout && take_layout(s, r, &k->key) != GOS_OK) {
            return false;
        }
        k->suits = s->layout->size == (size_t)from->layout &&
                   memcmp(s->layout->bytes, r->layout, s->layout->size) == 0;
    }
    to->status = (gos_status)from->status;
    to->wall = from->wall;
    to->started = true;
    to->statistics = from->statistics;
    to->warnings = (long)from->warnings;
    to->acceptance = (gos_acceptance)from->acceptance;
    to->warning = from->warnings > 0 ? gos__arena_strdup(s->arena, from->warning) : NULL;
    to->failure = NULL;
    if (from->failure[0]) {
        gos__sweep_fail(s, to, to->status, from->failure);
    }
    const gos_members_layout *l = s->layout;
    if (from->numbers == 0 || !l) {
        return true;
    }
    if (!k->suits || from->numbers != (3 + (int64_t)l->ntimes) * l->nvalues) {
        gos__sweep_fail(s, to, GOS_E_USE,
                        "the probes or output times differ from those of the first run; use "
                        "separate result files");
        return true;
    }
    to->probe = GOS_NEW(s->arena, double, 3L * l->nvalues + 1);
    if (to->probe) {
        memcpy(to->probe, r->numbers, 3L * l->nvalues * sizeof *to->probe);
        to->nvalues = l->nvalues;
        to->key = k->key;
        to->has_results = true;
    }
    return to->probe != NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool put_members(hid_t file, const gos_sweep *s) {
    const hsize_t dims[] = {(hsize_t)s->nruns};
    int64_t *v = gos__alloc(s->ctx, (size_t)s->nruns, sizeof *v);
    bool good = v && gos__put_group(file, "members");
#define FILL(name, expression)                                                                     \
    for (int i = 0; good && i < s->nruns; i++) {                                                   \
        const gos_sweep_member *r = &s->run[i];                                                    \
        v[i] = (int64_t)(expression);                                                              \
    }                                                                                              \
    good = good &&                                                                                 \
           gos__put_done(gos__put_array(file, "members/" name, H5T_NATIVE_INT64, 1, dims, v));
#define COUNT(name) FILL(#name, r->statistics.name)
    FILL("complete", r->failure == NULL)
    FILL("warnings", r->warnings)
    COUNTS(COUNT)
#undef COUNT
#undef FILL
    gos__free(s->ctx, v);
    return good;
}

static bool put_parameters(hid_t file, const gos_sweep *s) {
    const hsize_t dims[] = {(hsize_t)s->nruns, (hsize_t)s->nparameters};
    const size_t n = (size_t)s->nparameters;
    double *v = gos__alloc(s->ctx, (size_t)s->nruns * n, sizeof *v);
    const char **name = gos__alloc(s->ctx, n, sizeof *name);
    bool good = v && name;
    for (size_t k = 0; good && k < n; k++) {
        name[k] = s->parameter[k].name;
        for (int i = 0; i < s->nruns; i++) {
            const char *text = s->run[i].value[k];
            double *x = &v[(size_t)i * n + k];
            *x = gos__number_parse(text, strlen(text), x) ? *x : (double)NAN;
        }
    }
    const hid_t set = good ? gos__put_array(file, "parameters", H5T_NATIVE_DOUBLE, 2, dims, v) : -1;
    good = set >= 0 && gos__put_attr_names(set, "names", name, (int)n);
    good = gos__put_done(set) && good;
    gos__free(s->ctx, v);
    gos__free(s->ctx, name);
    return good;
}

/* "17: message", one line per member that has one */
static bool put_lines(hid_t file, const gos_sweep *s, bool warnings) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (int i = 0; stream && i < s->nruns; i++) {
        const char *line = warnings ? s->run[i].warning : s->run[i].failure;
        if (line) {
            (void)fprintf(stream, "%d: %s\n", i, line);
        }
    }
    bool good = stream && fclose(stream) == 0;
    good = good &&
           gos__put_done(gos__put_text(file, warnings ? "warnings" : "failures", text, size + 1));
    free(text);
    return good;
}

/* datasets of a probe */
typedef struct sets {
    hid_t value, extreme; // (members, times, components), (members, components, 3)
} sets;

typedef struct writing {
    gos_ctx *ctx;
    gos_sweep *s;
    sets *of;       // (nprobes)
    double *values; // of a probe (ntimes, components)
    bool *written;  // (nruns)
} writing;

static bool make_sets(hid_t file, const gos_sweep *s, int i, sets *of) {
    const gos_members_layout *l = s->layout;
    const gos_probe_info *p = &l->probe[i];
    const hsize_t n = (hsize_t)s->nruns, ncomp = (hsize_t)p->ncomp;
    const hsize_t value[] = {n, (hsize_t)l->ntimes, ncomp}, extreme[] = {n, ncomp, 3};
    char path[PATH];
    (void)snprintf(path, sizeof path, "probes/%s", p->name);
    of->value = gos__put_array(file, path, H5T_NATIVE_DOUBLE, 3, value, NULL);
    (void)snprintf(path, sizeof path, "extremes/%s", p->name);
    of->extreme = gos__put_array(file, path, H5T_NATIVE_DOUBLE, 3, extreme, NULL);
    const hid_t set[] = {of->value, of->extreme};
    bool good = true;
    for (int k = 0; k < 2 && good; k++) {
        good = set[k] >= 0 && gos__put_attr_names(set[k], "components", p->components, p->ncomp) &&
               gos__put_attr_text(set[k], "quantity", p->quantity) &&
               gos__put_attr_text(set[k], "unit", p->unit);
    }
    return good;
}

static bool put_row(hid_t set, int i, int a, int b, const double *v) {
    const hsize_t start[] = {(hsize_t)i, 0, 0}, count[] = {1, (hsize_t)a, (hsize_t)b};
    const hid_t to = H5Dget_space(set), from = H5Screate_simple(3, count, NULL);
    const bool good = to >= 0 && from >= 0 &&
                      H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                      H5Dwrite(set, H5T_NATIVE_DOUBLE, from, to, H5P_DEFAULT, v) >= 0;
    (void)H5Sclose(to);
    (void)H5Sclose(from);
    return good;
}

/* numbers of a part: (nvalues, 3), (ntimes, nvalues) */
static bool put_member(const writing *w, int i, const double *numbers) {
    const gos_members_layout *l = w->s->layout;
    const double *value = numbers + 3L * l->nvalues;
    bool good = true;
    for (int p = 0, at = 0; p < l->nprobes && good; at += l->probe[p].ncomp, p++) {
        const int n = l->probe[p].ncomp;
        for (int k = 0; k < l->ntimes; k++) {
            memcpy(w->values + (size_t)k * (size_t)n, value + (size_t)k * (size_t)l->nvalues + at,
                   (size_t)n * sizeof *value);
        }
        good = n == 0 || (put_row(w->of[p].value, i, l->ntimes, n, w->values) &&
                          put_row(w->of[p].extreme, i, n, 3, numbers + 3L * at));
    }
    return good;
}

static bool write_member(void *user, gos_part_reader *r) {
    writing *w = user;
    const int i = r->record.member;
    if (r->record.numbers == 0 || !w->s->run[i].has_results) {
        return true;
    }
    w->written[i] = true;
    return put_member(w, i, r->numbers);
}

static bool put_values(hid_t file, gos_sweep *s) {
    const gos_members_layout *l = s->layout;
    const size_t max = (3 + (size_t)l->ntimes) * (size_t)l->nvalues + 1;
    writing w = {.ctx = s->ctx, .s = s};
    w.of = gos__alloc(s->ctx, l->nprobes + 1L, sizeof *w.of);
    w.values = gos__alloc(s->ctx, max, sizeof *w.values);
    w.written = gos__zalloc(s->ctx, (size_t)s->nruns, sizeof *w.written);
    double *none = gos__alloc(s->ctx, max, sizeof *none);
    bool good = w.of && w.values && w.written && none && gos__put_group(file, "probes") &&
                gos__put_group(file, "extremes");
    int made = 0;
    for (; good && made < l->nprobes; made++) {
        good = make_sets(file, s, made, &w.of[made]);
    }
    good = good && each_member(s->ctx, s, write_member, &w);
    for (size_t k = 0; good && k < max; k++) {
        none[k] = (double)NAN;
    }
    for (int i = 0; good && i < s->nruns; i++) {
        good = w.written[i] || put_member(&w, i, none);
    }
    for (int i = 0; i < made; i++) {
        good = gos__put_done(w.of[i].value) && good;
        good = gos__put_done(w.of[i].extreme) && good;
    }
    gos__free(s->ctx, w.of);
    gos__free(s->ctx, w.values);
    gos__free(s->ctx, w.written);
    gos__free(s->ctx, none);
    return good;
}

static bool put(hid_t file, const void *what) {
    gos_sweep *s = *(gos_sweep *const *)what;
    const gos_members_layout *l = s->layout;
    const hsize_t ntimes = l ? (hsize_t)l->ntimes : 0;
    const hid_t time =
        l ? gos__put_array(file, "time", H5T_NATIVE_DOUBLE, 1, &ntimes, l->time) : -1;
    bool good = !l || (time >= 0 && gos__put_attr_text(time, "unit", "s"));
    good = (!l || gos__put_done(time)) && good;
    return good && gos__put_attr_text(file, "format", GOS_MEMBERS_FORMAT) &&
           gos__put_attr_number(file, "format_version", 1) &&
           gos__put_attr_text(file, "program", "gossamer " GOS_VERSION) &&
           gos__put_done(
               gos__put_text(file, "model", s->model->text, strlen(s->model->text) + 1)) &&
           put_members(file, s) && put_parameters(file, s) && put_lines(file, s, false) &&
           put_lines(file, s, true) && (!l || put_values(file, s));
}

gos_status gos__members_collect(gos_ctx *ctx, gos_sweep *s, bool over) {
    collecting k = {.s = s};
    if (!each_member(ctx, s, take_member, &k)) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory while reading the results");
    }
    GOS_TRY(gos__h5_write_file(ctx, s->run[0].path, GOS_OUTPUT_MEMBERS, put, &s));
    for (int c = 0; c < s->nparts && over; c++) {
        for (int finished = 0; finished < 2; finished++) {
            const char *path = gos__part_path(s->arena, s, c, finished);
            (void)(path && unlink(path));
        }
    }
    const char *folder = over ? gos__arena_printf(s->arena, "%s/parts", s->folder) : NULL;
    (void)(folder && rmdir(folder));
    return GOS_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_component(hid_t file, const gos_members_layout *l, int p, int c, int first, int n,
                           double *x) {
    char path[PATH];
    (void)snprintf(path, sizeof path, "probes/%s", l->probe[p].name);
    const hid_t set = gos__h5_open(file, path, H5O_TYPE_DATASET);
    hsize_t dims[3];
    bool good = set >= 0 && gos__h5_plain_rank(set, 3, dims) &&
                dims[0] >= (hsize_t)first + (hsize_t)n && dims[1] == (hsize_t)l->ntimes &&
                dims[2] > (hsize_t)c;
    if (good) {
        const hsize_t start[] = {(hsize_t)first, 0, (hsize_t)c};
        const hsize_t count[] = {(hsize_t)n, (hsize_t)l->ntimes, 1};
        const hid_t from = H5Dget_space(set), to = H5Screate_simple(3, count, NULL);
        good = H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               H5Dread(set, H5T_NATIVE_DOUBLE, to, from, H5P_DEFAULT, x) >= 0;
        (void)H5Sclose(from);
        (void)H5Sclose(to);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return good;
}

gos_status gos__members_read(gos_ctx *ctx, const gos_sweep *s, int p, int c, int first, int n,
                             double *x) {
    const char *path = s->run[0].path;
    gos_disk disk;
    gos_h5_visit visit;
    GOS_TRY(gos__disk_open(ctx, path, false, &disk));
    gos__h5_enter(&visit);
    const hid_t file = gos__h5_open_file(&disk, path, H5F_ACC_RDONLY);
    const bool good = file >= 0 && read_component(file, s->layout, p, c, first, n, x);
    if (file >= 0) {
        (void)H5Fclose(file);
    }
    gos__h5_leave(&visit);
    gos__disk_close(&disk);
    return good ? GOS_OK
                : gos__fail(ctx, GOS_E_FILE, "%s: the results can no longer be read", path);
}
