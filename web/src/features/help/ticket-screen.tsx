import { SUPPORT_MESSAGE_MAX_LENGTH } from '@sought/contract/constants'
import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getTicket, replyToTicket, type SupportTicket, TicketReply } from '@sought/contract/support'
import { useParams, useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { explainFailure } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { useMarket } from '../../shared/market/market.ts'
import { BackTo } from '../../shared/navigation/back-button.tsx'
import { LinkButton, TextLink } from '../../shared/navigation/links.tsx'
import { SupportMessageCard } from '../../shared/support/support-message.tsx'
import { ticketBadges, topicLabels } from '../../shared/support/ticket-status.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Page } from '../../ui/layout/page.tsx'

const POLL_MS = 20_000

/** A question with its replies, for the user who asked, or with the link from the email. */
export function TicketScreen() {
  const { id } = useParams<{ id: string }>()
  const [query] = useSearchParams()
  const token = query.get('token') ?? undefined
  const isId = PathId.safeParse(id).success
  const ticket = useRead(
    getTicket,
    { params: { id }, query: { token } },
    { enabled: isId, pollMs: () => POLL_MS },
  )
  if (!isId) return <NoTicket />
  return (
    <Loaded query={ticket} notFound={<NoTicket />}>
      {(it) => <Conversation ticket={it} token={token} />}
    </Loaded>
  )
}

function NoTicket() {
  const isSignedIn = useSession().state === 'signed-in'
  return (
    <ErrorPage
      title="Conversation not found"
      action={
        isSignedIn ? (
          <LinkButton to={paths.tickets()}>Your Questions</LinkButton>
        ) : (
          <>
            <LinkButton to={paths.auth({ returnTo: window.location.pathname })}>Sign In</LinkButton>
            <LinkButton to={paths.help()} variant="secondary">
              Help
            </LinkButton>
          </>
        )
      }
    >
      {isSignedIn
        ? 'You did not ask this question, or it was deleted.'
        : 'If you asked with your account, sign in. Otherwise open the link in the email that we sent you.'}
    </ErrorPage>
  )
}

function Conversation({ ticket, token }: { ticket: SupportTicket; token: string | undefined }) {
  const { id, subject, topic, status, payment, messages, createdAt } = ticket
  const isSignedIn = useSession().state === 'signed-in'
  const { name } = useMarket()
  const facts = [topicLabels[topic], `ticket ${id}`, `asked on ${formatDate(createdAt)}`]
  return (
    <Page
      title={subject}
      heading={<span className="[overflow-wrap:anywhere]">{subject}</span>}
      lead={<span className="text-fine">{facts.join(' · ')}</span>}
      width="column"
      back={
        <BackTo href={isSignedIn ? paths.tickets() : paths.help()}>
          {isSignedIn ? 'Your questions' : 'Help'}
        </BackTo>
      }
      actions={<Badge tone={ticketBadges[status].tone}>{ticketBadges[status].label}</Badge>}
    >
      {payment && (
        <p className="mb-6 [overflow-wrap:anywhere]">
          About{' '}
          <TextLink to={paths.payments()}>
            {payment.title}, {formatMoney(payment.amount, payment.currency)}
          </TextLink>{' '}
          <span className="text-fine text-ink-soft">({payment.transactionNumber})</span>
        </p>
      )}
      <ul aria-label="Conversation" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {messages.map(({ id: messageId, from, content, createdAt: at }) => (
          <SupportMessageCard
            key={messageId}
            look={from === 'you' ? 'question' : 'reply'}
            author={from === 'you' ? 'You' : `${name} support`}
            content={content}
            createdAt={at}
          />
        ))}
      </ul>
      <ReplyForm ticket={ticket} token={token} />
    </Page>
  )
}

const hints = {
  open: 'We have your question. You can add to it.',
  answered: 'Reply if something is still open.',
  closed: 'This conversation is closed. A reply opens it again.',
} as const

function ReplyForm({ ticket, token }: { ticket: SupportTicket; token: string | undefined }) {
  const form = useContractForm(replyToTicket, {
    schema: TicketReply,
    values: { content: '' },
    input: (body) => ({ params: { id: String(ticket.id) }, body: { ...body, ...(token && { token }) } }),
    success: { title: 'Message sent!' },
    failure: explainFailure('Your message was not sent'),
    onDone: () => form.reset(),
  })
  return (
    <Form form={form} name="Reply" className="mt-6 gap-4" submitLabel="Send Message">
      <TextArea
        label="Your message"
        hint={hints[ticket.status]}
        maxLength={SUPPORT_MESSAGE_MAX_LENGTH}
        {...form.field('content')}
      />
    </Form>
  )
}
