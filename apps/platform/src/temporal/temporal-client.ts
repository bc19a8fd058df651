import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { MasterKey } from '../../../../prisma/base/sealing/master-keyring.js';
import { explainConnectionFailure } from './connection-failure.js';
import { EncryptingPayloadCodec } from './payload-codec.js';
import type { TemporalPlace } from './temporal-place.js';
import { traceClient } from './trace-client.js';
import { WorkerPayloadCodec } from './worker-payload-codec.js';

export interface TemporalClientOptions extends TemporalPlace {
  masterKeys: readonly [MasterKey, ...MasterKey[]];
  /** Called with the reason when the server is not available, and again when that changes. */
  onUnavailable?: (reason: string) => void;
}

export interface TemporalClient {
  readonly client: Client;
  /** The connection of the client, for calls about the namespace. */
  readonly connection: Connection;
  /** Returns whether the server responds now; fails fast when the server is down. */
  isAvailable(): Promise<boolean>;
  /** The cause of the last failure to respond, in one line; null when it responded. */
  readonly unavailableReason: string | null;
  close(): Promise<void>;
}

const CONNECTED_WITHIN_MS = 2_000;
/** A server that is down refuses immediately; one that responds slowly, or to a busy process, is up. */
const RESPONSE_DEADLINE_MS = 5_000;
/** Without it, a server that was down for an hour is not tried again for up to two minutes. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

/** The reason that calls which need Temporal fail while it is unavailable. */
export const unreachable = ({ unavailableReason }: TemporalClient): string =>
  `The Temporal server does not respond: ${unavailableReason}`;

/** Connects with the first call and reconnects when needed: a process starts and runs without Temporal. */
export function openTemporalClient({
  address,
  namespace,
  tls,
  apiKey,
  masterKeys,
  onUnavailable,
}: TemporalClientOptions): TemporalClient {
  const place = {
    address,
    connectTimeout: CONNECTED_WITHIN_MS,
    channelArgs: RECONNECT,
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const connection = Connection.lazy(place);
  const client = new Client({
    connection,
    namespace,
    dataConverter: clientDataConverter(masterKeys),
    interceptors: { workflow: [traceClient()] },
  });
  // Without the interceptor that retries failed calls: the first response decides.
  const probe = Connection.lazy({ ...place, interceptors: [] });
  let reason: string | null = null;
  const askServer = () =>
    probe
      .withDeadline(Date.now() + RESPONSE_DEADLINE_MS, () =>
        probe.workflowService.getSystemInfo({}),
      )
      .then(
        () => {
          reason = null;
          return true;
        },
        (error: unknown) => {
          const found = explainConnectionFailure(error);
          if (found !== reason) onUnavailable?.(found);
          reason = found;
          return false;
        },
      );
  let pending: Promise<boolean> | undefined;
  return {
    client,
    connection,
    get unavailableReason() {
      return reason;
    },
    // Concurrent callers share one request.
    isAvailable: () =>
      (pending ??= askServer().finally(() => {
        pending = undefined;
      })),
    async close() {
      await pending;
      await Promise.all([probe.close(), connection.close()]);
    },
  };
}

/** Reads and writes payloads of workers; failures are only read. */
export function clientDataConverter(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
): DataConverter {
  return { payloadCodecs: [new EncryptingPayloadCodec(masterKeys)] };
}

/** For workers, which also write failures. The path is part of the workflow bundle too. */
export function workerDataConverter(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
): DataConverter & { failureConverterPath: string } {
  return {
    payloadCodecs: [new WorkerPayloadCodec(masterKeys)],
    failureConverterPath: fileURLToPath(new URL('./failure-converter.js', import.meta.url)),
  };
}
