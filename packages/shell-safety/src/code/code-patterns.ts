import {
  backdoor,
  destroysData,
  destroysResources,
  forkingLoop,
  hiddenCode,
  killsAll,
  remoteCode,
  rootShell,
  sendsSecret,
  showsVariables,
  switchesOff,
} from '../dangers.ts';
import type { Finding } from '../effect.ts';

/*
 * What code in any language says, as expressions: no grammar is read. Each takes time in proportion to the code: what may
 * repeat stands next to nothing that takes the same characters (`\s*(?:\(\s*)?`, never two `\s*` with something
 * optional between them), or its number is bounded.
 */

/** Names joined by blanks as one expression; `*` is the rest of a name. */
function anyOf(names: string): string {
  return names.replaceAll('.', '\\.').replaceAll('*', '\\w{0,20}').replaceAll(' ', '|');
}

/** Calls that start a program, whatever else `exec` and `run` may mean. */
const PROCESS = anyOf(
  'system system2 [pP]open subprocess child_process spawn* shell_exec passthru proc_open check_output getoutput Open3 qx qqx ProcessBuilder getRuntime sys.process open_port Port.open System.cmd System.shell Sys.command Command.new Command::new exec.Command Process.start Process.run Process.new Start-Process shell-command call-process start-process make-process run-program',
);

export const ENDLESS: RegExp =
  /\bwhile\s*\(\s*\)|\bwhile\b\s*(?:\(\s*)?(?:1|\$?[Tt]rue|fork\b)|\bfor\s*\{|\bfor\s*\(\s*;\s*;|\bloop\s*(?:\{|do\b)|\biter\s*\(\s*int\b|\bsetInterval\b/;
/** It starts a process, or a command in the background. */
export const STARTS: RegExp =
  /\b(?:(?:pcntl_)?fork|Popen|spawn|Process(?=\()|child_process[^;]{0,40}\.exec|Thread(?=\()|Start-Process|exec\.Command)\b|\b(?:system|execute|popen)\s*(?:\(\s*)?(?:["'`][^"'`\n]{0,200}&\s*["'`]|"(?:[^"\\\n]|\\.){0,200}&\s*")|\bexec\s[^}\n]{0,200}&\s*\}|\bwait\s*=\s*false/;
/** What the loop starts says nothing about what the loop does. */
export const IN_QUOTES: RegExp =
  /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`\n]*`|\bexec\s[^}\n]{0,200}&/g;
export const WAITS: RegExp = /\b(?:wait\w*(?!\s*=\s*false)|sleep|communicate|join|break|setTimeout|exit)\b/;

const PRINTS = String.raw`\b(?:p?print\w*|puts|echo|say|var_dump|console\.\w{1,8}|std(?:out|err)\.write)\b`;
/** A variable of the environment: its name is one of two groups. */
const VARIABLE = String.raw`(?:\b(?:os\.environ(?:\.get)?|(?:os\.|System\.)?[gG]etenv|process\.env|ENV(?:\.fetch)?|(?:Deno|Bun)\.env(?:\.get)?|ENVIRON|Sys\.getenv)|\$_(?:ENV|SERVER)|\$ENV)\s?[[({]\s?["'\x60]?(\w{1,80})["'\x60]?(?:,[^)\]]{0,40})?\s?[\])}]|(?:\b(?:process|Bun)\.env\.|\$env:)(\w{1,80})\b`;
export const ENVIRONMENT: RegExp = new RegExp(VARIABLE, 'g');
/** A variable of the environment is printed: what stands between, its name, and what is behind it. */
export const PRINTS_VARIABLE: RegExp = new RegExp(`${PRINTS}([^;\\n]{0,60}?)(?:${VARIABLE})(.{0,24})`, 'g');
const ALL_VARIABLES =
  /\b(?:os\.environ|process\.env)(?=\s*(?:[,)}\]|;\n]|$))|\bos\.environ\.(?:copy|items|values)\(|\bENV\.(?:to_h|each|inspect|sort)|%ENV\b|\bgetenv\(\s*\)|\bDeno\.env\.toObject|[`"'](?:env|printenv)[`"']/;
export const INPUT: RegExp = /\bstdin\b|readFileSync\(\s*0|\bgets\b|\binput\(\)|\$_(?!\w)|<>/i;
export const QUERIES: RegExp = /(?:execute\w{0,20}|query\w{0,20}|\b(?:raw|exec|run|command))\s?\(/;
export const SOCKET: RegExp =
  /sock(?:et|open)\w{0,20}["']?\s?\(|["']socket["']|[([]\s?socket\s|\b(?:IO::|use |using )Sockets?\b|\b(?:TCP(?:Socket|Server|Client|Stream)|UdpSocket|SocketChannel|create_(?:connection|server)|open_connection|telnetlib|gen_(?:tcp|udp)|(?:make|open)-network-\w{1,20}|(?:tcp|socket)-connect|(?:net|tls|Deno|Bun|Socket)\.(?:Socket|connect|listen|createConnection|Dial\w{0,20}))\b|(?:\brequire\(|\bfrom)\s*["'](?:node:)?(?:net|tls)["']/i;
export const SHELL: RegExp = new RegExp(
  String.raw`\b(?:${PROCESS}|iex|Invoke-Expression|os["']?[:.]cmd)\b|\(sh\s|\x60[^\x60]+\x60|\/bin\/(?:ba|z|da|k)?sh\b|cmd\.exe|\.execute\(|(?:catch\s+\{|\[(?:eval\s+)?)exec\b|\bexec(?:Cmd|Process)|\bexec\s+\S*sh\b|\bexec\s*(?:\(\s*)?["'\x60$]|\bopen\s+["{]?\|`,
  'i',
);
export const FETCHES: RegExp =
  /\b(?:urlopen|urlretrieve|LWP|URI\.open|Download(?:String|Data|File)|Invoke-WebRequest|Invoke-RestMethod|iwr|irm|curl|wget)\b|\b(?:requests|httpx|axios|https?)["']?\)?\.(?:get|post|request)\b|\bfetch\s*\(|\b(?:file_get_contents|get|copy|download)\s*(?:\(\s*)?["'](?:https?|ftp):|open-uri|Net::HTTP|HTTP::Tiny|socket\.http/i;
/** A text is run as code, or a command that is no text in the code. */
export const EVALUATES: RegExp =
  /(?<![.\w])(?:exec|execfile|iex|Invoke-Expression|compile|loadstring|load(?=\(\s*require))\b|(?:\b|_)eval\b|scriptblock\]::Create|\b(?:run|call|Popen|check_\w+|getoutput)\s*\(\s*[^\s'"[)][^\n]{0,200}shell\s*=\s*True|\b(?:system|popen|execSync|shell_exec|passthru)\s*\(\s*[^\s'"`)]|\brunIn\w{0,20}Context\b|\bvm\.Script\b/i;
/** JavaScript's evaluator, whose name in small letters begins every function. */
export const CALLS_FUNCTION: RegExp = /(?<![.\w])Function\b(?!\.)/;
/** What is loaded may be handed on to a shell: a variable, or what is written to its input. */
export const HANDS_ON: RegExp =
  /\bchild_process\b[^\n]{0,400}\.exec\w{0,8}\(\s?[a-z_]\w{0,40}\s?[,)]|\bspawn\w{0,8}\(\s?['"](?:ba|z|da)?sh['"]\s?\)|['"]-c['"]\s?,\s?[a-z]\w{0,40}\s?\]/i;
/** A text in quotes that may be run: one that loads something, or the name of an evaluator. */
export const MAY_RUN: RegExp =
  /Invoke-WebRequest|Invoke-RestMethod|\b(?:iwr|irm|curl|wget)\b|^.(?:eval|exec|instance_eval|Function).$/i;
export const RUNS: RegExp = new RegExp(
  String.raw`\b(?:${PROCESS}|exec\w*|run|do shell script|os["']?[:.]cmd)\b|\x60|\(sh\s|\bBun\.\$|\bopen\s+["{]?\|`,
  'i',
);
/** A program that is run without arguments: `os.system("reboot")`, `subprocess.run(["reboot"])`. */
export const RUNS_ALONE: RegExp = new RegExp(
  String.raw`\b(?:${PROCESS}|exec\w{0,20}|check_\w{1,10}|call|run)\s*(?:\(\s*)?(?:\[\s*)?(["'\x60])([\w./-]{1,80})\1(?!\s*,\s*["'\x60[])`,
  'g',
);
const DELETING =
  '[Rr]emove\\w{0,40}|unlink\\w{0,40}|rm(?:tree|dir\\w{0,10}|Sync|_r?f?)|rimraf(?:["\']\\))?(?:\\.\\w{1,6})?|emptyDir\\w{0,40}|send2trash|del_dir_r|delete(?:Directory|Sync|-directory|-file)|Directory\\]::Delete|file\\s+delete';
/** A call that deletes, with the text that it is given: itself, in a list, or through one other call. */
export const DELETES: RegExp = new RegExp(
  String.raw`(?:\b(?:${DELETING})|\brm(?=\s{0,4}\()|\bdelete)!?(?:\s{1,4}-{1,2}\w{0,40}){0,3}\s{0,4}\(?\s{0,4}\[?\s{0,4}(?:(?:new\s{1,4})?[\w.:]{1,80}\s{0,4}\(?\s{0,4})?(["'\x60])((?:(?!\1)[^\\\n]){1,200})\1\s{0,4}([+.](?!\s{0,4}(?:iterdir|r?glob))\s{0,4}[\w$(])?`,
  'g',
);
export const DELETES_SOMETHING: RegExp = new RegExp(String.raw`\b(?:${DELETING})\b|\.rm\b|\bFile\.delete\b`);
/** A folder whose files are gone through: `os.walk('/')`, `"/".rglob('*')`. */
export const LISTS: RegExp =
  /\b(?:listdir|scandir|walk|i?glob\w*|read[dD]ir\w*|opendir|Dir(?:\.\w+)?|RecursiveDirectoryIterator|find(?:depth)?)\s*(?:\(\s*)?\[?(?:sub\s*\{[^}]{0,200}\}\s*,\s*)?(["'`])((?:(?!\1)[^\\\n]){1,200})\1|(["'`])((?:(?!\3)[^\\\n]){1,200})\3\)?\.(?:r?glob|iterdir)\(\s*(?:["']\*{1,2}["']\s*)?\)/g;
/** What a text names is deleted: `new File('/').deleteDir()`. */
export const DELETED: RegExp =
  /(["'`])((?:(?!\1)[^\\\n]){1,200})\1\s{0,9}\)?\s{0,9}\.(?:delete(?:Dir|Recursively|Sync)?|rmtree|rmdir|unlink)\b/g;
export const MOVES: RegExp = /\b(?:rename\w*|move\w*|mv)\s*\(\s*(["'`])((?:(?!\1)[^\\\n]){1,200})\1\s*,/g;
/** It looks at each file before it deletes it. */
export const PICKS: RegExp =
  /\b(?:(?:starts|ends?)_?with|match\w*|fnmatch|suffix|extname|splitext|\w{0,6}mtime\w*|includes|test\(|size)\b/i;
/** A mode with which everybody may do everything. */
export const OPENS_MODE: RegExp =
  /\b(?:l?chmod\w*|mkdir\w*|makedirs)\b[^\n;]{0,120}?(?<![\w.])0?o?(777|[4-7][0-7]{3})\b/;
export const OPENS: RegExp =
  /\b(?:File\w*|RandomAccessFile|Scanner|include_str!|f?open\w*|with[_-]open\w*|Upload(?:File|Data)\w*|read(?:[A-Z_.]\w*|file\w*|lines|(?=\())|IO\.read|ioutil\.ReadFile|fs::read\w*|file_get_contents|fileread|file|slurp|copy\w*|cp|cpSync|createReadStream|Get-Content|gc|cat|Path|dotenv_values|parse_ini_file|Bun\.file|(?:sym)?link\w*)(?!\w)/;
/** A call and the text that it is given first. */
export const CALLED_WITH: RegExp =
  /([\w.:!?-]{1,60})\s*\(\s*(?:\w{1,60}\s*[:=]\s*)?[rbuf]?(["'`])((?:(?!\2)[^\\\n]){3,200})\2(\s*[,)])?/g;
/** Calls that say, compare or look at a name, and do not open the file. */
export const LOOKS_ONLY: RegExp =
  /(?:^|[.:])(?:print\w*|puts|echo|log|info|warn\w*|error|write\w*|say|format|exists?\w*|is_?(?:file|dir)|l?stat\w*|access\w*|l?ch(?:mod|own)\w*|basename|dirname|join|resolve|\w*path|(?:starts|ends)_?with|includes?|index\w*|match\w*|test|replace|split|append|push|add|assert\w*|equals?|expect|\w*Error|unlink\w*|remove\w*)$/i;
export const WRITES: RegExp =
  /\b(?:File(?:Writer|OutputStream)|PrintWriter|Files\.(?:write\w*|move)|spit|writeLines|append-to-file|(?:write|rename)-file|os\.(?:WriteFile|Create|OpenFile|replace)|fs::(?:write|copy|rename)|File::create|writeFile\w*|appendFile\w*|write_text|write_bytes|file_put_contents|createWriteStream|O_WRONLY|O_RDWR|binwrite|(?:IO|File)\.write|Set-Content|Add-Content|Out-File|ch(?:mod|own)\w*|truncate\w*|rename\w*|copy\w*|shutil\.move)\b|\bopen\s+\S+\s+["{]?(?:w|a|r\+)|\bfile\s+(?:copy|rename)\b|["'](?:[wa]b?\+?|rb?\+b?|>{1,2})["']/;

/** Dangers of code in which each of some expressions is found. */
export const DANGERS: readonly (readonly [Finding, ...RegExp[]])[] = [
  // A server, and a program whose name is no text in the code.
  [
    backdoor,
    /\b(?:createServer|HTTPServer|http\.server|Flask|express|(?:Bun|Deno)\.serve|HttpListener|WEBrick|ListenAndServe)\b/,
    new RegExp(
      String.raw`(?:\b(?:${PROCESS})[.\w]{0,20}|child_process["']\)\.exec\w*|(?<![.\w])exec)\(\s*[A-Za-z_$]`,
    ),
  ],
  // It takes the rights of root, which a program may that is set-uid or has the capability.
  [rootShell, /\bset(?:re|res|e)?[ug]id\s*\(\s*0\b/],
  // Windows no longer looks at scripts.
  [switchesOff, /AmsiUtils|amsiInitFailed|AmsiScanBuffer|EtwEventWrite/i],
  // All processes get a signal.
  [killsAll, /\bkill\w{0,8}\s?\(?\s?(?:-1\b|[\w'"]{1,12},\s?-1\b)/],
  // All variables of the environment leave the machine, or are shown.
  [
    sendsSecret,
    ALL_VARIABLES,
    /\b(?:requests|httpx|axios|session|client|http)\.(?:post|put|patch|request)\b|\burlopen\(|\bfetch\s?\(|->(?:post|put|request)\(|\bHTTP::Tiny\b|\bNet::HTTP\b|\bcurl_exec\b|\bhttps?\.request\(|\bsendto?\(|\bUpload(?:String|Data|File)\b/,
  ],
  [showsVariables, ALL_VARIABLES, new RegExp(PRINTS)],
  // Code is taken from an address by name.
  [
    remoteCode,
    /(?<![.\w])(?:include|include_once|require|require_once|source|import|load|dofile|runpy\.run_path)\s*(?:\(\s*)?(?:download\s*\(\s*)?["'`](?:https?|ftp):|\bimport\s*(?:\(\s*)?["'`](?:data:|https?:)|\bfrom\s+["']https?:/,
  ],
  // A long loop that forks, and a function that starts a process and itself again.
  [
    forkingLoop,
    /\bfork\b[^\n]{0,40}\brange\(\s*(?:\d{4}|10\s*\*\*)|\brange\(\s*(?:\d{4}|10\s*\*\*)[^\n]{0,20}\s[^\n]{0,20}\bfork\b/,
  ],
  [
    forkingLoop,
    /\bfunction\s+(\w{1,60})\s*\([^)]{0,200}\)\s*\{[^\n]{0,200}\b(?:spawn|fork)\b[^\n]{0,200}\+\s*\1\s*\+|\bdef\s+(\w+)[\s;]{1,20}fork\s*\{\s*\2\b/,
  ],
  // What it runs is decoded first.
  [
    hiddenCode,
    /\b(?:system|popen|exec\w{0,20}|eval|run|call|check_output|spawn\w{0,20})\s*(?:\(\s*)?[^;\n]{0,80}(?:b64decode|base64|codecs\.decode|decompress|rot_?13|\bpack\s*\(|fromhex|unhexlify|unpack1?\s*\(|map\(\s*chr\b|fromCharCode|\batob\b)/i,
  ],
  // Calls of the libraries of clouds and databases that delete.
  [
    destroysResources,
    /\b(?:delete_(?:bucket|stack|table|db_\w+|cluster|function|volume|snapshot|repository|user|role|hosted_zone|file_system|secret|queue|topic|objects|instance\w*|project|namespace\w*|collection_namespaced_\w+)|terminate_instances|schedule_key_deletion|(?:Delete(?:Bucket|Stack|Table|DBInstance|DBCluster|Cluster|Function|Volume|Repository|User|FileSystem|Secret|Queue|Objects)|TerminateInstances)(?:Command|Request)?|deleteBucket|deleteTable|terminateInstances|deleteStack)\s?\(|\bBucket\([^)]{0,80}\)\.objects\.(?:all|filter)\([^)]{0,80}\)\.delete\(\)|\.object_versions\.delete\(/,
  ],
  [
    destroysData,
    /\.(?:flushall|flushdb|flushAll|flushDb|drop_database|dropDatabase|drop_all)\s?\(|\.(?:deleteMany|delete_all|destroy_all)\s?\(\s*(?:\{\s*\})?\s*\)|\.(?:delete|destroy)_all(?![\w(])/,
  ],
];
/** A database that is asked for a file, or told to write one. */
export const SQL_READS: RegExp =
  /\b(?:readfile|load_file|pg_read_\w*file|lo_import|read_\w+)\s*\(|\bfrom\s+["']|\binfile\s|^[ \t]*[.\\](?:import|read|copy|i)\b/im;
export const SQL_WRITES: RegExp =
  /\bwritefile\s*\(|\bto\s+["']|\binto\s+(?:out|dump)file\s|^[ \t]*[.\\](?:output|once|o|w)\b/im;
