import { type Schema as JsonSchema, Validator } from '@cfworker/json-schema';
import type { InvalidInput } from '@hooks/core';
import { asSchema } from 'ai';
import type { SdkTool } from '../sdk.ts';

/** The result of parsing an input by a tool's schema, or why it does not fit. */
export type Checked = { readonly value: unknown } | { readonly invalid: InvalidInput };

/** Checks an input. The SDK does not check plain JSON Schemas, such as those of MCP tools; this does. */
export async function checkInput({ inputSchema }: SdkTool, input: unknown): Promise<Checked> {
  const schema = asSchema(inputSchema);
  if (schema.validate !== undefined) {
    const result = await schema.validate(input);
    if (result.success) return { value: result.value };
    return { invalid: { message: result.error.message, error: result.error } };
  }
  const validator = new Validator((await schema.jsonSchema) as JsonSchema, '2020-12', true);
  const { valid, errors } = validator.validate(input);
  if (valid) return { value: input };
  const [worst] = errors.toReversed();
  return { invalid: { message: worst ? `${worst.instanceLocation}: ${worst.error}` : 'it does not fit' } };
}
