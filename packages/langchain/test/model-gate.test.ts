import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { expect, test } from 'vitest';
import { createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

/** With hooks on tools alone, a gate in front of the model stands for a middleware around its calls. */

const script = calls({ name: 'read', arguments: { path: 'a' } });

/** The model, and what is taken of its gate that is not the gate's own. */
function spied<M extends object>(model: M): { readonly model: M; readonly taken: Set<PropertyKey> } {
  const taken = new Set<PropertyKey>();
  const spy: M = new Proxy(model, {
    get(target, property, self) {
      const value: unknown = Reflect.get(target, property, self === spy ? target : self);
      if (self !== spy && typeof value === 'function') taken.add(property);
      return value;
    },
  });
  return { model: spy, taken };
}

test.each([undefined, 'inline' as const])(
  'an agent takes nothing of its model past the gate: includeAgentName %s',
  async (names) => {
    await using at = await scripted([...script, ...script, ...script, ...script]);
    const { model, taken } = spied(at.model);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    const params = {
      model,
      name: 'reader',
      tools: [readTool().read],
      ...(names && { includeAgentName: names }),
    };
    const agent = createHookedAgent(params, hooks);
    await agent.invoke(user('go'));
    for await (const _ of await agent.stream(user('go'), { streamMode: ['messages', 'values'] }));
    for await (const _ of agent.streamEvents(user('go'), { version: 'v2' }));
    for await (const _ of await agent.streamEvents(user('go'), { version: 'v3' }));
    expect([...taken]).toEqual([]);
    expect(at.server.requests).toHaveLength(8);
  },
);
