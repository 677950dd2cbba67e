import {
  BeforeModelCall,
  BeforeToolCall,
  type HookProvider,
  modify,
  proceed,
  type Session,
  sessionKey,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { createSecretRedactor, redactDeep, type SecretRedactor } from './redactor.ts';

/** Options of {@link redactSecrets}. */
export interface RedactSecretsOptions {
  /**
   * Also scrub what the model sends to tools; false unless set. The tool then runs without the secret, while the
   * framework's history keeps the model's arguments as they were.
   */
  readonly toolInput?: boolean;
}

/**
 * Scrubs keys, tokens, private keys, passwords and connection strings from what tools answer and throw, from prompts,
 * and from what is sent to models. The same secret gets the same placeholder throughout a session, so the model can
 * still tell one from another.
 *
 * Runs at priority 100, before hooks that shorten a text: half a secret is hard to know.
 *
 * @example
 * ```ts
 * hooks.use(redactSecrets());
 * ```
 */
export function redactSecrets(options: RedactSecretsOptions = {}): HookProvider {
  return {
    name: 'builtin:redact-secrets',
    register(hooks) {
      hooks.on(
        TransformToolResult,
        function redactResult({ session, output, errorMessage }) {
          const redactor = redactorOf(session);
          if (errorMessage !== undefined) {
            const text = redactor.text(errorMessage);
            return text === errorMessage ? proceed() : modify({ errorMessage: text });
          }
          const clean = redactDeep(redactor, output);
          return clean === output ? proceed() : modify({ output: clean });
        },
        { id: 'tool-result', priority: 100 },
      );
      hooks.on(
        UserPromptSubmit,
        function redactPrompt({ session, prompt }) {
          const text = redactorOf(session).text(prompt);
          return text === prompt ? proceed() : modify({ prompt: text });
        },
        { id: 'prompt', priority: 100 },
      );
      hooks.on(
        BeforeModelCall,
        function redactMessages({ session, messages, instructions }) {
          const redactor = redactorOf(session);
          const clean = messages.map((message) => {
            const text = redactor.text(message.text);
            return text === message.text ? message : { ...message, text };
          });
          const told = redactor.text(instructions ?? '');
          if (told !== (instructions ?? '')) return modify({ messages: clean, instructions: told });
          const same = clean.every((message, i) => message === messages[i]);
          return same ? proceed() : modify({ messages: clean });
        },
        { id: 'messages', priority: 100 },
      );
      if (options.toolInput) {
        hooks.on(
          BeforeToolCall,
          function redactInput({ session, input }) {
            const clean = redactDeep(redactorOf(session), input);
            return clean === input ? proceed() : modify({ input: clean });
          },
          { id: 'tool-input', priority: 100 },
        );
      }
    },
  };
}

/** One memory of placeholders a session. */
function redactorOf(session: Session): SecretRedactor {
  return session.get(REDACTOR, createSecretRedactor);
}

const REDACTOR = sessionKey<SecretRedactor>('@hooks/guards/redactor');
