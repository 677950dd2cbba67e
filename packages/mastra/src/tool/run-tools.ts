import type { Tools } from '../agent.ts';
import { type ApprovalParts, asksByItself } from '../approval/own-approval.ts';
import { modelName } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { HookedTool } from './call.ts';
import { hookAll, hookAs, hookedTool } from './hook-tool.ts';

/** A tool of a run: a hooked copy, or one that Mastra created itself. */
type RunTool = HookedTool | ApprovalParts;

/** The tools of one run of an agent, by the names that the model sees. */
export class RunTools {
  readonly #registries: Registries;
  readonly #run: () => HookedRun | undefined;
  readonly #tools: Map<string, RunTool> = new Map();
  readonly #names: Map<string, string> = new Map();
  /** The tools that the current step brings. */
  #brought: ReadonlyMap<string, HookedTool> = new Map();

  /** @param run finds the current record of the run, which may have been replaced since it paused */
  constructor(registries: Registries, run: () => HookedRun | undefined) {
    this.#registries = registries;
    this.#run = run;
  }

  /** Hooked copies of tools. */
  hook<R extends Tools>(tools: R): R {
    const copies = hookAll(tools, this.#registries, modelName);
    this.note(copies);
    return copies;
  }

  /** Stores the hooked copies that the agent has listed. */
  note(copies: Tools): void {
    for (const [key, copy] of Object.entries(copies)) {
      const hooked = hookedTool(copy);
      if (hooked !== undefined) this.#tools.set(modelName(key), hooked);
    }
  }

  /** The hooked copies of tools that one step of the run brings. */
  hookStep(tools: Tools): Tools {
    const siblings = new Map<string, HookedTool>();
    const copies = Object.entries(tools).map(([name, tool]): [string, object] => [
      name,
      hookAs(tool, name, this.#registries, siblings, this.#run),
    ]);
    this.#brought = siblings;
    return Object.fromEntries(copies);
  }

  /** Stores all tools of a run or of one of its steps. A model may call each by its id, too. */
  noteIds(tools: Readonly<Record<string, unknown>>): void {
    this.#names.clear();
    for (const [name, tool] of Object.entries(tools)) {
      const { id }: { readonly id?: unknown } = Object(tool);
      const isOther = typeof id === 'string' && !Object.hasOwn(tools, id);
      if (isOther && !this.#names.has(id)) this.#names.set(id, name);
    }
  }

  /** The name of the tool with that name or id. */
  nameOf(called: string): string {
    return this.#names.get(called) ?? called;
  }

  /** Stores a tool that Mastra created itself. It may have replaced a hooked one of the same name. */
  noteMade(toolName: string, tool: ApprovalParts): void {
    this.#tools.set(toolName, tool);
  }

  /** The registries that hook any of the tools. */
  get registries(): readonly Registries[] {
    return [...this.#tools.values()].flatMap((tool) => hookedOf(tool)?.setup.registries ?? []);
  }

  /** The hooked tool with that name. */
  get(toolName: string): HookedTool | undefined {
    return hookedOf(this.#of(toolName));
  }

  /** Whether the run has a tool of that name. */
  has(toolName: string): boolean {
    return this.#of(toolName) !== undefined;
  }

  /** The approval setting of the tool with that name, whether it is hooked or Mastra's own. */
  approvalOf(toolName: string): ApprovalParts | undefined {
    const tool = this.#of(toolName);
    return tool instanceof HookedTool ? tool.setup.tool : tool;
  }

  /** Whether any of them requires approval by itself. */
  get mayAsk(): boolean {
    return [...this.#tools.keys()].some((name) => asksByItself(this.approvalOf(name) ?? {}));
  }

  #of(toolName: string): RunTool | undefined {
    return this.#brought.get(toolName) ?? this.#tools.get(toolName);
  }
}

function hookedOf(tool: RunTool | undefined): HookedTool | undefined {
  return tool instanceof HookedTool ? tool : undefined;
}
