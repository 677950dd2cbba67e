import { randomUUID } from 'node:crypto';
import { SandboxError } from './error.ts';
import { openSession } from './open-session.ts';
import type { SandboxProvider } from './provider.ts';
import { quote, type RemoteMachine, remoteDriver } from './remote/remote-driver.ts';
import type { SandboxSpec } from './spec.ts';

/** The part of the `@daytona/sdk` client that is used; `new Daytona()` fits. */
export interface DaytonaClient {
  create(params: {
    readonly snapshot?: string;
    readonly image?: string;
    labels?: Record<string, string>;
    readonly networkBlockAll: boolean;
    readonly ephemeral: boolean;
    readonly autoStopInterval: number;
  }): Promise<DaytonaMachine>;
}

/** The part of a Daytona sandbox that is used. */
export interface DaytonaMachine {
  readonly process: {
    createSession(id: string): Promise<void>;
    executeSessionCommand(
      id: string,
      request: { command: string; runAsync: boolean },
    ): Promise<{ readonly cmdId: string }>;
    getSessionCommandLogs(
      id: string,
      command: string,
      stdout: (chunk: string) => void,
      stderr: (chunk: string) => void,
    ): Promise<void>;
    getSessionCommand(id: string, command: string): Promise<{ readonly exitCode?: number }>;
    deleteSession(id: string): Promise<void>;
  };
  readonly fs: { uploadFile(file: Buffer, path: string): Promise<void> };
  delete(): Promise<void>;
}

/** The machine stops this long after its last use, even if the agent is gone. An ephemeral one is deleted. */
const IDLE_MINUTES = 15;

/**
 * Sandboxes at Daytona. Memory, processes and disk are those of the snapshot (`spec.profile`) or image.
 *
 * @param daytona your client: `new Daytona()` of `@daytona/sdk`
 * @example
 * ```ts
 * import { Daytona } from '@daytona/sdk';
 * const sandbox = createSandbox(daytonaSandbox(new Daytona()));
 * ```
 */
export function daytonaSandbox(daytona: DaytonaClient): SandboxProvider {
  return {
    id: 'daytona',
    supports: async (spec) => unsupported(spec),
    async createSession(spec, signal) {
      const problems = unsupported(spec);
      if (problems.length > 0) throw new SandboxError('UNSUPPORTED', problems.join(' '));
      signal?.throwIfAborted();
      const machine = await create(daytona, spec);
      const driver = await remoteDriver({
        provider: 'daytona',
        run: (line, output) => run(machine, line, output),
        write: (path, data) => machine.fs.uploadFile(Buffer.from(data), path),
        close: () => machine.delete(),
      }).catch(async (cause: unknown) => {
        await machine.delete();
        throw cause;
      });
      return openSession(driver, spec, signal);
    },
  };
}

async function create(
  daytona: DaytonaClient,
  { profile, image, labels, network }: SandboxSpec,
): Promise<DaytonaMachine> {
  try {
    return await daytona.create({
      ...(profile !== undefined && { snapshot: profile }),
      ...(image !== undefined && { image }),
      ...(labels !== undefined && { labels: { ...labels } }),
      networkBlockAll: network !== 'open',
      ephemeral: true,
      autoStopInterval: IDLE_MINUTES,
    });
  } catch (cause) {
    throw new SandboxError('UNAVAILABLE', `Daytona did not create a sandbox: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** A Daytona session is one shell. Each line gets its own, or `exit` would end it for the next. */
async function run(
  machine: DaytonaMachine,
  ...[line, output]: Parameters<RemoteMachine['run']>
): Promise<number> {
  const { process } = machine;
  const session = `hooks-${randomUUID()}`;
  await process.createSession(session);
  try {
    const { cmdId } = await process.executeSessionCommand(session, {
      command: `sh -c ${quote(line)}`,
      runAsync: true,
    });
    await process.getSessionCommandLogs(
      session,
      cmdId,
      (data) => output({ stream: 'stdout', data: Buffer.from(data) }),
      (data) => output({ stream: 'stderr', data: Buffer.from(data) }),
    );
    const { exitCode } = await process.getSessionCommand(session, cmdId);
    if (exitCode === undefined) throw new Error('The command ended without an exit code.');
    return exitCode;
  } finally {
    await process.deleteSession(session);
  }
}

function unsupported({ image, profile, resources, workspace }: SandboxSpec): readonly string[] {
  return [
    ...(image !== undefined && profile !== undefined
      ? ['daytonaSandbox takes an image or a profile, not both.']
      : []),
    ...(resources === undefined ? [] : ['daytonaSandbox has the resources of its snapshot; set them there.']),
    ...(workspace?.kind === 'mount'
      ? ["daytonaSandbox cannot mount a folder of this machine; use kind: 'copy'."]
      : []),
  ];
}
