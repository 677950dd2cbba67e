import { finding } from '../effect.ts';
import type { Checks } from './rule.ts';

const registry = finding(
  'system-file/registry',
  'This deletes settings of Windows or what it could be restored from.',
  'Leave the registry and restore points to the user.',
);

/** The registry, and what Windows starts or is restored from. */
export const registryRules: Checks<'registryDelete' | 'registryPath' | 'restorePoints'> = {
  registryDelete: ({ args }) => (/^delete$/i.test(args[0] ?? '') ? registry : undefined),
  registryPath: ({ args }) =>
    args.some((arg) => /^(?:registry::)?hk(?:lm|cu|cr|u|ey_\w+):?\\/i.test(arg)) ? registry : undefined,
  restorePoints: ({ args }) =>
    args.some((arg) => /^(?:delete|\/delete\w*|\/set)$/i.test(arg)) ? registry : undefined,
};
