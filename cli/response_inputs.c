/* Reads time histories of inputs of a linear model from a CSV file: a header "time,INPUT,...", then
   rows of numbers. Empty lines and comments (#) are ignored. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "response.h"

#define MAX_MAGNITUDE 1e60 // largest magnitude, as in models: computed values stay finite

typedef struct reader {
    input_table *table;
    const gos_linear *linear;
    int line;
    char *begin;    // start of the line
    double *number; // (1 + columns) values of a row
} reader;

static int no_memory(void) {
    (void)complain("out of memory");
    return EXIT_FAILED;
}

/* Remove the quotes of a cell in place. @return its end */
static char *unquote(char *cell) {
    char *to = cell, *from = cell + 1;
    while (*from != '\0' && (*from != '"' || from[1] == '"')) {
        from += *from == '"';
        *to++ = *from++;
    }
    from += *from == '"';
    char *end = to;
    while (to < from) {
        *to++ = ' ';
    }
    return end;
}

/* The next cell, without surrounding blanks and quotes, ended by a 0. *text moves behind it, NULL
 * after the last cell. */
static char *next_cell(char **text) {
    char *cell = *text + strspn(*text, " \t");
    if (*cell == '"') {
        char *end = unquote(cell), *rest = end + strcspn(end, ",");
        *text = *rest == ',' ? rest + 1 : NULL;
        *end = '\0';
        return cell;
    }
    char *comma = strchr(cell, ',');
    char *end = comma != NULL ? comma : cell + strlen(cell);
    *text = comma != NULL ? comma + 1 : NULL;
    while (end > cell && strchr(" \t", end[-1]) != NULL) {
        end--;
    }
    *end = '\0';
    return cell;
}

#define AT(r, cell) (r)->table->path, (r)->line, (int)((cell) - (r)->begin) + 1

static int unknown_input(const reader *r, const char *cell) {
    gos_linear_info info;
    gos_linear_info_get(r->linear, &info);
    const char **names = calloc(info.inputs + 1L, sizeof *names);
    for (int i = 0; names != NULL && i < info.inputs; i++) {
        names[i] = gos_linear_input(r->linear, i).name;
    }
    const char *hint = names != NULL ? suggest(cell, names, info.inputs) : NULL;
    if (hint == NULL && names != NULL && info.inputs > 0) {
        (void)complain("%s:%d:%d: the model has no input '%s'; the first input is '%s'",
                       AT(r, cell), cell, names[0]);
    } else if (hint == NULL) {
        (void)complain("%s:%d:%d: the model has no input '%s'", AT(r, cell), cell);
    } else {
        (void)complain("%s:%d:%d: the model has no input '%s'; did you mean '%s'?", AT(r, cell),
                       cell, hint);
    }
    free(names);
    return EXIT_USE;
}

/* Compare a cell with a name; an apostrophe against formula evaluation may precede it. */
static bool is_name(const char *cell, const char *name) {
    return strcmp(cell, name) == 0 || (*cell == '\'' && strcmp(cell + 1, name) == 0);
}

static int add_column(const reader *r, const char *cell) {
    input_table *t = r->table;
    gos_linear_info info;
    gos_linear_info_get(r->linear, &info);
    int i = 0;
    while (i < info.inputs && !is_name(cell, gos_linear_input(r->linear, i).name)) {
        i++;
    }
    if (i == info.inputs) {
        return unknown_input(r, cell);
    }
    for (int k = 0; k < t->columns; k++) {
        if (t->input[k] == i) {
            return complain("%s:%d:%d: there are two columns '%s'; remove one", AT(r, cell), cell);
        }
    }
    t->input[t->columns++] = i;
    return EXIT_DONE;
}

static int read_header(reader *r, char *text) {
    gos_linear_info info;
    gos_linear_info_get(r->linear, &info);
    const char *cell = next_cell(&text);
    if (strcmp(cell, "time") != 0) {
        return complain("%s:%d:%d: the header must be time,INPUT,..., it begins with '%.40s'",
                        AT(r, cell), cell);
    }
    if (text == NULL) {
        return complain("%s:%d: there is no input after 'time'", r->table->path, r->line);
    }
    r->table->input = calloc(info.inputs + 1L, sizeof *r->table->input);
    r->number = calloc(info.inputs + 1L, sizeof *r->number);
    if (r->table->input == NULL || r->number == NULL) {
        return no_memory();
    }
    int code = EXIT_DONE;
    while (text != NULL && code == EXIT_DONE) {
        cell = next_cell(&text);
        code = add_column(r, cell);
    }
    return code;
}

static int add_row(const reader *r) {
    input_table *t = r->table;
    const size_t columns = t->columns;
    if (t->n == t->rows_room) {
        const int room = 2 * t->rows_room + 64;
        double *time = realloc(t->time, room * sizeof *time);
        t->time = time != NULL ? time : t->time;
        double *value = realloc(t->value, room * columns * sizeof *value);
        t->value = value != NULL ? value : t->value;
        if (time == NULL || value == NULL) {
            return no_memory();
        }
        t->rows_room = room;
    }
    t->time[t->n] = r->number[0];
    memcpy(t->value + t->n * columns, r->number + 1, columns * sizeof *t->value);
    t->n++;
    return EXIT_DONE;
}

static int read_row(const reader *r, char *text) {
    const input_table *t = r->table;
    int count = 0;
    for (; text != NULL; count++) {
        const char *cell = next_cell(&text);
        double value;
        if (!parse_number(cell, &value)) {
            return complain("%s:%d:%d: '%.40s' is not a finite number", AT(r, cell), cell);
        }
        if (!(fabs(value) <= MAX_MAGNITUDE)) {
            return complain("%s:%d:%d: %g is too large; give at most %g", AT(r, cell), value,
                            MAX_MAGNITUDE);
        }
        if (count <= t->columns) {
            r->number[count] = value;
        }
    }
    if (count != t->columns + 1) {
        return complain("%s:%d: this line has %d columns, the header has %d", t->path, r->line,
                        count, t->columns + 1);
    }
    if (t->n > 0 && !(r->number[0] > t->time[t->n - 1])) {
        return complain("%s:%d: the time must increase from line to line, but %g follows %g; write "
                        "a jump as a steep line",
                        t->path, r->line, r->number[0], t->time[t->n - 1]);
    }
    if (t->n == 10000000) {
        return complain("%s:%d: there are more than 10000000 rows", t->path, r->line);
    }
    return add_row(r);
}

static int read_line(reader *r, char *text) {
    r->begin = text;
    text[strcspn(text, "#\r\n")] = '\0';
    if (text[strspn(text, " \t")] == '\0') {
        return EXIT_DONE;
    }
    return r->table->input == NULL ? read_header(r, text) : read_row(r, text);
}

int read_inputs(const char *path, const gos_linear *linear, input_table *table) {
    *table = (input_table){.path = path};
    reader r = {.table = table, .linear = linear};
    const char *why;
    FILE *f = gos_file_open(path, &why);
    if (f == NULL) {
        return complain("cannot open '%s' to read inputs: %s", path, why);
    }
    char *text = NULL;
    size_t room = 0;
    int code = EXIT_DONE;
    for (; code == EXIT_DONE && getline(&text, &room, f) >= 0;) {
        r.line++;
        code = read_line(&r, text);
    }
    if (code == EXIT_DONE && ferror(f)) {
        code = complain("cannot read '%s'", path);
    }
    if (code == EXIT_DONE && table->n < 2) {
        code = complain("%s: inputs need a header time,INPUT,... and at least two rows; it has %d",
                        path, table->n);
    }
    free(text);
    free(r.number);
    (void)fclose(f);
    return code;
}

void free_inputs(input_table *table) {
    free(table->time);
    free(table->value);
    free(table->input);
}

/* ---- sampling -------------------------------------------------------------------------------- */

void sample_inputs(const input_table *t, int inputs, double h, int n, double *u) {
    memset(u, 0, (size_t)n * inputs * sizeof *u);
    int row = 0; // last row at or before the time
    for (int k = 0; k < n; k++) {
        const double time = h * k;
        while (row + 1 < t->n && t->time[row + 1] <= time) {
            row++;
        }
        const long next = row + 1 < t->n ? row + 1 : row;
        const double part =
            next > row ? fmax(0, (time - t->time[row]) / (t->time[next] - t->time[row])) : 0;
        for (int c = 0; c < t->columns; c++) {
            const double *a = t->value + (size_t)row * t->columns + c;
            const double *b = t->value + next * t->columns + c;
            u[(size_t)k * inputs + t->input[c]] = (1 - part) * *a + part * *b;
        }
    }
}

double sampling_error(const input_table *t, int inputs, double h, int n, const double *u,
                      int *row) {
    double worst = 0;
    for (int c = 0; c < t->columns; c++) {
        double size = 0;
        for (long k = 0; k < t->n; k++) {
            size = fmax(size, fabs(t->value[k * t->columns + c]));
        }
        for (int k = 0; k < t->n && size > 0; k++) {
            const double at = t->time[k] / h;
            if (!(at >= 0 && at <= n - 1)) {
                continue;
            }
            const int i = at < n - 2 ? (int)at : n - 2;
            const double *a = u + (size_t)i * inputs + t->input[c];
            const double there = a[0] + (at - i) * (a[inputs] - a[0]);
            const double value = t->value[(size_t)k * t->columns + c];
            const double e = fabs(there - value) / size;
            *row = e > worst ? k : *row;
            worst = fmax(worst, e);
        }
    }
    return worst;
}
