import { type InputOf, isRecord, type ToolInput } from '../sdk.ts';

/**
 * The prompts that Claude Code sends to itself: news of background tasks, and the message that goes on with a call that
 * waited. Anybody can write their words, so callbacks must have announced what they are about.
 */
export class OwnMessages {
  /** The background tasks whose end Claude Code has not told yet, by their ids, and whether it tells what they write, too. */
  readonly #tasks: Map<string, boolean> = new Map();
  /** The tasks whose news a model has written. It may have scheduled that as a prompt. */
  readonly #written: Set<string> = new Set();
  /** Whether a call of a resumed session may go on. */
  #resumes: boolean;

  constructor(resumes: boolean) {
    this.#resumes = resumes;
  }

  /** A sub-agent starts, or goes on. Its task has its id. */
  agentStarted(id: string): void {
    this.#tasks.set(id, false);
  }

  /** A model calls a tool. */
  called({ tool_input: input }: ToolInput): void {
    const text = JSON.stringify(input) ?? '';
    if (!text.includes(OPENING)) return;
    for (const [, id = ''] of text.matchAll(/<task-id>([^<]+)<\/task-id>/g)) this.#written.add(id);
  }

  /** A tool of Claude Code returned: it may have left a task running. */
  returned({ tool_name: tool, tool_response: response, mcp_server }: InputOf<'PostToolUse'>): void {
    if (mcp_server !== undefined || !isRecord(response)) return;
    const { backgroundTaskId, taskId, status, agentId } = response;
    // Other tools have the ids of a list of things to do.
    const id = tool === 'Monitor' || tool === 'Workflow' ? taskId : backgroundTaskId;
    if (typeof id === 'string') this.#tasks.set(id, tool === 'Monitor');
    // The answer of a sub-agent is in the result.
    if (status === 'completed') this.#tasks.delete(String(agentId));
  }

  /** Whether a prompt is such a message. Each counts once. */
  take(prompt: string): boolean {
    if (prompt === RESUMED) {
      const resumes = this.#resumes;
      this.#resumes = false;
      return resumes;
    }
    const [, id = '', goesOn] = NEWS.exec(prompt) ?? [];
    if (this.#written.has(id)) return false;
    return goesOn === undefined ? this.#tasks.delete(id) : this.#tasks.get(id) === true;
  }
}

/** What Claude Code says to go on with a call that waited. */
const RESUMED = 'Continue from where you left off.';

const OPENING = '<task-notification>';

/** News of a task. What a watched command writes has no place where its output is kept: the task goes on. */
const NEWS = /^<task-notification>\n<task-id>([^<]+)<\/task-id>\n(<summary>)?/;
