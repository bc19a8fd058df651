import { watchForCodes } from './code-of-address.js';
import { watchForReturn } from './return-query.js';

// Imported first: nothing else on the page sees an address that signs someone in.
watchForCodes();
watchForReturn();
