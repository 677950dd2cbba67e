import type { ToolCallStatus } from '@hooks/core';
import { inOrder } from './random-hook.ts';
import type { CallHook, Person, RandomCall, RandomRun } from './random-run.ts';

/** What the design specifies for a call. */
export interface Prescribed {
  readonly status: ToolCallStatus;
  readonly ran: boolean;
  readonly city: string;
  readonly output: unknown;
  readonly error: string | undefined;
  readonly by: string | undefined;
  readonly attempts: number;
  readonly exhausted: boolean;
  readonly context: readonly string[];
  readonly stop: boolean;
  /** The cities that the tool itself ran for. */
  readonly runs: readonly string[];
  /** The decisions in `ToolApprovalDecision`. */
  readonly decided: readonly ('allow' | 'deny' | 'canceled')[];
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
type Working = Mutable<Prescribed>;
type Wanted = 'grant' | 'require' | 'person';

interface Refusal {
  readonly status: 'blocked' | 'denied';
  readonly by?: string;
  readonly stop?: boolean;
}

/** Computes the prescribed outcome of a call from section 3 of the design, without using the pipeline. */
export function prescribe(random: RandomRun, { city, person }: RandomCall): Prescribed {
  const call: Working = {
    ...{ status: 'ok', ran: false, city, output: undefined, error: undefined, by: undefined },
    ...{ attempts: 0, exhausted: false, context: [], stop: false, runs: [], decided: [] },
  };
  const { refusal, wanted } = askBefore(random, call);
  const refused = refusal ?? approve(random, call, wanted, person);
  if (refused !== undefined) {
    call.status = refused.status;
    call.by = refused.by;
    call.stop = refused.stop === true;
    askAfter(random, call);
    return call;
  }
  // What answers in place of the tool is asked once, and nothing runs.
  call.ran = !isAnswered(random);
  do {
    if (call.ran) call.attempts++;
    run(random, call);
    transform(random, call);
  } while (askAfter(random, call, true) === 'again');
  return call;
}

/** Whether a hook answers in place of the tool. */
function isAnswered({ before }: RandomRun): boolean {
  return before.some(({ act }) => act.kind === 'answer');
}

/** Whether a failed hook counts as a Block. On a gate it does, unless the hook says otherwise. */
function failed({ act, onFailure }: CallHook): boolean {
  return act.kind === 'throw' && onFailure !== 'proceed';
}

function blocks({ act }: CallHook, city: string): boolean {
  return act.kind === 'block' && city.length > act.over;
}

/** The approval that a hook on BeforeToolCall or PermissionRequest asks for. */
function wants({ act }: CallHook, city: string): Wanted | undefined {
  if (act.kind !== 'grant' && act.kind !== 'require' && act.kind !== 'person') return undefined;
  return city.length > act.over ? act.kind : undefined;
}

/** Records a refusal of a call that has not run. */
function refuse(call: Working, status: Refusal['status'], { id, act }: CallHook): Refusal {
  call.decided = ['deny'];
  return { status, by: id, stop: act.kind === 'block' && act.stop };
}

const RANKS = { grant: 0, require: 1, person: 2 };

function askBefore(
  { before }: RandomRun,
  call: Working,
): { readonly refusal?: Refusal; readonly wanted: Wanted | undefined } {
  const context: string[] = [];
  let wanted: Wanted | undefined;
  for (const hook of inOrder(before)) {
    const { act } = hook;
    if (failed(hook) || blocks(hook, call.city)) return { refusal: refuse(call, 'blocked', hook), wanted };
    if (act.kind === 'append') {
      call.city += act.text;
      // A grant is for the input that its hook saw.
      if (wanted === 'grant') wanted = undefined;
    }
    if (act.kind === 'context') context.push(act.text);
    const wish = wants(hook, call.city);
    if (wish !== undefined && (wanted === undefined || RANKS[wish] > RANKS[wanted])) wanted = wish;
  }
  call.context = context;
  return { wanted };
}

function approve(
  random: RandomRun,
  call: Working,
  wanted: Wanted | undefined,
  person: Person,
): Refusal | undefined {
  const { before, permission, needsApproval } = random;
  if (wanted === undefined && !needsApproval) return undefined;
  let granted = wanted === 'grant';
  if (!granted) {
    let city = call.city;
    for (const hook of inOrder(permission)) {
      const grants = wants(hook, city) === 'grant';
      // If only a person may approve, a grant is a failed hook, and a failed hook leaves the decision to the person.
      const failed = hook.act.kind === 'throw' || (grants && wanted === 'person');
      if (blocks(hook, city) || (failed && hook.onFailure === 'block')) return refuse(call, 'denied', hook);
      if (hook.act.kind === 'append') {
        city += hook.act.text;
        // A grant is for the input that its hook saw.
        granted = false;
      }
      if (grants && !failed) granted = true;
    }
    if (city !== call.city) {
      const refusal = replaceCity(before, call, city);
      if (refusal !== undefined) return refusal;
      // A hook cannot grant what a guard requires for an input that a hook has rewritten.
      granted &&= !inOrder(before).some((hook) => hook.verb === 'guard' && wants(hook, city) === 'person');
    }
  }
  if (!granted) {
    if (person.kind === 'edit') {
      const refusal = replaceCity(before, call, person.city);
      if (refusal !== undefined) return refusal;
    } else if (person.kind !== 'allow') {
      call.decided = [person.kind === 'canceled' ? 'canceled' : 'deny'];
      return { status: 'denied' };
    }
  }
  call.decided = ['allow'];
  return undefined;
}

/** A city changed after the hooks have answered: the guards run once more. */
function replaceCity(before: readonly CallHook[], call: Working, city: string): Refusal | undefined {
  call.city = city;
  const guard = inOrder(before).find((hook) => hook.verb === 'guard' && blocks(hook, city));
  return guard === undefined ? undefined : refuse(call, 'blocked', guard);
}

function run(random: RandomRun, call: Working): void {
  const { throws } = random;
  end(call, 'ok');
  if (isAnswered(random)) {
    call.output = 'answered';
    return;
  }
  call.runs = [...call.runs, call.city];
  if (throws[call.attempts - 1] === true) end(call, 'error', { error: 'The station is down.' });
  else call.output = `sunny in ${call.city}`;
}

function end(
  call: Working,
  status: Prescribed['status'],
  { output, error, by, stop = false }: Partial<Prescribed> = {},
): void {
  Object.assign(call, { status, output, error, by, stop });
}

function transform({ transform: hooks }: RandomRun, call: Working): void {
  const { status } = call;
  let output: string | undefined;
  for (const { id, act } of inOrder(hooks)) {
    if (act.kind === 'throw') {
      end(call, 'blocked', { by: id });
      return;
    }
    if (act.kind === 'output') output = act.text;
    if (act.kind === 'message' && status === 'error') call.error = act.text;
  }
  // An output that replaces an error becomes the answer.
  if (output !== undefined) end(call, 'ok', { output });
}

function askAfter(
  { after, maxAttempts }: RandomRun,
  call: Working,
  hasResult: boolean = false,
): 'again' | 'over' {
  const context: string[] = [];
  let output: string | undefined;
  for (const hook of inOrder(after, 'reverse')) {
    const { id, act, onFailure } = hook;
    const again = act.kind === 'retry' && call.attempts < act.below;
    // A call without a result cannot be retried or get another output: the hook has failed.
    const failed = act.kind === 'throw' || (!hasResult && (again || act.kind === 'output'));
    if (failed && onFailure === 'proceed') continue;
    if (failed || blocks(hook, call.city)) {
      const stop = act.kind === 'block' && act.stop;
      if (hasResult) end(call, 'blocked', { by: id, stop });
      else if (!failed) end(call, call.status, { by: id, stop: call.stop || stop });
      return 'over';
    }
    if (again && call.ran && call.attempts < maxAttempts) return 'again';
    if (again) call.exhausted = true;
    if (act.kind === 'context') context.push(act.text);
    if (act.kind === 'output') output = act.text;
  }
  call.context = [...call.context, ...context];
  if (output !== undefined) end(call, 'ok', { output });
  return 'over';
}
