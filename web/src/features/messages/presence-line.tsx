import { getPresence } from '@sought/contract/messages'
import { useRead } from '../../data/calls.ts'
import { useIsTyping } from '../../data/typing.ts'
import { formatRelativeTime } from '../../format/relative-time.ts'
import type { Parties } from '../../shared/offers/parties.ts'

const POLL_MS = 30_000

/**
 * Whether the other person is typing or online, or when they last were. Empty if one of the two does not share it.
 */
export function PresenceLine({ parties: { other, item }, enabled }: { parties: Parties; enabled: boolean }) {
  const isTyping = useIsTyping({ userId: other.id, wantedItemId: item.id })
  const query = { query: { userId: other.id } }
  const { data } = useRead(getPresence, query, { enabled, pollMs: () => POLL_MS })
  return (
    <span role="status" className="shrink-0 text-fine text-ink-soft">
      {isTyping ? <span className="text-accent">Typing…</span> : data && describe(data)}
    </span>
  )
}

function describe({ online, lastSeenAt }: { online: boolean; lastSeenAt: string | null }) {
  if (online)
    return (
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-round bg-accent" />
        Online
      </span>
    )
  return lastSeenAt && `Last seen ${formatRelativeTime(new Date(lastSeenAt), new Date()).toLowerCase()}`
}
