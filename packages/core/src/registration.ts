import type { AnyHandler, Registration } from './chain.ts';
import { fail } from './error.ts';
import type { PointData } from './event.ts';
import type { HookInfo, HookOptions, HooksOptions } from './hooks.ts';
import { compileMatcher, describeMatcher, type NameTest } from './match.ts';
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
  if (point?.spec === undefined) return wrong('the point must be an event token, such as BeforeToolCall');
  const { spec, tools } = point;
  const mayBlock = spec.permits.includes('block');
  const limit = timeoutMs ?? registry.timeoutMs ?? 30_000;
  if (typeof handler !== 'function') wrong(`the handler must be a function, not ${typeof handler}`);
  if (verb !== 'observe' && spec.kind === 'group') wrong('a group can only be observed');
  if (!mayBlock && (verb === 'guard' || (onFailure === 'block' && spec.onFailure !== 'withhold')))
    wrong('the event does not permit Block, so no guard and no onFailure "block"');
  if (!(limit > 0)) wrong('timeoutMs must be greater than 0');
  const meets: NameTest =
    tools?.kind === 'tool'
      ? (name) => name !== undefined && name === tools.name
      : compileMatcher(tools?.pattern, registry);
  const { knownTools } = registry;
  if (tools?.kind === 'name' && knownTools && !allowUnknown && !knownTools.some(meets)) {
    fail(
      'UNKNOWN_TOOL',
      `Matcher "${tools.pattern}" meets none of the known tools: ${knownTools.join(', ')}`,
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
    agents: compileMatcher(agents, {}),
    agentPattern: agents,
    priority,
    timeoutMs: limit,
    onFailure,
    handler,
  };
}

/** What is shown of a registration. */
export function describe(hook: Registration): HookInfo {
  const { id, provider, verb, spec, matcher, agentPattern, priority } = hook;
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
