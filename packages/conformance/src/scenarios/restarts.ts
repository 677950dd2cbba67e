import { cp } from 'node:fs/promises';
import { BeforeExecute, BeforeToolCall, PermissionRequest, ToolApprovalDecision } from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import { expect } from 'vitest';
import type { PersonAnswer } from '../harness.ts';
import { type Script, toolResults } from '../model-server/index.ts';
import { can, canPause } from '../need.ts';
import { hookedAlone } from '../restart/hooked-alone.ts';
import { type PolicyName, policies } from '../restart/policies.ts';
import { type HookedAlone, type Report, resumeThere } from '../restart/resume.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, call } from './script.ts';

const needs: Scenario['needs'] = [can(BeforeToolCall, 'modify.approval'), canPause];
const asking: Scenario['needs'] = [can(PermissionRequest), canPause];
const yes: PersonAnswer = { callId: 'c1', decision: 'allow' };
const no: PersonAnswer = { callId: 'c1', decision: 'deny', reason: 'Too dear.' };
const rome = { tool: 'weather', input: { city: 'Rome' } };

/** What becomes of a requirement of the tool's own registry, by what its approver answers. */
const MET: Readonly<Record<HookedAlone['approval'], string>> = {
  unset: 'what they require is granted',
  allow: 'its own approver is asked, too',
  deny: 'the call does not run if its own approver denies',
};

/** A second process resumes a paused run from what the first one stored. */
export const restarts: Family = {
  name: 'approval in another process',
  scenarios: [
    {
      rule: 'an approved call runs hooked in the new process: hooks run once more with call.resumed, and their requirement counts as met',
      needs,
      async play(stage) {
        const { there, read, waited } = await restart(
          stage,
          'requires approval and replaces the output',
          yes,
        );
        expect(there.pid).not.toBe(process.pid);
        expect(there.waiting.map(asShown)).toEqual(waited.map(asShown));
        expectDone(there);
        expect(there.ran).toEqual([rome]);
        expect(there.resumed).toMatchObject([{ decision: 'allow' }]);
        expect(there.events).toContain('tool_approval_decision');
        expect(read).toEqual({ c1: 'the weather is ours' });
      },
    },
    {
      rule: 'a denied call does not run in the new process: no BeforeToolCall hook runs, and the model reads the reason',
      needs,
      async play(stage) {
        const { there, read } = await restart(stage, 'requires approval', no);
        expectDone(there);
        expect(there.ran).toEqual([]);
        expect(there.events).not.toContain('before_tool_call');
        expect(read['c1']).toContain('Too dear.');
      },
    },
    {
      rule: 'a denied call does not run in a new process without hooks',
      needs,
      async play(stage) {
        const { there, read } = await restart(stage, 'has no hooks', no);
        expectDone(there);
        expect(there.ran).toEqual([]);
        expect(read['c1']).toContain('Too dear.');
      },
    },
    {
      rule: 'a denied call fires ToolApprovalDecision and AfterToolCall in the new process',
      needs: [...needs, can(ToolApprovalDecision)],
      async play(stage) {
        const { there } = await restart(stage, 'requires approval', no);
        expect(there.events).toEqual(expect.arrayContaining(['tool_approval_decision', 'after_tool_call']));
      },
    },
    {
      rule: "a person's no, given in another process, reaches the registry of the tool itself: it hears of the denial, and its hooks and its approver are not asked",
      needs: [...needs, can(ToolApprovalDecision)],
      async play(stage) {
        const tool: HookedAlone = { policy: 'requires approval', approval: 'allow' };
        const { there, read } = await restart(stage, 'requires approval', no, { tool });
        expectDone(there);
        expect(there.ran).toEqual([]);
        expect(read['c1']).toContain('Too dear.');
        const { events, asked } = there.ofTool;
        expect(events).toEqual(expect.arrayContaining(['tool_approval_decision', 'after_tool_call']));
        expect(events).not.toContain('before_tool_call');
        expect(asked).toBe(0);
      },
    },
    ...(['unset', 'allow', 'deny'] as const).map(
      (approval): Scenario => ({
        rule: `a person's yes, given in another process, reaches the registry of the tool itself: its hooks see it, and ${MET[approval]}`,
        needs,
        async play(stage) {
          const tool: HookedAlone = { policy: 'requires approval', approval };
          const { there, read } = await restart(stage, 'requires approval', yes, { tool });
          expectDone(there);
          expect(there.ofTool.resumed).toMatchObject([{ decision: 'allow' }]);
          expect(there.ofTool.asked).toBe(approval === 'unset' ? 0 : 1);
          expect(there.ran).toEqual(approval === 'deny' ? [] : [rome]);
          expect(read['c1']).toContain(approval === 'deny' ? 'The tool says no.' : 'sunny in Rome');
        },
      }),
    ),
    {
      rule: 'every event in the new process has the principal from the context that the framework stored, or that the run is resumed with',
      needs,
      plainOnly: true,
      async play(stage) {
        const { there } = await restart(stage, 'requires approval', yes);
        expectDone(there);
        expect(there.events).toContain('after_tool_call');
        expect(there.users).toEqual(['ann']);
      },
    },
    {
      rule: 'Block wins over an approval from another process',
      needs,
      async play(stage) {
        const { there, read } = await restart(stage, 'blocks in a guard', yes);
        expectDone(there);
        expect(there.ran).toEqual([]);
        expect(read).toEqual({ c1: 'No longer allowed.' });
      },
    },
    {
      rule: 'an approval of one input does not cover another: the run pauses again, or the call is blocked',
      needs,
      async play(stage) {
        const { there, read, waited } = await restart(stage, 'requires approval of another input', yes);
        expectAskedAnewOrRefused(there, read, waited);
      },
    },
    {
      rule: 'an approval of one input does not cover another, even if no hook requires approval any longer',
      needs,
      async play(stage) {
        const { there, read, waited } = await restart(stage, 'rewrites the input', yes);
        expectAskedAnewOrRefused(there, read, waited);
      },
    },
    {
      rule: 'a limit of one call that counts on BeforeExecute lets an approved call run in the new process, and no other',
      needs,
      async play(stage) {
        const limited = 'requires approval and permits one call';
        const { there, read } = await restart(stage, limited, yes, { first: limited });
        expectDone(there);
        expect(there.ran).toEqual([rome]);
        expect(read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'an answer has the same approvalId in each process in which it arrives, and that to an equal call of a later run has another',
      needs: [...needs, can(BeforeExecute)],
      async play(stage) {
        const { module } = stage.harness;
        if (module === undefined) throw new Error('Runs can pause here, so the harness needs `module`.');
        const events = stage.events();
        const storage = await stage.directory();
        policies['requires approval'](stage.hooks, storage);
        // Where ids repeat, each run makes the same call.
        const again: Script = ({ messages }) =>
          messages.at(-1)?.role === 'user'
            ? { toolCalls: [call('c1', 'weather', 'Rome')] }
            : { text: 'Done.' };
        const actor = await stage.agent(again, { storage, attach: { approval: 'native' } });
        const answerBoth = async (answer: PersonAnswer) => {
          const { result } = await actor.run({ session: 's1', user: 'ann' });
          expect(result.pending).toMatchObject([{ callId: 'c1' }]);
          const saved = await stage.directory();
          await cp(storage, saved, { recursive: true });
          await actor.resume('s1', [yes], { user: 'ann' });
          const { approvalIds } = await resumeThere({
            ...{ module, modelUrl: actor.server.url, storage: saved, session: 's1', user: 'ann' },
            ...{ policy: 'requires approval', needsApproval: false, stream: stage.stream, answers: [answer] },
          });
          return [...new Set(approvalIds)];
        };
        const there = [await answerBoth(yes), await answerBoth(no)];
        const [first, second] = events.flatMap((event) =>
          event.type === 'before_execute' ? [Object(event).approvalId] : [],
        );
        expect(first).toEqual(expect.any(String));
        expect(there).toEqual([[first], [second]]);
        expect(second).toEqual(expect.any(String));
        expect(second).not.toBe(first);
      },
    },
    {
      rule: 'a call approved through the framework runs in the new process: hooks run once more with call.resumed',
      needs: asking,
      async play(stage) {
        const { there, read, waited } = await restart(stage, 'looks on', yes, { needsApproval: true });
        expect(there.waiting.map(asShown)).toEqual(waited.map(asShown));
        expectDone(there);
        expect(there.ran).toEqual([rome]);
        expect(there.resumed).toMatchObject([{ decision: 'allow' }]);
        expect(there.events).toContain('tool_approval_decision');
        expect(read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'a call approved through the framework does not run with another input: the run pauses again, or the call is blocked',
      needs: asking,
      async play(stage) {
        const { there, read, waited } = await restart(stage, 'rewrites the input', yes, {
          needsApproval: true,
        });
        expectAskedAnewOrRefused(there, read, waited);
      },
    },
  ],
};

interface Restarted {
  /** The pending approvals in the first process. */
  readonly waited: readonly PendingApproval[];
  /** The report of the second process. */
  readonly there: Report;
  /** What the model read in the second process. */
  readonly read: Readonly<Record<string, string>>;
}

/**
 * Pauses a run in this process and resumes it in another, under that process's own hooks.
 * @param options.needsApproval whether the framework, rather than a hook, requires approval
 * @param options.first the hooks of this process
 * @param options.tool how the tool itself is hooked, in both processes
 */
async function restart(
  stage: Stage,
  policy: PolicyName,
  answer: PersonAnswer,
  {
    needsApproval = false,
    first = needsApproval ? 'looks on' : 'requires approval',
    tool,
  }: { readonly needsApproval?: boolean; readonly first?: PolicyName; readonly tool?: HookedAlone } = {},
): Promise<Restarted> {
  const { module } = stage.harness;
  if (module === undefined) throw new Error('Runs can pause here, so the harness needs `module`.');
  stage.events();
  const storage = await stage.directory();
  policies[first](stage.hooks, storage);
  const alone = tool && hookedAlone(stage, tool, storage);
  const tools = [stage.tool('weather', undefined, { needsApproval, ...alone?.spec })];
  const actor = await stage.agent(askWeather, { tools, storage, attach: { approval: 'native' } });
  const { result } = await actor.run({ session: 's1', user: 'ann' });
  expect(result.error).toBeUndefined();
  expect(result.pending).toMatchObject([{ callId: 'c1', toolName: 'weather', input: { city: 'Rome' } }]);
  expect(stage.ran).toEqual([]);
  const { stream } = stage;
  const { url: modelUrl, requests } = actor.server;
  const before = requests.length;
  const answers = [answer];
  const at = { module, modelUrl, storage, session: 's1', user: 'ann' };
  const task = { ...at, policy, needsApproval, stream, answers, ...(tool && { tool }) };
  const there = await resumeThere(task);
  const read = Object.assign({}, ...requests.slice(before).map(toolResults));
  return { waited: result.pending, there, read };
}

function expectDone({ text, error, pending }: Report): void {
  expect({ text, error, pending }).toEqual({ text: 'Done.', error: undefined, pending: [] });
}

/** A hook rewrote the call to Oslo after a person had approved Rome. */
function expectAskedAnewOrRefused(
  there: Report,
  read: Restarted['read'],
  waited: readonly PendingApproval[],
): void {
  expect(there.ran).toEqual([]);
  if (there.pending.length === 0) {
    expectDone(there);
    expect(read['c1']).toContain('approv');
  } else {
    expect(there.pending).toMatchObject([{ callId: 'c1', input: { city: 'Oslo' } }]);
    expect(there.pending[0]?.hash).not.toBe(waited[0]?.hash);
    expect(read).toEqual({});
  }
}

/** What a person sees of a call. The reason may be lost with the process that had it. */
function asShown({ callId, toolName, input, hash }: PendingApproval): object {
  return { callId, toolName, input, hash };
}
