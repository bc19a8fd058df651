import { refreshesAt, storePermittedLink } from '../../support/fixtures/fetching-link.js';
import { faultOf, scriptedSource, type ScriptedAnswer } from './scripted-source.js';
import {
  account,
  announcementsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

let answer: ScriptedAnswer;

const NOTHING: ScriptedAnswer = {
  accounts: [],
  unreported: [],
  numbers: [],
  owners: [],
  rows: [],
  faults: [],
};
const WHOLE: ScriptedAnswer = { ...NOTHING, accounts: [account('checking'), account('card')] };
const OTHERS: ScriptedAnswer = {
  ...NOTHING,
  accounts: [account('someone', { mask: '9', currency: 'CAD' })],
};

const refresh = (link: StoredLink): Promise<void> =>
  refreshesAt(
    storage,
    scriptedSource(() => answer, { absence: 'unknown' }),
  ).run(link, ['accounts', 'transactions']);

async function standing({ pk }: StoredLink): Promise<string> {
  const link = await storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk } });
  return [link.state, link.errorCode, link.errorCause].filter((part) => part !== null).join('/');
}
const changesOf = async (link: StoredLink): Promise<string[]> =>
  (await announcementsOf(storage, link)).filter((each) => each.startsWith('state_changed'));

describe('A link whose accounts the source no longer lists', () => {
  it.each<[string, ScriptedAnswer]>([
    ['no account at all', NOTHING],
    ['only accounts that are not of the link', OTHERS],
  ])(
    'leaves connected with the first such list, of %s, is announced once, and returns with one of its accounts',
    async (_what, empty) => {
      const link = await storePermittedLink(storage);
      answer = WHOLE;
      await refresh(link);
      expect(await standing(link)).toBe('connected');
      answer = empty;
      for (let time = 0; time < 3; time += 1) {
        await refresh(link);
        expect(await standing(link)).toBe('error/institution_error/no_accounts');
      }
      expect(await changesOf(link)).toEqual(['state_changed error institution_error']);
      answer = { ...WHOLE, accounts: [account('card')] };
      await refresh(link);
      expect(await standing(link)).toBe('connected');
      expect(await changesOf(link)).toHaveLength(2);
    },
  );

  it('stays connected if the source reports nothing about them, or could not be read', async () => {
    for (const unclear of [
      { ...OTHERS, unreported: ['checking'] },
      { ...OTHERS, faults: [faultOf('account', 'card')] },
      { ...OTHERS, faults: [faultOf('account', null)] },
    ]) {
      const link = await storePermittedLink(storage);
      answer = unclear;
      await refresh(link);
      expect(await standing(link)).toBe('connected');
    }
  });

  it('is not restored by a list that reports nothing about them', async () => {
    const link = await storePermittedLink(storage);
    answer = OTHERS;
    await refresh(link);
    answer = { ...OTHERS, unreported: ['checking', 'card'] };
    await refresh(link);
    expect(await standing(link)).toBe('error/institution_error/no_accounts');
  });

  it('adopts this cause when it was in error because the bank was down', async () => {
    const link = await storePermittedLink(storage, {
      state: 'error',
      errorCode: 'institution_error',
    });
    answer = OTHERS;
    await refresh(link);
    expect(await standing(link)).toBe('error/institution_error/no_accounts');
    expect(await changesOf(link)).toEqual([]);
  });
});
