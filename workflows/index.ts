import * as workflows from './all-workflows.js';
import { setVersioning } from './versioning.js';

setVersioning(workflows);

export * from './all-workflows.js';
