import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ConfigurationReport, SandboxControls } from '../../contract/provider.js';

/** Whether the sandbox bank responds and accepts the shared secret. Reads no user's data. */
export async function checkBank(
  { worldOfFault }: Pick<SandboxControls, 'worldOfFault'>,
  signal: AbortSignal,
): Promise<ConfigurationReport> {
  const what = 'the sandbox bank answers';
  const report = { keysRefused: false, credentialsEndAt: null };
  try {
    await worldOfFault('fault_00000000000000000000000000', signal);
    return { ...report, ok: true, lines: [{ what, ok: true, detail: null, remedy: null }] };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const remedy = 'Start the sandbox bank, and give it and the worker the same secret.';
    return { ...report, ok: false, lines: [{ what, ok: false, detail: error.message, remedy }] };
  }
}
