import { drawn } from '@hooks/testing/random';
import { describe, expect, test } from 'vitest';
import { checkCommand } from '../src/index.ts';
import { load } from './labelled.ts';

/*
 * Whatever stands in front of a dangerous command, around it or behind it, it stays one.
 */

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** In front of any command, or behind it, without changing what it does. */
const PADDINGS: Readonly<Record<string, (command: string) => string>> = {
  'round brackets in quotes': (command) => `: "${'('.repeat(49)}"; ${command}`,
  'substitutions in single quotes': (command) => `: '${'$('.repeat(60)}'\n${command}`,
  'a long comment': (command) => `# ${'it is fine ('.repeat(2_000)}\n${command}`,
  'many commands': (command) => `${`echo ${'a '.repeat(60)}; `.repeat(80)}${command}`,
  'a long argument': (command) => `echo "${'a '.repeat(10_000)}"; ${command}`,
  'a long here-document': (command) =>
    `cat > notes.txt <<'NOTES'\n${'a "line" of $(text)\n'.repeat(900)}NOTES\n${command}`,
  'empty lines': (command) => `${'\n'.repeat(20_000)}${command}`,
  'nested arithmetic': (command) => `: $((${'(1+'.repeat(40)}1${')'.repeat(40)}))\n${command}`,
  'nested substitutions': (command) => `: ${'$(echo '.repeat(20)}${')'.repeat(20)}\n${command}`,
  'a long variable': (command) => `X='${'x'.repeat(20_000)}'\n${command}`,
  'brackets behind it': (command) => `${command}\n\n: "${'('.repeat(300)}"`,
};

/** Around commands that mean the same wherever they stand. */
const WRAPPINGS: Readonly<Record<string, (command: string) => string>> = {
  'a text that is no shell behind it': (command) => `${command}\necho "`,
  'subshells in each other': (command) => `${'( '.repeat(40)}${command}\n${')'.repeat(40)}`,
  'groups in each other': (command) => `${'{ '.repeat(40)}${command}\n${'} ; '.repeat(40)}`,
  'branches in each other': (command) => `${'if true; then '.repeat(30)}${command}\n${'fi; '.repeat(30)}`,
  'loops in each other': (command) => `${'for i in 1; do '.repeat(20)}${command}\n${'done; '.repeat(20)}`,
  'a case': (command) => `case a in b) ;; *) ${command}\n;; esac`,
  'a function': (command) => `f() { ${command}\n}; f`,
  'a shell in a shell': (command) => `bash -c ${quoted(`sh -c ${quoted(command)}`)}`,
  'ANSI-C quotes': (command) =>
    `bash -c $'${[...command].map((char) => (char < '\x80' ? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}` : char)).join('')}'`,
  eval: (command) => `eval ${quoted(command)}`,
  'a here-document for a shell': (command) => `bash <<'END_OF_IT'\n${command}\nEND_OF_IT`,
  'a variable': (command) => `_m=${quoted(command)}; eval "$_m"`,
};

const CAUGHT = load('commands.made-from')
  .filter(({ label, preset, command }) => label === 'dangerous' && !preset && checkCommand(command))
  .map(({ command }) => command);
/** Of one line, without what a wrapping would change: comments, arguments of the script, what is not closed. */
const PLAIN = CAUGHT.filter((command) => !/[\n#\\]|<<|unterminated|\)$|\$\{?[@*0-9]|\$SUDO/.test(command));

/** An eighth of the commands, of each way another one; all of them with `HOOKS_RANDOM=8`. */
function someOf(commands: readonly string[], way: string): readonly string[] {
  const step = Math.max(1, Math.floor(8 / drawn(1)));
  return commands.filter((_, index) => index % step === way.length % step);
}

describe('a dangerous command stays one', () => {
  test.each(Object.entries(PADDINGS))('with %s', (way, pad) => {
    expect(someOf(CAUGHT, way).filter((command) => !checkCommand(pad(command)))).toEqual([]);
  });

  test.each(Object.entries(WRAPPINGS))('in %s', (way, wrap) => {
    expect(someOf(PLAIN, way).filter((command) => !checkCommand(wrap(command)))).toEqual([]);
  });
});

test('padding alone is not dangerous', () => {
  for (const pad of [...Object.values(PADDINGS), ...Object.values(WRAPPINGS)]) {
    const padded = pad('echo done');
    expect(checkCommand(padded), padded.slice(0, 100)).toBeUndefined();
  }
});
