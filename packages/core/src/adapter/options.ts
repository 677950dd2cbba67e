import type { ApprovalOption } from '../approval/questions.ts';
import type { RefusedOption } from '../blocked.ts';
import { type OptionCheck, type OptionChecks, oneOfWords, optionCheck, optionKinds } from '../options.ts';
import type { Principal } from '../principal.ts';

/** The option with which every adapter reads the principal. `Native` is what the framework knows about a run. */
export interface PrincipalOption<Native> {
  /**
   * Returns the principal of a run or a call, from what the framework knows. All events of the run and its sub-agents
   * have it. Return undefined if there is none. If several registries hook an agent, the innermost that returns one
   * decides. An error fails the run.
   */
  // A method, so that options for a context of the user's own stand beside others.
  principal?(native: Native): Principal | undefined;
}

/** The options of every adapter, each where the adapter has it. */
export interface AttachOptions<Native = never> extends PrincipalOption<Native>, RefusedOption {
  readonly approval?: ApprovalOption;
  readonly allowUnsupported?: readonly string[];
  readonly holdStream?: boolean;
  readonly maxContinuations?: number;
}

/** The checks of the options that adapters share. Each function takes those that have an effect there. */
export const sharedOptions: OptionChecks<AttachOptions> = {
  approval: answerer('native', 'deny'),
  principal: optionKinds.callback,
  refused: oneOfWords('return', 'throw'),
  allowUnsupported: optionKinds.texts,
  holdStream: optionKinds.flag,
  maxContinuations: optionKinds.amount,
};

/** The check of `approval` where no run can pause. */
export const approverOption: OptionCheck = answerer('deny');

/** The check of who answers: one of these words, or a function. */
export function answerer(...words: readonly string[]): OptionCheck {
  const word = oneOfWords(...words);
  const other = optionCheck(`${words.join(', ')} or a function`, (value) => typeof value === 'function');
  return (value, path) => (typeof value === 'string' ? word : other)(value, path);
}
