import { redactSecrets } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import { revealFields, revealOf } from './reveal.ts';

/**
 * Takes `ignore`, `reveal`, `show_to`, `store` and `placeholder_key_env`. The events in the file select the texts: after_model_call the
 * answers.
 */
export const withoutSecrets: Builtin = async (args, options) => {
  const { ignore, placeholderKeyEnv, ...given } = await named(args, (z) =>
    z.strictObject({
      ignore: z.array(z.string()).exactOptional(),
      placeholder_key_env: z.string().min(1).exactOptional(),
      ...revealFields(z),
    }),
  );
  const { key, ...reveal } = await revealOf(given, 'placeholder_key_env', placeholderKeyEnv, options);
  return redactSecrets({
    ...(ignore && { ignore }),
    ...(key !== undefined && { placeholderKey: key }),
    ...reveal,
    toolInput: true,
    answers: true,
  });
};
