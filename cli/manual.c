/* gossamer help --man [COMMAND]: man pages in roff (man(7)), generated from the help texts. */
#include <ctype.h>
#include <string.h>

#include "help_text.h"

#ifndef GOS_RELEASE_DATE // of the newest version in CHANGELOG.md
#define GOS_RELEASE_DATE ""
#endif
static const char about[] =
    "dynamics of flexible multibody systems with heat transfer, full and reduced";

/* ---- roff ------------------------------------------------------------------------------------ */

/* Print one character of a text. A minus sign, or a dash to be copied, must be \- (ASCII); hyphens
 * between letters need not. @return length in roff */
static int put_char(char before, char c, char after) {
    static const char special[] = "\\'`^~";
    static const char *const name[] = {"\\e", "\\(aq", "\\(ga", "\\(ha", "\\(ti"};
    const char *found = c != '\0' ? strchr(special, c) : NULL;
    if (found != NULL) {
        return printf("%s", name[found - special]);
    }
    if (c == '-' && !(isalpha((unsigned char)before) && isalpha((unsigned char)after))) {
        return printf("\\-");
    }
    return printf("%c", c);
}

/* n characters in bold or italics; all dashes become \- */
static int put_font(char font, const char *s, size_t n) {
    int length = printf("\\f%c", font);
    for (size_t i = 0; i < n; i++) {
        length += put_char(' ', s[i], ' ');
    }
    return length + printf("\\fR");
}

static size_t placeholder_length(char before, const char *s) {
    if (!isupper((unsigned char)*s) || isalnum((unsigned char)before)) {
        return 0;
    }
    size_t n = 1;
    while (isalnum((unsigned char)s[n]) || s[n] == '_' ||
           (s[n] == '.' && isalnum((unsigned char)s[n + 1]))) {
        n++;
    }
    return n;
}

/* Print text with options in bold. Lines end at the first blank after `width` characters. `names`:
 * placeholders in italics, and no line breaks inside brackets. */
enum { PROSE = 56, SYNOPSIS = 44, ONE_LINE = 1000 };
static void put_text(const char *s, const char *end, int width, bool names) {
    char before = '\n';
    int depth = 0, column = 0;
    while (s < end) {
        if (column == 0) {
            s += strspn(s, " \n");
            column += printf("%s", *s == '.' || *s == '\'' ? "\\&" : "");
        }
        const size_t dashed = option_length(before, s);
        const size_t place = names ? placeholder_length(before, s) : 0;
        const size_t n = dashed > 0 ? dashed : place > 0 ? place : 1;
        const bool blank = *s == ' ' || *s == '\n';
        depth += (*s == '[') - (*s == ']');
        const char last = before;
        before = s[n - 1];
        if (dashed > 0 || place > 0) {
            column += put_font(dashed > 0 ? 'B' : 'I', s, n);
        } else if (names && depth > 0 && *s == ' ') {
            column += printf("\\ ");
        } else if (blank && column > width) {
            (void)puts(names && last == '.' ? "\\&" : ""); // \& prevents an end of sentence
            column = 0;
        } else if (blank) {
            s += strspn(s, " \n") - 1;
            column += printf(" ");
        } else {
            column += put_char(last, *s, s[1]);
        }
        s += n;
    }
    (void)putchar('\n');
}

static void put_title(const char *command) {
    (void)fputs(".\\\" Written by gossamer help --man from the help of the program.\n.TH GOSSAMER",
                stdout);
    if (command != NULL) {
        (void)fputs("\\-", stdout);
        for (const char *s = command; *s != '\0'; s++) {
            (void)putchar(toupper((unsigned char)*s));
        }
    }
    (void)puts(" 1 \"" GOS_RELEASE_DATE "\" \"gossamer " GOS_VERSION "\" \"Gossamer\"");
}

/* ---- a command ------------------------------------------------------------------------------- */

static void put_usage(const command_entry *c, const help_piece *p) {
    const size_t length = strlen("gossamer ") + strlen(c->name);
    (void)printf(".SY \"gossamer %s\"\n", c->name);
    if (p->text + length < p->end) {
        put_text(p->text + length + 1, p->end, SYNOPSIS, true);
    }
    (void)puts(".YS");
}

/* `before` is the kind of the piece before it, HELP_USAGE for the first one */
static void put_piece(const help_piece *p, help_kind before) {
    static const char *const heading[] = {[HELP_TEXT] = "DESCRIPTION",
                                          [HELP_POINT] = "DESCRIPTION",
                                          [HELP_ITEM] = "OPTIONS",
                                          [HELP_EXAMPLE] = "EXAMPLES\n.EX",
                                          [HELP_EXIT] = "EXIT STATUS"};
    const bool goes_on = p->kind == before || (p->kind == HELP_POINT && before == HELP_TEXT) ||
                         (p->kind == HELP_TEXT && before == HELP_POINT);
    if (!goes_on) {
        (void)printf("%s.SH %s\n", before == HELP_EXAMPLE ? ".EE\n" : "", heading[p->kind]);
    }
    if (p->kind == HELP_ITEM || p->kind == HELP_EXIT) {
        (void)puts(".TP");
        put_text(p->tag, p->tag + p->tag_length, ONE_LINE, true);
    } else if (p->kind == HELP_POINT) {
        (void)puts(".IP \\(bu 2");
    } else if (p->kind == HELP_TEXT && goes_on) {
        (void)puts(".PP");
    }
    put_text(p->text, p->end, p->kind == HELP_EXAMPLE ? ONE_LINE : PROSE, false);
}

static void put_neighbours(const command_entry *commands, int n, const command_entry *c) {
    (void)fputs(".SH SEE ALSO\n.BR gossamer (1)", stdout);
    for (int i = 0; i < n; i++) {
        char name[32];
        const int length = snprintf(name, sizeof name, "gossamer %s", commands[i].name);
        const char *found = &commands[i] != c ? strstr(c->help, name) : NULL;
        if (found != NULL && !isalpha((unsigned char)found[length])) {
            (void)printf(",\n.BR gossamer\\-%s (1)", commands[i].name);
        }
    }
    (void)putchar('\n');
}

static void put_command(const command_entry *commands, int n, const command_entry *c) {
    put_title(c->name);
    (void)printf(".SH NAME\ngossamer\\-%s \\- %s\n.SH SYNOPSIS\n", c->name, c->summary);
    const char *at = c->help;
    help_piece p = {0};
    help_kind before = HELP_USAGE;
    while (next_piece(&at, &p)) {
        if (p.kind == HELP_USAGE) {
            put_usage(c, &p);
        } else {
            put_piece(&p, before);
        }
        before = p.kind;
    }
    if (before == HELP_EXAMPLE) {
        (void)puts(".EE");
    }
    put_neighbours(commands, n, c);
}

/* ---- the program ----------------------------------------------------------------------------- */

static const char after_commands[] =
    ".SH OPTIONS\n"
    ".TP\n\\fB\\-\\-help\\fR, \\fB\\-h\\fR\nprint the help of the program or of the given command\n"
    ".TP\n\\fB\\-\\-limit\\fR \\fIN\\fR\nmaximum number of unknowns of a model (default 12 "
    "million);\naccepted by every command that reads models\n"
    ".TP\n\\fB\\-\\-version\\fR\nprint the versions of the program and its libraries\n"
    ".TP\n\\fB\\-\\-\\fR\nend of options; the remaining arguments are files\n"
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n"
    ".TP\n1\nthe computation failed, or something could not be written;\nresults written before "
    "the "
    "failure are kept\n"
    ".TP\n2\nincorrect usage or invalid input\n"
    ".TP\n3\ninterrupted; results and a checkpoint are kept\n"
    ".TP\n4\na comparison exceeded its tolerance\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B OPENBLAS_CORETYPE\nthe kernels of OpenBLAS to use; without it the program chooses "
    "them\n"
    ".TP\n.B GOSSAMER_MPIRUN\nthe command that starts MPI jobs for \\fB\\-\\-solver petsc\\fR\n"
    ".SH FILES\n"
    "The manual with tutorial, gallery and examples is in\n.I share/doc/gossamer\nof the "
    "installation.\n"
    ".SH EXAMPLES\n"
    ".EX\n"
    "gossamer new pendulum\n"
    "gossamer check pendulum.yaml\n"
    "gossamer run pendulum.yaml\n"
    "gossamer run pendulum.yaml \\-\\-reduced\n"
    "gossamer compare pendulum.full.h5 pendulum.reduced.h5\n"
    "gossamer report pendulum.full.h5 pendulum.reduced.h5\n"
    ".EE\n"
    ".SH SEE ALSO";

static void put_program(const command_entry *commands, int n) {
    put_title(NULL);
    (void)printf(
        ".SH NAME\ngossamer \\- %s\n"
        ".SH SYNOPSIS\n"
        ".SY gossamer\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR .\\|.\\|.]\n.YS\n"
        ".SY \"gossamer help\"\n[\\fICOMMAND\\fR\\ |\\ \\fITYPE\\fR\\ |\\ \\fIWORD\\fR\\ "
        "|\\ all]\n.YS\n"
        ".SY \"gossamer \\-\\-version\"\n.YS\n"
        ".SH DESCRIPTION\n"
        "Simulates multibody systems with rigid and flexible parts,\ncoupled to heat transfer, "
        "and builds reduced-order models with a\nmeasured error.\nModels are YAML files; results "
        "are "
        "HDF5 files.\n"
        "Each command has a page of its own, and\n.B gossamer help\n"
        "explains commands and every type, key and value of model files.\n"
        ".SH COMMANDS\n",
        about);
    for (int i = 0; i < n; i++) {
        (void)printf(".TP\n.BR gossamer\\-%s (1)\n", commands[i].name);
        put_text(commands[i].summary, commands[i].summary + strlen(commands[i].summary), PROSE,
                 false);
    }
    (void)puts(after_commands);
    for (int i = 0; i < n; i++) {
        (void)printf(".BR gossamer\\-%s (1)%s\n", commands[i].name, i + 1 < n ? "," : "");
    }
}

int print_manual(const command_entry *commands, int n, const command_entry *command) {
    if (command != NULL) {
        put_command(commands, n, command);
    } else {
        put_program(commands, n);
    }
    return EXIT_DONE;
}
