import type { ToolEvent } from '@hooks/core';

/** A part of a JSON schema. */
interface Part {
  readonly [keyword: string]: unknown;
}

/** What the JSON schema of a tool says of its arguments. Whatever it does not say, a model may choose. */
export class InputSchema {
  readonly #root: unknown;
  readonly #names = new Set<string>();

  constructor(root: unknown) {
    this.#root = root;
    this.#findNames(root, 0);
  }

  static async of({ tool }: ToolEvent): Promise<InputSchema> {
    return new InputSchema(await tool?.inputSchema?.());
  }

  #findNames(part: unknown, depth: number): void {
    if (typeof part !== 'object' || part === null || depth > 64) return;
    for (const [key, inner] of Object.entries(part)) {
      if (key === 'properties') for (const name of Object.keys(Object(inner))) this.#names.add(name);
      this.#findNames(inner, depth + 1);
    }
  }

  /** Whether it has a field of this name. */
  hasName(field: string): boolean {
    return this.#names.has(field);
  }

  /** Whether it knows any names of fields. */
  get hasNames(): boolean {
    return this.#names.size > 0;
  }

  /**
   * How many values it lists for an argument in the place where it lists this one: in `enum`, as `const` or `default`, or in a
   * short range. Undefined where it does not list this one. A fraction in a range is one of infinitely many.
   */
  choices(path: string, value: unknown): number | undefined {
    const found = this.#at(path).flatMap((part) => choicesOf(part, value) ?? []);
    return found.length > 0 ? Math.min(...found) : undefined;
  }

  /** The names of fields that it has for an object in this place, in its order, and which of them the object has to have. */
  fields(path: string): ReadonlyMap<string, { readonly isRequired: boolean }> {
    const found = new Map<string, { readonly isRequired: boolean }>();
    for (const { properties, required } of this.#at(path))
      for (const name of Object.keys(Object(properties)))
        found.set(name, { isRequired: Array.isArray(required) && required.includes(name) });
    return found;
  }

  /** The formats that an argument has, as far as it says: `uri`. */
  formats(path: string): readonly unknown[] {
    return this.#at(path).flatMap(({ format }) => format ?? []);
  }

  /** The types that an argument may have, as far as it says. */
  types(path: string): readonly unknown[] {
    return this.#at(path).flatMap(({ type }) => type ?? []);
  }

  #at(path: string): readonly Part[] {
    let parts = this.#all([this.#root]);
    for (const field of path === '' ? [] : path.split('.'))
      parts = this.#all(
        parts.map(({ properties, additionalProperties }) => own(properties, field) ?? additionalProperties),
      );
    return parts;
  }

  /** These parts, and those that they name or consist of. Lists leave no trace in a path. */
  #all(roots: readonly unknown[]): readonly Part[] {
    const found = new Set<Part>();
    const visit = (part: unknown): void => {
      if (!isPart(part) || found.has(part) || found.size > MOST_PARTS) return;
      found.add(part);
      const { $ref, items, prefixItems, propertyNames, anyOf, oneOf, allOf } = part;
      for (const inner of [items, prefixItems, propertyNames, anyOf, oneOf, allOf].flat()) visit(inner);
      if (typeof $ref === 'string') visit(this.#named($ref));
    };
    for (const root of roots) visit(root);
    return [...found];
  }

  /** What `#/$defs/Status` names. */
  #named(ref: string): unknown {
    const names = ref.startsWith('#') ? ref.split('/').slice(1) : [''];
    return names.reduce(
      (part: unknown, name) => own(part, name.replaceAll('~1', '/').replaceAll('~0', '~')),
      this.#root,
    );
  }
}

/** How many parts of a schema are read for one argument. */
const MOST_PARTS = 1_000;
/** How far a range reaches that is a choice, as of stars or percents. */
const LONGEST_RANGE = 100;

function choicesOf(part: Part, value: unknown): number | undefined {
  const { enum: values, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = part;
  if (['const', 'default'].some((keyword) => Object.hasOwn(part, keyword) && part[keyword] === value))
    return 1;
  if (Array.isArray(values) && values.includes(value)) return values.length;
  const [from, to] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum];
  if (typeof value !== 'number' || typeof from !== 'number' || typeof to !== 'number') return undefined;
  const isIn = to - from <= LONGEST_RANGE && from <= value && value <= to;
  if (!isIn) return undefined;
  return Number.isInteger(value) ? to - from + 1 : Number.POSITIVE_INFINITY;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: unknown, name: string): unknown {
  return isPart(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
