import type { HookProvider } from '@hooks/core';
import { registerScrubber } from '../scrub.ts';
import { redactorOf } from './redactor.ts';
import type { FindSecretsOptions } from './rule.ts';

/** Options of {@link redactSecrets}. */
export interface RedactSecretsOptions extends FindSecretsOptions {
  /**
   * Also scrub what the model sends to tools. Default: false. The tool then runs without the secret, while the
   * framework's history keeps the model's arguments as they were.
   */
  readonly toolInput?: boolean;
}

/**
 * Scrubs keys, tokens, private keys, passwords and connection strings from what tools answer and throw, from prompts,
 * and from what is sent to models. The same secret gets the same placeholder throughout a session, so the model can
 * still tell one from another.
 *
 * @example
 * ```ts
 * hooks.use(redactSecrets());
 * ```
 */
export function redactSecrets(options: RedactSecretsOptions = {}): HookProvider {
  return {
    name: 'builtin:redact-secrets',
    register: (hooks) =>
      registerScrubber(hooks, {
        clean: (session, text, name) => redactorOf(session, options).text(text, name),
        toolInput: options.toolInput ?? false,
      }),
  };
}
