import { sql } from 'drizzle-orm'
import { offerRequests, wantedItems } from '../../../database/schema.ts'

/** Shown instead of the title of a hidden request, for example in a deal about it. */
export const HIDDEN_TITLE = 'Removed request'

/** The title of a deal that everyone may see. */
export const shownTitle = sql<string>`case when ${wantedItems.hiddenAt} is null then ${offerRequests.title} else ${sql.raw(`'${HIDDEN_TITLE}'`)} end`
