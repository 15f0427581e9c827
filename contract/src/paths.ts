import { categorySlug } from './categories.ts'

/** Paths of all screens, for the router, the server's 404 pages and links in emails. */
export const routes = {
  home: '/',
  category: '/c/:slug',
  auth: '/auth',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  undoEmail: '/undo-email/:token',
  unsubscribe: '/unsubscribe',
  user: '/user/:id',
  item: '/item/:id',
  termsOfService: '/terms-of-service',
  privacyPolicy: '/privacy-policy',
  refundPolicy: '/refund-policy',
  disputeResolution: '/dispute-resolution',
  help: '/help',
  tickets: '/help/tickets',
  ticket: '/help/tickets/:id',
  post: '/post',
  myRequests: '/my-requests',
  myOffers: '/my-offers',
  savedSearches: '/saved-searches',
  messages: '/messages',
  checkout: '/checkout',
  escrowCheckout: '/escrow-checkout',
  payments: '/payments',
  receipt: '/payments/:id/receipt',
  statement: '/statements/:month',
  sellerSetup: '/seller-setup',
  profile: '/profile',
  matches: '/matches',
  notifications: '/notifications',
  rating: '/rating',
  review: '/deal/:paymentId/review',
  paymentSuccess: '/payment-success',
  deal: '/deal/:paymentId',
  delivery: '/delivery/:paymentId',
  dispute: '/dispute/:paymentId',
  admin: '/admin',
  adminAnalytics: '/admin/analytics',
  adminDisputes: '/admin/disputes',
  adminAppeals: '/admin/appeals',
  adminReplies: '/admin/replies',
  adminModeration: '/admin/moderation',
  adminPayouts: '/admin/payouts',
  adminRefunds: '/admin/refunds',
  adminDebts: '/admin/debts',
  adminReconciliation: '/admin/reconciliation',
  adminDoctor: '/admin/doctor',
  adminTickets: '/admin/tickets',
  adminTicket: '/admin/tickets/:id',
  adminAuditLog: '/admin/audit-log',
  adminLookup: '/admin/lookup',
  adminPerson: '/admin/people/:id',
  adminDeal: '/admin/deals/:id',
  adminGoodwill: '/admin/goodwill',
  adminExports: '/admin/exports',
  adminSettings: '/admin/settings',
  disputeReport: '/dispute-report',
  devUi: '/dev/ui',
  devMail: '/dev/mail',
} as const

export type RouteName = keyof typeof routes

export type ProfileTab = 'overview' | 'settings' | 'activity' | 'security' | 'decisions'

type AuthQuery = {
  returnTo?: string
  error?: string
  /** Set after a Google sign-in that needs one of these, separated by commas. */
  secondFactors?: string
  /** Whether the user has just confirmed their identity by signing in with Google. */
  confirmed?: boolean
}

type UserQuery = {
  requests?: string | undefined
  reviews?: string | undefined
  /** Selects reviews as a buyer or as a seller. */
  as?: 'buyer' | 'seller' | undefined
}

/** The names of the request filters in page addresses. */
export const BOARD_FILTERS = [
  'search',
  'category',
  'currency',
  'minBudget',
  'maxBudget',
  'near',
  'radiusKm',
  'location',
  'urgency',
  'since',
  'hasImage',
  'sort',
] as const

export type BoardFilters = Partial<Record<(typeof BOARD_FILTERS)[number], string | undefined>>

type BoardQuery = BoardFilters & {
  /** The cursor of the last request on the previous page. */
  cursor?: string | undefined
}

type Query = Record<string, string | number | boolean | undefined>

/** Omits undefined and empty values. Returns '' if none are left. */
export function buildQueryString(query: Query): string {
  let text = ''
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    text += `${text ? '&' : '?'}${key}=${encodeURIComponent(value)}`
  }
  return text
}

export const paths = {
  /** The board with these filters. A category without other filters has its own page. */
  home: (query: BoardQuery = {}) => {
    const { category, cursor, ...others } = query
    const slug = categorySlug(category ?? '')
    if (!slug || buildQueryString(others)) return routes.home + buildQueryString(query)
    return `/c/${encodeURIComponent(slug)}${buildQueryString({ cursor })}`
  },
  auth: (query: AuthQuery = {}) => routes.auth + buildQueryString(query),
  forgotPassword: () => routes.forgotPassword,
  resetPassword: (query: { token: string }) => routes.resetPassword + buildQueryString(query),
  verifyEmail: (query: { token: string }) => routes.verifyEmail + buildQueryString(query),
  undoEmail: (token: string) => `/undo-email/${token}`,
  unsubscribe: (query: { token: string }) => routes.unsubscribe + buildQueryString(query),
  /** Each cursor is that of one list on the page. */
  user: (id: string, query: UserQuery = {}) => `/user/${encodeURIComponent(id)}${buildQueryString(query)}`,
  notifications: () => routes.notifications,
  item: (id: number) => `/item/${id}`,
  post: (query: { title?: string; repost?: number } = {}) => routes.post + buildQueryString(query),
  /** `renew` is the id of a request to renew. */
  myRequests: (query: { renew?: number } = {}) => routes.myRequests + buildQueryString(query),
  myOffers: () => routes.myOffers,
  savedSearches: () => routes.savedSearches,
  messages: (query: { itemId?: number; userId?: string } = {}) => routes.messages + buildQueryString(query),
  checkout: (query: { itemId: number; amount: number }) => routes.checkout + buildQueryString(query),
  escrowCheckout: (query: { itemId: number; offerId: number; amount: number }) =>
    routes.escrowCheckout + buildQueryString(query),
  payments: () => routes.payments,
  receipt: (paymentId: number) => `/payments/${paymentId}/receipt`,
  statement: (month: string) => `/statements/${month}`,
  sellerSetup: () => routes.sellerSetup,
  profile: (query: { tab?: ProfileTab } = {}) => routes.profile + buildQueryString(query),
  /** The settings for a seller's keywords and categories. */
  selling: () => `${routes.profile}?tab=settings#selling`,
  matches: () => routes.matches,
  rating: (query: { paymentId: number; sellerName: string; itemTitle: string; amount: number }) =>
    routes.rating + buildQueryString(query),
  review: (paymentId: number) => `/deal/${paymentId}/review`,
  paymentSuccess: (query: { escrow?: boolean; payment_intent?: string } = {}) =>
    routes.paymentSuccess + buildQueryString(query),
  deal: (paymentId: number) => `/deal/${paymentId}`,
  delivery: (paymentId: number) => `/delivery/${paymentId}`,
  disputeReport: (query: { paymentId?: number } = {}) => routes.disputeReport + buildQueryString(query),
  dispute: (paymentId: number) => `/dispute/${paymentId}`,
  admin: () => routes.admin,
  adminAnalytics: (query: { from?: string; to?: string; by?: string; currency?: string | undefined } = {}) =>
    routes.adminAnalytics + buildQueryString(query),
  adminDisputes: (
    query: { search?: string; status?: string; show?: string; sort?: string; page?: number } = {},
  ) => routes.adminDisputes + buildQueryString(query),
  adminAppeals: () => routes.adminAppeals,
  adminReplies: () => routes.adminReplies,
  /** `case` is the id of the open case. */
  adminModeration: (query: { case?: number | undefined } = {}) =>
    routes.adminModeration + buildQueryString(query),
  adminPayouts: (query: { status?: string } = {}) => routes.adminPayouts + buildQueryString(query),
  adminRefunds: (query: { status?: string } = {}) => routes.adminRefunds + buildQueryString(query),
  adminDebts: (query: { status?: string; search?: string } = {}) =>
    routes.adminDebts + buildQueryString(query),
  adminReconciliation: () => routes.adminReconciliation,
  adminDoctor: () => routes.adminDoctor,
  adminTickets: (query: { status?: string | undefined; search?: string } = {}) =>
    routes.adminTickets + buildQueryString(query),
  adminTicket: (id: number) => `${routes.adminTickets}/${id}`,
  adminAuditLog: (query: { action?: string | undefined; userId?: string } = {}) =>
    routes.adminAuditLog + buildQueryString(query),
  adminLookup: (query: { q?: string } = {}) => routes.adminLookup + buildQueryString(query),
  adminPerson: (id: string) => `/admin/people/${encodeURIComponent(id)}`,
  adminDeal: (paymentId: number) => `/admin/deals/${paymentId}`,
  adminGoodwill: (query: { status?: string } = {}) => routes.adminGoodwill + buildQueryString(query),
  adminExports: () => routes.adminExports,
  adminSettings: () => routes.adminSettings,
  termsOfService: () => routes.termsOfService,
  privacyPolicy: () => routes.privacyPolicy,
  refundPolicy: () => routes.refundPolicy,
  disputeResolution: () => routes.disputeResolution,
  help: (query: { paymentId?: number } = {}) => routes.help + buildQueryString(query),
  tickets: () => routes.tickets,
  ticket: (id: number, query: { token?: string } = {}) => `${routes.tickets}/${id}${buildQueryString(query)}`,
} as const

/** Pictures for link previews, 1200 × 630 pixels. The version changes with the content of the picture. */
export const previewPaths = {
  default: '/preview.png',
  item: (id: number, version: string) => `/og/item/${id}-${version}.png`,
} as const
