import { PassThrough, Writable } from 'node:stream';
import Docker from 'dockerode';
import { dockerSandbox } from '../src/docker.ts';
import type { SandboxOutput, SandboxProvider } from '../src/index.ts';
import { openSession } from '../src/open-session.ts';
import { type RemoteMachine, remoteDriver } from '../src/remote/remote-driver.ts';
import { testProvider } from './contract.ts';

const docker = new Docker();
const problems = await dockerSandbox(docker).supports({});

/** The common part of E2B and Daytona, on a real machine with a shell: a container, entered by `exec`. */
const provider: SandboxProvider = {
  id: 'a shell elsewhere',
  supports: async () => [],
  async createSession(spec, signal) {
    signal?.throwIfAborted();
    const container = await docker.createContainer({
      Image: 'debian:stable-slim',
      Cmd: ['sleep', 'infinity'],
      HostConfig: { AutoRemove: true, NetworkMode: 'none', Init: true },
    });
    await container.start();
    const machine: RemoteMachine = {
      provider: this.id,
      run: (line, output) => runIn(container, ['sh', '-c', line], output),
      write: async (path, data) => {
        await runIn(container, ['sh', '-c', `cat > ${path}`], () => {}, data);
      },
      close: () => container.remove({ force: true }),
    };
    return openSession(await remoteDriver(machine), spec, signal);
  },
};

async function runIn(
  container: Docker.Container,
  Cmd: string[],
  output: (chunk: SandboxOutput) => void,
  stdin?: Uint8Array,
): Promise<number> {
  const exec = await container.exec({
    Cmd,
    AttachStdin: stdin !== undefined,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: stdin !== undefined });
  const to = (name: SandboxOutput['stream']) =>
    new Writable({
      write: (data, _encoding, done) => {
        output({ stream: name, data });
        done();
      },
    });
  docker.modem.demuxStream(stream.pipe(new PassThrough()), to('stdout'), to('stderr'));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  if (stdin !== undefined) stream.end(stdin);
  await ended;
  return (await exec.inspect()).ExitCode ?? -1;
}

testProvider(provider, problems.length === 0 ? undefined : problems.join(' '));
