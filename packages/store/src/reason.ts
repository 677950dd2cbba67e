/** An error with words of this package, which a message may repeat. */
export class OwnError extends Error {}

/**
 * Why a client threw, in words that cannot hold an address, a password or a value. What a client writes into its messages
 * (the host that it looks up, the file that it opens) comes from an address, and is a part of the password where the
 * address was written wrong. So its words are repeated only where they are known from here, or come from a server that has
 * let the client in.
 */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof OwnError) return thrown.message;
  // Node rejects with an empty AggregateError if a host has several addresses.
  if (thrown instanceof AggregateError && thrown.errors.length > 0)
    return [...new Set(thrown.errors.map(reasonOf))].join('; ');
  if (!(thrown instanceof Error)) return `its client threw a value of type ${typeof thrown}`;
  const { message, name } = thrown;
  const { severity, errstr }: { readonly [field: string]: unknown } = Object(thrown);
  const code = codeIn(thrown);
  // SQLite's own words for its result code.
  if (typeof errstr === 'string' && code === 'ERR_SQLITE_ERROR') return errstr;
  // Postgres refuses a session with FATAL, and a statement in a session with ERROR.
  if (severity === 'ERROR') return message;
  const known = [code, /^[A-Z]+(?= |$)/.exec(message)?.[0], name, message].find(isKnown);
  if (known !== undefined)
    return known === message ? (REASONS[known] ?? known) : `${REASONS[known]} (${known})`;
  return `its client threw ${code ?? `an ${nameOf(thrown)}`}, whose message is not repeated because it may hold the address`;
}

/** The code of an error, which is a word of the system, the client or the server. */
export function codeIn(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : undefined;
}

function isKnown(word: unknown): word is string {
  return typeof word === 'string' && Object.hasOwn(REASONS, word);
}

/** The name of a class, which a program cannot make of a text that it was given. */
function nameOf(error: Error): string {
  return /^[A-Z]\w*$/.exec(error.constructor.name)?.[0] ?? 'Error';
}

/** By the code of the error, the first word of a server's reply, the name of the error, or the whole message of a client. */
const REASONS: Readonly<Record<string, string>> = {
  // Node
  EACCES: 'permission denied',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EEXIST: 'there is something else in its place',
  EHOSTUNREACH: 'no way leads to the host',
  EISDIR: 'it is a folder',
  ENETUNREACH: 'no way leads to the host',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left',
  ENOTDIR: 'a part of the path is no folder',
  ENOTFOUND: 'no such host',
  EPERM: 'not permitted',
  EPIPE: 'the connection was cut',
  EROFS: 'the disk is read-only',
  ETIMEDOUT: 'the connection took too long',
  ERR_INVALID_URL: 'the address of the client is no URL',
  URIError: 'the address of the client has a % that encodes nothing; write it as %25',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody whom this process trusts has signed the certificate of the server',
  // Postgres
  '08006': 'the connection was cut',
  '28000': 'wrong user or password',
  '28P01': 'wrong user or password',
  '3D000': 'no such database',
  '42501': 'permission denied',
  '53300': 'too many connections',
  '57P01': 'the server is shutting down',
  '57P03': 'the server is starting or shutting down',
  CONNECTION_CLOSED: 'the connection was cut',
  CONNECTION_ENDED: 'the client was closed',
  CONNECT_TIMEOUT: 'the connection took too long',
  'Cannot use a pool after calling end on the pool': 'the client was closed',
  'Connection terminated due to connection timeout': 'the connection took too long',
  'Connection terminated unexpectedly': 'the connection was cut',
  'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string': 'the client has no password',
  'The server does not support SSL connections': 'the server has no SSL',
  'timeout exceeded when trying to connect': 'no connection was free in time',
  // Redis
  CLUSTERDOWN: 'the cluster is down',
  LOADING: 'the server is starting',
  MASTERDOWN: 'the main server is down',
  MISCONF: 'the server cannot write to its disk',
  NOAUTH: 'the server wants a password',
  NOPERM: 'the user may not do this',
  OOM: 'the memory of the server is full',
  READONLY: 'the server is a read-only copy',
  TRYAGAIN: 'the cluster is moving keys',
  WRONGPASS: 'wrong user or password',
  WRONGTYPE: 'a key of it holds something else',
  ClientClosedError: 'the client is not connected',
  MaxRetriesPerRequestError: 'the client could not connect',
  SocketClosedUnexpectedlyError: 'the connection was cut',
  'Connection is closed.': 'the client is not connected',
};
