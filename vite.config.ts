import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The server puts each answer's own nonce in its place.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // The server reads from it what to preload for which page.
    manifest: true,
    // `data:` is not allowed for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
