import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/child.ts'
import { guards, unobservable } from './guards.ts'
import {
  applyEdits,
  type Edit,
  findDefinitions,
  findGuard,
  GuardNotFound,
  MIGRATIONS,
  type Target,
} from './remove-guard.ts'

const all = Object.values(guards).flat()

/** Finding a guard takes long, so each is searched for once. */
const found = new Map<Target, Edit[]>()
function find(target: Target): Edit[] {
  const edits = found.get(target) ?? findGuard(root, target)
  found.set(target, edits)
  return edits
}

test.each(all)(
  '$guard: found in the source, and its test file exists',
  ({ remove, also = [], noticedBy }) => {
    for (const target of [remove, ...also]) expect(find(target)).not.toEqual([])
    expect(existsSync(join(root, noticedBy)), noticedBy).toBe(true)
  },
)

test('no two guards have the same description', () => {
  const descriptions = all.map(({ guard }) => guard)
  expect(descriptions.filter((it, at) => descriptions.indexOf(it) !== at)).toEqual([])
})

/** Patterns of code that locks a row or makes something happen only once. */
const GUARDS: [files: string, patterns: RegExp[]][] = [
  [
    'server/src/**/!(*.test).ts',
    [/\.for\(/g, /pg_advisory_(xact_)?lock/g, /on conflict|onConflict/g, /(?<!function )idempotencyKey\(/g],
  ],
  [MIGRATIONS, [/\bunique\b/gi, /create (constraint )?trigger/gi]],
]

test('every lock, unique key, on-conflict clause, trigger and idempotency key is listed', () => {
  const targets: Target[] = [
    ...all.flatMap(({ remove, also = [] }) => [remove, ...also]),
    ...unobservable.map(({ target }) => target),
  ]
  const listed: Edit[] = targets.flatMap((target) => [...find(target), ...findDefinitions(root, target)])
  const missingIn = (file: string, patterns: RegExp[]) => {
    const text = readFileSync(join(root, file), 'utf8')
    const isListed = (at: number) =>
      listed.some((edit) => edit.file === file && edit.start <= at && at < edit.end)
    return patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .filter(({ index }) => !isListed(index))
      .map(
        ({ index }) =>
          `${file}:${text.slice(0, index).split('\n').length}: ${text.slice(index).split('\n', 1)}`,
      )
  }
  const missing = GUARDS.flatMap(([files, patterns]) =>
    globSync(files, { cwd: root }).flatMap((file) => missingIn(file, patterns)),
  )
  expect(missing).toEqual([])
})

test('a guard that is not in the source is reported', () => {
  const file = 'server/src/database/migrate.ts'
  expect(() => findGuard(root, { file, function: 'lockNothing', call: 'for' })).toThrow(GuardNotFound)
  expect(() => findGuard(root, { file, function: 'migrate', call: 'for' })).toThrow(GuardNotFound)
  expect(() => findGuard(root, { trigger: 'no_such_trigger' })).toThrow(GuardNotFound)
})

test('several edits of one file are made at the right places', () => {
  const edits = [
    { start: 0, end: 1, replacement: '' },
    { start: 2, end: 3, replacement: 'xyz' },
  ]
  expect(applyEdits('abcd', edits)).toBe('bxyzd')
})
