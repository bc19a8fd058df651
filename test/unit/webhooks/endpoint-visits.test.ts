import { beforeEach, describe, expect, it } from 'vitest';
import { EndpointVisits } from '../../../apps/webhooks/src/endpoint-visits.js';

const A = 'https://a.example:443';
const B = 'https://b.example:443';
const EVERYWHERE = undefined;

describe('where a claim looks', () => {
  let now: number;
  let visits: EndpointVisits;
  beforeEach(() => {
    now = 5_000;
    visits = new EndpointVisits({ everywhereEveryMs: 1_000, now: () => now });
  });
  const next = ({
    resting = [],
    fromTheFirst = true,
  }: { resting?: string[]; fromTheFirst?: boolean } = {}) => visits.next(resting, fromTheFirst);

  it('is everywhere at first, and where nothing was told', () => {
    visits.tell(A);
    expect(next()).toBe(EVERYWHERE);
    expect(next()).toBe(EVERYWHERE);
  });

  it('is at the endpoints that were told of, each once', () => {
    next();
    [A, B, A].forEach((endpoint) => visits.tell(endpoint));
    expect(next()).toEqual([A, B]);
    expect(next()).toBe(EVERYWHERE);
  });

  it('is everywhere when that may be anywhere, and then not again at those that were told of before', () => {
    next();
    visits.tell(A);
    visits.tell();
    expect(next()).toBe(EVERYWHERE);
    visits.tell(B);
    expect(next()).toEqual([B]);
    visits.tell('');
    visits.tell(A);
    expect(next()).toBe(EVERYWHERE);
  });

  it('is everywhere once a second, however much is told', () => {
    next();
    const looked = Array.from({ length: 30 }, () => {
      now += 100;
      visits.tell(A);
      return next();
    });
    expect(looked.filter((where) => where === EVERYWHERE)).toHaveLength(3);
  });

  it('leaves out those that rest, which may be all', () => {
    next();
    visits.tell(A);
    visits.tell(B);
    expect(next({ resting: [A] })).toEqual([B]);
    visits.tell(A);
    expect(next({ resting: [A] })).toEqual([]);
  });

  it('is at those that were told of after a walk that had passed them', () => {
    next();
    visits.tell(A);
    visits.tell();
    expect(next({ fromTheFirst: false })).toBe(EVERYWHERE);
    expect(next()).toEqual([A]);
  });

  it('is everywhere when very many were told of', () => {
    next();
    Array.from({ length: 300 }, (_, host) => visits.tell(`https://app${host}.example:443`));
    expect(next()).toBe(EVERYWHERE);
    visits.tell(A);
    expect(next()).toEqual([A]);
  });
});
