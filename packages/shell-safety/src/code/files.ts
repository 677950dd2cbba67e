import { deletion, moving, rewritesHistory, sensitiveFile, tooOpen } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { EVERYDAY } from '../paths/list.ts';
import { normalizePath } from '../paths/normalize.ts';
import { place, vital } from '../paths/places.ts';
import { checkPlace } from '../rules/guarded-places.ts';
import { isRepository } from '../rules/kept-folders.ts';

/** Judges what code in another language does with files; `paths` are the texts in it that may name one. */
export function judgeFiles(code: string, paths: readonly string[]): Finding | undefined {
  const mode = OPENS_MODE.exec(code)?.[1];
  return (
    judgeDeletions(code) ??
    (mode === undefined ? undefined : tooOpen(mode)) ??
    judgePaths(code, paths, OPENS, WRITES) ??
    (OPENS.test(code) ? undefined : givenToCall(code))
  );
}

/** Judges the files that statements of a database read and write. */
export function judgeFilesOfStatements(code: string, paths: readonly string[]): Finding | undefined {
  return judgePaths(code, paths, SQL_READS, SQL_WRITES);
}

function judgeDeletions(code: string): Finding | undefined {
  for (const [, , text = '', added = ''] of [...code.matchAll(DELETES), ...code.matchAll(DELETED)]) {
    // `'/tmp/' + name` is one file there; `'/' + name` is a system folder.
    const isWhole = added === '' || text.length === 1;
    const lost = isWhole ? vital(text.replace(ANYTHING_IN_ROOT, '/'), '.') : undefined;
    if (lost) return deletion(lost);
    if (isRepository(text, '.')) return rewritesHistory;
  }
  for (const [, , text = ''] of code.matchAll(MOVES)) {
    const lost = vital(text, '.');
    if (lost) return moving(lost);
  }
  if (!DELETES_SOMETHING.test(code) || PICKS.test(code)) return undefined;
  for (const [, , before = '', , after] of code.matchAll(LISTS)) {
    const lost = vital(after ?? before, '.');
    if (lost) return deletion(lost);
  }
  return undefined;
}

const DELETING =
  '[Rr]emove\\w{0,40}|unlink\\w{0,40}|rm(?:tree|dir\\w{0,10}|Sync|_r?f?)|rimraf(?:["\']\\))?(?:\\.\\w{1,6})?|emptyDir\\w{0,40}|send2trash|del_dir_r|delete(?:Directory|Sync|-directory|-file)|Directory\\]::Delete|file\\s+delete';
/** A call that deletes, with the text that it is given: itself, in a list, or through one other call. */
const DELETES = new RegExp(
  String.raw`(?:\b(?:${DELETING})|\brm(?=\s{0,4}\()|\bdelete)!?(?:\s{1,4}-{1,2}\w{0,40}){0,3}\s{0,4}\(?\s{0,4}\[?\s{0,4}(?:(?:new\s{1,4})?[\w.:]{1,80}\s{0,4}\(?\s{0,4})?(["'\x60])((?:(?!\1)[^\\\n]){1,200})\1\s{0,4}([+.](?!\s{0,4}(?:iterdir|r?glob))\s{0,4}[\w$(])?`,
  'g',
);
const DELETES_SOMETHING = new RegExp(String.raw`\b(?:${DELETING})\b|\.rm\b|\bFile\.delete\b`);
/** A folder whose files are gone through: `os.walk('/')`, `"/".rglob('*')`. */
const LISTS =
  /\b(?:listdir|scandir|walk|i?glob\w*|read[dD]ir\w*|opendir|Dir(?:\.\w+)?|RecursiveDirectoryIterator|find(?:depth)?)\s*(?:\(\s*)?\[?(?:sub\s*\{[^}]{0,200}\}\s*,\s*)?(["'`])((?:(?!\1)[^\\\n]){1,200})\1|(["'`])((?:(?!\3)[^\\\n]){1,200})\3\)?\.(?:r?glob|iterdir)\(\s*(?:["']\*{1,2}["']\s*)?\)/g;
/** What a text names is deleted: `new File('/').deleteDir()`. */
const DELETED =
  /(["'`])((?:(?!\1)[^\\\n]){1,200})\1\s{0,9}\)?\s{0,9}\.(?:delete(?:Dir|Recursively|Sync)?|rmtree|rmdir|unlink)\b/g;
const MOVES = /\b(?:rename\w*|move\w*|mv)\s*\(\s*(["'`])((?:(?!\1)[^\\\n]){1,200})\1\s*,/g;
/** It looks at each file before it deletes it. */
const PICKS =
  /\b(?:(?:starts|ends?)_?with|match\w*|fnmatch|suffix|extname|splitext|\w{0,6}mtime\w*|includes|test\(|size)\b/i;
/** `"/$_"` */
const ANYTHING_IN_ROOT = /^\/[$#]\{?\w+\}?$/;
/** A mode with which everybody may do everything. */
const OPENS_MODE = /\b(?:l?chmod\w*|mkdir\w*|makedirs)\b[^\n;]{0,120}?(?<![\w.])0?o?(777|[4-7][0-7]{3})\b/;

/** The files that the code names in a text, where something in it reads or writes files. */
function judgePaths(
  code: string,
  paths: readonly string[],
  reads: RegExp,
  write: RegExp,
): Finding | undefined {
  const opens = reads.test(code);
  const writes = write.test(code);
  const sources = new Set(
    [...code.matchAll(CALLED_WITH)].flatMap(([, name = '', , path = '']) => (COPIES.test(name) ? path : [])),
  );
  for (const text of paths) {
    const path = text.replace(/^(?:\+?[<>]{1,2}|\|)/, '');
    const changes = path !== text || (writes && !sources.has(text));
    const found = changes ? checkPlace(place(path, '.')) : undefined;
    if (found) return found;
    if (!opens) continue;
    const kind = sensitiveKind(normalizePath(path));
    if (kind) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

const OPENS =
  /\b(?:File\w*|RandomAccessFile|Scanner|include_str!|f?open\w*|with[_-]open\w*|Upload(?:File|Data)\w*|read(?:[A-Z_.]\w*|file\w*|lines|(?=\())|IO\.read|ioutil\.ReadFile|fs::read\w*|file_get_contents|fileread|file|slurp|copy\w*|cp|cpSync|createReadStream|Get-Content|gc|cat|Path|dotenv_values|parse_ini_file|Bun\.file|(?:sym)?link\w*)(?!\w)/;
const WRITES =
  /\b(?:File(?:Writer|OutputStream)|PrintWriter|Files\.(?:write\w*|move)|spit|writeLines|append-to-file|(?:write|rename)-file|os\.(?:WriteFile|Create|OpenFile|replace)|fs::(?:write|copy|rename)|File::create|writeFile\w*|appendFile\w*|write_text|write_bytes|file_put_contents|createWriteStream|O_WRONLY|O_RDWR|binwrite|(?:IO|File)\.write|Set-Content|Add-Content|Out-File|ch(?:mod|own)\w*|truncate\w*|rename\w*|copy\w*|shutil\.move)\b|\bopen\s+\S+\s+["{]?(?:w|a|r\+)|\bfile\s+(?:copy|rename)\b|["'](?:[wa]b?\+?|rb?\+b?|>{1,2})["']/;
/** A database that is asked for a file, or told to write one. */
const SQL_READS =
  /\b(?:readfile|load_file|pg_read_\w*file|lo_import|read_\w+)\s*\(|\bfrom\s+["']|\binfile\s|^[ \t]*[.\\](?:import|read|copy|i)\b/im;
const SQL_WRITES =
  /\bwritefile\s*\(|\bto\s+["']|\binto\s+(?:out|dump)file\s|^[ \t]*[.\\](?:output|once|o|w)\b/im;
/** What such a call is given first is only read. */
const COPIES = /(?:^|[.:])(?:copy\w*|cp\w*|read\w*)$/i;

/** Whatever a call is named, what it gets the name of a key or a password file for is that file. */
function givenToCall(code: string): Finding | undefined {
  for (const [, name = '', , path = ''] of code.matchAll(CALLED_WITH)) {
    if (LOOKS_ONLY.test(name) || /\s/.test(path)) continue;
    const kind = sensitiveKind(normalizePath(path));
    if (kind && !EVERYDAY.has(kind.id)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** A call and the text that it is given first. */
const CALLED_WITH =
  /([\w.:!?-]{1,60})\s*\(\s*(?:\w{1,60}\s*[:=]\s*)?[rbuf]?(["'`])((?:(?!\2)[^\\\n]){3,200})\2(\s*[,)])?/g;
/** Calls that say, compare or look at a name, and do not open the file. */
const LOOKS_ONLY =
  /(?:^|[.:])(?:print\w*|puts|echo|log|info|warn\w*|error|write\w*|say|format|exists?\w*|is_?(?:file|dir)|l?stat\w*|access\w*|l?ch(?:mod|own)\w*|basename|dirname|join|resolve|\w*path|(?:starts|ends)_?with|includes?|index\w*|match\w*|test|replace|split|append|push|add|assert\w*|equals?|expect|\w*Error|unlink\w*|remove\w*)$/i;
