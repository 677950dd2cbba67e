import { isSchema } from '@hooks/core/adapter';
import type { StandardSchemaWithJSON } from '@mastra/core/schema';
import { type ValidationError, validateToolInput } from '@mastra/core/tools';

/** An input as the tool gets it, or Mastra's failure for one that does not fit. */
export type Checked = ReturnType<typeof validateToolInput>;

/** Validates an input by a tool's schema, as Mastra does. Without a schema every input is valid. */
export function checkInput(schema: unknown, input: unknown, toolId: string): Checked {
  const lost = checkKeys(input, toolId);
  return lost === undefined ? validateToolInput(standardOf(schema), input, toolId) : { error: lost };
}

/**
 * Mastra copies inputs key by key. Of an own field `__proto__` that makes a prototype, whose fields a tool may read like
 * those of the input, or drops it. So hooks would see other data than the tool: such an input is invalid.
 */
export function checkKeys(input: unknown, toolId: string): ValidationError | undefined {
  const path = pathOfPrototype(input);
  if (path === undefined) return undefined;
  const problem = 'Unrecognized key: "__proto__"';
  const message = `Tool input validation failed for ${toolId}. Please fix the following errors and try again:\n- ${path.join('.') || 'root'}: ${problem}`;
  return { error: true, message, validationErrors: { errors: [problem], fields: {} } };
}

/** The path of the first object that has an own field `__proto__`. */
function pathOfPrototype(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return [];
  for (const [key, field] of Object.entries(value)) {
    const path = pathOfPrototype(field);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}

/** The JSON Schema of a tool's Standard Schema, as models get it. Mastra gives one to the schemas of all tools. */
export function jsonSchemaOf(schema: unknown): object | undefined {
  const standard: Partial<StandardSchemaWithJSON['~standard']> = standardOf(schema)?.['~standard'] ?? {};
  return standard.jsonSchema?.input({ target: 'draft-07' });
}

function standardOf(schema: unknown): StandardSchemaWithJSON | undefined {
  const lazy = typeof schema === 'function' && !('~standard' in schema);
  const standard: unknown = lazy ? schema() : schema;
  return isStandard(standard) ? standard : undefined;
}

function isStandard(schema: unknown): schema is StandardSchemaWithJSON {
  return isSchema(schema);
}
