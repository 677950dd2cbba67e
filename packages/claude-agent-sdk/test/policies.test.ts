/** Policies of other packages that need calls of models, with the proxy. */
import { createHooks, type HookProvider } from '@hooks/core';
import { blockReason } from '../src/index.ts';
import { bash, type Script, withClaude } from './fixtures.ts';
import { playProxied } from './proxy.ts';

type Make = (options?: object) => HookProvider;
const from = (file: string) => import(new URL(`../../${file}/src/index.ts`, import.meta.url).href);
const { limits, redactSecrets }: { readonly limits: Make; readonly redactSecrets: Make } =
  await from('guards');
const { flow }: { readonly flow: Make } = await from('flow');

const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

const playWith = (provider: HookProvider, script: Script, prompt = 'Go.') => {
  const hooks = createHooks();
  hooks.use(provider);
  return playProxied(script, hooks, { prompt });
};

withClaude.concurrent(
  'a limit of money ends a run whose calls of models cost too much',
  async ({ expect }) => {
    const guard = limits({ perRun: { cost: 3e-6 }, prices: { '*': { input: 1, output: 1 } } });
    const { model, result } = await playWith(guard, [[bash('echo 1')], [bash('echo 2')], [bash('echo 3')]]);
    // Each costs two tokens.
    expect(model.requests).toHaveLength(2);
    expect(blockReason(result)).toMatch(/cost/);
  },
);

withClaude.concurrent('a secret in a prompt and in a result does not reach the model', async ({ expect }) => {
  const { model } = await playWith(redactSecrets(), [[bash(`echo ${SECRET}`)], 'done'], `Use ${SECRET}.`);
  const read = model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));
  expect(read).toHaveLength(2);
  expect(JSON.stringify(read)).not.toContain(SECRET);
});

withClaude.concurrent(
  'flow asks once the model has read something untrusted, which reminders are not',
  async ({ expect }) => {
    const guard = flow({ sinks: { Bash: 'untouched' } });
    const { model } = await playWith(guard, [[bash('echo hi')], [bash('echo again')], 'done']);
    expect(model.read()).toEqual(['hi', expect.stringMatching(/^!.*echo hi/s)]);
  },
);
