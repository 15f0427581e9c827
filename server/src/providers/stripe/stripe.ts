import Stripe from 'stripe'
import type { Clock } from '../../platform/clock.ts'
import {
  type CardProvider,
  type Chargeback,
  type Intent,
  type ProviderEvent,
  ProviderFailed,
} from './card-provider.ts'

/**
 * A person waits for most of these answers; a job that gets none tries again later. The SDK repeats a
 * request under the same key, so that a repetition cannot act twice.
 */
const PATIENCE = { timeoutMs: 8_000, retries: 1 }
/** How old a signed event may be. */
const SIGNATURE_TOLERANCE_SECONDS = 300
/** How long after having looked for what was sent before something may be sent: Stripe forgets its keys after a day. */
const SIGHT_MS = 3_600_000
const CHARGEBACK_EVENTS = ['charge.dispute.created', 'charge.dispute.closed']

interface Options {
  secretKey: string
  publishableKey: string
  webhookSecret: string | undefined
  apiUrl: string | undefined
  publicUrl: string
  currency: string
  clock: Clock
  /** How long to wait for an answer, and how often to ask again. */
  patience?: { timeoutMs: number; retries: number }
}

/** Stripe through its own SDK. Charges stand on the platform; sellers get separate transfers (ADR 11). */
export function createStripe(options: Options): CardProvider {
  const { timeoutMs, retries } = options.patience ?? PATIENCE
  const stripe = new Stripe(options.secretKey, {
    ...hostOf(options.apiUrl),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    appInfo: { name: 'Sought' },
  })
  const { currency, publicUrl, clock } = options

  /** A process may be held up anywhere, for days. Whoever was must look again, since another may have sent it since. */
  function requireInSight(lookedAt: Date): void {
    if (clock().getTime() - lookedAt.getTime() <= SIGHT_MS) return
    throw new ProviderFailed('unknown', new Error('held up for too long between looking and sending'))
  }

  return {
    publishableKey: options.publishableKey,

    createIntent: ({ id, amountCents, createdAt, attempt }) =>
      asked(async () =>
        asIntent(
          await stripe.paymentIntents.create(
            {
              amount: amountCents,
              currency,
              automatic_payment_methods: { enabled: true },
              transfer_group: groupOf(id),
              metadata: { paymentId: id },
            },
            keyed('intent', id, createdAt, attempt),
          ),
        ),
      ),

    readIntent: (intentId) =>
      asked(() => orNull(async () => asIntent(await stripe.paymentIntents.retrieve(intentId)))),

    cancelIntent: (intentId) =>
      asked(() => orNull(async () => asIntent(await stripe.paymentIntents.cancel(intentId)))),

    refund: ({ paymentId, intentId, amountCents, createdAt, attempt }) =>
      asked(async () => {
        const lookedAt = clock()
        const made = await listed(stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
        if (made.some((refund) => refund.metadata?.paymentId === String(paymentId) && isAlive(refund))) return
        requireInSight(lookedAt)
        await stripe.refunds.create(
          { payment_intent: intentId, amount: amountCents, metadata: { paymentId } },
          keyed('refund', paymentId, createdAt, attempt),
        )
      }),

    transfer: ({ payoutId, paymentId, intentId, accountId, amountCents, createdAt, attempt }) =>
      asked(async () => {
        const lookedAt = clock()
        const made = await listed(
          stripe.transfers.list({ transfer_group: groupOf(paymentId), destination: accountId, limit: 100 }),
        )
        const found = made.find((transfer) => transfer.metadata.payoutId === String(payoutId))
        if (found) return found.id
        const { chargeId } = asIntent(await stripe.paymentIntents.retrieve(intentId))
        requireInSight(lookedAt)
        const transfer = await stripe.transfers.create(
          {
            amount: amountCents,
            currency,
            destination: accountId,
            ...(chargeId && { source_transaction: chargeId }),
            transfer_group: groupOf(paymentId),
            metadata: { payoutId, paymentId },
          },
          keyed('payout', payoutId, createdAt, attempt),
        )
        return transfer.id
      }),

    createAccount: ({ userId, email, country }) =>
      asked(async () => {
        const account = await stripe.accounts.create({
          type: 'express',
          country,
          ...(email && { email }),
          capabilities: { transfers: { requested: true } },
          metadata: { userId },
        })
        return account.id
      }),

    onboardingUrl: (accountId) =>
      asked(async () => {
        const link = await stripe.accountLinks.create({
          account: accountId,
          type: 'account_onboarding',
          return_url: `${publicUrl}/seller-setup?success=true`,
          refresh_url: `${publicUrl}/seller-setup?refresh=true`,
        })
        return link.url
      }),

    readAccount: (accountId) =>
      asked(() =>
        orNull(async () => {
          const account = await stripe.accounts.retrieve(accountId)
          return { canReceive: account.capabilities?.transfers === 'active' }
        }),
      ),

    readChargeback: (id) => asked(() => orNull(async () => asChargeback(await stripe.disputes.retrieve(id)))),

    chargebackEvents: (since) =>
      asked(async () => {
        const created = { gte: Math.floor(since.getTime() / 1000) }
        const events = await listed(stripe.events.list({ types: CHARGEBACK_EVENTS, created, limit: 100 }))
        return events.map(asEvent)
      }),

    readEvent(rawBody, signature) {
      if (!options.webhookSecret) return null
      try {
        const event = stripe.webhooks.constructEvent(
          rawBody,
          signature,
          options.webhookSecret,
          SIGNATURE_TOLERANCE_SECONDS,
          undefined,
          clock().getTime(),
        )
        return asEvent(event)
      } catch {
        return null
      }
    },

    movementsOf: (intentId) =>
      asked(async () => {
        const intent = await stripe.paymentIntents.retrieve(intentId)
        const refunds = await listed(stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
        const transfers = intent.transfer_group
          ? await listed(stripe.transfers.list({ transfer_group: intent.transfer_group, limit: 100 }))
          : []
        const disputes = await listed(stripe.disputes.list({ payment_intent: intentId, limit: 100 }))
        // What a bank has taken back for good is with the buyer, as if we had refunded it.
        const givenBack = [...refunds.filter(isAlive), ...disputes.filter(({ status }) => status === 'lost')]
        return {
          paidCents: intent.amount_received,
          refundedCents: sum(givenBack.map(({ amount }) => amount)),
          transferredCents: sum(transfers.map(({ amount, amount_reversed }) => amount - amount_reversed)),
        }
      }),
  }
}

const groupOf = (paymentId: number) => `payment:${paymentId}`

/**
 * One key for each effect, made from our ids. The moment of creation sets apart two databases that
 * count from one against the same account.
 */
function keyed(effect: string, id: number, createdAt: Date, attempt: string | number) {
  return { idempotencyKey: `${effect}:${id}:${createdAt.getTime()}:${attempt}` }
}

function hostOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (!apiUrl) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme }
}

function asIntent(intent: Stripe.PaymentIntent): Intent {
  const { latest_charge: charge } = intent
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: statusOf(intent.status),
    receivedCents: intent.amount_received,
    currency: intent.currency,
    chargeId: typeof charge === 'string' ? charge : (charge?.id ?? null),
  }
}

function statusOf(status: Stripe.PaymentIntent.Status): Intent['status'] {
  switch (status) {
    case 'succeeded':
      return 'paid'
    case 'processing':
      return 'processing'
    case 'canceled':
      return 'canceled'
    default:
      // Whatever else there is, or will be, has not been paid.
      return 'unpaid'
  }
}

function asEvent({ id, type, data: { object } }: Stripe.Event): ProviderEvent {
  return { id, type, objectId: 'id' in object ? String(object.id) : '' }
}

function asChargeback(dispute: Stripe.Dispute): Chargeback {
  const { payment_intent: intent, status } = dispute
  const outcome = status === 'won' ? 'won' : status === 'lost' ? 'lost' : 'open'
  return {
    intentId: typeof intent === 'string' ? intent : (intent?.id ?? null),
    reason: dispute.reason,
    outcome,
  }
}

const isAlive = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled'

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** Every item of a list, however many pages it has. */
async function listed<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

/** Stripe answers 404 to what it does not know, and 403 to an account that is no longer ours. */
async function orNull<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    const unknown = error instanceof Stripe.errors.StripeError && [403, 404].includes(error.statusCode ?? 0)
    if (unknown) return null
    throw error
  }
}

async function asked<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    throw new ProviderFailed(outcomeOf(error), error)
  }
}

function outcomeOf(error: Stripe.errors.StripeError): ProviderFailed['outcome'] {
  // A key that was used for something else says nothing about what was asked now; one in use is only busy.
  const isMisused = error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409
  if (isMisused) return 'unknown'
  switch (error.statusCode) {
    case 400:
    case 402:
    case 403:
    case 404:
      return 'refused'
    case 409:
    case 429:
      return 'busy'
    default:
      return 'unknown'
  }
}
