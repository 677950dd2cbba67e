import {
  type ApprovalSource,
  BeforeToolCall,
  block,
  grantApproval,
  type HookProvider,
  proceed,
  requireApproval,
} from '@hooks/core';
import { type Checks, callback, checkOptions, flag, idle, listOf, oneOf, refuse, text } from '../options.ts';
import { versionOf } from '../version.ts';
import { compileRule, type PermissionRule } from './permission-rule.ts';
import { readsOnly } from './reads-only.ts';

/** Options of {@link permissions}. Each list has patterns: `read_*`, `shell:cmd=git status*`, `mcp__*:path=/tmp/*`. */
export interface PermissionsOptions {
  /** Calls that run without approval. */
  readonly allow?: readonly string[];
  /** Calls that need approval. */
  readonly ask?: readonly string[];
  /** Calls that are refused. */
  readonly deny?: readonly string[];
  /** Tools with a `readOnlyHint` run without approval if {@link readsOnly} trusts the hint. Default: true. */
  readonly readOnlyHint?: boolean;
  /** MCP servers whose `readOnlyHint` counts, by the names that the program gives them. */
  readonly trustedServers?: readonly string[];
  /** Requires no approvals. Denied calls stay denied. */
  readonly yolo?: boolean;
  /** The source of these rules, for the audit trail. Default: `session`. */
  readonly scope?: 'session' | 'team';
  /** How to parse patterns in another program's format. */
  readonly compile?: (pattern: string, does: 'allow' | 'restrict') => PermissionRule;
  /** The provider's name in a registry. Default: `permissions`. */
  readonly name?: string;
}

const patterns = listOf(text, "patterns, such as ['shell:cmd=git status*']");

const CHECKS: Checks<PermissionsOptions> = {
  allow: patterns,
  ask: patterns,
  deny: patterns,
  readOnlyHint: flag,
  trustedServers: listOf(text, "names of MCP servers, such as ['files']"),
  yolo: flag,
  scope: oneOf('session', 'team'),
  compile: callback,
  name: text,
};

/**
 * Decides by tool and argument what runs, what needs approval and what does not run. Deny beats ask, ask beats allow.
 * Calls without a matching rule are left to other hooks and to the framework. It runs first (priority 200), so that a
 * judge sees `call.approval` and can skip obvious calls, and again as a guard, on the final input.
 *
 * A pattern is a tool's name, with `:argument=value` for each argument to compare. `*` matches any text. A
 * pattern with an argument that the call does not have does not match it.
 *
 * @example
 * ```ts
 * hooks.use(permissions({ allow: ['read_*', 'shell:cmd=git status*'], ask: ['shell'], deny: ['shell:cmd=sudo *'] }));
 * ```
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect, or a pattern has no tool name or is in
 *   the form of Claude Code (`Bash(rm *)`)
 */
export function permissions(options: PermissionsOptions): HookProvider {
  options = checkOptions('permissions', options, CHECKS);
  const {
    readOnlyHint = true,
    trustedServers,
    yolo = false,
    scope = 'session',
    name = 'permissions',
  } = options;
  if (!readOnlyHint && trustedServers !== undefined)
    refuse('permissions', idle('trustedServers', 'readOnlyHint'));
  if (!readOnlyHint && !yolo && (options.allow ?? options.ask ?? options.deny) === undefined)
    refuse('permissions', 'nothing is decided; expected patterns in allow, ask or deny');
  const { deny = [], ask = [], allow = [], compile = compileRule } = options;
  const rules = {
    deny: compiled('deny', deny, compile),
    ask: compiled('ask', ask, compile),
    allow: compiled('allow', allow, compile),
  };

  const allowSource = `${scope}_permissions_allow`;

  function judge(call: BeforeToolCall): Verdict {
    const meets = (rule: PermissionRule): boolean => rule.meets(call.toolName, call.input, call.tool);
    const denied = rules.deny.find(meets);
    if (denied) return { kind: 'deny', rule: denied.pattern, source: `${scope}_permissions_deny` };
    if (yolo) return { kind: 'allow', source: 'yolo', rule: 'yolo' };
    const asked = rules.ask.find(meets);
    const allowed = rules.allow.find(meets);
    if (asked) return { kind: 'ask', rule: asked.pattern };
    if (allowed) return { kind: 'allow', source: allowSource, rule: allowed.pattern };
    const reads = readOnlyHint && readsOnly(call, trustedServers);
    return reads ? { kind: 'allow', source: 'readonly_hint', rule: 'readOnlyHint' } : { kind: 'none' };
  }

  return {
    name,
    version: versionOf(options),
    register(hooks) {
      hooks.on(
        BeforeToolCall,
        function permit(call) {
          const verdict = judge(call);
          if (verdict.kind === 'deny') return refused(call.toolName, verdict);
          if (verdict.kind === 'ask') return requireApproval(asks(call.toolName, verdict.rule));
          if (verdict.kind !== 'allow') return proceed();
          return grantApproval(allows(verdict.rule), { source: verdict.source });
        },
        { id: 'permit', priority: 200 },
      );
      hooks.guard(
        BeforeToolCall,
        function permitFinal(call) {
          const verdict = judge(call);
          if (verdict.kind === 'deny') return refused(call.toolName, verdict);
          if (verdict.kind === 'ask') return requireApproval(asks(call.toolName, verdict.rule));
          // Revoke only a grant of these rules. Grants by other rules are not checked here.
          const granted = rules.allow.some(({ pattern }) => call.approval?.reason === allows(pattern));
          if (verdict.kind === 'allow' || !granted) return proceed();
          return requireApproval(`A hook changed ${call.toolName} after it was allowed.`);
        },
        { id: 'permit-final', priority: 200 },
      );
    },
  };
}

interface Denied {
  readonly kind: 'deny';
  readonly rule: string;
  readonly source: ApprovalSource;
}

type Verdict =
  | Denied
  | { readonly kind: 'ask'; readonly rule: string }
  | { readonly kind: 'allow'; readonly rule: string; readonly source: ApprovalSource }
  | { readonly kind: 'none' };

function refused(toolName: string, { rule, source }: Denied): ReturnType<typeof block> {
  return block(
    `Blocked (permissions/deny): ${toolName} is denied by the rule "${rule}". Find another way, or ask the user.`,
    { source },
  );
}

function allows(rule: string): string {
  return `allowed by the rule "${rule}"`;
}

function asks(toolName: string, rule: string): string {
  return `${toolName} needs approval by the rule "${rule}".`;
}

function compiled(
  list: 'allow' | 'ask' | 'deny',
  given: readonly string[],
  compile: typeof compileRule,
): readonly PermissionRule[] {
  return given.map((pattern, index) => {
    try {
      return compile(pattern, list === 'allow' ? 'allow' : 'restrict');
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      return refuse('permissions', `${list}[${index}]: ${message.replace(/^permissions: |\.$/g, '')}`);
    }
  });
}
