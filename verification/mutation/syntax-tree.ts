import { parse } from '@babel/parser'

/** The fields of a syntax tree that are used here. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

export function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child)
  }
}

export const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? node.name : undefined)

/** The nodes of the file that was parsed last, because callers search one file several times. */
let lastParsed: { text: string; nodes: Node[] } | undefined

export function parseNodes(text: string): Node[] {
  if (lastParsed?.text === text) return lastParsed.nodes
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] }) as unknown as {
    program: Node
  }
  lastParsed = { text, nodes: [...nodesIn(program)] }
  return lastParsed.nodes
}
