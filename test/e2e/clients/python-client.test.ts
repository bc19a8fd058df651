import { holdsThePythonClient } from './support/python-driver.js';

holdsThePythonClient('The Python client');
