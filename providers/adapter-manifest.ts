import type { Adapter, AdapterSettings } from './adapter.js';
import type { RecordingProfile } from './recordings/recording-profile.js';

/** What an adapter is, without its code: `providers/<adapter>/manifest.ts` exports one. */
export interface AdapterManifest {
  /** Its folder under `providers/`. */
  readonly name: string;
  /** Its kind of source, as operators call it. */
  readonly title: string;
  /** Whose institutions it reaches, for docs/live/README.md. */
  readonly reaches: string;
  /** What operators need before they add a configuration, for the same page. */
  readonly needs: string;
  readonly settings: AdapterSettings;
  readonly recording: RecordingProfile;
  /** Its code, which operator commands never load. */
  load(): Promise<Pick<Adapter, 'create' | 'pin'>>;
}
