import type { Command } from 'commander';
import type { ShownDecision } from '../../../../prisma/routing/route-operator.repository.js';
import { CommandFailure } from '../command-failure.js';
import { table, type OutputOptions } from '../output.js';
import { reasonSentence } from '../route-reasons.js';
import type { Service } from '../service.js';

type WithService = (work: (service: Service) => Promise<void>) => Promise<void>;

/** Which provider a login goes through, and why. */
export function addRouteCommands(program: Command, withService: WithService): void {
  const routes = program
    .command('routes')
    .description('the providers through which an institution is reached');
  routes
    .command('explain')
    .description('show which route a new login would take now, and why not the others')
    .argument('<institution_id>')
    .option('--json', 'print one JSON array')
    .action((institutionId: string, options: OutputOptions) =>
      withService(async ({ routes: operator, print }) => {
        const found = await operator.explain(institutionId);
        if (found === null) throw new CommandFailure(`There is no institution ${institutionId}.`);
        const shown = found.map(({ lastOkAt, lastCause, ...route }) => ({
          ...route,
          last_ok_at: lastOkAt?.toISOString() ?? null,
          last_cause: lastCause,
        }));
        print(shown, options, () =>
          table(
            shown.map(({ reason, ...route }) => ({
              ...route,
              why: reasonSentence({ verdict: route.verdict, reason }),
            })),
          ),
        );
      }),
    );
  routes
    .command('prefer')
    .description('prefer one route of an institution to the others')
    .argument('<institution_id>')
    .argument('<configuration>')
    .option('--off', 'prefer it no longer')
    .action((institutionId: string, provider: string, { off = false }: { off?: boolean }) =>
      withService(async ({ routes: operator, print }) => {
        if (!(await operator.prefer(institutionId, provider, !off)))
          throw new CommandFailure(`${provider} has no route to ${institutionId}.`);
        print(null, {}, () =>
          off
            ? `${provider} is no longer preferred at ${institutionId}.`
            : `${provider} is preferred at ${institutionId}.`,
        );
      }),
    );
}

/** `links explain` and `links move`. */
export function addLinkRouteCommands(links: Command, withService: WithService): void {
  links
    .command('explain')
    .description('show through which provider each login of a link went, and why')
    .argument('<link_id>')
    .option('--json', 'print one JSON array')
    .action((linkId: string, options: OutputOptions) =>
      withService(async ({ routes: operator, print }) => {
        const decisions = await operator.decisionsOf(linkId);
        if (decisions === null) throw new CommandFailure(`There is no link ${linkId}.`);
        print(
          decisions.map(present),
          options,
          () => decisions.map(describe).join('\n\n') || '(none)',
        );
      }),
    );
  links
    .command('move')
    .description('send the next relink of a link through another provider; its ids stay')
    .argument('<link_id>')
    .requiredOption('--to <configuration>', 'the provider to move to')
    .action((linkId: string, { to }: { to: string }) =>
      withService(async ({ routes: operator, print }) => {
        const outcome = await operator.move(linkId, to);
        if (outcome === 'no_link') throw new CommandFailure(`There is no link ${linkId}.`);
        if (outcome === 'no_route')
          throw new CommandFailure(`${to} does not reach the institution of ${linkId}.`);
        print(null, {}, () => `The next relink of ${linkId} goes through ${to}.`);
      }),
    );
}

function present({ sessionId, institutionId, decidedAt, failedCause, ...decision }: ShownDecision) {
  return {
    session_id: sessionId,
    institution_id: institutionId,
    decided_at: decidedAt.toISOString(),
    ...decision,
    failed_cause: failedCause,
  };
}

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
