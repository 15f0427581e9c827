import type { Page } from '@playwright/test'
import { paths, type RouteName, routes } from '@sought/contract/paths'
import { confirmDelivery, createDealBetween, jsonOf, payIntoEscrow } from '../support/deals.ts'
import { expect, phone, test } from '../support/fixtures.ts'
import { openInApp } from '../support/open-in-app.ts'
import { demoUsers, type User } from '../support/users.ts'

/*
 * Every screen on the smallest phone, with the longest names, texts and amounts that are allowed, without a space in
 * them. A route without an entry below does not compile.
 */

const longText = (length: number) => 'W'.repeat(length)

const AMOUNT_CENTS = 99_999_999

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
  /** The link is invalid on purpose. */
  isRefused?: true
}

const everyone = ['visitor', 'buyer', 'seller', 'admin'] as const
const parties = ['buyer', 'seller'] as const

test('no screen is wider than a phone, and no request of a visit fails', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const [ada, bob] = [await createUser('Ada'), await createUser('Bob')]
  const pages = {
    visitor: await openAsVisitor(undefined, phone),
    buyer: await openAs(ada, undefined, phone),
    seller: await openAs(bob, undefined, phone),
    admin: await openAs(demoUsers.admin, undefined, phone),
  }
  const { buyer, seller } = pages
  await lengthenProfile(buyer, ada)
  const { id: sellerId } = await lengthenProfile(seller, bob)

  const agree = (message = longText(1000)) =>
    createDealBetween({ buyer, seller, ada, bob }, AMOUNT_CENTS, request, message)
  const [unpaid, held, completed, disputed, open] = [
    await agree(),
    await agree(),
    await agree(),
    await agree(),
    await jsonOf(buyer.request.post('/api/wanted-items', { data: request })),
  ]
  const { intentId, paymentId: heldId } = await payIntoEscrow(held)
  const { paymentId: completedId } = await payIntoEscrow(completed)
  const { paymentId: disputedId } = await payIntoEscrow(disputed)
  await confirmDelivery(buyer, completedId)
  const post = (page: Page, path: string, data: object) => jsonOf(page.request.post(path, { data }))
  const feedback = longText(2000)
  await post(buyer, `/api/payments/${completedId}/submit-rating`, { rating: 5, feedback })
  await post(buyer, '/api/initiate-dispute', { paymentId: disputedId, reason: longText(20_000) })
  await post(seller, `/api/disputes/${disputedId}/answer`, { content: longText(10_000) })
  const thread = { wantedItemId: open.id, receiverId: open.userId }
  await post(seller, '/api/offers', { ...thread, amount: AMOUNT_CENTS, message: longText(1000) })
  await post(seller, '/api/messages', { ...thread, content: longText(5000) })
  const question = { topic: 'payments', subject: longText(120), message: longText(2000) }
  const { id: ticketId } = await post(buyer, '/api/support/tickets', { ...question, paymentId: heldId })

  const month = new Date().toISOString().slice(0, 7)
  const conversation = { itemId: open.id }
  const visits = {
    home: [{ path: paths.home(), as: everyone }],
    auth: [{ path: paths.auth(), as: ['visitor'] }],
    login: [{ path: routes.login, as: ['visitor'] }],
    signup: [{ path: routes.signup, as: ['visitor'] }],
    forgotPassword: [{ path: paths.forgotPassword(), as: ['visitor'] }],
    resetPassword: [{ path: paths.resetPassword({ token: longText(43) }), as: ['visitor'] }],
    verifyEmail: [{ path: paths.verifyEmail({ token: longText(43) }), as: ['visitor'], isRefused: true }],
    undoEmail: [{ path: paths.undoEmail(longText(43)), as: ['visitor'], isRefused: true }],
    unsubscribe: [{ path: paths.unsubscribe({ token: longText(43) }), as: ['visitor'], isRefused: true }],
    user: [{ path: paths.user(sellerId), as: everyone }],
    item: [
      { path: paths.item(open.id), as: everyone },
      { path: paths.item(held.item.id), as: everyone },
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
    myOffers: [{ path: routes.myOffers, as: parties }],
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
    profile: (['overview', 'settings', 'activity', 'security'] as const).map((tab) => ({
      path: paths.profile({ tab }),
      as: parties,
    })),
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
    dispute: [{ path: paths.dispute(disputedId), as: ['visitor', ...parties] }],
    adminDisputes: [{ path: paths.adminDisputes({ search: sellerId }), as: ['visitor', 'admin'] }],
    adminPayouts: [{ path: paths.adminPayouts(), as: ['admin'] }],
    adminRefunds: [{ path: paths.adminRefunds(), as: ['admin'] }],
    adminReconciliation: [{ path: paths.adminReconciliation(), as: ['admin'] }],
    adminTickets: [{ path: routes.adminTickets, as: ['admin'] }],
    adminTicket: [{ path: `${routes.adminTickets}/${ticketId}`, as: ['admin'] }],
    adminAuditLog: [{ path: paths.adminAuditLog(), as: ['admin'] }],
    disputeReport: [{ path: paths.disputeReport({ paymentId: heldId }), as: ['visitor', 'buyer'] }],
    devUi: [{ path: routes.devUi, as: ['visitor'] }],
    devMail: [{ path: routes.devMail, as: ['visitor'] }],
  } satisfies Record<RouteName, readonly Visit[]>

  const wrong: string[] = []
  for (const role of everyone) {
    const page = pages[role]
    const ofRole = Object.values<readonly Visit[]>(visits)
      .flat()
      .filter(({ as }) => as.includes(role))
    let visit = ofRole[0]
    page.on('response', (response) => {
      if (response.status() < 400 || visit?.isRefused) return
      wrong.push(`${role} on ${visit?.path}: ${response.status()} for ${response.url()}`)
    })
    await page.goto(paths.home())
    for (visit of ofRole) {
      await openInApp(page, visit.path)
      await expectShown(page, visit.path)
      for (const element of await findTooWide(page)) wrong.push(`${role} on ${visit.path}: ${element}`)
    }
  }
  expect(wrong).toEqual([])
})

async function lengthenProfile(page: Page, { email }: User): Promise<{ id: string }> {
  const names = { firstName: longText(50), lastName: longText(50) }
  const data = { ...names, email, bio: longText(500), location: longText(100), phone: '0'.repeat(20) }
  return jsonOf(page.request.put('/api/user/profile', { data }))
}

async function expectShown(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible()
  // The gallery shows spinners for ever.
  if (path !== routes.devUi)
    await expect(page.locator('.animate-spin, .animate-breathe'), path).toHaveCount(0)
}

/** Nothing, or what makes the page wider than its window. */
function findTooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return [
      `${scrollWidth} px wide`,
      ...wide.slice(0, 5).map(({ tagName, className }) => `${tagName} ${className}`),
    ]
  })
}
