import type { FdxInstitution } from '../../../providers/fdx/settings.js';
import { readPage } from './documented-commands.js';
import {
  addBank,
  check,
  REDIRECT,
  stage,
  startOperatorErrors,
  WRONG_SECRET,
} from './support/operator-errors-stage.js';
import { CASES } from './operator-errors-cases.js';

startOperatorErrors();

it.each(CASES)(
  '%s: `providers check` names %s, and the page explains the next steps',
  async (adapter, error, prepare, says, remedy, onPage) => {
    const name = `c${CASES.findIndex((it) => it[0] === adapter && it[1] === error)}`;
    await prepare(name);
    const { lines, broken } = await check(name);
    const [line, ...others] = lines.filter(({ ok }) => !ok);
    expect(`${line?.what}: ${line?.detail}`).toMatch(says);
    expect(line?.remedy).toContain(remedy);
    expect(readPage(`docs/live/${adapter}.md`)).toContain(onPage);
    // Keys are only judged when the clock is right.
    if (!error.includes('clock')) return;
    expect(broken).toBe(false);
    expect(others.every((other) => other.remedy === 'Set the clock first.')).toBe(true);
    expect(others).toHaveLength(adapter === 'simplefin' ? 0 : 1);
  },
);

it.each([
  [
    'simplefin',
    'add simplefin --set server=https://other.example/simplefin',
    'The setting "server": must be at one of the hosts.',
  ],
  [
    'simplefin',
    'add simplefin --set allowLoopback=true',
    'The setting "allowLoopback" is only for configurations of the Sandbox: Live never connects to this machine.',
  ],
  [
    'fdx',
    'add fdx --set institutions=@first-fdx.json --secret signingKey=@client-key.json',
    'The setting "institutions.0.issuer" names this machine or a private network, to which Live never connects.',
  ],
  [
    'enable-banking',
    `add enable-banking --set apiAddress=https://10.0.0.5 --set applicationId=cf589be3-3755-465b-a8df-a90a16a31403 --set redirectAddress=${REDIRECT} --secret privateKey=@application.pem`,
    'The setting "apiAddress" names this machine or a private network, to which Live never connects.',
  ],
  [
    'enable-banking',
    `add enable-banking --set applicationId=cf589be3-3755-465b-a8df-a90a16a31403 --set redirectAddress=${REDIRECT} --secret privateKey=@other-key.pem`,
    'The secret "privateKey": must be an RSA private key of at least 2048 bits as PEM.',
  ],
])(
  '%s: settings that cannot work are refused in the words of the page',
  async (adapter, words, message) => {
    const { status, stderr } = await stage.run(['providers', ...words.split(' ')]);
    expect(status).toBe(1);
    expect(stderr.split('\n')).toContain(message);
    expect(readPage(`docs/live/${adapter}.md`)).toContain(message);
  },
);

describe('The addresses of an FDX bank', () => {
  const shown = async (name: string) => {
    const { stdout } = await stage.run(['providers', 'show', name, '--json']);
    const { settings } = JSON.parse(stdout) as { settings: { institutions: FdxInstitution[] } };
    return settings.institutions;
  };
  const set = async (name: string, ...words: string[]) => {
    const { status, stderr } = await stage.run(['providers', 'set', name, ...words]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  };

  it('are pending while the bank does not respond: no login is routed there, and the page explains the next steps', async () => {
    const facts = () =>
      stage.storage.ctx.database.prisma.providerConfiguration.findUniqueOrThrow({
        where: { name: 'unpinned' },
        select: { unpinned: true, cannotRevoke: true },
      });
    const [first] = JSON.parse(await stage.read('first-fdx.json')) as FdxInstitution[];
    await stage.write('silent.json', JSON.stringify([{ ...first, issuer: 'http://127.0.0.1:9' }]));
    await addBank('silent', 'unpinned', '--secret signingKey=@client-key.json');
    const report = await check('unpinned');
    expect(await facts()).toEqual({ unpinned: ['first-fdx'], cannotRevoke: [] });
    const detail = 'none are pinned, so no login goes there';
    expect(report.lines).toContainEqual(expect.objectContaining({ ok: false, detail }));
    expect(readPage('docs/live/fdx.md')).toContain(detail);
    await stage.run(['providers', 'set', 'unpinned', '--set', 'institutions=@first-fdx.json']);
    await check('unpinned');
    expect(await facts()).toEqual({ unpinned: [], cannotRevoke: [] });
  });

  it('are pinned by the worker after `providers add`, and kept by a change', async () => {
    await addBank('first-fdx', 'pinned', '--secret signingKey=@client-key.json');
    expect(await check('pinned')).toMatchObject({ ok: true });
    const [{ metadata, issuer } = { metadata: null, issuer: '' }] = await shown('pinned');
    expect(metadata?.token_endpoint).toContain(new URL(issuer).origin);
    expect(stage.output()).toContain('provider.pinned');
    await set('pinned', '--set', 'institutions=@first-fdx.json');
    expect((await shown('pinned'))[0]?.metadata).toEqual(metadata);
  });

  it('are reported when the bank publishes others, and replaced only by `--repin`', async () => {
    await addBank('first-fdx', 'repinned', '--secret signingKey=@client-key.json');
    await check('repinned');
    const [pinned] = await shown('repinned');
    if (!pinned?.metadata) throw new Error('nothing is pinned');
    const earlier = { ...pinned.metadata, revocation_endpoint: 'http://127.0.0.1:9/revoke' };
    await stage.write('earlier.json', JSON.stringify([{ ...pinned, metadata: earlier }]));
    await set('repinned', '--set', 'institutions=@earlier.json');
    expect((await check('repinned')).lines.filter(({ ok }) => !ok)).toMatchObject([
      {
        what: 'Harbour Federal Bank: its addresses are the pinned ones',
        detail: 'differs in revocation_endpoint',
        remedy: expect.stringContaining('providers set <name> --repin'),
      },
    ]);
    expect((await shown('repinned'))[0]?.metadata).toEqual(earlier);
    await set('repinned', '--repin');
    expect(await check('repinned')).toMatchObject({ ok: true, broken: false });
    expect((await shown('repinned'))[0]?.metadata).toEqual(pinned.metadata);
  });
});

it('The output contains no secret of a configuration that does not work', () => {
  expect(stage.output()).toContain('provider.checked');
  expect(stage.output()).not.toContain(WRONG_SECRET);
  expect(stage.output()).not.toContain('PRIVATE KEY');
});
