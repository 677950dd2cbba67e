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
export const PROCESS: string = anyOf(
  'system system2 [pP]open subprocess child_process spawn* shell_exec passthru proc_open check_output getoutput Open3 qx qqx ProcessBuilder getRuntime sys.process open_port Port.open System.cmd System.shell Sys.command Command.new Command::new exec.Command Process.start Process.run Process.new Start-Process shell-command call-process start-process make-process run-program',
);

export const PRINTS: string = String.raw`\b(?:p?print\w*|puts|echo|say|var_dump|console\.\w{1,8}|std(?:out|err)\.write)\b`;

/** A variable of the environment: its name is one of two groups. */
export const VARIABLE: string = String.raw`(?:\b(?:os\.environ(?:\.get)?|(?:os\.|System\.)?[gG]etenv|process\.env|ENV(?:\.fetch)?|(?:Deno|Bun)\.env(?:\.get)?|ENVIRON|Sys\.getenv)|\$_(?:ENV|SERVER)|\$ENV)\s?[[({]\s?["'\x60]?(\w{1,80})["'\x60]?(?:,[^)\]]{0,40})?\s?[\])}]|(?:\b(?:process|Bun)\.env\.|\$env:)(\w{1,80})\b`;

const ALL_VARIABLES =
  /\b(?:os\.environ|process\.env)(?=\s*(?:[,)}\]|;\n]|$))|\bos\.environ\.(?:copy|items|values)\(|\bENV\.(?:to_h|each|inspect|sort)|%ENV\b|\bgetenv\(\s*\)|\bDeno\.env\.toObject|[`"'](?:env|printenv)[`"']/;

const SOCKET =
  /sock(?:et|open)\w{0,20}["']?\s?\(|["']socket["']|[([]\s?socket\s|\b(?:IO::|use |using )Sockets?\b|\b(?:TCP(?:Socket|Server|Client|Stream)|UdpSocket|SocketChannel|create_(?:connection|server)|open_connection|telnetlib|gen_(?:tcp|udp)|(?:make|open)-network-\w{1,20}|(?:tcp|socket)-connect|(?:net|tls|Deno|Bun|Socket)\.(?:Socket|connect|listen|createConnection|Dial\w{0,20}))\b|(?:\brequire\(|\bfrom)\s*["'](?:node:)?(?:net|tls)["']/i;

const SHELL = new RegExp(
  String.raw`\b(?:${PROCESS}|iex|Invoke-Expression|os["']?[:.]cmd)\b|\(sh\s|\x60[^\x60]+\x60|\/bin\/(?:ba|z|da|k)?sh\b|cmd\.exe|\.execute\(|(?:catch\s+\{|\[(?:eval\s+)?)exec\b|\bexec(?:Cmd|Process)|\bexec\s+\S*sh\b|\bexec\s*(?:\(\s*)?["'\x60$]|\bopen\s+["{]?\|`,
  'i',
);

/** Dangers of code in which each of some expressions is found. */
export const DANGERS: readonly (readonly [Finding, ...RegExp[]])[] = [
  // A shell on a connection.
  [backdoor, SOCKET, SHELL],
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
  [switchesOff, /Amsi(?:Utils|InitFailed|ScanBuffer)|EtwEventWrite/i],
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
    /(?<![.\w])(?:(?:include|require)(?:_once)?|source|import|from|load|dofile)\s*(?:\(\s*)?(?:download\s*\(\s*)?["'`](?:https?|ftp|data):/,
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
    /\b(?:delete_?(?:bucket|stack|table|db_?(?:instance|cluster|snapshot)|cluster|volume|snapshot|repository|hosted_?zone|file_?system|namespace\w{0,20}|collection_namespaced_\w{1,40})|terminate_?instances)(?:Command|Request)?\s?\(|\bschedule_?key_?deletion|\bBucket\([^)]{0,80}\)\.objects\.(?:all|filter)\([^)]{0,80}\)\.delete\(\)|\.object_versions\.delete\(/i,
  ],
  [
    destroysData,
    /\.(?:flush_?(?:all|db)|drop_?(?:database|all))\s?\(|\.(?:deleteMany|(?:delete|destroy)_all)\s?\(\s*(?:\{\s*\})?\s*\)|\.(?:delete|destroy)_all(?![\w(])/i,
  ],
];
