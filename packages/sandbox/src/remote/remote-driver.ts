import { randomUUID } from 'node:crypto';
import type { SandboxOutput } from '../command.ts';
import type { DriverExit, DriverRequest, SandboxDriver } from '../driver.ts';
import { SandboxError } from '../error.ts';

/** What a remote machine offers through its provider's SDK. */
export interface RemoteMachine {
  readonly provider: string;
  /** Runs a line of a POSIX shell to its end and returns its exit code. */
  run(line: string, output: (chunk: SandboxOutput) => void): Promise<number>;
  write(path: string, data: Uint8Array): Promise<void>;
  /** Ends the machine. */
  close(): Promise<void>;
}

const WORKSPACE = '/tmp/workspace';

/**
 * Runs commands on a machine that offers only a shell. Each command has a mark in its environment, which identifies its
 * processes when it ends or is canceled, to kill them. Processes that drop their environment, as `sudo` does, end with
 * the machine.
 */
export async function remoteDriver(machine: RemoteMachine): Promise<SandboxDriver> {
  const run = (line: string, output: (chunk: SandboxOutput) => void = () => {}): Promise<number> =>
    machine.run(line, output).catch((cause: unknown) => {
      throw new SandboxError('FAILED', `${machine.provider} could not run it: ${(cause as Error).message}`, {
        cause,
      });
    });
  await run(`mkdir -p ${WORKSPACE}`);
  let closed = false;
  return {
    provider: machine.provider,
    workspace: WORKSPACE,
    close: () => {
      closed = true;
      return machine.close();
    },
    run: async (request, output, signal): Promise<DriverExit> => {
      const id = randomUUID();
      const file = request.stdin === undefined ? undefined : `/tmp/stdin-${id}`;
      if (file !== undefined) await machine.write(file, request.stdin ?? new Uint8Array());
      const cleanUp = file === undefined ? reap(id) : `${reap(id)}; rm -f ${file}`;
      const ended = run(
        commandLine(id, request, file ?? '/dev/null', cleanUp),
        (chunk) => signal.aborted || output(chunk),
      );
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      const exitCode = await Promise.race([ended, aborted]);
      if (exitCode !== undefined) return { exitCode };
      let over = false;
      const done = (): void => {
        over = true;
      };
      ended.then(done, done);
      // The command may not have started when it is killed for the first time.
      for (let round = 0; round < KILL_ROUNDS && !over && !closed; round++)
        await run(cleanUp).catch((cause: unknown) => {
          if (!closed) throw cause;
        });
      return { exitCode: null };
    },
  };
}

function commandLine(id: string, request: DriverRequest, input: string, cleanUp: string): string {
  const { argv, cwd, env } = request;
  const variables = Object.entries({ ...env, [MARK]: id }).map(([name, value]) => quote(`${name}=${value}`));
  const command = ['env', ...variables, ...argv.map(quote)].join(' ');
  return `(cd ${quote(cwd)} && exec ${command} <${input}); code=$?; ${cleanUp}; exit $code`;
}

/** Kills all processes with the mark, repeatedly, because a killed one may just have started another. */
function reap(id: string): string {
  const marked = `grep -lsz '^${MARK}=${id}$' /proc/[0-9]*/environ | cut -d/ -f3`;
  return `for _ in 1 2 3 4 5 6 7 8 9; do pids=$(${marked}); [ -n "$pids" ] || break; kill -9 $pids; done 2>/dev/null`;
}

const KILL_ROUNDS = 20;

const MARK = 'HOOKS_SANDBOX_COMMAND';

/** Quotes a word for a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
