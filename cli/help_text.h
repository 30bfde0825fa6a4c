/* Pieces of a command's help, from which man pages and shell completion are generated. */
#ifndef GOS_CLI_HELP_TEXT_H
#define GOS_CLI_HELP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli.h"

typedef enum help_kind {
    HELP_TEXT,    // a paragraph
    HELP_POINT,   // a list entry of the description
    HELP_USAGE,   // below "Usage:": "gossamer run MODEL.yaml ...", with its continuation lines
    HELP_ITEM,    // below "Options:": an option or argument and its explanation
    HELP_EXAMPLE, // below "Examples:": a command line
    HELP_EXIT     // below "Exit codes:": a code and its meaning
} help_kind;

typedef struct help_piece {
    help_kind kind;
    help_kind section;      // of the last heading; HELP_TEXT before the first one
    const char *tag;        // of an item or exit code: its name
    int tag_length;         // [bytes]
    const char *text, *end; // lines as in the help, with their indentation
} help_piece;

/** The next piece of a help without its first line (command_entry.help). Start with *at = help and
 * *p zeroed; each call moves *at behind the piece. @return false at the end */
bool next_piece(const char **at, help_piece *p);
/** Length of the option that begins at s, after the character `before`; 0 for none. */
size_t option_length(char before, const char *s);
/** Length of the argument that follows an option in a usage line or tag, without the separating
 * blank; 0 for none. */
size_t argument_length(const char *option_end);

/** Print the man page of a command, or of the program for NULL (manual.c). @return exit code */
int print_manual(const command_entry *commands, int n, const command_entry *command);
/** Print the completion script for bash, zsh or fish (completion.c). @return exit code */
int print_completion(const command_entry *commands, int n, const char *shell);

#endif
