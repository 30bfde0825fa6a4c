/* JSON values. */
#include "base/base.h"

#include <math.h>

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
