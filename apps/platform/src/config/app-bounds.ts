import {
  APP_BOUNDS,
  BOUND_NAMES,
  type AppBounds,
  type BoundName,
} from '../../../../domain/limits/app-bounds.js';
import { camelCase, type CamelCase, type Settings } from './settings.js';

type BoundSettings = Pick<Settings, CamelCase<(typeof APP_BOUNDS)[BoundName]['setting']>>;

/** The bounds of apps without limits of their own, as the settings have them. */
export const boundsOf = (settings: BoundSettings): AppBounds =>
  Object.fromEntries(
    BOUND_NAMES.map((name) => [name, settings[camelCase(APP_BOUNDS[name].setting)]]),
  ) as AppBounds;
