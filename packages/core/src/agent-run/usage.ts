/**
 * The usage of several answers of a model, as a framework counts it: numbers are added up and lists joined, at any depth. Hooks may have retried some of
 * the answers, and all were paid.
 */
export function addUsage<Usage>(all: readonly Usage[]): Usage;
export function addUsage(all: readonly unknown[]): unknown {
  return all.reduce(added);
}

function added(one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (other === undefined || other === null) return one;
  if (typeof one !== 'object' || one === null) return other;
  const sums = Object.entries(one).map(([name, value]) => [name, added(value, Object(other)[name])]);
  return { ...Object(other), ...Object.fromEntries(sums) };
}
