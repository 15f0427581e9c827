import { getDispute, getDisputeDetails } from '@sought/contract/disputes'
import { listDevEmails } from '@sought/contract/notifications'
import { NewWantedItem } from '@sought/contract/requests'
import { personPageHead } from '@sought/server/features/people/page-head'
import { itemPageHead } from '@sought/server/features/requests/page-head'
import { removeDirectionMarks } from '@sought/server/platform/direction-marks'
import { type PageHead, withHead } from '@sought/server/platform/page-head'
import type { InjectOptions } from 'fastify'
import type { Random } from '../support/random.ts'
import type { Stage, Who } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'

/*
 * A market in which people, a request, a dispute and its messages are all one hostile text, and everything that is
 * made of texts elsewhere: tables, the heads of pages, mails, what is encrypted. Where it comes out again it is the
 * same text, and nothing else; a name goes in one direction.
 */

export interface ShownOutcome {
  times: number
  violations: string[]
}

export async function fuzzShown(
  stage: Stage,
  { random, share }: { random: Random; share: number },
): Promise<ShownOutcome> {
  const storable = allHostileTexts.filter((text) => NewWantedItem.safeParse({ ...item, title: text }).success)
  const most = Math.max(2, Math.round(storable.length * share))
  const texts = share >= 1 ? storable : Array.from({ length: most }, () => random.pick(storable))
  const outcome: ShownOutcome = { times: 0, violations: [] }
  for (const text of texts) {
    const wrong = await showEverywhere(stage, text.trim())
    const written = await stage.writes.take()
    await stage.writes.undo(written.map(({ table }) => table))
    outcome.times += 1
    outcome.violations.push(...wrong.map((what) => `${what}\n    ${JSON.stringify(text)}`))
  }
  return outcome
}

const item = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

type Ask = (who: Who, call: string, body?: object) => Promise<string>

async function showEverywhere(stage: Stage, text: string): Promise<string[]> {
  const wrong: string[] = []
  const ask: Ask = async (who, call, body) => {
    const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
    const cookie = stage.people[who] ?? ''
    const reply = await stage.app.inject({ method, url, headers: { cookie }, ...(body && { body }) })
    if (reply.statusCode >= 300) wrong.push(`${call}: ${reply.statusCode} ${reply.body.slice(0, 200)}`)
    return reply.body
  }
  const { itemId, paymentId, buyerId } = await heldPayment(stage)
  const name = text.slice(0, 50).toWellFormed().trim() || 'Ada'
  await ask('buyer', 'PUT /api/user/profile', { firstName: name, lastName: name, email: 'ada@example.com' })
  const wanted = { ...item, title: text, description: text, location: text.slice(0, 100).toWellFormed() }
  await ask('buyer', `PUT /api/wanted-items/${itemId}`, wanted)
  await ask('buyer', 'POST /api/initiate-dispute', { paymentId, reason: text })
  await ask('seller', `POST /api/disputes/${paymentId}/answer`, { content: text })
  await ask('admin', `POST /api/admin/disputes/${paymentId}/resolve`, { action: 'under_review', note: text })
  await stage.runJobs()

  const file = getDispute.reply.parse(JSON.parse(await ask('seller', `GET /api/disputes/${paymentId}`)))
  const details = await ask('admin', `GET /api/admin/disputes/${paymentId}/details`)
  const { timeline } = getDisputeDetails.reply.parse(JSON.parse(details))
  const same = [
    file.dispute.disputeReason,
    file.dispute.wantedItems?.title,
    file.evidence.at(-1)?.content,
    timeline.find(({ action }) => action === 'filed')?.details,
  ]
  if (same.some((one) => one !== text)) wrong.push(`a dispute shows ${JSON.stringify(same)}`)
  wrong.push(...wrongTable(await ask('admin', 'GET /api/admin/disputes/export'), paymentId, text))
  wrong.push(...(await wrongHeads(stage, itemId, buyerId, text, removeDirectionMarks(`${name} ${name}`))))
  wrong.push(...wrongMails(await ask('visitor', 'GET /api/dev/mails')))
  wrong.push(...(await wrongBankDetails(stage, ask, text)))
  return wrong
}

async function heldPayment({ sql }: Stage) {
  const { rows } = await sql.query(
    `select id as "paymentId", wanted_item_id as "itemId", buyer_id as "buyerId"
     from payments where status = 'held_in_escrow' limit 1`,
  )
  return rows[0]
}

/** A line has its eight cells, and none of them is a formula to whoever opens it in a spreadsheet. */
function wrongTable(csv: string, paymentId: number, text: string): string[] {
  const row = rowsOf(csv).find(([id]) => id === String(paymentId))
  if (row?.length !== 8) return [`the table has lost its cells: ${JSON.stringify(row)}`]
  const [, title, , , , , reason] = row
  const asText = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return title === asText && reason === asText ? [] : [`the table says ${JSON.stringify([title, reason])}`]
}

/** As RFC 4180 reads it: every cell in quotes, a quote in it twice. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of csv.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    rows.at(-1)?.push(cell.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows
}

const BARE_PAGE = '<!doctype html><html><head><title>Sought</title></head><body></body></html>'

async function wrongHeads(
  { services }: Stage,
  itemId: number,
  buyerId: string,
  title: string,
  name: string,
): Promise<string[]> {
  const db = services.database.read
  const ofItem = await itemPageHead(db, `/item/${itemId}`, services.config)
  const ofPerson = await personPageHead(db, `/user/${buyerId}`, services.config)
  return [...wrongHead(ofItem, `Wanted: ${title}`), ...wrongHead(ofPerson, name)]
}

/** Of all elements of the head only those that we wrote, with the text inside their quotes. */
function wrongHead(head: PageHead | 'missing' | null, title: string): string[] {
  if (head === null || head === 'missing') return ['a page without its head']
  const page = withHead(BARE_PAGE, head)
  const elements = [...page.matchAll(/<([a-z!/]\S*?)[\s>]/gi)].map(([, element]) => element)
  const ours = new Set([
    '!doctype',
    'html',
    'head',
    'title',
    '/title',
    'meta',
    'link',
    'script',
    '/script',
    '/head',
    'body',
    '/body',
    '/html',
  ])
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  const [, shown = ''] = /<meta property="og:title" content="([^"]*)">/.exec(page) ?? []
  const said = JSON.parse(data)
  return [
    ...(elements.every((element) => element !== undefined && ours.has(element))
      ? []
      : [`a head with ${elements.join(' ')}`]),
    ...(elements.filter((element) => element === 'script').length === 1
      ? []
      : ['a head with another script']),
    ...(unescaped(shown) === title ? [] : [`a preview with the title ${shown}`]),
    ...((said.name ?? said.mainEntity?.name) === title ? [] : [`data with the title ${said.name}`]),
  ]
}

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

function wrongMails(body: string): string[] {
  const mails = listDevEmails.reply.parse(JSON.parse(body))
  return mails.flatMap(({ kind, subject, html }) => [
    ...(/[\r\n]/.test(subject) ? [`a ${kind} mail with a subject of two lines`] : []),
    ...(/<(script|img|svg|iframe|body onload)/i.test(html)
      ? [`a ${kind} mail with an element of another`]
      : []),
  ])
}

/** What is stored encrypted can be seen only by who pays by hand. */
async function wrongBankDetails(stage: Stage, ask: Ask, text: string): Promise<string[]> {
  const { rows } = await stage.sql.query("select id from payouts where status = 'owed' limit 1")
  const numbers = { country: 'US', routing_number: '021000021', account_number: '000123456789' }
  const words = { account_holder_name: text, bank_name: text, bank_address: text }
  await ask('seller', 'POST /api/seller/save-bank-account', { ...numbers, ...words })
  const details = JSON.parse(await ask('admin', `POST /api/admin/payouts/${rows[0].id}/bank-details`))
  const same = Object.keys(words).every((field) => details[field] === text)
  return same ? [] : [`bank details came back as ${JSON.stringify(details)}`]
}
