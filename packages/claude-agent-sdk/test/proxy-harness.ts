import type { AdapterHarness } from '@hooks/conformance';
import { proxySupports } from '../src/index.ts';
import { harnessWith } from './harness.ts';

/** The Claude Agent SDK for the conformance suite, with `models: 'proxy'`. */
export const harness: AdapterHarness = harnessWith(proxySupports, import.meta.url, { models: 'proxy' });
