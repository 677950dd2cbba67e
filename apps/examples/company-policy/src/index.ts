import {
  AfterToolCall,
  BeforeToolCall,
  block,
  decisionName,
  type HookProvider,
  proceed,
  requireApproval,
  retry,
  Stop,
  sessionKey,
} from '@hooks/core';
import {
  commandSafety,
  limits,
  pii,
  redactSecrets,
  sensitivePaths,
} from '@hooks/guards';
import { z } from 'zod';

/** What teams may set. */
export interface CompanyPolicyOptions {
  /** Agents may write there without asking: `acme.test`. */
  readonly mailDomain: string;
  /** How many tool calls one person's agents may make; 500 unless set. */
  readonly callsPerPerson?: number;
  /** Gets a record of every decision. */
  readonly audit?: (record: AuditRecord) => void;
}

/** Who asked for what, and what the policy said. */
export interface AuditRecord {
  readonly event: string;
  readonly tool: string | undefined;
  readonly decision: string;
  readonly principal: string | undefined;
}

/** What every agent of the company obeys. */
export function companyPolicy(options: CompanyPolicyOptions): HookProvider {
  const { mailDomain, callsPerPerson = 500, audit } = options;
  return {
    name: 'acme',
    register(hooks) {
      hooks.use(commandSafety());
      hooks.use(sensitivePaths());
      hooks.use(redactSecrets());
      hooks.use(pii({ kinds: { iban: 'redact', card: 'block' } }));
      hooks.use(
        limits({
          perRun: { toolCalls: 50, timeMs: 15 * 60_000 },
          perKey: { toolCalls: callsPerPerson },
        }),
      );
      hooks.use(mail(mailDomain));
      hooks.use(testedBeforeDone());
      if (audit)
        hooks.trace(({ event, decision }) =>
          audit({
            event: event.type,
            tool: 'toolName' in event ? String(event.toolName) : undefined,
            decision: decisionName(decision),
            principal: event.principal?.id,
          }),
        );
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
        BeforeToolCall.matching(
          'send_e?mail|.*_send_e?mail',
          z.object({ to: z.email() }),
        ),
        ({ input: { to } }) => {
          if (to.endsWith('@rival.test'))
            return block('We do not write to rival.test. Tell the user so.');
          return to.endsWith(`@${domain}`)
            ? proceed()
            : requireApproval(`It would reach ${to}.`);
        },
        { id: 'recipients', priority: 100 },
      );
    },
  };
}

/** An agent that has changed files is done when the tests have passed. */
function testedBeforeDone(): HookProvider {
  const untested = sessionKey<boolean>('acme/untested');
  return {
    name: 'tested',
    register(hooks) {
      hooks.on(AfterToolCall.matching('write'), ({ session, ran }) => {
        if (ran) session.set(untested, true);
        return proceed();
      });
      hooks.observe(
        AfterToolCall.matching('shell', z.object({ command: z.string() })),
        ({ input, session, status, output }) => {
          const passed = status === 'ok' && !String(output).includes('FAIL');
          if (input.command === 'npm test' && passed)
            session.set(untested, false);
        },
      );
      hooks.on(
        Stop,
        ({ session, last }) => {
          if (!session.get(untested)) return proceed();
          return last
            ? block('The files were changed, and the tests have not passed.')
            : retry('You changed files. Run `npm test` until it passes.');
        },
        { onFailure: 'block' },
      );
    },
  };
}
