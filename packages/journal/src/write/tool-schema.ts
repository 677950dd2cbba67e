import * as z from 'zod';
import { canonicalJson, sha256 } from '../record/line.ts';

const known = new WeakMap<object, string | undefined>();

/** The digest of a tool's input schema, if its framework's object has one as JSON Schema or zod schema. */
export function toolSchemaDigest(tool: object | undefined): string | undefined {
  // LangChain, OpenAI Agents, Mastra, AI SDK, MCP. Some create the tool anew for each run, but keep its schema.
  const { schema, parameters, inputSchema } = (tool ?? {}) as Readonly<Record<string, unknown>>;
  const found = [schema, parameters, inputSchema].find(
    (value) => typeof value === 'object' && value !== null,
  );
  if (found === undefined) return undefined;
  const key = found as object;
  if (!known.has(key)) known.set(key, digestOf(key));
  return known.get(key);
}

function digestOf(schema: object): string | undefined {
  try {
    return sha256(canonicalJson('_zod' in schema ? z.toJSONSchema(schema as z.ZodType) : schema));
  } catch {
    // It has no JSON form.
    return undefined;
  }
}
