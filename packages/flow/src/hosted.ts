import type { BeforeModelCall, ModelMessage, ModelResponse, ModelTool } from '@hooks/core';

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
const OWN_FIELDS = 'name id execute toolName handoff function toolSpec'.split(' ');
const DECLARES = ['functionDeclarations', 'function_declarations'];

/** What the provider reads or runs in a model call, as a question names it: by one of its tools, or by an option or model. */
export function hostedIn({ tools, native, model = '' }: BeforeModelCall): string | undefined {
  const hosted = tools.find((tool) => isHosted(tool.native));
  if (hosted) return `${hosted.name}, which the provider runs`;
  const option = optionsOf(native)
    .map((options) => optionIn(options, isHostedOption))
    .find((name) => name !== undefined);
  if (option !== undefined)
    return `${option}, which the provider ${KEPT.test(lettersOf(option)) ? 'keeps' : 'runs'}`;
  return SEARCHES.test(model) ? `${model}, which the provider runs` : undefined;
}

/** What the provider has run for an answer, or what else stands there that no hook has seen. Only providers' own parts have such types and fields. */
export function ranFor({ native }: Pick<ModelResponse, 'native'>): string | undefined {
  return optionIn(
    native,
    (name, value) => RAN.test(name) || (name === 'type' && RAN_TYPE.test(String(value))),
  );
}

/** What an answer of a history has besides texts and calls: what the provider has run for it, a file, or a result. */
export function besidesIn({ role, native }: ModelMessage): string | undefined {
  if (role !== 'assistant') return undefined;
  const ran = ranFor({ native });
  if (ran !== undefined) return `${ran}, of what the provider ran`;
  const { content } = Object(native) as { readonly content?: unknown };
  const parts: readonly unknown[] = [native, ...(Array.isArray(content) ? content : [])];
  const types = parts.map((part) => (Object(part) as { readonly type?: unknown }).type);
  const other = types.find((type) => typeof type === 'string' && BESIDES.test(type));
  return other === undefined ? undefined : `${other}, in an answer`;
}

function isHosted(native: ModelTool['native']): boolean {
  if (typeof native !== 'object' || native === null) return false;
  const { type, toolName, handoff } = native as { readonly [field: string]: unknown };
  if (typeof type === 'string') return !LOCAL.has(type) && toolName === undefined && handoff === undefined;
  // Gemini's have no type: `{ googleSearch: {} }`, also beside functions.
  if (DECLARES.some((field) => field in native))
    return Object.entries(native).some(([field, value]) => !DECLARES.includes(field) && !isOff(value));
  return !OWN_FIELDS.some((field) => field in native);
}

/** Options with which a provider reads by itself, by the letters of their names: `web_search_options`, `useSearchGrounding`. */
const HOSTED =
  /(?<!re|tool)search|grounding|plugin|mcp|connector|retriev|browsing|crawl|datasource|urlcontext|interpreter|codeexec|skill|knowledge|vectorstore|^documents$/;
/** Options that only say how tools are used. */
const MANNER = /choice|parallel|^max|^disable|approval/;
/** Models that search by themselves. */
const SEARCHES = /(?:^|[/:._-])(?:sonar|compound|online|search)(?:[/:._-]|$)/i;
/** Options that name what the provider keeps: an earlier part of the conversation, or texts that the model reads in front of it. */
const KEPT = /^(?:previous(?:response|interaction)(?:id)?|conversation(?:id)?|cachedcontent)$/;
const RAN = /^(?:providerexecuted|groundingmetadata|citations|urlcitation)$/;
const RAN_TYPE =
  /^(?:source|hosted_tool_call|server_tool_\w+|mcp_(?:call|tool_\w+)|(?:web|file|x)_search\w*|web_fetch\w*|code_(?:interpreter|execution)\w*|\w*_citation)$/;

/** Types of parts and items in an answer that are neither texts nor calls: files, results, summaries, references to what is kept. */
const BESIDES =
  /(?:^|[_-])(?:file|image|audio|video|document|media|output|result|compaction|reference|unknown)(?:$|[_-](?:url|data|content)$)/;

function isHostedOption(name: string, value: unknown): boolean {
  if (name === 'tools') return Array.isArray(value) && value.some(isHosted);
  return KEPT.test(name) || (HOSTED.test(name) && !MANNER.test(name));
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
    if (!Array.isArray(value) && isWanted(lettersOf(name), inner)) return name;
    const found = optionIn(inner, isWanted, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MOST_DEPTH = 8;

function lettersOf(name: string): string {
  return name.replace(/[^\p{L}]/gu, '').toLowerCase();
}

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
