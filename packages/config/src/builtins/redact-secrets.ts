import { redactSecrets } from '@hooks/guards';
import { none } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes no arguments. The events in the file select the texts. */
export const withoutSecrets: Builtin = (args) => {
  none(args);
  return redactSecrets({ toolInput: true });
};
