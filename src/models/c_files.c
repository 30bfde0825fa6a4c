#include "models/c_files.h"

#include <limits.h>
#include <unistd.h>

#include "base/new_file.h"
#include "gossamer/io.h"

void gos__c_note(FILE *out, const char *note) {
    for (const char *at = note; at && *at;) {
        const int n = (int)strcspn(at, "\n");
        (void)fputs(" * ", out);
        for (int i = 0; i < n; i++) { // a comment must not end here
            (void)fputc(at[i] == '*' || at[i] == '\\' || at[i] == '?' ? '.' : at[i], out);
        }
        (void)fputc('\n', out);
        at += n + (at[n] == '\n');
    }
}

void gos__c_struct(FILE *out, const char *name, const char *kind, int n, const gos_c_name *member,
                   const gos_port *port) {
    (void)fprintf(out, "typedef struct %s_%s {\n", name, kind);
    for (int i = 0; i < n; i++) {
        char plain[2][64];
        gos__c_comment(port[i].name, plain[0], sizeof plain[0]);
        gos__c_comment(port[i].unit, plain[1], sizeof plain[1]);
        (void)fprintf(out, "    double %s; /* %s [%s] */\n", member[i].text, plain[0],
                      plain[1][0] ? plain[1] : "unit unknown");
    }
    (void)fprintf(out, "} %s_%s;\n\n", name, kind);
}

void gos__c_doubles(FILE *out, const char *name, long n, const double *x) {
    (void)fprintf(out, "static const double %s[%ld] = {\n    %s", name, n > 0 ? n : 1,
                  n > 0 ? "" : "0.0");
    for (long k = 0; k < n; k++) {
        char text[40];
        gos__c_number(x[k], text);
        (void)fprintf(out, "%s%s", k == 0 ? "" : k % 4 == 0 ? ",\n    " : ", ", text);
    }
    (void)fputs("};\n", out);
}

void gos__c_ints(FILE *out, const char *name, long n, const int *x) {
    (void)fprintf(out, "static const int %s[%ld] = {\n    %s", name, n > 0 ? n : 1,
                  n > 0 ? "" : "0");
    for (long k = 0; k < n; k++) {
        (void)fprintf(out, "%s%d", k == 0 ? "" : k % 16 == 0 ? ",\n    " : ", ", x[k]);
    }
    (void)fputs("};\n", out);
}

static gos_status begin(gos_ctx *ctx, const char *folder, const char *name, const char *ending,
                        gos_output **out) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path) {
        return gos__fail(ctx, GOS_E_FILE, "%s: the name is too long", folder);
    }
    GOS_TRY(gos_output_replaces(ctx, path, GOS_C_MARK, NULL, "C source of this program"));
    return gos_output_begin(ctx, path, out);
}

gos_status gos__c_pair_write(gos_ctx *ctx, const char *folder, const char *name,
                             const gos_c_pair *pair) {
    gos_output *header = NULL, *source = NULL;
    bool made;
    gos_status status = gos__folder_take(ctx, folder, &made);
    status = status == GOS_OK ? begin(ctx, folder, name, ".h", &header) : status;
    status = status == GOS_OK ? begin(ctx, folder, name, ".c", &source) : status;
    if (status == GOS_OK) {
        pair->header(pair->user, gos_output_stream(header));
        pair->source(pair->user, gos_output_stream(source));
        status = gos_output_finish(header);
    }
    const gos_status first = gos_output_end(source, status == GOS_OK);
    status = status == GOS_OK ? first : status;
    const gos_status second = gos_output_end(header, status == GOS_OK);
    status = status == GOS_OK ? second : status;
    if (status != GOS_OK && made) {
        (void)rmdir(folder);
    }
    return status;
}
