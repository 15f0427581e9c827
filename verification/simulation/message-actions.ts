import { type Deed, hear, isUnsure, type Scene, type Somebody } from './market.ts'

/* What people say to each other, and that they have read it. */

/** Some of both: the seller may write first, the owner of the request only to who has taken part. */
function pairOf({ deal, random }: Scene): [Somebody, Somebody] {
  return random.chance(0.5) ? [deal.seller, deal.buyer] : [deal.buyer, deal.seller]
}

/** Without an answer it is sent again under the same mark, as the browser does: it may then stand there once. */
export const say: Deed = async (scene) => {
  const { market, deal, random, promised } = scene
  const [sender, receiver] = pairOf(scene)
  const content = `Word ${random.below(2 ** 31)}`
  const clientId = `mark-${random.below(2 ** 31)}-${deal.itemId}`
  const body = { content, wantedItemId: deal.itemId, receiverId: receiver.id, clientId }
  let answer = await market.call(sender, 'POST /api/messages', body)
  for (let tries = 0; isUnsure(answer) && tries < 2; tries++) {
    answer = await market.call(sender, 'POST /api/messages', body)
  }
  const allowed = ['ok', 'conversation_not_allowed', 'item_not_open']
  if (!hear(scene, 'say something', answer, ...allowed)) return
  promised.push({ what: 'sent', messageId: Number(answer.body.id), content, doneMs: performance.now() })
}

export const read: Deed = async (scene) => {
  const { market, deal, promised } = scene
  const [sender, reader] = pairOf(scene)
  const sentMs = performance.now()
  const body = { wantedItemId: deal.itemId, senderId: sender.id }
  const answer = await market.call(reader, 'PATCH /api/messages/mark-read', body)
  if (!hear(scene, 'read what was said', answer, 'ok')) return
  promised.push({ what: 'read', itemId: deal.itemId, readerId: reader.id, senderId: sender.id, sentMs })
}

/** Opens the bell, and reads all that is there. */
export const readBell: Deed = async (scene) => {
  const { market, promised } = scene
  const [who] = pairOf(scene)
  const { rows } = await market.sql.query<{ last: number }>(
    'select coalesce(max(id), 0)::int as last from notifications where user_id = $1',
    [who.id],
  )
  const answer = await market.call(who, 'PATCH /api/notifications/mark-read', {})
  if (!hear(scene, 'read the bell', answer, 'ok')) return
  promised.push({ what: 'bell read', userId: who.id, upTo: rows[0]?.last ?? 0 })
}

/** Looking must work at any moment, wherever one looks. */
export const lookAround: Deed = async (scene) => {
  const { market, deal, random } = scene
  const [who] = pairOf(scene)
  const path = random.pick([
    '/api/messages',
    '/api/conversations',
    '/api/offers',
    '/api/notifications',
    '/api/payments',
    '/api/user/stats',
    '/api/user/purchases',
    '/api/user/wanted-items',
    '/api/wanted-items?limit=5',
    `/api/wanted-items/${deal.itemId}`,
    `/api/users/${deal.seller.id}`,
  ])
  const gone = deal.seller.leaving && path.startsWith('/api/users/') ? ['person_not_found'] : []
  hear(
    scene,
    `look at ${path.replace(/\/[\w-]*\d[\w-]*/, '/:id')}`,
    await market.call(who, `GET ${path}`),
    'ok',
    ...gone,
  )
}
