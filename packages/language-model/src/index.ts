export { type AnswerPart, changedParts, parsed, responseOf, withheldParts } from './answer.ts';
export { addUsage, decidedStream, withModelId } from './model.ts';
export {
  type ChangedPrompt,
  changedPrompt,
  instructionsOf,
  messagesOf,
  type PromptMessage,
} from './prompt.ts';
export { changedTools, type RequestTool, toolsOf, withoutLostChoice } from './tools.ts';
