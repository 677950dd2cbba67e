import type { ToolCallStatus } from '../../src/index.ts';

/** What a hook of a random call does when it is asked; `over` limits it to inputs longer than that. */
export type Act =
  | { readonly kind: 'proceed' | 'throw' | 'answer' }
  | { readonly kind: 'grant' | 'require' | 'person'; readonly over: number }
  | { readonly kind: 'block'; readonly stop: boolean; readonly over: number }
  | { readonly kind: 'append' | 'context' | 'output' | 'message'; readonly text: string }
  | { readonly kind: 'retry'; readonly below: number };

/** A hook of a random call. */
export interface Scripted {
  readonly id: string;
  readonly verb: 'on' | 'guard';
  readonly priority: number;
  readonly act: Act;
}

/** What a person answers, where one is asked; `none` where nobody can be. */
export type Person =
  | { readonly kind: 'none' | 'allow' | 'deny' | 'canceled' }
  | { readonly kind: 'edit'; readonly input: string };

/** A whole call, as random as it gets. */
export interface Scenario {
  readonly before: readonly Scripted[];
  readonly permission: readonly Scripted[];
  readonly transform: readonly Scripted[];
  readonly after: readonly Scripted[];
  readonly needsApproval: boolean;
  readonly person: Person;
  /** Whether the tool throws, attempt for attempt; it answers where the list ends. */
  readonly throws: readonly boolean[];
  readonly maxAttempts: number;
}

/** What the design prescribes for a call. */
export interface Prescribed {
  readonly status: ToolCallStatus;
  readonly ran: boolean;
  readonly input: string;
  readonly output: unknown;
  readonly error: string | undefined;
  readonly by: string | undefined;
  readonly attempts: number;
  readonly exhausted: boolean;
  readonly context: readonly string[];
  readonly stop: boolean;
  /** The inputs with which the tool itself ran. */
  readonly runs: readonly string[];
  /** What `ToolApprovalDecision` said. */
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

/** Works a call out from section 3 of the design, without a line of the pipeline's. */
export function prescribe(scenario: Scenario): Prescribed {
  const call: Working = {
    ...{ status: 'ok', ran: false, input: 'ls', output: undefined, error: undefined, by: undefined },
    ...{ attempts: 0, exhausted: false, context: [], stop: false, runs: [], decided: [] },
  };
  const { refusal, wanted } = askBefore(scenario, call);
  const refused = refusal ?? approve(scenario, call, wanted);
  if (refused !== undefined) {
    call.status = refused.status;
    call.by = refused.by;
    call.stop = refused.stop === true;
    askAfter(scenario, call);
    return call;
  }
  call.ran = true;
  do {
    call.attempts++;
    run(scenario, call);
    transform(scenario, call);
  } while (askAfter(scenario, call) === 'again');
  return call;
}

function inOrder(hooks: readonly Scripted[], verb: 'on' | 'guard'): readonly Scripted[] {
  return hooks.filter((hook) => hook.verb === verb).sort((a, b) => b.priority - a.priority);
}

function blocks({ act }: Scripted, input: string): boolean {
  return act.kind === 'block' && input.length > act.over;
}

/** What a hook of BeforeToolCall or PermissionRequest wants of a person. */
function wants({ act }: Scripted, input: string): Wanted | undefined {
  if (act.kind !== 'grant' && act.kind !== 'require' && act.kind !== 'person') return undefined;
  return input.length > act.over ? act.kind : undefined;
}

/** A hook's no to a call that has not run. */
function refuse(call: Working, status: Refusal['status'], { id, act }: Scripted): Refusal {
  call.decided = ['deny'];
  return { status, by: id, stop: act.kind === 'block' && act.stop };
}

const RANKS = { grant: 0, require: 1, person: 2 };

function askBefore(
  { before }: Scenario,
  call: Working,
): { readonly refusal?: Refusal; readonly wanted: Wanted | undefined } {
  const context: string[] = [];
  let wanted: Wanted | undefined;
  for (const hook of [...inOrder(before, 'on'), ...inOrder(before, 'guard')]) {
    const { act } = hook;
    if (act.kind === 'throw' || blocks(hook, call.input))
      return { refusal: refuse(call, 'blocked', hook), wanted };
    if (act.kind === 'append') call.input += act.text;
    if (act.kind === 'context') context.push(act.text);
    const wish = wants(hook, call.input);
    if (wish !== undefined && (wanted === undefined || RANKS[wish] > RANKS[wanted])) wanted = wish;
  }
  call.context = context;
  return { wanted };
}

function approve(scenario: Scenario, call: Working, wanted: Wanted | undefined): Refusal | undefined {
  const { before, permission, needsApproval, person } = scenario;
  if (wanted === undefined && !needsApproval) return undefined;
  let granted = wanted === 'grant';
  if (!granted) {
    let input = call.input;
    for (const hook of [...inOrder(permission, 'on'), ...inOrder(permission, 'guard')]) {
      if (blocks(hook, input)) return refuse(call, 'denied', hook);
      if (hook.act.kind === 'append') input += hook.act.text;
      // Where only a person may approve, a grant is a failed hook, and one that fails leaves it to the person.
      if (wants(hook, input) === 'grant' && wanted !== 'person') granted = true;
    }
    if (input !== call.input) {
      const refusal = replaceInput(before, call, input);
      if (refusal !== undefined) return refusal;
      // What a guard wants of a person, about what a hook has written, no hook can give.
      granted &&= !inOrder(before, 'guard').some((hook) => wants(hook, input) === 'person');
    }
  }
  if (!granted) {
    if (person.kind === 'edit') {
      const refusal = replaceInput(before, call, person.input);
      if (refusal !== undefined) return refusal;
    } else if (person.kind !== 'allow') {
      call.decided = [person.kind === 'canceled' ? 'canceled' : 'deny'];
      return { status: 'denied' };
    }
  }
  call.decided = ['allow'];
  return undefined;
}

/** Another input after the hooks have answered: the guards have their say once more. */
function replaceInput(before: readonly Scripted[], call: Working, input: string): Refusal | undefined {
  call.input = input;
  const guard = inOrder(before, 'guard').find((hook) => blocks(hook, input));
  return guard === undefined ? undefined : refuse(call, 'blocked', guard);
}

function run({ before, throws }: Scenario, call: Working): void {
  end(call, 'ok');
  if (before.some(({ act }) => act.kind === 'answer')) {
    call.output = 'answered';
    return;
  }
  call.runs = [...call.runs, call.input];
  if (throws[call.attempts - 1] === true) end(call, 'error', { error: 'the tool threw' });
  else call.output = `out:${call.input}`;
}

function end(
  call: Working,
  status: Prescribed['status'],
  { output, error, by, stop = false }: Partial<Prescribed> = {},
): void {
  Object.assign(call, { status, output, error, by, stop });
}

function transform({ transform: hooks }: Scenario, call: Working): void {
  const { status } = call;
  for (const { id, act } of inOrder(hooks, 'on')) {
    if (act.kind === 'throw') {
      end(call, 'blocked', { by: id });
      break;
    }
    if (act.kind === 'output' && status === 'ok') call.output = act.text;
    if (act.kind === 'message' && status === 'error') call.error = act.text;
  }
}

function askAfter({ after, maxAttempts }: Scenario, call: Working): 'again' | 'over' {
  const context: string[] = [];
  let output: string | undefined;
  for (const hook of [...inOrder(after, 'on').toReversed(), ...inOrder(after, 'guard').toReversed()]) {
    const { id, act } = hook;
    const again = act.kind === 'retry' && call.attempts < act.below;
    // Of a call that did not run, neither another attempt nor another output can be had: the hook has failed.
    const failed = act.kind === 'throw' || (!call.ran && (again || act.kind === 'output'));
    if (failed || blocks(hook, call.input)) {
      const stop = act.kind === 'block' && act.stop;
      if (call.ran) end(call, 'blocked', { by: id, stop });
      else if (!failed) end(call, call.status, { by: id, stop: call.stop || stop });
      return 'over';
    }
    if (again && call.attempts < maxAttempts) return 'again';
    if (again) call.exhausted = true;
    if (act.kind === 'context') context.push(act.text);
    if (act.kind === 'output') output = act.text;
  }
  call.context = [...call.context, ...context];
  if (output !== undefined) end(call, 'ok', { output });
  return 'over';
}
