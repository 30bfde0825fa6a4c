/* Names of a linear model as lines of text. */
#include "io/linear_io.h"

bool gos__linear_put_names(const gos_linear *l, FILE *out) {
    bool good = fprintf(out, "components,%d\n", l->ncomp) > 0;
    for (int i = 0; i < l->nq / l->ncomp && good; i++) {
        good = !l->coordinate[i] || fprintf(out, "coordinate,%s\n", l->coordinate[i]) > 0;
    }
    for (int i = 0; i < l->nt && good; i++) {
        good = !l->temperature[i] || fprintf(out, "temperature,%s\n", l->temperature[i]) > 0;
    }
    for (int i = 0; i < l->nu && good; i++) {
        const gos_port p = gos_linear_input(l, i);
        good = fprintf(out, "input,%s,%s\n", p.name, p.unit) > 0;
    }
    for (int i = 0; i < l->ny && good; i++) {
        const gos_port p = gos_linear_output(l, i);
        good = fprintf(out, "output,%s,%s\n", p.name, p.unit) > 0;
    }
    return good;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct names {
    gos_linear *l;
    int ncoordinate, ntemperature, ninput, noutput; // so far
} names;

/* s is a line without its end; changed */
static gos_status take_line(names *k, char *s) {
    gos_linear *l = k->l;
    char *name = strchr(s, ',');
    if (!name) {
        return GOS_OK;
    }
    *name++ = '\0';
    char *unit = strchr(name, ',');
    if (strcmp(s, "components") == 0) {
        l->ncomp = strcmp(name, "3") == 0 && l->nq % 3 == 0 ? 3 : 1;
    } else if (strcmp(s, "coordinate") == 0 && k->ncoordinate < l->nq / l->ncomp) {
        l->coordinate[k->ncoordinate] = gos__arena_strdup(l->arena, name);
        return l->coordinate[k->ncoordinate++] ? GOS_OK : GOS_E_MEMORY;
    } else if (strcmp(s, "temperature") == 0 && k->ntemperature < l->nt) {
        l->temperature[k->ntemperature] = gos__arena_strdup(l->arena, name);
        return l->temperature[k->ntemperature++] ? GOS_OK : GOS_E_MEMORY;
    } else if (unit) {
        *unit++ = '\0';
        if (strcmp(s, "input") == 0 && k->ninput < l->nu) {
            return gos__linear_name_input(l, k->ninput++, name, unit);
        }
        if (strcmp(s, "output") == 0 && k->noutput < l->ny) {
            return gos__linear_name_output(l, k->noutput++, name, unit);
        }
    }
    return GOS_OK;
}

static gos_status name_rest(names *k) {
    char name[16];
    for (; k->ninput < k->l->nu; k->ninput++) {
        gos__format(name, sizeof name, "u%d", k->ninput + 1);
        GOS_TRY(gos__linear_name_input(k->l, k->ninput, name, ""));
    }
    for (; k->noutput < k->l->ny; k->noutput++) {
        gos__format(name, sizeof name, "y%d", k->noutput + 1);
        GOS_TRY(gos__linear_name_output(k->l, k->noutput, name, ""));
    }
    return GOS_OK;
}

gos_status gos__linear_get_names(gos_linear *l, const char *text, size_t n, const char *file) {
    names k = {.l = l};
    int line = 1;
    for (const char *s = text, *stop = text + n; s < stop; line++) {
        const char *end = memchr(s, '\n', (size_t)(stop - s));
        end = end ? end : stop;
        char copy[512];
        const size_t length = (size_t)(end - s) - (end > s && end[-1] == '\r');
        if (length >= sizeof copy || memchr(s, '\0', length)) {
            const gos_loc loc = {gos__intern(l->ctx, file), line, 0};
            return gos__fail_at(l->ctx, GOS_E_INPUT, loc, NULL,
                                "this line is too long for a name, or is no text");
        }
        memcpy(copy, s, length);
        copy[length] = '\0';
        GOS_TRY(take_line(&k, copy));
        s = end + (end < stop);
    }
    return name_rest(&k);
}
