import type { Message } from '@sought/contract/messages'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { timeOfDay } from './moments.ts'
import type { Outgoing } from './outbox.ts'

export function MessageBubble({ message, mine }: { message: Message; mine: boolean }) {
  const at = new Date(message.createdAt)
  return (
    <Bubble mine={mine} content={message.content} author={mine ? 'You' : message.sender.name}>
      <time dateTime={message.createdAt}>{timeOfDay(at)}</time>
      {mine && <Receipt readAt={message.isRead ? message.readAt : undefined} />}
    </Bubble>
  )
}

/** Undefined while it is unread. */
function Receipt({ readAt }: { readAt: string | null | undefined }) {
  if (readAt === undefined) return <span>✓ Sent</span>
  return (
    <span className="text-accent">
      ✓✓ Read {readAt && <time dateTime={readAt}>{timeOfDay(new Date(readAt))}</time>}
    </span>
  )
}

interface OutgoingProps {
  message: Outgoing
  onRetry: () => void
  onDiscard: () => void
}

export function OutgoingBubble({ message, onRetry, onDiscard }: OutgoingProps) {
  return (
    <Bubble mine content={message.content} author="You" faint={message.state === 'sending'}>
      {message.state === 'sending' && <span>Sending...</span>}
      {message.state === 'sent' && (
        <>
          <time dateTime={message.at.toISOString()}>{timeOfDay(message.at)}</time>
          <span>✓ Sent</span>
        </>
      )}
      {message.state === 'failed' && (
        <>
          <span className="text-danger">Not sent</span>
          <Button variant="quiet" size="sm" onClick={onRetry}>
            Retry
          </Button>
          <Button variant="quiet" size="sm" onClick={onDiscard}>
            Discard
          </Button>
        </>
      )}
    </Bubble>
  )
}

interface BubbleProps {
  mine: boolean
  author: string
  content: string
  faint?: boolean
  /** Under it: when, and whether it arrived. */
  children: ReactNode
}

function Bubble({ mine, author, content, faint = false, children }: BubbleProps) {
  return (
    <div
      className={classNames(
        'grid max-w-[85%] gap-1 sm:max-w-[75%]',
        mine ? 'justify-self-end' : 'justify-self-start',
      )}
    >
      <span className="sr-only">{author}:</span>
      <p
        className={classNames(
          'w-fit max-w-full whitespace-pre-line rounded-control px-3.5 py-2 [overflow-wrap:anywhere]',
          mine ? 'justify-self-end bg-accent-wash' : 'bg-sunken',
          faint && 'opacity-70',
        )}
      >
        {content}
      </p>
      <div
        className={classNames(
          'flex flex-wrap items-center gap-x-2 text-fine text-ink-soft',
          mine && 'justify-self-end',
        )}
      >
        {children}
      </div>
    </div>
  )
}
