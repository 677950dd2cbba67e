import {
  AfterModelCall,
  addContext,
  BeforeModelCall,
  BeforeToolCall,
  block,
  type EventPayload,
  type Hooks,
  modify,
  proceed,
  retry,
  Stop,
} from '@hooks/core';
import { expect } from 'vitest';
import type { AttachSpec } from '../harness.ts';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

/** How hooks are attached to an agent. */
export const attaching: Family = {
  name: 'attaching',
  scenarios: [
    {
      rule: 'an empty registry changes no request, event or result of the bare agent',
      needs: [],
      async play(stage) {
        const script = calls(call('c1', 'weather', 'Rome'), call('c2', 'weather', 'Oslo'));
        const bare = await stage.play(script, { hooks: [] });
        const hooked = await stage.play(script);
        expectAnswered(hooked);
        expect(hooked.requests.map(({ body }) => body)).toEqual(bare.requests.map(({ body }) => body));
        expect(hooked.result.seen.map(({ kind }) => kind)).toEqual(bare.result.seen.map(({ kind }) => kind));
        expect({ ...hooked.result, seen: undefined }).toEqual({ ...bare.result, seen: undefined });
      },
    },
    {
      rule: 'a registry attached twice runs its hooks once, on every event',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const [once, twice] = [stage.registry(), stage.registry()];
        const [expected, events] = [stage.events(once), stage.events(twice)];
        expectAnswered(await stage.play(askWeather, { hooks: [once] }));
        expectAnswered(await stage.play(askWeather, { hooks: [twice, twice] }));
        expect(stage.ran).toHaveLength(2);
        for (const hooks of [once, twice]) await hooks.settled();
        expect(typesOf(events)).toEqual(typesOf(expected));
      },
    },
    {
      rule: 'an option that the adapter does not have is refused with its name and the nearest one that it has',
      needs: [],
      async play(stage) {
        // Of a program without types.
        const attach: AttachSpec = Object.fromEntries([['aproval', 'deny']]);
        const refused = {
          code: 'CONFIG_INVALID',
          message: expect.stringMatching(/\baproval is unknown; did you mean approval\?/),
        };
        await expect(stage.agent(askWeather, { attach })).rejects.toMatchObject(refused);
        await expect(stage.callTool(stage.tool('weather'), { attach })).rejects.toMatchObject(refused);
        expect(stage.ran).toEqual([]);
      },
    },
    {
      rule: 'two registries are both obeyed, and the later one is outermost',
      needs: [can(BeforeToolCall, 'modify.input')],
      async play(stage) {
        const order: string[] = [];
        const inner = appending(stage, '-inner', order);
        const outer = appending(stage, '-outer', order);
        const played = await stage.play(askWeather, { hooks: [inner, outer] });
        expectAnswered(played);
        expect(order).toEqual(['-outer', '-inner']);
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome-outer-inner' } }]);
      },
    },
    {
      rule: 'two registries around a model: the outermost runs first before the call and last after it',
      needs: [can(BeforeModelCall, 'modify.context'), can(AfterModelCall, 'modify.response')],
      async play(stage) {
        const both = { inner: stage.registry(), outer: stage.registry() };
        const order: string[] = [];
        for (const [name, hooks] of Object.entries(both)) {
          hooks.on(BeforeModelCall, () => {
            order.push(name);
            return addContext(`Told by ${name}.`);
          });
          hooks.on(AfterModelCall, ({ response }) =>
            modify({ response: { ...response, text: `${response.text} ${name}` } }),
          );
        }
        const played = await stage.play([{ text: 'Done.' }], { hooks: [both.inner, both.outer] });
        expectAnswered(played, 'Done. inner outer');
        expect(order).toEqual(['outer', 'inner']);
        expect(played.requests[0]?.system).toContain('Told by inner.');
        expect(played.requests[0]?.system).toContain('Told by outer.');
      },
    },
    blockIn('inner'),
    blockIn('outer'),
    stopIn('inner'),
    stopIn('outer'),
    {
      rule: 'a hook registered after attaching is obeyed',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        const actor = await stage.agent(askWeather);
        stage.hooks.on(BeforeToolCall, () => block('Too late for weather.'));
        expect((await actor.run()).read).toEqual({ c1: 'Too late for weather.' });
      },
    },
    {
      rule: 'unmatched() of a registry with several agents lists matchers that match no tool of any agent',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        for (const id of ['weather', 'tides', 'wether'])
          stage.hooks.on(BeforeToolCall.matching(id), () => proceed(), { id });
        for (const name of ['weather', 'tides'])
          expectAnswered(await stage.play(calls(call('c1', name, 'Rome')), { tools: [stage.tool(name)] }));
        expect(stage.hooks.unmatched()).toEqual([{ id: 'wether', matcher: 'wether', nearest: ['weather'] }]);
      },
    },
    {
      rule: 'a matcher with a typo is warned of once, at the first run',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const warnings: string[] = [];
        const hooks = stage.registry({ onWarning: (message) => warnings.push(message) });
        hooks.on(BeforeToolCall.matching('wether'), () => proceed(), { id: 'typo' });
        const actor = await stage.agent(askWeather, { hooks: [hooks] });
        for (let run = 0; run < 2; run++) {
          expectAnswered(await actor.run());
          expect(warnings).toEqual(['Hook "typo" guards no tool: "wether" matches none. Similar: weather.']);
        }
      },
    },
    {
      rule: 'options of a single run do not disable the gate or any other event',
      needs: [can(BeforeToolCall, 'block')],
      appliesTo: ({ displacements = [] }) => displacements.length > 0,
      async play(stage) {
        const [undisturbed, disturbed] = [stage.registry(), stage.registry()];
        for (const hooks of [undisturbed, disturbed])
          hooks.on(BeforeToolCall, () => block('No forecasts today.'));
        const expected = stage.events(undisturbed);
        const events = stage.events(disturbed);
        expectAnswered(await stage.play(askWeather, { hooks: [undisturbed] }));
        for (const displace of stage.harness.displacements ?? []) {
          const before = events.length;
          const played = await stage.play(askWeather, { hooks: [disturbed] }, { displace });
          expectAnswered(played);
          expect(stage.ran, displace).toEqual([]);
          expect(played.read, displace).toEqual({ c1: 'No forecasts today.' });
          await disturbed.settled();
          expect(typesOf(events.slice(before)), displace).toEqual(typesOf(expected));
        }
      },
    },
  ],
};

function typesOf(events: readonly EventPayload[]): readonly string[] {
  return events.map(({ type }) => type);
}

function appending(stage: Stage, suffix: string, order: string[]): Hooks {
  const hooks = stage.registry();
  hooks.on(BeforeToolCall, ({ input }) => {
    order.push(suffix);
    return modify({ input: { city: `${(input as { readonly city: string }).city}${suffix}` } });
  });
  return hooks;
}

function blockIn(which: 'inner' | 'outer'): Scenario {
  return {
    rule: `two registries: a Block of the ${which} one holds`,
    needs: [can(BeforeToolCall, 'block')],
    async play(stage) {
      const both = { inner: stage.registry(), outer: stage.registry() };
      for (const hooks of Object.values(both)) hooks.on(BeforeToolCall, () => proceed());
      both[which].on(BeforeToolCall, () => block('No.'));
      const played = await stage.play(askWeather, { hooks: [both.inner, both.outer] });
      expectAnswered(played);
      expect(stage.ran).toEqual([]);
      expect(played.read).toEqual({ c1: 'No.' });
    },
  };
}

function stopIn(which: 'inner' | 'outer'): Scenario {
  return {
    rule: `two registries: a stop of the ${which} one ends the run, and no hook of the other one continues it`,
    needs: [can(BeforeToolCall, 'block'), can(Stop, 'retry')],
    async play(stage) {
      const both = { inner: stage.registry(), outer: stage.registry() };
      let asked = 0;
      both[which === 'inner' ? 'outer' : 'inner'].on(Stop, () => {
        asked++;
        return retry('Go on.');
      });
      both[which].guard(BeforeToolCall, () => block('That is enough.', { stop: true }));
      const { result, requests } = await stage.play(askWeather, { hooks: [both.inner, both.outer] });
      expect([requests.length, asked, result.blockReason]).toEqual([1, 0, 'That is enough.']);
    },
  };
}
