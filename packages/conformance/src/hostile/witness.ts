import {
  AfterToolCall,
  type ApprovalAnswer,
  BeforeToolCall,
  block,
  type Hooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import { z } from 'zod';
import type { PersonAnswer, ToolSpec } from '../harness.ts';
import { COSTLY, DEAR, FORBIDDEN, type HostileTool } from './arguments.ts';
import { canonical, isPlainJson, reaches } from './data.ts';

/** Who judges the calls: hooks, nobody, or the framework's own approval. */
export type Judge = 'hooked' | 'bare' | 'asked';

/** What a guard decided about a call. */
export interface Judged {
  readonly callId: string;
  readonly toolName: string;
  /** Canonical JSON of the input that it saw. */
  readonly input: string;
  /** The input that the tool gets for it, after its schema. */
  readonly runsWith: string | undefined;
  readonly verdict: 'run' | 'ask' | 'refuse';
  /** The number of the execution that it permitted. */
  ran?: number;
}

/** What a person saw, and answered. */
interface Shown {
  readonly toolName: string;
  readonly input: string;
  readonly allows: boolean;
}

/** The schemas of the tools. */
const schemas: { readonly [Name in HostileTool]: z.ZodType } = {
  shell: z.object({ command: z.string() }),
  note: z.object({ data: z.any() }),
};

/**
 * Watches calls: a guard that refuses and asks by the text of an input, a person who answers by what is shown, and tools
 * that look at what they get. Compares the three and notes each fault.
 */
export class Witness {
  /** What was wrong, one sentence each. */
  readonly faults: string[] = [];
  readonly judged: Judged[] = [];
  /** How often AfterToolCall fired, by call id. */
  readonly over: Map<string, number> = new Map();
  /** Each execution: the tool, and canonical JSON of what it got. */
  readonly ran: string[] = [];
  readonly #shown: Shown[] = [];
  readonly #hashes: Map<string, string> = new Map();
  readonly #hooked: boolean;
  readonly #refuses: boolean;

  /**
   * @param judge who judges the calls: hooks; nobody, so that tools only count; or the framework's own approval and the tools,
   * which throw at what hooks would refuse.
   */
  constructor(judge: Judge = 'hooked') {
    this.#hooked = judge === 'hooked';
    this.#refuses = judge === 'asked';
  }

  /** Registers the guard. */
  register(hooks: Hooks): void {
    hooks.guard(BeforeToolCall, ({ callId, toolName, input }) => {
      const text = canonical(input);
      if (!isPlainJson(input)) this.faults.push(`hooks saw what JSON cannot show: ${shorten(text)}`);
      // As a user's guard reads it.
      const json = jsonOf(input);
      const verdict = json.includes(FORBIDDEN) ? 'refuse' : json.includes(COSTLY) ? 'ask' : 'run';
      const runsWith = runsWithOf(toolName, input);
      this.judged.push({ callId, toolName, input: text, runsWith, verdict });
      if (verdict === 'refuse') return block(REFUSED);
      return verdict === 'ask' ? requireApproval('It costs money.') : proceed();
    });
    hooks.observe(AfterToolCall, ({ callId }) => {
      this.over.set(callId, (this.over.get(callId) ?? 0) + 1);
    });
  }

  /** A person's answer to a call. Depends only on what is shown. */
  answer({ toolName, input, hash }: Pick<PendingApproval, 'toolName' | 'input' | 'hash'>): ApprovalAnswer {
    const text = canonical(input);
    if (!isPlainJson(input)) this.faults.push(`a person saw what JSON cannot show: ${shorten(text)}`);
    const allows = !jsonOf(input).includes(DEAR);
    this.#shown.push({ toolName, input: text, allows });
    const known = this.#hashes.get(hash);
    if (known !== undefined && known !== text)
      this.faults.push(`one hash covers ${shorten(known)} and ${shorten(text)}`);
    this.#hashes.set(hash, text);
    return allows ? { decision: 'allow' } : { decision: 'deny', reason: REFUSED };
  }

  /** A person's answers to pending approvals. */
  answers(pending: readonly PendingApproval[]): readonly PersonAnswer[] {
    return pending.map((call) => {
      const { decision, reason } = this.answer(call);
      return {
        callId: call.callId,
        decision: decision === 'allow' ? 'allow' : 'deny',
        ...(reason !== undefined && { reason }),
      };
    });
  }

  /** The tools. Each answers with the number of its execution. */
  tools(): readonly ToolSpec[] {
    return (['shell', 'note'] as const).map((name) => ({
      name,
      description: `Takes what the ${name} takes.`,
      schema: schemas[name],
      execute: (input: unknown) => this.#run(name, input),
    }));
  }

  /** Whether a text is the result of an execution of this tool with this input. */
  hasRun(toolName: string, input: unknown, result: string): boolean {
    const about = `${toolName} ${runsWithOf(toolName, input)}`;
    return this.ran.some((one, at) => one === about && result.includes(resultOf(at + 1)));
  }

  #run(toolName: HostileTool, input: unknown): string {
    const number = this.ran.push(`${toolName} ${canonical(input)}`);
    if (this.#hooked) this.#check(toolName, input, number);
    else if (this.#refuses && jsonOf(input).includes(FORBIDDEN)) throw new Error(REFUSED);
    return resultOf(number);
  }

  #check(toolName: HostileTool, input: unknown, number: number): void {
    const text = canonical(input);
    const what = `${toolName} ran with ${shorten(text)}`;
    if (reaches(input, FORBIDDEN)) this.faults.push(`${what}, which holds what the guard refuses`);
    const judged = this.judged.filter(
      (one) => one.ran === undefined && one.toolName === toolName && one.runsWith === text,
    );
    const permitted = judged.find(
      ({ verdict, input: seen }) =>
        verdict === 'run' || (verdict === 'ask' && this.#isApproved(toolName, seen)),
    );
    if (permitted !== undefined) permitted.ran = number;
    else if (judged.length === 0) this.faults.push(`${what}, but hooks were not asked about that`);
    else
      this.faults.push(
        `${what}, but that was ${judged.map(({ verdict }) => NOT_PERMITTED[verdict]).join(', ')}`,
      );
  }

  #isApproved(toolName: string, input: string): boolean {
    const shown = this.#shown.filter((one) => one.toolName === toolName && one.input === input);
    return shown.some(({ allows }) => allows) && shown.every(({ allows }) => allows);
  }
}

const NOT_PERMITTED = { refuse: 'refused', ask: 'not approved', run: 'permitted once' } as const;

/** The reason of every refusal. */
export const REFUSED = 'Not here.';

/** What a tool answers. */
function resultOf(execution: number): string {
  return `It was execution ${execution}.`;
}

/** Whether an input fits a tool's schema. */
export function fits(tool: HostileTool, input: unknown): boolean {
  return schemas[tool].safeParse(input).success;
}

function runsWithOf(toolName: string, input: unknown): string | undefined {
  const schema = toolName === 'shell' || toolName === 'note' ? schemas[toolName] : undefined;
  const parsed = schema?.safeParse(input);
  return parsed?.success ? canonical(parsed.data) : undefined;
}

/** JSON of an input as a user's guard reads it. */
export function jsonOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return canonical(input);
  }
}

/** The start of a text, for messages. */
export function shorten(text: string, length = 200): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
}
