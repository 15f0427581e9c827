import type { Call } from '@sought/contract/call'
import { fieldPart, filePart, MULTIPART, multipart, type Part } from '@sought/server/testing/multipart'
import fc from 'fast-check'
import type { Caller, FuzzWorld } from './fuzz-world.ts'
import { CALLERS } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'
import { sampleFiles } from './sample-files.ts'
import { anything, boundaryValue, fieldsOf, type KnownValues, validValue } from './value-generators.ts'

/** A request as it is sent. */
export interface FuzzRequest {
  caller: Caller
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
  /** The URL may belong to another call, or to none. */
  unknownUrl?: true
}

/** The parts of a request before they are serialized. */
export interface RequestParts {
  caller: Caller
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

const JSON_TYPE = 'application/json'

/** Valid requests by any caller, allowed or not. */
export function validRequests({ deals }: Pick<FuzzWorld, 'deals'>, call: Call): fc.Arbitrary<RequestParts> {
  const ofDeal = (deal: KnownValues) => {
    const known = valuesFor(call, deal)
    const part = (schema: Call['params']) =>
      (schema ? validValue(schema, known) : fc.constant({})) as fc.Arbitrary<Record<string, unknown>>
    return fc.record<RequestParts>({
      caller: callers(call),
      params: part(call.params),
      query: part(call.query),
      body: call.body ? part(call.body) : part(call.upload?.fields),
    })
  }
  return fc.oneof(...deals.map(ofDeal))
}

/** The meaning of `:id` in a path, by the segment before it. */
const ID_FIELDS: Record<string, string> = {
  devices: 'deviceId',
  users: 'userId',
  'wanted-items': 'itemId',
  offers: 'offerId',
  payments: 'paymentId',
  'manual-delivery-confirm': 'paymentId',
  disputes: 'disputeId',
  evidence: 'evidenceId',
  passkeys: 'passkeyId',
  payouts: 'payoutId',
  tickets: 'ticketId',
  photos: 'photoId',
  'saved-searches': 'savedSearchId',
  reviews: 'reviewId',
  moderation: 'caseId',
  decisions: 'decisionId',
  people: 'userId',
  appeals: 'appealId',
  replies: 'replyId',
  goodwill: 'goodwillId',
  exports: 'exportId',
}

function valuesFor({ path }: Call, deal: KnownValues): KnownValues {
  const [, noun = ''] = /([\w-]+)\/:id\b/.exec(path) ?? []
  const ids = deal[ID_FIELDS[noun] ?? '']
  return ids ? { ...deal, id: ids } : deal
}

/** Mostly callers who are allowed to make the call. */
function callers({ access }: Call): fc.Arbitrary<Caller> {
  const isOfDesk = access !== 'public' && access !== 'user'
  const weight = (caller: Caller) =>
    isOfDesk ? (caller === 'admin' ? 6 : 1) : caller === 'buyer' || caller === 'seller' ? 3 : 1
  return fc.oneof(...CALLERS.map((caller) => ({ weight: weight(caller), arbitrary: fc.constant(caller) })))
}

/** Valid requests, requests with some fields changed, and requests that cannot be parsed. */
export function requestsFor(world: Pick<FuzzWorld, 'deals'>, call: Call): fc.Arbitrary<FuzzRequest> {
  const valid = validRequests(world, call)
  // An optional file may be omitted, and the fields may then be sent as JSON.
  const hasFile = call.upload?.optional ? fc.boolean() : fc.constant(true)
  const serialized = fc.tuple(valid, hasFile).map(([parts, file]) => serialize(call, parts, file))
  const changed = fc
    .tuple(valid, hasFile, fc.array(changesOf(call), { minLength: 1, maxLength: 3 }))
    .map(([requestParts, file, changes]) =>
      serialize(
        call,
        changes.reduce((parts, change) => change(parts), requestParts),
        file,
      ),
    )
  const malformed = fc.tuple(serialized, malformedFor(call)).map(apply)
  const unknownUrl = fc.tuple(serialized, malformedUrls).map(apply)
  return fc.oneof(
    { weight: 4, arbitrary: call.upload ? fc.tuple(serialized, uploadsOf(call)).map(apply) : serialized },
    { weight: 8, arbitrary: changed },
    { weight: 3, arbitrary: malformed },
    { weight: 1, arbitrary: unknownUrl },
  )
}

function malformedFor(call: Call): RequestChange {
  if (!call.upload) return malformedBodies
  return call.upload.optional ? fc.oneof(malformedUploads(call), malformedBodies) : malformedUploads(call)
}

const apply = ([request, change]: [FuzzRequest, (request: FuzzRequest) => FuzzRequest]): FuzzRequest =>
  change(request)

/** Serializes a request as a browser would. */
export function serialize(
  call: Call,
  { caller, params, query, body }: RequestParts,
  hasFile = true,
): FuzzRequest {
  const url =
    call.path.replace(/:(\w+)/g, (_, name: string) => encoded(textOf(params[name]))) + queryOf(query)
  if (call.upload && hasFile) {
    const file = filePart(call.upload.field, 'lamp.png', sampleFiles.png)
    const fields = Object.entries(body as object).map(([name, value]) => fieldPart(name, textOf(value)))
    return { caller, url, headers: { 'content-type': MULTIPART }, payload: multipart([...fields, file]) }
  }
  if (!call.body && !call.upload) return { caller, url, headers: {}, payload: undefined }
  return { caller, url, headers: { 'content-type': JSON_TYPE }, payload: JSON.stringify(body) }
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

type Change = (requestParts: RequestParts) => RequestParts

const PLACES = ['params', 'query', 'body'] as const

/**
 * Changes a field to a boundary value or an unrelated one, removes, duplicates or nests it, or adds an unknown one.
 */
function changesOf(call: Call): fc.Arbitrary<Change> {
  const fields = PLACES.flatMap((place) => {
    const schema = place === 'body' ? (call.body ?? call.upload?.fields) : call[place]
    return Object.entries(schema ? fieldsOf(schema) : {}).map(([name, field]) => ({ place, name, field }))
  })
  const unknownField = fc
    .tuple(fc.constantFrom('query', 'body'), fc.constantFrom(...UNKNOWN_FIELDS), anything)
    .map(([place, name, value]) => changeField(place, name, () => value))
  const wholeBody = anything.map(
    (body): Change =>
      (requestParts) =>
        call.upload ? requestParts : { ...requestParts, body },
  )
  if (fields.length === 0) return fc.oneof(unknownField, wholeBody)
  const known = fc
    .constantFrom(...fields)
    .chain(({ place, name, field }) =>
      fc.oneof(
        { weight: 4, arbitrary: boundaryValue(field).map((value) => changeField(place, name, () => value)) },
        { weight: 3, arbitrary: anything.map((value) => changeField(place, name, () => value)) },
        { weight: 1, arbitrary: fc.constant(changeField(place, name, (value) => [value, value])) },
        { weight: 1, arbitrary: fc.constant(changeField(place, name, (value) => ({ value }))) },
        { weight: 1, arbitrary: fc.constant(changeField(place, name, String)) },
        { weight: 1, arbitrary: fc.constant(removeField(place, name)) },
      ),
    )
  return fc.oneof(
    { weight: 8, arbitrary: known },
    { weight: 1, arbitrary: unknownField },
    { weight: 1, arbitrary: wholeBody },
  )
}

/** Fields that no call has and that are dangerous in some programs. */
const UNKNOWN_FIELDS = [
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

const changeField =
  (place: (typeof PLACES)[number], name: string, change: (value: unknown) => unknown): Change =>
  (requestParts) => {
    const before = asFields(requestParts[place])
    // Assigning `__proto__` would set the prototype instead.
    const after = [
      ...Object.entries(before).filter(([other]) => other !== name),
      [name, change(before[name])],
    ]
    return { ...requestParts, [place]: Object.fromEntries(after) }
  }

const removeField =
  (place: (typeof PLACES)[number], name: string): Change =>
  (requestParts) => ({
    ...requestParts,
    [place]: Object.fromEntries(
      Object.entries(asFields(requestParts[place])).filter(([other]) => other !== name),
    ),
  })

const asFields = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

type RequestChange = fc.Arbitrary<(request: FuzzRequest) => FuzzRequest>

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

const repeatNested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** Bodies that are not JSON, or that parsers read differently. */
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
  repeatNested('[', ']', 5_000),
  repeatNested('[', ']', 120_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"a":"${'x'.repeat(262_200)}"}`,
  'x'.repeat(300_000),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from('7b2261223a22c3287d', 'hex'),
  Buffer.from('7b2261223a22eda080227d', 'hex'),
  Buffer.alloc(64),
]

const malformedBodies: RequestChange = fc.oneof(
  fc.constantFrom(...BODIES).map((payload) => (request: FuzzRequest) => ({
    ...request,
    payload,
    headers: { ...request.headers, 'content-type': JSON_TYPE },
  })),
  fc.constantFrom(...CONTENT_TYPES).map((type) => (request: FuzzRequest) => ({
    ...request,
    payload: request.payload ?? '{}',
    headers: { ...request.headers, 'content-type': type },
  })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => (request: FuzzRequest) => ({
    ...request,
    payload: Buffer.from(bytes),
    headers: { ...request.headers, 'content-type': JSON_TYPE },
  })),
  // A valid body with one byte changed.
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (request: FuzzRequest) => ({
    ...request,
    payload: changeByte(request, at, byte),
  })),
  fc.constant((request: FuzzRequest) => ({ ...request, payload: request.payload ?? '{}', headers: {} })),
)

function changeByte({ payload = '' }: FuzzRequest, at: number, byte: number): Buffer {
  const bytes = Buffer.from(payload)
  if (bytes.length > 0) bytes[at % bytes.length] = byte
  return bytes
}

const malformedUrls: RequestChange = fc.oneof(
  fc.constantFrom(...allHostileTexts).map((text) => (request: FuzzRequest) => ({
    ...request,
    unknownUrl: true as const,
    url: request.url.replace(/[^/]*$/, encoded(text)),
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
    .map((tail) => (request: FuzzRequest) => ({
      ...request,
      unknownUrl: true as const,
      url: request.url.split('?')[0] + tail,
    })),
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
    .map((query) => (request: FuzzRequest) => ({ ...request, url: request.url.split('?')[0] + query })),
)

/** Uploads of all sample files under all kinds of names. */
function uploadsOf({ upload }: Call): RequestChange {
  const field = upload?.field ?? ''
  const names = fc.oneof(
    fc.constantFrom('lamp.png', 'note.txt', 'PHOTO.JPEG', 'm\u00f6bel.webp'),
    hostileNames,
  )
  return fc.tuple(fc.constantFrom(...Object.values(sampleFiles)), names).map(
    ([bytes, name]) =>
      (request) =>
        withParts(request, [filePart(field, name, bytes)]),
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

const withParts = (request: FuzzRequest, parts: Part[]): FuzzRequest => ({
  ...request,
  headers: { 'content-type': MULTIPART },
  payload: multipart(parts),
})

function malformedUploads({ upload }: Call): RequestChange {
  const field = upload?.field ?? ''
  const file = filePart(field, 'lamp.png', sampleFiles.png)
  const sets: Part[][] = [
    [],
    [file, file],
    [file, filePart('other', 'b.png', sampleFiles.png)],
    [filePart('other', 'b.png', sampleFiles.png)],
    [filePart('', 'b.png', sampleFiles.png)],
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
    [{ head: 'content-disposition: form-data', bytes: sampleFiles.png }],
    [{ head: 'content-disposition: attachment; filename="a.png"', bytes: sampleFiles.png }],
    [
      {
        head: `content-disposition: form-data; name="${field}"; filename*=UTF-8''%ff%zz.txt`,
        bytes: sampleFiles.text,
      },
    ],
    [
      {
        head: `content-disposition: form-data; name="${field}"; filename*=utf-8''..%2f..%2fa.txt`,
        bytes: sampleFiles.text,
      },
    ],
    [{ head: `content-disposition: form-data; name=${field}; filename=a.txt`, bytes: sampleFiles.text }],
    [{ head: 'no header at all', bytes: sampleFiles.png }],
    [{ head: '', bytes: sampleFiles.png }],
    [{ head: `x: ${'y'.repeat(90_000)}`, bytes: sampleFiles.png }],
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
    fc.constantFrom(...bodies, ...broken).map((payload) => (request: FuzzRequest) => ({
      ...request,
      payload,
      headers: { 'content-type': MULTIPART },
    })),
    fc
      .constantFrom(...types)
      .map((type) => (request: FuzzRequest) => ({ ...request, headers: { 'content-type': type } })),
    fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (request: FuzzRequest) => ({
      ...request,
      payload: changeByte(request, at, byte),
    })),
    fc.constant((request: FuzzRequest) => ({
      ...request,
      payload: undefined,
      headers: { 'content-type': MULTIPART },
    })),
  )
}
