import type { Sandbox, SandboxOpts } from 'e2b';
import { SandboxError } from './error.ts';
import { openSession } from './open-session.ts';
import type { SandboxProvider } from './provider.ts';
import { remoteDriver } from './remote/remote-driver.ts';
import type { SandboxSpec } from './spec.ts';

/** The machine ends this long after its last command, even if the agent is gone. */
const LIFETIME_MS = 15 * 60_000;

/**
 * Sandboxes in E2B's virtual machines. Memory, processes and disk are those of the template (`spec.profile`).
 *
 * @param e2b the class `Sandbox` of the package `e2b`
 * @param options how to reach E2B; the key comes from `E2B_API_KEY` unless set
 * @example
 * ```ts
 * import { Sandbox } from 'e2b';
 * const sandbox = createSandbox(e2bSandbox(Sandbox), { profile: 'my-template' });
 * ```
 */
export function e2bSandbox(
  e2b: typeof Sandbox,
  options: Pick<SandboxOpts, 'apiKey' | 'domain'> = {},
): SandboxProvider {
  return {
    id: 'e2b',
    supports: async (spec) => unsupported(spec),
    async createSession(spec, signal) {
      const problems = unsupported(spec);
      if (problems.length > 0) throw new SandboxError('UNSUPPORTED', problems.join(' '));
      signal?.throwIfAborted();
      const machine = await create(e2b, spec, options);
      const driver = await remoteDriver({
        provider: 'e2b',
        run: (line, output) => run(machine, line, output),
        write: async (path, data) => {
          await machine.files.write(path, new Blob([new Uint8Array(data)]));
        },
        close: async () => {
          await machine.kill();
        },
      }).catch(async (cause: unknown) => {
        await machine.kill();
        throw cause;
      });
      return openSession(driver, spec, signal);
    },
  };
}

async function create(
  e2b: typeof Sandbox,
  { profile, labels, network }: SandboxSpec,
  options: Pick<SandboxOpts, 'apiKey' | 'domain'>,
): Promise<Sandbox> {
  try {
    return await e2b.create({
      ...options,
      ...(profile !== undefined && { template: profile }),
      ...(labels !== undefined && { metadata: { ...labels } }),
      allowInternetAccess: network === 'open',
      timeoutMs: LIFETIME_MS,
    });
  } catch (cause) {
    throw new SandboxError('UNAVAILABLE', `E2B did not create a sandbox: ${(cause as Error).message}`, {
      cause,
    });
  }
}

const run: (
  machine: Sandbox,
  ...rest: Parameters<Parameters<typeof remoteDriver>[0]['run']>
) => Promise<number> = async (machine, line, output) => {
  await machine.setTimeout(LIFETIME_MS);
  try {
    const { exitCode } = await machine.commands.run(line, {
      timeoutMs: 0, // the session has its own
      onStdout: (data) => output({ stream: 'stdout', data: Buffer.from(data) }),
      onStderr: (data) => output({ stream: 'stderr', data: Buffer.from(data) }),
    });
    return exitCode;
  } catch (error) {
    if (isExit(error)) return error.exitCode;
    throw error;
  }
};

/** E2B throws if a command fails. Here that is a result. */
function isExit(error: unknown): error is Error & { readonly exitCode: number } {
  return error instanceof Error && error.name === 'CommandExitError' && 'exitCode' in error;
}

function unsupported({ image, resources, workspace }: SandboxSpec): readonly string[] {
  return [
    ...(image === undefined ? [] : ['e2bSandbox runs templates, not images; set profile to a template.']),
    ...(resources === undefined ? [] : ['e2bSandbox has the resources of its template; set them there.']),
    ...(workspace?.kind === 'mount'
      ? ["e2bSandbox cannot mount a folder of this machine; use kind: 'copy'."]
      : []),
  ];
}
