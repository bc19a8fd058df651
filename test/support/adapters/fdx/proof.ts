import { readFileSync } from 'node:fs';
import type { AdapterProof } from '../../proof/adapter-proofs.js';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};

const PROOF: AdapterProof = {
  vendor: 'a bank',
  counterparts: [
    {
      part: 'data',
      level: 1,
      what: 'banks of our own, written from the published standard',
      folder: 'simulators/vendors/fdx',
    },
    {
      part: 'authorization',
      level: 3,
      what: `\`oidc-provider\` ${dependencies['oidc-provider']}, as the authorization server of each bank`,
      folder: 'simulators/vendors/fdx',
      package: 'oidc-provider',
    },
  ],
  confirmations: [],
};
export default PROOF;
