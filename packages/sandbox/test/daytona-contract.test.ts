import { type DaytonaClient, daytonaSandbox } from '../src/daytona.ts';
import { testProvider } from './contract.ts';

/** Not a dependency, because it brings 150 packages. Install it to run this test. */
const SDK = '@daytona/sdk';

const { DAYTONA_API_KEY: key } = process.env;
const client = key ? await import(SDK).then(({ Daytona }): DaytonaClient => new Daytona()) : none();

testProvider(daytonaSandbox(client), key ? undefined : 'DAYTONA_API_KEY is not set');

function none(): DaytonaClient {
  return { create: () => Promise.reject(new Error('DAYTONA_API_KEY is not set')) };
}
