import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { userDirectory } from '@hooks/config';
import type { Reply } from '../agents/agent.ts';
import {
  answerEvent,
  type Close,
  filesOf,
  type OpenPolicy,
  openForEvent,
  type PolicyOptions,
  readOptions,
} from '../commands/run.ts';
import { problemOf } from '../problem.ts';
import type { Program } from '../program.ts';
import { watchLoadedFiles } from './seen-files.ts';
import { type Listening, listenOn } from './socket.ts';

/** A worker exits after ten minutes without a request. */
const IDLE_MS = 600_000;

/** A policy in an endless loop keeps a call waiting for at most this long. */
const STUCK_MS = 300_000;

/** How often a worker checks whether another has replaced it, because two may have started at the same time. */
const REACHABLE_MS = 2000;

/**
 * Answers the events of `hooks run` over HTTP on a socket, with a policy that it loads once. `hook.sh` is the client. The
 * worker exits when a file has changed, or when the policy has failed outside of an answer. The client then starts cold.
 *
 * @param args the socket, and the options of `hooks run`
 */
export async function runWorker([socket = '', ...args]: readonly string[]): Promise<void> {
  const pending = new Map<ServerResponse, Close>();
  const server = createServer();
  let listening: Listening | undefined;
  let policy: OpenPolicy | undefined;
  const retire = (): void => {
    listening?.release();
    server.close(async () => {
      await policy?.[Symbol.asyncDispose]();
      process.exit(0);
    });
    server.closeIdleConnections();
  };
  // Started before the policy loads, so that a worker whose policy never finishes loading exits as well.
  const idle = setTimeout(retire, IDLE_MS).unref();

  killWhenStuck();
  const files = watchLoadedFiles();
  const options = readOptions(args);
  for (const path of filesToWatch(options)) files.add(path);
  const opened = await openForEvent(options, worker);
  policy = opened;

  const refuseStale = (response: ServerResponse): boolean => {
    if (files.areUnchanged()) return false;
    // Respond before reading the event, so that the client still has it.
    response.writeHead(503, { connection: 'close' }).end();
    retire();
    return true;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    idle.refresh();
    pending.set(response, (reason) => ({ exitCode: 2, stderr: reason }));
    const closeWith = (close: Close): void => void pending.set(response, close);
    const { reply } = await answerEvent(await text(request), args, closeWith, () => opened);
    // Let rejections of promises that a policy did not await surface now.
    await new Promise(setImmediate);
    send(response, reply);
    pending.delete(response);
  };
  server.on('request', (request, response) => {
    if (!refuseStale(response)) void answer(request, response).catch(fail);
  });
  server.on('checkContinue', (request, response) => {
    if (refuseStale(response)) return;
    response.writeContinue();
    void answer(request, response).catch(fail);
  });

  /** Closes all pending events, because the failure cannot be attributed to one of them. */
  const closeAll = (reason: string): void => {
    listening?.release();
    for (const [response, close] of pending) send(response, close(`hooks run failed: ${reason}`));
    pending.clear();
  };
  const fail = (error: unknown): void => {
    closeAll(problemOf(error));
    server.close(() => process.exit(1));
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('exit', () => closeAll('the process exited before it answered'));

  if (!files.areUnchanged()) process.exit(0);
  listening = await listenOn(server, socket);
  const { isReachable } = listening;
  setInterval(() => isReachable() || retire(), REACHABLE_MS).unref();
}

/** Kills this process if its event loop blocks for five minutes. The blocking call is then refused. */
function killWhenStuck(): void {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const watch = `
    const { workerData: turns } = require('node:worker_threads');
    const look = (seen) => turns[0] === seen ? process.kill(process.pid, 'SIGKILL') : later(turns[0]);
    const later = (seen) => setTimeout(look, ${STUCK_MS}, seen);
    later(-1);
  `;
  new Worker(watch, { eval: true, workerData: turns }).unref();
  setInterval(() => Atomics.add(turns, 0, 1), STUCK_MS / 10).unref();
}

/** The program of a worker, whose output nobody reads. */
const worker: Program = {
  stdout: { write: () => {} },
  stderr: { write: () => {} },
  env: process.env,
  self: [],
  cwd: () => process.cwd(),
};

/** The files besides modules: this command, the possible hook files, and the trust decisions. */
function filesToWatch(options: PolicyOptions): readonly string[] {
  const own = [process.argv[1] ?? '', join(userDirectory(), 'trust.json')];
  const names = ['.', 'hooks.yaml', 'hooks.yml', 'hooks.json'];
  return [...own, ...filesOf(options).flatMap((file) => names.map((name) => join(resolve(file), name)))];
}

/** Sends four lines to `hook.sh`: the exit code, stdout, stderr escaped for `printf %b`, and an end mark. */
function send(response: ServerResponse, { exitCode, stdout, stderr = '' }: Reply): void {
  const json = stdout === undefined ? '' : JSON.stringify(stdout);
  const told = stderr.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\0', '');
  const body = `hooks-1 ${exitCode}\no${json}\ne${told}\nend\n`;
  response.setHeader('content-length', Buffer.byteLength(body));
  response.setHeader('connection', 'close');
  response.end(body);
}
