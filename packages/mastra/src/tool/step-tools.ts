import type {
  InputProcessor,
  InputProcessorOrWorkflow,
  ProcessInputStepArgs,
  ProcessInputStepResult,
} from '@mastra/core/processors';
import type { RunOptions } from '../agent.ts';
import { isGated } from './assembly.ts';
import type { ToolBelt } from './belt.ts';

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

/** Whether a processor may put tools in place for a step. Of a workflow of processors it cannot be seen. */
export function mayBringTools(processor: InputProcessorOrWorkflow): boolean {
  return 'processInputStep' in processor || 'createRun' in processor;
}

/** Comes after those that may put tools in place, and hooks what they have put there. */
export function stepToolsProcessor(belt: ToolBelt): InputProcessor {
  return {
    id: 'hooks-tools',
    processInputStep: ({ tools = {} }: ProcessInputStepArgs): ProcessInputStepResult => {
      const brought = Object.entries(tools).filter(isBrought);
      const hooked = belt.hookStep(Object.fromEntries(brought));
      belt.noteIds({ ...tools, ...hooked });
      return brought.length === 0 ? {} : { tools: { ...tools, ...hooked } };
    },
  };
}

/** The tools that the run has begun with went through the agent's own gate already. */
function isBrought(entry: [string, unknown]): entry is [string, object] {
  const [, tool] = entry;
  return typeof tool === 'object' && tool !== null && !isGated(tool);
}
