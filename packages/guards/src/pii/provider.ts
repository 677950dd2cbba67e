import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  type Block,
  block,
  type HookProvider,
  type HookRegistrar,
  modify,
  type Proceed,
  proceed,
  type Session,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { TransformServerMessage } from '@hooks/core/tool-call';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { mapTextsAndNumbers } from '../map-texts.ts';
import { type Checks, checkOptions, fields, flag, idle, oneOf, refuse, secretKey } from '../options.ts';
import { type Ignored, ignored, isIgnored } from '../redact/ignore.ts';
import { redactorOf } from '../redact/redactor.ts';
import { REVEAL, type RevealOptions, registerReveal, vaultOf } from '../redact/reveal.ts';
import { registerScrubber } from '../scrub.ts';
import { versionOf } from '../version.ts';
import { findPii } from './find.ts';
import { isPiiKind, PII_RULES, type PiiKind } from './kinds.ts';

/**
 * What to do about personal data.
 *
 * - `block`: the prompt, model call or tool call is refused, and a tool's result withheld
 * - `redact`: `[REDACTED:email#9f86d081]`, the same for the same value within a session
 * - `mask`: `a***@acme.dev`, enough for a person to tell which
 * - `hash`: `[email:1f0c…]`, the same for the same value wherever the same `hashKey` is used
 */
export type PiiAction = 'block' | 'redact' | 'mask' | 'hash';

/** Options of {@link pii}. */
export interface PiiOptions extends RevealOptions {
  /** What to do about each kind. Kinds that are not listed pass. Default: redact all. */
  readonly kinds?: { readonly [Kind in PiiKind]?: PiiAction };
  /**
   * Key of the hashes and of the placeholders' digests (HMAC-SHA-256). Default: a random key per provider, so that hashes
   * cannot be looked up, and a restart gives a value another one.
   */
  readonly hashKey?: string | Uint8Array;
  /** Also check what the model sends to tools. Default: false. The framework's history keeps the original arguments. */
  readonly toolInput?: boolean;
  /**
   * Also check what the model answers, and leave out reasoning that has something to replace. A stream is then held back until the
   * answer is whole. Default: false.
   */
  readonly answers?: boolean;
  /** Texts that are left as they are, such as your own address: as they are, or a pattern for the whole of one. */
  readonly ignore?: Ignored;
}

const action = oneOf('block', 'redact', 'mask', 'hash');

const CHECKS: Checks<PiiOptions> = {
  kinds: fields<NonNullable<PiiOptions['kinds']>>({
    email: action,
    phone: action,
    card: action,
    iban: action,
    ip: action,
  }),
  hashKey: secretKey,
  toolInput: flag,
  answers: flag,
  ignore: ignored,
  ...REVEAL,
};

/**
 * Keeps personal data out of prompts, tool results and what is sent to models: in texts, also of JSON, and card numbers that are
 * numbers.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect
 * @example
 * ```ts
 * hooks.use(pii({ kinds: { email: 'mask', phone: 'redact', card: 'block', iban: 'hash' } }));
 * ```
 */
export function pii(options: PiiOptions = {}): HookProvider {
  options = checkOptions('pii', options, CHECKS, { showTo: ['reveal'], store: ['reveal'] });
  const { kinds = ALL, hashKey = randomBytes(32), toolInput = false, answers = false, ignore } = options;
  checkEffects(Object.values(kinds), options);
  const vault = vaultOf('pii', 'hashKey', options, options.hashKey, isPiiKind);
  const key = typeof hashKey === 'string' ? utf8ToBytes(hashKey) : hashKey;
  const wanted = new Set(PII_RULES.map(({ kind }) => kind).filter((kind) => kinds[kind] !== undefined));
  const refused = new Set([...wanted].filter((kind) => kinds[kind] === 'block'));

  const replace = (session: Session, kind: PiiKind, value: string): string => {
    if (kinds[kind] === 'mask') return PII_RULES.find((rule) => rule.kind === kind)?.mask(value) ?? '';
    if (kinds[kind] !== 'hash') return redactorOf(session, { placeholderKey: key }).placeholder(value, kind);
    return `[${kind}:${bytesToHex(hmac(sha256, key, utf8ToBytes(value))).slice(0, 16)}]`;
  };
  const clean = (session: Session, text: string): string => {
    let output = '';
    let at = 0;
    for (const { kind, start, end, value = text.slice(start, end) } of findPii(text, wanted)) {
      if (isIgnored(value, ignore)) continue;
      output += text.slice(at, start) + replace(session, kind, value);
      at = end;
    }
    return at === 0 ? text : output + text.slice(at);
  };

  return {
    name: 'builtin:pii',
    version: versionOf(kinds, toolInput, answers, ignore, options.reveal, options.showTo),
    register(hooks) {
      if (refused.size > 0) registerRefusals(hooks, refused, { toolInput, answers, ignore });
      registerScrubber(hooks, {
        clean,
        map: mapTextsAndNumbers,
        toolInput,
        answers,
        ...(vault && { kept: (session) => vault.flush(session) }),
      });
      if (vault !== undefined) registerReveal(hooks, options, vault, isPiiKind);
    },
  };
}

/** What is about placeholders and hashes has no effect where there are none. */
function checkEffects(actions: readonly (PiiAction | undefined)[], { reveal, hashKey }: PiiOptions): void {
  const redacts = actions.includes('redact');
  if (reveal !== undefined && !redacts) refuse('pii', idle('reveal', 'a kind that is redacted'));
  if (hashKey !== undefined && !redacts && !actions.includes('hash'))
    refuse('pii', idle('hashKey', 'a kind that is redacted or hashed'));
}

const ALL = { email: 'redact', phone: 'redact', card: 'redact', iban: 'redact', ip: 'redact' } as const;

/** Priority 101, before the scrubber, which would hide what this hook refuses. */
function registerRefusals(
  hooks: HookRegistrar,
  refused: ReadonlySet<PiiKind>,
  {
    toolInput,
    answers,
    ignore,
  }: Pick<PiiOptions, 'toolInput' | 'answers'> & { readonly ignore: Ignored | undefined },
): void {
  const kindIn = (value: unknown): PiiKind | undefined => {
    let kind: PiiKind | undefined;
    mapTextsAndNumbers(value, (text) => {
      kind ??= findPii(text, refused).find(
        ({ start, end, value = text.slice(start, end) }) => !isIgnored(value, ignore),
      )?.kind;
      return text;
    });
    return kind;
  };
  const judge = (value: unknown): Block | Proceed => {
    const kind = kindIn(value);
    return kind === undefined
      ? proceed()
      : block(`Blocked (pii/${kind}): this contains ${WHAT[kind]}. Leave it out, or rephrase.`);
  };
  hooks.on(UserPromptSubmit, ({ prompt }) => judge(prompt), {
    id: 'refuse-prompt',
    priority: 101,
    optional: true,
  });
  hooks.on(
    BeforeModelCall,
    ({ messages, instructions }) => judge([instructions, ...messages.map(({ text }) => text)]),
    { id: 'refuse-messages', priority: 101, optional: true },
  );
  hooks.on(
    TransformToolResult,
    ({ output, errorMessage }) => {
      const kind = kindIn(errorMessage ?? output);
      if (kind === undefined) return proceed();
      const note = `Withheld (pii/${kind}): the result contains ${WHAT[kind]}. Request only the fields that you need.`;
      return errorMessage === undefined ? modify({ output: note }) : modify({ errorMessage: note });
    },
    { id: 'withhold-result', priority: 101 },
  );
  hooks.on(
    TransformServerMessage,
    ({ content }) => {
      const cleaned = mapTextsAndNumbers(content, (text) => {
        const kind = kindIn(text);
        return kind === undefined ? text : `Withheld (pii/${kind}): this contains ${WHAT[kind]}.`;
      });
      // A copy of an object is one.
      return cleaned === content ? proceed() : modify({ content: cleaned as typeof content });
    },
    { id: 'withhold-server-message', priority: 101 },
  );
  if (answers)
    hooks.on(
      AfterModelCall,
      ({ response: { text, reasoning, toolCalls } }) =>
        judge([text, reasoning, ...toolCalls.filter(({ isAnswer }) => isAnswer).map(({ input }) => input)]),
      { id: 'refuse-answer', priority: -101 },
    );
  if (toolInput) hooks.on(BeforeToolCall, ({ input }) => judge(input), { id: 'refuse-input', priority: 101 });
}

const WHAT: Readonly<Record<PiiKind, string>> = {
  email: 'an email address',
  phone: 'a phone number',
  card: 'a card number',
  iban: 'a bank account number (IBAN)',
  ip: 'an IP address',
};
