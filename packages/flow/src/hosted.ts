import type { BeforeModelCall, ModelResponse, ModelTool } from '@hooks/core';

/** What the program or the framework runs. The provider runs all others, and their results pass no hook. */
const LOCAL = new Set([
  'function',
  'dynamic',
  'custom',
  'computer',
  'shell',
  'local_shell',
  'apply_patch',
  'handoff',
]);

/** Fields of tools that have no type, but run here: of frameworks, and of providers' formats for functions. */
const OWN_FIELDS =
  'name id execute toolName handoff function functionDeclarations function_declarations toolSpec'.split(' ');

/** What the provider runs in a model call, as a question names it: one of its tools, or an option or model that searches. */
export function hostedIn({ tools, native, model = '' }: BeforeModelCall): string | undefined {
  const hosted = tools.find((tool) => isHosted(tool.native));
  if (hosted) return hosted.name;
  const option = optionsOf(native)
    .map((options) => optionIn(options, isHostedOption))
    .find((name) => name !== undefined);
  return option ?? (SEARCHES.test(model) ? model : undefined);
}

/** Whether the provider has an earlier part of the conversation, which is not among the messages. */
export function hasRemoteHistory({ native }: BeforeModelCall): boolean {
  return optionsOf(native).some((options) => optionIn(options, (name) => REMOTE.test(name)) !== undefined);
}

/** What the provider has run for an answer. Only providers' own parts have such types and fields. */
export function ranFor({ native }: ModelResponse): string | undefined {
  return optionIn(
    native,
    (name, value) => RAN.test(name) || (name === 'type' && RAN_TYPE.test(String(value))),
  );
}

function isHosted(native: ModelTool['native']): boolean {
  if (typeof native !== 'object' || native === null) return false;
  const { type, toolName, handoff } = native as { readonly [field: string]: unknown };
  if (typeof type === 'string') return !LOCAL.has(type) && toolName === undefined && handoff === undefined;
  // Gemini's have no type: `{ googleSearch: {} }`.
  return !OWN_FIELDS.some((field) => field in native);
}

/** Options with which a provider reads by itself, by the letters of their names: `web_search_options`, `useSearchGrounding`. */
const HOSTED =
  /(?<!re|tool)search|grounding|plugin|mcp|connector|retriev|browsing|crawl|datasource|urlcontext|interpreter|codeexec|skill/;
/** Options that only say how tools are used. */
const MANNER = /choice|parallel|^max|^disable|approval/;
/** Models that search by themselves. */
const SEARCHES = /(?:^|[/:._-])(?:sonar|compound|online|search)(?:[/:._-]|$)/i;
const REMOTE = /^(?:previousresponseid|conversation|conversationid)$/;
const RAN = /^(?:providerexecuted|groundingmetadata|citations|urlcitation)$/;
const RAN_TYPE =
  /^(?:source|hosted_tool_call|server_tool_\w+|mcp_(?:call|tool_\w+)|(?:web|file|x)_search\w*|web_fetch\w*|code_(?:interpreter|execution)\w*|\w*_citation)$/;

function isHostedOption(name: string, value: unknown): boolean {
  if (name === 'tools') return Array.isArray(value) && value.some(isHosted);
  return HOSTED.test(name) && !MANNER.test(name);
}

/** The provider's options in the request of a framework: AI SDK and Mastra, OpenAI Agents, LangChain's call and model. */
function optionsOf(native: unknown): readonly unknown[] {
  const { providerOptions, modelSettings, previousResponseId, conversationId, model } = Object(native);
  return [providerOptions, modelSettings, { previousResponseId, conversationId }, Object(model)];
}

/** The first field in some data that is switched on and that is looked for. Objects that are no data are not looked into. */
function optionIn(
  value: unknown,
  isWanted: (letters: string, value: unknown) => boolean,
  depth = 0,
): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return undefined;
  if (depth > 0 && !Array.isArray(value) && !isData(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (isOff(inner)) continue;
    if (!Array.isArray(value) && isWanted(name.replace(/[^\p{L}]/gu, '').toLowerCase(), inner)) return name;
    const found = optionIn(inner, isWanted, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MOST_DEPTH = 8;

function isData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isOff(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'string') return /^(?:|off|none|never|disabled)$/i.test(value);
  if (typeof value !== 'object' || value === null) return !value;
  const { mode, enabled } = value as { readonly mode?: unknown; readonly enabled?: unknown };
  return enabled === false || mode === 'off';
}
