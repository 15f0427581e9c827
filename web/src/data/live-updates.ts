import type { Subject } from '@sought/contract/call'
import type { Change } from '@sought/contract/events'
import { listenToEvents } from '@sought/contract/platform'
import type { QueryClient } from '@tanstack/react-query'
import { refresh } from './calls.ts'
import { showTyping } from './typing.ts'

/* Loaded only for signed-in users: visitors get no updates. */

const REOPEN_MS = 10_000

/**
 * All subjects that the server announces. Also the market, because a page may contain outdated settings: a server
 * process needs a moment to notice that they were changed.
 */
const EVERYTHING = [
  'messages',
  'offers',
  'payments',
  'notifications',
  'account',
  'market',
] as const satisfies readonly Subject[]

/** Refreshes data when the server reports changes, until the returned function is called. */
export function listenForUpdates(cache: QueryClient): () => void {
  let stream: EventSource
  let reopenTimer: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    stream = new EventSource(listenToEvents.path)
    stream.onmessage = ({ data }) => {
      const change: Change = JSON.parse(data)
      if (change.about === 'typing') showTyping(change)
      else void refresh(cache, change.about === 'everything' ? EVERYTHING : [change.about])
    }
    stream.onerror = () => {
      // The browser reconnects after a dropped connection, but not after a refusal, because the session may have
      // ended.
      if (stream.readyState !== EventSource.CLOSED) return
      void refresh(cache, ['account'])
      reopenTimer = setTimeout(open, REOPEN_MS)
    }
  }
  open()
  return () => {
    clearTimeout(reopenTimer)
    stream.close()
  }
}
