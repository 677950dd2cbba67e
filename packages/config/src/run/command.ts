import { resolve } from 'node:path';
import type { CommandRequest, CommandResult } from '../command/execute.ts';
import type { CommandHandler, HookEntry } from '../entry.ts';
import type { EventData } from '../events.ts';
import type { HookResult } from '../protocol/answer.ts';
import { readOutput } from '../protocol/read.ts';
import { stdinText, wireEventOf } from '../protocol/stdin.ts';
import type { RunContext } from './context.ts';
import { commandEnvironment } from './environment.ts';
import { commandFolder } from './folder.ts';
import { whyNotStrict } from './strict.ts';

/** Maximum bytes of a hook's stdout. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs a command with the event on stdin, and reads its answer. */
export async function runCommandHook(
  { wireEvent, origin }: HookEntry,
  handler: CommandHandler,
  event: EventData,
  { dialect, runner, env, cwd }: RunContext,
  signal?: AbortSignal,
): Promise<HookResult> {
  const request: CommandRequest = {
    command: handler.command,
    stdin: stdinText(dialect, wireEvent, event),
    cwd: resolve(commandFolder(origin.file, dialect, cwd), handler.workingDir ?? '.'),
    // The folder that an agent reports may be one that its model chose, so no variable for the project names it.
    env: { ...commandEnvironment(dialect.env(env, { ...event, cwd }), cwd), ...handler.env },
    timeoutMs: handler.timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(dialect.goesOnAlone && { goesOnAlone: dialect.goesOnAlone }),
  };
  if (handler.background) {
    void runner.run(request);
    return {};
  }
  const result = await runner.run(request, signal);
  const failed = whyUnusable(result, handler.timeoutMs);
  if (failed !== undefined) return { failed };
  const { exitCode = 0, stdout, stderr } = result;
  const answer = dialect.answerIn?.(stdout, stderr) ?? stdout;
  if (handler.strictOutput && exitCode === 0) {
    const failed = whyNotStrict(dialect, wireEvent, wireEventOf(dialect, wireEvent), answer);
    if (failed !== undefined) return { failed };
  }
  return readOutput(dialect, wireEvent, { exitCode, stdout: answer, stderr });
}

/** Why a command's end is not an answer. Exit code 2 is one, whatever the output. */
function whyUnusable(result: CommandResult, timeoutMs: number): string | undefined {
  if (result.error !== undefined) return `it could not be started: ${result.error}`;
  if (result.timedOut) return `it did not end within ${timeoutMs / 1000} s`;
  if (result.aborted) return 'it was aborted';
  if (result.exitCode === undefined) return `it was killed by ${result.signal ?? 'a signal'}`;
  if (result.exitCode === 2) return undefined;
  if (result.truncated) return `it printed more than ${MAX_OUTPUT_BYTES} bytes`;
  if (result.malformed) return 'its output is not UTF-8';
  return undefined;
}
