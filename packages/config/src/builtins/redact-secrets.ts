import { redactSecrets } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes `ignore`. The events in the file select the texts: after_model_call the answers. */
export const withoutSecrets: Builtin = async (args) => {
  const options = await named(args, (z) => z.strictObject({ ignore: z.array(z.string()).exactOptional() }));
  return redactSecrets({ ...options, toolInput: true, answers: true });
};
