import {
  BeforeToolCall,
  block,
  type HookProvider,
  proceed,
  requireApproval,
} from '@hooks/core';
import {
  commandSafety,
  limits,
  redactSecrets,
  sensitivePaths,
} from '@hooks/guards';

/** What teams may set. */
export interface CompanyPolicyOptions {
  /** Agents may write there without asking: `acme.test`. */
  readonly mailDomain: string;
}

/** What every agent of the company obeys. */
export function companyPolicy(options: CompanyPolicyOptions): HookProvider {
  const parts = [
    commandSafety(),
    sensitivePaths(),
    redactSecrets(),
    limits({ perRun: { toolCalls: 50, timeMs: 15 * 60_000 } }),
    mail(options.mailDomain),
  ];
  return {
    name: 'acme-policy',
    register: (hooks) => {
      for (const part of parts) part.register(hooks);
    },
  };
}

/**
 * Mail inside the company passes, mail to others is a person's to approve, mail
 * to competitors is not sent.
 */
function mail(domain: string): HookProvider {
  return {
    name: 'mail',
    register: (hooks) => {
      hooks.guard(
        BeforeToolCall.matching('send_e?mail|.*_send_e?mail'),
        ({ input }) => {
          const { to } = input as { readonly to: string };
          if (to.endsWith('@rival.test'))
            return block('We do not write to rival.test. Tell the user so.');
          return to.endsWith(`@${domain}`)
            ? proceed()
            : requireApproval(`It would reach ${to}.`);
        },
        { id: 'mail', priority: 100 },
      );
    },
  };
}
