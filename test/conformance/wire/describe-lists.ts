import { parse, stringify } from 'lossless-json';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type {
  CatalogInstitution,
  Provider,
  SourceFault,
} from '../../../providers/contract/provider.js';
import { loginContext, redirectRequest } from '../../support/fixtures/provider-calls.js';
import { doesNotApply } from '../kept-promises.js';
import { PATIENT } from '../limits.js';
import { mutate, MUTATION_NAMES, type MutationName } from '../untidy/mutations.js';
import { placesIn, replaceAt, type Place } from '../untidy/places.js';
import { ACCOUNTS } from './read-wire.js';
import { startWireServer, type WireServer } from './wire-server.js';
import { WIRE_SUBJECTS } from './wire-subjects.js';

/** Values without which there is no list. A login needs none. */
const WHOLE_LIST = ['', 'aspsps'];

/** Tests that an adapter reads a list of institutions in which one value is untidy. */
export function describeLists(name: string): void {
  const subject = WIRE_SUBJECTS[name];
  if (subject === undefined) throw new Error(`${name} has no source whose answers a test writes`);

  it('loses only the institution that one untidy value of its list belongs to, and no login at another', async () => {
    const server = await startWireServer();
    try {
      const { provider } = await subject.open(server.url, ACCOUNTS, PATIENT);
      const { institutions } = subject;
      if (institutions === undefined) {
        const listed = await listedBy(provider);
        expect({ failure: listed.failure, calls: server.calls }).toEqual({
          failure: null,
          calls: [],
        });
        return doesNotApply();
      }
      const answer = parse(JSON.stringify(institutions.list));
      serve(server, institutions.login, stringify(answer));
      const truth = await listedBy(provider);
      expect(truth.faults).toEqual([]);
      expect(truth.entries.size).toBeGreaterThan(2);
      const findings: string[] = [];
      const cases = casesIn(answer);
      for (const { place, mutation, changed } of cases) {
        serve(server, institutions.login, changed);
        const own = ownOf(place, [...truth.entries.keys()]);
        const complaints = [
          ...judge(place, mutation, { truth, got: await listedBy(provider), own }),
          ...(await failedLogins(provider, { truth, own, changed })),
        ];
        findings.push(...complaints.map((text) => `${place.template} ${mutation}: ${text}`));
      }
      expect(findings).toEqual([]);
      expect(cases.length).toBeGreaterThan(100);
    } finally {
      await server.close();
    }
  });
}

function serve(server: WireServer, login: unknown, list: string | undefined): void {
  server.reply = ({ pathname }) =>
    pathname.endsWith('/aspsps') ? { text: list ?? '' } : { body: login };
}

function casesIn(answer: unknown) {
  return placesIn(answer).flatMap((place) =>
    MUTATION_NAMES.flatMap((mutation: MutationName) => {
      const untidy = mutate(mutation, place);
      if (untidy === undefined || (untidy === 'absent' && place.path.length === 0)) return [];
      return [{ place, mutation, changed: stringify(replaceAt(answer, place.path, untidy)) }];
    }),
  );
}

/** The institution that a value belongs to; null = all. Entries are in the order of the list. */
const ownOf = ({ path }: Place, ids: readonly string[]): string | null =>
  typeof path[1] === 'number' ? (ids[path[1]] ?? null) : null;

interface Listed {
  entries: ReadonlyMap<string, string>;
  faults: readonly SourceFault[];
  failure: unknown;
}

async function listedBy(provider: Provider): Promise<Listed> {
  const entries = new Map<string, string>();
  const faults: SourceFault[] = [];
  const signal = new AbortController().signal;
  const note = (fault: SourceFault) => void faults.push(fault);
  let failure: unknown = null;
  try {
    const request = { countries: ['DE', 'US'], note, signal };
    for await (const page of provider.listInstitutions?.(request) ?? [])
      for (const entry of page as CatalogInstitution[])
        entries.set(entry.remoteId, JSON.stringify(entry));
  } catch (error) {
    failure = error;
  }
  return { entries, faults, failure };
}

function judge(
  { template, path }: Place,
  mutation: MutationName,
  { truth, got, own }: { truth: Listed; got: Listed; own: string | null },
): string[] {
  if (got.failure !== null) {
    const cause = got.failure instanceof ProviderFailure ? got.failure.providerCause : 'an error';
    if (cause !== 'malformed') return [`fails with ${cause}`];
    return WHOLE_LIST.includes(template) ? [] : ['loses the list'];
  }
  // Entries of one name are one institution, with the facts of both.
  const isRenamed = path.at(-1) === 'name';
  const changed = [...truth.entries].filter(
    ([id, entry]) =>
      id !== own && (isRenamed ? !got.entries.has(id) : got.entries.get(id) !== entry),
  );
  const lost = [...truth.entries.keys()].filter((id) => !got.entries.has(id));
  // A tidy list may lack an item, or have the value of another one.
  const isStatement =
    own === null ||
    isRenamed ||
    mutation === 'duplicate' ||
    (mutation === 'absent' && typeof path.at(-1) === 'number');
  const isNoted = got.faults.some(({ scope }) => scope === 'institution');
  return [
    ...(own !== null && changed.length > 0 ? ['changes another institution'] : []),
    ...(lost.length > 0 && !isStatement && !isNoted ? ['loses its institution silently'] : []),
  ];
}

/** Logs in at an institution that the untidy value does not belong to. */
async function failedLogins(
  provider: Provider,
  { truth, own, changed }: { truth: Listed; own: string | null; changed: string | undefined },
): Promise<string[]> {
  const [remoteId] = [...truth.entries.keys()].filter((id) => id !== own).reverse();
  // A list that is empty states that there is no bank.
  if (remoteId === undefined || changed === '{"aspsps":[]}') return [];
  try {
    await provider.startRedirect?.(loginContext({ remoteId }), redirectRequest());
    return [];
  } catch (error) {
    return [`prevents a login elsewhere: ${String(error)}`];
  }
}
