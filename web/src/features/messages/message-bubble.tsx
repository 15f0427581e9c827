import type { Message } from '@sought/contract/messages'
import type { Photo } from '@sought/contract/photos'
import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { PhotoGrid } from '../../shared/photos/photo-grid.tsx'
import { ReportButton } from '../../shared/reports/report-button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Tooltip, TooltipProvider } from '../../ui/overlays/tooltip.tsx'
import { formatTime } from './message-dates.ts'
import type { OutgoingMessage } from './outbox.ts'
import { splitLinks } from './split-links.ts'

export function MessageBubble({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const at = new Date(message.createdAt)
  return (
    <Bubble
      isOwn={isOwn}
      content={message.isHidden ? 'This message was removed by our moderators.' : message.content}
      photos={message.photos}
      author={isOwn ? 'You' : message.sender.name}
      isFaint={message.isHidden}
      warning={message.warning}
    >
      <time dateTime={message.createdAt}>{formatTime(at)}</time>
      {isOwn ? (
        <Receipt readAt={message.isRead ? message.readAt : undefined} />
      ) : (
        !message.isHidden && <ReportButton target={{ kind: 'message', id: message.id }} look="text" />
      )}
    </Bubble>
  )
}

function Warning({ text }: { text: string }) {
  return (
    <p
      role="note"
      className="flex w-fit max-w-full gap-2 rounded-control bg-signal-wash px-3 py-2 text-fine text-ink"
    >
      <ShieldAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-signal-text" />
      <span className="min-w-0">{text}</span>
    </p>
  )
}

/** `readAt` is undefined while the message is unread. */
function Receipt({ readAt }: { readAt: string | null | undefined }) {
  if (readAt === undefined) return <span>✓ Sent</span>
  return (
    <span className="text-accent">
      ✓✓ Read {readAt && <time dateTime={readAt}>{formatTime(new Date(readAt))}</time>}
    </span>
  )
}

interface OutgoingProps {
  message: OutgoingMessage
  onRetry: () => void
  onDiscard: () => void
}

export function OutgoingBubble({ message, onRetry, onDiscard }: OutgoingProps) {
  return (
    <Bubble
      isOwn
      content={message.content}
      photos={message.photos}
      author="You"
      isFaint={message.state === 'sending'}
    >
      {message.state === 'sending' && <span>Sending...</span>}
      {message.state === 'sent' && (
        <>
          <time dateTime={message.at.toISOString()}>{formatTime(message.at)}</time>
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
  isOwn: boolean
  author: string
  content: string
  photos: readonly Photo[]
  isFaint?: boolean
  warning?: string | null
  /** The line below: time and delivery status. */
  children: ReactNode
}

function Bubble({ isOwn, author, content, photos, isFaint = false, warning, children }: BubbleProps) {
  return (
    <div
      className={classNames(
        'grid max-w-[85%] gap-1 sm:max-w-[75%]',
        isOwn ? 'justify-self-end' : 'justify-self-start',
      )}
    >
      <span className="sr-only">{author}:</span>
      <PhotoGrid
        photos={photos}
        isOwn={isOwn}
        className={classNames(isOwn && 'justify-self-end', isFaint && 'opacity-70')}
      />
      {content && (
        <p
          className={classNames(
            'w-fit max-w-full whitespace-pre-line rounded-control px-3.5 py-2 [overflow-wrap:anywhere]',
            isOwn ? 'justify-self-end bg-accent-wash' : 'bg-sunken',
            isFaint && 'opacity-70',
          )}
        >
          <MessageText text={content} />
        </p>
      )}
      {warning && <Warning text={warning} />}
      <div
        className={classNames(
          'flex flex-wrap items-center gap-x-2 text-fine text-ink-soft',
          isOwn && 'justify-self-end',
        )}
      >
        {children}
      </div>
    </div>
  )
}

/** A text whose links show the host that the browser will open, not the one that was written. */
function MessageText({ text }: { text: string }) {
  return splitLinks(text).map((part) =>
    typeof part === 'string' ? part : <MessageLink key={part.start} address={part.address} />,
  )
}

const PATH_MAX = 24

function MessageLink({ address }: { address: URL }) {
  const path = `${address.pathname}${address.search}${address.hash}`
  const shownPath = path === '/' ? '' : path
  return (
    <TooltipProvider>
      <Tooltip text={address.href}>
        <a
          href={address.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="underline underline-offset-2 [overflow-wrap:anywhere]"
        >
          <span className="font-strong">{address.host}</span>
          {shownPath.length > PATH_MAX ? `${shownPath.slice(0, PATH_MAX)}…` : shownPath}
        </a>
      </Tooltip>
    </TooltipProvider>
  )
}
