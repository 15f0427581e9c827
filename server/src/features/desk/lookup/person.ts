import type { QueryOf } from '@sought/contract/call'
import { LOOKUP_LIMIT, type listPersonEvents, type PersonDetails } from '@sought/contract/lookup'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { findRelatedAccounts } from '../../board/profiles/related-accounts.ts'
import { findStaffRole } from '../../identity/accounts/actions.ts'
import { readDebts } from '../../money/debts/actions.ts'
import { readPayoutAccount } from '../../money/payouts/account-health.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import type { EventPage } from './person-queries.ts'
import * as personQueries from './person-queries.ts'
import { asFoundDeal, asFoundPerson, asFoundRequest } from './presenters.ts'
import * as queries from './queries.ts'

const FIRST_EVENTS = 50

type Person = NonNullable<Awaited<ReturnType<typeof queries.findPerson>>>

/** Finds a person and records in the audit log who looked at them. */
async function viewPerson(tx: Tx, id: string, admin: Actor): Promise<Person> {
  const person = await queries.findPerson(tx, id)
  if (!person) throw refuse('person_not_found')
  await recordAudit(tx, { action: 'person_viewed', ...by(admin), subjectId: id })
  return person
}

/** Everything that the team may see about a person. */
export async function readPerson(tx: Tx, id: string, admin: Actor) {
  const person = await viewPerson(tx, id, admin)
  const { location, restrictedUntil, suspendedUntil, profileHiddenAt } = person
  return {
    ...asFoundPerson(person),
    location,
    restrictedUntil,
    suspendedUntil,
    profileHiddenAt,
    role: await findStaffRole(tx, id),
    verification: {
      email: person.emailVerifiedAt !== null,
      phone: person.verifiedPhone !== null && person.verifiedPhone === person.phone,
      secondFactor: await personQueries.hasSecondFactor(tx, id),
      payouts: payoutMethodOf(person),
      payoutsWaitUntil: latest(person.payoutsWaitUntil, person.payoutsDelayedUntil),
    },
    payoutAccount: await readPayoutAccount(tx, id),
    figures: await personQueries.findFigures(tx, id),
    requests: (await queries.findRequestsOf(tx, id)).map(asFoundRequest),
    deals: (await queries.findDealsOf(tx, id)).map(asFoundDeal),
    debts: await readDebts(tx, { userId: id }, { limit: LOOKUP_LIMIT }),
    tickets: await personQueries.findTicketsOf(tx, id),
    cases: await personQueries.findCasesOf(tx, id),
    decisions: await personQueries.findDecisionsOf(tx, id),
    relatedAccounts: await findRelatedAccounts(tx, id),
    timeline: await personQueries.findPersonEvents(tx, id, pageAfter(FIRST_EVENTS, tx.now)),
  }
}

export async function readPersonEvents(
  tx: Tx,
  id: string,
  { limit, cursor }: QueryOf<typeof listPersonEvents>,
  admin: Actor,
) {
  await viewPerson(tx, id, admin)
  return personQueries.findPersonEvents(tx, id, pageAfter(limit, tx.now, cursor))
}

/** A tilde sorts after all keys, so the first page includes the events of this transaction. */
function pageAfter(limit: number, now: Date, cursor = `${now.toISOString()}/~`): EventPage {
  const [at = '', key = ''] = cursor.split('/')
  return { limit, after: { at: new Date(at), key } }
}

function payoutMethodOf({
  stripeConnectAccountId,
  payoutsEnabled,
  bankAccountDetails,
}: Person): PersonDetails['verification']['payouts'] {
  if (stripeConnectAccountId && payoutsEnabled) return 'transfer'
  return bankAccountDetails ? 'manual' : 'none'
}

const latest = (...times: (Date | null)[]) =>
  times.filter((it) => it !== null).sort((a, b) => b.getTime() - a.getTime())[0] ?? null
