import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { TrustStore, trustedPath } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { rolldown } from 'rolldown';
import { bundle } from '../../scripts/bundle.ts';
import { INSTALLABLE } from '../../src/installed/agents.ts';
import type { Ended } from './agents.ts';
import type { Fault } from './faults.ts';

/** The published files, and core as one file for policies. */
export interface Published {
  /** The path of `hooks`. */
  readonly bin: string;
  readonly core: string;
}

/** Builds the published files in a folder below `.turbo`. */
export async function publish(name: string): Promise<Published> {
  const dir = fileURLToPath(new URL(`../../.turbo/${name}`, import.meta.url));
  const core = join(dir, 'core.mjs');
  await bundle(join(dir, 'bin'));
  const built = await rolldown({
    input: fileURLToPath(new URL('../../../core/src/index.ts', import.meta.url)),
  });
  await built.write({ file: core, format: 'esm' });
  await built.close();
  return { bin: join(dir, 'bin/hooks.cjs'), core };
}

/** A workspace with a fault. */
export interface FaultyPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The options of `hooks run`. */
  readonly args: readonly string[];
  /** Runs a hook's command as the agent's shell does. */
  run(agent: string, command: string, stdin: string): Promise<Ended>;
}

/** Shortens all long timeouts. */
const impatient = `const { setTimeout } = globalThis;
globalThis.setTimeout = (handler, ms, ...args) => setTimeout(handler, ms > 10_000 ? 50 : ms, ...args);`;

/** Creates a workspace with a fault. */
export function placeOf({ policy, args, shell = '', env }: Fault, { core }: Published): FaultyPlace {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.config'));
  if (policy !== undefined) {
    const text = `import * as core from ${JSON.stringify(core)};\n${policy}`;
    writeFileSync(join(cwd, 'policy.mjs'), text);
    const store = new TrustStore(join(cwd, '.config/hooks/trust.json'));
    void store.trust(trustedPath(join(cwd, 'policy.mjs')), text);
  }
  writeFileSync(join(cwd, 'impatient.cjs'), impatient);
  const all = { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CONFIG_HOME: join(cwd, '.config'), ...env };
  const run: FaultyPlace['run'] = async (agent, command, stdin) => {
    const [program = '', ...words] = INSTALLABLE[agent]?.shell(`${shell}\n${command}`, {}) ?? [];
    const child = spawn(program, words, { cwd, env: all, stdio: 'pipe' });
    const output = [text(child.stdout), text(child.stderr)] as const;
    child.stdin.on('error', () => {}); // Some hooks exit before they have read their stdin.
    child.stdin.end(stdin);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stdout: await output[0], stderr: await output[1] };
  };
  return { cwd, env: all, args: args ?? ['--policy', join(cwd, 'policy.mjs')], run };
}
