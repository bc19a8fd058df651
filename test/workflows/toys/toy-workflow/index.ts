export * from '../../../../workflows/index.js';
export { toyFlight } from './toy-flight.workflow.js';
