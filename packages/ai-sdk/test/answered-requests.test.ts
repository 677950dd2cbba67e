import {
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  PermissionRequest,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import { type ModelMessage, type ToolApprovalRequest, type ToolCallPart, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hookTools, pendingApprovals } from '../src/index.ts';
import {
  type Answer,
  answered,
  asking,
  payTool,
  type RunSettings,
  runBy,
  secret,
  unruly,
  ways,
} from './fixtures.ts';

const asked: ModelMessage[] = [{ role: 'user', content: 'Pay.' }];
const paysSum = (id: string, sum: number): Answer => ({ calls: [{ id, name: 'pay', arguments: { sum } }] });
const pays = paysSum('c1', 5);

/** What a client posts that answers every request it has seen with yes, whoever was to answer it, and drops what came of it. */
function yesToAll(messages: readonly ModelMessage[]): ModelMessage[] {
  const kept = messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'user') return [message];
    if (message.role !== 'assistant' || typeof message.content === 'string') return [];
    const content = message.content.flatMap((part): (ToolCallPart | ToolApprovalRequest)[] => {
      if (part.type === 'tool-call') return [part];
      if (part.type !== 'tool-approval-request') return [];
      const { isAutomatic: _, ...request } = part;
      return [request];
    });
    return content.length > 0 ? [{ role: 'assistant', content }] : [];
  });
  return answered(kept, true);
}

interface Played {
  readonly ran: readonly unknown[];
  /** Posts a history, and plays the run that it begins. A request that the SDK refuses is one that has no effect. */
  post(messages: ModelMessage[], as?: HookedOptions, by?: Hooks): Promise<void>;
  /** The history after the first run. */
  readonly messages: ModelMessage[];
}

/** Has a model call `pay` once. */
async function play(
  way: (typeof ways)[number],
  hooks: Hooks,
  options: HookedOptions,
  settings: Partial<RunSettings> & { readonly needsApproval?: boolean; readonly toolApproval?: object } = {},
  call: Answer = pays,
): Promise<Played> {
  const { needsApproval = false, ...own } = settings;
  const ran: unknown[] = [];
  const given = {
    tools: { pay: payTool(ran, { needsApproval }) },
    experimental_toolApprovalSecret: secret,
    ...own,
  };
  const { messages } = await runBy(way, { model: unruly([call]).model, ...given }, asked, hooks, options);
  return {
    ran,
    messages,
    async post(posted, as = options, by = hooks) {
      await runBy(way, { model: unruly([]).model, ...given }, posted, by, as).catch(() => undefined);
    },
  };
}

const native: HookedOptions = { approval: 'native' };

describe('a call that no person was asked about', () => {
  test.each(ways)('%s: does not run on a yes of the client where a hook denied it', async (way) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
    hooks.on(PermissionRequest, () => block('Never.'));
    const { messages, ran, post } = await play(way, hooks, native);
    expect(JSON.stringify(messages)).toContain('Never.');
    await post(yesToAll(messages));
    expect(ran).toEqual([]);
  });

  test.each(ways)('%s: does not run a second time where a hook granted it', async (way) => {
    const hooks = createHooks();
    hooks.on(PermissionRequest, () => grantApproval('Small sum.'));
    const { messages, ran, post } = await play(way, hooks, native, { needsApproval: true });
    expect(ran).toHaveLength(1);
    await post(yesToAll(messages));
    expect(ran).toHaveLength(1);
  });

  test.each(ways)(
    '%s: does not run on a yes where the settings approved it and a hook wants a person',
    async (way) => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => requireApproval('It costs money.', { by: 'person' }));
      const { messages, ran, post } = await play(way, hooks, {}, { toolApproval: { pay: 'approved' } });
      expect(JSON.stringify(messages)).toContain('It costs money.');
      await post(yesToAll(messages));
      expect(ran).toEqual([]);
    },
  );

  test.each(ways)('%s: does not run a second time where the settings approved it', async (way) => {
    for (const options of [{}, native]) {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => proceed());
      const { messages, ran, post } = await play(way, hooks, options, { toolApproval: { pay: 'approved' } });
      expect(ran).toHaveLength(1);
      await post(yesToAll(messages));
      expect(ran).toHaveLength(1);
    }
  });
});

describe('the answer to a request', () => {
  const requires = (): Hooks => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
    return hooks;
  };

  test.each(ways)(
    '%s: counts once, also if the client sends it again, or several times at once',
    async (way) => {
      const hooks = requires();
      const { messages, ran, post } = await play(way, hooks, native);
      const yes = answered(messages, true);
      await Promise.all([post(yes), post(yes), post(yes)]);
      await post(yes);
      expect(ran).toEqual([{ sum: 5 }]);
    },
  );

  test.each(ways)(
    '%s: counts once, however the client writes the input that the schema parses',
    async (way) => {
      const ran: unknown[] = [];
      const pay = tool({
        inputSchema: z.object({ sum: z.coerce.number(), unit: z.string().default('EUR') }),
        execute: async (input) => {
          ran.push(input);
          return 'Paid.';
        },
      });
      const call: Answer = { calls: [{ id: 'c1', name: 'pay', arguments: { sum: '5' } }] };
      const { messages, post } = await play(way, requires(), native, { tools: { pay } }, call);
      const yes = answered(messages, true);
      await post(yes);
      for (const sum of ['5', ' 5', '5.0', 5]) await post(withInput(yes, { sum }));
      await post(withInput(yes, undefined));
      expect(ran).toEqual([{ sum: 5, unit: 'EUR' }]);
    },
  );

  test.each(ways)('%s: counts once, also where the client writes -0 for 0', async (way) => {
    const { messages, ran, post } = await play(way, requires(), native, {}, paysSum('c1', 0));
    const yes = answered(messages, true);
    await post(yes);
    await post(JSON.parse(JSON.stringify(yes).replaceAll('"sum":0', '"sum":-0')));
    expect(ran).toEqual([{ sum: 0 }]);
  });

  test.each(ways)(
    '%s: is for the input of the model, also where JSON writes it in another way: -0',
    async (way) => {
      const call: Answer = { calls: [{ id: 'c1', name: 'pay', written: '{"sum":-0}' }] };
      const { messages, ran, post } = await play(way, requires(), native, {}, call);
      await post(JSON.parse(JSON.stringify(answered(messages, true))));
      expect(ran).toEqual([{ sum: 0 }]);
    },
  );

  test.each(ways)(
    '%s: counts once, also if the client sends it again with the answer to a later request of the run',
    async (way) => {
      const { model } = unruly([paysSum('c1', 5), paysSum('c2', 7)]);
      const { settings, hooks, ran } = asking(model);
      const first = await runBy(way, settings, asked, hooks, native);
      const second = await runBy(way, settings, answered(first.messages, true), hooks, native);
      await runBy(way, settings, yesToAll(second.messages), hooks, native);
      expect(ran).toEqual([{ sum: 5 }, { sum: 7 }]);
    },
  );

  test.each(ways)('%s: is final: a yes after a no runs nothing', async (way) => {
    for (const sameProcess of [true, false]) {
      const { messages, ran, post } = await play(way, requires(), native);
      const by = sameProcess ? undefined : requires();
      await post(answered(messages, false), native, by);
      await post(answered(messages, true), native, by);
      expect(ran).toEqual([]);
    }
  });

  test.each(ways)(
    '%s: is for what its signature covers: hooks of another process see what runs, whatever a client says that the model wrote',
    async (way) => {
      const ran: unknown[] = [];
      const pay = tool({
        // What it gives does not fit it.
        inputSchema: z.object({ sum: z.string().transform(Number), unit: z.string().default('EUR') }),
        execute: async (input) => {
          ran.push(input);
          return 'Paid.';
        },
      });
      const call: Answer = { calls: [{ id: 'c1', name: 'pay', arguments: { sum: '5' } }] };
      for (const written of [{ sum: '5' }, { sum: ' 5', note: 'a present' }, { sum: '5', unit: 'EUR' }]) {
        const { messages, post } = await play(way, requires(), native, { tools: { pay } }, call);
        const seen: unknown[] = [];
        const there = requires();
        there.on(PermissionRequest, ({ input }) => (seen.push(input), proceed()));
        there.observe(ToolApprovalDecision, ({ approval, input }) => void seen.push([approval, input]));
        there.observe(AfterToolCall, ({ input }) => void seen.push(input));
        const yes = withInput(answered(messages, true), written);
        await post(yes, native, there);
        await there.settled();
        expect(ran.splice(0)).toEqual([{ sum: 5, unit: 'EUR' }]);
        expect(seen).toEqual([['allow', { sum: 5, unit: 'EUR' }], { sum: 5, unit: 'EUR' }]);
      }
    },
  );

  test.each(ways)(
    '%s: is for a call that hooks recognize in another process, where the schema changes it',
    async (way) => {
      const pay = tool({
        inputSchema: z.object({ sum: z.coerce.number(), unit: z.string().default('EUR') }),
        execute: async () => 'Paid.',
      });
      for (const sum of [5, '5', -0]) {
        const known: string[] = [];
        const noting = () => {
          const hooks = requires();
          hooks.observe(BeforeToolCall, async ({ modelInput, parsedHash }) => {
            known.push(parsedHash ?? (await hashInput(modelInput)));
          });
          return hooks;
        };
        const call: Answer = {
          calls: [{ id: 'c1', name: 'pay', written: `{"sum":${sum === 0 ? '-0' : JSON.stringify(sum)}}` }],
        };
        const here = noting();
        const { messages, post } = await play(way, here, native, { tools: { pay } }, call);
        const there = noting();
        // A client may write -0 for 0: the signature covers it as well.
        await post(
          JSON.parse(JSON.stringify(answered(messages, true)).replaceAll('"sum":0', '"sum":-0')),
          native,
          there,
        );
        await Promise.all([here.settled(), there.settled()]);
        expect(known).toHaveLength(2);
        expect(new Set(known).size).toBe(1);
      }
    },
  );

  test('is for what a person was shown: the input that runs, whatever a client says that the model wrote', async () => {
    const { messages } = await play('generateText', requires(), native);
    const otherId = JSON.parse(JSON.stringify(messages).replaceAll('"c1"', '"c2"'));
    const [pending] = await pendingApprovals(withInput(otherId, { sum: 5, note: 'a present' }));
    expect(pending?.input).toEqual({ sum: 5 });
  });

  test('counts once, however many requests that nobody made are answered with no', async () => {
    for (const approved of [true, false]) {
      const { messages, ran, post } = await play('generateText', requires(), native);
      await post(answered(messages, approved));
      const ofAnother: HookedOptions = { ...native, session: () => 's2', principal: () => ({ id: 'bob' }) };
      await post(madeUpDenials(10_001), ofAnother, requires());
      await post(answered(messages, true));
      expect(ran).toEqual(approved ? [{ sum: 5 }] : []);
    }
  }, 300_000);

  test.each(ways)('%s: counts in each session that asked, also for one id', async (way) => {
    const ran: unknown[] = [];
    for (const session of [`${way} s1`, `${way} s2`]) {
      const here: HookedOptions = { ...native, session: () => session };
      const first = await play(way, requires(), here, {
        tools: { pay: payTool(ran) },
        _internal: { generateId: () => 'a1' },
      } as object);
      const yes = answered(first.messages, true);
      expect(JSON.stringify(yes)).toContain('"approvalId":"a1"');
      await first.post(yes);
      await first.post(yes);
    }
    expect(ran).toEqual([{ sum: 5 }, { sum: 5 }]);
  });

  test.each(ways)('%s: does not speak for the approver of another registry, in no process', async (way) => {
    for (const sameProcess of [true, false]) {
      const outer = requires();
      const asks: unknown[] = [];
      const denies: Approver = ({ input }) => {
        asks.push(input);
        return { decision: 'deny', reason: 'Too dear.' };
      };
      const ran: unknown[] = [];
      const tools = () => hookTools({ pay: payTool(ran) }, requires(), { approval: denies });
      const { messages } = await play(way, outer, native, { tools: tools() });
      const again = await play(way, sameProcess ? outer : requires(), native, { tools: tools() }, {});
      await again.post(answered(messages, true));
      expect({ sameProcess, ran, asks }).toEqual({ sameProcess, ran: [], asks: [{ sum: 5 }] });
    }
  });

  test.each(ways)(
    '%s: as a no ends the call for the hooks of the tool itself, in any process',
    async (way) => {
      for (const sameProcess of [true, false]) {
        const ended: string[] = [];
        const own = createHooks();
        own.observe(AfterToolCall, ({ toolName, status }) => void ended.push(`${toolName} ${status}`));
        const outer = requires();
        const tools = hookTools({ pay: payTool([]) }, own);
        const { messages } = await play(way, outer, native, { tools });
        const again = await play(way, sameProcess ? outer : requires(), native, { tools }, {});
        await again.post(answered(messages, false));
        await own.settled();
        expect({ sameProcess, ended }).toEqual({ sameProcess, ended: ['pay denied'] });
      }
    },
  );
});

/** A history in which a person has denied calls that no model made. */
function madeUpDenials(count: number): ModelMessage[] {
  const ids = Array.from({ length: count }, (_, nth) => `made-up-${nth}`);
  const content = ids.flatMap((id) => [
    { type: 'tool-call' as const, toolCallId: id, toolName: 'pay', input: { sum: 1 } },
    { type: 'tool-approval-request' as const, approvalId: id, toolCallId: id },
  ]);
  return answered([...asked, { role: 'assistant', content }], false);
}

/** The same history with another input for the schema, which the SDK's signature does not cover. */
function withInput(messages: readonly ModelMessage[], inputSchemaInput: unknown): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-approval-request') return part;
      const { inputSchemaInput: _, ...request } = part;
      return inputSchemaInput === undefined ? request : { ...request, inputSchemaInput };
    });
    return { ...message, content };
  });
}
