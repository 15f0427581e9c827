import { expect, test } from 'vitest'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { updateResponseTimes } from './response-times.ts'

const world = shareWorld()

test('the median time to the first answer of the last 90 days is saved', async () => {
  const { signUp, sql, services, advanceClock } = world()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
  const ask = async (minutes: number | null) => {
    const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
    const send = async (from: Person, to: Person, afterMinutes: number) => {
      const message = { wantedItemId: id, receiverId: to.id, content: 'Hello' }
      const { id: messageId } = (await from.call('POST /api/messages', message)).json()
      await sql.query(
        `update messages set created_at = created_at + make_interval(mins => $1) where id = $2`,
        [afterMinutes, messageId],
      )
    }
    await send(bob, ada, 0)
    await send(bob, ada, 1)
    if (minutes !== null) await send(ada, bob, minutes)
    if (minutes !== null) await send(ada, bob, minutes + 500)
  }
  const saved = async () => {
    await updateResponseTimes(services)
    const { rows } = await sql.query(
      'select first_name, response_minutes from users where id = any($1) order by first_name',
      [[ada.id, bob.id]],
    )
    return rows.map((row) => row.response_minutes)
  }
  await ask(10)
  await ask(300)
  await ask(null)
  expect(await saved()).toEqual([null, null])
  await ask(20)
  // Rounded up from the milliseconds between the calls. Bob started all conversations, so his time is
  // unknown.
  const [minutes, ofBob] = await saved()
  expect([20, 21]).toContain(minutes)
  expect(ofBob).toBeNull()
  advanceClock(91 * 86_400_000)
  expect(await saved()).toEqual([null, null])
})
