/* Modes in datasets 55 of universal files (SDRC): between lines of -1 the number 55, five lines of
   text, three records of numbers, then for each node its number and values. Other datasets are
   skipped. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "correlation/shapes.h"

#define NORMAL_MODE 2
#define COMPLEX_FIRST 3 // complex eigenvalues of first order
#define COMPLEX_SECOND 7
#define VALUES 12 // of a node: six directions, complex

typedef struct value {
    int mode, node, direction; // 0 to 5: x, y, z, rx, ry, rz
    double re, im;
} value;

typedef struct reader {
    gos_ctx *ctx;
    const char *file, *at;
    int line;
    char text[200]; // current line
    value *value;
    int n, room;
    double *frequency, *damping;
    int modes, frequency_room, damping_room;
} reader;

static gos_status wrong(const reader *r, const char *what) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){.file = r->file, .line = r->line}, NULL,
                        "dataset 55: %s", what);
}

static bool next_line(reader *r) {
    if (*r->at == '\0') {
        return false;
    }
    const size_t n = strcspn(r->at, "\n");
    (void)gos__format(r->text, sizeof r->text, "%.*s", (int)(n < 199 ? n : 199), r->at);
    r->at += n + (r->at[n] == '\n');
    r->line++;
    return true;
}

/* Numbers of a line, also without blanks between them. @return their number */
static int read_numbers(const char *text, double *x, int most) {
    int n = 0;
    for (const char *at = text + strspn(text, " \t\r"); *at && n < most;) {
        const size_t sign = *at == '-' || *at == '+';
        const size_t length = gos__number_length(at + sign);
        if (length == 0 || !gos__number_parse(at, sign + length, &x[n]) || !isfinite(x[n])) {
            return -1;
        }
        n++;
        at += sign + length;
        at += strspn(at, " \t\r");
    }
    return n;
}

static bool is_delimiter(const char *text) {
    double x[2];
    return read_numbers(text, x, 2) == 1 && x[0] == -1;
}

bool gos__universal_is(const char *text) {
    reader r = {.at = text};
    return next_line(&r) && is_delimiter(r.text);
}

/* n numbers from as many lines as they take */
static gos_status read_record(reader *r, double *x, int n) {
    for (int got = 0; got < n;) {
        const int more = next_line(r) ? read_numbers(r->text, x + got, n - got) : 0;
        if (more <= 0) {
            return wrong(r, "expected numbers, or the file ends early");
        }
        got += more;
    }
    return GOS_OK;
}

/* Record of at least `least` numbers in one line, the rest 0. */
static gos_status read_line_of(reader *r, double *x, int least, int most) {
    memset(x, 0, (size_t)most * sizeof *x);
    return next_line(r) && read_numbers(r->text, x, most) >= least
               ? GOS_OK
               : wrong(r, "too few numbers in a record of the header");
}

static gos_status add_mode(reader *r, bool normal, const double *x) {
    double frequency = x[0], damping = x[2];
    if (!normal) { // eigenvalue
        const double magnitude = hypot(x[0], x[1]);
        frequency = magnitude / (2 * M_PI);
        damping = magnitude > 0 ? -x[0] / magnitude : 0;
    }
    if (!(frequency >= 0) || !isfinite(frequency)) {
        return wrong(r, "the frequency is negative or too large");
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&r->frequency, &r->frequency_room, r->modes + 1,
                      sizeof *r->frequency));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->damping, &r->damping_room, r->modes + 1,
                      sizeof *r->damping));
    r->frequency[r->modes] = frequency;
    r->damping[r->modes++] = damping;
    return GOS_OK;
}

static gos_status add_node(reader *r, double node, const double *x, int directions, int parts) {
    if (!(node >= 1) || node > 2e9 || node != floor(node)) {
        return wrong(r, "a node number is not a positive integer");
    }
    for (int i = 0; i < directions; i++) {
        GOS_TRY(gos__grow(r->ctx, (void **)&r->value, &r->room, r->n + 1, sizeof *r->value));
        r->value[r->n++] =
            (value){r->modes - 1, (int)node, i, x[parts * i], parts == 2 ? x[parts * i + 1] : 0};
    }
    return GOS_OK;
}

static gos_status read_nodes(reader *r, int directions, int parts) {
    double node, x[VALUES];
    while (next_line(r) && !is_delimiter(r->text)) {
        if (read_numbers(r->text, &node, 1) != 1) {
            return wrong(r, "expected a node number");
        }
        GOS_TRY(read_record(r, x, directions * parts));
        GOS_TRY(add_node(r, node, x, directions, parts));
    }
    return is_delimiter(r->text) ? GOS_OK : wrong(r, "not closed by a line -1");
}

static gos_status read_modes(reader *r) {
    double kind[6], count[8], x[6];
    for (int i = 0; i < 5; i++) { // identification
        if (!next_line(r)) {
            return wrong(r, "the file ends");
        }
    }
    GOS_TRY(read_line_of(r, kind, 6, 6));
    GOS_TRY(read_line_of(r, count, 2, 8));
    GOS_TRY(read_line_of(r, x, 1, 6));
    const int directions = kind[5] == 6 ? 6 : 3;
    const bool normal = kind[1] == NORMAL_MODE;
    if (!normal && kind[1] != COMPLEX_FIRST && kind[1] != COMPLEX_SECOND) {
        return wrong(r, "analysis type is not 2 (normal modes), 3 or 7 (complex modes); remove the "
                        "dataset");
    }
    if ((kind[2] != 2 && kind[2] != 3) || (kind[5] != 3 && kind[5] != 6)) {
        return wrong(r, "values must be translations (3 for each node), or translations and "
                        "rotations (6)");
    }
    if (kind[4] != 2 && kind[4] != 5) {
        return wrong(r, "values must be real (data type 2) or complex (5)");
    }
    GOS_TRY(add_mode(r, normal, x));
    return read_nodes(r, directions, kind[4] == 5 ? 2 : 1);
}

static gos_status skip(reader *r) {
    while (next_line(r)) {
        if (is_delimiter(r->text)) {
            return GOS_OK;
        }
    }
    return GOS_OK;
}

static gos_status read_datasets(reader *r) {
    double number;
    while (next_line(r)) {
        if (!is_delimiter(r->text) || !next_line(r)) {
            continue;
        }
        const bool modes = read_numbers(r->text, &number, 1) == 1 && number == 55;
        GOS_TRY(modes ? read_modes(r) : skip(r));
    }
    return r->modes > 0 ? GOS_OK : wrong(r, "none found; the file must contain mode shapes");
}

static int by_place(const void *a, const void *b) {
    const value *x = a, *y = b;
    return x->node != y->node             ? (x->node > y->node) - (x->node < y->node)
           : x->direction != y->direction ? x->direction - y->direction
                                          : x->mode - y->mode;
}

static bool is_new_sensor(const reader *r, int i) {
    return i == 0 || r->value[i].node != r->value[i - 1].node ||
           r->value[i].direction != r->value[i - 1].direction;
}

/* values are sorted by sensors */
static gos_status fill(const reader *r, gos_shapes *s) {
    static const char *const direction[] = {"x", "y", "z", "rx", "ry", "rz"};
    int sensors = 0;
    for (int i = 0; i < r->n; i++) {
        sensors += is_new_sensor(r, i);
    }
    if (sensors == 0) {
        return wrong(r, "no nodes");
    }
    GOS_TRY(gos__shapes_allocate(r->ctx, r->modes, sensors, s));
    s->by_node = true;
    memcpy(s->frequency, r->frequency, (size_t)r->modes * sizeof *s->frequency);
    memcpy(s->damping, r->damping, (size_t)r->modes * sizeof *s->damping);
    const char **names = (const char **)s->sensor;
    for (int i = 0, sensor = -1; i < r->n; i++) {
        const value *v = &r->value[i];
        if (is_new_sensor(r, i)) {
            names[++sensor] =
                gos__arena_printf(s->memory, "%d.%s", v->node, direction[v->direction]);
            GOS_TRY(names[sensor] ? GOS_OK : GOS_E_MEMORY);
        }
        double *to = s->shape + 2 * ((size_t)v->mode * sensors + sensor);
        to[0] = v->re;
        to[1] = v->im;
    }
    return GOS_OK;
}

gos_status gos__universal_read(gos_ctx *ctx, const char *file, const char *text, gos_shapes *s) {
    reader r = {.ctx = ctx, .file = file, .at = text};
    gos_status status = read_datasets(&r);
    if (status == GOS_OK && r.n > 0) {
        qsort(r.value, (size_t)r.n, sizeof *r.value, by_place);
    }
    status = status == GOS_OK ? fill(&r, s) : status;
    gos__free(ctx, r.value);
    gos__free(ctx, r.frequency);
    gos__free(ctx, r.damping);
    return status;
}
