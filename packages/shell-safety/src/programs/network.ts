import type { Invocation } from './program.ts';

/** Whether what a program prints came over the network. */
export function printsRemote({ known, args }: Invocation): boolean {
  const ways = known.remote;
  return ways === true || (ways?.some((way) => standsIn(args.join(' '), way)) ?? false);
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

/** The machines that words name: in an address, before a path, or as `user@host`. */
export function hostsIn(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => HOST.exec(arg)?.slice(1).find(Boolean) ?? []);
}

const HOST =
  /^(?:[a-z][\w+.-]{0,20}:\/\/(?:[^@/\s]{0,80}@)?([\w.-]{1,200})|[\w.-]{1,80}@([\w.-]{1,200})|([\w-]{1,80}(?:\.[\w-]{1,80}){1,8}):)/i;
