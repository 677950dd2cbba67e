import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A workspace whose file of hooks refuses `rm -r`, is trusted, and in which `hooks` is on PATH. */
export interface PolicedWorkspace {
  /** Holds `precious`, which no agent may delete. */
  readonly workspace: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** `hooks …` there. */
  readonly hooks: (...args: string[]) => void;
}

/** Makes one. */
export function policedWorkspace(): PolicedWorkspace {
  const dir = mkdtempSync(join(tmpdir(), 'hooks-drive-'));
  const [workspace, home, bin] = ['workspace', 'home', 'bin'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(workspace, 'precious'), home, bin]) mkdirSync(folder, { recursive: true });
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const node = `'${process.execPath}' --conditions=@hooks/source '${main}'`;
  writeFileSync(join(bin, 'hooks'), `#!/bin/sh\nexec ${node} "$@"\n`);
  chmodSync(join(bin, 'hooks'), 0o755);
  writeFileSync(
    join(workspace, 'hooks.yaml'),
    `hooks:
  before_tool_call:
    - name: no rm
      type: command
      command: if grep -q 'rm -r'; then echo 'rm is not allowed here; move it to ./trash instead.' >&2; exit 2; fi
`,
  );
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, HOME: home };
  const hooks = (...args: string[]): void => {
    const { status, stderr } = spawnSync(join(bin, 'hooks'), args, { cwd: workspace, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`hooks ${args.join(' ')}: ${stderr}`);
  };
  hooks('trust', 'hooks.yaml', '--yes');
  return { workspace, home, env, hooks };
}
