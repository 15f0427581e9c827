import { expect, test } from 'vitest'
import { givenPayment } from '../../testing/given-payment.ts'
import { openWorld, type Person, shareWorld } from '../../testing/world.ts'
import { personPageHead } from './page-head.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const lamp = { description: 'Green', category: 'Other', location: 'Ipoh' }

async function rated(buyer: Person, seller: Person, rating: number, feedback?: string): Promise<number> {
  const { sql } = world()
  const id = await givenPayment(sql, { buyer, seller, title: `Thing of ${rating}` })
  const reply = await buyer.call(`POST /api/payments/${id}/submit-rating`, { rating, feedback })
  expect(reply.statusCode).toBe(200)
  return id
}

test('the public profile shows name, picture, bio, rating and join date, and nothing private', async () => {
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
    selling: { keywords: [], categories: [] },
    bio: 'I sell lamps.',
    profileImageUrl: '/files/a.webp',
  })
  expect(Date.now() - Date.parse(memberSince)).toBeLessThan(60_000)
})

test('feedback is listed newest first, in pages, with the buyer’s name', async () => {
  const { signUp, visitor, sql } = world()
  const [cal, dan] = [await signUp('Cal'), await signUp('Dan')]
  const payments = [
    await rated(dan, cal, 5, 'Great'),
    await rated(dan, cal, 1, '<b>Bad</b>'),
    await rated(dan, cal, 3),
  ]
  // The newest feedback is about the oldest payment.
  await sql.query("update ratings set created_at = created_at + interval '1 hour' where payment_id = $1", [
    payments[0],
  ])
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

test('a user’s page has its own metadata, and an unknown user’s page is 404', async () => {
  const { services, signUp } = await openWorld()
  const { id } = await signUp('Ida')
  const headOf = (path: string) => personPageHead(services.database.read, path, services.config)
  const url = `${services.config.publicUrl}/user/${id}`
  expect(await headOf(`/user/${id}`)).toEqual({
    title: 'Ida Tester',
    description: 'What Ida Tester is looking for on Sought, and ratings from buyers.',
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
    for (const what of ['', '/feedback', '/wanted-items']) {
      const reply = await visitor(`GET /api/users/${encodeURIComponent(id)}${what}`)
      expect(reply.statusCode).toBe(404)
      expect(reply.json()).toEqual({
        code: 'person_not_found',
        message: 'This user could not be found.',
      })
    }
  }
})

test.each(['limit=0', 'limit=101', 'cursor=x', 'cursor=0'])('?%s is refused', async (query) => {
  const { visitor } = world()
  for (const what of ['feedback', 'wanted-items']) {
    expect((await visitor(`GET /api/users/anyone/${what}?${query}`)).statusCode).toBe(422)
  }
})
