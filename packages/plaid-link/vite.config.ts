import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** One file for a plain script tag at a stable address: its name contains no hash. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: {
      '@tributary/connect-js': fileURLToPath(
        new URL('../connect-js/src/index.ts', import.meta.url),
      ),
    },
  },
  build: {
    outDir: '../../dist/apps/connect/plaid',
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    reportCompressedSize: false,
    lib: {
      entry: 'src/index.ts',
      name: 'TributaryPlaidLink',
      formats: ['iife'],
      fileName: () => 'link-initialize.js',
    },
  },
});
