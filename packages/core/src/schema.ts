import { after } from './thenable.ts';

/**
 * A schema of any library that follows Standard Schema (https://standardschema.dev): zod, valibot, arktype and others.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | PromiseLike<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The parsed value, or the problems. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** A problem, and its path. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Whether a value is a schema, for callers without types. */
export function isSchema(value: unknown): value is StandardSchema {
  const { '~standard': standard } = Object(value) as Partial<StandardSchema>;
  return typeof standard?.validate === 'function';
}

/** Calls `fits` with the parsed value, or `misfits` with a text that names the problem and its path. */
export function parse<Output, A, B>(
  { '~standard': standard }: StandardSchema<unknown, Output>,
  value: unknown,
  fits: (output: Output) => A | PromiseLike<A>,
  misfits: (problem: string) => B,
): A | B | PromiseLike<A | B> {
  return after(standard.validate(value), (result) =>
    result.issues === undefined ? fits(result.value) : misfits(result.issues.map(describe).join('; ')),
  );
}

function describe({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((key) => String(typeof key === 'object' ? key.key : key));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}
