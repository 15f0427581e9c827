import type { Db, Tx } from '../../../database/database.ts'
import type { StoredBankPayout, StoredRequirement } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import {
  type Account,
  type AccountRequirement,
  type BankPayout,
  type CardProvider,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import type { PayoutAccount } from './account-queries.ts'
import * as queries from './account-queries.ts'
import { payoutAccountLost, payoutFailedAtBank, payoutsDisabled, requirementsDue } from './notifications.ts'
import { lockPayout } from './queries.ts'
import { enqueueSellerPayouts } from './send-payouts.ts'

/*
 * What the provider says about the connected accounts of sellers: what it needs, and whether the latest payout reached
 * the bank. Events only say which account to read, and a sweep reads all accounts now and then (ADR 11).
 */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Before the deadline of a requirement, and at it. */
const REMIND_BEFORE_MS = [7 * DAY_MS, DAY_MS, 0]
const CHECK_AFTER_MS = { healthy: DAY_MS, inTrouble: 6 * HOUR_MS, failed: HOUR_MS / 6 }
const BATCH = 25

export { followAccount } from './account-queries.ts'

type Needed = Pick<Services, 'database' | 'clock'>

/**
 * Reads a seller's account, and saves what the provider says about it. `account` is null if the provider does not know
 * it, and `stored` is undefined if nobody has it.
 */
export async function readAccountOf({ database, clock }: Needed, cards: CardProvider, accountId: string) {
  const readAt = clock()
  const account = await cards.readAccount(accountId)
  if (!account) return { account, stored: undefined }
  const stored = await database.transact((tx) => saveAccount(tx, accountId, account, readAt))
  if (stored && account.lastPayout) await recordAtBank({ database }, accountId, account.lastPayout)
  return { account, stored }
}

/** What the provider said about a user's connected account when it was last asked. Null if they never had one. */
export async function readPayoutAccount(db: Db, userId: string) {
  const stored = await queries.findPayoutAccount(db, userId)
  return stored ? asPayoutAccount(stored) : null
}

export const asPayoutAccount = (stored: PayoutAccount) => ({
  canReceivePayments: stored.canReceive,
  requirements: stored.requirements.map(({ field, what, deadline }) => ({
    field,
    what,
    deadline: deadline === null ? null : new Date(deadline),
  })),
  disabledReason: stored.disabledReason,
  lastPayout: stored.lastPayout && {
    ...stored.lastPayout,
    arrivalDate: new Date(stored.lastPayout.arrivalDate),
  },
  readAt: stored.readAt,
  closedAt: stored.closedAt,
})

/** Reads an account that may have changed. If it belongs to a seller, attempts its unpaid payouts. */
export async function syncAccount(
  services: Needed & Pick<Services, 'log'>,
  cards: CardProvider,
  accountId: string,
): Promise<void> {
  const { transact } = services.database
  const seller = await transact((tx) => queries.lockSellerOf(tx, accountId))
  if (!seller) return
  const { account } = await readAccountOf(services, cards, accountId)
  if (!account) return transact((tx) => forgetAccount(tx, accountId))
  await transact((tx) => enqueueSellerPayouts(tx, seller.id))
  await sendFailedPayoutAgain(services, cards, accountId, account)
}

/** With a schedule, the provider sends the money again by itself once the seller has fixed the account. */
async function sendFailedPayoutAgain(
  { log }: Pick<Services, 'log'>,
  cards: CardProvider,
  accountId: string,
  { lastPayout, payoutsEnabled, canReceive, hasPayoutSchedule }: Account,
): Promise<void> {
  const isFixed = payoutsEnabled && canReceive
  if (lastPayout?.status !== 'failed' || !isFixed || hasPayoutSchedule) return
  try {
    await cards.sendPayoutAgain(accountId, lastPayout)
  } catch (error) {
    if (!(error instanceof ProviderFailed && error.outcome === 'refused')) throw error
    log.warn({ err: error, accountId }, 'the provider refused to send a payout to the bank again, will retry')
  }
}

/** Reads the accounts that are due, so that no event needs to arrive and every reminder is sent in time. */
export async function checkAccounts(services: Services, signal?: AbortSignal): Promise<void> {
  const { cards, database, clock, log } = services
  if (!cards) return
  const again = new Date(clock().getTime() + CHECK_AFTER_MS.failed)
  for (const accountId of await database.transact((tx) => queries.claimAccounts(tx, again, BATCH))) {
    if (signal?.aborted) return
    try {
      await syncAccount(services, cards, accountId)
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      log.warn({ err: error, accountId }, 'could not read the account of a seller, will retry')
      // During an outage, the other accounts would fail too.
      if (error.outcome !== 'refused') return
    }
  }
}

/** Concurrent reads may end in another order than they began, so a later one is kept. */
async function saveAccount(
  tx: Tx,
  accountId: string,
  account: Account,
  readAt: Date,
): Promise<PayoutAccount | undefined> {
  const seller = await queries.lockSellerOf(tx, accountId)
  if (!seller) return undefined
  const known = await queries.findPayoutAccount(tx, seller.id)
  const before = known?.accountId === accountId ? known : undefined
  if (before?.readAt && before.readAt > readAt) return before
  const requirements = account.requirements.map((it) => withHistory(it, before, readAt))
  const now: PayoutAccount = {
    userId: seller.id,
    accountId,
    detailsSubmitted: account.detailsSubmitted,
    canReceive: account.canReceive,
    disabledReason: account.disabledReason,
    requirements,
    lastPayout: account.lastPayout && asStored(account.lastPayout),
    readAt,
    checkAt: findNextCheck(account, requirements, readAt),
    closedAt: null,
  }
  await queries.setPayoutsEnabled(tx, accountId, account.payoutsEnabled)
  if (account.detailsSubmitted) {
    const isDisabled = seller.payoutsEnabled && !account.payoutsEnabled
    await notify(tx, findNews(before, now, isDisabled))
  }
  if (before && describeHealth(before) !== describeHealth(now))
    await announce(tx, [seller.id], { about: 'payments' })
  await queries.savePayoutAccount(tx, now, known !== undefined)
  return now
}

/** A requirement that is late has no deadline any more, so the known one is kept. */
function withHistory(
  { field, what, deadline }: AccountRequirement,
  before: PayoutAccount | undefined,
  readAt: Date,
): StoredRequirement {
  // During the onboarding, the provider shows what it needs.
  const known = before?.detailsSubmitted ? before.requirements.find((it) => it.field === field) : undefined
  return {
    field,
    what,
    deadline: deadline?.toISOString() ?? known?.deadline ?? null,
    since: known?.since ?? readAt.toISOString(),
  }
}

const asStored = ({
  id,
  status,
  failure,
  amountCents,
  currency,
  arrivalDate,
}: BankPayout): StoredBankPayout => ({
  id,
  status,
  failure,
  amount: amountCents,
  currency,
  arrivalDate: arrivalDate.toISOString(),
})

/** When the seller is told of a requirement: at once, a week and a day before the deadline, and at the deadline. */
function findReminders({ since, deadline }: StoredRequirement): Date[] {
  const first = new Date(since)
  const before = deadline ? REMIND_BEFORE_MS.map((ms) => new Date(Date.parse(deadline) - ms)) : []
  return [first, ...before.filter((at) => at > first)]
}

/** Each reminder falls between two reads, so it is sent once. */
function findNews(before: PayoutAccount | undefined, now: PayoutAccount, isDisabled: boolean) {
  const { userId, accountId, requirements, lastPayout, readAt, disabledReason } = now
  if (!readAt) throw new Error(`account ${accountId} was not read`)
  const lastRead = before?.readAt?.getTime() ?? 0
  const due = requirements.filter((it) =>
    findReminders(it).some((at) => at <= readAt && at.getTime() > lastRead),
  )
  const deadlines = due.flatMap(({ deadline }) => (deadline ? Date.parse(deadline) : []))
  const failed = lastPayout?.status === 'failed' ? lastPayout : null
  const isNewlyFailed =
    failed !== null && (before?.lastPayout?.id !== failed.id || before.lastPayout.status !== 'failed')
  return [
    ...(isNewlyFailed ? payoutFailedAtBank(userId, failed) : []),
    // Says what is needed, too.
    ...(isDisabled && !isNewlyFailed ? payoutsDisabled(userId, { accountId, disabledReason, readAt }) : []),
    ...(due.length > 0 && !isDisabled
      ? requirementsDue(userId, { accountId, deadline: Math.min(...deadlines), readAt })
      : []),
  ]
}

/** What the seller sees of it. */
const describeHealth = ({
  canReceive,
  disabledReason,
  requirements,
  lastPayout,
  detailsSubmitted,
}: PayoutAccount) =>
  JSON.stringify([
    canReceive,
    disabledReason,
    detailsSubmitted,
    requirements.map(({ field, deadline }) => [field, deadline]),
    lastPayout && [lastPayout.id, lastPayout.status],
  ])

/** Accounts in trouble are read more often, and each account when its next reminder is due. */
function findNextCheck(account: Account, requirements: StoredRequirement[], readAt: Date): Date {
  const isHealthy = account.canReceive && requirements.length === 0 && account.lastPayout?.status !== 'failed'
  const regular = readAt.getTime() + (isHealthy ? CHECK_AFTER_MS.healthy : CHECK_AFTER_MS.inTrouble)
  const reminders = requirements.flatMap((it) => findReminders(it).map((at) => at.getTime()))
  return new Date(Math.min(regular, ...reminders.filter((at) => at > readAt.getTime())))
}

/**
 * A failed payout returns to the account, and the provider sends all of the account's money with the next payout once
 * the seller has fixed the bank account. Our transfers stay paid, and so does the ledger.
 */
async function recordAtBank(
  { database }: Pick<Services, 'database'>,
  accountId: string,
  { status, failure, failedTransferIds }: BankPayout,
): Promise<void> {
  const { read, transact } = database
  const isFailed = status === 'failed'
  const found = isFailed
    ? await queries.findUnmarked(read, failedTransferIds)
    : await queries.findMarked(read, accountId)
  for (const { id } of found)
    await transact(async (tx) => {
      const payout = await lockPayout(tx, id)
      if (!payout) return
      await queries.setBankFailure(tx, id, isFailed ? (failure ?? 'could_not_process') : null)
      await announce(tx, [payout.sellerId], { about: 'payments' })
    })
}

/**
 * Removes an account that the provider no longer knows. Unpaid payouts wait until the seller sets up payouts again. A
 * payout that is being sent keeps its destination: the provider refuses the transfer, and then the payout is owed
 * again.
 */
async function forgetAccount(tx: Tx, accountId: string): Promise<void> {
  for (const sellerId of await queries.removeAccount(tx, accountId)) {
    await announce(tx, [sellerId], { about: 'payments' })
    await notify(tx, payoutAccountLost(sellerId, accountId))
  }
}
