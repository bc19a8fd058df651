import { readFileSync } from 'node:fs';

/** What stands on the other side in the tests of an adapter. */
export interface Counterpart {
  /** Which part of the adapter; null = all of it. */
  part: string | null;
  /** 1: a simulator of our own. 3: independent software. Levels 4 and 5 come from recordings. */
  level: 1 | 3;
  what: string;
  /** The folder of the counterpart. */
  folder: string;
  /** The package of others that a counterpart of level 3 is made of; its folder imports it. */
  package?: string;
}

/** Software of others that agrees with our simulator, and the test that lets it. */
export interface Confirmation {
  what: string;
  test: string;
}

/** What no run can find out about the proof of an adapter. */
export interface AdapterProof {
  title: string;
  /** Who has not been tried yet. */
  vendor: string;
  counterparts: readonly Counterpart[];
  confirmations: readonly Confirmation[];
}

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { dependencies } = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
};
const CLIENT_TEST = 'test/integration/vendor-simulators/simplefin-client.test.ts';
const [, clientVersion] =
  /^simplefin==(\S+)$/m.exec(read(CLIENT_TEST.replace('.test.ts', '.requirements.txt'))) ?? [];

/** One entry per adapter in `providers/adapters.ts`. */
export const ADAPTER_PROOFS: Readonly<Record<string, AdapterProof>> = {
  simplefin: {
    title: 'SimpleFIN',
    vendor: 'the vendor',
    counterparts: [
      {
        part: null,
        level: 1,
        what: 'a server of our own, written from the published protocol',
        folder: 'apps/vendor-simulators/src/simplefin',
      },
    ],
    confirmations: [
      {
        what: `The client \`simplefin\` ${clientVersion} of PyPI claims a token of that server and reads its accounts and rows. The test needs Python 3.13; without it, it is skipped by name and counted.`,
        test: CLIENT_TEST,
      },
    ],
  },
  'enable-banking': {
    title: 'Enable Banking',
    vendor: 'the vendor',
    counterparts: [
      {
        part: null,
        level: 1,
        what: 'a server of our own, written from the published API',
        folder: 'apps/vendor-simulators/src/enable-banking',
      },
    ],
    confirmations: [],
  },
  fdx: {
    title: 'FDX',
    vendor: 'a bank',
    counterparts: [
      {
        part: 'data',
        level: 1,
        what: 'banks of our own, written from the published standard',
        folder: 'apps/vendor-simulators/src/fdx-bank',
      },
      {
        part: 'authorization',
        level: 3,
        what: `\`oidc-provider\` ${dependencies['oidc-provider']}, as the authorization server of each bank`,
        folder: 'apps/vendor-simulators/src/fdx-bank',
        package: 'oidc-provider',
      },
    ],
    confirmations: [],
  },
};
