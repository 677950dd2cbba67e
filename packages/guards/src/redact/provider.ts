import type { HookProvider } from '@hooks/core';
import { type Checks, checkOptions, flag } from '../options.ts';
import { isPiiKind } from '../pii/kinds.ts';
import { registerScrubber } from '../scrub.ts';
import { versionOf } from '../version.ts';
import { memoryOf, PLACEHOLDER, type PlaceholderOptions, redactorOf } from './redactor.ts';
import { REVEAL, type RevealOptions, registerReveal, vaultOf } from './reveal.ts';
import { FIND, type FindSecretsOptions } from './rule.ts';

/** Options of {@link redactSecrets}. */
export interface RedactSecretsOptions extends FindSecretsOptions, PlaceholderOptions, RevealOptions {
  /**
   * Also redact what the model sends to tools. Default: false. The tool then runs without the secret, and the
   * framework's history keeps the original arguments.
   */
  readonly toolInput?: boolean;
  /**
   * Also redact what the model answers, and leave out reasoning that has something to redact. A stream is then held back until the
   * answer is whole. Default: false.
   */
  readonly answers?: boolean;
}

const CHECKS: Checks<RedactSecretsOptions> = {
  ...FIND,
  ...PLACEHOLDER,
  ...REVEAL,
  toolInput: flag,
  answers: flag,
};

/**
 * Redacts keys, tokens, private keys, passwords and connection strings in tool results and errors, in prompts, and in
 * messages to the model. Within a session, a secret always gets the same placeholder, so the model can tell secrets
 * apart.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect
 * @example
 * ```ts
 * hooks.use(redactSecrets());
 * ```
 */
export function redactSecrets(options: RedactSecretsOptions = {}): HookProvider {
  options = checkOptions('redactSecrets', options, CHECKS, { showTo: ['reveal'], store: ['reveal'] });
  // The version goes into journals, where a digest of a short key could be guessed.
  const { placeholderKey, store: _, ...versioned } = options;
  const vault = vaultOf('redactSecrets', 'placeholderKey', options, placeholderKey, owns);
  return {
    name: 'builtin:redact-secrets',
    version: versionOf(versioned),
    register(hooks) {
      registerScrubber(hooks, {
        clean: (session, text, name) => redactorOf(session, options).text(text, name),
        toolInput: options.toolInput ?? false,
        answers: options.answers ?? false,
        known: (session) => memoryOf(session).placeholders.size,
        ...(vault && { kept: (session) => vault.flush(session) }),
      });
      if (vault !== undefined) registerReveal(hooks, options, vault, owns);
    },
  };
}

/** Those of secrets: all but those of personal data. */
function owns(rule: string): boolean {
  return !isPiiKind(rule);
}
