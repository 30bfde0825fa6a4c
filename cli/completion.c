/* gossamer help --completion [SHELL]: completion of commands, options, choices, entry types and
 * files for bash, zsh and fish. Generated from the help of the commands, so that every documented
 * option is completed. */
#include <ctype.h>
#include <string.h>

#include "help_text.h"

enum { MAX_OPTIONS = 48, MAX_CHOICES = 96, MAX_ABOUT = 84 };

/* an option of a command, parsed from its help */
typedef struct shell_option {
    const char *name, *argument; // not terminated; argument NULL: a flag
    int length, argument_length; // [bytes]
    bool repeats;
    char choices[MAX_CHOICES]; // permitted words, separated by blanks
    char about[MAX_ABOUT];
} shell_option;

typedef struct shell_command {
    shell_option option[MAX_OPTIONS];
    int n;
} shell_command;

/* ---- reading the help ------------------------------------------------------------------------ */

static shell_option *option_named(shell_command *c, const char *name, size_t length) {
    for (int i = 0; i < c->n; i++) {
        if ((size_t)c->option[i].length == length &&
            strncmp(c->option[i].name, name, length) == 0) {
            return &c->option[i];
        }
    }
    if (c->n == MAX_OPTIONS) {
        return NULL;
    }
    shell_option *o = &c->option[c->n++];
    *o = (shell_option){.name = name, .length = (int)length};
    return o;
}

static bool is_listed(const char *words, const char *word, size_t n) {
    for (const char *at = words; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, word, n) == 0) {
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

/* "h5|mtx|mat" adds three words; placeholders (capital first letter) add none. */
static void add_choices(shell_option *o, const char *argument, size_t n) {
    for (size_t i = 0; i < n && !isupper((unsigned char)*argument); i++) {
        const size_t length = strcspn(argument + i, "| ]\n,"), used = strlen(o->choices);
        if (!is_listed(o->choices, argument + i, length) && used + length + 2 < MAX_CHOICES) {
            (void)snprintf(o->choices + used, MAX_CHOICES - used, "%s%.*s", used > 0 ? " " : "",
                           (int)length, argument + i);
        }
        i += length;
    }
}

/* Parse all options and their arguments from a usage line or an item tag. */
static void read_options(shell_command *c, const char *s, const char *end, const char *about) {
    for (char before = '\n'; s < end; before = *s++) {
        const size_t length = option_length(before, s);
        shell_option *o = length > 0 ? option_named(c, s, length) : NULL;
        if (o == NULL) {
            continue;
        }
        const size_t n = s + length < end ? argument_length(s + length) : 0;
        if (n > 0) {
            const char *argument = s + length + 1;
            const char *after = argument + n;
            o->repeats = o->repeats || strncmp(after + (*after == ']'), "...", 3) == 0 ||
                         strncmp(after - 3, "...", 3) == 0;
            add_choices(o, argument, n);
            if (o->argument == NULL) {
                o->argument = argument;
                o->argument_length = (int)n;
            }
        }
        const bool whole =
            n == 0 || isupper((unsigned char)s[length + 1]) ||
            memchr(s + length + 1, '|', n) != NULL; // else `about` describes one choice
        if (about != NULL && whole && o->about[0] == '\0') {
            (void)snprintf(o->about, MAX_ABOUT, "%s", about);
        }
    }
}

static bool ends_clause(const char *s, int n) {
    const bool blank = *s == ' ' || *s == '\n';
    return *s == ';' || (blank && (s[1] == '(' || s[-1] == '.' || (s[-1] == ':' && n > 20)));
}

static void first_clause(const char *s, const char *end, char about[MAX_ABOUT]) {
    int n = 0, last_word = 0;
    for (; s < end && n < MAX_ABOUT - 4 && !ends_clause(s, n); s++) {
        const bool blank = *s == ' ' || *s == '\n';
        if (blank && n > 0 && about[n - 1] == ' ') {
            continue;
        }
        last_word = blank ? n : last_word;
        about[n++] = blank ? ' ' : *s;
    }
    const bool cut = n == MAX_ABOUT - 4;
    n = cut ? last_word : n;
    while (n > 0 && strchr(" .:,", about[n - 1]) != NULL) {
        n--;
    }
    (void)snprintf(about + n, MAX_ABOUT - (size_t)n, "%s", cut ? "..." : "");
}

static void read_command(const char *help, shell_command *c) {
    c->n = 0;
    help_piece p = {0};
    for (const char *at = help; next_piece(&at, &p);) {
        if (p.kind == HELP_USAGE) {
            read_options(c, p.text, p.end, NULL);
        } else if (p.kind == HELP_ITEM) {
            char about[MAX_ABOUT];
            first_clause(p.text, p.end, about);
            read_options(c, p.tag, p.tag + p.tag_length, about);
        }
    }
    for (int i = 0; i < c->n; i++) {
        shell_option *o = &c->option[i];
        if (o->about[0] == '\0' && o->choices[0] != '\0') {
            char words[MAX_CHOICES]; // copy: gcc warns of overlapping members of one struct
            memcpy(words, o->choices, sizeof words);
            (void)snprintf(o->about, MAX_ABOUT, "one of: %.70s", words);
        }
    }
    shell_option *help_option = option_named(c, "--help", strlen("--help"));
    if (help_option != NULL) {
        (void)snprintf(help_option->about, MAX_ABOUT, "print the help of the command");
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static void print_words(const command_entry *commands, int n) {
    for (int i = 0; i < n; i++) {
        (void)printf("%s%s", i > 0 ? " " : "", commands[i].name);
    }
}

static bool is_type(const char *word) {
    const char *name;
    for (int i = 0; (name = gos_type_name(i, NULL)) != NULL; i++) {
        if (strcmp(name, word) == 0) {
            return true;
        }
    }
    return false;
}

/* values of keys that have a meaning of their own: quantities of probes */
static void print_values(void) {
    gos_type_info type;
    gos_param_info key;
    gos_value_info value;
    for (int i = 0; gos_type_get(i, &type); i++) {
        for (int k = 0; gos_type_param(i, k, &key); k++) {
            for (int j = 0; gos_type_value(i, k, j, &value) && *value.doc != '\0'; j++) {
                if (!is_type(value.name)) {
                    (void)printf(" %s", value.name);
                }
            }
        }
    }
}

static void print_types(void) {
    const char *name;
    for (int i = 0; (name = gos_type_name(i, NULL)) != NULL; i++) {
        (void)printf(" %s", name);
    }
    print_values();
}

/* Print up to n characters for use inside single quotes: a backslash before characters in
 * `escaped`, `quote` instead of a single quote. */
static void print_quoted(const char *s, size_t n, const char *escaped, const char *quote) {
    for (size_t i = 0; i < n && s[i] != '\0'; i++) {
        if (s[i] == '\'') {
            (void)fputs(quote, stdout);
        } else {
            (void)printf("%s%c", strchr(escaped, s[i]) != NULL ? "\\" : "", s[i]);
        }
    }
}

static bool takes_files(const shell_option *o) {
    static const char *const suffixes[] = {".h5",  ".csv", ".html", ".yaml", ".svg",
                                           ".vtu", "FILE", "OUT",   "DIR"};
    for (size_t i = 0; o->argument != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const char *found = strstr(o->argument, suffixes[i]);
        if (found != NULL && found < o->argument + o->argument_length) {
            return true;
        }
    }
    return false;
}

static void bash_choices(const command_entry *commands, int n, shell_command *c) {
    (void)puts("    case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}\" in");
    for (int i = 0; i < n; i++) {
        read_command(commands[i].help, c);
        for (int j = 0; j < c->n; j++) {
            const shell_option *o = &c->option[j];
            if (o->choices[0] != '\0') {
                (void)printf(
                    "    '%s %.*s') COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
                    commands[i].name, o->length, o->name, o->choices);
            }
        }
    }
    (void)puts("    esac");
}

static void print_bash(const command_entry *commands, int n, shell_command *c) {
    (void)puts("# bash completion of gossamer, written by gossamer help --completion bash\n"
               "_gossamer() {\n"
               "    local word=${COMP_WORDS[COMP_CWORD]} options=\n"
               "    COMPREPLY=()\n"
               "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    (void)fputs("        COMPREPLY=($(compgen -W '", stdout);
    print_words(commands, n);
    (void)puts(" --version --help' -- \"$word\"))\n"
               "        return\n"
               "    fi");
    bash_choices(commands, n, c);
    (void)puts("    case ${COMP_WORDS[1]} in");
    for (int i = 0; i < n; i++) {
        read_command(commands[i].help, c);
        (void)printf("    %s) options='", commands[i].name);
        for (int j = 0; j < c->n; j++) {
            (void)printf("%s%.*s", j > 0 ? " " : "", c->option[j].length, c->option[j].name);
        }
        if (strcmp(commands[i].name, "help") == 0) {
            (void)fputs(" all ", stdout);
            print_words(commands, n);
            print_types();
        }
        (void)puts("' ;;");
    }
    (void)puts("    esac\n"
               "    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then\n"
               "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
               "    fi\n"
               "}\n"
               "complete -o default -F _gossamer gossamer");
}

static void zsh_option(const shell_option *o) {
    (void)printf(" \\\n            '%s%.*s[", o->repeats ? "*" : "", o->length, o->name);
    print_quoted(o->about, MAX_ABOUT, "[]:\\", "'\\''");
    (void)putchar(']');
    if (o->argument != NULL) {
        (void)putchar(':');
        print_quoted(o->argument, (size_t)o->argument_length, "[]:\\", "'\\''");
        if (o->choices[0] != '\0') {
            (void)printf(":(%s)", o->choices);
        } else {
            (void)fputs(takes_files(o) ? ":_files" : ": ", stdout);
        }
    }
    (void)putchar('\'');
}

static void print_zsh(const command_entry *commands, int n, shell_command *c) {
    (void)puts("#compdef gossamer\n"
               "# zsh completion of gossamer, written by gossamer help --completion zsh\n"
               "_gossamer() {\n"
               "    local -a commands\n"
               "    commands=(");
    for (int i = 0; i < n; i++) {
        (void)printf("        '%s:", commands[i].name);
        print_quoted(commands[i].summary, strlen(commands[i].summary), "", "'\\''");
        (void)puts("'");
    }
    (void)puts("        '--version:print the versions of the program and its libraries'\n"
               "    )\n"
               "    if (( CURRENT == 2 )); then\n"
               "        _describe -t commands command commands\n"
               "        return\n"
               "    fi\n"
               "    shift words\n"
               "    (( CURRENT-- ))\n"
               "    case $words[1] in");
    for (int i = 0; i < n; i++) {
        read_command(commands[i].help, c);
        (void)printf("    %s)\n        _arguments -S", commands[i].name);
        for (int j = 0; j < c->n; j++) {
            zsh_option(&c->option[j]);
        }
        if (strcmp(commands[i].name, "help") == 0) {
            (void)fputs(" \\\n            ':word:(all ", stdout);
            print_words(commands, n);
            print_types();
            (void)puts(")' ;;");
        } else {
            (void)puts(" \\\n            '*:file:_files' ;;");
        }
    }
    (void)puts("    esac\n"
               "}\n"
               "# autoloaded as a file, or evaluated\n"
               "if [ \"$funcstack[1]\" = _gossamer ]; then\n"
               "    _gossamer \"$@\"\n"
               "else\n"
               "    compdef _gossamer gossamer\n"
               "fi");
}

static void fish_option(const char *command, const shell_option *o) {
    const int dashes = o->name[1] == '-' ? 2 : 1;
    (void)printf("complete -c gossamer -n '__fish_seen_subcommand_from %s' %s %.*s", command,
                 dashes == 2 ? "-l" : "-s", o->length - dashes, o->name + dashes);
    if (o->choices[0] != '\0') {
        (void)printf(" -x -a '%s'", o->choices);
    } else if (o->argument != NULL) {
        (void)fputs(takes_files(o) ? " -r -F" : " -x", stdout);
    }
    if (o->about[0] != '\0') {
        (void)fputs(" -d '", stdout);
        print_quoted(o->about, MAX_ABOUT, "\\", "\\'");
        (void)putchar('\'');
    }
    (void)putchar('\n');
}

static void print_fish(const command_entry *commands, int n, shell_command *c) {
    (void)puts("# fish completion of gossamer, written by gossamer help --completion fish\n"
               "complete -c gossamer -n __fish_use_subcommand -f -l version -d 'print the versions "
               "of the program and its libraries'\n"
               "complete -c gossamer -n __fish_use_subcommand -f -l help -s h -d 'print the list "
               "of commands'");
    for (int i = 0; i < n; i++) {
        (void)printf("complete -c gossamer -n __fish_use_subcommand -f -a %s -d '",
                     commands[i].name);
        print_quoted(commands[i].summary, strlen(commands[i].summary), "\\", "\\'");
        (void)puts("'");
        read_command(commands[i].help, c);
        for (int j = 0; j < c->n; j++) {
            fish_option(commands[i].name, &c->option[j]);
        }
    }
    (void)fputs("complete -c gossamer -n '__fish_seen_subcommand_from help' -f -a 'all ", stdout);
    print_words(commands, n);
    print_types();
    (void)puts("'");
}

int print_completion(const command_entry *commands, int n, const char *shell) {
    static const char *const shells[] = {"bash", "zsh", "fish"};
    static shell_command c;
    if (strcmp(shell, "bash") == 0) {
        print_bash(commands, n, &c);
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh(commands, n, &c);
    } else if (strcmp(shell, "fish") == 0) {
        print_fish(commands, n, &c);
    } else {
        const char *hint = suggest(shell, shells, 3);
        return complain("help: completion is written for bash, zsh and fish, not for '%s'%s%s%s",
                        shell, hint != NULL ? "; did you mean '" : "", hint != NULL ? hint : "",
                        hint != NULL ? "'?" : "");
    }
    return EXIT_DONE;
}
