import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface Run {
  readonly id: string;
  readonly agents: readonly string[];
  readonly status: string;
  readonly toolCalls: number;
  readonly counts: { readonly blocked: number; readonly changed: number; readonly retried: number };
}

test('the demo serves a page on which the four frameworks show the same calls', {
  timeout: 120_000,
}, async () => {
  const child = spawn(process.execPath, ['--conditions=@hooks/source', main, '--view'], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, origin, token] = await new Promise<readonly string[]>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const found = /Open (http:\S+)\/#token=([\w-]+)\/runs\/latest-4/.exec(printed);
      if (found) resolve(found);
    });
    child.on('exit', () => reject(new Error(printed)));
  });
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${origin}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
    return response.json() as Promise<T>;
  };
  // The journal keeps the runs of earlier demos, and the page reads it while it serves.
  const outcome = { status: 'completed', toolCalls: 7, blocked: 1, retried: 1 };
  const newest = async () =>
    (await read<readonly Run[]>('runs'))
      .slice(-4)
      .map(({ agents, status, toolCalls, counts }) => ({ agents, status, toolCalls, ...counts }));
  await expect.poll(newest).toMatchObject(
    ['LangChain', 'OpenAI Agents', 'Mastra', 'AI SDK'].map((name) => ({
      agents: [`demo on ${name}`],
      ...outcome,
    })),
  );
  expect(await read('chain')).toMatchObject({ problems: [] });
});
