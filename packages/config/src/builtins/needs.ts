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
  return [...kindsOfLimit(args)].flatMap((kind) => LIMITS[kind] ?? []);
}

/** The events of a hook with `reveal`. */
export function revealNeeds(args: BuiltinArgs): readonly Need[] {
  return 'reveal' in args
    ? [{ event: 'before_tool_call', why: '"reveal" gives tools values before their calls' }]
    : [];
}
