/** Whether an input certainly fits a schema; false where it does not, or where only a validator can tell. */
export type QuickLook = (input: object) => boolean;

/**
 * A quick look for the most usual schema, an object of plain values, since a validator takes a call longer than all of
 * its hooks do. Undefined for schemas that say more.
 */
export function quickLookOf(schema: object): QuickLook | undefined {
  const { type, properties, required = [], additionalProperties = true, ...more } = schema as ObjectSchema;
  if (type !== 'object' || typeof properties !== 'object' || !onlyNotes(more)) return undefined;
  if (typeof additionalProperties !== 'boolean') return undefined;
  const tests = new Map<string, (value: unknown) => boolean>();
  for (const [name, { type: kind, ...rest }] of Object.entries(properties)) {
    const test = TESTS[String(kind)];
    if (test === undefined || !onlyNotes(rest)) return undefined;
    tests.set(name, test);
  }
  return (input) => {
    for (const name of required) if (!Object.hasOwn(input, name)) return false;
    return Object.entries(input).every(([name, value]) => tests.get(name)?.(value) ?? additionalProperties);
  };
}

interface ObjectSchema {
  readonly type?: unknown;
  readonly properties?: { readonly [name: string]: { readonly type?: unknown } };
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

const TESTS: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
};

/** Keywords that forbid nothing. */
const NOTES: ReadonlySet<string> = new Set(['$schema', 'title', 'description', 'examples', 'default']);

function onlyNotes(schema: object): boolean {
  return Object.keys(schema).every((keyword) => NOTES.has(keyword));
}
