/* Messages, exit codes and output shared by the commands. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli.h"

int complain(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char text[8192];
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    (void)fputs("gossamer: ", stderr);
    for (char *c = text; (c = strchr(c, '\n')) != NULL;) {
        *c = ' '; // one message, one line
    }
    print_lines(stderr, text);
    (void)fputc('\n', stderr);
    return EXIT_USE;
}

void show_messages(const gos_ctx *ctx, int first) {
    char line[4096];
    for (int i = first; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        if (d->status == GOS_OK && d->count == 0) {
            continue; // note: see print_notes
        }
        gos_ctx_format(ctx, i, line, sizeof line);
        (void)fprintf(stderr, "%s\n", plain(line));
    }
}

void print_notes(const gos_ctx *ctx) {
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        if (d->status == GOS_OK && d->count == 0) {
            (void)printf("%s: ", plain(d->object));
            (void)printf("%s\n", plain(d->text));
        }
    }
}

int exit_code(gos_status status, bool reading) {
    switch (status) {
    case GOS_OK:
        return EXIT_DONE;
    case GOS_E_INTERRUPTED:
        return EXIT_STOPPED;
    case GOS_E_TOLERANCE:
        return EXIT_EXCEEDED;
    case GOS_E_INPUT:
    case GOS_E_USE:
        return EXIT_USE;
    case GOS_E_FILE:
    case GOS_E_LIMIT:
    case GOS_E_SINGULAR:
        return reading ? EXIT_USE : EXIT_FAILED;
    default:
        return EXIT_FAILED;
    }
}

void print_sizes(const gos_sizes *s, const char *units) {
    char unit[UNIT_NAME];
    (void)printf("entries      bodies %d, joints %d, loads %d, heat %d\n", s->bodies, s->joints,
                 s->loads, s->heat);
    (void)printf("mesh         nodes %d, elements %d, points %d\n", s->nodes, s->elements,
                 s->points);
    (void)printf("unknowns     displacement %d with %d constraints, temperature %d with %d\n",
                 s->coordinates, s->constraints, s->temperatures, s->temperature_constraints);
    (void)printf("mass         %.6g %s\n", s->mass, gos_unit_name(units, "kg", unit, sizeof unit));
    (void)printf("extent       %.6g %s\n", s->extent, gos_unit_name(units, "m", unit, sizeof unit));
}

const char *duration(double seconds, char buf[32]) {
    if (!(seconds >= 0)) {
        (void)snprintf(buf, 32, "-");
    } else if (seconds < 1e-3) {
        (void)snprintf(buf, 32, "%.3g us", seconds * 1e6);
    } else if (seconds < 1) {
        (void)snprintf(buf, 32, "%.3g ms", seconds * 1e3);
    } else if (seconds < 120) {
        (void)snprintf(buf, 32, "%.3g s", seconds);
    } else if (seconds < 7200) {
        (void)snprintf(buf, 32, "%.0f min %02.0f s", floor(seconds / 60), fmod(seconds, 60));
    } else {
        (void)snprintf(buf, 32, "%.0f h %02.0f min", floor(seconds / 3600),
                       floor(fmod(seconds, 3600) / 60));
    }
    return buf;
}
