import { toProviderAmount } from '@sought/contract/currencies'
import type { ProviderFee } from '@sought/escrow/postings'
import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Clock } from '../../core/clock.ts'
import { readAccount, sendPayoutAgain } from './accounts.ts'
import { readAmount, readCurrency } from './amounts.ts'
import {
  type BankEvidence,
  type CardProvider,
  type Chargeback,
  type ChargeHistory,
  type FraudSignal,
  type Intent,
  type ProviderEvent,
  ProviderFailed,
} from './card-provider.ts'
import { asParams, describeIntent } from './intent-params.ts'
import { movementsSince } from './movements.ts'
import { payoutRoute } from './payout-countries.ts'
import { CAUSE, reverseTransfer } from './reverse-transfer.ts'
import {
  conversionIn,
  keptOf,
  settleInCharge,
  transferConversion,
  valueReversals,
  worthOf,
} from './settlement.ts'
import { collect, hostOf, idOf, mapErrors, nullIfUnknown } from './stripe-api.ts'
import { CONNECT_EVENTS } from './webhook-events.ts'

/** A user waits for most of these calls, and failed jobs are retried. The SDK retries with the same idempotency key. */
const DEFAULT_RETRY_POLICY = { timeoutMs: 8_000, retries: 1 }
const SIGNATURE_TOLERANCE_SECONDS = 300
/**
 * How old the check for an earlier refund or transfer may be when we send one. Stripe forgets idempotency keys after
 * a day, so after that only the check prevents sending twice.
 */
const LOOKUP_MAX_AGE_MS = 3_600_000
/** Events that can change what we owe, or whom we may pay. `docs/adr/0041-provider-facts.md` explains them. */
const MONEY_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'transfer.reversed',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'review.opened',
  'review.closed',
]
const EXPAND_PAYMENT = { expand: ['latest_charge.balance_transaction', 'payment_method'] }
const EXPAND_LIST = { expand: ['data.balance_transaction'] }

interface Options {
  secretKey: string
  publishableKey: string
  /** An event is valid if any of these secrets signed it. */
  webhookSecrets: string[]
  apiUrl: string | undefined
  publicUrl: string
  /** The country of our Stripe account. */
  platformCountry: string
  /** The id of our database. Other databases may use the same Stripe account (ADR 39). */
  readInstallation(): Promise<string>
  clock: Clock
  retryPolicy?: { timeoutMs: number; retries: number }
}

/** Uses Stripe's SDK. Charges are made on the platform account, and sellers get separate transfers (ADR 11). */
export function createStripe(options: Options): CardProvider {
  const { timeoutMs, retries } = options.retryPolicy ?? DEFAULT_RETRY_POLICY
  const stripe = new Stripe(options.secretKey, {
    ...hostOf(options.apiUrl),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    appInfo: { name: 'Sought' },
  })
  const { publicUrl, platformCountry, clock, readInstallation } = options

  /**
   * A process can be suspended for days between the lookup and the transfer. Another may have sent it in the
   * meantime.
   */
  function requireFreshLookup(lookedUpAt: Date): void {
    if (clock().getTime() - lookedUpAt.getTime() <= LOOKUP_MAX_AGE_MS) return
    throw new ProviderFailed('unknown', new Error('too much time passed between the lookup and the send'))
  }

  function isSigned(rawBody: string | Buffer, signature: string, secret: string): boolean {
    const tolerance = SIGNATURE_TOLERANCE_SECONDS
    const receivedAt = clock().getTime()
    try {
      const { signature: signatures } = stripe.webhooks
      return signatures?.verifyHeader(rawBody, signature, secret, tolerance, undefined, receivedAt) ?? false
    } catch {
      return false
    }
  }

  return {
    publishableKey: options.publishableKey,
    readInstallation,

    createIntent: ({ id, amountCents, currency, methods, createdAt, attempt, ...about }) =>
      mapErrors(async () => {
        const installation = await readInstallation()
        const intent = await stripe.paymentIntents.create(
          {
            amount: toProviderAmount(amountCents, currency),
            currency,
            // Otherwise whatever is switched on in the dashboard would appear, also what we cannot hold (ADR 98).
            allowed_payment_method_types: methods,
            // Otherwise Stripe reports its fee some time after the payment has succeeded.
            capture_method: 'automatic',
            transfer_group: groupOf(installation, id),
            metadata: {
              installation,
              paymentId: id,
              transactionNumber: about.transactionNumber,
              requestId: about.wantedItemId,
              offerId: about.offerId,
            },
            ...describeIntent(about),
            ...asParams(about.details),
          },
          idempotencyKey('intent', id, createdAt, attempt),
        )
        return asIntent(intent)
      }),

    readIntent: (intentId) =>
      mapErrors(() =>
        nullIfUnknown(async () => asIntent(await stripe.paymentIntents.retrieve(intentId, EXPAND_PAYMENT))),
      ),

    updateIntent: (intentId, details) =>
      mapErrors(async () => {
        await stripe.paymentIntents.update(intentId, asParams(details))
      }).catch((error) => {
        // It may have been paid in the meantime. A customer that is gone must be replaced.
        const isRefused = error instanceof ProviderFailed && error.outcome === 'refused'
        if (!isRefused || error.reason === 'resource_missing') throw error
      }),

    createCustomer: ({ id, createdAt }) =>
      mapErrors(async () => {
        const metadata = { installation: await readInstallation(), userId: id }
        const key = idempotencyKey('customer', id, createdAt, 0)
        return (await stripe.customers.create({ metadata }, key)).id
      }),

    deleteCustomer: (customerId) =>
      mapErrors(async () => {
        await nullIfUnknown(() => stripe.customers.del(customerId))
      }),

    cancelIntent: (intentId) =>
      mapErrors(() => nullIfUnknown(async () => asIntent(await stripe.paymentIntents.cancel(intentId)))),

    refund: ({ paymentId, intentId, amountCents, currency, createdAt, attempt, bookedIds = [] }) =>
      mapErrors(async () => {
        const installation = await readInstallation()
        const lookedUpAt = clock()
        const made = await collect(
          stripe.refunds.list({ payment_intent: intentId, limit: 100, ...EXPAND_LIST }),
        )
        const ours = made.filter(
          ({ metadata }) =>
            metadata?.paymentId === String(paymentId) && metadata.installation === installation,
        )
        const found =
          ours.find(({ metadata }) => metadata?.attempt === String(attempt)) ??
          ours.find((refund) => isEffective(refund) && !bookedIds.includes(refund.id))
        if (found) return asRefund(found)
        requireFreshLookup(lookedUpAt)
        const refund = await stripe.refunds.create(
          {
            payment_intent: intentId,
            amount: toProviderAmount(amountCents, currency),
            metadata: { installation, paymentId, attempt },
            expand: ['balance_transaction'],
          },
          idempotencyKey('refund', paymentId, createdAt, attempt),
        )
        return asRefund(refund)
      }),

    transfer: (request) =>
      mapErrors(async () => {
        const { payoutId, paymentId, intentId, accountId, amountCents, currency, attempt } = request
        const { isRepeated, keptCents = 0 } = request
        const installation = await readInstallation()
        const lookedUpAt = clock()
        const intent = await stripe.paymentIntents.retrieve(intentId, EXPAND_PAYMENT)
        const { chargeId, method } = asIntent(intent)
        const paid = { amount: amountCents, currency }
        const settled = settleInCharge(paid, intent.latest_charge)
        const group = groupOf(installation, paymentId)
        const grouped = await collect(
          stripe.transfers.list({ transfer_group: group, destination: accountId, limit: 100 }),
        )
        const made = grouped.filter(({ metadata }) => metadata.payoutId === String(payoutId))
        const sentCents = sum(made.map(keptOf)) - keptCents
        const found =
          made.find(({ metadata }) => metadata.attempt === String(attempt)) ??
          (sentCents >= amountCents ? made[0] : undefined)
        if (found) return asTransfer(found)
        requireFreshLookup(lookedUpAt)
        const transfer = await stripe.transfers.create(
          {
            amount: toProviderAmount(settled.amount, settled.currency),
            currency: settled.currency,
            destination: accountId,
            ...(chargeId && !isRepeated ? { source_transaction: chargeId } : sourceOf(method)),
            transfer_group: group,
            metadata: {
              installation,
              payoutId,
              paymentId,
              intentId,
              attempt,
              ...(settled.currency !== currency && worthOf(paid)),
            },
          },
          idempotencyKey('payout', payoutId, request.createdAt, attempt),
        )
        return asTransfer(transfer)
      }),

    canPayOutTo: (country) => payoutRoute(platformCountry, country) !== 'none',

    createAccount: ({ userId, email, country }) =>
      mapErrors(async () => {
        const account = await stripe.accounts.create({
          type: 'express',
          country,
          ...(email && { email }),
          ...agreementFor(payoutRoute(platformCountry, country)),
          metadata: { installation: await readInstallation(), userId },
        })
        return account.id
      }),

    onboardingUrl: (accountId) =>
      mapErrors(async () => {
        const link = await stripe.accountLinks.create({
          account: accountId,
          type: 'account_onboarding',
          return_url: `${publicUrl}/seller-setup?success=true`,
          refresh_url: `${publicUrl}/seller-setup?refresh=true`,
        })
        return link.url
      }),

    loginUrl: (accountId) => mapErrors(async () => (await stripe.accounts.createLoginLink(accountId)).url),

    readAccount: (accountId) => mapErrors(() => nullIfUnknown(() => readAccount(stripe, accountId))),

    sendPayoutAgain: (accountId, failed) => mapErrors(() => sendPayoutAgain(stripe, accountId, failed)),

    readHistory: (intentId) => mapErrors(async () => readHistory(stripe, intentId, await readInstallation())),

    uploadEvidence: (data, name) =>
      mapErrors(async () => {
        const file = { data, name, type: 'application/pdf' }
        return (await stripe.files.create({ purpose: 'dispute_evidence', file })).id
      }).catch((error) => {
        // For example, a file with too many pages.
        if (error instanceof ProviderFailed && error.outcome === 'refused') return null
        throw error
      }),

    sendEvidence: (chargebackId, evidence) =>
      mapErrors(async () => {
        const { evidence_details: details } = await stripe.disputes.retrieve(chargebackId)
        if (details.submission_count > 0) return
        await stripe.disputes.update(chargebackId, {
          evidence: asStripeEvidence(evidence),
          submit: true,
        })
      }),

    intentOf: ({ type, objectId }) =>
      mapErrors(() =>
        nullIfUnknown(async () => {
          const [resource, kind] = type.split('.')
          if (resource === 'refund' || kind === 'refund')
            return idOf((await stripe.refunds.retrieve(objectId)).payment_intent)
          if (resource === 'transfer') return intentOfTransfer(stripe, objectId)
          if (resource === 'review') return idOf((await stripe.reviews.retrieve(objectId)).payment_intent)
          if (resource === 'radar')
            return idOf((await stripe.radar.earlyFraudWarnings.retrieve(objectId)).payment_intent)
          if (kind === 'dispute') return idOf((await stripe.disputes.retrieve(objectId)).payment_intent)
          return idOf((await stripe.charges.retrieve(objectId)).payment_intent)
        }),
      ),

    listEvents: ({ since, until, after }) =>
      mapErrors(async () => {
        const created = { gte: toSeconds(since), lte: toSeconds(until) }
        const from = after === null ? {} : { starting_after: after }
        const page = await stripe.events.list({ types: MONEY_EVENTS, created, limit: 100, ...from })
        return {
          events: page.data.map((event) => asEvent(WebhookEvent.parse(event))),
          hasMore: page.has_more,
        }
      }),

    reverseTransfer: (reversal) => mapErrors(() => reverseTransfer(stripe, reversal)),

    readBalance: () =>
      mapErrors(async () => {
        const { available, pending } = await stripe.balance.retrieve()
        const byCurrency = Map.groupBy([...available, ...pending], ({ currency }) => currency)
        return [...byCurrency].map(([currency, parts]) => ({
          currency,
          cents: parts.reduce((sum, { amount }) => sum + amount, 0),
        }))
      }),

    readEvent(rawBody, signature) {
      if (!options.webhookSecrets.some((secret) => isSigned(rawBody, signature, secret))) return null
      const event = WebhookEvent.safeParse(parseJson(rawBody))
      return event.success ? asEvent(event.data) : 'no event'
    },

    movementsSince: (since) => movementsSince(stripe, since, readInstallation),
  }
}

/**
 * Stripe requires accounts of its own region that receive transfers to take cards too, and does not let recipients
 * across a border take cards (ADR 39).
 */
function agreementFor(route: ReturnType<typeof payoutRoute>): Stripe.AccountCreateParams {
  const requested = { requested: true }
  if (route === 'domestic') return { capabilities: { card_payments: requested, transfers: requested } }
  return {
    capabilities: { transfers: requested },
    tos_acceptance: { service_agreement: 'recipient' },
  }
}

/** Stripe keeps the money of FPX payments apart, and takes what no charge funds from that of all others. */
const sourceOf = (method: string | null) => (method === 'fpx' ? { source_type: 'fpx' as const } : {})

const groupOf = (installation: string, paymentId: number) => `sought:${installation}:${paymentId}`

async function readHistory(stripe: Stripe, intentId: string, installation: string): Promise<ChargeHistory> {
  const of = { payment_intent: intentId, limit: 100 }
  const [refunds, disputes, transfers, fraudSignals] = await Promise.all([
    collect(stripe.refunds.list({ ...of, ...EXPAND_LIST })),
    collect(stripe.disputes.list(of)),
    listTransfers(stripe, intentId, installation),
    listFraudSignals(stripe, intentId),
  ])
  return {
    refunds: await Promise.all(
      refunds.map(async (refund) => ({
        ...asRefund(refund),
        failed: !isEffective(refund),
        failureReason: refund.failure_reason ?? null,
        ours: refund.metadata?.installation === installation,
        failureConversion: await findFailureConversion(stripe, refund),
      })),
    ),
    chargebacks: disputes.map(asChargeback),
    fraudSignals,
    reversals: transfers
      .flatMap((transfer) => valueReversals(transfer, transfer.reversals.data))
      .filter(({ metadata }) => metadata?.[CAUSE] === undefined)
      .map(({ id, amount, conversion }) => ({ id, amountCents: amount, conversion })),
  }
}

async function listFraudSignals(stripe: Stripe, intentId: string): Promise<FraudSignal[]> {
  const warnings = await collect(
    stripe.radar.earlyFraudWarnings.list({ payment_intent: intentId, limit: 100 }),
  )
  const { review } = await stripe.paymentIntents.retrieve(intentId, { expand: ['review'] })
  return [
    ...warnings.map(({ id, fraud_type: reason, actionable: isOpen }) => ({
      id,
      kind: 'fraud_warning' as const,
      reason,
      isOpen,
    })),
    ...(review && typeof review === 'object'
      ? [{ id: review.id, kind: 'review' as const, reason: review.opened_reason, isOpen: review.open }]
      : []),
  ]
}

/** Our transfers of a payment. */
async function listTransfers(
  stripe: Stripe,
  intentId: string,
  installation: string,
): Promise<Stripe.Transfer[]> {
  const { transfer_group: group } = await stripe.paymentIntents.retrieve(intentId)
  if (!group) return []
  const grouped = await collect(stripe.transfers.list({ transfer_group: group, limit: 100 }))
  return grouped.filter(({ metadata }) => metadata.installation === installation)
}

/** A transfer names the charge that funded it. A repeated transfer has no such charge, but names its intent. */
async function intentOfTransfer(stripe: Stripe, transferId: string): Promise<string | null> {
  const { source_transaction: source, metadata } = await stripe.transfers.retrieve(transferId)
  const chargeId = idOf(source)
  if (!chargeId) return metadata.intentId ?? null
  return idOf((await stripe.charges.retrieve(chargeId)).payment_intent)
}

/**
 * One key per effect, derived from our ids. The creation time distinguishes two databases that both count from 1
 * and use the same Stripe account.
 */
function idempotencyKey(effect: string, id: number | string, createdAt: Date, attempt: string | number) {
  return { idempotencyKey: `${effect}:${id}:${createdAt.getTime()}:${attempt}` }
}

function asIntent(intent: Stripe.PaymentIntent): Intent {
  const { latest_charge: charge } = intent
  const instructionsUrl = instructionsUrlOf(intent.next_action)
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: instructionsUrl ? 'waiting' : statusOf(intent.status),
    allowedMethods: intent.allowed_payment_method_types,
    methods: intent.payment_method_types,
    method: methodOf(intent),
    instructionsUrl,
    receivedCents: readAmount(intent.amount_received, intent.currency),
    currency: readCurrency(intent.currency),
    chargeId: idOf(charge),
    fee: feeOf(charge),
    conversion: conversionOfCharge(charge),
    chargedAt: typeof charge === 'object' && charge ? new Date(charge.created * 1000) : null,
    cardFingerprint: cardOf(charge)?.fingerprint ?? null,
    cardLast4: cardOf(charge)?.last4 ?? null,
    installation: intent.metadata.installation ?? null,
    hasHistory:
      intent.review !== null ||
      (typeof charge === 'object' && charge !== null && (charge.amount_refunded > 0 || charge.disputed)),
  }
}

/** Null unless the method or the charge is expanded. */
function methodOf({ payment_method: method, latest_charge: charge }: Stripe.PaymentIntent): string | null {
  if (typeof method === 'object' && method) return method.type
  return typeof charge === 'object' ? (charge?.payment_method_details?.type ?? null) : null
}

/** The details of each kind of instructions have another name, but all name the page of the provider. */
function instructionsUrlOf(action: Stripe.PaymentIntent.NextAction | null): string | null {
  const details = action && Object.entries(action).find(([name]) => name === action.type)?.[1]
  const found = Object.entries(Object(details)).find(([name]) => /^hosted_\w+_url$/.test(name))
  return typeof found?.[1] === 'string' ? found[1] : null
}

/** Null unless the charge and its transaction are expanded. */
function feeOf(charge: Stripe.PaymentIntent['latest_charge']): ProviderFee | null {
  const transaction = typeof charge === 'object' ? charge?.balance_transaction : null
  if (!transaction || typeof transaction === 'string') return null
  const { id, fee, currency } = transaction
  return { id, fee: readAmount(fee, currency), currency }
}

function conversionOfCharge(charge: Stripe.PaymentIntent['latest_charge']) {
  if (!charge || typeof charge === 'string') return null
  const { currency, balance_transaction: transaction } = charge
  const amount = readAmount(charge.amount, currency)
  return conversionIn({ kind: 'charge', amount, currency }, transaction)
}

function asRefund(refund: Stripe.Refund) {
  const { id, currency, balance_transaction: transaction } = refund
  const amountCents = readAmount(refund.amount, currency)
  const conversion = conversionIn({ kind: 'refund', amount: -amountCents, currency }, transaction)
  return { id, amountCents, pending: isPending(refund), conversion }
}

/** Of the money of a failed refund, which comes back at another rate. */
async function findFailureConversion(stripe: Stripe, refund: Stripe.Refund) {
  const id = idOf(refund.failure_balance_transaction)
  if (!id || !asRefund(refund).conversion) return null
  const { currency } = refund
  const amount = readAmount(refund.amount, currency)
  return conversionIn({ kind: 'refund', amount, currency }, await stripe.balanceTransactions.retrieve(id))
}

const asTransfer = (transfer: Stripe.Transfer) => ({
  id: transfer.id,
  conversion: transferConversion(transfer),
})

/** Null unless the charge is expanded. */
function cardOf(charge: Stripe.PaymentIntent['latest_charge']) {
  const details = typeof charge === 'object' ? charge?.payment_method_details : null
  return details?.card ?? null
}

function statusOf(status: Stripe.PaymentIntent.Status): Intent['status'] {
  switch (status) {
    case 'succeeded':
      return 'paid'
    case 'processing':
    case 'requires_capture':
      return 'processing'
    case 'canceled':
      return 'canceled'
    default:
      // Every other status, including future ones, means not paid.
      return 'unpaid'
  }
}

const EventId = z.string().check(z.regex(/^[\w.-]{1,255}$/))

/** What we read of an event. Ids are stored, so they must be plain text. */
const WebhookEvent = z.object({
  id: EventId,
  type: EventId,
  account: z.nullish(EventId),
  data: z.object({
    object: z.object({
      id: z.optional(EventId),
      metadata: z.nullish(z.object({ installation: z.optional(z.string()) })),
    }),
  }),
})

function parseJson(raw: string | Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}

const CONNECT_TYPES = new Set<string>(CONNECT_EVENTS)

function asEvent({ id, type, account, data: { object } }: z.output<typeof WebhookEvent>): ProviderEvent {
  // These events are about an account, but their objects are its payouts, its bank accounts, its capabilities, or the
  // application that lost access to it.
  const objectId = (CONNECT_TYPES.has(type) ? account : null) ?? object.id
  return { id, type, objectId: objectId ?? '', installation: object.metadata?.installation }
}

function asStripeEvidence(evidence: BankEvidence): Stripe.DisputeUpdateParams.Evidence {
  const fields = {
    customer_name: evidence.customerName,
    customer_email_address: evidence.customerEmail,
    customer_purchase_ip: evidence.purchaseIp,
    product_description: evidence.productDescription,
    shipping_carrier: evidence.shippingCarrier,
    shipping_tracking_number: evidence.shippingTrackingNumber,
    shipping_date: evidence.shippingDate,
    shipping_address: evidence.shippingAddress,
    service_date: evidence.serviceDate,
    refund_policy_disclosure: evidence.refundPolicy,
    cancellation_policy_disclosure: evidence.cancellationPolicy,
    cancellation_rebuttal: evidence.cancellationRebuttal,
    uncategorized_text: evidence.text,
    receipt: evidence.receiptId,
    customer_communication: evidence.communicationId,
    uncategorized_file: evidence.picturesId,
    service_documentation: evidence.documentId,
  } satisfies Partial<Record<keyof Stripe.DisputeUpdateParams.Evidence, string | null>>
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
}

function asChargeback(dispute: Stripe.Dispute): Chargeback {
  const { due_by: due } = dispute.evidence_details
  const disputed = readAmount(dispute.amount, dispute.currency)
  return {
    id: dispute.id,
    reason: dispute.reason,
    status: dispute.status,
    isInquiry: dispute.status.startsWith('warning_'),
    amountCents: disputed,
    transactions: dispute.balance_transactions.map((transaction) => {
      const { id, currency } = transaction
      const [amount, fee] = [readAmount(transaction.amount, currency), readAmount(transaction.fee, currency)]
      // A converted transaction takes or returns the whole disputed amount.
      const isConverted = currency !== dispute.currency
      const takenCents = isConverted ? -Math.sign(amount) * disputed : -amount
      const taken = { kind: 'dispute', amount: 0 - takenCents, currency: dispute.currency } as const
      return { id, takenCents, fee, currency, conversion: conversionIn(taken, transaction) }
    }),
    outcome: outcomeOfDispute(dispute.status),
    deadline: due === null ? null : new Date(due * 1000),
  }
}

function outcomeOfDispute(status: Stripe.Dispute.Status): Chargeback['outcome'] {
  switch (status) {
    case 'won':
      return 'won'
    case 'lost':
      return 'lost'
    case 'prevented':
      return 'prevented'
    case 'warning_closed':
      return 'closed'
    default:
      return 'open'
  }
}

const isEffective = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled'

const isPending = (refund: Stripe.Refund) => isEffective(refund) && refund.status !== 'succeeded'

const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000)

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
