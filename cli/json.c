/* JSON output with full precision; null for numbers that are not finite. */
#include "cli.h"

static void begin(json *j, const char *key) {
    if (j->depth > 0) {
        (void)fprintf(j->out, "%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
    }
    j->first = false;
    if (key != NULL) {
        gos_json_text(j->out, key);
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
    gos_json_text(j->out, value);
}

void json_number(json *j, const char *key, double value) {
    begin(j, key);
    gos_json_number(j->out, value);
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
        json_text(j, "kind", d->status != GOS_OK ? "error" : d->count > 0 ? "warning" : "note");
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

void json_sizes(json *j, const gos_sizes *s, const char *units) {
    json_open(j, "sizes", '{');
    json_text(j, "units", units);
#define X(type, name, doc) json_number(j, #name, (double)s->name);
    GOS_SIZES_FIELDS(X)
#undef X
    json_bool(j, "reduced", s->reduced);
    json_close(j, '}');
}

void json_value(json *j, const char *key) {
    begin(j, key);
}

void json_numbers(json *j, const char *key, const double *x, long n, long stride) {
    begin(j, key);
    (void)fputc('[', j->out);
    for (long i = 0; i < n; i++) {
        (void)fputs(i > 0 ? ", " : "", j->out);
        gos_json_number(j->out, x[i * stride]);
    }
    (void)fputc(']', j->out);
}

void json_statistics(json *j, const gos_statistics *s) {
    json_open(j, "statistics", '{');
#define X(type, name, doc) json_number(j, #name, (double)s->name);
    GOS_STATISTICS_FIELDS(X)
#undef X
    json_close(j, '}');
}

void json_reduction(json *j, const gos_system *reduced) {
    gos_reduction r = {0};
    if (reduced != NULL) {
        gos_reduction_get(reduced, &r);
    }
    if (r.number == 0) {
        json_text(j, "reduction", NULL);
        return;
    }
    json_open(j, "reduction", '{');
#define X(type, name, doc) json_number(j, #name, (double)r.name);
    GOS_REDUCTION_FIELDS(X)
#undef X
    json_text(j, "refused", gos_acceptance_text(gos_reduction_accept(&r, r.served)));
    json_close(j, '}');
}
