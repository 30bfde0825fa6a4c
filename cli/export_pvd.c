/* gossamer export --to pvd: writes all output times of a run as VTK files with an index. VTK before
   9.3 reads no times of VTKHDF files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

/* the folder beside the index: its name without extension */
static char *folder_of(const char *output) {
    char *folder = strdup(output);
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    char *dot = folder != NULL ? strrchr(slash != NULL ? slash : folder, '.') : NULL;
    if (dot != NULL) {
        *dot = '\0';
    }
    return folder;
}

static int make_folder(const char *folder, const char *output) {
    struct stat st;
    const size_t n = strlen(folder);
    if (n == 0 || folder[n - 1] == '/' || strcmp(folder, output) == 0) {
        return complain("export: --to pvd needs a name that ends with .pvd, not '%s'", output);
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        (void)complain("%s: cannot create the folder: %s", folder, strerror(errno));
        return EXIT_FAILED;
    }
    return lstat(folder, &st) == 0 && S_ISDIR(st.st_mode)
               ? EXIT_DONE
               : complain("%s: exists and is not a folder; choose another name", folder);
}

static void put_xml(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        (void)(entity != NULL ? fputs(entity, out) : fputc(*text, out));
    }
}

static int write_index(gos_ctx *ctx, const double *time, long n, const char *folder,
                       const char *path) {
    gos_output *output = NULL;
    const char *slash = strrchr(folder, '/');
    const char *name = slash != NULL ? slash + 1 : folder;
    gos_status status = gos_output_begin(ctx, path, &output);
    if (status == GOS_OK) {
        FILE *out = gos_output_stream(output);
        (void)fputs("<?xml version=\"1.0\"?>\n" GOS_MADE "\n"
                    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                    "<Collection>\n",
                    out);
        for (long k = 0; k < n; k++) {
            (void)fputs("<DataSet timestep=\"", out);
            gos_json_number(out, time[k]);
            (void)fputs("\" part=\"0\" file=\"", out);
            put_xml(out, name);
            (void)fprintf(out, "/%06ld.vtu\"/>\n", k);
        }
        (void)fputs("</Collection>\n</VTKFile>\n", out);
        status = gos_output_end(output, true);
    }
    return exit_code(status, false);
}

static int write_times(gos_ctx *ctx, gos_results *run, const double *time, long n,
                       const char *folder) {
    const size_t size = strlen(folder) + 32;
    char *path = malloc(size);
    int code = path != NULL ? EXIT_DONE : EXIT_FAILED;
    for (long k = 0; k < n && code == EXIT_DONE; k++) {
        (void)snprintf(path, size, "%s/%06ld.vtu", folder, k);
        code = check_output(path, "<?xml", GOS_MADE, "a VTK file of this program");
        if (code == EXIT_DONE) {
            code = exit_code(gos_results_write_vtu(ctx, run, time[k], path), false);
        }
    }
    free(path);
    return code;
}

int write_pvd(gos_ctx *ctx, gos_results *run, const char *output) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const double *time = gos_results_frame_times(run);
    char *folder = folder_of(output);
    int code = folder != NULL ? make_folder(folder, output) : EXIT_FAILED;
    if (code == EXIT_DONE) {
        code = write_times(ctx, run, time, info.nframes, folder);
    }
    if (code == EXIT_DONE) { // last, so that an index lists complete files
        code = write_index(ctx, time, info.nframes, folder, output);
    }
    free(folder);
    return code;
}
