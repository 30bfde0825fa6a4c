/* Text helpers: locale-independent numbers, UTF-8, suggestions for misspelled words. */
#include <locale.h>
#include <math.h>

#include "base/base.h"

/* JSON values. */

void gos_json_text(FILE *out, const char *text) {
    if (text == NULL) {
        (void)fputs("null", out);
        return;
    }
    (void)fputc('"', out);
    for (size_t n; *text != '\0'; text += n > 0 ? n : 1) {
        const unsigned c = (unsigned char)*text;
        n = gos__utf8_length(text);
        if (n == 0) {
            (void)fputs("\\ufffd", out);
        } else if (n == 1 && (c < 0x20 || c == 0x7f || strchr("\"\\<>&", (int)c))) {
            (void)fprintf(out, "\\u%04x", c);
        } else if (c == 0xc2 && (unsigned char)text[1] < 0xa0) { // control characters beyond ASCII
            (void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)text[1]);
        } else {
            (void)fwrite(text, 1, n, out);
        }
    }
    (void)fputc('"', out);
}

void gos_json_number(FILE *out, double value) {
    char text[40] = "null";
    if (isfinite(value)) {
        (void)gos__format(text, sizeof text, "%.17g", value);
    }
    (void)fputs(text, out);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

size_t gos__number_length(const char *s) {
    size_t i = 0, digits = 0;
    while (is_digit(s[i])) {
        i++;
        digits++;
    }
    if (s[i] == '.') {
        i++;
        while (is_digit(s[i])) {
            i++;
            digits++;
        }
    }
    if (digits == 0) {
        return 0;
    }
    // an exponent requires digits: "2e" is a 2 followed by a name
    if (s[i] == 'e' || s[i] == 'E') {
        size_t k = i + 1;
        k += s[k] == '+' || s[k] == '-';
        if (is_digit(s[k])) {
            while (is_digit(s[k])) {
                k++;
            }
            i = k;
        }
    }
    return i;
}

bool gos__number_parse(const char *s, size_t n, double *value) {
    const bool sign = n > 0 && (s[0] == '-' || s[0] == '+');
    if (n <= sign || gos__number_length(s + sign) != n - sign) {
        return false;
    }
    // strtod would parse 0x10 as hexadecimal
    if (n == (size_t)sign + 1 && s[sign] == '0') {
        *value = s[0] == '-' ? -0.0 : 0.0;
        return true;
    }
    const locale_t old = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    char *end;
    *value = strtod(s, &end);
    uselocale(old);
    return end == s + n;
}

int gos__vformat(char *buf, size_t size, const char *fmt, va_list args) {
    const locale_t old = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    const int n = vsnprintf(buf, size, fmt, args);
    uselocale(old);
    return n;
}

int gos__format(char *buf, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = gos__vformat(buf, size, fmt, args);
    va_end(args);
    return n;
}

size_t gos__utf8_length(const char *s) {
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) {
        return 1;
    }
    const size_t n = u[0] >= 0xc2 && u[0] <= 0xdf   ? 2
                     : u[0] >= 0xe0 && u[0] <= 0xef ? 3
                     : u[0] >= 0xf0 && u[0] <= 0xf4 ? 4
                                                    : 0;
    for (size_t i = 1; i < n; i++) {
        if (u[i] < 0x80 || u[i] > 0xbf) {
            return 0; // also stops at the end of the text
        }
    }
    // overlong forms, surrogates and code points beyond the last one
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
        (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f)) {
        return 0;
    }
    return n;
}

#define WORD_MAX 64

/* Ignores case, and treats - and space as _. */
static int fold(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A' + 'a';
    }
    return c == '-' || c == ' ' ? '_' : c;
}

static int min3(int a, int b, int c) {
    const int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edit distance of two short words with swaps of neighbours. */
static int distance(const char *a, int na, const char *b, int nb) {
    int row[3][WORD_MAX + 1];
    int *before = row[0], *last = row[1], *now = row[2];
    for (int j = 0; j <= nb; j++) {
        last[j] = j;
    }
    for (int i = 1; i <= na; i++) {
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int same = fold(a[i - 1]) == fold(b[j - 1]);
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]) && before[j - 2] + 1 < now[j]) {
                now[j] = before[j - 2] + 1;
            }
        }
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[nb];
}

static bool starts_with(const char *s, int n, const char *prefix, int nprefix) {
    if (nprefix > n) {
        return false;
    }
    for (int i = 0; i < nprefix; i++) {
        if (fold(s[i]) != fold(prefix[i])) {
            return false;
        }
    }
    return true;
}

/* Is `word` one of the words of `name`, as "cable" of "ancf_cable"? */
static bool is_part(const char *name, int n, const char *word, int nword) {
    for (int at = 0; at + nword <= n; at++) {
        const bool begins = at == 0 || fold(name[at - 1]) == '_';
        const bool ends = at + nword == n || fold(name[at + nword]) == '_';
        if (begins && ends && starts_with(name + at, n - at, word, nword)) {
            return true;
        }
    }
    return false;
}

/* The only name that contains `word`, or NULL. */
static const char *only_with(const char *word, const char *const *names, int n) {
    const char *only = NULL;
    const int nword = (int)strlen(word);
    for (int i = 0; i < n && nword >= 3; i++) {
        if (is_part(names[i], (int)strlen(names[i]), word, nword)) {
            if (only != NULL) {
                return NULL;
            }
            only = names[i];
        }
    }
    return only;
}

const char *gos__suggest(const char *word, const char *const *names, int n) {
    const size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX) {
        return NULL;
    }
    const int nword = (int)length;
    const char *best = NULL;
    int best_distance = nword < 3 ? 2 : 2 + nword / 4; // first distance that is rejected
    for (int i = 0; i < n; i++) {
        const size_t nname = strlen(names[i]);
        if (nname == 0 || nname > WORD_MAX) {
            continue;
        }
        const bool abbreviates = nword >= 3 && starts_with(names[i], (int)nname, word, nword);
        if (!abbreviates && abs((int)nname - nword) >= best_distance) {
            continue; // lengths alone differ too much
        }
        int d = distance(word, nword, names[i], (int)nname);
        // abbreviations always match
        d = abbreviates && d > 1 ? 1 : d;
        // not if all letters of a short name differ
        if (d < best_distance && d < (int)nname) {
            best_distance = d;
            best = names[i];
        }
    }
    return best != NULL ? best : only_with(word, names, n);
}

void gos__xml_text(FILE *out, const char *text, char control) {
    while (*text != '\0') {
        const size_t n = gos__utf8_length(text);
        const unsigned char c = (unsigned char)*text;
        const char *name = c == '<'   ? "&lt;"
                           : c == '>' ? "&gt;"
                           : c == '&' ? "&amp;"
                           : c == '"' ? "&quot;"
                                      : NULL;
        if (name) {
            (void)fputs(name, out);
        } else if (n > 0 && c >= 32 && (c != 127 || !control)) {
            (void)fwrite(text, 1, n, out);
        } else if (control) {
            (void)fputc(control, out);
        }
        text += n > 0 ? n : 1;
    }
}
