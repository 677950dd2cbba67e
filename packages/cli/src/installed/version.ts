import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandEnvironment } from '@hooks/config/protocol';
import type { Program } from '../program.ts';
import type { InstallableAgent } from './agents.ts';

/** The gates that an agent has in the installed version, or only those of all versions if there is no telling. */
export async function gatesOf(agent: InstallableAgent, program: Program): Promise<readonly string[]> {
  return gatesIn(agent, agent.newGates && (await versionOf(agent, program)));
}

/** The gates of a version. */
export function gatesIn(
  { gates, newGates = {} }: Pick<InstallableAgent, 'gates' | 'newGates'>,
  version: string | undefined,
): readonly string[] {
  const newer = Object.entries(newGates).filter(
    ([, since]) => version !== undefined && compare(version, since) >= 0,
  );
  return [...gates, ...newer.map(([gate]) => gate)];
}

/** The version that the agent prints, such as `2.1.332`. The workspace's own program of that name is not asked. */
export async function versionOf(
  { version }: InstallableAgent,
  { env, cwd }: Program,
): Promise<string | undefined> {
  if (version === undefined) return undefined;
  const [program, ...args] = version;
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      env: commandEnvironment(Object.fromEntries(given), cwd()),
      timeout: 30_000,
      killSignal: 'SIGKILL',
    });
    return /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

function compare(version: string, other: string): number {
  return version.localeCompare(other, 'en', { numeric: true });
}
