import type { KeyObject } from 'node:crypto';
import {
  AfterModelCall,
  AfterToolCall,
  AgentEvent,
  BeforeToolCall,
  type Block,
  block,
  CompactionEvent,
  type HookInfo,
  type HookProvider,
  type HookRegistrar,
  type ObservePoint,
  PermissionRequest,
  type Proceed,
  PromptEvent,
  proceed,
  SessionEvent,
  Stop,
  ToolApprovalDecision,
  TurnEnd,
  TurnStart,
} from '@hooks/core';
import { type OptionChecks, optionCheck, optionKinds, readOptions } from '@hooks/core/options';
import type { Store } from '@hooks/store';
import { JournalError } from '../error.ts';
import { isPrivateKey } from '../integrity/key.ts';
import { keepDays } from '../privacy/keep.ts';
import { canonicalJson, sha256 } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import { entryOf, type SpanIds } from './entry.ts';
import { fileSink } from './file-sink.ts';
import type { JournalSink } from './sink.ts';
import { storeSink } from './store-sink.ts';
import { Writer } from './writer.ts';

/** Options of {@link journal}. Give a `sink` or a `store`. */
export type JournalOptions = JournalTarget & {
  /**
   * A tool runs only where the journal holds that it may: records are written at once, and while that fails every tool call is
   * blocked. Without it records are written up to 100 milliseconds later, and a failure is reported to `onError` only.
   */
  readonly required?: boolean;
  /** An Ed25519 private key, which signs checkpoints: `generateKeyPairSync('ed25519').privateKey`. */
  readonly key?: KeyObject;
  /**
   * The private key that `key` takes the place of. A record signed by it says so, and whoever verifies with the public key of the old
   * one trusts the new one from there on.
   */
  readonly replaces?: KeyObject;
  /**
   * Removes days that are older than this many, when the journal is made and then daily. Needs a directory or a store.
   */
  readonly keepDays?: number;
  /** Milliseconds until a record is under a checkpoint, of which there is one for every 256 records in any case. Default: a minute. */
  readonly checkpointMs?: number;
  /**
   * The span in which something happens, for the record: with OpenTelemetry, `() => trace.getActiveSpan()?.spanContext()`.
   */
  readonly span?: () => SpanIds | undefined;
  /** Called with write failures. Default: `console.warn`. */
  readonly onError?: (error: JournalError) => void;
};

/** Where a journal is written: a directory, a sink, or a store. */
export type JournalTarget =
  | { readonly sink: string | JournalSink; readonly store?: never }
  | { readonly store: Store; readonly sink?: never };

/** A journal that is being written. */
export interface Journal extends HookProvider, AsyncDisposable {
  /**
   * Writes what is buffered.
   *
   * @throws JournalError `WRITE_FAILED`
   */
  flush(): Promise<void>;
  /**
   * Writes what waits and a last checkpoint, after which `verify` sees a cut tail. Where the sink is a file the end of the process does
   * so too; to a store, a process that ends by itself writes what waits. If it fails, close it again to try once more.
   *
   * @throws JournalError `WRITE_FAILED`
   */
  close(): Promise<void>;
}

/**
 * Records what an agent does and what hooks decide: prompts, model calls, tool calls with their inputs and outputs as
 * hooks left them, each hook's answer, approvals, and outcomes.
 *
 * @throws JournalError `INVALID` where an option is unknown or invalid, the options name no target, or two
 * @example
 * ```ts
 * const log = journal({ sink: '.hooks/journal' });
 * hooks.use(log);
 * // …
 * await log.close();
 * ```
 */
export function journal(options: JournalOptions): Journal {
  options = checkOptions(options);
  const { required = false, key, replaces, checkpointMs, span, keepDays: days } = options;
  const onError = reporter(options.onError ?? warn);
  const sink = sinkOf(options);
  const source = options.store ?? (typeof options.sink === 'string' ? options.sink : undefined);
  if (days !== undefined && source === undefined)
    throw new JournalError('INVALID', 'journal: `keepDays` needs a directory as `sink`, or a `store`.');
  const writer = new Writer({ sink, key, replaces, checkpointMs, immediate: required, onError });
  const endKeeping =
    days === undefined || source === undefined ? undefined : keepDays({ source, days, key, onError });
  closeAtExit(writer);

  const settle = async (writing: void | Promise<void>): Promise<void> => {
    await writing;
    if (writer.failure) throw writer.failure;
  };

  return {
    name: 'journal',
    register(hooks) {
      const policyOf = followPolicy(hooks, writer);
      hooks.trace((dispatch) => writer.add(entryOf(dispatch, policyOf(), span?.())));
      for (const point of RECORDED)
        hooks.observe(point, seen, {
          id: point.type,
          ...(options.store?.inMemory && {
            inMemory: 'its store is in one process; give it one that processes share',
          }),
        });
      if (required)
        hooks.guard(BeforeToolCall, (call) => intend(writer, call, policyOf()), { id: 'required' });
    },
    flush: () => settle(writer.flush()),
    async close() {
      try {
        await settle(writer.close());
        await sink.close?.();
        // Where it fails, the end of the process tries once more.
        forget(writer);
      } finally {
        await endKeeping?.();
      }
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}

/**
 * An event is dispatched only if a hook listens to it. Frequent or large events (requests to models, raw results) are
 * recorded only if another hook ran.
 */
const RECORDED: readonly (ObservePoint<never> & { readonly type: string })[] = [
  SessionEvent,
  PromptEvent,
  AgentEvent,
  CompactionEvent,
  TurnStart,
  AfterModelCall,
  Stop,
  TurnEnd,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  AfterToolCall,
];

const key = optionCheck('an Ed25519 private key (a KeyObject of node:crypto)', isPrivateKey);

const OPTIONS: OptionChecks<{ readonly [Name in keyof JournalOptions]?: unknown }> = {
  sink: optionCheck('a directory, or an object with `name` and `write`', isTarget),
  store: optionCheck('a store of @hooks/store', (value) => typeof Object(value).append === 'function'),
  required: optionKinds.flag,
  key,
  replaces: key,
  keepDays: optionCheck(
    'a whole number of days from 1 to 36500',
    (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= 36_500,
  ),
  checkpointMs: optionCheck(
    'whole milliseconds, up to 24 days',
    (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31,
  ),
  span: optionKinds.callback,
  onError: optionKinds.callback,
};

/** Core's check of options, with the error of this package. */
function checkOptions(given: JournalOptions): JournalOptions {
  const read = readOptions('journal', given, OPTIONS);
  if ('problem' in read) throw new JournalError('INVALID', read.problem);
  const options = given;
  const wrong = (what: string): never => {
    throw new JournalError('INVALID', `journal: ${what}.`);
  };
  const { sink, store, replaces } = options;
  if ((sink === undefined) === (store === undefined))
    wrong('give a directory as `sink` or a `store` of @hooks/store, one of the two');
  if (replaces !== undefined && options.key === undefined)
    wrong('`replaces` is the key before `key`: give `key`, too');
  return options;
}

function sinkOf({ sink, store }: JournalOptions): JournalSink {
  if (store !== undefined) return storeSink(store);
  return typeof sink === 'string' ? fileSink(sink) : sink;
}

function isTarget(value: unknown): boolean {
  const { name, write }: { readonly name?: unknown; readonly write?: unknown } = Object(value);
  return typeof value === 'string' ? value !== '' : typeof name === 'string' && typeof write === 'function';
}

/** What the end of the process has to write. One listener for all: Node warns of more than ten. */
const open = new Set<Writer>();

function closeAtExit(writer: Writer): void {
  if (open.size === 0) process.on('beforeExit', flushAll).on('exit', closeAll);
  open.add(writer);
}

function forget(writer: Writer): void {
  open.delete(writer);
  if (open.size === 0) process.off('beforeExit', flushAll).off('exit', closeAll);
}

/** A store cannot write any more once the process exits. One that has failed is not asked again, or the process would never end. */
function flushAll(): void {
  for (const writer of open) if (writer.failure === undefined) void writer.flush();
}

function closeAll(): void {
  for (const writer of open) void writer.close();
}

/** The trace has already reported the event. */
function seen(): void {}

function warn(error: JournalError): void {
  console.warn(error.message);
}

/** A logger that fails, now or later, ends neither the process nor the next attempt to write. */
function reporter(onError: (error: JournalError) => unknown): (error: JournalError) => void {
  return (error) => {
    const failed = (thrown: unknown): void => {
      console.warn(`${error.message} And \`onError\` of the journal failed: ${String(thrown)}`);
    };
    try {
      void Promise.resolve(onError(error)).catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  };
}

/** Records that a call may run, before it does. */
function intend(
  writer: Writer,
  { session, agent, run, turn, toolName, callId, input, principal }: BeforeToolCall,
  policy: string,
): Proceed | Block | Promise<Proceed | Block> {
  writer.add({
    content: {
      type: OWN_TYPES.intent,
      time: new Date().toISOString(),
      session: session.id,
      ...(agent !== undefined && { agent }),
      ...(run !== undefined && { run }),
      ...(turn !== undefined && { turn }),
      policy,
      ...(principal?.tenant !== undefined && { tenant: principal.tenant }),
      tool: { name: toolName, callId },
    },
    data: { input },
  });
  const verdict = (): Proceed | Block => {
    if (writer.closed) return block('Blocked, because the journal is required, and closed.');
    return writer.failure === undefined
      ? proceed()
      : block(`Blocked, because the journal is required. ${writer.failure.message}`);
  };
  const writing = writer.flush();
  return writing === undefined ? verdict() : writing.then(verdict);
}

/** The digest of the current policy. Its hooks are recorded once, and again whenever they change. */
function followPolicy(hooks: Pick<HookRegistrar, 'list'>, writer: Writer): () => string {
  let known: readonly HookInfo[] = [];
  let digest = '';
  return () => {
    const infos = hooks.list();
    if (digest !== '' && infos.length === known.length && infos.every((info, index) => info === known[index]))
      return digest;
    known = infos;
    const registered = infos
      .filter(({ verb }) => verb !== 'observe')
      .map(({ id, verb, event, priority, matcher, agents, version }) => ({
        id,
        verb,
        event,
        priority,
        ...(matcher !== undefined && { matcher }),
        ...(agents !== undefined && { agents }),
        ...(version !== undefined && { version }),
      }));
    digest = sha256(canonicalJson(registered));
    writer.add({
      content: { type: OWN_TYPES.policy, time: new Date().toISOString(), policy: digest, registered },
      data: {},
    });
    return digest;
  };
}
