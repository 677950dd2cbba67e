// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell
import { readFileSync } from 'node:fs';
import { drawn, sampled } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzeCall, analyzeCommand, checkCommand, judge } from '../src/index.ts';

/*
 * Time is held by counting: what is charged stands for the characters looked at, and a text that would take more than
 * so many is refused as unjudged. `bench/worst.ts` measures what a step takes.
 */

/** The budget. */
function most({ length }: string): number {
  const counted = Math.max(length, 16_000);
  const more = Math.min(200 * (counted - 16_000), 2_000_000);
  return Math.min(300_000 + 11 * counted + more, 300_000 + 11 * 1024 * 1024);
}
/** `%n` is a number that grows. */
function repeat(part: string, length: number): string {
  let text = '';
  for (let n = 0; text.length < length; n++) text += part.replaceAll('%n', `${n}`);
  return text.slice(0, length);
}

const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  'folders and arguments that grow': (n) => repeat('cd ..; cd $a; rm -rf "$@";a=$a/x;', n),
  words: (n) => `echo ${repeat('a ', n)}`,
  commands: (n) => repeat('a;', n),
  'a pipeline': (n) => `${repeat('a|', n)}b`,
  'open substitutions': (n) => repeat('$(', n),
  'open substitutions in quotes': (n) => repeat('"$(', n),
  'open process substitutions': (n) => repeat('<(', n),
  'open parameters': (n) => repeat('${a:-', n),
  arithmetic: (n) => repeat('$((', n),
  'open quotes': (n) => repeat('"', n),
  backticks: (n) => repeat('`', n),
  stars: (n) => `rm -rf /${repeat('*?', n)}`,
  braces: (n) => `echo ${repeat('{a,b}', n)}`,
  'variables that double': doubling,
  'functions that call twice': doublingFunctions,
  'functions that call twice with other arguments': callingWithOthers,
  'arguments that grow': (n) => repeat('set -- "$@" a;rm "$@";', n),
  'variables that grow': (n) => repeat('a+=xxxxxxxx;echo $a;', n),
  'files that grow': (n) => repeat('cat f f f f>g;cat g g g g>f;', n),
  'variables to copy': (n) => repeat('v$i=x; (v=$v);', n),
  'exported variables': (n) => repeat('export a=b$a;ls;', n),
  evals: (n) => `${repeat('eval ', n)}ls`,
  wrappers: (n) => `${repeat('exec ', n)}ls`,
  searches: (n) => `find / ${repeat('-exec rm {} + ', n)}`,
  'files to a long folder': (n) => `cp ${repeat('b/c ', n / 2)}${repeat('a/', n / 2)}`,
  'archives in a long folder': (n) => `tar x -C ${repeat('a', n / 2)} ${repeat('b ', n / 2)}`,
  'folders to search for names': (n) =>
    `find ${repeat('a ', n / 2)}${repeat('-name b ', n / 2)}-exec rm {} +`,
  'what is found, often': (n) => `find ${repeat('a ', n / 2)}-name b -exec rm ${repeat('{} ', n / 2)}+`,
  'values of separators': (n) => `IFS=abcdefgh; a=${repeat('b', n / 2)};${repeat('rm $a;', n / 2)}`,
  'options of git': (n) => `git ${repeat('--x ', n)}y`,
  'abbreviated options of git': (n) => `git ${repeat('--f --d --m ', n)}y`,
  'patterns as programs': (n) => repeat('/b?n/x?*;', n),
  'lists of parallel': (n) => `parallel rm {} ${repeat('::: a b ', n)}`,
  'functions in functions': (n) => repeat('f%n() { local a=$1; f%n; g; }; ', n),
  'values by the lot': (n) => repeat('for a in 1 2 3 4; do rm $a; ', n),
  'settings of git in a file': (n) =>
    `export GIT_CONFIG_GLOBAL=c; printf '[alias]\n${repeat('a = b\n', n / 2)}' > c;${repeat('git x;', n / 2)}`,
  'words that go on behind substitutions': (n) => `x=${repeat('<(b)c', n)} ls`,
  'local lists': (n) => `f() { ${repeat('local a=(b c);', n)} }; f`,
  'functions that start themselves': (n) => `f() { shift; "$@"; "$@"; }; f ${repeat('f ', n)}`,
  'settings and aliases of git': (n) => repeat('git config alias.a%n b; git a%n; ', n),
  'options of docker': (n) => `docker ${repeat('-a exec ', n)}y`,
  escapes: (n) => `rm ${repeat('%x ', n)}`,
  'files to copy': (n) => `cp ${repeat('src/x%n/b.ts ', n)}`,
  'links to programs': (n) => `ln -s ${repeat('ls%n ', n)} /usr/bin`,
  'exported variables of different names': (n) => repeat('export a%n=b;', n),
  'settings of ssh': (n) => `tee -a ${repeat('/etc/ssh/sshd_config.d/a%n ', n)}`,
  'files that are written and programs': (n) => repeat('echo a>bin/f%n;foo;', n),
  'checked downloads': (n) => repeat('sha256sum -c s && curl -o f%n http://x && ', n),
  code: (n) => `python3 -c '${repeat('open("a").read();', n)}'`,
};

function doubling(length: number): string {
  let text = 'a0=xx;';
  for (let i = 0; text.length < length; i++) text += `a${i + 1}=$a${i}$a${i};`;
  return text;
}

function doublingFunctions(length: number): string {
  let text = 'f0() { ls; };';
  let i = 0;
  for (; text.length < length; i++) text += `f${i + 1}() { f${i}; f${i}; };`;
  return `${text}f${i}`;
}

function callingWithOthers(length: number): string {
  let text = 'f0() { rm "$1"; };';
  let i = 0;
  for (; text.length < length; i++) text += `f${i + 1}() { f${i} "$1a"; f${i} "$1b"; };`;
  return `${text}f${i} x`;
}

describe('the work on a command is bounded by its length', () => {
  test.each(Object.entries(SHAPES))('%s', (_, shape) => {
    for (const length of [4_000, 16_000, 100_000]) {
      const text = shape(length);
      expect(analyzeCommand(text).steps).toBeLessThanOrEqual(most(text));
    }
  });

  test('in the worst that was found by repeating parts of shell', () => {
    const found = readFileSync(new URL('data/slow.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    for (const line of sampled(found, 5, 0)) {
      const slow: { part: string; in: string } = JSON.parse(line);
      for (const length of [16_000, 100_000]) {
        const text = slow.in + repeat(slow.part, length);
        expect(analyzeCommand(text).steps, line).toBeLessThanOrEqual(most(text));
      }
    }
  });

  test('whatever parts it repeats', () => {
    const part = fc.constantFrom(
      ...`a $a $@ "$@" '' " ' \` $( ) ( { } ; & | && || > >> < << <<< <( \n \\ * ? [ ] ~ / .. = += -r rm cat cd set -- eval export
        bash -c xargs find / -exec {} + for i in 1 2 do done if then fi while true case esac function f() sudo env curl sh
        python3 tr a b printf %s base64 -d`.split(/[^\S\n]+/),
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 10 }), (parts) => {
        const text = repeat(`${parts.join(' ')};`, 16_000);
        expect(analyzeCommand(text).steps).toBeLessThanOrEqual(most(text));
      }),
      { numRuns: drawn(60), seed: 20261122 },
    );
  });
});

/** The characters that the parser looks at: it has no counter, but it reads each with `charCodeAt`. */
function readsOf(task: () => unknown): number {
  const { charCodeAt } = String.prototype;
  let reads = 0;
  String.prototype.charCodeAt = function (index): number {
    reads++;
    return charCodeAt.call(this, index);
  };
  try {
    task();
  } finally {
    String.prototype.charCodeAt = charCodeAt;
  }
  return reads;
}

/** The elements of lists that are copied: whoever takes a long list apart one by one copies the square of its length. */
function copiesOf(task: () => unknown): number {
  const { slice } = Array.prototype;
  let copies = 0;
  Array.prototype.slice = function (...range): unknown[] {
    const part = slice.apply(this, range);
    copies += part.length;
    return part;
  };
  try {
    task();
  } finally {
    Array.prototype.slice = slice;
  }
  return copies;
}

/** Of what is charged for a character, the parser may look at it so often. */
const READS = 1;
const LENGTH = 3_000;
const SPECIAL = '; | ( ) { } [ $ ` " # = , $( ${ $(( <( =( <<a @( f(){ (( [[ $$'.split(' ').concat('\n', "'");

describe('the characters that are read are bounded by the length of the text', () => {
  const check = (part: string, before = '', after = ''): void => {
    const text = before + repeat(part, LENGTH) + after;
    expect(
      readsOf(() => analyzeCommand(text)),
      JSON.stringify([before, part, after]),
    ).toBeLessThanOrEqual(READS * most(text));
  };

  test.each([
    '<(){',
    '{<()',
    '>(a){',
    '@(){',
    '{@()',
    '{$$',
    'a$${',
    '<(<(){',
    '<( )"}"{',
    '{<()}{',
    'case a in a) ',
    '>(case a in a) ',
    '$(case a in (a) ',
    'if a;then ',
    '"$(`',
    '\'"',
    // Parentheses that do not close, so that each substitution is in the one before.
    "x <(')'\n",
    'x <(\\)\n',
    'x <( #)\n',
    'x <(<<E\n)\nE\n',
  ])('%j, repeated', (part) => {
    check(part);
  });

  // A fifth of the pairs; all with `HOOKS_RANDOM=1`.
  test('any two special characters, repeated', () => {
    for (const first of sampled(SPECIAL, 5, 0)) for (const second of SPECIAL) check(first + second);
  });

  test('nests, unclosed openers and languages in each other', () => {
    const start = fc.constantFrom(
      ...[
        '',
        'pwsh -c "',
        "cmd /c '",
        "bash -c '",
        "python3 -c '",
        'eval "',
        'cat <<E | sh\n',
        'iex "',
        '& {',
      ],
    );
    const part = fc.array(fc.constantFrom(...SPECIAL, ' '), { minLength: 3, maxLength: 6 });
    const end = fc.constantFrom('', '"', "'", ')', '}', '\nE\n', '/*', '!');
    fc.assert(
      fc.property(start, part, end, (before, parts, after) => {
        check(parts.join(''), before, after);
      }),
      { numRuns: drawn(60), seed: 20261128 },
    );
  });
});

describe('lists are not copied again for each of their words', () => {
  test.each<[part: string, shell: 'posix' | 'powershell' | 'cmd']>([
    ['. ', 'powershell'],
    ['& ', 'powershell'],
    ['@ ', 'powershell'],
    ['iex . ', 'powershell'],
    ['do ', 'cmd'],
    ['call ', 'cmd'],
    ['start ', 'cmd'],
    ['env ', 'posix'],
    ['sudo ', 'posix'],
    ['xargs ', 'posix'],
    ['eval ', 'posix'],
    ['noglob ', 'posix'],
  ])('%j, repeated, for %s', (part, shell) => {
    const text = repeat(part, 4 * LENGTH);
    expect(copiesOf(() => analyzeCommand(text, { shell }))).toBeLessThanOrEqual(most(text));
  });

  test('whatever is repeated', () => {
    const parts = fc.array(fc.constantFrom(...SPECIAL, '.', '@', '&', 'do', 'iex', 'env', 'sudo', 'a'), {
      minLength: 1,
      maxLength: 4,
    });
    const shells = fc.constantFrom('posix' as const, 'powershell' as const, 'cmd' as const);
    fc.assert(
      fc.property(parts, shells, (words, shell) => {
        const text = repeat(`${words.join(' ')} `, LENGTH);
        expect(
          copiesOf(() => analyzeCommand(text, { shell })),
          JSON.stringify([words, shell]),
        ).toBeLessThanOrEqual(most(text));
      }),
      { numRuns: drawn(60), seed: 20261130 },
    );
  });
});

describe('what is too much to go through is not let pass', () => {
  test.each([
    ['functions that call twice with other arguments', callingWithOthers(4_000)],
    ['wrappers in each other', `env ${'exec '.repeat(5_000)}rm -rf build`],
    [
      'a thousand shells in each other',
      `${"bash -c '".repeat(1000)}ls${"'".repeat(1000)}; ${'eval '.repeat(40)}ls`,
    ],
    ['substitutions that nest deeper than the stack', '"$('.repeat(100_000)],
  ])('%s', (_, command) => {
    expect(checkCommand(command)?.rule).toBe('unjudged/too-much');
  });

  test('and nothing longer than 1 MB is', () => {
    const long = 'echo a line of text; '.repeat(49_000);
    expect(checkCommand(long)).toBeUndefined();
    expect(checkCommand(`${long}rm -rf /`)?.rule).toBe('filesystem/delete');
    expect(checkCommand(`${long}${long}`)?.rule).toBe('unjudged/too-long');
  });

  test('while long commands of an agent are gone through as a whole', () => {
    const file = 'const answer: readonly string[] = ["a", `b ${c}`]; // it\'s "fine"\n';
    const written = `cat > a.ts <<'EOF'\n${file.repeat(3_000)}EOF\nnpm test`;
    expect(checkCommand(written)).toBeUndefined();
    expect(checkCommand(`${written} && rm -rf ~`)?.rule).toBe('filesystem/delete');
  });
});

describe('all commands of a call share one budget', () => {
  const nested = (depth: number, inside: unknown): unknown => {
    let value = inside;
    for (let i = 0; i < depth; i++) value = [value];
    return value;
  };

  test.each<[title: string, input: Readonly<Record<string, unknown>>]>([
    [
      'many long commands',
      { commands: Array.from({ length: 50 }, (_, i) => `${callingWithOthers(4_000)}${i}`) },
    ],
    ['lists in each other', { command: nested(5_000, 'ls') }],
    ['lists in each other around a long text', { command: nested(15, 'a '.repeat(100_000)), args: ['b'] }],
    ['many arguments beside many fields', { args: Array(3_000).fill('a'), ...Array(3_000).fill('ls') }],
    ['a long folder for many commands', { cwd: 'a'.repeat(100_000), commands: Array(1_500).fill('ls') }],
  ])('%s', (_, input) => {
    const values = Object.values(input);
    const { effects, steps } = analyzeCall(values, input);
    expect(steps).toBeLessThanOrEqual(
      300_000 + 44 * JSON.stringify(values.flat(Number.POSITIVE_INFINITY)).length,
    );
    expect(judge(effects)?.rule).toBe('unjudged/too-much');
  });

  test('and an ordinary call is judged as a whole', () => {
    const commands = Array.from(
      { length: 40 },
      (_, i) => `npm test -- --shard=${i}/40 && git add src/${i}.ts`,
    );
    const input = { commands, cwd: '/work', env: { A: 'b' } };
    expect(judge(analyzeCall([commands], input).effects)).toBeUndefined();
    expect(judge(analyzeCall([[...commands, 'rm -rf ~']], input).effects)?.rule).toBe('filesystem/delete');
  });
});

describe('a list is not cut, because what is cut off would pass unseen', () => {
  const names = (count: number): string => Array.from({ length: count }, (_, i) => `a${i}`).join(' ');
  const list = `${names(130)} ~ ${names(300)}`;
  const lines = `printf '%s\\n' ${names(30)} ~ ${names(20)}`;
  test.each([
    `set -- ${list}; rm -rf "$@"`,
    `set -- ${list}; rm -rf $*`,
    `f() { rm -rf "$@"; }; f ${list}`,
    `for x in ${list}; do rm -rf "$x"; done`,
    `for x in ${list}; do y=$x; rm -rf "$y"; done`,
    `set -- ${list}; for x; do rm -rf "$x"; done`,
    `a=(${list}); rm -rf "\${a[@]}"`,
    `a=(${list}); rm -rf "\${a[@]:120}"`,
    `set -- ${list}; rm -rf "\${@:120}"`,
    `a=(~); ${'a+=(b c); '.repeat(40)}rm -rf "\${a[@]}"`,
    `rm -rf /tmp/{${list.replaceAll(' ', ',').replace('~', '../home')}}`,
    `echo ${list} | xargs rm -rf`,
    `${lines} | xargs -I{} rm -rf {}`,
    `parallel rm -rf ::: ${list}`,
  ])('%#', (command) => {
    expect(checkCommand(command)?.rule).toBe('filesystem/delete');
  });

  test.each([
    `set -- ${'a '.repeat(4000)}\n${'rm "$@"\n'.repeat(1000)}`,
    `x=(a b); ${'x+=("${x[@]}"); '.repeat(900)}`,
    `x=a; ${'if b; then x="$x a"; fi; '.repeat(600)}rm $x`,
    `set -- a; ${'if b; then set -- "$@" "$1"; fi; '.repeat(300)}rm "$@"`,
    `set -- a; ${Array.from({ length: 300 }, (_, i) => `if b; then set -- "$@" x${i} y${i}; fi; `).join('')}rm "$@"`,
    `rm ${'{a,b,c,d,e,f,g,h,i,j,k,l,m,n}'.repeat(500)}`,
    `x=(${'a '.repeat(4000)}); ${'echo "word$x${x[@]}y${x[@]}"; '.repeat(150)}`,
  ])('and costs what its length says: %#', (text) => {
    const { steps } = analyzeCommand(text);
    expect(steps).toBeLessThanOrEqual(480_000);
  });
});

test('a command that its call gives a folder may take twice what it takes alone', () => {
  const command = 'a+=("$@");echo $a '.repeat(880);
  const alone = analyzeCommand(command).steps;
  expect(analyzeCall([command], { command, cwd: '/p' }).steps).toBeLessThanOrEqual(2 * alone + 10_000);
});
