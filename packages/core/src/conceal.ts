/**
 * Values that only the guards and the tool of a call get. All that is shown of the call has placeholders instead: its events,
 * approvals, the trace and what guards say. Where a framework shows what it calls a tool with, that has the values.
 */
export interface Concealed {
  /** The input with its values. If it throws, the call is blocked. */
  reveal(input: unknown): unknown;
  /** The text or the data with placeholders. */
  hide(value: unknown): unknown;
  /** `approver`: an approver of this process may ask for the values, with `reveal` of its request. Default: nobody. */
  readonly showTo?: 'approver';
}
