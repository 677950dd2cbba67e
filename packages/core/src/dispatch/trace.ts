import type { Approval } from '../approval/approval.ts';
import type { HookDecision } from '../decision.ts';
import type { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';

/** How a hook was registered, and so what it may do. */
export type HookVerb = 'on' | 'guard' | 'observe';

/** One hook that was asked in a dispatch. */
export interface TracedHook {
  /** `provider/id`. */
  readonly id: string;
  readonly verb: HookVerb;
  /** What it answered; absent where it failed, for observers, and for a guard that a Block ahead of it made needless. */
  readonly decision?: HookDecision;
  readonly error?: HooksError;
  /** What it asked outside of this process, see `HookOptions.external`. */
  readonly external?: string;
  /**
   * From asking to answer, in milliseconds; for observers until they returned, for guards that wait together until those
   * ahead have answered, too.
   */
  readonly durationMs: number;
}

/** One dispatch, when it is over: what was asked, who was asked, and what came of it. */
export interface DispatchTrace {
  /** The event as it came in: of `TransformToolResult` with what the tool gave, which hooks may have redacted since. */
  readonly before: EventPayload;
  /** The event as it went out. */
  readonly event: EventPayload;
  /** In the order in which they were asked. */
  readonly hooks: readonly TracedHook[];
  readonly decision: HookDecision;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
}

/** Gets every dispatch that asked somebody. What it throws changes nothing; `onWarning` is told once. */
export type TraceListener = (trace: DispatchTrace) => void;

/**
 * A decision as traces and telemetry name it: its kind, but `require_approval` and `grant_approval` where it modifies the
 * approval of a call.
 */
export function decisionName(decision: HookDecision): string {
  if (decision.kind !== 'modify') return decision.kind;
  const { approval } = decision.patch as { readonly approval?: Approval };
  if (approval === undefined) return 'modify';
  return approval.kind === 'required' ? 'require_approval' : 'grant_approval';
}

/** A plain recorder of traces, for tests and logs. */
export interface TraceRecorder {
  readonly listener: TraceListener;
  readonly traces: readonly DispatchTrace[];
  /** One line a dispatch: `before_tool_call exec: acme/no-rm=block -> block`. */
  lines(): readonly string[];
}

/**
 * Makes a recorder.
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
