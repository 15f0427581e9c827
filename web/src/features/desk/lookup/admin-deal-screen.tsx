import { getCarrierName } from '@sought/contract/carriers'
import { PathId } from '@sought/contract/fields'
import { type DealAction, type DealDetails, getDeal } from '@sought/contract/lookup'
import { paths } from '@sought/contract/paths'
import { refundDeal } from '@sought/contract/payments'
import { Link, useParams } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { getTeamLabel, paymentTones } from '../../../shared/deals/payment-status.ts'
import { EvidenceList } from '../../../shared/disputes/dispute-evidence.tsx'
import { ErrorPage } from '../../../shared/loading/error-page.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { BackTo } from '../../../shared/navigation/back-button.tsx'
import { TextLink } from '../../../shared/navigation/links.tsx'
import { RefundDialog } from '../../../shared/refunds/refund-dialog.tsx'
import { AgreedVersion } from '../../../shared/requests/agreed-version.tsx'
import { SupportMessageCard } from '../../../shared/support/support-message.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { GoodwillDialog } from '../shared/goodwill-dialog.tsx'
import { DealMoney } from './deal-money.tsx'
import { DealTimeline } from './deal-timeline.tsx'
import { ToLookup } from './to-lookup.tsx'

export function AdminDealScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const isId = PathId.safeParse(id).success
  const deal = useRead(getDeal, { params: { paymentId: id } }, { enabled: isId })
  if (!isId) return <NoDeal />
  return (
    <Loaded query={deal} notFound={<NoDeal />} back={<ToLookup />}>
      {(it) => <Deal deal={it} />}
    </Loaded>
  )
}

function NoDeal() {
  return (
    <ErrorPage title="Deal not found" action={<ToLookup />}>
      No payment has this id. Search for its transaction number.
    </ErrorPage>
  )
}

function Deal({ deal }: { deal: DealDetails }) {
  const { id, itemTitle, amount, currency, status, transactionNumber, createdAt } = deal
  return (
    <Page
      title={`Deal #${id}`}
      heading={<span className="[overflow-wrap:anywhere]">{itemTitle}</span>}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine">
          <Badge tone={paymentTones[status]}>{getTeamLabel(deal)}</Badge>
          Deal #{id} · {formatMoney(amount, currency)} · {transactionNumber} · {formatDate(createdAt)}
        </span>
      }
      back={<BackTo href={paths.adminLookup()}>Lookup</BackTo>}
    >
      <Actions deal={deal} />
      <Tabs
        label="About the deal"
        tabs={[
          { value: 'overview', label: 'Overview', content: <Overview deal={deal} /> },
          { value: 'timeline', label: 'Timeline', content: <DealTimeline deal={deal} /> },
          { value: 'messages', label: 'Messages', content: <Messages deal={deal} /> },
          { value: 'money', label: 'Money', content: <DealMoney deal={deal} /> },
          { value: 'evidence', label: 'Evidence', content: <Evidence deal={deal} /> },
        ]}
      />
    </Page>
  )
}

/** Links to the screen for each possible action. Goodwill is given on this screen. */
const actionLinks: Record<
  Exclude<DealAction, 'give_goodwill'>,
  { label: string; href: (id: number) => string }
> = {
  rule: { label: 'Rule on the Dispute', href: (id) => paths.adminDisputes({ search: String(id) }) },
  send_bank_evidence: {
    label: 'Send Evidence to the Bank',
    href: (id) => paths.adminDisputes({ search: String(id) }),
  },
  dismiss_fraud_signals: {
    label: 'Decide on the Fraud Warning',
    href: (id) => paths.adminDisputes({ search: String(id) }),
  },
  pay_seller: { label: 'Pay the Seller', href: () => paths.adminPayouts() },
  send_payout_again: {
    label: 'Send the Payout Again',
    href: () => paths.adminPayouts({ status: 'reversed' }),
  },
  handle_refund: { label: 'Handle the Refund', href: () => paths.adminRefunds() },
}

function Actions({ deal }: { deal: DealDetails }) {
  const { refundable } = deal
  if (deal.actions.length === 0 && !refundable) return null
  return (
    <fieldset className="mb-6 flex flex-wrap gap-3">
      <legend className="sr-only">What you can do now</legend>
      {refundable && (
        <RefundDialog
          call={refundDeal}
          deal={deal}
          refundable={refundable}
          reader="team"
          trigger={
            <Button size="sm" variant="secondary">
              Refund the Buyer
            </Button>
          }
        />
      )}
      {deal.actions.map((action) =>
        action === 'give_goodwill' ? (
          <GoodwillDialog
            key={action}
            deal={deal}
            trigger={
              <Button size="sm" variant="secondary">
                Goodwill Payment
              </Button>
            }
          />
        ) : (
          <Button key={action} asChild size="sm">
            <Link href={actionLinks[action].href(deal.id)}>{actionLinks[action].label}</Link>
          </Button>
        ),
      )}
    </fieldset>
  )
}

const deliveryMethods = { shipping: 'Shipping', in_person: 'In person', arranged: 'To be arranged' } as const

function Overview({ deal }: { deal: DealDetails }) {
  const {
    buyer,
    seller,
    itemId,
    wantedItem,
    delivery,
    cardLast4,
    chargedAt,
    escrowHoldUntil,
    endedAt,
    bankDecides,
  } = deal
  const person = (of: DealDetails['buyer']) => (
    <>
      <Link className="link font-strong" href={paths.adminPerson(of.id)}>
        {of.name}
      </Link>
      {of.email && <span className="block text-fine text-ink-soft">{of.email}</span>}
    </>
  )
  const time = (at: string | null) => (at ? formatDateTime(at) : '–')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-2">
      <TitledSection title="Deal">
        <DefinitionList
          className="[overflow-wrap:anywhere]"
          rows={[
            { label: 'Buyer', value: person(buyer) },
            { label: 'Seller', value: person(seller) },
            {
              label: 'Request',
              value: (
                <>
                  <TextLink to={paths.item(itemId)}>#{itemId}</TextLink> ·{' '}
                  <AgreedVersion itemId={itemId} version={wantedItem.version} />
                </>
              ),
            },
            { label: 'Card', value: cardLast4 ? `Ends with ${cardLast4}` : 'Unknown' },
            { label: 'Charged', value: time(chargedAt) },
            { label: 'Held until', value: time(escrowHoldUntil) },
            { label: 'Ended', value: time(endedAt) },
            bankDecides && { label: 'Chargeback', value: 'The buyer’s bank is deciding' },
          ]}
        />
      </TitledSection>
      <TitledSection title="Delivery">
        <DefinitionList
          className="[overflow-wrap:anywhere]"
          rows={[
            { label: 'Method', value: deliveryMethods[delivery.method] },
            { label: 'Carrier', value: delivery.carrier ? getCarrierName(delivery.carrier) : '–' },
            { label: 'Tracking number', value: delivery.trackingNumber ?? '–' },
            { label: 'Shipped', value: time(delivery.shippedAt) },
            { label: 'Delivered', value: time(delivery.deliveredAt) },
          ]}
        />
      </TitledSection>
      {deal.tickets.length > 0 && (
        <TitledSection title="Tickets">
          <ul className="grid gap-2">
            {deal.tickets.map(({ id, subject }) => (
              <li key={id}>
                <Link className="link [overflow-wrap:anywhere]" href={paths.adminTicket(id)}>
                  {subject}
                </Link>
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
    </div>
  )
}

function Messages({ deal: { messages, buyer } }: { deal: DealDetails }) {
  if (messages.length === 0)
    return <p className="text-ink-soft">The buyer and the seller have not written to each other.</p>
  return (
    <div>
      <p className="mb-3 text-fine text-ink-soft">
        Newest first. Opening this page is recorded in the audit log.
      </p>
      <ul aria-label="Messages" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {messages.map(({ id, sender, content, photos, createdAt }) => (
          <SupportMessageCard
            key={id}
            look={sender.id === buyer.id ? 'question' : 'reply'}
            author={`${sender.name}, ${sender.id === buyer.id ? 'buyer' : 'seller'}`}
            content={photos.length > 0 ? `${content}\n(${photos.length} photos)`.trim() : content}
            createdAt={createdAt}
          />
        ))}
      </ul>
    </div>
  )
}

function Evidence({ deal: { evidence, buyer, seller } }: { deal: DealDetails }) {
  return <EvidenceList evidence={evidence} parties={{ buyer, seller }} />
}
