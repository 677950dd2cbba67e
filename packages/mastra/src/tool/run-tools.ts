import type { Tools } from '../agent.ts';
import type { ApprovalParts } from '../approval/own-approval.ts';
import { asksByItself } from '../approval/own-approval.ts';
import { modelName } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import type { HookedTool } from './call.ts';
import { hookAll, hookAs, hookedTool } from './hook-tool.ts';

/** The tools of one run of an agent, by the names that the model sees. */
export class RunTools {
  readonly #registries: Registries;
  readonly #run: () => HookedRun | undefined;
  readonly #hooked: Map<string, HookedTool> = new Map();
  /** Tools that Mastra created itself and that require approval. */
  readonly #asking: Map<string, ApprovalParts> = new Map();
  /** The names of all tools that Mastra created itself. */
  readonly #made: Set<string> = new Set();
  readonly #names: Map<string, string> = new Map();
  /** The tools that the current step brings. */
  #brought: ReadonlyMap<string, HookedTool> = new Map();

  /**
   * @param run finds the current record of the run, which may have been replaced since it paused
   *
   * @param run finds the run as it is by now: another record of it may have taken its place since it paused
   */
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
      if (hooked !== undefined) this.#hooked.set(modelName(key), hooked);
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

  /** The registries that hook any of the tools. */
  get registries(): readonly Registries[] {
    return [...this.#hooked.values()].map(({ setup }) => setup.registries);
  }

  get(toolName: string): HookedTool | undefined {
    return this.#brought.get(toolName) ?? this.#hooked.get(toolName);
  }

  /** Whether the run has a tool of that name. */
  has(toolName: string): boolean {
    return this.get(toolName) !== undefined || this.#made.has(toolName);
  }

  /** Stores a tool that Mastra created itself. It may have replaced a hooked one of the same name. */
  noteMade(toolName: string, tool: ApprovalParts): void {
    this.#hooked.delete(toolName);
    this.#made.add(toolName);
    if (asksByItself(tool)) this.#asking.set(toolName, tool);
  }

  /** The approval setting of the tool with that name, whether it is hooked or Mastra's own. */
  approvalOf(toolName: string): ApprovalParts | undefined {
    return this.get(toolName)?.setup.tool ?? this.#asking.get(toolName);
  }

  /** Whether any of them requires approval by itself. */
  get mayAsk(): boolean {
    return [...this.#hooked.values()].some(({ setup }) => asksByItself(setup.tool));
  }
}
