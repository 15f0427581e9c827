import type { ReplyOf } from '@sought/contract/call'
import { listDevEmails } from '@sought/contract/notifications'
import { buildQueryString, routes } from '@sought/contract/paths'
import { Link, useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { formatDateTime } from '../../format/dates.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'

type DevEmail = ReplyOf<typeof listDevEmails>[number]

/** Emails that would have been sent, for developers. The address selects the open one. */
export function DevEmailsScreen() {
  const emails = useRead(listDevEmails)
  return (
    <Page
      title="Emails"
      lead="No mail server is configured, so emails are shown here instead of being sent."
      width="board"
      actions={
        <Button variant="secondary" busy={emails.isFetching} onClick={() => void emails.refetch()}>
          Refresh
        </Button>
      }
    >
      <Loaded query={emails}>{(all) => (all.length === 0 ? <NoEmails /> : <Emails emails={all} />)}</Loaded>
    </Page>
  )
}

function Emails({ emails }: { emails: readonly DevEmail[] }) {
  const [query] = useSearchParams()
  const open = emails.find(({ id }) => String(id) === query.get('id')) ?? emails[0]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <ul aria-label="Emails" className="max-h-96 overflow-y-auto border-line border-b lg:max-h-none">
        {emails.map((email) => (
          <li key={email.id} className="border-line border-t">
            <EmailLine email={email} current={email === open} />
          </li>
        ))}
      </ul>
      {open && <Email email={open} />}
    </div>
  )
}

function EmailLine({ email, current }: { email: DevEmail; current: boolean }) {
  return (
    <Link
      href={routes.devMail + buildQueryString({ id: email.id })}
      aria-current={current ? 'true' : undefined}
      className={classNames(
        'grid gap-0.5 border-l-3 py-2.5 pr-3 pl-3 text-ink no-underline -outline-offset-2',
        current ? 'border-accent bg-accent-wash' : 'border-transparent hover:bg-sunken',
      )}
    >
      <span className="truncate font-strong">{email.subject}</span>
      <span className="truncate text-fine text-ink-soft">{email.address}</span>
      <time dateTime={email.createdAt} className="text-fine text-ink-soft">
        {formatDateTime(email.createdAt)}
      </time>
    </Link>
  )
}

function Email({ email }: { email: DevEmail }) {
  return (
    <article aria-label={email.subject} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 className="font-display font-strong text-title [overflow-wrap:anywhere]">{email.subject}</h2>
      <DefinitionList
        rows={[
          { label: 'To', value: <span className="[overflow-wrap:anywhere]">{email.address}</span> },
          { label: 'Kind', value: email.kind },
          { label: 'Created', value: formatDateTime(email.createdAt) },
        ]}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-2">
        {/* No scripts and no access to this page. Links open in a new tab. */}
        <iframe
          title="As HTML"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={`<base target="_blank">${email.html}`}
          className="h-96 w-full lg:h-[40rem] rounded-card border border-line bg-paper"
        />
        <pre className="whitespace-pre-wrap rounded-card border border-line bg-paper p-4 font-plain [overflow-wrap:anywhere]">
          <WithLinks text={email.text} />
        </pre>
      </div>
    </article>
  )
}

/** The text with its URLs as links. */
function WithLinks({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text that never changes
      <a key={index} href={part} className="link">
        {part}
      </a>
    ),
  )
}

function NoEmails() {
  return (
    <EmptyState drawing="letters" title="No emails yet">
      Emails appear here, for example after a sign-up, an offer or a forgotten password.
    </EmptyState>
  )
}
