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

export const ENDLESS: RegExp =
  /\bwhile\s*\(\s*\)|\bwhile\b\s*(?:\(\s*)?(?:1|\$?[Tt]rue|fork\b)|\bfor\s*\{|\bfor\s*\(\s*;\s*;|\bloop\s*(?:\{|do\b)|\biter\s*\(\s*int\b|\bsetInterval\b|\b(?:while|until)\b[^\n]{0,20}\bTrue\b/;
/** It starts a process, or a command in the background. */
export const STARTS: RegExp =
  /\b(?:fork|Popen|spawn|pcntl_fork|Process\.spawn|Process(?=\()|child_process[^;]{0,40}\.exec|start_new_thread|Thread(?=\()|Start-Process|exec\.Command)\b|\b(?:system|execute|popen)\s*(?:\(\s*)?(?:["'`][^"'`\n]{0,200}&\s*["'`]|"(?:[^"\\\n]|\\.){0,200}&\s*")|\bexec\s[^}\n]{0,200}&\s*\}|\bwait\s*=\s*false/;
/** What the loop starts says nothing about what the loop does. */
export const IN_QUOTES: RegExp =
  /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`\n]*`|\bexec\s[^}\n]{0,200}&/g;
export const WAITS: RegExp = /\b(?:wait\w*(?!\s*=\s*false)|sleep|communicate|join|break|setTimeout|exit)\b/;

/** A variable of the environment is printed: what stands between, its name, and what is behind it. */
export const PRINTS_VARIABLE: RegExp =
  /\b(?:print\w*|puts|echo|say|console\.\w{1,8}|std(?:out|err)\.write)\b([^;\n]{0,60}?)(?:process\.env(?:\.|\[["'`])|os\.environ(?:\.get\(|\[)["']|[gG]etenv\(["']|\bDeno\.env\.get\(["']|\bBun\.env(?:\.|\[["'])|\bENV(?:\.fetch\(|\[)["']|\$ENV\{["']?|\$_ENV\[["'])(\w{1,80})["'`]?\)?\]?\}?(.{0,24})/g;
const ALL_VARIABLES =
  /\bos\.environ(?=\s*[,)}\]|;\n]|\s*$)|\bos\.environ\.(?:copy|items|values)\(|\bprocess\.env(?=\s*[,)}\]|;\n]|\s*$)|\bENV\.(?:to_h|each|inspect|sort)|%ENV\b|\bgetenv\(\s*\)|\bSystem\.getenv\(\)|\bDeno\.env\.toObject|\bin ENVIRON\b|[`"'](?:env|printenv)[`"']/;
export const INPUT: RegExp =
  /\bsys\.stdin\b|\bSTDIN\b|\$stdin\b|readFileSync\(\s*(?:0|["']\/dev\/stdin["'])|\bprocess\.stdin\b|php:\/\/stdin|\bgets\b|\binput\(\)|\$_(?!\w)|<>|\bARGF\b|\bio\.read\b/;
const PRINTS = /\b(?:p?print\w*|puts|echo|say|console\.\w{1,8}|var_dump|p|std(?:out|err)\.write)\b/;
export const QUERIES: RegExp =
  /\b(?:execute\w*|query\w*|exec_driver_sql|executescript|raw|run_sql|\$executeRaw\w*|mysqli?_query|pg_query)\s?\(|\bPDO\b|\.(?:exec|run|command)\(/;
export const SOCKET: RegExp =
  /\(socket\s|\busing Sockets\b|\b(?:ServerSocket|SocketChannel|gen_(?:tcp|udp)|(?:make|open)-network-(?:process|stream)|(?:tcp|socket)-connect|net\.Listen|newSocket|dial_tcp|socketConnection|make\.socket|(?:Deno|Bun|tls)\.(?:connect|listen))\b|\blisten\(|\bconnect\(\s*"[^"]*"\s*,\s*\d|\bfrom\s*["'](?:node:)?net["']|["']socket["']|\b(?:socket_create|open_connection|telnetlib|WebSocket(?=\()|TCPSocket|TCPServer|create_connection|create_server|socketserver|fsockopen|pfsockopen|TCPClient|stream_socket_client|net\.(?:Socket|connect|createConnection|Dial\w*)|TcpStream|UdpSocket)\b|require\(\s*["'](?:node:)?(?:net|tls)["']\s*\)|IO::Socket|use Socket|\bsocket\s*\(|socket["']?\)?\.(?:tcp|connect)|\[\s*socket\s|\bSocket\(/i;
export const SHELL: RegExp =
  /\b(?:ProcessBuilder|getRuntime|sys\.process|os["']?:cmd|open_port|Port\.open|System\.(?:cmd|shell)|exec\.Command|Command::new|Process\.(?:start|run\w*|new)|exec(?:Cmd|Process|ShellCmd)\w*|os\.exec|Deno\.(?:Command|run))\b|:os\.cmd\b|\bRuntime\.|\(sh\s|(?:catch\s+\{|\[(?:eval\s+)?)exec\b|\bopen\s+["{]?\||\b(?:system2|shell|pipe|run(?=\(pipeline))\s*\(|\b(?:shell-command|call-process|start-process|make-process|run-program)|\b(?:subprocess|pty|dup2|spawn\w*|proc_open|shell_exec|passthru|child_process|Open3|qq?x|Process\.Start|Diagnostics\.Process|os\.execute|os\.system|system|popen|iex|Invoke-Expression)\b|`[^`]+`|\/bin\/(?:ba|z|da|k)?sh\b|cmd\.exe|\.execute\(|\bexec\s+\S*sh\b|\bexec\s*(?:\(\s*)?(?:["'`$]|sprintf)/i;
export const FETCHES: RegExp =
  /\burlopen\b|\burlretrieve\b|\brequests\.(?:get|post)|\bhttpx\.get|\bhttps?["']?\)?\.get\b|\bfetch\s*\(|file_get_contents\(\s*["'](?:https?|ftp):|\bLWP\b|open-uri|URI\.open|Net::HTTP|HTTP::Tiny|\bDownload(?:String|Data|File)\b|Invoke-WebRequest|Invoke-RestMethod|\b(?:iwr|irm|curl|wget)\b|\bget\s*(?:\(\s*)?["']https?:|socket\.http|\bcopy\s*\(\s*["']https?:|\bdownload\s*\(/i;
/** A text is run as code, or a command that is no text in the code. */
export const EVALUATES: RegExp =
  /(?<![.\w])(?:exec|eval|execfile|iex|Invoke-Expression|compile|instance_eval|loadstring|load(?=\(\s*require))\b|\.eval\b|\bvm\.run\w*|\bimport\(\s*["'`]data:|scriptblock\]::Create|\b(?:run|call|Popen|check_\w+|getoutput)\s*\(\s*[^\s'"[)][^\n]{0,200}shell\s*=\s*True|\b(?:system|popen|execSync|shell_exec|passthru)\s*\(\s*[^\s'"`)]|\.runIn\w{0,20}Context\b|\bvm\.Script\b|\b_compile\(|\.constructor\s?\(\s?[a-z]/i;
/** JavaScript's evaluator, whose name in small letters begins every function. */
export const CALLS_FUNCTION: RegExp = /(?<![.\w])Function\b(?!\.)/;
/** What is loaded may be handed on to a shell, or to what runs a file: a variable, or what is written to its input. */
export const HANDS_ON: RegExp =
  /\bchild_process\b[^\n]{0,400}\.exec\w{0,8}\(\s?[a-z_]\w{0,40}\s?[,)]|\bspawn\w{0,8}\(\s?['"](?:ba|z|da)?sh['"]\s?\)|['"]-c['"]\s?,\s?[a-z]\w{0,40}\s?\]|\b(?:require|include)(?:_once)?[ (]{1,3}["']\/(?:tmp|var\/tmp|dev\/shm)\//i;
/** A text in quotes that may be run: one that loads something, or the name of an evaluator. */
export const MAY_RUN: RegExp =
  /Invoke-WebRequest|Invoke-RestMethod|\b(?:iwr|irm|curl|wget)\b|^.(?:eval|exec|instance_eval|Function).$/i;
export const RUNS: RegExp =
  /\b(?:system|popen|subprocess|child_process|exec\w*|spawn\w*|shell_exec|passthru|check_output|proc_open|do shell script|qx|Open3|System\.cmd|Sys\.command|ProcessBuilder|getRuntime|Command\.new|run)\b|(?:^|[\n;{])[ \t]{0,9}sh[ (]{1,2}["']|`|\bBun\.\$|\|\s*getline|Start-Process|\bos['\x22]?:cmd\b|:os\.cmd\b|\bSystem\.shell\b|\b(?:open_port|Port\.open|shell-command|call-process|make-process|Command::new)|\(sh\s|\bProcess\.(?:start|run|new)\b|\bsys\.process\b|\b(?:system2|shell)\s*\(|\bopen\s+[\x22{]?\||\bopen\s{0,3}\([^;\n]{0,200}\|/i;
/** A program that is run without arguments: `os.system("reboot")`, `subprocess.run(["reboot"])`. */
export const RUNS_ALONE: RegExp =
  /\b(?:system|popen|Popen|exec\w{0,20}|spawn\w{0,20}|shell_exec|passthru|proc_open|getoutput|check_\w{1,10}|call|run)\s*(?:\(\s*)?(?:\[\s*)?(["'`])([\w./-]{1,80})\1(?!\s*,\s*["'`[])/g;
const DELETING =
  'send2trash|removeItem|removeDir(?:ectory\\w{0,40})?|Directory\\]::Delete|del_dir_r|delete-directory|delete-file|[Rr]emoveAll|remove_dir_all|deleteDirectory|rmdir_all|file\\s+delete|rmtree|rmSync|rmdirSync|rmdir|rm_rf?|rm_r|rimraf(?:["\']\\))?(?:\\.sync|\\.native)?|remove_tree|remove_entry\\w{0,40}|remove_dir|removedirs|unlink\\w{0,40}|remove(?:Sync|All|Dir)?|deleteSync|emptyDir\\w{0,40}|secure_!?|Deno\\.remove\\w{0,40}';
/** A call that deletes, with the text that it is given: itself, in a list, or through one other call. */
export const DELETES: RegExp = new RegExp(
  String.raw`(?:\b(?:${DELETING})|\brm(?=\s{0,4}\()|\bdelete)!?(?:\s{1,4}-{1,2}\w{0,40}){0,3}\s{0,4}\(?\s{0,4}\[?\s{0,4}(?:(?:new\s{1,4})?[\w.:]{1,80}\s{0,4}\(?\s{0,4})?(["'\x60])((?:(?!\1)[^\\\n]){1,200})\1\s{0,4}([+.](?!\s{0,4}(?:iterdir|glob|rglob))\s{0,4}[\w$(])?`,
  'g',
);
export const DELETES_SOMETHING: RegExp = new RegExp(String.raw`\b(?:${DELETING})\b|\.rm\b|\bFile\.delete\b`);
/** A folder whose files are gone through: `os.walk('/')`, `"/".rglob('*')`. */
export const LISTS: RegExp =
  /\b(?:listdir|scandir|walk|i?glob|readdir\w*|readDir\w*|Dir\.\w+|Dir|opendir|RecursiveDirectoryIterator|find|finddepth|globSync)\s*(?:\(\s*)?\[?(?:sub\s*\{[^}]{0,200}\}\s*,\s*)?(["'`])((?:(?!\1)[^\\\n]){1,200})\1|(["'`])((?:(?!\3)[^\\\n]){1,200})\3\)?\.(?:rglob|glob|iterdir)\(\s*(?:["']\*{1,2}["']\s*)?\)/g;
/** What a text names is deleted: `new File('/').deleteDir()`. */
export const DELETED: RegExp =
  /(["'`])((?:(?!\1)[^\\\n]){1,200})\1\s{0,9}\)?\s{0,9}\.(?:deleteDir|deleteRecursively|deleteSync|delete|rmtree|rmdir|unlink)\b/g;
export const MOVES: RegExp = /\b(?:rename\w*|move\w*|mv)\s*\(\s*(["'`])((?:(?!\1)[^\\\n]){1,200})\1\s*,/g;
/** It looks at each file before it deletes it. */
export const PICKS: RegExp =
  /\b(?:endswith|end_with|endsWith|startswith|match\w*|fnmatch|suffix|extname|splitext|st_mtime|getmtime|mtime\w*|includes|test\(|size)\b/;
/** A mode with which everybody may do everything. */
export const OPENS_MODE: RegExp =
  /\b(?:l?chmod\w*|mkdir\w*|makedirs)\b[^\n;]{0,120}?(?<![\w.])0?o?(777|[4-7][0-7]{3})\b/;
export const OPENS: RegExp =
  /\b(?:File\w*Reader|FileInputStream|RandomAccessFile|Files\.\w+|Scanner|eachline|include(?=\()|include_str!|readLines|readChar|readBin|read\.\w+|scan|source|insert-file\S*|find-file\S*|file->\w+|ioutil\.ReadFile|fs::read\w*|templatefile)(?!\w)|\b(?:open\w*|with_open\w*|with-open\w*|Upload(?:File|Data)\w*|fileread|readFile\w*|read_text|read_bytes|readlines|File|IO\.read|file_get_contents|fopen|readfile|file|slurp|copy\w*|cp|cpSync|createReadStream|Get-Content|gc|cat|Path|dotenv_values|parse_ini_file|read(?=\()|readTextFile\w*|Bun\.file|symlink\w*|link\w*)\b/;
/** A call and the text that it is given first. */
export const CALLED_WITH: RegExp =
  /([\w.:!?-]{1,60})\s*\(\s*(?:\w{1,60}\s*[:=]\s*)?[rbuf]?(["'`])((?:(?!\2)[^\\\n]){3,200})\2(\s*[,)])?/g;
/** Calls that say, compare or look at a name, and do not open the file. */
export const LOOKS_ONLY: RegExp =
  /(?:^|[.:])(?:print\w*|puts?|echo|log|info|warn\w*|error|write\w*|say|pp?|format|exists?\w*|is_?file|is_?dir|l?stat\w*|access\w*|l?chmod\w*|l?chown\w*|basename|dirname|join|resolve|normali[sz]e|\w*Path|\w*path|utime\w*|(?:starts|ends)_?with\??|includes?\??|index\w*|match\w*|search|test|compile|replace|split|append|push|add|assert\w*|equals?|expect|it|describe|\w*Error|raise|getsize|RegExp|unlink\w*|remove\w*)$/i;
export const WRITES: RegExp =
  /\b(?:FileWriter|FileOutputStream|PrintWriter|Files\.(?:write\w*|copy|move|newB\w+)|spit|writeLines|sink|write-region|append-to-file|(?:write|copy|rename)-file|file:(?:write|copy|rename)\w*|File\.(?:write|cp|rename|touch)\w*|os\.(?:WriteFile|Create|OpenFile|write_\w+)|fs::(?:write|copy|rename)|File::create)\b|\bopen\s+\S+\s+["{]?(?:w|a|r\+)|\bfile\s+(?:copy|rename)\b|["'](?:w|a|r\+|w\+|a\+|wb|ab|rb\+|r\+b|>{1,2})["']|\b(?:writeFile\w*|appendFile\w*|write_text|write_bytes|file_put_contents|createWriteStream|O_WRONLY|O_RDWR|binwrite|IO\.write|File\.write|Set-Content|Add-Content|Out-File|chmod\w*|chown\w*|truncate\w*|rename\w*|copy\w*|os\.replace|shutil\.move)\b/;

/** Dangers of code in which each of some expressions is found. */
export const DANGERS: readonly (readonly [Finding, ...RegExp[]])[] = [
  // A server, and a program whose name is no text in the code.
  [
    backdoor,
    /\b(?:createServer|HTTPServer|http\.server|Flask|express|(?:Bun|Deno)\.serve|HttpListener|WEBrick|ListenAndServe)\b/,
    /(?:\bos\.(?:system|popen)|\bgetoutput|\bcheck_output|\bshell_exec|\bpassthru|\bexecSync|\bsubprocess\.\w+|child_process["']\)\.exec\w*|(?<![.\w])(?:exec|system))\(\s*[A-Za-z_$]/,
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
  [showsVariables, ALL_VARIABLES, PRINTS],
  // Code is taken from an address by name.
  [
    remoteCode,
    /(?<![.\w])(?:include|include_once|require|require_once|source|import|load|dofile|runpy\.run_path)\s*(?:\(\s*)?(?:download\s*\(\s*)?["'`](?:https?|ftp):|\bimport\s*(?:\(\s*)?["'`](?:data:|https?:)|\bfrom\s+["']https?:/,
  ],
  // A loop that forks, and a function that starts a process and itself again.
  [
    forkingLoop,
    /\bfork\s*(?:\(\s*\)\s*)?while\b|\bwhile\s*(?:\(\s*)?(?:1|true|True|fork)\b[\s\S]{0,120}\b(?:pcntl_)?fork\b|\bloop\s*(?:\{|do)\s*[\s\S]{0,40}\bfork\b|\bfor\s*\(\s*;\s*;\s*\)[\s\S]{0,80}\b(?:pcntl_)?fork\b|\bwhile\s*\(\s*(?:true|1)\s*\)[\s\S]{0,80}\bspawn\b|\bfork\b[\s\S]{0,20}\biter\s*\(\s*int|\bfork\b[^\n]{0,40}\brange\(\s*(?:\d{4}|10\s*\*\*)|\brange\(\s*(?:\d{4}|10\s*\*\*)[^\n]{0,20}\s{1,20}[^\n]{0,20}\bfork\b/,
  ],
  [
    forkingLoop,
    /\bfunction\s+(\w{1,60})\s*\([^)]{0,200}\)\s*\{[^\n]{0,200}\b(?:spawn|fork)\b[^\n]{0,200}(?:\+\s*\1\s*\+|(?:setImmediate|setTimeout|nextTick)\(\s*\1\b)|\bdef\s+(\w+)[\s;]{1,20}fork\s*\{\s*\2\b/,
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
    /\.(?:flushall|flushdb|flushAll|flushDb|drop_database|dropDatabase|drop_all)\s?\(|\.(?:deleteMany|delete_all|destroy_all)\s?\(\s*(?:\{\s*\}\s*)?\)|\.(?:delete|destroy)_all(?![\w(])/,
  ],
];
/** A database that is asked for a file, or told to write one. */
export const SQL_READS: RegExp =
  /\b(?:readfile|load_file|pg_read_\w*file|lo_import|read_\w+)\s*\(|\bfrom\s+["']|\binfile\s|^[ \t]*[.\\](?:import|read|copy|i)\b/im;
export const SQL_WRITES: RegExp =
  /\bwritefile\s*\(|\bto\s+["']|\binto\s+(?:out|dump)file\s|^[ \t]*[.\\](?:output|once|o|w)\b/im;
