import { snapshot } from '@hooks/guards';
import { none } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes snapshots of the directory that hooks run in. */
export const snapshots: Builtin = (args, { cwd }) => {
  none(args);
  return snapshot({ cwd });
};
