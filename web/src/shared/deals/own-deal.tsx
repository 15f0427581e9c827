import { PathId } from '@sought/contract/fields'
import { getPayment, type PaymentDetails } from '@sought/contract/payments'
import { partyIn } from '@sought/escrow/moves'
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { Loaded } from '../loading/loaded.tsx'
import type { Party } from './payment-status.ts'

/** A deal as one of its parties sees it. */
export interface DealProps {
  deal: PaymentDetails
  party: Party
}

interface OwnDealProps {
  /** Replaces the full-page spinner. */
  loading?: ReactNode
  notFound: ReactNode
  errorTitle?: string
  children: (props: DealProps) => ReactNode
}

/** Loads the deal in the URL for its buyer or its seller. */
export function OwnDeal({ children, ...states }: OwnDealProps) {
  const { paymentId } = useParams<{ paymentId: string }>()
  const isId = PathId.safeParse(paymentId).success
  const deal = useRead(getPayment, { params: { id: paymentId } }, { enabled: isId })
  const session = useSession()
  if (!isId) return states.notFound
  return (
    <Loaded query={deal} {...states}>
      {(it) => {
        const party = session.state === 'signed-in' ? partyIn(it, session.user.id) : null
        return party ? children({ deal: it, party }) : states.notFound
      }}
    </Loaded>
  )
}
