/** A variable that a file names is not set. */
export class UnsetVariable extends Error {
  override readonly name = 'UnsetVariable';
}

/** The environment that a file's variables are read from. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** @throws UnsetVariable */
export function readVariable(field: string, name: string, env: Variables): string {
  const value = env[name];
  if (value) return value;
  throw new UnsetVariable(`${field}: the environment variable ${name} is not set`);
}

/** The variables in `…_env` fields that are not set. */
export function unsetIn(
  args: Readonly<Record<string, unknown>>,
  env: Variables,
): readonly { readonly field: string; readonly name: string }[] {
  return Object.entries(args).flatMap(([field, name]) =>
    field.endsWith('_env') && typeof name === 'string' && !env[name] ? [{ field, name }] : [],
  );
}
