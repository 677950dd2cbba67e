import { sensitiveKind } from '../../sensitive-paths/check.ts';
import { normalizePath } from '../../sensitive-paths/normalize.ts';
import { OPAQUE, REMOTE } from '../marks.ts';
import { vital } from '../places.ts';
import type { Finding } from '../verdict.ts';
import { backdoor } from './backdoors.ts';
import { diskWrite, isDisk } from './devices.ts';
import { deletion } from './filesystem.ts';
import { forkingLoop } from './fork-bombs.ts';
import { hiddenCode, remoteCode } from './remote-code.ts';
import { sensitiveFile } from './sensitive-files.ts';
import { isAuthFile, systemFile } from './system-files.ts';

/**
 * Judges a program in another language that a command carries in itself (`python -c '…'`). It reads no grammar: it
 * looks for calls that delete, run, fetch or connect, and at the texts in quotes that they could be about. What is
 * run as a shell command goes back to the walk through `runShell`.
 */
export function judgeCode(code: string, runShell: (command: string) => void): Finding | undefined {
  if (code.includes(REMOTE)) return remoteCode;
  if (code.includes(OPAQUE)) return hiddenCode;
  if (SOCKET.test(code) && SHELL.test(code)) return backdoor;
  if (FETCHES.test(code) && EVALUATES.test(code)) return remoteCode;
  if (FORKS.test(code)) return forkingLoop;
  if (DECODED.test(code)) return hiddenCode;
  const texts = literals(code);
  if (RUNS.test(code)) for (const command of commandsIn(code, texts)) runShell(command);
  return judgePaths(code, texts);
}

function judgePaths(code: string, texts: readonly string[]): Finding | undefined {
  for (const match of code.matchAll(DELETES)) {
    const lost = vital(match[2] ?? '', '.');
    if (lost) return deletion(lost);
  }
  if (HOME_ALONE.test(code)) return deletion('the home folder');
  const paths = texts.filter((text) => text.length < 300 && !/\s/.test(text));
  const opens = OPENS.test(code);
  const writes = WRITES.test(code);
  for (const path of paths) {
    if (writes && isAuthFile(path)) return systemFile(path);
    if (writes && isDisk(path)) return diskWrite(path);
    if (!opens) continue;
    const kind = sensitiveKind(normalizePath(path));
    if (kind) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

const SOCKET =
  /\b(?:socket\w*|TCPSocket|fsockopen|pfsockopen|TCPClient|stream_socket_client|net\.(?:Socket|connect|createConnection))\b|require\(\s*["'](?:node:)?net["']\s*\)|IO::Socket|use Socket/i;
const SHELL =
  /\b(?:subprocess|pty|dup2|spawn\w*|proc_open|shell_exec|passthru|child_process|Process\.Start|Diagnostics\.Process|os\.execute|os\.system|system|popen|iex|Invoke-Expression)\b|`[^`]+`|\/bin\/(?:ba|z|da|k)?sh\b|cmd\.exe|\bexec\s*\(?\s*(?:["'`$]|sprintf)/i;
const FETCHES =
  /\burlopen\b|\burlretrieve\b|\brequests\.(?:get|post)|\bhttpx\.get|\bhttps?["']?\)?\.get\b|\bfetch\s*\(|file_get_contents\(\s*["'](?:https?|ftp):|\bLWP\b|open-uri|URI\.open|Net::HTTP|HTTP::Tiny|\bDownload(?:String|Data|File)\b|Invoke-WebRequest|Invoke-RestMethod|\b(?:iwr|irm|curl|wget)\b|\bget\s*\(?\s*["']https?:/i;
const EVALUATES =
  /(?<![.\w])(?:exec|eval|execfile|iex|Invoke-Expression|compile|Function|instance_eval)\b|\.eval\b|\bvm\.run\w*|\b(?:system|popen|execSync|shell_exec|passthru)\s*\(\s*[^\s'"`)]/i;
const FORKS =
  /\bfork\s*(?:\(\s*\))?\s*while\b|\bwhile\s*(?:\(\s*)?(?:1|true|True|fork)\b[\s\S]{0,120}\b(?:pcntl_)?fork\b|\bloop\s*(?:\{|do)\s*[\s\S]{0,40}\bfork\b|\bfor\s*\(\s*;\s*;\s*\)[\s\S]{0,80}\b(?:pcntl_)?fork\b|\bwhile\s*\(\s*(?:true|1)\s*\)[\s\S]{0,80}\bspawn\b|\bfork\b[\s\S]{0,20}\biter\s*\(\s*int/;
const DECODED =
  /\b(?:system|popen|exec\w*|eval|run|call|check_output|spawn\w*)\s*\(?\s*[^;\n]{0,80}(?:b64decode|base64|\bpack\s*\(|fromhex|unhexlify|fromCharCode|\batob\b)/i;
const RUNS =
  /\b(?:system|popen|subprocess|child_process|exec\w*|spawn\w*|shell_exec|passthru|check_output|proc_open|do shell script|qx|Open3)\b|`|\bBun\.\$|\|\s*getline|Start-Process|^\s*[\w-]+(?:\s|$)/i;
/** A call that deletes, with the text that it is given: itself, in a list, or through one other call. */
const DELETES =
  /\b(?:rmtree|rmSync|rmdirSync|rmdir|rm_rf?|rm_r|rimraf(?:\.sync)?|remove_tree|remove_entry\w*|removedirs|unlink\w*|remove(?:Sync|All)?|deleteSync|emptyDir\w*|\.rm)\s*\(?\s*\[?\s*(?:[\w.:]+\s*\(\s*)?(["'`])((?:(?!\1)[^\\\n]){1,200})\1/g;
const HOME_ALONE =
  /(?:rmtree|rmSync|rm_rf?|rimraf|remove_tree|\brm)\s*\(?\s*(?:\w+\.)*(?:home\(\)|homedir\(\)|env\.HOME|environ\[.HOME.\]|ENV\[.HOME.\]|expanduser\(\s*["']~\/?["']\s*\))\s*(?:[),;}]|$)/;
const OPENS =
  /\b(?:open\w*|readFile\w*|read_text|read_bytes|readlines|File|IO\.read|file_get_contents|fopen|readfile|file|slurp|copy\w*|cp|cpSync|createReadStream|Get-Content|gc|cat|Path|symlink\w*|link\w*)\b/;
const WRITES =
  /["'](?:w|a|r\+|w\+|a\+|wb|ab|rb\+|>{1,2})["']|\b(?:writeFile\w*|appendFile\w*|write_text|write_bytes|file_put_contents|createWriteStream|File\.write|Set-Content|Add-Content|Out-File|chmod\w*|chown\w*|truncate\w*|rename\w*|copy\w*)\b/;

/** The texts in quotes, at most 256 of them. */
function literals(code: string): string[] {
  const texts: string[] = [];
  for (const match of code.matchAll(
    /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|`((?:[^`\\]|\\[\s\S])*)`/g,
  )) {
    const text = match[1] ?? match[2] ?? match[3] ?? '';
    if (text !== '') texts.push(unescaped(text));
    if (texts.length === 256) break;
  }
  return texts;
}

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
  return commands.slice(0, 32);
}

/** The escapes that the languages have in common. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_, byte?: string, unit?: string, char = '') => {
      const code = byte ?? unit;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return { n: '\n', t: '\t', r: '\r', 0: '\0' }[char as string] ?? char;
    },
  );
}
