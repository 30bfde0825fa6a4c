/* Meshes with fields as VTK XML unstructured grids (.vtu): text with 17 digits, stresses in
   binary. */
#include <locale.h>
#include <math.h>

#include "gossamer/io.h"
#include "results/base64.h"
#include "results/hermite.h"
#include "results/mode_shapes.h"
#include "system/system.h"

typedef struct vtu {
    gos_output *file;
    FILE *out;       // output stream
    locale_t before; // saved while numbers need a decimal point
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

/* in binary, because VTK cannot read NaN from text */
static void put_field(const vtu *v, const gos_field_info *f, const double *x) {
    const size_t n = (size_t)v->mesh.nnodes * (size_t)f->ncomp;
    (void)fprintf(v->out, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\"",
                  f->name, f->ncomp);
    for (int c = 0; c < f->ncomp && f->ncomp > 1; c++) {
        (void)fprintf(v->out, " ComponentName%d=\"%s\"", c, f->components[c]);
    }
    (void)fputs(" format=\"binary\">\n", v->out);
    gos_base64 k = {.out = v->out};
    gos__base64_put(&k, n * sizeof *x, 8); // number of bytes that follow
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
    GOS_TRY(gos_output_replaces(ctx, path, "<?xml", "<!-- made by gossamer -->",
                                "a VTK file of this program"));
    GOS_TRY(gos_output_begin(ctx, path, &v->file));
    v->out = gos_output_stream(v->file);
    v->before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    return GOS_OK;
}

static void put_mesh(const vtu *v, const double *position, const char *time) {
    static const int type[] = {2, 1, 3, 5, 9}; // VTK types: -, vertex, line, triangle, quad
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

/* `keep`: everything was written */
static gos_status end(const vtu *v, bool keep) {
    (void)fputs("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", v->out);
    (void)uselocale(v->before);
    return gos_output_end(v->file, keep);
}

/* ---- results --------------------------------------------------------------------------------- */

/* at two output times and between: 11 numbers per node */
enum { WIDTH = 11 };

static gos_node_fields fields_of(double *x, size_t n) {
    return (gos_node_fields){.position = x,
                             .displacement = x + 3 * n,
                             .velocity = x + 6 * n,
                             .temperature = x + 9 * n,
                             .temperature_rate = x + 10 * n};
}

/* values by cubic Hermite interpolation, rates linearly */
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

/* linear in time; x: workspace for both frames */
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
    // GOS_E_FILE is reserved for output errors
    status = status == GOS_E_FILE ? GOS_E_INPUT : status;
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

/* ---- modes ----------------------------------------------------------------------------------- */

static void put_shapes(const vtu *v, gos_shapes *k) {
    char name[GOS_SHAPE_NAME];
    for (int i = 0; i < k->modes; i++) {
        gos__shapes_name(k, false, i, name);
        gos__shapes_motion(k, k->shape + (size_t)i * (size_t)k->sys->nq, k->at);
        put_array(v, name, 3, k->at);
    }
    for (int i = 0; i < k->fields; i++) {
        gos__shapes_name(k, true, i, name);
        gos__shapes_heat(k, i, k->at);
        put_array(v, name, 1, k->at);
        if (k->held) {
            gos__format(name, sizeof name, "deformation by temperature field %d", i + 1);
            gos__shapes_motion(k, k->deformation + (size_t)i * (size_t)k->sys->nq, k->at);
            put_array(v, name, 3, k->at);
        }
    }
}

gos_status gos_system_write_vtu(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                const gos_linear *linear, int n, const char *path) {
    vtu v;
    gos_shapes k = {.ctx = ctx, .sys = sys};
    gos_system_mesh(sys, &v.mesh);
    const size_t nodes = (size_t)sys->nnodes;
    double *x = gos__alloc(ctx, 4 * nodes + 1, sizeof *x);
    gos_status status = x ? gos_state_create(ctx, sys, &k.moved) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos_state_copy(k.moved, state) : status;
    status = status == GOS_OK && linear ? gos__shapes_find(&k, linear, n) : status;
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
    gos__shapes_free(&k);
    gos__free(ctx, x);
    return status;
}
