import { BeforeToolCall, block, proceed, requireApproval } from '@hooks/core';
import { readsOnly } from '@hooks/guards';
import type { SafetyMode } from '../dialects/docker-agent/file.ts';
import { suggest } from '../file/suggest.ts';
import { row } from './arguments.ts';
import type { Builtin } from './builtin.ts';

const MODES: readonly string[] = [
  'ask',
  'strict',
  'balanced',
  'restricted',
  'autonomous',
] satisfies readonly (SafetyMode | 'ask')[];

/**
 * docker-agent's safety mode, or its rule without one (`ask`): decides about calls that no rule and no hook has decided. docker-agent also considers
 * some shell commands safe. Here only tools that declare themselves read-only count as safe, so more calls need approval.
 */
export const safetyMode: Builtin = (args) => {
  const [mode = '', ...more] = row(args);
  if (!MODES.includes(mode) || more.length > 0)
    throw new Error(`expected a safety mode; ${suggest(mode, MODES)}`);
  return {
    name: 'docker_agent_safety',
    register(hooks) {
      hooks.on(
        BeforeToolCall,
        function safety(call) {
          const { approval, toolName } = call;
          const reads = readsOnly(call);
          const hinted = approval?.kind === 'granted' && approval.source === 'readonly_hint';
          const decided = approval !== undefined && !hinted;
          if (decided || (reads && mode !== 'strict')) return proceed();
          if (mode === 'ask')
            return requireApproval(`no rule and no hook has decided about ${toolName}, so a person does`);
          if (mode !== 'restricted')
            return requireApproval(`the safety mode "${mode}" requires approval of ${toolName}`);
          return block(
            `Blocked (safety/restricted): no rule allows ${toolName}. Find another way, or ask the user.`,
          );
        },
        // Runs after every hook that may allow the call.
        { id: 'safety', priority: -1000 },
      );
    },
  };
};
