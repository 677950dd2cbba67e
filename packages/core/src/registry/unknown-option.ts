/**
 * Says which option does not exist. One that is accepted and does nothing is a gate that somebody believes in, and types do not help
 * where the caller is not typed.
 */
export function unknownOption(options: object, names: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  return unknown && `there is no option ${JSON.stringify(unknown)}; it takes ${names.join(', ')}`;
}
