import type { Call } from '@sought/contract/call'
import { filePart, MULTIPART, multipart } from '@sought/server/testing/multipart'
import fc from 'fast-check'
import type { Random } from '../support/random.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'
import { type RequestParts, serialize, validRequests } from './request-generators.ts'
import { sampleFiles } from './sample-files.ts'
import { type Exchange, sendRequest } from './send-request.ts'
import { fieldsOf, isText } from './value-generators.ts'
import type { Written } from './write-log.ts'

/*
 * Sends hostile texts to every field that stores a text: either exactly the text is stored, or nothing. A plain
 * text is sent first to find the fields that are stored.
 */

export interface TextOutcome {
  times: number
  /** The fields whose text is stored. */
  stored: string[]
  violations: string[]
}

const PLAIN = 'Nothing of note 4711'
const CHUNK = 20
const MAX_CHUNKS = 40

export async function fuzzStoredTexts(
  world: FuzzWorld,
  name: string,
  call: Call,
  { random, share }: { random: Random; share: number },
): Promise<TextOutcome> {
  const outcome: TextOutcome = { times: 0, stored: [], violations: [] }
  const fields = textFieldsOf(call)
  if (call.method === 'GET' || (fields.length === 0 && !call.upload)) return outcome
  const accepted = await findAccepted(world, call, random)
  if (!accepted) return { ...outcome, violations: [`${name}: no valid request succeeded`] }
  for (const textField of textFieldsWith(name, call, fields, accepted)) {
    const isStored = contains((await textField.send(world, PLAIN)).written, PLAIN)
    if (isStored) outcome.stored.push(`${name}.${textField.field}`)
    for (const text of someOf(allHostileTexts, share, random)) {
      const exchange = await textField.send(world, text)
      const found = [...exchange.violations, ...(isStored ? findChanges(textField, exchange, text) : [])]
      outcome.times += 1
      outcome.violations.push(
        ...found.map((what) => `${name}.${textField.field}: ${what}\n    ${JSON.stringify(text)}`),
      )
    }
  }
  return outcome
}

/** A field that accepts text. */
interface TextField {
  field: string
  send(world: FuzzWorld, text: string): Promise<Exchange>
  /** The stored form of an accepted text, which the contract trims. */
  stored(text: string): unknown
  /** The path of the text in the reply, if it contains it. */
  replyPath: readonly string[]
}

/** Paths where the reply names a text differently than the request. */
const REPLY_PATHS: Record<string, readonly string[]> = {
  // `text` in the reply is the author's review.
  'replyToReview.text': ['reply', 'text'],
}

function textFieldsOf({ body, upload }: Call): string[] {
  const schema = body ?? upload?.fields
  return Object.entries(schema ? fieldsOf(schema) : {}).flatMap(([name, field]) =>
    isText(field) ? [name] : [],
  )
}

function textFieldsWith(name: string, call: Call, fields: string[], parts: RequestParts): TextField[] {
  const schema = call.body ?? call.upload?.fields
  const shape = schema ? fieldsOf(schema) : {}
  const textFields = fields.map(
    (field): TextField => ({
      field,
      send: (world, text) =>
        sendRequest(
          world,
          call,
          serialize(call, { ...parts, body: { ...(parts.body as object), [field]: text } }),
        ),
      stored: (text) => shape[field]?.safeParse(text.toWellFormed()).data,
      replyPath: REPLY_PATHS[`${name}.${field}`] ?? [field],
    }),
  )
  return call.upload ? [...textFields, fileNameField(call, call.upload.field, parts)] : textFields
}

/** How browsers encode a file name in a form. */
const asFileName = (text: string) =>
  text.toWellFormed().replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))

const fileNameField = (call: Call, field: string, parts: RequestParts): TextField => ({
  field: 'the file name',
  send: (world, text) =>
    sendRequest(world, call, {
      ...serialize(call, parts),
      headers: { 'content-type': MULTIPART },
      payload: multipart([filePart(field, asFileName(text), sampleFiles.png)]),
    }),
  stored: asFileName,
  replyPath: ['the file name'],
})

/** The first valid request that succeeds, generated in small chunks. */
async function findAccepted(world: FuzzWorld, call: Call, random: Random): Promise<RequestParts | null> {
  const arbitrary = validRequests(world, call)
  for (let round = 0; round < MAX_CHUNKS; round++) {
    for (const parts of fc.sample(arbitrary, { seed: random.below(2 ** 31), numRuns: CHUNK })) {
      const { answer } = await sendRequest(world, call, serialize(call, parts))
      if (answer.status < 300) return parts
    }
  }
  return null
}

/** Returns at least two of them. */
function someOf(texts: readonly string[], share: number, random: Random): readonly string[] {
  if (share >= 1) return texts
  return Array.from({ length: Math.max(2, Math.round(texts.length * share)) }, () => random.pick(texts))
}

function findChanges(
  { stored, replyPath }: TextField,
  { answer, written }: Exchange,
  text: string,
): string[] {
  if (answer.status >= 300) return []
  const expected = stored(text)
  // An empty text is stored as null.
  if (expected === '') return []
  const replied = fieldAt(JSON.parse(answer.body), replyPath)
  return [
    ...(contains(written, expected) ? [] : ['was stored differently']),
    ...(replied === undefined || replied === expected ? [] : [`came back as ${JSON.stringify(replied)}`]),
  ]
}

const contains = (written: readonly Written[], value: unknown) =>
  written.some(({ operation, row }) => operation !== 'DELETE' && Object.values(row).includes(value))

function fieldAt(value: unknown, [field, ...rest]: readonly string[]): unknown {
  if (field === undefined) return value
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? fieldAt((value as Record<string, unknown>)[field], rest)
    : undefined
}
