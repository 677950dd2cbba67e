import { redactSecrets } from '@hooks/guards';
import { none } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Which texts it scrubs is a matter of the events that the file names it on. */
export const withoutSecrets: Builtin = (args) => {
  none(args);
  return redactSecrets({ toolInput: true });
};
