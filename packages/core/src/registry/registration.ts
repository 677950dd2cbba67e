import { PROCEED } from '../decision.ts';
import { type AnyHandler, type HookInfo, type Registration, toolNameOf } from '../dispatch/chain.ts';
import { failure } from '../dispatch/handler.ts';
import type { HookVerb } from '../dispatch/trace.ts';
import { fail } from '../error.ts';
import { ToolEvent } from '../event/catalogue/groups.ts';
import type { EventPayload, PointData, ToolPayload } from '../event/event.ts';
import { compileMatcher, type NameTest, originalTool } from '../match.ts';
import { isSchema, parse } from '../schema.ts';
import type { HookOptions } from './hooks.ts';
import type { HooksInternal } from './internal.ts';

/** The provider of a hook: its scoped name, and its version or that of the provider around it. */
export interface ProviderName {
  readonly name: string;
  readonly version: string | undefined;
}

/** Checks the arguments of `on`, `guard` or `observe` and creates the registration. All errors are thrown here. */
export function makeRegistration(
  verb: HookVerb,
  owner: HooksInternal,
  point: PointData,
  handler: AnyHandler,
  {
    id,
    priority = 0,
    timeoutMs = owner.options.timeoutMs ?? 30_000,
    onFailure,
    agents,
    allowUnknown,
    optional,
    external,
  }: HookOptions,
  provider: ProviderName | undefined,
  made: number,
): Registration {
  const wrong = (what: string): never =>
    fail('INVALID_INPUT', `hooks.${verb}(${point?.spec?.type}): ${what}`);
  const { spec } = point ?? {};
  if (!spec || (verb !== 'observe' && spec.kind === 'group'))
    return wrong('the point must be an event token; a group can only be observed');
  if (typeof handler !== 'function') wrong(`the handler must be a function, not ${typeof handler}`);
  if (
    !spec.permits.includes('block') &&
    (verb === 'guard' || (onFailure === 'block' && spec.onFailure !== 'withhold'))
  )
    wrong('the event does not permit Block, nor a guard or onFailure "block"');
  if (!(timeoutMs > 0)) wrong('timeoutMs must be greater than 0');
  if (Number.isNaN(priority)) wrong('priority must be a number');
  // No event of this type has a tool's name, so the hook would never run.
  if (point.tools && !spec.lineage.includes(ToolEvent.type))
    wrong('the event is not about a tool (it does not extend ToolEvent), so it has no .matching and no .for');
  const { tool, name, pattern, schema } = point.tools ?? {};
  if (schema !== undefined && !isSchema(schema))
    wrong('the schema must be a Standard Schema, as those of zod, valibot and arktype are');
  const meets: NameTest = tool ? (known) => known === name : compileMatcher(pattern, owner.options);
  const { knownTools } = owner.options;
  if (pattern !== undefined && knownTools && !allowUnknown && !knownTools.some(meets))
    fail('UNKNOWN_TOOL', `Matcher "${pattern}" matches none of the known tools: ${knownTools.join(', ')}`);
  const own = id ?? `${handler.name || spec.type}-${made}`;
  const matcher = tool ? (name ?? '(unnamed)') : pattern;
  const info: HookInfo = {
    id: provider ? `${provider.name}/${own}` : own,
    verb,
    event: spec.type,
    priority,
    ...(provider && { provider: provider.name }),
    ...(provider?.version !== undefined && { version: provider.version }),
    ...(matcher && { matcher: String(matcher) }),
    ...(agents && { agents: String(agents) }),
    ...(optional === true && { optional }),
    ...(external && { external: true }),
  };
  const ofAgent = compileMatcher(agents, {});
  const suits = (event: EventPayload): boolean => {
    const { ref } = (event as { readonly tool?: { readonly ref?: object } }).tool ?? {};
    const suitable = tool && ref ? originalTool(ref) === originalTool(tool) : meets(toolNameOf(event));
    return suitable && ofAgent(event.agent);
  };
  const call = handler as (event: EventPayload, ...others: readonly unknown[]) => unknown;
  const misfit = (problem: string): unknown =>
    verb === 'observe'
      ? undefined
      : failure({ info, spec }, 'INVALID_INPUT', `got an input that does not fit its schema (${problem})`);
  const callFitting = (event: EventPayload, ...others: readonly unknown[]): unknown =>
    schema === undefined
      ? call(event, ...others)
      : parse(
          schema,
          (event as Partial<ToolPayload>).input,
          (input) => call(Object.freeze({ ...event, input }), ...others),
          misfit,
        );
  return {
    info,
    spec,
    owner,
    meets,
    ofAgent,
    suits,
    byObject: tool !== undefined,
    timeoutMs,
    onFailure,
    external,
    schema,
    handler:
      tool || agents || schema
        ? (event: EventPayload, ...others) => (suits(event) ? callFitting(event, ...others) : PROCEED)
        : handler,
  };
}
