/** The harness on the Responses API, for whoever imports `harness` of a module. @public */
export { responses as harness } from './harness.ts';
