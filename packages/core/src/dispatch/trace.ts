import type { Approval } from '../approval/approval.ts';
import type { HookDecision } from '../decision.ts';
import type { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';

/** How a hook was registered. */
export type HookVerb = 'on' | 'guard' | 'observe';

/** A hook that ran in a dispatch. */
export interface TracedHook {
  /** `provider/id`. */
  readonly id: string;
  readonly verb: HookVerb;
  /**
   * What it answered. Absent for observers, for failed hooks, and for a guard that an earlier Block made unnecessary.
   */
  readonly decision?: HookDecision;
  readonly error?: HooksError;
  /** Its calls to other processes, see `HookOptions.external`. */
  readonly external?: string;
  /**
   * How long it took, in milliseconds. For observers, until they returned. For concurrent guards, until those before
   * them had answered, too.
   */
  readonly durationMs: number;
}

/** A finished dispatch: the event, the hooks that ran, and the outcome. */
export interface DispatchTrace {
  /**
   * The event before hooks ran. For `TransformToolResult` it has the original output, which hooks may have redacted.
   */
  readonly before: EventPayload;
  /** The event after hooks ran. */
  readonly event: EventPayload;
  /** In the order in which they ran. */
  readonly hooks: readonly TracedHook[];
  readonly decision: HookDecision;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
}

/** Called for every dispatch that ran a hook. If it throws, `onWarning` is called once and nothing else changes. */
export type TraceListener = (trace: DispatchTrace) => void;

/**
 * The name of a decision in traces and telemetry: its kind, or `require_approval` and `grant_approval`.
 */
export function decisionName(decision: HookDecision): string {
  if (decision.kind !== 'modify') return decision.kind;
  const { approval } = decision.patch as { readonly approval?: Approval };
  if (approval === undefined) return 'modify';
  return approval.kind === 'required' ? 'require_approval' : 'grant_approval';
}

/** Records traces, for tests and logs. */
export interface TraceRecorder {
  readonly listener: TraceListener;
  readonly traces: readonly DispatchTrace[];
  /** A line for each dispatch: `before_tool_call exec: acme/no-rm=block -> block`. */
  lines(): readonly string[];
}

/**
 * Creates a recorder.
 *
 * @example
 * ```ts
 * const recorder = recordTraces();
 * hooks.trace(recorder.listener);
 * // …
 * expect(recorder.lines()).toEqual(['before_tool_call exec: acme/no-rm=block -> block']);
 * ```
 */
export function recordTraces(): TraceRecorder {
  const traces: DispatchTrace[] = [];
  return {
    traces,
    listener: (trace) => {
      traces.push(trace);
    },
    lines: () => traces.map(describeTrace),
  };
}

function describeTrace({ event, hooks, decision }: DispatchTrace): string {
  const tool = 'toolName' in event ? ` ${String(event.toolName)}` : '';
  const asked = hooks
    .map((hook) => `${hook.id}=${hook.error?.code ?? (hook.decision ? decisionName(hook.decision) : 'seen')}`)
    .join(' ');
  return `${event.type}${tool}: ${asked} -> ${decisionName(decision)}`;
}
