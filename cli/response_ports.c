/* Selection of inputs and outputs of a linear model. */
#include <stdlib.h>
#include <string.h>

#include "response.h"

/* "push" matches all components of push. */
static bool matches(const char *port, const char *wanted) {
    const size_t n = strlen(wanted);
    return strncmp(port, wanted, n) == 0 && (port[n] == '\0' || port[n] == '.');
}

typedef gos_port (*port_fn)(const gos_linear *linear, int i);

static int no_port(const gos_linear *linear, const char *wanted, port_fn port, int count,
                   const char *kind) {
    const char **names = calloc(count + 1L, sizeof *names);
    for (int i = 0; names != NULL && i < count; i++) {
        names[i] = port(linear, i).name;
    }
    const char *hint = names != NULL ? suggest(wanted, names, count) : NULL;
    const int code = hint != NULL
                         ? complain("there is no %s '%s'; did you mean '%s'?", kind, wanted, hint)
                         : complain("there is no %s '%s'", kind, wanted);
    for (int i = 0; names != NULL && hint == NULL && i < count; i++) {
        (void)fprintf(stderr, "%s%s%s", i == 0 ? "options: " : ", ", plain(names[i]),
                      i == count - 1 ? "\n" : "");
    }
    free(names);
    return code;
}

static int choose(const gos_linear *linear, const text_list *names, port_fn port, int count,
                  const char *kind, int **chosen, int *n) {
    *chosen = calloc(count + 1L, sizeof **chosen);
    if (*chosen == NULL) {
        return EXIT_FAILED;
    }
    for (int k = 0; k < names->n; k++) {
        bool found = false;
        for (int i = 0; i < count; i++) {
            found = found || matches(port(linear, i).name, names->v[k]);
        }
        if (!found) {
            return no_port(linear, names->v[k], port, count, kind);
        }
    }
    for (int i = 0; i < count; i++) {
        bool wanted = names->n == 0;
        for (int k = 0; k < names->n; k++) {
            wanted = wanted || matches(port(linear, i).name, names->v[k]);
        }
        if (wanted) {
            (*chosen)[(*n)++] = i;
        }
    }
    return *n > 0
               ? EXIT_DONE
               : complain("the model has no %ss; a response needs loads or heat, and probes", kind);
}

int choose_ports(const gos_linear *linear, const text_list *from, const text_list *to,
                 response_ports *ports) {
    *ports = (response_ports){.linear = linear};
    gos_linear_info_get(linear, &ports->info);
    const int code = choose(linear, from, gos_linear_input, ports->info.inputs, "input", &ports->in,
                            &ports->nin);
    return code == EXIT_DONE ? choose(linear, to, gos_linear_output, ports->info.outputs, "output",
                                      &ports->out, &ports->nout)
                             : code;
}

static bool is_port(const char *name, const gos_linear *linear, port_fn port, int count) {
    for (int i = 0; i < count; i++) {
        if (strcmp(port(linear, i).name, name) == 0) {
            return true;
        }
    }
    return false;
}

void pair_name(const response_ports *p, int i, int j, char *text, size_t size) {
    const char *to = gos_linear_output(p->linear, i).name;
    const char *from = gos_linear_input(p->linear, j).name;
    const bool input_too = is_port(to, p->linear, gos_linear_input, p->info.inputs);
    const bool output_too = is_port(from, p->linear, gos_linear_output, p->info.outputs);
    (void)snprintf(text, size, "%s%s/%s%s", to, input_too ? " (output)" : "", from,
                   output_too ? " (input)" : "");
}

void free_ports(response_ports *ports) {
    free(ports->in);
    free(ports->out);
}

void json_pair(json *out, const response_ports *p, int i, int j) {
    json_open(out, NULL, '{');
    json_text(out, "output", gos_linear_output(p->linear, i).name);
    json_text(out, "output_unit", gos_linear_output(p->linear, i).unit);
    json_text(out, "input", j < 0 ? NULL : gos_linear_input(p->linear, j).name);
    json_text(out, "input_unit", j < 0 ? NULL : gos_linear_input(p->linear, j).unit);
}
