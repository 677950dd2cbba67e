import type { Registration } from '../chain.ts';
import { fail } from '../error.ts';
import type { Attachment } from './support.ts';
import { type UnmatchedHook, unmatchedHooks } from './unmatched.ts';

/** The adapters that a registry is attached to. */
export class AttachedAdapters {
  readonly #attachments: Map<string, Attachment> = new Map();
  readonly #warn: (message: string) => void;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** @throws HooksError `UNSUPPORTED_EVENT` where a hook is registered that would never be obeyed there */
  add(attachment: Attachment, hooks: readonly Registration[]): void {
    for (const hook of hooks) this.#check(hook, attachment);
    this.#attachments.set(attachment.supports.adapter, attachment);
  }

  /** @throws HooksError `UNSUPPORTED_EVENT` where the hook would never be obeyed in one of them */
  admit(hook: Registration): void {
    for (const attachment of this.#attachments.values()) this.#check(hook, attachment);
  }

  /** Those of the hooks whose matcher meets no tool of any of them. */
  unmatched(hooks: readonly Registration[]): readonly UnmatchedHook[] {
    return unmatchedHooks(
      hooks,
      [...this.#attachments.values()].flatMap(({ tools }) => tools ?? []),
    );
  }

  /** A hook that may refuse, on an event that never fires there, would never be obeyed; others are warned of. */
  #check({ info: { id, verb }, spec }: Registration, { supports, allowUnsupported = [] }: Attachment): void {
    const { type } = spec;
    const fires = supports.events[type]?.fires;
    // Of a custom event the table says nothing: it is for who dispatches it.
    if (fires?.level !== 'none') return;
    const message = `${supports.adapter} cannot honour hook "${id}" on ${type}: ${fires.note}`;
    const refuses = verb !== 'observe' && spec.permits.some((kind) => kind !== 'modify');
    if (refuses && !allowUnsupported.includes(type))
      fail('UNSUPPORTED_EVENT', `${message} (or list it in allowUnsupported)`, { hook: id, event: type });
    this.#warn(message);
  }
}
