import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { PromptEvent } from './groups.ts';
import type { ModelSettings } from './model.ts';

/**
 * A user's message, before any model sees it. It does not fire for the first message of a sub-agent.
 *
 * - Permits Block (no model is called, nothing is stored) and Modify of `prompt`, `context` (in every model call of the
 *   run) and `metadata` (merged, and read by `BeforeRun`).
 * - A failed hook blocks.
 */
export interface UserPromptSubmit extends EventPayload {
  /** The text of the message. */
  readonly prompt: string;
  /**
   * How it arrived: as a prompt (the default), during a run, or queued for its end. A `notification` is no user's: the agent sends it to
   * itself, such as the result of a background task.
   */
  readonly delivery?: 'prompt' | 'steering' | 'followup' | 'notification';
  /**
   * Set where the input has an answer behind it: it is part of a history that this process has not seen, so a client or a hook of
   * another process may have written it.
   */
  readonly answered?: true;
  readonly provider?: string;
  readonly model?: string;
  readonly metadata?: { readonly [name: string]: unknown };
  readonly context?: readonly string[];
}
export const UserPromptSubmit: EventToken<
  UserPromptSubmit,
  'block' | 'modify',
  'prompt' | 'context' | 'metadata'
> = /* @__PURE__ */ makeEvent<UserPromptSubmit>()({
  type: 'user_prompt_submit',
  permits: ['block', 'modify'],
  modifies: ['prompt', 'context', 'metadata'],
  shapes: { prompt: 'string', metadata: 'object' },
  context: 'run',
  extends: PromptEvent,
});

/**
 * After the prompt, before the run is set up.
 *
 * - Permits Block and Modify of `model` and `settings`.
 * - A failed hook blocks.
 */
export interface BeforeRun extends EventPayload {
  /** The prompt, as `UserPromptSubmit` hooks left it. */
  readonly message: string;
  /** What `UserPromptSubmit` hooks set. */
  readonly metadata: { readonly [name: string]: unknown };
  readonly provider?: string;
  readonly model?: string;
  readonly settings?: ModelSettings;
}
export const BeforeRun: EventToken<BeforeRun, 'block' | 'modify', 'model' | 'settings'> =
  /* @__PURE__ */ makeEvent<BeforeRun>()({
    type: 'before_run',
    permits: ['block', 'modify'],
    modifies: ['model', 'settings'],
    extends: PromptEvent,
  });

/**
 * The agent waits for a person.
 *
 * Can only be observed.
 */
export interface UserInputRequired extends EventPayload {
  /** What the agent waits for. */
  readonly message?: string;
}
export const UserInputRequired: EventToken<UserInputRequired> =
  /* @__PURE__ */ makeEvent<UserInputRequired>()({
    type: 'user_input_required',
    extends: PromptEvent,
  });
