import { writeFile } from 'node:fs/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { EncryptingPayloadCodec } from '../../../platform/src/temporal/payload-codec.js';
import { PayloadRefused, type PayloadPlace } from '../../../platform/src/temporal/payload-place.js';
import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { decodeHistory } from '../decode-history.js';
import type { OperatorCommand } from '../operator-command.js';
import { RecordedOption } from '../recorded-option.js';

/** gRPC status codes. */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

interface SaveOptions {
  to: string;
}

export const HISTORY_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'histories save',
    help: 'save the decoded history of a workflow, which can be replayed',
    examples: ['histories save link-session/SESSION_ID --to session.json'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<workflow_id>')
        .addOption(
          new RecordedOption(
            '--to <file>',
            'a new file, which only you can read',
          ).makeOptionMandatory(),
        ),
    run: async ({ temporal, settings, output }, workflowId: string, options: SaveOptions) => {
      const client = await temporal();
      const history = await client.workflow
        .getHandle(workflowId)
        .fetchHistory()
        .catch((error: unknown) => {
          throw isGrpcServiceError(error) &&
            [INVALID_ARGUMENT, NOT_FOUND].includes(Number(error.code))
            ? new CommandFailure(`There is no workflow ${workflowId}.`)
            : error;
        });
      const decoded = decode(history, new EncryptingPayloadCodec(settings.masterKeys), {
        namespace: settings.temporalNamespace,
        workflowId,
      });
      // The history is decoded: no existing file, nor one that a link leads to, receives it.
      const text = historyToJSON(decoded);
      await writeFile(options.to, text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        throw new CommandFailure(
          `${options.to} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      const saved = {
        workflow_id: workflowId,
        events: decoded.events?.length ?? 0,
        file: options.to,
      };
      output.value(saved, () => `${saved.events} events of ${workflowId} saved to ${options.to}.`);
    },
  },
];

function decode(history: History, codec: EncryptingPayloadCodec, of: PayloadPlace): History {
  try {
    return decodeHistory(history, codec, of);
  } catch (error) {
    if (!(error instanceof PayloadRefused)) throw error;
    throw new CommandFailure(`The history of ${of.workflowId} cannot be saved. ${error.message}`);
  }
}
