/* gossamer help: the list of commands, the help of a command, and the reference of model files.
 * The texts are in cli/help/COMMAND.txt; cmake/embed-help.cmake embeds them. */
#include <string.h>

#include "help_text.h"

// in the order of the overview
#define COMMANDS(X)                                                                                \
    X(new)                                                                                         \
    X(run)                                                                                         \
    X(reduce)                                                                                      \
    X(check)                                                                                       \
    X(mesh)                                                                                        \
    X(modes)                                                                                       \
    X(design)                                                                                      \
    X(response)                                                                                    \
    X(jitter)                                                                                      \
    X(correlate)                                                                                   \
    X(export)                                                                                      \
    X(compare)                                                                                     \
    X(probe)                                                                                       \
    X(info)                                                                                        \
    X(picture)                                                                                     \
    X(report)                                                                                      \
    X(view)                                                                                        \
    X(sweep)                                                                                       \
    X(help)

#define DECLARE(name) extern const char summary_##name[], help_##name[];
COMMANDS(DECLARE)

#define ENTRY(name) {#name, command_##name, summary_##name, help_##name},
static const command_entry commands[] = {COMMANDS(ENTRY)};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

const command_entry *find_command(const char *name) {
    for (int i = 0; i < NCOMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

void print_help(const char *name) {
    const command_entry *c = name != NULL ? find_command(name) : NULL;
    if (c != NULL) {
        (void)printf("%s\n%s", c->summary, c->help);
        return;
    }
    (void)puts("gossamer: dynamics of flexible multibody systems with heat transfer, full and "
               "reduced\n");
    for (int i = 0; i < NCOMMANDS; i++) {
        (void)printf("  gossamer %-9s %s\n", commands[i].name, commands[i].summary);
    }
    (void)puts(
        "  gossamer --version\n\n"
        "gossamer COMMAND --help explains a command, gossamer help TYPE a type of model entry.");
}

static int unknown_command(const char *word) {
    const char *names[NCOMMANDS];
    for (int i = 0; i < NCOMMANDS; i++) {
        names[i] = commands[i].name;
    }
    const char *hint = suggest(word, names, NCOMMANDS);
    if (hint != NULL) {
        return complain("unknown command '%s'; did you mean '%s'?", word, hint);
    }
    return complain("unknown command '%s'; see gossamer help", word);
}

static int print_schema(void) {
    gos_ctx *ctx = gos_ctx_create();
    if (ctx == NULL) {
        return EXIT_FAILED;
    }
    const int code = exit_code(gos_schema(ctx, stdout), false);
    show_messages(ctx, 0);
    gos_ctx_destroy(ctx);
    return code;
}

static int print_page(const char *name) {
    const command_entry *c = name != NULL ? find_command(name) : NULL;
    if (name != NULL && c == NULL) {
        return unknown_command(name);
    }
    return print_manual(commands, NCOMMANDS, c);
}

/* argc < 0: argv[0] is an unknown command. */
int command_help(int argc, char **argv) {
    if (argc < 0) {
        return unknown_command(argv[0]);
    }
    bool schema = false, completion = false, man = false;
    const option options[] = {{"--schema", OPTION_FLAG, &schema, NULL},
                              {"--completion", OPTION_FLAG, &completion, NULL},
                              {"--man", OPTION_FLAG, &man, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("help", argc, argv, options, &rest, 0, 1);
    const char *word = rest.n > 0 ? rest.v[0] : NULL;
    free_list(&rest);
    if (code >= 0 || schema || completion || man) {
        return code >= 0 ? code
               : schema  ? print_schema()
               : man     ? print_page(word)
                         : print_completion(commands, NCOMMANDS, word != NULL ? word : "bash");
    }
    const bool command = word == NULL || find_command(word) != NULL;
    if (command) {
        print_help(word);
    }
    gos_ctx *ctx = word != NULL ? gos_ctx_create() : NULL;
    if (ctx == NULL) {
        return word == NULL ? EXIT_DONE : EXIT_FAILED;
    }
    code = exit_code(gos_help(ctx, strcmp(word, "all") == 0 ? NULL : word, stdout), false);
    if (command) { // a few names, such as modes, are both a command and a type
        gos_ctx_destroy(ctx);
        return EXIT_DONE;
    }
    show_messages(ctx, 0);
    gos_ctx_destroy(ctx);
    return code;
}
