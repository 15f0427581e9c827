import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { purgeAbandonedFiles } from '../../../files/stored-files.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { addTraders, type Traders } from '../../../testing/traders.ts'
import { openWorld, type Person, type World } from '../../../testing/world.ts'
import { docxOf, TOO_MANY_ZEROS, zipOf } from '../../../testing/zip.ts'
import { lockOpenDispute } from './actions.ts'

const DAY_MS = 86_400_000

const shared = shareMoneyWorld()

/** The provider's fee for 120.01: 2.9 % and 30 cents. */
const PROVIDER_FEE = 378

/** Ada has disputed this payment to Bob, and an admin can rule on it. */
async function disputeAt<Opened extends World & Traders>(world: Opened, paymentId: number) {
  const admin = await world.signUp('Root', 'admin')
  const filed = await world.ada.call('POST /api/initiate-dispute', {
    paymentId,
    reason: 'It is blue, not green',
  })
  expect(filed.statusCode, filed.body).toBe(200)
  const rule = (body: object, by = admin) => by.call(`POST /api/admin/disputes/${paymentId}/resolve`, body)
  return { ...world, world, admin, paymentId, rule }
}

/** A dispute about a payment that the provider does not know. */
async function openDesk() {
  const world = await shared()
  return disputeAt(world, (await world.given.heldPayment()).paymentId)
}

/** A dispute about a payment that was made at the provider. */
async function openPaidDesk(amount: number, opened: Promise<MoneyWorld> = shared()) {
  const world = await opened
  return disputeAt(world, (await world.payIntoEscrow(amount)).paymentId)
}

const timelineOf = async ({ sql }: World, paymentId: number) => {
  const { rows } = await sql.query('select action from dispute_timeline where dispute_id = $1 order by id', [
    paymentId,
  ])
  return rows.map(({ action }) => action)
}

/** The multipart body that a browser sends for one file. */
const form = (bytes: Uint8Array, name: string, description?: string) =>
  uploadOf('file', bytes, { name, ...(description && { fields: { description } }) }).payload

const asUpload = (payload: Buffer) => ({
  payload,
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
})

describe('rulings', () => {
  const rulings: [
    string,
    object,
    { status: string; buyer: number; seller: number; platform: number; card: number },
  ][] = [
    [
      'refund_full',
      { refundAmount: 12_001 },
      { status: 'resolved_buyer', buyer: 12_001, seller: 0, platform: 0, card: 0 },
    ],
    ['release_seller', {}, { status: 'resolved_seller', buyer: 0, seller: 11_263, platform: 360, card: 378 }],
    [
      'refund_partial',
      { refundAmount: 2_000 },
      { status: 'resolved_partial', buyer: 2_000, seller: 9_381, platform: 300, card: 320 },
    ],
    [
      'split_difference',
      {},
      { status: 'resolved_partial', buyer: 6_001, seller: 5_616, platform: 180, card: 204 },
    ],
  ]
  test.each(rulings)('%s divides 120.01 correctly, also at the provider', async (action, body, expected) => {
    const { world, rule, paymentId, ada, bob } = await openPaidDesk(12_001)
    await world.connectBob()
    const reply = await rule({ action, note: 'So be it', ...body })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json()).toMatchObject({ status: expected.status, refundCents: expected.buyer })
    expect({
      status: await world.statusOf(paymentId),
      buyer: await world.balanceOf(`buyer:${ada.id}`),
      seller: await world.balanceOf(`seller:${bob.id}`),
      platform: await world.balanceOf('fees:platform', paymentId),
      card: await world.balanceOf('fees:processing', paymentId),
    }).toEqual(expected)
    await world.runJobs()
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(0)
    expect(await world.balanceOf(`seller:${bob.id}`)).toBe(0)
    expect(await world.balanceOf('fees:provider', paymentId)).toBe(-PROVIDER_FEE)
    expect(await world.balanceOf('provider', paymentId)).toBe(
      PROVIDER_FEE - expected.platform - expected.card,
    )
    await world.expectBooksRight()
    expect(await timelineOf(world, paymentId)).toEqual(['filed', action])
  })

  test('splitting 0.50 gives the buyer 0.25, and the fees use up the seller’s 0.25', async () => {
    const { world, rule, ada, bob } = await openPaidDesk(50)
    expect((await rule({ action: 'split_difference' })).statusCode).toBe(200)
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(25)
    expect(await world.balanceOf(`seller:${bob.id}`)).toBe(0)
    await world.runJobs()
    await world.expectBooksRight()
  })

  test('requesting more information and reviewing move no money', async () => {
    const { world, rule, paymentId, admin } = await openDesk()
    const marked = await rule({ action: 'under_review', note: 'Dispute marked as under review by admin' })
    expect(marked.json().status).toBe('under_review')
    expect((await rule({ action: 'request_more_info' })).json().status).toBe('under_review')
    expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
    const { timeline } = (await admin.call(`GET /api/admin/disputes/${paymentId}/details`)).json()
    expect(
      timeline.map(({ action, actor, details }: Record<string, string>) => ({ action, actor, details })),
    ).toEqual([
      { action: 'filed', actor: 'Ada Tester', details: 'It is blue, not green' },
      { action: 'under_review', actor: 'Root Tester', details: 'Dispute marked as under review by admin' },
      { action: 'request_more_info', actor: 'Root Tester', details: null },
    ])
  })

  test('an invalid ruling is refused, and no money moves', async () => {
    const { world, rule, paymentId, ada, admin } = await openPaidDesk(12_000)
    const code = async (body: object, by = admin) => {
      const reply = await rule(body, by)
      return [reply.statusCode, reply.json().code]
    }
    for (const refundAmount of [undefined, 12_000, 12_001]) {
      expect(await code({ action: 'refund_partial', refundAmount })).toEqual([422, 'refund_out_of_range'])
    }
    for (const refundAmount of [0, -5, 1.5, '100', 1e12]) {
      expect(await code({ action: 'refund_partial', refundAmount })).toEqual([422, 'invalid'])
    }
    expect(await code({ action: 'keep_it_all' })).toEqual([422, 'invalid'])
    expect(await code({})).toEqual([422, 'invalid'])
    await world.appoint(ada)
    expect(await code({ action: 'refund_full' }, ada)).toEqual([403, 'not_impartial'])
    expect(await world.statusOf(paymentId)).toBe('disputed')
    const { paymentId: undisputed } = await world.given.heldPayment()
    for (const id of [undisputed, 999_999]) {
      const reply = await admin.call(`POST /api/admin/disputes/${id}/resolve`, { action: 'refund_full' })
      expect(reply.statusCode).toBe(404)
    }
    expect(await code({ action: 'refund_full' })).toEqual([200, undefined])
    expect(await code({ action: 'release_seller' })).toEqual([409, 'dispute_resolved'])
    await world.runJobs()
    await world.expectBooksRight()
  })

  test('only one of two concurrent rulings counts, in ten runs', { tags: ['proof'] }, async () => {
    const { world, admin } = await openDesk()
    const other = await world.signUp('Second', 'admin')
    for (let round = 0; round < 10; round++) {
      const { paymentId: id } = await world.given.dispute({ amount: 100 })
      const path = `POST /api/admin/disputes/${id}/resolve`
      const replies = await Promise.all([
        admin.call(path, { action: 'refund_full' }),
        other.call(path, { action: 'release_seller' }),
      ])
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
      const [refunded] = replies
      expect(await world.statusOf(id)).toBe(
        refunded.statusCode === 200 ? 'resolved_buyer' : 'resolved_seller',
      )
    }
  })

  test('a concurrent ruling, withdrawal and settlement have one outcome, in ten runs', {
    tags: ['proof'],
  }, async () => {
    const { world, admin, ada, bob } = await openDesk()
    for (let round = 0; round < 10; round++) {
      const { paymentId: id } = await world.given.dispute({ amount: 100 })
      await bob.call(`POST /api/disputes/${id}/settlement`, { refundAmount: 50 })
      const [ruled, withdrawn, settled] = await Promise.all([
        admin.call(`POST /api/admin/disputes/${id}/resolve`, { action: 'refund_full' }),
        ada.call(`POST /api/disputes/${id}/withdraw`),
        ada.call(`POST /api/disputes/${id}/settlement/accept`, { refundAmount: 50 }),
      ])
      const won = [ruled, withdrawn, settled].filter(({ statusCode }) => statusCode === 200)
      expect(won).toHaveLength(1)
      for (const reply of [ruled, withdrawn, settled]) expect([200, 404, 409]).toContain(reply.statusCode)
      const outcome =
        won[0] === ruled ? 'resolved_buyer' : won[0] === withdrawn ? 'held_in_escrow' : 'resolved_partial'
      expect(await world.statusOf(id)).toBe(outcome)
    }
  })
})

describe('parties', () => {
  test('a withdrawal resumes the hold with the remaining time, but at least two days', async () => {
    const { world, ada, bob, paymentId } = await openPaidDesk(12_000, openMoneyWorld())
    expect((await bob.call(`POST /api/disputes/${paymentId}/withdraw`)).statusCode).toBe(403)
    world.advanceClock(20 * DAY_MS)
    expect((await ada.call(`POST /api/disputes/${paymentId}/withdraw`)).statusCode).toBe(200)
    const payment = (await ada.call(`GET /api/payments/${paymentId}`)).json()
    expect(payment.status).toBe('held_in_escrow')
    const leftDays = (Date.parse(payment.escrowHoldUntil) - world.services.clock().getTime()) / DAY_MS
    expect(leftDays).toBeGreaterThan(6.9)
    expect(leftDays).toBeLessThan(7)
    expect((await ada.call(`POST /api/disputes/${paymentId}/withdraw`)).statusCode).toBe(404)
    world.advanceClock(8 * DAY_MS)
    await world.runJobs('release-due')
    expect(await world.statusOf(paymentId)).toBe('completed')
    await world.expectBooksRight()
  })

  test('both parties can answer, and each can read the other’s answers', async () => {
    const { ada, bob, paymentId } = await openDesk()
    const answered = await bob.call(`POST /api/disputes/${paymentId}/answer`, {
      content: 'It was green when I sent it',
    })
    expect(answered.statusCode).toBe(201)
    await ada.call(`POST /api/disputes/${paymentId}/answer`, { content: 'It is not now' })
    for (const person of [ada, bob]) {
      const { dispute, evidence, timeline } = (await person.call(`GET /api/disputes/${paymentId}`)).json()
      expect(dispute).toMatchObject({ status: 'disputed', disputeReason: 'It is blue, not green' })
      expect(evidence.map(({ content }: { content: string }) => content)).toEqual([
        'It was green when I sent it',
        'It is not now',
      ])
      expect(timeline.map(({ actor }: { actor: string }) => actor)).toEqual([
        'Ada Tester',
        'Bob Tester',
        'Ada Tester',
      ])
    }
  })

  test('the parties see the actions of admins under the name of the marketplace', async () => {
    const { ada, admin, paymentId, rule } = await openDesk()
    expect((await rule({ action: 'under_review' })).statusCode).toBe(200)
    const actorsSeenBy = async (person: Person, path: string) => {
      const { timeline } = (await person.call(`GET ${path}`)).json()
      return timeline.map(({ actor }: { actor: string }) => actor)
    }
    expect(await actorsSeenBy(ada, `/api/disputes/${paymentId}`)).toEqual(['Ada Tester', 'Sought'])
    expect(await actorsSeenBy(admin, `/api/admin/disputes/${paymentId}/details`)).toEqual([
      'Ada Tester',
      'Root Tester',
    ])
  })

  test('a resolved or missing dispute cannot be changed', async () => {
    const { world, ada, paymentId, rule } = await openDesk()
    const { paymentId: undisputed } = await world.given.heldPayment()
    expect((await rule({ action: 'release_seller' })).statusCode).toBe(200)
    for (const [id, status, code] of [
      [paymentId, 409, 'dispute_resolved'],
      [undisputed, 404, 'dispute_not_found'],
    ] as const) {
      for (const [call, body] of [
        ['answer', { content: 'And another thing' }],
        ['settlement', { refundAmount: 5 }],
        ['settlement/accept', { refundAmount: 5 }],
        ['withdraw', undefined],
      ] as const) {
        const reply = await ada.call(`POST /api/disputes/${id}/${call}`, body)
        expect([call, reply.statusCode, reply.json().code]).toEqual([call, status, code])
      }
    }
  })

  test('a database error is not reported as a missing dispute', async () => {
    const { services, ada, paymentId } = await openDesk()
    const lock = services.database.transact(async (tx) => {
      await tx.execute('select 1 / 0').catch(() => {})
      // Makes every later statement in this transaction fail.
      return lockOpenDispute(tx, paymentId, ada)
    })
    await expect(lock).rejects.toThrow('Failed query')
  })

  test('a party can write at most fifty answers', async () => {
    const { sql, bob, paymentId } = await openDesk()
    await sql.query(
      `insert into dispute_evidence (dispute_id, submitted_by, type, content)
       select $1, $2, 'text', 'Once more' from generate_series(1, 49)`,
      [paymentId, bob.id],
    )
    const answer = () => bob.call(`POST /api/disputes/${paymentId}/answer`, { content: 'It is green' })
    expect((await answer()).statusCode).toBe(201)
    expect((await answer()).json().code).toBe('too_many_answers')
  })

  test('one party proposes a settlement, and the other accepts the amount that they saw', async () => {
    const { world, ada, bob, paymentId } = await openPaidDesk(12_000)
    await world.connectBob()
    const propose = (who: Person, refundAmount: number) =>
      who.call(`POST /api/disputes/${paymentId}/settlement`, { refundAmount })
    const accept = async (who: Person, refundAmount: number) => {
      const reply = await who.call(`POST /api/disputes/${paymentId}/settlement/accept`, { refundAmount })
      return [reply.statusCode, reply.json().code]
    }
    expect(await accept(ada, 3_000)).toEqual([409, 'settlement_changed'])
    for (const bad of [12_000, 20_000])
      expect((await propose(bob, bad)).json().code).toBe('refund_out_of_range')
    for (const bad of [0, -1, 0.5]) expect((await propose(bob, bad)).json().code).toBe('invalid')
    expect((await propose(bob, 3_000)).statusCode).toBe(200)
    expect((await ada.call(`GET /api/disputes/${paymentId}`)).json().dispute.settlement).toMatchObject({
      refundAmount: 3_000,
      proposedBy: 'seller',
    })
    expect(await accept(bob, 3_000)).toEqual([409, 'settlement_changed'])
    expect((await propose(bob, 3_001)).statusCode).toBe(200)
    expect(await accept(ada, 3_000)).toEqual([409, 'settlement_changed'])
    expect(await accept(ada, 3_001)).toEqual([200, undefined])
    expect(await world.statusOf(paymentId)).toBe('resolved_partial')
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(3_001)
    await world.runJobs()
    expect(await world.balanceOf('provider', paymentId)).toBe(PROVIDER_FEE - 261 - 270 - 30)
    await world.expectBooksRight()
    expect(await timelineOf(world, paymentId)).toEqual([
      'filed',
      'settlement_proposed',
      'settlement_proposed',
      'settled',
    ])
  })

  test('a proposed settlement ends when a part of the money leaves escrow', { tags: ['proof'] }, async () => {
    const { world, ada, bob, paymentId } = await openPaidDesk(12_000)
    const settle = async (step: '' | '/accept', who: Person) => {
      const path = `POST /api/disputes/${paymentId}/settlement${step}`
      const reply = await who.call(path, { refundAmount: 3_000 })
      return [reply.statusCode, reply.json().code]
    }
    await settle('', bob)
    const { rows } = await world.sql.query(
      'select stripe_payment_intent_id as intent from payments where id = $1',
      [paymentId],
    )
    await world.stripe('POST', '/v1/refunds', { payment_intent: rows[0].intent, amount: '2000' })
    expect(await settle('/accept', ada)).toEqual([409, 'settlement_changed'])
    const { dispute } = (await ada.call(`GET /api/disputes/${paymentId}`)).json()
    expect(dispute.settlement).toBeNull()
    expect(await settle('', bob)).toEqual([200, undefined])
    expect(await settle('/accept', ada)).toEqual([200, undefined])
    await world.runJobs()
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(0)
    await world.expectBooksRight()
  })
})

describe('evidence', () => {
  async function openUploads() {
    const desk = await openDesk()
    const { world, paymentId } = desk
    const upload = (who: Person, bytes: Uint8Array, name: string, description?: string) =>
      who.call(
        `POST /api/disputes/${paymentId}/upload-evidence`,
        undefined,
        asUpload(form(bytes, name, description)),
      )
    const listFiles = () => readdir(join(world.services.config.dataDir, 'files')).catch(() => [])
    const others = new Set(await listFiles())
    const onDisk = async () => (await listFiles()).filter((name) => !others.has(name))
    return { ...desk, upload, onDisk }
  }

  const photo = () =>
    sharp({ create: { width: 60, height: 40, channels: 3, background: '#286' } })
      .png()
      .toBuffer()
  const oldWord = () =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('WordDocument', 'utf16le'),
      Buffer.alloc(600),
    ])

  test('evidence types are detected by content, and files are served safely to the parties and admins', async () => {
    const { world, upload, ada, bob, admin, paymentId } = await openUploads()
    const eve = await world.signUp('Eve')
    const files: [Uint8Array, string, string, string][] = [
      [await photo(), 'photo.png', 'image/webp', 'inline'],
      [
        Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<<>>\nendobj\n%%EOF'),
        'bill.pdf',
        'application/pdf',
        'attachment',
      ],
      [oldWord(), 'letter.doc', 'application/msword', 'attachment'],
      [
        docxOf({ content: Buffer.from('<w:document/>') }),
        'Brief für Ada.docx',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        'attachment',
      ],
      [Buffer.from('It came on Tuesday.'), 'note.txt', 'text/plain; charset=utf-8', 'attachment'],
    ]
    for (const [bytes, name, type, disposition] of files) {
      const reply = await upload(ada, bytes, name, 'as it came')
      expect(reply.statusCode, reply.body).toBe(201)
      const { fileUrl, fileName, description, mimeType } = reply.json()
      expect({ fileName, description, mimeType }).toEqual({
        fileName: name,
        description: 'as it came',
        mimeType: type,
      })
      for (const who of [ada, bob, admin]) {
        const file = await who.call(`GET ${fileUrl}`)
        expect(file.statusCode).toBe(200)
        expect(file.headers['content-type']).toBe(type)
        expect(file.headers['x-content-type-options']).toBe('nosniff')
        expect(file.headers['content-disposition']).toContain(disposition)
        expect(file.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
      }
      expect((await eve.call(`GET ${fileUrl}`)).statusCode).toBe(404)
      expect((await world.visitor(`GET ${fileUrl}`)).statusCode).toBe(401)
    }
    const { rows } = await world.sql.query('select id from files')
    for (const { id } of rows) expect((await ada.call(`GET /files/${id}`)).statusCode).toBe(404)
    const sixth = await upload(ada, await photo(), 'more.png')
    expect([sixth.statusCode, sixth.json().code]).toEqual([409, 'too_many_files'])
    expect((await upload(bob, await photo(), 'mine.png')).statusCode).toBe(201)
    expect(await timelineOf(world, paymentId)).toEqual(['filed', ...Array(6).fill('evidence')])
  })

  describe('refused evidence', () => {
    let desk: Awaited<ReturnType<typeof openUploads>>
    const evidence = async () =>
      (await desk.world.sql.query('select from dispute_evidence where dispute_id = $1', [desk.paymentId]))
        .rowCount
    const countFiles = async () => (await desk.world.sql.query('select from files')).rowCount

    beforeAll(async () => {
      desk = await openUploads()
    })

    test.each<[string, () => Promise<Uint8Array> | Uint8Array, string, number]>([
      [
        'an HTML page named .png',
        () => Buffer.from('<html><script>alert(1)</script></html>'),
        'page.png',
        415,
      ],
      ['an HTML page', () => Buffer.from('<html></html>'), 'page.html', 415],
      [
        'an SVG with a script',
        () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
        'a.svg',
        415,
      ],
      ['an executable named .txt', () => Buffer.concat([Buffer.from('MZ'), randomBytes(400)]), 'a.txt', 415],
      ['a text with control characters', () => Buffer.from('a\u0000b'), 'a.txt', 415],
      ['an empty file', () => Buffer.alloc(0), 'a.txt', 415],
      [
        'an Excel sheet as .doc',
        () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(900)]),
        'a.doc',
        415,
      ],
      ['a zip as .docx', () => zipOf([{ name: 'a.txt', content: Buffer.from('a') }]), 'a.docx', 415],
      ['a zip bomb as .docx', () => docxOf(TOO_MANY_ZEROS), 'a.docx', 415],
      [
        'a zip bomb with a false size',
        () => docxOf({ content: Buffer.from('<w/>') }, [{ name: 'x', ...TOO_MANY_ZEROS, claims: 10 }]),
        'a.docx',
        415,
      ],
      [
        'a docx with macros',
        () =>
          docxOf({ content: Buffer.from('<w/>') }, [
            { name: 'word/vbaProject.bin', content: Buffer.from('x') },
          ]),
        'a.docx',
        415,
      ],
      ['a path as file name', () => photo(), '../../etc/cron.d/x.png', 422],
      ['a file name with a direction mark', () => photo(), 'harmless\u202egnp.exe', 422],
      ['one byte over 10 MB', () => Buffer.alloc(10 * 1024 * 1024 + 1), 'a.png', 413],
    ])('includes %s, and nothing is stored', async (_, make, name, status) => {
      const { upload, ada, onDisk } = desk
      const before = await countFiles()
      const reply = await upload(ada, await make(), name)
      expect(reply.statusCode, reply.body).toBe(status)
      expect(await onDisk()).toEqual([])
      expect(await evidence()).toBe(0)
      expect(await countFiles()).toBe(before)
    })

    test('includes an aborted upload, and nothing is stored', async () => {
      const { world, ada, onDisk, paymentId } = desk
      const { port } = world.app.server.address() as { port: number }
      const upload = form(await photo(), 'photo.png')
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `POST /api/disputes/${paymentId}/upload-evidence HTTP/1.1\r\nhost: localhost\r\ncookie: ${ada.cookie}\r\n` +
          `content-type: multipart/form-data; boundary=edge\r\ncontent-length: ${upload.length}\r\n\r\n`,
      )
      socket.write(upload.subarray(0, upload.length - 60))
      await new Promise((resolve) => setTimeout(resolve, 200))
      socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await onDisk()).toEqual([])
      expect(await evidence()).toBe(0)
    })
  })

  test('only five of ten concurrent uploads are stored', { tags: ['proof'] }, async () => {
    const { upload, ada, onDisk } = await openUploads()
    const bytes = await photo()
    // More pictures than may wait at once are refused until there is room.
    const uploadUntilAccepted = async (name: string) => {
      for (;;) {
        const reply = await upload(ada, bytes, name)
        if (reply.statusCode !== 503) return reply
      }
    }
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => uploadUntilAccepted(`${n}.png`)))
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5)
    expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5)
    expect(await onDisk()).toHaveLength(5)
  })

  test('deleting evidence deletes its files', async () => {
    const { upload, ada, onDisk, world, paymentId } = await openUploads()
    await upload(ada, await photo(), 'photo.png')
    const { database, files, clock } = world.services
    const later = new Date(clock().getTime() + 2 * DAY_MS)
    await purgeAbandonedFiles(database, files, later)
    expect(await onDisk()).toHaveLength(1)
    await world.sql.query('delete from dispute_evidence where dispute_id = $1', [paymentId])
    await purgeAbandonedFiles(database, files, later)
    expect(await onDisk()).toEqual([])
  })
})

describe('admin desk', () => {
  test('disputes can be listed, filtered, searched and paginated, and the CSV contains no formulas', async () => {
    const market = await addTraders(await openWorld())
    const { world, admin, ada, paymentId } = await disputeAt(
      market,
      (await market.given.heldPayment()).paymentId,
    )
    const { paymentId: second } = await world.given.heldPayment({ amount: 30_000 })
    await ada.call('POST /api/initiate-dispute', { paymentId: second, reason: '=cmd|calc, "100%_sure"' })
    await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' })
    await world.given.heldPayment()
    const ids = async (query: string) =>
      (await admin.call(`GET /api/admin/disputes${query}`)).json().map(({ id }: { id: number }) => id)
    expect(await ids('')).toEqual([second, paymentId])
    expect(await ids('?status=disputed')).toEqual([second])
    expect(await ids('?status=resolved_buyer')).toEqual([paymentId])
    expect(await ids('?search=BLUE')).toEqual([paymentId])
    expect(await ids('?search=lamp')).toEqual([second, paymentId])
    expect(await ids(`?search=${ada.id}`)).toEqual([second, paymentId])
    expect(await ids('?search=100%25_s')).toEqual([second])
    expect(await ids('?search=1__%25')).toEqual([])
    expect(await ids('?limit=1')).toEqual([second])
    expect(await ids(`?limit=1&cursor=${second}`)).toEqual([paymentId])
    const [first] = (await admin.call('GET /api/admin/disputes')).json()
    expect(first).toMatchObject({ amount: 30_000, wantedItems: { title: 'Lamp', category: 'Other' } })

    const csv = await admin.call('GET /api/admin/disputes/export')
    const today = new Date().toISOString().slice(0, 10)
    expect(csv.headers['content-disposition']).toBe(`attachment; filename="disputes-${today}.csv"`)
    expect(csv.body.split('\r\n')).toEqual([
      '"ID","Item","Amount","Status","Buyer","Seller","Dispute Reason","Date"',
      `"${second}","Lamp","300.00","disputed","${ada.id}","${world.bob.id}","'=cmd|calc, ""100%_sure""","${today}"`,
      `"${paymentId}","Lamp","120.00","resolved_buyer","${ada.id}","${world.bob.id}","It is blue, not green","${today}"`,
      '',
    ])
  })

  test('the search finds chargebacks', { tags: ['proof'] }, async () => {
    const world = await shared()
    const admin = await world.signUp('Root', 'admin')
    const deal = await world.given.agreement({ request: { title: 'Teapot' } })
    const { paymentId, clientSecret } = await world.start(deal)
    await world.enterCard(clientSecret)
    await world.press(`/sandbox/payments/${clientSecret.split('_secret_')[0]}/dispute`)
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
    const search = async (words: string) =>
      (await admin.call(`GET /api/admin/disputes?search=${words}`)).json().map(({ id }: { id: number }) => id)
    for (const words of ['teapot', 'Chargeback', world.bob.id])
      expect(await search(words)).toEqual([paymentId])
  })

  test('an admin can add written evidence', async () => {
    const { admin, paymentId } = await openDesk()
    const added = await admin.call(`POST /api/admin/disputes/${paymentId}/evidence`, {
      type: 'call',
      content: 'I rang',
    })
    expect(added.statusCode).toBe(201)
    const { evidence, buyerInfo, sellerInfo } = (
      await admin.call(`GET /api/admin/disputes/${paymentId}/details`)
    ).json()
    expect(evidence).toMatchObject([{ type: 'call', content: 'I rang', submittedBy: admin.id }])
    expect([buyerInfo.rating, sellerInfo.rating]).toEqual([0, 0])
  })
})

test('evidence of admins is refused for an undisputed payment, a resolved dispute and from a party', async () => {
  const { world, admin, ada, paymentId, rule } = await openDesk()
  const add = async (id: number, by = admin) => {
    const reply = await by.call(`POST /api/admin/disputes/${id}/evidence`, {
      type: 'call',
      content: 'I rang',
    })
    return [reply.statusCode, reply.json().code]
  }
  expect(await add((await world.given.heldPayment()).paymentId)).toEqual([404, 'dispute_not_found'])
  expect(await add(2_147_483_647)).toEqual([404, 'dispute_not_found'])
  await world.appoint(ada)
  onTestFinished(async () => {
    await world.sql.query('delete from admins where user_id = $1', [ada.id])
  })
  expect(await add(paymentId, ada)).toEqual([403, 'not_impartial'])
  await rule({ action: 'refund_full' })
  expect(await add(paymentId)).toEqual([409, 'dispute_resolved'])
})

test('each role has the right permissions on each call', async () => {
  const { world, admin, ada, bob, paymentId } = await openDesk()
  const eve = await world.signUp('Eve')
  const id = paymentId
  const callers = {
    visitor: world.visitor,
    stranger: eve.call,
    seller: bob.call,
    buyer: ada.call,
    admin: admin.call,
  }
  const table: [string, object | Buffer | undefined, Record<keyof typeof callers, number>][] = [
    [
      `GET /api/admin/disputes`,
      undefined,
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 200 },
    ],
    [
      `GET /api/admin/disputes/export`,
      undefined,
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 200 },
    ],
    [
      `GET /api/admin/disputes/${id}/details`,
      undefined,
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 200 },
    ],
    [
      `POST /api/admin/disputes/${id}/evidence`,
      { type: 'note' },
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 201 },
    ],
    [
      `GET /api/admin/payouts`,
      undefined,
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 200 },
    ],
    [
      `POST /api/admin/payouts/999999/bank-details`,
      undefined,
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 404 },
    ],
    [
      `POST /api/admin/payouts/999999/paid`,
      { reference: 'x' },
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 404 },
    ],
    [
      `POST /api/admin/payouts/999999/undo`,
      undefined,
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 404 },
    ],
    [
      `GET /api/disputes/${id}`,
      undefined,
      { visitor: 401, stranger: 404, seller: 200, buyer: 200, admin: 404 },
    ],
    [
      `GET /api/disputes/${id}/evidence/999999`,
      undefined,
      { visitor: 401, stranger: 404, seller: 404, buyer: 404, admin: 404 },
    ],
    [
      `POST /api/disputes/${id}/upload-evidence`,
      form(Buffer.from('It came on Tuesday.'), 'note.txt'),
      { visitor: 401, stranger: 404, seller: 201, buyer: 201, admin: 404 },
    ],
    [
      `POST /api/disputes/${id}/answer`,
      { content: 'x' },
      { visitor: 401, stranger: 404, seller: 201, buyer: 201, admin: 404 },
    ],
    [
      `POST /api/disputes/${id}/settlement`,
      { refundAmount: 5 },
      { visitor: 401, stranger: 404, seller: 200, buyer: 200, admin: 404 },
    ],
    [
      `POST /api/disputes/${id}/settlement/accept`,
      { refundAmount: 9 },
      { visitor: 401, stranger: 404, seller: 409, buyer: 409, admin: 404 },
    ],
    [
      `POST /api/initiate-dispute`,
      { paymentId: id, reason: 'x' },
      { visitor: 401, stranger: 404, seller: 403, buyer: 409, admin: 404 },
    ],
    [
      `POST /api/payments/${id}/dispute`,
      {},
      { visitor: 401, stranger: 404, seller: 403, buyer: 409, admin: 404 },
    ],
    [
      `POST /api/admin/disputes/${id}/resolve`,
      { action: 'under_review' },
      { visitor: 401, stranger: 403, seller: 403, buyer: 403, admin: 200 },
    ],
    [
      `POST /api/disputes/${id}/withdraw`,
      undefined,
      { visitor: 401, stranger: 404, seller: 403, buyer: 200, admin: 404 },
    ],
  ]
  for (const [call, body, expected] of table) {
    const got: Record<string, number> = {}
    for (const [who, caller] of Object.entries(callers)) {
      const reply = body instanceof Buffer ? caller(call, undefined, asUpload(body)) : caller(call, body)
      got[who] = (await reply).statusCode
    }
    expect(got, call).toEqual(expected)
  }
})

test('admins can read the conversation of the parties, and every reading is recorded', async () => {
  const { admin, world, paymentId } = await openDesk()
  const { ada, bob, sql } = world
  const payment = await sql.query('select wanted_item_id as item from payments where id = $1', [paymentId])
  const [{ item }] = payment.rows
  const write = (from: Person, to: Person, content: string) =>
    from.call('POST /api/messages', { content, wantedItemId: item, receiverId: to.id })
  await write(bob, ada, 'It is green.')
  await write(ada, bob, 'It is blue.')
  const outsider = await world.signUp('Eve')
  await sql.query(
    'insert into messages (wanted_item_id, sender_id, receiver_id, content) values ($1, $2, $3, $4)',
    [item, outsider.id, ada.id, 'Not theirs'],
  )
  const path = `/api/admin/disputes/${paymentId}/messages`
  const first = await admin.call(`GET ${path}?limit=1`)
  expect(first.json()).toMatchObject([{ content: 'It is blue.', sender: { name: 'Ada Tester' } }])
  const next = /<(.*)>; rel="next"/.exec(String(first.headers.link))?.[1]
  expect(next).toMatch(new RegExp(`^${path}\\?limit=1&cursor=\\d+$`))
  expect((await admin.call(`GET ${next}`)).json()).toMatchObject([{ content: 'It is green.' }])
  expect(JSON.stringify((await admin.call(`GET ${path}`)).json())).not.toContain('Not theirs')
  const { rows } = await sql.query(
    "select details from audit_log where action = 'conversation_viewed' and actor_id = $1",
    [admin.id],
  )
  expect(rows).toEqual(Array(3).fill({ details: { paymentId } }))
  const refused = await admin.call(
    `GET /api/admin/disputes/${(await world.given.heldPayment()).paymentId}/messages`,
  )
  expect(refused.json()).toMatchObject({ code: 'dispute_not_found' })
})

test('both parties receive live updates of a dispute', async () => {
  const { world, bob, rule } = await openDesk()
  const { port } = world.app.server.address() as { port: number }
  const hangUp = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { cookie: bob.cookie },
    signal: hangUp.signal,
  })
  let received = ''
  void (async () => {
    for await (const chunk of stream.body ?? []) received += new TextDecoder().decode(chunk)
    received += 'The server ended the stream.'
  })().catch((error) => {
    received += `The connection was lost: ${error}`
  })
  expect((await rule({ action: 'under_review' })).statusCode).toBe(200)
  await eventually(() => expect(received).toContain('"payments"'))
  hangUp.abort()
})
