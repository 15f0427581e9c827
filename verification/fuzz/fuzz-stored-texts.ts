import type { Call } from '@sought/contract/call'
import fc from 'fast-check'
import type { Random } from '../support/random.ts'
import type { Stage } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'
import { filePart, MULTIPART, multipart } from './multipart.ts'
import { fittingTries, type Given, write } from './request-generators.ts'
import { pictures } from './sample-files.ts'
import { type Played, play } from './send-request.ts'
import { fieldsOf, isText } from './value-generators.ts'
import type { Written } from './write-log.ts'

/*
 * Hostile texts through every field that stores a text: what is stored is what was sent, or nothing is. Which fields
 * these are is found out by sending a plain text and looking for it in what was written.
 */

export interface TextOutcome {
  times: number
  /** The fields that store what is sent. */
  stored: string[]
  violations: string[]
}

const PLAIN = 'Nothing of note 4711'
const ROUND = 20
const MOST_ROUNDS = 40

export async function fuzzTexts(
  stage: Stage,
  name: string,
  call: Call,
  { random, share }: { random: Random; share: number },
): Promise<TextOutcome> {
  const outcome: TextOutcome = { times: 0, stored: [], violations: [] }
  const fields = textFieldsOf(call)
  if (call.method === 'GET' || (fields.length === 0 && !call.upload)) return outcome
  const accepted = await findAccepted(stage, call, random)
  if (!accepted) return { ...outcome, violations: [`${name}: nothing that fits was let in`] }
  for (const place of placesOf(call, fields, accepted)) {
    const isStored = holds((await place.send(stage, PLAIN)).written, PLAIN)
    if (isStored) outcome.stored.push(`${name}.${place.field}`)
    for (const text of someOf(allHostileTexts, share, random)) {
      const played = await place.send(stage, text)
      const wrong = [...played.wrong, ...(isStored ? changed(place, played, text) : [])]
      outcome.times += 1
      outcome.violations.push(
        ...wrong.map((what) => `${name}.${place.field}: ${what}\n    ${JSON.stringify(text)}`),
      )
    }
  }
  return outcome
}

/** Where a text goes, and what it should be afterwards. */
interface Place {
  field: string
  send(stage: Stage, text: string): Promise<Played>
  /** What is stored of a text that was let in: contracts trim. */
  kept(text: string): unknown
}

function textFieldsOf({ body, upload }: Call): string[] {
  const schema = body ?? upload?.fields
  return Object.entries(schema ? fieldsOf(schema) : {}).flatMap(([name, field]) =>
    isText(field) ? [name] : [],
  )
}

function placesOf(call: Call, fields: string[], given: Given): Place[] {
  const schema = call.body ?? call.upload?.fields
  const shape = schema ? fieldsOf(schema) : {}
  const places = fields.map(
    (field): Place => ({
      field,
      send: (stage, text) =>
        play(stage, call, write(call, { ...given, body: { ...(given.body as object), [field]: text } })),
      kept: (text) => shape[field]?.safeParse(text.toWellFormed()).data,
    }),
  )
  return call.upload ? [...places, fileName(call, call.upload.field, given)] : places
}

/** Browsers write these three as so; everything else in a name goes as it is. */
const asFileName = (text: string) =>
  text.toWellFormed().replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))

const fileName = (call: Call, field: string, given: Given): Place => ({
  field: 'the name of the file',
  send: (stage, text) =>
    play(stage, call, {
      ...write(call, given),
      headers: { 'content-type': MULTIPART },
      payload: multipart([filePart(field, asFileName(text), pictures.png)]),
    }),
  kept: asFileName,
})

/** The first of what fits that is let in. A few are made at a time, since it is mostly among the first. */
async function findAccepted(stage: Stage, call: Call, random: Random): Promise<Given | null> {
  const arbitrary = fittingTries(stage, call)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const given of fc.sample(arbitrary, { seed: random.below(2 ** 31), numRuns: ROUND })) {
      const { answer } = await play(stage, call, write(call, given))
      if (answer.status < 300) return given
    }
  }
  return null
}

/** All of them, or as many as their share comes to, and never none. */
function someOf(texts: readonly string[], share: number, random: Random): readonly string[] {
  if (share >= 1) return texts
  return Array.from({ length: Math.max(2, Math.round(texts.length * share)) }, () => random.pick(texts))
}

function changed({ field, kept }: Place, { answer, written }: Played, text: string): string[] {
  if (answer.status >= 300) return []
  const expected = kept(text)
  // An empty text is stored as none.
  if (expected === '') return []
  const said = fieldOf(answer.body, field)
  return [
    ...(holds(written, expected) ? [] : ['was stored as another']),
    ...(said === undefined || said === expected ? [] : [`came back as ${JSON.stringify(said)}`]),
  ]
}

const holds = (written: readonly Written[], value: unknown) =>
  written.some(({ operation, row }) => operation !== 'DELETE' && Object.values(row).includes(value))

function fieldOf(body: string, field: string): unknown {
  const said: unknown = JSON.parse(body)
  return typeof said === 'object' && said !== null && Object.hasOwn(said, field)
    ? (said as Record<string, unknown>)[field]
    : undefined
}
