import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseUrl } from '../../../../domain/addresses/parse-url.js';
import { parseDuration } from './duration.js';
import type { AddressRange } from '../../../../domain/addresses/address-rules.js';
import {
  CONFIGURATION_NAME,
  NO_PROVIDER,
} from '../../../../prisma/work/providers/provider-configuration.js';
import { CALL_LIMITS, type CallLimits } from '../../../../domain/plaid/call-limits.js';

export interface MasterKey {
  id: string;
  key: Buffer;
}

export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** Turns the text of a setting into its value, or throws a RangeError whose message completes "<NAME> …". */
export type SettingParser<T> = (text: string) => T;

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const text: SettingParser<string> = (value) => value;

export const duration: SettingParser<number> = parseDuration;

export const durationFrom =
  (min: string): SettingParser<number> =>
  (value) => {
    const milliseconds = parseDuration(value);
    if (milliseconds < parseDuration(min)) throw new RangeError(`must be at least ${min}`);
    return milliseconds;
  };

export const moment: SettingParser<Date> = (value) => {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new RangeError('must be an ISO 8601 moment');
  return date;
};

export const risingDurations: SettingParser<readonly number[]> = (value) => {
  const times = listOf(value).map(parseDuration);
  const rising = times.every((time, index) => index === 0 || time > (times[index - 1] ?? time));
  if (times[0] !== 0 || !rising)
    throw new RangeError('must be a rising list of durations that begins with 0s');
  return times;
};

/** `off` = none. */
export const fallingDurations: SettingParser<readonly number[]> = (value) => {
  if (value === 'off') return [];
  const times = listOf(value).map(parseDuration);
  const falling = times.every((time, index) => index === 0 || time < (times[index - 1] ?? time));
  if (times.length === 0 || !falling)
    throw new RangeError('must be a falling list of durations, or off');
  return times;
};

export const wholeNumber =
  (min: number, max: number): SettingParser<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new RangeError(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };

export const port = wholeNumber(1, 65_535);

const BYTES_OF_UNIT = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** An amount of memory, `512KiB`, `64MiB`, `1GiB`, as bytes. */
export const byteSizeFrom =
  (min: string): SettingParser<number> =>
  (value) => {
    const bytes = parseByteSize(value);
    if (bytes < parseByteSize(min)) throw new RangeError(`must be at least ${min}`);
    return bytes;
  };

function parseByteSize(value: string): number {
  const [, amount, unit] = /^(\d{1,6})(KiB|MiB|GiB)$/.exec(value) ?? [];
  if (amount === undefined || unit === undefined)
    throw new RangeError('must be an amount of memory such as 512KiB, 64MiB or 1GiB');
  return Number(amount) * BYTES_OF_UNIT[unit as keyof typeof BYTES_OF_UNIT];
}

export const fraction: SettingParser<number> = (value) => {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number >= 1)
    throw new RangeError('must be a number from 0 to below 1');
  return number;
};

export const fractionOrOne: SettingParser<number> = (value) => {
  if (!/^\d+(\.\d+)?$/.test(value) || Number(value) > 1) {
    throw new RangeError('must be a number from 0 to 1');
  }
  return Number(value);
};

export const onOff: SettingParser<boolean> = (value) => {
  if (value !== 'on' && value !== 'off') throw new RangeError('must be on or off');
  return value === 'on';
};

export const oneOf =
  <const Choice extends string>(...choices: readonly Choice[]): SettingParser<Choice> =>
  (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw new RangeError(`must be one of ${choices.join(', ')}`);
    return choice;
  };

/** An absolute http(s) address without query, kept without its trailing slash so that paths can be appended. */
export const httpAddress: SettingParser<string> = (value) => {
  const url = parseUrl(value);
  const usable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '';
  if (!usable) throw new RangeError('must be an absolute http or https address');
  return value.replace(/(?<!\/)\/+$/, '');
};

/** The same without a path: the server at this address has its own paths. */
export const httpOrigin: SettingParser<string> = (value) => {
  const address = httpAddress(value);
  if (new URL(address).pathname !== '/')
    throw new RangeError('must be an http or https address without a path');
  return address;
};

/** Web origins, as browsers write them. */
export const origins: SettingParser<readonly string[]> = (value) =>
  listOf(value).map((item) => {
    if (parseUrl(item)?.origin !== item)
      throw new RangeError(
        'must be a comma-separated list of origins such as https://temporal.example',
      );
    return item;
  });

export const databaseUrl: SettingParser<string> = (value) => {
  const protocol = parseUrl(value)?.protocol ?? '';
  if (protocol !== 'postgresql:' && protocol !== 'postgres:') {
    throw new RangeError('must be an address such as postgresql://user:password@host:5432/name');
  }
  return value;
};

/** The path of a file that the process may read now. */
export const readableFile: SettingParser<string> = (value) => {
  try {
    if (readFileSync(value, 'utf8').trim() !== '') return value;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new RangeError(`names a file that cannot be read (${code})`);
  }
  throw new RangeError('names an empty file');
};

export const hostAndPort: SettingParser<string> = (value) => {
  if (!/^[^\s/:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/.test(value))
    throw new RangeError('must have the form host:port');
  return value;
};

export const addressRanges: SettingParser<readonly AddressRange[]> = (value) =>
  listOf(value).map((block) => {
    const [address = '', prefixText = ''] = block.split('/');
    const version = isIP(address);
    const prefix = Number(prefixText);
    if (version === 0 || !/^\d+$/.test(prefixText) || prefix > (version === 4 ? 32 : 128)) {
      throw new RangeError('must be a comma-separated list of CIDR blocks such as 10.0.0.0/8');
    }
    return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
  });

export const rateLimit: SettingParser<RateLimit | 'off'> = (value) => {
  if (value === 'off') return 'off';
  const [, perSecond, burst] = /^(\d+)\/s:(\d+)$/.exec(value) ?? [];
  if (Number(perSecond) < 1 || Number(burst) < 1 || perSecond === undefined) {
    throw new RangeError('must be a rate and a burst such as 20/s:100, or off');
  }
  return { perSecond: Number(perSecond), burst: Number(burst) };
};

/** `on`, `off`, or the limits that differ from the defaults: `ACCOUNTS_LIMIT=60,RATE_LIMIT=100`. */
export const callLimits: SettingParser<CallLimits | 'off'> = (value) => {
  if (value === 'on' || value === 'off') return value === 'on' ? CALL_LIMITS : value;
  const limits = Object.fromEntries(
    listOf(value).map((part) => {
      const [, code = '', calls = ''] = /^(\w+)=([1-9]\d{0,5})$/.exec(part) ?? [];
      if (!Object.hasOwn(CALL_LIMITS, code))
        throw new RangeError(
          `must be on, off, or calls a minute by code, like ACCOUNTS_LIMIT=60; the codes are ${Object.keys(CALL_LIMITS).join(', ')}`,
        );
      return [code, Number(calls)];
    }),
  );
  return { ...CALL_LIMITS, ...limits };
};

/** HTTP header words are joined with a dash, so the prefix itself is letters, digits and inner dashes. */
export const headerPrefix: SettingParser<string> = (value) => {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(value))
    throw new RangeError('must be lower-case letters, digits and dashes');
  return value;
};

/** A name as configurations have, or the built-in one. */
export const sandboxProviderName: SettingParser<string> = (value) => {
  if (!CONFIGURATION_NAME.test(value) || value === NO_PROVIDER)
    throw new RangeError(
      `must be up to 40 lower-case letters, digits and hyphens after a letter, and not ${NO_PROVIDER}`,
    );
  return value;
};

const MIN_SECRET_LENGTH = 32;

/** A secret that two processes share, sent in a header. The error message never quotes the value. */
export const sharedSecret: SettingParser<string> = (value) => {
  if (!/^[\x21-\x7e]+$/.test(value) || value.length < MIN_SECRET_LENGTH) {
    const form = 'printable characters (make one with: openssl rand -hex 32)';
    throw new RangeError(`must have at least ${MIN_SECRET_LENGTH} ${form}`);
  }
  return value;
};

/** The first key seals new secrets; the others only open old ones. */
export const masterKeys: SettingParser<readonly [MasterKey, ...MasterKey[]]> = (value) => {
  const keys = listOf(value).map((entry) => {
    const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (id === undefined || key.length !== 32) throw new RangeError(MASTER_KEYS_FORM);
    return { id, key };
  });
  const [current, ...older] = keys;
  if (current === undefined) throw new RangeError(MASTER_KEYS_FORM);
  if (new Set(keys.map(({ id }) => id)).size !== keys.length)
    throw new RangeError('must not use one key id twice');
  return [current, ...older];
};

// The error message never quotes the value: it is a secret.
const MASTER_KEYS_FORM =
  'must be a list of id:key, each key 32 bytes in base64 (make one with: openssl rand -base64 32)';
