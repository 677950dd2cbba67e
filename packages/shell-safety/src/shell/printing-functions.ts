import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';

/**
 * The functions that a function calls which else does nothing but test and print, whatever it is given, as scripts define them to show
 * messages. Nothing if it does more. A call matters only if something reads its output.
 */
export function functionsOfPrinting(body: SyntaxNode): ReadonlySet<string> | undefined {
  const called = new Set<string>();
  return onlyPrints(body, called) ? called : undefined;
}

function onlyPrints(body: SyntaxNode, called: Set<string>): boolean {
  if (!HARMLESS_NODES.has(body.type)) return false;
  switch (body.type) {
    case 'Command':
      if (!isHarmless(body, called)) return false;
      break;
    case 'Statement':
      if (body.background) return false;
      break;
    case 'Redirect':
      if (!(body.operator === '>&' ? /^\d$/ : TERMINAL).test(body.target?.text ?? '')) return false;
      break;
    case 'ParameterExpansion':
      // `${!name}` may be a secret.
      if (body.prefix === '!') return false;
      break;
    case 'Default':
      if (body.operator.endsWith('=')) return false;
      break;
  }
  let prints = true;
  forEachChild(body, (child) => {
    prints &&= onlyPrints(child, called);
  });
  return prints;
}

/** Whether a command only prints. A program that is none of those has to be such a function. */
function isHarmless({ name, args }: Command, called: Set<string>): boolean {
  const [first = '', ...texts] = [name, ...args].map((word) => (word?.type === 'Word' ? textOf(word) : ''));
  if (first === 'command' || first === 'builtin')
    return PRINTING.test(texts[0] ?? '') && isFormat(texts.slice(1));
  if (first === 'printf') return isFormat(texts);
  if (!PRINTING.test(first)) called.add(first);
  return true;
}

/** `printf -v name` sets a variable. A variable at the start of a format is one of the words that may not begin with `-`. */
function isFormat([format = '']: readonly string[]): boolean {
  return /^(?:[^-$`]|\$\{?[A-Za-z_]\w*\}?[^\s"])/.test(format);
}

function textOf({ text }: Word): string {
  return text.replace(/^["']/, '');
}

const PRINTING = /^(?:echo|printf|test|\[|true|false|:|return|shift|basename|dirname)$/;
const TERMINAL = /^\/dev\/(?:null|tty|stdout|stderr)$/;

const HARMLESS_NODES: ReadonlySet<SyntaxNode['type']> = new Set([
  'Script',
  'CompoundList',
  'BraceGroup',
  'Subshell',
  'Statement',
  'AndOr',
  'Pipeline',
  'Negation',
  'Command',
  'If',
  'Elif',
  'Case',
  'CaseItem',
  'TestCommand',
  'TestUnary',
  'TestBinary',
  'TestLogical',
  'TestNot',
  'TestGroup',
  'Redirected',
  'Redirect',
  'FileDescriptor',
  'Word',
  'Literal',
  'Glob',
  'SingleQuoted',
  'DoubleQuoted',
  'AnsiCQuoted',
  'LocaleString',
  'SimpleExpansion',
  'ParameterExpansion',
  'Default',
  'Remove',
  'Replace',
  'Slice',
  'CaseModification',
  'CommandExpansion',
]);
