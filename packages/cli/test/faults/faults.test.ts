import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { INSTALLABLE } from '../../src/installed/agents.ts';
import { commandLine } from '../../src/installed/command.ts';
import { ASKING_AGENTS, type Ended } from './agents.ts';
import { FAULTS, type Fault } from './faults.ts';

/** Whatever goes wrong with `hooks run`, no agent runs the tool. What is published runs here, as processes. */

const dir = fileURLToPath(new URL('../../.turbo/faults', import.meta.url));
const core = join(dir, 'core.mjs');

beforeAll(async () => {
  await bundle(join(dir, 'bin'));
  const built = await rolldown({
    input: fileURLToPath(new URL('../../../core/src/index.ts', import.meta.url)),
  });
  await built.write({ file: core, format: 'esm' });
  await built.close();
});

const bin = join(dir, 'bin/hooks.cjs');
const started = {
  'as a command of its own': (agent: string, args: readonly string[]) =>
    [process.execPath, bin, 'run', '--as', agent, ...args].join(' '),
  'as it is installed': (agent: string, args: readonly string[]) =>
    commandLine({ agent, args, self: [process.execPath, bin] }, true),
};

describe.each(Object.entries(started))('%s', (how, command) => {
  describe.each(Object.entries(ASKING_AGENTS))(
    '%s does not run the tool when',
    (agent, { event, refuses }) => {
      const faults = FAULTS.filter(({ installedOnly }) => how === 'as it is installed' || !installedOnly);
      test.concurrent.each(faults)('$name', async (fault) => {
        const ended = await hookRun(agent, fault, JSON.stringify(event('rm -rf ./precious')), command);
        expect({ ...ended, refuses: refuses(ended) }).toMatchObject({ refuses: true });
      });

      test.concurrent('nothing is wrong: then it runs', async () => {
        const policy =
          "export default { name: 'policy', register: (hooks) => hooks.on(core.BeforeToolCall, () => core.proceed()) };";
        const ended = await hookRun(agent, { name: 'none', policy }, JSON.stringify(event('ls')), command);
        expect({ code: ended.code, refuses: refuses(ended) }).toEqual({ code: 0, refuses: false });
      });
    },
  );
});

/** Makes every long time limit a short one. */
const impatient = `const { setTimeout } = globalThis;
globalThis.setTimeout = (handler, ms, ...args) => setTimeout(handler, ms > 10_000 ? 50 : ms, ...args);`;

async function hookRun(
  agent: string,
  { policy, args, stdin, shell, env }: Fault,
  event: string,
  command: (agent: string, args: readonly string[]) => string,
): Promise<Ended> {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.config'));
  if (policy !== undefined)
    writeFileSync(join(cwd, 'policy.mjs'), `import * as core from ${JSON.stringify(core)};\n${policy}`);
  writeFileSync(join(cwd, 'impatient.cjs'), impatient);
  const line = command(agent, args ?? ['--policy', join(cwd, 'policy.mjs')]);
  const [program = '', ...words] = INSTALLABLE[agent]?.shell(`${shell ?? ''}\n${line}`, {}) ?? [];
  const child = spawn(program, words, {
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CONFIG_HOME: join(cwd, '.config'), ...env },
    stdio: 'pipe',
  });
  const output = [text(child.stdout), text(child.stderr)] as const;
  child.stdin.on('error', () => {}); // It ends before it has read.
  child.stdin.end(stdin ?? event);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: await output[0], stderr: await output[1] };
}
