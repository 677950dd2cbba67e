// usage: agent.ts <what> [marker] [provider]
// An agent as a separate process, for tests in which it is killed, never closes a session, or lacks programs.
import Docker from 'dockerode';
import { dockerSandbox } from '../src/docker.ts';
import { localSandbox } from '../src/index.ts';

const [what, marker = '', where = 'local'] = process.argv.slice(2);
const provider = where === 'docker' ? dockerSandbox(new Docker()) : localSandbox();
switch (what) {
  case 'hold': {
    const session = await provider.createSession({});
    await session.execute(
      { command: `(setsid sleep ${marker} &); echo up; sleep ${marker}` },
      { onOutput: () => process.send?.('up') },
    );
    break;
  }
  case 'forget': {
    await provider.createSession({});
    process.once('message', () => process.disconnect());
    process.send?.('up');
    break;
  }
  case 'descriptors': {
    const session = await provider.createSession({});
    process.send?.((await session.execute({ command: 'ls -l /proc/self/fd' })).stdout);
    await session.close();
    break;
  }
  case 'refused': {
    const refusal = await provider.createSession({}).catch((cause: unknown) => cause);
    process.send?.(
      refusal instanceof Error ? { ...refusal, message: refusal.message } : 'a sandbox was opened',
    );
    break;
  }
  default:
    throw new Error(`unknown: ${what}`);
}
