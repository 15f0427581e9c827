import { sql } from 'drizzle-orm'
import { wantedItems } from '../../../database/schema.ts'

/** Shown instead of the title of a hidden request, for example in a deal about it. */
export const HIDDEN_TITLE = 'Removed request'

/** The title that everyone may see. */
export const shownTitle = sql<string>`case when ${wantedItems.hiddenAt} is null then ${wantedItems.title} else ${sql.raw(`'${HIDDEN_TITLE}'`)} end`
