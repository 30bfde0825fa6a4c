/* Writes floating bodies as standard input data (SID) files. */
#include "floating/floating_def.h"
#include "floating/floating_mesh.h"
#include "floating/sid.h"
#include "gossamer/io.h"
#include "system/system.h"

typedef struct job {
    gos_ctx *ctx;
    const gos_body *body;
    char object[GOS_LIMIT_NAME + 16]; // "body 'arm'"
    const gos_flex *flex;
    int *location, *number, nlocation;
} job;

/* ---- the body -------------------------------------------------------------------------------- */

static gos_status find_body(gos_ctx *ctx, const gos_system *sys, const char *name,
                            const gos_body **body) {
    int count = 0;
    *body = NULL;
    for (int i = 0; i < sys->nbody; i++) {
        const gos_body *b = sys->body[i];
        if (name ? strcmp(b->name, name) == 0 : b->derived != NULL) {
            *body = b;
            count++;
        }
    }
    if (count == 1 && (*body)->derived) {
        return GOS_OK;
    }
    if (name) {
        return gos__fail(
            ctx, GOS_E_USE,
            count == 0
                ? "there is no body '%s'"
                : "body '%s' has no floating frame; standard input data can be written only for "
                  "floating_beam, floating_frame, floating, sid, and matrices with `frame: "
                  "floating`",
            name);
    }
    return gos__fail(
        ctx, GOS_E_USE,
        count == 0
            ? "no body of the model has a floating frame; standard input data can be written only "
              "for floating_beam, floating_frame, floating, sid, and matrices with `frame: "
              "floating`"
            : "%d bodies of the model have floating frames; select one with --body",
        count);
}

static void warn_omissions(const job *k) {
    const gos_flex *f = k->flex;
    if (k->body->nt > 0) {
        gos__warn(k->ctx, k->body->loc, k->object,
                  "standard input data do not support temperatures: the body is written at its "
                  "reference temperature, without thermal strain, stress and heat");
    }
    if (f->piezo.n > 0) {
        gos__warn(k->ctx, k->body->loc, k->object,
                  "standard input data do not support electrodes: the body is written with all "
                  "voltages at 0");
    }
    if (f->missed.n > 0 || f->dependent > 0) {
        gos__warn(k->ctx, k->body->loc, k->object,
                  "the residual modes of the reduced body and its thermal deformations (`correct`) "
                  "are not written");
    }
}

/* ---- generalised coordinates ----------------------------------------------------------------- */

/* without trailing residual and dependent coordinates */
static gos_status take_own(const job *k, gos_flex **own) {
    const gos_flex *f = k->flex;
    const size_t n = (size_t)f->n;
    const int r = f->n - f->missed.n - f->dependent;
    double *V = gos__zalloc(k->ctx, n * (size_t)r + 1, sizeof *V);
    GOS_TRY(V ? GOS_OK : GOS_E_MEMORY);
    for (size_t j = 0; j < (size_t)r; j++) {
        V[j * n + j] = 1;
    }
    const gos_status status = gos__flex_project(f, &(gos_flex_space){.r = r, .V = V}, own);
    gos__free(k->ctx, V);
    return status;
}

/* lowest n modes of the body in its floating frame, 0: all */
static gos_status take_modes(const job *k, const gos_flex *own, int n, gos_flex **modal) {
    const int all = own->n - (own->C.p ? own->C.m : 0), max = n > 0 && n < all ? n : all;
    gos_linear *l = NULL;
    int found = 0;
    if (max > GOS_LIMIT_SID_MODES) {
        return gos__fail_at(k->ctx, GOS_E_USE, k->body->loc, k->object,
                            "%d modes exceed the limit of %d per file; use fewer modes, or reduce "
                            "the body (`floating_bodies: reduced`)",
                            max, GOS_LIMIT_SID_MODES);
    }
    double *V = gos__alloc(k->ctx, (size_t)own->n * (size_t)max + 1, sizeof *V);
    gos_status status = V ? gos__flex_linear(own, 0, NULL, 0, NULL, &l) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos_linear_shapes(k->ctx, l, max, NULL, V, &found) : status;
    if (status == GOS_OK && found < max) {
        status = gos__fail_at(k->ctx, GOS_E_SINGULAR, k->body->loc, k->object,
                              "only %d of %d modes were found", found, max);
    }
    const gos_flex_space space = {.r = max, .V = V};
    status = status == GOS_OK ? gos__flex_project(own, &space, modal) : status;
    gos_linear_destroy(l);
    gos__free(k->ctx, V);
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool of_mesh(const job *k) {
    return strcmp(k->body->type, gos__body_floating.name) == 0;
}

static int number_of(const job *k, int node) {
    return of_mesh(k) ? gos__floating_mesh_number(k->body, node)
                      : gos__sid_body_number(k->body, node);
}

static bool is_empty(const gos_sparse *A, int node) {
    return !A->p || A->p[3 * node + 3] == A->p[3 * node];
}

/* computed only at joints, loads and probes of a mesh */
static bool has_node(const job *k, int node) {
    bool second = false;
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        second = second || k->flex->moment[i].nnz > 0;
    }
    return !of_mesh(k) || !second || is_empty(&k->flex->move, node) ||
           !is_empty(&k->flex->second, node);
}

static gos_status take_named(job *k, int n, const char *const *locations) {
    for (int i = 0; i < n; i++) {
        gos_location p = {.body = k->body, .node = -1, .face = -1};
        GOS_TRY(k->body->ops->locate(k->ctx, k->body, locations[i], (gos_loc){0}, NULL, &p));
        if (p.node < 0 || p.node >= k->flex->nnode) {
            return gos__fail(k->ctx, GOS_E_USE, "'%s' is not a node of %s", locations[i],
                             k->object);
        }
        if (!has_node(k, p.node)) {
            return gos__fail(
                k->ctx, GOS_E_USE,
                "the second-order displacement of '%s' of %s is not available: `coupling: first` "
                "computes it only at joints, loads and probes; give it a probe",
                locations[i], k->object);
        }
        k->location[k->nlocation] = p.node;
        k->number[k->nlocation++] = i + 1;
    }
    return GOS_OK;
}

static gos_status take_nodes(job *k) {
    int left = 0;
    for (int i = 0; i < k->flex->nnode; i++) {
        const int number = number_of(k, i);
        if (number > 0 && has_node(k, i)) {
            k->location[k->nlocation] = i;
            k->number[k->nlocation++] = number;
        } else {
            left += number > 0;
        }
    }
    if (left > 0) {
        gos__warn(k->ctx, k->body->loc, k->object,
                  "%d nodes are omitted: `coupling: first` computes second-order displacements "
                  "only at joints, loads and probes",
                  left);
    }
    return GOS_OK;
}

static gos_status take_locations(job *k, int n, const char *const *locations) {
    const int count = locations ? n : k->flex->nnode;
    k->location = gos__zalloc(k->ctx, 2 * ((size_t)count + 1), sizeof *k->location);
    GOS_TRY(k->location ? GOS_OK : GOS_E_MEMORY);
    k->number = k->location + count;
    return locations ? take_named(k, n, locations) : take_nodes(k);
}

/* ---- the file -------------------------------------------------------------------------------- */

static gos_status write_data(gos_ctx *ctx, const gos_sid *s, const char *path) {
    gos_output *file;
    GOS_TRY(gos_output_replaces(ctx, path, "", GOS_SID_MADE, "a SID_FEM file of this program"));
    GOS_TRY(gos_output_begin(ctx, path, &file));
    gos__sid_write(s, gos_output_stream(file));
    return gos_output_end(file, true);
}

static gos_status write_flex(const job *k, const gos_flex *flex, const char *path) {
    gos_sid *s;
    char remark[200];
    GOS_TRY(gos__sid_of_flex(flex, k->nlocation, k->location, k->number, &s));
    const int length = gos__format(
        remark, sizeof remark, ":No. nodes, No. modes: " GOS_SID_MADE " from %.64s", k->body->name);
    gos_status status = gos__sid_remark(s, remark, (size_t)length);
    status = status == GOS_OK ? write_data(k->ctx, s, path) : status;
    gos__sid_destroy(s);
    return status;
}

static gos_status write_modes(job *k, int nmodes, const char *path) {
    gos_flex *own = NULL, *modal = NULL;
    const bool last = k->flex->missed.n > 0 || k->flex->dependent > 0;
    gos_status status = last ? take_own(k, &own) : GOS_OK;
    status = status == GOS_OK ? take_modes(k, last ? own : k->flex, nmodes, &modal) : status;
    status = status == GOS_OK ? write_flex(k, modal, path) : status;
    gos__flex_destroy(own);
    gos__flex_destroy(modal);
    return status;
}

gos_status gos_system_write_sid(gos_ctx *ctx, const gos_system *sys, const char *body, int nmodes,
                                int nlocations, const char *const *locations, const char *path) {
    job k = {.ctx = ctx};
    if (nmodes < 0 || nlocations < 0 || !path) {
        return gos__fail(
            ctx, GOS_E_USE,
            "the numbers of modes and locations must not be negative, and the file needs a name");
    }
    if (sys->units) {
        return gos__fail(ctx, GOS_E_USE,
                         "SID files are in SI units, but the model has units %s; export it without "
                         "`units`",
                         sys->units->text);
    }
    GOS_TRY(find_body(ctx, sys, body, &k.body));
    k.flex = gos__floating_of(k.body)->flex;
    (void)gos__format(k.object, sizeof k.object, "body '%s'", k.body->name);
    warn_omissions(&k);
    const gos_sid *data = gos__sid_body_data(k.body);
    if (data && nmodes == 0 && !locations) {
        return write_data(ctx, data, path); // identical copy
    }
    gos_status status = take_locations(&k, nlocations, locations);
    status = status == GOS_OK ? write_modes(&k, nmodes, path) : status;
    gos__free(ctx, k.location);
    return status;
}
