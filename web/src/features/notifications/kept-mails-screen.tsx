import type { ReplyOf } from '@sought/contract/call'
import { listDevEmails } from '@sought/contract/notifications'
import { buildQueryString, routes } from '@sought/contract/paths'
import { Link, useSearchParams } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

type DevEmail = ReplyOf<typeof listDevEmails>[number]

/** The mails that would have been sent, for developers. Which one is open stands in the address. */
export function KeptMailsScreen() {
  const mails = useRead(listDevEmails, undefined, { staleMs: 0 })
  return (
    <Page
      title="Mails"
      lead="No mail server is set, so mails are kept here instead."
      width="board"
      actions={
        <Button variant="secondary" busy={mails.isFetching} onClick={() => void mails.refetch()}>
          Refresh
        </Button>
      }
    >
      <Loaded query={mails}>{(all) => (all.length === 0 ? <NoMails /> : <Mails mails={all} />)}</Loaded>
    </Page>
  )
}

function Mails({ mails }: { mails: readonly DevEmail[] }) {
  const [query] = useSearchParams()
  const open = mails.find(({ id }) => String(id) === query.get('id')) ?? mails[0]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <ul aria-label="Mails" className="max-h-96 overflow-y-auto border-line border-b lg:max-h-none">
        {mails.map((mail) => (
          <li key={mail.id} className="border-line border-t">
            <MailLine mail={mail} current={mail === open} />
          </li>
        ))}
      </ul>
      {open && <Opened mail={open} />}
    </div>
  )
}

function MailLine({ mail, current }: { mail: DevEmail; current: boolean }) {
  return (
    <Link
      href={routes.devMail + buildQueryString({ id: mail.id })}
      aria-current={current ? 'true' : undefined}
      className={classNames(
        'grid gap-0.5 border-l-3 py-2.5 pr-3 pl-3 text-ink no-underline -outline-offset-2',
        current ? 'border-accent bg-accent-wash' : 'border-transparent hover:bg-sunken',
      )}
    >
      <span className="truncate font-strong">{mail.subject}</span>
      <span className="truncate text-fine text-ink-soft">{mail.address}</span>
      <time dateTime={mail.createdAt} className="text-fine text-ink-soft">
        {formatDateTime(mail.createdAt)}
      </time>
    </Link>
  )
}

function Opened({ mail }: { mail: DevEmail }) {
  return (
    <article aria-label={mail.subject} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 className="font-display font-strong text-title [overflow-wrap:anywhere]">{mail.subject}</h2>
      <DefinitionList
        rows={[
          { key: 'to', label: 'To', value: <span className="[overflow-wrap:anywhere]">{mail.address}</span> },
          { key: 'kind', label: 'Kind', value: mail.kind },
          { key: 'at', label: 'At', value: formatDateTime(mail.createdAt) },
        ]}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-2">
        {/* No scripts, nothing of ours to read; only a link may open, in a tab of its own. */}
        <iframe
          title="As HTML"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={`<base target="_blank">${mail.html}`}
          className="h-96 w-full lg:h-[40rem] rounded-card border border-line bg-paper"
        />
        <pre className="whitespace-pre-wrap rounded-card border border-line bg-paper p-4 font-plain [overflow-wrap:anywhere]">
          <WithLinks text={mail.text} />
        </pre>
      </div>
    </article>
  )
}

/** The text with its addresses to press. */
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

function NoMails() {
  return (
    <EmptyState drawing="letters" title="No mails yet">
      Sign up, make an offer or forget a password, and what would be sent stands here.
    </EmptyState>
  )
}
