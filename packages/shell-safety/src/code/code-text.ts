/**
 * A program in another language with its paths written out, as far as that needs no grammar: the home folder by
 * whatever expression is `"~"`, a variable that holds one text is that text, joined and added texts are one.
 * `join(homedir(), '.ssh')` becomes `"~/.ssh"`.
 */
export function withPathsWrittenOut(code: string): string {
  let text = code
    .replace(WORDS, quotedWords)
    .replace(HOME, '"~"')
    .replace(QUOTED_COMMAND, '`$1$2`')
    .replace(QUOTED_PATTERN, '"$1"');
  text = withVariables(text.replace(UNWRAPPED, '"$2"'));
  for (let round = 0; round < 3; round++) {
    const before = text;
    text = text
      .replace(EMBEDDED, '$2')
      .replace(JOINED_LIST, (_, separator: string, list: string) => `"${literals(list).join(separator)}"`)
      .replace(JOIN, (_, list: string) => `"${literals(list).join('/')}"`)
      .replace(UNWRAPPED, '"$2"')
      .replace(SUM, '"$2$4"')
      .replace(QUOTIENT, '"$2/$4"');
    if (text === before) break;
  }
  return text;
}

/** The program with the variables of its environment that are known written out: `os.environ["F"]` as `"x.txt"`. */
export function withEnvironment(code: string, env: ReadonlyMap<string, string>): string {
  if (env.size === 0) return code;
  return filled(code, ENVIRONMENT, (_, quoted, bare) => {
    const value = env.get(quoted ?? bare ?? '');
    return value === undefined || /["\\\n]/.test(value) ? undefined : `"${value}"`;
  });
}

/** What `pattern` finds with what `valueFor` says in its place, until the text has grown by 16 kB: a long value may be used often. */
function filled(
  text: string,
  pattern: RegExp,
  valueFor: (whole: string, ...groups: (string | undefined)[]) => string | undefined,
): string {
  let room = 16 * 1024;
  return text.replace(pattern, (whole: string, ...groups: string[]) => {
    const value = room > 0 ? valueFor(whole, ...groups) : undefined;
    if (value === undefined) return whole;
    room -= value.length - whole.length;
    return value;
  });
}

const ENVIRONMENT =
  /(?:\b(?:os\.environ(?:\.get)?|(?:os\.|System\.)?getenv|process\.env|ENV(?:\.fetch)?|Deno\.env\.get|ENVIRON|Sys\.getenv)|\$_(?:ENV|SERVER)|\$ENV)\s?[[({]\s?["']?(\w+)["']?(?:,[^)\]]{0,40})?\s?[\])}]|(?:\bprocess\.env\.|\$env:)(\w+)\b/g;

/** A program whose paths stand without quotes, with quotes: `open /etc/hosts`, `.import x.csv t`. */
export function withPathsQuoted(code: string): string {
  return code.replace(/(^|[\s{[])(~?\/[^\s"'`{}[\];()]*)/g, '$1"$2"');
}

/** The texts in quotes, at most 256 of them. */
export function literals(code: string): string[] {
  const texts: string[] = [];
  // From a quote that nothing closes, nothing closes those of its kind behind it: they are not looked at again.
  const unclosed = new Set<string>();
  for (let i = code.search(QUOTE); i < code.length && i !== -1 && texts.length < 256; i++) {
    const quote = code.charAt(i);
    const text = TEXT_IN.get(quote);
    if (!text || unclosed.has(quote)) continue;
    text.lastIndex = i;
    const whole = text.exec(code)?.[0];
    if (whole === undefined) unclosed.add(quote);
    else {
      if (whole.length > 2) texts.push(unescaped(whole.slice(1, -1)));
      i += whole.length - 1;
    }
  }
  return texts;
}

const QUOTE = /["'`]/;
const TEXT_IN: ReadonlyMap<string, RegExp> = new Map([
  ['"', /"(?:[^"\\]|\\[\s\S])*"/y],
  ["'", /'(?:[^'\\]|\\[\s\S])*'/y],
  ['`', /`(?:[^`\\]|\\[\s\S])*`/y],
]);

const HOME =
  /(?:(?:pathlib\.)?Path\.home\(\)|os\.environ(?:\.get\(|\[)\s*["'](?:HOME|USERPROFILE)["'](?:\s*,[^)\]]{0,80})?[)\]]|(?:os\.)?getenv\(\s*["']HOME["']\s*\)|process\.env(?:\.(?:HOME|USERPROFILE)|\[["']HOME["']\])|(?:require\(\s*["'](?:node:)?os["']\s*\)\.|os\.)?homedir\(\)|ENV(?:\[["']HOME["']\]|\.fetch\(["']HOME["']\))|\$ENV\{["']?HOME["']?\}|\$_SERVER\[["']HOME["']\]|Dir\.home\b|Deno\.env\.get\(["']HOME["']\))/g;
/** `%x(…)` of Ruby and `qx{…}` of Perl. */
const QUOTED_COMMAND = /(?:%x|\bqx)\s*(?:\(([^)`]{0,400})\)|[{[/!]([^}\]`/!]{0,400})[}\]/!])/g;

/** `qw(rm -rf /)` of Perl and `%w[rm -rf /]` of Ruby: a list of words. */
const WORDS =
  /(?:\bqw|%w)\s?(?:\(([^)]{0,400})\)|\{([^}]{0,400})\}|\[([^\]]{0,400})\]|<([^>]{0,400})>|([/|!#])((?:\\.|(?!\5).){0,400})\5)/gi;

function quotedWords(_: string, ...groups: (string | undefined)[]): string {
  const words = [...groups.slice(0, 4), groups[5]].find((list) => list !== undefined) ?? '';
  return words
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `"${word.replace(/["\\]/g, '')}"`)
    .join(', ');
}

/** `</etc/*>` of Perl. */
const QUOTED_PATTERN = /<([~/][^<>\s"'`]{0,200}[*?][^<>\s"'`]{0,200})>/g;

/** A text in quotes: its quote is group `n`, what it says the next one. */
function literal(n: number): string {
  return `(["'\x60])([^"'\x60\\n\\\\]{0,200})\\${n}`;
}

/** `f"{"~"}/x"`, `${"~"}/x` */
const EMBEDDED = new RegExp(String.raw`[$#]?\{\s*${literal(1)}\s*\}`, 'g');
/** `''.join(['a', 'b'])` */
const JOINED_LIST =
  /["'](\s?)["']\.join\(\s*[[(]((?:\s{0,9}["'][^"'\n\\]{0,200}["'],?){1,12})\s{0,9}[\])]\s{0,9}\)/g;
const JOIN =
  /\b(?:path|require\(["'](?:node:)?path["']\)|File|p)\.(?:join|resolve)\(\s*(["'\x60][^"'\x60\n\\]{0,200}["'\x60](?:\s*,\s*["'\x60][^"'\x60\n\\]{0,200}["'\x60]){0,12})\s*\)/g;
const UNWRAPPED = new RegExp(
  String.raw`\b(?:os\.path\.|pathlib\.|File\.)?(?:Path|PurePath|expanduser|expand_path|abspath|realpath|normpath)\(\s*${literal(1)}\s*\)(?:\.expanduser\(\))?`,
  'g',
);
const SUM = new RegExp(String.raw`${literal(1)}\s*(?:\+\+?|<>|\.\.?(?=\s*["']))\s*${literal(3)}`, 'g');
const QUOTIENT = new RegExp(String.raw`${literal(1)}\s*\/\s*${literal(3)}`, 'g');

function withVariables(code: string): string {
  const values = new Map<string, string>();
  for (const match of code.matchAll(ASSIGNED)) {
    if (values.size === 16) break;
    values.set(match[1] ?? '', match[3] ?? '');
  }
  if (values.size === 0) return code;
  return filled(code, NAME, (_, name = '') => {
    const value = values.get(name);
    return value === undefined ? undefined : `"${value}"`;
  });
}

const ASSIGNED = new RegExp(
  String.raw`(?:^|[\s;({,])\$?([A-Za-z_]\w{0,40})\s*:?=\s*(?:\w+\.Path\(|Path\()?${literal(2)}\)?\s*(?=[;\n,)]|$)`,
  'g',
);
/** A variable where it is used: as an argument or in a sum, not as a name of its own. */
const NAME = /(?<=[(,+{]\s{0,3})\$?([A-Za-z_]\w{0,40})(?=\s{0,3}[),+}.])(?!\s*\.\s*\w+\s*=)/g;

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
