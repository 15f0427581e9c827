import { describe, expect, test } from 'vitest'
import { shareWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }

const shared = shareWorld()

/** Ada requests a lamp; Bob and Eve are other users. */
async function openMarket() {
  const world = shared()
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const write = (from: typeof ada, to: typeof ada, content = 'Hello', more: object = {}) =>
    from.call('POST /api/messages', { content, wantedItemId: id, receiverId: to.id, ...more })
  /** All messages of these people, about any request. */
  const stored = async () => {
    const { rows } = await world.sql.query(
      'select content, is_read from messages where wanted_item_id = $1 or sender_id = any($2) order by id',
      [id, [ada.id, bob.id, eve.id]],
    )
    return rows
  }
  return { ...world, ada, bob, eve, id, write, stored }
}

describe('permission to write', () => {
  test('everyone may write to the owner, and the owner may reply', async () => {
    const { ada, bob, write } = await openMarket()
    const first = await write(bob, ada)
    expect(first.statusCode).toBe(201)
    expect(first.json()).toMatchObject({
      content: 'Hello',
      senderId: bob.id,
      receiverId: ada.id,
      isRead: false,
      readAt: null,
      sender: { name: 'Bob Tester' },
      receiver: { name: 'Ada Tester' },
      wantedItem: { title: 'Lamp' },
    })
    expect((await write(ada, bob, 'Hello back')).statusCode).toBe(201)
  })

  test('the owner may write to a user who only made an offer', async () => {
    const { ada, bob, id, write } = await openMarket()
    await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4000 })
    expect((await write(ada, bob)).statusCode).toBe(201)
  })

  test('all other combinations are refused', async () => {
    const { ada, bob, eve, visitor, stored, id, write } = await openMarket()
    expect((await write(ada, bob)).json().code).toBe('conversation_not_allowed')
    expect((await write(bob, eve)).json().code).toBe('conversation_not_allowed')
    expect((await write(bob, bob)).json().code).toBe('conversation_not_allowed')
    expect((await write(ada, ada)).json().code).toBe('conversation_not_allowed')
    const nobody = { content: 'x', wantedItemId: id, receiverId: 'nobody' }
    expect((await bob.call('POST /api/messages', nobody)).json().code).toBe('conversation_not_allowed')
    expect((await visitor('POST /api/messages', nobody)).statusCode).toBe(401)
    expect((await write(bob, ada, 'x', { wantedItemId: 999 })).json().code).toBe('item_not_found')
    expect(await stored()).toEqual([])
  })

  test('conversations about a closed request can continue but not start', async () => {
    const { ada, bob, eve, id, write } = await openMarket()
    await write(bob, ada)
    await ada.call(`POST /api/wanted-items/${id}/close`)
    expect((await write(bob, ada)).statusCode).toBe(201)
    expect((await write(ada, bob)).statusCode).toBe(201)
    expect((await write(eve, ada)).json().code).toBe('item_not_open')
  })

  test('each refusal has its own code and status', async () => {
    const { ada, bob, eve, write } = await openMarket()
    const wrongly = await write(bob, eve)
    expect([wrongly.statusCode, wrongly.json()]).toEqual([
      403,
      { code: 'conversation_not_allowed', message: 'You cannot message this person about this request.' },
    ])
    const missing = await write(bob, ada, 'x', { wantedItemId: 999 })
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'item_not_found'])
    const blank = await write(bob, ada, ' ')
    expect([blank.statusCode, blank.json().code]).toEqual([422, 'invalid'])
    const huge = await write(bob, ada, 'x'.repeat(300_000))
    expect([huge.statusCode, huge.json().code]).toEqual([413, 'too_large'])
  })

  test('a conversation about one request gives no access to another', async () => {
    const { ada, bob, write } = await openMarket()
    await write(bob, ada)
    const other = (await ada.call('POST /api/wanted-items', { ...lamp, title: 'Chair' })).json()
    const reply = await write(ada, bob, 'x', { wantedItemId: other.id })
    expect(reply.json().code).toBe('conversation_not_allowed')
  })

  test('a message of maximum length is stored completely', async () => {
    const { ada, bob, write } = await openMarket()
    const content = 'ż'.repeat(5000)
    expect((await write(bob, ada, content)).statusCode).toBe(201)
    expect((await ada.call('GET /api/messages')).json()[0].content).toBe(content)
  })

  test('the sender is the signed-in user', async () => {
    const { ada, bob, eve, write } = await openMarket()
    expect((await write(bob, ada, 'x', { senderId: eve.id })).json().senderId).toBe(bob.id)
  })

  test.each([
    ['content', ''],
    ['content', ' \n '],
    ['content', 'x'.repeat(5001)],
    ['content', 'nul \u0000'],
    ['wantedItemId', 'one'],
    ['receiverId', 7],
    ['clientId', 'short'],
  ])('%s: %j is refused', async (field, value) => {
    const { ada, bob, stored, write } = await openMarket()
    const reply = await write(bob, ada, 'x', { [field]: value })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().issues[0].path).toBe(field)
    expect(await stored()).toEqual([])
  })
})

describe('retries', () => {
  test('with the same client id send a message once, even ten concurrently', async () => {
    const { ada, bob, stored, write } = await openMarket()
    const clientId = 'mark-00000001'
    const replies = await Promise.all(Array.from({ length: 10 }, () => write(bob, ada, 'Once', { clientId })))
    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1)
    expect(replies.every((reply) => reply.statusCode === 201)).toBe(true)
    expect(await stored()).toHaveLength(1)
  })

  test('cannot reuse a client id for another message; client ids are per sender', async () => {
    const { ada, bob, eve, write } = await openMarket()
    const clientId = 'mark-00000001'
    await write(bob, ada, 'From Bob', { clientId })
    expect((await write(eve, ada, 'From Eve', { clientId })).json().content).toBe('From Eve')
    expect((await write(bob, ada, 'Something else', { clientId })).json().code).toBe('message_mark_used')
  })
})

describe('reading', () => {
  test('returns only the user’s own messages, filtered and in pages', async () => {
    const { ada, bob, eve, id, write } = await openMarket()
    for (let number = 1; number <= 5; number++) await write(bob, ada, `Bob ${number}`)
    await write(eve, ada, 'Eve 1')
    const contents = async (who: typeof ada, query = '') =>
      (await who.call(`GET /api/messages${query}`)).json().map(({ content }: { content: string }) => content)
    expect(await contents(ada)).toEqual(['Eve 1', 'Bob 5', 'Bob 4', 'Bob 3', 'Bob 2', 'Bob 1'])
    expect(await contents(eve)).toEqual(['Eve 1'])
    expect(await contents(ada, `?wantedItemId=${id}&userId=${bob.id}&limit=2`)).toEqual(['Bob 5', 'Bob 4'])
    const page = await ada.call(`GET /api/messages?userId=${bob.id}&limit=2`)
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1]
    expect((await ada.call(`GET ${next}`)).json().map((it: { content: string }) => it.content)).toEqual([
      'Bob 3',
      'Bob 2',
    ])
    expect(await contents(eve, `?userId=${bob.id}`)).toEqual([])
  })

  test('marks only received messages of the given sender', async () => {
    const { ada, bob, eve, id, write } = await openMarket()
    await write(bob, ada)
    await write(eve, ada)
    await write(ada, bob, 'For Bob')
    const stranger = await eve.call('PATCH /api/messages/mark-read', { wantedItemId: id, senderId: bob.id })
    expect(stranger.json()).toEqual({ read: 0 })
    const marked = await ada.call('PATCH /api/messages/mark-read', { wantedItemId: id, senderId: bob.id })
    expect(marked.json()).toEqual({ read: 1 })
    const messages = (await ada.call('GET /api/messages')).json()
    expect(messages.map((it: { content: string; isRead: boolean; senderId: string }) => it.isRead)).toEqual([
      false,
      false,
      true,
    ])
    expect(messages[2].readAt).not.toBeNull()
    expect((await ada.call('PATCH /api/messages/mark-read', { wantedItemId: id })).json()).toEqual({
      read: 1,
    })
  })
})

describe('access', () => {
  test('other users get no messages, each party gets only their own, and visitors are refused', async () => {
    const { ada, bob, eve, visitor, stored, id, write } = await openMarket()
    await write(bob, ada, 'From Bob')
    await write(ada, bob, 'From Ada')
    const reads = [
      'GET /api/messages',
      `GET /api/messages?wantedItemId=${id}`,
      `GET /api/messages?wantedItemId=${id}&userId=${bob.id}`,
      `GET /api/messages?wantedItemId=${id}&userId=${ada.id}&cursor=999`,
      'GET /api/conversations',
    ]
    for (const call of reads) {
      expect((await eve.call(call)).json(), call).toEqual([])
      expect((await visitor(call)).statusCode, call).toBe(401)
    }
    const mark = 'PATCH /api/messages/mark-read'
    expect((await visitor(mark, { wantedItemId: id })).statusCode).toBe(401)
    expect((await eve.call(mark, { wantedItemId: id })).json()).toEqual({ read: 0 })
    // Bob can mark only received messages, not sent ones.
    expect((await bob.call(mark, { wantedItemId: id, senderId: bob.id })).json()).toEqual({ read: 0 })
    expect((await bob.call(mark, { wantedItemId: id })).json()).toEqual({ read: 1 })
    expect(await stored()).toEqual([
      { content: 'From Bob', is_read: false },
      { content: 'From Ada', is_read: true },
    ])
  })

  test.each([
    [{}, 'wantedItemId'],
    [{ wantedItemId: 0 }, 'wantedItemId'],
    [{ wantedItemId: 1, senderId: '' }, 'senderId'],
  ])('marking %j as read is refused', async (body, path) => {
    const { bob } = await openMarket()
    const reply = await bob.call('PATCH /api/messages/mark-read', body)
    expect([reply.statusCode, reply.json().issues[0].path]).toEqual([422, path])
  })
})

describe('conversations', () => {
  test('have one entry per request and other user, newest first, with the unread count', async () => {
    const { ada, bob, eve, id, write } = await openMarket()
    await write(bob, ada, 'One')
    await write(bob, ada, 'Two')
    await write(eve, ada, 'Three')
    const [first, second, ...rest] = (await ada.call('GET /api/conversations')).json()
    expect(rest).toEqual([])
    expect(first).toMatchObject({
      wantedItem: { id, title: 'Lamp' },
      user: { name: 'Eve Tester' },
      lastMessage: { content: 'Three', senderId: eve.id },
      unreadCount: 1,
    })
    expect(second).toMatchObject({
      user: { name: 'Bob Tester' },
      lastMessage: { content: 'Two' },
      unreadCount: 2,
    })
    await ada.call('PATCH /api/messages/mark-read', { wantedItemId: id, senderId: bob.id })
    await write(ada, bob, 'Four')
    const [latest] = (await ada.call('GET /api/conversations')).json()
    expect(latest).toMatchObject({ user: { id: bob.id }, lastMessage: { content: 'Four' }, unreadCount: 0 })
    expect((await bob.call('GET /api/conversations')).json()).toMatchObject([
      { user: { name: 'Ada Tester' }, unreadCount: 1 },
    ])
  })

  test('include offers without messages', async () => {
    const { ada, bob, id } = await openMarket()
    await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4000 })
    expect((await ada.call('GET /api/conversations')).json()).toMatchObject([
      { user: { id: bob.id }, lastMessage: null, unreadCount: 0 },
    ])
  })

  test('contain no private data of the other user', async () => {
    const { ada, bob, visitor, write } = await openMarket()
    await write(bob, ada)
    for (const call of ['GET /api/conversations', 'GET /api/messages']) {
      expect((await ada.call(call)).body).not.toContain('@example.com')
      expect((await visitor(call)).statusCode).toBe(401)
    }
  })
})

test('the receiver is warned of a message that leads away from escrow, and moderators see serious ones', async () => {
  const { ada, bob, sql, write } = await openMarket()
  const casesOf = async (messageId: number) => {
    const { rows } = await sql.query(
      `select person_id, severity, reports.reason, reporter_id
       from moderation_cases join reports on case_id = moderation_cases.id
       where moderation_cases.kind = 'message' and moderation_cases.target_id = $1`,
      [String(messageId)],
    )
    return rows
  }
  const seenBy = async (person: typeof ada, id: number) => {
    const messages: { id: number; warning: string | null }[] = (await person.call('GET /api/messages')).json()
    return messages.find((message) => message.id === id)?.warning
  }

  const honest = (await write(bob, ada, 'It is 60 x 40 cm, from 1962')).json()
  const doubtful = (await write(bob, ada, 'My number is 0151 23456789')).json()
  const clientId = 'scam-message-1'
  const scam = (await write(bob, ada, 'Tell me the code that you got by SMS', { clientId })).json()
  const retried = (await write(bob, ada, 'Tell me the code that you got by SMS', { clientId })).json()
  expect(retried.id).toBe(scam.id)
  // Senders do not see the warning, so that they cannot learn to avoid it.
  expect([honest.warning, doubtful.warning, scam.warning]).toEqual([null, null, null])
  expect(await seenBy(bob, scam.id)).toBeNull()
  expect(await seenBy(ada, honest.id)).toBeNull()
  expect(await seenBy(ada, doubtful.id)).toMatch(/phone number/)
  expect(await seenBy(ada, scam.id)).toMatch(/Never give anyone your password or a code/)

  expect(await casesOf(doubtful.id)).toEqual([])
  expect(await casesOf(scam.id)).toEqual([
    { person_id: bob.id, severity: 3, reason: 'scam', reporter_id: null },
  ])
  const { rows } = await sql.query('select warnings from messages where id = $1', [doubtful.id])
  expect(rows).toEqual([{ warnings: ['phone_number'] }])
})
