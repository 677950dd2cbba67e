import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** A server for a test, on loopback, with its own data folder. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** The password of the servers. */
const PASSWORD = 'correct-horse-battery';

/** The folder of Debian's Postgres programs, by version. */
const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian) : [];
const folders = [
  ...versions.map((version) => join(debian, version, 'bin')),
  ...(process.env['PATH'] ?? '').split(delimiter),
];

function programOf(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const postgres = programOf('postgres');
const initdb = programOf('initdb');
const redis = programOf('redis-server') ?? programOf('valkey-server');

/** Why there is no server for tests; undefined if there is one. */
export const noPostgres: string | undefined =
  postgres && initdb ? undefined : 'needs the Debian package postgresql';
export const noRedis: string | undefined = redis ? undefined : 'needs the Debian package redis-server';

/** The user that Postgres runs as, because it refuses to run as root. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The id of the user that Postgres runs as. */
export const POSTGRES_USER: number | undefined = user.uid ?? process.getuid?.();

export async function startPostgres(): Promise<TestServer> {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const passwords = join(folder, 'password');
  writeFileSync(passwords, PASSWORD);
  if (user.uid !== undefined) for (const path of [folder, passwords]) chownSync(path, user.uid, user.gid);
  const options = ['--pgdata', data, '--auth=scram-sha-256', '--username=hooks', `--pwfile=${passwords}`];
  execFileSync(initdb ?? '', [...options, '--no-sync', '--encoding=UTF8', '--no-locale'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
  ];
  return running(
    port,
    `postgres://hooks:${PASSWORD}@127.0.0.1:${port}/postgres`,
    () =>
      spawn(postgres ?? '', ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
        ...user,
        cwd: folder,
      }),
    /ready to accept connections/,
    // A fast shutdown ends connections at once; a "smart" one would wait for them.
    'SIGINT',
  );
}

/** @param more options of the server's command line */
export async function startRedis(more: readonly string[] = []): Promise<TestServer> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--requirepass', PASSWORD];
  return running(
    port,
    `redis://:${PASSWORD}@127.0.0.1:${port}`,
    () => spawn(redis ?? '', [...options, '--save', '', '--appendonly', 'yes', ...more]),
    /Ready to accept connections/,
    'SIGTERM',
  );
}

async function running(
  port: number,
  url: string,
  spawnServer: () => ChildProcess,
  ready: RegExp,
  end: NodeJS.Signals,
): Promise<TestServer> {
  let server: ChildProcess | undefined;
  const started: TestServer = {
    url,
    port,
    async start() {
      const child = spawnServer();
      server = child;
      let said = '';
      await new Promise<void>((resolve, reject) => {
        const listen = (text: Buffer): void => {
          said += text;
          if (ready.test(said)) resolve();
        };
        child.stdout?.on('data', listen);
        child.stderr?.on('data', listen);
        child.once('error', reject);
        child.once('exit', () => reject(new Error(`The server ended: ${said}`)));
      });
    },
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      server.kill(end);
      await once(server, 'exit');
    },
    [Symbol.asyncDispose]: () => started.stop(),
  };
  await started.start();
  return started;
}

/** A server that accepts connections and never responds. */
export async function silentServer(port = 0): Promise<{ readonly port: number; end(): void }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    end: () => server.close(),
  };
}

/**
 * A port for a server that starts later. It is below the ports that Linux gives to the connections of clients (32768 and up):
 * one of those can be taken by another test before the server listens. It is random, so two tests do not choose the same.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  try {
    const { end } = await silentServer(port);
    end();
    return port;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return freePort();
    throw error;
  }
}
