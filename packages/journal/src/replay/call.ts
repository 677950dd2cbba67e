import {
  AfterToolCall,
  BeforeToolCall,
  type Hooks,
  PermissionRequest,
  type PointData,
  type RenameTarget,
  type Session,
  TransformToolResult,
} from '@hooks/core';
import { answerToolCall, type Begun, beginToolCall, finishToolCall } from '@hooks/core/tool-call';
import type { JournalReading } from '../read/parse.ts';
import { canonicalJson } from '../record/line.ts';
import type { RecordedTool } from '../record/types.ts';
import { type Kept, replaces } from './kept.ts';
import type { CallFate, Gate, UnknownReason, Verdict } from './report.ts';

/** A session that is replayed. */
export interface ReplayedSession {
  readonly state: Session;
  /** That of the outermost session: what a sub-agent does depends on its parent, and the other way around. */
  readonly root: { diverged: boolean };
}

/** What a replay says of a call. */
interface Judged {
  readonly verdict: Verdict;
  readonly unknown?: UnknownReason;
  readonly recorded: CallFate;
  readonly replayed?: CallFate;
}

/** A call that is replayed, record by record. */
export interface CallReplay {
  readonly session: ReplayedSession;
  /** Its first record. */
  readonly reading: JournalReading;
  /** Its records so far, by type; of several attempts the last. */
  readonly readings: Map<string, JournalReading>;
  /** By the type of event on which a hook replaced a value: the answers that stand as they are recorded. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** Sets `kept` for the record that is replayed next. */
  keep(find: FindKept): void;
  /** Asks the policy whether it may run. */
  begin(): Promise<void>;
  /** Goes on with a further record. */
  go(reading: JournalReading): Promise<void>;
  /** It cannot be judged. */
  give(unknown: UnknownReason): void;
  hasDiverged(): boolean;
  judge(): Judged;
}

/** Finds the answers that stand where hooks replaced one of the fields; see {@link keptOf}. */
type FindKept = (point: PointData, recorded: JournalReading, fields: readonly string[]) => Kept | undefined;

/** Makes the replay of a call of its first record. */
export function callOf(
  hooks: Hooks,
  session: ReplayedSession,
  reading: JournalReading,
  isGranted: () => boolean,
): CallReplay {
  return new Call(hooks, session, reading, isGranted);
}

const RANK: Readonly<Record<Gate, number>> = { run: 0, ask: 1, block: 2 };

class Call implements CallReplay {
  readonly session: ReplayedSession;
  readonly reading: JournalReading;
  readonly readings = new Map<string, JournalReading>();
  readonly kept = new Map<string, Kept>();
  readonly #hooks: Hooks;
  /** Whether a hook of the policy has just granted the call. */
  readonly #isGranted: () => boolean;
  /** What the journal says. */
  #permission: JournalReading | undefined;
  #approval: JournalReading | undefined;
  #transformed: JournalReading | undefined;
  /** What the policy says. */
  #begun: Begun | undefined;
  #gate: CallFate | undefined;
  #granted = false;
  #unknown: UnknownReason | undefined;
  #result: Judged | undefined;

  constructor(hooks: Hooks, session: ReplayedSession, reading: JournalReading, isGranted: () => boolean) {
    this.#isGranted = isGranted;
    this.#hooks = hooks;
    this.session = session;
    this.reading = reading;
    if (session.root.diverged) this.#unknown = 'after-divergence';
  }

  give(unknown: UnknownReason): void {
    this.#unknown ??= unknown;
    // It was made of an answer that is not on record.
    this.#result = undefined;
  }

  keep(find: FindKept): void {
    const take = (point: PointData, recorded: JournalReading, fields: readonly string[]): void => {
      const replaced = recorded.record.hooks?.some(({ decision }) => replaces(decision, fields));
      const kept = replaced ? find(point, recorded, fields) : undefined;
      if (kept) this.kept.set(point.spec.type, kept);
      else this.kept.delete(point.spec.type);
    };
    const over = this.readings.get('hooks.after_tool_call');
    if (over === undefined) {
      take(BeforeToolCall, this.reading, ['input']);
      return;
    }
    this.kept.delete(TransformToolResult.type);
    if (this.#transformed === undefined || replacesOutput(over)) return;
    const { output, errorMessage } = over.data ?? {};
    const data = {
      salt: '',
      ...this.#transformed.data,
      output,
      ...(errorMessage !== undefined && { errorMessage }),
    };
    take(TransformToolResult, { ...this.#transformed, data }, ['output', 'errorMessage']);
  }

  async begin(): Promise<void> {
    const { record, data } = this.reading;
    const { tool, agent, run, turn, omitted } = record;
    if (tool === undefined) return;
    if (data === null || data === undefined || omitted?.includes('input')) return this.give('not-recorded');
    const begun = await beginToolCall(
      this.#hooks,
      {
        session: this.session.state,
        toolName: tool.nativeName ?? tool.name,
        callId: tool.callId,
        input: data.input,
        agent,
        run,
        turn,
        principal: data.principal,
        parentCallId: tool.parentCallId,
        ...(tool.kind && { tool: { kind: tool.kind } }),
      },
      {
        approval: 'native',
        capabilities: { ask: true, retry: true, route: true, rename: (name) => anyTool(name, tool) },
      },
    );
    this.#begun = begun;
    this.#gate = fateOf(begun, data.input);
    this.#granted = this.#isGranted();
  }

  async go(reading: JournalReading): Promise<void> {
    switch (reading.record.type) {
      case 'hooks.permission_request':
        this.#permission = reading;
        return;
      case 'hooks.tool_approval_decision':
        this.#approval = reading;
        return this.#answer(reading);
      case 'hooks.transform_tool_result':
        this.#transformed = reading;
        // Of a further attempt.
        this.readings.delete('hooks.after_tool_call');
        return;
      case 'hooks.after_tool_call':
        this.#result = await this.#compare(reading);
    }
  }

  hasDiverged(): boolean {
    const { verdict } = this.#result ?? {};
    return verdict === 'tightened' || verdict === 'loosened';
  }

  judge(): Judged {
    if (this.#result) return this.#result;
    // It was not over when the journal ended, or the session had diverged when it was.
    if (this.session.root.diverged && this.#gate === undefined) this.give('after-divergence');
    return this.#compareGates() ?? { verdict: 'same', recorded: this.#recordedGate() };
  }

  /** Somebody answered: the policy that waits for an answer gets the same. */
  async #answer({ record, data }: JournalReading): Promise<void> {
    if (this.#begun?.kind !== 'ask' || record.approval === undefined) return;
    const { decision, source } = record.approval;
    if (source.startsWith('pre_tool_use_hook')) return;
    const input = data?.input;
    const isEdited = input !== undefined && !isSame(input, this.reading.data?.input);
    this.#begun = await answerToolCall(this.#begun.token, {
      decision,
      source,
      ...(data?.reason !== undefined && { reason: data.reason }),
      ...(isEdited && { input }),
    });
  }

  async #compare(over: JournalReading): Promise<Judged> {
    const gates = this.#compareGates();
    if (gates && gates.verdict !== 'unknown') return gates;
    const after = await this.#compareResults(over);
    return gates ?? after;
  }

  /** Undefined where both come to the same. */
  #compareGates(): Judged | undefined {
    const recorded = this.#recordedGate();
    const unknown = (why: UnknownReason): Judged => ({
      verdict: 'unknown',
      unknown: why,
      recorded,
      ...(this.#gate && { replayed: this.#gate }),
    });
    const replayed = this.#gate;
    if (this.#unknown !== undefined) return unknown(this.#unknown);
    if (replayed === undefined) return unknown('not-recorded');
    const replaced = this.#replacedBefore();
    if (replaced !== undefined)
      // A policy without such hooks would have let the call run as the model wrote it.
      return hasDeciders(this.#hooks, BeforeToolCall, this.reading) || this.#renamedTo !== undefined
        ? unknown(replaced)
        : { verdict: 'loosened', recorded: { ...recorded, changed: 'input' }, replayed };
    const asked = this.#askedByFramework(replayed);
    if (asked === undefined) return unknown('approval');
    const [was, is] = [RANK[recorded.gate], RANK[asked.gate]];
    if (was !== is) return { verdict: is > was ? 'tightened' : 'loosened', recorded, replayed: asked };
    return replayed.changed === undefined ? undefined : { verdict: 'tightened', recorded, replayed };
  }

  /** The framework asks for some calls itself, unless a hook grants them; undefined where it is not known whether it would. */
  #askedByFramework(replayed: CallFate): CallFate | undefined {
    if (replayed.gate !== 'run' || this.#granted) return replayed;
    const { approval } = this.reading.record.decision ?? {};
    if (approval?.kind === 'granted') return undefined;
    if (this.#permission === undefined || approval?.kind === 'required') return replayed;
    if (hasDeciders(this.#hooks, PermissionRequest, this.reading)) return undefined;
    const { reason } = this.#permission.data ?? {};
    return { gate: 'ask', ...(reason !== undefined && { reason }) };
  }

  async #compareResults(over: JournalReading): Promise<Judged> {
    const recorded = this.#recordedGate();
    const same: Judged = { verdict: 'same', recorded };
    const { record, data } = over;
    if ((record.ran !== true && record.answered !== true) || this.#begun?.kind !== 'run') return same;
    const isError = record.status === 'error';
    const withheld = record.decision?.kind === 'block';
    const isKept = this.kept.has(TransformToolResult.type);
    const replaced =
      replacesOutput(over) || (this.#transformed && !isKept && replacesOutput(this.#transformed));
    const asks =
      hasDeciders(this.#hooks, AfterToolCall, this.reading) ||
      hasDeciders(this.#hooks, TransformToolResult, this.reading);
    const finished = await finishToolCall(
      this.#hooks,
      this.#begun.token,
      isError ? { error: new Error(data?.errorMessage ?? '') } : { output: data?.output },
    );
    this.#transformed = undefined;
    const wasRetried = record.decision?.kind === 'retry';
    const retried = finished.kind === 'again';
    if (retried) this.#begun = { ...finished, kind: 'run' };
    const changed = withheld ? 'withheld' : replaced ? 'output' : undefined;
    const was: CallFate = { ...recorded, ...(changed && { changed }) };
    const unknown = (why: UnknownReason): Judged => ({ verdict: 'unknown', unknown: why, recorded: was });
    if (data === null || record.omitted?.includes('output')) return unknown('not-recorded');
    if (changed !== undefined)
      return asks
        ? unknown(withheld ? 'output-withheld' : 'output-replaced')
        : { verdict: 'loosened', recorded: was, replayed: recorded };
    if (retried !== wasRetried) return unknown('retry');
    if (retried || finished.kind !== 'done') return same;
    const { outcome } = finished;
    if (outcome.status === 'blocked')
      return {
        verdict: 'tightened',
        recorded,
        replayed: {
          gate: recorded.gate,
          changed: 'withheld',
          ...(outcome.by !== undefined && { by: outcome.by }),
          ...(outcome.reason !== undefined && { reason: outcome.reason }),
        },
      };
    const isUnchanged = isError
      ? outcome.status === 'error' && messageOf(outcome.error) === (data?.errorMessage ?? '')
      : outcome.status === 'ok' && isSame(outcome.output, data?.output);
    return isUnchanged
      ? same
      : { verdict: 'tightened', recorded, replayed: { gate: recorded.gate, changed: 'output' } };
  }

  #recordedGate(): CallFate {
    const { record, data } = this.reading;
    const refusal = [this.reading, this.#permission].find((one) => one?.record.decision?.kind === 'block');
    if (refusal) {
      const { by } = refusal.record.decision ?? {};
      const reason = refusal.data?.reason;
      return { gate: 'block', ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    }
    const isRequired = record.decision?.approval?.kind === 'required';
    const isGranted = this.#approval?.record.approval?.source.startsWith('pre_tool_use_hook') === true;
    const isAsked = isRequired || this.#permission !== undefined;
    const reason = this.#permission?.data?.reason ?? data?.hooks?.[0]?.reason;
    return isAsked && !isGranted ? { gate: 'ask', ...(reason !== undefined && { reason }) } : { gate: 'run' };
  }

  /** The framework's name of the tool that the policy has run instead of the called one. */
  get #renamedTo(): string | undefined {
    return this.#begun?.kind === 'done' ? undefined : this.#begun?.token.renamedTo;
  }

  #replacedBefore(): UnknownReason | undefined {
    const replaced = (field: string, by: JournalReading | undefined): boolean =>
      by?.record.hooks?.some(({ decision }) => replaces(decision, [field])) === true;
    if (this.#begun?.kind !== 'done' && this.#renamedTo !== this.reading.record.tool?.renamedTo)
      return 'tool-replaced';
    const isUnknown = replaced('input', this.reading) && !this.kept.has(BeforeToolCall.type);
    return isUnknown || replaced('input', this.#permission) ? 'input-replaced' : undefined;
  }
}

function fateOf(begun: Begun, sent: unknown): CallFate {
  if (begun.kind === 'ask') return { gate: 'ask', reason: begun.request.reason };
  if (begun.kind === 'run')
    return { gate: 'run', ...(isSame(begun.input, sent) ? {} : { changed: 'input' as const }) };
  const { by, reason } = begun.outcome;
  return { gate: 'block', ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
}

function replacesOutput({ record }: JournalReading): boolean {
  return record.hooks?.some(({ decision }) => replaces(decision, ['output', 'errorMessage'])) === true;
}

/** Whether the policy has hooks that answer on an event of this tool. */
function hasDeciders(hooks: Hooks, point: PointData, { record }: JournalReading): boolean {
  return hooks.get(point, record.tool?.name).some(({ verb }) => verb !== 'observe');
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error);
}

/** The tool of any name: the journal does not say which others there were, but for the one that a hook has selected. */
function anyTool(name: string, { name: ran, renamedTo = name }: RecordedTool): RenameTarget {
  return {
    name: name === ran ? renamedTo : name,
    tool: { kind: 'function' },
    native: undefined,
    registries: [],
    unenforced: undefined,
    check: 'itself',
    execute: () => undefined,
  };
}
