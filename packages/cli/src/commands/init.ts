import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { whereIs } from '../paths.ts';
import { type Program, UserError } from '../program.ts';

/** Writes a first hook file. Never overwrites one. */
export async function init(path: string, program: Program): Promise<number> {
  const file = resolve(program.cwd(), path);
  try {
    await writeFile(file, template, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UserError(`${file} exists already`);
    if (code === 'ENOENT')
      throw new UserError(`[file]: there is no such folder ${whereIs(dirname(file))}; make it first`);
    throw error;
  }
  program.stdout.write(
    `written: ${file}\nnext: npx --no-install hooks validate ${path}, then npx --no-install hooks trust ${path}\n`,
  );
  return 0;
}

const template = `# yaml-language-server: $schema=node_modules/@hooks/config/dist/schemas/hooks.json
#
# What an agent may do. Each event has a list of hooks; docs: the README of @hooks/config.
hooks:
  # Before a tool runs. A hook that refuses, or fails, keeps it from running.
  before_tool_call:
    # No dangerous commands and no files with secrets, without a process to start.
    - type: builtin
      command: command_safety
    - type: builtin
      command: sensitive_paths

    # A rule of your own: the event is JSON on stdin; exit code 2 refuses, and stderr says why to the model.
    # "shell" matches the shell tool of any agent. read, write, edit, search, fetch and mcp are such families, too.
    - matcher: shell
      hooks:
        - name: no force push
          type: command
          timeout: 10
          command: |
            if grep -q 'push.*--force'; then
              echo 'Pushing with --force is not allowed here; push without it.' >&2
              exit 2
            fi

  # What a tool answered, before anybody sees it.
  transform_tool_result:
    - type: builtin
      command: redact_secrets
`;
