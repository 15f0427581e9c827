import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './child.ts'
import { settingsPage } from './settings-page.ts'

const SETTINGS = 'docs/settings.md'
const INDEX = 'docs/adr/README.md'
const SOURCES = /\.(tsx?|mjs|sql|ya?ml)$/
const NOT_OURS = new Set(['node_modules', 'dist', '.git'])

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** All files and folders of the repository. */
const paths = globSync(['**/*', '.*'], { cwd: root, exclude: (path) => NOT_OURS.has(basename(path)) })
const known = new Set(paths)
const documents = paths.filter((path) => /^(docs\/.*|[^/]+)\.md$/.test(path)).toSorted()
const records = documents.filter((path) => /^docs\/adr\/\d{4}-/.test(path))
const byHand = documents.filter((path) => path !== SETTINGS)

const wordsIn = (file: string) => read(file).split(/\s+/).filter(Boolean).length

test('docs/settings.md lists the current settings', async () => {
  const renew = 'Renew it with: npx vitest run scripts/docs.test.ts -u'
  await expect(settingsPage(), renew).toMatchFileSnapshot(join(root, SETTINGS))
})

test('the documents do not exceed their maximum length', () => {
  expect(wordsIn('README.md')).toBeLessThanOrEqual(900)
  expect(byHand.reduce((sum, file) => sum + wordsIn(file), 0)).toBeLessThanOrEqual(33_000)
})

test('links lead to files that exist', () => {
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)#]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => !known.has(normalize(join(dirname(file), target))))
      .map((target) => `${file}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every path in the documents exists', () => {
  // Also the ends of paths, such as `rulings.ts` and `providers/files`.
  const exists = (path: string) => known.has(path) || paths.some((it) => it.endsWith(`/${path}`))
  const topFolders = new Set(paths.map((path) => path.split('/')[0]))
  const isPath = (text: string) =>
    /\.(tsx?|mjs|md|json|ya?ml|css)$/.test(text) || (text.includes('/') && topFolders.has(text.split('/')[0]))
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*)\/?`/g)]
      .map(([, text = '']) => text)
      .filter((text) => isPath(text) && !exists(text))
      .map((text) => `${file}: ${text}`),
  )
  expect(missing).toEqual([])
})

test('every command in the documents exists', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const parts = new Set(
    [...read('verification/main.ts').matchAll(/^ {2}'?([a-z-]+)'?(?:,|: \w+,)$/gm)].map(([, part]) => part),
  )
  const named = byHand.map(read).join('\n')
  const commands = [...named.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g)].map(([, name = '']) => name)
  expect(commands.filter((name) => !scripts[name])).toEqual([])
  const partsNamed = [...named.matchAll(/npm run proof -- ((?:[a-z][a-z-]* ?)+)/g)].flatMap(
    ([, names = '']) => names.trim().split(' '),
  )
  expect(partsNamed.filter((name) => !parts.has(name))).toEqual([])
})

test('decision records have a title, and the index lists each one once with its title', () => {
  const titles = records.map((file) => {
    const [, number = '', title = ''] = read(file).match(/^# (\d+)\. (.+)\n/) ?? []
    expect(basename(file)).toMatch(new RegExp(`^${number.padStart(4, '0')}-`))
    return `[${number}](${basename(file)}): ${title}`
  })
  const listed = [...read(INDEX).matchAll(/^- (\[\d+\].*)$/gm)].map(([, entry]) => entry)
  expect(listed.toSorted()).toEqual(titles.toSorted())
})

test('every referenced decision record exists', () => {
  const numbers = new Set(records.map((file) => Number(basename(file).slice(0, 4))))
  const files = [...documents, ...paths.filter((path) => SOURCES.test(path))]
  const missing = files.flatMap((file) =>
    [...read(file).matchAll(/\bADRs? (\d+(?:(?:, | and |, and )\d+)*)/g)]
      .flatMap(([, list = '']) => list.match(/\d+/g) ?? [])
      .filter((number) => !numbers.has(Number(number)))
      .map((number) => `${file}: ADR ${number}`),
  )
  expect(missing).toEqual([])
})
