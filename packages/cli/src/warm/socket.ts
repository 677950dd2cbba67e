import { lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { userDirectory } from '@hooks/config';

/** The folder of the workers' sockets. Each is in a subfolder with the path of its workspace. */
function warmDirectory(): string {
  return join(userDirectory(), 'warm');
}

/** A socket that a worker listens on. */
export interface Listening {
  /** Whether its folder exists and no other worker has replaced it. */
  isReachable(): boolean;
  /** Removes the socket. */
  release(): void;
}

/**
 * Listens on a socket that only this user can reach, and replaces an existing one. Throws if another user could place a
 * socket there.
 */
export async function listenOn(server: Server, socket: string): Promise<Listening> {
  if (!socket.startsWith(`${warmDirectory()}/`)) throw new Error(`${socket} is not below ${warmDirectory()}`);
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(warmDirectory());
  if (uid !== process.getuid?.() || (mode & 0o170_777) !== 0o040_700)
    throw new Error(`${warmDirectory()} is not a folder that only this user can write to`);

  // A socket's path is limited to 100 bytes, and a workspace's is often longer, so use a relative path.
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
  const isReachable = (): boolean => statSync(socket, { throwIfNoEntry: false })?.ino === ino;
  return {
    isReachable,
    release: () => {
      if (isReachable()) rmSync(socket);
    },
  };
}
