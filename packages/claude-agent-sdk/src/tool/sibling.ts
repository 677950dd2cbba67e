import type { Options, Settings } from '@anthropic-ai/claude-agent-sdk';
import { inlineSettings } from '../refuse.ts';
import { type Caller, type Gate, plainName, serverName } from '../run/gate.ts';

/*
 * A hook may put another tool of the same server in the place of the called one. Claude Code has decided on permission for
 * the called one, and does not decide again: so the other one runs only where nothing could have kept it from running.
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
  const ofServer = `mcp__${serverName(server)}`;
  // Rules name a tool so, also where the model knows it by its own name alone.
  const name = `${ofServer}__${plainName(tool)}`;
  const lists = (rules: readonly string[]) =>
    rules.flatMap(partsOf).some((rule) => [name, ofServer, `${ofServer}__*`].includes(rule));
  const agent = options.agents?.[type];
  const against = [inlineSettings(settings)?.permissions, managedSettings.permissions, addedRules];
  const restricting = [
    ...disallowedTools,
    ...(agent?.disallowedTools ?? []),
    ...against.flatMap(restrictions),
  ];
  if (restricting.flatMap(partsOf).some((rule) => mayName(rule, [name, ofServer])))
    return 'is named by disallowedTools or by a rule that denies or asks, which Claude Code would not apply';
  if (hasHiddenRules(options)) return 'may be named by a rule in extraArgs or executableArgs';
  if (agent?.tools !== undefined && !lists(agent.tools)) return `is not among the tools of the agent ${type}`;
  if (mode === 'bypassPermissions') return undefined;
  if (!MODES_OF_RULES.includes(mode))
    return `needs a decision of Claude Code in the permission mode "${mode}", which it would not make`;
  if (managedSettings.allowManagedPermissionRulesOnly !== true && lists(allowedTools)) return undefined;
  return `may need a permission, for which Claude Code would not ask: list "${name}" in allowedTools (neither settings nor canUseTool count here)`;
}

/** The modes in which an allowed tool runs, whatever it is. */
const MODES_OF_RULES = ['default', 'acceptEdits', 'dontAsk'];

function restrictions({ deny = [], ask = [] }: NonNullable<Settings['permissions']> = {}): string[] {
  return [...deny, ...ask];
}

/** The tools that a rule names. Claude Code splits what it is given at commas and spaces. */
function partsOf(rule: string): readonly string[] {
  const names = rule.replaceAll(/\([^()]*\)/g, ' ').trim();
  return [names, ...names.split(/[\s,]+/)].filter(Boolean);
}

/** Whether a rule that keeps tools from running could be meant for one of these names. */
function mayName(rule: string, names: readonly string[]): boolean {
  const [literal = '', ...more] = rule.split(/[*?[{(]/);
  const start = plainName(literal).toLowerCase();
  return names.some((one) => {
    const name = one.toLowerCase();
    return more.length === 0 ? name === start : name.startsWith(start);
  });
}

function hasHiddenRules({ extraArgs = {}, executableArgs = [] }: Options): boolean {
  return [...Object.keys(extraArgs), ...executableArgs].some((arg) => /disallowed|agents?\b/i.test(arg));
}
