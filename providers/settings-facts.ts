import type { AdapterSettings, PublicSettings } from './adapter.js';

/** What the settings of a configuration say of its institutions, by the source's ids. */
export interface SettingsFacts {
  /** No login goes there before their addresses are pinned. */
  unpinned: string[];
  /** They offer no way to end a permission; `*` = all. */
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
