import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** A tool, before a framework makes its own of it. */
export interface DemoTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  readonly execute: (input: never) => Promise<string>;
}

const run = promisify(execFile);

/** Real tools that work in one folder. `onRun` hears of each time one really runs, and with what. */
export function makeTools(folder: string, onRun: (tool: string, input: object) => void): readonly DemoTool[] {
  const define = <P extends z.ZodObject>(
    name: string,
    description: string,
    parameters: P,
    execute: (input: z.output<P>) => Promise<string>,
  ): DemoTool => ({
    name,
    description,
    parameters,
    execute: (input: z.output<P>) => {
      onRun(name, input);
      return execute(input);
    },
  });
  const inFolder = (path: string) => join(folder, basename(path));
  return [
    define('run_shell', 'Runs a shell command.', z.object({ command: z.string() }), async ({ command }) => {
      // Even if the policy failed, `~` and $HOME are the demo's own folder.
      const env = { PATH: process.env['PATH'], HOME: folder };
      const { stdout, stderr } = await run('sh', ['-c', command], { cwd: folder, env, timeout: 5000 });
      return stdout + stderr || 'done';
    }),
    define(
      'try_command',
      'Tries a command where it can do no harm.',
      z.object({ command: z.string() }),
      () => {
        throw new Error('This command was not to run on this machine.');
      },
    ),
    define('read_file', 'Reads a file.', z.object({ path: z.string() }), ({ path }) =>
      readFile(inFolder(path), 'utf8'),
    ),
    define(
      'write_file',
      'Writes a file.',
      z.object({ path: z.string(), text: z.string() }),
      async ({ path, text }) => {
        await writeFile(inFolder(path), text);
        return 'written';
      },
    ),
    define('fetch_url', 'Fetches a page.', z.object({ url: z.string() }), async ({ url }) => {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`The server answered ${response.status}.`);
      return response.text();
    }),
  ];
}
