/**
 * A command that does no harm, and that `hooks run` refuses whatever the policy says. `hooks doctor --drive` has a real agent run it:
 * if it runs, the agent did not ask its hooks.
 */
export function makeCanary(): string {
  return `echo ${MARK}${crypto.randomUUID()}`;
}

/** The reason with which it is refused. */
export const CANARY_REASON =
  'hooks doctor had this command asked for, and its refusal shows that hooks decide here.';

/** Whether a tool's input is such a command: a text, in one of its fields or as the last word of a list. */
export function isCanary(input: unknown): boolean {
  return Object.values(Object(input)).some((value) => {
    const command: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof command === 'string' && CANARY.test(command);
  });
}

const MARK = 'hooks-doctor-';
const CANARY = new RegExp(`^echo ${MARK}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`);
