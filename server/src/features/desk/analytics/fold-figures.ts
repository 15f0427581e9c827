import type { Services } from '../../../services.ts'
import * as queries from './queries.ts'

/**
 * Adds the changes recorded by triggers to the figures (ADR 84). After the migration, or at an operator's
 * request, counts everything again.
 */
export async function foldFigures({ database }: Pick<Services, 'database'>): Promise<void> {
  await database.transact(async (tx) => {
    if (!(await queries.lockFigures(tx))) return
    if (await queries.needsRecount(tx)) await queries.recountFigures(tx)
    else await queries.foldChanges(tx)
  })
}
