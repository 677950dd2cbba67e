export { type AnswerPart, changedParts, parsed, responseOf, withheldParts } from './answer.ts';
export { decidedStream, withModelId } from './model.ts';
export {
  type ChangedPrompt,
  changedPrompt,
  instructionsOf,
  messagesOf,
  type PromptMessage,
} from './prompt.ts';
export { lostSetting } from './settings.ts';
export { type RequestTool, toolsOf, withTools } from './tools.ts';
