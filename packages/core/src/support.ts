import type { Registration } from './chain.ts';
import { fail } from './error.ts';
import type { ToolKind } from './events/groups.ts';
import type { Attachment } from './hooks.ts';

/**
 * How far an adapter can honour something: `native` by a mechanism that the framework has for it, `emulated` by the
 * adapter around the framework, `none` not at all.
 */
export interface SupportCell {
  readonly level: 'native' | 'emulated' | 'none';
  /** How, or why not. */
  readonly note?: string;
}

/** What an adapter can do with one event. */
export interface EventSupport {
  /** Whether the event fires at all. */
  readonly fires: SupportCell;
  /** By decision: `block`, `retry`, and `modify.<field>` for each modifiable field. */
  readonly decisions?: { readonly [decision: string]: SupportCell };
  /** By kind of tool, for tool events. */
  readonly tools?: { readonly [Kind in ToolKind]?: SupportCell };
  /** What differs by kind, where the event tells one: by the `switchKind` of `agent_switch`. */
  readonly kinds?: { readonly [kind: string]: SupportCell };
  /** What differs where the run is streamed, by `fires` or decision. */
  readonly streamed?: { readonly [decision: string]: SupportCell };
}

/** Everything that an adapter can and cannot do, by event type: proved by conformance, shown in the README. */
export interface SupportTable {
  /** The adapter's package. */
  readonly adapter: string;
  readonly events: { readonly [eventType: string]: EventSupport };
}

/**
 * Holds a hook against what an adapter can do: one that may refuse, on an event that never fires there, would never be
 * obeyed, and throws; others are warned of.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function checkSupport(
  hook: Registration,
  { supports, allowUnsupported = [] }: Attachment,
  warn: (message: string) => void,
): void {
  const { id, verb, spec } = hook;
  const { type } = spec;
  const fires = supports.events[type]?.fires;
  // Of a custom event the table says nothing: it is for who dispatches it.
  if (fires?.level !== 'none') return;
  const message = `${supports.adapter} cannot honour hook "${id}" on ${type}: ${fires.note}`;
  const refuses = verb !== 'observe' && spec.permits.some((kind) => kind !== 'modify');
  if (!refuses || allowUnsupported.includes(type)) warn(message);
  else
    fail('UNSUPPORTED_EVENT', `${message} (or list it in allowUnsupported)`, {
      hook: id,
      event: type,
    });
}
