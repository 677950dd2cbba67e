import { EventSourceParserStream } from 'eventsource-parser/stream';
import type {
  ChainState,
  Comparison,
  Overview,
  Policy,
  Remembered,
  RunDetail,
  RunSummary,
  Waiting,
} from '../src/api.ts';

/** The server refused a request or could not be reached. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The server's events while the page is open. */
export interface LiveEvents {
  readonly runs: readonly RunSummary[];
  readonly approvals: readonly Waiting[];
  readonly remembered: readonly Remembered[];
  readonly overview: Overview;
  readonly problem: { readonly message: string };
}

const KEY = 'hooks-view-token';

/**
 * Removes the token from the address, so that it is in no bookmark and no screenshot. A reload still has it. The text
 * after the token is the location in the page.
 */
export function takeToken(): void {
  const [, token, place = '/runs'] = /^#token=([\w-]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  sessionStorage.setItem(KEY, token);
  history.replaceState(null, '', `#${place}`);
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ''}` };
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { ...init, headers: { ...headers(), ...init.headers } });
  } catch {
    throw new RequestError(0, 'hooks view does not respond: it has exited, or this machine is asleep.');
  }
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: string };
  throw new RequestError(response.status, error ?? `The server responded with ${response.status}.`);
}

async function read<T>(path: string, init?: RequestInit): Promise<T> {
  return (await ask(path, init)).json();
}

export const client = {
  overview: (): Promise<Overview> => read('overview'),
  runs: (): Promise<readonly RunSummary[]> => read('runs'),
  run: (id: string): Promise<RunDetail> => read(`runs/${id}`),
  policy: (digest: string): Promise<Policy> => read(`policies/${digest}`),
  chain: (): Promise<ChainState> => read('chain'),
  verifyAgain: (): Promise<ChainState> => read('chain', { method: 'POST' }),
  comparison: (): Promise<Comparison> => read('comparison'),
  compareAgain: (): Promise<Comparison> => read('comparison', { method: 'POST' }),
  approvals: (): Promise<readonly Waiting[]> => read('approvals'),
  remembered: (): Promise<readonly Remembered[]> => read('remembered'),
  forget: (id: string): Promise<unknown> => read(`remembered/${id}`, { method: 'DELETE' }),
  answer: (id: string, answer: object): Promise<{ readonly received: boolean }> =>
    read(`approvals/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    }),
};

/**
 * Listens to the server until the signal fires. Throws if the connection ends.
 *
 * @param opened loads the current state. Changes in the meantime arrive as events
 */
export async function listen(
  opened: () => Promise<void>,
  tell: <K extends keyof LiveEvents>(event: K, data: LiveEvents[K]) => void,
  signal: AbortSignal,
): Promise<never> {
  const { body } = await ask('live', { signal });
  await opened();
  const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events ?? []) tell(event as keyof LiveEvents, JSON.parse(data));
  throw new RequestError(0, 'The connection ended.');
}
