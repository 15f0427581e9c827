import { expect, test } from 'vitest'
import { openWorld } from './world.ts'

test('offers are seen by the two people they concern, and by nobody else', async () => {
  const { signUp, sql, visitor } = await openWorld()
  const [ada, bob, eve] = [await signUp('Ada'), await signUp('Bob'), await signUp('Eve')]
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await sql.query(
    `insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
     values ($1, $2, $3, 4500, now() + interval '7 days')`,
    [id, ada.id, bob.id],
  )
  const [offer] = (await ada.call('GET /api/offers')).json()
  expect(offer).toMatchObject({
    wantedItemId: id,
    amount: 4500,
    status: 'pending',
    buyer: { name: 'Ada Tester' },
    seller: { name: 'Bob Tester' },
  })
  expect((await bob.call('GET /api/offers')).json()).toEqual([offer])
  expect((await eve.call('GET /api/offers')).json()).toEqual([])
  expect((await visitor('GET /api/offers')).statusCode).toBe(401)
  expect(JSON.stringify(offer)).not.toContain('@example.com')
})
