import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNode, type Node, nameOf, nodesIn, parseNodes } from './syntax-tree.ts'

/*
 * Removes a guard from the source by name, independent of formatting and surrounding code: in TypeScript by the
 * function that contains it, in the migrations by the name of the index, trigger, constraint or table.
 */

/** The part of a function to remove. */
type Part =
  /** A method of a chain such as `.for('update')`, or an argument such as `idempotencyKey(…)`. */
  | { call: string }
  /** A property of an object, such as `skipLocked`. */
  | { property: string }
  /** The operand of `and(…)`, or the argument of `.where(…)`, that contains this text. */
  | { condition: string }
  /** The statement that contains this text. */
  | { statement: string }
  /** The clause of an SQL text that begins with these words, to the end of its line. */
  | { sql: string }
  /** Words of an SQL text, which are replaced by others. */
  | { words: string; become: string }
  /** A string, which becomes undefined. */
  | { literal: string }
  /** A variable in a template literal, which becomes 0. */
  | { variable: string }

export type Target =
  /** `function` may also be a constant or a method. */
  | ({ file: string; function: string } & Part)
  | { uniqueIndex: string }
  | { trigger: string }
  | { constraint: string }
  | { primaryKeyOf: string }

/** A file of the project, and the characters to replace in it. */
export interface Edit {
  file: string
  start: number
  end: number
  replacement: string
}

/** Thrown if the source does not contain the named guard, or contains it more than once. */
export class GuardNotFound extends Error {}

/** Finds the guard below a folder that holds the project. Throws GuardNotFound if the source has changed. */
export function findGuard(root: string, target: Target): Edit[] {
  if (!('file' in target)) {
    const last = findDefinitions(root, target).at(-1)
    if (!last) throw new GuardNotFound(`no migration has the ${Object.entries(target).flat().join(' ')}`)
    return [last]
  }
  const text = readFileSync(join(root, target.file), 'utf8')
  const scope = findFunction(text, target)
  const spans = findPart(text, scope, target)
  if (spans.length === 0)
    throw new GuardNotFound(`${target.function} in ${target.file} has no ${describe(target)}`)
  return spans.map((span) => ({ file: target.file, ...span }))
}

export function applyEdits(text: string, edits: readonly Omit<Edit, 'file'>[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (result, { start, end, replacement }) => result.slice(0, start) + replacement + result.slice(end),
      text,
    )
}

const describe = ({ file: _file, function: _function, ...part }: Extract<Target, { file: string }>) =>
  Object.entries(part)
    .map(([kind, text]) => `${kind} ${JSON.stringify(text)}`)
    .join()

function findFunction(text: string, { file, function: name }: { file: string; function: string }): Node {
  const named = parseNodes(text).filter(
    ({ type, id, key }) => !type.startsWith('TS') && nameOf(id ?? key) === name,
  )
  const functions = named.filter(({ type, init, value }) =>
    [type, ...[init, value].filter(isNode).map((part) => part.type)].some((it) => /Function|Method/.test(it)),
  )
  const [found, ...others] = functions.length > 0 ? functions : named
  if (!found || others.length > 0) {
    throw new GuardNotFound(`${file} has ${found ? 'more than one' : 'no'} function ${name}`)
  }
  return found
}

type Span = Omit<Edit, 'file'>

function findPart(text: string, scope: Node, part: Part): Span[] {
  const nodes = [...nodesIn(scope)]
  const sourceOf = ({ start, end }: Node) => text.slice(start, end)
  const remove = ({ start, end }: Node, replacement = ''): Span => ({ start, end, replacement })
  if ('call' in part) {
    return nodes
      .filter(({ type }) => type === 'CallExpression')
      .flatMap((node) => {
        const callee = node.callee as Node
        if (nameOf(callee) === part.call) return [remove(node, 'undefined')]
        if (nameOf(callee.property) !== part.call) return []
        // Removes the end of a chain, and keeps the object it is called on.
        return [{ start: (callee.object as Node).end, end: node.end, replacement: '' }]
      })
  }
  if ('property' in part) {
    return nodes
      .filter(({ type, key }) => type === 'ObjectProperty' && nameOf(key) === part.property)
      .map((node) => ({
        start: node.start,
        end: node.end + (text[node.end] === ',' ? 1 : 0),
        replacement: '',
      }))
  }
  if ('condition' in part) {
    const operands = nodes
      .filter(({ type, callee }) => type === 'CallExpression' && isCondition(callee as Node))
      .flatMap((node) => node.arguments as Node[])
      .filter((operand) => sourceOf(operand).includes(part.condition))
    return smallest(operands).map((node) => remove(node, 'undefined'))
  }
  if ('statement' in part) {
    const statements = nodes.filter(
      (node) => /Statement|VariableDeclaration/.test(node.type) && node !== scope,
    )
    return smallest(statements.filter((node) => sourceOf(node).includes(part.statement))).map((node) =>
      remove(node, ';'),
    )
  }
  if ('sql' in part || 'words' in part) {
    const words = 'sql' in part ? part.sql : part.words
    return nodes
      .filter((node) => node.type === 'TemplateElement' && sourceOf(node).includes(words))
      .map((node) => {
        const start = node.start + sourceOf(node).indexOf(words)
        const [clause = ''] = text.slice(start, node.end).split('\n', 1)
        return 'sql' in part
          ? { start, end: start + clause.length, replacement: '' }
          : { start, end: start + words.length, replacement: part.become }
      })
  }
  if ('variable' in part) {
    return nodes
      .filter(({ type }) => type === 'TemplateLiteral')
      .flatMap(({ expressions }) => expressions as Node[])
      .filter((expression) => nameOf(expression) === part.variable)
      .map((expression) => remove(expression, '0'))
  }
  return nodes
    .filter(({ type, value }) => type === 'StringLiteral' && value === part.literal)
    .map((node) => remove(node, 'undefined'))
}

const isCondition = (callee: Node) => nameOf(callee) === 'and' || nameOf(callee.property) === 'where'

/** The nodes that contain none of the others. */
const smallest = (nodes: Node[]) =>
  nodes.filter(
    (node) => !nodes.some((other) => other !== node && node.start <= other.start && other.end <= node.end),
  )

export const MIGRATIONS = 'server/migrations/*.sql'

/** The definitions of a guard in the migrations. A later one replaces those of earlier migrations. */
export function findDefinitions(root: string, target: Target): Edit[] {
  if ('file' in target) return []
  const { pattern, replace } = migrationPart(target)
  return globSync(MIGRATIONS, { cwd: root })
    .toSorted((one, other) => one.localeCompare(other))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(({ index: start, 0: text }) => ({
        file,
        start,
        end: start + text.length,
        replacement: replace(text),
      })),
    )
}

interface MigrationPart {
  pattern: RegExp
  replace(found: string): string
}

function migrationPart(target: Exclude<Target, { file: string }>): MigrationPart {
  if ('uniqueIndex' in target) {
    const pattern = new RegExp(`create unique index (concurrently )?${target.uniqueIndex}\\b`, 'gi')
    return { pattern, replace: (found) => found.replace(/ unique/i, '') }
  }
  if ('trigger' in target) {
    const pattern = new RegExp(`create (constraint )?trigger ${target.trigger}\\b[^;]*;`, 'gi')
    return { pattern, replace: () => 'select 1;' }
  }
  if ('primaryKeyOf' in target) {
    const pattern = new RegExp(`create table ${target.primaryKeyOf} \\([^;]*? primary key`, 'gi')
    return { pattern, replace: (found) => found.replace(/ primary key$/i, '') }
  }
  // The definition ends before the next line that is not indented more deeply.
  const pattern = new RegExp(`(?<!drop )constraint ${target.constraint} .*?(?=,?\\n {0,2}\\S|;)`, 'gis')
  return { pattern, replace: () => `constraint ${target.constraint} check (true)` }
}
