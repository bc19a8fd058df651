import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Every address of the page serves the same file, however deep.
  base: '/',
  build: {
    outDir: '../../dist/apps/console',
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // The policy of the page allows no inline script and no data: address.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // Split up, the first load compresses worse; every screen is a file of its own.
      output: { codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] } },
    },
  },
});
