/** A value within an argument or a result, and where it is. */
export interface Leaf {
  /** `to`, `items.id`: lists leave no trace in it. */
  readonly path: string;
  readonly value: unknown;
}

/** How deep a value is read. Inputs of tools are at most 256 levels deep. */
const DEEPEST = 256;

/** All values at any depth, each with its path, and the names of fields that `isName` does not know. */
export function* leavesOf(
  value: unknown,
  path = '',
  isName: (field: string) => boolean = () => true,
  depth = 0,
): Iterable<Leaf> {
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    yield { path, value };
    return;
  }
  if (depth > DEEPEST) {
    yield { path, value: '[nested too deeply]' };
    return;
  }
  if (Array.isArray(value)) {
    for (const entry of value) yield* leavesOf(entry, path, isName, depth + 1);
    return;
  }
  for (const [field, entry] of Object.entries(value)) {
    if (!isName(field)) yield { path, value: field };
    yield* leavesOf(entry, path === '' ? field : `${path}.${field}`, isName, depth + 1);
  }
}

/**
 * What stands at a path such as `to` or `items.id`, in each entry of the lists on the way. `*` is everything.
 *
 * @param ends where the path leads into a text or a number: that is what stands there (`here`), or nothing does
 */
export function at(value: unknown, path: string, ends: 'here' | 'nowhere'): readonly Leaf[] {
  if (path === '*') return [{ path: '', value }];
  let found: readonly Leaf[] = [{ path: '', value }];
  for (const field of path.split('.')) found = found.flatMap((leaf) => step(leaf, field, ends));
  return found;
}

function step({ path, value }: Leaf, field: string, ends: 'here' | 'nowhere'): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((entry) => step({ path, value: entry }, field, ends));
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return ends === 'here' && value !== undefined && value !== null ? [{ path, value }] : [];
  if (!Object.hasOwn(value, field)) return [];
  return [{ path: path === '' ? field : `${path}.${field}`, value: Reflect.get(value, field) }];
}
