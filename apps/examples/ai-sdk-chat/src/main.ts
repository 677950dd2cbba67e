import type { AddressInfo } from 'node:net';
import { chatAgent } from './agent.ts';
import { scriptedModel } from './model.ts';
import { chatServer } from './server.ts';

const { PORT, APPROVAL_SECRET = crypto.randomUUID() } = process.env;
const port = Number(PORT?.trim() || 3000);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(
    `PORT is ${JSON.stringify(PORT)}. It has to be a number from 0 to 65535.`,
  );
if (APPROVAL_SECRET.length < 32)
  fail('APPROVAL_SECRET is too short: it needs 32 bytes.');

const files = new Map([
  ['notes.txt', 'Buy milk.'],
  ['.env', 'OPENAI_API_KEY=sk-0123456789abcdef'],
]);
const server = await chatServer(
  chatAgent(scriptedModel, files, APPROVAL_SECRET),
);
server
  .once('error', ({ message }) => fail(message)) // such as of a port that is taken
  .listen(port, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

/** Ends the process with a sentence instead of a stack. */
function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
