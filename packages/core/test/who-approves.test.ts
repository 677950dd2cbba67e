import { sampled } from '@hooks/testing/random';
import { describe, expect, it } from 'vitest';
import {
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
  type ToolCall,
} from '../src/index.ts';
import { answerToolCall, beginToolCall, callTool, hashInput } from '../src/tool-call/index.ts';

type Option = 'native' | 'function' | 'deny' | 'unset';

/** One call: the options of its registries, outermost first, whose hooks require approval, and whether the tool asks. */
interface Case {
  readonly options: readonly Option[];
  readonly requires: readonly boolean[];
  readonly tool: boolean;
}

/** What a person said through the pause: a yes to the input that runs or to another one, or a yes with an input. */
const answers = ['none', 'same', 'other', 'edited'] as const;
type Answer = (typeof answers)[number];

function* choices<T>(of: readonly T[], length: number): Generator<readonly T[]> {
  if (length === 0) yield [];
  else for (const rest of choices(of, length - 1)) for (const one of of) yield [...rest, one];
}

const all: readonly Case[] = [1, 2, 3].flatMap((length) =>
  [...choices<Option>(['native', 'function', 'deny', 'unset'], length)].flatMap((options) =>
    [...choices([false, true], length)].flatMap((requires) =>
      [false, true].map((tool) => ({ options, requires, tool })),
    ),
  ),
);

/** Those of one and two registries, and a part of those of three. */
const cases: readonly Case[] = [
  ...all.filter(({ options }) => options.length < 3),
  ...sampled(
    all.filter(({ options }) => options.length === 3),
    5,
    0,
  ),
];

/** The rules in other words: what becomes of the call, and which functions are asked before it runs. */
function expected({ options, requires, tool }: Case, answer: Answer) {
  const further = (at: number): string => {
    for (let place = at; place >= 0; place--) {
      const option = options[place];
      if (option === 'function') return `function ${place}`;
      if (option !== 'unset') return String(option);
    }
    return 'unset';
  };
  const named = options.findLastIndex((option) => option === 'function' || option === 'native');
  const ofTool = options[named] === 'function' ? `function ${named}` : 'native';
  const asked = new Set<string>();
  for (const [at, required] of requires.entries()) if (required) asked.add(further(at));
  const requiredByNobody = asked.size === 0 && !tool;
  if (asked.has('unset') && tool && ofTool === 'native') {
    asked.delete('unset');
    asked.add('native');
  }
  // A yes to another call has to be given again, by whoever would be asked for what a tool asks.
  if (tool || (requiredByNobody && answer === 'other')) asked.add(ofTool);
  const isAnswered = answer === 'same' || answer === 'edited';
  const isOpen = asked.delete('native');
  const runs = !asked.has('deny') && !asked.has('unset') && (!isOpen || isAnswered);
  return { runs, pauses: isOpen && !asked.has('deny') && !asked.has('unset'), functions: asked };
}

/** The registries of a case, and what its functions were shown. */
function start({ options, requires, tool }: Case) {
  const shown: [string, unknown][] = [];
  const registries = options.map((option, at) => {
    const hooks = createHooks();
    if (requires[at]) hooks.on(BeforeToolCall, () => requireApproval(`registry ${at} asks`));
    const approver: Approver = ({ input }: ApprovalRequest) => {
      shown.push([`function ${at}`, input]);
      return { decision: 'allow' };
    };
    return { hooks, approval: option === 'unset' ? undefined : option === 'function' ? approver : option };
  });
  const session = registries[0]?.hooks.session('s') ?? createHooks().session('s');
  const call: ToolCall = {
    session,
    toolName: 'pay',
    callId: 'c',
    input: 'ls',
    needsApproval: tool ? 'the tool asks' : undefined,
  };
  const ran: unknown[] = [];
  return { registries, call, shown, ran, execute: (input: unknown) => void ran.push(input) };
}

async function resumedBy(answer: Answer): Promise<ToolCall['resumed']> {
  if (answer === 'none') return undefined;
  const hash = await hashInput(answer === 'other' ? 'rm' : 'ls');
  return { decision: 'allow', hash, ...(answer === 'edited' && { input: 'pwd' }) };
}

function check(one: Case, answer: Answer, { shown, ran }: ReturnType<typeof start>): void {
  const { runs, functions } = expected(one, answer);
  const label = `${JSON.stringify(one)} ${answer}`;
  const input = answer === 'edited' ? 'pwd' : 'ls';
  expect([label, ran]).toEqual([label, runs ? [input] : []]);
  // Nobody is asked twice about an input, and where it runs, everybody was about that one.
  const asked = shown.map(([who, what]) => `${who} ${what}`);
  expect([label, new Set(asked).size]).toEqual([label, asked.length]);
  if (runs)
    expect([label, asked.toSorted()]).toEqual([label, [...functions].map((who) => `${who} ${input}`).sort()]);
  else for (const [who] of shown) expect([label, functions.has(who)]).toEqual([label, true]);
}

describe('who answers what a call is to be approved for', () => {
  it.each(answers)('is the same in another process (yes: %s)', async (answer) => {
    for (const one of cases) {
      const started = start(one);
      const { registries, call, execute } = started;
      await callTool(registries, { ...call, resumed: await resumedBy(answer) }, execute);
      check(one, answer, started);
    }
  });

  it.each(answers)('is the same in this process, where the call has begun (yes: %s)', async (answer) => {
    for (const one of cases) {
      const started = start(one);
      const { registries, call, execute } = started;
      const { pauses, functions } = expected(one, 'none');
      const begun = await beginToolCall(registries, call, {
        capabilities: { ask: 'unchanged' },
        runsIn: 'callTool',
      });
      const label = JSON.stringify(one);
      if (pauses || functions.size > 0)
        expect([label, begun]).toMatchObject([
          label,
          begun.kind === 'done' ? { kind: 'done' } : { native: pauses },
        ]);
      // A call that was not to wait has no yes.
      const given = pauses ? answer : 'none';
      await callTool(registries, { ...call, resumed: await resumedBy(given) }, execute, { begun });
      check(one, given, started);
    }
  });

  it.each(['same', 'edited'] as const)(
    'is the same where a person answers what waits (yes: %s)',
    async (answer) => {
      for (const one of cases.filter((each) => expected(each, 'none').pauses)) {
        const started = start(one);
        const { registries, call, execute } = started;
        const begun = await beginToolCall(registries, call, {
          capabilities: { ask: true },
          runsIn: 'callTool',
        });
        if (begun.kind !== 'ask') throw new Error(`${JSON.stringify(one)}: ${begun.kind}`);
        const answered = await answerToolCall(begun.token, {
          decision: 'allow',
          ...(answer === 'edited' && { input: 'pwd' }),
        });
        await callTool(registries, call, execute, { begun: answered });
        check(one, answer, started);
      }
    },
  );

  it.each(['native', 'function'] as const)(
    'is asked again (%s) about an input that another one has written',
    async (option) => {
      const requires = [true, true];
      for (const edits of [false, true]) {
        const { registries, call, execute, ran, shown } = start({
          options: [option, 'function'],
          requires,
          tool: false,
        });
        const editor: Approver = ({ input }) => ({
          decision: 'allow',
          ...(edits && input === 'ls' && { input: 'pwd' }),
        });
        const [outer, inner] = registries;
        if (outer === undefined || inner === undefined) throw new Error('two registries');
        const pause: Approver = ({ input }) => {
          shown.push(['pause', input]);
          return { decision: 'allow' };
        };
        const both = [outer, { ...inner, approval: editor }];
        await callTool(both, call, execute, { pause });
        expect(shown.map(([, input]) => input)).toEqual(edits ? ['ls', 'pwd'] : ['ls']);
        expect(ran.splice(0)).toEqual([edits ? 'pwd' : 'ls']);
        // A yes that came with the call was for what it was then.
        const resumed = await resumedBy('same');
        await callTool(both, { ...call, callId: 'd', resumed }, execute);
        expect(ran).toEqual(edits && option === 'native' ? [] : [edits ? 'pwd' : 'ls']);
      }
    },
  );

  it('is a person through the pause, who is asked for nothing else', async () => {
    for (const one of cases) {
      const started = start(one);
      const { registries, call, execute, ran } = started;
      let paused = 0;
      const pause: Approver = () => (paused++, { decision: 'allow' });
      await callTool(registries, call, execute, { pause });
      const { pauses } = expected(one, 'none');
      const label = JSON.stringify(one);
      expect([label, paused]).toEqual([label, pauses ? 1 : 0]);
      if (ran.length > 0 || pauses) check(one, 'same', started);
    }
  });
});
