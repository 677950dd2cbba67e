import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  originalTool,
  type ToolKind,
  UserPromptSubmit,
} from '@hooks/core';
import { Attachment } from '@hooks/core/adapter';
import { asksItself } from '../approval/decision.ts';
import {
  isAgentTool,
  isFunctionTool,
  type SdkAgent,
  type SdkContext,
  type SdkFunctionTool,
  type SdkState,
  type SdkTool,
  toolSlotsOf,
} from '../internals.ts';
import { hookModel } from '../model/hooked-model.ts';
import type { Registries } from '../options.ts';
import { currentRun } from '../run/hooked-run.ts';
import { supports } from '../supports.ts';
import { type HookedTool, hook, hookedToolOf } from './call.ts';
import { guardToolUse } from './final-output.ts';
import { hookedSearch, refuseUnseen } from './other-tools.ts';

/*
 * The SDK keeps the agent behind an agent-as-tool to itself, copies sandbox agents in each turn, and resolves MCP tools
 * late. All agents hand out their tools through one method, `getAllTools`; so that is where tools are hooked. It is
 * changed once per class, and does nothing for agents that are not attached in runs that are not hooked.
 */

/** An agent under hooks: who hooks it, and the hooked copies of its tools. */
class HookedAgent {
  readonly agent: SdkAgent;
  attached: Registries = Attachment.none;
  /** Its function tools, hooked, by what it was given. */
  readonly #known: WeakMap<SdkFunctionTool, HookedTool> = new WeakMap();
  /** What takes the place of its other tools. */
  readonly #others: WeakMap<SdkTool, SdkTool> = new WeakMap();
  /** Its tools in each run, by the run's context: the SDK asks for each context anew which of them are enabled. */
  readonly #tools: WeakMap<object, readonly SdkTool[]> = new WeakMap();

  constructor(agent: SdkAgent) {
    this.agent = agent;
    this.#listen();
  }

  /** The tools, with a hooked copy in place of each tool that hooks apply to. Returns the same copies each time. */
  async hook(tools: readonly SdkTool[], context: SdkContext | undefined): Promise<readonly SdkTool[]> {
    this.#tools.set(context ?? this, tools);
    const hooked: SdkTool[] = [];
    for (const tool of tools)
      hooked.push(isFunctionTool(tool) ? await this.hookOne(tool, context) : this.#otherTool(tool, context));
    return hooked;
  }

  /** @param found a tool that was found stays the same for all turns, so it is hooked whether hooks concern it now or not */
  async hookOne(
    tool: SdkFunctionTool,
    context: SdkContext | undefined,
    found?: { readonly kind?: ToolKind },
  ): Promise<SdkFunctionTool> {
    const hooked = this.#hookedOf(tool, found?.kind);
    hooked.asks = await asksItself(hooked.tool, context);
    const { asks, registries } = hooked;
    if (found === undefined && !hooked.isConcerned(registries)) return tool;
    // Only where approval may be wanted: a policy that is a function has the SDK treat malformed arguments otherwise.
    return hooked.copy(asks || (registries.isNative && registries.concerns(tool.name)));
  }

  /** A tool that is no function: a search's finds are hooked, of other tools hooks do not hear. */
  #otherTool(tool: SdkTool, context: SdkContext | undefined): SdkTool {
    const registries = currentRun()?.hookedBy.around(this.attached) ?? this.attached;
    refuseUnseen(tool, registries, this.agent.name);
    const known = this.#others.get(tool);
    if (known !== undefined) return known;
    const search = hookedSearch(tool, async (found) =>
      isFunctionTool(found) ? this.hookOne(found, context, { kind: 'function' }) : found,
    );
    this.#others.set(tool, search);
    return search;
  }

  #hookedOf(tool: SdkFunctionTool, kind?: ToolKind): HookedTool {
    const known = this.#known.get(tool);
    if (known !== undefined) return known;
    const hooked = hook(tool, Attachment.none, {
      agent: this.agent,
      kind: isAgentTool(tool) ? 'agent' : (kind ?? this.#kindOf(tool)),
      attached: () => this.attached,
      sibling: (name, context) => this.#sibling(name, context),
    });
    this.#known.set(tool, hooked);
    hooked.registries.declare({ supports, tools: [tool.name] });
    return hooked;
  }

  /** What kind of tool a function tool is: those that the agent was not given itself come from MCP servers. */
  #kindOf(tool: SdkFunctionTool): ToolKind {
    const original = originalTool(tool);
    return this.agent.tools.some((own) => originalTool(own) === original) ? 'function' : 'mcp';
  }

  #sibling(name: string, context: SdkContext | undefined): HookedTool | undefined {
    // Of several tools of one name the SDK runs the last.
    const found = this.#tools.get(context ?? this)?.findLast((other) => other.name === name);
    return found && isFunctionTool(found) ? this.#hookedOf(found) : undefined;
  }

  /** Tells runs of the agent's handoffs, and of the end of an agent as a tool: an interrupted one and a mute one look alike. */
  #listen(): void {
    const { agent } = this;
    agent.on('agent_end', (context) => {
      const run = currentRun();
      if (run?.context === context) run.ended = 'normal';
    });
    agent.on('agent_handoff', (context, next) => {
      const run = currentRun();
      if (run === undefined || run.context !== context) return;
      const models = typeof agent.model === 'string' && agent.model !== '' ? [{ model: agent.model }] : [];
      run.waitFor(run.switchAgent(next.name, { from: agent.name, switchKind: 'handoff', models }));
    });
  }
}

const agents: WeakMap<object, HookedAgent> = new WeakMap();

function hookedAgent(agent: SdkAgent): HookedAgent {
  let hooked = agents.get(agent);
  if (hooked === undefined) {
    hooked = new HookedAgent(agent);
    agents.set(agent, hooked);
  }
  return hooked;
}

/** Attaches hooks to an agent: later ones are outermost, the same ones once. */
export function attachTo(agent: SdkAgent, attached: Registries): void {
  reach(agent);
  const hooked = hookedAgent(agent);
  hooked.attached = attached.around(hooked.attached);
}

/** The registries that are attached to an agent. */
export function registriesOf(agent: SdkAgent): Registries {
  return agents.get(agent)?.attached ?? Attachment.none;
}

/** The registries that hook calls of an agent's tool, whoever runs the agent. */
export function standingOf(agent: SdkAgent, toolName: string | undefined): Registries {
  // Of several tools of one name the SDK runs the last.
  const tool = agent.tools.findLast(({ name }) => name === toolName);
  const own = tool && isFunctionTool(tool) ? hookedToolOf(tool)?.standing : undefined;
  return registriesOf(agent).around(own ?? Attachment.none);
}

/** Hooks the tools that a state keeps, in place: it may have been made before the hooks were attached. */
export async function hookToolsOf(state: SdkState): Promise<void> {
  const { _currentAgent: current, _context: context } = state;
  const bare = toolSlotsOf(state).filter(({ tool }) => hookedToolOf(tool)?.place.agent === undefined);
  if (bare.length === 0) return;
  reach(current);
  // It tells which tools the agent has, to which hooks may rename a call.
  await Reflect.apply(current.getAllTools, current, [context]);
  for (const { agent, tool, replace } of bare) replace(await hookedAgent(agent).hookOne(tool, context, {}));
}

/** Makes the agents of this one's class reachable for the hooks of runs. */
export function reach(agent: SdkAgent): void {
  if (isOurs(agent.getAllTools) && isOurs(agent.clone)) return;
  replaceMethod(agent, 'getAllTools', hookedGetAllTools);
  replaceMethod(agent, 'getEnabledHandoffs', reachingGetEnabledHandoffs);
  replaceMethod(agent, 'clone', attachedClone);
}

type Method = (this: SdkAgent, ...args: never[]) => unknown;

/** What a method of ours calls; each copy of this package has a symbol of its own. */
const OURS = Symbol('hooks.method');
/** The same, for all copies. */
const ORIGINAL = '~hooks.original';

/** Replaces a method where it is defined: in the agent's class, in the classes above it, or in the agent itself. */
function replaceMethod(agent: object, name: string, make: (original: Method) => Method): void {
  for (let owner: object | null = agent; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const original: Method | undefined = descriptor?.value;
    if (original === undefined || isReplaced(original)) continue;
    const value = Object.assign(make(original), { [ORIGINAL]: original, [OURS]: true });
    Object.defineProperty(owner, name, { ...descriptor, value });
  }
}

function isOurs(method: object): boolean {
  return Object.hasOwn(method, OURS);
}

/** Whether the method calls one of ours, perhaps by that of another copy of this package. */
function isReplaced(method: Method): boolean {
  for (let inner: Method | undefined = method; inner !== undefined; inner = Reflect.get(inner, ORIGINAL))
    if (isOurs(inner)) return true;
  return false;
}

function hookedGetAllTools(original: Method): Method {
  return async function getAllTools(...args) {
    const tools = (await original.apply(this, args)) as readonly SdkTool[];
    const run = currentRun();
    const attached = registriesOf(this);
    if (run === undefined && attached.isEmpty) return tools;
    const context: SdkContext | undefined = args[0];
    const own = run?.owns(context, this.name) === true ? run : undefined;
    // A bare runner would run the agent past hooks that may refuse; so it does not run it at all.
    attached
      .without(own?.hookedBy ?? Attachment.none)
      .refuseUnasked(
        { points: [UserPromptSubmit, BeforeRun, BeforeModelCall, AfterModelCall], agent: this.name },
        `a run of the agent "${this.name}" without a hooked runner`,
        'run it with `hookedRunner(runner, hooks)`',
      );
    const hooked = hookedAgent(this);
    if (run !== undefined) {
      guardToolUse(this);
      // A model of its own, which may be given to it at any time, would bypass the runner's provider.
      if (typeof this.model === 'object') this.model = hookModel(this.model);
    }
    if (own !== undefined) {
      own.agent = this.name;
      await own.beginOnce(this.name);
    }
    return hooked.hook(tools, context);
  };
}

/**
 * The SDK asks an agent for its handoffs right before its tools: one whose own class hands out tools in its own way, and
 * that a run meets only as a handoff's target or as a tool, is reached there.
 */
function reachingGetEnabledHandoffs(original: Method): Method {
  return function getEnabledHandoffs(...args) {
    if (!isOurs(this.getAllTools)) reach(this);
    return original.apply(this, args);
  };
}

function attachedClone(original: Method): Method {
  return function clone(...args) {
    const copy = original.apply(this, args) as SdkAgent;
    const own = agents.get(this)?.attached;
    if (own !== undefined) hookedAgent(copy).attached = own;
    return copy;
  };
}
