import type { AdapterProof } from '../../proof/adapter-proofs.js';

const PROOF: AdapterProof = {
  vendor: 'the vendor',
  counterparts: [
    {
      part: null,
      level: 1,
      what: 'a server of our own, written from the published API',
      folder: 'simulators/vendors/enable-banking',
    },
  ],
  confirmations: [],
};
export default PROOF;
