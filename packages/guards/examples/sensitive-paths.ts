import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { sensitivePaths } from '@hooks/guards';

const hooks = createHooks();
hooks.use(sensitivePaths({ allow: [/(?:^|\/)\.env\.ci$/] }));

const session = hooks.session('example');
for (const path of [
  'src/env.ts',
  'test/fixtures/id_rsa',
  '.env.ci',
  'C:\\Users\\ann\\.SSH\\id_rsa',
  '%2e%2e/．env',
]) {
  const { status } = await callTool(
    hooks,
    { session, toolName: 'read', input: { path } },
    () => 'text',
  );
  console.log(status, path);
}
// ok src/env.ts
// ok test/fixtures/id_rsa
// ok .env.ci
// blocked C:\Users\ann\.SSH\id_rsa
// blocked %2e%2e/．env
