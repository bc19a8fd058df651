/** Screens that are the first of few sessions: one file, loaded while the first screen is being read. */
export { Accounts } from './accounts.js';
export { Code } from './code.js';
export { Done } from './done.js';
export { InstitutionAlert } from './institution-alert.js';
export { Moved } from './moved.js';
export { NoBank } from './no-bank.js';
export { Options } from './options.js';
export { Permissions } from './permissions.js';
export { Picture } from './picture.js';
export { default as ProblemSign } from '../status/problem-sign.js';
export { Questions } from './questions.js';
export { SetupToken } from './setup-token.js';
export { StepProblem } from './step-problem.js';
export { TechnicalDetails } from './technical-details.js';
export { TimeLimit } from './time-limit.js';
