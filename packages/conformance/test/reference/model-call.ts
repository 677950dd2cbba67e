import { setTimeout as delay } from 'node:timers/promises';
import { AfterModelCall, BeforeModelCall, type ModelResponse, TurnStart } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { dispatch, patchOf } from './events.ts';
import { askModel, type Message, type Spoken } from './model.ts';
import { lastUser, modelOf, type Run, Stopped } from './run.ts';
import { toolsOf } from './tools.ts';

/** Asks the model, as its hooks will have it. */
export async function hookedModelCall(run: Run, iteration: number, told: string[]): Promise<Spoken> {
  const { faults, history } = run;
  await dispatch(run, TurnStart, { iteration });
  const before = await dispatch(run, BeforeModelCall, {
    iteration,
    ...modelOf(run),
    instructions: run.spec.instructions,
    messages: history.map((message) => ({
      role: message.role as 'user',
      text: typeof message.content === 'string' ? message.content : '',
      native: message,
    })),
    tools: toolsOf(run).map(({ name, description }) => ({ name, description })),
    settings: run.settings,
  });
  if (before.kind === 'block') throw new Stopped(before.reason);
  const { instructions, messages, tools, settings } = patchOf<BeforeModelCall>(before);
  const changed = messages?.map((one) => (one.native ?? { role: one.role, content: one.text }) as Message);
  if (changed && faults.has('keeps changed messages')) history.splice(0, history.length, ...changed);
  if (instructions !== undefined && faults.has('keeps changed instructions'))
    run.spec = { ...run.spec, instructions };
  if (settings && faults.has('keeps changed settings')) run.settings = settings;
  const offered = toolsOf(run).filter(
    ({ name }) => tools === undefined || tools.some((tool) => tool.name === name),
  );
  if (tools && faults.has('keeps changed tools')) run.spec = { ...run.spec, tools: offered };
  const context = contextOf(run, told);
  if (faults.has('keeps context in memory')) history.push(...context);
  for (let attempt = 1; ; attempt++) {
    const pieces: string[] = [];
    const spoken = await askModel(
      run.spec.modelUrl,
      {
        model: run.model,
        messages: [
          { role: 'system', content: instructions ?? run.spec.instructions },
          ...context,
          ...(changed ?? history),
        ],
        tools: offered,
        ...run.settings,
        ...settings,
      },
      {
        stream: run.options.stream,
        signal: faults.has('ignores an abort') ? undefined : run.options.signal,
        onText: (text) =>
          faults.has('streams an answer before hooks saw it') ? run.show('text', text) : pieces.push(text),
      },
    );
    const response = responseOf(spoken);
    const last = attempt === (faults.has('never stops a Retry') ? 5 : 3);
    const lastWord = last && faults.has('gives a Retry at its limit the last word');
    const after = await dispatch(
      run,
      AfterModelCall,
      { iteration, attempt, ...modelOf(run), response, ...lastUser(run) },
      { last: last && !lastWord },
    );
    const withheld = after.kind !== 'proceed' && faults.has('keeps a withheld answer');
    if (withheld) history.push({ role: 'assistant', content: spoken.text });
    if (after.kind === 'block') throw new Stopped(after.reason);
    if (after.kind === 'retry' && !lastWord) {
      if (!faults.has('asks the model again without the delay of a Retry'))
        await delay(after.delayMs, undefined, { signal: run.options.signal });
      continue;
    }
    const { response: other } = patchOf<AfterModelCall>(after);
    for (const text of other === undefined ? pieces : [other.text]) run.show('text', text);
    return other === undefined ? spoken : spokenOf(other);
  }
}

/** What is told the model in this call only. */
function contextOf(run: Run, told: string[]): Message[] {
  const context = run.gates.flatMap(({ hooks, session }) => takeContext(hooks, session, run.id));
  if (run.faults.has('tells context once a run') && told.length > 0) return [];
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
