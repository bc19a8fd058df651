import { isRecord } from '../../../../packages/connect-protocol/src/envelope.js';
import type {
  Appearance,
  Device,
  InitOptions,
  Platform,
  SdkName,
} from '../../../../packages/connect-protocol/src/init.js';

/** The parsed `InitPayload`. */
export interface Init {
  linkSessionToken: string | null;
  continueUrl: string | null;
  applicationName: string | null;
  theme: unknown;
  appearance: Appearance;
  locale: string | null;
  device: Device | null;
  platform: Platform;
  closeOnSuccess: InitOptions['close_on_success'];
  inline: boolean;
  oauthWindow: InitOptions['oauth_window'];
  sdk: SdkName;
}

/** Parses a payload written by a page: invalid values become the default. */
export function readInit(payload: Record<string, unknown>): Init {
  const options = isRecord(payload['options']) ? payload['options'] : {};
  const sdk = isRecord(options['sdk']) ? options['sdk'] : {};
  return {
    linkSessionToken: textOrNull(payload['link_session_token']),
    continueUrl: textOrNull(payload['continue_url']),
    applicationName: textOrNull(options['application_name']),
    theme: options['theme'] ?? null,
    appearance: readAppearance(options['appearance']),
    locale: textOrNull(options['locale']),
    device: oneOf(options['device'], ['mobile', 'desktop']),
    platform: oneOf(options['platform'], ['web', 'react-native', 'ios']) ?? 'web',
    closeOnSuccess: oneOf(options['close_on_success'], [false, 'after_reading']) ?? true,
    inline: options['inline'] === true,
    oauthWindow: oneOf(options['oauth_window'], ['popup', 'same']) ?? 'popup',
    sdk: {
      name: textOrNull(sdk['name']) ?? 'unknown',
      version: textOrNull(sdk['version']) ?? 'unknown',
    },
  };
}

export function readAppearance(value: unknown): Appearance {
  return oneOf(value, ['light', 'dark', 'system']) ?? 'system';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function oneOf<T extends string | boolean>(value: unknown, allowed: readonly T[]): T | null {
  return allowed.find((entry) => entry === value) ?? null;
}
