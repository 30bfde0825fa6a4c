/* The pieces of a command's help, for man pages and shell completion. */
#ifndef GOS_CLI_HELP_TEXT_H
#define GOS_CLI_HELP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli.h"

typedef enum help_kind {
    HELP_USAGE, // "gossamer run MODEL.yaml ...", with its indented lines
    HELP_TEXT,  // a paragraph
    HELP_POINT, // indented by two blanks, without a name
    HELP_ITEM,  // indented by two blanks: a name (an option, mostly) and its explanation
    HELP_EXIT   // "Exit codes: ..."
} help_kind;

typedef struct help_piece {
    help_kind kind;
    const char *tag;        // of an item: its name
    int tag_length;         // [bytes]
    const char *text, *end; // lines as they stand in the help, with their indentation
} help_piece;

/** The next piece of a help; *at begins at the help and moves behind the piece. False at the
 * end. */
bool next_piece(const char **at, help_piece *p);
/** Length of the option that begins at s, behind the character `before`; 0 where none begins. */
size_t option_length(char before, const char *s);
/** Length of the argument behind an option in a usage line or a name, without the blank between
 * them; 0 for none. */
size_t argument_length(const char *option_end);

/** The man page of a command, or of the program with NULL, to stdout (manual.c). @return exit
 * code */
int print_manual(const command_entry *commands, int n, const command_entry *command);
/** Completion of all commands for bash, zsh or fish, to stdout (completion.c). @return exit code */
int print_completion(const command_entry *commands, int n, const char *shell);

#endif
