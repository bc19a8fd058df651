import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

export default defineConfig({
  root: import.meta.dirname,
  // Relative URLs: the same files work under any path of CONNECT_BASE_URL.
  base: './',
  resolve: {
    // The same interface in a tenth of the size (README, Size).
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react$/, replacement: 'preact/compat' },
    ],
  },
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    outDir: '../../dist/apps/connect',
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // The files of a screen import only the one that is there, so there is nothing to preload.
    modulePreload: false,
    // The policy of the page (connect 12) allows no inline script and no data: script.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The first load is one file: split up, it compresses worse.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'connect', tags: ['$initial'] }] } },
    },
  },
});
