import { getDispute, getDisputeDetails } from '@sought/contract/disputes'
import { listDevEmails } from '@sought/contract/notifications'
import { NewWantedItem } from '@sought/contract/requests'
import { removeDirectionMarks } from '@sought/server/core/direction-marks'
import { personPageHead } from '@sought/server/features/board/profiles/page-head'
import { itemPageHead } from '@sought/server/features/board/requests/page-head'
import { type HeadResult, siteOf, withHead } from '@sought/server/pages/page-head'
import type { InjectOptions } from 'fastify'
import type { Random } from '../support/random.ts'
import type { Caller, FuzzWorld } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'

/*
 * Uses one hostile text for names, a request, a dispute and its messages, and checks where it is rendered: CSV
 * exports, page heads, emails and decrypted bank details. The text must be rendered unchanged and only as text.
 * Names are rendered in one writing direction.
 */

export interface RenderedOutcome {
  times: number
  violations: string[]
}

export async function fuzzRenderedTexts(
  world: FuzzWorld,
  { random, share }: { random: Random; share: number },
): Promise<RenderedOutcome> {
  const storable = allHostileTexts.filter((text) => NewWantedItem.safeParse({ ...item, title: text }).success)
  const most = Math.max(2, Math.round(storable.length * share))
  const texts = share >= 1 ? storable : Array.from({ length: most }, () => random.pick(storable))
  const outcome: RenderedOutcome = { times: 0, violations: [] }
  for (const text of texts) {
    const violations = await renderEverywhere(world, text.trim())
    const written = await world.writes.take()
    await world.writes.undo(written.map(({ table }) => table))
    outcome.times += 1
    outcome.violations.push(...violations.map((what) => `${what}\n    ${JSON.stringify(text)}`))
  }
  return outcome
}

const item = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

type Send = (who: Caller, call: string, body?: object) => Promise<string>

async function renderEverywhere(world: FuzzWorld, text: string): Promise<string[]> {
  const violations: string[] = []
  const send: Send = async (who, call, body) => {
    const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
    const cookie = world.people[who] ?? ''
    const reply = await world.app.inject({ method, url, headers: { cookie }, ...(body && { body }) })
    if (reply.statusCode >= 300) violations.push(`${call}: ${reply.statusCode} ${reply.body.slice(0, 200)}`)
    return reply.body
  }
  const { itemId, paymentId, buyerId } = await heldPayment(world)
  const name = text.slice(0, 50).toWellFormed().trim() || 'Ada'
  await send('buyer', 'PUT /api/user/profile', { firstName: name, lastName: name, email: 'ada@example.com' })
  await rewriteRequest(world, itemId, text)
  await send('buyer', 'POST /api/initiate-dispute', { paymentId, reason: text })
  await send('seller', `POST /api/disputes/${paymentId}/answer`, { content: text })
  await send('admin', `POST /api/admin/disputes/${paymentId}/resolve`, { action: 'under_review', note: text })
  await world.runJobs()

  const file = getDispute.reply.parse(JSON.parse(await send('seller', `GET /api/disputes/${paymentId}`)))
  const details = await send('admin', `GET /api/admin/disputes/${paymentId}/details`)
  const { timeline } = getDisputeDetails.reply.parse(JSON.parse(details))
  const same = [
    file.dispute.disputeReason,
    file.dispute.wantedItems?.title,
    file.evidence.at(-1)?.content,
    timeline.find(({ action }) => action === 'filed')?.details,
  ]
  if (same.some((one) => one !== text)) violations.push(`a dispute shows ${JSON.stringify(same)}`)
  violations.push(...checkCsv(await send('admin', 'GET /api/admin/disputes/export'), paymentId, text))
  violations.push(...checkReceipt(await send('buyer', `GET /api/payments/${paymentId}/receipt/export`), text))
  violations.push(
    ...(await checkHeads(world, itemId, buyerId, text, removeDirectionMarks(`${name} ${name}`))),
  )
  violations.push(...checkEmails(await send('visitor', 'GET /api/dev/mails')))
  violations.push(...(await checkBankDetails(world, send, text)))
  return violations
}

/** A paid request cannot be edited, but it may have had any text before. */
async function rewriteRequest({ sql }: FuzzWorld, itemId: number, text: string): Promise<void> {
  await sql.query('alter table wanted_items disable trigger wanted_items_reserved')
  await sql.query('update wanted_items set title = $2, description = $2, location = $3 where id = $1', [
    itemId,
    text,
    text.slice(0, 100).toWellFormed(),
  ])
  await sql.query('alter table wanted_items enable trigger wanted_items_reserved')
  await sql.query('alter table request_versions disable trigger request_versions_stay')
  await sql.query('update request_versions set title = $2, description = $2 where wanted_item_id = $1', [
    itemId,
    text,
  ])
  await sql.query('alter table request_versions enable trigger request_versions_stay')
}

async function heldPayment({ sql }: FuzzWorld) {
  const { rows } = await sql.query(
    `select id as "paymentId", wanted_item_id as "itemId", buyer_id as "buyerId"
     from payments where status = 'held_in_escrow' limit 1`,
  )
  return rows[0]
}

/** Each row has eight cells, none of which a spreadsheet would run as a formula. */
function checkCsv(csv: string, paymentId: number, text: string): string[] {
  const row = rowsOf(csv).find(([id]) => id === String(paymentId))
  if (row?.length !== 8) return [`the CSV row has other cells: ${JSON.stringify(row)}`]
  const [, title, , , , , reason] = row
  return title === asCell(text) && reason === asCell(text)
    ? []
    : [`the CSV row contains ${JSON.stringify([title, reason])}`]
}

/** The same for a receipt, whose rows have thirteen cells. */
function checkReceipt(csv: string, text: string): string[] {
  const row = rowsOf(csv)[1]
  return row?.length === 13 && row[4] === asCell(text)
    ? []
    : [`the row of a receipt contains ${JSON.stringify(row)}`]
}

const asCell = (text: string) => (/^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Parses quoted cells as in RFC 4180. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of csv.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    rows.at(-1)?.push(cell.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows
}

const BARE_PAGE = '<!doctype html><html><head><title>Sought</title></head><body></body></html>'

async function checkHeads(
  { services }: FuzzWorld,
  itemId: number,
  buyerId: string,
  title: string,
  name: string,
): Promise<string[]> {
  const db = services.database.read
  const ofItem = await itemPageHead(db, `/item/${itemId}`, siteOf(services), new Date())
  const ofPerson = await personPageHead(db, `/user/${buyerId}`, siteOf(services), new Date())
  return [...checkHead(ofItem, `Wanted: ${title}`), ...checkHead(ofPerson, name)]
}

/** The head must contain only our own elements, with the text inside quotes. */
function checkHead(head: HeadResult, title: string): string[] {
  if (head === null || typeof head === 'string') return ['a page without a head']
  const page = withHead(BARE_PAGE, head, 'Sought')
  const elements = [...page.matchAll(/<([a-z!/]\S*?)[\s>]/gi)].map(([, element]) => element)
  const allowedElements = new Set([
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
  const data = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json = '']) => JSON.parse(json),
  )
  const [, shown = ''] = /<meta property="og:title" content="([^"]*)">/.exec(page) ?? []
  const [structured, breadcrumbs] = data
  const scripts = elements.filter((element) => element === 'script').length
  return [
    ...(elements.every((element) => element !== undefined && allowedElements.has(element))
      ? []
      : [`a head with ${elements.join(' ')}`]),
    // The page of a request also lists its parent pages.
    ...(scripts === data.length && data.length === (head.breadcrumbs ? 2 : 1)
      ? []
      : [`a head with ${scripts} scripts, of which ${data.length} are ours`]),
    ...(unescaped(shown) === title ? [] : [`a preview with the title ${shown}`]),
    ...((structured.name ?? structured.mainEntity?.name) === title
      ? []
      : [`data with the title ${structured.name}`]),
    ...(!head.breadcrumbs || `Wanted: ${breadcrumbs.itemListElement.at(-1).name}` === title
      ? []
      : [`breadcrumbs that end with ${breadcrumbs.itemListElement.at(-1).name}`]),
  ]
}

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

function checkEmails(body: string): string[] {
  const emails = listDevEmails.reply.parse(JSON.parse(body))
  return emails.flatMap(({ kind, subject, html }) => [
    ...(/[\r\n]/.test(subject) ? [`a ${kind} email with a subject of two lines`] : []),
    ...(/<(script|img|svg|iframe|body onload)/i.test(html) ? [`a ${kind} email with a foreign element`] : []),
  ])
}

/** Bank details are encrypted; an admin can read them for a manual payout. */
async function checkBankDetails(world: FuzzWorld, send: Send, text: string): Promise<string[]> {
  const { rows } = await world.sql.query("select id from payouts where status = 'owed' limit 1")
  const numbers = { country: 'US', routing_number: '021000021', account_number: '000123456789' }
  const words = { account_holder_name: text, bank_name: text, bank_address: text }
  await send('seller', 'POST /api/seller/save-bank-account', { ...numbers, ...words })
  // Payouts to a changed account wait for 48 hours, which have passed here.
  await world.sql.query('update users set payouts_wait_until = null where payouts_wait_until is not null')
  const details = JSON.parse(await send('admin', `POST /api/admin/payouts/${rows[0].id}/bank-details`))
  const same = Object.keys(words).every((field) => details[field] === text)
  return same ? [] : [`bank details came back as ${JSON.stringify(details)}`]
}
