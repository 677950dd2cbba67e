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
import { inMemory } from '../in-memory.ts';
import { type Checks, checkOptions, having, needed, oneOf, text, toolMatcher } from '../options.ts';
import { versionOf } from '../version.ts';

/** Options of {@link pinTools}. */
export interface PinToolsOptions {
  /** Keeps the pins. A store of `@hooks/store`. */
  readonly store: PinStore;
  /** Which tools are pinned. Default: all. */
  readonly tools?: NamePattern;
  /** Refuses calls of a changed tool (`block`), or asks a person (`ask`). Default: `block`. */
  readonly onChange?: 'block' | 'ask';
  /** A prefix for the pins. Agents that share a store and have different tools of the same name need different names. */
  readonly name?: string;
}

const CHECKS: Checks<PinToolsOptions> = {
  store: needed(having('a store of @hooks/store', 'get', 'set')),
  tools: toolMatcher,
  onChange: oneOf('block', 'ask'),
  name: text,
};

/**
 * Pins tools. The first call of a tool stores hashes of its description, input schema and annotations. If one of them
 * changes later, calls are refused or need approval, and the reason says what has changed. Use it for MCP servers, which
 * can rewrite their tools after you have reviewed them.
 *
 * To accept a change, delete the pin: the reason names its key, and `hooks pins forget` deletes it from an SQLite store.
 * If the store fails, calls are refused, and so is a call of a tool of which nobody says any of these. The guard runs at priority 110.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, missing or invalid
 * @example
 * ```ts
 * hooks.use(pinTools({ store: sqliteStore('hooks.db'), tools: 'mcp__.*' }));
 * ```
 */
export function pinTools(options: PinToolsOptions): HookProvider {
  options = checkOptions('pinTools', options, CHECKS);
  const { store, tools = '*', onChange = 'block', name = '' } = options;
  return {
    name: name === '' ? 'pin-tools' : `pin-tools:${name}`,
    version: versionOf(tools, onChange),
    register(hooks) {
      hooks.on(
        BeforeToolCall.matching(tools),
        // Before `permissions`, which reads the mark. If the tool has changed, the guard below still refuses the call.
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
          if (Object.values(parts).every((part) => part === undefined))
            return block(
              `Blocked (tools/pinned): ${toolName} cannot be pinned here, since nobody says what its description and input schema are. Use another tool.`,
            );
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
        {
          id: 'compare',
          priority: 110,
          allowUnknown: true,
          ...inMemory('it keeps the pins in one process', store),
        },
      );
      hooks.observe(
        BeforeToolCall,
        // The errors of observers go to `onError`.
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
