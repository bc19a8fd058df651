import type { ShownDecision } from '../../../../../prisma/sources/routing/route-operator.repository.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import { presentDecision } from '../../operations/links/present-decision.js';
import { reasonOption } from '../../reason-option.js';
import { reasonSentence } from '../../route-reasons.js';
import type { OperatorCommand } from '../../operator-command.js';
import { RecordedOption } from '../../recorded-option.js';

/** The providers of a link's logins. */
export const LINK_ROUTE_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'links explain',
    help: 'show the provider that each login of a link used, and the reason',
    examples: ['links explain LINK_ID'],
    recorded: false,
    arguments: (command) => command.argument('<link_id>'),
    run: async ({ routes: operator, output }, linkId: string) => {
      const decisions = await operator.decisionsOf(linkId);
      if (decisions === null) throw new CommandFailure(`There is no link ${linkId}.`);
      output.value(
        decisions.map(presentDecision),
        () => decisions.map(describe).join('\n\n') || '(none)',
      );
    },
  },
  {
    name: 'links move',
    help: 'move a link to another provider at its next relink; its ids stay the same',
    examples: ['links move LINK_ID --to enable-banking'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<link_id>')
        .addOption(
          new RecordedOption(
            '--to <configuration>',
            'the provider to move to',
          ).makeOptionMandatory(),
        )
        .addOption(reasonOption()),
    run: async ({ routes: operator, output }, linkId: string, options: { to: string }) => {
      const { to } = options;
      const outcome = await operator.move(linkId, to);
      if (outcome === 'no_link') throw new CommandFailure(`There is no link ${linkId}.`);
      if (outcome === 'no_route')
        throw new CommandFailure(`${to} does not reach the institution of ${linkId}.`);
      output.value(
        { link_id: linkId, provider: to },
        () => `The next relink of ${linkId} goes through ${to}.`,
      );
    },
  },
];

function describe(decision: ShownDecision): string {
  const { decidedAt, why, chosen, institutionId, routes, failedCause } = decision;
  const taken = `${chosen ?? 'no route'}${failedCause === null ? '' : `, failed: ${failedCause}`}`;
  return `${decidedAt.toISOString()}  ${why} login at ${institutionId}: ${taken}\n${table(
    routes.map((route) => ({
      provider: route.provider,
      verdict: route.verdict,
      why: reasonSentence(route),
    })),
  )}`;
}
