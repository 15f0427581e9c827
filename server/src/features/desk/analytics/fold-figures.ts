import type { Services } from '../../../services.ts'
import { foldChanges, lockFigures, needsRecount, recountFigures } from './queries.ts'

/**
 * Adds the changes recorded by triggers to the figures (ADR 84). After the migration, or at an operator's
 * request, counts everything again.
 */
export async function foldFigures({ database }: Pick<Services, 'database'>): Promise<void> {
  await database.transact(async (tx) => {
    if (!(await lockFigures(tx))) return
    if (await needsRecount(tx)) await recountFigures(tx)
    else await foldChanges(tx)
  })
}
