import { expect, test } from 'vitest'
import { createSesEvents, SnsUnavailable } from '../../providers/mail/ses-events.ts'
import { actDuringChange } from '../../testing/blocked-statements.ts'
import {
  CERTIFICATE_URL,
  createCertificate,
  openFakeSns,
  signMessage,
  TOPIC,
} from '../../testing/fake-sns.ts'
import { openWorld, PASSWORD, type Person, shareWorld } from '../../testing/world.ts'

const SECRET = 'the postmark secret'
const DAY_MS = 86_400_000
const world = shareWorld({ SES_TOPIC_ARN: TOPIC, POSTMARK_WEBHOOK_SECRET: SECRET })

/** The server asks a fake SNS, whose requests it returns. */
function connectSns(certificate?: string) {
  const sns = openFakeSns(certificate)
  world().services.ses = createSesEvents({ topicArns: [TOPIC], clock: world().services.clock, get: sns.get })
  return sns.requested
}

const sendSes = (message: object) =>
  world().visitor('POST /api/mail/bounces/ses', undefined, {
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    payload: JSON.stringify(message),
  } as object)

const sendPostmark = (event: object, password = SECRET) =>
  world().visitor('POST /api/mail/bounces/postmark', event, {
    headers: { authorization: `Basic ${Buffer.from(`sought:${password}`).toString('base64')}` },
  })

const bounce = (emailAddress: string, bounceType = 'Permanent') => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bounceSubType: 'General', bouncedRecipients: [{ emailAddress, status: '5.1.1' }] },
  mail: { destination: [emailAddress] },
})
const complaint = (emailAddress: string, complaintFeedbackType?: string) => ({
  eventType: 'Complaint',
  complaint: { complainedRecipients: [{ emailAddress }], complaintFeedbackType },
})
const sesMessage = (report: object, given = {}) => signMessage({ Message: JSON.stringify(report), ...given })
const postmarkEvent = (Email: string, Type: string, more = {}) => ({
  RecordType: 'Bounce',
  MessageID: crypto.randomUUID(),
  Type,
  Email,
  ...more,
})

const suppressed = async () =>
  (await world().sql.query('select address from suppressed_emails order by address')).rows.map(
    ({ address }) => address,
  )
const undeliverable = async ({ call }: Person) =>
  (await call('GET /api/user/email-delivery')).json().undeliverable

test.each(['1', '2'])(
  'a permanent bounce of SES suppresses the address, with a signature of version %s',
  async (SignatureVersion) => {
    connectSns()
    const ada = await world().signUp('Ada')
    const message = sesMessage(bounce(ada.email.toUpperCase()), { SignatureVersion, Subject: 'Bounce' })
    const reply = await sendSes(message)
    expect([reply.statusCode, reply.json()]).toEqual([200, { received: true }])
    expect(await undeliverable(ada)).toEqual([ada.email])
  },
)

test('other reports of SES change nothing', async () => {
  connectSns()
  const bea = await world().signUp('Bea')
  for (const report of [
    bounce(bea.email, 'Transient'),
    bounce(bea.email, 'Undetermined'),
    complaint(bea.email, 'not-spam'),
    { notificationType: 'Delivery', mail: {} },
  ])
    expect((await sendSes(sesMessage(report))).statusCode).toBe(200)
  const text = signMessage({ Message: 'Successfully validated SNS topic for Amazon SES event publishing.' })
  expect((await sendSes(text)).statusCode).toBe(200)
  expect(await undeliverable(bea)).toEqual([])
})

test('a complaint suppresses the address and switches off all emails', async () => {
  connectSns()
  const [cal, dan] = [await world().signUp('Cal'), await world().signUp('Dan')]
  await sendSes(sesMessage(complaint(cal.email, 'abuse')))
  await sendPostmark(postmarkEvent(dan.email, 'SpamComplaint', { RecordType: 'SpamComplaint' }))
  for (const person of [cal, dan]) {
    expect(await undeliverable(person)).toEqual([person.email])
    const { off } = (await person.call('GET /api/user/mail-settings')).json()
    expect(off).toContain('message')
    expect(off).toContain('policy_changed')
  }
})

test('a bounce of a new address that is not confirmed yet suppresses only this address', async () => {
  const eve = await world().signUp('Eve')
  const profile = {
    firstName: 'Eve',
    lastName: 'Tester',
    email: 'eve@next.example',
    currentPassword: PASSWORD,
  }
  expect((await eve.call('PUT /api/user/profile', profile)).statusCode).toBe(200)
  await sendPostmark(postmarkEvent('Eve@Next.example', 'SpamComplaint'))
  expect(await undeliverable(eve)).toEqual(['eve@next.example'])
  expect((await eve.call('GET /api/user/mail-settings')).json()).toEqual({ off: [] })
})

test('an event is handled once', async () => {
  connectSns()
  const { signUp, sql } = world()
  const fay = await signUp('Fay')
  const message = sesMessage(bounce(fay.email))
  const event = postmarkEvent(fay.email, 'HardBounce')
  const send = () => [sendSes(message), sendPostmark(event), sendSes(message), sendPostmark(event)]
  await Promise.all(send())
  expect(await undeliverable(fay)).toEqual([fay.email])
  await sql.query('delete from suppressed_emails')
  for (const reply of await Promise.all(send())) expect(reply.statusCode).toBe(200)
  expect(await suppressed()).toEqual([])
})

test.each([
  ['HardBounce', true],
  ['BadEmailAddress', true],
  ['Transient', false],
  ['SoftBounce', false],
  ['Blocked', false],
  ['AutoResponder', false],
])('an event %s of Postmark suppresses the address: %s', async (type, isSuppressed) => {
  const gus = await world().signUp('Gus')
  const reply = await sendPostmark(postmarkEvent(gus.email, type))
  expect([reply.statusCode, reply.json()]).toEqual([200, { received: true }])
  expect(await undeliverable(gus)).toEqual(isSuppressed ? [gus.email] : [])
})

test('nothing is stored about the addresses of strangers', async () => {
  connectSns()
  const before = await suppressed()
  await sendSes(sesMessage(bounce('stranger@example.org')))
  await sendPostmark(postmarkEvent('stranger@example.org', 'HardBounce'))
  expect(await suppressed()).toEqual(before)
  const { rows } = await world().sql.query('select id from mail_events')
  expect(JSON.stringify(rows)).not.toContain('stranger')
})

test('a bounce waits for a deletion of the account, and then stores nothing', async () => {
  const { signUp, sql } = world()
  const hal = await signUp('Hal')
  const deletion = 'update users set email = null, deleted_at = now() where id = $1'
  const reply = await actDuringChange(sql, [deletion, hal.id], () =>
    sendPostmark(postmarkEvent(hal.email, 'HardBounce')),
  )
  expect(reply.statusCode).toBe(200)
  expect(await suppressed()).not.toContain(hal.email)
})

test('forged messages of SNS are refused, and no other host is asked', async () => {
  const requested = connectSns()
  const ida = await world().signUp('Ida')
  const report = { Message: JSON.stringify(bounce(ida.email)) }
  const at = (url: string) => signMessage({ ...report, SigningCertURL: url })
  const old = new Date(Date.now() - 8 * DAY_MS).toISOString()
  const forged = [
    signMessage(report, { Message: JSON.stringify(bounce('other@example.com')) }),
    signMessage(report, { Signature: 'AAAA' }),
    signMessage(report, { SignatureVersion: '1' }),
    signMessage({ ...report, SignatureVersion: '3' }),
    signMessage({ ...report, TopicArn: TOPIC.replace('123456789012', '999999999999') }),
    signMessage({ ...report, Timestamp: old }),
    signMessage({ ...report, Timestamp: new Date(Date.now() + DAY_MS).toISOString() }),
    signMessage({ ...report, Type: 'Unknown' }),
    at('http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b2c.pem'),
    at('https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0a1b2c.pem'),
    at('https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-0a1b2c.pem'),
    at('https://evil.example/SimpleNotificationService-0a1b2c.pem'),
    at('https://evil.example#@sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b2c.pem'),
    at('https://user@sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b2c.pem'),
    at('https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-0a1b2c.pem'),
    at('https://sns.eu-central-1.amazonaws.com/?Action=ListTopics&x=/SimpleNotificationService-0a1b2c.pem'),
    at('file:///etc/passwd'),
    'not a message',
  ]
  for (const message of forged) {
    const reply = await sendSes(message as object)
    expect([reply.statusCode, reply.json().code], JSON.stringify(message)).toEqual([400, 'bad_signature'])
  }
  expect(await undeliverable(ida)).toEqual([])
  expect([...new Set(requested)]).toEqual([CERTIFICATE_URL])
})

test('the certificate is read once, and must be valid', async () => {
  const requested = connectSns()
  for (let count = 0; count < 3; count++) await sendSes(signMessage({ Message: '{}' }))
  expect(requested).toEqual([CERTIFICATE_URL])
  for (const certificate of [
    createCertificate({ to: -1000 }),
    createCertificate({ from: DAY_MS }),
    'no certificate',
  ]) {
    connectSns(certificate)
    expect((await sendSes(signMessage({ Message: '{}' }))).statusCode).toBe(400)
  }
})

test('if SNS does not answer, the message is refused until it is repeated', async () => {
  const { services } = world()
  const get = async () => {
    throw new SnsUnavailable('SNS did not answer')
  }
  services.ses = createSesEvents({ topicArns: [TOPIC], clock: services.clock, get })
  expect((await sendSes(signMessage({ Message: '{}' }))).statusCode).toBe(503)
})

test('a subscription is confirmed at SNS itself, whatever address the message contains', async () => {
  const requested = connectSns()
  const subscription = {
    Type: 'SubscriptionConfirmation',
    Message: 'You have chosen to subscribe',
    Token: '2336412f37fb687f5d51e6e2425f',
    SubscribeURL: 'https://evil.example/?Action=ConfirmSubscription',
  }
  const forged = signMessage(subscription, { Token: '00' })
  expect((await sendSes(forged)).statusCode).toBe(400)
  expect(requested).toEqual([CERTIFICATE_URL])
  expect((await sendSes(signMessage(subscription))).statusCode).toBe(200)
  expect(requested.slice(1)).toEqual([
    'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn%3Aaws%3Asns%3Aeu-central-1%3A123456789012%3Abounces&Token=2336412f37fb687f5d51e6e2425f',
  ])
  const unsubscribed = signMessage({ ...subscription, Type: 'UnsubscribeConfirmation' })
  expect((await sendSes(unsubscribed)).statusCode).toBe(200)
  expect(requested).toHaveLength(2)
})

test('events of Postmark need the secret', async () => {
  const jan = await world().signUp('Jan')
  const event = postmarkEvent(jan.email, 'HardBounce')
  const path = 'POST /api/mail/bounces/postmark'
  for (const authorization of [`Bearer ${SECRET}`, `Basic ${SECRET}`, 'Basic', '']) {
    const reply = await world().visitor(path, event, { headers: { authorization } })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_signature'])
  }
  expect((await sendPostmark(event, 'a wrong secret')).statusCode).toBe(400)
  expect((await sendPostmark(event, '')).statusCode).toBe(400)
  expect((await world().visitor(path, event)).statusCode).toBe(400)
  expect(await undeliverable(jan)).toEqual([])
})

test('without their settings, both webhooks refuse everything', async () => {
  const { visitor } = await openWorld()
  for (const path of ['ses', 'postmark']) {
    const headers = { authorization: `Basic ${Buffer.from('sought:').toString('base64')}` }
    const message = signMessage({ Message: '{}' })
    const reply = await visitor(`POST /api/mail/bounces/${path}`, message, { headers })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_signature'])
  }
})
