import { isSchema } from '@hooks/core/adapter';
import type { StandardSchemaWithJSON } from '@mastra/core/schema';
import { createTool, isValidationError, type ValidationError } from '@mastra/core/tools';

/** An input as the tool gets it, or Mastra's failure for one that does not fit. */
export type Checked =
  | { readonly data: unknown; readonly error?: undefined }
  | { readonly data?: undefined; readonly error: ValidationError };

/** Validates an input by a tool's schema, as Mastra does. Without a schema every input is valid. */
export async function checkInput(schema: unknown, input: unknown, toolId: string): Promise<Checked> {
  const lost = checkKeys(input, toolId);
  if (lost !== undefined) return { error: lost };
  const inputSchema = standardOf(schema);
  if (inputSchema === undefined) return { data: input };
  // Not all versions of Mastra export their check, but a tool of `createTool` makes it.
  const execute = async (data: unknown) => ({ data });
  const tool = createTool({ id: toolId, description: toolId, inputSchema, execute });
  // Its types leave open whether it has a function, and what that gets besides the input.
  const { execute: check }: { execute(input: unknown, context: object): unknown } = Object(tool);
  const checked = await check(input, {});
  return isValidationError(checked) ? { error: checked } : { data: Object(checked).data };
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
