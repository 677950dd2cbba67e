import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { attachAdapter } from '@hooks/core/adapter';
import { checkOptions, needed, type OptionChecks, optionKinds } from '@hooks/core/options';
import { RequestStates } from './approval/request-state.ts';
import { Connection, type Route } from './connection.ts';
import { fromClient } from './gate.ts';
import { readLines, writeLine } from './message/lines.ts';
import {
  errorResponse,
  type Message,
  PARSE_ERROR,
  parseMessage,
  UnreadableMessage,
} from './message/message.ts';
import { type CommonOptions, OF_ALL, warningsTo } from './options.ts';
import { supports } from './supports.ts';
import { type CommandUpstream, startChild } from './transport/child.ts';
import { HttpConnection } from './transport/http-client.ts';
import type { HttpUpstream } from './transport/upstream.ts';

/** Options of {@link proxy}. */
export interface ProxyOptions extends CommonOptions {
  /** The server: a command to start, or a URL. */
  readonly upstream: CommandUpstream | HttpUpstream;
  /** Where the client writes. Default: stdin. */
  readonly input?: Readable | undefined;
  /** Where the client reads. Default: stdout. Nothing else may write there. */
  readonly output?: Writable | undefined;
}

const OF_PROXY: OptionChecks<ProxyOptions> = {
  ...OF_ALL,
  upstream: needed(optionKinds.object),
  input: optionKinds.object,
  output: optionKinds.object,
};

/**
 * A proxy between an MCP client, on stdin and stdout, and a server. Hooks decide about tool calls and results.
 * Everything else passes byte for byte.
 *
 * A server that is a process ends with the proxy, with all that it has started, also if the proxy is killed.
 *
 * @returns resolves when the client or the server closes the connection, with the server's exit code, or 0; and after
 * SIGINT, SIGTERM or SIGHUP, when the server has ended, with 128 and the signal's number
 * @throws HooksError `UNSUPPORTED_EVENT` if a hook may refuse on an event that never fires here, and `CONFIG_INVALID` if
 * no request can be made with the URL or the headers of the server
 * @example
 * ```ts
 * process.exitCode = await proxy({ hooks, upstream: { command: 'npx', args: ['server-files', '.'] } });
 * ```
 */
export async function proxy(options: ProxyOptions): Promise<number> {
  options = checkOptions('proxy', options, OF_PROXY);
  const { hooks, upstream, approval, allowUnsupported = [] } = options;
  const onWarning = warningsTo(options.onWarning);
  const { input = process.stdin, output = process.stdout } = options;
  attachAdapter(hooks, { supports, allowUnsupported });
  const connection = new Connection({
    hooks,
    approval,
    allowUnsupported,
    states: new RequestStates(),
    tools: new Map(),
    user: '',
    session: randomUUID(),
    warn: onWarning,
  });
  const route: Route = {
    isOpen: true,
    toClient: (message) => writeLine(output, message),
    toServer: (message) => server.send(message),
    end: () => {},
  };
  const server = await ('url' in upstream
    ? connect(upstream, connection, route, onWarning)
    : start(upstream, connection, route, output));

  const hungUp = readLines(
    input,
    // While it is not read, a client that hangs up is not heard.
    server.sink && { stream: server.sink, most: MOST_UNREAD },
    (line) =>
      read(
        line,
        (message) => fromClient(connection, message, route),
        (error) => {
          onWarning(`dropped a line from the client: ${error.message}`);
          for (const answer of error.answers('The proxy cannot forward this')) route.toClient(answer);
        },
      ),
    () => {
      onWarning('dropped a line from the client: it is too long');
      route.toClient(
        errorResponse(null, PARSE_ERROR, 'The proxy cannot forward this: the line is too long.'),
      );
    },
  );
  // A client that reads nothing more has hung up, too.
  const unread = new Promise<undefined>((resolve) => output.once('error', () => resolve(undefined)));
  const ended = await Promise.race([hungUp, unread, server.ended, server.interrupted]);
  if (ended !== undefined) {
    connection.lose(new Error(ended.how));
    onWarning(ended.how);
    await Promise.race([connection.settled(), hungUp, server.interrupted]);
  }
  input.pause();
  // Cancels the calls at the server before its stdin closes.
  const closed = connection.close();
  await server.close();
  // Hooks may take long, but not longer than a client waits before it kills.
  await Promise.race([closed, server.interrupted]);
  return ended?.code ?? 0;
}

/** How many bytes of a client wait for a server that does not read. */
const MOST_UNREAD = 64 * 2 ** 20;

/** Parses the message in a line. */
function read(
  line: Buffer,
  onMessage: (message: Message) => void,
  onUnreadable: (error: UnreadableMessage) => void,
): void {
  let message: Message;
  try {
    message = parseMessage(line);
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    onUnreadable(error);
    return;
  }
  onMessage(message);
}

/** Why the proxy ends, and with which exit code. */
interface Ending {
  readonly how: string;
  readonly code: number;
}

/** The server's side. */
interface Upstream {
  /** Rejects if the server cannot be reached. */
  send(message: Message): Promise<void>;
  /** Where the messages are written, if the reader has to wait for it. */
  readonly sink?: Writable;
  /** Resolves if the server ends by itself. */
  readonly ended: Promise<Ending>;
  /** Resolves if a signal asks this process to end. */
  readonly interrupted: Promise<Ending>;
  close(): Promise<unknown>;
}

function start(command: CommandUpstream, connection: Connection, route: Route, output: Writable): Upstream {
  const { stdin, stdout, ended, stop } = startChild(command);
  const signals = onSignals(() => stop('now'));
  void readLines(
    stdout,
    { stream: output, most: 0 },
    (line) =>
      read(
        line,
        (message) => connection.fromServer(message, route),
        (error) => connection.refuseFromServer(error, route),
      ),
    // It may hold the response to any of the requests.
    () => connection.lose(new Error('The server wrote a line that is too long to read.')),
  );
  return {
    sink: stdin,
    ended,
    interrupted: signals.received,
    async send(message) {
      if (!stdin.writable) throw new Error((await ended).how);
      writeLine(stdin, message);
    },
    async close() {
      stop('later');
      await ended;
      signals.ignore();
    },
  };
}

/** Calls `stop` for each signal that asks this process to end, which would otherwise end before its server. */
function onSignals(stop: () => void): { readonly received: Promise<Ending>; ignore(): void } {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (name: NodeJS.Signals): void => {
    stop();
    resolve({ how: `the proxy got ${name}`, code: 128 + constants.signals[name] });
  };
  for (const name of names) process.on(name, end);
  return {
    received: promise,
    ignore() {
      for (const name of names) process.off(name, end);
    },
  };
}

async function connect(
  upstream: HttpUpstream,
  connection: Connection,
  route: Route,
  onWarning: (text: string) => void,
): Promise<Upstream> {
  const http = await HttpConnection.open(upstream, {
    onMessage: (message) => connection.fromServer(message, route),
    onFailure: (id, error) => connection.fail(id, error),
    onWarning,
  });
  return {
    ended: new Promise(() => {}),
    interrupted: new Promise(() => {}),
    send: (message) => http.send(message),
    close: () => http.close(),
  };
}
