/**
 * A server that does not know MCP. It responds to each request with the request's line in base64, in JSON that no
 * serializer would write. It first writes the lines in `params.say` (in base64). With `params.previous`, it responds with
 * the line before. Outside of tool calls, its responses have a field that JSON-RPC does not know.
 */
import { createInterface } from 'node:readline';

let previous = '';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  for (const said of params?.say ?? []) process.stdout.write(Buffer.from(said, 'base64'));
  const got = Buffer.from(params?.previous ? previous : line).toString('base64');
  previous = line;
  if (id === undefined) continue;
  process.stdout.write(
    `{ "result" : { "big": 12345678901234567890, "float": 1.0, "text": "\\u0041", "got":"${got}"},"id":${JSON.stringify(id)} , "jsonrpc":"2.0"${method === 'tools/call' ? '' : ', "vendor": [ ]'} }\n`,
  );
}
