export { hooksTelemetry, type TelemetryOptions } from './telemetry.ts';
