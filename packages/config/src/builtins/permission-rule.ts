import type { BeforeToolCall } from '@hooks/core';
import { compileRule, type PermissionRule, usualPathTools } from '@hooks/guards';
import { isAllowedBy, kindOf, meantBy, type ToolKind } from '../protocol/tool-names.ts';
import { fieldsLike, isPath, mcpNamesOf } from '../protocol/tools.ts';

/**
 * Compiles a rule of `permissions` for every agent: `shell:cmd=sudo *` also means `command` of Claude Code's `Bash`, and
 * `mcp__github__*` a tool of that server, whatever a framework calls it. A rule that restricts matches more, and a rule that allows
 * matches less, where two agents divide their tools differently.
 *
 * @throws Error if the rule names an unknown group
 */
export function compileAnywhere(pattern: string, does: 'allow' | 'restrict'): PermissionRule {
  const rule = compileRule(pattern, does);
  const [tool = '', ...conditions] = pattern.split(/:(?=[\w.-]+=)/);
  const written = conditions.map((condition) => condition.slice(0, condition.indexOf('=')));
  const meant = meantBy(tool);
  const means = (name: string): boolean => (does === 'allow' ? isAllowedBy(tool, name) : meant.has(name));
  return {
    pattern,
    meets: (name, input, about) => {
      const names = [...(means(name) ? [tool] : []), name, ...mcpNamesOf(name, about, tool, does)];
      const inputs = inputsOf(kindOf(name, input), input, written);
      const meets = (one: unknown): boolean => names.some((as) => rule.meets(as, one));
      return does === 'allow' ? inputs.every(meets) : inputs.some(meets);
    },
  };
}

/** Returns whether one of these rules allows a call. */
export function allowsBy(
  rules: readonly string[] | undefined,
  compile: typeof compileAnywhere,
): (call: BeforeToolCall) => boolean {
  const compiled = (rules ?? []).map((rule) => compile(rule, 'allow'));
  return ({ toolName, input, tool }) => compiled.some(({ meets }) => meets(toolName, input, tool));
}

/** The input with the arguments of a rule under the names that the rule has for them, in every way that this can be read. */
function inputsOf(
  kind: ReturnType<typeof kindOf>,
  input: unknown,
  written: readonly string[],
): readonly unknown[] {
  if (kind === undefined || typeof input !== 'object' || input === null) return [input];
  return written.reduce<readonly object[]>(
    (inputs, argument) => {
      const values = valuesOf(kind, argument, input);
      if (values.length === 0) return inputs;
      return values.flatMap((value) => inputs.map((one) => ({ ...one, [argument]: value })));
    },
    [input],
  );
}

/** What an argument of this name can be in a call. Of a list of paths, and of a patch, it is each path. */
function valuesOf(kind: ToolKind, argument: string, input: object): readonly unknown[] {
  const values = fieldsLike(kind, argument)
    .filter((field) => Object.hasOwn(input, field))
    .map((field): unknown => Reflect.get(input, field));
  if (!isPath(argument)) return values;
  const { apply_patch: pathsOf } = usualPathTools;
  const patched = kind === 'patch' && typeof pathsOf === 'function' ? pathsOf(input) : [];
  return [...values.flat(), ...patched];
}
