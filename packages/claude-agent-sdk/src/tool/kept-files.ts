import { rm } from 'node:fs/promises';
import { sep } from 'node:path';
import { type InputOf, isRecord } from '../sdk.ts';

/**
 * Removes the files in which Claude Code keeps the result of a call besides the conversation: large outputs of commands, and
 * images of MCP servers. The model is told their paths. Returns false if one cannot be removed.
 */
export async function removeKept({
  transcript_path: transcript,
  tool_response: original,
}: Pick<InputOf<'PostToolUse'>, 'transcript_path' | 'tool_response'>): Promise<boolean> {
  const folder = `${transcript.replace(/\.jsonl$/, '')}${sep}tool-results${sep}`;
  // A result may name any path. Only files of this session are Claude Code's own.
  const named = textsIn(original).flatMap((text) => text.split(folder).slice(1));
  const files = named.flatMap((rest) => /^\w[\w.-]*/.exec(rest)?.[0] ?? []).map((name) => folder + name);
  const output = isRecord(original) ? original['persistedOutputPath'] : undefined;
  if (typeof output === 'string') files.push(output);
  const removed = await Promise.allSettled(files.map((file) => rm(file, { force: true })));
  return removed.every(({ status }) => status === 'fulfilled');
}

/** A replaced result without the path of the file that had the original. */
export function withoutKept(replaced: unknown): unknown {
  if (!isRecord(replaced)) return replaced;
  const { persistedOutputPath: _path, persistedOutputSize: _size, ...rest } = replaced;
  return rest;
}

function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
}
