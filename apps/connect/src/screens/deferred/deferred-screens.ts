/** Screens nobody sees first: one file, fetched while the first one is being read. */
export { Accounts } from './accounts.js';
export { Code } from './code.js';
export { Done } from './done.js';
export { Moved } from './moved.js';
export { Options } from './options.js';
export { Permissions } from './permissions.js';
export { Picture } from './picture.js';
export { StepProblem } from './step-problem.js';
export { TechnicalDetails } from './technical-details.js';
