import type { InputProcessor, InputProcessorOrWorkflow, ProcessInputStepArgs } from '@mastra/core/processors';
import type { RunOptions } from './any-agent.ts';
import type { ToolBelt } from './tool-belt.ts';

type Tools = NonNullable<ProcessInputStepArgs['tools']>;
type PrepareStep = NonNullable<RunOptions['prepareStep']>;

/**
 * `prepareStep` of the run as the processor that Mastra makes of it, so that ours can come after it: what it puts in
 * place (a model, tools) would else be out of the hooks' sight.
 */
export function prepareStepProcessor(prepareStep: PrepareStep): InputProcessor {
  return {
    id: 'prepare-step',
    processInputStep: (args: ProcessInputStepArgs) => prepareStep(args),
    // Mastra makes the same of it; only the types of the two results differ.
  } as InputProcessor;
}

/** A processor of the user's: the same for the tools that its `processInputStep` puts in place. */
export function hookedProcessor(
  processor: InputProcessorOrWorkflow,
  belt: ToolBelt,
): InputProcessorOrWorkflow {
  if (!('processInputStep' in processor) || typeof processor.processInputStep !== 'function')
    return processor;
  const processInputStep = processor.processInputStep.bind(processor);
  const hooked = async (args: ProcessInputStepArgs): Promise<unknown> => {
    const result: unknown = await processInputStep(args);
    const { tools }: { readonly tools?: Tools } = Object(result);
    return tools === undefined ? result : { ...Object(result), tools: hookNew(tools, args.tools, belt) };
  };
  return new Proxy(processor, {
    get(target, property) {
      if (property === 'processInputStep') return hooked;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The tools of before went through the agent's own gate already. */
function hookNew<T extends Tools>(tools: T, before: Tools | undefined, belt: ToolBelt): T {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const isNew = typeof tool === 'object' && tool !== null && before?.[name] !== tool;
    return [name, isNew ? belt.hookOne(name, tool) : tool];
  });
  // The same keys with copies of the same types, which Object.entries forgets.
  return Object.fromEntries(entries) as T;
}
