import { hash } from '@node-rs/argon2'
import { createEncryption } from '@sought/server/core/encryption'
import { cookieValueOf, insertPeople } from '@sought/server/market-builder/insert-people'
import { createInProcessSend } from '@sought/server/market-builder/send-in-process'
import type { Person as AnyPerson, World } from '@sought/server/testing/world'

/** A user with secrets. Each secret is a unique text that can be found in a reply. */
export interface Person extends AnyPerson {
  password: string
  /** Must never leave the server. */
  hidden: string[]
  /** Shown only to an admin who makes a manual payout. */
  accountNumber: string
  /** Only the user and admins may read them. */
  contacts: string[]
}

/** The cheapest possible hash, because many users are needed. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

let created = 0

/** Inserts users with sessions, because signing up would take much longer. */
export function createPeopleFactory({ services, visitor }: World): (count: number) => Promise<Person[]> {
  const encryption = createEncryption(services.secrets.dataKeys)
  const sendAs = createInProcessSend(services)

  async function create() {
    const number = String(++created).padStart(6, '0')
    const [id, password] = [`person-${number}`, `the password of ${number}`]
    const sid = `session-${number}-of-${id}`
    const cookie = `sid=${cookieValueOf(sid, services.secrets.sessionKeys)}`
    const accountNumber = `7${number}4711`
    const bank = {
      account_holder_name: `Holder ${number}`,
      country: 'US',
      routing_number: '110000000',
      account_number: accountNumber,
      account_type: 'checking',
    }
    const secrets = {
      password: await hash(password, CHEAP),
      providerId: `google-${number}`,
      stripeCustomerId: `cus_${number}`,
      stripeConnectAccountId: `acct_${number}`,
      bankAccountDetails: await encryption.seal(JSON.stringify(bank), id),
    }
    const contacts = { email: `mail-${number}@example.com`, phone: `+60 ${number}` }
    const person: Person = {
      id,
      email: contacts.email,
      password,
      cookie,
      accountNumber,
      hidden: [...Object.values(secrets), sid],
      contacts: Object.values(contacts),
      call: (call, body, options = {}) =>
        visitor(call, body, { ...options, headers: { cookie, ...options.headers } }),
      send: sendAs(id),
    }
    const row = { id, ...contacts, ...secrets, firstName: `First${number}`, lastName: `Last${number}`, sid }
    return { person, row }
  }

  return async (count) => {
    const people = await Promise.all(Array.from({ length: count }, create))
    const rows = people.map(({ row }) => row)
    await insertPeople(services.database.read, rows, { now: new Date(), userAgent: 'Firefox on Linux' })
    return people.map(({ person }) => person)
  }
}

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
