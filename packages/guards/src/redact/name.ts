/** What a name reveals about its value. */
export interface NamedKind {
  readonly id: 'password' | 'token' | 'key';
  /** A key with a qualifier, `api_key`; a bare `key` can be anything. */
  readonly qualified: boolean;
}

/** Reads the end of a name: `secret_name` and `tokenUrl` do not name a secret, `MY_SECRET` and `authToken2` do. */
export function kindOfName(name: string, before = ''): NamedKind | undefined {
  const words = (name.match(WORD) ?? []).map((word) => word.toLowerCase());
  while (words.length > 1 && QUALIFIER.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const rest = [before.toLowerCase(), ...words.slice(0, -1)].filter((word) => word !== '');
  if (PASSWORD.test(last)) return { id: 'password', qualified: true };
  if (TOKEN.test(last) || (words.length > 1 && /^(?:pat|salt)$/.test(last))) {
    return rest.some((word) => NO_TOKEN.test(word)) ? undefined : { id: 'token', qualified: true };
  }
  const attribute = /^(.*?)keys?\d?$/.exec(last)?.[1];
  if (attribute === undefined) return undefined;
  if (attribute !== '') rest.push(attribute);
  if (QUALIFIED.test(rest.at(-1) ?? '')) return { id: 'key', qualified: true };
  if (rest.some((word) => NO_KEY.test(word))) return undefined;
  // An environment variable that ends in KEY is almost always a key.
  const variable = words.length > 1 && /^[A-Z\d_]+$/.test(name);
  return { id: 'key', qualified: variable || rest.some((word) => QUALIFIED.test(word)) };
}

/** `APIKey2_old` is `API`, `Key2` and `old`. */
const WORD = /[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z\d]+|[A-Z]+/g;

const QUALIFIER =
  /^(?:value|string|str|base|prod|production|dev|development|staging|live|test|new|old|current|default|main|primary|backup|raw|plain|text|b64|base64|data|v?\d+)$/;
const PASSWORD =
  /(?:password|passwd|passphrase|passcode|pswd)\d?$|^(?:pass|pwd|psk|passw|.*pwd|(?:db|root|admin|user|my|smtp|ftp|become)pass)\d?$/;
const TOKEN =
  /(?:token|secret|credentials?|creds|authorization|apikey|authkey|accesskey|secretkey)s?\d?$|^(?:auth|bearer|jwt)$/;
const NO_TOKEN =
  /^(?:next|page|continuation|cursor|sync|start|sequence|resume|idempotency|pagination|max|min|public)$/;
const NO_KEY =
  /^(?:primary|foreign|sort|cache|partition|public|pub|publishable|translation|i18n|object|s3|row|group|index|map|react|host|lookup|composite|natural|range|idempotency|order|site|message|registry|mon|tur|don|hot|whis|routing|unique|dedupe|ssh|fingerprint|thumbprint|kid|content|query|config|state|build|restore)$/;
const QUALIFIED =
  /api|access|secret|private|auth|account|license|encrypt|sign|master|app|admin|shared|service|client|server|session|crypt|webhook|integration|deploy|user|dev|project|write|read|ingest|storage|hmac|aes|rest|sdk/;
