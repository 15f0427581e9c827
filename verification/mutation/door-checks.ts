// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** What is let in and out, whoever it is. */
export const doorChecks: Guard[] = [
  {
    what: 'visitors are turned away',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: "  if (!user) throw refuse('signed_out')\n",
        put: '  if (!user) return user\n',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'and nobody else may' },
  },
  {
    what: 'only admins come to the desk',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: "  if (call.access === 'admin' && !(await gate.isAdmin(user))) throw refuse('not_admin')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'who may do what, in one table' },
  },
  {
    what: 'what is sent is held against its schema',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: '  if (parsed.success) return parsed.data\n  throw',
        put: '  return given\n  throw',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'is refused, and nothing is stored' },
  },
  {
    what: 'only declared fields leave the server',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: '    ...(serialise && { schema: { response: { [call.status ?? 200]: serialise } } }),\n',
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what a row holds beyond what its call declares' },
  },
  {
    what: 'what another site makes a browser send is refused',
    edits: [{ file: 'server/src/app.ts', take: '    refuseCrossSite(request)\n', put: '' }],
    noticedBy: {
      file: 'malformed-requests.test.ts',
      test: 'requests that another site makes a browser send',
    },
  },
  {
    what: 'the way back leads to this site alone',
    edits: [
      { file: 'contract/src/fields.ts', take: 'z.regex(/^\\/(?![/\\\\])[!-[\\]-~]*$/)', put: 'z.regex(/./)' },
    ],
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'a return address' },
  },
  {
    what: 'ten streams a person',
    edits: [
      {
        file: 'server/src/platform/events.ts',
        take: "      if (streams.size >= STREAMS_PER_PERSON) throw refuse('too_many', { retryAfterSeconds: 60 })\n",
        put: '',
      },
    ],
    noticedBy: { file: 'events.test.ts', test: 'ten streams a person' },
  },
  {
    what: 'too much at once is refused at the door',
    edits: [
      {
        file: 'server/src/app.ts',
        take: '  if (config.loadShedding) refuseUnderPressure(app, database.pool)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'health.test.ts', test: 'it refuses at the door' },
  },
  {
    what: 'bank details open only in their own row',
    edits: [
      {
        file: 'server/src/platform/encryption.ts',
        take: 'const boundTo = (owner: string) => Buffer.from(`${VERSION}:${owner}`)',
        put: 'const boundTo = (_owner: string) => Buffer.from(VERSION)',
      },
    ],
    noticedBy: { file: 'encryption.test.ts', test: 'another secret, another owner' },
  },
  {
    what: 'a changed byte makes bank details unreadable',
    edits: [
      {
        file: 'server/src/platform/encryption.ts',
        take: 'return Buffer.concat([decipher.update(hidden), decipher.final()])',
        put: 'return Buffer.concat([decipher.update(hidden)])',
      },
    ],
    noticedBy: { file: 'encryption.test.ts', test: 'a change of any single byte' },
  },
  {
    what: 'scripts come from us alone',
    edits: [
      {
        file: 'server/src/platform/security.ts',
        take: 'scriptSrc: ["\'self\'", ...',
        put: 'scriptSrc: ["\'self\'", "\'unsafe-inline\'", ...',
      },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'headers' },
  },
  {
    what: 'no site frames ours',
    edits: [
      { file: 'server/src/platform/security.ts', take: '        frameAncestors: ["\'none\'"],\n', put: '' },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'headers' },
  },
  {
    what: 'an answer of a call loads nothing as a page',
    edits: [
      {
        file: 'server/src/platform/security.ts',
        take: "{ ...Object.fromEntries(kept), 'content-security-policy': NOTHING }",
        put: 'Object.fromEntries(kept)',
      },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'headers' },
  },
  {
    what: 'no answer is taken for another type than it says',
    edits: [{ file: 'server/src/platform/security.ts', take: "  'x-content-type-options',\n", put: '' }],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'headers' },
  },
  {
    what: 'private answers are kept by nobody',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: "  reply.header('cache-control', 'no-store')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'what is answered to one person is not kept' },
  },
  {
    what: 'evidence is never run as a page',
    edits: [
      {
        file: 'server/src/platform/serve-files.ts',
        take: "    .header('content-security-policy', \"default-src 'none'; sandbox\")\n",
        put: '',
      },
    ],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'documents are handed out to be saved, not shown',
    edits: [
      {
        file: 'server/src/platform/serve-files.ts',
        take: "mimeType === 'image/webp' ? 'inline' : 'attachment'",
        put: "mimeType ? 'inline' : 'attachment'",
      },
    ],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'evidence is not among the public files',
    edits: [{ file: 'server/src/platform/serve-files.ts', take: " || known.kind === 'evidence'", put: '' }],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'only names of ours are looked for on disk',
    edits: [
      {
        file: 'server/src/platform/serve-files.ts',
        take: "      if (!isFileName(name)) throw refuse('not_found')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'a file name that would lead elsewhere' },
  },
  {
    what: 'metrics are for this machine, or for who has the token',
    edits: [
      {
        file: 'server/src/platform/health.ts',
        take: "    if (!mayReadMetrics(request, config.metricsToken)) throw refuse('not_found')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'health.test.ts', test: 'are for this machine alone' },
  },
  {
    what: 'an error of ours says nothing of its cause',
    edits: [
      {
        file: 'server/src/platform/errors.ts',
        take: 'send({ code: refused.code, message,',
        put: "send({ code: refused.code, message: refused.code === 'internal' ? String(error) : message,",
      },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'an error of ours says nothing of its cause' },
  },
  {
    what: 'an uploaded picture is what it is by its content',
    edits: [
      {
        file: 'server/src/platform/images.ts',
        take: "  if (!type || !ACCEPTED.has(type.mime)) throw refuse('not_an_image')\n",
        put: '  void type\n',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'a TIFF' },
  },
  {
    what: 'a picture of too many pixels is a bomb',
    edits: [
      {
        file: 'server/src/platform/images.ts',
        take: 'limitInputPixels: PIXELS_MAX',
        put: 'limitInputPixels: false',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'a bomb' },
  },
  {
    what: 'an upload has a size',
    edits: [
      {
        file: 'server/src/platform/upload.ts',
        take: '{ fileSize: maxBytes, files',
        put: '{ fileSize: 1e9, files',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'one byte over 10 MB is too large' },
  },
  {
    what: 'a body has a size',
    edits: [
      { file: 'server/src/app.ts', take: '    bodyLimit: BODY_LIMIT_BYTES,\n', put: '    bodyLimit: 1e9,\n' },
    ],
    noticedBy: { file: 'malformed-requests.test.ts', test: 'what cannot be read is refused' },
  },
  {
    what: 'names and titles in mails and pages are words',
    edits: [
      {
        file: 'server/src/platform/page-head.ts',
        take: 'return text.replace(/[&<>"\']/g, (character) => `&#${character.charCodeAt(0)};`)',
        put: 'return text',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'names and titles are words' },
  },
  {
    what: 'where a request comes from, as browsers say it',
    edits: [
      {
        file: 'server/src/platform/origin.ts',
        take: "  if (site !== undefined) return site !== 'same-origin' && site !== 'none'\n",
        put: '',
      },
    ],
    noticedBy: {
      file: 'malformed-requests.test.ts',
      test: 'requests that another site makes a browser send',
    },
  },
  {
    what: 'where a request comes from, as older browsers say it',
    edits: [
      {
        file: 'server/src/platform/origin.ts',
        take: 'return !URL.canParse(origin) || new URL(origin).host !== host',
        put: 'return false',
      },
    ],
    noticedBy: {
      file: 'malformed-requests.test.ts',
      test: 'requests that another site makes a browser send',
    },
  },
  {
    what: 'production has secrets of its own',
    edits: [
      {
        file: 'server/src/platform/config.ts',
        take: '      if (!env[name]) throw new BadConfig(`${name} is required in production`)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'config.test.ts', test: 'stops the start' },
  },
  {
    what: 'production has no demo market',
    edits: [
      {
        file: 'server/src/platform/config.ts',
        take: "    if (env.DEMO) throw new BadConfig('DEMO cannot be on in production')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'config.test.ts', test: 'stops the start' },
  },
  {
    what: 'production has no sandbox unless it was allowed',
    edits: [
      {
        file: 'server/src/platform/config.ts',
        take: "(!production || env.SANDBOX === 'allow')",
        put: 'true',
      },
    ],
    noticedBy: { file: 'config.test.ts', test: 'production takes the sandbox for Stripe only if' },
  },
]
