import type { Tools } from '../agent.ts';
import type { ApprovalParts } from '../approval/own-approval.ts';
import { asksByItself } from '../approval/own-approval.ts';
import { modelName } from '../internals.ts';
import type { HookedRun, Registry } from '../run/run.ts';
import type { HookedTool } from './call.ts';
import { hookAll, hookAs, hookedTool } from './hook-tool.ts';

/** The tools of one run of an agent, by the names that the model knows them by. */
export class RunTools {
  readonly #registries: readonly Registry[];
  readonly #run: () => HookedRun | undefined;
  readonly #hooked: Map<string, HookedTool> = new Map();
  /** Tools that Mastra has made itself and that ask for approval. */
  readonly #asking: Map<string, ApprovalParts> = new Map();
  readonly #names: Map<string, string> = new Map();
  /** Those that the present step brings along. */
  #brought: ReadonlyMap<string, HookedTool> = new Map();

  /** @param run finds the run as it is by now: another record of it may have taken its place since it paused */
  constructor(registries: readonly Registry[], run: () => HookedRun | undefined) {
    this.#registries = registries;
    this.#run = run;
  }

  /** Hooked copies of tools. */
  hook<R extends Tools>(tools: R): R {
    const copies = hookAll(tools, this.#registries, modelName);
    this.note(copies);
    return copies;
  }

  /** Takes note of hooked copies that the agent has listed. */
  note(copies: Tools): void {
    for (const [key, copy] of Object.entries(copies)) {
      const hooked = hookedTool(copy);
      if (hooked !== undefined) this.#hooked.set(modelName(key), hooked);
    }
  }

  /** Hooked copies of the tools that one step of the run brings along. */
  hookStep(tools: Tools): Tools {
    const siblings = new Map<string, HookedTool>();
    const copies = Object.entries(tools).map(([name, tool]): [string, object] => [
      name,
      hookAs(tool, name, this.#registries, siblings, this.#run),
    ]);
    this.#brought = siblings;
    return Object.fromEntries(copies);
  }

  /** Takes note of all tools that a run, or one step of it, has: a model may call each by its id, too. */
  noteIds(tools: Readonly<Record<string, unknown>>): void {
    this.#names.clear();
    for (const [name, tool] of Object.entries(tools)) {
      const { id }: { readonly id?: unknown } = Object(tool);
      const isOther = typeof id === 'string' && !Object.hasOwn(tools, id);
      if (isOther && !this.#names.has(id)) this.#names.set(id, name);
    }
  }

  /** The name of the tool that a model calls by that or by its id. */
  nameOf(called: string): string {
    return this.#names.get(called) ?? called;
  }

  get(toolName: string): HookedTool | undefined {
    return this.#brought.get(toolName) ?? this.#hooked.get(toolName);
  }

  /** Takes note of a tool that Mastra has made itself; it may have taken the name of a hooked one. */
  noteMade(toolName: string, tool: ApprovalParts): void {
    this.#hooked.delete(toolName);
    if (asksByItself(tool)) this.#asking.set(toolName, tool);
  }

  /** What the tool of that name says of its approval, be it hooked or Mastra's own. */
  approvalOf(toolName: string): ApprovalParts | undefined {
    return this.get(toolName)?.setup.tool ?? this.#asking.get(toolName);
  }

  /** Whether one of them asks for approval by itself. */
  get mayAsk(): boolean {
    return [...this.#hooked.values()].some(({ setup }) => asksByItself(setup.tool));
  }
}
