import { byAdapter, SOURCE_NAMES } from '../../support/adapters/by-adapter.js';
import type { WireSubject } from './wire-subject.js';

/** The sources of every adapter, and of the sandbox. */
export const WIRE_SUBJECTS = await byAdapter<WireSubject>('wire', SOURCE_NAMES);
