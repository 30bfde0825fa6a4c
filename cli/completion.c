/* gossamer help --completion: a function of bash that completes commands, their options, types of entries and files. Written from the
 * commands' own help, so that it knows every option that is explained there. */
#include <string.h>

#include "cli.h"

/* length of the option that begins at s, behind `before`, or 0 */
static size_t option_length(char before, const char *s) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const size_t dashes = strspn(s, "-");
    if (strchr(" [,\n", before) == NULL || dashes < 1 || dashes > 2) {
        return 0;
    }
    const size_t n = strspn(s + dashes, letters);
    return n > 0 && (dashes == 2 || n == 1) ? dashes + n : 0;
}

/* all options that a help names, once each */
static void print_options(const char *help) {
    const char *seen[64];
    size_t length[64];
    int n = 0;
    for (const char *s = help + 1; *s != '\0'; s++) {
        const size_t now = option_length(s[-1], s);
        int i = 0;
        while (i < n && (length[i] != now || strncmp(seen[i], s, now) != 0)) {
            i++;
        }
        if (now > 0 && i == n && n < (int)(sizeof seen / sizeof seen[0])) {
            seen[n] = s;
            length[n++] = now;
            (void)printf("%s%.*s", n > 1 ? " " : "", (int)now, s);
        }
    }
}

static void print_types(void) {
    const char *name;
    for (int i = 0; (name = gos_type_name(i, NULL)) != NULL; i++) {
        (void)printf(" %s", name);
    }
}

int print_completion(const command_entry *command, int n) {
    (void)puts("_gossamer() {\n"
               "    local word=${COMP_WORDS[COMP_CWORD]} options=\n"
               "    COMPREPLY=()\n"
               "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    (void)fputs("        COMPREPLY=($(compgen -W '", stdout);
    for (int i = 0; i < n; i++) {
        (void)printf("%s ", command[i].name);
    }
    (void)puts("--version' -- \"$word\"))\n"
               "        return\n"
               "    fi\n"
               "    case ${COMP_WORDS[1]} in");
    for (int i = 0; i < n; i++) {
        (void)printf("    %s) options='", command[i].name);
        print_options(command[i].help);
        if (strcmp(command[i].name, "help") == 0) {
            for (int j = 0; j < n; j++) {
                (void)printf(" %s", command[j].name);
            }
            print_types();
        }
        (void)puts("' ;;");
    }
    (void)puts("    esac\n"
               "    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then\n"
               "        COMPREPLY=($(compgen -W \"$options --help\" -- \"$word\"))\n"
               "    fi\n"
               "}\n"
               "complete -o default -F _gossamer gossamer");
    return EXIT_DONE;
}
