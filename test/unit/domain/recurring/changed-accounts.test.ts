import { changedAccounts } from '../../../../domain/recurring/changed-accounts.js';
import { findStreams } from '../../../../domain/recurring/find-streams.js';
import type { IdentifiedStream } from '../../../../domain/recurring/identified-stream.js';
import { createWorld, TODAY } from './support/worlds.js';

const [found] = findStreams(createWorld(2001).rows, TODAY);
if (found === undefined) throw new Error('the world has no streams');
const stream = (accountId: string, over: Partial<IdentifiedStream> = {}): IdentifiedStream => ({
  ...found,
  accountId,
  streamId: `str_${accountId}`,
  place: 1,
  ...over,
});

describe('changedAccounts', () => {
  const known = [stream('a'), stream('b')];

  it('names no account whose streams differ only in their evidence', () => {
    const why = { ...found.why, chance: found.why.chance / 2, extras: found.why.extras + 1 };
    const stored = JSON.parse(JSON.stringify(known)) as IdentifiedStream[];
    expect(changedAccounts(stored, [stream('a', { why }), stream('b')])).toEqual([]);
  });

  it('names each account with an added, changed or dropped stream once', () => {
    const added = stream('c', { streamId: 'str_added' });
    expect(changedAccounts(known, [...known, added])).toEqual(['c']);
    const dearer = { amounts: { ...found.amounts, last: '1.00' } };
    expect(changedAccounts(known, [stream('a', dearer), stream('b')])).toEqual(['a']);
    expect(changedAccounts(known, [stream('b')])).toEqual(['a']);
    expect(changedAccounts(known, [])).toEqual(['a', 'b']);
  });
});
