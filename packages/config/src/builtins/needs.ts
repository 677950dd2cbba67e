import type { BuiltinArgs, Need } from './builtin.ts';

/** Where each kind of limit refuses. Tokens and time end on either event. */
const LIMITS: Readonly<Record<string, readonly Need[]>> = {
  tool_calls: [{ event: 'before_tool_call', why: 'tool_calls refuses on before_tool_call' }],
  model_calls: [{ event: 'before_model_call', why: 'model_calls refuses on before_model_call' }],
  cost: [{ event: 'before_model_call', why: 'cost refuses on before_model_call' }],
  tokens: [],
  time_ms: [],
};

/** What the arguments of `limits` or `rate_limit` limit, at any depth. */
export function kindsOfLimit(args: BuiltinArgs): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(args, (key, value: unknown) => {
    if (typeof value === 'number' && Object.hasOwn(LIMITS, key)) found.add(key);
    return value;
  });
  return found;
}

/** The events of `limits` and `rate_limit`. */
export function limitNeeds(args: BuiltinArgs): readonly Need[] {
  const { at_limit: atLimit, warn_at: warnAt, prices } = fieldsOf(args);
  const told = (warnAt !== undefined && warnAt !== 0) || atLimit === 'answer';
  const kinds = [...kindsOfLimit(args)];
  const priced = prices === undefined || kinds.includes('cost') ? [] : [PRICED];
  return [...kinds.flatMap((kind) => LIMITS[kind] ?? []), ...(told ? [TOLD] : []), ...priced];
}

type Field = 'at_limit' | 'warn_at' | 'prices' | 'found' | 'store';

function fieldsOf(args: BuiltinArgs): { readonly [Name in Field]?: unknown } {
  return Object.fromEntries(Object.entries(args));
}

const TOLD: Need = {
  event: 'before_model_call',
  why: 'at_limit and warn_at tell the model on before_model_call',
};

const PRICED: Need = {
  event: 'before_model_call',
  why: 'prices refuse a model without a price on before_model_call',
};

/** What `limits` does not keep in a store. */
export function limitForgets(args: BuiltinArgs): string | undefined {
  return kindsOfLimit(args).has('time_ms')
    ? 'time_ms is measured by one process; limit tool_calls, or use rate_limit'
    : undefined;
}

/** What `injection` does not keep in a store. */
export function injectionForgets(args: BuiltinArgs): string | undefined {
  const { found, store } = fieldsOf(args);
  return found === 'flag' && store === undefined
    ? 'the flag is for hooks of the same process; name a store, or use found: context, block or no-tools'
    : undefined;
}

/** The events of `injection`. */
export function injectionNeeds(args: BuiltinArgs): readonly Need[] {
  const { found, store } = fieldsOf(args);
  const results: Need = {
    event: 'transform_tool_result',
    why: `found: ${found} is about results, on transform_tool_result`,
  };
  const calls: Need = { event: 'before_tool_call', why: 'found: no-tools refuses on before_tool_call' };
  const kept: Need = { event: 'before_tool_call', why: 'calls read the store on before_tool_call' };
  if (found === 'no-tools') return [results, calls];
  return [
    ...(found === 'block' || found === 'context' ? [results] : []),
    ...(store === undefined ? [] : [kept]),
  ];
}

/** The events of a hook with `reveal`. */
export function revealNeeds(args: BuiltinArgs): readonly Need[] {
  return 'reveal' in args
    ? [{ event: 'before_tool_call', why: '"reveal" gives tools values before their calls' }]
    : [];
}
