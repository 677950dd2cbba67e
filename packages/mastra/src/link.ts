import type { CallToken, Hooks } from '@hooks/core';
import { type CallContext, callIdOf, sharedObject } from './context.ts';
import type { Run } from './run.ts';

/** What the native hook of a call leaves for the hooked tool: a wrapper inside an agent sees parsed input only. */
export interface Link {
  readonly hooks: Hooks;
  readonly run: Run;
  /** The key under `tools`. */
  readonly toolName: string;
  readonly callId: string | undefined;
  /** What the model sent, or what hooks that stand further out have made of it. */
  input: unknown;
  /** The hooked tool has taken the call over. */
  reached: boolean;
  /** The call was begun in the native hook. */
  token?: CallToken | undefined;
  /** The tool has paused: there is no result yet. */
  suspended?: boolean;
}

const links: WeakMap<object, Link[]> = new WeakMap();

/** Leaves a link for the call of this context. */
export function leaveLink(context: CallContext | undefined, link: Link): void {
  const shared = sharedObject(context);
  if (shared === undefined) return;
  const others = links
    .get(shared)
    ?.filter((other) => other.hooks !== link.hooks || other.callId !== link.callId);
  links.set(shared, [...(others ?? []), link]);
}

/** The link of the call of this context, if its native hook ran. */
export function linkOf(hooks: Hooks, context: CallContext | undefined): Link | undefined {
  const shared = sharedObject(context);
  if (shared === undefined) return undefined;
  const callId = callIdOf(context);
  return links.get(shared)?.find((link) => link.hooks === hooks && link.callId === callId);
}

/** Other hooks of the call, further in, take this for what the model sent. */
export function passOn(context: CallContext | undefined, input: unknown): void {
  const shared = sharedObject(context);
  const callId = callIdOf(context);
  for (const link of (shared && links.get(shared)) ?? [])
    if (link.callId === callId && !link.reached) link.input = input;
}
