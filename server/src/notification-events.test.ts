import { globSync, readFileSync } from 'node:fs'
import { NOTIFICATION_KINDS } from '@sought/contract/notification-kinds'
import { expect, test } from 'vitest'
import { findNotifications } from './features/notifications/queries.ts'
import { definitions } from './notification-events.ts'
import { shareWorld } from './testing/world.ts'

const world = shareWorld()
const all: object[] = definitions.flatMap((file) => Object.values(file))

test('every definition is listed', async () => {
  const files = globSync(`${import.meta.dirname}/features/**/!(*.test).ts`).filter((file) =>
    /= define(Notification|AccountEmail|VisitorEmail)\(/.test(readFileSync(file, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) expect(all).toEqual(expect.arrayContaining(Object.values(await import(file))))
})

test('every kind has an event', () => {
  const kinds = all.flatMap((it) => ('event' in it && 'kind' in it ? [String(it.kind)] : []))
  expect([...new Set(kinds)].toSorted()).toEqual(NOTIFICATION_KINDS.toSorted())
})

test('a stored event without a definition is an error', async () => {
  const { services, signUp, sql } = world()
  const { id } = await signUp('Ada')
  await sql.query(
    "insert into notifications (user_id, kind, key) values ($1, 'payment_held', 'payment_lost:1')",
    [id],
  )
  const { read } = services.database
  const rows = await findNotifications(read, id, { limit: 1 })
  await expect(services.notifications.describe(read, rows)).rejects.toThrow('payment_lost')
})
