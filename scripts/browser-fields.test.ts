import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { calls } from '../contract/src/calls.ts'
import { BROWSER_FIELDS } from '../web/browser-fields.ts'
import { root } from './child.ts'

/*
 * In tests and in development, the app has whole calls, so only this check finds code that needs more than the
 * build keeps.
 */

test('the web app reads only call fields that the build keeps', () => {
  const source = join(root, 'web/src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^testing/.test(file))
    .map((file) => [file, readFileSync(join(source, file), 'utf8')] as const)
  const found = files.flatMap(([file, code]) => findMissingFields(code).map((field) => `${file}: ${field}`))
  expect(files.length).toBeGreaterThan(200)
  expect(found).toEqual([])
})

test.each([
  ['listOffers.reply', `import { listOffers } from '@sought/contract/offers'; parse(listOffers.reply)`],
  [
    'rename.body',
    `import { renamePasskey as rename } from '@sought/contract/x'; <Form schema={rename.body} />`,
  ],
  [
    'listOffers.query',
    `import { listOffers } from '@sought/contract/offers'; const { query: it } = listOffers`,
  ],
  ['offers.listOffers.reply', `import * as offers from '@sought/contract/offers'; offers.listOffers.reply`],
  ['call.access', `const f = <C extends Call>(call: C) => call?.access`],
  ['it.refuses', `const g = (it: Call & { upload: object }) => it.refuses`],
  ['it[…]', `const h = <C extends Call>(it: C & { upload: object }, part: keyof C) => it[part]`],
  ['{ status }: Call', `const i = ({ status }: Call) => status`],
])('the check finds %s', (field, code) => {
  expect(findMissingFields(code)).toEqual([field])
})

test.each([
  `import { listOffers } from '@sought/contract/offers'; send(listOffers.path, input.body, response.reply)`,
  `const f = <C extends Call>(call: C, { path }: Call) => [call.method, call.upload.field, path]`,
  `import { Offer } from '@sought/contract/offers'; useContractForm(Offer.body)`,
])('the check finds nothing in %s', (code) => {
  expect(findMissingFields(code)).toEqual([])
})

interface Node {
  type: string
  [field: string]: unknown
}

/** Finds names of calls and variables of the type Call in a file, without regard to scopes. */
function findMissingFields(code: string): string[] {
  const nodes = flatten(parseSync('file.tsx', code).program)
  const ofType = (type: string) => nodes.filter((node) => node.type === type)
  const callTypes = new Set(['Call'])
  for (const { name, constraint } of ofType('TSTypeParameter'))
    if (mentions(constraint, callTypes)) callTypes.add((name as Node).name as string)
  const isCallType = ({ typeAnnotation }: Node) => mentions(typeAnnotation, callTypes)

  const names = new Set(['call'])
  for (const { imported, local } of ofType('ImportSpecifier'))
    if (((imported as Node).name as string) in calls) names.add((local as Node).name as string)
  for (const node of ofType('Identifier')) if (isCallType(node)) names.add(node.name as string)
  const isCall = (node: Node) => {
    const name = (node.type === 'MemberExpression' ? (node.property as Node) : node).name as string
    return node.type === 'MemberExpression' ? name in calls : node.type === 'Identifier' && names.has(name)
  }

  const textOf = (node: Node) => code.slice(node.start as number, node.end as number)
  const isKept = (key: Node) => BROWSER_FIELDS.includes(key.name as string)
  const reads = ofType('MemberExpression').filter(({ object }) => isCall(object as Node))
  const patterns = [
    ...ofType('ObjectPattern')
      .filter(isCallType)
      .map((pattern) => ({ pattern, of: null })),
    ...ofType('VariableDeclarator')
      .filter(({ id, init }) => (id as Node).type === 'ObjectPattern' && init && isCall(init as Node))
      .map(({ id, init }) => ({ pattern: id as Node, of: textOf(init as Node) })),
  ]
  return [
    ...reads
      .filter(({ property, computed }) => computed || !isKept(property as Node))
      .map(({ object, property, computed }) =>
        computed ? `${textOf(object as Node)}[…]` : `${textOf(object as Node)}.${textOf(property as Node)}`,
      ),
    ...patterns.flatMap(({ pattern, of }) =>
      (pattern.properties as Node[])
        .filter(({ type, key }) => type === 'Property' && !isKept(key as Node))
        .map(({ key }) => (of ? `${of}.${textOf(key as Node)}` : textOf(pattern))),
    ),
  ]
}

const flatten = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(flatten)
  if (typeof value !== 'object' || value === null) return []
  const children = Object.values(value).flatMap(flatten)
  return 'type' in value ? [value as Node, ...children] : children
}

/** Whether a type is one of these, alone or in an intersection. */
function mentions(type: unknown, names: ReadonlySet<string>): boolean {
  const { type: kind, typeAnnotation, types, typeName } = (type ?? {}) as Node
  if (kind === 'TSTypeAnnotation') return mentions(typeAnnotation, names)
  if (kind === 'TSIntersectionType') return (types as unknown[]).some((part) => mentions(part, names))
  return kind === 'TSTypeReference' && names.has((typeName as Node).name as string)
}
