import type { AnyHandler, Registration } from './chain.ts';
import { fail } from './error.ts';
import type { PointData } from './event.ts';
import type { HookInfo, HookOptions, HooksOptions } from './hooks.ts';
import { compileMatcher, describeMatcher, nearestNames } from './match.ts';
import type { HookVerb } from './trace.ts';

/** Checks what was given to a verb and makes a registration of it; all errors are thrown here, at once. */
export function makeRegistration(
  verb: HookVerb,
  point: PointData,
  handler: AnyHandler,
  { id, priority = 0, timeoutMs, onFailure, agents, allowUnknown }: HookOptions,
  provider: string | undefined,
  registry: HooksOptions,
  made: number,
): Registration {
  const wrong = (what: string): never =>
    fail('INVALID_INPUT', `hooks.${verb}(${point?.spec?.type}): ${what}`);
  if (point?.spec === undefined)
    return wrong('the first argument must be an event token, such as BeforeToolCall');
  const { spec, tools } = point;
  const mayBlock = spec.permits.includes('block');
  const limit = timeoutMs ?? registry.timeoutMs ?? 30_000;
  if (typeof handler !== 'function') wrong(`the handler must be a function, not ${typeof handler}`);
  if (verb !== 'observe' && spec.kind === 'group') wrong('a group can only be observed');
  if (verb === 'guard' && !mayBlock) wrong('the event does not permit Block; use on or observe');
  if (onFailure === 'block' && !mayBlock && spec.onFailure !== 'withhold')
    wrong('onFailure cannot be "block": the event does not permit Block');
  if (!(limit > 0)) wrong('timeoutMs must be greater than 0');
  const meets =
    tools &&
    (tools.kind === 'tool' ? (name: string) => name === tools.name : compileMatcher(tools.pattern, registry));
  const { knownTools } = registry;
  if (tools?.kind === 'name' && knownTools && !allowUnknown && !knownTools.some((name) => meets?.(name))) {
    const written = describeMatcher(tools);
    fail(
      'UNKNOWN_TOOL',
      `Matcher "${written}" meets none of the known tools: ${knownTools.join(', ')}${hint(nearestNames(written, knownTools))}`,
    );
  }
  const own = id ?? `${handler.name || spec.type}-${made}`;
  return {
    id: provider === undefined ? own : `${provider}/${own}`,
    provider,
    verb,
    spec,
    matcher: tools,
    meets,
    agents: agents === undefined ? undefined : compileMatcher(agents, {}),
    agentPattern: agents,
    priority,
    timeoutMs: limit,
    onFailure,
    handler,
  };
}

function hint(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : `. Did you mean "${nearest[0]}"?`;
}

/** What is shown of a registration. */
export function describe({
  id,
  provider,
  verb,
  spec,
  matcher,
  agentPattern,
  priority,
}: Registration): HookInfo {
  return {
    id,
    verb,
    event: spec.type,
    priority,
    ...(provider && { provider }),
    ...(matcher && { matcher: describeMatcher(matcher) }),
    ...(agentPattern && { agents: String(agentPattern) }),
  };
}
