/* gossamer new: writes a small valid model, chosen by options or by questions on a terminal. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "skeletons.h"

enum { ANSWER = 80, MOST_PANELS = 24, MOST_ELEMENTS = 200 };

static const skeleton *find_kind(const char *name) {
    const skeleton *s;
    for (int i = 0; (s = skeleton_at(i)) != NULL; i++) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}

static void list_kinds(FILE *out) {
    const skeleton *s;
    for (int i = 0; (s = skeleton_at(i)) != NULL; i++) {
        (void)fprintf(out, "  %-12s %s\n", s->name, s->summary);
    }
}

static int unknown_kind(const char *word) {
    const char *names[32];
    int n = 0;
    for (; n < 32 && skeleton_at(n) != NULL; n++) {
        names[n] = skeleton_at(n)->name;
    }
    const char *near = suggest(word, names, n);
    int code = near != NULL ? complain("unknown kind '%s'; did you mean '%s'?", plain(word), near)
                            : complain("unknown kind '%s'; kinds are:", plain(word));
    if (near == NULL) {
        list_kinds(stderr);
    }
    return code;
}

/* Read one line from the terminal; empty at the end of the input. */
static void ask(const char *question, char answer[ANSWER]) {
    (void)fputs(question, stderr);
    if (fgets(answer, ANSWER, stdin) == NULL) {
        answer[0] = '\0';
    }
    answer[strcspn(answer, "\r\n")] = '\0';
}

/* Ask for the choices. *kind stays NULL if there is no answer. */
static int ask_all(const skeleton **kind, skeleton_choice *choice) {
    char answer[ANSWER];
    (void)fputs("Which kind of model?\n", stderr);
    list_kinds(stderr);
    ask("kind: ", answer);
    if (answer[0] == '\0') {
        return complain("no kind was chosen; gossamer new KIND writes a model without questions");
    }
    *kind = find_kind(answer);
    if (*kind == NULL) {
        return unknown_kind(answer);
    }
    if (strcmp((*kind)->name, "satellite") == 0) {
        ask("number of panels [2]: ", answer);
        double n = choice->panels;
        if (answer[0] != '\0' && (!parse_number(answer, &n) || !(n >= 1 && n <= MOST_PANELS))) {
            return complain("the number of panels must be a whole number from 1 to %d",
                            MOST_PANELS);
        }
        choice->panels = (int)n;
    }
    return EXIT_DONE;
}

static int check_written(gos_ctx *ctx, const char *path) {
    gos_model *model = NULL;
    gos_sizes sizes;
    const int code = load_sizes(ctx, path, NULL, &model, &sizes);
    show_messages(ctx, 0);
    if (code == EXIT_DONE) {
        (void)printf("%s: valid model written; next: gossamer run %s\n", plain(path), plain(path));
        print_sizes(&sizes, gos_model_units(model));
    }
    gos_model_destroy(model);
    return code;
}

static int write_skeleton(gos_ctx *ctx, const skeleton *kind, const skeleton_choice *choice,
                          const char *path) {
    gos_output *output = NULL;
    gos_status status = gos_output_begin(ctx, path, &output);
    if (status == GOS_OK) {
        kind->write(gos_output_stream(output), choice);
        status = gos_output_end(output, true);
    }
    const int code = exit_code(status, false);
    if (code != EXIT_DONE) {
        show_messages(ctx, 0);
        return code;
    }
    return check_written(ctx, path);
}

static int make(const char *word, const char *output, skeleton_choice *choice, bool panels) {
    const skeleton *kind = word != NULL ? find_kind(word) : NULL;
    if (word != NULL && kind == NULL) {
        return unknown_kind(word);
    }
    if (kind == NULL && !isatty(STDIN_FILENO)) {
        const int code =
            complain("the kind is missing, for example gossamer new pendulum; kinds are:");
        list_kinds(stderr);
        return code;
    }
    int code = kind == NULL ? ask_all(&kind, choice) : EXIT_DONE;
    if (code == EXIT_DONE && panels && strcmp(kind->name, "satellite") != 0) {
        code = complain("--panels is for the kind satellite");
    }
    if (code == EXIT_DONE && (choice->panels > MOST_PANELS || choice->elements > MOST_ELEMENTS)) {
        code = complain("at most %d panels and %d elements are possible; edit the model for more",
                        MOST_PANELS, MOST_ELEMENTS);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    char name[ANSWER + 8];
    (void)snprintf(name, sizeof name, "%s.yaml", kind->name);
    const char *path = output != NULL ? output : name;
    if (access(path, F_OK) == 0) {
        return complain("%s: already exists; choose another name with -o", plain(path));
    }
    code = check_output(path, "", NULL, "a model");
    if (code != EXIT_DONE) {
        return code;
    }
    gos_ctx *ctx = gos_ctx_create();
    code = ctx != NULL ? write_skeleton(ctx, kind, choice, path) : EXIT_FAILED;
    gos_ctx_destroy(ctx);
    return code;
}

int command_new(int argc, char **argv) {
    const char *output = NULL;
    skeleton_choice choice = {.panels = 2, .elements = 8};
    bool panels = false;
    text_list rest = {0};
    const option options[] = {{"-o", OPTION_TEXT, &output, NULL},
                              {"--panels", OPTION_COUNT, &choice.panels, &panels},
                              {"--elements", OPTION_COUNT, &choice.elements, NULL},
                              {0}};
    int code = parse_arguments("new", argc, argv, options, &rest, 0, 1);
    if (code < 0) {
        code = make(rest.n > 0 ? rest.v[0] : NULL, output, &choice, panels);
    }
    free_list(&rest);
    return code;
}
