import Docker from 'dockerode';
import { dockerSandbox } from '../src/docker.ts';
import { testProvider } from './contract.ts';

const provider = dockerSandbox(new Docker());
const problems = await provider.supports({});

testProvider(provider, problems.length === 0 ? undefined : problems.join(' '));
