import { decodeCredential } from '../../../../providers/enable-banking/client/sealed.js';
import { WHOLE_ANSWER, type UntidySubject } from '../../../conformance/untidy/untidy-subject.js';

const UNTIDY: UntidySubject = {
  remoteId: 'DE/Meridian%20Bank',
  aliases: ({ credential }) =>
    new Map(decodeCredential(credential).accounts.map(({ uid, id }) => [uid, id])),
  exceptions: [
    { place: '/sessions/{id}', reason: WHOLE_ANSWER },
    {
      place: '/sessions/{id} status',
      reason: 'Numbers are shown only while the session is known to be authorized.',
    },
    {
      place: '/accounts/{id}/transactions transactions[].entry_reference',
      operations: ['transactions'],
      reason: 'Equal rows under one reference are one row.',
    },
  ],
};
export default UNTIDY;
