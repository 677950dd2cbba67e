import type { BeforeToolCall } from '../event/catalogue/tool.ts';
import { namesOf } from '../match.ts';
import { decidingOf, type Member } from './members.ts';
import type { Capabilities, RenameTarget } from './types.ts';

/** A call whose tool a hook may replace. */
interface RenamableCall {
  readonly members: readonly Member[];
  readonly capabilities: Capabilities;
  readonly event: BeforeToolCall;
  readonly targetName: string | undefined;
  target: RenameTarget | undefined;
}

/** Replaces the tool of the call, or returns why not. */
export function rename(call: RenamableCall, toolName: string, event: BeforeToolCall): string | undefined {
  // A policy writes the user's name for a tool; the framework may know it by another.
  const names = new Set(call.members.flatMap(({ internal }) => namesOf(toolName, internal.options)));
  const isCalled = toolName === event.toolName || names.has(call.targetName ?? call.event.nativeToolName);
  if (isCalled && !isOther(call, toolName, event)) return undefined;
  if (call.target !== undefined) return 'the tool was already changed once';
  let why: string | undefined;
  for (const name of names) {
    const target = targetOf(call, name);
    if (typeof target === 'object') {
      // A hook may spell the name of the called tool in another way.
      if (target.name === call.event.nativeToolName) return undefined;
      // That was for the tool of its name, whose guards would not be asked.
      if (event.execute !== undefined)
        return 'a hook has already replaced what the call runs; give that hook a lower priority than this one';
      call.target = target;
      return undefined;
    }
    why ??= target;
  }
  return why;
}

/** Whether the agent has another tool of exactly that name: aliases may make several tools one for the hooks. */
function isOther(
  { capabilities, targetName, event: called }: RenamableCall,
  name: string,
  event: BeforeToolCall,
): boolean {
  const running = targetName ?? called.nativeToolName;
  if (name === event.toolName || name === running) return false;
  const found = capabilities.rename?.(name);
  return typeof found === 'object' && found.name !== running;
}

/**
 * The tool with that name, or why the call cannot run it: it keeps its own registries, approvers and principal, and the
 * framework treats it as a call of the tool that the model named.
 */
export function targetOf(call: RenamableCall, name: string): RenameTarget | string {
  const { rename: find } = call.capabilities;
  if (find === undefined) return 'the tool cannot be changed here';
  const target = find(name) ?? `the agent has no tool "${name}"`;
  if (typeof target === 'string') return target;
  const why = target.unenforced ?? whyHookedAgain(target) ?? whyOthersDecide(call, target);
  return why === undefined ? target : `"${name}" ${why}`;
}

const HOOKED_AGAIN: WeakSet<object> = new WeakSet();

/**
 * Notes that a tool, hooked together with others, is hooked once more. The model may be given that copy, so no call of the others
 * is renamed to the first one.
 *
 * @param hooked what a {@link RenameTarget} says of the first copy; `undefined` of a tool without hooks
 */
export function noteHookedAgain(hooked: object | undefined): void {
  if (hooked !== undefined) HOOKED_AGAIN.add(hooked);
}

function whyHookedAgain({ hooked }: RenameTarget): string | undefined {
  return hooked !== undefined && HOOKED_AGAIN.has(hooked)
    ? 'was hooked again since, and those hooks would not be asked'
    : undefined;
}

/** How hooks would decide otherwise, or hold back more, if the model called the tool. */
function whyOthersDecide({ members }: RenamableCall, { registries }: RenameTarget): string | undefined {
  for (const { internal, options } of decidingOf(registries)) {
    const member = members.find((one) => one.internal === internal);
    if (member === undefined) return 'has hooks of other registries, which would not be asked';
    const { approval, principal, holdStream } = member.options;
    const holdsMore = holdStream === false && options.holdStream !== false;
    if (approval !== options.approval || principal !== options.principal || holdsMore)
      return 'is hooked with other options, which would not count';
  }
  return undefined;
}
