import { holdsThePythonClient } from './support/python-driver.js';

holdsThePythonClient('The asyncio client for Python', '--async');
