import { fileKey } from '../paths/places.ts';
import { CONTENT, REMOTE } from './marks.ts';

/** What is read from a file, where that is known: one that the command wrote, `<(…)`, the input, or a connection. */
export function contentOf(
  path: string,
  cwd: string,
  files: ReadonlyMap<string, string>,
  stdin?: string,
): string | undefined {
  if (path.startsWith(CONTENT)) return path.slice(1);
  if (path === '-' || path === '/dev/stdin') return stdin;
  if (path === '/dev/null') return '';
  return isSocket(path) ? REMOTE : files.get(fileKey(path, cwd));
}

/** `/dev/tcp/host/port` */
export function isSocket(path: string): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(path);
}
