import { createHooks } from '@hooks/core';
import { hooksTelemetry } from '@hooks/otel';

const hooks = createHooks();
const telemetry = hooksTelemetry(hooks);
// From here on every dispatch and tool call of `hooks` is told; at the end:
telemetry[Symbol.dispose]();
