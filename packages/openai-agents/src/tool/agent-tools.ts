import { originalTool, type ToolKind } from '@hooks/core';
import { concerns } from '@hooks/core/adapter';
import { asksItself } from '../approval/own-policy.ts';
import { approvalPolicy } from '../approval/policy.ts';
import { tellTools } from '../attachment.ts';
import {
  isAgentTool,
  isFunctionTool,
  type SdkAgent,
  type SdkFunctionTool,
  type SdkTool,
} from '../internals.ts';
import type { Attached } from '../options.ts';
import { HookedCalls } from './call.ts';
import { hookable, hookedCopy, isHooked } from './hooked-copy.ts';
import { hookedSearch } from './search.ts';
import { checkReach } from './unsupported.ts';

/** The tools of one agent as one registry of hooks has them. */
export class Layer {
  readonly #agent: SdkAgent;
  readonly #attached: Attached;
  readonly #calls: WeakMap<object, HookedCalls> = new WeakMap();
  readonly #searches: WeakMap<SdkTool, SdkTool> = new WeakMap();
  #tools: readonly SdkTool[] = [];

  constructor(agent: SdkAgent, attached: Attached) {
    this.#agent = agent;
    this.#attached = attached;
  }

  /** The tools with hooked copies in the place of those that hooks concern; the same copies each time. */
  async hook(tools: readonly SdkTool[], context: unknown): Promise<readonly SdkTool[]> {
    this.#tools = tools;
    const hooked: SdkTool[] = [];
    for (const tool of tools) {
      const calls = this.#callsOf(tool);
      if (calls === undefined) {
        hooked.push(isFunctionTool(tool) ? tool : this.#otherOf(tool, context));
        continue;
      }
      calls.asks = await asksItself(calls.tool, context);
      hooked.push(calls.concerned ? this.#copyOf(calls) : tool);
    }
    return hooked;
  }

  /** A tool that is no function: a search's finds are hooked, of other tools hooks do not hear. */
  #otherOf(tool: SdkTool, context: unknown): SdkTool {
    checkReach(tool, this.#attached, this.#agent.name);
    let search = this.#searches.get(tool);
    if (search === undefined) {
      search = hookedSearch(tool, (found) => this.#hookFound(found, context)) ?? tool;
      this.#searches.set(tool, search);
    }
    return search;
  }

  /** A tool that was found stays the same for all turns, so it is hooked whether hooks concern it now or not. */
  async #hookFound(found: SdkTool, context: unknown): Promise<SdkTool> {
    const calls = this.#callsOf(found, isAgentTool(found) ? 'agent' : 'function');
    if (calls === undefined) return found;
    calls.asks = await asksItself(calls.tool, context);
    return this.#copyOf(calls);
  }

  #copyOf(calls: HookedCalls): SdkFunctionTool {
    // Only where approval may be wanted: a policy that is a function has the SDK treat malformed arguments otherwise.
    const { hooks, options } = calls.attached;
    const policy = calls.asks || (options.approval === 'native' && concerns(hooks, calls.tool.name));
    if (!policy) {
      calls.copy ??= hookedCopy(calls);
      return calls.copy;
    }
    calls.asking ??= hookedCopy(calls, { needsApproval: approvalPolicy(calls) });
    return calls.asking;
  }

  /** The calls of a tool; undefined where it is none that runs in this process, or hooked inside of other hooks. */
  #callsOf(tool: SdkTool, kind?: ToolKind): HookedCalls | undefined {
    const known = this.#calls.get(tool);
    if (known !== undefined || !isFunctionTool(tool)) return known;
    const { tool: hooked, attached } = hookable(tool, this.#attached);
    if (isHooked(hooked, attached.hooks)) return undefined;
    const calls = new HookedCalls(hooked, attached, {
      agent: this.#agent,
      kind: kind ?? kindOf(tool, this.#agent),
      sibling: (name) => this.#sibling(name),
    });
    this.#calls.set(tool, calls);
    tellTools(attached, [tool.name]);
    return calls;
  }

  #sibling(name: string): HookedCalls | undefined {
    // Of several tools of one name the SDK runs the last.
    const found = this.#tools.findLast((other) => other.name === name);
    return found && this.#callsOf(found);
  }
}

/** What kind of tool an agent's function tool is: those that the agent was not given itself come from MCP servers. */
function kindOf(tool: SdkFunctionTool, agent: SdkAgent): ToolKind {
  if (isAgentTool(tool)) return 'agent';
  const original = originalTool(tool);
  return agent.tools.some((own) => originalTool(own) === original) ? 'function' : 'mcp';
}
