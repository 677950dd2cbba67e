import { chatAgent } from './agent.ts';
import { scriptedModel } from './model.ts';
import { chatServer } from './server.ts';

const { PORT = '3000', APPROVAL_SECRET = crypto.randomUUID() } = process.env;
if (APPROVAL_SECRET === '')
  throw new Error('APPROVAL_SECRET is empty. Give it 32 random bytes.');

const files = new Map([
  ['notes.txt', 'Buy milk.'],
  ['.env', 'OPENAI_API_KEY=sk-0123456789abcdef'],
]);
const server = await chatServer(
  chatAgent(scriptedModel, files, APPROVAL_SECRET),
);
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${PORT}`),
);
