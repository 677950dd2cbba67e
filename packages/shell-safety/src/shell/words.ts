import {
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { CONTENT, SECRET, UNKNOWN, UNSET } from './marks.ts';
import { assign, chosen, clip, lookUp, type Scope } from './scope.ts';

/** Runs a substituted script and gives what it prints, as far as that is known. */
type Substitute = (script: ParsedScript, scope: Scope) => string;

/**
 * The fields that a word becomes: quotes gone, variables and substitutions replaced, split where the shell splits.
 * A variable with several possible values gives a field for each.
 */
export function expand(word: Word, scope: Scope, substitute: Substitute): string[] {
  const parts = word.parts;
  if (!parts) return word.value.includes('{') ? expandBraces(word.value) : [word.value];
  const builder = new Fields();
  for (const part of parts) addPart(builder, part, scope, substitute);
  const fields = builder.done();
  return parts.some(({ type }) => type === 'BraceExpansion') ? fields.flatMap(expandBraces) : fields;
}

/**
 * The text of a word that means itself, or of one that is in quotes as a whole with nothing to expand in it; asking for
 * the parts of such a word would be work for nothing.
 */
export function literalOf({ text }: Word): string | undefined {
  if (!LITERAL.test(text)) return undefined;
  const first = text.charCodeAt(0);
  return first === SINGLE_QUOTE || first === DOUBLE_QUOTE ? text.slice(1, -1) : text;
}

const LITERAL = /^(?:[\w./:=@%+,-]+|'[^']*'|"[^"$`\\]*")$/;
const SINGLE_QUOTE = 39;
const DOUBLE_QUOTE = 34;

/** As one string, the way an assignment, a here-document or a redirection takes it. */
export function expandWhole(word: Word, scope: Scope, substitute: Substitute): string {
  const parts = word.parts;
  if (!parts) return word.value;
  return parts.map((part) => together(textOf(part, scope, substitute))).join('');
}

export function expandParts(parts: readonly WordPart[], scope: Scope, substitute: Substitute): string {
  return parts.map((part) => together(textOf(part, scope, substitute))).join('');
}

/** Several values as one text: as many as are kept of a text, since many long ones would be put together again and again. */
function together(values: readonly string[]): string {
  let text = values[0] ?? '';
  for (let i = 1; i < values.length && clip(text) === text; i++) text += ` ${values[i]}`;
  return text;
}

function addPart(builder: Fields, part: WordPart, scope: Scope, substitute: Substitute): void {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    builder.add(['']);
    for (const child of part.parts) builder.add(textOf(child, scope, substitute));
  } else if (isExpansion(part)) {
    const separators = (lookUp(scope, 'IFS') ?? [' \t\n']).join('');
    const values = textOf(part, scope, substitute);
    if (values.length > 1 && !values.some((value) => hasAny(value, separators))) builder.add(values);
    else builder.splitEach(values, separators);
  } else builder.add(textOf(part, scope, substitute));
}

function isExpansion(part: WordPart): boolean {
  return (
    part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion' || part.type === 'CommandExpansion'
  );
}

function textOf(part: WordPart, scope: Scope, substitute: Substitute): readonly string[] {
  switch (part.type) {
    case 'SimpleExpansion':
      return variableValues(part.text.slice(1), scope);
    case 'ParameterExpansion':
      return parameter(part, scope, substitute);
    case 'CommandExpansion':
      return [part.script ? substitute(part.script, scope).replace(/(?<!\n)\n+$/, '') : UNKNOWN];
    case 'ProcessSubstitution':
      return [CONTENT + (part.script ? substitute(part.script, scope) : UNKNOWN)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [part.parts.map((child) => together(textOf(child, scope, substitute))).join('')];
    case 'ArithmeticExpansion':
      runSubstitutions(part.expression, scope, substitute);
      return ['1'];
    case 'ExtendedGlob':
      return ['*'];
    case 'BraceExpansion':
      return [part.text.replace(/["'\\]/g, '')];
    default:
      return [part.value];
  }
}

/** `$((1 + $(rm x)))` runs it. */
function runSubstitutions(expression: SyntaxNode | undefined, scope: Scope, substitute: Substitute): void {
  if (expression === undefined) return;
  // Its words may have parts that are substitutions, too.
  const node: SyntaxNode = expression;
  if (node.type === 'ArithmeticCommandExpansion' || node.type === 'CommandExpansion') {
    if (node.script) substitute(node.script, scope);
  } else forEachChild(node, (child) => runSubstitutions(child, scope, substitute));
}

function variableValues(name: string, scope: Scope): readonly string[] {
  if (name === '?' || name === '#') return ['1'];
  // The number of a process, and not of the first one.
  if (name === '$' || name === '!') return ['4242'];
  if (name === '0' && scope.shell.positional.length === 0) return ['$0'];
  return valuesOf(name, scope) ?? [UNSET];
}

/** All arguments, or what a variable stands for. */
function valuesOf(name: string, scope: Scope): readonly string[] | undefined {
  const values = lookUp(scope, name);
  return values === undefined || name === '@' || name === '*' ? values : chosen(values, scope);
}

function parameter(part: ParameterExpansionPart, scope: Scope, substitute: Substitute): readonly string[] {
  if (part.prefix === '#') return ['1'];
  // `${a[@]}` is all elements of a list.
  const found = part.index ? lookUp(scope, part.parameter) : valuesOf(part.parameter, scope);
  const values = found ?? [UNSET];
  if (part.prefix === '!') return values.flatMap((name) => lookUp(scope, name) ?? [UNKNOWN]);
  const operation = part.operation;
  if (!operation) return values;
  if (operation.type === 'Default') {
    const operand = expandWhole(operation.operand, scope, substitute);
    if (operation.operator.endsWith('+')) return [operand];
    const set = found?.filter((value) => value !== '');
    // What may be set outside may as well not be.
    if (set?.includes(SECRET)) return [SECRET, operand];
    if (set && set.length > 0 && set.some((value) => value !== UNKNOWN)) return set;
    if (operation.operator.endsWith('=')) assign(scope, part.parameter, [operand]);
    return [operation.operator.endsWith('?') ? UNKNOWN : operand];
  }
  if (operation.type === 'CaseModification') {
    return values.map((value) => (operation.operator.startsWith(',') ? value.toLowerCase() : value));
  }
  if (operation.type === 'Replace') {
    const pattern = expandWhole(operation.pattern, scope, substitute);
    if (pattern === '') return values;
    const replacement = expandWhole(operation.replacement, scope, substitute);
    return values.map((value) =>
      operation.operator === '//'
        ? value.split(pattern).join(replacement)
        : value.replace(pattern, () => replacement),
    );
  }
  if (operation.type === 'Slice') {
    const offset = Number(operation.offset.value);
    const length = operation.length ? Number(operation.length.value) : undefined;
    // Nobody knows what is in $PATH, but with what it begins.
    if (offset === 0 && length === 1 && BEGINS_AT_ROOT.test(part.parameter)) return ['/'];
    if (Number.isNaN(offset) || Number.isNaN(length)) return [UNKNOWN];
    if (part.parameter === '@' || part.parameter === '*') return values.slice(Math.max(0, offset - 1));
    // The first letters of a secret are no secret.
    if (length !== undefined && length <= 8 && values.includes(SECRET)) return [UNKNOWN];
    return values.map((value) => value.slice(offset, length === undefined ? undefined : offset + length));
  }
  return operation.type === 'Remove'
    ? removed(values, operation.operator, operation.operand.value)
    : [UNKNOWN];
}

const BEGINS_AT_ROOT = /^(?:HOME|PATH|PWD|OLDPWD|SHELL|BASH|TMPDIR)$/;

// ${x##*/} is a path's name and ${x%/*} its folder; of other patterns nothing is known, nor of what a * found.
function removed(values: readonly string[], operator: string, pattern: string): readonly string[] {
  return values.map((value) => {
    if (value.includes('*')) return UNKNOWN;
    const slash = value.lastIndexOf('/');
    if (operator === '##' && pattern === '*/') return value.slice(slash + 1);
    if (operator === '%' && pattern === '/*') return slash === -1 ? value : value.slice(0, slash);
    // Whatever goes from the end of the home, what is left is above it.
    if (value === '~' && operator.startsWith('%') && pattern.includes('/')) return '/home';
    if (/[*?[]/.test(pattern)) return UNKNOWN;
    if (operator.startsWith('%'))
      return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
    return value.startsWith(pattern) ? value.slice(pattern.length) : value;
  });
}

/** Collects fields; the last one is still open. */
class Fields {
  readonly #closed: string[] = [];
  #open: string[] = [];
  #started = false;

  /** Goes on with each of these texts. */
  add(texts: readonly string[]): void {
    if (!this.#started) {
      this.#started = true;
      this.#open = [...texts];
    } else if (texts.length === 1) this.#open = this.#open.map((text) => text + texts[0]);
    else this.#open = this.#open.flatMap((text) => texts.map((more) => text + more)).slice(0, MAX_FIELDS);
  }

  /** Values without quotes around them are split; each begins a field of its own. */
  splitEach(values: readonly string[], separators: string): void {
    for (const [i, value] of values.entries()) {
      if (i > 0) this.#close();
      this.#split(value, separators);
    }
  }

  #split(value: string, separators: string): void {
    if (value === '') return;
    const pieces = splitAt(value, separators);
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) this.#close();
      if (piece !== '' || this.#started) this.add([piece]);
    }
  }

  done(): string[] {
    this.#close();
    return this.#closed.slice(0, MAX_FIELDS);
  }

  #close(): void {
    if (this.#started) this.#closed.push(...this.#open);
    this.#open = [];
    this.#started = false;
  }
}

const MAX_FIELDS = 128;

function hasAny(text: string, chars: string): boolean {
  for (const char of chars) if (text.includes(char)) return true;
  return false;
}

function splitAt(value: string, separators: string): string[] {
  if (!hasAny(value, separators)) return [value];
  const pieces = [''];
  for (const char of value) {
    if (!separators.includes(char)) pieces[pieces.length - 1] += char;
    else if (pieces.at(-1) !== '' || pieces.length === 1) pieces.push('');
  }
  return pieces;
}

/** `{a,b}/c` as `a/c` and `b/c`; ranges stay as they are. */
function expandBraces(text: string): string[] {
  let fields = [text];
  for (let round = 0; round < 4; round++) {
    const next = fields.flatMap(expandOneBrace);
    if (next.length === fields.length) break;
    fields = next.slice(0, MAX_FIELDS);
  }
  return fields;
}

function expandOneBrace(text: string): string[] {
  const match = /\{([^{},]*,[^{}]*)\}/.exec(text);
  if (!match) return [text];
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  return (match[1] ?? '').split(',').map((piece) => before + piece + after);
}
