import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'

const FILE_KINDS = ['request_image', 'avatar', 'evidence', 'photo', 'parcel', 'logo', 'export'] as const

/** Stored uploads. The id is random and is also the file name. */
export const files = pgTable('files', {
  id: text().primaryKey(),
  ownerId: text(),
  kind: text({ enum: FILE_KINDS }).notNull(),
  mimeType: text().notNull(),
  sizeBytes: integer().notNull(),
  /** Set for pictures of requests. */
  widthPixels: integer(),
  heightPixels: integer(),
  /** When moderators hid the file. */
  hiddenAt: moment(),
  /** Set until the virus scanner has found the file clean. Nobody can read it until then (ADR 109). */
  heldAt: moment(),
  /** What the scanner found in a held file. Its bytes are deleted. */
  infection: text(),
  createdAt: createdAt(),
})
