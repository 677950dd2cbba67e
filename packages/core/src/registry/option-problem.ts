/** What the value of each option must be; undefined if that is checked elsewhere. An option without a line does not compile. */
export type OptionKinds<Options> = { readonly [Name in keyof Options]-?: OptionKind | undefined };

type OptionKind = 'number' | 'string' | 'boolean' | 'function' | 'object' | 'list';

/**
 * Says what is wrong with options. One that is accepted and does nothing is a gate that somebody believes in, and types do not help
 * where the caller is not typed.
 */
export function optionProblem<Options>(options: unknown, kinds: OptionKinds<Options>): string | undefined {
  if (!isRecord(options)) return 'the options must be an object';
  // Inherited options count, too.
  for (const name in options)
    if (!Object.hasOwn(kinds, name))
      return `there is no option ${JSON.stringify(name)}; it takes ${Object.keys(kinds).join(', ')}`;
  for (const [name, kind] of Object.entries<OptionKind | undefined>(kinds)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && kind !== undefined && !isOf(value, kind)) return `${name} must be a ${kind}`;
  }
  return undefined;
}

function isOf(value: unknown, kind: OptionKind): boolean {
  if (kind === 'list') return Array.isArray(value);
  return kind === 'object' ? isRecord(value) : typeof value === kind;
}

/** An object with named values, not a list, a map or a function. */
function isRecord(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}
