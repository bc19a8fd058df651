import {
  ONLY_PART,
  WHOLE_ANSWER,
  type UntidySubject,
} from '../../../conformance/untidy/untidy-subject.js';

const UNTIDY: UntidySubject = {
  remoteId: 'us',
  exceptions: [
    { place: '/accounts', reason: WHOLE_ANSWER },
    { place: '/accounts accounts', reason: ONLY_PART },
    {
      place: '/accounts accounts[].currency',
      reason: 'An address in it is that of miles: such an account is left out.',
    },
    {
      place: '/accounts accounts[].transactions',
      operations: ['transactions'],
      reason: 'It is optional in the protocol: missing, it says that there are no rows.',
    },
    {
      place: '/accounts accounts[].holdings',
      operations: ['holdings'],
      reason: 'Missing, it says nothing: the holdings of the account stay as they are.',
    },
  ],
};
export default UNTIDY;
