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

/**
 * Removes the schemas from the calls, because the browser needs only their addresses and the schemas of its forms. A
 * module of the contract becomes three: the calls that read, so that the first load has no others, all other calls,
 * and all other exports, so that screens without forms load no zod.
 */
function callsWithoutSchemas(): Plugin {
  return {
    name: 'calls-without-schemas',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts(\?writes)?$/ },
      async handler(id) {
        const [file = '', part] = id.split('?')
        const exports = Object.entries<unknown>(await import(file))
        const calls = exports.flatMap(([name, value]) => (isCall(value) ? [{ name, call: value }] : []))
        if (calls.length === 0) return
        const declare = (isRead: boolean) =>
          calls
            .filter(({ call }) => (call.method === 'GET') === isRead)
            .map(({ name, call }) => `export const ${name} = ${JSON.stringify(call, BROWSER_FIELDS)}`)
            .join('\n')
        const others = exports.filter(([, value]) => !isCall(value)).map(([name]) => name)
        if (part) return declare(false)
        return `${declare(true)}
export * from '${file}?writes'
export { ${others.join()} } from '${file}?schemas'`
      },
    },
    // Makes unused calls removable: the build does not know that the function that declares them has no side effects.
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts\?schemas$/ },
      handler: (code) => code.replace(/ = callsOf\(.*\)/g, ' = (spec) => spec'),
    },
  }
}

const isCall = (value: unknown): value is { method: string } =>
  typeof value === 'object' && value !== null && 'access' in value

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

/** The modules outside of features that the request screen imports. Other screens may import them too. */
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
      // React itself has included this hook since version 18.
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
    ],
  },
  build: {
    // These browsers support light-dark(). For older ones Vite would rewrite every colour.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy refuses data: fonts, and inlined images cannot be cached.
    assetsInlineLimit: 0,
    // All supported browsers support modulepreload.
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
                // After home, the request screen is the most common first page. Without this group it would load
                // twenty small files.
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
