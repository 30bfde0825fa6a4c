#include "models/c_names.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* words of C99 and C++ */
static bool is_keyword(const char *word) {
    static const char list[] =
        " alignas alignof and asm auto bitand bitor bool break case catch char class compl const "
        "constexpr continue decltype default delete do double else enum explicit export extern "
        "false float for friend goto if inline int long mutable namespace new noexcept not "
        "nullptr operator or private protected public register restrict return short signed sizeof "
        "static struct switch template this throw true try typedef typeid typename union unsigned "
        "using virtual void volatile wchar_t while xor ";
    char spaced[GOS_C_MEMBER + 2];
    (void)snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(list, spaced) != NULL;
}

/* letters, digits and _; begins with a letter */
static void identifier(const char *from, size_t n, char *to, size_t size) {
    size_t k = 0;
    for (size_t i = 0; i < n && k + 2 < size; i++) {
        const bool good = is_letter(from[i]) || is_digit(from[i]);
        if (k == 0 && (!is_letter(from[i]) || from[i] == '_')) {
            to[k++] = 'x'; // leading _ and digits are reserved
        }
        if (good) {
            to[k++] = from[i];
        } else if (to[k - 1] != '_' && i + 1 < n) {
            to[k++] = '_';
        }
    }
    to[k] = '\0';
    if (k == 0 || is_keyword(to)) {
        (void)strcpy(to + k, k == 0 ? "x" : "_");
    }
}

gos_status gos__c_identifier(gos_ctx *ctx, const char *given, const char *folder,
                             char name[GOS_C_NAME], char upper[GOS_C_NAME]) {
    if (given) {
        identifier(given, strlen(given), name, GOS_C_NAME);
        if (strcmp(name, given) != 0) {
            return gos__fail(ctx, GOS_E_USE,
                             "'%s' is not a name for C source: letters, digits and _, at most %d "
                             "characters, beginning with a letter",
                             given, GOS_C_NAME - 2);
        }
    } else {
        size_t n = strlen(folder);
        while (n > 1 && folder[n - 1] == '/') {
            n--;
        }
        size_t begin = n;
        while (begin > 0 && folder[begin - 1] != '/') {
            begin--;
        }
        const size_t point = strcspn(folder + begin, ".");
        identifier(folder + begin, point < n - begin ? point : n - begin, name, GOS_C_NAME);
    }
    for (int i = 0; i < GOS_C_NAME; i++) {
        upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    }
    return GOS_OK;
}

static bool is_taken(const gos_c_name *name, int n, const char *text) {
    for (int i = 0; i < n; i++) {
        if (strcmp(name[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

void gos__c_names(int n, const gos_port *port, gos_c_name *name) {
    for (int i = 0; i < n; i++) {
        char first[GOS_C_MEMBER - 12];
        identifier(port[i].name, strlen(port[i].name), first, sizeof first);
        (void)strcpy(name[i].text, first);
        for (int k = 2; is_taken(name, i, name[i].text); k++) {
            (void)snprintf(name[i].text, sizeof name[i].text, "%s_%d", first, k);
        }
    }
}

void gos__c_number(double value, char text[40]) {
    gos__format(text, 36, "%.17g", value);
    if (strpbrk(text, ".e") == NULL) {
        (void)strcat(text, ".0");
    }
}

void gos__c_comment(const char *from, char *text, size_t size) {
    size_t k = 0;
    for (; from[k] != '\0' && k + 1 < size; k++) {
        const bool good = from[k] >= ' ' && from[k] <= '~' && strchr("*\\?", from[k]) == NULL;
        text[k] = good ? from[k] : '.';
    }
    text[k] = '\0';
}
