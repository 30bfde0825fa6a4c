/* Reads the help of a command piece by piece: usage, paragraphs, options. Man pages and shell
 * completion are written from these pieces. */
#include <string.h>

#include "help_text.h"

enum { COLUMN = 21 }; // where explanations of options begin

static const char *line_end(const char *s) {
    return s + strcspn(s, "\n");
}

static int indentation(const char *line) {
    return (int)strspn(line, " ");
}

/* Does the line continue the piece that `first` begins? */
static bool continues(const char *line, help_kind kind) {
    if (*line == '\0' || *line == '\n' || strncmp(line, "Exit codes:", 11) == 0) {
        return false;
    }
    const int n = indentation(line);
    return kind == HELP_USAGE || kind == HELP_ITEM || kind == HELP_POINT ? n > 2 : n == 0;
}

static void split_item(help_piece *p, const char *line) {
    const char *end = line_end(line), *s = line + 2;
    while (s < end && strncmp(s, "  ", 2) != 0) {
        s++;
    }
    p->text = s + strspn(s, " ");
    if (s == end && *(line + 2) == '-' && end - line > COLUMN && line[COLUMN - 1] == ' ') {
        s = line + COLUMN - 1; // the name fills the whole column
        p->text = s + 1;
    }
    p->kind = p->text < end ? HELP_ITEM : HELP_POINT;
    p->tag = line + 2;
    p->tag_length = p->kind == HELP_ITEM ? (int)(s - p->tag) : 0;
    if (p->kind == HELP_POINT) {
        p->text = p->tag;
    }
}

bool next_piece(const char **at, help_piece *p) {
    const char *line = *at + strspn(*at, "\n");
    if (*line == '\0') {
        return false;
    }
    *p = (help_piece){.kind = HELP_TEXT, .text = line};
    if (indentation(line) == 2) {
        split_item(p, line);
    } else if (strncmp(line, "gossamer ", 9) == 0) {
        p->kind = HELP_USAGE;
    } else if (strncmp(line, "Exit codes:", 11) == 0) {
        p->kind = HELP_EXIT;
    }
    p->end = line_end(line);
    while (*p->end == '\n' && continues(p->end + 1, p->kind)) {
        p->end = line_end(p->end + 1);
    }
    *at = p->end;
    return true;
}

size_t option_length(char before, const char *s) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const size_t dashes = strspn(s, "-");
    if (strchr(" [,\n", before) == NULL || dashes < 1 || dashes > 2) {
        return 0;
    }
    size_t n = strspn(s + dashes, letters);
    while (n > 0 && dashes == 2 && s[dashes + n] == '-' &&
           strspn(s + dashes + n + 1, letters) > 0) {
        n += 1 + strspn(s + dashes + n + 1, letters); // --one-file
    }
    return n > 0 && (dashes == 2 || n == 1) ? dashes + n : 0;
}

size_t argument_length(const char *option_end) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (option_end[0] != ' ' || option_end[1] == '\0' || strchr(first, option_end[1]) == NULL) {
        return 0;
    }
    size_t n = strcspn(option_end + 1, " ]\n");
    return option_end[n] == ',' ? n - 1 : n;
}
