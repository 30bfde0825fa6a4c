/* JSON for other programs: full precision, null for what is not finite. */
#include <math.h>

#include "cli.h"

static void quoted(FILE *out, const char *s) {
    (void)fputc('"', out);
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') {
            (void)fprintf(out, "\\%c", c);
        } else if (c == '\n') {
            (void)fputs("\\n", out);
        } else if (c < 0x20) {
            (void)fprintf(out, "\\u%04x", c);
        } else {
            (void)fputc(c, out);
        }
    }
    (void)fputc('"', out);
}

static void begin(json *j, const char *key) {
    if (j->depth > 0) {
        (void)fprintf(j->out, "%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
    }
    j->first = false;
    if (key != NULL) {
        quoted(j->out, key);
        (void)fputs(": ", j->out);
    }
}

void json_open(json *j, const char *key, char bracket) {
    begin(j, key);
    (void)fputc(bracket, j->out);
    j->depth++;
    j->first = true;
}

void json_close(json *j, char bracket) {
    j->depth--;
    if (!j->first) {
        (void)fprintf(j->out, "\n%*s", 2 * j->depth, "");
    }
    (void)fputc(bracket, j->out);
    j->first = false;
    if (j->depth == 0) {
        (void)fputc('\n', j->out);
    }
}

void json_text(json *j, const char *key, const char *value) {
    begin(j, key);
    if (value != NULL) {
        quoted(j->out, value);
    } else {
        (void)fputs("null", j->out);
    }
}

void json_number(json *j, const char *key, double value) {
    begin(j, key);
    if (isfinite(value)) {
        (void)fprintf(j->out, "%.17g", value);
    } else {
        (void)fputs("null", j->out);
    }
}

void json_bool(json *j, const char *key, bool value) {
    begin(j, key);
    (void)fputs(value ? "true" : "false", j->out);
}

void json_messages(json *j, const gos_ctx *ctx) {
    json_open(j, "messages", '[');
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        json_open(j, NULL, '{');
        json_text(j, "kind", d->status == GOS_OK ? "warning" : "error");
        json_text(j, "file", d->file);
        json_number(j, "line", d->line);
        json_number(j, "column", d->col);
        json_text(j, "object", d->object);
        json_text(j, "text", d->text);
        json_number(j, "count", d->count);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void json_sizes(json *j, const gos_sizes *s) {
    const struct {
        const char *name;
        double value;
    } all[] = {{"bodies", s->bodies},
               {"joints", s->joints},
               {"loads", s->loads},
               {"heat", s->heat},
               {"nodes", s->nodes},
               {"elements", s->elements},
               {"points", s->points},
               {"coordinates", s->coordinates},
               {"temperatures", s->temperatures},
               {"constraints", s->constraints},
               {"temperature_constraints", s->temperature_constraints},
               {"mass", s->mass},
               {"extent", s->extent}};
    json_open(j, "sizes", '{');
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        json_number(j, all[i].name, all[i].value);
    }
    json_bool(j, "reduced", s->reduced);
    json_close(j, '}');
}
