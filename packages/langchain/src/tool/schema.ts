import type { InputCheck, InvalidInput } from '@hooks/core';
import { errorText } from '@hooks/core/adapter';
import { toJsonSchema, Validator } from '@langchain/core/utils/json_schema';
import { interopSafeParseAsync, isInteropZodSchema } from '@langchain/core/utils/types';
import { isToolCall } from '../internals.ts';
import type { HookableTool } from './tool.ts';

/** Checks inputs against the tool's schema, as its `invoke` does: Zod 3 and 4, and JSON Schema. */
export function checkOf(tool: HookableTool | undefined): InputCheck {
  const schema = tool?.schema;
  return (input) => {
    if (isToolCall(input))
      return {
        message:
          'Arguments must not have the type "tool_call": LangChain would run the tool with their `args`.',
      };
    if (!isSchema(schema)) return undefined;
    if (isInteropZodSchema(schema)) return parse(schema, input).then(misfit);
    const { valid, errors } = new Validator(schema).validate(input);
    const problems = errors.map((unit) => `${unit.instanceLocation}: ${unit.error}`);
    return valid ? undefined : { message: problems.join('; ') };
  };
}

export function isSchema(schema: unknown): schema is object {
  return typeof schema === 'object' && schema !== null;
}

/** The JSON Schema that models get. LangChain caches it. */
export function jsonSchemaOf(schema: object): object {
  return isInteropZodSchema(schema) ? toJsonSchema(schema) : schema;
}

/** Applies the schema's defaults and transforms to a raw input, for the tool's function. */
export async function parsed(tool: HookableTool, input: unknown): Promise<unknown> {
  if (!isInteropZodSchema(tool.schema)) return input;
  const result = await parse(tool.schema, input);
  if (result.success) return result.data;
  throw result.error;
}

type Zod = Parameters<typeof interopSafeParseAsync>[0];
type Parsed = Awaited<ReturnType<typeof interopSafeParseAsync>>;

function misfit(result: Parsed): InvalidInput | undefined {
  if (result.success) return undefined;
  const { error } = result;
  return { message: errorText(error), error };
}

/** A tool that takes one string may be called with the string or with `{ input }`. */
function parse(schema: Zod, input: unknown): Promise<Parsed> {
  const parsing = interopSafeParseAsync(schema, input);
  if (typeof input === 'object' && input !== null) return parsing;
  return parsing.then((result) => (result.success ? result : interopSafeParseAsync(schema, { input })));
}
