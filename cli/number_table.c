/* Reads tables of numbers from CSV files: an optional header, then rows. Empty lines and comments
   (#) are ignored. */
#include <stdlib.h>
#include <string.h>

#include "base_drive.h"

#define COLUMNS 64
#define ROWS 10000000

static int add_row(number_table *t, const double *row, int line) {
    if (t->n == t->room) {
        const int room = 2 * t->room + 64;
        double *value = realloc(t->value, (size_t)room * t->columns * sizeof *value);
        t->value = value != NULL ? value : t->value;
        int *lines = realloc(t->line, (size_t)room * sizeof *lines);
        t->line = lines != NULL ? lines : t->line;
        if (value == NULL || lines == NULL) {
            (void)complain("out of memory");
            return EXIT_FAILED;
        }
        t->room = room;
    }
    memcpy(t->value + (size_t)t->n * t->columns, row, (size_t)t->columns * sizeof *row);
    t->line[t->n++] = line;
    return EXIT_DONE;
}

/* Cut a line at commas in place. @return number of cells, -1: too many */
static int cut(char *text, char *cell[COLUMNS]) {
    int n = 0;
    for (char *at = text; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        at += strspn(at, " \t\"");
        at[strcspn(at, "\"\r\n")] = '\0';
        for (size_t k = strlen(at); k > 0 && (at[k - 1] == ' ' || at[k - 1] == '\t'); k--) {
            at[k - 1] = '\0';
        }
        if (n == COLUMNS) {
            return -1;
        }
        cell[n++] = at;
        at = comma;
    }
    return n;
}

static int name_columns(number_table *t, char *const *cell, int n, bool named) {
    t->columns = n;
    t->name = calloc((size_t)n + 1, sizeof *t->name);
    bool good = t->name != NULL;
    for (int i = 0; good && i < n; i++) {
        t->name[i] = strdup(named ? cell[i] : "");
        good = t->name[i] != NULL;
    }
    if (!good) {
        (void)complain("out of memory");
    }
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int read_line(number_table *t, const char *what, char *text, int line) {
    char *cell[COLUMNS];
    double row[COLUMNS];
    text[strcspn(text, "#\r\n")] = '\0';
    if (text[strspn(text, " \t")] == '\0') {
        return EXIT_DONE;
    }
    const int n = cut(text, cell);
    if (n < 2) {
        return complain(
            "%s:%d: a %s needs at least two columns and at most %d, separated by commas", t->path,
            line, what, COLUMNS);
    }
    double first;
    const bool header = t->columns == 0 && !parse_number(cell[0], &first);
    if (t->columns == 0) {
        const int code = name_columns(t, cell, n, header);
        if (code != EXIT_DONE || header) {
            return code;
        }
    }
    if (n != t->columns) {
        return complain("%s:%d: this line has %d columns, the first one has %d", t->path, line, n,
                        t->columns);
    }
    for (int i = 0; i < n; i++) {
        if (!parse_number(cell[i], &row[i])) {
            return complain("%s:%d: '%.40s' is not a finite number", t->path, line, plain(cell[i]));
        }
    }
    if (t->n > 0 && !(row[0] > t->value[(size_t)(t->n - 1) * t->columns])) {
        return complain("%s:%d: the first column must ascend, but %g follows %g; sort the rows and "
                        "remove repeated ones",
                        t->path, line, row[0], t->value[(size_t)(t->n - 1) * t->columns]);
    }
    return t->n < ROWS ? add_row(t, row, line)
                       : complain("%s:%d: there are more than %d rows", t->path, line, ROWS);
}

int read_table(const char *path, const char *what, int least, number_table *table) {
    *table = (number_table){.path = path};
    const char *why;
    FILE *f = gos_file_open(path, &why);
    if (f == NULL) {
        return complain("cannot open '%s' to read a %s: %s; check the path", path, what, why);
    }
    char *text = NULL;
    size_t room = 0;
    int line = 0, code = EXIT_DONE;
    while (code == EXIT_DONE && getline(&text, &room, f) >= 0) {
        code = read_line(table, what, text, ++line);
    }
    if (code == EXIT_DONE && ferror(f)) {
        code = complain("cannot read '%s'", path);
    }
    if (code == EXIT_DONE && table->n < least) {
        code = complain("%s: a %s needs at least %s; it has %d", path, what,
                        least == 1 ? "one row" : "two rows", table->n);
    }
    free(text);
    (void)fclose(f);
    return code;
}

void free_table(number_table *table) {
    for (int i = 0; table->name != NULL && i < table->columns; i++) {
        free(table->name[i]);
    }
    free(table->name);
    free(table->value);
    free(table->line);
}
