import type { Page } from '@playwright/test'
import { paths, type RouteName, routes } from '@sought/contract/paths'
import { confirmDelivery, createDealBetween, jsonOf, payIntoEscrow } from '../support/deals.ts'
import { expect, phone, test } from '../support/fixtures.ts'
import { openInApp } from '../support/open-in-app.ts'
import { demoUsers, type User } from '../support/users.ts'

/*
 * Every screen on the smallest phone, with the longest allowed names, texts and amounts, without spaces. A route
 * without an entry below does not compile.
 */

const longText = (length: number) => 'W'.repeat(length)

const AMOUNT_CENTS = 99_999_999
/** Long enough for a busy machine. */
const SHOWN_WITHIN_MS = 30_000

const request = {
  title: longText(120),
  description: longText(5000),
  category: 'Books & Media',
  minBudget: 19_999_999.99,
  maxBudget: 20_000_000,
  location: longText(100),
  urgency: 'high',
}

type Role = 'visitor' | 'buyer' | 'seller' | 'admin'
interface Visit {
  path: string
  as: readonly Role[]
  /** Whether the link is invalid on purpose. */
  isRefused?: true
}

const parties = ['buyer', 'seller'] as const

test('no screen of a buyer is wider than a phone, and no request fails', {
  tag: '@proof',
}, async ({ createUser, openAs, openAsVisitor }) => {
  await visitScreens(['buyer'], { createUser, openAs, openAsVisitor })
})

test('no screen of a visitor, a seller or an admin is wider than a phone, and no request fails', {
  tag: '@proof',
}, async ({ createUser, openAs, openAsVisitor }) => {
  await visitScreens(['visitor', 'seller', 'admin'], { createUser, openAs, openAsVisitor })
})

interface Fixtures {
  createUser: (firstName: string) => Promise<User>
  openAs: (user: User) => Promise<Page>
  openAsVisitor: () => Promise<Page>
}

async function visitScreens(
  visitedAs: Role[],
  { createUser, openAs, openAsVisitor }: Fixtures,
): Promise<void> {
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const [visitor, buyer, seller, admin] = await Promise.all([
    openAsVisitor(),
    openAs(ada),
    openAs(bob),
    openAs(demoUsers.admin),
  ])
  const pages = { visitor, buyer, seller, admin }
  const [, { id: sellerId }] = await Promise.all([lengthenProfile(buyer, ada), lengthenProfile(seller, bob)])

  const agree = () =>
    createDealBetween({ buyer, seller, ada, bob }, AMOUNT_CENTS, { request, message: longText(1000) })
  const [unpaid, held, completed, disputed, open] = await Promise.all([
    agree(),
    agree(),
    agree(),
    agree(),
    jsonOf(buyer.request.post('/api/wanted-items', { data: request })),
  ])
  const [{ intentId, paymentId: heldId }, { paymentId: completedId }, { paymentId: disputedId }] =
    await Promise.all([payIntoEscrow(held), payIntoEscrow(completed), payIntoEscrow(disputed)])
  const post = (page: Page, path: string, data: object) => jsonOf(page.request.post(path, { data }))
  const rate = async () => {
    await confirmDelivery(buyer, completedId)
    const rating = { rating: 5, feedback: longText(2000) }
    await post(buyer, `/api/payments/${completedId}/submit-rating`, rating)
  }
  const dispute = async () => {
    await post(buyer, '/api/initiate-dispute', { paymentId: disputedId, reason: longText(20_000) })
    await post(seller, `/api/disputes/${disputedId}/answer`, { content: longText(10_000) })
  }
  const thread = { wantedItemId: open.id, receiverId: open.userId }
  const question = { topic: 'payments', subject: longText(120), message: longText(2000) }
  const [{ id: ticketId }] = await Promise.all([
    post(buyer, '/api/support/tickets', { ...question, paymentId: heldId }),
    post(seller, '/api/offers', { ...thread, amount: AMOUNT_CENTS, message: longText(1000) }),
    post(seller, '/api/messages', { ...thread, content: longText(5000) }),
    rate(),
    dispute(),
  ])

  const month = new Date().toISOString().slice(0, 7)
  const conversation = { itemId: open.id }
  const visits = {
    home: [{ path: paths.home(), as: ['visitor', 'buyer', 'admin'] }],
    auth: [{ path: paths.auth(), as: ['visitor'] }],
    login: [{ path: routes.login, as: ['visitor'] }],
    signup: [{ path: routes.signup, as: ['visitor'] }],
    forgotPassword: [{ path: paths.forgotPassword(), as: ['visitor'] }],
    resetPassword: [{ path: paths.resetPassword({ token: longText(43) }), as: ['visitor'] }],
    verifyEmail: [{ path: paths.verifyEmail({ token: longText(43) }), as: ['visitor'], isRefused: true }],
    undoEmail: [{ path: paths.undoEmail(longText(43)), as: ['visitor'], isRefused: true }],
    unsubscribe: [{ path: paths.unsubscribe({ token: longText(43) }), as: ['visitor'], isRefused: true }],
    user: [{ path: paths.user(sellerId), as: ['visitor', 'buyer'] }],
    item: [
      { path: paths.item(open.id), as: ['visitor', ...parties] },
      { path: paths.item(held.item.id), as: ['visitor', ...parties] },
    ],
    termsOfService: [{ path: paths.termsOfService(), as: ['visitor'] }],
    privacyPolicy: [{ path: paths.privacyPolicy(), as: ['visitor'] }],
    refundPolicy: [{ path: paths.refundPolicy(), as: ['visitor'] }],
    disputeResolution: [{ path: paths.disputeResolution(), as: ['visitor'] }],
    help: [{ path: paths.help({ paymentId: heldId }), as: ['visitor', 'buyer'] }],
    tickets: [{ path: paths.tickets(), as: ['visitor', 'buyer'] }],
    ticket: [{ path: paths.ticket(ticketId), as: ['buyer'] }],
    post: [{ path: paths.post(), as: ['buyer'] }],
    myRequests: [{ path: routes.myRequests, as: parties }],
    savedSearches: [{ path: paths.savedSearches(), as: ['visitor', 'buyer'] }],
    myOffers: [{ path: routes.myOffers, as: parties }],
    matches: [{ path: routes.matches, as: parties }],
    messages: [
      { path: paths.messages(), as: parties },
      { path: paths.messages({ ...conversation, userId: sellerId }), as: ['buyer'] },
      { path: paths.messages({ ...conversation, userId: open.userId }), as: ['seller'] },
    ],
    checkout: [{ path: paths.checkout({ itemId: unpaid.item.id, amount: AMOUNT_CENTS }), as: ['buyer'] }],
    escrowCheckout: [{ path: unpaid.checkout, as: ['buyer'] }],
    payments: [{ path: paths.payments(), as: ['visitor', ...parties] }],
    receipt: [{ path: paths.receipt(completedId), as: ['buyer'] }],
    statement: [{ path: paths.statement(month), as: ['seller'] }],
    sellerSetup: [{ path: paths.sellerSetup(), as: ['visitor', 'seller'] }],
    profile: [
      { path: paths.profile(), as: parties },
      { path: paths.profile({ tab: 'settings' }), as: ['buyer'] },
      { path: paths.profile({ tab: 'activity' }), as: parties },
      { path: paths.profile({ tab: 'security' }), as: ['buyer'] },
    ],
    notifications: [{ path: paths.notifications(), as: ['visitor', ...parties] }],
    rating: [
      {
        path: paths.rating({
          paymentId: completedId,
          sellerName: longText(101),
          itemTitle: request.title,
          amount: AMOUNT_CENTS,
        }),
        as: ['visitor', 'buyer'],
      },
    ],
    paymentSuccess: [
      { path: paths.paymentSuccess({ escrow: true, payment_intent: intentId }), as: ['visitor', 'buyer'] },
      { path: paths.paymentSuccess(), as: ['buyer'] },
    ],
    delivery: [
      { path: paths.delivery(heldId), as: parties },
      { path: paths.delivery(completedId), as: ['buyer'] },
    ],
    review: [{ path: paths.review(completedId), as: ['visitor', ...parties] }],
    deal: [{ path: paths.deal(heldId), as: ['visitor', ...parties] }],
    dispute: [{ path: paths.dispute(disputedId), as: ['visitor', ...parties] }],
    admin: [{ path: paths.admin(), as: ['visitor', 'admin'] }],
    adminAnalytics: [{ path: paths.adminAnalytics(), as: ['visitor', 'admin'] }],
    adminDisputes: [{ path: paths.adminDisputes({ search: sellerId }), as: ['visitor', 'admin'] }],
    adminAppeals: [{ path: paths.adminAppeals(), as: ['admin'] }],
    adminReplies: [{ path: paths.adminReplies(), as: ['admin'] }],
    adminModeration: [{ path: paths.adminModeration(), as: ['admin'] }],
    adminPayouts: [{ path: paths.adminPayouts(), as: ['admin'] }],
    adminRefunds: [{ path: paths.adminRefunds(), as: ['admin'] }],
    adminDebts: [{ path: paths.adminDebts(), as: ['admin'] }],
    category: [{ path: paths.home({ category: 'Music' }), as: ['visitor'] }],
    adminReconciliation: [{ path: paths.adminReconciliation(), as: ['admin'] }],
    adminTickets: [{ path: routes.adminTickets, as: ['admin'] }],
    adminTicket: [{ path: `${routes.adminTickets}/${ticketId}`, as: ['admin'] }],
    adminLookup: [{ path: paths.adminLookup({ q: sellerId }), as: ['admin'] }],
    adminPerson: [{ path: paths.adminPerson(sellerId), as: ['admin'] }],
    adminDeal: [{ path: paths.adminDeal(disputedId), as: ['admin'] }],
    adminGoodwill: [{ path: paths.adminGoodwill(), as: ['admin'] }],
    adminExports: [{ path: paths.adminExports(), as: ['admin'] }],
    adminSettings: [{ path: paths.adminSettings(), as: ['admin'] }],
    adminDoctor: [{ path: paths.adminDoctor(), as: ['admin'] }],
    adminAuditLog: [{ path: paths.adminAuditLog(), as: ['admin'] }],
    disputeReport: [{ path: paths.disputeReport({ paymentId: heldId }), as: ['visitor', 'buyer'] }],
    devUi: [{ path: routes.devUi, as: ['visitor'] }],
    devMail: [{ path: routes.devMail, as: ['visitor'] }],
  } satisfies Record<RouteName, readonly Visit[]>

  const wrong: string[] = []
  for (const role of visitedAs) {
    const page = pages[role]
    const ofRole = Object.values<readonly Visit[]>(visits)
      .flat()
      .filter(({ as }) => as.includes(role))
    let visit = ofRole[0]
    page.on('response', (response) => {
      if (response.status() < 400 || visit?.isRefused) return
      wrong.push(`${role} on ${visit?.path}: ${response.status()} for ${response.url()}`)
    })
    await page.setViewportSize(phone.viewport)
    await page.goto(paths.home())
    for (visit of ofRole)
      for (const what of await visitInApp(page, visit.path)) wrong.push(`${role} on ${visit.path}: ${what}`)
  }
  expect(wrong).toEqual([])
}

async function lengthenProfile(page: Page, { email }: User): Promise<{ id: string }> {
  const names = { firstName: longText(50), lastName: longText(50) }
  const data = { ...names, email, bio: longText(500), location: longText(100), phone: '0'.repeat(20) }
  return jsonOf(page.request.put('/api/user/profile', { data }))
}

/**
 * Opens a screen like a link does, waits until it is shown, and returns the elements that make it wider than the
 * window. All of this runs in the page, which waits without polling from outside.
 */
async function visitInApp(page: Page, path: string): Promise<string[]> {
  // The gallery shows spinners forever.
  const loading = path === routes.devUi ? null : '.animate-spin, .animate-breathe'
  await openInApp(page, path)
  return page.evaluate(
    async ({ loading, shownWithinMs }) => {
      const deadline = performance.now() + shownWithinMs
      const isShown = () =>
        document.querySelector('h1')?.checkVisibility() && !(loading && document.querySelector(loading))
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      do await nextFrame()
      while (!isShown() && performance.now() < deadline)
      if (!isShown()) return ['does not load']
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      const wide = [...document.body.querySelectorAll('*')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1,
      )
      return [
        `${scrollWidth} px wide`,
        ...wide.slice(0, 5).map(({ tagName, className }) => `${tagName} ${className}`),
      ]
    },
    { loading, shownWithinMs: SHOWN_WITHIN_MS },
  )
}
