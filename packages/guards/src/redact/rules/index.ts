import type { SecretRule } from '../rule.ts';
import { AI } from './ai.ts';
import { CLOUD } from './cloud.ts';
import { CODE_HOSTS } from './code-hosts.ts';
import { FORMS } from './forms.ts';
import { PAYMENTS } from './payments.ts';
import { SERVICES } from './services.ts';

/** All rules with a known form. */
export const RULES: readonly SecretRule[] = [
  ...FORMS,
  ...CLOUD,
  ...CODE_HOSTS,
  ...AI,
  ...PAYMENTS,
  ...SERVICES,
];
