import type { Adapter, AdapterSettings } from './adapter.js';
import type { RecordingProfile } from './recordings/recording-profile.js';

/**
 * The description of an adapter, without its code: `providers/<adapter>/manifest.ts` exports one.
 */
export interface AdapterManifest {
  /** Its folder under `providers/`. */
  readonly name: string;
  /** Its kind of source, as operators know it. */
  readonly title: string;
  /** The region of its institutions, for docs/live/README.md. */
  readonly reaches: string;
  /** The operator's prerequisites for adding a configuration, for the same page. */
  readonly needs: string;
  readonly settings: AdapterSettings;
  readonly recording: RecordingProfile;
  /** Its code, which operator commands never load. */
  load(): Promise<Pick<Adapter, 'create' | 'pin'>>;
}
