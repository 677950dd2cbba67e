import type { AnyHandler, Registration } from './chain.ts';
import { fail } from './error.ts';
import type { PointData } from './event.ts';
import type { HookInfo, HookOptions, HooksOptions } from './hooks.ts';
import { compileMatcher, type NameTest } from './match.ts';
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
  const { spec } = point;
  const mayBlock = spec.permits.includes('block');
  const limit = timeoutMs ?? registry.timeoutMs ?? 30_000;
  if (typeof handler !== 'function') wrong(`the handler must be a function, not ${typeof handler}`);
  if (verb !== 'observe' && spec.kind === 'group') wrong('a group can only be observed');
  if (!mayBlock && (verb === 'guard' || (onFailure === 'block' && spec.onFailure !== 'withhold')))
    wrong('the event does not permit Block, so no guard and no onFailure "block"');
  if (!(limit > 0)) wrong('timeoutMs must be greater than 0');
  const { tool, name, pattern } = point.tools ?? {};
  const meets: NameTest = tool === undefined ? compileMatcher(pattern, registry) : (known) => known === name;
  const { knownTools } = registry;
  if (pattern !== undefined && knownTools && !allowUnknown && !knownTools.some(meets))
    fail('UNKNOWN_TOOL', `Matcher "${pattern}" meets none of the known tools: ${knownTools.join(', ')}`);
  const own = id ?? `${handler.name || spec.type}-${made}`;
  const matcher = tool === undefined ? pattern : (name ?? '(a tool without a name)');
  const info: HookInfo = {
    id: provider === undefined ? own : `${provider}/${own}`,
    verb,
    event: spec.type,
    priority,
    ...(provider && { provider }),
    ...(matcher && { matcher: String(matcher) }),
    ...(agents && { agents: String(agents) }),
  };
  return {
    info,
    spec,
    tool,
    meets,
    agents: compileMatcher(agents, {}),
    timeoutMs: limit,
    onFailure,
    handler,
  };
}
