import { around, middle, type SecretRule, token } from '../rule.ts';
import { HOLE } from '../template.ts';

/** A web token's header, up to where another could begin, so that consecutive headers are read once. */
const HEADER = '(?:(?![_-]eyJ)[\\w-])';

/** The data of a Kubernetes manifest in JSON, which may be truncated. A manifest has at most 1 MB. */
const JSON_DATA =
  '"(?:data|stringData)": {0,4}\\{((?:\\s{0,20}"[\\w.-]{1,128}": {0,4}"[^"\\\\]{1,8192}(?:",?|$)){1,2000})';

/** A password in a URL that has an `@`, where the last one ends it. */
const WITH_AT = '[^\\s/\\\\"\'`<>@]{0,128}(?:@[^\\s/\\\\"\'`<>@:?&=,;]{0,128}){1,6}(?=@[\\w.[-])|';

/** Quotes, brackets and templates around the secret of a URL or a command, which are no part of it. */
const OPENED =
  '(?:[bBrRuUfF]{0,2}["\'`]|</?\\w{1,10}>|<!\\[CDATA\\[|\\[REDACTED\\]|[^\\w\\s@/:]|@["\']){0,8}';
const CLOSED = '(?:</?\\w{1,10}>|\\[REDACTED\\]|[^\\w\\s@/]){0,8}';

/** Source of an expression for so many characters, or fewer with a template. */
function secretOf(character: string, least: number, most: number, first = ''): string {
  const few = `${character}{0,${least - 1}}`;
  return `(${first}${character}{${least},${most}}|${few}${HOLE}${few})`;
}

/** A command, and the option before its secret. */
const command = (
  id: string,
  keyword: string | readonly string[],
  before: RegExp,
  value: string,
): SecretRule => around(id, keyword, new RegExp(before.source + value, before.flags));

/** Forms that many vendors share: keys in text form, web tokens, URLs, command lines. */
export const FORMS: readonly SecretRule[] = [
  // A header, at least 40 characters of key, and all up to the footer. In a truncated text, all that can be part of a key.
  {
    id: 'private-key',
    keywords: ['-----BEGIN '],
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=(?:[^-]|-(?!----)){0,400}[A-Za-z0-9+/=]{40})(?:(?:[^-]|-(?!----)){1,20000}-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\:,.-]{40,20000})/y,
  },
  // The end of a key without its header, as `tail` and a search with context show it.
  middle(
    'private-key-end',
    '-----END ',
    '(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{40,76}\\r?\\n){0,200}[A-Za-z0-9+/=]{16,76}\\r?\\n',
    /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/,
  ),
  // The body of a key without header and end: RSA, EC and Ed25519 in DER, and OpenSSH's format.
  {
    id: 'private-key-body',
    keywords: ['MII', 'MHcCAQEE', 'MIGHAgEA', 'MC4CAQAw', 'b3BlbnNzaC1rZXktdjE'],
    pattern:
      /(?:MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/](?:IBAAK|gIBADANBgkqhkiG|QIBADANBgkqhkiG|IBADANBgkqhkiG)|MHcCAQEE|MIGHAgEA|MC4CAQAw|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{20,80}(?:\r?\n[A-Za-z0-9+/=]{4,76}(?![^\r\n])){0,200}/y,
  },
  {
    id: 'password-hash',
    keywords: [
      '$1$',
      '$5$',
      '$6$',
      '$y$',
      '$gy$',
      '$7$',
      '$2a$',
      '$2b$',
      '$2y$',
      '$apr1$',
      '$argon2',
      '$scrypt$',
    ],
    pattern:
      /\$(?:(?:1|5|6|apr1)\$(?:rounds=\d{1,9}\$)?[./\w-]{1,16}\$[./A-Za-z0-9]{22,86}|2[aby]\$\d\d\$[./A-Za-z0-9]{53}|(?:y|gy|7)\$[./A-Za-z0-9]{1,20}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$(?:v=\d{1,3}\$)?[\w=,]{5,60}\$[A-Za-z0-9+/]{8,86}\$[A-Za-z0-9+/]{20,172}|scrypt\$[\w=,]{5,60}\$[A-Za-z0-9+/]{8,86}={0,2}\$[A-Za-z0-9+/]{20,172}={0,2})/y,
  },
  around('htpasswd-sha', ['{SHA}', '{SSHA}'], /\{S?SHA\}([A-Za-z0-9+/]{20,60}={0,2})/),
  around(
    'pgpass',
    [':5432:', ':5433:', ':6432:', ':*:'],
    /:(?:\d{4}|\*):[\w*.-]{1,63}:[\w*.-]{1,63}:((?:[^\s:\\]|\\.){4,256})(?![^\r\n])/,
  ),
  around(
    'putty-private-key',
    'Private-Lines:',
    /Private-Lines: {0,3}\d{1,3}\r?\n([A-Za-z0-9+/=]{4,64}(?:\r?\n[A-Za-z0-9+/=]{4,64}(?![^\r\n])){0,60})/,
  ),
  token('age-key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  token('age-post-quantum-key', 'AGE-SECRET-KEY-PQ-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,200}'),
  token('jwt', 'eyJ', `${HEADER}{10,4000}\\.(?:eyJ|[\\w-]{3})[\\w-]{10,6000}(?:\\.[\\w-]{10,1000})?`),
  token(
    'encrypted-jwt',
    'eyJ',
    `${HEADER}{10,500}\\.\\.?[\\w-]{0,500}\\.[\\w-]{10,100}\\.[\\w-]{10,6000}\\.[\\w-]{10,100}`,
  ),
  token('jwt-in-base64', 'ZXlK', '[A-Za-z0-9+/]{80,6000}={0,2}'),
  around(
    'url-password',
    '://',
    new RegExp(`://[^\\s:@/"'\`<>]{0,128}:${secretOf('[^\\s/\\\\"\'`<>]', 4, 256, WITH_AT)}@[\\w.[${HOLE}-]`),
  ),
  {
    ...around(
      'url-password',
      '://',
      new RegExp(
        `://[^\\s:@/"'\`<>]{0,128}:${OPENED}([^\\s/\\\\"'\`<>(){}[\\]]{8,256})${CLOSED}@[\\w.[${HOLE}-]`,
      ),
    ),
    random: true,
  },
  {
    ...around(
      'url-token',
      '://',
      new RegExp(`://${OPENED}${secretOf(`[\\w${HOLE}-]`, 20, 256)}${CLOSED}@[\\w.[${HOLE}-]`),
    ),
    random: true,
  },
  command(
    'curl-user',
    'curl',
    /curl\b(?:(?!curl\b)[^\n|;]){0,400}?\s(?:-u|--user|-U|--proxy-user)[ =]{0,2}["']?[^\s:"'<]{1,128}:/,
    secretOf('[^\\s"\'\\\\<>]', 3, 256),
  ),
  {
    ...command(
      'curl-user',
      'curl',
      /curl\b(?:(?!curl\b)[^\n|;]){0,400}?\s(?:-u|--user|-U|--proxy-user)[ =]{0,2}["']?[^\s:"'<]{1,128}:/,
      `${OPENED}([^\\s"'\`\\\\<>(){}[\\]]{8,256})`,
    ),
    random: true,
  },
  command(
    'docker-login',
    'docker login',
    /docker login\b(?:(?!docker login\b)[^\n|;]){0,200}?\s(?:-p|--password)[ =]["']?(?![\]},:])/,
    secretOf('[^\\s"\'\\\\]', 6, 256),
  ),
  command(
    'az-login',
    'az login',
    /az login\b(?:(?!az login\b)[^\n|;]){0,300}?\s(?:-p|--password)[ =]["']?(?![\]},:])/,
    secretOf('[^\\s"\'\\\\$]', 8, 256),
  ),
  command(
    'psexec',
    ['psexec', 'PsExec', 'PSEXEC'],
    /psexec\b(?:(?!psexec\b)[^\n]){0,200}?\s-p\s{1,4}["']?(?![\]},:])/i,
    secretOf('[^\\s"\'$%]', 4, 128),
  ),
  command(
    'net-use',
    ['net use', 'NET USE'],
    /net use\b(?:(?!net use\b)[^\n|;]){0,200}?\/user:[^\s"']{1,80}\s{1,4}["']?(?![\]},:])/i,
    secretOf('[^\\s"\'/*$%]', 4, 128),
  ),
  command(
    'mysql-password',
    'mysql',
    /mysql(?:dump|admin)?\b(?:(?!mysql)[^\n|;]){0,200}?\s-p(?!-)["']?(?![\]},:])/,
    secretOf('[^\\s"\'\\\\]', 6, 128),
  ),
  command('sshpass', 'sshpass', /sshpass\s{1,4}-p\s{0,4}["']?(?![\]},:])/, secretOf('[^\\s"\'\\\\]', 3, 128)),
  command(
    'redis-cli',
    'redis-cli',
    /redis-cli\b(?:(?!redis-cli\b)[^\n|;]){0,200}?\s(?:-a|--pass)\s{1,4}["']?(?![\]},:])/,
    secretOf('[^\\s"\'\\\\]', 6, 256),
  ),
  command(
    'sqlcmd',
    'sqlcmd',
    /sqlcmd\b(?:(?!sqlcmd\b)[^\n|;]){0,200}?\s-P\s{0,4}["']?(?![\]},:])/,
    secretOf('[^\\s"\'\\\\]', 6, 256),
  ),
  // All data of such a manifest is secret, whatever the names in it.
  around(
    'kubernetes-secret',
    ['kind: Secret', 'kind: secret'],
    /kind: [Ss]ecret\b(?:(?!\n---|\ndata:|\nstringData:|kind: [Ss]ecret)[\s\S]){0,2000}\n(?:data|stringData):[ \t]{0,4}\n((?:[ \t]{1,8}[\w.-]{1,128}:[ \t]{1,4}(?:[|>][-+]?\r?\n(?:[ \t]{2,16}[^\s][^\r\n]{0,4096}\r?\n?){1,2000}|(?!''|""|~|null)[^\s{|>][^\r\n]{0,4096}\r?\n?)){1,2000})/,
  ),
  // `kubectl get -o yaml` and `-o json` sort the fields by name.
  around(
    'kubernetes-secret',
    ['data:\n', 'data:\r\n', 'stringData:\n', 'stringData:\r\n'],
    /(?<=(?:^|\n)[ -]{0,8})(?:data|stringData):\r?\n((?:[ \t]{1,16}[\w.-]{1,128}:[ \t]{1,4}(?!''|""|~|null)[^\s{|>][^\r\n]{0,4096}\r?\n){1,2000})(?=(?:(?!kind: |\n---)[\s\S]){0,2000}kind: Secret\b)/,
  ),
  around(
    'kubernetes-secret',
    ['"data": {', '"data":{', '"stringData": {', '"stringData":{'],
    new RegExp(`${JSON_DATA}\\s{0,20}\\}(?=(?:(?!"kind")[\\s\\S]){0,2000}"kind": {0,4}"Secret")`),
  ),
  around(
    'kubernetes-secret',
    ['"kind": "Secret"', '"kind":"Secret"'],
    new RegExp(`"kind": {0,4}"Secret"(?:(?!"kind"|"data"|"stringData")[\\s\\S]){0,2000}${JSON_DATA}`),
  ),
  around('oracle-url', ':thin:', /:thin:[\w$#]{1,64}\/([^\s@/"'`<>]{3,128})@/),
  ...['PHPSESSID=', 'JSESSIONID=', 'ASP.NET_SessionId=', 'connect.sid='].map((name) =>
    around('session-cookie', name, new RegExp(`${name.replaceAll('.', '\\.')}([\\w%.+/-]{16,256})`)),
  ),
  around(
    'netrc',
    ['machine ', 'default login ', 'default\n'],
    /(?:machine\s{1,20}[^\s"']{1,128}|default)\s{1,20}login\s{1,20}[^\s"']{1,128}\s{1,20}password\s{1,20}([^\s"'\\]{3,256})/,
  ),
  {
    ...around('basic-auth', ['Basic ', 'basic '], /[Bb]asic ([A-Za-z0-9+/]{16,400}={0,2})(?![A-Za-z0-9+/=])/),
    random: true,
  },
  around(
    'basic-auth-header',
    ['Authorization: Basic ', 'authorization: Basic ', 'authorization: basic '],
    /[Aa]uthorization: [Bb]asic ([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/,
  ),
  around(
    'cookie-header',
    ['Cookie: ', 'cookie: '],
    new RegExp(
      `[Cc]ookie: (?:[\\w.-]{0,40}(?:sess|sid|auth|token)[\\w.-]{0,20})=${secretOf(`[\\w%.+/=${HOLE}-]`, 20, 512)}`,
    ),
  ),
  {
    ...around(
      'bearer-token',
      ['Bearer ', 'bearer '],
      new RegExp(`[Bb]earer ([\\w.~+/${HOLE}-]{20,4000}={0,2})(?![\\w.~+/(-])`),
    ),
    random: true,
  },
];
