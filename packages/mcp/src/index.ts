export { TransformServerMessage } from '@hooks/core/tool-call';
export { type Gateway, type GatewayOptions, gateway } from './gateway.ts';
export { type ProxyOptions, proxy } from './proxy.ts';
export { supports } from './supports.ts';
export type { NativeToolCall } from './tools/call.ts';
export { hideTools, OfferTool, type ToolDefinition } from './tools/offer.ts';
export { pinTools } from './tools/pins.ts';
export type { CommandUpstream } from './transport/child.ts';
export type { HttpUpstream } from './transport/upstream.ts';
