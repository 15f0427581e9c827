import { expect, test } from 'vitest'
import { openWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const DAY_MS = 86_400_000

test('only the owner sees views and contacts; bots, repeated loads and the owner are not counted', async () => {
  const { signUp, visitor, services, sql, advanceClock } = await openWorld()
  const [ada, bob, eve] = [await signUp('Ada'), await signUp('Bob'), await signUp('Eve')]
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const page = `GET /api/wanted-items/${id}`
  const readBy = (agent: string) => visitor(page, undefined, { headers: { 'user-agent': agent } })
  const ownNumbers = async () => {
    const [own] = (await ada.call('GET /api/user/requests')).json()
    const { views, contacts } = (await ada.call(page)).json()
    expect([own.views, own.contacts]).toEqual([views, contacts])
    return { views, contacts }
  }
  expect(await ownNumbers()).toEqual({ views: 0, contacts: 0 })

  for (const reply of [await readBy('Firefox'), await readBy('Firefox'), await bob.call(page)])
    expect(reply.json()).not.toHaveProperty('views')
  await readBy('Mozilla/5.0 (compatible; Googlebot/2.1)')
  await bob.call(page)
  expect(await ownNumbers()).toEqual({ views: 2, contacts: 0 })
  await services.views.write()
  expect(await ownNumbers()).toEqual({ views: 2, contacts: 0 })

  const wantedItemId = id
  await bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount: 4000 })
  for (const [from, to] of [
    [bob, ada],
    [eve, ada],
    [ada, eve],
  ] as const)
    await from.call('POST /api/messages', { wantedItemId, receiverId: to.id, content: 'Hello' })
  expect(await ownNumbers()).toEqual({ views: 2, contacts: 2 })

  advanceClock(DAY_MS)
  await readBy('Firefox')
  await services.views.write()
  const { rows } = await sql.query('select * from request_views')
  expect(rows).toEqual([{ wanted_item_id: id, count: 3 }])
})
