import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  type EventPayload,
  type HookRegistrar,
  modify,
  proceed,
  type Session,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { TransformServerMessage } from '@hooks/core/tool-call';
import { mapTexts } from './map-texts.ts';

/** How a provider cleans texts. */
export interface Scrubber {
  /** Cleans a text. `name` is the name of its field, if any. */
  clean(session: Session, text: string, name?: string): string;
  /** Maps the texts of a value. Default: `mapTexts`. */
  readonly map?: typeof mapTexts;
  /** Also clean what the model sends to tools. */
  readonly toolInput: boolean;
  /** Also clean what the model answers. */
  readonly answers: boolean;
  /** How many secrets it knows in this session. A text that was clean may hold one that it has seen since. Default: none. */
  known?(session: Session): number;
  /** Resolves once the values of new placeholders are kept. */
  kept?(session: Session): Promise<void> | undefined;
}

/**
 * Registers a scrubber for tool results and errors, prompts, messages to models, and what else an MCP server says.
 *
 * Priority 100, before hooks that shorten a text: half a secret is hard to recognize. Where an adapter has no prompts or
 * model calls, there are none to clean.
 */
export function registerScrubber(
  registrar: HookRegistrar,
  { clean, map = mapTexts, toolInput, answers, known = () => 0, kept }: Scrubber,
): void {
  const history = new WeakMap<Session, CleanTexts>();
  const hooks: Pick<HookRegistrar, 'on'> = kept === undefined ? registrar : keeping(registrar, kept);
  hooks.on(
    TransformToolResult,
    function scrubResult({ session, output, error, errorMessage }) {
      if (errorMessage !== undefined) {
        const text = clean(session, errorMessage);
        // Replacing the message makes core drop the error's stack, cause and fields, which may hold secrets as well.
        const held = map(error, (inner, name) => clean(session, inner, name));
        return text === errorMessage && held === error ? proceed() : modify({ errorMessage: text });
      }
      const cleaned = map(output, (text, name) => clean(session, text, name));
      return cleaned === output ? proceed() : modify({ output: cleaned });
    },
    { id: 'tool-result', priority: 100 },
  );
  hooks.on(
    UserPromptSubmit,
    function scrubPrompt({ session, prompt }) {
      const text = clean(session, prompt);
      return text === prompt ? proceed() : modify({ prompt: text });
    },
    { id: 'prompt', priority: 100, optional: true },
  );
  hooks.on(
    BeforeModelCall,
    function scrubMessages({ session, messages, instructions }) {
      const last = history.get(session);
      const now = { root: rootOf(session), known: known(session) };
      const cleanBefore = last?.root === now.root && last.known === now.known ? last.texts : undefined;
      const texts = new Set<string>();
      history.set(session, { ...now, texts });
      const cleaned = messages.map((message) => {
        const text = cleanBefore?.has(message.text) ? message.text : clean(session, message.text);
        if (text !== message.text) return { ...message, text };
        texts.add(text);
        return message;
      });
      const told = clean(session, instructions ?? '');
      if (told !== (instructions ?? '')) return modify({ messages: cleaned, instructions: told });
      const same = cleaned.every((message, i) => message === messages[i]);
      return same ? proceed() : modify({ messages: cleaned });
    },
    { id: 'messages', priority: 100, optional: true },
  );
  hooks.on(
    TransformServerMessage,
    function scrubServerMessage({ session, content }) {
      const cleaned = map(content, (text, name) => clean(session, text, name));
      // A copy of an object is one.
      return cleaned === content ? proceed() : modify({ content: cleaned as typeof content });
    },
    { id: 'server-message', priority: 100 },
  );
  if (answers)
    hooks.on(
      AfterModelCall,
      function scrubAnswer({ session, response }) {
        const { reasoning = '' } = response;
        const text = clean(session, response.text);
        const thought = clean(session, reasoning);
        const toolCalls = response.toolCalls.map((call) => {
          if (call.isAnswer !== true) return call;
          const input = map(call.input, (inner, name) => clean(session, inner, name));
          return input === call.input ? call : { ...call, input };
        });
        const same = toolCalls.every((call, nth) => call === response.toolCalls[nth]);
        if (same && text === response.text && thought === reasoning) return proceed();
        return modify({
          response: { ...response, text, toolCalls, ...(reasoning !== '' && { reasoning: thought }) },
        });
      },
      // These events run in reverse: before hooks that shorten the answer.
      { id: 'answer', priority: -100 },
    );
  if (!toolInput) return;
  hooks.on(
    BeforeToolCall,
    function scrubInput({ session, input }) {
      const cleaned = map(input, (text, name) => clean(session, text, name));
      return cleaned === input ? proceed() : modify({ input: cleaned });
    },
    { id: 'tool-input', priority: 100 },
  );
}

/** The texts of the last history that had nothing to clean: the next one repeats them. */
interface CleanTexts {
  /** Whose secrets were known: a sub-agent's thread may be used in several sessions. */
  readonly root: Session;
  readonly known: number;
  readonly texts: ReadonlySet<string>;
}

/** Lets a hook answer once the values of its placeholders are kept. */
function keeping(hooks: HookRegistrar, kept: NonNullable<Scrubber['kept']>): Pick<HookRegistrar, 'on'> {
  return {
    on: (point, handler, options) =>
      hooks.on(
        point,
        (event, context) => {
          const answer = handler(event, context);
          const keep = kept((event as EventPayload).session);
          return keep === undefined
            ? answer
            : (keep.then((): typeof answer => answer) as Promise<Awaited<typeof answer>>);
        },
        options,
      ),
  };
}
