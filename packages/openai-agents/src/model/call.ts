import { AfterModelCall } from '@hooks/core';
import {
  BlockedError,
  type ModelRequest as DescribedRequest,
  type ModelCall,
  type NamedModel,
  type RequestPatch,
  type RunStop,
} from '@hooks/core/adapter';
import type { AgentOutputItem, ModelRequest, ModelResponse, StreamEvent, Usage } from '@openai/agents';
import type { HookedRun } from '../run/hooked-run.ts';
import {
  itemsOf,
  messagesOf,
  outputOf,
  requestTools,
  responseOf,
  settingsOf,
  spoken,
  type Tokens,
  toolsOf,
  withoutLostChoice,
  withSettings,
} from '../translate.ts';

/** A model call of a run: asks hooks about the request, then the model, then hooks about the answer. */
export async function answer(
  run: HookedRun,
  model: NamedModel,
  request: ModelRequest,
  send: (request: ModelRequest) => Promise<ModelResponse>,
): Promise<ModelResponse> {
  const call = callOf(run, model, request);
  const asked = await requested(run, call, request);
  if ('reason' in asked) return { usage: usageOf([]), output: refusal(asked, request) };
  const { answer: last, retried, ...answered } = await call.answer(() => send(asked), read);
  run.unanswered = undefined;
  const answer =
    retried.length === 0 ? last : { ...last, usage: usageOf([...retried, last].map(({ usage }) => usage)) };
  if (answered.kind === 'stands') return answer;
  // What the provider sent holds the answer that the new one replaces.
  const { providerData: _replaced, ...rest } = answer;
  const output =
    answered.kind === 'blocked'
      ? refusal(answered.stop, request)
      : outputOf(answer.output, answered.response);
  return { ...rest, output };
}

type Done = Extract<StreamEvent, { type: 'response_done' }>;

/**
 * The same of a streamed model call. Where a hook may change or refuse the answer its pieces are held back until that is decided; a
 * changed answer is streamed as one piece, and the original ones are dropped.
 */
export async function* streamAnswer(
  run: HookedRun,
  model: NamedModel,
  request: ModelRequest,
  send: (request: ModelRequest) => AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  const call = callOf(run, model, request);
  const asked = await requested(run, call, request);
  if ('reason' in asked) return yield* inOnePiece(refusal(asked, request));
  const pass = !run.hookedBy.holds(AfterModelCall);
  let raw = '';
  const spent: Done['response']['usage'][] = [];
  const events = call.stream<StreamEvent, Done['response']>({
    open: () => send(asked),
    whole: (events) => {
      raw = rawReasoning(events);
      const response = events.findLast(isDone)?.response;
      if (response !== undefined) spent.push(response.usage);
      return response;
    },
    read: (answer) => ({ ...(raw !== '' && { reasoning: raw }), ...read(answer) }),
    write: (response, events) => {
      const done = events.findLast(isDone);
      return inOnePiece(outputOf(done?.response.output ?? [], response), done, !pass);
    },
    refuse: (stop, events) => inOnePiece(refusal(stop, request), events.findLast(isDone), !pass),
    pass,
    isEnd: isDone,
    isHeldLater: (event, shown) =>
      run.isReadByUs ? holdEvent(event, shown) : event.type === 'response_started',
  });
  for await (const event of events)
    yield isDone(event) && spent.length > 1
      ? { ...event, response: { ...event.response, usage: sumOf(spent) } }
      : event;
  run.unanswered = undefined;
}

/** The usage of one answer: of a model, or in the last event of its stream. */
type Spent = Usage | Done['response']['usage'];

/** The usage of all answers of a call: hooks had the model give some of them again. */
function sumOf(all: readonly Spent[]): Omit<Usage, 'add'> {
  const sum = (count: (usage: Spent) => number | undefined): number =>
    all.reduce((total, usage) => total + (count(usage) ?? 0), 0);
  return {
    requests: sum(({ requests = 1 }) => requests),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    totalTokens: sum(({ totalTokens }) => totalTokens),
    inputTokensDetails: all.flatMap<Record<string, number>>(
      ({ inputTokensDetails = [] }) => inputTokensDetails,
    ),
    outputTokensDetails: all.flatMap<Record<string, number>>(
      ({ outputTokensDetails = [] }) => outputTokensDetails,
    ),
    requestUsageEntries: all.flatMap(entriesOf),
  };
}

/** The same, as a model gives it. */
function usageOf(all: readonly Spent[]): Usage {
  return { ...sumOf(all), add: () => {} };
}

/** The usage of each request of an answer, for programs that count money. */
function entriesOf(usage: Spent): NonNullable<Usage['requestUsageEntries']> {
  const { requestUsageEntries, inputTokensDetails = [], outputTokensDetails = [] } = usage;
  const { inputTokens, outputTokens, totalTokens } = usage;
  const [input = {}] = [inputTokensDetails].flat();
  const [output = {}] = [outputTokensDetails].flat();
  return (
    requestUsageEntries?.map(
      ({ inputTokensDetails = {}, outputTokensDetails = {}, endpoint, ...tokens }) => ({
        ...tokens,
        inputTokensDetails,
        outputTokensDetails,
        ...(endpoint !== undefined && { endpoint }),
      }),
    ) ?? [{ inputTokens, outputTokens, totalTokens, inputTokensDetails: input, outputTokensDetails: output }]
  );
}

/** The events of answers that hooks have not decided on, and whether they may be shown. */
const heldEvents: WeakMap<object, Promise<boolean>> = new WeakMap();

function holdEvent(event: StreamEvent, shown: Promise<boolean>): true {
  heldEvents.set(event, shown);
  return true;
}

/** Whether an event of a model may be shown to the reader of a run: not while hooks may refuse the answer. */
export function isShown(event: object): boolean | Promise<boolean> {
  return heldEvents.get(event) ?? true;
}

/** The signal of a call that nothing aborts. */
const NEVER: AbortSignal = new AbortController().signal;

function callOf(run: HookedRun, model: NamedModel, { signal, conversationId }: ModelRequest): ModelCall {
  return run.modelCall(model, {
    // The SDK passes the run's signal, but for the call that it makes after an abort: it answers the calls of an aborted stream.
    signal: signal ?? NEVER,
    refuse: ({ kind }) =>
      kind === 'retry' && conversationId !== undefined
        ? 'the provider has put the answer into its conversation (`conversationId`), and what it answers, too'
        : undefined,
  });
}

/** What is sent to the model, or why nothing is. */
async function requested(
  run: HookedRun,
  call: ModelCall,
  request: ModelRequest,
): Promise<ModelRequest | RunStop> {
  const { input } = request;
  const isRepeated = run.unanswered === input;
  run.unanswered = undefined;
  const stop = isRepeated ? run.stop : await run.startTurn();
  if (stop !== undefined) return stop;
  const prepared = await call.prepare(() => described(request));
  if (prepared.kind === 'blocked') return prepared.stop;
  run.unanswered = input;
  const changes = changed(request, prepared.patch, prepared.context);
  // An answer that hooks may yet change or refuse is put into no trace, which the model writes before they are asked.
  if (request.tracing === true && run.decides(AfterModelCall)) changes.tracing = 'enabled_without_data';
  const sent = { ...request, ...changes };
  run.offer(toolsOf(sent).map(({ name }) => name));
  return sent;
}

function described(request: ModelRequest): DescribedRequest {
  return {
    ...(request.systemInstructions !== undefined && { instructions: request.systemInstructions }),
    messages: messagesOf(request.input),
    tools: toolsOf(request),
    settings: settingsOf(request.modelSettings),
    native: request,
  };
}

type Changes = { -readonly [Field in keyof ModelRequest]?: ModelRequest[Field] };

function changed(
  request: ModelRequest,
  { instructions = request.systemInstructions, messages, tools, settings }: RequestPatch,
  context: readonly string[],
): Changes {
  const told = [instructions, ...context].filter(Boolean).join('\n\n');
  return {
    ...((context.length > 0 || instructions !== request.systemInstructions) && { systemInstructions: told }),
    ...(messages !== undefined && { input: itemsOf(messages) }),
    ...(tools !== undefined && requestTools(request, tools)),
    ...((settings !== undefined || tools !== undefined) && {
      modelSettings: withSettings(withoutLostChoice(request, tools), settings),
    }),
  };
}

/** The reason in the model's place; where the run wants structured output, text would not do, so it is thrown. */
function refusal({ reason }: RunStop, { outputType }: ModelRequest): AgentOutputItem[] {
  if (outputType !== 'text') throw new BlockedError({ reason, stop: true });
  return [spoken(reason)];
}

function read({ output, usage }: Pick<ModelResponse, 'output'> & { readonly usage: Tokens }) {
  return responseOf(output, usage);
}

/** The reasoning in a provider's own chunks, where the SDK's answer does not have it. */
function rawReasoning(events: readonly StreamEvent[]): string {
  return events
    .flatMap((event): readonly unknown[] =>
      event.type === 'model' ? (Object(event.event).choices ?? []) : [],
    )
    .flatMap((choice): readonly unknown[] => {
      const { reasoning_content, reasoning } = Object(Object(choice).delta);
      return [reasoning_content ?? reasoning];
    })
    .filter((text) => typeof text === 'string')
    .join('');
}

function isDone(event: StreamEvent): event is Done {
  return event.type === 'response_done';
}

function* inOnePiece(output: AgentOutputItem[], done?: Done, speak = true): Generator<StreamEvent> {
  const { text } = responseOf(output);
  if (speak) {
    yield { type: 'response_started' };
    if (text !== '') yield { type: 'output_text_delta', delta: text };
  }
  // What the provider sent holds the answer that the new one replaces.
  const { providerData: _replaced, ...response } = done?.response ?? {
    id: 'hooks_blocked',
    usage: sumOf([]),
    providerData: {},
  };
  // The items of an answer: the SDK's own type for them here is narrower than that of a model's output.
  yield { type: 'response_done', response: { ...response, output: output as Done['response']['output'] } };
}
