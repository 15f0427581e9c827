import { listStatements } from '@sought/contract/documents'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { formatMonth } from '../../format/dates.ts'
import { Badge } from '../../ui/display/badge.tsx'

/** The seller's monthly statements. Buyers have none, so nothing is shown until there is one. */
export function StatementList() {
  const { data: statements = [] } = useRead(listStatements)
  if (statements.length === 0) return null
  return (
    <section aria-labelledby="statements" className="mt-10">
      <h2 id="statements" className="mb-4 font-display font-strong text-title">
        Statements
      </h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {statements.map(({ month, draft }) => (
          <li key={month} className="flex items-center gap-2">
            <Link href={paths.statement(month)} className="link">
              {formatMonth(month)}
            </Link>
            {draft && <Badge tone="outline">Draft</Badge>}
          </li>
        ))}
      </ul>
    </section>
  )
}
