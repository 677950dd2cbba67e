import type { ModelHandler } from '../entry.ts';
import { shownName } from '../parts/variables.ts';

/** The address and client of a model. All but Anthropic's and Google's use the OpenAI-compatible API. */
export interface ModelEndpoint {
  readonly api: 'openai' | 'anthropic' | 'google';
  readonly model: string;
  /** `null`: the provider's own address. */
  readonly baseURL: string | null;
  readonly apiKey: string;
}

/** Providers with their own address and client. */
const ownProviders = ['openai', 'anthropic', 'google'] as const;

/** Providers with the API at a known address, without a key. */
const localProviders: Readonly<Record<string, string>> = {
  dmr: 'http://localhost:12434/engines/v1',
  ollama: 'http://localhost:11434/v1',
};

/** The endpoint of a hook's `provider/model`. Throws if the provider's address is unknown. */
export function modelEndpoint(
  { model, baseUrl, apiKeyEnv }: Pick<ModelHandler, 'model' | 'baseUrl' | 'apiKeyEnv'>,
  env: Readonly<Record<string, string>>,
): ModelEndpoint {
  const [provider = '', ...name] = model.split('/');
  const keyName = apiKeyEnv ?? `${provider.toUpperCase().replaceAll(/\W/g, '_')}_API_KEY`;
  const url =
    baseUrl ?? env[`${provider.toUpperCase().replaceAll(/\W/g, '_')}_BASE_URL`] ?? localProviders[provider];
  const own = ownProviders.find((name) => name === provider);
  if (url === undefined && own === undefined) {
    throw new Error(
      `the address of the provider "${provider}" is unknown; set base_url, or ${provider.toUpperCase()}_BASE_URL`,
    );
  }
  const apiKey = env[keyName] ?? (own === undefined ? 'none' : undefined);
  if (apiKey === undefined) throw new Error(`the environment variable ${shownName(keyName)} is not set`);
  // The client's own error would contain the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey.trim()))
    throw new Error(`the environment variable ${shownName(keyName)} contains characters that cannot be sent`);
  return { api: own ?? 'openai', model: name.join('/'), baseURL: url ?? null, apiKey };
}
