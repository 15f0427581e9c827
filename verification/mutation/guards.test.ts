import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/child.ts'
import { type Edit, type Guard, without } from './guard.ts'
import { guardsByKind } from './list.ts'
import { noGuards } from './no-guards.ts'

/** Test files have distinct names, so that a name alone finds one. */
const testFiles = globSync('{server/src,verification}/**/*.test.ts', { cwd: root })
function testFile(name: string): string {
  const [file, ...others] = testFiles.filter((path) => basename(path) === name)
  if (!file || others.length > 0) throw new Error(`${name} is not the name of one test file`)
  return readFileSync(join(root, file), 'utf8')
}

const all: Guard[] = Object.values(guardsByKind).flat()

test.each(all.map((guard) => [guard.what, guard] as const))(
  '%s: it can be taken away, and there is a test for it',
  (_, { edits, noticedBy }) => {
    const texts = new Map<string, string>()
    for (const edit of edits) {
      const text = texts.get(edit.file) ?? readFileSync(join(root, edit.file), 'utf8')
      const changed = without(text, edit)
      expect(changed).not.toBe(text)
      texts.set(edit.file, changed)
    }
    expect(testFile(noticedBy.file)).toContain(noticedBy.test)
  },
)

test('no guard has the words of another', () => {
  expect(new Set(all.map(({ what }) => what)).size).toBe(all.length)
})

/** What makes somebody wait, or lets something be there once. */
const LOOKS_LIKE_A_GUARD: [files: string, patterns: RegExp[]][] = [
  ['server/src/**/*.ts', [/\.for\(/g, /pg_advisory_(xact_)?lock/g, /on conflict|onConflict/g, /keyed\('/g]],
  ['server/migrations/*.sql', [/\bunique\b/gi, /create (constraint )?trigger/gi]],
]

test('every lock, every key and every trigger is on the list, or is said to be no guard', () => {
  const known = [
    ...all.flatMap(({ edits }) => edits.map(({ file, take }) => ({ file, text: take }))),
    ...noGuards,
  ]
  const forgottenIn = (file: string, patterns: RegExp[]) => {
    const text = readFileSync(join(root, file), 'utf8')
    const places = known
      .filter((it) => it.file === file)
      .map((it) => ({ from: text.indexOf(it.text), length: it.text.length }))
    return patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .filter(({ index }) => !places.some(({ from, length }) => from <= index && index < from + length))
      .map(({ index }) => `${file}: ${text.slice(index).split('\n', 1)}`)
  }
  const forgotten = LOOKS_LIKE_A_GUARD.flatMap(([files, patterns]) =>
    globSync(files, { cwd: root }).flatMap((file) => forgottenIn(file, patterns)),
  )
  expect(forgotten).toEqual([])
})

test.each(noGuards)('$file has what is no guard: $text', ({ file, text }) => {
  expect(readFileSync(join(root, file), 'utf8').split(text)).toHaveLength(2)
})

test('what is there twice, or not at all, is not taken away', () => {
  const edit: Edit = { file: 'a.ts', take: 'lock()', put: '' }
  expect(without('begin lock() end', edit)).toBe('begin  end')
  expect(() => without('begin end', edit)).toThrow('a.ts has nowhere')
  expect(() => without('lock() lock()', edit)).toThrow('a.ts has 2 times')
})
