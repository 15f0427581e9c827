import { SUPPORT_MESSAGE_MAX_LENGTH } from '@sought/contract/constants'
import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { findPlaceholders, type PlaceholderValues } from '@sought/contract/reply-placeholders'
import {
  type AdminMessage,
  type AdminTicketDetails,
  answerTicket,
  closeTicket,
  getAdminTicket,
  noteTicket,
  type PersonDeal,
  reopenTicket,
  TeamMessage,
} from '@sought/contract/support'
import { Link, useParams } from 'wouter'
import * as z from 'zod/mini'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDate } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { getTeamLabel, paymentTones } from '../../../shared/deals/payment-status.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { ErrorPage } from '../../../shared/loading/error-page.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { useMarket } from '../../../shared/market/market.ts'
import { BackTo } from '../../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { SupportMessageCard } from '../../../shared/support/support-message.tsx'
import { ticketBadges, topicLabels } from '../../../shared/support/ticket-status.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { DealLink, DeskPersonLink } from '../shared/desk-links.tsx'
import { appendReply, InsertReply } from '../shared/insert-reply.tsx'
import { nameOfAsker } from './ticket-person.ts'

export function AdminTicketScreen() {
  const { id } = useParams<{ id: string }>()
  const isId = PathId.safeParse(id).success
  const ticket = useRead(getAdminTicket, { params: { id } }, { enabled: isId })
  if (!isId) return <NoTicket />
  return (
    <Loaded query={ticket} notFound={<NoTicket />}>
      {(it) => <Ticket ticket={it} />}
    </Loaded>
  )
}

function NoTicket() {
  return (
    <ErrorPage
      title="Ticket not found"
      action={<LinkButton to={paths.adminTickets()}>All Tickets</LinkButton>}
    >
      It was deleted, or the address is wrong.
    </ErrorPage>
  )
}

function Ticket({ ticket }: { ticket: AdminTicketDetails }) {
  const market = useMarket()
  const { id, subject, topic, status, createdAt } = ticket
  const { deskLabel, tone } = ticketBadges[status]
  return (
    <Page
      title={`Ticket #${id}`}
      heading={<span className="[overflow-wrap:anywhere]">{subject}</span>}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine">
          <Badge tone={tone}>{deskLabel}</Badge>
          Ticket #{id} · {topicLabels[topic]} · {formatDate(createdAt)}
        </span>
      }
      back={<BackTo href={paths.adminTickets({ status: 'open' })}>Tickets</BackTo>}
      actions={<StatusButton ticket={ticket} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <ul aria-label="Conversation" className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {ticket.messages.map((message) => (
              <SupportMessageCard
                key={message.id}
                look={message.kind}
                author={describeAuthor(message, ticket, market.name)}
                content={message.content}
                createdAt={message.createdAt}
              />
            ))}
          </ul>
          <WriteForm key={id} ticket={ticket} />
        </div>
        <PersonColumn ticket={ticket} />
      </div>
    </Page>
  )
}

function describeAuthor(
  { kind, author }: AdminMessage,
  ticket: AdminTicketDetails,
  marketName: string,
): string {
  switch (kind) {
    case 'question':
      return nameOfAsker(ticket)
    case 'reply':
      return `${author?.name}, for ${marketName}`
    case 'note':
      return `Note by ${author?.name}, only for admins`
  }
}

function StatusButton({ ticket }: { ticket: AdminTicketDetails }) {
  const isClosed = ticket.status === 'closed'
  const { run, isPending } = useAction(isClosed ? reopenTicket : closeTicket, {
    success: { title: isClosed ? 'Ticket reopened' : 'Ticket closed' },
    failure: explainFailure('The ticket was not changed'),
  })
  return (
    <Button
      variant="secondary"
      busy={isPending}
      onClick={() => void run({ params: { id: String(ticket.id) } })}
    >
      {isClosed ? 'Reopen' : 'Close Ticket'}
    </Button>
  )
}

/** A reply is sent to the person, a note is internal. Both use the same field, so the buttons name which. */
function WriteForm({ ticket }: { ticket: AdminTicketDetails }) {
  const params = { id: String(ticket.id) }
  const form = useContractForm(answerTicket, {
    schema: CompleteMessage,
    values: { content: '' },
    input: (body) => ({ params, body }),
    success: { title: 'Reply sent', description: `${nameOfAsker(ticket)} gets it by email too.` },
    failure: explainFailure('The reply was not sent'),
    onDone: () => form.reset(),
  })
  const note = useAction(noteTicket, {
    success: { title: 'Note added' },
    failure: explainFailure('The note was not added'),
    onDone: () => form.reset(),
  })
  const addNote = form.handleSubmit((body) => void note.run({ params, body }))
  return (
    <Form
      form={form}
      name="Reply"
      className="gap-4"
      submitLabel="Send Reply"
      aside={
        <Button variant="secondary" busy={note.isPending} onClick={() => void addNote()}>
          Add Note
        </Button>
      }
    >
      <InsertReply
        values={placeholderValuesOf(ticket)}
        onInsert={(reply) => form.setValue('content', appendReply(form.getValues('content'), reply))}
      />
      <TextArea
        label="Reply or note"
        rows={5}
        hint="A reply is sent to the person. A note is only for admins."
        maxLength={SUPPORT_MESSAGE_MAX_LENGTH}
        {...form.field('content')}
      />
    </Form>
  )
}

const CompleteMessage = TeamMessage.check(
  z.superRefine(({ content }, context) => {
    const left = findPlaceholders(content)
    const message = `Please replace ${left.join(', ')}`
    if (left.length > 0) context.addIssue({ code: 'custom', path: ['content'], message, input: content })
  }),
)

/** Empty if the question is about no deal. */
function placeholderValuesOf({ payment }: AdminTicketDetails): PlaceholderValues {
  if (!payment) return {}
  return {
    buyer: payment.buyer.name,
    seller: payment.seller.name,
    item: payment.title,
    amount: formatMoney(payment.amount, payment.currency),
    transaction: payment.transactionNumber,
  }
}

function PersonColumn({ ticket }: { ticket: AdminTicketDetails }) {
  const { person, email, payment, deals } = ticket
  return (
    <aside aria-label="Asked by" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h2 className="font-strong">Asked by</h2>
        {person ? (
          <DeskPersonLink person={person} />
        ) : (
          <Notice>A visitor. Anyone can enter an address, so do not share details of an account.</Notice>
        )}
        <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">{email}</p>
      </section>
      {payment && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <h2 className="font-strong">About</h2>
          <p className="[overflow-wrap:anywhere]">
            <DealLink paymentId={payment.id}>{payment.title}</DealLink>,{' '}
            {formatMoney(payment.amount, payment.currency)}
          </p>
          <p className="text-fine text-ink-soft">{payment.transactionNumber}</p>
        </section>
      )}
      {person && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <h2 className="font-strong">Deals</h2>
          {deals.length === 0 ? <p className="text-ink-soft">None yet</p> : <Deals deals={deals} />}
        </section>
      )}
    </aside>
  )
}

function Deals({ deals }: { deals: readonly PersonDeal[] }) {
  return (
    <ul aria-label="Deals" className="border-line border-b">
      {deals.map((deal) => (
        <li key={deal.id} className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-t py-3">
          <p className="[overflow-wrap:anywhere]">
            <DealLink paymentId={deal.id}>{deal.title}</DealLink>
          </p>
          <p className="flex flex-wrap items-center gap-2 text-fine text-ink-soft">
            <Badge tone={paymentTones[deal.status]}>{getTeamLabel(deal)}</Badge>
            {deal.transactionNumber} · {deal.role === 'buyer' ? 'Buyer' : 'Seller'} ·{' '}
            {formatMoney(deal.amount, deal.currency)} · {formatDate(deal.createdAt)}
          </p>
          {deal.disputed && (
            <Link href={paths.adminDisputes({ search: deal.transactionNumber })} className="link text-fine">
              Open the dispute
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
