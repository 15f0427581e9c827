import type { PaymentStatus } from '@sought/escrow/payment-status'
import { expect, test } from 'vitest'
import { siteOf } from '../../../pages/page-head.ts'
import { openWorld, type Person, shareWorld } from '../../../testing/world.ts'
import { personPageHead } from './page-head.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const lamp = { description: 'Green', category: 'Other', location: 'Ipoh' }

async function rated(buyer: Person, seller: Person, rating: number, feedback?: string): Promise<number> {
  const { paymentId: id } = await world().given.completedDeal({
    buyer,
    seller,
    request: { title: `Thing of ${rating}` },
  })
  const reply = await buyer.call(`POST /api/payments/${id}/submit-rating`, { rating, feedback })
  expect(reply.statusCode).toBe(200)
  return id
}

/** Ends the blind period of the reviews of these deals. */
const publish = (...ids: number[]) =>
  world().sql.query("update payments set ended_at = now() - interval '14 days' where id = any($1)", [ids])

test('the public profile shows name, picture, bio, rating and join date, but nothing private', async () => {
  const { signUp, visitor, sql } = world()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  await sql.query(
    "update users set phone = '+44 999', bio = 'I sell lamps.', location = 'Here', profile_image_url = '/files/a.webp' where id = $1",
    [ada.id],
  )
  await rated(bob, ada, 4)
  await rated(bob, ada, 5)
  const reply = await visitor(`GET /api/users/${ada.id}`)
  const { memberSince, ...seen } = reply.json()
  expect(seen).toEqual({
    id: ada.id,
    name: 'Ada Tester',
    rating: 4.5,
    ratingCount: 2,
    cancelledDeals: 0,
    asBuyer: { rating: 0, count: 0 },
    asSeller: { rating: 4.5, count: 2 },
    deals: { completed: 2, cancelled: 0, lost: 0 },
    responseMinutes: null,
    badges: ['email'],
    selling: { keywords: [], categories: [] },
    bio: 'I sell lamps.',
    profileImageUrl: '/files/a.webp',
  })
  expect(Date.now() - Date.parse(memberSince)).toBeLessThan(60_000)
})

test('the public profile counts deals in both roles and shows verified facts', async () => {
  const { given, signUp, visitor, sql } = world()
  const [ann, ben] = [await signUp('Ann'), await signUp('Ben')]
  const deal = async (buyer: Person, seller: Person, status: PaymentStatus, changes = '') => {
    const { paymentId: id } = await given.payment({ buyer, seller, status })
    if (changes) await sql.query(`update payments set ${changes} where id = $1`, [id])
  }
  const cancelledBy = (who: string, late = false) =>
    `cancelled_by = '${who}', cancel_reason = 'Sold', cancelled_late = ${late}`
  await deal(ann, ben, 'completed')
  await deal(ben, ann, 'completed')
  await deal(ben, ann, 'completed', "bank_ruling = 'resolved_buyer'")
  await deal(ann, ben, 'resolved_seller')
  await deal(ann, ben, 'resolved_buyer')
  await deal(ann, ben, 'resolved_buyer', 'disputed_at = null')
  await deal(ann, ben, 'resolved_partial')
  await deal(ann, ben, 'refunded', cancelledBy('seller'))
  await deal(ann, ben, 'refunded', cancelledBy('clock', true))
  await deal(ann, ben, 'refunded', cancelledBy('buyer'))
  await deal(ann, ben, 'refunded', 'cancelled_by = null, cancel_reason = null')
  await deal(ann, ben, 'held_in_escrow')
  const profileOf = async ({ id }: Person) => (await visitor(`GET /api/users/${id}`)).json()
  expect(await profileOf(ann)).toMatchObject({
    deals: { completed: 3, cancelled: 1, lost: 2 },
    cancelledDeals: 0,
  })
  expect(await profileOf(ben)).toMatchObject({
    deals: { completed: 3, cancelled: 2, lost: 1 },
    cancelledDeals: 2,
    badges: ['email'],
  })
  await sql.query(
    `update users set email_verified_at = now(), phone = '+44 1', verified_phone = '+44 1', payouts_enabled = true,
       response_minutes = 12, bio = 'Hi', profile_image_url = '/files/a.webp' where id = $1`,
    [ben.id],
  )
  await sql.query("insert into totp_factors (user_id, secret, enabled_at) values ($1, 'x', now())", [ben.id])
  const verified = { badges: ['email', 'phone', 'payouts', 'second_factor'], responseMinutes: 12, bio: 'Hi' }
  expect(await profileOf(ben)).toMatchObject(verified)
  await sql.query("update users set phone = '+44 2', profile_hidden_at = now() where id = $1", [ben.id])
  await sql.query('update totp_factors set enabled_at = null where user_id = $1', [ben.id])
  expect(await profileOf(ben)).toMatchObject({
    badges: ['email', 'payouts'],
    bio: null,
    profileImageUrl: null,
  })
})

test('feedback is listed newest first, in pages, with the buyer’s name', async () => {
  const { given, signUp, visitor } = world()
  const [cal, dan] = [await signUp('Cal'), await signUp('Dan')]
  // The newest feedback is about the oldest payment.
  const { paymentId: oldest } = await given.completedDeal({
    buyer: dan,
    seller: cal,
    request: { title: 'Thing of 5' },
  })
  const payments = [oldest, await rated(dan, cal, 1, '<b>Bad</b>'), await rated(dan, cal, 3)]
  await dan.call(`POST /api/payments/${oldest}/submit-rating`, { rating: 5, feedback: 'Great' })
  expect((await visitor(`GET /api/users/${cal.id}/feedback`)).json()).toEqual([])
  await publish(...payments)
  const first = await visitor(`GET /api/users/${cal.id}/feedback?limit=2`)
  expect(first.json()).toMatchObject([
    {
      paymentId: payments[0],
      rating: 5,
      feedback: 'Great',
      itemTitle: 'Thing of 5',
      by: { name: 'Dan Tester' },
    },
    { paymentId: payments[2], rating: 3, feedback: null },
  ])
  expect(first.headers.link).toBe(`</api/users/${cal.id}/feedback?limit=2&cursor=${payments[2]}>; rel="next"`)
  const second = await visitor(`GET /api/users/${cal.id}/feedback?limit=2&cursor=${payments[2]}`)
  expect(second.json()).toMatchObject([{ paymentId: payments[1], rating: 1, feedback: '<b>Bad</b>' }])
  expect(second.headers.link).toBeUndefined()
  expect(first.body + second.body).not.toContain('@example.com')
  expect((await visitor(`GET /api/users/${dan.id}/feedback`)).json()).toEqual([])
})

test('only the user’s open requests are listed, newest first, in pages', async () => {
  const { signUp, visitor } = world()
  const [eve, fay] = [await signUp('Eve'), await signUp('Fay')]
  const ids: number[] = []
  for (const title of ['One', 'Two', 'Three']) {
    ids.push((await eve.call('POST /api/wanted-items', { ...lamp, title })).json().id)
    await fay.call('POST /api/wanted-items', { ...lamp, title: `Fay’s ${title}` })
  }
  const closed = (await eve.call('POST /api/wanted-items', { ...lamp, title: 'Closed' })).json().id
  await eve.call(`POST /api/wanted-items/${closed}/close`)
  const first = await visitor(`GET /api/users/${eve.id}/wanted-items?limit=2`)
  expect(first.json()).toMatchObject([{ title: 'Three', user: { name: 'Eve Tester' } }, { title: 'Two' }])
  expect(first.headers.link).toBe(`</api/users/${eve.id}/wanted-items?limit=2&cursor=${ids[1]}>; rel="next"`)
  const second = await visitor(`GET /api/users/${eve.id}/wanted-items?limit=2&cursor=${ids[1]}`)
  expect(second.json()).toMatchObject([{ title: 'One' }])
  expect(second.json()).toHaveLength(1)
})

test('the page of a user has its own metadata, and the page of an unknown user is 404', async () => {
  const { services, signUp } = await openWorld()
  const { id } = await signUp('Ida')
  const headOf = (path: string) =>
    personPageHead(services.database.read, path, siteOf(services), services.clock())
  const url = `${services.config.publicUrl}/user/${id}`
  expect(await headOf(`/user/${id}`)).toEqual({
    title: 'Ida Tester',
    description: 'What Ida Tester is looking for on Sought, and what others say about deals with them.',
    url,
    imageUrl: `${services.config.publicUrl}/preview.png`,
    data: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      url,
      mainEntity: { '@type': 'Person', name: 'Ida Tester' },
    },
  })
  for (const path of ['/user/nobody', '/user/%00', '/user/%', "/user/'%20or%201=1"]) {
    expect(await headOf(path), path).toBe('missing')
  }
  expect(await headOf('/profile')).toBe(null)
})

test('unknown and deleted users are not found', async () => {
  const { signUp, visitor } = await openWorld()
  const gus = await signUp('Gus')
  expect((await visitor(`GET /api/users/${gus.id}`)).statusCode).toBe(200)
  await gus.call('POST /api/user/delete-account', { password: 'correct horse' })
  for (const id of [gus.id, 'nobody', "' or 1=1 --"]) {
    for (const what of ['', '/feedback', '/reviews', '/wanted-items']) {
      const reply = await visitor(`GET /api/users/${encodeURIComponent(id)}${what}`)
      expect(reply.statusCode).toBe(404)
      expect(reply.json()).toEqual({
        code: 'person_not_found',
        message: 'This user could not be found.',
      })
    }
  }
})

test.each(['limit=0', 'limit=101', 'cursor=x', 'cursor=0'])('the query ?%s is refused', async (query) => {
  const { visitor } = world()
  for (const what of ['feedback', 'reviews', 'wanted-items']) {
    expect((await visitor(`GET /api/users/anyone/${what}?${query}`)).statusCode).toBe(422)
  }
})
