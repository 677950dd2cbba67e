import { type EventPayload, type HookDecision, type Point, proceed } from '@hooks/core';
import { TOKENS } from '../provider/tokens.ts';
import { row } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Posts a text as JSON to an address: docker-agent's `http_post`. The response is ignored. */
export const post: Builtin = (args) => {
  const [url = '', body = '', ...more] = row(args);
  if (url === '' || more.length > 0) throw new Error('expected an address and a text');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error('expected an http or https address');

  async function send(signal: AbortSignal): Promise<HookDecision> {
    try {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      await response.body?.cancel();
    } catch (error) {
      console.warn(`http_post: ${new URL(url).origin} could not be reached: ${Object(error).name}`);
    }
    return proceed();
  }

  return {
    name: 'http_post',
    register(hooks) {
      for (const point of Object.values(TOKENS)) {
        const anyPoint: Pick<Point<EventPayload, HookDecision, never>, 'spec'> = point;
        hooks.on(anyPoint, (_, { signal }) => send(signal), { id: `post-${point.spec.type}` });
      }
    },
  };
};
