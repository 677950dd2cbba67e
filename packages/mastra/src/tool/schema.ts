import { isSchema, type SchemaIssue, type StandardSchema } from '@hooks/core/adapter';
import type { ValidationError } from '@mastra/core/tools';

interface ToolSchema extends StandardSchema {
  readonly '~standard': StandardSchema['~standard'] & {
    /** Mastra gives it to the schemas of all tools. */
    readonly jsonSchema?: { input(options: { readonly target: 'draft-07' }): object };
  };
}

/** Validates an input by a tool's schema. Failures have Mastra's wording and form. */
export type Checked =
  | { readonly data: unknown; readonly error?: undefined }
  | { readonly error: ValidationError };

/**
 * Validates an input by a tool's Standard Schema as Mastra does: if the input is invalid, `null` for fields that
 * models leave out is forgiven. Without a schema every input is valid, as in Mastra.
 */
export async function checkInput(schema: unknown, input: unknown, toolId: string): Promise<Checked> {
  const lost = checkKeys(input, toolId);
  if (lost !== undefined) return { error: lost };
  const standard = standardOf(schema);
  if (standard === undefined) return { data: input };
  const { validate } = standard['~standard'];
  const result = await validate(input ?? {});
  if (result.issues === undefined) return { data: result.value };
  const forgiven = await validate(withoutNulls(input));
  if (forgiven.issues === undefined) return { data: forgiven.value };
  return { error: validationError(result.issues, input, toolId) };
}

/**
 * Mastra copies inputs key by key. Of an own field `__proto__` that makes a prototype, whose fields a tool may read like
 * those of the input, or drops it. So hooks would see other data than the tool: such an input is invalid.
 */
export function checkKeys(input: unknown, toolId: string): ValidationError | undefined {
  const path = pathOfPrototype(input);
  return path && validationError([{ message: 'Unrecognized key: "__proto__"', path }], input, toolId);
}

/** The path of the first object that has an own field `__proto__`. */
function pathOfPrototype(value: unknown): readonly PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return [];
  for (const [key, field] of Object.entries(value)) {
    const path = pathOfPrototype(field);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}

/** The JSON Schema of a tool's Standard Schema, as models get it. */
export function jsonSchemaOf(schema: unknown): object | undefined {
  return standardOf(schema)?.['~standard'].jsonSchema?.input({ target: 'draft-07' });
}

function standardOf(schema: unknown): ToolSchema | undefined {
  const lazy = typeof schema === 'function' && !('~standard' in schema);
  const standard: unknown = lazy ? schema() : schema;
  return isSchema(standard) ? standard : undefined;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : withoutNulls(item)));
  if (typeof value !== 'object' || value === null) return value ?? {};
  const kept = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(
    kept.map(([key, field]) => [key, typeof field === 'object' ? withoutNulls(field) : field]),
  );
}

interface Problems {
  readonly errors: string[];
  readonly fields: Record<string, Problems>;
}

function validationError(issues: readonly SchemaIssue[], input: unknown, toolId: string): ValidationError {
  const problems: Problems = { errors: [], fields: {} };
  const lines = issues.map(({ message, path = [] }) => {
    const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
    let at = problems;
    for (const key of keys) {
      const inner = (Object.hasOwn(at.fields, key) && at.fields[key]) || { errors: [], fields: {} };
      at.fields[key] = inner;
      at = inner;
    }
    at.errors.push(message);
    return `- ${keys.join('.') || 'root'}: ${message}`;
  });
  const message = `Tool input validation failed for ${toolId}. Please fix the following errors and try again:\n${lines.join('\n')}\n\nProvided arguments: ${shortened(input)}`;
  return { error: true, message, validationErrors: problems };
}

/** An input as Mastra repeats it to the model. */
function shortened(input: unknown): string {
  const text = JSON.stringify(input, null, 2) ?? 'undefined';
  return text.length <= 200 ? text : `${text.slice(0, 200)}... (truncated)`;
}
