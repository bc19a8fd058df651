import { createRoot } from 'react-dom/client';
import { ConsoleApp } from './frame/console-app.js';
import { styleNonce } from './theme/nonce.js';
import './theme/styles.js';

createRoot(document.getElementById('root') ?? document.body).render(
  <ConsoleApp nonce={styleNonce()} />,
);
