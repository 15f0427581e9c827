import { paths } from '@sought/contract/paths'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { CallError } from '../../data/client.ts'
import { toast } from '../../data/toasts.ts'
import { isUnauthenticated } from '../../data/unauthenticated.ts'
import type { Order } from './order.ts'
import { isAddressRefused } from './use-delivery-step.ts'
import type { useStartPayment } from './use-start-payment.ts'

export const START_FAILURE = 'Failed to initialize payment. Please try again.'

/** Says that the payment could not be started. The escrow checkout then goes to the home page. */
export function useStartFailure(
  { itemId, offerId, amount }: Order,
  { error, retry }: ReturnType<typeof useStartPayment>,
): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!error || isAddressRefused(error) || isShown(error) || isUnauthenticated(error)) return
    if (offerId === undefined) {
      toast({ title: 'Checkout Error', description: START_FAILURE, variant: 'destructive' })
      return
    }
    const tryAgain = () => {
      // While the home page is loading, this screen is only hidden and would keep its error.
      retry()
      navigate(paths.escrowCheckout({ itemId, offerId, amount }))
    }
    toast({
      title: 'Escrow Payment Error',
      description: error.userMessage ?? 'Failed to initialize payment',
      variant: 'destructive',
      ...(isTemporary(error) && { action: { label: 'Try Again', onPress: tryAgain } }),
    })
    navigate(paths.home())
  }, [error, itemId, offerId, amount, navigate, retry])
}

/** The checkout itself shows what to do. */
const isShown = ({ code }: CallError) => code === 'offer_already_paid' || code === 'verify_email_first'

/** The server was busy, failed or was unreachable, so a retry may succeed. */
const isTemporary = ({ status }: CallError) => !(status >= 400 && status < 500) || status === 429
