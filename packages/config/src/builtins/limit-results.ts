import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modify, proceed, type Session, SessionEnd, TransformToolResult } from '@hooks/core';
import { dockerAgent } from '../dialects/docker-agent/dialect.ts';
import { toWireTool } from '../protocol/tools.ts';
import { none } from './arguments.ts';
import type { Builtin } from './builtin.ts';

const MAX_BYTES = 50 * 1024;
const MAX_LINES = 2000;

/**
 * Writes a large tool result to a file and gives the model a part of it: docker-agent's `limit_large_tool_results`. The
 * files are deleted when the session ends.
 */
export const limitResults: Builtin = (args) => {
  none(args);
  const folders = new WeakMap<Session, string>();

  function keep(session: Session, callId: string, text: string): string {
    const folder = folders.get(session) ?? mkdtempSync(join(tmpdir(), 'hooks-results-'));
    folders.set(session, folder);
    const path = join(folder, `${callId.replaceAll(/[^\w-]/g, '_').slice(0, 100)}.txt`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  return {
    name: 'limit_large_tool_results',
    register(hooks) {
      hooks.on(
        TransformToolResult,
        ({ session, callId, toolName, output }) => {
          const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
          const lines = text.split('\n');
          if (Buffer.byteLength(text) <= MAX_BYTES && lines.length <= MAX_LINES) return proceed();
          const path = keep(session, callId, text);
          const isRead = toWireTool(dockerAgent.tools, toolName, {}).name === 'read_file';
          const part = isRead
            ? firstBytes(lines.slice(0, MAX_LINES).join('\n'))
            : lastBytes(lines.slice(-MAX_LINES).join('\n'));
          const notice = `[The result was too large. This is its ${isRead ? 'beginning' : 'end'}; all of it is in ${path} ]`;
          return modify({ output: `${notice}\n${part}` });
        },
        // Runs after hooks that remove something from the result.
        { id: 'limit', priority: -100 },
      );
      hooks.observe(
        SessionEnd,
        ({ session }) => {
          const folder = folders.get(session);
          if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
          folders.delete(session);
        },
        { id: 'forget' },
      );
    },
  };
};

function firstBytes(text: string): string {
  return Buffer.from(text).subarray(0, MAX_BYTES).toString('utf8');
}

function lastBytes(text: string): string {
  return Buffer.from(text).subarray(-MAX_BYTES).toString('utf8');
}
