import { readFileSync } from 'node:fs';
import type { AdapterProof } from '../../proof/adapter-proofs.js';

const TEST = 'test/integration/vendor-simulators/simplefin-client.test.ts';
const [, version] =
  /^simplefin==(\S+)$/m.exec(readFileSync(TEST.replace('.test.ts', '.requirements.txt'), 'utf8')) ??
  [];

const PROOF: AdapterProof = {
  vendor: 'the vendor',
  counterparts: [
    {
      part: null,
      level: 1,
      what: 'a server of our own, written from the published protocol',
      folder: 'simulators/vendors/simplefin',
    },
  ],
  confirmations: [
    {
      what: `The client \`simplefin\` ${version} of PyPI claims a token of that server and reads its accounts and rows. The test needs Python 3.13; without it, it is skipped by name and counted.`,
      test: TEST,
    },
  ],
};
export default PROOF;
