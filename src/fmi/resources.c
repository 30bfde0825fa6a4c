/* File URIs (RFC 8089) as paths. */
#include "fmi/resources.h"

#include <stdlib.h>
#include <string.h>

static int digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* path of file:/PATH, file:///PATH, file://localhost/PATH */
static const char *path_in(const char *location) {
    const char *s = location + 5;
    if (strncmp(s, "//", 2) != 0) {
        return s[0] == '/' ? s : NULL;
    }
    s += 2;
    return s[0] == '/' ? s : strncmp(s, "localhost/", 10) == 0 ? s + 9 : NULL;
}

char *gos__fmi_path(const char *location) {
    if (!location || strncmp(location, "file:", 5) != 0) {
        return location && location[0] == '/' ? strdup(location) : NULL;
    }
    const char *s = path_in(location);
    char *path = s ? malloc(strlen(s) + 1) : NULL;
    size_t n = 0;
    for (; path && *s; s++) {
        const int high = *s == '%' ? digit(s[1]) : -1, low = high >= 0 ? digit(s[2]) : -1;
        path[n++] = low >= 0 ? (char)(16 * high + low) : *s;
        s += low >= 0 ? 2 : 0;
    }
    if (path) {
        path[n] = '\0';
    }
    return path;
}
