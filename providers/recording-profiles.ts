import { ENABLE_BANKING_RECORDING } from './enable-banking/recording-profile.js';
import { FDX_RECORDING } from './fdx/recording-profile.js';
import type { RecordingProfile } from './recordings/recording-profile.js';
import { SIMPLEFIN_RECORDING } from './simplefin/recording-profile.js';

/** How walks of each adapter in `adapters.ts` are recorded, by its name. */
export const RECORDING_PROFILES: Readonly<Record<string, RecordingProfile>> = {
  'enable-banking': ENABLE_BANKING_RECORDING,
  fdx: FDX_RECORDING,
  simplefin: SIMPLEFIN_RECORDING,
};
