import type { ModelMessage, ModelResponse } from '@hooks/core';
import { type ModelAnswer, ResultNames } from '@hooks/core/adapter';
import type { Fault } from './faults.ts';
import { askModel, type Message, type Spoken } from './model.ts';
import { modelOf, type Running, Stopped } from './run.ts';
import { toolsOf } from './tools.ts';

/** Asks hooks about a request. Returns what sends it and asks them about the answer. */
export async function modelRequest(running: Running, told: string[]): Promise<() => Promise<Spoken>> {
  const { run, faults, history, options, spec, show } = running;
  const call = run.modelCall(modelOf(run));
  const prepared = await call.prepare(() => ({
    instructions: spec.instructions,
    messages: messagesOf(running),
    tools: [
      ...toolsOf(running).map(({ name, description }) => ({ name, description })),
      ...(faults.has('knows a tool that it does not have') ? [{ name: 'rocket' }] : []),
    ],
    settings: {},
  }));
  const rejects = spec.toolChoice !== undefined && faults.has('demands a tool that hooks took away');
  if (rejects && prepared.kind === 'blocked') throw new Error('The answer has no call.');
  if (prepared.kind === 'blocked') throw new Stopped(prepared.stop.reason);
  const { instructions = spec.instructions, messages, tools, settings } = prepared.patch;
  const changed = messages?.map((one) => changedMessage(one, faults));
  const isOffered = (name: string) => tools === undefined || tools.some((tool) => tool.name === name);
  const context = contextOf(running, prepared.context, told);
  if (changed && faults.has('keeps changed messages')) history.splice(0, history.length, ...changed);
  if (faults.has('keeps changed instructions')) running.spec = { ...running.spec, instructions };
  if (settings && faults.has('keeps changed settings')) run.settings = settings;
  if (tools && faults.has('keeps changed tools'))
    running.spec = { ...running.spec, tools: spec.tools.filter(({ name }) => isOffered(name)) };
  if (faults.has('stores context')) history.push(...context);

  const { toolChoice } = running.spec;
  const isLost =
    tools !== undefined &&
    (typeof toolChoice === 'object' ? !isOffered(toolChoice.name) : tools.length === 0) &&
    !faults.has('demands a tool that hooks took away');
  let pieces: string[] = [];
  const send = (): Promise<Spoken> => {
    pieces = [];
    if (!faults.has('renames to a tool that the model was not offered'))
      run.offer(toolsOf(running).flatMap(({ name }) => (isOffered(name) ? name : [])));
    const question = {
      model: modelOf(run).model,
      messages: [{ role: 'system' as const, content: instructions }, ...context, ...(changed ?? history)],
      tools: toolsOf(running).flatMap((tool) => {
        const left = tools?.find(({ name }) => name === tool.name);
        if (!isOffered(tool.name)) return [];
        const { description = tool.description } = faults.has('hides changed descriptions')
          ? {}
          : (left ?? {});
        return [{ ...tool, description }];
      }),
      ...(!isLost && { toolChoice }),
      ...settings,
    };
    const early = faults.has('streams an answer before hooks decide');
    return askModel(spec.modelUrl, question, {
      stream: options.stream,
      signal: faults.has('ignores an abort') ? undefined : options.signal,
      onText: (text) => (early ? show('text', text) : pieces.push(text)),
    });
  };
  return async () => decided(running, await call.answer(send, responseOf), pieces);
}

/** The answer that counts. */
function decided(
  { faults, history, spec, show, spent }: Running,
  answered: ModelAnswer<Spoken>,
  pieces: readonly string[],
): Spoken {
  const rejects = spec.toolChoice !== undefined && faults.has('demands a tool that hooks took away');
  const lost = faults.has('counts only the tokens of the last answer');
  for (const { usage } of [...(lost ? [] : answered.retried), answered.answer]) {
    spent.inputTokens += usage?.inputTokens ?? 0;
    spent.outputTokens += usage?.outputTokens ?? 0;
  }
  if (answered.kind !== 'stands' && faults.has('stores a withheld answer'))
    history.push({ role: 'assistant', content: answered.answer.text });
  if (rejects && answered.kind === 'blocked') throw new Error('The answer has no call.');
  if (answered.kind === 'blocked') throw new Stopped(answered.stop.reason);
  const replaced = answered.kind === 'replaced';
  for (const text of replaced ? [answered.response.text] : pieces) show('text', text);
  if (!replaced) return answered.answer;
  const { text, toolCalls } = answered.response;
  return spokenOf({ text, toolCalls: faults.has('drops the calls of a changed answer') ? [] : toolCalls });
}

/** The history as hooks see it. */
function messagesOf({ history, faults, decided }: Running): readonly ModelMessage[] {
  const names = new ResultNames();
  const isNamed = (callId: string): boolean =>
    !faults.has('hides of which call a result is') &&
    (decided.has(callId) || !faults.has('forgets of which call a stored result is'));
  return history.map((message) => {
    const calls = (message.role === 'assistant' && message.tool_calls) || [];
    const called = calls.flatMap((call) =>
      call.type === 'function' ? [{ callId: call.id, toolName: call.function.name }] : [],
    );
    const named = names.called(called);
    return {
      role: message.role as 'user',
      text: textOf(message),
      ...(!faults.has('hides the calls of an answer') && named),
      ...(message.role === 'tool' && isNamed(message.tool_call_id) && names.of(message.tool_call_id)),
      native: message,
    };
  });
}

/** The text of a message. */
export function textOf({ content }: Message): string {
  if (!Array.isArray(content)) return content ?? '';
  return content.map((part) => ('text' in part ? part.text : '')).join('');
}

/** A message as hooks left it. */
function changedMessage({ role, text, callId, native }: ModelMessage, faults: ReadonlySet<Fault>): Message {
  const message = native as Message | undefined;
  if (message === undefined && role === 'tool' && !faults.has('drops a result that a hook writes'))
    return { role, content: text, tool_call_id: callId ?? '' };
  if (message === undefined) return { role: role === 'tool' ? 'user' : role, content: text } as Message;
  const { content } = message;
  if (faults.has('drops the image of every message')) return { ...message, content: text } as Message;
  if (faults.has('changes every result') && role === 'tool')
    return { ...message, content: 'sunny there' } as Message;
  if (textOf(message) === text) return message;
  if (faults.has('takes the call of a changed result from the hook') && role === 'tool')
    return { ...message, content: text, tool_call_id: callId ?? '' } as Message;
  if (faults.has('drops the calls of a changed message')) return { role, content: text } as Message;
  if (!Array.isArray(content) || faults.has('drops the image of a changed message'))
    return { ...message, content: text } as Message;
  return {
    ...message,
    content: content.map((part) => ('text' in part ? { ...part, text } : part)),
  } as Message;
}

/** The context for this model call only. */
function contextOf({ faults }: Running, context: readonly string[], told: string[]): Message[] {
  if (faults.has('adds context only once per run') && told.length > 0) return [];
  told.push(...context);
  return context.map((content) => ({ role: 'system', content }));
}

function responseOf({ text, toolCalls, usage }: Spoken): ModelResponse {
  return {
    text,
    ...(usage && { usage }),
    toolCalls: toolCalls.map((call) => ({
      callId: call.id,
      toolName: call.name,
      input: parsed(call.arguments),
    })),
  };
}

function spokenOf({ text, toolCalls }: ModelResponse): Spoken {
  return {
    usage: undefined,
    text,
    toolCalls: toolCalls.map(({ callId, toolName, input }) => ({
      id: callId,
      name: toolName,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
    })),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
