/* Splits the help of a command into pieces (usage, paragraphs, options, examples, exit codes), from
 * which man pages and shell completion are generated. */
#include <string.h>

#include "help_text.h"

static const char *line_end(const char *s) {
    return s + strcspn(s, "\n");
}

static int indentation(const char *line) {
    return (int)strspn(line, " ");
}

/* If the line is a heading, set the section of the pieces below it. */
static bool is_heading(const char *line, help_kind *section) {
    static const struct {
        const char *text;
        help_kind section;
    } headings[] = {{"Usage:\n", HELP_USAGE},
                    {"Options:\n", HELP_ITEM},
                    {"Examples:\n", HELP_EXAMPLE},
                    {"Exit codes:\n", HELP_EXIT}};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        if (strncmp(line, headings[i].text, strlen(headings[i].text)) == 0) {
            *section = headings[i].section;
            return true;
        }
    }
    return false;
}

/* Does the line continue the piece? A paragraph has no indentation, other pieces have two blanks,
 * their continuation lines more. */
static bool continues(const char *line, help_kind kind) {
    if (*line == '\0' || *line == '\n') {
        return false;
    }
    const int n = indentation(line);
    return kind == HELP_TEXT ? n == 0 : n > 2;
}

/* The tag ends at two blanks, or with the line: then the explanation follows in the next one. */
static void split_item(help_piece *p, const char *line) {
    const char *end = line_end(line), *s = line + 2;
    while (s < end && strncmp(s, "  ", 2) != 0) {
        s++;
    }
    p->tag = line + 2;
    p->tag_length = (int)(s - p->tag);
    p->text = s + strspn(s, " \n");
}

bool next_piece(const char **at, help_piece *p) {
    help_kind section = p->section;
    const char *line = *at + strspn(*at, "\n");
    while (is_heading(line, &section)) {
        line = line_end(line) + 1;
    }
    if (*line == '\0') {
        return false;
    }
    const bool indented = indentation(line) >= 2;
    *p = (help_piece){.section = indented ? section : HELP_TEXT, .text = line};
    if (indented) {
        p->kind = section == HELP_TEXT ? HELP_POINT : section;
        p->text = line + 2;
    }
    if (p->kind == HELP_ITEM || p->kind == HELP_EXIT) {
        split_item(p, line);
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
