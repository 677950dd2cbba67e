/** Options for providers, or what they sent beside an answer, by provider. */
export interface Metadata {
  readonly [provider: string]: unknown;
}

/** The field by which OpenAI's Responses API knows an item that it has stored. */
const ID = 'itemId';

/**
 * Whether a provider has stored a part under an id. It is then sent as a reference, and a provider refuses one to the
 * reasoning of an answer that is not the stored one.
 */
export function isStored(metadata: Metadata): boolean {
  return Object.values(metadata).some((own) => typeof own === 'object' && own !== null && ID in own);
}

/** Without ids: by those a provider would take what it has stored instead of what it is sent. */
export function withoutIds(metadata: Metadata): Metadata {
  return mapOwn(metadata, ([field]) => field !== ID);
}

/** Without lists, which describe an answer piece by piece: the probabilities of its tokens, its citations. */
export function withoutLists(metadata: Metadata): Metadata {
  return mapOwn(metadata, ([, value]) => !Array.isArray(value));
}

/** Whether a provider sent the reasoning beside a part, as OpenRouter does. */
export function hasReasoning(metadata: Metadata): boolean {
  return Object.values(metadata).some((own) => Object.keys(Object(own)).some(isReasoning));
}

export function withoutReasoning(metadata: Metadata): Metadata {
  return mapOwn(metadata, ([field]) => !isReasoning(field));
}

function isReasoning(field: string): boolean {
  return /^reasoning(?:_?(?:details|content|text))?$/i.test(field);
}

function mapOwn(metadata: Metadata, keep: (entry: [string, unknown]) => boolean): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).map(([provider, own]) => [
      provider,
      typeof own === 'object' && own !== null ? Object.fromEntries(Object.entries(own).filter(keep)) : own,
    ]),
  );
}
