import type { ToolKind } from '../event/catalogue/groups.ts';

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
  /** What differs by field: one with `none` is not told, or not as the other adapters tell it. */
  readonly fields?: { readonly [field: string]: SupportCell };
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

/** What an adapter tells when it is attached. */
export interface Attachment {
  /** What the adapter can and cannot do. */
  readonly supports: SupportTable;
  /** Event types that may be registered all the same. */
  readonly allowUnsupported?: readonly string[];
  /** Names of the agent's tools. */
  readonly tools?: readonly string[];
}
