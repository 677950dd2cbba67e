import { lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { userDirectory } from '@hooks/config';

/** Where the sockets of workers are: below it, each in a folder of the path of its workspace. */
export function warmDirectory(): string {
  return join(userDirectory(), 'warm');
}

/**
 * Listens on a socket that only this user can reach, and takes the place of one that is there. Throws where somebody
 * else could put a socket there. Returns what takes it away, unless another worker has taken its place since.
 */
export async function listenOn(server: Server, socket: string): Promise<() => void> {
  if (!socket.startsWith(`${warmDirectory()}/`)) throw new Error(`${socket} is not below ${warmDirectory()}`);
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(warmDirectory());
  if (uid !== process.getuid?.() || (mode & 0o170_777) !== 0o040_700)
    throw new Error(`${warmDirectory()} is not a folder of this user's alone`);

  // The path of a socket may be 100 bytes long, that of a workspace is often longer: it is named from its folder.
  const own = `${process.pid}.sock`;
  const cwd = process.cwd();
  process.chdir(folder);
  process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(own, resolve);
    });
  } finally {
    process.chdir(cwd);
  }
  const { ino } = statSync(join(folder, own));
  renameSync(join(folder, own), join(folder, basename(socket)));
  return () => {
    if (statSync(socket, { throwIfNoEntry: false })?.ino === ino) rmSync(socket);
  };
}
