import { parse } from 'libpg-query'

/*
 * Refuses statements that would stop a running market (ADR 76): those that lock or rewrite a large table, and those
 * that break the previous release, which still runs while the new one starts.
 */

/** The fields of PostgreSQL's parse tree that are used here. Each kind of node has some of them. */
interface Node {
  relation: { relname: string }
  cmds?: { AlterTableCmd: Node }[]
  subtype: string
  name: string
  def?: { ColumnDef: Node; Constraint: Node }
  colname: string
  typeName: object
  constraints?: { Constraint: Node }[]
  contype: string
  conname?: string
  skip_validation?: boolean
  indexname?: string
  raw_expr?: Node
  arg: Node
  funcname: { String: { sval: string } }[]
  concurrent?: boolean
  removeType: string
  objects: object[]
  renameType: string
  subname?: string
}

/** The rows of these are never changed or locked otherwise, so changing them makes nobody wait. */
const APPEND_ONLY_TABLES = ['ledger_entries']

/** Migrations that may do what the lint otherwise refuses, because an ADR says why. */
const ALLOWED_BY_NAME: Record<string, 'rewrites a table' | 'changes rows'> = {
  // Only rows of deals in another currency than the deployment's (ADR 101).
  '20261120020100_fill_currencies': 'changes rows',
  // Amounts of some currencies do not fit into an integer (ADR 101).
  '20261120020200_widen_offers': 'rewrites a table',
  '20261120020201_widen_payments': 'rewrites a table',
  '20261120020202_widen_payouts': 'rewrites a table',
  '20261120020203_widen_debts': 'rewrites a table',
  '20261120020204_widen_refunds': 'rewrites a table',
  '20261120020205_widen_provider_facts': 'rewrites a table',
  '20261120020206_widen_notifications': 'rewrites a table',
}

/** Tables with a few rows. */
const SMALL_TABLES = ['admins', 'installation', 'push_keys', 'reconciliations', 'job_workers']

interface Migration {
  /** Without `.sql`. */
  name?: string
  sql: string
  /** The version of the release that contains the migration. */
  version: string
}

/** Returns the problems of a migration. */
export async function lintMigration({ name = '', sql, version }: Migration): Promise<string[]> {
  const { stmts } = (await parse(sql)) as { stmts?: { stmt: Node }[] }
  const statements = (stmts ?? []).map(({ stmt }) => Object.entries(stmt)[0] as [string, Node])
  const created = statements.flatMap(([kind, node]) => (kind === 'CreateStmt' ? [node.relation.relname] : []))
  const rules = rulesFor({
    isNew: (table) => created.includes(table),
    isUnused: isUnusedBefore(sql, version),
    allowed: ALLOWED_BY_NAME[name],
    statements,
  })
  return statements.flatMap(([kind, node]) => rules[kind]?.(node) ?? [])
}

/** Whether the migration names an earlier release that stopped using what it removes: `-- unused since 1.2.0`. */
function isUnusedBefore(sql: string, version: string): boolean {
  const [, since] = sql.match(/^-- unused since (\d+\.\d+\.\d+)$/m) ?? []
  return since !== undefined && since.localeCompare(version, 'en', { numeric: true }) < 0
}

interface Context {
  /** Tables that the migration itself creates are not in use yet. */
  isNew(table: string): boolean
  isUnused: boolean
  allowed: (typeof ALLOWED_BY_NAME)[string] | undefined
  statements: [string, Node][]
}

type Rules = Record<string, (node: Node) => string[]>

function rulesFor(context: Context): Rules {
  const { isNew, isUnused, allowed, statements } = context
  const isLarge = (table: string) => !isNew(table) && !SMALL_TABLES.includes(table)
  const ifLarge = (problem: string) => (node: Node) =>
    isLarge(node.relation.relname) ? [`${node.relation.relname}: ${problem}`] : []
  const always = (problem: string) => () => [problem]
  const unlessUnused = (what: string) =>
    isUnused
      ? []
      : [`${what} while the previous release uses it; a later release says "-- unused since VERSION"`]

  return {
    AlterTableStmt(node) {
      const table = node.relation.relname
      if (isNew(table)) return []
      const commands = (node.cmds ?? []).map(({ AlterTableCmd }) => AlterTableCmd)
      return commands
        .flatMap((command) =>
          lintCommand(command, table, { ...context, isLarge: isLarge(table), unlessUnused }),
        )
        .map((problem) => `${table}: ${problem}`)
    },
    IndexStmt(node) {
      if (!node.concurrent) return ifLarge('create the index concurrently')(node)
      return statements.length > 1 ? ['a concurrent index needs a migration of its own'] : []
    },
    DropStmt({ removeType, concurrent, objects }) {
      if (removeType === 'OBJECT_INDEX') {
        if (!concurrent) return ['drop the index concurrently']
        return statements.length > 1 ? ['a concurrent index needs a migration of its own'] : []
      }
      if (['OBJECT_TRIGGER', 'OBJECT_POLICY', 'OBJECT_RULE'].includes(removeType)) return []
      return unlessUnused(`drops ${JSON.stringify(objects).match(/"sval":"(\w+)"/)?.[1] ?? 'something'}`)
    },
    RenameStmt({ renameType, subname, relation }) {
      if (['OBJECT_INDEX', 'OBJECT_TABCONSTRAINT', 'OBJECT_TRIGGER'].includes(renameType)) return []
      return [
        `${relation.relname}: renames ${subname ?? 'the table'} while the previous release uses it; add a new one and copy`,
      ]
    },
    UpdateStmt: (node) =>
      APPEND_ONLY_TABLES.includes(node.relation.relname) || allowed === 'changes rows'
        ? []
        : ifLarge('change rows in batches, in a job')(node),
    DeleteStmt: ifLarge('delete rows in batches, in a job'),
    TruncateStmt: always('truncate waits for every reader'),
    LockStmt: always('locks a whole table'),
    VacuumStmt: always('vacuum cannot be in a migration'),
    ClusterStmt: always('cluster rewrites the table'),
    ReindexStmt: always('reindex locks the table'),
    DoStmt: always('a do block cannot be checked'),
  }
}

interface CommandContext extends Omit<Context, 'isLarge'> {
  isLarge: boolean
  unlessUnused(what: string): string[]
}

function lintCommand({ subtype, name, def }: Node, table: string, context: CommandContext): string[] {
  const { isLarge, allowed, unlessUnused } = context
  switch (subtype) {
    case 'AT_AddColumn':
      return def ? lintColumn(def.ColumnDef, isLarge) : []
    case 'AT_AddConstraint':
      return def && isLarge ? lintConstraint(def.Constraint) : []
    case 'AT_ValidateConstraint':
      // The other statement's lock would be held until all rows are checked.
      return context.statements.length > 1 ? [`validate ${name} in a migration of its own`] : []
    case 'AT_SetNotNull':
      return isLarge && !context.statements.some(([, node]) => dropsCheck(node, `${table}_${name}_not_null`))
        ? [
            `set ${name} not null only with a validated check ${table}_${name}_not_null, and drop that in the same migration`,
          ]
        : []
    case 'AT_AlterColumnType':
      return isLarge && allowed !== 'rewrites a table'
        ? [`changing the type of ${name} may rewrite the table; add a column and copy`]
        : []
    case 'AT_ColumnDefault':
      return def ? [] : unlessUnused(`drops the default of ${name}`)
    case 'AT_DropColumn':
      return unlessUnused(`drops ${name}`)
    case 'AT_SetTableSpace':
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
    case 'AT_SetAccessMethod':
      return ['rewrites the table']
    default:
      return []
  }
}

/** Only an existing check can be dropped, so this shows that an earlier migration added it. */
function dropsCheck({ cmds = [] }: Node, constraint: string): boolean {
  return cmds.some(
    ({ AlterTableCmd: { subtype, name } }) => subtype === 'AT_DropConstraint' && name === constraint,
  )
}

function lintColumn({ colname, typeName, constraints = [] }: Node, isLarge: boolean): string[] {
  const found = constraints.map(({ Constraint }) => Constraint)
  const has = (type: string) => found.some(({ contype }) => contype === type)
  const value = found.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
  const problems: string[] = []
  if (has('CONSTR_NOTNULL') && !value)
    problems.push(`${colname} is not null without a default, but the previous release does not write it`)
  if (!isLarge) return problems
  if (value && !isConstant(value)) problems.push(`the default of ${colname} may rewrite the table`)
  if (has('CONSTR_GENERATED') || has('CONSTR_IDENTITY') || /serial/.test(JSON.stringify(typeName)))
    problems.push(`computing ${colname} rewrites the table`)
  if (has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY'))
    problems.push(`make ${colname} unique with a concurrent index`)
  if (has('CONSTR_CHECK') || has('CONSTR_FOREIGN'))
    problems.push(`add the constraint on ${colname} as not valid, and validate it in the next migration`)
  return problems
}

function lintConstraint({ contype, conname, skip_validation: isNotValid, indexname }: Node): string[] {
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN')
    return isNotValid ? [] : [`add ${conname} as not valid, and validate it in the next migration`]
  return indexname ? [] : [`add ${conname} with an index that was built concurrently`]
}

/** PostgreSQL calls these once for all rows. */
const STABLE_FUNCTIONS = ['now', 'deployment_currency']

/** PostgreSQL stores such a default once instead of in every row. */
function isConstant(value: Node): boolean {
  const [kind, node] = Object.entries(value)[0] as [string, Node]
  if (kind === 'TypeCast') return isConstant(node.arg)
  if (kind === 'FuncCall') return STABLE_FUNCTIONS.includes(node.funcname.at(-1)?.String.sval ?? '')
  return kind === 'A_Const' || kind === 'SQLValueFunction'
}
