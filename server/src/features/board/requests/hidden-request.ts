import { sql } from 'drizzle-orm'
import { offerRequests, wantedItems } from '../../../database/schema.ts'

/** The title of a hidden request where something about it is still shown. */
export const HIDDEN_TITLE = 'Removed request'

/** The title of a deal that everyone may see. */
export const shownTitle = sql<string>`case when ${wantedItems.hiddenAt} is null then ${offerRequests.title} else ${sql.raw(`'${HIDDEN_TITLE}'`)} end`
