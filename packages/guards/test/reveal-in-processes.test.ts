import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startModelServer } from '@hooks/conformance';
import { HARNESSES_OF_ENDPOINTS } from '@hooks/testing/adapters';
import { sampled } from '@hooks/testing/random';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MailReport, MailTask } from './programs/mail-agent.ts';

const PROGRAM = fileURLToPath(new URL('programs/mail-agent.ts', import.meta.url));
const ann = 'ann.smith@acme.dev';

function inAProcess(task: MailTask): Promise<MailReport> {
  const child = fork(PROGRAM, {
    execArgv: ['--conditions=@hooks/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as MailReport));
    child.once('exit', (code) => reject(new Error(`The process ended with ${code} before it reported.`)));
    child.send(task);
  });
}

function filesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => textOf(join(entry.parentPath, entry.name)))
    .join('\n');
}

/** A process that ends removes files of its database while they are read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return '';
    throw error;
  }
}

// Each framework plain or streamed: in both with `HOOKS_RANDOM=1`.
const places = HARNESSES_OF_ENDPOINTS.map((one, offset) => ({ ...one, offset }));

describe.each(places)('reveal over processes in $name', ({ harness, offset }) => {
  test.each(sampled([false, true], 2, offset))(
    'the tool gets the value where its approval arrives, and in later runs of the session (streamed: %s)',
    async (stream) => {
      const folder = mkdtempSync(join(tmpdir(), 'reveal-'));
      const storage = join(folder, 'storage');
      mkdirSync(storage);
      const server = await startModelServer({
        script: ({ messages }) => {
          const text = JSON.stringify(messages);
          const to = /\[REDACTED:email#[\da-f]+\]/.exec(text)?.[0];
          const asked = messages.filter(({ role }) => role === 'user').length;
          const last = messages.at(-1);
          if (to === undefined)
            return { toolCalls: [{ id: 'find-1', name: 'find_address', arguments: { name: 'Ann' } }] };
          return last?.role === 'tool' && last.content.startsWith('Sent to')
            ? { text: 'Done.' }
            : {
                toolCalls: [
                  { id: `send-${asked}`, name: 'send_mail', arguments: { to, body: `Dear ${to}` } },
                ],
              };
        },
      });
      onTestFinished(server.close);
      const mails = join(folder, 'mails');
      const task: MailTask = {
        harness,
        modelUrl: server.url,
        storage,
        store: join(folder, 'placeholders.db'),
        mails,
        does: 'run',
        stream,
      };
      const placeholder = expect.stringMatching(/^\[REDACTED:email#[\da-f]+\]$/);
      const first = await inAProcess(task);
      expect(first).toMatchObject({ pending: [{ input: { to: placeholder } }] });
      const second = await inAProcess({ ...task, does: 'resume' });
      expect(second).toEqual({ text: 'Done.', pending: [] });
      const sent = readFileSync(mails, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(sent).toEqual([{ to: ann, body: expect.stringMatching(/^Dear \[REDACTED:email#[\da-f]+\]$/) }]);
      const third = await inAProcess(task);
      expect(third).toMatchObject({ pending: [{ input: { to: placeholder } }] });
      expect(third.pending).toEqual(first.pending);

      expect(JSON.stringify([first, second, third, server.requests])).not.toContain(ann);
      expect(filesIn(storage)).not.toContain(ann);
    },
  );
});
