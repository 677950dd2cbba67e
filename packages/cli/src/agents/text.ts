/** A value as text for the model. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The value of JSON text. Agents send some objects in this form. Other values, and other text, stay as they are. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Refuses a call whose arguments no rule can read: text that looks like JSON and is no object. Other text may be an argument itself, as
 * a patch is.
 */
export function refuseUnreadable(input: unknown): void {
  if (typeof input === 'string' && /^\s*[{["]/.test(input))
    throw new Error('the arguments of the call are no JSON object, so no hook can check them');
}
