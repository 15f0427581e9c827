import { type Action, isUnknown, type Person, recordAnswer, type Schedule } from './market.ts'

/* Messages and notifications, and reading them. */

/** The seller may write first. The owner of the request may write only to users who sent a message or an offer. */
function pairOf({ deal, random }: Schedule): [Person, Person] {
  return random.chance(0.5) ? [deal.seller, deal.buyer] : [deal.buyer, deal.seller]
}

/** Without a reply, the browser sends the message again with the same client id, and it is stored once. */
export const sendMessage: Action = async (schedule) => {
  const { market, deal, random, acknowledged } = schedule
  const [sender, receiver] = pairOf(schedule)
  const content = `Message ${random.below(2 ** 31)}`
  const clientId = `client-${random.below(2 ** 31)}-${deal.itemId}`
  const body = { content, wantedItemId: deal.itemId, receiverId: receiver.id, clientId }
  let answer = await market.call(sender, 'POST /api/messages', body)
  for (let tries = 0; isUnknown(answer) && tries < 2; tries++) {
    answer = await market.call(sender, 'POST /api/messages', body)
  }
  const allowed = ['ok', 'conversation_not_allowed', 'item_not_open', 'item_expired', 'item_reserved']
  if (!recordAnswer(schedule, 'send a message', answer, ...allowed)) return
  acknowledged.push({ what: 'sent', messageId: Number(answer.body.id), content, doneMs: performance.now() })
}

export const readMessages: Action = async (schedule) => {
  const { market, deal, acknowledged } = schedule
  const [sender, reader] = pairOf(schedule)
  const sentMs = performance.now()
  const body = { wantedItemId: deal.itemId, senderId: sender.id }
  const answer = await market.call(reader, 'PATCH /api/messages/mark-read', body)
  if (!recordAnswer(schedule, 'read the messages', answer, 'ok')) return
  acknowledged.push({ what: 'read', itemId: deal.itemId, readerId: reader.id, senderId: sender.id, sentMs })
}

export const readNotifications: Action = async (schedule) => {
  const { market, acknowledged } = schedule
  const [who] = pairOf(schedule)
  const { rows } = await market.sql.query<{ last: number }>(
    'select coalesce(max(id), 0)::int as last from notifications where user_id = $1',
    [who.id],
  )
  const answer = await market.call(who, 'PATCH /api/notifications/mark-read', {})
  if (!recordAnswer(schedule, 'read the notifications', answer, 'ok')) return
  acknowledged.push({ what: 'notifications read', userId: who.id, upTo: rows[0]?.last ?? 0 })
}

/** Reading must work at any time, on every page. */
export const readSomething: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const [who] = pairOf(schedule)
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
  const deleted = [
    ...(deal.seller.isDeleting && path.startsWith('/api/users/') ? ['person_not_found'] : []),
    ...(deal.buyer.isDeleting && path.startsWith('/api/wanted-items/') ? ['item_removed'] : []),
  ]
  recordAnswer(
    schedule,
    `read ${path.replace(/\/[\w-]*\d[\w-]*/, '/:id')}`,
    await market.call(who, `GET ${path}`),
    'ok',
    ...deleted,
  )
}
