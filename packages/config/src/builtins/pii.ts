import { pii } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes `kinds`: what to do about each kind, and `ignore`. The events in the file select the texts: after_model_call the answers. */
export const withoutPii: Builtin = async (args) => {
  const options = await named(args, (z) => {
    const action = z.enum(['block', 'redact', 'mask', 'hash']).exactOptional();
    const kinds = z.strictObject({ email: action, phone: action, card: action, iban: action, ip: action });
    return z.strictObject({ kinds: kinds.exactOptional(), ignore: z.array(z.string()).exactOptional() });
  });
  return pii({ ...options, toolInput: true, answers: true });
};
