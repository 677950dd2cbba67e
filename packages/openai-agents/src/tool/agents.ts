import { AgentSwitch } from '@hooks/core';
import { settleRefused } from '../approval/rejected.ts';
import type { SdkAgent, SdkContext, SdkTool } from '../internals.ts';
import { hookModel } from '../model/hooked-model.ts';
import type { Attached } from '../options.ts';
import { RunBlockedError, refusalsOf } from '../run/blocked.ts';
import { common, currentScopes, isOf, type Scope } from '../run/scope.ts';
import { announceSubagent } from '../run/subagent.ts';
import { checkBareRun } from '../run/unhooked-run.ts';
import { Layer } from './agent-tools.ts';
import { guardToolUse } from './final-output.ts';

/*
 * The SDK keeps the agent behind an agent-as-tool to itself, copies sandbox agents in each turn, and resolves MCP tools
 * late. All agents hand out their tools through one method, `getAllTools`; so that is where tools are hooked. It is
 * changed once per class, and does nothing for agents that are not attached in runs that are not hooked.
 */

/** What is kept of an agent; made at first use. */
interface Reached {
  attached: readonly Attached[];
  /** Its tools as each registry of hooks has them. */
  readonly layers: WeakMap<Attached, Layer>;
  /** Whether its handoffs are listened to, and whether the end of its runs is. */
  handoffsHeard: boolean;
  endHeard: boolean;
}

const agents: WeakMap<object, Reached> = new WeakMap();
const NONE: readonly Attached[] = [];

function reachedOf(agent: object): Reached {
  let reached = agents.get(agent);
  if (reached === undefined) {
    reached = { attached: NONE, layers: new WeakMap(), handoffsHeard: false, endHeard: false };
    agents.set(agent, reached);
  }
  return reached;
}

/** Attaches hooks to an agent: later ones are outermost, the same ones once. */
export function attachTo(agent: SdkAgent, attached: Attached): void {
  reach(agent);
  const reached = reachedOf(agent);
  if (reached.attached.some(({ hooks }) => hooks === attached.hooks)) return;
  reached.attached = [...reached.attached, attached];
}

/** Makes the agents of this one's class reachable for the hooks of runs. */
export function reach(agent: SdkAgent): void {
  if (replaced.has(agent.getAllTools) && replaced.has(agent.clone)) return;
  replaceMethod(agent, 'getAllTools', hookedGetAllTools);
  replaceMethod(agent, 'getEnabledHandoffs', reachingGetEnabledHandoffs);
  replaceMethod(agent, 'clone', attachedClone);
}

/** The hooks that apply to an agent in the run that goes on, innermost first. */
function attachedTo(own: readonly Attached[], scopes: readonly Scope[]): readonly Attached[] {
  const ofRun = scopes.map(({ attached }) => attached);
  if (own.length === 0) return ofRun;
  const chosen = own.map((attached) => {
    const inRun = ofRun.find(({ hooks }) => hooks === attached.hooks);
    // Who approves is said by the run, or else by whoever has attached the agent.
    return inRun?.options.approval === undefined ? attached : inRun;
  });
  return [...chosen, ...ofRun.filter(({ hooks }) => own.every((attached) => attached.hooks !== hooks))];
}

type Method = (this: SdkAgent, ...args: never[]) => unknown;
const replaced: WeakSet<Method> = new WeakSet();
const ORIGINAL = '~hooks.original';

/** Replaces a method where it is defined: in the agent's class, in the classes above it, or in the agent itself. */
function replaceMethod(agent: object, name: string, make: (original: Method) => Method): void {
  for (let owner: object | null = agent; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const original: Method | undefined = descriptor?.value;
    if (original === undefined || isReplaced(original)) continue;
    const method = Object.assign(make(original), { [ORIGINAL]: original });
    replaced.add(method);
    Object.defineProperty(owner, name, { ...descriptor, value: method });
  }
}

/** Whether the method calls one of ours, perhaps by that of another copy of this package. */
function isReplaced(method: Method): boolean {
  for (let inner: Method | undefined = method; inner !== undefined; inner = Reflect.get(inner, ORIGINAL))
    if (replaced.has(inner)) return true;
  return false;
}

function hookedGetAllTools(original: Method): Method {
  return function getAllTools(...args) {
    const tools = original.apply(this, args) as Promise<readonly SdkTool[]>;
    const scopes = currentScopes();
    const own = agents.get(this)?.attached ?? NONE;
    const context: SdkContext | undefined = args[0];
    const plain = scopes.length + own.length === 0 && stopOf(scopes, context) === undefined;
    return plain ? tools : hookedTools(this, tools, own, scopes, context);
  };
}

/**
 * Why hooks have ended a run that is not hooked, and goes on nevertheless: after a handoff of the same turn or a person's no
 * the agent's `toolUseBehavior` is not asked. Here is the last step before its model is called.
 */
function stopOf(scopes: readonly Scope[], context: SdkContext | undefined): string | undefined {
  if (scopes.length > 0) return scopes.find(({ bare, stop }) => bare && stop !== undefined)?.stop;
  return context && refusalsOf(context).stop;
}

/**
 * The SDK asks an agent for its handoffs right before its tools: one whose own class hands out tools in its own way, and
 * that a run meets only as a handoff's target or as a tool, is reached there.
 */
function reachingGetEnabledHandoffs(original: Method): Method {
  return function getEnabledHandoffs(...args) {
    if (!replaced.has(this.getAllTools)) reach(this);
    return original.apply(this, args);
  };
}

async function hookedTools(
  agent: SdkAgent,
  tools: Promise<readonly SdkTool[]>,
  own: readonly Attached[],
  scopes: readonly Scope[],
  context: SdkContext | undefined,
): Promise<readonly SdkTool[]> {
  let hooked = await tools;
  const all = attachedTo(own, scopes);
  for (const attached of own)
    if (!scopes.some((scope) => scope.attached.hooks === attached.hooks && isOf(scope, context, agent.name)))
      checkBareRun(agent.name, attached);
  if (own.length > 0 || scopes.some(({ begun }) => begun !== undefined)) await settleRefused(scopes, context);
  const stop = stopOf(scopes, context);
  if (stop !== undefined) throw new RunBlockedError(stop);
  const reached = reachedOf(agent);
  hearHandoffs(agent, reached);
  guardToolUse(agent);
  // A model of its own, which may be given to it at any time, would bypass the runner's provider.
  if (typeof agent.model === 'object') agent.model = hookModel(agent.model);
  for (const scope of scopes) {
    if (!isOf(scope, context, agent.name)) continue;
    scope.agent = agent.name;
    if (scope.inside === undefined) continue;
    hearEnd(agent, reached);
    await announceSubagent(scope, scope.inside.scope, agent.name);
  }
  for (const attached of all) hooked = await layerOf(agent, reached, attached).hook(hooked, context);
  return hooked;
}

function attachedClone(original: Method): Method {
  return function clone(...args) {
    const copy = original.apply(this, args) as object;
    const own = agents.get(this)?.attached;
    if (own !== undefined) reachedOf(copy).attached = own;
    return copy;
  };
}

function layerOf(agent: SdkAgent, { layers }: Reached, attached: Attached): Layer {
  let layer = layers.get(attached);
  if (layer === undefined) {
    layer = new Layer(agent, attached);
    layers.set(attached, layer);
  }
  return layer;
}

/** Notes when an agent as a tool has come to its end: the SDK does not tell an interrupted one from one that is mute. */
function hearEnd(agent: SdkAgent, reached: Reached): void {
  if (reached.endHeard) return;
  reached.endHeard = true;
  agent.on('agent_end', (context) => {
    for (const scope of currentScopes()) if (scope.context === context) scope.ended = 'normal';
  });
}

/** Fires `AgentSwitch` for an agent's handoffs. */
function hearHandoffs(agent: SdkAgent, reached: Reached): void {
  if (reached.handoffsHeard) return;
  reached.handoffsHeard = true;
  agent.on('agent_handoff', (context, next) => {
    for (const scope of currentScopes()) {
      if (scope.context !== context) continue;
      const fired = scope.attached.hooks.dispatch(AgentSwitch, {
        ...common(scope),
        agent: agent.name,
        from: agent.name,
        to: next.name,
        switchKind: 'handoff',
        models: typeof agent.model === 'string' && agent.model !== '' ? [{ model: agent.model }] : [],
      });
      scope.pending.push(Promise.resolve(fired));
    }
  });
}
