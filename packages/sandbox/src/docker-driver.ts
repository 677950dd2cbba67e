import { stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type Docker from 'dockerode';
import type { SandboxOutput } from './command.ts';
import type { DriverExit, DriverRequest, SandboxDriver } from './driver.ts';
import { SandboxError } from './error.ts';
import { DEFAULT_RESOURCES, type SandboxSpec } from './spec.ts';

const WORKSPACE = '/workspace';
const MIB = 1024 * 1024;

type ImageSpec = SandboxSpec & { readonly image: string };

/**
 * A sandbox in a Docker engine: one container holds the files and reads from a connection of the agent, and each
 * command runs in another container. All share the first one's process namespace. When the connection ends, even
 * because the agent was killed, the kernel ends all of them, and the engine removes them with their volumes.
 */
export async function dockerDriver(docker: Docker, spec: ImageSpec): Promise<SandboxDriver> {
  const user = await userOf(spec);
  const holder = await docker.createContainer({
    ...common(spec, user, ['cat']),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    HostConfig: { ...isolated(spec), NetworkMode: 'none', Mounts: volumes(spec, user) },
  });
  const line = await holder.attach({ stream: true, stdin: true, hijack: true });
  line.on('error', () => {});
  await holder.start();
  const gone = holder.wait().catch(() => undefined);
  const running = new Set<Promise<unknown>>();
  return {
    provider: 'docker',
    workspace: WORKSPACE,
    died: gone.then(() => 'The container with the files of the sandbox has ended.'),
    run: (request, output, signal) => {
      const run = runOne(docker, { spec, user, holder: holder.id }, request, output, signal);
      const settled = run.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
      return run;
    },
    close: async () => {
      await Promise.all(running);
      line.end();
      await holder.remove({ force: true, v: true }).catch(ignoreGone);
    },
  };
}

interface Place {
  readonly spec: ImageSpec;
  readonly user: string;
  readonly holder: string;
}

async function runOne(
  docker: Docker,
  { spec, user, holder }: Place,
  request: DriverRequest,
  output: (chunk: SandboxOutput) => void,
  signal: AbortSignal,
): Promise<DriverExit> {
  const container = await docker
    .createContainer({
      ...common(spec, user, ['/bin/sh', '-c', ENTER, 'sh', request.cwd, ...request.argv]),
      Env: Object.entries(request.env).map(([name, value]) => `${name}=${value}`),
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      HostConfig: { ...isolated(spec), VolumesFrom: [holder], PidMode: `container:${holder}` },
    })
    .catch(failed);
  const kill = (): void => void container.remove({ force: true }).catch(ignoreGone);
  try {
    const stream = await container.attach({
      stream: true,
      stdin: true,
      stdout: true,
      stderr: true,
      hijack: true,
    });
    const ended = new Promise<void>((resolve) => stream.once('close', resolve).once('end', resolve));
    stream.on('error', () => {});
    docker.modem.demuxStream(stream, sink('stdout', output), sink('stderr', output));
    const exit = container.wait({ condition: 'next-exit' });
    await container.start();
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    stream.end(request.stdin ?? '');
    const { StatusCode: exitCode } = (await exit) as { readonly StatusCode: number };
    await ended;
    return { exitCode: signal.aborted ? null : exitCode };
  } catch (cause) {
    if (signal.aborted) return { exitCode: null };
    kill();
    return failed(cause);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

const ENTER = 'cd "$1" && shift && exec "$@"';

function common(spec: ImageSpec, user: string, Cmd: string[]): Docker.ContainerCreateOptions {
  return {
    Image: spec.image,
    Entrypoint: [],
    Cmd,
    User: user,
    Labels: { ...spec.labels, 'hooks.sandbox': 'true' },
  };
}

function isolated(spec: SandboxSpec): Docker.HostConfig {
  const limits = { ...DEFAULT_RESOURCES, ...spec.resources };
  const ulimit = (Name: string, value: number): Docker.Ulimit => ({ Name, Soft: value, Hard: value });
  return {
    AutoRemove: true,
    NetworkMode: spec.network === 'open' ? 'default' : 'none',
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true'],
    IpcMode: 'none',
    LogConfig: { Type: 'none', Config: {} },
    Memory: limits.memoryMb * MIB,
    MemorySwap: limits.memoryMb * MIB,
    PidsLimit: limits.processes,
    Ulimits: [
      ulimit('cpu', limits.cpuSeconds),
      ulimit('fsize', limits.fileMb * MIB),
      ulimit('nofile', 1024),
      ulimit('core', 0),
    ],
  };
}

/** Workspace and `/tmp` in memory, each with half of the size. Unnamed, so they are removed with the container. */
function volumes(spec: SandboxSpec, user: string): Docker.MountConfig {
  const { workspace } = spec;
  const [uid, gid] = user.split(':');
  const half = ((spec.resources?.diskMb ?? DEFAULT_RESOURCES.diskMb) * MIB) / 2;
  const inMemory = (Target: string): Docker.MountSettings => ({
    Type: 'volume',
    Source: '',
    Target,
    VolumeOptions: {
      NoCopy: true,
      Labels: {},
      DriverConfig: {
        Name: 'local',
        Options: { type: 'tmpfs', device: 'tmpfs', o: `size=${half},mode=0700,uid=${uid},gid=${gid}` },
      },
    },
  });
  if (workspace?.kind !== 'mount') return [inMemory(WORKSPACE), inMemory('/tmp')];
  const mounted: Docker.MountSettings = {
    Type: 'bind',
    Source: workspace.path,
    Target: WORKSPACE,
    ReadOnly: workspace.readOnly ?? false,
  };
  return [mounted, inMemory('/tmp')];
}

/** The owner of a mounted workspace, so that new files belong to them. */
async function userOf({ workspace }: SandboxSpec): Promise<string> {
  if (workspace?.kind !== 'mount') return '1000:1000';
  const { uid, gid } = await stat(workspace.path);
  return `${uid}:${gid}`;
}

function sink(stream: SandboxOutput['stream'], output: (chunk: SandboxOutput) => void): Writable {
  return new Writable({
    write(data: Uint8Array, _encoding, done) {
      output({ stream, data });
      done();
    },
  });
}

function ignoreGone(error: { readonly statusCode?: number }): void {
  if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
}

function failed(cause: unknown): never {
  throw new SandboxError('FAILED', `The Docker engine could not run it: ${(cause as Error).message}`, {
    cause,
  });
}
