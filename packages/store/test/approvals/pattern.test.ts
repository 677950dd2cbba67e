import { BeforeToolCall, createHooks, type HooksError, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { expect, it } from 'vitest';
import { rememberApprovals } from '../../src/approvals/index.ts';
import { memoryStore } from '../../src/index.ts';

/** Approves a call for good with a pattern. Resolves to what went wrong, and to a function that says whether another one is asked about. */
async function remember(approved: object, matching?: Record<string, string>) {
  const errors: HooksError[] = [];
  const hooks = createHooks({ onError: (error) => void errors.push(error) });
  let asked = 0;
  hooks.use(rememberApprovals({ store: memoryStore() }));
  hooks.on(BeforeToolCall, () => requireApproval('It is yours.'));
  const call = (input: object) =>
    callTool(
      hooks,
      { session: hooks.session(), toolName: 'tool', input, principal: { id: 'ada' } },
      () => 'ran',
      {
        approval: () => {
          asked++;
          return {
            decision: 'allow',
            ...(asked === 1 && { remember: 'always', ...(matching && { matching }) }),
          };
        },
      },
    );
  await call(approved);
  return {
    errors,
    async isAskedAbout(input: object) {
      const before = asked;
      await call(input);
      return asked > before;
    },
  };
}

it.each<readonly [string, string, string]>([
  ['npm run *', 'npm run build', 'npm run test:e2e'],
  ['cat src/*', 'cat src/a.ts', 'cat src/b/c.d.ts'],
  ['cat src/*.ts', 'cat src/a.ts', 'cat src/b/c.ts'],
  ['git log --since * --oneline', 'git log --since yesterday --oneline', 'git log --since today --oneline'],
  ['src/*', 'src/a', 'src/b/c'],
  ['https://api.example.com/users/*', 'https://api.example.com/users/1', 'https://api.example.com/users/2'],
  [
    'SELECT name FROM orders WHERE id = *',
    'SELECT name FROM orders WHERE id = 1',
    'SELECT name FROM orders WHERE id = 2',
  ],
])('a `*` in %s is a word', async (text, approved, other) => {
  const { isAskedAbout, errors } = await remember({ text: approved }, { text });
  expect(errors).toEqual([]);
  expect(await isAskedAbout({ text: other })).toBe(false);
});

it.each<readonly [string, string, string]>([
  ['cat src/*', 'cat src/a', 'cat src/.\\./.env'],
  ['cat src/*', 'cat src/a', 'cat src/a /etc/shadow'],
  ['cat src/*', 'cat src/a', 'cat src/../.env'],
  ['cat src/*', 'cat src/a', 'cat src/.env'],
  ['cat src/*', 'cat src/a', 'cat src/a/../../b'],
  ['cat src/*', 'cat src/a', 'cat src/{a,../b}'],
  ['cat src/*', 'cat src/a', 'cat src/'],
  ['cat src/*', 'cat src/a', 'cat src//etc/passwd'],
  ['cat *', 'cat a', 'cat /etc/shadow'],
  ['cat *', 'cat a', 'cat ~root/x'],
  ['cat *', 'cat a', 'cat *'],
  ['rm -rf build/*', 'rm -rf build/x', 'rm -rf build/x ~'],
  ['rm *', 'rm a', 'rm -rf'],
  ['echo *', 'echo a', 'echo $HOME'],
  ['echo *', 'echo a', 'echo `id`'],
  ['echo *', 'echo a', 'echo a>b'],
  ['echo *', 'echo a', 'echo "a b"'],
  ['echo *', 'echo a', 'echo a\tb'],
  ['echo *', 'echo a', 'echo a\u2028b'],
  ['echo *', 'echo a', 'echo a\u0000b'],
  ['npm test *', 'npm test a', 'npm test a; ls'],
  ['git push *', 'git push origin', 'git push +main'],
  ['git push *', 'git push origin', 'git push :main'],
  ['env *', 'env x', 'env LD_PRELOAD=./evil.so'],
  ['https://api.example.com/*', 'https://api.example.com/a', 'https://api.example.com/../x'],
  ['https://api.example.com/*', 'https://api.example.com/a', 'https://api.example.com/%2e%2e/x'],
  ['https://api.example.com/*', 'https://api.example.com/a', 'https://api.example.com/a?b=c'],
  ['https://api.example.com/*', 'https://api.example.com/a', 'https://api.example.com@evil.net/'],
  ['https://api.example.com/*', 'https://api.example.com/a', 'https://api.example.com/a@evil'],
  ['SELECT * FROM orders', 'SELECT * FROM orders', 'SELECT 1 FROM users UNION SELECT password FROM orders'],
  ['SELECT * FROM orders', 'SELECT * FROM orders', 'SELECT password FROM orders'],
  ['ls *', 'ls *', 'ls a'],
  ['api.example.com*', 'api.example.com2', 'api.example.com.evil.net'],
])('a `*` in %s, given for %s, does not cover %j', async (text, approved, other) => {
  const { isAskedAbout, errors } = await remember({ text: approved }, { text });
  expect(errors).toEqual([]);
  expect(await isAskedAbout({ text: approved })).toBe(false);
  expect(await isAskedAbout({ text: other })).toBe(true);
});

it.each<readonly [string, string, string]>([
  ['*npm test', 'xnpm test', 'may not stand for a program'],
  ['* test', 'npm test', 'may not stand for a program'],
  ['cd a && *', 'cd a && ls', 'may not stand for a program'],
  ['A=1 * x', 'A=1 ls x', 'may not stand for a program'],
  ['sh -c "* x"', 'sh -c "ls x"', 'does not match|may not stand for a program'],
  ['https://api.example.com*', 'https://api.example.comx', 'host of a URL'],
  ['curl https://*/a', 'curl https://b/a', 'host of a URL'],
  ['cp *-*', 'cp a-b', 'one `\\*`'],
  ['SELECT * FROM *', 'SELECT * FROM orders', 'has a `\\*` of its own'],
  ['npm run *', 'npm install', 'does not match the pattern'],
])('the pattern %s for %s is refused', async (text, approved, message) => {
  const { isAskedAbout, errors } = await remember({ text: approved }, { text });
  expect(errors).toMatchObject([{ message: expect.stringMatching(message) }]);
  expect(await isAskedAbout({ text: approved })).toBe(true);
});

it('a yes without a pattern covers that input alone, whatever its form', async () => {
  for (const [input, other] of [
    [{ command: 'ls' }, { command: 'ls -l' }],
    [{ to: ['a'] }, { to: ['a', 'b'] }],
    [{}, { force: true }],
  ] as const) {
    const { isAskedAbout } = await remember(input);
    expect(await isAskedAbout(structuredClone(input))).toBe(false);
    expect(await isAskedAbout(other)).toBe(true);
  }
});

it('values that are not text match as they are, or whatever they are', async () => {
  const { isAskedAbout } = await remember({ amount: 5, to: ['a'] }, { amount: '*', to: '["a"]' });
  expect(await isAskedAbout({ amount: 6, to: ['a'] })).toBe(false);
  expect(await isAskedAbout({ amount: 6, to: ['b'] })).toBe(true);
  expect(await isAskedAbout({ amount: 6, to: ['a'], cc: 'c' })).toBe(true);
  const half = await remember({ amount: 51 }, { amount: '5*' });
  expect(half.errors).toHaveLength(1);
});

it('a long text is compared in no time', async () => {
  const { isAskedAbout } = await remember({ text: 'echo a' }, { text: 'echo *' });
  const began = performance.now();
  expect(await isAskedAbout({ text: `echo ${'a.'.repeat(500_000)}` })).toBe(true);
  expect(performance.now() - began).toBeLessThan(5_000);
});
