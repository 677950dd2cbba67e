export {
  type ModelTurn,
  type TestAgent,
  type TestAgentOptions,
  type TestApproval,
  type TestToolCall,
  testAgent,
} from './agent.ts';
export { type FakeTime, fakeTime } from './time.ts';
