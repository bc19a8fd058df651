import { startCall } from '../../../support/actors/oauth-journey.js';
import { chooseLiveBank, goThroughLiveBank, logInLive, newSetupToken } from './live-journey.js';
import {
  AppBackEnd,
  expectStatus,
  type ConnectVisit,
} from '../../../support/actors/link-journey.js';
import type { View } from '../../../support/actors/response-bodies.js';
import { operate } from '../../../support/actors/operator.js';
import { eventually } from '../../../support/assertions/eventually.js';
import { tokenForm } from '../../../support/fixtures/simplefin-server.js';
import { representatives } from '../../../support/runner/representatives.js';
import { startLiveSimulators } from '../../../support/services/live-simulators.js';
import { live, service, truth, untilConfigurationsAreChecked } from './live-service.js';

const OTHER_ROUTE = { code: 'other_route', text: expect.stringContaining('another') as string };

/** The logins of a visit, oldest first: the reason for the route of each, and its outcome. */
async function decisionsOf(visit: ConnectVisit) {
  const { link_id: linkId = '' } = (await truth.linkOfSession(visit.view.session_id)) ?? {};
  const decisions = await operate<{ why: string; chosen: string; failed_cause: string | null }[]>(
    service.dataDir,
    ...['links', 'explain', linkId],
  );
  return decisions.map(({ why, chosen, failed_cause: cause }) => [why, chosen, cause]).reverse();
}

const startRefused = async (visit: ConnectVisit): Promise<View> => {
  const { view } = await expectStatus(409, startCall(visit));
  if (view === undefined) throw new Error('the refusal has no view');
  visit.view = view;
  return view;
};

/** A redirect and a setup token. */
const CHOSEN = representatives(
  ['simplefin', 'enable-banking', 'fdx'] as const,
  (vendor) => vendor !== 'enable-banking',
);

/** A configuration is added before that of each bank, and its server becomes unavailable. */
export function describeFailover(): void {
  let app: AppBackEnd;
  let tokenOfServerThatIsAway: string;
  beforeAll(async () => {
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    const first = await startLiveSimulators(service, { prefix: 'a-' });
    tokenOfServerThatIsAway = await newSetupToken(first);
    // A check that finds them unavailable would rank their routes last.
    await untilConfigurationsAreChecked();
    await first.close();
  });

  describe.each(CHOSEN.filter((vendor) => vendor !== 'simplefin'))(
    'A redirect through %s',
    (vendor) => {
      it('is offered through the next provider, with the reason, when the first one cannot be reached', async () => {
        const visit = await chooseLiveBank(app, vendor);
        expect(visit.view.step).toMatchObject({ kind: 'redirect', error: null });
        const offered = await startRefused(visit);
        expect(offered.step).toMatchObject({
          kind: 'redirect',
          started: false,
          error: OTHER_ROUTE,
        });
        expect((await goThroughLiveBank(visit, vendor)).step.kind).toBe('success');
        expect(await decisionsOf(visit)).toEqual([
          ['first', `a-${vendor}`, 'provider_down'],
          ['failover', vendor, null],
        ]);
      });
    },
  );

  describe('A setup token that could not be claimed', () => {
    it('is not sent to another provider, and another attempt requests a token of the next provider', async () => {
      const visit = await chooseLiveBank(app, 'simplefin');
      expect(visit.view.step).toMatchObject({ kind: 'form', error: null });
      await visit.answer(tokenForm(tokenOfServerThatIsAway));
      expect(visit.view.step).toMatchObject({
        kind: 'error',
        error_id: 'connect_error.provider_down',
      });
      await visit.answer({ kind: 'error', action: 'retry' });
      expect(visit.view.step).toMatchObject({ kind: 'form', error: OTHER_ROUTE });
      expect((await logInLive(visit, 'simplefin', live)).step.kind).toBe('success');
      expect(await decisionsOf(visit)).toEqual([
        ['first', 'a-simplefin', 'provider_down'],
        ['failover', 'simplefin', null],
      ]);
    });
  });

  describe('The health of a route', () => {
    it.each(CHOSEN)('includes the first calls to an unavailable server: %s', async (vendor) => {
      // Workers store their counts every two seconds.
      await eventually(async () => {
        const counted = await truth.rows(
          "SELECT successes, last_cause FROM route_health WHERE provider = $1 AND operation = 'login'",
          [`a-${vendor}`],
        );
        expect(counted).toEqual([{ successes: 0, last_cause: 'provider_down' }]);
      });
    });
  });
}
