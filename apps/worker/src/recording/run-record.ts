import { Command, CommanderError } from 'commander';
import { ProviderFailure } from '../../../../domain/errors/provider-failure.js';
import { RecordingRefused } from '../../../../providers/recordings/record-walk.js';
import { SettingsError, type Environment } from '../../../platform/src/config/settings.js';
import { ServiceNotFound } from '../../../platform/src/process/find-service.js';
import { unusableReason } from '../configurations/unusable-configuration.js';
import { recordConfiguration } from './record-configuration.js';
import { saveRecording } from './save-recording.js';

export interface RecordShell {
  /** Without the name of the program. */
  args: readonly string[];
  env: Environment;
  out(text: string): void;
  err(text: string): void;
  /** Tests use the name of a vendor for their simulator. */
  nameOrigin?: (origin: string) => string;
}

/** The operator's tool `npm run record`. @returns the exit status */
export async function runRecord({ args, env, out, err, nameOrigin }: RecordShell): Promise<number> {
  const program = new Command('record')
    .description(
      "Walk through a vendor's sandbox with the keys of a configuration, and keep the responses without names, ids, amounts and secrets. The tests replay them.",
    )
    .argument('<configuration>', 'one of the Sandbox: providers list')
    .option('--link <link_id>', 'also read accounts and transactions of this link')
    .option('--folder <path>', 'where to write; providers/<adapter>/recordings by default')
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride()
    .action(async (name: string, options: { link?: string; folder?: string }) => {
      const recording = await recordConfiguration(env, { name, linkId: options.link, nameOrigin });
      const file = saveRecording(recording, options.folder);
      const { accounts, transactions, institutions } = recording.outcome;
      out(
        `Recorded ${recording.calls.length} answers of ${recording.origin}: ${institutions} institutions${
          accounts === null
            ? ', no link'
            : `, ${accounts.length} accounts, ${transactions?.count ?? 0} transactions`
        }.\n${file}\nRead it before you share it, then run: UPDATE_PROOF=1 npm test -- conformance\n`,
      );
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed it.
    if (error instanceof CommanderError) return error.exitCode;
    err(`${reasonOf(error)}\n`);
    return 1;
  }
}

const EXPECTED = [RecordingRefused, ProviderFailure, ServiceNotFound, SettingsError];

function reasonOf(error: unknown): string {
  const unusable = unusableReason(error);
  if (unusable !== null) return unusable;
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.some((kind) => error instanceof kind)
    ? error.message
    : (error.stack ?? error.message);
}
