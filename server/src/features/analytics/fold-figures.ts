import type { Services } from '../../platform/services.ts'
import { foldChanges, lockFigures, needsRecount, recountFigures } from './queries.ts'

/**
 * Adds the changes that triggers have recorded to the figures (ADR 84). After the migration, or when an operator asks
 * for it, everything is counted anew.
 */
export async function foldFigures({ database }: Pick<Services, 'database'>): Promise<void> {
  await database.transact(async (tx) => {
    if (!(await lockFigures(tx))) return
    if (await needsRecount(tx)) await recountFigures(tx)
    else await foldChanges(tx)
  })
}
