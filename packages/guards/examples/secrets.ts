import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { redactSecrets } from '@hooks/guards';

const hooks = createHooks();
hooks.use(redactSecrets({ placeholderKey: 'a key of your own' }));

const session = hooks.session('example');
const env =
  'DB_PASSWORD=hunter2-hunter2\nURL=postgres://app:hunter2-hunter2@db/app\nMODE=production';
const { output } = await callTool(
  hooks,
  { session, toolName: 'read', input: { path: '.env' } },
  () => env,
);
console.log(output);
// DB_PASSWORD=[REDACTED:password#bf25c3b9]
// URL=postgres://app:[REDACTED:password#bf25c3b9]@db/app
// MODE=production
