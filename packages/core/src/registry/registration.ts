import { PROCEED } from '../decision.ts';
import { defined } from '../defined.ts';
import { type AnyHandler, type HookInfo, type Registration, toolNameOf } from '../dispatch/chain.ts';
import { failure } from '../dispatch/handler.ts';
import type { HookVerb } from '../dispatch/trace.ts';
import { fail } from '../error.ts';
import { ToolEvent } from '../event/catalogue/groups.ts';
import type { EventPayload, PointData, ToolPayload } from '../event/event.ts';
import { compileMatcher, type NameTest, originalTool } from '../match.ts';
import { checkOptions, type OptionChecks, oneOfWords, optionCheck, optionKinds } from '../options.ts';
import { isSchema, parse, type StandardSchema } from '../schema.ts';
import type { HookOptions } from './hooks.ts';
import type { HooksInternal } from './internal.ts';

/** The provider of a hook: its scoped name, and its version or that of the provider around it. */
export interface ProviderName {
  readonly name: string;
  readonly version: string | undefined;
}

/** The arguments of `on`, `guard` or `observe`, and who called it. */
export interface Registering {
  readonly verb: HookVerb;
  readonly owner: HooksInternal;
  readonly point: PointData;
  readonly handler: AnyHandler;
  readonly options: HookOptions;
  readonly provider: ProviderName | undefined;
  /** How many hooks the registry has made. */
  readonly made: number;
}

/** Checks the arguments and creates the registration. All errors are thrown here. */
export function makeRegistration(given: Registering): Registration {
  const { verb, owner, point } = given;
  const wrong: (what: string) => never = (what) =>
    fail('INVALID_INPUT', `hooks.${verb}(${point?.spec?.type}): ${what}`);
  const options = checkOptions(`hooks.${verb}(${point?.spec?.type})`, given.options, OPTIONS);
  const registering = { ...given, options };
  const { timeoutMs = owner.options.timeoutMs ?? 30_000, onFailure, agents, external } = options;
  check(registering, wrong);
  const { tool, name, pattern, schema, otherNames = () => [] } = point.tools ?? {};
  const matches = compileMatcher(pattern, owner.options);
  const meets: NameTest = tool
    ? (known) => known === name
    : (known) => matches(known) || (known !== undefined && otherNames(known).some(matches));
  const { knownTools } = owner.options;
  if (pattern !== undefined && knownTools && !options.allowUnknown && !knownTools.some(meets))
    fail('UNKNOWN_TOOL', `Matcher "${pattern}" matches none of the known tools: ${knownTools.join(', ')}`);
  const info = infoOf(registering);
  const ofAgent = compileMatcher(agents, {});
  const suits = (event: EventPayload): boolean => {
    const { ref } = (event as { readonly tool?: { readonly ref?: object } }).tool ?? {};
    const suitable = tool && ref ? originalTool(ref) === originalTool(tool) : meets(toolNameOf(event));
    return suitable && ofAgent(event.agent);
  };
  const { spec } = point;
  const handler = schema === undefined ? registering.handler : fitting(registering, schema, info);
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
        ? (event: never, ...others) => (suits(event) ? handler(event, ...others) : PROCEED)
        : handler,
  };
}

const OPTIONS: OptionChecks<HookOptions> = {
  id: optionKinds.text,
  priority: optionCheck('a number', (value) => typeof value === 'number' && !Number.isNaN(value)),
  timeoutMs: optionKinds.positive,
  onFailure: oneOfWords('block', 'proceed'),
  // Its pattern is compiled, which says what is wrong with it.
  agents: () => undefined,
  optional: optionKinds.flag,
  allowUnknown: optionKinds.flag,
  external: optionKinds.callback,
  inMemory: optionKinds.text,
};

function check({ verb, point, handler, options }: Registering, wrong: (what: string) => never): void {
  const { spec, tools } = point ?? {};
  const { onFailure } = options;
  if (!spec || (verb !== 'observe' && spec.kind === 'group'))
    wrong('the point must be an event token; a group can only be observed');
  if (typeof handler !== 'function') wrong(`the handler must be a function, not ${typeof handler}`);
  const blocks = verb === 'guard' || (onFailure === 'block' && spec.onFailure !== 'withhold');
  if (blocks && !spec.permits.includes('block'))
    wrong('the event does not permit Block, nor a guard or onFailure "block"');
  // No event of this type has a tool's name, so the hook would never run.
  if (tools && !spec.lineage.includes(ToolEvent.type))
    wrong('only an event that extends ToolEvent has .matching and .for');
  if (tools?.schema !== undefined && !isSchema(tools.schema))
    wrong('the schema must be a Standard Schema, as those of zod, valibot and arktype are');
}

function infoOf({ verb, point, handler, options, provider, made }: Registering): HookInfo {
  const { spec, tools: { tool, name, pattern } = {} } = point;
  const {
    id = `${handler.name || spec.type}-${made}`,
    priority = 0,
    agents,
    optional,
    external,
    inMemory,
  } = options;
  const matcher = tool ? (name ?? '(unnamed)') : pattern;
  return {
    id: provider ? `${provider.name}/${id}` : id,
    verb,
    event: spec.type,
    priority,
    ...defined({
      provider: provider?.name,
      version: provider?.version,
      matcher: matcher && String(matcher),
      agents: agents && String(agents),
      optional: optional || undefined,
      external: external && true,
      inMemory,
    }),
  };
}

/** The handler of a hook with a schema: it gets the parsed input. An input that does not fit makes a gate fail. */
function fitting(
  { verb, point: { spec }, handler }: Registering,
  schema: StandardSchema,
  info: HookInfo,
): AnyHandler {
  const call = handler as (event: EventPayload, ...others: readonly unknown[]) => unknown;
  const misfit = (problem: string): unknown =>
    verb === 'observe'
      ? undefined
      : failure({ info, spec }, 'INVALID_INPUT', `got an input that does not fit its schema (${problem})`);
  return (event: EventPayload, ...others: readonly unknown[]) =>
    parse(
      schema,
      (event as Partial<ToolPayload>).input,
      (input) => call(Object.freeze({ ...event, input }), ...others),
      misfit,
    );
}
