import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, moment, quoteAll } from './columns.ts'

const FILE_KINDS = ['request_image', 'avatar', 'evidence', 'photo', 'parcel', 'logo', 'export'] as const

/** Stored uploads. The id is random and is also the file name. */
export const files = pgTable(
  'files',
  {
    id: text().primaryKey(),
    ownerId: text().references(() => users.id, { onDelete: 'set null' }),
    kind: text({ enum: FILE_KINDS }).notNull(),
    mimeType: text().notNull(),
    sizeBytes: integer().notNull(),
    /** Set for pictures of requests. */
    widthPixels: integer(),
    heightPixels: integer(),
    /** When moderators hid the file. */
    hiddenAt: moment(),
    createdAt: createdAt(),
  },
  (it) => [
    index('files_owner').on(it.ownerId),
    check('files_kind', sql`${it.kind} in (${quoteAll(FILE_KINDS)})`),
    check('files_size', sql`${it.sizeBytes} > 0`),
  ],
)
