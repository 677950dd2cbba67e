import type { Invocation } from '../shell/invocation.ts';

/** Whether what a program prints came over the network. */
export function printsRemote({ name, args }: Invocation): boolean {
  if (ALWAYS.has(name)) return true;
  const ways = WITH_VERB.get(name);
  return ways?.some((way) => standsIn(args.join(' '), way)) ?? false;
}

/** Whether something for each of the expressions stands in a text, one behind the other. */
function standsIn(text: string, inOrder: readonly RegExp[]): boolean {
  let rest = text;
  return inOrder.every((part) => {
    const match = part.exec(rest);
    if (match) rest = rest.slice(match.index + match[0].length);
    return match !== null;
  });
}

/** What a copying program is given as its source is on another machine: `host:x`, `s3://bucket/x`. */
export function isRemotePlace(path: string): boolean {
  return /^(?:[a-z][\w+.-]*:\/\/|(?:[\w.-]+@)?[\w.-]{2,}:(?!\\))/i.test(path);
}

const ALWAYS: ReadonlySet<string> = new Set(
  'curl wget fetch aria2c axel http https httpie xh curlie lynx links elinks w3m ftp tftp lftp sftp ssh autossh mosh tsh iwr irm invoke-webrequest invoke-restmethod certutil bitsadmin nc ncat netcat telnet socat dig host nslookup drill kdig whois finger gopher redis-cli mosquitto_sub kcat kafkacat nats websocat wscat grpcurl smbclient'.split(
    ' ',
  ),
);

/** Tools that do many things, with what of them fetches a text: expressions that stand in its arguments one behind the other. */
const WITH_VERB: ReadonlyMap<string, readonly (readonly RegExp[])[]> = new Map([
  ['aws', [[/\bs3 cp\b/, / s3:\/\/\S+/, / -$/], [/\bget-(?:object|parameters?|secret-value)\b/]]],
  ['gsutil', [[/\bcat\b/], [/\bcp\b/, / gs:\/\/\S+ -$/]]],
  ['gcloud', [[/\bstorage cat\b/], [/\bstorage cp\b/, / gs:\/\/\S+ -$/]]],
  ['az', [[/\bblob download\b/]]],
  ['mc', [[/\bcat\b/]]],
  ['s3cmd', [[/\bget\b/, / -$/]]],
  ['rclone', [[/\b(?:cat|rcat)\b/]]],
  ['gh', [[/\b(?:api|gist view)\b/], [/\brelease download\b/, / -O -/]]],
  ['glab', [[/\b(?:api|snippet view)\b/]]],
  ['ipfs', [[/\b(?:cat|get)\b/]]],
  ['svn', [[/\bcat\b/]]],
  ['hg', [[/\bcat\b/, /:\/\//]]],
  ['git', [[/\barchive\b/, /--remote/]]],
  ['openssl', [[/^s_client\b/]]],
]);

/** The machines that words name: in an address, before a path, or as `user@host`. */
export function hostsIn(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => HOST.exec(arg)?.slice(1).find(Boolean) ?? []);
}

const HOST =
  /^(?:[a-z][\w+.-]{0,20}:\/\/(?:[^@/\s]{0,80}@)?([\w.-]{1,200})|[\w.-]{1,80}@([\w.-]{1,200})|([\w-]{1,80}(?:\.[\w-]{1,80}){1,8}):)/i;
