/* Mode shapes at sensors: memory, tables of a test, and linear models. */
#include "correlation/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BYTES ((size_t)256 << 20)
#define COLUMNS 20000
#define IMAGINARY ".imag"

/* ---- memory ---------------------------------------------------------------------------------- */

gos_status gos__shapes_allocate(gos_ctx *ctx, int modes, int sensors, gos_shapes *s) {
    *s = (gos_shapes){.modes = modes, .sensors = sensors};
    if ((double)modes * sensors > GOS_SHAPES_LIMIT) {
        return gos__fail(ctx, GOS_E_LIMIT, "more than %d values in mode shapes", GOS_SHAPES_LIMIT);
    }
    gos_arena *a = gos__arena_create(ctx);
    if (!a) {
        return GOS_E_MEMORY;
    }
    s->memory = a;
    s->sensor = GOS_NEW(a, const char *, sensors + 1);
    s->frequency = GOS_NEW(a, double, modes + 1);
    s->damping = GOS_NEW(a, double, modes + 1);
    s->shape = GOS_NEW(a, double, 2 * (size_t)modes * sensors + 1);
    if (!s->sensor || !s->frequency || !s->damping || !s->shape) {
        gos_shapes_free(s);
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < modes; k++) {
        s->damping[k] = (double)NAN;
    }
    return GOS_OK;
}

void gos_shapes_free(gos_shapes *s) {
    gos__arena_destroy(s->memory);
    *s = (gos_shapes){0};
}

/* ---- tables of a test ------------------------------------------------------------------------ */

typedef struct table {
    gos_ctx *ctx;
    const char *file;
    char **name; // of the columns (columns)
    int columns, room;
    int frequency, damping; // columns, damping -1: none
    int *sensor, *part;     // of each column: -1: no sensor; 0 real, 1 imaginary
    double *value;          // row by row
    int n, value_room, rows;
    gos_arena *arena;
} table;

static gos_status wrong(const table *t, int line, const char *fmt, const char *word) {
    return gos__fail_at(t->ctx, GOS_E_INPUT, (gos_loc){.file = t->file, .line = line}, NULL, fmt,
                        word);
}

/* Next cell of a line without blanks and quotes around it; *at is moved behind its separator. */
static char *next_cell(char **at) {
    char *from = *at + strspn(*at, " \t"), *stop = from + strcspn(from, ",;");
    *at = *stop ? stop + 1 : NULL;
    *stop = '\0';
    for (char *end = stop; end > from && strchr(" \t\"", end[-1]); end--) {
        end[-1] = '\0';
    }
    return from + (*from == '"');
}

static gos_status read_header(table *t, char *text, int line) {
    for (char *at = text; at;) {
        const char *name = next_cell(&at);
        if (*name == '\0' || t->columns == COLUMNS) {
            return wrong(t, line,
                         "column without a name, or too many columns; begin with a line "
                         "such as frequency,damping,tip.x,tip.y%s",
                         "");
        }
        GOS_TRY(gos__grow(t->ctx, (void **)&t->name, &t->room, t->columns + 1, sizeof *t->name));
        t->name[t->columns] = gos__arena_strdup(t->arena, name);
        GOS_TRY(t->name[t->columns++] ? GOS_OK : GOS_E_MEMORY);
    }
    return GOS_OK;
}

static int find_column(const table *t, const char *name, int except) {
    for (int i = 0; i < t->columns; i++) {
        if (i != except && strcmp(t->name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static gos_status assign_imaginary(table *t, int column, int line) {
    char real[200];
    const size_t n = strlen(t->name[column]) - strlen(IMAGINARY);
    const bool fits = n < sizeof real;
    (void)gos__format(real, sizeof real, "%.*s", (int)n, t->name[column]);
    const int of = fits ? find_column(t, real, column) : -1;
    if (of < 0 || t->sensor[of] < 0) {
        return wrong(t, line, "column '%s' has no matching column of its real part",
                     t->name[column]);
    }
    t->sensor[column] = t->sensor[of];
    t->part[column] = 1;
    return GOS_OK;
}

static bool is_imaginary(const char *name) {
    const size_t n = strlen(name), tail = strlen(IMAGINARY);
    return n > tail && strcmp(name + n - tail, IMAGINARY) == 0;
}

/* Assigns columns to the frequency, the damping and sensors; *sensors: their number. */
static gos_status assign_columns(table *t, int line, int *sensors) {
    t->frequency = find_column(t, "frequency", -1);
    t->damping = find_column(t, "damping", -1);
    t->sensor = GOS_NEW(t->arena, int, t->columns + 1);
    t->part = GOS_NEW(t->arena, int, t->columns + 1);
    GOS_TRY(t->sensor && t->part ? GOS_OK : GOS_E_MEMORY);
    if (t->frequency < 0) {
        return wrong(t, line,
                     "no column 'frequency'%s; begin with a line such as "
                     "frequency,damping,tip.x,tip.y",
                     "");
    }
    *sensors = 0;
    for (int i = 0; i < t->columns; i++) {
        if (find_column(t, t->name[i], i) >= 0) {
            return wrong(t, line, "column '%s' is given twice", t->name[i]);
        }
        const bool other = i == t->frequency || i == t->damping || is_imaginary(t->name[i]);
        t->sensor[i] = other ? -1 : (*sensors)++;
    }
    for (int i = 0; i < t->columns; i++) {
        if (is_imaginary(t->name[i])) {
            GOS_TRY(assign_imaginary(t, i, line));
        }
    }
    return *sensors > 0 ? GOS_OK : wrong(t, line, "no sensor columns%s", "");
}

static gos_status read_row(table *t, char *text, int line) {
    int column = 0;
    for (char *at = text; at; column++) {
        const char *cell = next_cell(&at);
        double x;
        if (column == t->columns) {
            return wrong(t, line, "more values than column names%s", "");
        }
        if (!gos__number_parse(cell, strlen(cell), &x) || !isfinite(x)) {
            return wrong(t, line, "'%s' is not a finite number", cell);
        }
        if (column == t->frequency && !(x >= 0)) {
            return wrong(t, line, "frequency %s is negative", cell);
        }
        GOS_TRY(gos__grow(t->ctx, (void **)&t->value, &t->value_room, t->n + 1, sizeof *t->value));
        t->value[t->n++] = x;
    }
    t->rows++;
    return column == t->columns ? GOS_OK : wrong(t, line, "fewer values than column names%s", "");
}

static gos_status read_lines(table *t, char *text, int *sensors) {
    int line = 1;
    for (char *at = text; at; line++) {
        char *next = strchr(at, '\n');
        if (next) {
            *next++ = '\0';
        }
        at[strcspn(at, "\r")] = '\0';
        const char *first = at + strspn(at, " \t");
        if (*first != '\0' && *first != '#' && t->columns == 0) {
            GOS_TRY(read_header(t, at, line));
            GOS_TRY(assign_columns(t, line, sensors));
        } else if (*first != '\0' && *first != '#') {
            GOS_TRY(read_row(t, at, line));
        }
        at = next;
    }
    return t->rows > 0 ? GOS_OK : wrong(t, line, "no modes%s; give one row per mode", "");
}

static gos_status fill(const table *t, int sensors, gos_shapes *s) {
    GOS_TRY(gos__shapes_allocate(t->ctx, t->rows, sensors, s));
    const char **names = (const char **)s->sensor;
    for (int i = 0; i < t->columns; i++) {
        if (t->sensor[i] >= 0 && t->part[i] == 0) {
            names[t->sensor[i]] = gos__arena_strdup(s->memory, t->name[i]);
            GOS_TRY(names[t->sensor[i]] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    for (int k = 0; k < t->rows; k++) {
        const double *row = t->value + (size_t)k * t->columns;
        s->frequency[k] = row[t->frequency];
        s->damping[k] = t->damping >= 0 ? row[t->damping] : (double)NAN;
        for (int i = 0; i < t->columns; i++) {
            if (t->sensor[i] >= 0) {
                s->shape[2 * ((size_t)k * sensors + t->sensor[i]) + t->part[i]] = row[i];
            }
        }
    }
    return GOS_OK;
}

gos_status gos__shapes_table_read(gos_ctx *ctx, const char *file, char *text, gos_shapes *s) {
    table t = {.ctx = ctx, .file = file, .arena = gos__arena_create(ctx)};
    int sensors = 0;
    gos_status status = t.arena ? read_lines(&t, text, &sensors) : GOS_E_MEMORY;
    status = status == GOS_OK ? fill(&t, sensors, s) : status;
    gos__free(ctx, t.name);
    gos__free(ctx, t.value);
    gos__arena_destroy(t.arena);
    return status;
}

gos_status gos_shapes_read(gos_ctx *ctx, const char *path, gos_shapes *s) {
    char *text = NULL;
    size_t n = 0;
    *s = (gos_shapes){0};
    const char *file = gos__intern(ctx, path);
    GOS_TRY(file ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__file_read(ctx, path, BYTES, (gos_loc){0}, NULL, &text, &n));
    gos_status status = strlen(text) < n ? gos__fail_at(ctx, GOS_E_INPUT, (gos_loc){.file = file},
                                                        NULL, "binary; give a text file")
                        : gos__universal_is(text) ? gos__universal_read(ctx, file, text, s)
                                                  : gos__shapes_table_read(ctx, file, text, s);
    gos__free(ctx, text);
    if (status != GOS_OK) {
        gos_shapes_free(s);
    }
    return status;
}

/* ---- linear models --------------------------------------------------------------------------- */

static void mark_rows(const gos_linear *linear, gos_block block, bool *marked) {
    gos_matrix_view m;
    gos_linear_block(linear, block, &m);
    for (int k = 0; k < m.entries; k++) {
        marked[m.row[k]] = marked[m.row[k]] || m.value[k] != 0;
    }
}

/* Outputs that depend on displacements alone: their sensor number, else -1. @return their number */
static int find_sensors(const gos_linear *linear, int outputs, bool *marked, int *sensor) {
    static const gos_block others[] = {GOS_BLOCK_Y_v, GOS_BLOCK_Y_T, GOS_BLOCK_Y_phi,
                                       GOS_BLOCK_Y_u};
    int n = 0;
    mark_rows(linear, GOS_BLOCK_Y_q, marked);
    for (int i = 0; i < GOS_COUNT(others); i++) {
        mark_rows(linear, others[i], marked + (size_t)outputs);
    }
    for (int i = 0; i < outputs; i++) {
        sensor[i] = marked[i] && !marked[outputs + i] ? n++ : -1;
    }
    return n;
}

static gos_status take_shapes(gos_ctx *ctx, const gos_linear *linear, const int *sensor,
                              int sensors, const gos_mode *mode, const double *X, int found,
                              gos_shapes *s) {
    gos_linear_info info;
    gos_matrix_view Y;
    int n = 0;
    gos_linear_info_get(linear, &info);
    gos_linear_block(linear, GOS_BLOCK_Y_q, &Y);
    for (int k = 0; k < found; k++) {
        n += !mode[k].rigid && mode[k].omega > 0;
    }
    GOS_TRY(gos__shapes_allocate(ctx, n, sensors, s));
    const char **names = (const char **)s->sensor;
    for (int i = 0; i < info.outputs; i++) {
        if (sensor[i] >= 0) {
            names[sensor[i]] = gos__arena_strdup(s->memory, gos_linear_output(linear, i).name);
            GOS_TRY(names[sensor[i]] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    n = 0;
    for (int k = 0; k < found; k++) {
        if (mode[k].rigid || !(mode[k].omega > 0)) {
            continue;
        }
        double *to = s->shape + 2 * (size_t)n * sensors;
        s->frequency[n++] = mode[k].frequency;
        for (int j = 0; j < Y.columns; j++) {
            for (int p = Y.start[j]; p < Y.start[j + 1]; p++) {
                if (sensor[Y.row[p]] >= 0) {
                    to[2 * sensor[Y.row[p]]] += Y.value[p] * X[(size_t)k * info.coordinates + j];
                }
            }
        }
    }
    return GOS_OK;
}

gos_status gos_shapes_of_linear(gos_ctx *ctx, const gos_linear *linear, int n, gos_shapes *s) {
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    *s = (gos_shapes){0};
    int found = 0;
    const int most = n < 1 ? 0 : n < info.coordinates - 6 ? n + 6 : info.coordinates; // and rigid
    bool *marked = gos__zalloc(ctx, 2 * (size_t)info.outputs + 1, sizeof *marked);
    int *sensor = gos__zalloc(ctx, (size_t)info.outputs + 1, sizeof *sensor);
    gos_mode *mode = gos__zalloc(ctx, (size_t)most + 1, sizeof *mode);
    double *X = gos__zalloc(ctx, (size_t)most * info.coordinates + 1, sizeof *X);
    gos_status status = marked && sensor && mode && X ? GOS_OK : GOS_E_MEMORY;
    const int sensors = status == GOS_OK ? find_sensors(linear, info.outputs, marked, sensor) : 0;
    if (status == GOS_OK && (sensors == 0 || most == 0)) {
        status = gos__fail(ctx, most == 0 ? GOS_E_USE : GOS_E_INPUT,
                           most == 0 ? "no modes requested, or no coordinates"
                                     : "no output depends on displacements alone; add probes of "
                                       "position or displacement at the sensors");
    }
    status = status == GOS_OK ? gos_linear_shapes(ctx, linear, most, mode, X, &found) : status;
    status =
        status == GOS_OK ? take_shapes(ctx, linear, sensor, sensors, mode, X, found, s) : status;
    if (status == GOS_OK && s->modes > n) {
        s->modes = n;
    }
    gos__free(ctx, marked);
    gos__free(ctx, sensor);
    gos__free(ctx, mode);
    gos__free(ctx, X);
    if (status != GOS_OK) {
        gos_shapes_free(s);
    }
    return status;
}
