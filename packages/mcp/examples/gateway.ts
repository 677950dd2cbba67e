import { createServer } from 'node:http';
import { AfterToolCall, createHooks } from '@hooks/core';
import { gateway } from '@hooks/mcp';

const { FILES_URL = 'https://files.acme.test/mcp', PORT = '8080' } =
  process.env;

const hooks = createHooks();
hooks.observe(AfterToolCall, ({ session, toolName, status }) =>
  console.log(session.id, toolName, status),
);

const { handle } = gateway({
  hooks,
  upstreams: {
    files: { url: FILES_URL },
    mail: { url: 'https://mail.acme.test/mcp' },
  },
});
createServer(handle).listen(Number(PORT), '127.0.0.1');
