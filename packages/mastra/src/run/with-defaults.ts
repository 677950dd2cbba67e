/** What a run is given, with the agent's defaults for what it is not: as in Mastra, `undefined` is not given. */
export function withDefaults<T extends object>(defaults: T | undefined, given: T | undefined): Partial<T> {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  // The same fields, which Object.fromEntries forgets.
  return { ...defaults, ...(Object.fromEntries(set) as Partial<T>) };
}
