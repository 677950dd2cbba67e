import {
  BeforeToolCall,
  block,
  type HookProvider,
  type NamePattern,
  proceed,
  requireApproval,
} from '@hooks/core';
import { hashInput, PINNED_TOOLS, type PinStore, pinTool } from '@hooks/core/tool-call';
import { isStoreError } from '@hooks/store';
import { versionOf } from '../version.ts';

/** Options of {@link pinTools}. */
export interface PinToolsOptions {
  /** Keeps the pins. A store of `@hooks/store`. */
  readonly store: PinStore;
  /** Which tools are pinned. Default: all. */
  readonly tools?: NamePattern;
  /** What happens to calls of a tool that has changed: they are refused (`block`, unless set), or a person is asked (`ask`). */
  readonly onChange?: 'block' | 'ask';
  /** Names the pins in the store. Agents of one store that have different tools of one name need different names. */
  readonly name?: string;
}

/**
 * Pins tools: hashes of a tool's description, input schema and annotations are kept when it is called for the first time. When one
 * changes later, calls are refused or asked about, and the reason says what has changed. Made for MCP servers, which can rewrite
 * their tools after you have looked at them.
 *
 * To accept a change, delete the pin: the reason names its key, and `hooks pins forget` deletes it from an SQLite store. A store that
 * fails closes the gate. It guards at priority 110.
 *
 * @example
 * ```ts
 * hooks.use(pinTools({ store: sqliteStore('hooks.db'), tools: 'mcp__.*' }));
 * ```
 */
export function pinTools({
  store,
  tools = '*',
  onChange = 'block',
  name = '',
}: PinToolsOptions): HookProvider {
  return {
    name: name === '' ? 'pin-tools' : `pin-tools:${name}`,
    version: versionOf(tools, onChange),
    register(hooks) {
      hooks.on(
        BeforeToolCall.matching(tools),
        // Ahead of `permissions`. The guard below refuses the call in the end where the tool has changed.
        function markPinned({ session, toolName }) {
          session.get(PINNED_TOOLS, () => new Set()).add(toolName);
          return proceed();
        },
        { id: 'mark', priority: 300, allowUnknown: true },
      );
      let untold: unknown;
      hooks.guard(
        BeforeToolCall.matching(tools),
        async function comparePin({ toolName, tool }) {
          const key = `tool-pins/${await hashInput([name, tool?.server ?? null, toolName])}`;
          const { description, annotations } = tool ?? {};
          const parts = { description, 'input schema': await tool?.inputSchema?.(), annotations };
          let changed: readonly string[];
          try {
            changed = await pinTool(store, key, toolName, parts);
          } catch (error) {
            untold = error;
            const isAway = isStoreError(error) && error.code === 'UNREACHABLE';
            return block(
              `Blocked (tools/pinned): the store with the pin of ${toolName} ${isAway ? 'cannot be reached' : 'failed'}, so the tool does not run. Try again later.`,
            );
          }
          if (changed.length === 0) return proceed();
          const what = `the ${changed.join(' and the ')} of ${toolName} changed after it was pinned`;
          if (onChange === 'ask') return requireApproval(`${what} (${key})`);
          return block(
            `Blocked (tools/pinned): ${what}. Find another way, or ask the user, who accepts the change by deleting the pin ${key} (\`hooks pins forget\`).`,
          );
        },
        { id: 'compare', priority: 110, allowUnknown: true },
      );
      hooks.observe(
        BeforeToolCall,
        // `onError` hears of what an observer throws.
        function tellOfStore() {
          const error = untold;
          untold = undefined;
          if (error !== undefined) throw error;
        },
        { id: 'store' },
      );
    },
  };
}
