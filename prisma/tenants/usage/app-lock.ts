import { sha256 } from '../../base/database/bytes.js';

/** The advisory lock under which requests of one app and environment are counted, one after the other. */
export function lockOfApp({ appId, environment }: { appId: string; environment: string }): bigint {
  return sha256(JSON.stringify(['app_use', appId, environment])).readBigInt64BE(0);
}
