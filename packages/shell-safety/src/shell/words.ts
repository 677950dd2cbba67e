import { forEachChild, type ParameterExpansionPart, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { KEPT } from './budget.ts';
import { CONTENT, FIELD_END, SECRET, UNKNOWN, UNSET } from './marks.ts';
import type { Runner } from './runner.ts';
import { assign, chargeList, chosen, listenedTo, lookUp, MAX_TEXT, type Scope, subshell } from './scope.ts';

/**
 * The fields that a word becomes: quotes gone, variables and substitutions replaced, split where the shell splits.
 * A variable with several possible values gives a field for each.
 */
export function expand(word: Word, scope: Scope, runner: Runner): string[] {
  if (LITERAL.test(word.text)) return [word.text.replace(/^['"]|['"]$/g, '')];
  const { parts } = word;
  if (!parts) return expandBraces(word.value, runner);
  runner.spend(EXPANDED);
  const texts = combined(
    parts.map((part) =>
      EXPANSIONS.has(part.type) ? split(part, scope, runner) : textsOf(part, scope, runner),
    ),
    runner,
  );
  const quoted = parts.some(({ type }) => QUOTES.has(type));
  const fields = texts.flatMap((text) => {
    const pieces = text.split(FIELD_END).filter((piece) => piece !== '');
    return pieces.length === 0 && quoted ? [''] : pieces;
  });
  return parts.some(({ type }) => type === 'BraceExpansion')
    ? fields.flatMap((field) => expandBraces(field, runner))
    : fields;
}

/** The cost of a word with parts, without what is in them. */
const EXPANDED = 8;

/** A word with nothing to expand. Asking the parser for its parts would be wasted work. */
const LITERAL = /^(?:[\w./:=@%+,-]+|'[^']*'|"[^"$`\\]*")$/;
const EXPANSIONS: ReadonlySet<string> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
]);
const QUOTES: ReadonlySet<string> = new Set(['SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted', 'LocaleString']);
const MAX_FIELDS = 128;

/** The values of an expansion without quotes around it, with a mark where the shell splits them. */
function split(part: WordPart, scope: Scope, runner: Runner): readonly string[] {
  const separators = lookUp(scope, 'IFS')?.join('') ?? '';
  const values = textsOf(part, scope, runner).map((value) => {
    runner.spend((separators.length * value.length) / (4 * KEPT));
    let marked = value;
    for (const separator of separators) marked = marked.replaceAll(separator, FIELD_END);
    return marked;
  });
  const whole = values.length > 0 && !values.some((value) => value.includes(FIELD_END));
  return whole ? values : [together(values, FIELD_END)];
}

/** Expands to one string, as in an assignment, a here-document or a redirection. */
export function expandWhole(
  { parts, value }: Pick<Word, 'parts' | 'value'>,
  scope: Scope,
  runner: Runner,
): string {
  return parts?.map((part) => together(textsOf(part, scope, runner), ' ')).join('') ?? value;
}

/** Expands to each possible string when variables have several values. Empty values are skipped. */
export function expandEach({ parts, value }: Word, scope: Scope, runner: Runner): readonly string[] {
  if (!parts) return [value];
  const quoted = parts.flatMap((part) => (part.type === 'DoubleQuoted' ? part.parts : part));
  return combined(
    quoted.map((part) => {
      const texts = textsOf(part, scope, runner);
      const full = texts.filter((text) => text !== '');
      return full.length > 0 ? full : texts;
    }),
    runner,
  );
}

/** Joins values up to the maximum length of a text. */
function together(values: readonly string[], separator: string): string {
  let text = values[0] ?? '';
  for (let i = 1; i < values.length && text.length <= MAX_TEXT; i++) text += separator + values[i];
  return text;
}

function textsOf(part: WordPart, scope: Scope, runner: Runner): readonly string[] {
  switch (part.type) {
    case 'SimpleExpansion':
      return variableValues(part.text.slice(1), scope);
    case 'ParameterExpansion':
      return parameter(part, scope, runner);
    case 'CommandExpansion':
      return [
        substituted(part, scope, runner)
          .replaceAll('\0', '')
          .replace(/(?<!\n)\n+$/, ''),
      ];
    case 'ProcessSubstitution':
      return [CONTENT + substituted(part, scope, runner)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return combined(
        part.parts.map((child) => quotedTexts(child, scope, runner)),
        runner,
      );
    case 'ArithmeticExpansion':
      runSubstitutions(part, scope, runner);
      return ['1'];
    case 'ExtendedGlob':
      return alternatives(part.text);
    case 'BraceExpansion':
      return [part.text.replace(/["'\\]/g, '')];
    default:
      return [part.value];
  }
}

/** In double quotes, `$*` is one word. Of a slice, or where `shift` may have happened, it is not known which arguments are in it. */
function quotedTexts(part: WordPart, scope: Scope, runner: Runner): readonly string[] {
  const texts = textsOf(part, scope, runner);
  if (texts.length < 2 || !/^\$(?:\*|\{\*|\{\w+\[\*\])/.test(part.text)) return texts;
  const { least, most } = scope.shell.shifted;
  const isKnown = least === most && !(part.type === 'ParameterExpansion' && part.operation);
  return [together(texts, ' '), ...(isKnown ? [] : texts)];
}

/** The output of a substitution. The parser reads what is in it only now, so that is charged when it is first asked for. */
function substituted(
  part: Extract<WordPart, { type: 'CommandExpansion' | 'ProcessSubstitution' }>,
  scope: Scope,
  runner: Runner,
): string {
  if (!READ.has(part)) {
    if (!runner.spend(READ_LATER * part.text.length)) return UNKNOWN;
    READ.add(part);
  }
  return part.script ? runner.substitute(part.script, scope) : UNKNOWN;
}

const READ = new WeakSet<WordPart>();
/** What a character costs that the parser reads later: it looks for the end of the substitution, parses it and splits its words. */
const READ_LATER = 6;

/** `@(a|b)` as `a` and `b`. What `!(a)` and a pattern in another stand for is not known. */
function alternatives(pattern: string): readonly string[] {
  const [, sign, list = ''] = /^([@+?*])\(([^()]*)\)$/.exec(pattern) ?? [];
  if (sign === undefined) return ['*'];
  return /[?*]/.test(sign) ? ['', ...list.split('|')] : list.split('|');
}

/**
 * Concatenates each text of the first list with each of the next, and so on. Lengths are bounded: where that would make long
 * or many texts, each text is used at least once, but not with each of the others.
 */
function combined(lists: readonly (readonly string[])[], runner: Runner): readonly string[] {
  let texts: readonly string[] = [''];
  for (const next of lists) {
    const full = (text: string): boolean => texts.length > 1 && text.length > MAX_TEXT;
    const isProduct = texts.length > 1 && next.length > 1;
    const isLong = isProduct && lengthOfAll(texts, next) > MAX_PRODUCT;
    const most = Math.max(texts.length, next.length);
    if (most > MAX_FIELDS && !runner.spend(most * (longest(texts) + longest(next)))) return [];
    const all = (some: readonly string[]): string[] =>
      some.flatMap((text) => (full(text) ? text : next.map((more) => text + more)));
    if (isLong) texts = paired(texts, next, '');
    else if (isProduct && texts.length * next.length > MAX_FIELDS)
      texts = [...all(texts.slice(0, Math.ceil(MAX_FIELDS / next.length))), ...paired(texts, next, '')];
    else texts = all(texts);
  }
  return texts;
}

/** Each text of both lists once, with some text of the other list. */
export function paired(
  texts: readonly string[],
  next: readonly string[],
  separator: string,
): readonly string[] {
  const length = Math.max(texts.length, next.length);
  return Array.from(
    { length },
    (_, i) => (texts[i % texts.length] ?? '') + separator + (next[i % next.length] ?? ''),
  );
}

function lengthOf(list: readonly string[]): number {
  return list.reduce((sum, { length }) => sum + length, 0);
}

/** The length of each text with each of the others behind it. */
function lengthOfAll(texts: readonly string[], next: readonly string[]): number {
  return lengthOf(texts) * next.length + lengthOf(next) * texts.length;
}

function longest(list: readonly string[]): number {
  return list.reduce((most, { length }) => Math.max(most, length), 1);
}

const MAX_PRODUCT = 2048;

/** Runs the substitutions in nodes that are not commands: tests, arithmetic, patterns. */
export function runSubstitutions(node: SyntaxNode, scope: Scope, runner: Runner): void {
  if (node.type === 'Word') expandWhole(node, scope, runner);
  else if (node.type === 'Script') runner.substitute(node, scope);
  else forEachChild(node, (child) => runSubstitutions(child, scope, runner));
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
  if (values && !chargeList(values, scope)) return [];
  return values === undefined || name === '@' || name === '*' ? values : chosen(values, scope);
}

function parameter(
  { parameter: name, prefix, index, operation }: ParameterExpansionPart,
  scope: Scope,
  runner: Runner,
): readonly string[] {
  if (prefix === '#') return ['1'];
  // `${a[@]}` is all elements of a list.
  const found = index ? lookUp(scope, name) : valuesOf(name, scope);
  const values = found ?? [UNSET];
  // The last argument.
  if (prefix === '!' && name === '#') return valuesOf('@', scope) ?? [];
  if (prefix === '!') return values.flatMap((other) => lookUp(scope, other) ?? [UNKNOWN]);
  switch (operation?.type) {
    case undefined:
      return values;
    case 'Default': {
      const { operator } = operation;
      const operand = expandWhole(operation.operand, scope, runner);
      if (operator.endsWith('+')) return [operand];
      const set = found?.filter((value) => value !== '') ?? [];
      // A variable that may be set outside may also be unset.
      if (set.includes(SECRET)) return [SECRET, operand];
      if (set.some((value) => value !== UNKNOWN)) return set;
      if (operator.endsWith('=')) assign(scope, name, [operand]);
      return [operator.endsWith('?') ? UNKNOWN : operand];
    }
    case 'CaseModification':
      return operation.operator.startsWith(',') ? values.map((value) => value.toLowerCase()) : values;
    case 'Replace': {
      const pattern = expandWhole(operation.pattern, scope, runner);
      const replacement = expandWhole(operation.replacement, scope, runner);
      const replace = operation.operator === '//' ? 'replaceAll' : 'replace';
      return pattern === '' ? values : values.map((value) => value[replace](pattern, () => replacement));
    }
    case 'Slice': {
      const offset = Number(operation.offset.value);
      const length = operation.length ? Number(operation.length.value) : undefined;
      // The content of $PATH is unknown, but not its first character.
      if (offset === 0 && length === 1 && BEGINS_AT_ROOT.test(name)) return ['/'];
      // A slice of a list from a place that is not known may be each of its elements.
      if (name === '@' || name === '*') return values.slice(Math.max(0, offset - 1) || 0);
      if (index?.text === '@' || index?.text === '*') return values.slice(Math.max(0, offset) || 0);
      if (Number.isNaN(offset) || Number.isNaN(length)) return [UNKNOWN];
      // The first letters of a secret are no secret.
      if (length !== undefined && length <= 8 && values.includes(SECRET)) return [UNKNOWN];
      return values.map((value) => value.slice(offset, length === undefined ? undefined : offset + length));
    }
    case 'Remove':
      return values.map((value) => removed(value, operation.operator, operation.operand.value));
    case 'Transform':
      return operation.operand.value === 'P'
        ? values.map((value) => expandPrompt(value, scope, runner))
        : [UNKNOWN];
    default:
      return [UNKNOWN];
  }
}

/** A value that the shell expands as in double quotes: `${x@P}`, or `PS4` after `set -x`. */
export function expandPrompt(value: string, scope: Scope, runner: Runner): string {
  if (!/[$`]/.test(value)) return value;
  return runner.script(`printf %s "${value.replaceAll('"', '\\"')}"`, listenedTo(subshell(scope)));
}

const BEGINS_AT_ROOT = /^(?:HOME|PATH|PWD|OLDPWD|SHELL|BASH|TMPDIR)$/;

// ${x##*/} is a path's name and ${x%/*} its folder; other patterns and expanded globs are unknown.
function removed(value: string, operator: string, pattern: string): string {
  if (value.includes('*')) return UNKNOWN;
  const atEnd = operator.startsWith('%');
  const slash = value.lastIndexOf('/');
  if (operator === '##' && pattern === '*/') return value.slice(slash + 1);
  if (operator === '%' && pattern === '/*') return slash === -1 ? value : value.slice(0, slash);
  // Without its last part, the path of a home is above the home.
  if (value === '~' && atEnd && pattern.includes('/')) return '/home';
  if (/[*?[]/.test(pattern)) return UNKNOWN;
  if (atEnd) return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
  return value.startsWith(pattern) ? value.slice(pattern.length) : value;
}

/** `{a,b}/c` as `a/c` and `b/c`; ranges stay as they are. */
function expandBraces(text: string, runner: Runner): string[] {
  if (!text.includes('{')) return [text];
  let fields = [text];
  for (let round = 0; round < 4; round++) {
    const next: string[] = [];
    for (const field of fields) {
      const pieces = expandOneBrace(field);
      if (next.length + pieces.length > MAX_FIELDS && !runner.spend(lengthOf(pieces))) return [];
      for (const piece of pieces) next.push(piece);
    }
    if (next.length === fields.length) break;
    fields = next;
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
