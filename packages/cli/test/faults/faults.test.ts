import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { sampled } from '@hooks/testing/random';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../src/installed/command.ts';
import { ASKING_AGENTS } from './agents.ts';
import { FAULTS, type Fault } from './faults.ts';
import { type Published, placeOf, publish } from './place.ts';

/** Whatever goes wrong with `hooks run`, no agent runs the tool. Runs the published files as processes. */

let published: Published;
beforeAll(async () => {
  published = await publish('faults');
});

const commands = {
  'as a separate command': (agent: string, args: readonly string[], node: readonly string[]) =>
    [process.execPath, ...node, published.bin, 'run', '--as', agent, ...args].join(' '),
  'as it is installed': (agent: string, args: readonly string[], node: readonly string[]) =>
    commandLine({ agent, args, self: [process.execPath, ...node, published.bin] }, true),
};

const ways = Object.entries(commands).map(([how, command], way) => ({ how, command, way }));

// Each fault with one agent, in one of the ways: with all of them in both with `HOOKS_RANDOM=1`.
describe.each(ways)('$how', ({ how, command, way }) => {
  const faults = FAULTS.filter(({ installedOnly }) => how === 'as it is installed' || !installedOnly);
  const agents = Object.entries(ASKING_AGENTS).map(([agent, asking], offset) => ({ agent, asking, offset }));
  describe.each(agents)('$agent does not run the tool when', ({ agent, asking, offset }) => {
    const ended = (fault: Fault, event: object) => {
      const { args, run } = placeOf(fault, published);
      return run(agent, command(agent, args, fault.node ?? []), fault.stdin ?? JSON.stringify(event));
    };

    test.concurrent.each(sampled(faults, agents.length * ways.length, offset * ways.length + way))(
      '$name',
      async (fault) => {
        const refused = await ended(fault, asking.event('rm -rf ./precious'));
        expect({ ...refused, refuses: asking.refuses(refused) }).toMatchObject({ refuses: true });
      },
    );

    test.concurrent('nothing is wrong (in that case it runs)', async () => {
      const passed = await ended({ name: 'none', policy: PROCEEDS }, asking.event('ls'));
      expect({ code: passed.code, refuses: asking.refuses(passed) }).toEqual({ code: 0, refuses: false });
    });
  });
});

test('variables that make OpenSSL and Node load code do not reach an installed hook', async () => {
  const asks = ASKING_AGENTS['claude-code'];
  const { args, run } = placeOf(
    {
      name: 'environment',
      policy: PROCEEDS,
      env: { OPENSSL_CONF: 'openssl.cnf', NODE_COMPILE_CACHE: 'cache' },
      shell: `printf '%s\\n' 'nodejs_conf = a' '[a]' 'engines = b' '[b]' 'c = d' '[d]' 'dynamic_path = /none.so' > openssl.cnf`,
    },
    published,
  );
  const command = commands['as it is installed']('claude-code', args, []);
  const passed = await run('claude-code', command, JSON.stringify(asks?.event('ls')));
  expect(passed).toMatchObject({ code: 0, stderr: '' });
});

test('a hook that cannot start reads the whole event, because Codex would otherwise run the tool', async () => {
  const command = commandLine({ agent: 'codex', args: [], self: ['/no/such/node', published.bin] }, true);
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'ignore', 'pipe'] });
  const told = text(child.stderr);
  child.stdin.on('error', () => {});
  const written = new Promise((resolve) => {
    child.stdin.end('x'.repeat(1_000_000), (error?: Error | null) => resolve(error));
  });
  expect(await written).toBeFalsy();
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(await told).toContain('hooks run failed: it ended with exit code 127');
});

const PROCEEDS = `export default {
  name: 'policy',
  register: (hooks) => hooks.on(core.BeforeToolCall, () => core.proceed()),
};`;
