import {
  decayCounts,
  HEALTH_HALF_LIFE_MS,
  isRouteFault,
  routeHealth,
} from '../../../../domain/institutions/route-health.js';

const NOW = new Date('2026-03-02T10:00:00Z');
const later = (halfLives: number) => new Date(NOW.getTime() + halfLives * HEALTH_HALF_LIFE_MS);
const counts = (successes: number, failures: number) => ({ successes, failures, changedAt: NOW });

describe('The health of a route', () => {
  it.each([
    ['operational', counts(0, 0)],
    ['operational', counts(0, 2)],
    ['operational', counts(50, 10)],
    ['degraded', counts(10, 5)],
    ['down', counts(0, 3)],
    ['down', counts(1, 9)],
  ])('is %s with %j', (health, of) => {
    expect(routeHealth([of], NOW)).toBe(health);
  });

  it('is that of its worst operation', () => {
    expect(routeHealth([counts(100, 0), counts(0, 5)], NOW)).toBe('down');
  });

  it('recovers by itself, because old calls count less and less', () => {
    expect(decayCounts(counts(8, 4), later(2))).toEqual({
      successes: 2,
      failures: 1,
      changedAt: later(2),
    });
    expect(routeHealth([counts(0, 9)], later(1))).toBe('down');
    expect(routeHealth([counts(0, 9)], later(2))).toBe('operational');
  });

  it('is not affected by mistakes of users', () => {
    expect(isRouteFault('invalid_credentials')).toBe(false);
    expect(isRouteFault('institution_down')).toBe(true);
  });
});
