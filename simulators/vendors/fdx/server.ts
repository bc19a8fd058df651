export { createFdxBank as start } from './create-fdx-bank.js';
