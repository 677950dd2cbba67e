import type { AnyHandler, Registration } from './chain.ts';
import { HooksError } from './error.ts';
import type { PointData } from './event.ts';
import type { HookInfo, HookOptions, HooksOptions } from './hooks.ts';
import { compileMatcher, describeMatcher, nearestNames } from './match.ts';
import type { HookVerb } from './trace.ts';

/** Checks what was given to a verb and makes a registration of it; all errors are thrown here, at once. */
export function makeRegistration(
  verb: HookVerb,
  point: PointData,
  handler: AnyHandler,
  options: HookOptions,
  provider: string | undefined,
  registry: HooksOptions,
  mintId: () => string,
): Registration {
  const spec = point?.spec;
  if (spec === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      `hooks.${verb}: the first argument must be an event token such as BeforeToolCall.`,
    );
  const wrong = (what: string): HooksError =>
    new HooksError('INVALID_INPUT', `hooks.${verb}(${spec.type}): ${what}`, { event: spec.type });
  if (typeof handler !== 'function') throw wrong(`the handler must be a function, not ${typeof handler}.`);
  if (verb !== 'observe' && spec.kind === 'group')
    throw wrong('a group can only be observed; register on one of its events.');
  if (verb === 'guard' && !spec.permits.includes('block'))
    throw wrong(
      'the event does not permit Block, so there is nothing to guard; use hooks.on or hooks.observe.',
    );
  if (options.onFailure === 'block' && !spec.permits.includes('block') && spec.onFailure !== 'withhold')
    throw wrong('the event does not permit Block, so onFailure cannot be "block".');
  const timeoutMs = options.timeoutMs ?? registry.timeoutMs ?? 30_000;
  if (!(timeoutMs > 0)) throw wrong(`timeoutMs must be a number greater than 0, not ${String(timeoutMs)}.`);
  const id = options.id ?? mintId();
  const { tools } = point;
  return {
    id: provider === undefined ? id : `${provider}/${id}`,
    provider,
    verb,
    spec,
    matcher: tools,
    meets: meets(point, options, registry, wrong),
    agents: options.agents === undefined ? undefined : compileMatcher(options.agents, {}),
    agentPattern: options.agents,
    priority: options.priority ?? 0,
    timeoutMs,
    onFailure: options.onFailure,
    handler,
  };
}

function meets(
  { tools }: PointData,
  options: HookOptions,
  registry: HooksOptions,
  wrong: (what: string) => HooksError,
): ((toolName: string) => boolean) | undefined {
  if (tools === undefined) return undefined;
  if (tools.kind === 'tool') return (name) => name === tools.name;
  const test = compileMatcher(tools.pattern, registry);
  const known = registry.knownTools;
  if (known !== undefined && options.allowUnknown !== true && !known.some(test)) {
    const written = describeMatcher(tools);
    const nearest = nearestNames(written, known, 1)[0];
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    const { message } = wrong(
      `the matcher "${written}" meets none of the known tools: ${known.join(', ')}.${hint}`,
    );
    throw new HooksError('UNKNOWN_TOOL', message);
  }
  return test;
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
    ...(provider !== undefined && { provider }),
    ...(matcher !== undefined && { matcher: describeMatcher(matcher) }),
    ...(agentPattern !== undefined && { agents: String(agentPattern) }),
  };
}
