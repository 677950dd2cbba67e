import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type Docker from 'dockerode';
import { dockerDriver } from './docker-driver.ts';
import { SandboxError } from './error.ts';
import { openSession } from './open-session.ts';
import type { SandboxProvider } from './provider.ts';
import { resourceProblems, type SandboxSpec } from './spec.ts';

/** The default image. It has what sessions use (`sh`, `tar`, GNU `date`, `find` and `diff`). */
const DEFAULT_IMAGE = 'debian:stable-slim';

/**
 * Runs sandboxes in containers of a Docker engine, or of one with the same API. A container holds the session's files.
 * Each command runs in its own container, without capabilities or network and with a read-only root. Whoever reaches
 * the engine controls its host, so the engine has to be trusted.
 *
 * @param docker your client, connected as you need it: `new Docker()`
 * @example
 * ```ts
 * import Docker from 'dockerode';
 * const sandbox = createSandbox(dockerSandbox(new Docker()), { image: 'node:24-slim' });
 * ```
 */
export function dockerSandbox(docker: Docker): SandboxProvider {
  const provider: SandboxProvider = {
    id: 'docker',
    async supports(spec) {
      const problems = [engineProblem(docker, spec), workspaceProblem(spec), profileProblem(spec)];
      return [...(await Promise.all(problems)), ...resourceProblems(spec.resources)].filter(
        (problem) => problem !== undefined,
      );
    },
    async createSession(spec, signal) {
      const problems = await provider.supports(spec);
      signal?.throwIfAborted();
      if (problems.length > 0) throw new SandboxError('UNSUPPORTED', problems.join(' '));
      return openSession(await dockerDriver(docker, { image: DEFAULT_IMAGE, ...spec }), spec, signal);
    },
  };
  return provider;
}

async function engineProblem(
  docker: Docker,
  { image = DEFAULT_IMAGE }: SandboxSpec,
): Promise<string | undefined> {
  try {
    await docker.ping();
  } catch (cause) {
    return `Cannot reach a Docker engine (${(cause as Error).message}).`;
  }
  const known = await docker
    .getImage(image)
    .inspect()
    .catch(() => undefined);
  return known === undefined
    ? `The engine does not have the image ${image}; pull it: docker pull ${image}.`
    : undefined;
}

async function workspaceProblem({ workspace }: SandboxSpec): Promise<string | undefined> {
  if (workspace === undefined || workspace.kind === 'scratch') return undefined;
  if (!isAbsolute(workspace.path)) return `The workspace must be an absolute path, not ${workspace.path}.`;
  const folder = await stat(workspace.path).catch(() => undefined);
  return folder?.isDirectory() ? undefined : `The workspace ${workspace.path} is not a directory.`;
}

function profileProblem({ profile }: SandboxSpec): string | undefined {
  return profile === undefined ? undefined : 'dockerSandbox has no profiles; set image instead.';
}
