import type { Call } from '@sought/contract/call'
import fc from 'fast-check'
import type { Stage, Who } from './fuzz-world.ts'
import { WHO } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'
import { fieldPart, filePart, MULTIPART, multipart, type Part } from './multipart.ts'
import { pictures } from './sample-files.ts'
import { anything, atTheEdge, fieldsOf, fitting, type Known } from './value-generators.ts'

/** One request, as it goes out. */
export interface Try {
  who: Who
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
  /** Whether the address may be another's than the call's, or nobody's. */
  astray?: true
}

/** What a request is made of, before it is written down. */
export interface Given {
  who: Who
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

const JSON_TYPE = 'application/json'

/** Everything that fits, as somebody who may well be the wrong one. */
export function fittingTries({ deals }: Pick<Stage, 'deals'>, call: Call): fc.Arbitrary<Given> {
  const ofDeal = (deal: Known) => {
    const known = knownTo(call, deal)
    const part = (schema: Call['params']) =>
      (schema ? fitting(schema, known) : fc.constant({})) as fc.Arbitrary<Record<string, unknown>>
    return fc.record<Given>({
      who: callers(call),
      params: part(call.params),
      query: part(call.query),
      body: call.body ? part(call.body) : part(call.upload?.fields),
    })
  }
  return fc.oneof(...deals.map(ofDeal))
}

/** What `id` means in a path, by the word before it. Elsewhere it may be anything's. */
const IDS_OF: Record<string, string> = {
  devices: 'deviceId',
  users: 'userId',
  'wanted-items': 'itemId',
  offers: 'offerId',
  payments: 'paymentId',
  'manual-delivery-confirm': 'paymentId',
  disputes: 'disputeId',
  evidence: 'evidenceId',
  payouts: 'payoutId',
}

function knownTo({ path }: Call, deal: Known): Known {
  const [, noun = ''] = /([\w-]+)\/:id\b/.exec(path) ?? []
  const ids = deal[IDS_OF[noun] ?? '']
  return ids ? { ...deal, id: ids } : deal
}

/** Mostly somebody whom the call is for. */
function callers({ access }: Call): fc.Arbitrary<Who> {
  const weight = (who: Who) =>
    access === 'admin' ? (who === 'admin' ? 6 : 1) : who === 'buyer' || who === 'seller' ? 3 : 1
  return fc.oneof(...WHO.map((who) => ({ weight: weight(who), arbitrary: fc.constant(who) })))
}

/** Near and far: what fits, with one thing or several changed, and what could not be read at all. */
export function tries(stage: Pick<Stage, 'deals'>, call: Call): fc.Arbitrary<Try> {
  const fitting = fittingTries(stage, call)
  const written = fitting.map((given) => write(call, given))
  const changed = fc
    .tuple(fitting, fc.array(changeOf(call), { minLength: 1, maxLength: 3 }))
    .map(([given, changes]) =>
      write(
        call,
        changes.reduce((so, change) => change(so), given),
      ),
    )
  const unreadable = fc.tuple(written, call.upload ? wrongUploads(call) : wrongBodies).map(apply)
  const astray = fc.tuple(written, wrongAddresses).map(apply)
  return fc.oneof(
    { weight: 4, arbitrary: call.upload ? fc.tuple(written, goodUploads(call)).map(apply) : written },
    { weight: 8, arbitrary: changed },
    { weight: 3, arbitrary: unreadable },
    { weight: 1, arbitrary: astray },
  )
}

const apply = ([made, change]: [Try, (made: Try) => Try]): Try => change(made)

/** Writes a request down as a browser would. */
export function write(call: Call, { who, params, query, body }: Given): Try {
  const url =
    call.path.replace(/:(\w+)/g, (_, name: string) => encoded(textOf(params[name]))) + queryOf(query)
  if (call.upload) {
    const file = filePart(call.upload.field, 'lamp.png', pictures.png)
    const fields = Object.entries(body as object).map(([name, value]) => fieldPart(name, textOf(value)))
    return { who, url, headers: { 'content-type': MULTIPART }, payload: multipart([...fields, file]) }
  }
  if (!call.body) return { who, url, headers: {}, payload: undefined }
  return { who, url, headers: { 'content-type': JSON_TYPE }, payload: JSON.stringify(body) }
}

function queryOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${encoded(name)}=${encoded(textOf(one))}`),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')

type Change = (given: Given) => Given

const PLACES = ['params', 'query', 'body'] as const

/** Changes one field: to the edge, to something else, away, doubled, or into a nest; or adds one that nobody asked for. */
function changeOf(call: Call): fc.Arbitrary<Change> {
  const fields = PLACES.flatMap((place) => {
    const schema = place === 'body' ? (call.body ?? call.upload?.fields) : call[place]
    return Object.entries(schema ? fieldsOf(schema) : {}).map(([name, field]) => ({ place, name, field }))
  })
  const stranger = fc
    .tuple(fc.constantFrom('query', 'body'), fc.constantFrom(...STRANGERS), anything)
    .map(([place, name, value]) => changing(place, name, () => value))
  const wholly = anything.map(
    (body): Change =>
      (given) =>
        call.upload ? given : { ...given, body },
  )
  if (fields.length === 0) return fc.oneof(stranger, wholly)
  const known = fc
    .constantFrom(...fields)
    .chain(({ place, name, field }) =>
      fc.oneof(
        { weight: 4, arbitrary: atTheEdge(field).map((value) => changing(place, name, () => value)) },
        { weight: 3, arbitrary: anything.map((value) => changing(place, name, () => value)) },
        { weight: 1, arbitrary: fc.constant(changing(place, name, (value) => [value, value])) },
        { weight: 1, arbitrary: fc.constant(changing(place, name, (value) => ({ value }))) },
        { weight: 1, arbitrary: fc.constant(changing(place, name, String)) },
        { weight: 1, arbitrary: fc.constant(without(place, name)) },
      ),
    )
  return fc.oneof(
    { weight: 8, arbitrary: known },
    { weight: 1, arbitrary: stranger },
    { weight: 1, arbitrary: wholly },
  )
}

/** Fields that no call has, and that some programs would take for something. */
const STRANGERS = [
  '__proto__',
  'constructor',
  'prototype',
  'isAdmin',
  'status',
  'userId',
  'senderId',
  'a[b]',
  '',
  'toString',
]

const changing =
  (place: (typeof PLACES)[number], name: string, change: (value: unknown) => unknown): Change =>
  (given) => {
    const before = asFields(given[place])
    // Not by assignment: `__proto__` would be taken for more than a name.
    const after = [
      ...Object.entries(before).filter(([other]) => other !== name),
      [name, change(before[name])],
    ]
    return { ...given, [place]: Object.fromEntries(after) }
  }

const without =
  (place: (typeof PLACES)[number], name: string): Change =>
  (given) => ({
    ...given,
    [place]: Object.fromEntries(Object.entries(asFields(given[place])).filter(([other]) => other !== name)),
  })

const asFields = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

type Wrong = fc.Arbitrary<(made: Try) => Try>

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/jsonx',
  'application/vnd.api+json',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/octet-stream',
  'multipart/form-data',
  MULTIPART,
  'json',
  ';',
  '',
]

const nest = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** Bodies that are no JSON, or JSON of which different programs make different things. */
const BODIES: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '{"a":}',
  '[1,',
  'null',
  'true',
  '7',
  '"text"',
  '[]',
  '{}',
  'undefined',
  '{"id":1,"id":2,"id":"3"}',
  '{"email":"a@example.com","email":{"a":1}}',
  '{"__proto__":{"hurt":1}}',
  '{"constructor":{"prototype":{"hurt":1}}}',
  '{"a":{"__proto__":{"hurt":1}}}',
  '{"\\u005f_proto__":{"hurt":1}}',
  '{"a":1}{"b":2}',
  '{"a":NaN}',
  "{'a':1}",
  '\ufeff{"a":1}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"a":1e999}',
  '<a/>',
  'a=1&b=2',
  nest('[', ']', 5_000),
  nest('[', ']', 120_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"a":"${'x'.repeat(262_200)}"}`,
  'x'.repeat(300_000),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from('7b2261223a22c3287d', 'hex'),
  Buffer.from('7b2261223a22eda080227d', 'hex'),
  Buffer.alloc(64),
]

const wrongBodies: Wrong = fc.oneof(
  fc.constantFrom(...BODIES).map((payload) => (made: Try) => ({
    ...made,
    payload,
    headers: { ...made.headers, 'content-type': JSON_TYPE },
  })),
  fc.constantFrom(...CONTENT_TYPES).map((type) => (made: Try) => ({
    ...made,
    payload: made.payload ?? '{}',
    headers: { ...made.headers, 'content-type': type },
  })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => (made: Try) => ({
    ...made,
    payload: Buffer.from(bytes),
    headers: { ...made.headers, 'content-type': JSON_TYPE },
  })),
  // A good body with a byte or two of it changed.
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (made: Try) => ({
    ...made,
    payload: damaged(made, at, byte),
  })),
  fc.constant((made: Try) => ({ ...made, payload: made.payload ?? '{}', headers: {} })),
)

function damaged({ payload = '' }: Try, at: number, byte: number): Buffer {
  const bytes = Buffer.from(payload)
  if (bytes.length > 0) bytes[at % bytes.length] = byte
  return bytes
}

/** Addresses that nobody would write. */
const wrongAddresses: Wrong = fc.oneof(
  fc.constantFrom(...allHostileTexts).map((text) => (made: Try) => ({
    ...made,
    astray: true as const,
    url: made.url.replace(/[^/]*$/, encoded(text)),
  })),
  fc
    .constantFrom(
      '%',
      '%zz',
      '%c0%ae',
      '%00',
      '%ff',
      '%ed%a0%80',
      'x'.repeat(199),
      'x'.repeat(201),
      'x'.repeat(9_000),
      ';a=b',
      '//',
      '/../..',
    )
    .map((tail) => (made: Try) => ({ ...made, astray: true as const, url: made.url.split('?')[0] + tail })),
  fc
    .constantFrom(
      '?',
      '?&',
      '?=',
      '?a',
      '?a[]=1',
      '?a[b]=1',
      '?__proto__=1',
      '?__proto__[hurt]=1',
      '?limit=1&limit=2',
      '?cursor[]=1',
      '?cursor=%00',
      '?search=%',
      '?search=%ff',
      `?${'a=1&'.repeat(3_000)}`,
      `?search=${'x'.repeat(9_000)}`,
    )
    .map((query) => (made: Try) => ({ ...made, url: made.url.split('?')[0] + query })),
)

/** Uploads of every kind of file under every kind of name: some are let in. */
function goodUploads({ upload }: Call): Wrong {
  const field = upload?.field ?? ''
  const names = fc.oneof(
    fc.constantFrom('lamp.png', 'note.txt', 'PHOTO.JPEG', 'm\u00f6bel.webp'),
    hostileNames,
  )
  return fc.tuple(fc.constantFrom(...Object.values(pictures)), names).map(
    ([bytes, name]) =>
      (made) =>
        withParts(made, [filePart(field, name, bytes)]),
  )
}

const hostileNames = fc.oneof(
  fc.constantFrom(...allHostileTexts),
  fc.constantFrom(
    '',
    '.txt',
    'a.txt'.padStart(300, 'x'),
    `${'\u{1f600}'.repeat(120)}.txt`,
    '"',
    'a\\',
    '%',
    'a;b=c',
  ),
)

const withParts = (made: Try, parts: Part[]): Try => ({
  ...made,
  headers: { 'content-type': MULTIPART },
  payload: multipart(parts),
})

function wrongUploads({ upload }: Call): Wrong {
  const field = upload?.field ?? ''
  const file = filePart(field, 'lamp.png', pictures.png)
  const sets: Part[][] = [
    [],
    [file, file],
    [file, filePart('other', 'b.png', pictures.png)],
    [filePart('other', 'b.png', pictures.png)],
    [filePart('', 'b.png', pictures.png)],
    [fieldPart(field, 'a text where the file should be')],
    [fieldPart('__proto__', 'x'), file],
    [fieldPart('constructor', 'x'), file],
    [fieldPart('toString', 'x'), file],
    [fieldPart('description', 'one'), fieldPart('description', 'two'), file],
    [fieldPart('description', 'x'.repeat(25_000)), file],
    [fieldPart('description', Buffer.from([0xff, 0xfe])), file],
    [fieldPart('description', 'NUL \0'), file],
    [fieldPart('description', '{"a":1}', '\r\ncontent-type: application/json'), file],
    [fieldPart('description', '{"a":', '\r\ncontent-type: application/json'), file],
    [fieldPart('description', 'a', '\r\ncontent-type: text/plain; charset=utf-16'), file],
    [fieldPart('description', 'a', '\r\ncontent-type: text/plain; charset=nowhere'), file],
    [fieldPart('disputeId', '99999999999999999999'), file],
    [...Array.from({ length: 11 }, (_, at) => fieldPart(`f${at}`, 'x')), file],
    Array.from({ length: 1_100 }, (_, at) => fieldPart(`f${at}`, '')),
    [{ head: 'content-disposition: form-data', bytes: pictures.png }],
    [{ head: 'content-disposition: attachment; filename="a.png"', bytes: pictures.png }],
    [
      {
        head: `content-disposition: form-data; name="${field}"; filename*=UTF-8''%ff%zz.txt`,
        bytes: pictures.text,
      },
    ],
    [
      {
        head: `content-disposition: form-data; name="${field}"; filename*=utf-8''..%2f..%2fa.txt`,
        bytes: pictures.text,
      },
    ],
    [{ head: `content-disposition: form-data; name=${field}; filename=a.txt`, bytes: pictures.text }],
    [{ head: 'no header at all', bytes: pictures.png }],
    [{ head: '', bytes: pictures.png }],
    [{ head: `x: ${'y'.repeat(90_000)}`, bytes: pictures.png }],
    [filePart(field, 'a.png', Buffer.alloc((upload?.maxBytes ?? 0) + 1))],
  ]
  const bodies = sets.map((parts) => multipart(parts))
  const whole = multipart([file])
  const broken = [
    ...[0, 1, 8, 60, 120, whole.length - 1, whole.length - 9].map((length) => whole.subarray(0, length)),
    Buffer.concat([Buffer.from('before it all\r\n'), whole]),
    Buffer.from('--edge--\r\n'),
    Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n--edge--\r\n'),
    Buffer.from('--edge\r\n\r\n\r\n--edge--\r\n'),
    Buffer.from('--edge\n\n\n--edge--\n'),
  ]
  const types = [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
    'multipart/form-data; boundary="edge"; boundary=other',
    'multipart/mixed; boundary=edge',
    'MULTIPART/FORM-DATA; BOUNDARY=edge',
    'multipart/form-data; boundary=edge; charset=utf-16',
    JSON_TYPE,
    'text/plain',
    '',
  ]
  return fc.oneof(
    fc.constantFrom(...bodies, ...broken).map((payload) => (made: Try) => ({
      ...made,
      payload,
      headers: { 'content-type': MULTIPART },
    })),
    fc.constantFrom(...types).map((type) => (made: Try) => ({ ...made, headers: { 'content-type': type } })),
    fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (made: Try) => ({
      ...made,
      payload: damaged(made, at, byte),
    })),
    fc.constant((made: Try) => ({ ...made, payload: undefined, headers: { 'content-type': MULTIPART } })),
  )
}
