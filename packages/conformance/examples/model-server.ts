import { startModelServer, toolResults } from '@hooks/conformance';

const server = await startModelServer({
  script: [
    { toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] },
    { text: 'Sunny.' },
  ],
});
const ask = async (messages: object[]) => {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', messages }),
  });
  const { choices } = (await response.json()) as {
    choices: [{ message: { content: string } }];
  };
  return choices[0].message;
};

const question = { role: 'user', content: 'How is the weather?' };
const called = await ask([question]);
const answer = await ask([
  question,
  called,
  { role: 'tool', tool_call_id: 'c1', content: 'clear sky' },
]);
console.log(answer.content); // Sunny.
console.log(server.requests.map(toolResults)); // [ {}, { c1: 'clear sky' } ]
await server.close();
