import type { Hooks } from '@hooks/core';
import type { Run } from '../run/run.ts';
import { type CallContext, callIdOf, sharedObject } from './context.ts';

/** What the native hook of a call leaves for the hooked tool: a wrapper inside an agent sees parsed input only. */
export interface Link {
  readonly hooks: Hooks;
  readonly run: Run;
  /** The key under `tools`. */
  readonly toolName: string;
  /** The name under which the tool was hooked at its function; none where the native hooks are its gate. */
  readonly hookedAs: string | undefined;
  readonly callId: string | undefined;
  /** What the model sent, or what hooks that stand further out have made of it. */
  input: unknown;
  /** The hooked tool has taken the call over. */
  reached: boolean;
  /** The gate of a tool that is hooked nowhere else has taken the call over. */
  gated?: true;
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

/** Whether some hooks' copy of the tool has taken the call of this context over. */
export function isTaken(context: CallContext | undefined): boolean {
  const shared = sharedObject(context);
  const callId = callIdOf(context);
  return (shared && links.get(shared))?.some((link) => link.callId === callId && link.reached) === true;
}

/**
 * What a hooked tool is to the call whose context it is given: the tool that was called; one that other hooks, further
 * out, have put in its place; or one that is called from inside of it.
 */
export function claim(link: Link, name: string): 'called' | 'replacing' | 'inside' {
  const { reached, hookedAs, toolName, gated } = link;
  if (reached) return 'inside';
  if (name === (hookedAs ?? toolName)) {
    link.reached = true;
    return 'called';
  }
  if (gated) return 'inside';
  link.reached = true;
  return 'replacing';
}

/** Other hooks of the call, further in, take this for what the model sent. */
export function passOn(context: CallContext | undefined, input: unknown): void {
  const shared = sharedObject(context);
  const callId = callIdOf(context);
  for (const link of (shared && links.get(shared)) ?? [])
    if (link.callId === callId && !link.reached) link.input = input;
}
