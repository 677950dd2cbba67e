import type { AdapterHarness, RunOptions } from '../harness.ts';
import type { ModelRequest, Script } from '../model-server/index.ts';
import { callOf } from '../scenarios/script.ts';
import { type Actor, type Played, Stage } from '../stage.ts';
import { COSTLY, DEAR, FORBIDDEN } from './arguments.ts';
import { isPlainJson } from './data.ts';
import type { HostileCall, HostileConversation } from './random-model.ts';
import { fits, type Judge, jsonOf, REFUSED, shorten, Witness } from './witness.ts';

/** How a hostile conversation is played. */
export interface Playing {
  readonly stream: boolean;
  readonly form?: string | undefined;
}

/**
 * Plays a conversation of a hostile model and returns what was wrong, one sentence each. What the bare framework does
 * wrong, too, is no fault of the adapter. Where runs pause, the bare framework also plays it with an approval of its own
 * for each call, and a person who denies what hooks would refuse.
 */
export async function faultsOfModel(
  harness: AdapterHarness,
  conversation: HostileConversation,
  playing: Playing,
): Promise<readonly string[]> {
  const { faults, broken } = await play(harness, conversation, playing, 'hooked');
  let left = broken;
  for (const judge of conversation.asking === 'native' ? BARE : BARE.slice(0, 1)) {
    if (left.length === 0) break;
    const bare = await play(
      harness,
      judge === 'asked' ? plainly(conversation) : conversation,
      playing,
      judge,
    );
    const kinds = new Set(bare.broken.map(({ kind }) => kind));
    // It fails at the ids and names alone, so there is nothing to compare with.
    const fails = judge === 'asked' && [...kinds].some((kind) => kind.startsWith('error'));
    left = fails ? [] : left.filter(({ kind, turn = -1 }) => !kinds.has(kind) && turn < bare.turns);
  }
  return [...faults, ...left.map(({ fault }) => fault)];
}

const BARE: readonly Judge[] = ['bare', 'asked'];

/** What an adapter must not break, although a framework may: a run fails, a call is not answered or does not run. */
interface Broken {
  readonly kind: string;
  readonly fault: string;
  /** The answer of the model that it is about, by number. The bare framework may have failed before it. */
  readonly turn?: number;
}

interface Report {
  readonly faults: readonly string[];
  readonly broken: readonly Broken[];
  /** How many answers with calls the model has given. */
  readonly turns: number;
}

async function play(
  harness: AdapterHarness,
  conversation: HostileConversation,
  { stream, form }: Playing,
  judge: Judge,
): Promise<Report> {
  const hooked = judge === 'hooked';
  await using stage = new Stage(harness, stream);
  const witness = new Witness(judge);
  if (hooked) witness.register(stage.hooks);
  const told = new Telling(conversation);
  const actor = await stage.agent(told.script, castOf(conversation, witness, stage, judge));
  const options: Partial<RunOptions> = {
    ...(conversation.session && { session: 's1' }),
    ...(form !== undefined && { form }),
  };
  const broken: Broken[] = [];
  for (const at of conversation.runs.keys()) {
    told.begin(at);
    const pauses = judge !== 'bare' && conversation.asking === 'native';
    const { error, blockReason, pending } = await runToEnd(actor, options, witness, pauses);
    if (error !== undefined) {
      broken.push({ kind: `error ${at}`, fault: `run ${at + 1} threw ${tellError(error)}` });
      break;
    }
    if (blockReason !== undefined)
      broken.push({ kind: 'stop', fault: `a hook ended the run: ${blockReason}` });
    if (pending.length > 0) broken.push({ kind: 'pending', fault: 'the run still waits for a person' });
  }
  await stage.hooks.settled();
  const turns = told.turns.length;
  if (!hooked) return { faults: [], broken: [...broken, ...unanswered(told, witness, false)], turns };
  const failed = stage.failures.map(({ message }) => `a hook failed: ${message}`);
  const faults = [...witness.faults, ...failed, ...unfinished(told, witness)];
  return { faults, broken: [...broken, ...unanswered(told, witness, true)], turns };
}

function castOf(
  { inside, asking }: HostileConversation,
  witness: Witness,
  stage: Stage,
  judge: Judge,
): Parameters<Stage['agent']>[1] {
  const hooked = judge === 'hooked';
  const tools = witness.tools().map((tool) => ({ ...tool, needsApproval: judge === 'asked' }));
  const sub = {
    name: 'helper',
    description: 'Helps.',
    instructions: 'You are the helper.',
    tools,
  };
  const approval = asking === 'approver' ? witness.answer.bind(witness) : 'native';
  return {
    ...(inside ? { tools: [], subagents: [sub] } : { tools }),
    hooks: hooked ? [stage.hooks] : [],
    attach: hooked && asking !== 'nobody' ? { approval } : {},
  };
}

/** Runs the agent, and answers its pending approvals until there are none. */
async function runToEnd(
  actor: Actor,
  options: Partial<RunOptions>,
  witness: Witness,
  pauses: boolean,
): Promise<Played['result']> {
  let { result } = await actor.run(options);
  for (let round = 0; pauses && round < 60 && result.pending.length > 0; round++)
    ({ result } = await actor.resume('s1', witness.answers(result.pending)));
  return result;
}

/** An answer with calls, and the request that followed it. */
interface Turn {
  readonly calls: readonly HostileCall[];
  next?: ModelRequest;
}

/** Says what the model says, and keeps what it was told next. */
class Telling {
  readonly turns: Turn[] = [];
  readonly #conversation: HostileConversation;
  #run = 0;
  #answer = 0;
  #last: Turn | undefined;

  constructor(conversation: HostileConversation) {
    this.#conversation = conversation;
  }

  begin(run: number): void {
    this.#run = run;
    this.#answer = 0;
    this.#last = undefined;
  }

  readonly script: Script = (request) => {
    const { inside, runs, pieceLength } = this.#conversation;
    if (inside && !request.system.includes('You are the helper.')) {
      const id = `outer${this.#run}`;
      const asked = request.messages.some(({ toolCallId }) => toolCallId === id);
      return asked ? { text: 'Done.' } : { toolCalls: [callOf(request, 'helper', id)] };
    }
    if (this.#last !== undefined) this.#last.next = request;
    const calls = runs[this.#run]?.[this.#answer++];
    if (calls === undefined) {
      this.#last = undefined;
      return { text: 'Done.' };
    }
    const turn: Turn = { calls };
    this.turns.push(turn);
    this.#last = turn;
    return { toolCalls: calls, pieceLength };
  };

  /** How often the model sent an id. Frameworks may make an id for a call that has none, or that of another call. */
  sent(id: string): number {
    const answers = this.turns.map(({ calls }) => calls.map((call) => call.id));
    const known = answers.flat().filter((one) => one === id).length;
    const isOwn = (one: string | null, at: number, ids: readonly (string | null)[]): boolean =>
      one !== null && one.trim() !== '' && ids.indexOf(one) === at;
    return known > 0 ? known : answers.flatMap((ids) => ids.filter((...one) => !isOwn(...one))).length;
  }
}

/** Events of calls that are missing, or too many. */
function unfinished(told: Telling, { judged, over }: Witness): readonly string[] {
  const ids = new Set([...judged.map(({ callId }) => callId), ...over.keys()]);
  const all = told.turns.flatMap(({ calls }) => calls).length;
  const mine = judged.filter(({ callId }) => !isOuter(callId));
  const tooMany = mine.length > all ? [`hooks were asked about ${mine.length} of ${all} calls`] : [];
  const each = [...ids].flatMap((id) => {
    // The call of the sub-agent is not the hostile model's.
    if (isOuter(id)) return [];
    const asked = judged.filter(({ callId }) => callId === id).length;
    const ended = over.get(id) ?? 0;
    const sent = told.sent(id);
    const call = `the call ${JSON.stringify(id)}, which the model sent ${sent} times,`;
    return [
      ...(asked > sent ? [`hooks were asked ${asked} times about ${call} before it ran`] : []),
      ...(ended > sent ? [`AfterToolCall fired ${ended} times for ${call}`] : []),
      ...(ended < asked ? [`AfterToolCall fired ${ended} times for ${call} of which ${asked} began`] : []),
    ];
  });
  return [...tooMany, ...each];
}

function isOuter(callId: string): boolean {
  return /^outer\d$/.test(callId);
}

/** Calls that the model should have read an answer to, and did not. */
function unanswered(told: Telling, witness: Witness, hooked: boolean): readonly Broken[] {
  return told.turns.flatMap((turn, at) => {
    const found = unansweredIn(turn, { at, told, witness, hooked });
    // The reason of a refusal is nothing that the bare framework could do.
    return found.map((one) => (one.kind === 'reason' ? one : { ...one, turn: at }));
  });
}

function unansweredIn(
  { calls, next }: Turn,
  {
    at,
    told,
    witness,
    hooked,
  }: { readonly at: number; readonly told: Telling; readonly witness: Witness; readonly hooked: boolean },
): readonly Broken[] {
  // Where the bare framework ends a run at its calls, a hooked one that goes on may have no answers either.
  if (next === undefined)
    return hooked ? [] : [{ kind: `answers ${at}`, fault: 'the run ended before the calls were answered' }];
  const from = next.messages.findLastIndex(({ role }) => role === 'assistant');
  const results = next.messages.slice(from + 1).filter(({ role }) => role === 'tool');
  const sound = calls.filter((call) => inputOf(call) !== undefined);
  if (results.length < sound.length) {
    const fault = `the model read ${results.length} answers to ${sound.length} of its calls`;
    return [{ kind: `answers ${at}`, fault }];
  }
  const alone = calls.filter(({ id }, _, all) => id && all.filter((one) => one.id === id).length === 1);
  return alone.flatMap((call) => {
    const read = results.find(({ toolCallId }) => toolCallId === call.id);
    const isOnly = told.sent(call.id ?? '') === 1;
    const kind = `${at} ${calls.indexOf(call)}`;
    return read ? unlikeDecision(call, read.content, witness, { hooked, isOnly, kind }) : [];
  });
}

/** A call that was alone with its id should have run if it is harmless, and been refused if it was refused. */
function unlikeDecision(
  call: HostileCall,
  content: string,
  witness: Witness,
  { hooked, isOnly, kind }: { readonly hooked: boolean; readonly isOnly: boolean; readonly kind: string },
): readonly Broken[] {
  const about = `${call.name} ${shorten(call.arguments)}`;
  if (isHarmless(call) && !witness.hasRun(call.name, inputOf(call), content))
    return [{ kind: `harmless ${kind}`, fault: `${about} did not run; the model read: ${content}` }];
  if (!hooked) return [];
  const [mine, ...others] = witness.judged.filter(({ callId }) => callId === call.id);
  const refused = mine?.verdict === 'refuse' && others.length === 0 && isOnly;
  if (refused && !content.includes(REFUSED))
    return [{ kind: 'reason', fault: `${about} was refused, but the model read: ${content}` }];
  return [];
}

/** The same conversation with arguments in which a person sees all that hooks would see. */
function plainly(conversation: HostileConversation): HostileConversation {
  const plain = (call: HostileCall): HostileCall => ({ ...call, arguments: plainArguments(call) });
  return { ...conversation, runs: conversation.runs.map((run) => run.map((calls) => calls.map(plain))) };
}

function plainArguments(call: HostileCall): string {
  const input = inputOf(call);
  if (input === undefined) return isJson(call.arguments) ? '{"unknown":true}' : '{"unknown":';
  const text = isPlainJson(input) ? jsonOf(input) : FORBIDDEN;
  const said = [FORBIDDEN, DEAR, COSTLY].find((one) => text.includes(one)) ?? 'ls';
  return JSON.stringify(call.name === 'shell' ? { command: said } : { data: said });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The input of a call that any framework can read: a known tool with a JSON object that fits. */
function inputOf({ name, arguments: text }: HostileCall): object | undefined {
  if (name !== 'shell' && name !== 'note') return undefined;
  try {
    const input: unknown = JSON.parse(text);
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    return isObject && fits(name, input) ? input : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a call has nothing for which anybody should refuse it. */
function isHarmless(call: HostileCall): boolean {
  const input = inputOf(call);
  if (input === undefined || call.arguments.length > 2_000 || STRANGE.test(call.arguments)) return false;
  return JSON.stringify(input) === call.arguments && !call.arguments.includes('costly');
}

const STRANGE = new RegExp(
  `${FORBIDDEN}|__proto__|\\\\u|constructor|prototype|toJSON|toString|valueOf|hasOwnProperty|then|length|""`,
);

function tellError(error: unknown): string {
  return shorten(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
