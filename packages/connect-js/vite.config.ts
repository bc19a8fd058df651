import { defineConfig } from 'vite';

const output = (format: 'es' | 'cjs', folder: string) => ({
  format,
  entryFileNames: `${folder}/[name].js`,
  chunkFileNames: `${folder}/shared.js`,
});

/** The code of both module systems, which contains connect-protocol; its types are written by the compiler. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    // The compiler writes at the same time.
    emptyOutDir: false,
    target: 'es2020',
    minify: false,
    reportCompressedSize: false,
    lib: { entry: { index: 'src/index.ts', core: 'src/core.ts' } },
    rolldownOptions: { output: [output('es', 'esm'), output('cjs', 'cjs')] },
  },
});
