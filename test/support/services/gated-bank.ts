import { freePort } from '../../../apps/standalone/src/ports.js';
import { openTcpGate, type TcpGate } from './tcp-gate.js';

/**
 * Settings with which the worker reaches the sandbox bank only through a gate that a test can
 * close.
 */
export async function gateToBank(): Promise<{ gate: TcpGate; env: Record<string, string> }> {
  const port = await freePort('127.0.0.1');
  const gate = await openTcpGate({ host: '127.0.0.1', port });
  return {
    gate,
    env: {
      SANDBOX_BANK_CONTROL_PORT: String(port),
      SANDBOX_BANK_URL: `http://127.0.0.1:${gate.port}`,
    },
  };
}
