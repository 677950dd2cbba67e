import { Sandbox } from 'e2b';
import { e2bSandbox } from '../src/e2b.ts';
import { testProvider } from './contract.ts';

const { E2B_API_KEY: key } = process.env;

testProvider(e2bSandbox(Sandbox), key ? undefined : 'E2B_API_KEY is not set');
