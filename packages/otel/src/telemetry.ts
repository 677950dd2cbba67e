import { AfterToolCall, type DispatchTrace, decisionName, type HookProvider } from '@hooks/core';
import { checkOptions, type OptionChecks, optionKinds } from '@hooks/core/options';
import {
  type Attributes,
  type Meter,
  metrics,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { END_USER, EXECUTE_TOOL, GEN_AI, HOOKS } from './names.ts';

const NAME = '@hooks/otel';

/** Options of {@link telemetry}. */
export interface TelemetryOptions {
  /** Default: the global provider's. */
  readonly tracer?: Tracer;
  /** Default: the global provider's. */
  readonly meter?: Meter;
  /**
   * Whether to add the reasons of blocked calls to spans. Policies write them, and they may quote an input. Default:
   * false. Inputs and outputs are never added.
   */
  readonly reasons?: boolean;
}

const OPTIONS: OptionChecks<TelemetryOptions> = {
  tracer: optionKinds.object,
  meter: optionKinds.object,
  reasons: optionKinds.flag,
};

/**
 * Reports hooks to OpenTelemetry: a span for each dispatch that ran a hook (`hooks before_tool_call`, with an
 * event for each hook), a span for each tool call (`execute_tool <name>`, as in the GenAI conventions), and the
 * metrics `hooks.decisions`, `hooks.failures` and `hooks.tool.duration` (milliseconds).
 *
 * It reports all hooks of its registry, even if it is part of a policy.
 *
 * @example
 * ```ts
 * const hooks = createHooks();
 * hooks.use(telemetry());
 * ```
 */
export function telemetry(options: TelemetryOptions = {}): HookProvider {
  options = checkOptions('telemetry', options, OPTIONS);
  return {
    name: 'otel',
    register(hooks) {
      const tracer = options.tracer ?? trace.getTracer(NAME);
      const meter = options.meter ?? metrics.getMeter(NAME);
      const decisions = meter.createCounter('hooks.decisions', {
        description: 'Decisions of dispatches, by event.',
      });
      const failures = meter.createCounter('hooks.failures', { description: 'Hooks that failed, by code.' });
      const duration = meter.createHistogram('hooks.tool.duration', {
        description: 'How long tools ran.',
        unit: 'ms',
      });

      hooks.trace((dispatch) => {
        const { event, decision } = dispatch;
        decisions.add(1, { [HOOKS.event]: event.type, [HOOKS.decision]: decisionName(decision) });
        for (const { id, error } of dispatch.hooks) {
          if (error !== undefined)
            failures.add(1, { [HOOKS.event]: event.type, [HOOKS.hook]: id, [HOOKS.errorCode]: error.code });
        }
        recordDispatch(tracer, dispatch, options);
      });
      hooks.observe(AfterToolCall, (call) => {
        duration.record(call.durationMs, { [GEN_AI.tool]: call.toolName, [HOOKS.status]: call.status });
        recordToolCall(tracer, call);
      });
    },
  };
}

function recordDispatch(tracer: Tracer, dispatch: DispatchTrace, { reasons }: TelemetryOptions): void {
  const { event, decision, at, durationMs } = dispatch;
  const attributes = { ...about(event), [HOOKS.event]: event.type, [HOOKS.decision]: decisionName(decision) };
  const span = tracer.startSpan(`hooks ${event.type}`, { startTime: at, attributes });
  for (const hook of dispatch.hooks) {
    const answered = hook.error?.code ?? (hook.decision ? decisionName(hook.decision) : 'seen');
    span.addEvent(hook.id, { [HOOKS.verb]: hook.verb, [HOOKS.decision]: answered }, at);
    if (hook.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: hook.error.message });
  }
  if (decision.kind === 'block' || decision.kind === 'retry') {
    if (decision.by !== undefined) span.setAttribute(HOOKS.hook, decision.by);
    if (reasons === true) span.setAttribute(HOOKS.reason, decision.reason);
  }
  span.end(at + durationMs);
}

/** Observes each attempt of a tool call. */
function recordToolCall(tracer: Tracer, call: AfterToolCall): void {
  const end = Date.now();
  const attributes: Attributes = {
    ...about(call),
    [GEN_AI.operation]: EXECUTE_TOOL,
    [GEN_AI.toolType]: call.tool?.kind === 'mcp' ? 'extension' : 'function',
    [HOOKS.status]: call.status,
    [HOOKS.ran]: call.ran,
    [HOOKS.attempt]: call.attempt,
  };
  const span = tracer.startSpan(`${EXECUTE_TOOL} ${call.toolName}`, {
    startTime: end - call.durationMs,
    attributes,
  });
  fail(span, call);
  span.end(end);
}

function fail(span: Span, { status, error }: AfterToolCall): void {
  if (status !== 'error') return;
  // The error's kind, not its message, which may contain the tool's input.
  const name = error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function about(event: DispatchTrace['event']): Attributes {
  const { toolName, callId } = event as { readonly toolName?: string; readonly callId?: string };
  return {
    [GEN_AI.conversation]: event.session.id,
    ...(event.agent !== undefined && { [GEN_AI.agent]: event.agent }),
    ...(event.principal && { [END_USER]: event.principal.id }),
    ...(toolName !== undefined && { [GEN_AI.tool]: toolName }),
    ...(callId !== undefined && { [GEN_AI.callId]: callId }),
  };
}
