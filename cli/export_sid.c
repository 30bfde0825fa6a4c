/* gossamer export --to sid: writes a floating body as standard input data. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Split comma-separated names in place. @return their number */
static int split(char *text, const char **name) {
    int n = 0;
    for (char *at = text; at != NULL; n++) {
        char *comma = strchr(at, ',');
        name[n] = at;
        if (comma != NULL) {
            *comma++ = '\0';
        }
        at = comma;
    }
    return n;
}

int write_sid(gos_ctx *ctx, const gos_system *sys, const sid_wish *wish, const char *path) {
    char *text = wish->nodes != NULL ? strdup(wish->nodes) : NULL;
    const char **name = text != NULL ? (const char **)calloc(strlen(text) + 1, sizeof *name) : NULL;
    int code = EXIT_FAILED;
    if (wish->nodes == NULL || name != NULL) {
        const int n = name != NULL ? split(text, name) : 0;
        code = exit_code(gos_system_write_sid(ctx, sys, wish->body, wish->modes, n, name, path),
                         false);
    }
    free((void *)name);
    free(text);
    return code;
}
