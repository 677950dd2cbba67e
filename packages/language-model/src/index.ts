export { type AnswerPart, changedParts, hasAnswer, parsed, responseOf, withheldParts } from './answer.ts';
export {
  type ChangedPrompt,
  changedPrompt,
  instructionsOf,
  messagesOf,
  type PromptMessage,
} from './prompt.ts';
export { changedTools, type RequestTool, toolsOf } from './tools.ts';
