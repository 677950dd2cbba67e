import * as z from 'zod';
import { canonicalJson, sha256 } from '../record/line.ts';

const known = new WeakMap<object, string | undefined>();

/** The digest of a tool's input schema, where its framework's object shows one: JSON Schema, or a zod schema. */
export function toolSchemaDigest(tool: object | undefined): string | undefined {
  if (tool === undefined) return undefined;
  if (!known.has(tool)) known.set(tool, digestOf(tool));
  return known.get(tool);
}

function digestOf(tool: object): string | undefined {
  // LangChain, OpenAI Agents, Mastra and the AI SDK, MCP.
  const { schema, parameters, inputSchema } = tool as Readonly<Record<string, unknown>>;
  const found = [schema, parameters, inputSchema].find(
    (value) => typeof value === 'object' && value !== null,
  );
  if (found === undefined) return undefined;
  try {
    return sha256(canonicalJson('_zod' in (found as object) ? z.toJSONSchema(found as z.ZodType) : found));
  } catch {
    // It has no JSON form.
    return undefined;
  }
}
