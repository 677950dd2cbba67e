import {
  type AnswerKind,
  type ConversationHook,
  type RandomConversation,
  reason,
  renamed,
} from './random-conversation.ts';
import { inOrder } from './random-hook.ts';

/** One request to the model. */
export interface PrescribedRequest {
  readonly instructions: string;
  readonly context: readonly string[];
  readonly users: readonly string[];
  readonly assistants: readonly string[];
  readonly temperature: number | undefined;
  readonly tools: readonly string[];
}

/** What the design specifies for a run. */
export interface PrescribedRun {
  readonly requests: readonly PrescribedRequest[];
  /** The messages of the run, by the user and the model. */
  readonly said: readonly string[];
  /** Answers of the model that nobody may see, because hooks refused, replaced or retried them. */
  readonly withheld: readonly string[];
  /** The answer; undefined if a hook ended the run. */
  readonly text: string | undefined;
  /** The hook that ended it. */
  readonly by: string | undefined;
  /** How its turns ended. */
  readonly turns: readonly string[];
  /** The answers for which `Stop` fired. */
  readonly stops: readonly string[];
}

interface Answer {
  readonly kind: AnswerKind;
  readonly text: string;
}

/** The session so far and the messages to come. */
interface Told {
  readonly users: string[];
  readonly assistants: string[];
  asked: number;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
type Working = Mutable<Omit<PrescribedRun, 'said'>> & { readonly requests: PrescribedRequest[] };

/** The model's n-th answer. */
export function answerAt({ answers }: RandomConversation, asked: number): Answer {
  const kind = answers[asked - 1] ?? 'text';
  // Streams are cut after eight characters, so the marker has to be within the first eight.
  return { kind, text: `${kind === 'call' ? 'see' : 'say'}-${String(asked).padStart(4, '0')}` };
}

/** Computes the prescribed runs of a conversation from section 3 of the design, one after the other. */
export function prescribeConversation(random: RandomConversation): readonly PrescribedRun[] {
  const told: Told = { users: [], assistants: [], asked: 0 };
  return random.prompts.map((prompt) => {
    if (!random.session) for (const said of [told.users, told.assistants]) said.length = 0;
    const before = [told.users.length, told.assistants.length] as const;
    const run = prescribeRun(random, told, prompt);
    return { ...run, said: [...told.users.slice(before[0]), ...told.assistants.slice(before[1])] };
  });
}

function prescribeRun(random: RandomConversation, told: Told, prompt: string): Omit<PrescribedRun, 'said'> {
  const { hooks } = random;
  const run: Working = { requests: [], withheld: [], text: undefined, by: undefined, turns: [], stops: [] };
  const submitted = [...inOrder(hooks.prompt)].reduce(
    (now, { act }) => (act.kind === 'append' ? now + act.text : now),
    prompt,
  );
  run.by = [...inOrder(hooks.prompt), ...inOrder(hooks.run)].find((hook) => refusesPrompt(hook, prompt))?.id;
  if (run.by !== undefined) return run;
  told.users.push(submitted);
  const standing = [...contextOf(inOrder(hooks.session)), ...contextOf(inOrder(hooks.prompt))];
  let next: readonly string[] = [];
  let continuations = 0;
  for (let iteration = 1; ; iteration++) {
    const asked = requestOf(random, told, iteration);
    if ('by' in asked) return ended(run, asked.by);
    const context = [
      ...standing,
      ...next,
      ...contextOf(inOrder(hooks.turn)),
      ...contextOf(inOrder(hooks.beforeModel)),
    ];
    const answer = askModel(random, told, (given) => {
      run.requests.push({ ...asked.request, context });
      run.withheld = [...run.withheld, given];
    });
    if ('by' in answer) return ended(run, answer.by);
    told.assistants.push(answer.text);
    run.withheld = run.withheld.filter((text) => text !== answer.text);
    if (answer.kind === 'call') {
      const stops = ({ act }: ConversationHook): boolean => act.kind === 'stop' && told.asked >= act.from;
      // After a refused call, a hook changes the reason.
      const stop = inOrder(hooks.afterTool, 'reverse').find(stops) ?? inOrder(hooks.beforeTool).find(stops);
      if (stop !== undefined) return ended(run, stop.id);
      next = [...contextOf(inOrder(hooks.beforeTool)), ...contextOf(inOrder(hooks.afterTool, 'reverse'))];
      run.turns = [...run.turns, 'continue'];
      continue;
    }
    next = [];
    run.stops = [...run.stops, answer.text];
    // After three continuations, Retry counts as Proceed.
    const decides = ({ act }: ConversationHook): boolean =>
      (act.kind === 'retry' && continuations < Math.min(act.below, 3)) ||
      (act.kind === 'refuse' && continuations >= act.from);
    const goOn = inOrder(hooks.stop).find(decides);
    if (goOn?.act.kind === 'refuse') return ended(run, goOn.id);
    if (goOn === undefined) {
      run.turns = [...run.turns, 'normal'];
      run.text = answer.text;
      return run;
    }
    continuations++;
    run.turns = [...run.turns, 'continue'];
    told.users.push(reason(goOn.id, answer.text));
  }
}

function ended(run: Working, by: string): Working {
  return { ...run, by, turns: [...run.turns, 'hook_blocked'] };
}

function contextOf(hooks: readonly ConversationHook[]): readonly string[] {
  return hooks.filter(({ act }) => act.kind === 'context').map(({ id }) => `context-${id}.`);
}

/** Whether a hook on an event that fails closed has failed, without `onFailure: 'proceed'`. */
function failed({ act, onFailure }: ConversationHook): boolean {
  return act.kind === 'throw' && onFailure !== 'proceed';
}

function refusesPrompt(hook: ConversationHook, prompt: string): boolean {
  const { act } = hook;
  return failed(hook) || (act.kind === 'block' && prompt.startsWith(act.prompts));
}

/** The request as the BeforeModelCall hooks leave it, or the hook that refuses it. */
function requestOf(
  { hooks }: RandomConversation,
  { users, assistants }: Told,
  iteration: number,
): { readonly request: PrescribedRequest } | { readonly by: string } {
  const request: Mutable<PrescribedRequest> = {
    ...{ instructions: 'Be brief.', context: [], users: [...users], assistants: [...assistants] },
    ...{ temperature: undefined, tools: ['archive', 'weather'] },
  };
  for (const { act } of inOrder(hooks.run)) if (act.kind === 'temperature') request.temperature = act.value;
  for (const hook of inOrder(hooks.beforeModel)) {
    const { id, act } = hook;
    if (failed(hook) || (act.kind === 'block' && iteration >= act.from)) return { by: id };
    if ('at' in act && act.at !== iteration) continue;
    if (act.kind === 'instructions') request.instructions = act.text;
    if (act.kind === 'temperature') request.temperature = act.value;
    if (act.kind === 'exclaim') request.users = request.users.map((text) => `${text}!`);
    if (act.kind === 'withoutArchive') request.tools = ['weather'];
  }
  return { request };
}

/** Calls the model until an answer is accepted. */
function askModel(
  random: RandomConversation,
  told: Told,
  request: (given: string) => void,
): Answer | { readonly by: string } {
  for (let attempt = 1; ; attempt++) {
    told.asked++;
    const given = answerAt(random, told.asked);
    request(given.text);
    const answer = judge(random, given, attempt);
    if (answer !== 'again') return answer;
  }
}

function judge(
  { hooks }: RandomConversation,
  given: Answer,
  attempt: number,
): Answer | { readonly by: string } | 'again' {
  let answer = given;
  for (const hook of inOrder(hooks.afterModel, 'reverse')) {
    const { id, act } = hook;
    if (act.kind === 'retry' && attempt < act.below && attempt < 3) return 'again';
    if (failed(hook) || (act.kind === 'blockAnswer' && act.of === answer.kind)) return { by: id };
    if (act.kind === 'respond')
      answer = { kind: act.calls ? answer.kind : 'text', text: renamed(answer.text, act.text) };
  }
  return answer;
}
