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
