import type { CurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { LinkButton } from '../shared/navigation/links.tsx'
import { useDate } from '../shared/time/use-date.ts'
import { Notice } from '../ui/feedback/notice.tsx'

/** Shows suspended and restricted users on every page what they can still do, until when, and why. */
export default function AccountNotice({ user }: { user: CurrentUser }) {
  const { suspendedUntil, restrictedUntil } = user
  const now = new Date()
  if (suspendedUntil && new Date(suspendedUntil) > now) return <Suspended until={suspendedUntil} />
  if (restrictedUntil && new Date(restrictedUntil) > now) return <Restricted until={restrictedUntil} />
  return null
}

/** A sanction without an end is stored with the last possible year. */
function useEnd(until: string): string {
  const date = useDate(until)
  return until.startsWith('9999') ? 'permanently' : `until ${date}`
}

function Suspended({ until }: { until: string }) {
  const end = useEnd(until)
  return (
    <section
      aria-label="Account status"
      className="mx-auto w-full max-w-board px-4 pt-4 sm:px-6 print:hidden"
    >
      <Notice
        tone="danger"
        title={`Your account is suspended ${end}`}
        action={
          <LinkButton to={paths.profile({ tab: 'decisions' })} size="sm" variant="secondary">
            Reason and Appeal
          </LinkButton>
        }
      >
        You can still read, finish open deals, receive your money and export your data.
      </Notice>
    </section>
  )
}

function Restricted({ until }: { until: string }) {
  const end = useEnd(until)
  return (
    <section
      aria-label="Account status"
      className="border-line border-b bg-signal-wash px-4 py-2 text-center text-fine text-signal-text print:hidden"
    >
      Your account is restricted {end}: you cannot post requests, make offers or start conversations.{' '}
      <Link href={paths.profile({ tab: 'decisions' })} className="link text-inherit">
        Reason and appeal
      </Link>
    </section>
  )
}
