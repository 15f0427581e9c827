import { type Node, nameOf, nodesIn, parseNodes } from './syntax-tree.ts'

/** The condition of a check that refuses something, or of one of its alternatives. */
export interface Condition {
  start: number
  end: number
}

/**
 * The conditions of `if (…) throw …`. In `if (a || b) throw …`, each of `a` and `b` refuses something. Assertions
 * such as `if (!inserted) throw new Error(…)` are ignored: the type checker needs them, and no test can make them
 * fail. The same applies to alternatives such as `a === null`, without which the next alternative could not use `a`.
 */
export function findRefusals(text: string): Condition[] {
  return parseNodes(text).flatMap((node) => {
    if (node.type !== 'IfStatement') return []
    const thrown = thrownBy(node.consequent as Node)
    const test = node.test as Node
    const alternatives = alternativesOf(test)
    if (!thrown || (isOurError(thrown) && alternatives.every(isForTypeChecker))) return []
    return [test, ...alternatives.filter((it) => it !== test && !isForTypeChecker(it))].map(
      ({ start, end }) => ({ start, end }),
    )
  })
}

/** What the statement throws, if that is all it does. */
function thrownBy(statement: Node): Node | undefined {
  const [first] = statement.type === 'BlockStatement' ? (statement.body as Node[]) : [statement]
  return first?.type === 'ThrowStatement' ? (first.argument as Node) : undefined
}

const isOurError = ({ type, callee }: Node) => type === 'NewExpression' && nameOf(callee) === 'Error'

const alternativesOf = (condition: Node): Node[] =>
  condition.type === 'LogicalExpression' && condition.operator === '||'
    ? [...alternativesOf(condition.left as Node), ...alternativesOf(condition.right as Node)]
    : [condition]

/** `!value`, `value === undefined`, `value === null` and `typeof value === 'string'`. */
function isForTypeChecker(condition: Node): boolean {
  if (condition.type === 'UnaryExpression') return isOperatorOnPath('!', condition)
  if (condition.type !== 'BinaryExpression' || condition.operator !== '===') return false
  const [left, right] = [condition.left as Node, condition.right as Node]
  return isOperatorOnPath('typeof', left) || (isPath(left) && isNothing(right))
}

const isOperatorOnPath = (operator: string, node: Node) =>
  node.type === 'UnaryExpression' && node.operator === operator && isPath(node.argument as Node)

const isNothing = (node: Node) => node.type === 'NullLiteral' || nameOf(node) === 'undefined'

/** A name such as `rows.first` or `rows[0]`. */
const isPath = (node: Node) =>
  [...nodesIn(node)].every(({ type }) =>
    /^(Optional)?(Identifier|MemberExpression|NumericLiteral)$/.test(type),
  )
