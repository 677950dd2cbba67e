import { unloadModels } from '@hooks/guards';
import { none } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes no arguments. */
export const unload: Builtin = (args) => {
  none(args);
  return unloadModels();
};
