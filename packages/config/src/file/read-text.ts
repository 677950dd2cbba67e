import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { HooksError } from '@hooks/core';

/** More than any file of hooks has. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The text of a file of hooks. Whoever writes in the workspace may have put something else there: a FIFO, whose reading
 * never ends, a device, or a file without end.
 *
 * @throws HooksError `CONFIG_INVALID` if it is no regular file, or larger than 4 MB; the error of the system if it cannot
 *   be opened
 */
export function readText(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new HooksError('CONFIG_INVALID', `${path} is no regular file.`);
    if (found.size > MAX_BYTES)
      throw new HooksError('CONFIG_INVALID', `${path} has ${found.size} bytes, more than ${MAX_BYTES}.`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
