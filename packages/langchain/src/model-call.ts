import { BeforeModelCall, type Hooks, TurnStart } from '@hooks/core';
import { AIMessage, type BaseMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { ModelRequest, WrapModelCallHook } from 'langchain';
import { type BlockMark, finalRefusal, markOf } from './blocked.ts';
import { common, endTurn } from './events.ts';
import { modelName, toMessages, toModelMessage, toModelTools, unknownTool } from './model-translate.ts';
import type { HookedRun } from './run.ts';

/** The next model call of a run, for the framework's `handler`. */
export type Handler = Parameters<WrapModelCallHook>[1];
type Response = Awaited<ReturnType<Handler>>;

/** Takes one model call of a run through its hooks. */
export async function callModel(
  hooks: Hooks,
  run: HookedRun,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const refused = run.refused ?? stopMark(request.messages);
  if (refused !== undefined) {
    await endTurn(hooks, run, 'hook_blocked');
    return finalRefusal(refused);
  }
  await endTurn(hooks, run, 'continue');
  run.iteration++;
  run.turn = `${run.id}:${run.iteration}`;
  const { iteration } = run;
  await run.session.open();
  await hooks.dispatch(TurnStart, { ...common(run), iteration });
  const changed = await beforeModelCall(hooks, run, request);
  if ('reason' in changed) {
    await endTurn(hooks, run, 'hook_blocked');
    return finalRefusal(changed);
  }
  const response = await handler(withContext(changed, run.session.takeContext(run.id)));
  if (AIMessage.isInstance(response) && !response.tool_calls?.length) await endTurn(hooks, run, 'normal');
  return response;
}

/** The Block that ended the run in its last round of tool calls, if one did. */
function stopMark(messages: readonly BaseMessage[]): BlockMark | undefined {
  for (const message of messages.toReversed()) {
    if (!ToolMessage.isInstance(message)) return undefined;
    const mark = markOf(message);
    if (mark?.stop) return mark;
  }
  return undefined;
}

async function beforeModelCall(
  hooks: Hooks,
  run: HookedRun,
  request: ModelRequest,
): Promise<ModelRequest | BlockMark> {
  if (hooks.get(BeforeModelCall).length === 0) return request;
  const model = modelName(request.model);
  const decision = await hooks.dispatch(
    BeforeModelCall,
    {
      ...common(run),
      iteration: run.iteration,
      instructions: request.systemMessage.text,
      messages: request.messages.map(toModelMessage),
      tools: toModelTools(request.tools),
      ...(model !== undefined && { model }),
      native: request,
    },
    {
      signal: request.runtime.signal,
      refuse: ({ kind, ...rest }, event) =>
        kind === 'modify' && 'patch' in rest ? unknownTool(rest.patch, event as BeforeModelCall) : undefined,
    },
  );
  if (decision.kind === 'block') {
    const { reason, by } = decision;
    return { reason, ...(by !== undefined && { by }) };
  }
  if (decision.kind === 'proceed') return request;
  const { instructions, messages, tools } = decision.patch;
  return {
    ...request,
    ...(instructions !== undefined && {
      systemMessage: new SystemMessage(instructions),
      systemPrompt: request.systemPrompt,
    }),
    ...(messages !== undefined && { messages: toMessages(messages) }),
    ...(tools !== undefined && {
      tools: request.tools.filter((tool) => tools.some(({ name }) => name === Reflect.get(tool, 'name'))),
    }),
  };
}

/** The request with what hooks want the model to know: beside the agent's own instructions, stored nowhere. */
function withContext(request: ModelRequest, context: readonly string[]): ModelRequest {
  if (context.length === 0) return request;
  const text = context.join('\n\n');
  const { systemMessage } = request;
  return {
    ...request,
    systemMessage: systemMessage.text === '' ? new SystemMessage(text) : systemMessage.concat(`\n\n${text}`),
  };
}
