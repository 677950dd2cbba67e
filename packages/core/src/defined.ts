/** An object whose fields are left out instead of being undefined. */
type Defined<T> = {
  readonly [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field];
} & {
  readonly [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined>;
};

/** The fields that are not undefined: events, requests and outcomes leave out what does not apply to them. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const left: Partial<T> = {};
  for (const field in fields) if (fields[field] !== undefined) left[field] = fields[field];
  // The type says what the loop does.
  return left as object as Defined<T>;
}
