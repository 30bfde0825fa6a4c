/* Splits and checks expressions, in one pass with explicit stacks. Errors are reported with column
 * and remedy; names are in words.c.
 * Grammar, from loose to tight:  a ? b : c;  ||;  &&;  < > <= >= == !=;  + -;  * /;  sign;  ^
 * (right-associative). Comparisons do not chain. */
#include "model/words.h"

#include <math.h>

typedef struct group {
    int open;                     // its token, -1 for the whole expression
    const gos_function *function; // owner of the arguments, or NULL
    int nargument;
    int start;     // first token since ( , ? :
    int side;      // first token since ( , ? : && ||
    int compare;   // comparison since then, or -1
    int condition; // height of the condition stack at the start
} group;

typedef enum branch { AWAITS_COLON, AFTER_COLON } branch;

typedef struct check {
    gos_words at; // text and scope of names
    gos_syntax *out;
    int cap;
    group group[GOS_LIMIT_PARENTHESES + 1];
    int ngroup;
    branch condition[GOS_LIMIT_PARENTHESES]; // open conditions of all groups
    int ncondition;
    bool expects_value;
} check;

/* ---- tokens ---------------------------------------------------------------------------------- */

static gos_status add_token(check *c, gos_token_kind kind, int pos, int len) {
    gos_syntax *s = c->out;
    void *array = s->token;
    GOS_TRY(gos__grow(c->at.m->ctx, &array, &c->cap, s->ntoken + 1, sizeof(*s->token)));
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
        return gos__words_wrong(&c->at, pos,
                                "more than %d nested parentheses; use parameters for parts of it",
                                GOS_LIMIT_PARENTHESES);
    }
    const int n = c->out->ntoken;
    c->group[c->ngroup++] = (group){n - 1, function, 1, n, n, -1, c->ncondition};
    c->expects_value = true;
    return GOS_OK;
}

/* before the next token */
static void end_side(check *c) {
    group *g = &c->group[c->ngroup - 1];
    gos_syntax *s = c->out;
    if (g->compare >= 0) {
        s->token[g->side].compare = g->compare;
        last_token(c)->nclose++;
        g->compare = -1;
    }
}

/* close complete conditions before the next token */
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
        return gos__words_wrong(&c->at, pos, "'?' without ':'; write condition ? value : value");
    }
    return GOS_OK;
}

static void begin_side(check *c, bool whole) {
    group *g = &c->group[c->ngroup - 1];
    g->side = c->out->ntoken;
    g->start = whole ? g->side : g->start;
    c->expects_value = true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static gos_status take_number(check *c, int pos, int len) {
    double value;
    if (!gos__number_parse(c->at.text + pos, len, &value) || !isfinite(value)) {
        return gos__words_wrong(&c->at, pos, "the number is too large; give a smaller one");
    }
    c->expects_value = false;
    return add_token(c, GOS_T_NUMBER, pos, len);
}

static gos_status take_function(check *c, int pos, int len) {
    const gos_function *f = gos__words_function(c->at.text + pos, len);
    if (f == NULL) {
        return gos__words_unknown_function(&c->at, pos, len);
    }
    GOS_TRY(add_token(c, GOS_T_FUNCTION, pos, len));
    last_token(c)->function = f;
    return GOS_OK;
}

/* length of the variable name at pos, whose first word has `len` characters; 0: none */
static int variable_length(const check *c, int pos, int len) {
    const char *s = c->at.text + pos;
    if (c->at.scope->variable != NULL && gos__words_same(s, len, c->at.scope->variable)) {
        return len;
    }
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof(word), "%.*s", len, s);
    if (!c->at.scope->probes || len > GOS_LIMIT_NAME || !gos__words_probe(&c->at, word)) {
        return 0;
    }
    const int component = s[len] == '.' ? gos__words_length(s + len + 1) : 0;
    return len + (component > 0 ? 1 + component : 0);
}

static gos_status take_variable(check *c, int pos, int len) {
    gos_syntax *s = c->out;
    int k = 0;
    while (k < s->nvariable && !(s->variable[k][1] == len && strncmp(c->at.text + s->variable[k][0],
                                                                     c->at.text + pos, len) == 0)) {
        k++;
    }
    if (k == GOS_LIMIT_VARIABLES) {
        return gos__words_wrong(
            &c->at, pos,
            "an expression uses at most %d probes; split it into a sum of several entries",
            GOS_LIMIT_VARIABLES);
    }
    if (k == s->nvariable) {
        s->variable[k][0] = pos;
        s->variable[k][1] = len;
        s->nvariable++;
    }
    GOS_TRY(add_token(c, GOS_T_NAME, pos, len));
    last_token(c)->variable = k + 1;
    c->expects_value = false;
    return GOS_OK;
}

/* *taken: length of the first word; on return with its component */
static gos_status take_name(check *c, int pos, int *taken) {
    const int len = *taken;
    double value = 0.0;
    const bool is_time = c->at.scope->time && gos__words_same(c->at.text + pos, len, "t");
    const bool known = gos__parameter_get(c->at.m, c->at.text + pos, len) != NULL;
    const char *variable = c->at.scope->variable;
    if (known && variable && gos__words_same(c->at.text + pos, len, variable)) {
        return gos__words_wrong(&c->at, pos,
                                "'%s' is both the variable of this function and a parameter of the "
                                "model; rename the parameter",
                                variable);
    }
    if (!is_time && !known) {
        const int whole = variable_length(c, pos, len);
        if (whole > 0) {
            *taken = whole;
            return take_variable(c, pos, whole);
        }
    }
    if (!is_time && !gos__constant(c->at.text + pos, len, &value)) {
        const gos_parameter *p = gos__parameter_get(c->at.m, c->at.text + pos, len);
        if (p == NULL) {
            return gos__words_unknown_name(&c->at, pos, len);
        }
        if (!isfinite(p->value)) {
            return GOS_E_INPUT; // already reported
        }
        value = p->value;
    }
    GOS_TRY(add_token(c, GOS_T_NAME, pos, len));
    last_token(c)->value = value;
    last_token(c)->is_time = is_time;
    c->out->uses_t |= is_time;
    c->expects_value = false;
    return GOS_OK;
}

static gos_status take_sign(check *c, int pos) {
    gos_token *last = c->out->ntoken > 0 ? last_token(c) : NULL;
    if (last != NULL && last->kind == GOS_T_SIGN) {
        last->value = c->at.text[pos] == '-' ? -last->value : last->value;
        return GOS_OK;
    }
    GOS_TRY(add_token(c, GOS_T_SIGN, pos, 1));
    last_token(c)->value = c->at.text[pos] == '-' ? -1.0 : 1.0;
    return GOS_OK;
}

static gos_status missing_value(const check *c, int pos) {
    const group *g = &c->group[c->ngroup - 1];
    const char ch = c->at.text[pos];
    if (ch == ')' && g->function != NULL && g->open == c->out->ntoken - 1) {
        return gos__words_wrong(&c->at, pos, "function '%s' needs an argument", g->function->name);
    }
    if (ch == '\0') {
        return c->out->ntoken == 0
                   ? gos__words_wrong(&c->at, pos, "a number or expression is missing; give one")
                   : gos__words_wrong(&c->at, pos, "the expression ends where a value is missing");
    }
    if (ch == '*' && pos > 0 && c->at.text[pos - 1] == '*') {
        return gos__words_wrong(&c->at, pos, "write ^ for a power");
    }
    return gos__words_wrong(&c->at, pos, "a value is missing before '%c'", ch);
}

/* ---- operators ------------------------------------------------------------------------------- */

static gos_status take_compare(check *c, int pos, int len) {
    group *g = &c->group[c->ngroup - 1];
    if (g->compare >= 0) {
        return gos__words_wrong(&c->at, pos, "comparisons cannot be chained; write a < b && b < c");
    }
    g->compare = c->out->ntoken;
    c->expects_value = true;
    GOS_TRY(add_token(c, GOS_T_COMPARE, pos, len));
    last_token(c)->function = gos__comparison(c->at.text + pos, len);
    return GOS_OK;
}

static gos_status take_question(check *c, int pos) {
    end_side(c);
    if (c->ncondition >= GOS_LIMIT_PARENTHESES) {
        return gos__words_wrong(&c->at, pos, "more than %d nested conditions; use a table",
                                GOS_LIMIT_PARENTHESES);
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
        return gos__words_wrong(&c->at, pos, "':' without '?'; write condition ? value : value");
    }
    c->condition[c->ncondition - 1] = AFTER_COLON;
    GOS_TRY(add_token(c, GOS_T_COLON, pos, 1));
    begin_side(c, true);
    return GOS_OK;
}

static gos_status take_comma(check *c, int pos) {
    group *g = &c->group[c->ngroup - 1];
    if (g->function == NULL) {
        return gos__words_wrong(&c->at, pos,
                                "a ',' is not expected here; write numbers with a decimal point");
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
        return gos__words_wrong(&c->at, pos, "')' without '('; remove it");
    }
    GOS_TRY(end_argument(c, pos));
    const gos_function *f = g->function;
    if (f != NULL && (g->nargument < f->nmin || (f->nmax > 0 && g->nargument > f->nmax))) {
        return gos__words_wrong(&c->at, c->out->token[g->open - 1].pos,
                                "function '%s' has %d argument%s, got %d", f->name, f->nmin,
                                f->nmin == 1 ? "" : "s", g->nargument);
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

/* often a unit after a number */
static gos_status missing_operator(const check *c, int pos) {
    const char *s = c->at.text + pos;
    const int n = gos__words_length(s);
    double value;
    const bool known = n == 0 || gos__words_function(s, n) != NULL || gos__constant(s, n, &value) ||
                       gos__words_same(s, n, "t") || gos__parameter_get(c->at.m, s, n) != NULL;
    return gos__words_wrong(&c->at, pos,
                            "an operator is missing before '%c'; write * to multiply%s", s[0],
                            !known && last_token(c)->kind == GOS_T_NUMBER
                                ? "; a unit may follow a number that stands alone ('100 MPa')"
                                : "");
}

static gos_status take_operator(check *c, int pos, int *len) {
    const char *s = c->at.text + pos;
    *len = 1;
    switch (s[0]) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
        c->expects_value = true;
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
    if (gos__words_length(s) > 0 || gos__number_length(s) > 0 || s[0] == '(' || s[0] == '.') {
        return missing_operator(c, pos);
    }
    return gos__words_wrong_character(&c->at, pos);
}

static bool is_operator(char ch) {
    return ch == '\0' || strchr("*/^<>?:,)", ch) != NULL;
}

static gos_status take_value(check *c, int pos, int *len) {
    const char *s = c->at.text + pos;
    const int number = (int)gos__number_length(s);
    const int name = gos__words_length(s);
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
    return is_operator(s[0]) ? missing_value(c, pos) : gos__words_wrong_character(&c->at, pos);
}

static gos_status take_all(check *c) {
    int pos = 0;
    for (;;) {
        pos += (int)strspn(c->at.text + pos, " \t\n");
        if (c->at.text[pos] == '\0') {
            break;
        }
        int len;
        GOS_TRY(c->expects_value ? take_value(c, pos, &len) : take_operator(c, pos, &len));
        pos += len;
    }
    if (c->expects_value) {
        return missing_value(c, pos);
    }
    GOS_TRY(end_argument(c, pos));
    if (c->ngroup > 1) {
        return gos__words_wrong(&c->at, c->out->token[c->group[c->ngroup - 1].open].pos,
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
    c->at = (gos_words){.m = m, .text = text, .loc = loc, .object = object, .scope = scope};
    c->out = syntax;
    c->expects_value = true;
    c->group[c->ngroup++] = (group){.open = -1, .compare = -1};
    const gos_status status = take_all(c);
    gos__free(m->ctx, c);
    if (status != GOS_OK) {
        gos__free(m->ctx, syntax->token);
        *syntax = (gos_syntax){0};
    }
    return status;
}
