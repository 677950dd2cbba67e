import { localSandbox } from '../src/index.ts';
import { testProvider } from './contract.ts';
import { cannotIsolate } from './machine.ts';

testProvider(localSandbox(), cannotIsolate);
