import type { FormsName, Program } from '../programs/program.ts';

/** How programs in one language say the things that rules ask about, where that is not how most languages say it. */
export interface Forms {
  /** It opens a network connection, or waits for one. */
  readonly connects: RegExp;
  /** It starts a program. */
  readonly starts: RegExp;
  /** It reads or copies a file that a text names. */
  readonly reads: RegExp;
  /** It writes a file that a text names. */
  readonly writes: RegExp;
  /** Paths stand in it without quotes. */
  readonly bare: boolean;
  /** It is for queries: only the files that it names are of interest. */
  readonly queries: boolean;
}

/** The forms of the language that a program runs; nothing is special of most. */
export function formsOf({ forms }: Program): Forms {
  return forms ? { ...PLAIN, ...LANGUAGES[forms] } : PLAIN;
}

const NEVER = /(?!)/;
const PLAIN: Forms = {
  connects: NEVER,
  starts: NEVER,
  reads: NEVER,
  writes: NEVER,
  bare: false,
  queries: false,
};

const LANGUAGES: Readonly<Record<FormsName, Partial<Forms>>> = {
  java: {
    connects: /\bsocket\b|\bServerSocket\b|\bSocketChannel\b/i,
    starts: /\bProcessBuilder\b|\bgetRuntime\b|\bRuntime\.|\.execute\(|\bsys\.process\b|\(sh\s/,
    reads: /\b(?:File\w*Reader|FileInputStream|RandomAccessFile|Files\.\w+|Scanner|slurp|cat|File)\b/,
    writes: /\b(?:FileWriter|FileOutputStream|PrintWriter|Files\.(?:write\w*|copy|move|newB\w+)|spit)\b/,
  },
  tcl: {
    connects: /\bsocket\s/,
    starts: /\bexec\b|\bopen\s+["{]?\|/,
    reads: /\bopen\s|\bsource\s|\bfile\s+copy\b/,
    writes: /\bopen\s+\S+\s+["{]?(?:w|a|r\+)|\bfile\s+(?:copy|rename)\b/,
    bare: true,
  },
  julia: {
    connects: /\bconnect\(\s*"[^"]*"\s*,\s*\d|\blisten\(/,
    starts: /\b(?:run|read|pipeline|open)\s*(?:\(\s*)?`/,
    reads: /\b(?:read\w*|open|eachline|include)\s*\(/,
    writes: /\b(?:write|open|cp|mv)\s*\(/,
  },
  r: {
    connects: /\b(?:socketConnection|make\.socket|serverSocket)\b/,
    starts: /\b(?:system2?|shell|pipe)\s*\(/,
    reads: /\b(?:readLines|readChar|readBin|read\.\w+|scan|source|file\.copy)\s*\(/,
    writes: /\b(?:writeLines|write\w*|cat|sink|file\.copy)\s*\(/,
  },
  erlang: {
    connects: /\bgen_(?:tcp|udp)\b/,
    starts: /\bos["']?:cmd\b|:os\.cmd\b|\bSystem\.(?:cmd|shell)\b|\bopen_port\b|\bPort\.open\b/,
    reads: /\bfile:(?:read|open|copy|consult)\w*|\bFile\.(?:read|stream|open|cp)\w*/,
    writes: /\bfile:(?:write|copy|rename)\w*|\bFile\.(?:write|cp|rename|touch)\w*/,
  },
  lisp: {
    connects: /\b(?:make|open)-network-(?:process|stream)\b|\btcp-connect\b|\bsocket-connect\b|\(socket\s/,
    starts: /\b(?:shell-command\S*|call-process\S*|start-process\S*|make-process|run-program|system\*?)\b/,
    reads: /\b(?:insert-file\S*|find-file\S*|open-input-file|file->\w+|slurp)|\(open\b/,
    writes: /\b(?:write-region|append-to-file|write-file|copy-file|rename-file)\b/,
  },
  compiled: {
    connects: /\b(?:net\.Listen|Socket\.(?:connect|tcp)|ServerSocket|TCPServer|newSocket|dial_tcp)\b/,
    starts:
      /\bexec\.Command|\bCommand::new|\bProcess\.(?:start|run\w*|new)\b|\bexec(?:Cmd|Process|ShellCmd)\w*|\bos\.(?:execute|system|exec)\b/,
    reads: /\b(?:os\.(?:ReadFile|Open|read_\w+)|ioutil\.ReadFile|fs::read\w*|include_str!|File)\b/,
    writes: /\b(?:os\.(?:WriteFile|Create|OpenFile|write_\w+)|fs::(?:write|copy|rename)|File::create)\b/,
  },
  javascript: {
    connects: /\b(?:Deno|Bun|tls)\.(?:connect|listen)\b|\bfrom\s*["'](?:node:)?net["']/,
    starts: /\bDeno\.(?:Command|run)\b/,
  },
  sql: {
    reads:
      /\b(?:readfile|load_file|pg_read_\w*file|lo_import|read_\w+)\s*\(|\bfrom\s+["']|\binfile\s|^[ \t]*[.\\](?:import|read|copy|i)\b/im,
    writes: /\bwritefile\s*\(|\bto\s+["']|\binto\s+(?:out|dump)file\s|^[ \t]*[.\\](?:output|once|o|w)\b/im,
    bare: true,
    queries: true,
  },
  terraform: { reads: /\b(?:file\w*|templatefile)\s*\(/ },
};
