import type { BuiltinArgs } from './builtin.ts';

const KINDS = /^(?:tool_calls|model_calls|tokens|cost|time_ms)$/;

/** What the arguments of `limits` or `rate_limit` limit, at any depth. */
export function kindsOfLimit(args: BuiltinArgs): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(args, (key, value: unknown) => {
    if (typeof value === 'number' && KINDS.test(key)) found.add(key);
    return value;
  });
  return found;
}
