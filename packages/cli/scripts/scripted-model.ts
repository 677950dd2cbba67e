import { createServer, type RequestListener } from 'node:http';

/** A model that answers as a script has it, and the results that it was given. */
export interface ScriptedModel {
  readonly url: string;
  /** What the model read as results of its calls. */
  readonly results: string[];
  close(): void;
}

/** Starts one on the loopback; `answer` adds to the results what it reads. */
export async function startScripted(
  answer: (results: string[], ...exchange: Parameters<RequestListener>) => void,
): Promise<ScriptedModel> {
  const results: string[] = [];
  const server = createServer((request, response) => answer(results, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    results,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
