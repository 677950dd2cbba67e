import { options } from '../shell/options.ts';

/** What an ad-hoc call of ansible does on its hosts, as shell commands: `-m shell -a '…'`, `-m file -a 'path=… mode=…'`. */
export function ansibleScripts(args: readonly string[]): readonly string[] {
  const { values } = options(args, [...'aiumfMetlTcBPD', 'args', 'module-name', 'inventory', 'user']);
  const text = values.get('-a') ?? values.get('--args');
  const module = (values.get('-m') ?? values.get('--module-name') ?? 'command').replace(/^.*\./, '');
  if (module === 'reboot') return ['reboot'];
  if (text === undefined) return [];
  if (RUNS.has(module)) return [text];
  if (module === 'authorized_key') return ["echo key >> '~/.ssh/authorized_keys'"];
  const path = field(text, 'path') ?? field(text, 'dest') ?? field(text, 'name');
  if (path === undefined) return [];
  const state = field(text, 'state');
  if (module === 'user' && state === 'absent') return [`userdel -r '${path}'`];
  if (/^(?:service|systemd)$/.test(module) && state === 'stopped') return [`systemctl stop '${path}'`];
  const mode = field(text, 'mode');
  const scripts = mode === undefined ? [] : [`chmod ${mode} '${path}'`];
  if (WRITES.has(module)) scripts.push(`cat '${field(text, 'src') ?? '-'}' > '${path}'`);
  if (module === 'file') {
    const recurse = field(text, 'recurse') === undefined ? '' : '-R ';
    const owner = field(text, 'owner');
    if (owner !== undefined) scripts.push(`chown ${recurse}${owner} '${path}'`);
    if (state === 'absent') scripts.push(`rm -rf '${path}'`);
  }
  return scripts;
}

const RUNS: ReadonlySet<string> = new Set(['shell', 'command', 'raw', 'script', 'expect']);
const WRITES: ReadonlySet<string> = new Set([
  'copy',
  'template',
  'lineinfile',
  'blockinfile',
  'replace',
  'get_url',
]);

function field(text: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|(\\S+))`).exec(text);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
