import { type Answered, type EventPayload, modify, type Point, proceed } from '@hooks/core';
import { decides, type DispatchOptions, hears } from '@hooks/core/adapter';
