import { normalizeTrackingNumber } from '@sought/contract/carriers'
import { INTEGER_MAX } from '@sought/contract/fields'
import { LOOKUP_LIMIT } from '@sought/contract/lookup'
import { parseTransactionNumber } from '@sought/contract/transaction-number'
import { refuse } from '../../../core/errors.ts'
import type { Actor } from '../../../http/session.ts'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asFoundDeal, asFoundPerson, asFoundRequest } from './presenters.ts'
import * as queries from './queries.ts'

/**
 * Finds people, requests and deals, and the latest requests and deals of the people found. The audit log
 * records the number of results, not the search text: a name would outlive its account there.
 */
export async function search(services: Services, text: string, admin: Actor) {
  const intentId = await findIntent(services, text)
  return services.database.transact(async (tx) => {
    const id = readId(text)
    const peopleIds = await queries.findPeopleIds(tx, text)
    const requestIds = await queries.findRequestIds(tx, { text, id, people: peopleIds })
    const named = await queries.findNamedDealIds(tx, {
      text,
      id,
      intentId,
      transactionNumber: parseTransactionNumber(text),
      cardLast4: /^\d{4}$/.test(text) ? text : null,
      trackingNumber: normalizeTrackingNumber(text),
    })
    // Deals found by an identifier come first. Related deals fill the page.
    const deals = await queries.findDeals(tx, named)
    const related = (await queries.findRelatedDealIds(tx, peopleIds, requestIds)).filter(
      (it) => !named.includes(it),
    )
    const people = await queries.findPeople(tx, peopleIds)
    const found = {
      people: people.map(asFoundPerson),
      requests: (await queries.findRequests(tx, requestIds)).map(asFoundRequest),
      deals: [...deals, ...(await queries.findDeals(tx, related))].slice(0, LOOKUP_LIMIT).map(asFoundDeal),
    }
    await recordAudit(tx, {
      action: 'people_searched',
      ...by(admin),
      subjectId: people.length === 1 ? people[0]?.id : null,
      details: {
        people: found.people.length,
        requests: found.requests.length,
        deals: found.deals.length,
      },
    })
    return found
  })
}

function readId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  return id !== null && id <= INTEGER_MAX ? id : null
}

/** We do not store the ids of charges, so the provider is asked. */
async function findIntent({ cards }: Services, text: string): Promise<string | null> {
  if (!cards || !/^(ch|py)_\w+$/.test(text)) return null
  try {
    return await cards.intentOf({ id: '', type: 'charge.updated', objectId: text })
  } catch (error) {
    throw error instanceof ProviderFailed ? refuse('provider_failed') : error
  }
}
