import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { drizzleOn } from './database.ts'
import { deleteRows, findRow, updateRows } from './rows.ts'
import { users } from './schema.ts'

describe('a statement about rows', () => {
  // Never connects, because the statements are refused before they are sent.
  const db = drizzleOn(new pg.Pool())

  test('is refused without a condition', async () => {
    await expect(deleteRows(db, users, {})).rejects.toThrow('at least one condition')
  })

  test('is refused if a value is undefined', async () => {
    await expect(updateRows(db, users, { id: undefined }, { bio: '' })).rejects.toThrow('the column id')
    await expect(findRow(db, users, { id: 'ada', email: undefined })).rejects.toThrow('the column email')
  })
})
