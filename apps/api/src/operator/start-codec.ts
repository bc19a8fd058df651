import { startCodecServer } from '../../../platform/src/codec/codec-server.js';
import type { CodecAccess } from '../../../platform/src/codec/codec-callers.js';
import { readOrMakeLocalToken } from '../../../platform/src/codec/local-token.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { SmallServer } from '../../../platform/src/process/small-server.js';
import type { RefusedSignIns } from '../../../platform/src/sign-ins/refused-sign-ins.js';
import { EncryptingPayloadCodec } from '../../../platform/src/temporal/payload-codec.js';

/** Starts the codec server that the settings configure. */
export async function startCodec(
  settings: ApiSettings,
  logger: Logger,
  refusals: RefusedSignIns,
): Promise<SmallServer | undefined> {
  if (settings.codecPort === undefined) return undefined;
  const access = codecAccess(settings);
  const server = await startCodecServer({
    host: settings.codecHost,
    port: settings.codecPort,
    access,
    origins: settings.codecOrigins,
    codec: new EncryptingPayloadCodec(settings.masterKeys),
    namespace: settings.temporalNamespace,
    logger,
    refusals,
  });
  logger.info({ port: server.port, mode: access.kind }, 'codec.listening');
  return server;
}

function codecAccess(settings: ApiSettings): CodecAccess {
  const { codecAuth, codecJwksUrl: jwksUrl, codecIssuer: issuer, codecAudience } = settings;
  const { codecTokenFile } = settings;
  if (jwksUrl !== undefined && issuer !== undefined && codecAudience !== undefined)
    return { kind: 'tokens', jwksUrl, issuer, audience: codecAudience };
  if (codecAuth === 'none') return { kind: 'none' };
  return codecTokenFile === undefined
    ? { kind: 'closed' }
    : { kind: 'local', token: readOrMakeLocalToken(codecTokenFile) };
}
