import './frame/sign-in/take-secrets-of-address.js';
// Before the rules of the parts, which change those of Mantine.
import './theme/styles.js';
import { createRoot } from 'react-dom/client';
import { ConsoleApp } from './frame/console-app.js';
import { styleNonce } from './theme/nonce.js';

createRoot(document.getElementById('root') ?? document.body).render(
  <ConsoleApp nonce={styleNonce()} />,
);
