import type { ApprovalAnswer, Approver } from './approval.ts';

/** Who answers a question: an approver function, or a person through the framework's own pause. */
export type Answerer = Approver | 'native';

/** What an option `approval` says: who answers, or that nobody does. */
export type ApprovalOption = Answerer | 'deny';

/** What is known of a call that needs approval. */
export interface Asking {
  /** The option of each registry that hooks the call, outermost first. */
  readonly options: readonly (ApprovalOption | undefined)[];
  /** Whether that registry's hooks require approval. */
  readonly requires: (at: number) => boolean;
  /** Whether the tool itself requires approval. */
  readonly tool: boolean;
  /** Who answers where no registry says. */
  readonly otherwise: ApprovalOption | undefined;
}

/** What a call that needs approval waits for. */
export type NextStep =
  | { readonly kind: 'approved' }
  /** Nobody answers one of its questions, and why. */
  | { readonly kind: 'denied'; readonly why: string }
  | { readonly kind: 'ask'; readonly who: readonly [Answerer, ...Answerer[]] };

/**
 * The one decision on what a yes covers. A call has a question for each registry whose hooks require approval, and one of the
 * tool itself. A yes answers the questions of the one who gave it, for the input that it was given to, and no others.
 *
 * @param answers who has said yes, each with the hash that it was for
 * @param hash that of the call as it is now
 */
export function nextStep(asking: Asking, answers: ReadonlyMap<Answerer, string>, hash: string): NextStep {
  const who = new Set<Answerer>();
  for (const answerer of answerersOf(asking)) {
    if (answerer === undefined) return { kind: 'denied', why: NO_APPROVER };
    if (answerer === 'deny') return { kind: 'denied', why: DENIED };
    if (answers.get(answerer) !== hash) who.add(answerer);
  }
  const [first, ...others] = who;
  return first === undefined ? { kind: 'approved' } : { kind: 'ask', who: [first, ...others] };
}

/** Who answers each question of a call; undefined where no option says. */
function answerersOf({
  options,
  requires,
  tool,
  otherwise,
}: Asking): readonly (ApprovalOption | undefined)[] {
  const ofTool = tool ? toolAnswerer(options, otherwise) : undefined;
  // A person who answers what the tool asks also answers for registries that say nothing.
  const unset = otherwise ?? (ofTool === 'native' ? ofTool : undefined);
  const questions = options.flatMap((_, at) => {
    if (!requires(at)) return [];
    const said = options.slice(0, at + 1).findLast((option) => option !== undefined) ?? unset;
    return [said];
  });
  return ofTool === undefined ? questions : [...questions, ofTool];
}

/**
 * Who answers what the tool itself requires: the innermost registry that names somebody, else the framework, which would have
 * asked without hooks. `deny` only concerns hooks.
 */
function toolAnswerer(options: Asking['options'], otherwise: Asking['otherwise']): Answerer {
  return [otherwise, ...options].findLast((option) => option !== undefined && option !== 'deny') ?? 'native';
}

/** The denial of a call for which nobody was asked, or nobody has answered. */
export function unapproved(reason: string, why: string): ApprovalAnswer {
  const text = `Approval is required (${reason}), but ${why}.`;
  return { decision: 'deny', source: 'no_approver', reason: text };
}

/** Why a call is denied that nobody can approve. */
export const NO_APPROVER = "there is no approver: set the adapter's `approval` option";

/** Why a call is denied if the option is `'deny'`. */
const DENIED = "the adapter's `approval` option is `'deny'`";

/** Why a call is denied for which the framework could have paused, and has not. */
export const NO_PAUSE: string = `${NO_APPROVER} to an approver, because the run cannot pause here`;

/** Why a person's yes does not count. */
export const OTHER_INPUT =
  "a person has approved another input than the one that would run: set the adapter's `approval` option to an approver";
