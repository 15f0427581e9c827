import { goToSignIn } from '@sought/contract/accounts'
import { paths, type RouteName } from '@sought/contract/paths'

/** What a private screen does for signed-out visitors: redirect them, or explain that they have to sign in. */
export type SignedOutRule =
  | { kind: 'redirect'; to: string; delayMs: number; toast?: { title: string; description: string } }
  | { kind: 'explain'; title: string; message: string }

const UNAUTHORIZED_REDIRECT_MS = 500

const unauthorized: SignedOutRule = {
  kind: 'redirect',
  to: goToSignIn.path,
  delayMs: UNAUTHORIZED_REDIRECT_MS,
  toast: { title: 'Unauthorized', description: 'You are logged out. Logging in again...' },
}

const signInToBuy: SignedOutRule = {
  kind: 'redirect',
  to: paths.home(),
  delayMs: 0,
  toast: { title: 'Authentication Required', description: 'Please log in to make a purchase' },
}

const explain = (message: string): SignedOutRule => ({ kind: 'explain', title: 'Login Required', message })

/** What happens when a visitor opens a private screen (ADR 13). Screens that are not listed are public. */
export const signedOutRules: Partial<Record<RouteName, SignedOutRule>> = {
  post: {
    kind: 'redirect',
    to: paths.home(),
    delayMs: 0,
    toast: { title: 'Login Required', description: 'Please log in to post wanted items' },
  },
  messages: unauthorized,
  delivery: unauthorized,
  checkout: signInToBuy,
  escrowCheckout: signInToBuy,
  profile: { kind: 'redirect', to: paths.home(), delayMs: 0 },
  myRequests: explain('Please log in to see your requests.'),
  myOffers: explain('Please log in to see your offers.'),
  savedSearches: explain('Please log in to see your saved searches.'),
  matches: explain('Please log in to see the requests that match what you sell.'),
  payments: explain('Please log in to view your transactions.'),
  receipt: explain('Please log in to view your receipt.'),
  statement: explain('Please log in to view your statement.'),
  notifications: explain('Please log in to see your notifications.'),
  deal: explain('Please log in to view this deal.'),
  dispute: explain('Please log in to view this dispute.'),
  tickets: explain('Please log in to see your questions and our answers.'),
  sellerSetup: explain('Please log in to set up your payouts.'),
  rating: explain('Please log in to rate a seller.'),
  review: explain('Please log in to review a deal.'),
  paymentSuccess: explain('Please log in to see your payment.'),
  disputeReport: {
    kind: 'explain',
    title: 'Authentication Required',
    message: 'Please log in to file a dispute.',
  },
}
