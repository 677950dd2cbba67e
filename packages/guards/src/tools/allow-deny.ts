import { BeforeToolCall, block, type HookProvider, proceed, type StandardSchema } from '@hooks/core';
import { type Check, checkArgument, checkOptions, expecting, listOf, mapOf, text } from '../options.ts';
import { versionOf } from '../version.ts';

/**
 * Selects tools: a pattern as for `BeforeToolCall.matching` (`'read|write'`, `'group:fs'`), or an object that maps
 * patterns to a schema for the input; `true` accepts any input.
 */
export type ToolRules = string | readonly string[] | { readonly [pattern: string]: true | StandardSchema };

const TOOLS = "tools, such as 'web_.*'";

// What is no schema would be none, and allow or deny any input.
const schemaOrTrue = expecting(
  'true or a Standard Schema',
  (value) => value === true || typeof Object(Object(value)['~standard']).validate === 'function',
);

const toolRules: Check = (value, path) => {
  if (Array.isArray(value)) return listOf(text, TOOLS)(value, path);
  const check = typeof value === 'string' ? expecting(TOOLS, () => value !== '') : mapOf(schemaOrTrue, TOOLS);
  return check(value, path);
};

/**
 * Lets only these tools run, with an input that fits the schema if there is one. Every other call is blocked. A tool
 * that several rules name runs if it fits one of them. It guards the final input, at priority 100.
 *
 * @param rules the tools; an empty list lets no tool run
 * @throws HooksError `CONFIG_INVALID` if a rule or an option is invalid
 * @example
 * ```ts
 * hooks.use(allowTools({ 'group:fs': true, exec: z.object({ command: z.enum(['npm test', 'npm run lint']) }) }));
 * ```
 */
export function allowTools(rules: ToolRules, options: { readonly name?: string } = {}): HookProvider {
  const letsNone = Array.isArray(rules) && rules.length === 0;
  if (!letsNone) checkArgument('allowTools', 'rules', rules, toolRules);
  options = checkOptions('allowTools', options, { name: text });
  const { name = 'allow-tools' } = options;
  return {
    name,
    version: versionOf(rules),
    register(hooks) {
      const matched = new WeakMap<BeforeToolCall, Rule[]>();
      for (const rule of rulesOf(rules)) {
        const point = BeforeToolCall.matching(rule.pattern);
        // The registry knows groups and aliases, so let it find the rules for a call. The last guard decides.
        hooks.guard(
          { ...point, tools: { ...point.tools, allows: true } },
          function meets(call) {
            matched.set(call, [...(matched.get(call) ?? []), rule]);
            return proceed();
          },
          { id: `allow ${rule.pattern}`, priority: 101, allowUnknown: true },
        );
      }
      hooks.guard(
        BeforeToolCall,
        async function allowed(call) {
          const problems: string[] = [];
          for (const { schema } of matched.get(call) ?? []) {
            const problem = schema && (await problemWith(schema, call.input));
            if (problem === undefined) return proceed();
            problems.push(problem);
          }
          if (problems.length === 0)
            return block(
              `Blocked (tools/allow): ${call.toolName} is not among the allowed tools. Use another one.`,
            );
          return block(
            `Blocked (tools/allow): this input of ${call.toolName} is not allowed: ${problems.join('; or ')}. Change the input.`,
          );
        },
        { id: 'others', priority: 100 },
      );
    },
  };
}

/**
 * Blocks these tools, or, with a schema, only calls whose input fits it. It guards the final input, at priority 100.
 *
 * @throws HooksError `CONFIG_INVALID` if it names no tool, or a rule or an option is invalid
 * @example
 * ```ts
 * hooks.use(denyTools('web_.*|browser'));
 * hooks.use(denyTools({ exec: z.object({ command: z.string().regex(/^sudo /) }) }, { name: 'no-sudo' }));
 * ```
 */
export function denyTools(rules: ToolRules, options: { readonly name?: string } = {}): HookProvider {
  checkArgument('denyTools', 'rules', rules, toolRules);
  options = checkOptions('denyTools', options, { name: text });
  const { name = 'deny-tools' } = options;
  return {
    name,
    version: versionOf(rules),
    register(hooks) {
      for (const { pattern, schema } of rulesOf(rules)) {
        hooks.guard(
          BeforeToolCall.matching(pattern),
          async function denied(call) {
            if (schema && (await problemWith(schema, call.input)) !== undefined) return proceed();
            const what = schema ? `this input of ${call.toolName}` : call.toolName;
            return block(`Blocked (tools/deny): ${what} is not allowed. Find another way, or ask the user.`);
          },
          { id: `deny ${pattern}`, priority: 100, allowUnknown: true },
        );
      }
    },
  };
}

interface Rule {
  readonly pattern: string;
  readonly schema?: StandardSchema;
}

function rulesOf(rules: ToolRules): readonly Rule[] {
  if (typeof rules === 'string') return [{ pattern: rules }];
  if (isList(rules)) return rules.map((pattern) => ({ pattern }));
  return Object.entries(rules).map(([pattern, schema]) =>
    schema === true ? { pattern } : { pattern, schema },
  );
}

function isList(rules: ToolRules): rules is readonly string[] {
  return Array.isArray(rules);
}

async function problemWith(schema: StandardSchema, input: unknown): Promise<string | undefined> {
  const { issues } = await schema['~standard'].validate(input);
  return issues
    ?.map(({ message, path }) => (path?.length ? `${path.map(keyOf).join('.')}: ${message}` : message))
    .join(', ');
}

function keyOf(segment: unknown): string {
  return String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment);
}
