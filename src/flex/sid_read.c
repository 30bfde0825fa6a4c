/* Parser of standard input data: NAME, NAME = VALUE or end NAME; any bytes. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "flex/sid.h"

typedef struct reader {
    gos_ctx *ctx;
    const char *file;
    const char *at, *end; // remaining text
    int line;
    const char *name, *value; // of this line, trimmed
    size_t nname, nvalue;
    gos_sid *s;
} reader;

static gos_status fail(const reader *r, const char *what) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){.file = r->file, .line = r->line, .col = 1},
                        NULL, "%s", what);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char **text, size_t *n) {
    while (*n > 0 && is_blank(**text)) {
        (*text)++;
        (*n)--;
    }
    while (*n > 0 && is_blank((*text)[*n - 1])) {
        (*n)--;
    }
}

static bool next(reader *r) {
    while (r->at < r->end) {
        const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        const char *to = stop ? stop : r->end;
        const char *equals = memchr(r->at, '=', (size_t)(to - r->at));
        r->line++;
        r->name = r->at;
        r->nname = (size_t)((equals ? equals : to) - r->at);
        r->value = equals ? equals + 1 : to;
        r->nvalue = strnlen(r->value, (size_t)(to - r->value)); // stops at a NUL
        r->at = stop ? stop + 1 : r->end;
        trim(&r->name, &r->nname);
        trim(&r->value, &r->nvalue);
        if (r->nname > 0) {
            return true;
        }
    }
    r->line++;
    return false;
}

static bool matches(const reader *r, const char *words) {
    const char *p = r->name, *const end = p + r->nname;
    for (; *words; words++) {
        if (*words == ' ') {
            if (p == end || !is_blank(*p)) {
                return false;
            }
            while (p < end && is_blank(*p)) {
                p++;
            }
        } else if (p == end || *p++ != *words) {
            return false;
        }
    }
    return p == end;
}

static gos_status need(reader *r, const char *words) {
    return next(r) && matches(r, words)
               ? GOS_OK
               : gos__fail_at(r->ctx, GOS_E_INPUT,
                              (gos_loc){.file = r->file, .line = r->line, .col = 1}, NULL,
                              "expected '%s' here (docs/sid.md)", words);
}

/* ---- values ---------------------------------------------------------------------------------- */

static gos_status read_count(const reader *r, int min, int max, int *n) {
    double x;
    if (!gos__number_parse(r->value, r->nvalue, &x) || x != floor(x) || !(x >= min)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT,
                            (gos_loc){.file = r->file, .line = r->line, .col = 1}, NULL,
                            "'%.40s' needs a whole number >= %d", r->name, min);
    }
    if (x > max) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT,
                            (gos_loc){.file = r->file, .line = r->line, .col = 1}, NULL,
                            "at most %d are supported; use fewer modes", max);
    }
    *n = (int)x;
    return GOS_OK;
}

/* exponents may be D or E */
static gos_status read_number(const reader *r, double *x) {
    char text[64];
    if (r->nvalue == 0 || r->nvalue >= sizeof text) {
        return fail(r, "expected a number after '='");
    }
    for (size_t i = 0; i < r->nvalue; i++) {
        text[i] = r->value[i] == 'D' || r->value[i] == 'd' ? 'e' : r->value[i];
    }
    text[r->nvalue] = '\0';
    if (!gos__number_parse(text, r->nvalue, x)) {
        return fail(r, "expected a number after '='");
    }
    return fabs(*x) <= GOS_LIMIT_NUMBER ? GOS_OK : fail(r, "the number is too large; use SI units");
}

/* Parses "m1( 3, 1, 2)": indices from 1 to their limits; returned from 0. */
static bool read_indices(const reader *r, const char *head, int count, const int *limit, int *at) {
    const char *p = r->name, *const end = p + r->nname;
    for (; *head; head++) {
        if (p == end || *p++ != *head) {
            return false;
        }
    }
    for (int k = 0; k < count; k++) {
        long n = 0;
        while (p < end && is_blank(*p)) {
            p++;
        }
        if (p == end || *p++ != (k ? ',' : '(')) {
            return false;
        }
        while (p < end && is_blank(*p)) {
            p++;
        }
        for (; p < end && *p >= '0' && *p <= '9' && n <= INT_MAX; p++) {
            n = 10 * n + (*p - '0');
        }
        if (n < 1 || n > limit[k]) {
            return false;
        }
        at[k] = (int)n - 1;
    }
    while (p < end && is_blank(*p)) {
        p++;
    }
    return p < end && *p == ')' && p + 1 == end;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static gos_status read_head(reader *r, gos_sid_block *b) {
    int structure;
    const struct {
        const char *name;
        int min, max, *to;
    } head[] = {{"order", 0, 1000, &b->order},
                {"nrow", 1, 3 * GOS_LIMIT_SID_MODES, &b->nrow},
                {"ncol", 1, 3 * GOS_LIMIT_SID_MODES, &b->ncol},
                {"nq", 0, GOS_LIMIT_SID_MODES, &b->nq},
                {"nqn", 0, 1000, &b->nqn},
                {"structure", 0, 1000, &structure}};
    for (int k = 0; k < GOS_COUNT(head); k++) {
        GOS_TRY(need(r, head[k].name));
        GOS_TRY(read_count(r, head[k].min, head[k].max, head[k].to));
        if ((k == 0 && b->order > 1) || (k == 4 && b->nqn > 0)) {
            return fail(
                r, "orders above 1 are not supported; write the file with order 0 or 1 and nqn 0");
        }
    }
    if (structure > GOS_SID_UNIT) {
        return fail(
            r, "structure must be 0 (zero), 1 (diagonal), 2 (symmetric), 3 (full) or 4 (unit)");
    }
    b->structure = (gos_sid_structure)structure;
    return GOS_OK;
}

static gos_status check_shape(const reader *r, const gos_sid_block *b, int which, int line) {
    int rows, columns;
    gos__sid_shape(r->s, which, &rows, &columns);
    const bool square = b->nrow == b->ncol, matrix = which == GOS_SID_J && square && b->nrow == 3;
    if (!matrix && (b->nrow != rows || b->ncol != columns)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, line, 1}, NULL,
                            "%s is %d x %d; with %d amplitudes it must be %d x %d",
                            gos__sid_name(which), b->nrow, b->ncol, r->s->n, rows, columns);
    }
    if (b->nq != r->s->n && (b->nq != 0 || b->order > 0)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, line, 1}, NULL,
                            "nq of %s is %d but must be nelastq, %d", gos__sid_name(which), b->nq,
                            r->s->n);
    }
    if (!square && (b->structure == GOS_SID_DIAGONAL || b->structure == GOS_SID_SYMMETRIC ||
                    b->structure == GOS_SID_UNIT)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, line, 1}, NULL,
                            "%s is not square, but its structure requires it; use 3",
                            gos__sid_name(which));
    }
    return GOS_OK;
}

/* Rejects entries outside the structure, which would be ignored. */
static bool fits(const gos_sid_block *b, int i, int q, int j) {
    return q >= 0 || b->structure == GOS_SID_FULL || b->structure == GOS_SID_SYMMETRIC ||
           (b->structure == GOS_SID_DIAGONAL && i == j);
}

static gos_status read_entry(reader *r, gos_sid_block *b) {
    const int two[2] = {b->nrow, b->ncol}, three[3] = {b->nrow, b->nq, b->ncol};
    int at[3];
    double x;
    const bool first = r->nname > 1 && r->name[1] == '1';
    if (!(first ? b->order > 0 && read_indices(r, "m1", 3, three, at)
                : read_indices(r, "m0", 2, two, at))) {
        return fail(r, "expected m0(row, column), m1(row, amplitude, column) within nrow, nq, ncol "
                       "and the order, or `end` and the name of the matrix");
    }
    const int q = first ? at[1] : -1, j = first ? at[2] : at[1];
    if (!fits(b, at[0], q, j)) {
        return fail(r, "this entry is not part of the structure of the matrix; use structure 3");
    }
    GOS_TRY(read_number(r, &x));
    return gos__sid_add(r->ctx, b, at[0], q, j, x);
}

/* Orders by position, then file order. */
static int order_of(const void *a, const void *b) {
    const gos_sid_entry *x = *(const gos_sid_entry *const *)a,
                        *y = *(const gos_sid_entry *const *)b;
    return x->q != y->q   ? (x->q > y->q) - (x->q < y->q)
           : x->i != y->i ? (x->i > y->i) - (x->i < y->i)
                          : (x->j > y->j) - (x->j < y->j);
}

static gos_status check_twice(const reader *r, const gos_sid_block *b, int which, int line) {
    const gos_sid_entry **sorted =
        (const gos_sid_entry **)gos__alloc(r->ctx, (size_t)b->n + 1, sizeof *sorted);
    const gos_sid_entry *twice = NULL;
    GOS_TRY(sorted ? GOS_OK : GOS_E_MEMORY);
    for (int e = 0; e < b->n; e++) {
        sorted[e] = &b->entry[e];
    }
    qsort((void *)sorted, (size_t)b->n, sizeof *sorted, order_of);
    for (int e = 1; e < b->n && !twice; e++) {
        twice = order_of(&sorted[e - 1], &sorted[e]) == 0 ? sorted[e] : NULL;
    }
    gos__free(r->ctx, (void *)sorted);
    return twice ? gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, line, 1}, NULL,
                                "entry %s%d, %d of %s is given twice; keep one",
                                twice->q < 0 ? "" : "m1 of ", twice->i + 1, twice->j + 1,
                                gos__sid_name(which))
                 : GOS_OK;
}

static gos_status read_block(reader *r, int which, gos_sid_block *b) {
    char end[40];
    const int line = r->line;
    if (b->line > 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, line, 1}, NULL,
                            "%s is given twice, first at line %d; keep one", gos__sid_name(which),
                            b->line);
    }
    b->line = line;
    GOS_TRY(read_head(r, b));
    GOS_TRY(check_shape(r, b, which, line));
    (void)gos__format(end, sizeof end, "end %s", gos__sid_name(which));
    while (next(r)) {
        if (matches(r, end)) {
            return check_twice(r, b, which, line);
        }
        GOS_TRY(read_entry(r, b));
    }
    return fail(r, "the file ends within a matrix; write it again");
}

/* Finds the block of the line's name; -1: none. */
static int block_of(const reader *r, int from, int to) {
    for (int b = from; b < to; b++) {
        if (matches(r, gos__sid_name(b))) {
            return b;
        }
    }
    return -1;
}

/* ---- parts of the file ----------------------------------------------------------------------- */

static gos_status read_refmod(reader *r, const char *remark, size_t nremark) {
    double mass;
    int n;
    GOS_TRY(need(r, "refmod"));
    GOS_TRY(need(r, "mass"));
    GOS_TRY(read_number(r, &mass));
    if (!(mass > 0)) {
        return fail(r, "the mass must be positive");
    }
    GOS_TRY(need(r, "nelastq"));
    GOS_TRY(read_count(r, 1, GOS_LIMIT_SID_MODES, &n));
    GOS_TRY(gos__sid_create(r->ctx, n, &r->s));
    r->s->file = r->file;
    r->s->mass = mass;
    GOS_TRY(gos__sid_remark(r->s, remark, nremark));
    while (next(r)) {
        int at;
        if (matches(r, "end refmod")) {
            return GOS_OK;
        }
        const size_t head = strlen("ielastq");
        reader rest = *r;
        if (r->nname > head && memcmp(r->name, "ielastq", head) == 0) {
            rest.name += head;
            rest.nname -= head;
        }
        if (!read_indices(&rest, "", 1, &n, &at)) {
            return fail(r, "expected ielastq(number) = name, or `end refmod`");
        }
        GOS_TRY(gos__sid_mode(r->s, at, r->value, r->nvalue));
    }
    return fail(r, "the file ends within refmod; write it again");
}

static gos_status read_node(reader *r) {
    int number;
    gos_sid_node *node;
    GOS_TRY(read_count(r, 0, INT_MAX - 1, &number));
    if (r->s->nnode >= GOS_LIMIT_SID_NODES) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, (gos_loc){r->file, r->line, 1}, NULL,
                            "at most %d nodes are supported; use fewer", GOS_LIMIT_SID_NODES);
    }
    GOS_TRY(gos__sid_add_node(r->s, number, &node));
    node->line = r->line;
    while (next(r)) {
        const int b = block_of(r, GOS_SID_NBLOCK + 1, GOS_SID_END);
        if (matches(r, "end node")) {
            return node->block[GOS_SID_OF_NODE(GOS_SID_ORIGIN)].line > 0
                       ? GOS_OK
                       : fail(r, "the node has no origin; give it one");
        }
        if (b < 0 && !matches(r, "rframe")) {
            return fail(r, "expected rframe, origin, phi, psi, AP, sigma or `end node`");
        }
        GOS_TRY(b >= 0 ? read_block(r, b, &node->block[GOS_SID_OF_NODE(b)]) : GOS_OK);
    }
    return fail(r, "the file ends within a node; write it again");
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static gos_status check_numbers(const reader *r) {
    const gos_sid *s = r->s;
    int *number = gos__alloc(r->ctx, (size_t)s->nnode + 1, sizeof *number), twice = -1;
    GOS_TRY(number ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nnode; i++) {
        number[i] = s->node[i].number;
    }
    qsort(number, (size_t)s->nnode, sizeof *number, by_number);
    for (int i = 1; i < s->nnode && twice < 0; i++) {
        twice = number[i] == number[i - 1] ? number[i] : -1;
    }
    gos__free(r->ctx, number);
    return twice < 0 ? GOS_OK
                     : gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, r->line, 1}, NULL,
                                    "two nodes have the number %d; give each its own", twice);
}

static gos_status read_frame(reader *r) {
    while (next(r)) {
        if (matches(r, "end frame")) {
            return check_numbers(r);
        }
        if (!matches(r, "new node")) {
            return fail(r, "expected `new node` or `end frame`");
        }
        GOS_TRY(read_node(r));
    }
    return fail(r, "the file ends within frame; write it again");
}

static gos_status read_modal(reader *r) {
    bool framed = false;
    while (next(r)) {
        const int b = block_of(r, 0, GOS_SID_NBLOCK);
        if (matches(r, "end modal")) {
            return GOS_OK;
        }
        if (matches(r, "frame") && !framed) {
            framed = true;
            GOS_TRY(read_frame(r));
        } else if (b >= 0) {
            GOS_TRY(read_block(r, b, &r->s->block[b]));
        } else {
            return fail(r, "expected frame (once), mdCM, J, Ct, Cr, Me, Gr, Ge, Oe, ksigma, Ke, De "
                           "or `end modal`");
        }
    }
    return fail(r, "the file ends before `end modal`; write it again");
}

/* Finds the remark after two numbers; skips other remarks before `part`. */
static gos_status find_part(reader *r, const char **remark, size_t *n) {
    const char *p = r->at;
    const char *stop = memchr(p, '\n', (size_t)(r->end - p));
    const char *to = stop ? stop : r->end;
    int numbers = 0;
    for (; numbers < 2; numbers++) {
        const char *from;
        while (p < to && is_blank(*p)) {
            p++;
        }
        for (from = p; p < to && *p >= '0' && *p <= '9'; p++) {
        }
        if (p == from) {
            break;
        }
    }
    *remark = p;
    *n = numbers == 2 ? strnlen(p, (size_t)(to - p)) : 0;
    trim(remark, n);
    while (next(r)) {
        if (matches(r, "part")) {
            return need(r, "new modal");
        }
    }
    return fail(
        r, "there is no line `part`: this is not a file of standard input data; use another file");
}

static gos_status read_all(reader *r) {
    const char *remark;
    size_t n;
    GOS_TRY(find_part(r, &remark, &n));
    GOS_TRY(read_refmod(r, remark, n));
    GOS_TRY(read_modal(r));
    GOS_TRY(need(r, "end part"));
    return next(r) ? fail(r, "text after `end part`; remove it") : GOS_OK;
}

gos_status gos__sid_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                          gos_sid **sid) {
    reader r = {.ctx = ctx, .file = gos__intern(ctx, file), .at = text, .end = text + n};
    GOS_TRY(r.file ? GOS_OK : GOS_E_MEMORY);
    const gos_status status = read_all(&r);
    if (status != GOS_OK) {
        gos__sid_destroy(r.s);
        return status;
    }
    *sid = r.s;
    return GOS_OK;
}

gos_status gos__sid_read(gos_ctx *ctx, const char *path, gos_loc loc, const char *object,
                         gos_sid **sid) {
    char *text = NULL;
    size_t n = 0;
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_SID_BYTES, loc, object, &text, &n));
    const gos_status status = gos__sid_parse(ctx, text, n, path, sid);
    gos__free(ctx, text);
    return status;
}
