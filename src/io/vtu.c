/* Meshes with fields as VTK XML files of unstructured grids (.vtu), in text with 17 digits, stresses in binary: for ParaView
   and other programs that do not read the group /VTKHDF of results files. */
#include <locale.h>
#include <math.h>

#include "gossamer/io.h"
#include "io/base64.h"
#include "io/hermite.h"
#include "linear/response_modes.h"
#include "system/system.h"

typedef struct vtu {
    gos_output *file;
    FILE *out;       // of it
    locale_t before; // while numbers are written with a point
    gos_mesh_info mesh;
} vtu;

static void put_array(const vtu *v, const char *name, int width, const double *x) {
    (void)fprintf(v->out,
                  "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" "
                  "format=\"ascii\">\n",
                  name, width);
    for (long i = 0; i < v->mesh.nnodes; i++) {
        for (int c = 0; c < width; c++) {
            (void)fprintf(v->out, c ? " %.17g" : "%.17g", x[i * width + c]);
        }
        (void)fputc('\n', v->out);
    }
    (void)fputs("</DataArray>\n", v->out);
}

/* with names of its components, in binary: what is not a number can be read of that alone */
static void put_field(const vtu *v, const gos_field_info *f, const double *x) {
    const size_t n = (size_t)v->mesh.nnodes * (size_t)f->ncomp;
    (void)fprintf(v->out, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\"",
                  f->name, f->ncomp);
    for (int c = 0; c < f->ncomp && f->ncomp > 1; c++) {
        (void)fprintf(v->out, " ComponentName%d=\"%s\"", c, f->components[c]);
    }
    (void)fputs(" format=\"binary\">\n", v->out);
    gos_base64 k = {.out = v->out};
    gos__base64_put(&k, n * sizeof *x, 8); // how many bytes follow
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        gos__base64_put(&k, bits, 8);
    }
    gos__base64_end(&k);
    (void)fputs("\n</DataArray>\n", v->out);
}

static void put_integers(const vtu *v, const char *name, int n, const int *x) {
    (void)fprintf(v->out, "<DataArray type=\"Int32\" Name=\"%s\" format=\"ascii\">\n", name);
    for (int i = 0; i < n; i++) {
        (void)fprintf(v->out, "%d\n", x[i]);
    }
    (void)fputs("</DataArray>\n", v->out);
}

static gos_status begin(gos_ctx *ctx, vtu *v, const char *path) {
    GOS_TRY(gos_output_begin(ctx, path, &v->file));
    v->out = gos_output_stream(v->file);
    v->before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    return GOS_OK;
}

static void put_mesh(const vtu *v, const double *position, const char *time) {
    static const int type[] = {2, 1, 3, 5, 9}; // of VTK: -, vertex, line, triangle, quad
    const gos_mesh_info *m = &v->mesh;
    (void)fprintf(v->out,
                  "<?xml version=\"1.0\"?>\n<!-- made by gossamer -->\n<VTKFile "
                  "type=\"UnstructuredGrid\" version=\"1.0\" "
                  "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n%s"
                  "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n",
                  time, m->nnodes, m->ncells);
    put_array(v, "Points", 3, position);
    (void)fputs("</Points>\n<Cells>\n", v->out);
    put_integers(v, "connectivity", m->ncells > 0 ? m->cell_offset[m->ncells] : 0, m->cell_nodes);
    put_integers(v, "offsets", m->ncells, m->cell_offset + 1);
    (void)fputs("<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n", v->out);
    for (int i = 0; i < m->ncells; i++) {
        const int n = m->cell_offset[i + 1] - m->cell_offset[i];
        (void)fprintf(v->out, "%d\n", type[n <= 4 ? n : 0]);
    }
    (void)fputs("</DataArray>\n</Cells>\n<CellData>\n", v->out);
    put_integers(v, "body", m->ncells, m->cell_body);
    (void)fputs("</CellData>\n<PointData>\n", v->out);
}

/* `keep`: all of it was written */
static gos_status end(const vtu *v, bool keep) {
    (void)fputs("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", v->out);
    (void)uselocale(v->before);
    return gos_output_end(v->file, keep);
}

/* ---- results ------------------------------------------------------------------------------------- */

/* fields at two output times and between them: blocks of 11 numbers a node */
enum { WIDTH = 11 };

static gos_node_fields fields_of(double *x, size_t n) {
    return (gos_node_fields){.position = x,
                             .displacement = x + 3 * n,
                             .velocity = x + 6 * n,
                             .temperature = x + 9 * n,
                             .temperature_rate = x + 10 * n};
}

/* what is between two output times: values by cubic Hermite, rates linear */
static void interpolate(const gos_hermite *h, double part, size_t n, double *a, double *b,
                        double *x) {
    const gos_node_fields A = fields_of(a, n), B = fields_of(b, n), X = fields_of(x, n);
    for (size_t k = 0; k < 3 * n; k++) {
        X.position[k] =
            gos__hermite_value(h, A.position[k], A.velocity[k], B.position[k], B.velocity[k]);
        X.displacement[k] = gos__hermite_value(h, A.displacement[k], A.velocity[k],
                                               B.displacement[k], B.velocity[k]);
        X.velocity[k] = A.velocity[k] + part * (B.velocity[k] - A.velocity[k]);
    }
    for (size_t k = 0; k < n; k++) {
        X.temperature[k] = gos__hermite_value(h, A.temperature[k], A.temperature_rate[k],
                                              B.temperature[k], B.temperature_rate[k]);
        X.temperature_rate[k] =
            A.temperature_rate[k] + part * (B.temperature_rate[k] - A.temperature_rate[k]);
    }
}

static gos_status read_at(gos_results *run, long nframes, double t, size_t n, double *x) {
    const double *time = gos_results_frame_times(run);
    const gos_hermite h = gos__hermite(time, nframes, t);
    double *a = x + WIDTH * n, *b = a + WIDTH * n;
    const gos_node_fields A = fields_of(a, n), B = fields_of(b, n);
    GOS_TRY(gos_results_frame(run, h.i, &A));
    GOS_TRY(gos_results_frame(run, h.j, &B));
    const double part = h.i == h.j ? 0 : (t - time[h.i]) / (time[h.j] - time[h.i]);
    interpolate(&h, part, n, a, b, x);
    return GOS_OK;
}

/* a field between two output times, linear in time; x: room for both of its frames */
static gos_status put_between(const vtu *v, gos_results *run, int i, const gos_hermite *h,
                              double part, double *x) {
    gos_field_info f;
    gos_results_field_info(run, i, &f);
    const size_t n = (size_t)v->mesh.nnodes * (size_t)f.ncomp;
    GOS_TRY(gos_results_field(run, i, h->i, x));
    GOS_TRY(h->i == h->j ? GOS_OK : gos_results_field(run, i, h->j, x + n));
    for (size_t k = 0; k < n && h->i != h->j; k++) {
        x[k] += part * (x[n + k] - x[k]);
    }
    put_field(v, &f, x);
    return GOS_OK;
}

static gos_status put_fields(gos_ctx *ctx, const vtu *v, gos_results *run, double t) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const double *time = gos_results_frame_times(run);
    const gos_hermite h = gos__hermite(time, info.nframes, t);
    const double part = h.i == h.j ? 0 : (t - time[h.i]) / (time[h.j] - time[h.i]);
    double *x = gos__alloc(ctx, 2 * GOS_PROBE_MAX * (size_t)v->mesh.nnodes + 1, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < info.nfields && status == GOS_OK; i++) {
        status = put_between(v, run, i, &h, part, x);
    }
    gos__free(ctx, x);
    return status == GOS_E_FILE ? GOS_E_INPUT : status;
}

gos_status gos_results_write_vtu(gos_ctx *ctx, gos_results *run, double t, const char *path) {
    gos_results_info info;
    vtu v;
    gos_results_info_get(run, &info);
    gos_results_mesh(run, &v.mesh);
    const double *time = gos_results_frame_times(run);
    const double last = info.nframes > 0 ? time[info.nframes - 1] : 0;
    if (info.nframes == 0 || !(t >= time[0] && t <= last)) {
        return info.nframes == 0 ? gos__fail(ctx, GOS_E_USE, "no fields are stored in this run")
                                 : gos__fail(ctx, GOS_E_USE, "%g s is outside the run, %g to %g s",
                                             t, time[0], last);
    }
    const size_t n = v.mesh.nnodes;
    double *x = gos__alloc(ctx, 3 * WIDTH * n + 1, sizeof *x);
    gos_status status = x ? read_at(run, info.nframes, t, n, x) : GOS_E_MEMORY;
    status = status == GOS_E_FILE ? GOS_E_INPUT : status; // what cannot be written is GOS_E_FILE
    status = status == GOS_OK ? begin(ctx, &v, path) : status;
    if (status == GOS_OK) {
        const gos_node_fields f = fields_of(x, n);
        char text[160];
        gos__format(text, sizeof text,
                    "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                    "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
                    t);
        put_mesh(&v, f.position, text);
        put_array(&v, "displacement", 3, f.displacement);
        put_array(&v, "velocity", 3, f.velocity);
        if (info.thermal) {
            put_array(&v, "temperature", 1, f.temperature);
            put_array(&v, "temperature_rate", 1, f.temperature_rate);
        }
        status = put_fields(ctx, &v, run, t);
        const gos_status ended = end(&v, status == GOS_OK);
        status = status == GOS_OK ? ended : status;
    }
    gos__free(ctx, x);
    return status;
}

/* ---- modes ----------------------------------------------------------------------------------------- */

#define FREE 1e-7 // of the fastest mode: slower ones are rigid but for rounding

/* what the modes of a system do to its nodes */
typedef struct shapes {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_state *
        moved; // at the state of the system, with a shape in the place of its rates or temperatures
    int modes, fields;
    bool held;           // fields have deformations
    gos_mode *mode;      // (n)
    double *shape;       // (coordinates, n)
    double *rate;        // of fields [1/s] (n)
    double *field;       // (temperatures, n)
    double *deformation; // (coordinates, n)
    double *at;          // numbers of nodes (3 nodes)
} shapes;

/* deformations under the fields, where the structure has any: what moves freely has none */
static gos_status rest_under_fields(shapes *k, const gos_linear *linear) {
    double fastest = 0;
    for (int i = 0; i < k->modes; i++) {
        fastest = fmax(fastest, k->mode[i].omega);
    }
    k->held = k->modes > 0 && k->fields > 0;
    for (int i = 0; i < k->modes; i++) {
        k->held = k->held && !k->mode[i].rigid && k->mode[i].omega > FREE * fastest;
    }
    if (!k->held) {
        return GOS_OK;
    }
    gos_ctx *quiet = gos__ctx_quiet(k->ctx);
    GOS_TRY(quiet ? GOS_OK : GOS_E_MEMORY);
    const gos_status status =
        gos__linear_response_modes(quiet, linear, k->fields, k->field, k->deformation);
    gos_ctx_destroy(quiet);
    k->held = status == GOS_OK;
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

static gos_status find_shapes(shapes *k, const gos_linear *linear, int n) {
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    const size_t count = (size_t)n, nq = (size_t)info.coordinates, nt = (size_t)info.temperatures;
    k->mode = gos__zalloc(k->ctx, count + 1, sizeof *k->mode);
    k->shape = gos__zalloc(k->ctx, count * nq + 1, sizeof *k->shape);
    k->rate = gos__zalloc(k->ctx, count + 1, sizeof *k->rate);
    k->field = gos__zalloc(k->ctx, count * nt + 1, sizeof *k->field);
    k->deformation = gos__zalloc(k->ctx, count * nq + 1, sizeof *k->deformation);
    k->at = gos__alloc(k->ctx, 3 * (size_t)k->sys->nnodes + 1, sizeof *k->at);
    GOS_TRY(k->mode && k->shape && k->rate && k->field && k->deformation && k->at ? GOS_OK
                                                                                  : GOS_E_MEMORY);
    if (nq > 0 && n > 0) {
        GOS_TRY(gos_linear_shapes(k->ctx, linear, n, k->mode, k->shape, &k->modes));
    }
    GOS_TRY(gos_linear_thermal_modes(k->ctx, linear, n, k->rate, k->field, &k->fields));
    return rest_under_fields(k, linear);
}

/* what the nodes do when the coordinates move with one shape */
static void put_motion(const vtu *v, const shapes *k, const char *name, const double *shape) {
    memcpy(k->moved->v, shape, (size_t)k->sys->nq * sizeof *shape);
    gos_system_nodes(k->sys, k->moved, NULL, k->at, NULL, NULL);
    put_array(v, name, 3, k->at);
}

static void put_shapes(const vtu *v, const shapes *k) {
    char name[64];
    for (int i = 0; i < k->modes; i++) {
        gos__format(name, sizeof name, "mode %d: %.6g Hz", i + 1, k->mode[i].frequency);
        put_motion(v, k, name, k->shape + (size_t)i * (size_t)k->sys->nq);
    }
    for (int i = 0; i < k->fields; i++) {
        memcpy(k->moved->th, k->field + (size_t)i * (size_t)k->sys->nt,
               (size_t)k->sys->nt * sizeof *k->field);
        gos_system_nodes(k->sys, k->moved, NULL, NULL, k->at, NULL);
        gos__format(name, sizeof name, "temperature field %d: %.6g 1/s", i + 1, k->rate[i]);
        put_array(v, name, 1, k->at);
        if (k->held) {
            gos__format(name, sizeof name, "deformation by temperature field %d", i + 1);
            put_motion(v, k, name, k->deformation + (size_t)i * (size_t)k->sys->nq);
        }
    }
}

static void free_shapes(shapes *k) {
    gos__free(k->ctx, k->mode);
    gos__free(k->ctx, k->shape);
    gos__free(k->ctx, k->rate);
    gos__free(k->ctx, k->field);
    gos__free(k->ctx, k->deformation);
    gos__free(k->ctx, k->at);
    gos_state_destroy(k->moved);
}

gos_status gos_system_write_vtu(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                const gos_linear *linear, int n, const char *path) {
    vtu v;
    shapes k = {.ctx = ctx, .sys = sys};
    gos_system_mesh(sys, &v.mesh);
    const size_t nodes = (size_t)sys->nnodes;
    double *x = gos__alloc(ctx, 4 * nodes + 1, sizeof *x);
    gos_status status = x ? gos_state_create(ctx, sys, &k.moved) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos_state_copy(k.moved, state) : status;
    status = status == GOS_OK && linear ? find_shapes(&k, linear, n) : status;
    status = status == GOS_OK ? begin(ctx, &v, path) : status;
    if (status == GOS_OK) {
        gos_system_nodes(sys, state, x, NULL, x + 3 * nodes, NULL);
        put_mesh(&v, x, "");
        if (gos_system_thermal(sys)) {
            put_array(&v, "temperature", 1, x + 3 * nodes);
        }
        put_shapes(&v, &k);
        status = end(&v, true);
    }
    free_shapes(&k);
    gos__free(ctx, x);
    return status;
}
