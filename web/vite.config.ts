import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { BROWSER_FIELDS } from './browser-fields.ts'

/** The fonts of the text above the fold. The latin-ext files are loaded only when a character needs them. */
const PRELOADED_FONTS = /(newsreader-latin-600|hanken-grotesk-latin-[46]00)-normal.*\.woff2$/

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

const CONTRACT = /\/contract\/src\/[\w-]+\.ts$/
const SCHEMAS = '?schemas'

/**
 * Removes the schemas from the calls, because the browser needs only their addresses and the schemas of its forms.
 * Other exports of a contract module move to a separate module, so that screens without forms load no zod.
 */
function callsWithoutSchemas(): Plugin {
  return {
    name: 'calls-without-schemas',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: CONTRACT },
      async handler(id) {
        const exports = Object.entries<unknown>(await import(id))
        const calls = exports.filter(([, value]) => isCall(value))
        if (calls.length === 0) return
        const others = exports.filter(([, value]) => !isCall(value)).map(([name]) => name)
        return [
          ...calls.map(([name, call]) => `export const ${name} = ${JSON.stringify(call, BROWSER_FIELDS)}`),
          `export { ${others.join()} } from '${id}${SCHEMAS}'`,
        ].join('\n')
      },
    },
  }
}

const isCall = (value: unknown) => typeof value === 'object' && value !== null && 'access' in value

/** zod uses eval for speed, which our content security policy forbids. */
function zodWithoutEval(): Plugin {
  return {
    name: 'zod-without-eval',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/mini\/index\.js$/ },
      handler: (code) => ({
        code: `${code}\nimport { config } from '../v4/mini/index.js'\nconfig({ jitless: true })`,
        moduleSideEffects: true,
      }),
    },
  }
}

const ZOD = /\/node_modules\/zod\//

const usesZod = (id: string, modules: Rolldown.ChunkingContext) =>
  [id, ...(modules.getModuleInfo(id)?.importedIds ?? [])].some((it) => ZOD.test(it))

const REQUEST_SCREEN = join(import.meta.dirname, 'src/features/item/item-screen.tsx')

/** Modules that the page of a request imports and other screens may import too. */
function findSharedWithRequest(modules: Rolldown.ChunkingContext): Set<string> {
  const found = new Set([REQUEST_SCREEN])
  for (const id of found) for (const it of modules.getModuleInfo(id)?.importedIds ?? []) found.add(it)
  return new Set([...found].filter((id) => !id.includes('/src/features/')))
}

let sharedWithRequest: Set<string> | undefined

function isSharedWithRequest(id: string, modules: Rolldown.ChunkingContext): boolean {
  sharedWithRequest ??= findSharedWithRequest(modules)
  return sharedWithRequest.has(id) && !usesZod(id, modules)
}

const API_SERVER = 'http://127.0.0.1:3000'

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts(), callsWithoutSchemas(), zodWithoutEval()],
  resolve: {
    alias: [
      {
        find: '../createLucideIcon.mjs',
        replacement: join(import.meta.dirname, 'src/ui/base/create-icon.ts'),
      },
      // React has this hook since version 18.
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
    ],
  },
  build: {
    // These browsers support light-dark(). For older ones Vite would rewrite every colour.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy refuses data: fonts, and inlined images cannot be cached.
    assetsInlineLimit: 0,
    // All of them support modulepreload.
    modulePreload: { polyfill: false },
    copyPublicDir: !isSsrBuild,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // A first visit loads one file, which compresses better than many small ones. Schemas are loaded with
              // the forms that use them, although the modules of the calls export them too.
              groups: [
                {
                  name: (id, modules) => (usesZod(id, modules) ? null : 'app'),
                  tags: ['$initial'],
                },
                // Most people who do not arrive at home arrive at a request, whose page would load twenty small
                // files.
                { name: (id, modules) => (isSharedWithRequest(id, modules) ? 'parts' : null) },
              ],
              includeDependenciesRecursively: false,
            },
          },
        },
      },
    },
  },
  // One bundle starts faster than the thousands of files of its packages.
  ssr: { noExternal: true },
  // React would choose its slow development build at runtime.
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' } }),
  server: {
    proxy: { '/api': API_SERVER, '/files': API_SERVER },
  },
}))
