import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The two faces that text above the fold is set in; the latin-ext files load only when a letter needs them. */
const PRELOADED_FONTS = /(newsreader|hanken-grotesk)-latin-wght-normal.*\.woff2$/

/** Tells the browser about the fonts before it has read the stylesheet that names them. */
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
    // The tokens use light-dark() as it is; older targets would have it rewritten for every colour.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A data: font would be refused by the content security policy, and an inlined picture cannot be cached.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { '/api': API_SERVER, '/files': API_SERVER },
  },
})
