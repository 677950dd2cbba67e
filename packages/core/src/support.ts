import type { Registration } from './chain.ts';
import { HooksError } from './error.ts';
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
  { supports, allowUnsupported }: Attachment,
  warn: (message: string) => void,
): void {
  const { type, permits } = hook.spec;
  const fires = supports.events[type]?.fires;
  if (fires?.level !== 'none') return; // a custom event, of which the table says nothing, is for who dispatches it
  const why = fires.note ?? 'the framework has no such point';
  const text = `${supports.adapter} cannot honour the hook "${hook.id}" on ${type}: ${why}.`;
  const refuses =
    hook.verb === 'guard' || (hook.verb === 'on' && permits.some((decision) => decision !== 'modify'));
  if (!refuses || allowUnsupported?.includes(type)) warn(text);
  else
    throw new HooksError(
      'UNSUPPORTED_EVENT',
      `${text} List "${type}" in allowUnsupported to register it all the same.`,
      { hook: hook.id, event: type },
    );
}
