import { type HookDecision, HooksError, type ModelSettings } from '@hooks/core';
import type { ModelCall, RequestPatch, RunStop } from '@hooks/core/adapter';
import { SystemMessage } from '@langchain/core/messages';
import type { ModelRequest } from 'langchain';
import { modelWith } from '../internals.ts';
import { toMessages, toModelMessages, toModelTools, toolName, withText } from '../translate.ts';

/**
 * Asks hooks about a request. Returns it with their changes and context, or the stop of a Block.
 */
export async function prepared(
  call: ModelCall,
  request: ModelRequest,
): Promise<{ readonly request: ModelRequest } | { readonly stop: RunStop }> {
  const answer = await call.prepare(() => ({
    instructions: request.systemMessage.text,
    messages: toModelMessages(request.messages),
    tools: toModelTools(request.tools),
    settings: settingsOf(request.model),
    native: request,
  }));
  if (answer.kind === 'blocked') return answer;
  return { request: withContext(patched(request, answer.patch), answer.context) };
}

function patched(
  request: ModelRequest,
  { instructions, messages, tools, settings }: RequestPatch,
): ModelRequest {
  const left = tools && request.tools.filter((tool) => tools.some(({ name }) => name === toolName(tool)));
  const { toolChoice, modelSettings, ...rest } = wished(request, { settings });
  return {
    ...rest,
    ...(toolChoice !== undefined && !(left && isLost(request, left)) && { toolChoice }),
    ...(modelSettings && { modelSettings: left?.length === 0 ? withoutTools(modelSettings) : modelSettings }),
    ...(instructions !== undefined && {
      systemMessage: withText(request.systemMessage, instructions),
    }),
    ...(messages !== undefined && { messages: toMessages(messages) }),
    ...(left !== undefined && { tools: left }),
  };
}

/** The settings of a request without tools: providers refuse those about calls. */
function withoutTools({
  parallel_tool_calls: _about,
  ...others
}: NonNullable<ModelRequest['modelSettings']>): NonNullable<ModelRequest['modelSettings']> {
  return others;
}

/** Whether a model would be told to call a tool that hooks took away, which providers refuse. */
function isLost({ toolChoice, tools }: ModelRequest, left: readonly unknown[]): boolean {
  if (left.length === 0) return true;
  const { name, function: declared } = Object(toolChoice);
  const chosen: unknown = declared?.name ?? name ?? toolChoice;
  return tools.some((tool) => toolName(tool) === chosen) && !left.some((tool) => toolName(tool) === chosen);
}

/** The request with the model and the settings from hooks. */
export function wished(
  request: ModelRequest,
  wish: { readonly model?: string | undefined; readonly settings?: ModelSettings | undefined },
): ModelRequest {
  if (wish.model === undefined && wish.settings === undefined) return request;
  const model = modelWith(request.model, wish);
  if (model === undefined)
    throw new HooksError('INVALID_DECISION', `A hook changed model or settings, but ${FIXED_MODEL}`);
  return { ...request, model: model as ModelRequest['model'] };
}

const FIXED_MODEL =
  'this model cannot be created again with them; give the agent a chat model instead of a binding or a wrapper.';

/** Why a decision about a request cannot be honored, if so. */
export function refusedDecision({ model, tools }: ModelRequest, decision: HookDecision): string | undefined {
  if (decision.kind !== 'modify') return undefined;
  const patch = decision.patch as RequestPatch;
  if (patch.settings !== undefined && modelWith(model, { settings: patch.settings }) === undefined)
    return FIXED_MODEL;
  const own = toModelTools(tools);
  const described = patch.tools?.find(({ name, description }) => {
    const known = own.find((one) => one.name === name);
    return known !== undefined && description !== undefined && description !== known.description;
  });
  return (
    described &&
    `LangChain sends the tools of an agent as they are, so a hook can remove "${described.name}" from a request, but not change its description`
  );
}

/** The settings of a client that hooks can see. */
function settingsOf(model: object): ModelSettings {
  const temperature: unknown = Reflect.get(model, 'temperature');
  const maxTokens: unknown = Reflect.get(model, 'maxTokens');
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  };
}

/** Adds context to the agent's own instructions. It is stored nowhere. */
function withContext(request: ModelRequest, context: readonly string[]): ModelRequest {
  if (context.length === 0) return request;
  return { ...request, systemMessage: told(request.systemMessage, context) };
}

function told(instructions: SystemMessage, context: readonly string[]): SystemMessage {
  const text = context.join('\n\n');
  return instructions.text === '' ? new SystemMessage(text) : instructions.concat(`\n\n${text}`);
}
