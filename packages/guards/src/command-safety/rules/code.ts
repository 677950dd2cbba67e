import { sensitiveKind } from '../../sensitive-paths/check.ts';
import { normalizePath } from '../../sensitive-paths/normalize.ts';
import { literals, withPathsWrittenOut } from '../code-text.ts';
import type { Invocation } from '../invocation.ts';
import { OPAQUE, REMOTE } from '../marks.ts';
import { vital } from '../places.ts';
import type { Finding } from '../verdict.ts';
import { access, backdoor } from './backdoors.ts';
import { diskWrite, isDisk } from './devices.ts';
import { deletion } from './filesystem.ts';
import { forkingLoop } from './fork-bombs.ts';
import { bypass, isHook } from './git-hooks.ts';
import { tooOpen } from './permissions.ts';
import { FILTERS, ONLY_TEXT, TELLS } from './programs.ts';
import { hiddenCode, remoteCode } from './remote-code.ts';
import type { Rule } from './rule.ts';
import { sensitiveFile } from './sensitive-files.ts';
import { isAuthFile, systemFile } from './system-files.ts';

/** Programs whose first argument is a program in their own language. */
export const codeRules: readonly Rule[] = [
  {
    programs: ['awk', 'gawk', 'mawk'],
    check: ({ args }) => (args.some(startsWithoutEnd) ? forkingLoop : readByAwk(args.join('\n'))),
  },
];

/** `while ((getline line < ".env") > 0)`. */
function readByAwk(code: string): Finding | undefined {
  const [, path = ''] = /\bgetline\b[^<]{0,80}<\s*"([^"]+)"/.exec(code) ?? [];
  const kind = sensitiveKind(normalizePath(path));
  return kind === undefined ? undefined : sensitiveFile(kind.what, path);
}

/** What the walk does for a program in another language. */
export interface CodeRunner {
  /** Goes through a shell command that the program runs. */
  readonly shell: (command: string) => void;
  /** Remembers that a file comes from the network. */
  readonly download: (path: string) => void;
}

/**
 * Judges a program in another language that a command carries in itself (`python -c '…'`). It reads no grammar: it
 * looks for calls that delete, run, fetch or connect, and at the texts in quotes that they could be about. What is
 * run as a shell command goes back to the walk.
 */
export function judgeCode(source: string, runner: CodeRunner): Finding | undefined {
  if (source.includes(REMOTE)) return remoteCode;
  if (source.includes(OPAQUE)) return hiddenCode;
  const code = withPathsWrittenOut(source);
  if (connectsShell(code)) return backdoor;
  const fetches = FETCHES.test(code);
  if ((fetches && EVALUATES.test(code)) || INCLUDES.test(code)) return remoteCode;
  const flat = code.replaceAll('\\n', '\n');
  if (FORKS.test(flat) || RESTARTS.test(code) || startsWithoutEnd(flat)) return forkingLoop;
  if (DECODED.test(source) || DECODED.test(code)) return hiddenCode;
  const texts = literals(code);
  const paths = texts.filter((text) => text.length < 300 && !/\s/.test(text));
  if (fetches) for (const path of paths) if (!/^\w+:/.test(path)) runner.download(path);
  if (RUNS.test(code))
    for (const command of commandsIn(code, [...literals(source), ...texts])) runner.shell(command);
  return judgeDeletions(code) ?? judgePaths(code, paths);
}

/** Code that any program may carry in an argument: `gdb -ex 'python …'`, `vim -c ':py3 …'`. */
export function checkCarriedCode({ name, args }: Invocation): Finding | undefined {
  if (ONLY_TEXT.has(name) || FILTERS.has(name) || TELLS.has(name)) return undefined;
  return args.some((arg) => arg.length > 40 && arg.includes('(') && connectsShell(arg))
    ? backdoor
    : undefined;
}

function connectsShell(code: string): boolean {
  return SOCKET.test(code) && SHELL.test(code);
}

function judgeDeletions(code: string): Finding | undefined {
  for (const [, , text = '', after = ''] of code.matchAll(DELETES)) {
    // `'/tmp/' + name` is one file there; `'/' + name` is a system folder.
    const begins = after !== '' && text.length > 1;
    const lost = begins ? undefined : vital(text, '.');
    if (lost) return deletion(lost);
    if (isHook(text)) return bypass;
  }
  if (!DELETES_SOMETHING.test(code)) return undefined;
  for (const [, , before = '', , after] of code.matchAll(LISTS)) {
    const lost = vital(after ?? before, '.');
    if (lost && !PICKS.test(code)) return deletion(lost);
  }
  return undefined;
}

function judgePaths(code: string, paths: readonly string[]): Finding | undefined {
  const mode = OPENS_MODE.exec(code)?.[1];
  if (mode !== undefined) return tooOpen(mode);
  const opens = OPENS.test(code);
  const writes = WRITES.test(code);
  for (const text of paths) {
    const path = text.replace(/^(?:\+?[<>]{1,2}|\|)/, '');
    const changes = writes || path !== text;
    if (changes && isAuthFile(path)) return systemFile(path);
    if (changes && isDisk(path)) return diskWrite(path);
    if (changes && /\.ssh\/authorized_keys2?$/.test(path)) return access;
    if (!opens) continue;
    const kind = sensitiveKind(normalizePath(path));
    if (kind) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** An endless loop that starts processes and waits for none. */
function startsWithoutEnd(code: string): boolean {
  return ENDLESS.test(code) && STARTS.test(code) && !WAITS.test(code.replace(IN_QUOTES, ''));
}

const ENDLESS =
  /\bwhile\s*\(\s*\)|\bwhile\b\s*\(?\s*(?:1|[Tt]rue|fork\b)|\bfor\s*\(\s*;\s*;|\bloop\s*(?:\{|do\b)|\biter\s*\(\s*int\b|\bsetInterval\b|\b(?:while|until)\b[^\n]{0,20}\bTrue\b/;
/** A function that starts a process and itself again. */
const RESTARTS =
  /\bfunction\s+(\w+)\s*\([^)]*\)\s*\{[^\n]{0,200}\b(?:spawn|fork)\b[^\n]{0,200}(?:\+\s*\1\s*\+|(?:setImmediate|setTimeout|nextTick)\(\s*\1\b)/;
const STARTS =
  /\b(?:fork|Popen|spawn|pcntl_fork|Process\.spawn|Process(?=\()|child_process[^;]{0,40}\.exec|start_new_thread)\b|\b(?:system|execute|popen)\s*\(?\s*["'`][^"'`\n]{0,200}&\s*["'`]/;
/** What the loop starts says nothing about what the loop does. */
const IN_QUOTES = /"[^"\n]*"|'[^'\n]*'/g;
const WAITS = /\b(?:wait\w*|sleep|communicate|join|break|setTimeout|exit)\b/;

const SOCKET =
  /["']socket["']|\b(?:socket_create|TCPSocket|TCPServer|create_connection|create_server|socketserver|fsockopen|pfsockopen|TCPClient|stream_socket_client|net\.(?:Socket|connect|createConnection|Dial\w*)|TcpStream|UdpSocket)\b|require\(\s*["'](?:node:)?net["']\s*\)|IO::Socket|use Socket|\bsocket\s*\(|socket["']?\)?\.(?:tcp|connect)|\[\s*socket\s|\bSocket\(/i;
const SHELL =
  /\b(?:subprocess|pty|dup2|spawn\w*|proc_open|shell_exec|passthru|child_process|Process\.Start|Diagnostics\.Process|os\.execute|os\.system|system|popen|iex|Invoke-Expression)\b|`[^`]+`|\/bin\/(?:ba|z|da|k)?sh\b|cmd\.exe|\.execute\(|\bexec\s+\S*sh\b|\bexec\s*\(?\s*(?:["'`$]|sprintf)/i;
const FETCHES =
  /\burlopen\b|\burlretrieve\b|\brequests\.(?:get|post)|\bhttpx\.get|\bhttps?["']?\)?\.get\b|\bfetch\s*\(|file_get_contents\(\s*["'](?:https?|ftp):|\bLWP\b|open-uri|URI\.open|Net::HTTP|HTTP::Tiny|\bDownload(?:String|Data|File)\b|Invoke-WebRequest|Invoke-RestMethod|\b(?:iwr|irm|curl|wget)\b|\bget\s*\(?\s*["']https?:|socket\.http|\bcopy\s*\(\s*["']https?:|\bdownload\s*\(/i;
const EVALUATES =
  /(?<![.\w])(?:exec|eval|execfile|iex|Invoke-Expression|compile|Function|instance_eval|loadstring|load(?=\(\s*require))\b|\.eval\b|\bvm\.run\w*|\bimport\(\s*["'`]data:|scriptblock\]::Create|\b(?:run|call|Popen|check_\w+|getoutput)\s*\(\s*[^\s'"[)][^\n]{0,200}shell\s*=\s*True|\b(?:system|popen|execSync|shell_exec|passthru)\s*\(\s*[^\s'"`)]/i;
const FORKS =
  /\bfork\s*(?:\(\s*\))?\s*while\b|\bwhile\s*(?:\(\s*)?(?:1|true|True|fork)\b[\s\S]{0,120}\b(?:pcntl_)?fork\b|\bloop\s*(?:\{|do)\s*[\s\S]{0,40}\bfork\b|\bfor\s*\(\s*;\s*;\s*\)[\s\S]{0,80}\b(?:pcntl_)?fork\b|\bwhile\s*\(\s*(?:true|1)\s*\)[\s\S]{0,80}\bspawn\b|\bfork\b[\s\S]{0,20}\biter\s*\(\s*int/;
const DECODED =
  /\b(?:system|popen|exec\w*|eval|run|call|check_output|spawn\w*)\s*\(?\s*[^;\n]{0,80}(?:b64decode|base64|\bpack\s*\(|fromhex|unhexlify|fromCharCode|\batob\b)/i;
const RUNS =
  /\b(?:system|popen|subprocess|child_process|exec\w*|spawn\w*|shell_exec|passthru|check_output|proc_open|do shell script|qx|Open3|System\.cmd|ProcessBuilder|getRuntime|Command\.new|run)\b|`|\bBun\.\$|\|\s*getline|Start-Process/i;
const DELETING =
  'rmtree|rmSync|rmdirSync|rmdir|rm_rf?|rm_r|rimraf(?:["\']\\))?(?:\\.sync|\\.native)?|remove_tree|remove_entry\\w*|remove_dir|removedirs|unlink\\w*|remove(?:Sync|All|Dir)?|deleteSync|emptyDir\\w*|secure_!?|Deno\\.remove\\w*';
/** A call that deletes, with the text that it is given: itself, in a list, or through one other call. */
const DELETES = new RegExp(
  String.raw`(?:\b(?:${DELETING})|\brm(?=\s*\()|\bdelete)\s*\(?\s*\[?\s*(?:[\w.:]+\s*\(?\s*)?(["'\x60])((?:(?!\1)[^\\\n]){1,200})\1\s*([+.](?!\s*(?:iterdir|glob|rglob))\s*[\w$(])?`,
  'g',
);
const DELETES_SOMETHING = new RegExp(String.raw`\b(?:${DELETING})\b|\.rm\b|\bFile\.delete\b`);
/** A folder whose files are gone through: `os.walk('/')`, `"/".rglob('*')`. */
const LISTS =
  /\b(?:listdir|scandir|walk|i?glob|readdir\w*|readDir\w*|Dir\.\w+|Dir|opendir|find|finddepth|globSync)\s*\(?\s*\[?(?:sub\s*\{[^}]{0,200}\}\s*,\s*)?(["'`])((?:(?!\1)[^\\\n]){1,200})\1|(["'`])((?:(?!\3)[^\\\n]){1,200})\3\)?\.(?:rglob|glob|iterdir)\(\s*(?:["']\*{1,2}["'])?\s*\)/g;
/** It looks at each file before it deletes it. */
const PICKS =
  /\b(?:endswith|end_with|endsWith|startswith|match\w*|fnmatch|suffix|extname|splitext|st_mtime|getmtime|mtime\w*|includes|test\(|size)\b/;
/** A mode with which everybody may do everything. */
const OPENS_MODE = /\b(?:l?chmod\w*|mkdir\w*|makedirs)\b[^\n;]{0,120}?(?<![\w.])0?o?(777|[4-7][0-7]{3})\b/;
/** Code that is taken from an address by name. */
const INCLUDES =
  /(?<![.\w])(?:include|include_once|require|require_once|source|import|load|dofile|runpy\.run_path)\s*\(?\s*(?:download\s*\(\s*)?["'`](?:https?|ftp):|\bimport\s*\(?\s*["'`](?:data:|https?:)|\bfrom\s+["']https?:/;
const OPENS =
  /\b(?:open\w*|readFile\w*|read_text|read_bytes|readlines|File|IO\.read|file_get_contents|fopen|readfile|file|slurp|copy\w*|cp|cpSync|createReadStream|Get-Content|gc|cat|Path|dotenv_values|parse_ini_file|read(?=\()|readTextFile\w*|Bun\.file|symlink\w*|link\w*)\b/;
const WRITES =
  /["'](?:w|a|r\+|w\+|a\+|wb|ab|rb\+|r\+b|>{1,2})["']|\b(?:writeFile\w*|appendFile\w*|write_text|write_bytes|file_put_contents|createWriteStream|O_WRONLY|O_RDWR|binwrite|IO\.write|File\.write|Set-Content|Add-Content|Out-File|chmod\w*|chown\w*|truncate\w*|rename\w*|copy\w*|os\.replace|shutil\.move)\b/;

/** What may be a shell command: each text, and the texts of one line together (`['rm', '-rf', '/']`). */
function commandsIn(code: string, texts: readonly string[]): string[] {
  const commands = texts.filter((text) => /[\s;|&$`{<>]/.test(text));
  for (const line of code.split(/[;\n]/)) {
    const words = literals(line).filter(
      (word) => !/^(?:node:)?(?:child_process|fs|os|net|https?)$/.test(word),
    );
    if (words.length > 1 && words.length < 12 && !words.some((word) => /\s/.test(word)))
      commands.push(words.join(' '));
  }
  for (const [, command = ''] of code.matchAll(/^\s*(?:exec|spawn|system)\s+([\w/.-]+\s[^"'\n;\]]*)/gm))
    commands.push(command);
  return [...new Set(commands)].slice(0, 32);
}
