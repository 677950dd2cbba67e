import { type Session, SubagentStart, SubagentStop } from '@hooks/core';
import type { Invocation } from './definition.ts';
import type { Attached } from './options.ts';
import { common, inScope, openScope, type Scope } from './scope.ts';
import { parseInput } from './translate.ts';

/** The run of an agent as a tool was interrupted: the SDK will invoke the tool again with the state of that run. */
export class SubagentPaused extends Error {
  readonly output: unknown;

  constructor(output: unknown) {
    super('The run of the agent as a tool was interrupted.');
    this.output = output;
  }
}

/**
 * Runs an agent as a tool in a scope and a session of its own. `SubagentStart` is fired when the agent is known, see
 * {@link announceSubagent}.
 *
 * @throws SubagentPaused
 */
export async function runSubagent(
  attached: Attached,
  scope: Scope | undefined,
  { input, details }: Invocation,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const callId = details?.toolCall?.callId ?? crypto.randomUUID();
  const { hooks } = attached;
  const child = scope?.children.get(callId) ?? childOf(attached, scope, callId, parseInput(input));
  scope?.children.set(callId, child);
  let paused = false;
  try {
    const output = await inScope(child, run);
    paused = output === '' && !child.ended && child.stop === undefined;
    if (paused) throw new SubagentPaused(output);
    const started = announced.get(child);
    if (started !== undefined)
      await hooks.dispatch(SubagentStop, {
        ...(scope === undefined ? { session: child.session.parent ?? child.session } : common(scope)),
        subagent: started,
        subagentSession: child.session.id,
        response: typeof output === 'string' ? output : JSON.stringify(output),
        ...(child.lastUserMessage !== undefined && { lastUserMessage: child.lastUserMessage }),
      });
    return output;
  } finally {
    if (!paused) {
      scope?.children.delete(callId);
      child.session.endRun(child.run);
      await child.session.close();
    }
  }
}

const announced: WeakMap<Scope, string> = new WeakMap();
const parents: WeakMap<Scope, Scope> = new WeakMap();

function childOf(attached: Attached, scope: Scope | undefined, callId: string, input: unknown): Scope {
  const { hooks } = attached;
  const session: Session = hooks.session(undefined, scope && { parent: scope.session });
  const child = openScope(attached, session, callId);
  child.lastUserMessage = kickOff(input);
  if (scope !== undefined) parents.set(child, scope);
  return child;
}

/** The text that an agent as a tool begins with: `input` of its default parameters, else all of them. */
function kickOff(input: unknown): string {
  const text: unknown =
    typeof input === 'object' && input !== null && 'input' in input ? input.input : undefined;
  return typeof text === 'string' ? text : JSON.stringify(input);
}

/** Fires `SubagentStart` in the parent's session, once, when the SDK first asks the sub-agent for its tools. */
export async function announceSubagent(child: Scope, name: string): Promise<void> {
  const parent = parents.get(child);
  if (announced.has(child)) return;
  announced.set(child, name);
  if (parent === undefined) return;
  await parent.attached.hooks.dispatch(SubagentStart, {
    ...common(parent),
    subagent: name,
    subagentSession: child.session.id,
  });
}
