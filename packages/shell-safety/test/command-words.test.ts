import { expect, test } from 'vitest';
import { commandWords } from '../src/index.ts';

test.each<readonly [string, readonly string[]]>([
  ['npm run build', ['npm!', 'run', 'build']],
  ['A=1 npm run "a b" >out', ['npm!', 'run', '"a b"']],
  ['cd a && ls | wc -l; echo b', ['cd!', 'a', 'ls!', 'wc!', '-l', 'echo!', 'b']],
  ['sh -c "rm *"', ['sh!', '-c', '"rm *"']],
  ['cat <<E\ntext *\nE\n', ['cat!']],
  ['', []],
])('the words of %j are %j', (command, words) => {
  const found = commandWords(command);
  expect(found?.map(({ text, isProgram }) => (isProgram ? `${text}!` : text))).toEqual(words);
  for (const { text, from, to } of found ?? []) expect(command.slice(from, to)).toBe(text);
});

test.each(['for a in b; do c; done', '(ls)', 'f() { ls; }', 'echo "a', 'a &&', '$('.repeat(100_000)])(
  '%.20s is no list of simple commands',
  (command) => expect(commandWords(command)).toBeUndefined(),
);
