import { PROCESS } from './code-patterns.ts';
import { literals } from './code-text.ts';

/*
 * What code in another language starts, loads and runs.
 */

/** An endless loop that starts processes and waits for none. */
export function startsWithoutEnd(code: string): boolean {
  return ENDLESS.test(code) && STARTS.test(code) && !WAITS.test(code.replace(IN_QUOTES, ''));
}

const ENDLESS =
  /\bwhile\s*\(\s*\)|\bwhile\b\s*(?:\(\s*)?(?:1|\$?[Tt]rue|fork\b)|\bfor\s*\{|\bfor\s*\(\s*;\s*;|\bloop\s*(?:\{|do\b)|\biter\s*\(\s*int\b|\bsetInterval\b/;
/** It starts a process, or a command in the background. */
const STARTS =
  /\b(?:(?:pcntl_)?fork|Popen|spawn|Process(?=\()|child_process[^;]{0,40}\.exec|Thread(?=\()|Start-Process|exec\.Command)\b|\b(?:system|execute|popen)\s*(?:\(\s*)?(?:["'`][^"'`\n]{0,200}&\s*["'`]|"(?:[^"\\\n]|\\.){0,200}&\s*")|\bexec\s[^}\n]{0,200}&\s*\}|\bwait\s*=\s*false/;
/** What the loop starts says nothing about what the loop does. */
const IN_QUOTES = /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`\n]*`|\bexec\s[^}\n]{0,200}&/g;
const WAITS = /\b(?:wait\w*(?!\s*=\s*false)|sleep|communicate|join|break|setTimeout|exit)\b/;

/** Code that it loads from the network is run. */
export function runsWhatItLoads(code: string): boolean {
  if (!fetches(code)) return false;
  // A word in a text is no call.
  const calls = code.replace(IN_QUOTES, (text) => (text.includes('(') || MAY_RUN.test(text) ? text : ''));
  return EVALUATES.test(calls) || CALLS_FUNCTION.test(calls) || HANDS_ON.test(code);
}

export function fetches(code: string): boolean {
  return FETCHES.test(code);
}

const FETCHES =
  /\b(?:urlopen|urlretrieve|LWP|URI\.open|Download(?:String|Data|File)|Invoke-WebRequest|Invoke-RestMethod|iwr|irm|curl|wget)\b|\b(?:requests|httpx|axios|https?)["']?\)?\.(?:get|post|request)\b|\bfetch\s*\(|\b(?:file_get_contents|get|copy|download)\s*(?:\(\s*)?["'](?:https?|ftp):|open-uri|Net::HTTP|HTTP::Tiny|socket\.http/i;
/** A text is run as code, or a command that is no text in the code. */
const EVALUATES =
  /(?<![.\w])(?:exec|execfile|iex|Invoke-Expression|compile|loadstring|load(?=\(\s*require))\b|(?:\b|_)eval\b|scriptblock\]::Create|\b(?:run|call|Popen|check_\w+|getoutput)\s*\(\s*[^\s'"[)][^\n]{0,200}shell\s*=\s*True|\b(?:system|popen|execSync|shell_exec|passthru)\s*\(\s*[^\s'"`)]|\brunIn\w{0,20}Context\b|\bvm\.Script\b/i;
/** JavaScript's evaluator, whose name in small letters begins every function. */
const CALLS_FUNCTION = /(?<![.\w])Function\b(?!\.)/;
/** What is loaded may be handed on to a shell: a variable, or what is written to its input. */
const HANDS_ON =
  /\bchild_process\b[^\n]{0,400}\.exec\w{0,8}\(\s?[a-z_]\w{0,40}\s?[,)]|\bspawn\w{0,8}\(\s?['"](?:ba|z|da)?sh['"]\s?\)|['"]-c['"]\s?,\s?[a-z]\w{0,40}\s?\]/i;
/** A text in quotes that may be run: one that loads something, or the name of an evaluator. */
const MAY_RUN =
  /Invoke-WebRequest|Invoke-RestMethod|\b(?:iwr|irm|curl|wget)\b|^.(?:eval|exec|instance_eval|Function).$/i;

/** Whether a program runs what it reads: `exec(sys.stdin.read())`, `system $_`. */
export function runsInput(code: string): boolean {
  return INPUT.test(code) && (EVALUATES.test(code) || RUNS.test(code));
}

const INPUT = /\bstdin\b|readFileSync\(\s*0|\bgets\b|\binput\(\)|\$_(?!\w)|<>/i;

/** What may be a shell command: each text, and the texts of one line together (`['rm', '-rf', '/']`). */
export function commandsIn(code: string, texts: readonly string[]): string[] {
  if (!RUNS.test(code)) return [];
  const commands = texts.filter((text) => /[\s;|&$`{<>]/.test(text));
  for (const line of code.split(/[;\n]/)) {
    const words = literals(line).filter(
      (word) => !/^(?:node:)?(?:child_process|fs|os|net|https?)$/.test(word),
    );
    if (words.length > 1 && !words.some((word) => /\s/.test(word))) commands.push(words.join(' '));
  }
  for (const [, , program = ''] of code.matchAll(RUNS_ALONE)) commands.push(program);
  for (const [, command = ''] of code.matchAll(/^[ \t]*(?:exec|spawn|system)\s+([\w/.-]+\s[^"'\n;\]]*)/gm))
    commands.push(command);
  return [...new Set(commands)].slice(0, 32);
}

const RUNS = new RegExp(
  String.raw`\b(?:${PROCESS}|exec\w*|run|do shell script|os["']?[:.]cmd)\b|\x60|\(sh\s|\bBun\.\$|\bopen\s+["{]?\|`,
  'i',
);
/** A program that is run without arguments: `os.system("reboot")`, `subprocess.run(["reboot"])`. */
const RUNS_ALONE = new RegExp(
  String.raw`\b(?:${PROCESS}|exec\w{0,20}|check_\w{1,10}|call|run)\s*(?:\(\s*)?(?:\[\s*)?(["'\x60])([\w./-]{1,80})\1(?!\s*,\s*["'\x60[])`,
  'g',
);
