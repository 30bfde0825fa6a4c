/* Makes names and texts from files safe for output. On terminals control characters are replaced:
   they could hide or change lines, or make the terminal send input. In tables a text is one CSV
   cell. */
#include <string.h>

#include "cli.h"

enum {
    TEXTS = 8,  // at most in one line of output
    ROOM = 4200 // bytes of a text: a path and some more
};

/* Does a control character begin here: ASCII, or U+0080 to U+009F in UTF-8? */
static bool is_control(const char *c) {
    const unsigned char first = (unsigned char)c[0], second = first ? (unsigned char)c[1] : 0;
    return first < 0x20 || first == 0x7f || (first == 0xc2 && second >= 0x80 && second < 0xa0);
}

/* Length of the UTF-8 character at c; 0 if invalid: a single byte could be a control character in
 * another encoding. */
static size_t character(const char *c) {
    const unsigned char first = (unsigned char)c[0];
    const size_t n = first < 0x80                     ? 1
                     : first >= 0xc2 && first <= 0xdf ? 2
                     : first >= 0xe0 && first <= 0xef ? 3
                     : first >= 0xf0 && first <= 0xf4 ? 4
                                                      : 0;
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)c[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/* Copy one character, or '?' if it must not be shown. @return bytes read */
static size_t copy_character(const char *from, char to[5], bool keep_lines) {
    const size_t n = character(from);
    const bool shown = n > 0 && (!is_control(from) || (keep_lines && *from == '\n'));
    (void)memcpy(to, shown ? from : "?", shown ? n : 1);
    to[shown ? n : 1] = '\0';
    // skip all bytes of a control character
    return n > 0 ? n : 1;
}

const char *plain(const char *text) {
    static char ring[TEXTS][ROOM];
    static int next;
    char *const buf = ring[next];
    size_t at = 0;
    next = (next + 1) % TEXTS;
    while (text != NULL && *text != '\0' && at + 8 < ROOM) {
        text += copy_character(text, buf + at, false);
        at += strlen(buf + at);
    }
    (void)strcpy(buf + at, text != NULL && *text != '\0' ? "..." : "");
    return buf;
}

void print_lines(FILE *out, const char *text) {
    char c[5];
    while (*text != '\0') {
        text += copy_character(text, c, true);
        (void)fputs(c, out);
    }
}

/* Would a spreadsheet evaluate this as a formula? */
static bool is_formula(const char *text) {
    double number;
    return *text == '=' || *text == '@' ||
           ((*text == '+' || *text == '-') && !parse_number(text, &number));
}

void print_cell(FILE *out, const char *text) {
    const bool quoted = strpbrk(text, ",\"\n\r") != NULL;
    if (quoted) {
        (void)fputc('"', out);
    }
    if (is_formula(text)) {
        (void)fputc('\'', out);
    }
    while (*text != '\0') {
        char c[5];
        text += copy_character(text, c, false);
        (void)fputs(strcmp(c, "\"") == 0 ? "\"\"" : c, out);
    }
    if (quoted) {
        (void)fputc('"', out);
    }
}
