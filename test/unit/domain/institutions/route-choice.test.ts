import fc from 'fast-check';
import {
  chooseRoute,
  type RouteCandidate,
  type RouteCriteria,
} from '../../../../domain/institutions/route-choice.js';
import { criteria, route, ROUTES_AND_CRITERIA } from './support/routes.js';

/** The chosen provider, and the reason for the rank of each route. */
const judged = (candidates: RouteCandidate[], wanted: RouteCriteria) => {
  const { chosen, routes } = chooseRoute(candidates, wanted);
  return {
    chosen,
    ...Object.fromEntries(routes.map(({ provider, reason }) => [provider, reason])),
  };
};

describe('The route of a login', () => {
  it.each<[string, Partial<RouteCandidate>, Partial<RouteCriteria>]>([
    ['other_environment', { environment: 'sandbox' }, {}],
    ['disabled', { enabled: false }, {}],
    ['keys_refused', { broken: true }, {}],
    ['not_pinned', { unpinned: true }, {}],
    ['not_pinned', { unpinned: true }, { serves: 'south', moveTo: 'south' }],
    ['not_allowed_for_app', {}, { appProviders: ['north'] }],
    ['not_in_session', {}, { sessionProviders: ['north'] }],
    ['lacks_products', { products: ['accounts'] }, {}],
    ['has_no_redirect', {}, { mustRedirect: true }],
    ['full', { links: 3, maxLinks: 3 }, {}],
    ['just_failed', {}, { failed: 'south' }],
  ])('is never a route that is dropped as %s', (reason, of, wanted) => {
    const dropped = route('south', of);
    expect(judged([dropped], criteria(wanted))).toEqual({ chosen: null, south: reason });
  });

  it.each<[string, Partial<RouteCandidate>, Partial<RouteCriteria>]>([
    ['moved_by_operator', {}, { moveTo: 'south', serves: 'north' }],
    ['serves_the_link', {}, { serves: 'south', sessionProviders: ['north', 'south'] }],
    ['session_order', {}, { sessionProviders: ['south', 'north'] }],
    ['app_order', {}, { appProviders: ['south', 'north'] }],
    ['preferred', { preferred: true }, {}],
    ['priority', { priority: 1 }, {}],
  ])('is the one that ranks first by %s', (reason, of, wanted) => {
    expect(judged([route('north'), route('south', of)], criteria(wanted))).toEqual({
      chosen: 'south',
      south: reason,
      north: reason,
    });
  });

  it('is another one after a failure in the session, even if the failed one is preferred; of those that failed, the one that failed first', () => {
    const routes = [route('north'), route('south', { preferred: true, priority: 9 })];
    const after = (...failedBefore: string[]) =>
      judged(routes, criteria({ failedBefore, serves: 'south', moveTo: 'south' }));
    expect(after()).toMatchObject({ chosen: 'south' });
    expect(after('south')).toEqual({
      chosen: 'north',
      north: 'just_failed',
      south: 'just_failed',
    });
    expect(after('south', 'north')).toMatchObject({ chosen: 'south' });
    expect(after('south', 'north', 'south')).toMatchObject({ chosen: 'north' });
    expect(judged([route('south')], criteria({ failedBefore: ['south'] }))).toMatchObject({
      chosen: 'south',
    });
  });

  it('is the healthier, then the cheaper one, then the first by name', () => {
    const choice = (of: Partial<RouteCandidate>) =>
      judged([route('north', of), route('south')], criteria());
    expect(choice({ health: 'degraded' })).toMatchObject({ chosen: 'south', north: 'health' });
    expect(choice({ priceClass: 1 })).toMatchObject({ chosen: 'south', north: 'price' });
    expect(choice({})).toEqual({ chosen: 'north', north: 'name', south: 'name' });
  });

  it('is not through a provider that is down, even for the links that it serves, unless it is the last one', () => {
    const down = route('south', { health: 'down' });
    const wanted = criteria({ serves: 'south' });
    expect(judged([route('north'), down], wanted)).toMatchObject({
      chosen: 'north',
      south: 'down',
    });
    expect(judged([down], wanted)).toEqual({ chosen: 'south', south: 'only_route' });
  });

  it.each(['redirect', 'page'] as const)(
    'is a %s without a redirect_uri only if there is no other',
    (login) => {
      const leaving = route('north', { login, preferred: true });
      const wanted = criteria({ mayRedirect: false });
      expect(judged([leaving, route('south')], wanted)).toMatchObject({
        chosen: 'south',
        north: 'needs_redirect_uri',
      });
      expect(chooseRoute([leaving], wanted).chosen).toBe('north');
    },
  );

  it('stays with a provider that is full if it serves the link', () => {
    const full = route('south', { links: 3, maxLinks: 3 });
    expect(chooseRoute([full], criteria({ serves: 'south' })).chosen).toBe('south');
  });

  it('is never a dropped one, is the same for the same input, and every route has a reason', () => {
    fc.assert(
      fc.property(ROUTES_AND_CRITERIA, ([routes, of]) => {
        const choice = chooseRoute(routes, of);
        expect(chooseRoute([...routes].reverse(), of)).toEqual(choice);
        expect(choice.routes.map(({ provider }) => provider).sort()).toEqual(
          routes.map(({ provider }) => provider).sort(),
        );
        for (const { provider, verdict, reason } of choice.routes) {
          expect(reason).toMatch(/^[a-z_]+$/);
          expect(verdict === 'chosen').toBe(provider === choice.chosen);
        }
        const isPossible = choice.routes.some(({ verdict }) => verdict !== 'dropped');
        expect(choice.chosen !== null).toBe(isPossible);
      }),
    );
  });
});
