/** A value within an argument or a result, and where it is. */
export interface Leaf {
  /** `to`, `items.id`: lists leave no trace in it. */
  readonly path: string;
  readonly value: unknown;
  /** The value is the name of a field of what is there. */
  readonly isField?: true;
}

/** How deep a value is read. Inputs of tools are at most 256 levels deep. */
const DEEPEST = 256;

/** How often objects are read again that stand in several places, as those of a cycle do. Their values are known by then. */
const MOST_REPEATED = 100_000;

/** The objects that were read, and how often one of them was met again. */
interface Read {
  readonly objects: Set<object>;
  repeated: number;
}

/** All values at any depth, each with its path, and the names of fields that `isName` does not know. An empty list or object is `undefined`. */
export function* leavesOf(
  value: unknown,
  path = '',
  isName: (field: string) => boolean = () => true,
  depth = 0,
  read: Read = { objects: new Set(), repeated: 0 },
): Iterable<Leaf> {
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    yield { path, value };
    return;
  }
  if (depth > DEEPEST) {
    yield { path, value: '[nested too deeply]' };
    return;
  }
  if (read.objects.has(value) && ++read.repeated > MOST_REPEATED) return;
  read.objects.add(value);
  const inner = contentOf(value);
  if (inner !== value) {
    yield* leavesOf(inner, path, isName, depth + 1, read);
    return;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) yield { path, value: undefined };
    for (const entry of value) yield* leavesOf(entry, path, isName, depth + 1, read);
    return;
  }
  const fields = Object.entries(value);
  if (fields.length === 0) yield { path, value: undefined };
  for (const [field, entry] of fields) {
    if (!isName(field)) yield { path, value: field, isField: true };
    yield* leavesOf(entry, within(path, field), isName, depth + 1, read);
  }
}

/** The path of a field of what is at a path. */
export function within(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** What a model reads of an object that is no plain one, such as a document of a database. Its fields may not show it. */
function contentOf(value: object): unknown {
  if (Array.isArray(value)) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Error) return [value.name, value.message, { ...value }];
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain || Object.keys(value).length > 0 ? value : String(value);
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
  // Services take `to_address` for `toAddress`, and some `To` for `to`.
  const names = ends === 'here' ? Object.keys(value).filter((name) => letters(name) === letters(field)) : [];
  if (!names.includes(field) && Object.hasOwn(value, field)) names.push(field);
  return names.map((name) => ({
    path: within(path, name),
    value: Reflect.get(value, name),
  }));
}

/** The letters of a name, without case, or the name where it has none. */
function letters(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase() || name;
}
