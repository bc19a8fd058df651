import { spawn } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FloodRequest } from './anonymous-floods.js';
import { expectLoss } from '../../../support/services/expect-loss.mjs';

const SENDER = fileURLToPath(new URL('flood-sender.mjs', import.meta.url));

export interface FloodOrders {
  url: string;
  /** The address of this computer from which the flood comes. */
  localAddress: string;
  connections: number;
  perSecond: number;
  seconds: number;
  requests: readonly FloodRequest[];
}

export interface FloodOutcome {
  sent: number;
  /** The number of responses of each status. */
  statuses: Readonly<Record<string, number>>;
}

/**
 * Sends a flood from a process of its own, so that the flood does not affect the caller's
 * measurements.
 */
export async function flood(orders: FloodOrders): Promise<FloodOutcome> {
  const child = spawn(process.execPath, [SENDER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  expectLoss(child.stdin).end(JSON.stringify(orders));
  const outcome = (await json(child.stdout)) as FloodOutcome;
  process.off('exit', kill);
  return outcome;
}
