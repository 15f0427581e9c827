import { type RouteName, routes } from '@sought/contract/paths'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { matchRoute, Route, Switch, useRouter } from 'wouter'
import { CategoryScreen, HomeScreen } from '../features/board/home-screen.tsx'
import type { DeskRoute } from '../features/desk/layout/desk-pages.ts'
import { FullPageSpinner } from '../ui/feedback/spinner.tsx'
import { NotFoundScreen } from './layout/not-found.tsx'
import { preloadOnIntent } from './preload-on-intent.ts'
import { SignedInOnly } from './signed-in-only.tsx'
import { signedOutRules } from './signed-out-rules.ts'

/*
 * Every screen of the product. The code of each screen except home is loaded when it is opened. signed-out-rules.ts
 * has the rules of private screens for signed-out visitors.
 */

const authScreen = screen(() => import('../features/sign-in/auth-screen.tsx'), 'AuthScreen')

const screens = {
  home: { load: async () => {}, Component: HomeScreen },
  category: { load: async () => {}, Component: CategoryScreen },
  auth: authScreen,
  login: authScreen,
  signup: authScreen,
  forgotPassword: screen(
    () => import('../features/sign-in/forgot-password-screen.tsx'),
    'ForgotPasswordScreen',
  ),
  resetPassword: screen(() => import('../features/sign-in/reset-password-screen.tsx'), 'ResetPasswordScreen'),
  verifyEmail: screen(() => import('../features/sign-in/verify-email-screen.tsx'), 'VerifyEmailScreen'),
  undoEmail: screen(() => import('../features/sign-in/undo-email-screen.tsx'), 'UndoEmailScreen'),
  unsubscribe: screen(() => import('../features/notifications/unsubscribe-screen.tsx'), 'UnsubscribeScreen'),
  user: screen(() => import('../features/people/public-profile-screen.tsx'), 'PublicProfileScreen'),
  item: screen(() => import('../features/item/item-screen.tsx'), 'ItemScreen'),
  post: screen(() => import('../features/post/post-screen.tsx'), 'PostScreen'),
  myRequests: screen(() => import('../features/own-requests/my-requests-screen.tsx'), 'MyRequestsScreen'),
  myOffers: screen(() => import('../features/offers/my-offers-screen.tsx'), 'MyOffersScreen'),
  savedSearches: screen(
    () => import('../features/saved-searches/saved-searches-screen.tsx'),
    'SavedSearchesScreen',
  ),
  messages: screen(() => import('../features/messages/messages-screen.tsx'), 'MessagesScreen'),
  checkout: screen(loadCheckoutScreens, 'CheckoutScreen'),
  escrowCheckout: screen(loadCheckoutScreens, 'EscrowCheckoutScreen'),
  payments: screen(() => import('../features/payments/payments-screen.tsx'), 'PaymentsScreen'),
  receipt: screen(() => import('../features/documents/receipt-screen.tsx'), 'ReceiptScreen'),
  statement: screen(() => import('../features/documents/statement-screen.tsx'), 'StatementScreen'),
  sellerSetup: screen(() => import('../features/sellers/seller-setup-screen.tsx'), 'SellerSetupScreen'),
  profile: screen(() => import('../features/account/profile-screen.tsx'), 'ProfileScreen'),
  matches: screen(() => import('../features/board/matches-screen.tsx'), 'MatchesScreen'),
  notifications: screen(
    () => import('../features/notifications/notifications-screen.tsx'),
    'NotificationsScreen',
  ),
  rating: screen(() => import('../features/reviews/rating-screen.tsx'), 'RatingScreen'),
  paymentSuccess: screen(
    () => import('../features/checkout/payment-success-screen.tsx'),
    'PaymentSuccessScreen',
  ),
  deal: screen(loadDealScreens, 'DealScreen'),
  delivery: screen(loadDealScreens, 'DeliveryScreen'),
  review: screen(loadDealScreens, 'ReviewScreen'),
  disputeReport: screen(
    () => import('../features/disputes/dispute-report-screen.tsx'),
    'DisputeReportScreen',
  ),
  dispute: screen(() => import('../features/disputes/dispute-screen.tsx'), 'DisputeScreen'),
  termsOfService: screen(
    () => import('../features/policies/terms-of-service-screen.tsx'),
    'TermsOfServiceScreen',
  ),
  privacyPolicy: screen(
    () => import('../features/policies/privacy-policy-screen.tsx'),
    'PrivacyPolicyScreen',
  ),
  refundPolicy: screen(() => import('../features/policies/refund-policy-screen.tsx'), 'RefundPolicyScreen'),
  disputeResolution: screen(
    () => import('../features/policies/dispute-resolution-screen.tsx'),
    'DisputeResolutionScreen',
  ),
  help: screen(loadHelpScreens, 'HelpScreen'),
  tickets: screen(loadHelpScreens, 'TicketsScreen'),
  ticket: screen(loadHelpScreens, 'TicketScreen'),
  devUi: screen(loadDeveloperScreens, 'DevUi'),
  devMail: screen(loadDeveloperScreens, 'DevMail'),
} satisfies Record<Exclude<RouteName, DeskRoute>, { load: () => Promise<unknown>; Component: ComponentType }>

const loadDesk = () => import('./desk-screens.tsx')
const DeskScreen = lazy(async () => ({ default: (await loadDesk()).DeskScreen }))

const isDeskRoute = (name: RouteName): name is DeskRoute => name.startsWith('admin')

function loadDealScreens() {
  return import('./deal-screens.ts')
}

function loadCheckoutScreens() {
  return import('../features/checkout/checkout-screen.tsx')
}

function loadHelpScreens() {
  return import('./help-screens.ts')
}

function loadDeveloperScreens() {
  return import('./developers-only.tsx')
}

/** Loads the code of a screen when it is first shown, or before. */
function screen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return { load, Component: lazy<ComponentType>(async () => ({ default: (await load())[name] })) }
}

export function Router() {
  const { parser } = useRouter()
  useEffect(
    () =>
      preloadOnIntent((path) => {
        const name = routeNames.find((it) => matchRoute(parser, routes[it], path)[0])
        return name && (isDeskRoute(name) ? loadDesk() : screens[name].load())
      }),
    [parser],
  )
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <Switch>
        {routeNames.map((name) => (
          <Route key={name} path={routes[name]}>
            <Screen name={name} />
          </Route>
        ))}
        <Route>
          <NotFoundScreen />
        </Route>
      </Switch>
    </Suspense>
  )
}

const routeNames = Object.keys(routes) as RouteName[]

function Screen({ name }: { name: RouteName }) {
  if (isDeskRoute(name)) return <DeskScreen name={name} />
  const { Component } = screens[name]
  const rule = signedOutRules[name]
  if (!rule) return <Component />
  return (
    <SignedInOnly rule={rule}>
      <Component />
    </SignedInOnly>
  )
}
