/* Linear models and probes in MAT-files (version 5), through libmatio. In the program only: the library
   that reads them is not made for files that somebody made to break it. */
#include <limits.h>
#include <matio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define FORMAT "gossamer-linear-1" // variable `format` of our own models

static const char *const block_names[] = {
#define X(name, doc) #name,
    GOS_BLOCK_LIST(X)
#undef X
};

bool is_mat(const char *path) {
    char head[sizeof MAT_MAGIC - 1] = {0};
    FILE *f = fopen(path, "rb");
    const size_t n = f != NULL ? fread(head, 1, sizeof head, f) : 0;
    if (f != NULL) {
        (void)fclose(f);
    }
    return n == sizeof head && memcmp(head, MAT_MAGIC, n) == 0;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* write a variable and free it; NULL: it could not be made */
static bool put(mat_t *mat, matvar_t *v) {
    const bool good = v != NULL && Mat_VarWrite(mat, v, MAT_COMPRESSION_NONE) == 0;
    Mat_VarFree(v);
    return good;
}

static matvar_t *make_text(const char *name, const char *text) {
    size_t dims[] = {1, strlen(text)};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, dims, (void *)(uintptr_t)text, 0);
}

static matvar_t *make_numbers(const char *name, size_t rows, size_t columns, const double *x) {
    size_t dims[] = {rows, columns};
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, (void *)(uintptr_t)x, 0);
}

static bool put_sparse(mat_t *mat, const char *name, const gos_matrix_view *v) {
    size_t dims[] = {(size_t)v->rows, (size_t)v->columns};
    // indices are not negative, so that both kinds of integers agree
    mat_sparse_t s = {.nzmax = (mat_uint32_t)v->entries,
                      .ir = (mat_uint32_t *)(uintptr_t)v->row,
                      .nir = (mat_uint32_t)v->entries,
                      .jc = (mat_uint32_t *)(uintptr_t)v->start,
                      .njc = (mat_uint32_t)v->columns + 1,
                      .ndata = (mat_uint32_t)v->entries,
                      .data = (void *)(uintptr_t)v->value};
    return put(mat,
               Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, dims, &s, MAT_F_DONT_COPY_DATA));
}

/* factor times a matrix, with its zeros */
static bool put_dense(mat_t *mat, const char *name, const gos_matrix_view *v, double factor) {
    double *x = calloc((size_t)v->rows * (size_t)v->columns + 1, sizeof *x);
    for (int j = 0; x != NULL && j < v->columns; j++) {
        for (int k = v->start[j]; k < v->start[j + 1]; k++) {
            x[(size_t)j * (size_t)v->rows + (size_t)v->row[k]] = factor * v->value[k];
        }
    }
    const bool good =
        x != NULL && put(mat, make_numbers(name, (size_t)v->rows, (size_t)v->columns, x));
    free(x);
    return good;
}

typedef gos_port (*port_fn)(const gos_linear *linear, int i);

static bool put_ports(mat_t *mat, const char *name, const gos_linear *l, port_fn port, int n,
                      bool unit) {
    size_t dims[] = {(size_t)n, 1};
    matvar_t **cell = calloc((size_t)n + 1, sizeof(matvar_t *));
    if (cell == NULL) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const gos_port p = port(l, i);
        cell[i] = make_text(NULL, unit ? p.unit : p.name);
    }
    const bool good = put(mat, Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, dims, cell, 0));
    free(cell);
    return good;
}

static bool put_names(mat_t *mat, const gos_linear *l, const gos_linear_info *n) {
    return (n->inputs == 0 ||
            (put_ports(mat, "inputs", l, gos_linear_input, n->inputs, false) &&
             put_ports(mat, "input_units", l, gos_linear_input, n->inputs, true))) &&
           (n->outputs == 0 ||
            (put_ports(mat, "outputs", l, gos_linear_output, n->outputs, false) &&
             put_ports(mat, "output_units", l, gos_linear_output, n->outputs, true)));
}

/* names of the blocks that follow, so that a file cut off is noticed */
static bool put_list(mat_t *mat, const gos_linear *l) {
    matvar_t *cell[GOS_NBLOCKS + 1] = {NULL};
    size_t dims[] = {0, 1};
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        gos_matrix_view v;
        gos_linear_block(l, (gos_block)b, &v);
        if (v.entries > 0) {
            cell[dims[0]++] = make_text(NULL, block_names[b]);
        }
    }
    return dims[0] == 0 ||
           put(mat, Mat_VarCreate("blocks", MAT_C_CELL, MAT_T_CELL, 2, dims, cell, 0));
}

static bool put_blocks(mat_t *mat, const gos_linear *l, const gos_linear_info *n) {
    const double sizes[] = {
        n->coordinates, n->temperatures, n->potentials, n->constraints, n->temperature_constraints,
        n->inputs,      n->outputs};
    bool good = put(mat, make_text("format", FORMAT)) &&
                put(mat, make_numbers("sizes", 1, 7, sizes)) && put_list(mat, l);
    for (int b = 0; b < GOS_NBLOCKS && good; b++) {
        gos_matrix_view v;
        gos_linear_block(l, (gos_block)b, &v);
        good = v.entries == 0 || put_sparse(mat, block_names[b], &v);
    }
    if (n->mass > 0) { // where they are known
        good =
            good && put(mat, make_numbers("rigid", (size_t)n->coordinates, 6, gos_linear_rigid(l)));
    }
    return good;
}

static bool put_first_order(mat_t *mat, const gos_linear *l) {
    const struct {
        const char *name;
        gos_block block;
        double factor;
    } list[] = {{"E", GOS_BLOCK_C_T, 1},
                {"A", GOS_BLOCK_K_T, -1},
                {"B", GOS_BLOCK_B_T, 1},
                {"C", GOS_BLOCK_Y_T, 1},
                {"D", GOS_BLOCK_Y_u, 1}};
    bool good = true;
    for (size_t i = 0; i < sizeof list / sizeof list[0] && good; i++) {
        gos_matrix_view v;
        gos_linear_block(l, list[i].block, &v);
        good = put_dense(mat, list[i].name, &v, list[i].factor);
    }
    return good;
}

static mat_t *create(const char *path) {
    return Mat_CreateVer(path, MAT_MAGIC ", written by gossamer " GOS_VERSION, MAT_FT_MAT5);
}

static int finish(mat_t *mat, const char *path, bool good) {
    const bool closed = mat == NULL || Mat_Close(mat) == 0;
    if (mat != NULL && good && closed) {
        return EXIT_DONE;
    }
    (void)unlink(path);
    (void)complain("%s: cannot be written", path);
    return EXIT_FAILED;
}

int write_mat(const gos_linear *linear, bool first_order, const char *path) {
    gos_linear_info n;
    gos_linear_info_get(linear, &n);
    mat_t *mat = create(path);
    const bool good = mat != NULL &&
                      (first_order ? put_first_order(mat, linear) : put_blocks(mat, linear, &n)) &&
                      put_names(mat, linear, &n);
    return finish(mat, path, good);
}

/* rows of a probe are times; MATLAB stores columns */
static bool put_probe(mat_t *mat, gos_results *run, int i, size_t rows) {
    gos_probe_info p;
    const double *value;
    gos_results_probe_info(run, i, &p);
    if (gos_results_probe(run, i, &value, NULL) != GOS_OK) {
        return false;
    }
    const size_t n = (size_t)p.ncomp;
    double *x = calloc(rows * n + 1, sizeof *x);
    for (size_t k = 0; x != NULL && k < rows * n; k++) {
        x[k % n * rows + k / n] = value[k];
    }
    const bool good = x != NULL && put(mat, make_numbers(p.name, rows, n, x));
    free(x);
    return good;
}

int write_mat_probes(gos_results *run, const char *path) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const size_t rows = (size_t)info.nrows;
    mat_t *mat = create(path);
    bool good = mat != NULL;
    // a probe may be called `time` too; the last variable of a name would hide the others
    good = good && (gos_results_probe_find(run, "time") >= 0 ||
                    put(mat, make_numbers("time", rows, 1, gos_results_time(run))));
    for (int i = 0; i < info.nprobes && good; i++) {
        good = put_probe(mat, run, i, rows);
    }
    return finish(mat, path, good);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* a matrix by columns, copied out of a variable */
typedef struct matrix {
    int *start, *row;
    double *value;
    gos_matrix_view view;
} matrix;

enum { PORT_TEXT = 256 };
typedef struct ports {
    gos_port *list;
    char (*text)[PORT_TEXT]; // names, then units
    int n;
} ports;

typedef struct mat_reader {
    gos_ctx *ctx;
    const char *path;
    mat_t *mat;
    matrix m[GOS_NBLOCKS + 2]; // and `sizes`, `rigid`
    int n;
    ports in, out;
} mat_reader;

static int bad(const mat_reader *r, const char *name, const char *what) {
    return complain("%s: variable %s %s", r->path, name, what);
}

static bool make_room(matrix *m, size_t columns, size_t entries) {
    m->start = calloc(columns + 1, sizeof *m->start);
    m->row = calloc(entries + 1, sizeof *m->row);
    m->value = calloc(entries + 1, sizeof *m->value);
    return m->start != NULL && m->row != NULL && m->value != NULL;
}

static bool take_dense(const matvar_t *v, matrix *m) {
    const size_t rows = v->dims[0], columns = v->dims[1];
    const double *x = v->data;
    size_t n = 0;
    for (size_t k = 0; k < rows * columns; k++) {
        n += x[k] != 0;
    }
    if (n > INT_MAX || !make_room(m, columns, n)) {
        return false;
    }
    int count = 0;
    for (size_t k = 0; k < rows * columns; k++) {
        if (x[k] != 0) {
            m->row[count] = (int)(k % rows);
            m->value[count++] = x[k];
        }
        m->start[k / rows + 1] = count;
    }
    return true;
}

static bool take_sparse(const matvar_t *v, matrix *m) {
    const mat_sparse_t *s = v->data;
    const size_t columns = v->dims[1];
    const mat_uint32_t n = s->njc == columns + 1 ? s->jc[columns] : UINT32_MAX;
    if (n > INT_MAX || n > s->nir || n > s->ndata || !make_room(m, columns, n)) {
        return false;
    }
    // order and range are checked where the model is made
    for (size_t j = 0; j <= columns; j++) {
        m->start[j] = s->jc[j] <= n ? (int)s->jc[j] : -1;
    }
    for (size_t k = 0; k < n; k++) {
        m->row[k] = s->ir[k] <= INT_MAX ? (int)s->ir[k] : -1;
        m->value[k] = ((const double *)s->data)[k];
    }
    return true;
}

static bool is_matrix(const matvar_t *v) {
    return (v->class_type == MAT_C_DOUBLE || v->class_type == MAT_C_SPARSE) && v->rank == 2 &&
           v->data_type == MAT_T_DOUBLE && v->isComplex == 0 && v->dims[0] <= INT_MAX &&
           v->dims[1] < INT_MAX;
}

/* a matrix variable; *to stays NULL when it is not there or empty */
static int get(mat_reader *r, const char *name, const gos_matrix_view **to) {
    matvar_t *v = Mat_VarRead(r->mat, name);
    int code = EXIT_DONE;
    if (v != NULL && !is_matrix(v)) {
        code = bad(r, name, "is no real matrix of double precision");
    } else if (v != NULL && v->data != NULL && v->dims[0] > 0 && v->dims[1] > 0) {
        matrix *m = &r->m[r->n++];
        if (!(v->class_type == MAT_C_SPARSE ? take_sparse : take_dense)(v, m)) {
            code = bad(r, name, "is damaged, or too large");
        } else {
            const int columns = (int)v->dims[1];
            m->view = (gos_matrix_view){.rows = (int)v->dims[0],
                                        .columns = columns,
                                        .entries = m->start[columns],
                                        .start = m->start,
                                        .row = m->row,
                                        .value = m->value};
            *to = &m->view;
        }
    }
    Mat_VarFree(v);
    return code;
}

/* text of a variable; what is not plain text becomes '_', so that names fit into tables */
static void text_of(const matvar_t *v, char text[PORT_TEXT]) {
    text[0] = '\0';
    if (v == NULL || v->class_type != MAT_C_CHAR || v->data == NULL || v->data_size < 1 ||
        v->data_size > 2) {
        return;
    }
    const size_t width = (size_t)v->data_size;
    size_t n = v->nbytes / width;
    n = n < PORT_TEXT - 1 ? n : PORT_TEXT - 1;
    for (size_t i = 0; i < n; i++) {
        const unsigned c =
            width == 1 ? ((const uint8_t *)v->data)[i] : ((const uint16_t *)v->data)[i];
        text[i] = c > ' ' && c < 127 && c != ',' && c != '"' ? (char)c : '_';
    }
    text[n] = '\0';
}

static void get_texts(const mat_reader *r, const char *name, char (*text)[PORT_TEXT], int n) {
    matvar_t *v = Mat_VarRead(r->mat, name);
    if (v != NULL && v->class_type == MAT_C_CELL && v->data != NULL) {
        const size_t have = v->nbytes / sizeof(matvar_t *);
        for (int i = 0; i < n && (size_t)i < have; i++) {
            text_of(((matvar_t **)v->data)[i], text[i]);
        }
    }
    Mat_VarFree(v);
}

static bool get_ports(const mat_reader *r, const char *names, const char *units, int n, ports *p) {
    p->list = calloc((size_t)n + 1, sizeof *p->list);
    p->text = calloc(2 * (size_t)n + 1, sizeof *p->text);
    if (p->list == NULL || p->text == NULL) {
        return false;
    }
    get_texts(r, names, p->text, n);
    get_texts(r, units, p->text + n, n);
    for (int i = 0; i < n; i++) {
        p->list[i] = (gos_port){p->text[i], p->text[n + i]};
    }
    return true;
}

static int get_blocks(mat_reader *r, gos_linear_blocks *blocks) {
    char listed[GOS_NBLOCKS][PORT_TEXT] = {{0}};
    get_texts(r, "blocks", listed, GOS_NBLOCKS);
    int code =
        listed[0][0] != '\0' ? EXIT_DONE : bad(r, "blocks", "is missing; the file is not complete");
    for (int b = 0; b < GOS_NBLOCKS && code == EXIT_DONE; b++) {
        code = get(r, block_names[b], &blocks->block[b]);
        for (int i = 0; i < GOS_NBLOCKS && code == EXIT_DONE; i++) {
            if (strcmp(listed[i], block_names[b]) == 0 && blocks->block[b] == NULL) {
                code = bad(r, block_names[b], "is missing; the file is not complete");
            }
        }
    }
    return code;
}

static int read_own(mat_reader *r, gos_linear **linear) {
    gos_linear_blocks blocks = {0};
    const gos_matrix_view *sizes = NULL;
    int *const to[] = {&blocks.coordinates,
                       &blocks.temperatures,
                       &blocks.potentials,
                       &blocks.constraints,
                       &blocks.temperature_constraints,
                       &blocks.inputs,
                       &blocks.outputs};
    int code = get(r, "sizes", &sizes);
    if (code != EXIT_DONE || sizes == NULL || sizes->rows != 1 || sizes->columns != 7) {
        return code != EXIT_DONE ? code : bad(r, "sizes", "is no row of 7 numbers");
    }
    for (int j = 0; j < 7; j++) {
        const double x = sizes->start[j + 1] > sizes->start[j] ? sizes->value[sizes->start[j]] : 0;
        if (!(x >= 0 && x < 1e9)) {
            return bad(r, "sizes", "is out of range");
        }
        *to[j] = (int)x;
    }
    code = get_blocks(r, &blocks);
    code = code == EXIT_DONE ? get(r, "rigid", &blocks.rigid) : code;
    if (code != EXIT_DONE) {
        return code;
    }
    if (!get_ports(r, "inputs", "input_units", blocks.inputs, &r->in) ||
        !get_ports(r, "outputs", "output_units", blocks.outputs, &r->out)) {
        return EXIT_FAILED;
    }
    blocks.input = r->in.list;
    blocks.output = r->out.list;
    return exit_code(gos_linear_from_blocks(r->ctx, &blocks, linear), true);
}

static int read_foreign(mat_reader *r, gos_linear **linear) {
    gos_matrices m = {0};
    const gos_matrix_view *D = NULL;
    const struct {
        const char *name;
        const gos_matrix_view **to;
    } list[] = {{"M", &m.M}, {"D", &D},   {"K", &m.K}, {"G", &m.G},     {"E", &m.E},
                {"A", &m.A}, {"B", &m.B}, {"C", &m.C}, {"C_v", &m.C_v}, {"F", &m.F}};
    int code = EXIT_DONE;
    for (size_t i = 0; i < sizeof list / sizeof list[0] && code == EXIT_DONE; i++) {
        code = get(r, list[i].name, list[i].to);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    // beside A it is the direct part
    *(m.A != NULL ? &m.F : &m.D) = D;
    const gos_matrix_view *Y = m.C != NULL ? m.C : m.C_v;
    if (!get_ports(r, "inputs", "input_units", m.B != NULL ? m.B->columns : 0, &r->in) ||
        !get_ports(r, "outputs", "output_units", Y != NULL ? Y->rows : 0, &r->out)) {
        return EXIT_FAILED;
    }
    m.inputs = r->in.list;
    m.outputs = r->out.list;
    return exit_code(gos_linear_from_matrices(r->ctx, &m, linear), true);
}

static bool is_own(const mat_reader *r) {
    char text[PORT_TEXT];
    matvar_t *v = Mat_VarRead(r->mat, "format");
    text_of(v, text);
    Mat_VarFree(v);
    return strcmp(text, FORMAT) == 0;
}

int read_mat(gos_ctx *ctx, const char *path, gos_linear **linear) {
    mat_reader r = {.ctx = ctx, .path = path, .mat = Mat_Open(path, MAT_ACC_RDONLY)};
    if (r.mat == NULL || Mat_GetVersion(r.mat) != MAT_FT_MAT5) {
        if (r.mat != NULL) {
            (void)Mat_Close(r.mat);
        }
        return complain("%s: cannot be read as a MAT-file of version 5", path);
    }
    const int code = (is_own(&r) ? read_own : read_foreign)(&r, linear);
    (void)Mat_Close(r.mat);
    for (int i = 0; i < r.n; i++) {
        free(r.m[i].start);
        free(r.m[i].row);
        free(r.m[i].value);
    }
    free(r.in.list);
    free(r.in.text);
    free(r.out.list);
    free(r.out.text);
    return code;
}
