import { hookAs, hookTools, toolCallsOf } from './hook-tool.ts';
import type { Attachment, Run } from './run.ts';
import type { ToolCalls } from './tool-calls.ts';

/** The hooked tools of an agent, by the names that the model knows them by. */
export class ToolBelt {
  readonly #attachment: Attachment;
  readonly #calls: Map<string, ToolCalls> = new Map();
  readonly #base: ToolBelt | undefined;
  readonly #run: Run | undefined;

  constructor(attachment: Attachment, base?: ToolBelt, run?: Run) {
    this.#attachment = attachment;
    this.#base = base;
    this.#run = run;
  }

  /** Hooked copies of the tools, which are known from now on. */
  hook<R extends Readonly<Record<string, object>>>(tools: R): R {
    const { hooks, options } = this.#attachment;
    const copies = hookTools(tools, hooks, options);
    for (const [name, copy] of Object.entries(copies)) {
      const calls = toolCallsOf(copy);
      if (calls !== undefined) this.#calls.set(name, calls);
    }
    return copies;
  }

  /** A hooked copy of a tool that one step of the run brings along, where Mastra's native hooks do not tell of its calls. */
  hookOne(name: string, tool: object): object {
    return hookAs(tool, name, this.#attachment, new Map(), this.#run);
  }

  has(toolName: string): boolean {
    return this.get(toolName) !== undefined;
  }

  get(toolName: string): ToolCalls | undefined {
    return this.#calls.get(toolName) ?? this.#base?.get(toolName);
  }

  /** Whether one of them asks for approval by itself. */
  get mayAsk(): boolean {
    return this.#base?.mayAsk === true || [...this.#calls.values()].some((calls) => calls.asksByItself);
  }

  /** The same and, for one run, more. */
  extended(run: Run): ToolBelt {
    return new ToolBelt(this.#attachment, this, run);
  }
}
