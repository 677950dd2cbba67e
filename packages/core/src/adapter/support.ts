import type { RefusedForm } from '../blocked.ts';
import type { ToolKind } from '../event/catalogue/groups.ts';

/**
 * How an adapter supports something. `native`: the framework has a mechanism for it; `emulated`: the adapter does it
 * around the framework; `none`: not at all.
 */
export interface SupportCell {
  readonly level: 'native' | 'emulated' | 'none';
  /** How it is supported, or why not. */
  readonly note?: string | undefined;
}

/** What an adapter supports for one event. */
export interface EventSupport {
  /** Whether the event fires at all. */
  readonly fires: SupportCell;
  /** Set if what the event reports never happens in the framework. A hook on it misses nothing, so it gets a warning and is not refused. */
  readonly happens?: false;
  /** By decision: `block`, `retry`, and `modify.<field>` for each modifiable field. */
  readonly decisions?: { readonly [decision: string]: SupportCell };
  /** Differences by field. `none`: the field is missing, or differs from the other adapters. */
  readonly fields?: { readonly [field: string]: SupportCell };
  /** By kind of tool, for tool events. */
  readonly tools?: { readonly [Kind in ToolKind]?: SupportCell };
  /** Differences by kind, for example by the `switchKind` of `agent_switch`. */
  readonly kinds?: { readonly [kind: string]: SupportCell };
  /** Differences in streamed runs, by `fires` or decision. */
  readonly streamed?: { readonly [decision: string]: SupportCell };
}

/** Everything that an adapter supports, by event type. The conformance suite proves it, and the docs show it. */
export interface SupportTable {
  /** The adapter's package. */
  readonly adapter: string;
  readonly events: { readonly [eventType: string]: EventSupport };
  /** The forms in which a run ends that a hook ends. Not set: the adapter sees no runs. */
  readonly refused?: { readonly [Form in RefusedForm]: SupportCell };
}

/** What an adapter declares to a registry that it attaches. */
export interface AdapterDeclaration {
  /** What the adapter supports. */
  readonly supports: SupportTable;
  /** The names of the tools that the hooks will be asked about. */
  readonly tools?: readonly string[] | undefined;
}

/** Supported by a mechanism of the framework. */
export const native = (note?: string): SupportCell => ({ level: 'native', note });
/** Supported by the adapter, around the framework. */
export const emulated = (note?: string): SupportCell => ({ level: 'emulated', note });
/** Not supported, and why. */
export const none = (note: string): SupportCell => ({ level: 'none', note });
/** An event that fires by emulation and permits no decision. */
export const observed = (note: string): EventSupport => ({ fires: emulated(note) });
