import type { HookEntry, HttpHandler } from '../entry.ts';
import type { EventData } from '../events.ts';
import type { HookResult } from '../protocol/answer.ts';
import { readOutput } from '../protocol/read.ts';
import { stdinText } from '../protocol/stdin.ts';
import { MAX_BODY_BYTES, readBody } from './body.ts';
import type { RunContext } from './context.ts';

/**
 * Posts the event as JSON. A 2xx response with an empty body decides nothing; its JSON object is read like stdout.
 * Anything else is a failure: a status alone never decides. Does not follow redirects, which would send the headers on.
 */
export async function runHttpHook(
  { wireEvent }: HookEntry,
  handler: HttpHandler,
  event: EventData,
  { dialect, env }: RunContext,
  signal?: AbortSignal,
): Promise<HookResult> {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [index, [name, text]] of Object.entries(handler.headers).entries()) {
    try {
      headers.set(name, withVariables(text, handler, env));
    } catch {
      // The error itself would contain the header's value.
      return { failed: `a variable in its header ${index + 1} has characters that cannot be sent` };
    }
  }
  const timeout = AbortSignal.timeout(handler.timeoutMs);
  try {
    const response = await fetch(handler.url, {
      method: 'POST',
      headers,
      body: stdinText(dialect, wireEvent, event),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    const body = await readBody(response);
    if (body === undefined) return { failed: `its response was over ${MAX_BODY_BYTES} bytes or not UTF-8` };
    if (!response.ok) return { failed: `it answered with status ${response.status}` };
    if (body.trim() !== '' && !isObject(body)) return { failed: 'its response is not a JSON object' };
    return readOutput(dialect, wireEvent, { exitCode: 0, stdout: body, stderr: '' });
  } catch (error) {
    if (timeout.aborted) return { failed: `it did not answer within ${handler.timeoutMs / 1000} s` };
    if (signal?.aborted) return { failed: 'it was aborted' };
    return {
      failed: 'it could not be reached',
      detail: String(error instanceof Error ? (error.cause ?? error) : error),
    };
  }
}

/** The variables that a header refers to. */
export function variablesIn(header: string): readonly string[] {
  return [...header.matchAll(VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? '');
}

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/** Expands `$NAME` and `${NAME}` in a header, for the names that the hook lists. Other names are empty. */
function withVariables(
  text: string,
  { allowedEnvVars }: HttpHandler,
  env: Readonly<Record<string, string>>,
): string {
  const value = (name: string): string => (allowedEnvVars.includes(name) ? (env[name] ?? '') : '');
  return text.replace(VARIABLE, (_, braced?: string, bare?: string) => value(braced ?? bare ?? ''));
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
