/**
 * The part of Go's text/template that hook prompts use: `{{ .Field.path }}`, pipelines, `toJSON`, `truncate n`,
 * `eq`, `ne`, `not`, parentheses, `if` / `else if` / `else` / `end`, comments, and trim markers (`{{-`, `-}}`).
 */
export interface Template {
  /** Renders the fields. `show` formats each value. */
  readonly render: (data: Readonly<Record<string, unknown>>, show?: (text: string) => string) => string;
}

/**
 * Parses a template. Throws `SyntaxError` with the reason, also for valid Go that is not supported here.
 *
 * @param check why a root field (`ToolName`, `ToolInput`) is wrong
 */
export function parseTemplate(
  source: string,
  check: (field: string) => string | undefined = () => undefined,
): Template {
  const body = new Parser(split(source), check).block([]);
  return {
    render: (data, show = (text) => text) => body.map((node) => node({ data, show })).join(''),
  };
}

interface Scope {
  readonly data: Readonly<Record<string, unknown>>;
  readonly show: (text: string) => string;
}
type Node = (scope: Scope) => string;
type Expression = (data: Readonly<Record<string, unknown>>) => unknown;
type Part = { readonly text: string } | { readonly action: string };

const functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  toJSON: (value) => JSON.stringify(value, undefined, 2) ?? 'null',
  truncate: (length, value) => {
    const characters = [...textOf(value)];
    return characters.length > Number(length)
      ? `${characters.slice(0, Number(length)).join('')}…`
      : textOf(value);
  },
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  not: (value) => !isTrue(value),
};

/** Text and actions in turn. A trim marker removes the white space next to its action. */
function split(source: string): Part[] {
  const parts: Part[] = [];
  let rest = source;
  let trimNext = false;
  for (;;) {
    const open = rest.indexOf('{{');
    let text = open < 0 ? rest : rest.slice(0, open);
    if (trimNext) text = text.trimStart();
    if (open < 0) return [...parts, { text }];
    const close = rest.indexOf('}}', open);
    if (close < 0)
      throw new SyntaxError(`"{{" number ${1 + parts.filter((part) => 'action' in part).length} has no "}}"`);
    let action = rest.slice(open + 2, close);
    if (/^-\s/.test(action)) {
      text = text.trimEnd();
      action = action.slice(1);
    }
    trimNext = /\s-$/.test(action);
    if (trimNext) action = action.slice(0, -1);
    parts.push({ text });
    if (!/^\s*\/\*.*\*\/\s*$/s.test(action)) parts.push({ action: action.trim() });
    rest = rest.slice(close + 2);
  }
}

class Parser {
  readonly #parts: readonly Part[];
  readonly #check: (field: string) => string | undefined;
  #next = 0;
  /** The action that ended the last block. */
  #ended = '';

  constructor(parts: readonly Part[], check: (field: string) => string | undefined) {
    this.#parts = parts;
    this.#check = check;
  }

  /** Parses everything up to an action whose first word is one of `ends`, or to the end. */
  block(ends: readonly string[]): Node[] {
    const nodes: Node[] = [];
    for (let part = this.#parts[this.#next++]; part; part = this.#parts[this.#next++]) {
      if ('text' in part) {
        const { text } = part;
        nodes.push(() => text);
        continue;
      }
      const [word = ''] = part.action.split(/\s+/, 1);
      if (ends.includes(word)) {
        this.#ended = part.action;
        return nodes;
      }
      nodes.push(word === 'if' ? this.#branch(part.action.slice(2)) : this.#value(part.action));
    }
    if (ends.length > 0) throw new SyntaxError('"if" without "end"');
    return nodes;
  }

  /** Names the action by its number, because its text may hold a secret. */
  #wrong(what: string): SyntaxError {
    const actions = this.#parts.slice(0, this.#next).filter((part) => 'action' in part);
    return new SyntaxError(`${what}, in {{ }} number ${actions.length}`);
  }

  #branch(condition: string): Node {
    const test = this.#expression(condition);
    const then = this.block(['else', 'end']);
    const otherwise = this.#otherwise();
    return (scope) => (isTrue(test(scope.data)) ? then : otherwise).map((node) => node(scope)).join('');
  }

  #otherwise(): Node[] {
    const [, elseIf] = /^else\s+if\b(.*)$/s.exec(this.#ended) ?? [];
    if (elseIf !== undefined) return [this.#branch(elseIf)];
    return this.#ended === 'else' ? this.block(['end']) : [];
  }

  #value(action: string): Node {
    const expression = this.#expression(action);
    return ({ data, show }) => show(textOf(expression(data)));
  }

  #expression(source: string): Expression {
    const tokens = tokenize(source);
    if (tokens === undefined) throw this.#wrong('it cannot be read');
    const expression = this.#pipeline(tokens);
    if (tokens.length > 0) throw this.#wrong('there is more than a value');
    return expression;
  }

  /** `a | f x | g`: each result is the last argument of the next function. */
  #pipeline(tokens: string[]): Expression {
    let expression = this.#command(tokens);
    while (tokens[0] === '|') {
      tokens.shift();
      expression = this.#command(tokens, expression);
    }
    return expression;
  }

  #command(tokens: string[], piped?: Expression): Expression {
    const [first] = tokens;
    if (first === undefined) throw this.#wrong('something is missing');
    if (!/^[a-zA-Z]/.test(first) || first === 'true' || first === 'false') {
      if (piped) throw this.#wrong('what stands after | is not a function');
      return this.#operand(tokens);
    }
    tokens.shift();
    const called = Object.hasOwn(functions, first) ? functions[first] : undefined;
    if (!called) {
      throw this.#wrong(`unknown function; expected one of: ${Object.keys(functions).join(', ')}, if`);
    }
    const args: Expression[] = [];
    while (tokens[0] !== undefined && tokens[0] !== '|' && tokens[0] !== ')')
      args.push(this.#operand(tokens));
    if (piped) args.push(piped);
    if (args.length !== called.length) {
      throw this.#wrong(`${first} takes ${called.length} arguments, not ${args.length}`);
    }
    return (data) => called(...args.map((arg) => arg(data)));
  }

  #operand(tokens: string[]): Expression {
    const token = tokens.shift() ?? '';
    if (token === '(') {
      const inner = this.#pipeline(tokens);
      if (tokens.shift() !== ')') throw this.#wrong('"(" has no ")"');
      return inner;
    }
    if (token.startsWith('.')) return this.#field(token);
    if (token.startsWith('"')) return constant(JSON.parse(token));
    if (token.startsWith('`')) return constant(token.slice(1, -1));
    if (/^-?\d/.test(token)) return constant(Number(token));
    if (token === 'true' || token === 'false') return constant(token === 'true');
    throw this.#wrong('a value is expected');
  }

  #field(token: string): Expression {
    const path = token.slice(1).split('.').filter(Boolean);
    const problem = path[0] === undefined ? undefined : this.#check(path[0]);
    if (problem !== undefined) throw this.#wrong(problem);
    return (data) =>
      path.reduce<unknown>((value, key) => {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
        return (value as Readonly<Record<string, unknown>>)[key];
      }, data);
  }
}

/** Undefined if it cannot be read. */
function tokenize(source: string): string[] | undefined {
  const tokens: string[] = [];
  const token = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|[()|]|\.[\w.]*|-?\d+(?:\.\d+)?|[a-zA-Z]\w*)/y;
  let end = 0;
  for (let match = token.exec(source); match?.[1] !== undefined; match = token.exec(source)) {
    tokens.push(match[1]);
    end = token.lastIndex;
  }
  return source.slice(end).trim() === '' ? tokens : undefined;
}

function constant(value: unknown): Expression {
  return () => value;
}

/** Truth in Go: the zero value of a type is false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
}
