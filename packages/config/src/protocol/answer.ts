/**
 * A hook's answer, independent of the dialect: only the fields that its event takes. On an event without permissions,
 * `deny` is a refusal. On `stop`, it continues the agent.
 */
export interface Answer {
  readonly permission?: 'deny' | 'ask' | 'allow';
  /** The reason of the permission or refusal. */
  readonly reason?: string;
  /** Ends the run. */
  readonly stop?: boolean;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly toolName?: string;
  /** Wrapped in an object, because an output may be anything, including `undefined`. */
  readonly output?: { readonly value: unknown };
  /** Runs the call elsewhere: this command, or the input's own. */
  readonly route?: { readonly command?: string };
  readonly prompt?: string;
  readonly summary?: string;
  /** Retries, for this reason. */
  readonly retry?: string;
  readonly context?: readonly string[];
  /** Fields replaced in our own dialect, by core's names. */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** A message for the user. */
  readonly messages?: readonly string[];
}

/** The hook failed: it did not run, did not end, or gave an invalid answer. */
export interface Failure {
  /** The problem, as the end of a sentence. The model may read it, so it has nothing of the hook's output. */
  readonly failed: string;
  /** The hook's output about the failure, for the developer only. */
  readonly detail?: string;
}

/** The result of running a hook. */
export type HookResult = Answer | Failure;

/** Whether a hook has failed. */
export function isFailure(result: HookResult): result is Failure {
  return 'failed' in result;
}
