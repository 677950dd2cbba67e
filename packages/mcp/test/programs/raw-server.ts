/**
 * A server that knows no MCP: for each request it gets, it sends the line in base64, in JSON that no serializer would
 * write. `params.say` are lines (base64, too) to write before that; with `params.previous` it is the line before.
 */
import { createInterface } from 'node:readline';

let previous = '';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  for (const said of params?.say ?? []) process.stdout.write(Buffer.from(said, 'base64'));
  const got = Buffer.from(params?.previous ? previous : line).toString('base64');
  previous = line;
  if (id === undefined) continue;
  process.stdout.write(
    `{ "result" : { "big": 12345678901234567890, "float": 1.0, "text": "\\u0041", "got":"${got}"},"id":${JSON.stringify(id)} , "jsonrpc":"2.0", "vendor": [ ] }\n`,
  );
}
