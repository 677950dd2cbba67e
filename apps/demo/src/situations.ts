import { type Script, toolResults } from '@hooks/conformance';

/** What the scripted model brings about, one tool call after the other. */
export interface Situation {
  readonly name: string;
  readonly tool: string;
  readonly input: object;
}

export const TASK =
  'Clear the cache, find the TODOs, look up the price, and tell me which region the settings name.';

export function situations(priceUrl: string): readonly Situation[] {
  return [
    { name: 'a harmless call', tool: 'read_file', input: { path: 'notes.txt' } },
    { name: 'a dangerous command', tool: 'run_shell', input: { command: 'rm -rf "$HOME"' } },
    { name: 'another way', tool: 'run_shell', input: { command: 'rm -r cache' } },
    { name: 'a rewritten input', tool: 'run_shell', input: { command: 'grep -n TODO notes.txt' } },
    { name: 'a flaky call', tool: 'fetch_url', input: { url: priceUrl } },
    { name: 'a secret in a result', tool: 'read_file', input: { path: 'settings.env' } },
    {
      name: 'an isolated command',
      tool: 'try_command',
      input: { command: 'rm -rf ~/* ./* && echo all gone' },
    },
  ];
}

/** A model that follows the situations; after the block it reads the reason and finds another way. */
export function scriptOf(priceUrl: string): Script {
  const steps = situations(priceUrl);
  return (request) => {
    const { turn } = request;
    const step = steps[turn];
    if (step === undefined)
      return { text: 'The cache is clear, one TODO is left, the price is 42 EUR, the region is eu.' };
    if (step.name === 'another way' && !Object.values(toolResults(request)).at(-1)?.includes('Blocked')) {
      return { text: 'Nobody stopped me. This should not have happened.' };
    }
    return { toolCalls: [{ id: `call_${turn + 1}`, name: step.tool, arguments: step.input }] };
  };
}
