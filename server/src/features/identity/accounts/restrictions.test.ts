import { expect, test } from 'vitest'
import { shareWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }
const DAY_MS = 86_400_000
const shared = shareWorld()

test('restricted users cannot start anything new, but continue what they have started', async () => {
  const { sql, signUp, advanceClock } = shared()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  const post = async (who: typeof ada) => (await who.call('POST /api/wanted-items', lamp)).json().id
  const [known, unknown] = [await post(ada), await post(ada)]
  const own = await post(bob)
  const write = (wantedItemId: number) =>
    bob.call('POST /api/messages', { content: 'Hello', wantedItemId, receiverId: ada.id })
  const offer = (wantedItemId: number) =>
    bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount: 4_000 })
  await write(known)
  await sql.query(`update users set restricted_until = now() + interval '7 days' where id = $1`, [bob.id])

  const refused = [
    await bob.call('POST /api/wanted-items', lamp),
    await bob.call(`POST /api/wanted-items/${own}/renew`),
    await bob.call(`POST /api/wanted-items/${own}/reopen`),
    await offer(known),
    await offer(unknown),
    await write(unknown),
  ]
  expect(refused.map((reply) => [reply.statusCode, reply.json().code])).toEqual(
    refused.map(() => [403, 'restricted']),
  )
  expect((await write(known)).statusCode).toBe(201)
  expect((await bob.call(`PUT /api/wanted-items/${own}`, { ...lamp, title: 'Lamps' })).statusCode).toBe(200)
  expect((await bob.call(`POST /api/wanted-items/${own}/close`)).statusCode).toBe(200)
  expect((await bob.call(`POST /api/wanted-items/${own}/reopen`)).json().code).toBe('restricted')

  advanceClock(7 * DAY_MS)
  expect((await bob.call(`POST /api/wanted-items/${own}/reopen`)).statusCode).toBe(200)
  expect((await offer(unknown)).statusCode).toBe(201)
})
