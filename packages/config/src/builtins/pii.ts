import { pii } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import { revealFields, revealOf } from './reveal.ts';

/**
 * Takes `kinds`: what to do about each kind, `ignore`, `reveal`, `show_to`, `store` and `hash_key_env`. The events in the file select
 * the texts: after_model_call the answers.
 */
export const withoutPii: Builtin = async (args, options) => {
  const { kinds, ignore, hashKeyEnv, ...given } = await named(args, (z) => {
    const action = z.enum(['block', 'redact', 'mask', 'hash']).exactOptional();
    const byKind = z.strictObject({ email: action, phone: action, card: action, iban: action, ip: action });
    return z.strictObject({
      kinds: byKind.exactOptional(),
      ignore: z.array(z.string()).exactOptional(),
      hash_key_env: z.string().min(1).exactOptional(),
      ...revealFields(z),
    });
  });
  const { key: hashKey, ...reveal } = await revealOf(given, 'hash_key_env', hashKeyEnv, options);
  return pii({
    ...(kinds && { kinds }),
    ...(ignore && { ignore }),
    ...(hashKey !== undefined && { hashKey }),
    ...reveal,
    toolInput: true,
    answers: true,
  });
};
