import { BeforeModelCall, type Hooks, HooksError } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { ModelRequest } from 'langchain';
import { type BlockMark, markFrom } from '../blocked.ts';
import { common, isHeard } from '../run/events.ts';
import type { HookedRun } from '../run/run.ts';
import { namedModel, toMessages, toModelMessage, toModelTools, toolName, unknownTool } from '../translate.ts';
import { type ModelWish, modelWith, settingsOf } from './settings.ts';

/**
 * The request as hooks want it, with what they want the model to know; or why they refuse it.
 *
 * @param told what the turn's model was told before, maybe in a call that goes on: some of it is handed out once
 */
export async function prepared(
  hooks: Hooks,
  run: HookedRun,
  request: ModelRequest,
  told: Set<string> = new Set(),
): Promise<ModelRequest | BlockMark> {
  const changed = isHeard(hooks, BeforeModelCall) ? await beforeModelCall(hooks, run, request) : request;
  if ('reason' in changed) return changed;
  for (const text of takeContext(hooks, run.session, run.id)) told.add(text);
  return withContext(changed, [...told]);
}

async function beforeModelCall(
  hooks: Hooks,
  run: HookedRun,
  request: ModelRequest,
): Promise<ModelRequest | BlockMark> {
  const decision = await hooks.dispatch(
    BeforeModelCall,
    {
      ...common(run),
      iteration: run.iteration,
      instructions: request.systemMessage.text,
      messages: request.messages.map(toModelMessage),
      tools: toModelTools(request.tools),
      ...namedModel(request.model),
      settings: { ...settingsOf(request.model), ...run.settings },
      native: request,
    },
    {
      signal: request.runtime.signal,
      refuse: (answer, event) =>
        answer.kind === 'modify' ? impossible(answer.patch, event as BeforeModelCall, request) : undefined,
    },
  );
  if (decision.kind === 'block') return markFrom(decision);
  if (decision.kind === 'proceed') return request;
  const { instructions, messages, tools, settings } = decision.patch;
  return {
    ...wished(request, { settings }),
    ...(instructions !== undefined && { systemMessage: new SystemMessage(instructions) }),
    ...(messages !== undefined && { messages: toMessages(messages) }),
    ...(tools !== undefined && {
      tools: request.tools.filter((tool) => tools.some(({ name }) => name === toolName(tool))),
    }),
  };
}

/** The request with the model and the settings that hooks want. */
export function wished(request: ModelRequest, wish: ModelWish): ModelRequest {
  if (wish.model === undefined && wish.settings === undefined) return request;
  const model = modelWith(request.model, wish);
  if (model === undefined)
    throw new HooksError('INVALID_DECISION', `A hook changed model or settings, but ${FIXED_MODEL}`);
  return { ...request, model: model as ModelRequest['model'] };
}

const FIXED_MODEL = 'this model cannot be made anew; give the agent a chat model of its own class';

/** Why a patch cannot be honoured, if so. */
function impossible(
  patch: Partial<BeforeModelCall>,
  event: BeforeModelCall,
  { model }: ModelRequest,
): string | undefined {
  if (patch.settings !== undefined && modelWith(model, {}) === undefined) return FIXED_MODEL;
  return unknownTool(patch, event);
}

/** The request with what hooks want the model to know: beside the agent's own instructions, stored nowhere. */
function withContext(request: ModelRequest, context: readonly string[]): ModelRequest {
  if (context.length === 0) return request;
  return { ...request, systemMessage: told(request.systemMessage, context) };
}

/** The messages with what hooks want the model to know in the first of them, the system message. */
export function withToldFirst(
  messages: readonly BaseMessage[],
  context: readonly string[],
): readonly BaseMessage[] {
  if (context.length === 0) return messages;
  const [first, ...others] = messages;
  return SystemMessage.isInstance(first)
    ? [told(first, context), ...others]
    : [told(new SystemMessage(''), context), ...messages];
}

function told(instructions: SystemMessage, context: readonly string[]): SystemMessage {
  const text = context.join('\n\n');
  return instructions.text === '' ? new SystemMessage(text) : instructions.concat(`\n\n${text}`);
}
