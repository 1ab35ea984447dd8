import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'
import { englishFallback } from './english-fallback.ts'
import { preloadFont } from './preload-font.ts'

export default defineConfig({
  plugins: [englishFallback(), preloadFont(), compressed()],
  build: {
    target: 'es2022',
    // Everything comes as a file of its own: the content policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // "use client" in a package means nothing here.
    rolldownOptions: { checks: { moduleLevelDirective: false, pluginTimings: false } },
  },
  server: { proxy: { '/api': 'http://localhost:8080' } },
})
