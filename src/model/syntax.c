/* Expressions as tokens: split, checked and marked for rewriting, before the evaluator sees them.
 *
 * Everything that can be wrong with an expression is found here, with its column and a remedy, so
 * the evaluator (which reports neither well) only gets correct text. The check is one pass over the
 * tokens with explicit stacks: no recursion, whatever the input.
 *
 * Grammar, from loose to tight:  a ? b : c;  ||;  &&;  < > <= >= == !=;  + -;  * /;  sign;  ^ (from
 * the right). Comparisons do not chain. */
#include "model/private.h"

#include <math.h>
#include <strings.h>

/* an open parenthesis, or the whole expression */
typedef struct group {
    int open;                     // its token, -1 for the whole expression
    const gos_function *function; // whose arguments it holds, or NULL
    int nargument;
    int start;     // first token since ( , ? :
    int side;      // first token since ( , ? : && ||
    int compare;   // comparison since then, or -1
    int condition; // height of the stack of conditions at its beginning
} group;

typedef enum branch { AWAITS_COLON, AFTER_COLON } branch;

typedef struct check {
    gos_model *m;
    const char *text;
    gos_loc loc;
    const char *object;
    const gos_scope *scope;
    gos_syntax *out;
    int cap;
    group group[GOS_LIMIT_PARENTHESES + 1];
    int ngroup;
    branch condition[GOS_LIMIT_PARENTHESES]; // open conditions, of all groups
    int ncondition;
    bool want_value; // a value must come next, not an operator
} check;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int name_length(const char *s) {
    int n = 0;
    while (is_letter(s[n]) || (n > 0 && is_digit(s[n]))) {
        n++;
    }
    return n;
}

static bool same_name(const char *s, int n, const char *name) {
    return strncmp(s, name, n) == 0 && name[n] == '\0';
}

/* ---- errors ---------------------------------------------------------------------------------- */

static gos_status wrong(const check *c, int pos, const char *fmt, ...) GOS_PRINTF(3, 4);

static gos_status wrong(const check *c, int pos, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof(text), fmt, args);
    va_end(args);
    gos_loc loc = c->loc;
    loc.col += loc.col > 0 ? pos : 0;
    // long expressions are not repeated, the column says enough
    if (strlen(c->text) > 80) {
        return gos__fail_at(c->m->ctx, GOS_E_INPUT, loc, c->object, "%s", text);
    }
    return gos__fail_at(c->m->ctx, GOS_E_INPUT, loc, c->object, "%s, in '%s'", text, c->text);
}

static const gos_function *find_function(const char *s, int n) {
    int count;
    const gos_function *f = gos__functions(&count);
    for (int i = 0; i < count; i++) {
        if (same_name(s, n, f[i].name)) {
            return &f[i];
        }
    }
    return NULL;
}

static gos_status unknown_function(const check *c, int pos, int n) {
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof(word), "%.*s", n, c->text + pos);
    int count;
    const gos_function *f = gos__functions(&count);
    const char *names[64];
    int nname = 0;
    for (int i = 0; i < count && i < GOS_COUNT(names); i++) {
        names[nname++] = f[i].name;
    }
    if (gos__parameter_get(c->m, word, (int)strlen(word)) != NULL || same_name("t", 1, word)) {
        return wrong(c, pos, "'%s' is not a function; to multiply write %s*(...)", word, word);
    }
    const char *near = gos__suggest(word, names, nname);
    if (near != NULL) {
        return wrong(c, pos, "unknown function '%s'; did you mean '%s'?", word, near);
    }
    return wrong(c, pos, "unknown function '%s'", word);
}

/* nan, inf and .inf, which YAML knows as numbers: its length, else 0 */
static int no_number_length(const char *s) {
    static const char *const words[] = {"nan", "infinity", "inf"};
    const int dot = s[0] == '.';
    const int n = name_length(s + dot);
    for (int i = 0; i < GOS_COUNT(words); i++) {
        if (n == (int)strlen(words[i]) && strncasecmp(s + dot, words[i], n) == 0) {
            return dot + n;
        }
    }
    return 0;
}

/* is there a probe of this name */
static bool find_probe(const check *c, const char *word) {
    const gos_node *probes = gos__node_get(c->m->root, "probes");
    return probes != NULL && probes->kind == GOS_MAP && gos__node_get(probes, word) != NULL;
}

static gos_status unknown_name(const check *c, int pos, int n) {
    if (find_function(c->text + pos, n) != NULL) {
        return wrong(c, pos, "function '%.*s' needs its arguments in parentheses", n,
                     c->text + pos);
    }
    if (same_name(c->text + pos, n, "t")) {
        return wrong(c, pos, "the time t cannot be used here, this value must not change");
    }
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof(word), "%.*s", n, c->text + pos);
    static const char *const others[] = {"pi", "e", "t"};
    if (find_probe(c, word)) {
        return wrong(c, pos, "probe '%s' cannot be used here; %s", word,
                     c->scope->time ? "amounts of force, moment, edge_moment, input and heat_flow "
                                      "may depend on probes, this value depends on time alone"
                                    : "this value must not change");
    }
    const gos_node *parameters = gos__node_get(c->m->root, "parameters");
    const char *near = gos__node_suggest(c->m->ctx, parameters, others, 2 + c->scope->time, word);
    if (near == NULL && c->scope->probes) {
        near = gos__node_suggest(c->m->ctx, gos__node_get(c->m->root, "probes"), NULL, 0, word);
    }
    if (near != NULL) {
        return wrong(c, pos, "unknown name '%s'; did you mean '%s'?", word, near);
    }
    if (no_number_length(word) > 0) {
        return wrong(c, pos, "unknown name '%s'; give a finite number", word);
    }
    return wrong(c, pos, "unknown name '%s'; declare it under 'parameters:'%s", word,
                 c->scope->probes ? " or 'probes:'" : "");
}

/* characters that are no part of any expression, and what was perhaps meant */
static gos_status wrong_character(const check *c, int pos) {
    const char ch = c->text[pos];
    const int n = no_number_length(c->text + pos);
    if (n > 0) {
        return wrong(c, pos, "'%.*s' is not a finite number; give one", n, c->text + pos);
    }
    switch (ch) {
    case '=':
        return wrong(c, pos, "a single '=' is not allowed; write == to compare");
    case '&':
        return wrong(c, pos, "write && for 'and'");
    case '|':
        return wrong(c, pos, "write || for 'or'");
    case '!':
        return wrong(c, pos, "write (...) == 0 for 'not'");
    case '%':
        return wrong(c, pos, "write mod(a, b) for the remainder, or divide by 100");
    case '"':
    case '\'':
        return wrong(c, pos, "quotes are not allowed in an expression");
    case '[':
    case '{':
        return wrong(c, pos, "use round parentheses");
    default:
        break;
    }
    if (ch > 0x20 && ch < 0x7f) {
        return wrong(c, pos, "'%c' is not allowed in an expression", ch);
    }
    return wrong(c, pos, "a character is not allowed in an expression");
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static gos_status add_token(check *c, gos_token_kind kind, int pos, int len) {
    gos_syntax *s = c->out;
    void *array = s->token;
    GOS_TRY(gos__grow(c->m->ctx, &array, &c->cap, s->ntoken + 1, sizeof(*s->token)));
    s->token = array;
    s->token[s->ntoken] = (gos_token){.kind = kind, .pos = pos, .len = len};
    s->ntoken++;
    return GOS_OK;
}

static gos_token *last_token(const check *c) {
    return &c->out->token[c->out->ntoken - 1];
}

static gos_status open_group(check *c, int pos, const gos_function *function) {
    if (c->ngroup > GOS_LIMIT_PARENTHESES) {
        return wrong(c, pos, "more than %d nested parentheses; use parameters for parts of it",
                     GOS_LIMIT_PARENTHESES);
    }
    const int n = c->out->ntoken;
    c->group[c->ngroup++] = (group){n - 1, function, 1, n, n, -1, c->ncondition};
    c->want_value = true;
    return GOS_OK;
}

/* a comparison ends before the next token */
static void end_side(check *c) {
    group *g = &c->group[c->ngroup - 1];
    gos_syntax *s = c->out;
    if (g->compare >= 0) {
        s->token[g->side].compare = g->compare;
        last_token(c)->nclose++;
        g->compare = -1;
    }
}

/* conditions that are complete end before the next token */
static void end_conditions(check *c) {
    const group *g = &c->group[c->ngroup - 1];
    while (c->ncondition > g->condition && c->condition[c->ncondition - 1] == AFTER_COLON) {
        last_token(c)->nclose++;
        c->ncondition--;
    }
}

static gos_status end_argument(check *c, int pos) {
    end_side(c);
    end_conditions(c);
    if (c->ncondition > c->group[c->ngroup - 1].condition) {
        return wrong(c, pos, "a '?' has no ':'; write condition ? value : value");
    }
    return GOS_OK;
}

static void begin_side(check *c, bool whole) {
    group *g = &c->group[c->ngroup - 1];
    g->side = c->out->ntoken;
    g->start = whole ? g->side : g->start;
    c->want_value = true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static gos_status take_number(check *c, int pos, int len) {
    double value;
    if (!gos__number_parse(c->text + pos, len, &value) || !isfinite(value)) {
        return wrong(c, pos, "the number is too large; give a smaller one");
    }
    c->want_value = false;
    return add_token(c, GOS_T_NUMBER, pos, len);
}

static gos_status take_function(check *c, int pos, int len) {
    const gos_function *f = find_function(c->text + pos, len);
    if (f == NULL) {
        return unknown_function(c, pos, len);
    }
    GOS_TRY(add_token(c, GOS_T_FUNCTION, pos, len));
    last_token(c)->function = f;
    return GOS_OK;
}

/* length of the name of a variable at pos, whose first word has `len` characters; 0: it is none */
static int variable_length(const check *c, int pos, int len) {
    const char *s = c->text + pos;
    if (c->scope->variable != NULL && same_name(s, len, c->scope->variable)) {
        return len;
    }
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof(word), "%.*s", len, s);
    if (!c->scope->probes || len > GOS_LIMIT_NAME || !find_probe(c, word)) {
        return 0;
    }
    const int component = s[len] == '.' ? name_length(s + len + 1) : 0;
    return len + (component > 0 ? 1 + component : 0);
}

static gos_status take_variable(check *c, int pos, int len) {
    gos_syntax *s = c->out;
    int k = 0;
    while (k < s->nvariable && !(s->variable[k][1] == len &&
                                 strncmp(c->text + s->variable[k][0], c->text + pos, len) == 0)) {
        k++;
    }
    if (k == GOS_LIMIT_VARIABLES) {
        return wrong(c, pos, "an expression uses at most %d probes; make a sum of several entries",
                     GOS_LIMIT_VARIABLES);
    }
    if (k == s->nvariable) {
        s->variable[k][0] = pos;
        s->variable[k][1] = len;
        s->nvariable++;
    }
    GOS_TRY(add_token(c, GOS_T_NAME, pos, len));
    last_token(c)->variable = k + 1;
    c->want_value = false;
    return GOS_OK;
}

/* *taken: length of its first word; longer where the name has a component */
static gos_status take_name(check *c, int pos, int *taken) {
    const int len = *taken;
    double value = 0.0;
    const bool is_time = c->scope->time && same_name(c->text + pos, len, "t");
    if (!is_time && gos__parameter_get(c->m, c->text + pos, len) == NULL) {
        const int whole = variable_length(c, pos, len);
        if (whole > 0) {
            *taken = whole;
            return take_variable(c, pos, whole);
        }
    }
    if (!is_time && !gos__constant(c->text + pos, len, &value)) {
        const gos_parameter *p = gos__parameter_get(c->m, c->text + pos, len);
        if (p == NULL) {
            return unknown_name(c, pos, len);
        }
        if (!isfinite(p->value)) {
            return GOS_E_INPUT; // what is wrong with the parameter has been said
        }
        value = p->value;
    }
    GOS_TRY(add_token(c, GOS_T_NAME, pos, len));
    last_token(c)->value = value;
    last_token(c)->is_time = is_time;
    c->out->uses_t |= is_time;
    c->want_value = false;
    return GOS_OK;
}

/* signs in a row become one */
static gos_status take_sign(check *c, int pos) {
    gos_token *last = c->out->ntoken > 0 ? last_token(c) : NULL;
    if (last != NULL && last->kind == GOS_T_SIGN) {
        last->value = c->text[pos] == '-' ? -last->value : last->value;
        return GOS_OK;
    }
    GOS_TRY(add_token(c, GOS_T_SIGN, pos, 1));
    last_token(c)->value = c->text[pos] == '-' ? -1.0 : 1.0;
    return GOS_OK;
}

static gos_status missing_value(const check *c, int pos) {
    const group *g = &c->group[c->ngroup - 1];
    const char ch = c->text[pos];
    if (ch == ')' && g->function != NULL && g->open == c->out->ntoken - 1) {
        return wrong(c, pos, "function '%s' needs an argument", g->function->name);
    }
    if (ch == '\0') {
        return c->out->ntoken == 0 ? wrong(c, pos, "a number or expression is missing; give one")
                                   : wrong(c, pos, "the expression ends where a value is missing");
    }
    if (ch == '*' && pos > 0 && c->text[pos - 1] == '*') {
        return wrong(c, pos, "write ^ for a power");
    }
    return wrong(c, pos, "a value is missing before '%c'", ch);
}

/* ---- operators ------------------------------------------------------------------------------- */

static gos_status take_compare(check *c, int pos, int len) {
    group *g = &c->group[c->ngroup - 1];
    if (g->compare >= 0) {
        return wrong(c, pos, "comparisons cannot be chained; write a < b && b < c");
    }
    g->compare = c->out->ntoken;
    c->want_value = true;
    GOS_TRY(add_token(c, GOS_T_COMPARE, pos, len));
    last_token(c)->function = gos__comparison(c->text + pos, len);
    return GOS_OK;
}

static gos_status take_question(check *c, int pos) {
    end_side(c);
    if (c->ncondition >= GOS_LIMIT_PARENTHESES) {
        return wrong(c, pos, "more than %d nested conditions; use a table", GOS_LIMIT_PARENTHESES);
    }
    c->out->token[c->group[c->ngroup - 1].start].nif++;
    c->condition[c->ncondition++] = AWAITS_COLON;
    GOS_TRY(add_token(c, GOS_T_QUESTION, pos, 1));
    begin_side(c, true);
    return GOS_OK;
}

static gos_status take_colon(check *c, int pos) {
    end_side(c);
    end_conditions(c);
    if (c->ncondition == c->group[c->ngroup - 1].condition) {
        return wrong(c, pos, "a ':' has no '?'; write condition ? value : value");
    }
    c->condition[c->ncondition - 1] = AFTER_COLON;
    GOS_TRY(add_token(c, GOS_T_COLON, pos, 1));
    begin_side(c, true);
    return GOS_OK;
}

static gos_status take_comma(check *c, int pos) {
    group *g = &c->group[c->ngroup - 1];
    if (g->function == NULL) {
        return wrong(c, pos, "a ',' is not expected here; write numbers with a decimal point");
    }
    GOS_TRY(end_argument(c, pos));
    g->nargument++;
    GOS_TRY(add_token(c, GOS_T_COMMA, pos, 1));
    begin_side(c, true);
    return GOS_OK;
}

static gos_status take_close(check *c, int pos) {
    const group *g = &c->group[c->ngroup - 1];
    if (c->ngroup == 1) {
        return wrong(c, pos, "a ')' has no '('; remove it");
    }
    GOS_TRY(end_argument(c, pos));
    const gos_function *f = g->function;
    if (f != NULL && (g->nargument < f->nmin || (f->nmax > 0 && g->nargument > f->nmax))) {
        return wrong(c, c->out->token[g->open - 1].pos, "function '%s' has %d argument%s, got %d",
                     f->name, f->nmin, f->nmin == 1 ? "" : "s", g->nargument);
    }
    c->ngroup--;
    return add_token(c, GOS_T_CLOSE, pos, 1);
}

static gos_status take_logic(check *c, int pos) {
    end_side(c);
    GOS_TRY(add_token(c, GOS_T_LOGIC, pos, 2));
    begin_side(c, false);
    return GOS_OK;
}

/* two values in a row: often a unit behind a number */
static gos_status missing_operator(const check *c, int pos) {
    const char *s = c->text + pos;
    const int n = name_length(s);
    double value;
    const bool known = n == 0 || find_function(s, n) != NULL || gos__constant(s, n, &value) ||
                       same_name(s, n, "t") || gos__parameter_get(c->m, s, n) != NULL;
    return wrong(c, pos, "an operator is missing before '%c'; write * to multiply%s", s[0],
                 !known && last_token(c)->kind == GOS_T_NUMBER
                     ? ", and values in SI units without their names (1e8, not 100 MPa)"
                     : "");
}

static gos_status take_operator(check *c, int pos, int *len) {
    const char *s = c->text + pos;
    *len = 1;
    switch (s[0]) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
        c->want_value = true;
        return add_token(c, GOS_T_BINARY, pos, 1);
    case '<':
    case '>':
        *len = 1 + (s[1] == '=');
        return take_compare(c, pos, *len);
    case '?':
        return take_question(c, pos);
    case ':':
        return take_colon(c, pos);
    case ',':
        return take_comma(c, pos);
    case ')':
        return take_close(c, pos);
    default:
        break;
    }
    *len = 2;
    if ((s[0] == '=' || s[0] == '!') && s[1] == '=') {
        return take_compare(c, pos, 2);
    }
    if ((s[0] == '&' || s[0] == '|') && s[1] == s[0]) {
        return take_logic(c, pos);
    }
    if (is_letter(s[0]) || is_digit(s[0]) || s[0] == '(' || s[0] == '.') {
        return missing_operator(c, pos);
    }
    return wrong_character(c, pos);
}

/* is this a character that may follow a value, though none has come */
static bool is_operator(char ch) {
    return ch == '\0' || strchr("*/^<>?:,)", ch) != NULL;
}

static gos_status take_value(check *c, int pos, int *len) {
    const char *s = c->text + pos;
    const int number = (int)gos__number_length(s);
    const int name = name_length(s);
    *len = number > 0 ? number : name > 0 ? name : 1;
    if (number > 0) {
        return take_number(c, pos, number);
    }
    if (name > 0) {
        const char *after = s + name;
        after += strspn(after, " \t\n");
        return *after == '(' ? take_function(c, pos, name) : take_name(c, pos, len);
    }
    if (s[0] == '+' || s[0] == '-') {
        return take_sign(c, pos);
    }
    if (s[0] == '(') {
        const gos_token *last = c->out->ntoken > 0 ? last_token(c) : NULL;
        const bool call = last != NULL && last->kind == GOS_T_FUNCTION;
        const gos_function *function = call ? last->function : NULL;
        GOS_TRY(add_token(c, GOS_T_OPEN, pos, 1));
        return open_group(c, pos, function);
    }
    return is_operator(s[0]) ? missing_value(c, pos) : wrong_character(c, pos);
}

static gos_status take_all(check *c) {
    int pos = 0;
    for (;;) {
        pos += (int)strspn(c->text + pos, " \t\n");
        if (c->text[pos] == '\0') {
            break;
        }
        int len;
        GOS_TRY(c->want_value ? take_value(c, pos, &len) : take_operator(c, pos, &len));
        pos += len;
    }
    if (c->want_value) {
        return missing_value(c, pos);
    }
    GOS_TRY(end_argument(c, pos));
    if (c->ngroup > 1) {
        return wrong(c, c->out->token[c->group[c->ngroup - 1].open].pos,
                     "a '(' is never closed; add a ')'");
    }
    return add_token(c, GOS_T_END, pos, 0);
}

gos_status gos__syntax_make(gos_model *m, const char *text, gos_loc loc, const char *object,
                            const gos_scope *scope, gos_syntax *syntax) {
    *syntax = (gos_syntax){0};
    if (strlen(text) > GOS_LIMIT_EXPRESSION) {
        return gos__fail_at(m->ctx, GOS_E_LIMIT, loc, object,
                            "an expression has at most %d characters, this one has %zu",
                            GOS_LIMIT_EXPRESSION, strlen(text));
    }
    check *c = gos__zalloc(m->ctx, 1, sizeof(*c));
    if (c == NULL) {
        return GOS_E_MEMORY;
    }
    c->m = m;
    c->text = text;
    c->loc = loc;
    c->object = object;
    c->scope = scope;
    c->out = syntax;
    c->want_value = true;
    c->group[c->ngroup++] = (group){.open = -1, .compare = -1};
    const gos_status status = take_all(c);
    gos__free(m->ctx, c);
    if (status != GOS_OK) {
        gos__free(m->ctx, syntax->token);
        *syntax = (gos_syntax){0};
    }
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *gos__syntax_next_name(const char **s, int *len) {
    const char *p = *s;
    while (*p != '\0') {
        const int name = name_length(p);
        const int number = (int)gos__number_length(p);
        if (name > 0) {
            *s = p + name;
            *len = name;
            const char *after = *s + strspn(*s, " \t\n");
            if (*after != '(') {
                return p;
            }
            p = *s;
        } else {
            p += number > 0 ? number : 1;
        }
    }
    *s = p;
    return NULL;
}

bool gos__syntax_reserved(const char *name) {
    const int n = (int)strlen(name);
    double value;
    return same_name("t", 1, name) || gos__constant(name, n, &value) || find_function(name, n);
}
