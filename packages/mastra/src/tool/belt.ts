import type { ApprovalParts } from '../approval/own-approval.ts';
import { modelName } from '../internals.ts';
import type { Tools } from '../run/any-agent.ts';
import type { Attachment, Run } from '../run/run.ts';
import type { ToolCalls } from './call.ts';
import { hookAll, hookAs, toolCallsOf } from './hook-tool.ts';

/** The hooked tools of an agent, by the names that the model knows them by. */
export class ToolBelt {
  readonly #attachment: Attachment;
  readonly #calls: Map<string, ToolCalls> = new Map();
  readonly #run: Run | undefined;
  readonly #base: ToolBelt | undefined;
  readonly #displaced: Set<string> = new Set();
  readonly #asking: Map<string, ApprovalParts> = new Map();
  readonly #names: Map<string, string> = new Map();
  /** Those that the present step of the run brings along. */
  #brought: ReadonlyMap<string, ToolCalls> = new Map();

  /** @param run the run whose tools alone they are */
  constructor(attachment: Attachment, run?: Run, base?: ToolBelt) {
    this.#attachment = attachment;
    this.#run = run;
    this.#base = base;
  }

  /** Hooked copies of the tools, which are known from now on. */
  hook<R extends Readonly<Record<string, object>>>(tools: R): R {
    const copies = hookAll(tools, this.#attachment, modelName);
    this.note(copies);
    return copies;
  }

  /** Takes note of copies that these hooks have hooked already. */
  note(copies: Readonly<Record<string, object>>): void {
    for (const [key, copy] of Object.entries(copies)) {
      const calls = toolCallsOf(copy, this.#attachment.hooks);
      if (calls !== undefined) this.#calls.set(modelName(key), calls);
    }
  }

  /** Hooked copies of the tools that one step of the run brings along, where Mastra's native hooks do not tell of their calls. */
  hookStep(tools: Tools): Tools {
    const { hooks } = this.#attachment;
    const copies = Object.entries(tools).map(([name, tool]): [string, object] => [
      name,
      hookAs(tool, name, this.#attachment, new Map(), this.#run),
    ]);
    this.#brought = new Map(
      copies.flatMap(([name, copy]) => {
        const calls = toolCallsOf(copy, hooks);
        return calls === undefined ? [] : [[name, calls]];
      }),
    );
    return Object.fromEntries(copies);
  }

  /** Takes note of the tools that a run, or one step of it, has in all: a model may call each by its id, too. */
  noteIds(tools: Readonly<Record<string, unknown>>): void {
    this.#names.clear();
    for (const [name, tool] of Object.entries(tools)) {
      const { id }: { readonly id?: unknown } = Object(tool);
      const another = typeof id === 'string' && !Object.hasOwn(tools, id);
      if (another && !this.#names.has(id)) this.#names.set(id, name);
    }
  }

  /** The name of the tool that a model calls by that or by its id. */
  nameOf(called: string): string {
    return this.#names.get(called) ?? called;
  }

  has(toolName: string): boolean {
    return this.get(toolName) !== undefined;
  }

  get(toolName: string): ToolCalls | undefined {
    const brought = this.#brought.get(toolName);
    if (brought !== undefined) return brought;
    if (this.#displaced.has(toolName)) return undefined;
    return this.#calls.get(toolName) ?? this.#base?.get(toolName);
  }

  /** Takes note that another tool, which these hooks have not hooked, has taken that name from one of them. */
  displace(toolName: string): void {
    this.#displaced.add(toolName);
  }

  /** Takes note that Mastra has made a tool itself that asks for approval. */
  noteAsking(toolName: string, tool: ApprovalParts): void {
    this.#asking.set(toolName, tool);
  }

  /** What the tool of that name says of its approval, be it one of them or Mastra's own. */
  approvalOf(toolName: string): ApprovalParts | undefined {
    return this.get(toolName)?.tool ?? this.#asking.get(toolName);
  }

  /** Whether one of them asks for approval by itself. */
  get mayAsk(): boolean {
    return this.#base?.mayAsk === true || [...this.#calls.values()].some((calls) => calls.asksByItself);
  }

  /** The same and more: for one run, or for all those that Mastra starts itself. */
  extended(run?: Run): ToolBelt {
    return new ToolBelt(this.#attachment, run, this);
  }
}
