/**
 * What one hook answered, in no dialect: the fields that its event takes, and nothing else.
 * On an event without permissions, `deny` is a refusal; on `stop`, it keeps the agent working.
 */
export interface Answer {
  readonly permission?: 'deny' | 'ask' | 'allow';
  /** Why: of the permission, or of a refusal. */
  readonly reason?: string;
  /** End the run. */
  readonly stop?: boolean;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly toolName?: string;
  /** In an object, since an output may be anything, also `undefined`. */
  readonly output?: { readonly value: unknown };
  /** Run the call elsewhere: this command, else the input's own. */
  readonly route?: { readonly command?: string };
  readonly prompt?: string;
  readonly summary?: string;
  /** Do it again, for this reason. */
  readonly retry?: string;
  readonly context?: readonly string[];
  /** Replaced fields of our own dialect, by core's names. */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** What the user is told. */
  readonly messages?: readonly string[];
}

/** The hook has failed: it did not run, did not end, or answered nonsense. */
export interface Failure {
  /** What went wrong, as the end of a sentence. The model may read it, so it holds nothing that the hook printed. */
  readonly failed: string;
  /** What the hook printed about it, for the developer alone. */
  readonly detail?: string;
}

/** What asking a hook comes to. */
export type HookResult = Answer | Failure;

/** Whether a hook has failed. */
export function isFailure(result: HookResult): result is Failure {
  return 'failed' in result;
}
