import type { NeedsApprovalContext } from '@mastra/core/tools';

/** A tool's own approval setting: Mastra's `requireApproval`, an MCP client's function, or the AI SDK's field. */
export interface ApprovalParts {
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: unknown;
  readonly needsApproval?: unknown;
}

const FIELDS = ['requireApproval', 'needsApproval', 'needsApprovalFn'] as const;

type Rule = (input: unknown, context?: NeedsApprovalContext) => unknown;

/** The decision of a run about a call. */
interface Verdict {
  readonly pauses: boolean;
  /** The tool that the run identified for the call. */
  readonly tool: ApprovalParts | undefined;
}

const verdicts: WeakMap<object, Verdict> = new WeakMap();

/** Whether a tool ever requires approval by itself. */
export function asksByItself(tool: ApprovalParts): boolean {
  return FIELDS.some((field) => tool[field] === true || isRule(tool[field]));
}

/**
 * Whether a tool requires approval, by its function, which Mastra asks last, or by its flag. A rule that throws
 * requires it.
 */
export async function ownVerdict(
  tool: ApprovalParts,
  input: unknown,
  context: NeedsApprovalContext | undefined,
): Promise<{ readonly wants: boolean; readonly final: boolean }> {
  const rule = FIELDS.map((field) => tool[field]).find(isRule);
  if (rule === undefined) return { wants: asksByItself(tool), final: false };
  try {
    return { wants: Boolean(await rule(input, context)), final: true };
  } catch {
    return { wants: true, final: true };
  }
}

/**
 * Stores the decision of a run about a call. Mastra passes the same arguments object to the tool's function right
 * after.
 */
export function noteVerdict(args: object, verdict: Verdict): void {
  verdicts.set(args, verdict);
}

/**
 * The approval fields of a tool's hooked copy. Its function has the last word in Mastra, so it says what the run has
 * decided; where no hooked run decides, or one takes the call for that of another tool, what the tool itself says. A tool that never asks keeps having no function,
 * which would keep Mastra from starting it while the model is still speaking.
 */
export function approvalFields(tool: ApprovalParts): ApprovalParts {
  if (!asksByItself(tool)) return {};
  const rule = notedOr(tool);
  const set = FIELDS.filter((field) => tool[field] !== undefined);
  return Object.fromEntries(set.map((field) => [field, rule]));
}

/** The same for a tool that Mastra created itself, as a run calls it. */
export function askingAsNoted<T extends ApprovalParts>(tool: T): T {
  return { ...tool, requireApproval: true, needsApprovalFn: notedOr(tool) };
}

function notedOr(tool: ApprovalParts): Rule {
  return async (input, context) => {
    const noted = typeof input === 'object' && input !== null ? verdicts.get(input) : undefined;
    if (noted?.tool === tool) return noted.pauses;
    return noted?.pauses === true || (await ownVerdict(tool, input, context)).wants;
  };
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'function';
}
