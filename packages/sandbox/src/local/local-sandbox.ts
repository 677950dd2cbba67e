import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { checkOptions, optionKinds } from '@hooks/core/options';
import { SandboxError } from '../error.ts';
import { openSession } from '../open-session.ts';
import type { SandboxProvider, SandboxSession } from '../provider.ts';
import { resourceProblems, type SandboxSpec } from '../spec.ts';
import { bwrapDriver } from './bwrap-driver.ts';
import type { RunAs } from './holder.ts';

/** Options of {@link localSandbox}. */
export interface LocalSandboxOptions {
  /** More host folders to show, read-only: absolute paths, such as `/opt/node`. Never a folder with secrets. */
  readonly readOnly?: readonly string[];
}

/**
 * Sandboxes on this machine, made by bubblewrap from the kernel's namespaces. They need no service and no image, and add
 * a few milliseconds to a command. Requires Linux with `bwrap` 0.8 or newer, `unshare`, `nsenter` and `prlimit`
 * (util-linux), and user namespaces. If one of these is missing, it refuses; it never runs a command on the host.
 *
 * The sandbox shares the kernel with the host. It contains accidents and ordinary malice; code that may attack the kernel
 * belongs in a virtual machine.
 */
export function localSandbox(options: LocalSandboxOptions = {}): SandboxProvider {
  options = checkOptions('localSandbox', options, { readOnly: optionKinds.texts });
  const readOnly = options.readOnly ?? [];
  let machine: Promise<string | undefined> | undefined;
  const provider: SandboxProvider = {
    id: 'local',
    async supports(spec) {
      machine ??= tryMachine(readOnly);
      const cannot = await machine;
      if (cannot !== undefined) machine = undefined; // check again next time, because it may have changed
      const problems = [cannot, ...unsupported(spec), await mountProblem(spec)];
      return problems.filter((problem) => problem !== undefined);
    },
    async createSession(spec, signal) {
      const problems = await provider.supports(spec);
      if (problems.length > 0) throw new SandboxError('UNSUPPORTED', problems.join(' '));
      return open(spec, readOnly, signal);
    },
  };
  return provider;
}

async function open(
  spec: SandboxSpec,
  readOnly: readonly string[],
  signal?: AbortSignal,
): Promise<SandboxSession> {
  const runAs = await user(spec);
  return openSession(await bwrapDriver(spec, { readOnly, runAs }, signal), spec, signal);
}

/** Opens a sandbox as a test. Undefined if this machine can, otherwise the reason. */
async function tryMachine(readOnly: readonly string[]): Promise<string | undefined> {
  if (process.platform !== 'linux')
    return `localSandbox needs Linux; this is ${process.platform}. Use dockerSandbox or a remote sandbox.`;
  try {
    const session = await open({ resources: { diskMb: 1 } }, readOnly);
    await session.close();
    return undefined;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return `This machine cannot run sandboxes: ${why} Install bubblewrap (0.8 or newer) and util-linux, and allow unprivileged user namespaces.`;
  }
}

function unsupported(spec: SandboxSpec): readonly string[] {
  return [
    ...resourceProblems(spec.resources),
    ...(spec.network === 'open'
      ? ["localSandbox has no network; use network: 'none', or another provider."]
      : []),
    ...(spec.image === undefined ? [] : ['localSandbox cannot run images; use dockerSandbox.']),
    ...(spec.profile === undefined ? [] : ['localSandbox has no profiles.']),
  ];
}

async function mountProblem({ workspace }: SandboxSpec): Promise<string | undefined> {
  if (workspace === undefined || workspace.kind === 'scratch') return undefined;
  if (!isAbsolute(workspace.path)) return `The workspace must be an absolute path, not ${workspace.path}.`;
  const folder = await stat(workspace.path).catch(() => undefined);
  if (!folder?.isDirectory()) return `The workspace ${workspace.path} is not a directory.`;
  if (workspace.kind === 'mount' && !workspace.readOnly && process.getuid?.() === 0 && folder.uid === 0)
    return `The workspace ${workspace.path} belongs to root, and the kernel does not enforce root's process limits. Copy it, mount it readOnly, or change its owner.`;
  return undefined;
}

/** A root agent runs sandboxes as another user, because the kernel exempts root from the limit on processes. */
async function user({ workspace }: SandboxSpec): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (workspace?.kind !== 'mount') return NOBODY;
  const { uid, gid } = await stat(workspace.path);
  return uid === 0 ? NOBODY : { uid, gid };
}

const NOBODY: RunAs = { uid: 65534, gid: 65534 };
