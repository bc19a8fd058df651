import type { AdapterSettings, PublicSettings } from './adapter.js';

/**
 * The facts that the settings of a configuration define for its institutions, by the source's ids.
 */
export interface SettingsFacts {
  /** Institutions that receive no login before their addresses are pinned. */
  unpinned: string[];
  /** Institutions that do not support ending a permission; `*` = all. */
  cannotRevoke: string[];
}

/** @param settings as `readAdapterSettings` returned them */
export function settingsFacts(
  { pinned, cannotRevoke }: Pick<AdapterSettings, 'pinned' | 'cannotRevoke'>,
  settings: PublicSettings,
): SettingsFacts {
  return {
    unpinned: pinned?.missing(settings) ?? [],
    cannotRevoke: cannotRevoke?.(settings) ?? [],
  };
}
