import { inlineSettings } from '../refuse.ts';
import { type Caller, type Gate, plainName, serverName } from '../run/gate.ts';

/*
 * A hook may put another tool of the same server in the place of the called one. Claude Code has decided on permission for
 * the called one, and does not decide again: so the other one runs only where nothing could tell the two apart.
 */

/** The name that the model has for another tool of the server whose tool it knows by `modelName`. */
export function siblingName(modelName: string, server: string, tool: string): string {
  const plain = plainName(tool);
  const prefix = `mcp__${serverName(server)}__`;
  return modelName.startsWith(prefix) ? `${prefix}${plain}` : plain;
}

/** Why Claude Code might not let an agent call a tool, as a clause. Undefined if it would. */
export function unpermitted(
  { setting: { options }, addedRules }: Pick<Gate, 'setting' | 'addedRules'>,
  { permission_mode: mode = 'unknown', agent_type: type = options.agent ?? '' }: Caller,
  server: string,
  tool: string,
): string | undefined {
  const { allowedTools = [], disallowedTools = [], managedSettings = {}, settings } = options;
  const { extraArgs = {} } = options;
  const agent = options.agents?.[type];
  const rules = [inlineSettings(settings)?.permissions, managedSettings.permissions, addedRules].flatMap(
    ({ deny = [], ask = [] } = {}) => [...deny, ...ask],
  );
  const restricting = [...disallowedTools, ...rules, ...(agent?.disallowedTools ?? [])];
  if (
    !restricting.every((rule) => OF_BUILT_IN.test(rule)) ||
    Object.keys(extraArgs).some((arg) => RESTRICTING_ARG.test(arg))
  )
    return 'may be meant by a rule that denies or asks, which Claude Code would not apply';
  if (agent?.tools !== undefined)
    return `may not be among the tools of the agent ${type}, which Claude Code would not look at`;
  if (mode === 'bypassPermissions') return undefined;
  // Rules name a tool so, also where the model knows it by its own name alone.
  const ofServer = `mcp__${serverName(server)}`;
  const name = `${ofServer}__${plainName(tool)}`;
  const isAllowed = [name, ofServer, `${ofServer}__*`].some((rule) => allowedTools.includes(rule));
  if (isAllowed && MODES_OF_RULES.includes(mode) && managedSettings.allowManagedPermissionRulesOnly !== true)
    return undefined;
  return `may need a permission in the mode "${mode}", for which Claude Code would not ask: list "${name}" in allowedTools (neither settings nor canUseTool count here)`;
}

/** A rule for a built-in tool. Whatever else rules may look like, they may be meant for a tool of a server. */
const OF_BUILT_IN = /^[A-Z][A-Za-z]*(?:\([^()]*\))?$/;

const RESTRICTING_ARG = /disallowed|agents?\b/i;

/** The modes in which an allowed tool runs, whatever it is. */
const MODES_OF_RULES = ['default', 'acceptEdits', 'dontAsk'];
