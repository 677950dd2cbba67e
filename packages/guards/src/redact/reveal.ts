import { BeforeToolCall, block, type Concealed, type HookRegistrar, modify, proceed } from '@hooks/core';
import { mapTexts } from '../map-texts.ts';
import { type Checks, expecting, having, listOf, mapOf, oneOf, refuse } from '../options.ts';
import { PLACEHOLDERS } from './own-placeholder.ts';
import { memoryOf } from './redactor.ts';
import { Vault, type VaultStore } from './vault.ts';

/** Options of revealing. */
export interface RevealOptions {
  /**
   * The arguments of tools that get the value of a placeholder that the model writes there: `{ send_mail: ['to'] }`. The key is
   * a tool's name or pattern. `message.to` is the field `to` of the argument `message`, or of each of its items.
   *
   * Guards judge the value. The model, streams, journals and approvals have the placeholder. A placeholder whose value is
   * unknown blocks the call. The tool's schema has to accept both.
   */
  readonly reveal?: { readonly [tool: string]: readonly string[] };
  /** `approver`: an approver of this process may see the values, with `reveal` of its request. Default: nobody. */
  readonly showTo?: 'approver';
  /**
   * Keeps the values of placeholders for 30 days, encrypted, so that a call can be made after a restart and in another process. The
   * key of the placeholders is needed for it.
   */
  readonly store?: VaultStore;
}

/** Which placeholders a guard made: those of these rules. */
export type Owns = (rule: string) => boolean;

/** The checks of {@link RevealOptions}. */
export const REVEAL: Checks<RevealOptions> = {
  reveal: mapOf(
    listOf(
      expecting("the path of an argument, such as 'message.to'", isPath),
      "paths of arguments, such as ['to']",
    ),
    "tools and their arguments, such as { send_mail: ['to'] }",
  ),
  showTo: oneOf('approver'),
  store: having('a store of @hooks/store', 'append', 'read'),
};

/** @throws HooksError `CONFIG_INVALID` if the key of a store is missing */
export function vaultOf(
  guard: string,
  keyName: string,
  { reveal, store }: RevealOptions,
  key: string | Uint8Array | undefined,
  owns: Owns,
): Vault | undefined {
  if (store !== undefined && key === undefined)
    refuse(guard, `store needs ${keyName}, with which the values are encrypted`);
  return reveal === undefined ? undefined : new Vault(store, key, owns);
}

function isPath(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  const fields = name.split('.');
  return !fields.includes('') && !fields.includes('*');
}

/** Registers the hooks that give a tool the values of placeholders. */
export function registerReveal(hooks: HookRegistrar, options: RevealOptions, vault: Vault, owns: Owns): void {
  for (const [tool, names] of Object.entries(options.reveal ?? {}))
    hooks.on(
      BeforeToolCall.matching(tool),
      async (call) => {
        const wanted = placeholdersIn(call.input, names, owns);
        if (wanted.size === 0) return proceed();
        // Also where all are known here: another process may have given one of them to another value.
        await vault.load(call.session);
        const values = new Map<string, string>();
        for (const placeholder of wanted) {
          const value = memoryOf(call.session).secrets.get(placeholder);
          if (value === undefined)
            return block(
              `Blocked (reveal): the value of ${placeholder} is not known here. Ask the user for it.`,
            );
          values.set(placeholder, value);
        }
        const own = concealing(values, names, options.showTo);
        return modify({ concealed: call.concealed === undefined ? own : both(call.concealed, own) });
      },
      // Behind what other hooks make of the input.
      { id: `reveal:${tool}`, priority: -1000, allowUnknown: true },
    );
}

function concealing(
  values: ReadonlyMap<string, string>,
  names: readonly string[],
  showTo?: 'approver',
): Concealed {
  const hidden = [...values]
    .flatMap(([placeholder, value]) => formsOf(value).map((form) => [placeholder, form] as const))
    .sort(([, a], [, b]) => b.length - a.length);
  return {
    reveal: (input) =>
      mapArguments(input, names, (text) => text.replace(PLACEHOLDERS, (one) => values.get(one) ?? one)),
    hide: (value) =>
      mapTexts(value, (text) =>
        hidden.reduce((left, [placeholder, own]) => left.replaceAll(own, () => placeholder), text),
      ),
    ...(showTo && { showTo }),
  };
}

/** How guards and tools quote a value: as it is, in JSON and in a URL. */
function formsOf(value: string): readonly string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

/** What is concealed for two reasons is shown only where both permit it. */
function both(first: Concealed, second: Concealed): Concealed {
  const shown = first.showTo === 'approver' && second.showTo === 'approver';
  return {
    reveal: (input) => second.reveal(first.reveal(input)),
    hide: (value) => first.hide(second.hide(value)),
    ...(shown && { showTo: 'approver' }),
  };
}

function placeholdersIn(input: unknown, names: readonly string[], owns: Owns): ReadonlySet<string> {
  const found = new Set<string>();
  mapArguments(input, names, (text) => {
    for (const [placeholder, rule = ''] of text.matchAll(PLACEHOLDERS))
      if (owns(rule)) found.add(placeholder);
    return text;
  });
  return found;
}

/** Maps the texts of the named arguments. */
function mapArguments(input: unknown, names: readonly string[], map: (text: string) => string): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([name, value]) => {
    if (names.includes(name)) return [name, mapTexts(value, map)] as const;
    const within = names.flatMap((path) =>
      path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
    );
    if (within.length === 0) return [name, value] as const;
    const mapped = Array.isArray(value)
      ? value.map((item) => mapArguments(item, within, map))
      : mapArguments(value, within, map);
    return [name, mapped] as const;
  });
  return Object.fromEntries(entries);
}
