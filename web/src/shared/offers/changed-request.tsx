import { keepOffer, listOffers, type Offer } from '@sought/contract/offers'
import { listRequestVersions, type RequestVersion } from '@sought/contract/requests'
import { useRead } from '../../data/calls.ts'
import { useAction } from '../../data/use-action.ts'
import { formatMoney } from '../../format/money.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { listDifferences, RequestDifferences } from '../requests/request-differences.tsx'
import { explainOfferFailure } from './offer-feedback.ts'
import { isBuyer, isProposer, type Parties } from './parties.ts'

interface Change {
  key: string
  text: string
  before: RequestVersion
  after: RequestVersion
}

/**
 * What has changed between what the two people have seen and what they would agree on. A seller who accepts a
 * counter-offer agrees on the version of the counter-offer, which may be another one than that of their offer.
 */
export function useChanges(offer: Offer, { other }: Parties): { changes: Change[]; isLoading: boolean } {
  const isOutdated = offer.request.version !== offer.currentVersion
  const { wantedItemId, counterOf } = offer
  const versions = useRead(
    listRequestVersions,
    { params: { id: String(wantedItemId) } },
    { enabled: isOutdated },
  )
  const offers = useRead(
    listOffers,
    { query: { wantedItemId: String(wantedItemId), userId: other.id } },
    { enabled: counterOf !== null },
  )
  const answered = offers.data?.find(({ id }) => id === counterOf)?.request
  const current = versions.data?.find(({ version }) => version === offer.currentVersion)
  const kind = counterOf === null ? 'offer' : 'counter-offer'
  const possible = [
    answered && {
      key: 'answered',
      text: `The request has changed since the offer that this counter-offer answers.`,
      before: answered,
      after: offer.request,
    },
    current && {
      key: 'current',
      text: `The request has changed since this ${kind}.`,
      before: offer.request,
      after: current,
    },
  ]
  return {
    changes: possible.flatMap((change) => (change && listDifferences(change).length > 0 ? [change] : [])),
    isLoading: versions.isLoading || offers.isLoading,
  }
}

export function Changes({ changes }: { changes: readonly Change[] }) {
  return changes.map(({ key, text, before, after }) => (
    <section key={key} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="font-strong">{text}</p>
      <RequestDifferences before={before} after={after} />
    </section>
  ))
}

/** Tells both people that the request has changed since a pending offer. Its seller can keep the offer. */
export function ChangedRequest({ offer, parties }: { offer: Offer; parties: Parties }) {
  const { changes } = useChanges(offer, parties)
  if (changes.length === 0) return null
  const canKeep = isProposer(parties, offer) && !isBuyer(parties)
  return (
    <Notice tone="warning">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Changes changes={changes} />
        {canKeep && <KeepButton offer={offer} />}
      </div>
    </Notice>
  )
}

function KeepButton({ offer }: { offer: Offer }) {
  const amount = formatMoney(offer.amount, offer.currency)
  const { run, isPending } = useAction(keepOffer, {
    success: { title: 'Offer Kept' },
    failure: explainOfferFailure('Failed to keep offer. Please try again.'),
  })
  const keep = () => run({ params: { id: String(offer.id) }, body: { requestVersion: offer.currentVersion } })
  return (
    <ConfirmDialog
      title={`Keep your offer of ${amount}?`}
      description="Your offer then answers the request as it is now. If the buyer accepts it, the deal is about that."
      confirmLabel={`Keep ${amount}`}
      onConfirm={keep}
      trigger={
        <Button size="sm" variant="secondary" busy={isPending} className="justify-self-start">
          Keep Offer
        </Button>
      }
    />
  )
}
