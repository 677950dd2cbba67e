import type { Execute, ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import type { ToolResult } from '@hooks/core/tool-call';
import type { HookableTool } from './tool.ts';

/** What comes next in a call: the tool runs, or the call is over. */
export type Step = RunStep | { readonly outcome: ToolCallOutcome };

/** The tool runs once. */
export class RunStep {
  /** The called tool, or the one that a hook renamed the call to. */
  readonly tool: HookableTool | undefined;
  readonly input: unknown;
  readonly running: ExecuteOptions;
  readonly #end: (result: ToolResult) => Promise<Step>;
  #ended = false;

  constructor(
    { tool, input, running }: Pick<RunStep, 'tool' | 'input' | 'running'>,
    end: (result: ToolResult) => Promise<Step>,
  ) {
    this.tool = tool;
    this.input = input;
    this.running = running;
    this.#end = end;
  }

  /** Whether hooks have been asked about its result. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Asks hooks about the result. Rejects with the framework's control flow. */
  end(result: ToolResult): Promise<Step> {
    if (this.#ended) throw new Error('The tool finished after its call was over.');
    this.#ended = true;
    return this.#end(result);
  }
}

/**
 * Takes a call through core step by step. Core calls the tool and waits for its result, but here hooks have to decide on the
 * result while the framework's run of the tool is open.
 *
 * @param call starts the call, with a function that makes what core calls to run a tool
 * @returns the first step
 */
export function stepsOf(
  call: (executing: (tool: HookableTool | undefined) => Execute) => Promise<ToolCallOutcome>,
): Promise<Step> {
  let next = Promise.withResolvers<Step>();
  const executing =
    (tool: HookableTool | undefined): Execute =>
    (input, running) => {
      const executed = Promise.withResolvers<unknown>();
      const step = new RunStep({ tool, input, running }, (result) => {
        next = Promise.withResolvers();
        if ('error' in result) executed.reject(result.error);
        else executed.resolve(result.output);
        return next.promise;
      });
      next.resolve(step);
      return executed.promise;
    };
  call(executing).then(
    (outcome) => next.resolve({ outcome }),
    (error) => next.reject(error),
  );
  return next.promise;
}
