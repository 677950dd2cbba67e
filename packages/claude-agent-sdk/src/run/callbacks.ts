import type { HookCallbackMatcher, HookEvent } from '@anthropic-ai/claude-agent-sdk';
import { errorText } from '@hooks/core/adapter';
import { answered, type HookAnswer, type HookOptions, type InputOf } from '../sdk.ts';
import { afterFailure, afterTool, beforeCall, callKeyOf, refused, withheld } from '../tool/builtin.ts';
import type { Conversation } from './conversation.ts';
import type { Gate } from './gate.ts';
import { refusal, submitHere } from './prompts.ts';

/** What an event's callback does. */
type Callback<E extends HookEvent> = (
  input: InputOf<E>,
  conversation: Conversation,
  signal: AbortSignal,
) => Promise<HookAnswer>;

/** How long a callback may take, in seconds: an approver may wait for a person. Hooks have their own, shorter limit. */
const TIMEOUT = 24 * 3600;

/**
 * The callbacks with which hooks decide, one for each event: Claude Code asks all callbacks of an event at once, and the
 * last one to finish wins.
 */
export function callbacksOf(gate: Gate): HookOptions {
  const on = <E extends HookEvent>(
    call: Callback<E>,
    closed: (input: InputOf<E>, why: string) => HookAnswer,
  ): HookCallbackMatcher[] => [
    {
      onFailure: 'block',
      timeout: TIMEOUT,
      hooks: [
        async (given, _id, { signal }) => {
          // The SDK calls it for this event alone.
          const input = given as InputOf<E>;
          const { hook_event_name: event, session_id: sessionId, agent_id: agent } = input;
          try {
            await gate.hear();
            await gate.compacts(agent ?? '', event === 'PreCompact');
            const conversation = gate.conversation(sessionId, agent);
            gate.goesOnIn(conversation);
            return answered(event, await call(input, conversation, signal));
          } catch (error) {
            return answered(event, closed(input, `The hooks failed: ${errorText(error)}`));
          }
        },
      ],
    },
  ];
  const ends = (_: unknown, stop: string): HookAnswer => ({ stop });
  return {
    UserPromptSubmit: on<'UserPromptSubmit'>(
      (input, conversation) => submitHere(gate, conversation, input),
      (_, why) => refusal(why),
    ),
    PreToolUse: on<'PreToolUse'>(
      async (input, conversation, signal) => {
        conversation.acts(await conversation.runOf(input.agent_id));
        return beforeCall(gate, conversation, input, signal);
      },
      (_, why) => refused(why),
    ),
    PostToolUse: on<'PostToolUse'>(async (input, conversation) => {
      if (input.tool_name === 'StructuredOutput' && input.agent_id === undefined)
        conversation.structured = JSON.stringify(input.tool_input);
      if (input.mcp_server?.source !== 'sdk') return afterTool(conversation, input);
      conversation.allowed.delete(callKeyOf(input));
      const run = await conversation.runOf(input.agent_id);
      return { stop: run.stop?.reason, ...conversation.contextOf(run) };
    }, withheld),
    PostToolUseFailure: on<'PostToolUseFailure'>(async (input, conversation) => {
      if (input.mcp_server?.source !== 'sdk') return afterFailure(conversation, input);
      conversation.allowed.delete(callKeyOf(input));
      return conversation.contextOf(await conversation.runOf(input.agent_id));
    }, ends),
    PostToolBatch: on<'PostToolBatch'>(async (input, conversation) => {
      const run = await conversation.runOf(input.agent_id);
      gate.forgetPlaces(run);
      if (run.signal?.aborted === true) return { stop: 'The user aborted the query.' };
      const { maxTurns = Infinity } = gate.setting.options;
      // Claude Code ends the run at its limit, without another turn.
      const isLast = run === conversation.current && run.iteration >= maxTurns;
      const stop = run.stop ?? (isLast ? undefined : await run.startTurn());
      return stop === undefined ? conversation.contextOf(run) : { stop: stop.reason };
    }, ends),
    Stop: on<'Stop'>(async (input, conversation) => {
      const run = await conversation.runOf(undefined);
      const { structured } = conversation;
      conversation.structured = undefined;
      const answer = structured ?? input.last_assistant_message ?? '';
      const after = await run.finished(answer, input);
      // Claude Code takes a structured answer without another call of the model.
      if (after.kind === 'continue' && structured !== undefined) run.endBy({ reason: after.prompt });
      else if (after.kind === 'continue') {
        await run.startTurn();
        return { block: after.prompt };
      }
      conversation.answers.set(run, answer);
      if (!gate.setting.seesPrompts) await conversation.settle();
      return { stop: run.stop?.reason };
    }, ends),
    StopFailure: on<'StopFailure'>(async ({ error, error_details: details, agent_id: id }, conversation) => {
      const end = { kind: 'error', error: new Error(details ?? error) } as const;
      if (id !== undefined) await conversation.endAgent(id, end);
      else if (!gate.setting.seesPrompts) await conversation.current?.end(end);
      return {};
    }, ends),
    SubagentStart: on<'SubagentStart'>(async ({ agent_id: id, agent_type: type }, conversation) => {
      const main = await conversation.runOf(undefined);
      const child = main.openChild({ agent: type, sessionId: id });
      conversation.agents.set(id, child);
      await child.begin(type);
      await child.startTurn();
      return conversation.contextOf(child);
    }, ends),
    SubagentStop: on<'SubagentStop'>(async (input, conversation) => {
      const child = conversation.agents.get(input.agent_id);
      // Claude Code ends its own summarizer so, too.
      if (child === undefined) return {};
      const response = input.last_assistant_message ?? '';
      const after = await child.finished(response, input);
      if (after.kind === 'continue') {
        await child.startTurn();
        return { block: after.prompt };
      }
      await conversation.endAgent(input.agent_id, { kind: 'done', response });
      gate.forget(conversation);
      return {};
    }, ends),
    PreCompact: on<'PreCompact'>(
      async ({ trigger, agent_id: agent = '' }, conversation) => {
        const { closed, setting, replaced } = conversation;
        if (closed !== undefined) return { block: closed };
        const isResumed = setting.options.resume !== undefined || setting.options.continue === true;
        const mayReread = setting.registries.decidesResult('Read') && (replaced.size > 0 || isResumed);
        if (gate.withholdFiles === undefined && mayReread) return { block: REREADS };
        const run = await conversation.runOfCompaction();
        const refuse = (decision: { readonly kind: string }) =>
          decision.kind === 'modify' && !setting.seesModels
            ? 'Claude Code makes the summary itself, and takes no guidance for it'
            : undefined;
        const answer = await run.compact({ source: trigger }, { refuse });
        if (answer.kind === 'vetoed') {
          await gate.compacts(agent, false);
          return { block: answer.reason };
        }
        gate.guideSummary(agent, answer);
        return {};
      },
      (_, block) => ({ block }),
    ),
    PostCompact: on<'PostCompact'>(async ({ trigger, compact_summary: summary }, conversation) => {
      const run = await conversation.runOfCompaction();
      await run.compacted({ source: trigger }, summary);
      return {};
    }, ends),
    SessionEnd: on<'SessionEnd'>(async (_, conversation) => {
      await conversation.settle();
      await conversation.leave();
      gate.forget(conversation);
      return {};
    }, ends),
  };
}

const REREADS =
  'After a compaction, Claude Code reads files again whose text hooks may have replaced: use hookedQuery in place of query.';
