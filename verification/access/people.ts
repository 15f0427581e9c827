import { hash } from '@node-rs/argon2'
import { createEncryption } from '@sought/server/core/encryption'
import type { Caller, World } from '@sought/server/testing/world'

/** A user with secrets. Each secret is a unique text that can be found in a reply. */
export interface Person {
  id: string
  email: string
  password: string
  cookie: string
  /** Must never leave the server. */
  hidden: string[]
  /** Shown only to an admin who makes a manual payout. */
  accountNumber: string
  /** Only the user and admins may read them. */
  contacts: string[]
  call: Caller
}

/** The cheapest possible hash, because many users are needed. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const DAY_MS = 86_400_000

let created = 0

/** Inserts users with sessions, because signing up would take much longer. */
export function createPeopleFactory({
  app,
  services,
  sql,
  visitor,
}: World): (count: number) => Promise<Person[]> {
  const encryption = createEncryption(services.secrets.dataKey)

  async function create() {
    const number = String(++created).padStart(6, '0')
    const [id, password] = [`person-${number}`, `the password of ${number}`]
    const sid = `session-${number}-of-${id}`
    const cookie = `sid=${encodeURIComponent(app.signCookie(sid))}`
    const accountNumber = `7${number}4711`
    const bank = {
      account_holder_name: `Holder ${number}`,
      country: 'US',
      routing_number: '110000000',
      account_number: accountNumber,
      account_type: 'checking',
    }
    const row = {
      id,
      email: `mail-${number}@example.com`,
      phone: `+60 ${number}`,
      password: await hash(password, CHEAP),
      provider_id: `google-${number}`,
      stripe_customer_id: `cus_${number}`,
      stripe_connect_account_id: `acct_${number}`,
      bank_account_details: await encryption.seal(JSON.stringify(bank), id),
      first_name: `First${number}`,
      last_name: `Last${number}`,
    }
    const person: Person = {
      id,
      email: row.email,
      password,
      cookie,
      accountNumber,
      hidden: [
        row.password,
        row.provider_id,
        row.stripe_customer_id,
        row.stripe_connect_account_id,
        row.bank_account_details,
        sid,
      ],
      contacts: [row.email, row.phone],
      call: (call, body, options = {}) =>
        visitor(call, body, { ...options, headers: { cookie, ...options.headers } }),
    }
    return { person, row, sid }
  }

  return async (count) => {
    const people = await Promise.all(Array.from({ length: count }, create))
    await sql.query(
      `with everyone as (select * from json_populate_recordset(null::users, $1)), written as (
         insert into users (id, email, phone, password, provider_id, stripe_customer_id,
             stripe_connect_account_id, bank_account_details, first_name, last_name)
           select id, email, phone, password, provider_id, stripe_customer_id,
             stripe_connect_account_id, bank_account_details, first_name, last_name from everyone
       )
       insert into sessions (sid, sess, expire) select sid, sess, $3
         from json_to_recordset($2) as session (sid text, sess jsonb)`,
      [JSON.stringify(people.map(({ row }) => row)), JSON.stringify(people.map(sessionOf)), inAMonth()],
    )
    return people.map(({ person }) => person)
  }
}

function sessionOf({ person, sid }: { person: Person; sid: string }) {
  const at = new Date().toISOString()
  const times = { createdAt: at, seenAt: at, confirmedAt: at }
  return { sid, sess: { userId: person.id, ...times, userAgent: 'Firefox on Linux' } }
}

const inAMonth = () => new Date(Date.now() + 30 * DAY_MS)

/**
 * The secrets in a reply that this reader must not see: all users' secrets, and the contacts of others. Admins may
 * see contacts, and a bank account when they make a manual payout.
 */
export function findLeaks(
  reply: string,
  people: Person[],
  reader: Person | null,
  { isAdmin = false, paysManually = false } = {},
): string[] {
  return people.flatMap((person) => [
    ...person.hidden.filter((secret) => reply.includes(secret)),
    ...(paysManually ? [] : [person.accountNumber].filter((secret) => reply.includes(secret))),
    ...(isAdmin || person === reader ? [] : person.contacts.filter((contact) => reply.includes(contact))),
  ])
}
