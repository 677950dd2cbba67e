import type { ToolEvent } from '@hooks/core';

/** A part of a JSON schema. */
interface Part {
  readonly [keyword: string]: unknown;
}

/** What the JSON schema of a tool says of its arguments. Whatever it does not say, a model may choose. */
export class InputSchema {
  readonly #root: unknown;
  readonly #names = new Set<string>();
  readonly #fields = new Map<string, ReadonlyMap<string, { readonly isRequired: boolean }>>();

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
    const parts = this.#at(path);
    if (!parts.some((part) => isListed(part, value))) return undefined;
    const usual = parts.filter((part) => Object.hasOwn(part, 'default'));
    if (usual.some((part) => part['default'] === value)) return usual.length;
    return parts.reduce((sum, part) => sum + choicesOf(part, value), 0);
  }

  /** The names of fields that it has for an object in this place, in its order, and which of them each such object has to have. */
  fields(path: string): ReadonlyMap<string, { readonly isRequired: boolean }> {
    const known = this.#fields.get(path);
    if (known !== undefined) return known;
    const parts = this.#at(path).filter(({ properties }) => isPart(properties));
    const names = new Set(parts.flatMap(({ properties }) => Object.keys(Object(properties))));
    const required = parts.map((part) => new Set(Array.isArray(part['required']) ? part['required'] : []));
    const found = new Map(
      [...names].map((name) => [name, { isRequired: required.every((each) => each.has(name)) }]),
    );
    this.#fields.set(path, found);
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

function isListed(part: Part, value: unknown): boolean {
  const { enum: values, default: usual = part['const'], const: only = usual } = part;
  const isOne = [usual, only].some((one) => one !== undefined && one === value);
  return isOne || (Array.isArray(values) && values.includes(value)) || isInRange(part, value);
}

/** How many values a part lists. */
function choicesOf(part: Part, value: unknown): number {
  const [from = 0, to = 0] = isInRange(part, value) ? rangeOf(part) : [1, 0];
  const range = Number.isInteger(value) || to < from ? to - from + 1 : Number.POSITIVE_INFINITY;
  return (
    (Array.isArray(part['enum']) ? part['enum'].length : 0) + (Object.hasOwn(part, 'const') ? 1 : 0) + range
  );
}

function isInRange(part: Part, value: unknown): boolean {
  const [from, to] = rangeOf(part);
  if (typeof value !== 'number' || from === undefined || to === undefined) return false;
  return to - from <= LONGEST_RANGE && from <= value && value <= to;
}

function rangeOf({
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
}: Part): readonly (number | undefined)[] {
  return [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum].map((one) =>
    typeof one === 'number' ? one : undefined,
  );
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: unknown, name: string): unknown {
  return isPart(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
