import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The fonts of the text above the fold. The latin-ext files are loaded only when a character needs them. */
const PRELOADED_FONTS = /(newsreader|hanken-grotesk)-latin-wght-normal.*\.woff2$/

/** Lets the browser load the fonts before it has read the stylesheet. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((fileName) => PRELOADED_FONTS.test(fileName))
          .map((fileName) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${fileName}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

const API_SERVER = 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts()],
  build: {
    // These browsers support light-dark(). For older ones Vite would rewrite every colour.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy refuses data: fonts, and inlined images cannot be cached.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { '/api': API_SERVER, '/files': API_SERVER },
  },
})
