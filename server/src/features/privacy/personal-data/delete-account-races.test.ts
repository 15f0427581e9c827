import { STANDARD_HOLD } from '@sought/escrow/hold'
import { expect, test } from 'vitest'
import { actDuringChange, waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { openMoneyWorld } from '../../../testing/money-world.ts'
import { PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'
import { notifyOfMessage } from '../../deals/messages/actions.ts'
import { applyMove } from '../../money/payments/apply-move.ts'
import { lockPayment } from '../../money/payments/stored-payment.ts'

/*
 * Deletes an account while a request or an offer is being created, which must not stay open, or while money
 * arrives.
 */

const world = shareWorld({ RATE_LIMIT: 'off' })
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

/** The effect of the last step of an account deletion. */
const DELETE_USER = `with locked as (select id from users where id = $1 for update)
  update users set deleted_at = now(), email = null from locked where users.id = locked.id`

const deleteAccount = ({ call }: Person) => call('POST /api/user/delete-account', { password: PASSWORD })

async function postedBy({ call }: Person): Promise<number> {
  return (await call('POST /api/wanted-items', lamp)).json().id
}

const offerOn = (wantedItemId: number, receiver: Person, amount = 5_000) => ({
  wantedItemId,
  receiverId: receiver.id,
  amount,
})

test('deleted users cannot post requests', async () => {
  const { signUp, sql } = world()
  const eve = await signUp('Eve')
  const reply = await actDuringChange(sql, [DELETE_USER, eve.id], () =>
    eve.call('POST /api/wanted-items', lamp),
  )
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'signed_out'])
  expect((await sql.query('select from wanted_items where user_id = $1', [eve.id])).rowCount).toBe(0)
})

test('deleted users cannot reopen requests', async () => {
  const { signUp, sql } = world()
  const cid = await signUp('Cid')
  const itemId = await postedBy(cid)
  await cid.call(`POST /api/wanted-items/${itemId}/close`)
  const reply = await actDuringChange(sql, [DELETE_USER, cid.id], () =>
    cid.call(`POST /api/wanted-items/${itemId}/reopen`),
  )
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'signed_out'])
  const { rows } = await sql.query('select status from wanted_items where id = $1', [itemId])
  expect(rows).toEqual([{ status: 'closed' }])
})

test('deleted users can neither make nor receive offers', async () => {
  const { signUp, sql } = world()
  const [fay, gus, hal] = [await signUp('Fay'), await signUp('Gus'), await signUp('Hal')]
  const itemId = await postedBy(fay)
  const byGus = await actDuringChange(sql, [DELETE_USER, gus.id], () =>
    gus.call('POST /api/offers', offerOn(itemId, fay)),
  )
  expect([byGus.statusCode, byGus.json().code]).toEqual([401, 'signed_out'])
  const toFay = await actDuringChange(sql, [DELETE_USER, fay.id], () =>
    hal.call('POST /api/offers', offerOn(itemId, fay)),
  )
  expect([toFay.statusCode, toFay.json().code]).toEqual([409, 'item_not_open'])
  expect((await sql.query('select from offers where wanted_item_id = $1', [itemId])).rowCount).toBe(0)
})

test('deleted users cannot make counter-offers', async () => {
  const { signUp, sql } = world()
  const [ivy, jon] = [await signUp('Ivy'), await signUp('Jon')]
  const { id } = (await jon.call('POST /api/offers', offerOn(await postedBy(ivy), ivy))).json()
  const reply = await actDuringChange(sql, [DELETE_USER, ivy.id], () =>
    ivy.call(`POST /api/offers/${id}/counter`, { amount: 4_000 }),
  )
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'signed_out'])
  expect((await sql.query('select from offers where counter_of = $1', [id])).rowCount).toBe(0)
})

test('a request posted during the deletion is closed', async () => {
  const { signUp, sql } = world()
  const kim = await signUp('Kim')
  const posting = `insert into wanted_items (title, description, category, location, user_id)
    values ('Lamp', 'Green', 'Other', 'Ipoh', $1)`
  expect((await actDuringChange(sql, [posting, kim.id], () => deleteAccount(kim))).statusCode).toBe(200)
  const { rows } = await sql.query('select status from wanted_items where user_id = $1', [kim.id])
  expect(rows).toEqual([{ status: 'closed' }])
})

test('an offer made or received during the deletion is ended', async () => {
  const { signUp, sql } = world()
  const [leo, mia, ned] = [await signUp('Leo'), await signUp('Mia'), await signUp('Ned')]
  const itemId = await postedBy(leo)
  const offering = `insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
    values ($1, $2, $3, 5000, now() + interval '7 days')`
  const endedFor = async (seller: Person, deleted: Person) => {
    const reply = await actDuringChange(sql, [offering, itemId, leo.id, seller.id], () =>
      deleteAccount(deleted),
    )
    expect(reply.statusCode).toBe(200)
    const { rows } = await sql.query('select status from offers where seller_id = $1', [seller.id])
    return rows[0].status
  }
  expect(await endedFor(mia, mia)).toBe('withdrawn')
  expect(await endedFor(ned, leo)).toBe('rejected')
})

test('a payment held during the deletion keeps the account', async () => {
  const { given, signUp, sql, services } = world()
  const [oda, pia] = [await signUp('Oda'), await signUp('Pia')]
  const { paymentId } = await given.checkout({ buyer: oda, seller: pia })
  await sql.query("update wanted_items set image_url = 'https://example.com/lamp.jpg' where user_id = $1", [
    oda.id,
  ])
  const deletion = await services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, paymentId)
    if (!payment) throw new Error('the payment was given')
    await applyMove(tx, payment, {
      name: 'hold',
      actor: 'provider',
      charge: { chargedAt: tx.now, method: 'card', cardFingerprint: null, cardLast4: null },
      hold: STANDARD_HOLD,
      payoutWaitsUntil: null,
    })
    const reply = deleteAccount(oda)
    await waitUntilBlocked(sql)
    // Wrapped in an object, so that the transaction does not wait for the deletion.
    return { reply }
  })
  const reply = await deletion.reply
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'money_open'])
  const { rows } = await sql.query('select status, image_url from wanted_items where user_id = $1', [oda.id])
  expect(rows).toEqual([{ status: 'reserved', image_url: 'https://example.com/lamp.jpg' }])
})

test('a user deleted while the provider opens their payout account gets none', async () => {
  const { services, bob } = await openMoneyWorld()
  const { cards } = services
  if (!cards) throw new Error('this world has a provider')
  services.cards = {
    ...cards,
    async createAccount(seller) {
      const opened = await cards.createAccount(seller)
      expect((await deleteAccount(bob)).statusCode).toBe(200)
      return opened
    },
  }
  const reply = await bob.call('POST /api/seller/setup-stripe-connect', { country: 'US' })
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'signed_out'])
})

test('a notification during the deletion is not stored', async () => {
  const { signUp, sql, services } = world()
  const [uma, vic] = [await signUp('Uma'), await signUp('Vic')]
  const wantedItemId = await postedBy(uma)
  const message = { wantedItemId, senderId: vic.id, receiverId: uma.id }
  await sql.query(
    'insert into messages (wanted_item_id, sender_id, receiver_id, content) values ($1, $2, $3, $4)',
    [wantedItemId, vic.id, uma.id, 'Hello'],
  )
  await actDuringChange(sql, [DELETE_USER, uma.id], () =>
    services.database.transact((tx) => notifyOfMessage(tx, message)),
  )
  const { rowCount } = await sql.query('select from notifications where user_id = $1', [uma.id])
  expect(rowCount).toBe(0)
})
